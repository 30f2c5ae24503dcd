//! A table of extreme vertices by direction, for starts without knowledge.
//!
//! Source: Dworkin and Zeltzer (1993), as suggested in I-COLLIDE (1995), section 5.2. Directions are sorted into the cells
//! of a cube map: the largest coordinate says which of six faces, the other two divided by it which of `n x n` cells. Each
//! cell holds the vertex that is farthest along its middle.
//!
//! **Memory.** `24 n^2` bytes, whatever the polytope: 6 KB for `n = 16`. **Resolution.** A cell is at most `2 / n` radians
//! wide, 7 degrees for `n = 16`; from there the walk has to cover, on a polytope of `V` vertices that are spread evenly, about
//! `sqrt(V) / n` features. **Cost.** Building climbs once a cell from the vertex of the cell before; a look-up is a division.

use crate::error::Error;
use crate::math::Vec3;
use crate::shape::Polytope;

/// For each direction a vertex of a polytope that is far along it.
///
/// ```
/// # use impinge::{Polytope, Vec3, narrow::lin_canny::DirectionTable};
/// let cube = Polytope::cuboid(Vec3::ONE)?;
/// let table = DirectionTable::new(&cube, 16)?;
/// let corner = table.vertex(Vec3::new(1.0, -2.0, 3.0));
/// assert_eq!(cube.vertices()[corner as usize], Vec3::new(1.0, -1.0, 1.0));
/// assert_eq!(table.bytes(), 6144);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectionTable {
    /// Cells along one edge of a face of the cube.
    cells: usize,
    /// Six faces, row by row.
    vertices: Vec<u32>,
}

/// The finest table, of 1.5 MB.
const MOST_CELLS: usize = 256;

impl DirectionTable {
    /// The table of a polytope with `6 * cells * cells` entries; `cells` is from 1 to 256.
    pub fn new(polytope: &Polytope, cells: usize) -> Result<DirectionTable, Error> {
        if !(1..=MOST_CELLS).contains(&cells) {
            return Err(Error::OutOfRange {
                what: "cells of a direction table".to_owned(),
                value: cells as f64,
                expected: "from 1 to 256",
            });
        }
        let mut vertices = Vec::with_capacity(6 * cells * cells);
        let mut vertex = 0;
        for cell in 0..6 * cells * cells {
            // Neighbouring cells have near vertices, so a climb begins where the last one ended.
            vertex = polytope.climb(middle_of(cell, cells), vertex);
            vertices.push(vertex);
        }
        Ok(DirectionTable { cells, vertices })
    }

    /// The vertex for a direction in the frame of the polytope, of any length.
    pub fn vertex(&self, direction: Vec3) -> u32 {
        let size = direction.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let face = 2 * axis + usize::from(direction[axis] < 0.0);
        let [row, column] = [1, 2].map(|k| {
            let share = direction[(axis + k) % 3] / size[axis];
            // The conversion saturates, and turns what is not a number into 0.
            let cell = ((share + 1.0) * 0.5 * self.cells as f64) as usize;
            cell.min(self.cells - 1)
        });
        self.vertices[(face * self.cells + row) * self.cells + column]
    }

    /// The memory of the entries.
    pub fn bytes(&self) -> usize {
        self.vertices.len() * size_of::<u32>()
    }
}

/// The direction in the middle of a cell, not of unit length.
fn middle_of(cell: usize, cells: usize) -> Vec3 {
    let (face, row, column) = (cell / (cells * cells), cell / cells % cells, cell % cells);
    let share = |place: usize| (2 * place + 1) as f64 / cells as f64 - 1.0;
    let axis = face / 2;
    let mut direction = Vec3::ZERO;
    direction[axis] = if face % 2 == 0 { 1.0 } else { -1.0 };
    direction[(axis + 1) % 3] = share(row);
    direction[(axis + 2) % 3] = share(column);
    direction
}
