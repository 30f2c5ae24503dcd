//! Which vertices can be the farthest along a direction: a table by directions.
//!
//! The cube around all directions is cut into square cells. Vertices are kept in blocks of eight that are near each other, and
//! each cell knows the blocks that have a vertex which is the farthest, or nearly so, along one of its directions. Of a round
//! polytope of 250 vertices these are fewer than six blocks of 32 on average.
//!
//! **Why nothing is missed.** A cell lies in a cone about its middle `c`, with half angle `a`. Let `t` be some vertex. Along all
//! unit vectors of the cone a vertex `v` is farther than `t` by at most `w . c cos a + |w x c| sin a`, with `w = v - t`: where `w`
//! itself is in the cone it may be more, but then this is positive, too. If it is below minus a margin, `v` is nowhere in the
//! cell within that margin of the farthest. The vertices that are farthest along the middle and the corners of the cell serve
//! as `t`.
//!
//! **Cost.** A search is one look at the table and a scan of the blocks of a cell. Memory is linear, and 8 bytes a cell. Few vertices are
//! faster to scan, and of many there is a tree: there is no table for those.

use super::Polytope;
use crate::ahead;
use crate::math::Vec3;
use arrayvec::ArrayVec;
use fearless_simd::{Simd, f32x8, prelude::*};

/// A table is made for more vertices than the first, and at most as many as the second.
const FEW: usize = 64;
const MANY: usize = 512;
/// How many cells there are along an edge of the cube.
const GRID: usize = 6;
const CELLS: usize = 6 * GRID * GRID;
/// What is within this of the farthest vertex along a direction of unit length is in the blocks of its cell, in the unit of the
/// packed form. [`MOST_MARGIN`], and the errors of products.
const KEPT: f64 = 1e-5;
/// The largest margin to ask for.
pub(crate) const MOST_MARGIN: f32 = 4e-6;
/// The cone about a cell is wider by this than it must be, which pays for the rounding of directions on their way to a cell.
const WIDER: f64 = 1e-5;
/// The most vertices that a search within a margin lists.
const LISTED: usize = 16;

/// The vertices of a polytope of middling size; empty for others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Extremes {
    /// For each cell its blocks, one bit each.
    cells: Vec<u64>,
    blocks: Vec<Points>,
    /// For each place in the blocks the vertex there. The last block is filled up by repeating the last one, which has no
    /// place here.
    order: Vec<u32>,
}

/// Eight vertices about the centre.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
struct Points([[f32; 8]; 3]);

impl Points {
    #[inline(always)]
    fn dot<S: Simd>(&self, simd: S, d: &[f32x8<S>; 3]) -> f32x8<S> {
        let [x, y, z] = &self.0;
        // Not fused, so that every processor finds the same.
        f32x8::load_array_ref(simd, x) * d[0]
            + f32x8::load_array_ref(simd, y) * d[1]
            + f32x8::load_array_ref(simd, z) * d[2]
    }
}

impl Extremes {
    /// The table of a polytope whose centre is known, in units of `scale`.
    pub(super) fn new(polytope: &Polytope, scale: f64) -> Extremes {
        let count = polytope.vertices.len();
        if count <= FEW || count > MANY {
            return Extremes::default();
        }
        let place = |v: &Vec3| ((*v - polytope.centroid) / scale).as_vec3();
        let points: Vec<glam::Vec3> = polytope.vertices.iter().map(place).collect();
        let mut order: Vec<u32> = (0..count as u32).collect();
        gather_neighbours(&mut order, &points);
        let at = |place: usize| points[order[place.min(count - 1)] as usize].as_dvec3();
        let sorted: Vec<Vec3> = (0..count.next_multiple_of(8)).map(at).collect();
        let cells = (0..CELLS).map(|cell| blocks_of(&sorted, &Cone::of_cell(cell)));
        let block = |eight: &[Vec3]| {
            let column = |axis: usize| std::array::from_fn(|k| eight[k][axis] as f32);
            Points([column(0), column(1), column(2)])
        };
        Extremes {
            cells: cells.collect(),
            blocks: sorted.chunks_exact(8).map(block).collect(),
            order,
        }
    }

    /// Whether there is no table.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Asks for the cell of a direction.
    #[inline(always)]
    pub(crate) fn fetch_cell(&self, d: [f32; 3]) {
        ahead::fetch_line(&self.cells, cell_of(d));
    }

    /// Asks for the vertices that a search along a direction looks at. Reads the cell, which may have to be asked for before.
    #[inline(always)]
    pub(crate) fn fetch_blocks(&self, d: [f32; 3]) {
        let mut bits = self.cells.get(cell_of(d)).copied().unwrap_or(0);
        while bits != 0 {
            let block = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            ahead::fetch(&self.blocks, block);
            ahead::fetch_line(&self.order, 8 * block);
        }
    }

