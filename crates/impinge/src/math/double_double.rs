//! Numbers of about 106 bits: the unevaluated sum of two doubles.
//!
//! The building blocks are Knuth's exact sum and Dekker's exact product (A Floating-Point Technique for Extending the
//! Available Precision, 1971); the operations and their error bounds are those of Joldes, Muller and Popescu (Tight and
//! Rigorous Error Bounds for Basic Building Blocks of Double-Word Arithmetic, 2017). Every operation here has a relative
//! error below [`Wide::EPSILON`], as long as no intermediate leaves the range of ordinary doubles (from about 1e-250 to
//! 1e150): callers scale their problem to a size near one first. The product is Dekker's and not a fused
//! multiply-add, which is a slow library call on targets without the instruction.

use super::Vec3;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The sum of two doubles, the second at most half a unit in the last place of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wide {
    hi: f64,
    lo: f64,
}

impl Wide {
    pub(crate) const ZERO: Wide = Wide { hi: 0.0, lo: 0.0 };
    pub(crate) const ONE: Wide = Wide { hi: 1.0, lo: 0.0 };

    /// 2^-102: above the relative error of each operation (15 units of 2^-106 for the worst of them, the division).
    pub(crate) const EPSILON: f64 = f64::EPSILON * f64::EPSILON * 4.0;

    /// `a + b`, exactly.
    pub(crate) fn sum(a: f64, b: f64) -> Wide {
        let hi = a + b;
        let b_part = hi - a;
        let lo = (a - (hi - b_part)) + (b - b_part);
        Wide { hi, lo }
    }

    /// `a * b`, exactly.
    pub(crate) fn product(a: f64, b: f64) -> Wide {
        let hi = a * b;
        let ((a1, a2), (b1, b2)) = (split(a), split(b));
        let lo = ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2;
        Wide { hi, lo }
    }

    /// `a + b` for `|a| >= |b|`, exactly.
    fn quick_sum(a: f64, b: f64) -> Wide {
        let hi = a + b;
        Wide {
            hi,
            lo: b - (hi - a),
        }
    }

    /// The nearest double.
    pub(crate) fn value(self) -> f64 {
        self.hi
    }

    /// A double that is not above the number.
    pub(crate) fn below(self) -> f64 {
        if self.lo < 0.0 {
            self.hi.next_down()
        } else {
            self.hi
        }
    }

    /// A double that is not below the number.
    pub(crate) fn above(self) -> f64 {
        if self.lo > 0.0 {
            self.hi.next_up()
        } else {
            self.hi
        }
    }

    pub(crate) fn is_positive(self) -> bool {
        self.hi > 0.0
    }

    pub(crate) fn is_negative(self) -> bool {
        self.hi < 0.0
    }

    /// The square root; 0 for a number that is not positive.
    pub(crate) fn sqrt(self) -> Wide {
        if !self.is_positive() {
            return Wide::ZERO;
        }
        // One Newton step from the rounded root: the residual is exact to the precision that it needs.
        let root = self.hi.sqrt();
        let residual = self - Wide::product(root, root);
        Wide::quick_sum(root, residual.hi / (2.0 * root))
    }

    /// Times a power of two: exact while nothing underflows.
    pub(crate) fn scaled(self, power_of_two: f64) -> Wide {
        Wide {
            hi: self.hi * power_of_two,
            lo: self.lo * power_of_two,
        }
    }
}

/// The upper and the lower half of the bits of a number below 2^996.
fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2^27 + 1
    let spread = FACTOR * a;
    let high = spread - (spread - a);
    (high, a - high)
}

impl From<f64> for Wide {
    fn from(value: f64) -> Wide {
        Wide { hi: value, lo: 0.0 }
    }
}

impl Add for Wide {
    type Output = Wide;
    fn add(self, other: Wide) -> Wide {
        let high = Wide::sum(self.hi, other.hi);
        let low = Wide::sum(self.lo, other.lo);
        let carried = Wide::quick_sum(high.hi, high.lo + low.hi);
        Wide::quick_sum(carried.hi, low.lo + carried.lo)
    }
}

impl Sub for Wide {
    type Output = Wide;
    fn sub(self, other: Wide) -> Wide {
        self + (-other)
    }
}

impl Neg for Wide {
    type Output = Wide;
    fn neg(self) -> Wide {
        Wide {
            hi: -self.hi,
            lo: -self.lo,
        }
    }
}

impl Mul for Wide {
    type Output = Wide;
    fn mul(self, other: Wide) -> Wide {
        let high = Wide::product(self.hi, other.hi);
        let cross = self.hi * other.lo + self.lo * other.hi;
        Wide::quick_sum(high.hi, high.lo + cross)
    }
}

impl Div for Wide {
    type Output = Wide;
    fn div(self, other: Wide) -> Wide {
        let quotient = self.hi / other.hi;
        let residual = self - other * Wide::from(quotient);
        Wide::quick_sum(quotient, residual.hi / other.hi)
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Wide) -> Option<Ordering> {
        match self.hi.partial_cmp(&other.hi) {
            Some(Ordering::Equal) => self.lo.partial_cmp(&other.lo),
            decided => decided,
        }
    }
}

/// A point or vector of such numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WideVec3 {
    pub(crate) x: Wide,
    pub(crate) y: Wide,
    pub(crate) z: Wide,
}

impl WideVec3 {
    pub(crate) const ZERO: WideVec3 = WideVec3 {
        x: Wide::ZERO,
        y: Wide::ZERO,
        z: Wide::ZERO,
    };

