//! Hundreds or thousands of vertices: a table by directions has those that can be the farthest ([`Extremes`](crate::shape::Polytope)).
//!
//! The cells of all eight pairs are computed side by side and asked for, before the first of them is scanned. A vertex is named by its
//! number and one more.

use super::super::pair::PolytopePair;
use super::super::search::{Names, Part};
use super::super::side::inverse_of_power;
use super::super::wide::{Columns, LANES, Wide, set};
use super::finder::{Finder, Size};
use super::{Along, Bodies, Body, Ended};
use crate::shape::{MOST_MARGIN, cells_of};
use fearless_simd::{Simd, f32x8, prelude::*, u32x8};

/// The cells of each pair's last scan, and which of their vertices were nearly the farthest.
#[derive(Debug)]
pub(in super::super) struct Cells {
    /// How many cells there are along the edges of the cubes.
    edges: [[f32; LANES]; 2],
    cells: Names,
    near: [[u64; LANES]; 2],
    along: Along,
}

impl Finder for Cells {
    const NONE: Cells = Cells {
        edges: [[0.0; LANES]; 2],
        cells: [[0; LANES]; 2],
        near: [[0; LANES]; 2],
        along: Along::NONE,
    };
    const SIZE: Size = Size::Medium;
    // Matrices stretch by less than one part in 1e5, for which cells have room.
    const MOST: f64 = MOST_MARGIN as f64;

    #[inline(always)]
    fn name(vertex: u32) -> u32 {
        vertex.wrapping_add(1)
    }

    #[inline(always)]
    fn vertices<S: Simd>(simd: S, names: u32x8<S>) -> u32x8<S> {
        // The one before the first is that of the centre.
        names - u32x8::splat(simd, 1)
    }

    /// From the vertex itself, which the proof reads, too: one line of memory, where the packed form has two or three.
    #[inline(always)]
    fn point(body: &Body<'_>, vertex: u32) -> [f32; 3] {
        // The scale is a power of two, so this is rounded as the packed form is.
        let inverse = inverse_of_power(body.packed.scale);
        let relative = (body.local(vertex) - body.packed.center) * inverse;
        relative.as_vec3().to_array()
    }

    #[inline(always)]
    fn fetch_headers(pair: &PolytopePair<'_>) {
        pair.fetch();
        pair.a.fetch_table();
        pair.b.fetch_table();
    }

    #[inline(always)]
    fn fetch(pair: &PolytopePair<'_>) {
        let [p, q, r] = pair.cache.corners;
        pair.a.fetch_vertices([p[0], q[0], r[0]]);
        pair.b.fetch_vertices([p[1], q[1], r[1]]);
    }

    #[inline(always)]
    fn begin(&mut self, bodies: &Bodies<'_>) {
        for (lane, [a, b]) in bodies.iter().enumerate() {
            self.edges[0][lane] = a.polytope.gauss().extremes.edge();
            self.edges[1][lane] = b.polytope.gauss().extremes.edge();
        }
    }

    #[inline(always)]
    fn scan<S: Simd>(
        &mut self,
        simd: S,
        bodies: &Bodies<'_>,
        (_, local, along): (&Part<S>, [Wide<S>; 2], Along),
        todo: u32,
        (names, points): (&mut Names, &mut [Columns; 2]),
    ) {
        // Directions of lanes that are done do not change.
        self.along = along;
        for (side, Wide { x, y, z }) in local.iter().enumerate() {
            let edges = f32x8::load_array_ref(simd, &self.edges[side]);
            cells_of(simd, edges, [*x, *y, *z]).store_slice(&mut self.cells[side]);
        }
        let mut left = todo;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % LANES;
            left &= left - 1;
            let [a, b] = &bodies[lane];
            let (a, b) = (&a.polytope.gauss().extremes, &b.polytope.gauss().extremes);
            a.fetch(self.cells[0][lane] as usize);
            b.fetch(self.cells[1][lane] as usize);
        }
        let mut left = todo;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % LANES;
            left &= left - 1;
            let [a, b] = &bodies[lane];
            let (a, b) = (&a.polytope.gauss().extremes, &b.polytope.gauss().extremes);
            let cells = [self.cells[0][lane] as usize, self.cells[1][lane] as usize];
            let ((along_a, margin_a), (along_b, margin_b)) = (along.of(0, lane), along.of(1, lane));
            let on_a = a.look(simd, cells[0], along_a, margin_a);
            let on_b = b.look(simd, cells[1], along_b, margin_b);
            self.near[0][lane] = on_a.near;
            self.near[1][lane] = on_b.near;
            names[0][lane] = Cells::name(on_a.vertex);
            names[1][lane] = Cells::name(on_b.vertex);
            set(&mut points[0], lane, on_a.point);
            set(&mut points[1], lane, on_b.point);
        }
    }

    #[inline(always)]
    fn has_others<S: Simd>(&mut self, _: S, _: &Part<S>) -> u32 {
        u32::MAX
    }

    #[inline(always)]
    fn for_each_other<S: Simd>(
        &self,
        simd: S,
        lane: usize,
        bodies: &[Body<'_>; 2],
        [p, q, r, _]: &Ended,
        mut visit: impl FnMut(usize, u32),
    ) {
        for side in 0..2 {
            let extremes = &bodies[side].polytope.gauss().extremes;
            let seen = (self.cells[side][lane] as usize, self.near[side][lane]);
            let (along, margin) = self.along.of(side, lane);
            extremes.for_each_of(
                simd,
                seen,
                along,
                margin,
                #[inline(always)]
                |vertex| {
                    if (vertex != p[side]) & (vertex != q[side]) & (vertex != r[side]) {
                        visit(side, vertex);
                    }
                },
            );
        }
    }

    #[inline(always)]
    fn fetch_proof(body: &Body<'_>, corners: [u32; 3]) {
        body.polytope.fetch_vertices(corners);
        for vertex in corners {
            body.polytope.fetch_ring_start(vertex);
        }
    }

    #[inline(always)]
    fn fetch_around(body: &Body<'_>, vertex: u32) {
        body.polytope.fetch_ring(vertex);
    }
}
