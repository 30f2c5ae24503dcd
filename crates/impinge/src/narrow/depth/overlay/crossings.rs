//! Edges of both polytopes whose arcs cross: eight of `b` against one of `a` at a time.
//!
//! Arcs with ends `n_1, n_2` and `m_1, m_2`, of edges `e` and `f`, cross at a multiple of `x = e x f` when
//! `m_1 . e` and `m_2 . e` have different signs, `n_1 . f` and `n_2 . f` too, and `x`, taken on the side of `n_1 + n_2`, is
//! also on that of `m_1 + m_2`. There, `b` must move by `x . (v - w) / |x|` to be apart, with `v` and `w` on the edges.
//! Every comparison gives way by its rounding, so that no crossing is missed; what is found may be none.

use super::super::super::wide::{Columns, Wide, set};
use super::cull::MOST_ARCS;
use super::frame::{Frame, splat};
use crate::shape::{EdgeArc, GaussMap};
use fearless_simd::{Simd, f32x8, prelude::*};

/// The most crossings that are kept.
const MOST_CROSSINGS: usize = 32;
const BLOCKS: usize = MOST_ARCS / 8;
/// More than the rounding of products of unit vectors that were turned.
const SLACK: f32 = 2e-6;
/// The same for a product with a difference of up to four units.
const LONG_SLACK: f32 = 8e-6;

/// Eight arcs of `b`, in the frame of `a`.
#[derive(Debug, Clone, Copy)]
struct Eight {
    ends: [Columns; 2],
    along: Columns,
    start: Columns,
}

/// Arcs that may cross.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Crossing {
    /// The edges of `a` and `b`, by the places of their arcs.
    pub(super) places: [u32; 2],
    /// The depth there is at least this, if it is a crossing at all.
    pub(super) lower: f32,
}

/// The arcs of both that are compared, and the crossings found.
#[derive(Debug)]
pub(super) struct Crossings {
    of_b: [Eight; BLOCKS],
    pub(super) found: [Crossing; MOST_CROSSINGS],
    pub(super) len: usize,
}

impl Default for Crossings {
    fn default() -> Crossings {
        const ZERO: Columns = [[0.0; 8]; 3];
        Crossings {
            of_b: [Eight {
                ends: [ZERO; 2],
                along: ZERO,
                start: ZERO,
            }; BLOCKS],
            found: [Crossing::default(); MOST_CROSSINGS],
            len: 0,
        }
    }
}

impl Crossings {
    /// Finds the crossings of some arcs of both, given by their places, with a depth below `level`; false when there are too many.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        frame: &Frame,
        maps: [&GaussMap; 2],
        places: [&[u32]; 2],
        level: f32,
    ) -> bool {
        self.len = 0;
        if places[0].is_empty() || places[1].is_empty() {
            return true;
        }
        self.gather(simd, frame, maps[1], places[1]);
        let limits = Limits {
            level,
            slack: SLACK + 8.0 * frame.deviation,
            share: frame.shares[0],
        };
        // Eight arcs of `b` stay in registers while those of `a` pass by.
        for (eight, chunk) in self.of_b.iter().zip(places[1].chunks(8)) {
            let arcs_b = Turned::load(simd, eight);
            let present = 0xff >> (8 - chunk.len());
            for place_a in places[0] {
                let arc = &maps[0].arcs[*place_a as usize];
                let (found, lower) = crossing(simd, arc, &arcs_b, eight, limits);
                let mut found = found & present;
                while found != 0 {
                    let lane = found.trailing_zeros() as usize;
                    found &= found - 1;
                    if self.len == MOST_CROSSINGS {
                        return false;
                    }
                    self.found[self.len] = Crossing {
                        places: [*place_a, chunk[lane]],
                        lower: lower[lane],
                    };
                    self.len += 1;
                }
            }
        }
        true
    }

    /// Copies arcs of `b`, turned around: along its normals `a` moves, along the opposites `b` does.
    #[inline(always)]
    fn gather<S: Simd>(&mut self, simd: S, frame: &Frame, map: &GaussMap, places: &[u32]) {
        let turn = frame.turn;
        let columns = [
            splat(simd, turn.x_axis.to_array()),
            splat(simd, turn.y_axis.to_array()),
            splat(simd, turn.z_axis.to_array()),
        ];
        let offset = splat(simd, frame.offset.to_array());
        let share = f32x8::splat(simd, frame.shares[1]);
        for (eight, chunk) in self.of_b.iter_mut().zip(places.chunks(8)) {
            for (lane, place) in chunk.iter().enumerate() {
                let arc = &map.arcs[*place as usize];
                set(&mut eight.ends[0], lane, arc.ends[0]);
                set(&mut eight.ends[1], lane, arc.ends[1]);
                set(&mut eight.along, lane, arc.along);
                set(&mut eight.start, lane, arc.start);
            }
            let zero = splat(simd, [0.0; 3]);
            for end in &mut eight.ends {
                *end = zero.sub(apply(&columns, Wide::load(simd, end))).store();
            }
            eight.along = apply(&columns, Wide::load(simd, &eight.along)).store();
            let start = apply(&columns, Wide::load(simd, &eight.start)).scale(share);
            eight.start = offset.add(start).store();
        }
    }
}

