//! How far beyond a placed plane a point is, exactly.
//!
//! A half-space at a pose is the set of all `p` with `normal . (p - through) <= offset`, three placed numbers. The *excess*
//! of a point, `normal . (p - through) - offset`, is an integer in a suitable unit, and its distance from the half-space
//! is the excess divided by the length of the normal: the root of a rational number.

use super::big;
use super::counts::count_big;
use super::rounding::{Rounded, round_root};
use super::signs::Sign;
use crate::math::Vec3;
use dashu_int::IBig;

/// The half-space of all `p` with `normal . (p - through) <= offset * 2^offset_shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlacedPlane {
    /// Not zero.
    pub(crate) normal: Vec3,
    pub(crate) through: Vec3,
    pub(crate) offset: f64,
    pub(crate) offset_shift: i32,
}

/// A length `excess / root of normal_squared * 2^exponent`, with its sign.
#[derive(Debug, Clone)]
pub(crate) struct SignedDistance {
    excess: IBig,
    normal_squared: IBig,
    exponent: i32,
}

impl PlacedPlane {
    /// How far beyond the plane a point is; negative inside the half-space.
    pub(crate) fn signed_distance(&self, p: Vec3) -> SignedDistance {
        count_big();
        let ([normal], normal_unit) = big::to_integers([self.normal]);
        let ([p, through], length_unit) = big::to_integers([p, self.through]);
        let (value, unit) = add(
            (normal.dot(&p.sub(&through)), normal_unit + length_unit),
            self.negated_offset(),
        );
        SignedDistance {
            excess: value,
            normal_squared: normal.dot(&normal),
            exponent: unit - normal_unit,
        }
    }

    /// How far apart two half-spaces are whose normals point in exactly opposite directions; `None` for all others, which
    /// always meet. Negative when they overlap.
    pub(crate) fn opposite_distance(&self, other: &PlacedPlane) -> Option<SignedDistance> {
        count_big();
        let ([n, m], normal_unit) = big::to_integers([self.normal, other.normal]);
        if !n.cross(&m).is_zero() || big::sign(&n.dot(&m)) != Sign::Negative {
            return None;
        }
        let ([p, q], length_unit) = big::to_integers([self.through, other.through]);
        // With unit normals u and -u the planes are at u.p + offset/|n| and u.q - other.offset/|m| along u, and
        // |m| = -n.m / |n|. Times |n| and -n.m > 0, the gap is
        // -n.m * (n.(q - p) - offset) - n.n * other.offset.
        let opposed = -n.dot(&m);
        let along = add(
            (n.dot(&q.sub(&p)), normal_unit + length_unit),
            self.negated_offset(),
        );
        let (theirs, their_unit) = other.negated_offset();
        let (gap, unit) = add(
            (along.0 * &opposed, along.1),
            (theirs * n.dot(&n), their_unit),
        );
        Some(SignedDistance {
            excess: gap,
            normal_squared: n.dot(&n) * &opposed * &opposed,
            exponent: unit - normal_unit,
        })
    }

    /// Minus the offset, as an integer and its unit.
    fn negated_offset(&self) -> (IBig, i32) {
        let unit = big::lowest_exponent(self.offset);
        let value = -big::to_integer(self.offset, unit);
        (value, unit + self.offset_shift)
    }
}

/// The sum of two integers in units of powers of two, in the smaller unit.
fn add((a, unit_a): (IBig, i32), (b, unit_b): (IBig, i32)) -> (IBig, i32) {
    let unit = unit_a.min(unit_b);
    let in_unit = |value: IBig, own: i32| value << (own - unit) as usize;
    (in_unit(a, unit_a) + in_unit(b, unit_b), unit)
}

impl SignedDistance {
    /// The sign of the signed distance minus a sum of numbers, none of them negative, the sum not rounded.
    pub(crate) fn compare_to_sum(&self, terms: &[f64]) -> Sign {
        if big::sign(&self.excess) == Sign::Negative {
            return Sign::Negative;
        }
        let unit = terms.iter().copied().map(big::lowest_exponent).min();
        let unit = unit.unwrap_or(self.exponent);
        let sum: IBig = terms.iter().map(|t| big::to_integer(*t, unit)).sum();
        let ours = &self.excess * &self.excess;
        let theirs = &sum * &sum * &self.normal_squared;
        let (difference, _) = add((ours, 2 * self.exponent), (-theirs, 2 * unit));
        big::sign(&difference)
    }

    /// The absolute value, rounded.
    pub(crate) fn length(&self) -> Rounded {
        let square = &self.excess * &self.excess;
        round_root(&square, &self.normal_squared, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(normal: Vec3, through: Vec3, offset: f64) -> PlacedPlane {
        PlacedPlane {
            normal,
            through,
            offset,
            offset_shift: 0,
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "these distances are exact")]
    fn distances_are_exact() {
        let p = plane(Vec3::new(0.0, 3.0, 4.0), Vec3::ONE, 10.0);
        let beyond = p.signed_distance(Vec3::new(7.0, 1.0, 11.0));
        assert_eq!(beyond.length().nearest, 6.0);
        assert_eq!(beyond.compare_to_sum(&[6.0]), Sign::Zero);
        assert_eq!(beyond.compare_to_sum(&[6.0, 1e-300]), Sign::Negative);
        assert_eq!(beyond.compare_to_sum(&[2.0, 3.0]), Sign::Positive);
        let inside = p.signed_distance(Vec3::ZERO);
        assert_eq!(inside.compare_to_sum(&[]), Sign::Negative);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "these distances are exact")]
    fn opposite_half_spaces_have_a_gap() {
        let low = plane(Vec3::new(0.0, 0.0, 3.0), Vec3::new(5.0, 0.0, 1.0), 6.0);
        let high = plane(Vec3::new(0.0, 0.0, -0.5), Vec3::new(0.0, 7.0, 9.0), 1.0);
        // Up to z = 3, and from z = 7 on.
        for (a, b) in [(&low, &high), (&high, &low)] {
            let gap = a.opposite_distance(b).unwrap();
            assert_eq!(gap.length().nearest, 4.0);
            assert_eq!(gap.compare_to_sum(&[]), Sign::Positive);
        }
        let tilted = plane(Vec3::new(0.0, 1e-300, -0.5), Vec3::ZERO, -100.0);
        assert!(low.opposite_distance(&tilted).is_none());
        assert!(low.opposite_distance(&low).is_none());
    }

    #[test]
    fn extreme_numbers_are_decided() {
        let tiny = f64::from_bits(1);
        let p = plane(Vec3::new(tiny, 1.0, 0.0), Vec3::ZERO, 0.0);
        assert_eq!(
            p.signed_distance(Vec3::new(tiny, 0.0, 0.0))
                .compare_to_sum(&[]),
            Sign::Positive
        );
        assert_eq!(
            p.signed_distance(Vec3::new(f64::MAX, -tiny, 0.0))
                .compare_to_sum(&[]),
            Sign::Positive
        );
        assert_eq!(
            p.signed_distance(Vec3::new(1.0, -tiny, f64::MAX))
                .compare_to_sum(&[]),
            Sign::Zero
        );
    }
}
