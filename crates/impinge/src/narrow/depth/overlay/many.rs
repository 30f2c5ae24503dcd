//! What is left of a polytope of many faces: blocks of arcs that a cone leaves out need not be opened.
//!
//! Along an arc `a` reaches at least as far as the nearest of the faces at its ends, `low` for a block of arcs, so `h(n)` is
//! at least `low + r - n . D`, with a ball of radius `r` inside `b` about its centre at `D`. Only blocks of arcs matter that
//! reach into the cone about `D` where that is below the level.

use super::super::super::wide::Wide;
use super::cull::{LeftFace, MOST_ARCS, MOST_FACES, View};
use super::frame::splat;
use crate::shape::{Arcs, Cones, GaussMap, Layout, Many};
use fearless_simd::{Simd, f32x8, prelude::*};

/// A cone wider than this is no cone.
const LEAST_COS: f32 = 1e-3;
/// More than the rounding of products of unit vectors, and of a sine from a cosine.
const SLACK: f32 = 4e-6;

/// The most groups of blocks that are looked at.
const MOST_GROUPS: usize = 128;

/// The blocks of a polytope of many faces that their cones do not leave out; nothing for one of few.
#[derive(Debug)]
pub(super) struct Reached {
    /// Numbers of groups, and one bit for each block of the group.
    groups: [(u32, u32); MOST_GROUPS],
    len: usize,
}

impl Default for Reached {
    fn default() -> Reached {
        Reached {
            groups: [(0, 0); MOST_GROUPS],
            len: 0,
        }
    }
}

impl Reached {
    /// Finds the blocks for a level in units of the pair, and asks for them; false when they are too many.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        map: &GaussMap,
        view: &View,
        level: f32,
    ) -> bool {
        self.len = 0;
        let Layout::Many(many) = &map.layout else {
            return true;
        };
        let tests = Tests::new(simd, view, level * view.scale);
        for (first, outer) in many.outer.iter().enumerate() {
            let mut hit = tests.reached(simd, outer);
            while hit != 0 {
                let group = 8 * first + hit.trailing_zeros() as usize;
                hit &= hit - 1;
                let Some(cones) = many.cones.get(group) else {
                    break;
                };
                if self.len == MOST_GROUPS {
                    return false;
                }
                let blocks = tests.reached(simd, cones);
                many.fetch_blocks(group, blocks);
                self.groups[self.len] = (group as u32, blocks as u32);
                self.len += 1;
            }
        }
        true
    }
}

/// What a scan left.
#[derive(Debug)]
pub(super) struct Scan {
    blocks: [LeftBlock; MOST_ARCS],
    block_count: usize,
    places: [u32; MOST_ARCS],
    /// For each arc, how much below the level the best bound for it is, negative.
    below: [f32; MOST_ARCS],
    len: usize,
    level: f32,
}

/// A block with arcs that are not above the level.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
struct LeftBlock {
    /// For the arcs and for the faces at both ends, how much above the level their bounds are.
    arcs: [f32; 8],
    ends: [[f32; 8]; 2],
    number: u32,
    /// The arcs, one bit each, and of these the ones that own the faces at their ends.
    left: u8,
    owned: [u8; 2],
}

