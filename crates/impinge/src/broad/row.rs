//! Boxes in the order of their lower ends on one axis, and all pairs of them that overlap.
//!
//! Coordinates lie in arrays of their own, so that eight boxes are compared at a time. From each box the row is followed as long as
//! lower ends are not beyond its upper end.
//!
//! **Cost.** The pairs of intervals that overlap on the axis, an eighth of a step each.

use super::Box32;
use super::changes::key_of;
use crate::lanes::in_lanes;
use fearless_simd::{Simd, f32x8, prelude::*};

/// How many boxes are compared at a time.
const LANES: usize = 8;

/// The boxes in the order of their lower ends, coordinate by coordinate, and some that overlap nothing at the end.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    indices: Vec<u32>,
    /// On the axis of the order.
    min: Vec<f32>,
    max: Vec<f32>,
    /// On the two others.
    across_min: [Vec<f32>; 2],
    across_max: [Vec<f32>; 2],
}

impl Row {
    /// Takes over the boxes of bodies, which come in the order of their lower ends on the axis.
    pub(super) fn fill(&mut self, boxes: &[Box32], bodies: impl Iterator<Item = u32>, axis: usize) {
        self.clear();
        for index in bodies {
            self.push(index, &boxes[index as usize], axis);
        }
        let nowhere = Box32 {
            min: [f32::INFINITY; 3],
            max: [f32::NEG_INFINITY; 3],
        };
        for _ in 0..LANES {
            self.push(u32::MAX, &nowhere, axis);
        }
    }

    fn clear(&mut self) {
        self.indices.clear();
        self.min.clear();
        self.max.clear();
        for list in self.across_min.iter_mut().chain(&mut self.across_max) {
            list.clear();
        }
    }

    fn push(&mut self, index: u32, bounds: &Box32, axis: usize) {
        self.indices.push(index);
        self.min.push(bounds.min[axis]);
        self.max.push(bounds.max[axis]);
        for (side, across) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
            self.across_min[side].push(bounds.min[across]);
            self.across_max[side].push(bounds.max[across]);
        }
    }

    /// Appends the keys of all pairs that overlap, and tells how many boxes were compared.
    pub(super) fn search(&self, found: &mut Vec<u64>) -> u64 {
        in_lanes!(simd => self.search_with(simd, found))
    }

    #[inline(always)]
    fn search_with<S: Simd>(&self, simd: S, found: &mut Vec<u64>) -> u64 {
        let mut tests = 0;
        for place in 0..self.indices.len() - LANES {
            let own = Own::at(simd, self, place);
            let reach = self.max[place];
            let mut ahead = place + 1;
            while self.min[ahead] <= reach {
                let mut hits = self.compare(simd, &own, ahead);
                while hits != 0 {
                    let met = self.indices[ahead + hits.trailing_zeros() as usize];
                    found.push(key_of(self.indices[place], met));
                    hits &= hits - 1;
                }
                ahead += LANES;
                tests += LANES as u64;
            }
        }
        tests
    }

    /// Which of the boxes from `ahead` on overlap a box, a bit each; none beyond its upper end.
    #[inline(always)]
    fn compare<S: Simd>(&self, simd: S, own: &Own<S>, ahead: usize) -> u32 {
        let mut overlap = block(simd, &self.min, ahead).simd_le(own.max);
        for side in 0..2 {
            let low = block(simd, &self.across_min[side], ahead);
            let high = block(simd, &self.across_max[side], ahead);
            overlap &= low.simd_le(own.across_max[side]);
            overlap &= high.simd_ge(own.across_min[side]);
        }
        overlap.to_bitmask() as u32
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        // Seven vectors of the same length.
        self.indices.capacity() * 4 * 7
    }

    /// Panics when the row is not that of the given bodies.
    pub(super) fn validate(&self, boxes: &[Box32], bodies: impl Iterator<Item = u32>, axis: usize) {
        let mut expected = Row::default();
        expected.fill(boxes, bodies, axis);
        let count = expected.indices.len() - LANES;
        assert_eq!(
            self.indices.len().saturating_sub(LANES),
            count,
            "a box a body"
        );
        assert!(expected.min[..count].is_sorted(), "lower ends ascend");
        let is_same = |own: &[f32], other: &[f32]| own.get(..count) == other.get(..count);
        assert_eq!(self.indices.get(..count), expected.indices.get(..count));
        assert!(is_same(&self.min, &expected.min) && is_same(&self.max, &expected.max));
        for side in 0..2 {
            assert!(is_same(&self.across_min[side], &expected.across_min[side]));
            assert!(is_same(&self.across_max[side], &expected.across_max[side]));
        }
    }
}

/// One box of a row, in all lanes.
struct Own<S: Simd> {
    max: f32x8<S>,
    across_min: [f32x8<S>; 2],
    across_max: [f32x8<S>; 2],
}

impl<S: Simd> Own<S> {
    #[inline(always)]
    fn at(simd: S, row: &Row, place: usize) -> Own<S> {
        let [min_0, min_1] = &row.across_min;
        let [max_0, max_1] = &row.across_max;
        Own {
            max: f32x8::splat(simd, row.max[place]),
            across_min: [
                f32x8::splat(simd, min_0[place]),
                f32x8::splat(simd, min_1[place]),
            ],
            across_max: [
                f32x8::splat(simd, max_0[place]),
                f32x8::splat(simd, max_1[place]),
            ],
        }
    }
}

/// The numbers from a place on, one a lane.
#[inline(always)]
pub(super) fn block<S: Simd>(simd: S, list: &[f32], start: usize) -> f32x8<S> {
    f32x8::from_slice(simd, &list[start..start + LANES])
}
