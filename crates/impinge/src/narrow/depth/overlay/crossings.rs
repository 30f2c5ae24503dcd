//! Edges of both polytopes whose arcs cross: eight of `b` against one of `a` at a time.
//!
//! Arcs with ends `n_1, n_2` and `m_1, m_2`, of edges `e` and `f`, cross at a multiple of `x = e x f` when
//! `m_1 . e` and `m_2 . e` have different signs, `n_1 . f` and `n_2 . f` too, and `x`, taken on the side of `n_1 + n_2`, is
//! also on that of `m_1 + m_2`. There, `b` must move by `x . (v - w) / |x|` to be apart, with `v` and `w` on the edges.
//! Every comparison gives way by its rounding, so that no crossing is missed; what is found may be none.

use super::super::super::wide::{Columns, Wide};
use super::cull::MOST_ARCS;
use super::frame::{Frame, splat};
use crate::shape::GaussMap;
use fearless_simd::{Simd, f32x8, prelude::*};

/// The most crossings that are kept.
const MOST_CROSSINGS: usize = 32;
const BLOCKS: usize = MOST_ARCS / 8;
/// More than the rounding of products of unit vectors that were turned.
const SLACK: f32 = 2e-6;
/// The same for a product with a difference of up to four units.
const LONG_SLACK: f32 = 8e-6;

/// An arc of `a`.
#[derive(Debug, Clone, Copy, Default)]
struct Arc {
    ends: [[f32; 3]; 2],
    along: [f32; 3],
    start: [f32; 3],
}

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
    /// The edges of `a` and `b`.
    pub(super) edges: [u32; 2],
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
    /// Finds the crossings of some arcs of both with a depth below `level`; false when there are too many.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        frame: &Frame,
        maps: [&GaussMap; 2],
        arcs: [&[u32]; 2],
        level: f32,
    ) -> bool {
        self.len = 0;
        if arcs[0].is_empty() || arcs[1].is_empty() {
            return true;
        }
        self.gather(simd, frame, maps[1], arcs[1]);
        let slack = SLACK + 8.0 * frame.tolerance_beyond();
        for number in arcs[0] {
            let arc = Arc::of(maps[0], *number, frame.shares[0] as f32);
            for block in 0..arcs[1].len().div_ceil(8) {
                let lanes = u64::MAX >> (56 + 8_usize.saturating_sub(arcs[1].len() - 8 * block));
                let (mut found, lower) =
                    crossing(simd, &arc, &self.of_b[block], Limits { level, slack });
                found &= lanes;
                while found != 0 {
                    let lane = found.trailing_zeros() as usize;
                    found &= found - 1;
                    if self.len == MOST_CROSSINGS {
                        return false;
                    }
                    self.found[self.len] = Crossing {
                        edges: [
                            maps[0].edges[*number as usize],
                            maps[1].edges[arcs[1][8 * block + lane] as usize],
                        ],
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
    fn gather<S: Simd>(&mut self, simd: S, frame: &Frame, map: &GaussMap, arcs: &[u32]) {
        let turn = frame.turn;
        let columns = [
            splat(simd, turn.x_axis.as_vec3().to_array()),
            splat(simd, turn.y_axis.as_vec3().to_array()),
            splat(simd, turn.z_axis.as_vec3().to_array()),
        ];
        let offset = splat(simd, frame.offset.as_vec3().to_array());
        let share = f32x8::splat(simd, frame.shares[1] as f32);
        for (eight, chunk) in self.of_b.iter_mut().zip(arcs.chunks(8)) {
            for (lane, number) in chunk.iter().enumerate() {
                let (block, place) = (*number as usize / 8, *number as usize % 8);
                let (arcs, lines) = (&map.blocks[block], &map.lines[block]);
                for axis in 0..3 {
                    eight.ends[0][axis][lane] = arcs.ends[0][axis][place];
                    eight.ends[1][axis][lane] = arcs.ends[1][axis][place];
                    eight.along[axis][lane] = lines.along[axis][place];
                    eight.start[axis][lane] = lines.start[axis][place];
                }
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

impl Frame {
    /// What deviating matrices add to the tolerance.
    fn tolerance_beyond(&self) -> f32 {
        (self.tolerance - 1.0 / (1u64 << 18) as f64) as f32
    }
}

impl Arc {
    #[inline(always)]
    fn of(map: &GaussMap, number: u32, share: f32) -> Arc {
        let (block, lane) = (number as usize / 8, number as usize % 8);
        let (arcs, lines) = (&map.blocks[block], &map.lines[block]);
        let mut arc = Arc::default();
        for axis in 0..3 {
            arc.ends[0][axis] = arcs.ends[0][axis][lane];
            arc.ends[1][axis] = arcs.ends[1][axis][lane];
            arc.along[axis] = lines.along[axis][lane];
            arc.start[axis] = lines.start[axis][lane] * share;
        }
        arc
    }
}

#[derive(Clone, Copy)]
struct Limits {
    level: f32,
    slack: f32,
}

/// One bit for each arc of eight that may cross an arc below a level, and bounds from below for the depths there.
#[inline(always)]
fn crossing<S: Simd>(simd: S, arc: &Arc, eight: &Eight, limits: Limits) -> (u64, [f32; 8]) {
    let slack = f32x8::splat(simd, limits.slack);
    let zero = f32x8::splat(simd, 0.0);
    let (e, v) = (splat(simd, arc.along), splat(simd, arc.start));
    let n = [splat(simd, arc.ends[0]), splat(simd, arc.ends[1])];
    let m = [
        Wide::load(simd, &eight.ends[0]),
        Wide::load(simd, &eight.ends[1]),
    ];
    let f = Wide::load(simd, &eight.along);
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
