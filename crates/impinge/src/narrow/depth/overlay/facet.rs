//! A candidate for the nearest facet of the differences: what follows if it is one. All in `f64`.
//!
//! Placed vertices are rounded. Let the *image* of a polytope be what its matrix would make of it without rounding, about
//! the placed centre; placed vertices are within [`Side::error`](super::super::super::side::Side::error) of it. Along any
//! unit vector the depths of the placed polytopes and of their images differ by at most both errors, and the images have
//! the faces and edges that the polytopes have. So much for the idea that faces and edges exist; now for one of them:
//!
//! A facet of the differences `a - b` of the images has a unit normal `n'`, and along it `b` must move by `n' . p`, for any
//! point `p` of the facet. Here `n` is computed, within `D` of `n'`, and `p` from placed vertices. Then
//! `n' . p >= n . p - D |p_t| - D^2 |p|`, with `p_t` the part of `p` across `n`: where the foot of the origin is in the facet,
//! it is chosen as `p`, and the error of `n` hardly matters.
//!
//! 1. The polytopes may not be beyond the facet by more than errors; if one is, this is no facet ([`Verdict::Not`]). For a
//!    face of one polytope that is certain of the polytope itself, for an edge when the normal is on its arc.
//! 2. If the origin is inside, the nearest facet has the foot of the origin in it. If the foot is outside by more than
//!    errors, this facet is not the nearest. For this the facet must be all there is: no other vertex within errors of its
//!    plane. And its depth must be positive for certain: a facet with the origin on its outer side is not passed over.
//! 3. Otherwise the depth of this facet is bounded as above.

use super::super::super::centers::Centers;
use crate::contact::{Feature, Witness};
use crate::math::{Interval, Vec3};
use fearless_simd::Simd;

/// What a closer look found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verdict {
    /// No facet, or not the nearest one.
    Not,
    /// A facet, and what follows if it is the nearest one.
    Facet(Facet),
    /// Rounding leaves it open.
    Unclear,
}

/// A facet near the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// Its depth, certified.
    pub(super) bounds: Interval,
    pub(super) depth: f64,
    /// How far the foot that was found is from the true one.
    pub(super) miss: f64,
    pub(super) direction: Vec3,
    pub(super) witness: Witness,
    /// Three corners, as pairs of vertices.
    pub(super) corners: [[u32; 2]; 3],
    pub(super) features: [Feature; 2],
}

/// A weight below this is rounding.
pub(super) const LEAST_WEIGHT: f64 = 1e-12;

/// A facet before its depth is bounded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draft {
    pub(super) direction: Vec3,
    pub(super) direction_error: f64,
    pub(super) witness: Witness,
    pub(super) corners: [[u32; 2]; 3],
    pub(super) features: [Feature; 2],
}

impl Draft {
    /// How far heights along the direction and along the true one differ, and placed vertices from their images.
    #[inline(always)]
    pub(super) fn slack<S: Simd>(&self, pair: &Centers<'_, S>) -> f64 {
        let size = pair.a.polytope.radius() + pair.b.polytope.radius();
        2.0 * self.direction_error * size + 4.0 * (pair.a.error + pair.b.error)
    }

    /// Step 2 for a foot that is outside: whether the facet is all there is, which the caller knows, makes the difference.
    #[inline(always)]
    pub(super) fn pass_over<S: Simd>(&self, pair: &Centers<'_, S>, is_alone: bool) -> Verdict {
        let depth = self.direction.dot(self.witness.a - self.witness.b);
        if is_alone && depth > self.slack(pair) {
            Verdict::Not
        } else {
            Verdict::Unclear
        }
    }

    /// The foot may be outside by this, and be inside.
    #[inline(always)]
    pub(super) fn foot_slack<S: Simd>(&self, pair: &Centers<'_, S>) -> f64 {
        let foot = self.witness.a - self.witness.b;
        2.0 * self.direction_error * foot.length() + 8.0 * (pair.a.error + pair.b.error)
    }

    /// Step 3, for placed polytopes that together are beyond their witness points by at most `beyond`.
    #[inline(always)]
    pub(super) fn conclude<S: Simd>(&self, pair: &Centers<'_, S>, beyond: f64) -> Verdict {
        let direction = self.direction;
        let foot = self.witness.a - self.witness.b;
        let depth = direction.dot(foot);
        let miss = (foot - direction * depth).length();
        let length = foot.length();
        let error = pair.a.error + pair.b.error;
        let size = pair.a.polytope.radius() + pair.b.polytope.radius();
        let off = self.direction_error * (miss + self.direction_error * length);
        let lower = depth - off - 2.0 * error - 8.0 * f64::EPSILON * length;
        let upper = depth + beyond + error + 16.0 * f64::EPSILON * (length + size);
        Verdict::Facet(Facet {
            bounds: Interval {
                lower,
                upper: upper * (1.0 + 4.0 * f64::EPSILON),
            },
            depth,
            miss,
            direction,
            witness: self.witness,
            corners: self.corners,
            features: self.features,
        })
    }
}
