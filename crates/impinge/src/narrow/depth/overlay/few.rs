//! What is left of a polytope of few faces: all of them are measured, and sets of faces and edges are words.
//!
//! An arc is left when each of the three tests has one of its ends in its set of low faces, so the arcs that are left
//! are the intersection of three sets: the edges of the low faces of each test.

use super::super::super::wide::Wide;
use super::cull::{LeftFace, View};
use super::frame::splat;
use crate::shape::{FEW_BLOCKS, FEW_EDGES, Few};
use fearless_simd::{Simd, f32x8, prelude::*};

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
        let points = [
            splat(simd, view.center),
            splat(simd, view.points[0]),
            splat(simd, view.points[1]),
        ];
        let level = f32x8::splat(simd, level);
        let radius = f32x8::splat(simd, view.radius);
        let mut found = 0;
        for (block, (heights, faces)) in self.blocks.iter_mut().zip(&few.faces).enumerate() {
            let normals = Wide::load(simd, &faces.normals);
            let offsets = f32x8::load_array_ref(simd, &faces.offsets);
            let by_ball = offsets - normals.dot(points[0]);
            let by_first = offsets - normals.dot(points[1]);
            let by_second = offsets - normals.dot(points[2]);
            by_ball.store_slice(&mut heights[0]);
            by_first.store_slice(&mut heights[1]);
            by_second.store_slice(&mut heights[2]);
            let best = (by_ball + radius).max(by_first.max(by_second));
            found |= best.simd_lt(level).to_bitmask() << (8 * block);
        }
        found
    }

    /// For each test the faces from which an arc may lead below a level, as far as it can tell.
    #[inline(always)]
    pub(super) fn below<S: Simd>(
        &self,
        simd: S,
        few: &Few,
        view: &View,
        level: f32,
    ) -> [u64; TESTS] {
        let beyond_ball = f32x8::splat(simd, level - view.radius);
        let level = f32x8::splat(simd, level);
        let mut found = [0; TESTS];
        for (block, (heights, faces)) in self.blocks.iter().zip(&few.faces).enumerate() {
            // Both cases of the head of `cull`: the cosine is at most 1.
            let half_cos = f32x8::load_array_ref(simd, &faces.half_cos);
            let limits = [beyond_ball.max(beyond_ball * half_cos), level, level];
            for k in 0..TESTS {
                let low = f32x8::load_array_ref(simd, &heights[k]).simd_lt(limits[k]);
                found[k] |= low.to_bitmask() << (8 * block);
            }
        }
        found
    }

    /// One of the faces, with what is known about it.
    #[inline(always)]
    pub(super) fn left_face(&self, few: &Few, view: &View, face: u32) -> LeftFace {
        let (block, lane) = (face as usize / 8, face as usize % 8);
        let (faces, heights) = (&few.faces[block], &self.blocks[block]);
        let [x, y, z] = &faces.normals;
        LeftFace {
            face,
            normal: [x[lane], y[lane], z[lane]],
            offset: faces.offsets[lane],
            height: (heights[0][lane] + view.radius)
                .max(heights[1][lane])
                .max(heights[2][lane]),
        }
    }
}

impl Few {
    /// The edges that have a face in each of the sets.
    #[inline(always)]
    pub(super) fn edges_at_all(&self, sets: [u64; TESTS]) -> u64 {
        let mut edges = [0; TESTS];
        // One pass over the faces of all sets: where a loop ends is hard to foresee.
        let mut faces = sets[0] | sets[1] | sets[2];
        while faces != 0 {
            let face = faces.trailing_zeros();
            faces &= faces - 1;
            let around = self.edges[face as usize % FEW_EDGES];
            for k in 0..TESTS {
                edges[k] |= around & (sets[k] >> face & 1).wrapping_neg();
            }
        }
        edges[0] & edges[1] & edges[2]
    }
}
