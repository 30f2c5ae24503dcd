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
        let cell = |x: f32| (f64::from(x) * per_cell).floor() as i32;
        CellRange {
            first: bounds.min.map(cell),
            last: bounds.max.map(cell),
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
    pub(super) fn iter(self) -> impl Iterator<Item = [i32; 3]> {
        let [x, y, z] = [0, 1, 2].map(|axis| self.first[axis]..=self.last[axis]);
        x.flat_map(move |i| {
            let z = z.clone();
            y.clone()
                .flat_map(move |j| z.clone().map(move |k| [i, j, k]))
        })
    }

    fn contains(&self, cell: [i32; 3]) -> bool {
        (0..3).all(|axis| (self.first[axis]..=self.last[axis]).contains(&cell[axis]))
    }
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
