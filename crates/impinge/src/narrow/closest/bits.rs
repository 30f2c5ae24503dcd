//! Few vertices: each has a bit, and a scan of all of them is a few instructions.

use super::super::pair::{CENTER, PolytopePair};
use super::super::search::{Names, Part};
use super::super::wide::{Columns, LANES, Wide, set};
use super::finder::{Finder, Size};
use super::{Along, Bodies, Body, Ended};
use crate::ahead;
use fearless_simd::{Simd, prelude::*, u32x8};

/// The vertices of each pair that were nearly the farthest in its last scan, by their bits; then those of them that are no corners.
#[derive(Debug)]
pub(in super::super) struct Bits {
    near: Names,
}

impl Finder for Bits {
    const NONE: Bits = Bits {
        near: [[0; LANES]; 2],
    };
    const SIZE: Size = Size::Small;
    const MOST: f64 = f64::INFINITY;

    #[inline(always)]
    fn name(vertex: u32) -> u32 {
        1_u32.wrapping_shl(vertex)
    }

    #[inline(always)]
    fn vertices<S: Simd>(simd: S, names: u32x8<S>) -> u32x8<S> {
        // The exponent of a power of two is the number of its bit. (Of the last bit the sign is set.)
        let powers: u32x8<S> = simd.cvt_f32_i32x8(names.bitcast()).bitcast();
        let exponents = (powers >> 23) & u32x8::splat(simd, 0xff);
        let is_center = names.simd_eq(u32x8::splat(simd, 0));
        is_center.select(
            u32x8::splat(simd, CENTER),
            exponents - u32x8::splat(simd, 127),
        )
    }

    #[inline(always)]
    fn point(body: &Body<'_>, vertex: u32) -> [f32; 3] {
        body.packed.vertices.point_of_few(vertex)
    }

    #[inline(always)]
    fn fetch_headers(pair: &PolytopePair<'_>) {
        pair.a.fetch_header();
        pair.b.fetch_header();
    }

    #[inline(always)]
    fn fetch(pair: &PolytopePair<'_>) {
        if let (Some(a), Some(b)) = (pair.a.packed(), pair.b.packed()) {
            a.vertices.fetch();
            b.vertices.fetch();
        }
        pair.fetch();
        // Many pairs have the corners of last time, or some of them.
        for [on_a, on_b] in pair.cache.corners {
            ahead::fetch_line(pair.a.vertices(), on_a as usize);
            ahead::fetch_line(pair.b.vertices(), on_b as usize);
        }
    }

    #[inline(always)]
    fn begin(&mut self, _: &Bodies<'_>) {}

    #[inline(always)]
    fn scan<S: Simd>(
        &mut self,
        simd: S,
        bodies: &Bodies<'_>,
        (part, _, along): (&Part<S>, [Wide<S>; 2], Along),
        mut todo: u32,
        (names, points): (&mut Names, &mut [Columns; 2]),
    ) {
        let mut known = [[0; LANES]; 2];
        corner_bits(part, 0).store_slice(&mut known[0]);
        corner_bits(part, 1).store_slice(&mut known[1]);
        while todo != 0 {
            let lane = todo.trailing_zeros() as usize % LANES;
            todo &= todo - 1;
            let [a, b] = &bodies[lane];
            let placed = [a.polytope.vertices(), b.polytope.vertices()];
            let (a, b) = (&a.packed.vertices, &b.packed.vertices);
            let near_a = a.near_max_of_32(simd, &along.0[0][lane]);
            let near_b = b.near_max_of_32(simd, &along.0[1][lane]);
            let vertex_a = one_of(near_a, known[0][lane]);
            let vertex_b = one_of(near_b, known[1][lane]);
            // The proof will read them.
            ahead::fetch_line(placed[0], vertex_a as usize);
            ahead::fetch_line(placed[1], vertex_b as usize);
            self.near[0][lane] = near_a;
            self.near[1][lane] = near_b;
            names[0][lane] = 1 << vertex_a;
            names[1][lane] = 1 << vertex_b;
            set(&mut points[0], lane, a.point_of_few(vertex_a));
            set(&mut points[1], lane, b.point_of_few(vertex_b));
        }
    }

    #[inline(always)]
    fn has_others<S: Simd>(&mut self, simd: S, part: &Part<S>) -> u32 {
        let nobody = u32x8::splat(simd, 0);
        let mut any = nobody;
        for side in 0..2 {
            let near = u32x8::load_array_ref(simd, &self.near[side]);
            let other = near & !corner_bits(part, side);
            other.store_slice(&mut self.near[side]);
            any |= other;
        }
        any.simd_gt(nobody).to_bitmask() as u32
    }

    #[inline(always)]
    fn for_each_other<S: Simd>(
        &self,
        _: S,
        lane: usize,
        _: &[Body<'_>; 2],
        _: &Ended,
        mut visit: impl FnMut(usize, u32),
    ) {
        for side in 0..2 {
            let mut others = self.near[side][lane];
            while others != 0 {
                visit(side, others.trailing_zeros());
                others &= others - 1;
            }
        }
    }

    #[inline(always)]
    fn fetch_proof(body: &Body<'_>, [first, second, third]: [u32; 3]) {
        // The vertices are asked for as soon as they are found.
        body.polytope.joints().fetch(first, [second, third]);
    }

    #[inline(always)]
    fn fetch_around(_: &Body<'_>, _: u32) {}
}

/// The vertices of one side that the corners are made of.
#[inline(always)]
fn corner_bits<S: Simd>(part: &Part<S>, side: usize) -> u32x8<S> {
    let [p, q, r] = &part.names;
    p[side] | q[side] | r[side]
}

/// A vertex that is nearly the farthest, if possible not one that is known; 0 if there is none, where numbers are not numbers.
///
/// Without a branch: whether there is a new one is as good as random, and is known only at the end of a long chain of operations.
#[inline(always)]
fn one_of(near: u32, known: u32) -> u32 {
    let in_turn = u64::from(near & !known) | u64::from(near) << 32;
    in_turn.trailing_zeros() % 32
}
