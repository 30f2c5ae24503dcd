//! Which vertices can be the farthest along a direction: a table by directions.
//!
//! The cube around all directions is cut into square cells, about as many as there are vertices ([`grid`]). Each cell has the vertices that are the
//! farthest, or nearly so, along one of its directions ([`tops`]): five on average, and seldom more than eight. They are in the
//! cell itself, and not somewhere else under a number: eight points and their names are two lines of memory, and a search for the farthest vertex
//! reads nothing else, has no loop, and no branch that is hard to foresee. A few cells have further blocks, and those of
//! so many vertices that a list of their own would be large share one of all.
//!
//! **Cost.** A search is one look at the table and a scan of eight points. Memory and the time to make it are linear: 128 bytes a cell, of
//! which there are about as many as vertices. Few vertices are faster to scan, and of very many there is only a tree: there is no table for those.

mod grid;
mod tops;

use super::Polytope;
use crate::ahead;
use arrayvec::ArrayVec;
use fearless_simd::{Simd, f32x8, prelude::*};
use grid::Grid;
pub(crate) use grid::cells_of;
use tops::Tops;

/// A table is made for more vertices than the first, and at most as many as the second.
pub(crate) const FEW: usize = 64;
pub(crate) const MANY: usize = 4096;
/// What is within this of the farthest vertex along a direction of unit length is in its cell, in the unit of the
/// packed form. More than [`MOST_MARGIN`], and the errors of products.
const KEPT: f64 = 1e-4;
/// The largest margin to ask for.
pub(crate) const MOST_MARGIN: f32 = 4e-5;
/// The most vertices that a search within a margin lists.
const LISTED: usize = 16;
/// The most blocks of a cell that are its own: one bit for each vertex.
const MOST_BLOCKS: usize = 8;

/// The vertices of a polytope of middling size; empty for others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Extremes {
    /// The first block of each cell, then further ones, then those of all vertices if a cell has too many.
    blocks: Vec<Eight>,
    grid: Grid,
}

/// Eight vertices about the centre, or fewer and the last one again: two lines of memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
struct Eight {
    points: [[f32; 8]; 3],
    names: [u16; 8],
    /// Where the further blocks of the cell begin, and how many there are.
    more: u32,
    count: u16,
    /// One bit for each that is not there again.
    valid: u16,
}

impl Eight {
    /// One to eight vertices.
    fn new(points: &[glam::DVec3], vertices: &[u32]) -> Eight {
        let at = |k: usize| vertices[k.min(vertices.len() - 1)];
        let column = |axis: usize| std::array::from_fn(|k| points[at(k) as usize][axis] as f32);
        Eight {
            points: [column(0), column(1), column(2)],
            names: std::array::from_fn(|k| at(k) as u16),
            more: 0,
            count: 0,
            valid: u16::MAX >> (16 - vertices.len()),
        }
    }

    #[inline(always)]
    fn dot<S: Simd>(&self, simd: S, d: &[f32x8<S>; 3]) -> f32x8<S> {
        let [x, y, z] = &self.points;
        // Not fused, so that every processor finds the same.
        f32x8::load_array_ref(simd, x) * d[0]
            + f32x8::load_array_ref(simd, y) * d[1]
            + f32x8::load_array_ref(simd, z) * d[2]
    }

    /// The largest product of a vertex with each of eight directions.
    #[inline(always)]
    fn reach_of_eight<S: Simd>(&self, simd: S, d: &[f32x8<S>; 3]) -> f32x8<S> {
        let [x, y, z] = &self.points;
        let mut reach = f32x8::splat(simd, f32::NEG_INFINITY);
        for k in 0..8 {
            let product = f32x8::splat(simd, x[k]) * d[0]
                + f32x8::splat(simd, y[k]) * d[1]
                + f32x8::splat(simd, z[k]) * d[2];
            reach = reach.max(product);
        }
        reach
    }

    /// A vertex and its point, by its place in the block.
    #[inline(always)]
    fn at(&self, place: usize) -> (u32, [f32; 3]) {
        let [x, y, z] = &self.points;
        let k = place % 8;
        (u32::from(self.names[k]), [x[k], y[k], z[k]])
    }
}

/// What a scan of a cell sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    /// The farthest vertex as far as `f32` can tell, and its point.
    pub(crate) vertex: u32,
    pub(crate) point: [f32; 3],
    /// One bit for each vertex of the cell that is within the margin, for [`Extremes::for_each_of`].
    pub(crate) near: u64,
}

