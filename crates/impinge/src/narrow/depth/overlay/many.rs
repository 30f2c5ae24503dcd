//! What is left of a polytope of many faces: blocks of arcs that a cone leaves out need not be opened.
//!
//! Along an arc `a` reaches at least as far as the nearest of the faces at its ends, `low` for a block of arcs, so `h(n)` is
//! at least `low + r - n . D`, with a ball of radius `r` inside `b` about its centre at `D`. Only blocks of arcs matter that
//! reach into the cone about `D` where that is below the level.

use super::super::super::wide::Wide;
use super::cull::{LeftFace, MOST_ARCS, MOST_FACES, View};
use super::frame::splat;
use crate::shape::{Arcs, Many};
use fearless_simd::{Simd, f32x8, prelude::*};

/// A cone wider than this is no cone.
const LEAST_COS: f32 = 1e-3;
/// More than the rounding of products of unit vectors, and of a sine from a cosine.
const SLACK: f32 = 4e-6;

/// The arcs that a scan left.
#[derive(Debug)]
pub(super) struct Scan {
    places: [u32; MOST_ARCS],
    /// For each arc, how much below the level the best bound for it is, negative.
    below: [f32; MOST_ARCS],
    len: usize,
    level: f32,
}

impl Default for Scan {
    fn default() -> Scan {
        Scan {
            places: [0; MOST_ARCS],
            below: [0.0; MOST_ARCS],
            len: 0,
            level: 0.0,
        }
    }
}

impl Scan {
    /// Finds the arcs and faces that are not above a level; how many faces, or `None` when it is too much.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        many: &Many,
        view: &View,
        level: f32,
        faces: &mut [LeftFace; MOST_FACES],
    ) -> Option<usize> {
        self.len = 0;
        self.level = level;
        let mut face_count = 0;
        let tests = Tests::new(simd, view, level);
        let center = splat(simd, view.center);
        let inverse = f32x8::splat(simd, view.distance.max(f32::MIN_POSITIVE).recip());
        let one = f32x8::splat(simd, 1.0);
        let slack = f32x8::splat(simd, SLACK);
        for (group, cones) in many.cones.iter().enumerate() {
            let low = f32x8::load_array_ref(simd, &cones.low);
            let cos = ((low + tests.beyond_ball) * inverse).min(one);
            let sin = (one - cos * cos).max(f32x8::splat(simd, 0.0)).sqrt();
            let along = Wide::load(simd, &cones.axis).dot(center) * inverse;
            let rim = cos * f32x8::load_array_ref(simd, &cones.cos)
                - sin * f32x8::load_array_ref(simd, &cones.sin)
                - slack;
            let is_wide = cos.simd_lt(f32x8::splat(simd, LEAST_COS));
            let mut hit = (along.simd_ge(rim) | is_wide).to_bitmask();
            while hit != 0 {
                let lane = hit.trailing_zeros() as usize % 8;
                hit &= hit - 1;
                let block = 8 * group + lane;
                if block < many.blocks.len() {
                    let whole = Whole {
                        block,
                        half_cos: cones.half_cos[lane],
                        owned: [cones.owned[0][lane], cones.owned[1][lane]],
                    };
                    face_count = self.open(simd, many, &whole, &tests, faces, face_count)?;
                }
            }
        }
        Some(face_count)
    }

    #[inline(always)]
    fn open<S: Simd>(
        &mut self,
        simd: S,
        many: &Many,
        whole: &Whole,
        tests: &Tests<S>,
        faces: &mut [LeftFace; MOST_FACES],
        mut face_count: usize,
    ) -> Option<usize> {
        let arcs: &Arcs = &many.blocks[whole.block];
        let zero = f32x8::splat(simd, 0.0);
        // Most blocks have nothing below the level, and one of the points tells.
        let by_second = tests.by_point(simd, arcs, 1);
        let arc = by_second[0].min(by_second[1]);
        if arc.simd_lt(zero).to_bitmask() == 0 {
            return Some(face_count);
        }
        let by_first = tests.by_point(simd, arcs, 0);
        let by_ball = tests.by_ball(simd, arcs, whole.half_cos);
        let arc = arc
            .max(by_first[0].min(by_first[1]))
            .max(by_ball[0].min(by_ball[1]));
        let mut left = arc.simd_lt(zero).to_bitmask();
        if left == 0 {
            return Some(face_count);
        }
        left &= u64::MAX >> (56 + 8_usize.saturating_sub(many.len - 8 * whole.block));
        if self.len + 8 > MOST_ARCS || face_count + 16 > MOST_FACES {
            return None;
        }
        for end in 0..2 {
            let height = by_ball[end].max(by_first[end]).max(by_second[end]);
            let mut found = height.simd_lt(zero).to_bitmask() & left & u64::from(whole.owned[end]);
            if found != 0 {
                let mut below = [0.0; 8];
                height.store_slice(&mut below);
                while found != 0 {
                    let lane = found.trailing_zeros() as usize % 8;
                    found &= found - 1;
                    faces[face_count] = arcs.left_face(end, lane, self.level + below[lane]);
                    face_count += 1;
                }
            }
        }
        let mut below = [0.0; 8];
        arc.store_slice(&mut below);
        while left != 0 {
            let lane = left.trailing_zeros();
            self.places[self.len] = 8 * whole.block as u32 + lane;
            self.below[self.len] = below[lane as usize % 8];
            self.len += 1;
            left &= left - 1;
        }
        Some(face_count)
    }

    /// The places of the arcs that are not above a level, which is not above that of the scan; how many they are.
    #[inline(always)]
    pub(super) fn arcs(&self, many: &Many, level: f32, places: &mut [u32; MOST_ARCS]) -> usize {
        let drop = self.level - level;
        let mut kept = 0;
        for (place, below) in self.places.iter().zip(&self.below).take(self.len) {
            places[kept] = *place;
            // A level lower by `drop` raises a bound by that much, or by that times the cosine of half of the arc.
            let rise = drop * many.half_cos(*place);
            kept += usize::from(*below + rise < 0.0);
        }
        kept
    }
}

