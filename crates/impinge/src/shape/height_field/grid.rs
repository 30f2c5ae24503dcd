//! Heights and holes, and what is where: vertices, cells, triangles, each by number.

use crate::error::Error;
use crate::math::{Aabb, Vec3};
use std::ops::Range;

/// Heights over a grid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid {
    rows: usize,
    columns: usize,
    cell: [f64; 2],
    heights: Vec<f64>,
    /// A bit for each cell that is a hole; empty when there is none.
    holes: Vec<u64>,
}

/// Checks that there is a cell, and that triangles and their edges have numbers.
pub(super) fn require_size([rows, columns]: [usize; 2]) -> Result<(), Error> {
    for (what, count) in [("rows", rows), ("columns", columns)] {
        if count < 2 {
            return Err(Error::OutOfRange {
                what: format!("number of {what} of a height field"),
                value: count as f64,
                expected: "at least 2",
            });
        }
    }
    let vertices = rows.saturating_mul(columns);
    // As for meshes: the last edge is 3 t + 2, and there are less than two triangles a vertex.
    if vertices > (u32::MAX / 6) as usize {
        return Err(Error::TooMany {
            what: "heights",
            count: vertices,
        });
    }
    Ok(())
}

impl Grid {
    pub(super) fn new(
        [rows, columns]: [usize; 2],
        cell: [f64; 2],
        heights: Vec<f64>,
    ) -> Result<Grid, Error> {
        require_size([rows, columns])?;
        for (axis, (size, count)) in ["x", "y"].iter().zip(cell.iter().zip([columns, rows])) {
            if size.is_nan() || *size <= 0.0 {
                return Err(Error::OutOfRange {
                    what: format!("cell size along {axis}"),
                    value: *size,
                    expected: "above 0",
                });
            }
            if !(*size * (count - 1) as f64).is_finite() {
                return Err(Error::NonFinite {
                    what: format!("extent of the height field along {axis}"),
                });
            }
        }
        if heights.len() != rows * columns {
            return Err(Error::WrongCount {
                what: format!("heights of {rows} rows and {columns} columns"),
                count: heights.len(),
                expected: rows * columns,
            });
        }
        if let Some(at) = heights.iter().position(|height| !height.is_finite()) {
            return Err(Error::NonFinite {
                what: format!("height in row {}, column {}", at / columns, at % columns),
            });
        }
        Ok(Grid {
            rows,
            columns,
            cell,
            heights,
            holes: Vec::new(),
        })
    }

    /// Makes a cell a hole.
    pub(super) fn dig(&mut self, [row, column]: [usize; 2]) -> Result<(), Error> {
        let places = [("row", row, self.rows), ("column", column, self.columns)];
        for (what, index, count) in places {
            if index >= count - 1 {
                return Err(Error::IndexOutOfRange {
                    what: format!("{what} of the hole [{row}, {column}]"),
                    index: index as u64,
                    count: count - 1,
                });
            }
        }
        let cells = (self.rows - 1) * (self.columns - 1);
        self.holes.resize(cells.div_ceil(64), 0);
        let cell = row * (self.columns - 1) + column;
        self.holes[cell / 64] |= 1 << (cell % 64);
        Ok(())
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn cell_size(&self) -> [f64; 2] {
        self.cell
    }

    pub(super) fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// How many cells there are in a row, and how many rows of them.
    pub(super) fn cells(&self) -> [usize; 2] {
        [self.columns - 1, self.rows - 1]
    }

    pub(super) fn is_hole(&self, row: usize, column: usize) -> bool {
        let [in_row, rows] = self.cells();
        row >= rows || column >= in_row || self.is_hole_at(row * in_row + column)
    }

    /// Whether a cell, given by its number, is a hole.
    #[inline]
    fn is_hole_at(&self, cell: usize) -> bool {
        let bits = self.holes.get(cell / 64);
        bits.is_some_and(|bits| bits >> (cell % 64) & 1 == 1)
    }

    #[inline]
    pub(super) fn vertex(&self, row: usize, column: usize) -> Vec3 {
        assert!(column < self.columns, "the vertex is in the grid");
        Vec3::new(
            self.line(0, column),
            self.line(1, row),
            self.heights[row * self.columns + column],
        )
    }

    /// Where a column is along x, or a row along y.
    #[inline]
    pub(super) fn line(&self, axis: usize, number: usize) -> f64 {
        number as f64 * self.cell[axis]
    }

    /// No triangle has this number, or a higher one.
    pub(super) fn triangle_end(&self) -> u32 {
        let [in_row, rows] = self.cells();
        2 * (in_row * rows) as u32
    }

    pub(super) fn has(&self, triangle: u32) -> bool {
        triangle < self.triangle_end() && !self.is_hole_at(triangle as usize / 2)
    }

    /// The rows and columns of the corners of a triangle.
    #[inline]
    fn places(&self, triangle: u32) -> [[usize; 2]; 3] {
        let cell = triangle as usize / 2;
        let [in_row, _] = self.cells();
        let (row, column) = (cell / in_row, cell % in_row);
        let (first, across) = ([row, column], [row + 1, column + 1]);
        if triangle.is_multiple_of(2) {
            [first, [row, column + 1], across]
        } else {
            [first, across, [row + 1, column]]
        }
    }

    #[inline]
    pub(super) fn corners(&self, triangle: u32) -> [Vec3; 3] {
        let places = self.places(triangle);
        places.map(|[row, column]| self.vertex(row, column))
    }

    pub(super) fn vertices_of(&self, triangle: u32) -> [u32; 3] {
        let places = self.places(triangle);
        places.map(|[row, column]| (row * self.columns + column) as u32)
    }

    /// The lowest and the highest vertex of the cells between these columns and rows that are not holes; `None` when all
    /// of them are.
    #[inline]
    pub(super) fn range(&self, columns: Range<usize>, rows: Range<usize>) -> Option<[f64; 2]> {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        let mut include = |row: usize, columns: Range<usize>| {
            let start = row * self.columns;
            for height in &self.heights[start + columns.start..=start + columns.end] {
                range = [range[0].min(*height), range[1].max(*height)];
            }
        };
        if self.holes.is_empty() {
            for row in rows.start..=rows.end {
                include(row, columns.clone());
            }
            return Some(range);
        }
        for row in rows {
            for column in columns.clone() {
                if !self.is_hole(row, column) {
                    include(row, column..column + 1);
                    include(row + 1, column..column + 1);
                }
            }
        }
        (range[0] <= range[1]).then_some(range)
    }

    /// A box around all cells that are not holes, as wide as the grid; `None` when all are holes.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        let [in_row, rows] = self.cells();
        let [low, high] = self.range(0..in_row, 0..rows)?;
        let far = Vec3::new(self.line(0, in_row), self.line(1, rows), high);
        Aabb::of_points([Vec3::new(0.0, 0.0, low), far])
    }
}
