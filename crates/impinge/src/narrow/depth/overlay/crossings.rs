//! Edges of both polytopes whose arcs cross: eight of `a` against one of `b` at a time.
//!
//! Arcs with ends `n_1, n_2` and `m_1, m_2`, of edges `e` and `f`, cross at a multiple of `x = e x f` when
//! `m_1 . e` and `m_2 . e` have different signs, and `n_1 . f` and `n_2 . f` too. Seen along `e` the arc of `a` goes from its left end
//! to its right one in the sense of a screw, `n_1 x n_2` is a positive multiple of `e`; so `x`, on the side of the arc,
//! has the sign of `(n_1 - n_2) . f`. The ends of arcs of `b` count with the opposite sign (along its normals `a` moves,
//! along the opposites `b` does), so there it has the sign of `(m_1 - m_2) . e`; and both must be the same. There,
//! `b` must move by `x . (v - w) / |x|` to be apart, with `v` and `w` on the edges.
//!
//! All of this is in the frame and unit of `b`: to turn eight arcs of `a` takes as long as to turn one of `b`.
//!
//! Every comparison gives way by its rounding, so that no crossing is missed; what is found may be none. Nothing branches on
//! what it finds before all is computed: which of the tests an arc fails is hard to foresee.

use super::super::super::wide::Wide;
use super::cull::{LeftArcs, MOST_ARCS};
use super::frame::{Frame, splat};
use crate::shape::{EdgeArc, GaussMap};
use fearless_simd::{Simd, f32x4, f32x8, mask32x8, prelude::*};

/// The most crossings that are kept.
const MOST_CROSSINGS: usize = 32;
/// More than the rounding of products of unit vectors that were turned.
const SLACK: f32 = 2e-6;
/// The same for a product with a difference of up to four units.
const LONG_SLACK: f32 = 8e-6;

/// The number of each lane.
const LANE_NUMBERS: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// Arcs that may cross.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Crossing {
    /// The places of the arcs of `a` and `b`.
    pub(super) arcs: [u32; 2],
    /// The depth there is at least this, if it is a crossing at all.
    pub(super) lower: f32,
}

/// The crossing with the least bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Least {
    /// The places of the arcs of `a` and `b`.
    pub(super) arcs: [u32; 2],
    /// The depth there is at least this, if it is a crossing at all; infinity when there is none.
    pub(super) lower: f32,
    /// The same for all others.
    pub(super) others: f32,
}

/// The crossings found.
#[derive(Debug)]
pub(super) struct Crossings {
    pub(super) found: [Crossing; MOST_CROSSINGS],
    pub(super) len: usize,
}

impl Default for Crossings {
    fn default() -> Crossings {
        Crossings {
            found: [Crossing::default(); MOST_CROSSINGS],
            len: 0,
        }
    }
}

impl Crossings {
    /// The least crossing of some arcs of both, of those with a depth below `level`: without a list, and without a branch on what is
    /// found.
    #[inline(always)]
    pub(super) fn least<S: Simd>(
        simd: S,
        frame: &Frame,
        maps: [&GaussMap; 2],
        arcs: [&LeftArcs; 2],
        level: f32,
    ) -> Least {
        let places = [arcs[0].as_slice(), arcs[1].as_slice()];
        let limits = Limits::new(simd, frame, level);
        let none = f32x8::splat(simd, f32::INFINITY);
        let lanes = f32x8::load_array_ref(simd, &LANE_NUMBERS);
        let (mut least, mut second) = (none, none);
        let mut pair = f32x8::splat(simd, 0.0);
        let mut first = 0;
        while first < places[0].len() {
            let arcs_a = Eight::gather(simd, frame, maps[0], arcs[0].eight(first));
            let is_present = lanes.simd_lt(f32x8::splat(simd, (places[0].len() - first) as f32));
            for (k, place) in places[1].iter().enumerate() {
                let seen = arcs_a.seen_from(simd, &maps[1].arcs[*place as usize], &limits);
                let bound = (seen.found & is_present).select(seen.bound(simd), none);
                second = second.min(least.max(bound));
                let number = f32x8::splat(simd, (first * MOST_ARCS + k) as f32);
                pair = bound.simd_lt(least).select(number, pair);
                least = least.min(bound);
            }
            first += 8;
        }
        let lower = least.reduce_min();
        let holds = least.simd_eq(f32x8::splat(simd, lower)).to_bitmask();
        let lane = holds.trailing_zeros() as usize % 8;
        let is_other = lanes.simd_eq(f32x8::splat(simd, lane as f32));
        let number = pair.to_array()[lane] as usize;
        let place = |side: usize, k: usize| places[side].get(k).copied().unwrap_or(0);
        Least {
            arcs: [
                place(0, number / MOST_ARCS + lane),
                place(1, number % MOST_ARCS),
            ],
            lower: lower * frame.shares[1],
            others: is_other.select(second, least).reduce_min() * frame.shares[1],
        }
    }

