//! Real roots: isolated, narrowed, compared, substituted.

use super::poly::{DyadicInterval, Poly};
use crate::exact::Sign;
use crate::exact::big::{lowest_exponent, sign, to_integer};
use crate::exact::rounding::round_dyadic;
use crate::math::Interval;
use dashu_int::IBig;
use dashu_int::ops::{BitTest, UnsignedAbs};
use std::cmp::Ordering;

/// A real root of a square-free polynomial.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    poly: Poly,
    /// Holds this root and no other: inside, or, when both ends are equal, there.
    at: DyadicInterval,
    /// The sign of the polynomial between the lower end and the root.
    before: Sign,
}

/// How many bits an interval is narrowed by before the costlier question whether two numbers are equal is asked.
const BITS_BEFORE_GCD: usize = 64;

/// The roots from 0 to 1, both included, in order, of a polynomial that is not zero.
///
/// Vincent's method in the form of Lane and Riesenfeld: halves the interval until the Bernstein coefficients change sign
/// at most once. This ends because the roots are simple.
pub(crate) fn roots_in_unit_interval(poly: &Poly) -> Vec<Root> {
    let mut roots = Vec::new();
    let unit = DyadicInterval {
        low: IBig::ZERO,
        high: IBig::ONE,
        shift: 0,
    };
    if sign_changes(&poly.bernstein(&unit)) == 0 && !touches_ends(poly) {
        return roots;
    }
    let poly = poly.square_free();
    push_if_root(&poly, &unit.low, 0, &mut roots);
    isolate(&poly, unit.clone(), &mut roots);
    push_if_root(&poly, &unit.high, 0, &mut roots);
    roots
}

/// All real roots, in order, of a polynomial that is not zero.
pub(crate) fn real_roots(poly: &Poly) -> Vec<Root> {
    let mut roots = Vec::new();
    // Cauchy's bound.
    let bound = IBig::ONE << poly.root_bits();
    let all = DyadicInterval {
        low: -bound.clone(),
        high: bound,
        shift: 0,
    };
    isolate(&poly.square_free(), all, &mut roots);
    roots
}

fn touches_ends(poly: &Poly) -> bool {
    [IBig::ZERO, IBig::ONE]
        .iter()
        .any(|end| poly.sign_at(end, 0) == Sign::Zero)
}

fn push_if_root(poly: &Poly, numerator: &IBig, shift: usize, roots: &mut Vec<Root>) {
    if poly.sign_at(numerator, shift) == Sign::Zero {
        roots.push(Root {
            poly: poly.clone(),
            at: DyadicInterval {
                low: numerator.clone(),
                high: numerator.clone(),
                shift,
            },
            before: Sign::Zero,
        });
    }
}

/// The roots strictly inside an interval.
fn isolate(poly: &Poly, over: DyadicInterval, roots: &mut Vec<Root>) {
    let bernstein = poly.bernstein(&over);
    match sign_changes(&bernstein) {
        0 => {}
        1 => roots.push(Root {
            poly: poly.clone(),
            at: over,
            before: first_sign(&bernstein),
        }),
        _ => {
            let (left, middle, right) = halves(&over);
            isolate(poly, left, roots);
            push_if_root(poly, &middle, over.shift + 1, roots);
            isolate(poly, right, roots);
        }
    }
}

fn halves(of: &DyadicInterval) -> (DyadicInterval, IBig, DyadicInterval) {
    let middle = &of.low + &of.high;
    let part = |low: IBig, high: IBig| DyadicInterval {
        low,
        high,
        shift: of.shift + 1,
    };
    (
        part(&of.low << 1, middle.clone()),
        middle.clone(),
        part(middle, &of.high << 1),
    )
}

fn sign_changes(numbers: &[IBig]) -> usize {
    let mut changes = 0;
    let mut last = Sign::Zero;
    for number in numbers.iter().map(sign).filter(|s| *s != Sign::Zero) {
        changes += usize::from(last == -number);
        last = number;
    }
    changes
}

fn first_sign(numbers: &[IBig]) -> Sign {
    let signs = numbers.iter().map(sign);
    signs
        .into_iter()
        .find(|s| *s != Sign::Zero)
        .unwrap_or(Sign::Zero)
}

/// The common sign of all numbers, none of which is zero.
fn common_sign(numbers: &[IBig]) -> Option<Sign> {
    let first = sign(numbers.first()?);
    let agree = first != Sign::Zero && numbers.iter().all(|n| sign(n) == first);
    agree.then_some(first)
}

impl Root {
    /// The number 0.
    pub(crate) fn zero() -> Root {
        Root::dyadic(IBig::ZERO, 0)
    }

