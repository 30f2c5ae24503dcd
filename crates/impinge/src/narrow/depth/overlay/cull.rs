//! Which faces and edges of a polytope may have to do with the depth, by bounds from below.
//!
//! Let `h(n)` be how far `b` must move along `n` to be apart from `a`. Where `n` is the normal of a face of `a`, or on the
//! arc of an edge, `h(n)` is at least `n . (v - q)` for the vertices `v` there and any point `q` of `b`; with a ball of
//! radius `r` about `q` inside `b`, at least `n . (v - q) + r`. With `x_i = n_i . (v - q)` at the two ends of an arc, all of
//! the arc is above a level `T` when
//!
//! - `x_i + (r - T) >= 0` at both ends, for `r <= T`: a point between is `n = s n_1 + t n_2` with `s, t >= 0`, and `1` is at
//!   most `s + t`;
//! - `x_i + (r - T) c >= 0` at both ends, for `r > T` and `c` the cosine of half of the arc: `1` is at least `(s + t) c`.
//!
//! Before that, whole blocks of arcs are left out: with balls inside both, `h(n)` is at least the sum of the radii minus
//! `n . D`, `D` the offset of the centres, so all that matters is in a cone about `D`.

use super::super::super::side::narrowed;
use super::super::super::wide::Wide;
use super::frame::splat;
use crate::math::Vec3;
use crate::shape::{Arcs, GaussMap};
use fearless_simd::{Simd, f32x8, prelude::*};

/// The most arcs that are worth comparing with each other.
pub(super) const MOST_ARCS: usize = 96;
/// The most faces that are looked at.
pub(super) const MOST_FACES: usize = 64;

/// What one polytope is held against, in its own frame and unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// From the centre towards that of the other, of unit length.
    axis: [f32; 3],
    /// The cosine and sine of the angle about the axis outside of which nothing matters, and a slack.
    cos: f32,
    sin: f32,
    slack: f32,
    /// The centre of the other, and the radius of the ball about it minus the level.
    ball: Test,
    /// Points of the other, and minus the level.
    points: [Test; 2],
}

/// A point of the other polytope and a height.
#[derive(Debug, Clone, Copy)]
struct Test {
    point: [f32; 3],
    height: f32,
}

impl Test {
    #[inline(always)]
    fn new(point: Vec3, height: f64) -> Test {
        Test {
            point: narrowed(point),
            height: height as f32,
        }
    }
}

impl View {
    /// A view of a polytope with a ball of radius `own` about its centre inside it. The other's centre is at `offset` and a
    /// ball of radius `other` inside that one; two more of its points are given.
    #[inline(always)]
    pub(super) fn new(offset: Vec3, own: f64, other: f64, points: [Vec3; 2], level: f64) -> View {
        let distance = offset.length();
        let cos = (own + other - level) / distance;
        let mut view = View {
            axis: [0.0; 3],
            cos: 0.0,
            sin: 0.0,
            slack: EVERYWHERE,
            ball: Test::new(offset, other - level),
            points: [Test::new(points[0], -level), Test::new(points[1], -level)],
        };
        if cos > LEAST_COS {
            let cos = cos.min(1.0);
            view.axis = narrowed(offset / distance);
            view.cos = cos as f32;
            view.sin = (1.0 - cos * cos).sqrt() as f32;
            view.slack = SLACK;
        }
        view
    }
}

/// A cone wider than this is no cone.
const LEAST_COS: f64 = 1e-3;
/// More than the rounding of products of unit vectors.
const SLACK: f32 = 2e-6;
/// More than any difference of cosines.
const EVERYWHERE: f32 = 4.0;

/// What is left.
#[derive(Debug)]
pub(super) struct Left {
    pub(super) arcs: [u32; MOST_ARCS],
    /// For each arc, how much below the level the best bound for it is, negative, in units of the polytope.
    below: [f32; MOST_ARCS],
    pub(super) arc_count: usize,
    pub(super) faces: [LeftFace; MOST_FACES],
    pub(super) face_count: usize,
}

/// A face that is left, by an arc and which end of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LeftFace {
    pub(super) arc: u32,
    pub(super) end: u8,
    /// How much below the level the best bound for it is, negative, in units of the polytope.
    pub(super) below: f32,
}

impl Default for Left {
    fn default() -> Left {
        Left {
            arcs: [0; MOST_ARCS],
            below: [0.0; MOST_ARCS],
            arc_count: 0,
            faces: [LeftFace::default(); MOST_FACES],
            face_count: 0,
        }
    }
}

