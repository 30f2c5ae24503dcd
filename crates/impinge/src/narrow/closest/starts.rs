//! Where the searches begin: the corners of last time, or the offset of the centres.

use super::super::cache::PairCache;
use super::super::search::{Names, Part, Turns, nearest_part};
use super::super::wide::{Columns, LANES, Wide, set};
use super::Body;
use super::finder::Finder;
use fearless_simd::{Simd, prelude::*, u32x8};

/// The corners of last time, in the frames of the bodies.
pub(super) struct Starts {
    /// 0 where no corners are known.
    names: [Names; 3],
    points: [[Columns; 2]; 3],
    /// All bits or none.
    is_known: [u32; LANES],
}

impl Starts {
    pub(super) const NONE: Starts = Starts {
        names: [[[0; LANES]; 2]; 3],
        points: [[[[0.0; LANES]; 3]; 2]; 3],
        is_known: [0; LANES],
    };

    /// Puts what a cache knows into a lane.
    #[inline(always)]
    pub(super) fn add<F: Finder>(
        &mut self,
        lane: usize,
        [a, b]: &[Body<'_>; 2],
        cache: &PairCache,
    ) {
        let [p, q, r] = cache.corners;
        // A cache of other polytopes may name vertices that do not exist.
        let is_known = cache.has_corners
            & (p[0].max(q[0]).max(r[0]) < a.packed.vertices.len() as u32)
            & (p[1].max(q[1]).max(r[1]) < b.packed.vertices.len() as u32);
        let mask = u32::from(is_known).wrapping_neg();
        self.is_known[lane] = mask;
        for k in 0..3 {
            let [on_a, on_b] = cache.corners[k];
            let (on_a, on_b) = (on_a & mask, on_b & mask);
            self.names[k][0][lane] = F::name(on_a) & mask;
            self.names[k][1][lane] = F::name(on_b) & mask;
            set(&mut self.points[k][0], lane, F::point(a, on_a));
            set(&mut self.points[k][1], lane, F::point(b, on_b));
        }
    }

    /// One bit for each lane where corners are known.
    #[inline(always)]
    pub(super) fn known<S: Simd>(&self, simd: S) -> u32 {
        let known = u32x8::load_array_ref(simd, &self.is_known);
        known.simd_gt(u32x8::splat(simd, 0)).to_bitmask() as u32
    }

    /// The nearest parts of these corners, or the offset of the centres.
    #[inline(always)]
    pub(super) fn part<S: Simd>(&self, simd: S, turns: &Turns) -> Part<S> {
        let offset = Wide::load(simd, &turns.offsets);
        let known = u32x8::load_array_ref(simd, &self.is_known);
        let is_known = known.simd_gt(u32x8::splat(simd, 0));
        let mut y = [offset; 3];
        let mut names = [[known; 2]; 3];
        for k in 0..3 {
            let [a, b] = &self.points[k];
            let points = [Wide::load(simd, a), Wide::load(simd, b)];
            y[k] = Wide::select(is_known, turns.difference(simd, points), offset);
            names[k] = [
                u32x8::load_array_ref(simd, &self.names[k][0]),
                u32x8::load_array_ref(simd, &self.names[k][1]),
            ];
        }
        nearest_part(simd, y, names)
    }
}
