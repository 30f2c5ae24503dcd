//! Eight boxes in columns.

use super::super::Box32;
use crate::ahead;
use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

/// How many boxes a node has.
pub(in super::super) const LANES: usize = 8;

/// Eight boxes, one a lane. Lanes without a box have an inverted one that overlaps nothing.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(in super::super) struct Node {
    min: [[f32; LANES]; 3],
    max: [[f32; LANES]; 3],
}

/// A box in all lanes.
#[derive(Clone, Copy)]
pub(in super::super) struct Wide<S: Simd> {
    min: [f32x8<S>; 3],
    max: [f32x8<S>; 3],
}

impl<S: Simd> Wide<S> {
    #[inline(always)]
    pub(in super::super) fn splat(simd: S, Box32 { min, max }: &Box32) -> Wide<S> {
        Wide {
            min: [
                f32x8::splat(simd, min[0]),
                f32x8::splat(simd, min[1]),
                f32x8::splat(simd, min[2]),
            ],
            max: [
                f32x8::splat(simd, max[0]),
                f32x8::splat(simd, max[1]),
                f32x8::splat(simd, max[2]),
            ],
        }
    }

    /// The lanes of other boxes that overlap this one, touching included.
    #[inline(always)]
    pub(in super::super) fn overlapping(
        &self,
        min: [f32x8<S>; 3],
        max: [f32x8<S>; 3],
    ) -> mask32x8<S> {
        let above =
            min[0].simd_le(self.max[0]) & min[1].simd_le(self.max[1]) & min[2].simd_le(self.max[2]);
        let below =
            max[0].simd_ge(self.min[0]) & max[1].simd_ge(self.min[1]) & max[2].simd_ge(self.min[2]);
        above & below
    }
}

impl Node {
    /// One without a box.
    pub(in super::super) const EMPTY: Node = Node {
        min: [[f32::INFINITY; LANES]; 3],
        max: [[f32::NEG_INFINITY; LANES]; 3],
    };

    /// Asks for its memory, which is three lines.
    #[inline(always)]
    pub(super) fn fetch(&self) {
        ahead::fetch_line(&self.min, 0);
        ahead::fetch_line(&self.min, 2);
        ahead::fetch_line(&self.max, 1);
    }

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Box32 {
        let Node { min, max } = self;
        Box32 {
            min: [min[0][lane], min[1][lane], min[2][lane]],
            max: [max[0][lane], max[1][lane], max[2][lane]],
        }
    }

    #[inline(always)]
    pub(in super::super) fn set(&mut self, lane: usize, bounds: &Box32) {
        for axis in 0..3 {
            self.min[axis][lane] = bounds.min[axis];
            self.max[axis][lane] = bounds.max[axis];
        }
    }

    pub(super) fn clear(&mut self, lane: usize) {
        self.set(lane, &Node::EMPTY.get(0));
    }

    /// Grows the box of a lane over another.
    pub(super) fn grow(&mut self, lane: usize, bounds: &Box32) {
        for axis in 0..3 {
            self.min[axis][lane] = self.min[axis][lane].min(bounds.min[axis]);
            self.max[axis][lane] = self.max[axis][lane].max(bounds.max[axis]);
        }
    }

    /// The lanes whose boxes overlap a box, touching included.
    #[inline(always)]
    pub(in super::super) fn overlapping<S: Simd>(&self, simd: S, with: &Wide<S>) -> mask32x8<S> {
        let [x, y, z] = &self.min;
        let min = [
            f32x8::load_array_ref(simd, x),
            f32x8::load_array_ref(simd, y),
            f32x8::load_array_ref(simd, z),
        ];
        let [x, y, z] = &self.max;
        let max = [
            f32x8::load_array_ref(simd, x),
            f32x8::load_array_ref(simd, y),
            f32x8::load_array_ref(simd, z),
        ];
        with.overlapping(min, max)
    }

    /// The box around all lanes.
    #[inline(always)]
    pub(super) fn bounds<S: Simd>(&self, simd: S) -> Box32 {
        let mut bounds = Box32::default();
        for axis in 0..3 {
            bounds.min[axis] = f32x8::load_array_ref(simd, &self.min[axis]).reduce_min();
            bounds.max[axis] = f32x8::load_array_ref(simd, &self.max[axis]).reduce_max();
        }
        bounds
    }

    /// Of the lanes allowed, the one whose surface grows least when it takes a box in; of several the smallest.
    pub(super) fn lane_for(&self, bounds: &Box32, allowed: u8) -> usize {
        let (mut before, mut after) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for axis in 0..3 {
            for lane in 0..LANES {
                let (min, max) = (self.min[axis][lane], self.max[axis][lane]);
                // Empty lanes are inverted.
                before[axis][lane] = (max - min).max(0.0);
                after[axis][lane] = max.max(bounds.max[axis]) - min.min(bounds.min[axis]);
            }
        }
        let surface = |edges: &[[f32; LANES]; 3], lane: usize| {
            let [x, y, z] = [edges[0][lane], edges[1][lane], edges[2][lane]];
            x * y + y * z + z * x
        };
        let lanes = (0..LANES).filter(|lane| allowed >> lane & 1 == 1);
        let costs = lanes.map(|lane| {
            let size = surface(&before, lane);
            (surface(&after, lane) - size, size, lane)
        });
        // Where numbers overflow, any lane is as good as another.
        let best = costs.min_by(|(a, p, _), (b, q, _)| a.total_cmp(b).then(p.total_cmp(q)));
        best.map_or(0, |(_, _, lane)| lane)
    }

    /// Panics when a lane reaches out of a box, unless it is excused.
    pub(super) fn assert_inside(&self, bounds: &Box32, excused: impl Fn(usize) -> bool) {
        for lane in (0..LANES).filter(|lane| !excused(*lane)) {
            let inner = self.get(lane);
            for axis in 0..3 {
                let is_empty = inner.min[axis] > inner.max[axis];
                let is_inside =
                    bounds.min[axis] <= inner.min[axis] && inner.max[axis] <= bounds.max[axis];
                assert!(is_empty || is_inside, "a node holds its children");
            }
        }
    }
}