/// Stands for all vertices of a cell that are within a margin, where there is no bit for each.
const CROWDED: u64 = u64::MAX;

impl Extremes {
    /// The table of a polytope whose centre is known, in units of `scale`.
    pub(super) fn new(polytope: &Polytope, scale: f64) -> Extremes {
        let count = polytope.vertices.len();
        if count <= FEW || count > MANY {
            return Extremes::default();
        }
        let grid = Grid::of(count);
        let mut tops = Tops::new(polytope, scale);
        let lists: Vec<Vec<u32>> = (0..grid.len())
            .map(|cell| tops.of(&grid.square(cell)))
            .collect();
        let block = |eight: &[u32]| Eight::new(&tops.points, eight);
        let mut blocks: Vec<Eight> = lists
            .iter()
            .map(|list| block(&list[..list.len().min(8)]))
            .collect();
        let mut crowded = Vec::new();
        for (cell, list) in lists.iter().enumerate() {
            if list.len() > 8 * MOST_BLOCKS {
                crowded.push(cell);
            } else if list.len() > 8 {
                blocks[cell].more = blocks.len() as u32;
                blocks[cell].count = list[8..].chunks(8).len() as u16;
                blocks.extend(list[8..].chunks(8).map(block));
            }
        }
        let all: Vec<u32> = (0..count as u32).collect();
        for cell in &crowded {
            blocks[*cell].more = blocks.len() as u32;
            blocks[*cell].count = all.chunks(8).len() as u16;
        }
        if !crowded.is_empty() {
            blocks.extend(all.chunks(8).map(block));
        }
        Extremes { blocks, grid }
    }

    /// Whether there is no table.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// How many cells there are along an edge of the cube.
    #[inline(always)]
    pub(crate) fn edge(&self) -> f32 {
        self.grid.edge as f32
    }

    /// The cell of a direction.
    #[inline(always)]
    pub(crate) fn cell_of(&self, d: [f32; 3]) -> usize {
        self.grid.cell_of(d)
    }

    /// Asks for a cell.
    #[inline(always)]
    pub(crate) fn fetch(&self, cell: usize) {
        if let Some(block) = self.blocks.get(cell) {
            ahead::fetch_start(&block.points[0]);
            ahead::fetch_start(&block.points[2]);
        }
    }

    /// Asks for the further blocks of a cell. Reads the cell, which may have to be asked for before.
    #[inline(always)]
    pub(crate) fn fetch_further(&self, cell: usize) {
        let Some(first) = self.blocks.get(cell) else {
            return;
        };
        for further in 0..usize::from(first.count).min(MOST_BLOCKS) {
            self.fetch(first.more as usize + further);
        }
    }

    /// The further blocks of a cell.
    #[inline(always)]
    fn further(&self, first: &Eight) -> &[Eight] {
        &self.blocks[first.more as usize..][..usize::from(first.count)]
    }

    /// The vertex that is farthest along a direction, as far as `f32` can tell, and where it is.
    #[inline(always)]
    pub(crate) fn farthest<S: Simd>(&self, simd: S, d: [f32; 3]) -> (u32, [f32; 3]) {
        let seen = self.look(simd, self.grid.cell_of(d), d, 0.0);
        (seen.vertex, seen.point)
    }

    /// What there is to see in a cell along one of its directions: the farthest vertex, and which are within a margin of it, at most
    /// [`MOST_MARGIN`] times the length of the direction. Some vertex for a number that is not that of a cell.
    #[inline(always)]
    pub(crate) fn look<S: Simd>(&self, simd: S, cell: usize, d: [f32; 3], margin: f32) -> Seen {
        let first = &self.blocks[cell.min(self.blocks.len() - 1)];
        let wide = splat(simd, d);
        let products = first.dot(simd, &wide);
        let top = products.reduce_max();
        if first.count != 0 {
            return self.look_further(simd, first, &wide, (products, top), margin);
        }
        let place = products.simd_ge(f32x8::splat(simd, top)).to_bitmask();
        let near = products
            .simd_ge(f32x8::splat(simd, top - margin))
            .to_bitmask();
        let (vertex, point) = first.at(place.trailing_zeros() as usize);
        Seen {
            vertex,
            point,
            near: near & u64::from(first.valid),
        }
    }

