//! The differences of two placed polytopes: their extremes along directions, with one error bound for all of them.
//!
//! Differences are in units of a power of two near the size of the larger polytope, so that products of three of them
//! neither overflow nor underflow. With `u` half an EPSILON, `s` the size of the coordinates of both placed polytopes
//! together, and directions of unit length up to 2 EPSILON:
//!
//! - a placed vertex is within `7 u s` of the true image of the vertex, and a comparison of two vertices in the body's
//!   frame is off by at most `17 u s` ([`Side`]); together, the extreme difference found may be short by `31 u s`,
//! - a difference and its product with a direction are each rounded, `7 u s`, and the direction's length is off, `7 u s`.
//!
//! That is below [`Differences::error`], `48 u s`.

use super::super::pair::PolytopePair;
use super::super::side::{Side, narrowed};
use super::climb::{climb, overshoot};
use crate::math::Vec3;
use crate::shape::DOT_ERROR;
use fearless_simd::Simd;

/// Two placed polytopes of ordinary size.
#[derive(Debug)]
pub(super) struct Differences<'a, S> {
    simd: S,
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
    /// One, in world units; a power of two.
    pub(super) unit: f64,
    inverse_unit: f64,
    error: f64,
}

/// A vertex of each polytope, and their difference `b - a` in units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner {
    pub(super) pair: [u32; 2],
    pub(super) point: Vec3,
}

impl<'a, S: Simd> Differences<'a, S> {
    /// The differences of two polytopes at their poses; `None` when one is too large, too small or too far away for the
    /// error bounds.
    #[inline]
    pub(super) fn new(simd: S, pair: &PolytopePair<'a>) -> Option<Differences<'a, S>> {
        let a = Side::new(pair.a, pair.pose_a)?;
        let b = Side::new(pair.b, pair.pose_b)?;
        let unit = a.packed.scale.max(b.packed.scale);
        let inverse_unit = unit.recip();
        Some(Differences {
            simd,
            unit,
            inverse_unit,
            // The error of a side is at least 8 EPSILON of its size.
            error: 3.0 * (a.error + b.error) * inverse_unit,
            a,
            b,
        })
    }

    /// In units: a product of a corner with a direction of unit length is off by at most this, and the least product of
    /// all differences is at most this below that of the corner which [`Differences::support`] finds.
    #[inline]
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    /// In units: what is within this of a plane counts as in it. A few times what rounding does to coplanar corners.
    #[inline]
    pub(super) fn tolerance(&self) -> f64 {
        0.25 * self.error
    }

    /// From the centre of `a` to that of `b`, in units.
    #[inline]
    pub(super) fn offset(&self) -> Vec3 {
        (self.b.center - self.a.center) * self.inverse_unit
    }

    /// The corner of a vertex of `a` and one of `b`.
    #[inline]
    pub(super) fn corner(&self, pair: [u32; 2]) -> Corner {
        let [vertex_a, vertex_b] = pair;
        Corner {
            pair,
            point: (self.b.place(vertex_b) - self.a.place(vertex_a)) * self.inverse_unit,
        }
    }

    /// The corner with the least product with a direction. Large polytopes are climbed from the best of the vertices of
    /// `near`, and may end too early: claims about all differences need [`Differences::settle`].
    #[inline]
    pub(super) fn support(&self, direction: Vec3, near: [[u32; 2]; 3]) -> Corner {
        self.corner([
            self.farthest(&self.a, direction, near.map(|pair| pair[0])),
            self.farthest(&self.b, -direction, near.map(|pair| pair[1])),
        ])
    }

    /// Makes a supporting corner certain: itself, or the one that a scan of all vertices finds, and in units how much less
    /// than its product with the direction the least of all differences may be, besides [`Differences::error`].
    pub(super) fn settle(&self, direction: Vec3, corner: Corner) -> (Corner, f64) {
        let [vertex_a, vertex_b] = corner.pair;
        let overshoot = (summit_error(&self.a, direction, vertex_a)
            + summit_error(&self.b, -direction, vertex_b))
            * self.inverse_unit;
        if overshoot <= self.error {
            return (corner, overshoot);
        }
        let [local_a, local_b] = [self.a.local(direction), self.b.local(-direction)];
        let pair = [
            self.a.support(self.simd, local_a),
            self.b.support(self.simd, local_b),
        ];
        (self.corner(pair), 0.0)
    }

    /// The vertex that is farthest along a world direction of unit length.
    #[inline]
    fn farthest(&self, side: &Side<'_>, direction: Vec3, near: [u32; 3]) -> u32 {
        let local = side.local(direction);
        if side.packed.vertices.is_few() {
            self.simd.vectorize(
                #[inline(always)]
                || scan(self.simd, side, local),
            )
        } else {
            climb(side.polytope, local, near)
        }
    }
}

/// How much farther than a vertex found by [`Differences::farthest`] another one may be.
#[inline]
fn summit_error(side: &Side<'_>, direction: Vec3, vertex: u32) -> f64 {
    if side.packed.vertices.is_few() {
        0.0
    } else {
        overshoot(side.polytope, side.local(direction), vertex)
    }
}

/// The farthest of all vertices: those that are farthest up to the rounding of the packed ones, compared in `f64`.
#[inline(always)]
fn scan<S: Simd>(simd: S, side: &Side<'_>, local: Vec3) -> u32 {
    // Twice the error of a product, for a direction whose length is 1 up to the deviation of a pose and rounding.
    const MARGIN: f32 = 2.01 * DOT_ERROR as f32;
    let mut found = side.packed.vertices.near_max(simd, narrowed(local), MARGIN);
    let mut best = found.trailing_zeros();
    found &= found - 1;
    if found != 0 {
        let along = |vertex: u32| local.dot(side.polytope.vertices()[vertex as usize]);
        let mut highest = along(best);
        while found != 0 {
            let vertex = found.trailing_zeros();
            found &= found - 1;
            let height = along(vertex);
            if height > highest {
                (best, highest) = (vertex, height);
            }
        }
    }
    best
}
