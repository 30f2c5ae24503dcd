//! Directions of unit length, of vectors of any length.
//!
//! The square of a short vector may be below the smallest normal number, where it has lost digits or all of them. The vector
//! divided by its length is then not of unit length within a few roundings, and what a proof concludes from it is wrong: at a
//! size of 1e-53 the product of three lengths has such a square.

use super::Vec3;

/// The least and the largest square of a length that is known within a few roundings, with room for products of it.
pub(crate) const LEAST_SQUARE: f64 = f64::from_bits((1023 - 960) << 52);
pub(crate) const MOST_SQUARE: f64 = f64::from_bits((1023 + 960) << 52);

/// The vector divided by its length, within a few roundings; `None` when it is zero, or next to it, or not finite.
pub(crate) fn unit(v: Vec3) -> Option<Vec3> {
    let most = v.abs().max_element();
    if !(f64::MIN_POSITIVE..=f64::MAX).contains(&most) {
        return None;
    }
    // The power of two below it: dividing by it rounds nothing that matters.
    let power = f64::from_bits(most.to_bits() & (0x7ff << 52));
    Some((v / power).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_of_unit_length_at_any_size() {
        let v = Vec3::new(0.6, -0.64, 0.48);
        let expected = unit(v).unwrap();
        assert!((expected.length() - 1.0).abs() < 4.0 * f64::EPSILON);
        for exponent in -1020..=1023 {
            let size = 2f64.powi(exponent);
            let found = unit(v * size).unwrap();
            assert!((found - expected).length() < 1e-15, "2^{exponent}");
        }
        // What goes wrong otherwise.
        let short = v * 1e-159;
        assert!((short.try_normalize().unwrap().length() - 1.0).abs() > 1e-12);
    }

    #[test]
    fn what_has_no_direction_has_no_unit() {
        for v in [
            Vec3::ZERO,
            Vec3::splat(f64::from_bits(1)),
            Vec3::new(f64::INFINITY, 0.0, 0.0),
            Vec3::splat(f64::NAN),
        ] {
            assert_eq!(unit(v), None, "{v}");
        }
    }
}