/// A block of arcs and what is known about it as a whole.
struct Whole {
    block: usize,
    half_cos: f32,
    owned: [u8; 2],
}

/// The three tests of a view, in all lanes.
struct Tests<S: Simd> {
    ball: Wide<S>,
    points: [Wide<S>; 2],
    /// The radius of the ball minus the level.
    beyond_ball: f32x8<S>,
    /// Minus the level.
    beyond_point: f32x8<S>,
}

impl<S: Simd> Tests<S> {
    #[inline(always)]
    fn new(simd: S, view: &View, level: f32) -> Tests<S> {
        Tests {
            ball: splat(simd, view.center),
            points: [splat(simd, view.points[0]), splat(simd, view.points[1])],
            beyond_ball: f32x8::splat(simd, view.radius - level),
            beyond_point: f32x8::splat(simd, -level),
        }
    }

    /// How much both ends of eight arcs are above the level, by one of the points.
    #[inline(always)]
    fn by_point(&self, simd: S, arcs: &Arcs, point: usize) -> [f32x8<S>; 2] {
        [
            arcs.beyond(simd, 0, self.points[point]) + self.beyond_point,
            arcs.beyond(simd, 1, self.points[point]) + self.beyond_point,
        ]
    }

    /// The same by the ball: both cases of the head of `cull`.
    #[inline(always)]
    fn by_ball(&self, simd: S, arcs: &Arcs, half_cos: f32) -> [f32x8<S>; 2] {
        let half_cos = f32x8::splat(simd, half_cos);
        let height = self.beyond_ball.min(self.beyond_ball * half_cos);
        [
            arcs.beyond(simd, 0, self.ball) + height,
            arcs.beyond(simd, 1, self.ball) + height,
        ]
    }
}

impl Arcs {
    /// How far the faces at one of the ends are beyond a point.
    #[inline(always)]
    fn beyond<S: Simd>(&self, simd: S, end: usize, point: Wide<S>) -> f32x8<S> {
        let offsets = f32x8::load_array_ref(simd, &self.offsets[end]);
        offsets - Wide::load(simd, &self.ends[end]).dot(point)
    }

    /// The face at an end of one of the arcs.
    #[inline(always)]
    fn left_face(&self, end: usize, lane: usize, height: f32) -> LeftFace {
        let [x, y, z] = &self.ends[end];
        LeftFace {
            face: self.faces[end][lane],
            normal: [x[lane], y[lane], z[lane]],
            offset: self.offsets[end][lane],
            height,
        }
    }
}
