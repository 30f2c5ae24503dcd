//! One of two moving bodies, in the units of the search.
//!
//! Points are offsets from the pivot, which is the one point of the body that does not take part in the turn. Two facts
//! about the turn carry the search.
//!
//! Let `m` be the part of a direction `n` across the axis and `w` the angular speed. Seen along `n`, a point at `x` from
//! the pivot moves with the second derivative `-w w m . x`: upwards it is only bent where it is below the pivot. So no
//! point of the body is bent towards `n` by more than `w w d` in an interval, where `d` is how far the body reaches
//! against `m` in it; and `d` in turn is at most what it is at the ends of the interval of length `h`, plus
//! `w w d h h / 8`, the most that a function with that second derivative rises above its chord. Hence
//! `d <= max(d at the ends) / (1 - w w h h / 8)` ([`Side::bend`]).
//!
//! And no point ever leaves the cylinder about the axis that holds the body ([`Side::swept_height`]).

use super::skeleton::{Extreme, Skeleton};
use crate::math::{Mat3, Vec3};
use crate::motion::Motion;

/// A body in motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) skeleton: Skeleton<'a>,
    pub(super) motion: &'a Motion,
    /// World units times this are the units of the search: a power of two.
    factor: f64,
    /// The angle of the whole turn, rounded up.
    pub(super) angle: f64,
    axis: Vec3,
    /// No offset is longer.
    pub(super) reach: f64,
    /// No offset ends farther from the axis.
    axis_reach: f64,
    /// No offset has a smaller, and none a larger, part along the axis.
    axis_span: [f64; 2],
}

/// A body at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Still<'s> {
    side: &'s Side<'s>,
    matrix: Mat3,
}

/// Room for the rounding of a handful of operations.
const UP: f64 = 1.0 + 16.0 * f64::EPSILON;

impl<'a> Side<'a> {
    pub(super) fn new(skeleton: Skeleton<'a>, motion: &'a Motion, factor: f64) -> Side<'a> {
        let stretch = stretch(motion);
        let offset = |p: Vec3| motion.start().rotate((p - motion.pivot()) * factor);
        let largest = |value: &dyn Fn(Vec3) -> f64| {
            skeleton.largest(stretch * factor, |p| value(offset(p))) * UP
        };
        let reach = largest(&Vec3::length);
        // A turn too small to have a direction moves nothing by as much as rounding does.
        let axis = motion.turn().try_normalize().unwrap_or(Vec3::ZERO);
        let (axis_reach, axis_span) = if motion.is_turning() {
            let across = |p: Vec3| (p - axis * p.dot(axis)).length();
            let span = [-largest(&|p| -p.dot(axis)), largest(&|p| p.dot(axis))];
            (largest(&across).min(reach), span)
        } else {
            (0.0, [0.0; 2])
        };
        Side {
            skeleton,
            motion,
            factor,
            angle: motion.turn().length() * UP,
            axis,
            reach,
            axis_reach,
            axis_span,
        }
    }

    pub(super) fn at(&self, t: f64) -> Still<'_> {
        let start = *self.motion.start().matrix();
        Still {
            side: self,
            matrix: if self.motion.is_turning() && t != 0.0 {
                self.motion.turned_by(t) * start
            } else {
                start
            },
        }
    }

    /// No point's motion along the unit vector `n` has a second derivative below minus this from time `from` to `to`;
    /// infinite when that interval is longer than a fraction of a turn.
    pub(super) fn bend(&self, n: Vec3, from: f64, to: f64) -> f64 {
        let turned = self.angle * (to - from);
        let shrinking = 1.0 - turned * turned / 8.0;
        if self.angle == 0.0 || shrinking < 0.5 {
            return if self.angle == 0.0 {
                0.0
            } else {
                f64::INFINITY
            };
        }
        let across = n - self.axis * n.dot(self.axis);
        let height = |t: f64| self.at(t).height(across);
        // Heights are rounded by less than the last term.
        let reach = height(from).max(height(to)).max(0.0) + 64.0 * f64::EPSILON * self.reach;
        let most = across.length() * self.axis_reach;
        self.angle * self.angle * (reach / shrinking).min(most) * UP
    }

    /// No point moves faster by the turn.
    pub(super) fn top_speed(&self) -> f64 {
        self.angle * self.axis_reach * UP
    }

    /// At least as much as [`Still::height`] at any time.
    pub(super) fn swept_height(&self, n: Vec3) -> f64 {
        if !self.motion.is_turning() {
            return self.at(0.0).height(n);
        }
        let along = n.dot(self.axis);
        let across = (n - self.axis * along).length();
        let [low, high] = self.axis_span;
        (along * low).max(along * high) + across * self.axis_reach
    }
}

impl Still<'_> {
    /// The offset of a point of the body.
    pub(super) fn offset(&self, point: Vec3) -> Vec3 {
        self.matrix * ((point - self.side.motion.pivot()) * self.side.factor)
    }

    /// A point of the body that is farthest along `n`, for searches.
    pub(super) fn extreme(&self, n: Vec3) -> Extreme {
        self.side.skeleton.probably_farthest(self.local(n))
    }

    /// How far the body reaches along `n` from its pivot.
    pub(super) fn height(&self, n: Vec3) -> f64 {
        let local = self.local(n);
        let top = self.side.skeleton.farthest(local).point;
        local.dot((top - self.side.motion.pivot()) * self.side.factor)
    }

    /// What the products of offsets with `n` are in the body's own coordinates.
    pub(super) fn local(&self, n: Vec3) -> Vec3 {
        self.matrix.transpose() * n
    }
}

/// How much longer than in its own frame anything of the body can be: `|M v|^2 <= (1 + 3 deviation) |v|^2`.
pub(super) fn stretch(motion: &Motion) -> f64 {
    1.0 + 1.5 * motion.start().deviation()
}