/// A matrix, by columns, times a vector.
#[inline(always)]
fn apply<S: Simd>(columns: &[Wide<S>; 3], v: Wide<S>) -> Wide<S> {
    let sum = columns[0].scale(v.x).add(columns[1].scale(v.y));
    sum.add(columns[2].scale(v.z))
}

#[derive(Clone, Copy)]
struct Limits {
    level: f32,
    slack: f32,
    /// The unit of the arc of `a`.
    share: f32,
}

/// The ends and edges of eight arcs of `b`.
struct Turned<S: Simd> {
    ends: [Wide<S>; 2],
    along: Wide<S>,
}

impl<S: Simd> Turned<S> {
    #[inline(always)]
    fn load(simd: S, eight: &Eight) -> Turned<S> {
        Turned {
            ends: [
                Wide::load(simd, &eight.ends[0]),
                Wide::load(simd, &eight.ends[1]),
            ],
            along: Wide::load(simd, &eight.along),
        }
    }
}

/// One bit for each arc of eight that may cross an arc below a level, and bounds from below for the depths there.
#[inline(always)]
fn crossing<S: Simd>(
    simd: S,
    arc: &EdgeArc,
    arcs_b: &Turned<S>,
    eight: &Eight,
    limits: Limits,
) -> (u64, [f32; 8]) {
    let slack = f32x8::splat(simd, limits.slack);
    let zero = f32x8::splat(simd, 0.0);
    let e = splat(simd, arc.along);
    let n = [splat(simd, arc.ends[0]), splat(simd, arc.ends[1])];
    let (m, f) = (&arcs_b.ends, arcs_b.along);
    let (p, q) = ([m[0].dot(e), m[1].dot(e)], [n[0].dot(f), n[1].dot(f)]);
    let is_across = p[0].min(p[1]).simd_le(slack)
        & p[0].max(p[1]).simd_ge(zero - slack)
        & q[0].min(q[1]).simd_le(slack)
        & q[0].max(q[1]).simd_ge(zero - slack);
    if is_across.to_bitmask() == 0 {
        return (0, [0.0; 8]);
    }
    let x = e.cross(f);
    let side = x.dot(n[0].add(n[1]));
    let sign = side
        .simd_lt(zero)
        .select(zero - f32x8::splat(simd, 1.0), f32x8::splat(simd, 1.0));
    let is_unclear = side.abs().simd_le(slack);
    let facing = x.dot(m[0].add(m[1])) * sign;
    let length = x.dot(x).sqrt();
    let long_slack = slack * f32x8::splat(simd, LONG_SLACK / SLACK);
    let v = splat(simd, arc.start).scale(f32x8::splat(simd, limits.share));
    let depth = x.dot(v.sub(Wide::load(simd, &eight.start))) * sign - long_slack;
    let is_low = depth.simd_le(length * f32x8::splat(simd, limits.level));
    let found = is_across & (is_unclear | (facing.simd_ge(zero - slack) & is_low));
    let found = found.to_bitmask();
    let mut lower = [0.0; 8];
    if found != 0 {
        let bound = is_unclear.select(f32x8::splat(simd, f32::NEG_INFINITY), depth / length);
        bound.store_slice(&mut lower);
    }
    (found, lower)
}
