//! The cells of an infinite grid that a box is in.

use super::Box32;

/// A block of cells: on each axis from the first to the last, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellRange {
    first: [i32; 3],
    last: [i32; 3],
}

impl CellRange {
    /// The cells that a closed box meets, where cells are `1 / per_cell` long.
    ///
    /// Positions are rounded and, far out, end at the range of `i32`. Both are monotone, so boxes that overlap share a cell.
    #[inline]
    pub(super) fn of(bounds: &Box32, per_cell: f64) -> CellRange {
        let cell = |x: f32| floor(f64::from(x) * per_cell);
        let cells = |[x, y, z]: [f32; 3]| [cell(x), cell(y), cell(z)];
        CellRange {
            first: cells(bounds.min),
            last: cells(bounds.max),
        }
    }

    /// How many cells there are.
    pub(super) fn count(&self) -> u128 {
        (0..3).map(|axis| self.width(axis)).product()
    }

    fn width(&self, axis: usize) -> u128 {
        u128::from(self.last[axis].abs_diff(self.first[axis])) + 1
    }

    /// The cells that are not in another block.
    pub(super) fn outside(self, other: CellRange) -> impl Iterator<Item = [i32; 3]> {
        self.iter().filter(move |cell| !other.contains(*cell))
    }

    /// All cells.
    #[inline]
    pub(super) fn iter(self) -> Cells {
        Cells {
            range: self,
            next: Some(self.first),
        }
    }

    /// Whether no cell is in both blocks.
    pub(super) fn is_apart(self, other: CellRange) -> bool {
        (0..3)
            .any(|axis| self.first[axis] > other.last[axis] || other.first[axis] > self.last[axis])
    }

    fn contains(&self, cell: [i32; 3]) -> bool {
        (0..3).all(|axis| (self.first[axis]..=self.last[axis]).contains(&cell[axis]))
    }
}

/// The cells of a block, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    range: CellRange,
    next: Option<[i32; 3]>,
}

impl Iterator for Cells {
    type Item = [i32; 3];

    #[inline]
    fn next(&mut self) -> Option<[i32; 3]> {
        let cell = self.next?;
        // As on an odometer: the last axis turns, and at its end the one before it.
        let mut after = cell;
        self.next = None;
        for axis in [2, 1, 0] {
            if after[axis] < self.range.last[axis] {
                after[axis] += 1;
                self.next = Some(after);
                break;
            }
            after[axis] = self.range.first[axis];
        }
        Some(cell)
    }
}

/// The largest whole number that is not above, as far as `i32` reaches. Faster than the library's, which is a call on old
/// processors.
#[inline]
fn floor(x: f64) -> i32 {
    let toward_zero = x as i32;
    toward_zero.saturating_sub(i32::from(f64::from(toward_zero) > x))
}

/// Whether so many of the bodies leap out of their cells that filling all cells anew is cheaper than having each leave and enter:
/// when half of them move, and most of these leap, judged by a sample. `leaps` knows whether the one with a number does.
pub(super) fn are_leaping(moved: usize, bodies: usize, leaps: impl Fn(usize) -> bool) -> bool {
    const SAMPLE: usize = 64;
    if moved == 0 || 2 * moved < bodies {
        return false;
    }
    let sample = (0..moved).step_by(moved.div_ceil(SAMPLE));
    let leaping = sample.clone().filter(|number| leaps(*number)).count();
    2 * leaping > sample.len()
}

/// The number by which a cell is known: different for nearly all cells of all levels.
#[inline]
pub(super) fn cell_key([i, j, k]: [i32; 3], level: u32) -> u64 {
    let part = |x: u32, factor: u64| u64::from(x).wrapping_mul(factor);
    part(i as u32, 0x9E37_79B9_7F4A_7C15)
        .wrapping_add(part(j as u32, 0xC2B2_AE3D_27D4_EB4F))
        .wrapping_add(part(k as u32, 0x1656_67B1_9E37_79F9))
        .wrapping_add(part(level, 0xD6E8_FEB8_6659_FD93))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_those_of_the_library() {
        for x in [
            -1e300,
            -2147483648.5,
            -3.0,
            -2.5,
            -0.0,
            0.5,
            7.0,
            2147483647.9,
            1e300,
        ] {
            assert_eq!(floor(x), f64::floor(x) as i32, "{x}");
        }
    }

    #[test]
    fn cells_that_are_left_and_entered_make_up_the_difference() {
        let cube = |min: f32, max: f32| Box32 {
            min: [min; 3],
            max: [max; 3],
        };
        let [from, to] = [cube(0.5, 2.5), cube(1.5, 3.0)].map(|b| CellRange::of(&b, 1.0));
        assert_eq!((from.count(), to.count()), (27, 27));
        let mut cells: Vec<[i32; 3]> = from.iter().collect();
        assert!(cells.is_sorted_by(|a, b| a < b) && cells.len() == 27);
        cells.retain(|cell| cell.iter().all(|i| (0..3).contains(i)));
        assert_eq!(cells.len(), 27);
        assert_eq!(from.outside(to).count(), 27 - 8);
        assert!(to.outside(from).all(|cell| cell.contains(&3)));
        assert!(!from.is_apart(to));
        assert!(from.is_apart(CellRange::of(&cube(3.0, 4.0), 1.0)));
    }

    #[test]
    fn many_must_move_and_most_of_them_leap() {
        assert!(are_leaping(100, 100, |number| number % 3 != 0));
        assert!(!are_leaping(100, 100, |number| number % 3 == 0));
        assert!(!are_leaping(49, 100, |_| true));
        assert!(!are_leaping(0, 0, |_| true));
    }
}
