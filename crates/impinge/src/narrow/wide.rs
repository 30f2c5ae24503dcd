//! Eight 3-vectors at once, one a lane.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*, u32x8};

/// How many pairs are searched side by side.
pub(super) const LANES: usize = 8;

/// The coordinates of eight vectors in memory, one column a lane.
pub(super) type Columns = [[f32; LANES]; 3];

/// Four numbers for each lane, those of one lane side by side: for what is done lane by lane. One lane of columns would be read at once as well, by
/// compilers for AVX-512, which then has to wait for all of them to arrive in memory.
pub(super) type Rows = [[f32; 4]; LANES];

/// Sets the vector of one lane.
#[inline(always)]
pub(super) fn set(columns: &mut Columns, lane: usize, [x, y, z]: [f32; 3]) {
    columns[0][lane] = x;
    columns[1][lane] = y;
    columns[2][lane] = z;
}

/// Eight by eight numbers, columns as rows in memory.
#[inline(always)]
pub(super) fn rows_of<S: Simd>(columns: [u32x8<S>; LANES]) -> [[u32; 8]; LANES] {
    let mut from = columns;
    // Each round takes turns between the first half and the second, so that the numbers of the columns become those of the lanes.
    for _ in 0..3 {
        let mut to = from;
        for k in 0..4 {
            to[2 * k] = from[k].zip_low(from[k + 4]);
            to[2 * k + 1] = from[k].zip_high(from[k + 4]);
        }
        from = to;
    }
    let mut rows = [[0; 8]; LANES];
    for lane in 0..LANES {
        from[lane].store_slice(&mut rows[lane]);
    }
    rows
}

/// Eight vectors in registers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide<S: Simd> {
    pub(super) x: f32x8<S>,
    pub(super) y: f32x8<S>,
    pub(super) z: f32x8<S>,
}

impl<S: Simd> Wide<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, columns: &Columns) -> Wide<S> {
        Wide {
            x: f32x8::load_array_ref(simd, &columns[0]),
            y: f32x8::load_array_ref(simd, &columns[1]),
            z: f32x8::load_array_ref(simd, &columns[2]),
        }
    }

    #[inline(always)]
    pub(super) fn store(self) -> Columns {
        let mut columns = [[0.0; LANES]; 3];
        self.x.store_slice(&mut columns[0]);
        self.y.store_slice(&mut columns[1]);
        self.z.store_slice(&mut columns[2]);
        columns
    }

    /// The vectors as rows, and behind each another number.
    #[inline(always)]
    pub(super) fn rows(self, last: f32x8<S>) -> Rows {
        let (xz_low, xz_high) = (self.x.zip_low(self.z), self.x.zip_high(self.z));
        let (yw_low, yw_high) = (self.y.zip_low(last), self.y.zip_high(last));
        let mut rows = [[0.0; 4]; LANES];
        xz_low
            .zip_low(yw_low)
            .store_slice(rows[0..2].as_flattened_mut());
        xz_low
            .zip_high(yw_low)
            .store_slice(rows[2..4].as_flattened_mut());
        xz_high
            .zip_low(yw_high)
            .store_slice(rows[4..6].as_flattened_mut());
        xz_high
            .zip_high(yw_high)
            .store_slice(rows[6..8].as_flattened_mut());
        rows
    }

    #[inline(always)]
    pub(super) fn add(self, other: Wide<S>) -> Wide<S> {
        Wide {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }

    #[inline(always)]
    pub(super) fn sub(self, other: Wide<S>) -> Wide<S> {
        Wide {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }

    #[inline(always)]
    pub(super) fn scale(self, factor: f32x8<S>) -> Wide<S> {
        Wide {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Wide<S>) -> f32x8<S> {
        // Not fused, so that every processor finds the same.
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Wide<S>) -> Wide<S> {
        Wide {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// The sum of the absolute coordinates.
    #[inline(always)]
    pub(super) fn size(self) -> f32x8<S> {
        self.x.abs() + self.y.abs() + self.z.abs()
    }

    /// In each lane the first vector where the mask is set, the second elsewhere.
    #[inline(always)]
    pub(super) fn select(mask: mask32x8<S>, yes: Wide<S>, no: Wide<S>) -> Wide<S> {
        Wide {
            x: mask.select(yes.x, no.x),
            y: mask.select(yes.y, no.y),
            z: mask.select(yes.z, no.z),
        }
    }
}

/// Eight 3 x 3 matrices in memory: their first columns, second columns, third columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrices(pub(super) [Columns; 3]);

impl Matrices {
    pub(super) const ZERO: Matrices = Matrices([[[0.0; LANES]; 3]; 3]);

    /// Each matrix times the vector of its lane.
    #[inline(always)]
    pub(super) fn apply<S: Simd>(&self, simd: S, v: Wide<S>) -> Wide<S> {
        let [first, second, third] = &self.0;
        let sum = Wide::load(simd, first).scale(v.x);
        let sum = sum.add(Wide::load(simd, second).scale(v.y));
        sum.add(Wide::load(simd, third).scale(v.z))
    }

    /// Each transposed matrix times the vector of its lane.
    #[inline(always)]
    pub(super) fn apply_transposed<S: Simd>(&self, simd: S, v: Wide<S>) -> Wide<S> {
        let [first, second, third] = &self.0;
        Wide {
            x: Wide::load(simd, first).dot(v),
            y: Wide::load(simd, second).dot(v),
            z: Wide::load(simd, third).dot(v),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::in_lanes;

    #[test]
    fn rows_have_the_numbers_of_one_lane_side_by_side() {
        let number = |column: usize, lane: usize| (100 * column + lane) as f32;
        let column = |k: usize| std::array::from_fn(|lane| number(k, lane));
        let last: [f32; LANES] = column(3);
        let rows = in_lanes!(simd => {
            let vectors = Wide::load(simd, &[column(0), column(1), column(2)]);
            vectors.rows(f32x8::load_array_ref(simd, &last))
        });
        for (lane, row) in rows.into_iter().enumerate() {
            let expected = [0, 1, 2, 3].map(|k| number(k, lane));
            assert_eq!(row.map(f32::to_bits), expected.map(f32::to_bits));
        }
    }

    #[test]
    fn columns_become_rows() {
        let column = |k: u32| std::array::from_fn(|lane| 100 * k + lane as u32);
        let columns: [[u32; LANES]; LANES] = [0, 1, 2, 3, 4, 5, 6, 7].map(column);
        let rows = in_lanes!(simd => {
            rows_of(columns.map(|column| u32x8::load_array_ref(simd, &column)))
        });
        for (lane, row) in (0..).zip(rows) {
            assert_eq!(row, [0, 1, 2, 3, 4, 5, 6, 7].map(|k| 100 * k + lane));
        }
    }
}
