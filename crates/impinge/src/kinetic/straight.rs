//! Comparison of the times at which straight tracks cross, exactly and without big integers.
//!
//! Boxes of the same size are common, and their lower and their upper ends then cross at times that are equal but for the
//! rounding of the ends: too close for intervals. Such a time is `-n / b`, with `n` and `b` sums of a few products of floats,
//! and the order of two of them is the sign of a sum of products. Sums and products of floats are kept exactly, as
//! expansions (Shewchuk 1997), while no number is so large or small that a product overflows or loses bits.

use super::track::Track;
use arrayvec::ArrayVec;
use std::cmp::Ordering;

/// A time: the number at which `constant + slope t` is zero. The slope is negative.
pub(super) struct Line {
    constant: Expansion<6>,
    slope: Expansion<2>,
}

/// Terms whose sum is meant, exactly.
type Expansion<const N: usize> = ArrayVec<f64, N>;

/// Numbers of these sizes can be multiplied four at a time, and the errors of the products are floats.
const RANGE: std::ops::Range<f64> = 1e-60..1e60;
/// Two products of six by two terms, each product in two terms.
const TERMS: usize = 2 * 2 * 6 * 2;

impl Line {
    /// A float.
    pub(super) fn at(time: f64) -> Option<Line> {
        require_ordinary([time])?;
        Some(Line {
            constant: Expansion::from_iter([time]),
            slope: Expansion::from_iter([-1.0]),
        })
    }

    /// The time at which `above` falls below `below`; `None` for tracks that are bent or of extraordinary size.
    pub(super) fn crossing(below: &Track, above: &Track) -> Option<Line> {
        if below.half_acceleration != 0.0 || above.half_acceleration != 0.0 {
            return None;
        }
        for track in [below, above] {
            require_ordinary([track.origin, track.value, track.velocity])?;
        }
        let mut constant = Expansion::from_iter([above.value, -below.value]);
        let (product, rest) = two_product(below.velocity, below.origin);
        constant.extend([product, rest]);
        let (product, rest) = two_product(-above.velocity, above.origin);
        constant.extend([product, rest]);
        Some(Line {
            constant,
            slope: Expansion::from_iter([above.velocity, -below.velocity]),
        })
    }

    /// Compares the two times: `-n / b` with `-m / c`, where `b` and `c` are negative, is `m b` with `n c`.
    pub(super) fn compare(&self, other: &Line) -> Ordering {
        let mut sum = Expansion::<TERMS>::new();
        add_product(&mut sum, &other.constant, &self.slope, 1.0);
        add_product(&mut sum, &self.constant, &other.slope, -1.0);
        // The last term of an expansion is larger than all others together.
        let sign = sum.last().copied().unwrap_or(0.0);
        sign.total_cmp(&0.0)
    }
}

fn require_ordinary<const N: usize>(numbers: [f64; N]) -> Option<()> {
    let is_ordinary = |x: &f64| *x == 0.0 || RANGE.contains(&x.abs());
    numbers.iter().all(is_ordinary).then_some(())
}

/// Adds a product of two sums to an expansion.
fn add_product<const N: usize>(
    sum: &mut Expansion<TERMS>,
    a: &Expansion<N>,
    b: &Expansion<2>,
    sign: f64,
) {
    for x in a.iter().filter(|x| **x != 0.0) {
        for y in b.iter().filter(|y| **y != 0.0) {
            let (product, rest) = two_product(*x, sign * y);
            add(sum, rest);
            add(sum, product);
        }
    }
}

/// Adds a float to an expansion whose terms do not overlap and grow in size; no term is zero.
fn add(sum: &mut Expansion<TERMS>, number: f64) {
    let mut carry = number;
    let mut kept = 0;
    for i in 0..sum.len() {
        let (total, rest) = two_sum(carry, sum[i]);
        carry = total;
        if rest != 0.0 {
            sum[kept] = rest;
            kept += 1;
        }
    }
    sum.truncate(kept);
    if carry != 0.0 {
        sum.push(carry);
    }
}

/// The sum as a float, and what it is off by.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// The product as a float, and what it is off by, by splitting both factors (Dekker 1971).
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    (product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2)
}

/// The upper and the lower half of the bits.
fn split(a: f64) -> (f64, f64) {
    let scaled = a * 134_217_729.0;
    let upper = scaled - (scaled - a);
    (upper, a - upper)
}