    /// Finds the crossings of some arcs of both with a depth below `level`; false when there are too many.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        frame: &Frame,
        maps: [&GaussMap; 2],
        arcs: [&LeftArcs; 2],
        level: f32,
    ) -> bool {
        self.len = 0;
        let places = [arcs[0].as_slice(), arcs[1].as_slice()];
        let limits = Limits::new(simd, frame, level);
        let mut first = 0;
        while first < places[0].len() {
            let eight = arcs[0].eight(first);
            let arcs_a = Eight::gather(simd, frame, maps[0], eight);
            let present = 0xff >> (8 - (places[0].len() - first).min(8));
            for place_b in places[1] {
                let seen = arcs_a.seen_from(simd, &maps[1].arcs[*place_b as usize], &limits);
                let found = seen.found.to_bitmask() & present;
                let lower = seen.bound(simd) * f32x8::splat(simd, frame.shares[1]);
                if found != 0 && !self.add(found, lower.to_array(), eight, *place_b) {
                    return false;
                }
            }
            first += 8;
        }
        true
    }

    /// Adds crossings of some of eight arcs of `a` with one of `b`; false when there are too many.
    #[inline(always)]
    fn add(&mut self, mut found: u64, lower: [f32; 8], eight: &[u32; 8], place_b: u32) -> bool {
        while found != 0 {
            let lane = found.trailing_zeros() as usize % 8;
            found &= found - 1;
            if self.len == MOST_CROSSINGS {
                return false;
            }
            self.found[self.len] = Crossing {
                arcs: [eight[lane], place_b],
                lower: lower[lane],
            };
            self.len += 1;
        }
        true
    }
}

/// What comparisons give way by, and the level, in all lanes.
struct Limits<S: Simd> {
    slack: f32x8<S>,
    long_slack: f32x8<S>,
    level: f32x8<S>,
}

impl<S: Simd> Limits<S> {
    #[inline(always)]
    fn new(simd: S, frame: &Frame, level: f32) -> Limits<S> {
        let slack = SLACK + 8.0 * frame.deviation;
        // Powers of two: what is computed in the unit of `b` is rounded as it would be in that of the pair.
        let scale = frame.shares[1].recip();
        Limits {
            slack: f32x8::splat(simd, slack),
            long_slack: f32x8::splat(simd, slack * (LONG_SLACK / SLACK) * scale),
            level: f32x8::splat(simd, level * scale),
        }
    }
}

/// Eight arcs of `a`, as `b` sees them.
struct Eight<S: Simd> {
    ends: [Wide<S>; 2],
    along: Wide<S>,
    start: Wide<S>,
}

/// Eight arcs of `a`, seen from one of `b`.
struct Seen<S: Simd> {
    /// Whether they may cross below the level.
    found: mask32x8<S>,
    /// Whether not even the sign of the depth is clear.
    is_unclear: mask32x8<S>,
    /// A bound from below for the depth, times the length of the normal.
    depth: f32x8<S>,
    /// That length.
    length: f32x8<S>,
}

impl<S: Simd> Seen<S> {
    /// Bounds from below for the depths.
    #[inline(always)]
    fn bound(&self, simd: S) -> f32x8<S> {
        let nothing = f32x8::splat(simd, f32::NEG_INFINITY);
        self.is_unclear.select(nothing, self.depth / self.length)
    }
}