    /// `p - q`, exactly.
    pub(crate) fn difference(p: Vec3, q: Vec3) -> WideVec3 {
        WideVec3 {
            x: Wide::sum(p.x, -q.x),
            y: Wide::sum(p.y, -q.y),
            z: Wide::sum(p.z, -q.z),
        }
    }

    /// `v * s`, exactly.
    pub(crate) fn product(v: Vec3, s: f64) -> WideVec3 {
        WideVec3 {
            x: Wide::product(v.x, s),
            y: Wide::product(v.y, s),
            z: Wide::product(v.z, s),
        }
    }

    /// The nearest point with double coordinates.
    pub(crate) fn value(self) -> Vec3 {
        Vec3::new(self.x.value(), self.y.value(), self.z.value())
    }

    pub(crate) fn dot(self, other: WideVec3) -> Wide {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub(crate) fn cross(self, other: WideVec3) -> WideVec3 {
        WideVec3 {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    pub(crate) fn length(self) -> Wide {
        self.dot(self).sqrt()
    }

    /// The largest coordinate, in absolute value and rounded.
    pub(crate) fn largest(self) -> f64 {
        self.value().abs().max_element()
    }

    /// Times a power of two: exact while nothing underflows.
    pub(crate) fn scaled(self, power_of_two: f64) -> WideVec3 {
        WideVec3 {
            x: self.x.scaled(power_of_two),
            y: self.y.scaled(power_of_two),
            z: self.z.scaled(power_of_two),
        }
    }
}

impl From<Vec3> for WideVec3 {
    fn from(v: Vec3) -> WideVec3 {
        WideVec3 {
            x: Wide::from(v.x),
            y: Wide::from(v.y),
            z: Wide::from(v.z),
        }
    }
}

impl Add for WideVec3 {
    type Output = WideVec3;
    fn add(self, other: WideVec3) -> WideVec3 {
        WideVec3 {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl Sub for WideVec3 {
    type Output = WideVec3;
    fn sub(self, other: WideVec3) -> WideVec3 {
        self + (-other)
    }
}

impl Neg for WideVec3 {
    type Output = WideVec3;
    fn neg(self) -> WideVec3 {
        WideVec3 {
            x: -self.x,
            y: -self.y,
            z: -self.z,
        }
    }
}

impl Mul<Wide> for WideVec3 {
    type Output = WideVec3;
    fn mul(self, factor: Wide) -> WideVec3 {
        WideVec3 {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn exact(x: Wide) -> BigRational {
        let part = |p: f64| BigRational::from_float(p).expect("finite");
        part(x.hi) + part(x.lo)
    }

    /// Whether `|got - want| <= EPSILON * |want|`.
    fn is_close(got: &BigRational, want: &BigRational) -> bool {
        let error = got - want;
        let bound = want * BigRational::from_float(Wide::EPSILON).expect("finite");
        &error * &error <= &bound * &bound
    }

    /// Numbers of 106 bits and mixed signs and sizes, some of them nearly cancelling.
    fn samples() -> Vec<(Wide, Wide)> {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut number = || {
            let hi: f64 = rng.random_range(-1.0..1.0) * f64::powi(2.0, rng.random_range(-40..40));
            Wide::sum(hi, hi * rng.random_range(-1.0..1.0) * f64::EPSILON / 2.0)
        };
        let mut pairs: Vec<(Wide, Wide)> = (0..2000).map(|_| (number(), number())).collect();
        let cancelling: Vec<(Wide, Wide)> = pairs[..500]
            .iter()
            .map(|(x, y)| (*x, -*x + y.scaled(1e-30)))
            .collect();
        pairs.extend(cancelling);
        pairs
    }

    #[test]
    fn operations_keep_their_error_bound() {
        for (x, y) in samples() {
            let (p, q) = (exact(x), exact(y));
            assert!(is_close(&exact(x + y), &(&p + &q)), "{x:?} + {y:?}");
            assert!(is_close(&exact(x - y), &(&p - &q)), "{x:?} - {y:?}");
            assert!(is_close(&exact(x * y), &(&p * &q)), "{x:?} * {y:?}");
            assert!(is_close(&exact(x / y), &(&p / &q)), "{x:?} / {y:?}");
        }
    }

    #[test]
    fn roots_keep_their_error_bound() {
        for (x, _) in samples() {
            let square = x * x;
            // The root r is close to s when r^2 is twice as close to s^2.
            let root = exact(square.sqrt());
            let (got, want) = (&root * &root, exact(square));
            let error = &got - &want;
            let bound = &want * BigRational::from_float(2.0 * Wide::EPSILON).expect("finite");
            assert!(&error * &error <= &bound * &bound, "root of {square:?}");
        }
        assert_eq!(Wide::ZERO.sqrt(), Wide::ZERO);
    }

    #[test]
    fn sums_and_products_of_doubles_are_exact() {
        for (x, y) in samples() {
            let (p, q) = (exact(x.hi.into()), exact(y.hi.into()));
            assert_eq!(exact(Wide::sum(x.hi, y.hi)), &p + &q);
            assert_eq!(exact(Wide::product(x.hi, y.hi)), &p * &q);
        }
    }

    #[test]
    fn neighbours_enclose() {
        for (x, _) in samples() {
            let zero = BigRational::from(BigInt::from(0));
            assert!(exact(x.below().into()) - exact(x) <= zero);
            assert!(exact(x.above().into()) - exact(x) >= zero);
        }
    }
}
