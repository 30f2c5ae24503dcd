//! What is left of a polytope of few faces: all of them are measured, and sets of faces and edges are words.
//!
//! An arc is left when each of the three tests has one of its ends in its set of low faces, so the arcs that are left
//! are the intersection of three sets: the edges of the low faces of each test. A lane has a face and its edges as bits, so
//! that these sets come about without a loop over faces, whose end would be hard to foresee.

use super::super::super::wide::Wide;
use super::cull::View;
use super::frame::splat;
use crate::shape::{FEW_BLOCKS, Faces, Few};
use fearless_simd::{Simd, f32x8, prelude::*, u32x4, u32x8};

/// How many tests there are: with the ball, and with two points.
const TESTS: usize = 3;

/// For each face and test, how far the face is beyond the point of the test.
#[derive(Debug, Default)]
pub(super) struct Heights {
    blocks: [[[f32; 8]; TESTS]; FEW_BLOCKS],
}

impl Heights {
    /// Measures all faces. Those that are not above a level by any test, as bits; in the unit of the polytope.
    #[inline(always)]
    pub(super) fn measure<S: Simd>(&mut self, simd: S, few: &Few, view: &View, level: f32) -> u64 {
        let ball = splat(simd, view.center);
        let first = splat(simd, view.points[0]);
        let second = splat(simd, view.points[1]);
        let level = f32x8::splat(simd, level);
        let radius = f32x8::splat(simd, view.radius);
        let mut found = 0;
        for block in 0..few.faces.len().min(FEW_BLOCKS) {
            let (faces, heights) = (&few.faces[block], &mut self.blocks[block]);
            let normals = Wide::load(simd, &faces.normals);
            let offsets = f32x8::load_array_ref(simd, &faces.offsets);
            let by_ball = offsets - normals.dot(ball);
            let by_first = offsets - normals.dot(first);
            let by_second = offsets - normals.dot(second);
            by_ball.store_array(&mut heights[0]);
            by_first.store_array(&mut heights[1]);
            by_second.store_array(&mut heights[2]);
            let best = (by_ball + radius).max(by_first.max(by_second));
            found |= best.simd_lt(level).to_bitmask() << (8 * block);
        }
        found
    }

    /// The edges whose arcs are not above a level by any test, as bits.
    #[inline(always)]
    pub(super) fn arcs<S: Simd>(&self, simd: S, few: &Few, view: &View, level: f32) -> u64 {
        let beyond_ball = f32x8::splat(simd, level - view.radius);
        let level = f32x8::splat(simd, level);
        let none = u32x8::splat(simd, 0);
        let mut edges = [[none; 2]; TESTS];
        for block in 0..few.faces.len().min(FEW_BLOCKS) {
            let (faces, heights) = (&few.faces[block], &self.blocks[block]);
            // Both cases of the head of `cull`: the cosine is at most 1.
            let half_cos = f32x8::load_array_ref(simd, &faces.half_cos);
            let limits = [beyond_ball.max(beyond_ball * half_cos), level, level];
            let around = [
                u32x8::load_array_ref(simd, &faces.edges[0]),
                u32x8::load_array_ref(simd, &faces.edges[1]),
            ];
            for k in 0..TESTS {
                let is_low = f32x8::load_array_ref(simd, &heights[k]).simd_lt(limits[k]);
                edges[k][0] |= is_low.select(around[0], none);
                edges[k][1] |= is_low.select(around[1], none);
            }
        }
        let left = joined(edges[0]) & joined(edges[1]) & joined(edges[2]);
        let mut words = [0; 4];
        left.store_array(&mut words);
        u64::from(words[0]) | u64::from(words[1]) << 32
    }
}

/// All lanes together, of the one in the first lane and of the other in the second.
#[inline(always)]
fn joined<S: Simd>([low, high]: [u32x8<S>; 2]) -> u32x4<S> {
    let (low, high) = (low.split(), high.split());
    let (low, high) = (low.0 | low.1, high.0 | high.1);
    let both = low.zip_low(high) | low.zip_high(high);
    both | both.slide::<2>(both)
}

impl Few {
    /// The normal of a face, and how far it is from the centre.
    #[inline(always)]
    pub(super) fn plane(&self, face: u32) -> ([f32; 3], f32) {
        let Faces {
            normals: [x, y, z],
            offsets,
            ..
        } = &self.faces[face as usize / 8];
        let lane = face as usize % 8;
        ([x[lane], y[lane], z[lane]], offsets[lane])
    }
}
