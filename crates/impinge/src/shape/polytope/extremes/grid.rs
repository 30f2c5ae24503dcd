//! Square cells on the cube around all directions.
//!
//! A direction leaves the cube through one of its six sides, at two coordinates between -1 and 1; there are as many cells along
//! each. The cell is computed without a branch: which side it is, is hard to foresee.

use crate::math::Vec3;
use fearless_simd::{Simd, f32x8, prelude::*, u32x8};

/// How much larger than it must be a cell is taken to be, in coordinates of its side: this pays for the rounding of directions on
/// their way to a cell, which are three roundings of `f32`.
pub(super) const WIDER: f64 = 1e-5;

/// Cells of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Grid {
    /// How many cells there are along an edge of the cube.
    pub(super) edge: u32,
}

/// The part of a side of the cube that a cell is, and a little more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Square {
    side: u32,
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
}

impl Square {
    /// The products of a vector with directions to points of the side: a constant, and what to add for each of the coordinates.
    pub(super) fn linear(&self, vector: Vec3) -> [f64; 3] {
        let [constant, of_u, of_v] =
            [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|point| self.toward(point).dot(vector));
        [constant, of_u - constant, of_v - constant]
    }

    /// The direction to a point of the side.
    pub(super) fn toward(&self, [u, v]: [f64; 2]) -> Vec3 {
        let sign = if self.side.is_multiple_of(2) {
            1.0
        } else {
            -1.0
        };
        match self.side / 2 {
            0 => Vec3::new(sign, u, v),
            1 => Vec3::new(v, sign, u),
            _ => Vec3::new(u, v, sign),
        }
    }

    /// The direction to its middle.
    pub(super) fn middle(&self) -> Vec3 {
        let [low, high] = [self.low, self.high];
        self.toward([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])])
    }
}

impl Grid {
    /// About as many cells as there are vertices, which have regions of about their size then.
    pub(super) fn of(vertex_count: usize) -> Grid {
        Grid {
            edge: (vertex_count as f64 / 6.0).sqrt().round() as u32,
        }
    }

    /// How many cells there are.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        6 * (self.edge * self.edge) as usize
    }

    /// Where a cell is.
    pub(super) fn square(self, cell: usize) -> Square {
        let edge = self.edge as usize;
        let places = [cell % edge, cell / edge % edge];
        let at = |place: usize| 2.0 * place as f64 / edge as f64 - 1.0;
        Square {
            side: (cell / edge / edge) as u32,
            low: places.map(|place| at(place) - WIDER),
            high: places.map(|place| at(place + 1) + WIDER),
        }
    }

    /// The cell of a direction; some cell when it is not a direction.
    #[inline(always)]
    pub(super) fn cell_of(self, [x, y, z]: [f32; 3]) -> usize {
        let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
        let is_x = (ax >= ay) & (ax >= az);
        let axis = usize::from(!is_x) << usize::from(!is_x & (ay < az));
        let around = [x, y, z, x, y];
        let [along, u, v] = [around[axis], around[axis + 1], around[axis + 2]];
        let half = 0.5 * self.edge as f32;
        let per = half / along.abs();
        // Signed numbers of 32 bits take the fewest instructions.
        let edge = self.edge as i32;
        let place = |w: f32| ((w * per + half) as i32).clamp(0, edge - 1);
        let side = 2 * axis as i32 + i32::from(along < 0.0);
        ((side * edge + place(v)) * edge + place(u)) as usize
    }
}

/// The cells of eight directions, each in a grid of its own with so many cells along an edge, as [`Grid::cell_of`] finds them; any
/// number where a direction is not one.
#[inline(always)]
pub(crate) fn cells_of<S: Simd>(simd: S, edges: f32x8<S>, [x, y, z]: [f32x8<S>; 3]) -> u32x8<S> {
    let number = |n: f32| f32x8::splat(simd, n);
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let is_x = ax.simd_ge(ay) & ax.simd_ge(az);
    let is_y = ay.simd_ge(az);
    let pick =
        |of_x: f32x8<S>, of_y: f32x8<S>, of_z: f32x8<S>| is_x.select(of_x, is_y.select(of_y, of_z));
    let (along, u, v) = (pick(x, y, z), pick(y, z, x), pick(z, x, y));
    let zero = number(0.0);
    let side = pick(zero, number(2.0), number(4.0)) + along.simd_lt(zero).select(number(1.0), zero);
    let half = edges * number(0.5);
    let per = half / along.abs();
    let last = edges - number(1.0);
    // Numbers of cells are exact in single precision.
    let row = (v * per + half).max(zero).min(last).trunc();
    let column = (u * per + half).max(zero).min(last).trunc();
    ((side * edges + row) * edges + column).to_int()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::lanes::in_lanes;
    use impinge_scenes::points::on_sphere;

    /// Directions all around, among them the corners and the middles of cells and the axes.
    pub(in super::super) fn directions(grid: Grid) -> Vec<Vec3> {
        let spread = on_sphere(3000, 11).into_iter().map(Vec3::normalize);
        let cells = (0..grid.len()).flat_map(|cell| {
            let square = grid.square(cell);
            let corner = [square.low[0] + WIDER, square.high[1] - WIDER];
            [square.toward(corner).normalize(), square.middle()]
        });
        let axes = [Vec3::X, -Vec3::Y, Vec3::Z];
        spread.chain(cells).chain(axes).collect()
    }

    #[test]
    fn the_cell_of_a_direction_has_it_inside() {
        for edge in [3, 6, 9] {
            let grid = Grid { edge };
            for d in directions(grid) {
                let cell = grid.cell_of(d.as_vec3().to_array());
                let square = grid.square(cell);
                let normal = square.toward([0.0; 2]);
                assert!(normal.dot(d) > 0.5);
                let d = d / normal.dot(d);
                let u = d.dot(square.toward([1.0, 0.0]) - normal);
                let v = d.dot(square.toward([0.0, 1.0]) - normal);
                assert!(square.low[0] < u && u < square.high[0]);
                assert!(square.low[1] < v && v < square.high[1]);
            }
        }
    }

    #[test]
    fn eight_directions_have_the_cells_of_each() {
        for edge in [3, 6, 9] {
            let grid = Grid { edge };
            for eight in directions(grid).chunks_exact(8) {
                let column =
                    |axis: usize| -> [f32; 8] { std::array::from_fn(|k| eight[k][axis] as f32) };
                let columns = [column(0), column(1), column(2)];
                let mut found = [0; 8];
                in_lanes!(simd => {
                    let [x, y, z] = &columns;
                    let load = |numbers: &[f32; 8]| f32x8::load_array_ref(simd, numbers);
                    let edges = f32x8::splat(simd, edge as f32);
                    cells_of(simd, edges, [load(x), load(y), load(z)]).store_slice(&mut found);
                });
                for (k, cell) in found.into_iter().enumerate() {
                    let narrow = columns.map(|column| column[k]);
                    assert_eq!(cell as usize, grid.cell_of(narrow));
                }
            }
        }
    }
}