    /// The same for a cell of several blocks, given the products of the first and the largest of them.
    #[inline(always)]
    fn look_further<S: Simd>(
        &self,
        simd: S,
        first: &Eight,
        d: &[f32x8<S>; 3],
        (products, top): (f32x8<S>, f32),
        margin: f32,
    ) -> Seen {
        let further = self.further(first);
        let mut best = (top, products, first);
        for block in further {
            let products = block.dot(simd, d);
            let top = products.reduce_max();
            if top > best.0 {
                best = (top, products, block);
            }
        }
        let (top, of_best, block) = best;
        let place = of_best.simd_ge(f32x8::splat(simd, top)).to_bitmask();
        let (vertex, point) = block.at(place.trailing_zeros() as usize);
        let mut near = CROWDED;
        if further.len() < MOST_BLOCKS {
            let floor = f32x8::splat(simd, top - margin);
            near = products.simd_ge(floor).to_bitmask() & u64::from(first.valid);
            for (k, block) in further.iter().enumerate() {
                let above = block.dot(simd, d).simd_ge(floor).to_bitmask();
                near |= (above & u64::from(block.valid)) << (8 * k + 8);
            }
        }
        Seen {
            vertex,
            point,
            near,
        }
    }

    /// Calls `visit` with each vertex that a [look](Extremes::look) saw to be within the margin, given the same again; with some
    /// more than once.
    #[inline(always)]
    pub(crate) fn for_each_of<S: Simd>(
        &self,
        simd: S,
        (cell, mut near): (usize, u64),
        d: [f32; 3],
        margin: f32,
        mut visit: impl FnMut(u32),
    ) {
        let first = &self.blocks[cell.min(self.blocks.len() - 1)];
        if near == CROWDED {
            // Of several blocks that are full, or of a list of all.
            let wide = splat(simd, d);
            let further = self.further(first);
            let mut best = first.dot(simd, &wide);
            for block in further {
                best = best.max(block.dot(simd, &wide));
            }
            let floor = f32x8::splat(simd, best.reduce_max() - margin);
            for block in further.iter().chain([first]) {
                let mut found = block.dot(simd, &wide).simd_ge(floor).to_bitmask();
                while found != 0 {
                    visit(block.at(found.trailing_zeros() as usize).0);
                    found &= found - 1;
                }
            }
            return;
        }
        while near != 0 {
            let place = near.trailing_zeros() as usize;
            near &= near - 1;
            let block = if place < 8 {
                first
            } else {
                &self.blocks[first.more as usize + place / 8 - 1]
            };
            visit(block.at(place).0);
        }
    }

    /// The largest product of a vertex with a direction, as far as `f32` can tell.
    #[inline(always)]
    pub(crate) fn max_along<S: Simd>(&self, simd: S, d: [f32; 3]) -> f32 {
        let first = &self.blocks[self.grid.cell_of(d)];
        let wide = splat(simd, d);
        let mut best = first.dot(simd, &wide);
        let further = self.further(first);
        for block in further {
            best = best.max(block.dot(simd, &wide));
        }
        best.reduce_max()
    }

    /// The largest product of a vertex of a cell with each of eight directions, as far as `f32` can tell: of all vertices where a direction is in the
    /// cell.
    #[inline(always)]
    pub(crate) fn reach_of_eight<S: Simd>(
        &self,
        simd: S,
        cell: usize,
        d: &[f32x8<S>; 3],
    ) -> f32x8<S> {
        let first = &self.blocks[cell.min(self.blocks.len() - 1)];
        let mut reach = first.reach_of_eight(simd, d);
        for block in self.further(first) {
            reach = reach.max(block.reach_of_eight(simd, d));
        }
        reach
    }

