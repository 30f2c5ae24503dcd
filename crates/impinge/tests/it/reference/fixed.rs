//! Fixed-point numbers of 320 binary digits after the point: the arithmetic of the closed forms.
//!
//! Doubles of ordinary size enter without error; every operation is off by less than two units in the last place.

use impinge::Interval;
use num_bigint::BigInt;
use std::ops::{Add, Div, Mul, Neg, Sub};

const DIGITS: u32 = 320;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixed(BigInt);

impl Fixed {
    pub(super) fn zero() -> Fixed {
        Fixed(BigInt::ZERO)
    }

    pub(super) fn sqrt(&self) -> Fixed {
        Fixed((&self.0 << DIGITS).sqrt())
    }

    pub(super) fn square(&self) -> Fixed {
        self.clone() * self.clone()
    }

    pub(super) fn abs(&self) -> Fixed {
        self.clone().max(-self.clone())
    }

    pub(super) fn half(&self) -> Fixed {
        Fixed(&self.0 >> 1_u32)
    }

    /// Whether an interval holds the number, allowing for 2^-300 of error in it.
    pub(super) fn is_in(&self, interval: Interval) -> bool {
        let slack = Fixed(BigInt::from(1) << (DIGITS - 300));
        let (lower, upper) = (Fixed::from(interval.lower), Fixed::from(interval.upper));
        lower - slack.clone() <= *self && *self <= upper + slack
    }
}

impl From<f64> for Fixed {
    fn from(value: f64) -> Fixed {
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i64;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let (mantissa, exponent) = if exponent == 0 {
            (fraction, -1074)
        } else {
            (fraction | 1 << 52, exponent - 1075)
        };
        let shift = exponent + i64::from(DIGITS);
        let magnitude = if shift >= 0 {
            BigInt::from(mantissa) << shift
        } else {
            BigInt::from(mantissa) >> -shift
        };
        Fixed(if value < 0.0 { -magnitude } else { magnitude })
    }
}

impl Add for Fixed {
    type Output = Fixed;
    fn add(self, other: Fixed) -> Fixed {
        Fixed(self.0 + other.0)
    }
}

impl Sub for Fixed {
    type Output = Fixed;
    fn sub(self, other: Fixed) -> Fixed {
        Fixed(self.0 - other.0)
    }
}

impl Neg for Fixed {
    type Output = Fixed;
    fn neg(self) -> Fixed {
        Fixed(-self.0)
    }
}

impl Mul for Fixed {
    type Output = Fixed;
    fn mul(self, other: Fixed) -> Fixed {
        Fixed((self.0 * other.0) >> DIGITS)
    }
}

impl Div for Fixed {
    type Output = Fixed;
    fn div(self, other: Fixed) -> Fixed {
        Fixed((self.0 << DIGITS) / other.0)
    }
}