    /// The vertex that is farthest along a direction, as far as `f32` can tell, and where it is.
    #[inline(always)]
    pub(crate) fn farthest<S: Simd>(&self, simd: S, d: [f32; 3]) -> (u32, [f32; 3]) {
        let wide = splat(simd, d);
        let mut best = f32x8::splat(simd, f32::NEG_INFINITY);
        let mut numbers = f32x8::splat(simd, 0.0);
        let mut bits = self.cells[cell_of(d)];
        while bits != 0 {
            let number = bits.trailing_zeros();
            bits &= bits - 1;
            let products = self.blocks[number as usize].dot(simd, &wide);
            let is_better = products.simd_gt(best);
            numbers = is_better.select(f32x8::splat(simd, number as f32), numbers);
            best = best.max(products);
        }
        let top = f32x8::splat(simd, best.reduce_max());
        let lane = best.simd_ge(top).to_bitmask().trailing_zeros() as usize % 8;
        let mut held = [0.0; 8];
        numbers.store_slice(&mut held);
        let block = held[lane] as usize;
        let [x, y, z] = &self.blocks[block].0;
        let place = (8 * block + lane).min(self.order.len() - 1);
        (self.order[place], [x[lane], y[lane], z[lane]])
    }

    /// The largest product of a vertex with a direction, as far as `f32` can tell.
    #[inline(always)]
    pub(crate) fn max_along<S: Simd>(&self, simd: S, d: [f32; 3]) -> f32 {
        self.max_of(simd, self.cells[cell_of(d)], &splat(simd, d))
    }

    /// The largest product of a vertex of some blocks with a direction.
    #[inline(always)]
    fn max_of<S: Simd>(&self, simd: S, mut blocks: u64, d: &[f32x8<S>; 3]) -> f32 {
        let mut best = f32x8::splat(simd, f32::NEG_INFINITY);
        while blocks != 0 {
            best = best.max(self.blocks[blocks.trailing_zeros() as usize].dot(simd, d));
            blocks &= blocks - 1;
        }
        best.reduce_max()
    }

    /// The vertices whose products with a direction of about unit length are within a margin of the largest one;
    /// `None` when there are too many, or when the margin is too large.
    #[inline(always)]
    pub(crate) fn near_max<S: Simd>(&self, simd: S, d: [f32; 3], margin: f32) -> Option<Listed> {
        if margin > MOST_MARGIN {
            return None;
        }
        let wide = splat(simd, d);
        let blocks = self.cells[cell_of(d)];
        let floor = f32x8::splat(simd, self.max_of(simd, blocks, &wide) - margin);
        let mut listed = Listed::new();
        let mut bits = blocks;
        while bits != 0 {
            let number = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let products = self.blocks[number].dot(simd, &wide);
            let mut found = products.simd_ge(floor).to_bitmask();
            while found != 0 {
                let place = 8 * number + found.trailing_zeros() as usize;
                found &= found - 1;
                if let Some(vertex) = self.order.get(place) {
                    listed.try_push(*vertex).ok()?;
                }
            }
        }
        Some(listed)
    }
}

/// Some vertices.
pub(crate) type Listed = ArrayVec<u32, LISTED>;

#[inline(always)]
fn splat<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> [f32x8<S>; 3] {
    [
        f32x8::splat(simd, x),
        f32x8::splat(simd, y),
        f32x8::splat(simd, z),
    ]
}

/// The cell of a direction; some cell when it is not a direction.
#[inline(always)]
fn cell_of([x, y, z]: [f32; 3]) -> usize {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    // Which axis is the longest is hard to foresee: it is computed, and nothing branches on it.
    let is_x = (ax >= ay) & (ax >= az);
    let axis = usize::from(!is_x) << usize::from(!is_x & (ay < az));
    let around = [x, y, z, x, y];
    let [along, u, v] = [around[axis], around[axis + 1], around[axis + 2]];
    let side = 2 * axis;
    let half = GRID as f32 / 2.0;
    let per = half / along.abs();
    // Signed numbers of 32 bits take the fewest instructions.
    let place = |w: f32| ((w * per + half) as i32).clamp(0, GRID as i32 - 1) as usize;
    let side = side + usize::from(along < 0.0);
    (side * GRID + place(v)) * GRID + place(u)
}

/// A cone, and directions in it.
struct Cone {
    axis: Vec3,
    cos: f64,
    sin: f64,
    corners: [Vec3; 4],
}

impl Cone {
    /// Around a cell.
    fn of_cell(cell: usize) -> Cone {
        let (column, row, side) = (cell % GRID, cell / GRID % GRID, cell / GRID / GRID);
        let sign = if side % 2 == 0 { 1.0 } else { -1.0 };
        let toward = |u: f64, v: f64| {
            let at = |w: f64| 2.0 * w / GRID as f64 - 1.0;
            let (u, v) = (at(u), at(v));
            let direction = match side / 2 {
                0 => Vec3::new(sign, u, v),
                1 => Vec3::new(v, sign, u),
                _ => Vec3::new(u, v, sign),
            };
            direction.normalize()
        };
        let (u, v) = (column as f64, row as f64);
        let axis = toward(u + 0.5, v + 0.5);
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let corners = corners.map(|[du, dv]| toward(u + du, v + dv));
        // Of a convex region on the sphere a corner is farthest from a point inside.
        let angle = corners
            .iter()
            .map(|c| c.angle_between(axis))
            .fold(0.0, f64::max)
            + WIDER;
        Cone {
            axis,
            cos: angle.cos(),
            sin: angle.sin(),
            corners,
        }
    }

