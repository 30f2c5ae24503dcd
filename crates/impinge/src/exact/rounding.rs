//! From exact integers back to `f64`: the neighbours below and above, and the nearest.
//!
//! A number arrives as a big integer times a power of two, perhaps with the remark that the true value is a little more
//! than that (a quotient or a root that did not come out even). Its binary digits are cut at the last place an `f64` of
//! that size has, down to the subnormal ones, so every result is rounded once and in a known direction.

use dashu_int::ops::{BitTest, DivRem, SquareRootRem, UnsignedAbs};
use dashu_int::{IBig, Sign as IntegerSign, UBig};
use std::cmp::Ordering;

/// A non-negative real number between floats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rounded {
    /// The largest float that is not above; `f64::MAX` when the number is beyond all floats.
    pub(crate) down: f64,
    /// The nearest finite float, ties to even.
    pub(crate) nearest: f64,
    /// The smallest float that is not below; infinite when the number is beyond all floats.
    pub(crate) up: f64,
}

/// Quotients and roots are computed to this many bits at least: more than the 53 of a float, so that cutting them there
/// leaves room to tell below, on and above the middle of two floats.
const WORKING_BITS: usize = 64;
/// The exponents of the last place of the smallest and of the largest floats.
const LOWEST_UNIT: i32 = -1074;
const HIGHEST_UNIT: i32 = 971;

/// `numerator / denominator * 2^exponent` to the nearest float; the denominator is positive.
pub(crate) fn round_quotient(numerator: &IBig, denominator: &IBig, exponent: i32) -> f64 {
    let (numerator_abs, denominator) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    let shift = (WORKING_BITS + denominator.bit_len()).saturating_sub(numerator_abs.bit_len());
    let (quotient, rest) = (numerator_abs << shift).div_rem(&denominator);
    let rounded = round(quotient, !rest.is_zero(), exponent - shift as i32);
    match numerator.sign() {
        IntegerSign::Positive => rounded.nearest,
        IntegerSign::Negative => -rounded.nearest,
    }
}

/// The neighbours of `integer * 2^exponent` among the finite floats and the infinities: the largest not above, the
/// smallest not below.
pub(crate) fn round_dyadic(integer: &IBig, exponent: i32) -> (f64, f64) {
    let rounded = round(integer.unsigned_abs(), false, exponent);
    match integer.sign() {
        IntegerSign::Positive => (rounded.down, rounded.up),
        IntegerSign::Negative => (-rounded.up, -rounded.down),
    }
}

/// `square root of (numerator / denominator) * 2^exponent`; numerator not negative, denominator positive.
pub(crate) fn round_root(numerator: &IBig, denominator: &IBig, exponent: i32) -> Rounded {
    let (numerator, denominator) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    let missing = (2 * WORKING_BITS + denominator.bit_len()).saturating_sub(numerator.bit_len());
    // An even shift of the square is half of it on the root.
    let shift = missing.div_ceil(2);
    let (quotient, rest) = (numerator << (2 * shift)).div_rem(&denominator);
    let (root, root_rest) = quotient.sqrt_rem();
    let inexact = !rest.is_zero() || !root_rest.is_zero();
    round(root, inexact, exponent - shift as i32)
}

/// `magnitude * 2^exponent`, or, when `inexact`, a number strictly between that and one unit more. An inexact magnitude
/// has at least [`WORKING_BITS`] - 1 bits.
fn round(magnitude: UBig, inexact: bool, exponent: i32) -> Rounded {
    let unit = (magnitude.bit_len() as i32 - 53 + exponent).max(LOWEST_UNIT);
    if unit > HIGHEST_UNIT {
        return Rounded {
            down: f64::MAX,
            nearest: f64::MAX,
            up: f64::INFINITY,
        };
    }
    if unit <= exponent {
        let value = in_units(magnitude << (exponent - unit) as usize, unit);
        return Rounded {
            down: value,
            nearest: value,
            up: value,
        };
    }
    let cut = (unit - exponent) as usize;
    let (rest, kept) = magnitude.split_bits(cut);
    let is_odd = kept.bit(0);
    let to_middle = rest.cmp(&(UBig::ONE << (cut - 1)));
    let exact = rest.is_zero() && !inexact;
    let down = in_units(kept.clone(), unit);
    let up = if exact {
        down
    } else {
        in_units(kept + UBig::ONE, unit)
    };
    let nearest = match to_middle {
        Ordering::Less => down,
        Ordering::Equal if !inexact && !is_odd => down,
        Ordering::Equal | Ordering::Greater => up.min(f64::MAX),
    };
    Rounded { down, nearest, up }
}

/// An integer of at most 2^53, in units of `2^unit`: a float, or infinite when one past the largest.
fn in_units(kept: UBig, unit: i32) -> f64 {
    let kept = u64::try_from(kept).expect("cut to 53 bits, or rounded up to 2^53");
    kept as f64 * power_of_two(unit)
}

/// `2^exponent` for an exponent from -1074 to 1023.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    if exponent < -1022 {
        f64::from_bits(1 << (exponent - LOWEST_UNIT))
    } else {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "roundings are compared exactly")]
mod tests {
    use super::*;

    fn root(numerator: i64, denominator: i64, exponent: i32) -> Rounded {
        round_root(&numerator.into(), &denominator.into(), exponent)
    }

    #[test]
    fn even_roots_are_exact() {
        let three = root(9, 1, 0);
        assert_eq!((three.down, three.nearest, three.up), (3.0, 3.0, 3.0));
        let quarter = root(9, 16, -2);
        assert_eq!((quarter.down, quarter.up), (0.1875, 0.1875));
        assert_eq!(root(0, 7, 5).up, 0.0);
    }

    #[test]
    fn uneven_roots_lie_between_neighbours() {
        for n in 2..2000_i64 {
            let r = root(n, 1, 0);
            let hardware = (n as f64).sqrt();
            assert_eq!(
                r.nearest, hardware,
                "the hardware root is correctly rounded"
            );
            if hardware * hardware != n as f64 || hardware.fract() != 0.0 {
                assert_eq!(r.up, r.down.next_up());
                assert!(r.nearest == r.down || r.nearest == r.up);
            }
        }
    }

    #[test]
    fn quotients_agree_with_the_hardware() {
        for n in -300..300_i64 {
            for d in 1..100_i64 {
                let expected = n as f64 / d as f64;
                assert_eq!(round_quotient(&n.into(), &d.into(), 0), expected);
            }
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        let tiny = f64::from_bits(1);
        let below = root(1, 3, -1074);
        assert_eq!((below.down, below.nearest, below.up), (0.0, tiny, tiny));
        let far_below = root(1, 3, -3000);
        assert_eq!(
            (far_below.down, far_below.nearest, far_below.up),
            (0.0, 0.0, tiny)
        );
        let beyond = root(4, 1, 1023);
        assert_eq!(
            (beyond.down, beyond.nearest, beyond.up),
            (f64::MAX, f64::MAX, f64::INFINITY)
        );
        let last = root(((1 << 27) - 1) * ((1 << 27) - 1), 1, 997);
        assert_eq!(last.up, ((1_u64 << 27) - 1) as f64 * power_of_two(997));
        assert_eq!(
            round_quotient(&IBig::from(1), &IBig::from(2), -1074),
            0.0,
            "ties to even"
        );
        assert_eq!(
            round_quotient(&IBig::from(3), &IBig::from(2), -1074),
            2.0 * tiny
        );
    }
}