impl Left {
    /// Finds what the view leaves of a polytope; false when it is too much.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(&mut self, simd: S, map: &GaussMap, view: &View) -> bool {
        self.arc_count = 0;
        self.face_count = 0;
        let tests = Tests::new(simd, view);
        let axis = splat(simd, view.axis);
        let cos = f32x8::splat(simd, view.cos);
        let sin = f32x8::splat(simd, view.sin);
        let slack = f32x8::splat(simd, view.slack);
        for (group, cones) in map.cones.iter().enumerate() {
            let along = Wide::load(simd, &cones.axis).dot(axis);
            let rim = cos * f32x8::load_array_ref(simd, &cones.cos)
                - sin * f32x8::load_array_ref(simd, &cones.sin)
                - slack;
            let mut hit = along.simd_ge(rim).to_bitmask();
            while hit != 0 {
                let block = 8 * group + hit.trailing_zeros() as usize;
                hit &= hit - 1;
                if block < map.blocks.len() {
                    let lane = block % 8;
                    let whole = Whole {
                        block,
                        half_cos: cones.half_cos[lane],
                        owned: [cones.owned[0][lane], cones.owned[1][lane]],
                    };
                    if !self.scan(simd, map, &whole, &tests) {
                        return false;
                    }
                }
            }
        }
        true
    }

    #[inline(always)]
    fn scan<S: Simd>(&mut self, simd: S, map: &GaussMap, whole: &Whole, tests: &Tests<S>) -> bool {
        let block = whole.block;
        let arcs: &Arcs = &map.blocks[block];
        let zero = f32x8::splat(simd, 0.0);
        let at_ball = tests
            .ball
            .heights(simd, arcs, tests.ball_height(simd, whole.half_cos));
        let first = tests.points[0].heights(simd, arcs, tests.level);
        let second = tests.points[1].heights(simd, arcs, tests.level);
        let arc = (at_ball[0].min(at_ball[1]))
            .max(first[0].min(first[1]))
            .max(second[0].min(second[1]));
        let mut left = arc.simd_lt(zero).to_bitmask();
        if left == 0 {
            return true;
        }
        left &= u64::MAX >> (56 + 8_usize.saturating_sub(map.len - 8 * block));
        if self.arc_count + 8 > MOST_ARCS || self.face_count + 16 > MOST_FACES {
            return false;
        }
        let faces = [
            at_ball[0].max(first[0]).max(second[0]),
            at_ball[1].max(first[1]).max(second[1]),
        ];
        for (k, heights) in faces.into_iter().enumerate() {
            let found = heights.simd_lt(zero).to_bitmask() & left & u64::from(whole.owned[k]);
            if found != 0 {
                let mut below = [0.0; 8];
                heights.store_slice(&mut below);
                self.push_faces(found, 8 * block as u32, k as u8, &below);
            }
        }
        let mut below = [0.0; 8];
        arc.store_slice(&mut below);
        while left != 0 {
            let lane = left.trailing_zeros();
            self.arcs[self.arc_count] = 8 * block as u32 + lane;
            self.below[self.arc_count] = below[lane as usize % 8];
            self.arc_count += 1;
            left &= left - 1;
        }
        true
    }

    /// Leaves out the arcs that are above a level which is lower by `drop`, in units of the polytope.
    #[inline(always)]
    pub(super) fn lower_level(&mut self, map: &GaussMap, drop: f32) {
        let mut kept = 0;
        for k in 0..self.arc_count {
            let arc = self.arcs[k];
            self.arcs[kept] = arc;
            // A level lower by `drop` raises a bound by that much, or by that times the cosine of half of the arc.
            let rise = drop * map.half_cos(arc);
            kept += usize::from(self.below[k] + rise < 0.0);
        }
        self.arc_count = kept;
    }

    #[inline(always)]
    fn push_faces(&mut self, mut found: u64, first: u32, end: u8, below: &[f32; 8]) {
        while found != 0 {
            let lane = found.trailing_zeros();
            found &= found - 1;
            self.faces[self.face_count] = LeftFace {
                arc: first + lane,
                end,
                below: below[lane as usize % 8],
            };
            self.face_count += 1;
        }
    }
}

/// A block of arcs and what is known about it as a whole.
struct Whole {
    block: usize,
    half_cos: f32,
    owned: [u8; 2],
}

/// The tests of a view, in all lanes.
struct Tests<S: Simd> {
    ball: Wide<S>,
    /// The radius of the ball minus the level.
    ball_height: f32,
    points: [Wide<S>; 2],
    /// Minus the level.
    level: f32x8<S>,
}

impl<S: Simd> Tests<S> {
    #[inline(always)]
    fn new(simd: S, view: &View) -> Tests<S> {
        Tests {
            ball: splat(simd, view.ball.point),
            ball_height: view.ball.height,
            points: [
                splat(simd, view.points[0].point),
                splat(simd, view.points[1].point),
            ],
            level: f32x8::splat(simd, view.points[0].height),
        }
    }

    /// What the ball adds, minus the level: both cases of the head of this file.
    #[inline(always)]
    fn ball_height(&self, simd: S, half_cos: f32) -> f32x8<S> {
        f32x8::splat(simd, self.ball_height.min(self.ball_height * half_cos))
    }
}

impl<S: Simd> Wide<S> {
    /// How much both ends of eight arcs are above a level, held against this point.
    #[inline(always)]
    fn heights(self, simd: S, arcs: &Arcs, height: f32x8<S>) -> [f32x8<S>; 2] {
        let offsets = [
            f32x8::load_array_ref(simd, &arcs.offsets[0]),
            f32x8::load_array_ref(simd, &arcs.offsets[1]),
        ];
        [
            offsets[0] - Wide::load(simd, &arcs.ends[0]).dot(self) + height,
            offsets[1] - Wide::load(simd, &arcs.ends[1]).dot(self) + height,
        ]
    }
}