    /// A finite float.
    pub(crate) fn from_float(value: f64) -> Root {
        let exponent = lowest_exponent(value).min(0);
        Root::dyadic(
            to_integer(value, exponent),
            exponent.unsigned_abs() as usize,
        )
    }

    /// The number `numerator / 2^shift`.
    fn dyadic(numerator: IBig, shift: usize) -> Root {
        Root {
            poly: Poly::new(vec![-&numerator, IBig::ONE << shift]),
            at: DyadicInterval {
                low: numerator.clone(),
                high: numerator,
                shift,
            },
            before: Sign::Zero,
        }
    }

    /// The sign of another polynomial at this number. Narrows the interval as far as that needs.
    pub(crate) fn sign_of(&mut self, other: &Poly) -> Sign {
        if other.is_zero() {
            return Sign::Zero;
        }
        if let Some(sign) = self.sign_now(other) {
            return sign;
        }
        self.narrow(BITS_BEFORE_GCD);
        if let Some(sign) = self.sign_now(other) {
            return sign;
        }
        // The common divisor has no root here but this one, and that only once: it is there when the changes are odd.
        let common = self.poly.gcd(other);
        if sign_changes(&common.bernstein(&self.at)) % 2 == 1 {
            return Sign::Zero;
        }
        loop {
            self.narrow(self.bits() + BITS_BEFORE_GCD);
            if let Some(sign) = self.sign_now(other) {
                return sign;
            }
        }
    }

    fn sign_now(&self, other: &Poly) -> Option<Sign> {
        if self.is_dyadic() {
            return Some(other.sign_at(&self.at.low, self.at.shift));
        }
        common_sign(&other.bernstein(&self.at))
    }

    fn is_dyadic(&self) -> bool {
        self.at.low == self.at.high
    }

    /// Compares two numbers. Narrows the intervals as far as that needs.
    pub(crate) fn compare(&mut self, other: &mut Root) -> Ordering {
        if let Some(order) = self.order_now(other) {
            return order;
        }
        self.narrow(BITS_BEFORE_GCD);
        other.narrow(BITS_BEFORE_GCD);
        if let Some(order) = self.order_now(other) {
            return order;
        }
        if self.sign_of(&other.poly) == Sign::Zero && self.is_within(&other.at) {
            return Ordering::Equal;
        }
        loop {
            if let Some(order) = self.order_now(other) {
                return order;
            }
            self.narrow(self.bits() + BITS_BEFORE_GCD);
            other.narrow(other.bits() + BITS_BEFORE_GCD);
        }
    }