impl Default for Scan {
    fn default() -> Scan {
        Scan {
            blocks: [LeftBlock::default(); MOST_ARCS],
            block_count: 0,
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
        reached: &Reached,
        faces: &mut [LeftFace; MOST_FACES],
    ) -> Option<usize> {
        self.block_count = 0;
        self.level = level;
        let tests = Tests::new(simd, view, level);
        for (group, blocks) in &reached.groups[..reached.len] {
            self.open(simd, many, *group as usize, *blocks, &tests)?;
        }
        self.unpack(many, faces)
    }

    /// Looks at some blocks of a group.
    #[inline(always)]
    fn open<S: Simd>(
        &mut self,
        simd: S,
        many: &Many,
        group: usize,
        mut hit: u32,
        tests: &Tests<S>,
    ) -> Option<()> {
        let zero = f32x8::splat(simd, 0.0);
        if self.block_count + 8 > MOST_ARCS {
            return None;
        }
        let cones = &many.cones[group];
        while hit != 0 {
            let lane = hit.trailing_zeros() as usize % 8;
            hit &= hit - 1;
            let number = 8 * group + lane;
            let Some(arcs) = many.blocks.get(number) else {
                break;
            };
            let by_second = tests.by_point(simd, arcs, 1);
            let by_first = tests.by_point(simd, arcs, 0);
            let by_ball = tests.by_ball(simd, arcs, cones.half_cos[lane]);
            let arc = by_second[0]
                .min(by_second[1])
                .max(by_first[0].min(by_first[1]))
                .max(by_ball[0].min(by_ball[1]));
            let left = (arc.simd_lt(zero).to_bitmask() & many.present(number)) as u8;
            // Written in any case, and kept if there is something: which is hard to foresee.
            let block = &mut self.blocks[self.block_count];
            arc.store_slice(&mut block.arcs);
            for end in 0..2 {
                let height = by_ball[end].max(by_first[end]).max(by_second[end]);
                height.store_slice(&mut block.ends[end]);
                let low = height.simd_lt(zero).to_bitmask() as u8;
                block.owned[end] = low & left & cones.owned[end][lane];
            }
            block.number = number as u32;
            block.left = left;
            self.block_count += usize::from(left != 0);
        }
        Some(())
    }

    /// Lists the arcs and faces of the blocks that are left.
    #[inline(always)]
    fn unpack(&mut self, many: &Many, faces: &mut [LeftFace; MOST_FACES]) -> Option<usize> {
        self.len = 0;
        let mut face_count = 0;
        for block in &self.blocks[..self.block_count] {
            if self.len + 8 > MOST_ARCS || face_count + 16 > MOST_FACES {
                return None;
            }
            let arcs = &many.blocks[block.number as usize];
            for end in 0..2 {
                let mut found = block.owned[end];
                while found != 0 {
                    let lane = found.trailing_zeros() as usize % 8;
                    found &= found - 1;
                    let height = self.level + block.ends[end][lane];
                    faces[face_count] = arcs.left_face(end, lane, height);
                    face_count += 1;
                }
            }
            let mut left = block.left;
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                self.places[self.len] = 8 * block.number + lane;
                self.below[self.len] = block.arcs[lane as usize % 8];
                self.len += 1;
            }
        }
        Some(face_count)
    }

    /// The places of the arcs that are not above a level, which is not above that of the scan; how many they are.
    #[inline(always)]
    pub(super) fn arcs(&self, many: &Many, level: f32, places: &mut [u32]) -> usize {
        let drop = self.level - level;
        let mut kept = 0;
        for k in 0..self.len.min(MOST_ARCS) {
            let place = self.places[k];
            places[kept] = place;
            // A level lower by `drop` raises a bound by that much, or by that times the cosine of half of the arc.
            let rise = drop * many.half_cos(place);
            kept += usize::from(self.below[k] + rise < 0.0);
        }
        kept
    }
}

/// The three tests of a view, in all lanes.
struct Tests<S: Simd> {
    ball: Wide<S>,
    points: [Wide<S>; 2],
    /// The radius of the ball minus the level.
    beyond_ball: f32x8<S>,
    /// Minus the level.
    beyond_point: f32x8<S>,
    /// One over the distance of the ball's centre.
    inverse: f32x8<S>,
}

impl<S: Simd> Tests<S> {
    #[inline(always)]
    fn new(simd: S, view: &View, level: f32) -> Tests<S> {
        let inverse = view.distance.max(f32::MIN_POSITIVE).recip();
        Tests {
            ball: splat(simd, view.center),
            points: [splat(simd, view.points[0]), splat(simd, view.points[1])],
            beyond_ball: f32x8::splat(simd, view.radius - level),
            beyond_point: f32x8::splat(simd, -level),
            inverse: f32x8::splat(simd, inverse),
        }
    }

    /// One bit for each cone that reaches into the one about the centre.
    #[inline(always)]
    fn reached(&self, simd: S, cones: &Cones) -> u64 {
        let one = f32x8::splat(simd, 1.0);
        let low = f32x8::load_array_ref(simd, &cones.low);
        let cos = ((low + self.beyond_ball) * self.inverse).min(one);
        let sin = (one - cos * cos).max(f32x8::splat(simd, 0.0)).sqrt();
        let along = Wide::load(simd, &cones.axis).dot(self.ball) * self.inverse;
        let rim = cos * f32x8::load_array_ref(simd, &cones.cos)
            - sin * f32x8::load_array_ref(simd, &cones.sin)
            - f32x8::splat(simd, SLACK);
        let is_wide = cos.simd_lt(f32x8::splat(simd, LEAST_COS));
        (along.simd_ge(rim) | is_wide).to_bitmask()
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