impl<S: Simd> Eight<S> {
    #[inline(always)]
    fn gather(simd: S, frame: &Frame, map: &GaussMap, places: &[u32; 8]) -> Eight<S> {
        let arc = |k: usize| &map.arcs[places[k] as usize];
        let arcs = [
            arc(0),
            arc(1),
            arc(2),
            arc(3),
            arc(4),
            arc(5),
            arc(6),
            arc(7),
        ];
        let first_ends = columns(
            simd,
            #[inline(always)]
            |k| &arcs[k].ends[0],
        );
        let second_ends = columns(
            simd,
            #[inline(always)]
            |k| &arcs[k].ends[1],
        );
        let along = columns(
            simd,
            #[inline(always)]
            |k| &arcs[k].along,
        );
        let start = columns(
            simd,
            #[inline(always)]
            |k| &arcs[k].start,
        );
        let scale = frame.shares[1].recip();
        let share = f32x8::splat(simd, frame.shares[0] * scale);
        let center = splat(simd, (frame.offset_back * scale).to_array());
        let start = frame.eight_turned_back(simd, start).scale(share);
        Eight {
            ends: [
                frame.eight_turned_back(simd, first_ends),
                frame.eight_turned_back(simd, second_ends),
            ],
            along: frame.eight_turned_back(simd, along),
            start: start.add(center),
        }
    }

    /// The arcs, seen from an arc of `b`.
    #[inline(always)]
    fn seen_from(&self, simd: S, arc: &EdgeArc, limits: &Limits<S>) -> Seen<S> {
        let zero = f32x8::splat(simd, 0.0);
        let (slack, below) = (limits.slack, zero - limits.slack);
        let f = vector(simd, &arc.along);
        let p = [
            vector(simd, &arc.ends[0]).dot(self.along),
            vector(simd, &arc.ends[1]).dot(self.along),
        ];
        let q = [self.ends[0].dot(f), self.ends[1].dot(f)];
        let is_across = p[0].min(p[1]).simd_le(slack)
            & p[0].max(p[1]).simd_ge(below)
            & q[0].min(q[1]).simd_le(slack)
            & q[0].max(q[1]).simd_ge(below);
        let (turn_a, turn_b) = (q[0] - q[1], p[0] - p[1]);
        let is_unclear = turn_a.abs().min(turn_b.abs()).simd_le(slack + slack);
        let is_facing = (turn_a * turn_b).simd_gt(zero);
        let x = self.along.cross(f);
        let between = self.start.sub(vector(simd, &arc.start));
        let sign = f32x8::splat(simd, 1.0).copysign(turn_a);
        let depth = x.dot(between) * sign - limits.long_slack;
        let length = x.dot(x).sqrt();
        let is_low = depth.simd_le(length * limits.level);
        Seen {
            found: is_across & (is_unclear | (is_facing & is_low)),
            is_unclear,
            depth,
            length,
        }
    }
}

/// The first three numbers of a row, in all lanes.
#[inline(always)]
fn vector<S: Simd>(simd: S, [x, y, z, _]: &[f32; 4]) -> Wide<S> {
    splat(simd, [*x, *y, *z])
}

/// The first three numbers of eight rows, as columns.
#[inline(always)]
fn columns<'r, S: Simd>(simd: S, row: impl Fn(usize) -> &'r [f32; 4]) -> Wide<S> {
    let four = |first: usize| {
        let load = |k: usize| f32x4::load_array_ref(simd, row(first + k));
        let (p, q, r, s) = (load(0), load(1), load(2), load(3));
        let (low, high) = (p.zip_low(r), q.zip_low(s));
        let (third_low, third_high) = (p.zip_high(r), q.zip_high(s));
        (
            low.zip_low(high),
            low.zip_high(high),
            third_low.zip_low(third_high),
        )
    };
    let (left, right) = (four(0), four(4));
    Wide {
        x: left.0.combine(right.0),
        y: left.1.combine(right.1),
        z: left.2.combine(right.2),
    }
}
