//! One frame for both polytopes: that of `a`, about its centre, in units of the larger of the two.
//!
//! Everything here is in `f32` and within [`Frame::tolerance`] of the truth. In units, vertices of `a` are within 1 of the
//! origin, the centres of overlapping polytopes within 2, vertices of `b` within 3, and their differences within 4. With
//! `u = 2^-24`, a vertex of `b` in this frame is off by at most `16 u`: by its own rounding, that of the matrix (together
//! `4 u`), of the product (`6 u`), of the offset and of the sum (`2 u + 3 u`), and so is one of `a` as `b` sees it. A product of a difference with a unit vector
//! passes the rounding of the vector, of the product and its sums, and of an offset and a constant: at most 6 times `4 u`.
//! The length of the vector is off by `3 u`, which is `12 u` for a difference. That is `52 u` in all, below `2^-18`; the
//! tolerance is twice that.
//! The transposed matrix of a pose stands for its inverse, which is off by a few deviations.
//!
//! Pairs whose centres are farther apart have no frame, and neither have those of sizes so different that one in the unit
//! of the other is beyond `f32`.

use super::super::super::centers::Centers;
use super::super::super::side::{Side, narrowed};
use super::super::super::wide::Wide;
use crate::math::Vec3;
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{Mat3A, Vec3A};

/// Where `b` is, seen from `a`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    /// One, in world units.
    pub(super) unit: f64,
    /// The units of the packed forms of both, powers of two.
    pub(super) shares: [f32; 2],
    /// From the frame of `b` to that of `a`, and back.
    pub(super) turn: Mat3A,
    back: Mat3A,
    /// The centre of `b`.
    pub(super) offset: Vec3A,
    /// The centre of `a`, as `b` sees it.
    pub(super) offset_back: Vec3A,
    /// Balls of these radii about the centres are inside.
    pub(super) inner: [f32; 2],
    pub(super) tolerance: f32,
    /// What deviating matrices add to the tolerance.
    pub(super) deviation: f32,
}

/// Extreme vertices of both polytopes along a direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    /// Where the vertices of `a` and `b` are.
    pub(super) points: [Vec3A; 2],
    /// How far `b` must move along the direction to be apart.
    pub(super) depth: f32,
}

impl Frame {
    /// The frame of a pair, if it has one.
    #[inline(always)]
    pub(super) fn new<S: Simd>(pair: &Centers<'_, S>) -> Option<Frame> {
        let (a, b) = (&pair.a, &pair.b);
        let unit = a.packed.scale.max(b.packed.scale);
        let inverse = unit.recip();
        let shares = [a.packed.scale * inverse, b.packed.scale * inverse];
        let between = (b.center - a.center) * inverse;
        let offset = a.local(between);
        if shares[0].min(shares[1]) < LEAST_SHARE || offset.length_squared() > FARTHEST_SQUARED {
            return None;
        }
        let matrix = b.pose.matrix();
        let turn = Mat3A::from_cols(
            a.local(matrix.x_axis).as_vec3a(),
            a.local(matrix.y_axis).as_vec3a(),
            a.local(matrix.z_axis).as_vec3a(),
        );
        let deviation = (32.0 * (a.pose.deviation() + b.pose.deviation())) as f32;
        Some(Frame {
            unit,
            shares: [shares[0] as f32, shares[1] as f32],
            turn,
            back: turn.transpose(),
            offset: offset.as_vec3a(),
            offset_back: b.local(-between).as_vec3a(),
            inner: [
                (a.inner_radius().max(0.0) * inverse) as f32,
                (b.inner_radius().max(0.0) * inverse) as f32,
            ],
            tolerance: TOLERANCE + deviation,
            deviation,
        })
    }

    /// A direction as `b` sees it.
    #[inline(always)]
    pub(super) fn turned_back(&self, v: Vec3A) -> Vec3A {
        self.back * v
    }

    /// A direction of `b` as `a` sees it.
    #[inline(always)]
    pub(super) fn turned(&self, v: Vec3A) -> Vec3A {
        self.turn * v
    }

    /// Eight directions of `a` as `b` sees them.
    #[inline(always)]
    pub(super) fn eight_turned_back<S: Simd>(&self, simd: S, v: Wide<S>) -> Wide<S> {
        turn_eight(simd, &self.back, v)
    }