    /// The vertices whose products with a direction of about unit length are within a margin of the largest one;
    /// `None` when there are too many, or when the margin is too large.
    #[inline(always)]
    pub(crate) fn near_max<S: Simd>(&self, simd: S, d: [f32; 3], margin: f32) -> Option<Listed> {
        if margin > MOST_MARGIN {
            return None;
        }
        let cell = self.grid.cell_of(d);
        let seen = self.look(simd, cell, d, margin);
        let mut listed = Listed::new();
        let mut is_full = false;
        self.for_each_of(
            simd,
            (cell, seen.near),
            d,
            margin,
            #[inline(always)]
            |vertex| is_full |= listed.try_push(vertex).is_err(),
        );
        (!is_full).then_some(listed)
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

#[cfg(test)]
mod tests {
    use super::grid::tests::directions;
    use super::*;
    use crate::lanes::in_lanes;
    use crate::math::Vec3;
    use impinge_scenes::points::on_sphere;

    /// Round, flat and needle-like ones, and a prism of which nearly all vertices are in one cell.
    fn polytopes() -> Vec<Polytope> {
        let stretches = [
            Vec3::ONE,
            Vec3::new(1.0, 0.3, 0.02),
            Vec3::new(0.1, 0.1, 1.0),
            Vec3::new(1.0, 1.0, 1e-4),
            Vec3::new(1e-3, 1e-3, 1.0),
        ];
        let spheres = stretches.into_iter().enumerate().map(|(seed, stretch)| {
            let points = on_sphere(70 + 110 * seed, seed as u64);
            let placed = points.into_iter().map(|p| p * stretch + Vec3::ONE);
            Polytope::from_points(&placed.collect::<Vec<_>>()).unwrap()
        });
        let ring = (0..200).flat_map(|k| {
            let (sin, cos) = (0.0314 * f64::from(k)).sin_cos();
            [Vec3::new(cos, sin, 0.0), Vec3::new(cos, sin, 0.1)]
        });
        let prism = Polytope::from_points(&ring.collect::<Vec<_>>()).unwrap();
        // Far from its origin for its size, so that products have little left to compare by.
        let away = on_sphere(1500, 9).into_iter().map(|p| p + Vec3::splat(1e6));
        let away = Polytope::from_points(&away.collect::<Vec<_>>()).unwrap();
        spheres.chain([prism, away]).collect()
    }

    #[test]
    fn no_farthest_vertex_is_missed() {
        for polytope in polytopes() {
            let scale = polytope.packed().unwrap().scale;
            let extremes = Extremes::new(&polytope, scale);
            assert!(!extremes.is_empty());
            for d in directions(extremes.grid) {
                let d = d.normalize();
                let heights: Vec<f64> = (polytope.vertices().iter())
                    .map(|v| d.dot(*v - polytope.centroid()) / scale)
                    .collect();
                let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let narrow = d.as_vec3().to_array();
                let (found, point) = in_lanes!(simd => extremes.farthest(simd, narrow));
                assert!(top - heights[found as usize] <= 1e-6);
                let height = f64::from(glam::Vec3::from(point).dot(narrow.into()));
                assert!((top - height).abs() <= 1e-6);
                let most = in_lanes!(simd => extremes.max_along(simd, narrow));
                assert!((top - f64::from(most)).abs() <= 1e-6);

                let cell = extremes.grid.cell_of(narrow);
                let reach = in_lanes!(simd => {
                    extremes.reach_of_eight(simd, cell, &splat(simd, narrow)).to_array()
                });
                assert_eq!(reach.map(f32::to_bits), [most.to_bits(); 8]);
                let mut near = Vec::new();
                in_lanes!(simd => {
                    let seen = extremes.look(simd, cell, narrow, MOST_MARGIN);
                    let which = (cell, seen.near);
                    extremes.for_each_of(simd, which, narrow, MOST_MARGIN, |v| near.push(v));
                });
                for (vertex, height) in (0..).zip(&heights) {
                    let is_near = near.contains(&vertex);
                    assert!(is_near || top - height > 3.8e-5, "{}", top - height);
                    assert!(!is_near || top - height < 4.2e-5, "{}", top - height);
                }
                let listed = in_lanes!(simd => extremes.near_max(simd, narrow, MOST_MARGIN));
                if let Some(listed) = listed {
                    near.sort_unstable();
                    near.dedup();
                    let mut listed = listed.to_vec();
                    listed.sort_unstable();
                    listed.dedup();
                    assert_eq!(listed, near);
                } else {
                    assert!(near.len() > LISTED);
                }
            }
        }
    }

    #[test]
    fn nearly_all_cells_have_one_block() {
        let polytope = Polytope::from_points(&on_sphere(252, 1)).unwrap();
        let extremes = Extremes::new(&polytope, polytope.packed().unwrap().scale);
        let cells = &extremes.blocks[..extremes.grid.len()];
        let vertices: u32 = cells.iter().map(|cell| cell.valid.count_ones()).sum();
        let further = cells.iter().filter(|cell| cell.count > 0).count();
        assert!(vertices < 6 * cells.len() as u32, "{vertices}");
        assert!(10 * further < cells.len(), "{further} of {}", cells.len());
    }

    #[test]
    fn few_and_very_many_have_no_table() {
        for count in [20, 64, 4200] {
            let polytope = Polytope::from_points(&on_sphere(count, 2)).unwrap();
            assert!(Extremes::new(&polytope, 2.0).is_empty());
        }
    }
}
