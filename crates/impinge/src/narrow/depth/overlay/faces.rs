//! The faces that are left of a polytope of many, eight side by side, and how deep the other polytope is behind them.
//!
//! Where the other has a table of directions, the vertex that is deepest behind a face is in the cell of the opposite of its normal.
//! Faces that are left are near each other and have few cells between them: each cell is looked at once, for eight faces. That
//! the vertices of other cells are held against a face as well does no harm, none is deeper than the deepest. Cells are found
//! and asked for one step before they are looked at.
//!
//! Where there is no table, vertices are searched for, and each that is found is held against all eight faces: those that are above the
//! level by then need no search.

use super::super::super::centers::Centers;
use super::super::super::side::Side;
use super::super::super::wide::{Columns, Wide};
use super::cull::MOST_FACES;
use super::face::sides;
use super::frame::{Frame, farthest, splat};
use super::probes::Known;
use super::{Candidates, Kind};
use crate::shape::cells_of;
use fearless_simd::{Simd, f32x8, prelude::*, u32x8};
use glam::Vec3A;

/// How many faces are side by side.
const EIGHT: usize = 8;

/// Faces that are left, in the frame and unit of their polytope.
#[derive(Debug, Default)]
pub(super) struct LeftFaces {
    blocks: [Eight; MOST_FACES / EIGHT],
    len: usize,
}

/// Eight faces, or fewer and some that are out of reach.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
struct Eight {
    normals: Columns,
    /// How far they are beyond the centre of the other.
    beyond: [f32; EIGHT],
    /// The opposites of the normals as the other sees them, and their cells if it has a table of directions.
    inward: Columns,
    cells: [u32; EIGHT],
    /// Where they are in the order of the Gauss map.
    places: [u32; EIGHT],
}

impl LeftFaces {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the face at a place that is so far beyond the centre of the other; `None` when there is no room.
    #[inline(always)]
    pub(super) fn push(&mut self, place: u32, [x, y, z]: [f32; 3], beyond: f32) -> Option<()> {
        let eight = self.blocks.get_mut(self.len / EIGHT)?;
        let lane = self.len % EIGHT;
        eight.normals[0][lane] = x;
        eight.normals[1][lane] = y;
        eight.normals[2][lane] = z;
        eight.beyond[lane] = beyond;
        eight.places[lane] = place;
        self.len += 1;
        Some(())
    }

    /// Where the faces are.
    #[cfg(test)]
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        let places = self.blocks.iter().flat_map(|eight| eight.places);
        places.take(self.len)
    }

    /// Turns the normals of the faces of a side to the other polytope, and asks for what [`LeftFaces::probe`] looks at.
    #[inline(always)]
    pub(super) fn look_ahead<S: Simd>(
        &mut self,
        simd: S,
        frame: &Frame,
        side: usize,
        other: &Side<'_>,
    ) {
        let extremes = &other.polytope.gauss().extremes;
        let edges = f32x8::splat(simd, extremes.edge());
        let mut first = 0;
        while first < self.len {
            let eight = &mut self.blocks[first / EIGHT];
            let count = (self.len - first).min(EIGHT);
            for lane in count..EIGHT {
                eight.beyond[lane] = f32::INFINITY;
            }
            let normals = Wide::load(simd, &eight.normals);
            let inward = frame.eight_inward(simd, side, normals);
            inward.x.store_array(&mut eight.inward[0]);
            inward.y.store_array(&mut eight.inward[1]);
            inward.z.store_array(&mut eight.inward[2]);
            if !extremes.is_empty() {
                let cells = cells_of(simd, edges, [inward.x, inward.y, inward.z]);
                cells.store_array(&mut eight.cells);
                for cell in &eight.cells[..count] {
                    extremes.fetch(*cell as usize);
                }
            }
            first += EIGHT;
        }
    }

    /// Probes the faces of a side, whose names by place are given. Candidates are those that are not above the level then; `None` when they are too many.
    #[inline(always)]
    pub(super) fn probe<S: Simd>(
        &self,
        pair: &Centers<'_, S>,
        frame: &Frame,
        side: usize,
        names: &[u32],
        known: &mut Known,
        candidates: &mut Candidates,
    ) -> Option<()> {
        let simd = pair.simd;
        let (_, other) = sides(pair, side);
        let has_table = !other.polytope.gauss().extremes.is_empty();
        let shares = [frame.shares[side], frame.shares[1 - side]];
        let mut first = 0;
        while first < self.len {
            let eight = &self.blocks[first / EIGHT];
            let count = (self.len - first).min(EIGHT);
            let mut vertices = [0; EIGHT];
            let depths = if has_table {
                let beyond = f32x8::load_array_ref(simd, &eight.beyond);
                let reach = eight.reach_by_cells(simd, other, count);
                beyond * f32x8::splat(simd, shares[0]) + reach * f32x8::splat(simd, shares[1])
            } else {
                let level = known.depth + 2.0 * frame.tolerance;
                eight.depths_by_search(simd, other, shares, level, &mut vertices)
            };
            known.depth = known.depth.min(depths.reduce_min());
            let level = known.depth + 2.0 * frame.tolerance;
            let mut low = depths.simd_le(f32x8::splat(simd, level)).to_bitmask();
            let depths = depths.to_array();
            while low != 0 {
                let lane = low.trailing_zeros() as usize % EIGHT;
                low &= low - 1;
                if has_table {
                    vertices[lane] = eight.vertex_by_cell(simd, other, lane);
                }
                let kind = Kind::Face {
                    side: side as u8,
                    face: names[eight.places[lane] as usize],
                    vertex: vertices[lane],
                };
                candidates.push_if(depths[lane] - frame.tolerance, kind, true)?;
            }
            first += EIGHT;
        }
        Some(())
    }
}

