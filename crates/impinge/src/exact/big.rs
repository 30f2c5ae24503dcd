//! Points as big integers: the last level.
//!
//! A finite `f64` is an integer times a power of two. Given a set of points, [`to_integers`] finds the smallest power
//! among all coordinates and returns the coordinates in units of it. Every polynomial of the coordinates that is
//! homogeneous has the same sign in these units, however large or small the numbers were.

use super::signs::Sign;
use crate::math::Vec3;
use dashu_int::IBig;

/// A point or vector with integer coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BigVec3 {
    pub(crate) x: IBig,
    pub(crate) y: IBig,
    pub(crate) z: IBig,
}

/// The points in units of `2^exponent`, the largest unit in which all coordinates are integers.
pub(crate) fn to_integers<const N: usize>(points: [Vec3; N]) -> ([BigVec3; N], i32) {
    let exponent = common_exponent(points);
    (points.map(|p| BigVec3::in_units(p, exponent)), exponent)
}

/// The exponent of the largest unit in which all coordinates are integers.
pub(crate) fn common_exponent(points: impl IntoIterator<Item = Vec3>) -> i32 {
    points
        .into_iter()
        .flat_map(|p| p.to_array())
        .map(lowest_exponent)
        .min()
        .unwrap_or(MAX_EXPONENT)
}

/// The exponent of the lowest bit of any finite `f64` is below this.
const MAX_EXPONENT: i32 = 971;

/// The exponent of the lowest set bit of a finite number; the largest possible for zero.
pub(crate) fn lowest_exponent(value: f64) -> i32 {
    let (mantissa, exponent) = decompose(value);
    if mantissa == 0 {
        MAX_EXPONENT
    } else {
        exponent + mantissa.trailing_zeros() as i32
    }
}

/// `value = mantissa * 2^exponent`, with the sign left out.
fn decompose(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = ((bits >> 52) & 0x7ff) as i32;
    if biased == 0 {
        (fraction, -1074)
    } else {
        (fraction | (1 << 52), biased - 1075)
    }
}

/// A finite number in units of `2^exponent`, which must not exceed [`lowest_exponent`] of it.
pub(crate) fn to_integer(value: f64, exponent: i32) -> IBig {
    let (mantissa, own) = decompose(value);
    if mantissa == 0 {
        return IBig::ZERO;
    }
    let shift = own - exponent;
    let magnitude = if shift >= 0 {
        IBig::from(mantissa) << (shift as usize)
    } else {
        // Only trailing zeros fall off.
        IBig::from(mantissa >> (-shift))
    };
    if value < 0.0 { -magnitude } else { magnitude }
}

/// The sign of an integer.
pub(crate) fn sign(value: &IBig) -> Sign {
    if *value == IBig::ZERO {
        Sign::Zero
    } else if *value < IBig::ZERO {
        Sign::Negative
    } else {
        Sign::Positive
    }
}

impl BigVec3 {
    /// A point in units of `2^exponent`, which must not exceed [`lowest_exponent`] of its coordinates.
    pub(crate) fn in_units(p: Vec3, exponent: i32) -> BigVec3 {
        BigVec3 {
            x: to_integer(p.x, exponent),
            y: to_integer(p.y, exponent),
            z: to_integer(p.z, exponent),
        }
    }

    pub(crate) fn zero() -> BigVec3 {
        BigVec3 {
            x: IBig::ZERO,
            y: IBig::ZERO,
            z: IBig::ZERO,
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.x.is_zero() && self.y.is_zero() && self.z.is_zero()
    }

    pub(crate) fn neg(&self) -> BigVec3 {
        BigVec3 {
            x: -&self.x,
            y: -&self.y,
            z: -&self.z,
        }
    }

    pub(crate) fn add(&self, other: &BigVec3) -> BigVec3 {
        BigVec3 {
            x: &self.x + &other.x,
            y: &self.y + &other.y,
            z: &self.z + &other.z,
        }
    }

    pub(crate) fn sub(&self, other: &BigVec3) -> BigVec3 {
        BigVec3 {
            x: &self.x - &other.x,
            y: &self.y - &other.y,
            z: &self.z - &other.z,
        }
    }

    pub(crate) fn scale(&self, factor: &IBig) -> BigVec3 {
        BigVec3 {
            x: &self.x * factor,
            y: &self.y * factor,
            z: &self.z * factor,
        }
    }

    pub(crate) fn dot(&self, other: &BigVec3) -> IBig {
        &self.x * &other.x + &self.y * &other.y + &self.z * &other.z
    }

    pub(crate) fn cross(&self, other: &BigVec3) -> BigVec3 {
        BigVec3 {
            x: &self.y * &other.z - &self.z * &other.y,
            y: &self.z * &other.x - &self.x * &other.z,
            z: &self.x * &other.y - &self.y * &other.x,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_hold_the_extremes() {
        let tiny = f64::from_bits(1);
        let ([p], exponent) = to_integers([Vec3::new(tiny, -1.5, f64::MAX)]);
        assert_eq!(exponent, -1074);
        assert_eq!(p.x, IBig::from(1));
        assert_eq!(p.y, IBig::from(-3) << 1073);
        assert_eq!(p.z, IBig::from((1u64 << 53) - 1) << (971 + 1074));
    }

    #[test]
    fn zeros_do_not_set_the_unit() {
        let ([p], exponent) = to_integers([Vec3::new(0.0, 6.0, -0.0)]);
        assert_eq!(exponent, 1);
        assert_eq!(p.y, IBig::from(3));
        assert_eq!(p.z, IBig::ZERO);
    }
}
