//! One frame for both polytopes: that of `a`, about its centre, in units of the larger of the two.
//!
//! Everything in `f32` here is within [`Frame::tolerance`] of the truth. In units, vertices of `a` are within 1 of the
//! origin, the centres of overlapping polytopes within 2, vertices of `b` within 3, and their differences within 4. A
//! product of such a difference with a unit vector passes, in `f32`, the rounding of both (2), of the product and the
//! sums (3), of an offset and a constant (2): at most 7 times `4 * 2^-24`, below `2^-19`; the tolerance is twice that.
//! The transposed matrix of a pose stands for its inverse, which is off by a few deviations.

use super::super::super::centers::Centers;
use super::super::super::side::{Side, narrowed};
use super::super::super::wide::Wide;
use crate::math::{Mat3, Vec3};
use fearless_simd::{Simd, f32x8, prelude::*};

/// Where `b` is, seen from `a`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// One, in world units.
    pub(super) unit: f64,
    /// The units of the packed forms of both.
    pub(super) shares: [f64; 2],
    /// From the frame of `b` to that of `a`.
    pub(super) turn: Mat3,
    /// The centre of `b`.
    pub(super) offset: Vec3,
    /// Balls of these radii about the centres are inside.
    pub(super) inner: [f64; 2],
    pub(super) tolerance: f64,
}

/// Extreme vertices of both polytopes along a direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    /// The vertices of `a` and `b`.
    pub(super) vertices: [u32; 2],
    /// Where they are.
    pub(super) points: [Vec3; 2],
    /// How far `b` must move along the direction to be apart.
    pub(super) depth: f64,
}

impl Frame {
    #[inline(always)]
    pub(super) fn new<S: Simd>(pair: &Centers<'_, S>) -> Frame {
        let (a, b) = (&pair.a, &pair.b);
        let unit = a.packed.scale.max(b.packed.scale);
        let matrix = b.pose.matrix();
        let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| a.local(axis));
        let deviation = a.pose.deviation() + b.pose.deviation();
        Frame {
            unit,
            shares: [a.packed.scale / unit, b.packed.scale / unit],
            turn: Mat3::from_cols(columns[0], columns[1], columns[2]),
            offset: a.local((b.center - a.center) / unit),
            inner: [a, b].map(|side| side.inner_radius().max(0.0) / unit),
            tolerance: TOLERANCE + 32.0 * deviation,
        }
    }

    /// A direction as `b` sees it.
    #[inline(always)]
    pub(super) fn turned_back(&self, v: Vec3) -> Vec3 {
        let m = &self.turn;
        Vec3::new(m.x_axis.dot(v), m.y_axis.dot(v), m.z_axis.dot(v))
    }

    /// A direction of `b` as `a` sees it.
    #[inline(always)]
    pub(super) fn turned(&self, v: Vec3) -> Vec3 {
        self.turn.x_axis * v.x + self.turn.y_axis * v.y + self.turn.z_axis * v.z
    }

    /// A vertex of `a`.
    #[inline(always)]
    pub(super) fn vertex_a<S: Simd>(&self, pair: &Centers<'_, S>, vertex: u32) -> Vec3 {
        widened(pair.a.packed.vertices.point(vertex)) * self.shares[0]
    }

    /// A vertex of `b`.
    #[inline(always)]
    pub(super) fn vertex_b<S: Simd>(&self, pair: &Centers<'_, S>, vertex: u32) -> Vec3 {
        self.offset + self.turned(widened(pair.b.packed.vertices.point(vertex)) * self.shares[1])
    }

    /// The extreme vertices along a direction of unit length, as far as `f32` can tell; climbs begin at `near`.
    #[inline(always)]
    pub(super) fn probe<S: Simd>(
        &self,
        pair: &Centers<'_, S>,
        direction: Vec3,
        near: [u32; 2],
    ) -> Probe {
        let backward = -self.turned_back(direction);
        let vertices = [
            farthest(pair.simd, &pair.a, direction, near[0]),
            farthest(pair.simd, &pair.b, backward, near[1]),
        ];
        let points = [
            self.vertex_a(pair, vertices[0]),
            self.vertex_b(pair, vertices[1]),
        ];
        Probe {
            vertices,
            points,
            depth: direction.dot(points[0] - points[1]),
        }
    }
}

/// Up to so many vertices a scan is faster than a climb, whose every step waits for the one before.
const SCANNED: usize = 512;

/// The vertex that is farthest along a local direction, as far as `f32` can tell; climbs begin at `near`.
#[inline(always)]
fn farthest<S: Simd>(simd: S, side: &Side<'_>, local: Vec3, near: u32) -> u32 {
    let vertices = &side.packed.vertices;
    if vertices.len() <= SCANNED {
        vertices.farthest(simd, narrowed(local))
    } else {
        side.farthest(simd, narrowed(local), near)
    }
}

/// How far a polytope reaches along a local direction from its centre, in its own unit.
#[inline(always)]
pub(super) fn reach<S: Simd>(simd: S, side: &Side<'_>, local: Vec3, near: u32) -> f64 {
    let vertices = &side.packed.vertices;
    if vertices.len() <= SCANNED {
        f64::from(vertices.max_along(simd, narrowed(local)))
    } else {
        let vertex = side.farthest(simd, narrowed(local), near);
        local.dot(widened(vertices.point(vertex)))
    }
}

/// See the head of this file.
const TOLERANCE: f64 = 1.0 / (1u64 << 18) as f64;

#[inline(always)]
pub(super) fn widened([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(f64::from(x), f64::from(y), f64::from(z))
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