impl Eight {
    /// How far the other reaches against the normals of the first faces, in the unit of its packed form; at most that for the others.
    #[inline(always)]
    fn reach_by_cells<S: Simd>(&self, simd: S, other: &Side<'_>, count: usize) -> f32x8<S> {
        let extremes = &other.polytope.gauss().extremes;
        let [x, y, z] = &self.inward;
        let inward = [
            f32x8::load_array_ref(simd, x),
            f32x8::load_array_ref(simd, y),
            f32x8::load_array_ref(simd, z),
        ];
        let cells = u32x8::load_array_ref(simd, &self.cells);
        let mut reach = f32x8::splat(simd, f32::NEG_INFINITY);
        let mut open = 0xff_u64 >> (EIGHT - count);
        while open != 0 {
            let cell = self.cells[open.trailing_zeros() as usize % EIGHT];
            open &= !cells.simd_eq(u32x8::splat(simd, cell)).to_bitmask();
            reach = reach.max(extremes.reach_of_eight(simd, cell as usize, &inward));
        }
        reach
    }

    /// The vertex of the other that is deepest behind a face, as far as `f32` can tell.
    #[inline(always)]
    fn vertex_by_cell<S: Simd>(&self, simd: S, other: &Side<'_>, lane: usize) -> u32 {
        let extremes = &other.polytope.gauss().extremes;
        let cell = self.cells[lane] as usize;
        extremes.look(simd, cell, self.inward(lane), 0.0).vertex
    }

    /// How deep the other is behind the faces, in units of the pair, and its deepest vertex; or a bound from below that is above the level.
    #[inline(always)]
    fn depths_by_search<S: Simd>(
        &self,
        simd: S,
        other: &Side<'_>,
        shares: [f32; 2],
        level: f32,
        vertices: &mut [u32; EIGHT],
    ) -> f32x8<S> {
        let inward = Wide::load(simd, &self.inward);
        let beyond = f32x8::load_array_ref(simd, &self.beyond) * f32x8::splat(simd, shares[0]);
        // The centre of the other is inside.
        let mut depths = beyond;
        for (lane, deepest) in vertices.iter_mut().enumerate() {
            if depths.to_array()[lane] > level {
                continue;
            }
            let (vertex, point) = farthest(simd, other, Vec3A::from(self.inward(lane)));
            *deepest = vertex;
            let reach = inward.dot(splat(simd, point)) * f32x8::splat(simd, shares[1]);
            depths = depths.max(beyond + reach);
        }
        depths
    }

    #[inline(always)]
    fn inward(&self, lane: usize) -> [f32; 3] {
        let [x, y, z] = &self.inward;
        [x[lane], y[lane], z[lane]]
    }
}