    /// The opposites of eight directions of a side as the other sees them.
    #[inline(always)]
    pub(super) fn eight_inward<S: Simd>(&self, simd: S, side: usize, v: Wide<S>) -> Wide<S> {
        let turn = if side == 0 { self.back } else { self.turn };
        turn_eight(simd, &-turn, v)
    }

    /// A point of the packed form of `a`.
    #[inline(always)]
    pub(super) fn point_a(&self, point: [f32; 3]) -> Vec3A {
        Vec3A::from(point) * self.shares[0]
    }

    /// A point of the packed form of `b`.
    #[inline(always)]
    pub(super) fn point_b(&self, point: [f32; 3]) -> Vec3A {
        self.offset + self.turned(Vec3A::from(point) * self.shares[1])
    }

    /// The extreme vertices along a direction of unit length, as far as `f32` can tell.
    #[inline(always)]
    pub(super) fn probe<S: Simd>(&self, pair: &Centers<'_, S>, direction: Vec3A) -> Probe {
        let (_, on_a) = farthest(pair.simd, &pair.a, direction);
        let (_, on_b) = farthest(pair.simd, &pair.b, -self.turned_back(direction));
        let points = [self.point_a(on_a), self.point_b(on_b)];
        Probe {
            points,
            depth: direction.dot(points[0] - points[1]),
        }
    }
}

/// The vertex that is farthest along a local direction, as far as `f32` can tell, and its packed form. Not by climbing, which
/// rounding may stop on nearly flat ground far below the top.
#[inline(always)]
pub(super) fn farthest<S: Simd>(simd: S, side: &Side<'_>, local: Vec3A) -> (u32, [f32; 3]) {
    let extremes = &side.polytope.gauss().extremes;
    if extremes.is_empty() {
        let vertices = &side.packed.vertices;
        let vertex = vertices.farthest(simd, local.to_array());
        (vertex, vertices.point(vertex))
    } else {
        extremes.farthest(simd, local.to_array())
    }
}

/// How far the vertices reach along a local direction, in the unit of the packed form.
#[inline(always)]
pub(super) fn reach<S: Simd>(simd: S, side: &Side<'_>, local: Vec3A) -> f32 {
    let extremes = &side.polytope.gauss().extremes;
    if extremes.is_empty() {
        side.packed.vertices.max_along(simd, local.to_array())
    } else {
        extremes.max_along(simd, local.to_array())
    }
}

/// The cells of the tables of both that a search along the offset of the centres looks at, or near them; any numbers where there is no
/// table.
#[inline(always)]
pub(super) fn cells_along_offset<S: Simd>(pair: &Centers<'_, S>) -> [u32; 2] {
    let offset = pair.direction();
    [cell_along(&pair.a, offset), cell_along(&pair.b, -offset)]
}

#[inline(always)]
fn cell_along(side: &Side<'_>, direction: Vec3) -> u32 {
    if side.has_table() {
        let local = narrowed(side.local(direction));
        side.polytope.gauss().extremes.cell_of(local) as u32
    } else {
        0
    }
}

/// Smaller than this as a share of the other, a polytope has no frame with it.
const LEAST_SHARE: f64 = 1.0 / (1u64 << 60) as f64;
/// The square of 2, and some.
const FARTHEST_SQUARED: f64 = 4.1;
/// See the head of this file.
const TOLERANCE: f32 = 1.0 / (1u64 << 17) as f32;

#[inline(always)]
fn turn_eight<S: Simd>(simd: S, turn: &Mat3A, v: Wide<S>) -> Wide<S> {
    let [x, y, z] = [turn.x_axis, turn.y_axis, turn.z_axis];
    let sum = splat(simd, x.to_array()).scale(v.x);
    let sum = sum.add(splat(simd, y.to_array()).scale(v.y));
    sum.add(splat(simd, z.to_array()).scale(v.z))
}

/// The same vector in all lanes.
#[inline(always)]
pub(super) fn splat<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> Wide<S> {
    Wide {
        x: f32x8::splat(simd, x),
        y: f32x8::splat(simd, y),
        z: f32x8::splat(simd, z),
    }
}