    /// The order, if the intervals tell it.
    fn order_now(&self, other: &Root) -> Option<Ordering> {
        let at =
            |end: &IBig, of: &Root, with: &Root| end << with.at.shift.saturating_sub(of.at.shift);
        let [low, high] = [&self.at.low, &self.at.high].map(|end| at(end, self, other));
        let [other_low, other_high] =
            [&other.at.low, &other.at.high].map(|end| at(end, other, self));
        if self.is_dyadic() && other.is_dyadic() {
            return Some(low.cmp(&other_low));
        }
        // A root that is not dyadic is strictly inside its interval.
        if high <= other_low {
            Some(Ordering::Less)
        } else if other_high <= low {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// Whether this number is inside an interval, or is its one point.
    fn is_within(&mut self, interval: &DyadicInterval) -> bool {
        let end = |numerator: &IBig| Poly::new(vec![-numerator, IBig::ONE << interval.shift]);
        let (from_low, from_high) = (
            self.sign_of(&end(&interval.low)),
            self.sign_of(&end(&interval.high)),
        );
        let is_point = interval.low == interval.high && from_low == Sign::Zero;
        is_point || (from_low == Sign::Positive && from_high == Sign::Negative)
    }

    /// Bounds that are at most 2^-`bits` apart, but for rounding to floats.
    pub(crate) fn bounds(&mut self, bits: usize) -> Interval {
        self.narrow(bits);
        let shift = -i32::try_from(self.at.shift).expect("a shift of few thousand bits");
        Interval {
            lower: round_dyadic(&self.at.low, shift).0,
            upper: round_dyadic(&self.at.high, shift).1,
        }
    }

    /// Minus the binary logarithm of the width, rounded down.
    fn bits(&self) -> usize {
        let width = (&self.at.high - &self.at.low).unsigned_abs();
        (self.at.shift + 1).saturating_sub(width.bit_len())
    }

    /// Narrows the interval to a width of at most 2^-`bits`.
    ///
    /// Quadratic interval refinement (Abbott 2006): the chord points to one of 2^`step` parts; when the root is there, the
    /// next step is twice as bold, otherwise half as bold. Halving is the boldness of one.
    fn narrow(&mut self, bits: usize) {
        let mut step = 2;
        while !self.is_dyadic() && self.bits() < bits {
            step = if self.narrow_to_part(step) {
                2 * step
            } else {
                (step / 2).max(1)
            };
        }
    }

    /// Tries the one of 2^`step` equal parts of the interval that the chord points to; halves the interval when that fails.
    fn narrow_to_part(&mut self, step: usize) -> bool {
        let parts = IBig::ONE << step;
        let width = &self.at.high - &self.at.low;
        let shift = self.at.shift + step;
        let part = self.part_by_chord(step);
        let low = (&self.at.low << step) + &part * &width;
        let high = &low + &width;
        // The ends of the whole interval need no test.
        let [from, to] = [
            (part.is_zero(), &low, self.before),
            (&part + IBig::ONE == parts, &high, -self.before),
        ]
        .map(|(is_end, place, known)| {
            if is_end {
                known
            } else {
                self.poly.sign_at(place, shift)
            }
        });
        let (low, high) = match (from, to) {
            (Sign::Zero, _) => (low.clone(), low),
            (_, Sign::Zero) => (high.clone(), high),
            _ if from == self.before && to == -self.before => (low, high),
            _ if step > 1 => {
                self.narrow_to_part(1);
                return false;
            }
            _ => ((&self.at.low << 1) + &width, &self.at.high << 1),
        };
        self.at = DyadicInterval { low, high, shift };
        true
    }

    /// Where the chord of the polynomial over the interval crosses zero, in units of 2^-`step` of the width.
    fn part_by_chord(&self, step: usize) -> IBig {
        if step == 1 {
            return IBig::ZERO;
        }
        let bernstein = self.poly.bernstein(&self.at);
        let (first, last) = (&bernstein[0], &bernstein[bernstein.len() - 1]);
        let rise = first - last;
        if rise.is_zero() {
            return IBig::ZERO;
        }
        let part: IBig = (first << step) / rise;
        part.clamp(IBig::ZERO, (IBig::ONE << step) - IBig::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(coefficients: &[i64]) -> Poly {
        Poly::new(coefficients.iter().map(|c| IBig::from(*c)).collect())
    }

    #[test]
    fn equal_roots_of_different_polynomials_are_equal() {
        // The root of 2 x^2 = 1, and that of (2 x^2 - 1)(x - 3).
        let mut one = roots_in_unit_interval(&poly(&[-1, 0, 2])).pop().unwrap();
        let mut other = roots_in_unit_interval(&poly(&[3, -1, -6, 2]))
            .pop()
            .unwrap();
        assert_eq!(one.compare(&mut other), Ordering::Equal);
        assert_eq!(one.sign_of(&poly(&[3, -1, -6, 2])), Sign::Zero);
        assert_eq!(one.sign_of(&poly(&[-7071, 10_000])), Sign::Positive);
        assert_eq!(one.sign_of(&poly(&[-7072, 10_000])), Sign::Negative);
        let bounds = one.bounds(80);
        assert!(
            bounds.lower < 0.5_f64.sqrt().next_up() && bounds.upper > 0.5_f64.sqrt().next_down()
        );
        assert_eq!(Root::zero().compare(&mut one), Ordering::Less);
        assert_eq!(one.compare(&mut Root::from_float(0.5)), Ordering::Greater);
    }

    #[test]
    fn multiple_roots_count_once_and_ends_count() {
        // x^2 (x - 1)^2 (2 x - 1)^2
        let half = poly(&[-1, 2]);
        let all = poly(&[0, 1]).times(&poly(&[-1, 1])).times(&half);
        let mut roots = roots_in_unit_interval(&all.times(&all));
        let found: Vec<f64> = roots.iter_mut().map(|r| r.bounds(60).lower).collect();
        assert_eq!(found, [0.0, 0.5, 1.0]);
        assert_eq!(real_roots(&poly(&[-1_000_000, 0, 1])).len(), 2);
        assert!(real_roots(&poly(&[1, 0, 1])).is_empty());
    }

    #[test]
    fn neighbouring_roots_are_told_apart() {
        // x^2 = 1/2, and x^2 = 1/2 + 2^-200.
        let scale = IBig::ONE << 200;
        let exact = Poly::new(vec![-(&scale >> 1), IBig::ZERO, scale.clone()]);
        let above = Poly::new(vec![-(&scale >> 1) - IBig::ONE, IBig::ZERO, scale]);
        let mut one = roots_in_unit_interval(&exact).pop().unwrap();
        let mut other = roots_in_unit_interval(&above).pop().unwrap();
        assert_eq!(one.compare(&mut other), Ordering::Less);
        assert_eq!(other.sign_of(&exact), Sign::Positive);
    }
}
