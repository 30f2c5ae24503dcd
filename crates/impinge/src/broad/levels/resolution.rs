//! Resolutions: grids whose cells grow by a factor of four.
//!
//! A box belongs to the finest resolution whose cells are longer than its longest edge: it then is in at most two cells on
//! each axis. A box without extent counts as long as the spacing of single-precision numbers where it is, so that the
//! cells of any box have numbers below 2^25.

use crate::broad::Box32;

/// Cells are `4^exponent` long, where the number of a resolution is its exponent plus [`SHIFT`].
const SHIFT: i32 = 75;
/// How many resolutions there are: enough for every box of single precision.
pub(super) const COUNT: usize = 142;

/// The number of the resolution that a box belongs to.
pub(super) fn resolution_of(bounds: &Box32) -> u32 {
    // The exponent of the power of two that is above, and half of it, rounded up.
    let above = exponent_of(length_of(bounds)) + 1;
    ((above + 1).div_euclid(2) + SHIFT) as u32
}

/// Whether a box may stay at a resolution: it is in at most two cells on each axis, and is at least a sixteenth as long. The room keeps a turning body from changing to and fro.
pub(super) fn is_fitting(bounds: &Box32, resolution: u32) -> bool {
    let own = resolution_of(bounds);
    own == resolution || own + 1 == resolution
}

/// How many cells there are on a unit of length.
#[inline]
pub(super) fn cells_a_unit(resolution: u32) -> f64 {
    power_of_two(-2 * (resolution as i32 - SHIFT))
}

/// The longest edge, or the spacing of numbers where it is longer.
fn length_of(bounds: &Box32) -> f64 {
    let mut length = f64::from(f32::from_bits(1));
    for axis in 0..3 {
        let (min, max) = (f64::from(bounds.min[axis]), f64::from(bounds.max[axis]));
        let spacing = min.abs().max(max.abs()) * f64::from(f32::EPSILON);
        length = length.max(max - min).max(spacing);
    }
    length
}

/// The exponent of a positive normal number.
fn exponent_of(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1023
}

/// Two to a power within the normal range.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::cells::CellRange;

    #[test]
    fn every_box_is_in_at_most_eight_cells_of_its_resolution() {
        let numbers = [
            f32::MIN,
            -1e20,
            -3.0,
            -1e-40,
            0.0,
            1e-45,
            1e-30,
            0.25,
            1.0,
            1.000_000_1,
            4.0,
            1e10,
            f32::MAX,
        ];
        for (place, min) in numbers.iter().enumerate() {
            for max in &numbers[place..] {
                let bounds = Box32 {
                    min: [*min, *min, 1.0],
                    max: [*max, *max, 1.0],
                };
                let own = resolution_of(&bounds);
                assert!((own as usize) < COUNT);
                assert!(is_fitting(&bounds, own));
                let length = length_of(&bounds);
                let cell = cells_a_unit(own).recip();
                assert!(length < cell && length >= cell / 4.0, "{length} {cell}");
                assert!(CellRange::of(&bounds, cells_a_unit(own)).count() <= 8);
            }
        }
    }

    #[test]
    fn cells_are_longer_than_boxes_and_not_sixteen_times() {
        let cube = |edge: f32| Box32 {
            min: [0.0; 3],
            max: [edge; 3],
        };
        let unit = SHIFT as u32;
        assert_eq!(resolution_of(&cube(0.99)), unit);
        assert_eq!(resolution_of(&cube(1.0)), unit + 1);
        assert_eq!(resolution_of(&cube(3.99)), unit + 1);
        assert_eq!(resolution_of(&cube(4.0)), unit + 2);
        assert!(is_fitting(&cube(0.5), unit + 1) && !is_fitting(&cube(0.5), unit + 2));
        assert!(!is_fitting(&cube(1.5), unit));
    }
}
