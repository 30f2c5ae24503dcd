//! One oriented box against the eight of a node.
//!
//! Let `Q` be the one box and `E` one of the eight, `t` the vector between their centres, and `r[i][j]` the product of axis `i`
//! of `Q` with axis `j` of `E`. Along a direction `d`, the boxes are
//! `|d . t| - sum of half edges of Q times |d . Q_i| - the same of E` apart.
//!
//! - *Overlap* (Gottschalk, Lin and Manocha 1996): if no axis of `Q` or `E`, and no product of two of them, separates the
//!   boxes, nothing does.
//! - *Distance*: along the axes of `Q` there are three gaps at right angles to each other, so the root of the sum of
//!   their squares is below the distance; the same with the axes of `E`. These are loose where the boxes face each other with
//!   corners or edges. There a direction helps: that between the closest points after going from box to box three times
//!   (alternating projections); along any direction the gap is below the distance.
//!
//! Axes are taken as unit vectors. Being off by a few roundings they do harm in proportion to the size of the boxes, which have
//! slack for it. Everything else is in the error of [`Frames`](super::frame::Frames), which results are compared with.

use super::columns::{Wide, cross, dot, load, splat, sub};
use crate::shape::{LANES, Node, Obb};
use fearless_simd::{Simd, f32x8, prelude::*};

/// A box in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Probe<S: Simd> {
    center: Wide<S>,
    axes: [Wide<S>; 3],
    half: Wide<S>,
}

impl<S: Simd> Probe<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, obb: &Obb) -> Probe<S> {
        Probe {
            center: splat(simd, obb.center),
            axes: [
                splat(simd, obb.axes[0]),
                splat(simd, obb.axes[1]),
                splat(simd, obb.axes[2]),
            ],
            half: splat(simd, obb.half),
        }
    }
}

/// A box and the eight boxes of a node, as seen along their axes.
struct Facing<S: Simd> {
    /// From the centre of `Q` to that of `E`, along the axes of `Q`.
    offset: Wide<S>,
    /// Products of the axes of `Q` with those of `E`.
    turn: [Wide<S>; 3],
    turn_abs: [Wide<S>; 3],
    half_q: Wide<S>,
    half_e: Wide<S>,
    /// How far apart the boxes are along the axes of each; negative where they overlap.
    gaps_q: Wide<S>,
    gaps_e: Wide<S>,
}

impl<S: Simd> Facing<S> {
    #[inline(always)]
    fn new(simd: S, probe: &Probe<S>, node: &Node) -> Facing<S> {
        let first = load(simd, &node.axes[0]);
        let second = load(simd, &node.axes[1]);
        let axes = [first, second, cross(first, second)];
        let half_e = load(simd, &node.half);
        let half_q = probe.half;
        let between = sub(load(simd, &node.center), probe.center);
        let zero = f32x8::splat(simd, 0.0);
        let (mut offset, mut turn, mut turn_abs) = ([zero; 3], [[zero; 3]; 3], [[zero; 3]; 3]);
        for i in 0..3 {
            offset[i] = dot(probe.axes[i], between);
            for j in 0..3 {
                turn[i][j] = dot(probe.axes[i], axes[j]);
                turn_abs[i][j] = turn[i][j].abs();
            }
        }
        let (mut gaps_q, mut gaps_e) = ([zero; 3], [zero; 3]);
        for i in 0..3 {
            gaps_q[i] = offset[i].abs() - half_q[i] - dot(half_e, turn_abs[i]);
            let column = [turn_abs[0][i], turn_abs[1][i], turn_abs[2][i]];
            gaps_e[i] = dot(axes[i], between).abs() - half_e[i] - dot(half_q, column);
        }
        Facing {
            offset,
            turn,
            turn_abs,
            half_q,
            half_e,
            gaps_q,
            gaps_e,
        }
    }

    /// The widest gap along an axis of a box.
    #[inline(always)]
    fn widest(&self) -> f32x8<S> {
        let [a, b, c] = self.gaps_q;
        let [d, e, f] = self.gaps_e;
        a.max(b).max(c).max(d.max(e).max(f))
    }