    /// Along all unit vectors of the cone, the product with `w` is at most this, or both are positive.
    fn most_along(&self, w: Vec3) -> f64 {
        w.dot(self.axis) * self.cos + w.cross(self.axis).length() * self.sin
    }
}

/// The blocks of points that have one which is nearly the farthest somewhere in a cone.
fn blocks_of(points: &[Vec3], cone: &Cone) -> u64 {
    let top = |d: Vec3| {
        let farthest = |t: Vec3, p: &Vec3| if d.dot(*p) > d.dot(t) { *p } else { t };
        points.iter().fold(points[0], farthest)
    };
    let [p, q, r, s] = cone.corners;
    let tops = [cone.axis, p, q, r, s].map(top);
    let mut blocks = 0;
    for (place, point) in points.iter().enumerate() {
        if tops.iter().all(|t| cone.most_along(*point - *t) >= -KEPT) {
            blocks |= 1 << (place / 8);
        }
    }
    blocks
}

/// Orders vertices so that each run of eight is close together: halves across the widest axis, and again.
fn gather_neighbours(vertices: &mut [u32], points: &[glam::Vec3]) {
    if vertices.len() <= 8 {
        return;
    }
    let at = |vertex: u32| points[vertex as usize];
    let (mut low, mut high) = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY);
    for vertex in &*vertices {
        (low, high) = (low.min(at(*vertex)), high.max(at(*vertex)));
    }
    let axis = (high - low).max_position();
    let half = vertices.len().div_ceil(8) / 2 * 8;
    vertices.select_nth_unstable_by(half, |p, q| {
        at(*p)[axis].total_cmp(&at(*q)[axis]).then(p.cmp(q))
    });
    let (before, after) = vertices.split_at_mut(half);
    gather_neighbours(before, points);
    gather_neighbours(after, points);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::in_lanes;
    use impinge_scenes::points::on_sphere;

    /// Unit vectors in all directions, among them the corners and edges of cells.
    fn directions() -> Vec<Vec3> {
        let spread = on_sphere(3000, 11).into_iter().map(Vec3::normalize);
        let cells = (0..CELLS).flat_map(|cell| Cone::of_cell(cell).corners);
        let axes = [Vec3::X, -Vec3::Y, Vec3::Z];
        spread.chain(cells).chain(axes).collect()
    }

    #[test]
    fn no_farthest_vertex_is_missed() {
        let stretches = [
            Vec3::ONE,
            Vec3::new(1.0, 0.3, 0.02),
            Vec3::new(0.1, 0.1, 1.0),
        ];
        for (seed, stretch) in stretches.into_iter().enumerate() {
            let points = on_sphere(70 + 190 * seed, seed as u64);
            let points: Vec<Vec3> = points
                .into_iter()
                .map(|p| p * stretch + Vec3::ONE)
                .collect();
            let polytope = Polytope::from_points(&points).unwrap();
            let scale = polytope.packed().unwrap().scale;
            let extremes = Extremes::new(&polytope, scale);
            assert!(!extremes.is_empty());
            for d in directions() {
                let heights: Vec<f64> = (polytope.vertices().iter())
                    .map(|v| d.dot(*v - polytope.centroid()) / scale)
                    .collect();
                let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let narrow = d.as_vec3().to_array();
                let (found, _) = in_lanes!(simd => extremes.farthest(simd, narrow));
                assert!(top - heights[found as usize] <= 1e-6);
                let near = in_lanes!(simd => extremes.near_max(simd, narrow, MOST_MARGIN));
                let near = near.expect("few are near");
                for (vertex, height) in heights.iter().enumerate() {
                    if top - height <= 3e-6 {
                        assert!(near.contains(&(vertex as u32)));
                    }
                }
            }
        }
    }

    #[test]
    fn the_cell_of_a_direction_has_it_inside() {
        for d in directions() {
            let cone = Cone::of_cell(cell_of(d.as_vec3().to_array()));
            assert!(cone.axis.dot(d) >= cone.cos);
            let [p, q, r, s] = cone.corners;
            // The corners are one after the other, then the next row.
            for [from, to] in [[p, q], [q, s], [s, r], [r, p]] {
                let inward = from.cross(to);
                let inward = inward * inward.dot(cone.axis).signum();
                assert!(inward.dot(d) >= -1e-6);
            }
        }
    }

    #[test]
    fn few_blocks_are_opened() {
        let polytope = Polytope::from_points(&on_sphere(252, 1)).unwrap();
        let extremes = Extremes::new(&polytope, polytope.packed().unwrap().scale);
        let opened: u32 = extremes.cells.iter().map(|cell| cell.count_ones()).sum();
        assert!(f64::from(opened) / (CELLS as f64) < 6.0, "{opened}");
    }

    #[test]
    fn few_and_very_many_have_no_table() {
        for count in [20, 64, 600] {
            let polytope = Polytope::from_points(&on_sphere(count, 2)).unwrap();
            assert!(Extremes::new(&polytope, 2.0).is_empty());
        }
    }
}
