//! A half-space against everything bounded: the lowest point decides.
//!
//! A half-space at a pose is all `p` with `m . (p - t) <= d`: `m` the turned normal as it is rounded, `t` the translation,
//! `d` the offset. With `n = m / |m|` the height of a core above its plane is the least `n . (p - t)` over the core, which a
//! support point seen from `t` gives within the error of the body, minus `d / |m|`. Normalising `n` and the quotient
//! add at most six roundings of each. The sign of the height minus the radii answers all questions, depth included: the
//! only way out of a half-space is along its normal.

use super::gap::TINY;
use super::grown::{Convex, Core, Grown, Radius};
use super::{Name, WIDTH, decide, less, moved, within_bounds};
use crate::contact::{Feature, Separation, Witness};
use crate::lanes::in_lanes;
use crate::math::{Interval, Vec3};

/// How far a core is above the plane of a half-space.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Height {
    /// The height, rounded; negative below the plane.
    pub(in crate::narrow) height: f64,
    /// Contains the height.
    pub(in crate::narrow) bounds: Interval,
    /// The unit normal of the plane, rounded.
    pub(in crate::narrow) up: Vec3,
    /// The lowest point of the core.
    pub(in crate::narrow) lowest: Vec3,
    /// What the lowest point is on.
    feature: Feature,
    radius: Radius,
    plane_radius: Radius,
    /// The size of the coordinates involved.
    pub(in crate::narrow) scale: f64,
}

/// Normals of ordinary length: their squares neither overflow nor underflow.
const ORDINARY: std::ops::Range<f64> = 1e-140..1e140;

impl Height {
    /// The height of a bounded shape above a half-space; `None` for numbers of extreme size, or if it is none.
    pub(in crate::narrow) fn new(body: &Grown<'_>, plane: &Convex<'_>) -> Option<Height> {
        let Convex::HalfSpace {
            half_space,
            pose,
            radius,
        } = plane
        else {
            return None;
        };
        let normal = pose.rotate(half_space.normal());
        let length = normal.length();
        let through = pose.translation();
        let offset = half_space.offset() / length;
        if !(ORDINARY.contains(&length) && offset.abs() < ORDINARY.end) {
            return None;
        }
        let up = normal / length;
        let seen = body.core.seen_from(through)?;
        let (lowest, name) = in_lanes!(simd => seen.support(simd, -up));
        let height = up.dot(lowest) - offset;
        let extent = seen.extent + offset.abs();
        let error = seen.error + 8.0 * f64::EPSILON * extent + TINY;
        let has_vertices = matches!(
            body.core,
            Core::Triangle(_) | Core::Box(..) | Core::Hull(..)
        );
        let part = match name {
            Name::Vertex(vertex) if has_vertices => Feature::Vertex(vertex),
            Name::Vertex(_) | Name::At(_) => Feature::Surface,
        };
        Some(Height {
            height,
            bounds: Interval {
                lower: height - error,
                upper: height + error,
            },
            up,
            lowest: lowest + through,
            feature: part,
            radius: body.radius,
            plane_radius: *radius,
            scale: extent + through.abs().max_element(),
        })
    }

    /// The sum of the radii of both.
    pub(in crate::narrow) fn reach(&self) -> Radius {
        self.radius.plus_all(self.plane_radius)
    }

    /// The separation of the bounded shape, first, and the half-space, if it is known well enough.
    pub(super) fn separation(&self) -> Option<Separation> {
        let separation = if decide(self.bounds, self.reach())? {
            self.meeting()
        } else {
            self.apart()
        };
        let scale = self.scale + self.reach().value();
        (separation.bounds.width() <= WIDTH * scale).then_some(separation)
    }

    fn apart(&self) -> Separation {
        let bounds = less(self.bounds, self.reach().bounds());
        let height = self.height;
        Separation {
            distance: within_bounds(height - self.reach().value(), bounds),
            bounds,
            witness: Witness {
                a: moved(self.lowest, -self.up, self.radius),
                b: self.lowest - self.up * (height - self.plane_radius.value()),
            },
            features: [self.own_feature(), Feature::Surface],
        }
    }

    fn meeting(&self) -> Separation {
        let height = self.height;
        // The lowest point, or if that is above the plane, one between it and its foot, shared out by the radii.
        let common = if height > 0.0 {
            let share = self.radius.value() / self.reach().value();
            self.lowest - self.up * (height * share)
        } else {
            self.lowest
        };
        let own = if self.radius.is_zero() {
            self.feature
        } else {
            Feature::Inside
        };
        let on_plane = if self.plane_radius.is_zero() && height > 0.0 {
            Feature::Surface
        } else {
            Feature::Inside
        };
        Separation::meeting_at(common, [own, on_plane])
    }

    /// The points that leave each other last, on the bounded shape and on the half-space.
    pub(in crate::narrow) fn last_points(&self) -> [Vec3; 2] {
        let foot = self.lowest - self.up * self.height;
        [
            moved(self.lowest, -self.up, self.radius),
            moved(foot, self.up, self.plane_radius),
        ]
    }

    /// What the lowest point of the grown core is on.
    pub(in crate::narrow) fn own_feature(&self) -> Feature {
        if self.radius.is_zero() {
            self.feature
        } else {
            Feature::Surface
        }
    }
}
