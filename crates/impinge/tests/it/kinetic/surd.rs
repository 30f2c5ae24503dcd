//! Roots of polynomials of the second degree, exactly: numbers `(p + e sqrt(q)) / r` with big integers.
//!
//! Signs are found by squaring, comparisons by squaring twice. Nothing is narrowed down, and nothing is shared with the
//! library, which isolates roots by intervals.

use num_bigint::BigInt;
use std::cmp::Ordering;

fn whole(n: i64) -> BigInt {
    BigInt::from(n)
}

fn sign(n: &BigInt) -> i32 {
    n.cmp(&whole(0)) as i32
}

/// The sign of `a + b sqrt(q)`.
fn sign_of_sum(a: &BigInt, b: &BigInt, q: &BigInt) -> i32 {
    let (first, second) = (sign(a), sign(b) * sign(q));
    if first * second >= 0 {
        return if first == 0 { second } else { first };
    }
    first * (a * a).cmp(&(b * b * q)) as i32
}

/// A float as an integer times a power of two, which is at most 1 for whole numbers.
pub(crate) fn decode(x: f64) -> (BigInt, i32) {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (mut mantissa, mut exponent) = if exponent == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, exponent - 1075)
    };
    if mantissa == 0 {
        return (whole(0), 0);
    }
    let zeros = mantissa.trailing_zeros();
    mantissa >>= zeros;
    exponent += zeros as i32;
    let size = BigInt::from(mantissa);
    (if x < 0.0 { -size } else { size }, exponent)
}

/// A float in units of a power of two that it is a multiple of.
pub(crate) fn in_units(x: f64, exponent: i32) -> BigInt {
    let (mantissa, own) = decode(x);
    if mantissa == whole(0) {
        return mantissa;
    }
    mantissa << usize::try_from(own - exponent).expect("a multiple of the unit")
}

/// A polynomial of at most the second degree, constant term first.
#[derive(Clone, Debug)]
pub(crate) struct Quadratic(pub(crate) [BigInt; 3]);

impl Quadratic {
    fn derivative(&self) -> Quadratic {
        let [_, b, a] = &self.0;
        Quadratic([b.clone(), a * 2, whole(0)])
    }

    /// All roots; none for a constant.
    pub(crate) fn roots(&self) -> Vec<Surd> {
        let [c, b, a] = &self.0;
        if sign(a) == 0 {
            if sign(b) == 0 {
                return Vec::new();
            }
            return vec![Surd::new(-c, 0, whole(0), b.clone())];
        }
        let q = b * b - a * c * 4;
        match sign(&q) {
            -1 => Vec::new(),
            0 => vec![Surd::new(-b, 0, whole(0), a * 2)],
            _ => [-1, 1].map(|e| Surd::new(-b, e, q.clone(), a * 2)).to_vec(),
        }
    }

    /// Its sign at a number.
    pub(crate) fn sign_at(&self, x: &Surd) -> i32 {
        let [c, b, a] = &self.0;
        let plain = c * &x.r * &x.r + b * &x.r * &x.p + a * (&x.p * &x.p + &x.q);
        let root = (b * &x.r + a * &x.p * 2) * x.e;
        sign_of_sum(&plain, &root, &x.q)
    }

    /// Its sign right after a number: that of the first derivative that is not zero there.
    pub(crate) fn sign_after(&self, x: &Surd) -> i32 {
        let first = self.derivative();
        let second = first.derivative();
        let signs = [self, &first, &second].map(|p| p.sign_at(x));
        signs.into_iter().find(|s| *s != 0).unwrap_or(0)
    }
}

/// The number `(p + e sqrt(q)) / r`, with `r > 0`.
#[derive(Clone, Debug)]
pub(crate) struct Surd {
    p: BigInt,
    e: i32,
    q: BigInt,
    r: BigInt,
}

impl Surd {
    fn new(p: BigInt, e: i32, q: BigInt, r: BigInt) -> Surd {
        if sign(&r) < 0 {
            let (p, e, r) = (-p, -e, -r);
            return Surd { p, e, q, r };
        }
        Surd { p, e, q, r }
    }

    pub(crate) fn from_float(x: f64) -> Surd {
        let (mantissa, exponent) = decode(x);
        let shift = exponent.unsigned_abs() as usize;
        let (p, r) = if exponent < 0 {
            (mantissa, whole(1) << shift)
        } else {
            (mantissa << shift, whole(1))
        };
        Surd::new(p, 0, whole(0), r)
    }

    pub(crate) fn compare(&self, other: &Surd) -> Ordering {
        // a + b sqrt(q) + c sqrt(s), over a common positive denominator.
        let a = &self.p * &other.r - &other.p * &self.r;
        let b = &other.r * self.e;
        let c = &self.r * -other.e;
        let (bb, cc) = (&b * &b * &self.q, &c * &c * &other.q);
        let (sign_b, sign_c) = (sign(&b) * sign(&self.q), sign(&c) * sign(&other.q));
        let roots = if sign_b * sign_c >= 0 {
            if sign_b == 0 { sign_c } else { sign_b }
        } else {
            sign_b * bb.cmp(&cc) as i32
        };
        let first = sign(&a);
        if first * roots >= 0 {
            return (if first == 0 { roots } else { first }).cmp(&0);
        }
        // Of opposite signs: the larger square wins.
        let rest = &a * &a - bb - cc;
        let mixed = b * c * -2;
        (first * sign_of_sum(&rest, &mixed, &(&self.q * &other.q))).cmp(&0)
    }

    /// Whether it is in a closed interval.
    pub(crate) fn is_within(&self, low: f64, high: f64) -> bool {
        self.compare(&Surd::from_float(low)) != Ordering::Less
            && self.compare(&Surd::from_float(high)) != Ordering::Greater
    }
}

/// Against floats, where these are exact or far from ties.
#[test]
fn surds_are_ordered_as_numbers() {
    let mut all = Vec::new();
    for a in -3_i64..=3 {
        for b in -4_i64..=4 {
            for c in -3_i64..=3 {
                all.extend(Quadratic([c, b, a].map(whole)).roots());
            }
        }
    }
    let value = |x: &Surd| {
        let float = |n: &BigInt| n.to_string().parse::<f64>().unwrap();
        (float(&x.p) + f64::from(x.e) * float(&x.q).sqrt()) / float(&x.r)
    };
    for x in all.iter().step_by(3) {
        for y in &all {
            let gap = value(x) - value(y);
            // Different roots of such polynomials are farther apart than this.
            let expected = if gap.abs() < 1e-9 {
                Ordering::Equal
            } else {
                gap.total_cmp(&0.0)
            };
            assert_eq!(x.compare(y), expected, "{x:?} {y:?}");
        }
    }
}