    /// The widest gap along a product of an axis of `Q` with one of `E`, which is no longer than 1.
    #[inline(always)]
    fn widest_cross(&self) -> f32x8<S> {
        let mut widest = self.gaps_q[0];
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let between =
                    self.offset[i2] * self.turn[i1][j] - self.offset[i1] * self.turn[i2][j];
                let reach_q =
                    self.half_q[i1] * self.turn_abs[i2][j] + self.half_q[i2] * self.turn_abs[i1][j];
                let reach_e =
                    self.half_e[j1] * self.turn_abs[i][j2] + self.half_e[j2] * self.turn_abs[i][j1];
                widest = widest.max(between.abs() - (reach_q + reach_e));
            }
        }
        widest
    }

    /// How far apart the boxes are, at least; 0 where they overlap.
    #[inline(always)]
    fn distances(&self, simd: S) -> f32x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        let (mut square_q, mut square_e) = (zero, zero);
        for i in 0..3 {
            let (gap_q, gap_e) = (self.gaps_q[i].max(zero), self.gaps_e[i].max(zero));
            square_q += gap_q * gap_q;
            square_e += gap_e * gap_e;
        }
        let by_axes = square_q.max(square_e).sqrt();
        let distance = by_axes.max(self.along_closest(simd));
        // Five roundings of the result itself.
        distance * f32x8::splat(simd, 1.0 - 8.0 * f32::EPSILON)
    }

    /// A vector along the axes of `Q`, along those of `E`.
    #[inline(always)]
    fn along_e(&self, v: Wide<S>) -> Wide<S> {
        let [x, y, z] = self.turn;
        [
            v[0] * x[0] + v[1] * y[0] + v[2] * z[0],
            v[0] * x[1] + v[1] * y[1] + v[2] * z[1],
            v[0] * x[2] + v[1] * y[2] + v[2] * z[2],
        ]
    }

    /// The gap along the direction between points that are nearly the closest.
    #[inline(always)]
    fn along_closest(&self, simd: S) -> f32x8<S> {
        let on_q = clamp(self.offset, self.half_q);
        // From E's centre to that point, along the axes of E; then the nearest point of E, along those of Q.
        let seen = sub(on_q, self.offset);
        let on_e = clamp(self.along_e(seen), self.half_e);
        let mut target = self.offset;
        for (target, turn) in target.iter_mut().zip(self.turn) {
            *target += dot(turn, on_e);
        }
        let direction = sub(target, clamp(target, self.half_q));
        let direction_e = self.along_e(direction);
        let mut gap = dot(direction, self.offset);
        for i in 0..3 {
            let reach_q = self.half_q[i] * direction[i].abs();
            gap = gap - reach_q - self.half_e[i] * direction_e[i].abs();
        }
        // Without a direction the gap is 0, or nearly.
        let tiny = f32x8::splat(simd, 1e-30);
        gap / (dot(direction, direction) + tiny).sqrt()
    }
}

/// The lanes of a node whose boxes may overlap the box, a bit each: all but those that are apart by more than `error`.
#[inline(always)]
pub(super) fn overlapping<S: Simd>(simd: S, probe: &Probe<S>, node: &Node, error: f32) -> u32 {
    let facing = Facing::new(simd, probe, node);
    let error = f32x8::splat(simd, error);
    let near = facing.widest().simd_le(error);
    let near = near & facing.widest_cross().simd_le(error);
    near.to_bitmask() as u32 & node.lane_bits()
}

/// How far the boxes of a node are from the box, at least, if the error of the frames is taken off.
#[inline(always)]
pub(super) fn distances<S: Simd>(simd: S, probe: &Probe<S>, node: &Node) -> [f32; LANES] {
    let mut lanes = [0.0; LANES];
    let distances = Facing::new(simd, probe, node).distances(simd);
    distances.store_slice(&mut lanes);
    lanes
}

/// [`distances`] where boxes are apart. Where they overlap, minus a number: moving one of the two by as much, in some direction,
/// parts them, if the error of the frames is added.
#[inline(always)]
pub(super) fn gaps<S: Simd>(simd: S, probe: &Probe<S>, node: &Node) -> [f32; LANES] {
    let facing = Facing::new(simd, probe, node);
    let distances = facing.distances(simd);
    let widest = facing.widest().max(facing.along_closest(simd));
    let is_apart = distances.simd_gt(f32x8::splat(simd, 0.0));
    let mut lanes = [0.0; LANES];
    is_apart.select(distances, widest).store_slice(&mut lanes);
    lanes
}

/// The nearest point of a box about the origin.
#[inline(always)]
fn clamp<S: Simd>(p: Wide<S>, half: Wide<S>) -> Wide<S> {
    [
        p[0].min(half[0]).max(-half[0]),
        p[1].min(half[1]).max(-half[1]),
        p[2].min(half[2]).max(-half[2]),
    ]
}
