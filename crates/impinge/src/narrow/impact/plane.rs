//! A half-space and a bounded convex body on their way.
//!
//! There is only one direction to look along, the normal, which turns with the half-space. Let `m` be the normal, `w` a
//! point of the body seen from the pivot of the half-space, `W` and `w'` the angular speeds of half-space and body, `r`
//! the reach of the body, `D` the largest distance of the pivots, `v` the greatest speed and `a` the acceleration of one against the
//! other. The second derivative of `m . w` is at most
//!
//! `W W (D + r) + 2 W (v + w' r) + w' w' r + a`
//!
//! from the product rule, which is what [`Approach`] needs. Two half-spaces that do not touch have opposite normals: when
//! they turn alike, the second one is as good as a point of its plane.

use super::approach::{Approach, Look};
use super::frame::{Frame, Mover, TOUCHING_ERRORS};
use super::pair::Closest;
use super::side::Side;
use super::skeleton::Skeleton;
use crate::contact::{Feature, Witness};
use crate::error::Error;
use crate::math::{Interval, Vec3};
use crate::motion::Motion;
use crate::shape::HalfSpace;

/// A half-space in motion, in world units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane<'a> {
    pub(super) motion: &'a Motion,
    /// The outward normal at the start, of unit length.
    normal: Vec3,
    /// How far the plane is from the pivot, along the normal.
    level: f64,
}

impl<'a> Plane<'a> {
    /// A half-space grown by a radius.
    pub(super) fn new(half_space: &HalfSpace, radius: f64, motion: &'a Motion) -> Plane<'a> {
        let largest = half_space.normal().abs().max_element();
        let turned = motion.start().rotate(half_space.normal() / largest);
        let length = turned.length();
        let normal = turned / length;
        let pivot = motion.start().rotate(motion.pivot());
        Plane {
            motion,
            normal,
            level: half_space.offset() / largest / length - normal.dot(pivot) + radius,
        }
    }

    /// The half-space and a point of the plane of another one, opposite to it, as seen from its pivot.
    pub(super) fn with_opposite(self, other: &Plane<'_>) -> Plane<'a> {
        Plane {
            level: self.level + other.level,
            ..self
        }
    }
}

/// A half-space and a body on their way.
#[derive(Debug)]
pub(super) struct PlanePair<'a> {
    plane: Plane<'a>,
    body: Side<'a>,
    frame: Frame,
    /// The level of the plane and the radius of the body, in the frame.
    level: f64,
    radius: f64,
}

/// The normal of the half-space: the only direction there is.
#[derive(Debug, Clone, Copy)]
pub(super) struct AlongNormal;

impl<'a> PlanePair<'a> {
    /// The pair; the radius of the body is the `extra` of its mover.
    pub(super) fn new(plane: Plane<'a>, body: Mover<'a>) -> Result<PlanePair<'a>, Error> {
        let radius = body.extra;
        let stand_in = Mover {
            skeleton: Skeleton::Point,
            motion: plane.motion,
            extra: plane.level.abs(),
        };
        let (frame, _, body) = Frame::around(&stand_in, &body)?;
        Ok(PlanePair {
            plane,
            body,
            frame,
            level: plane.level * frame.factor,
            radius: radius * frame.factor,
        })
    }

    /// The lowest point of the body and the point of the plane below it.
    pub(super) fn closest(&self, t: f64) -> Closest {
        let normal = self.normal_at(t);
        let still = self.body.at(t);
        let lowest = still.extreme(-normal);
        let gap = self.gap(AlongNormal, t) + self.frame.error;
        let point = self.frame.offset_at(t) + still.offset(lowest.point) - normal * self.radius;
        let origin = self.plane.motion.pivot_at(t);
        let has_vertices = self.radius == 0.0
            && matches!(
                self.body.skeleton,
                Skeleton::Cuboid(_) | Skeleton::Polytope(_) | Skeleton::HullOf(_)
            );
        let feature = if has_vertices {
            Feature::Vertex(lowest.vertex)
        } else {
            Feature::Surface
        };
        Closest {
            witness: Witness {
                a: origin + (point - normal * gap) / self.frame.factor,
                b: origin + point / self.frame.factor,
            },
            features: [Feature::Surface, feature],
            normal: Some(normal),
        }
    }

    fn normal_at(&self, t: f64) -> Vec3 {
        if self.plane.motion.is_turning() {
            self.plane.motion.turned_by(t) * self.plane.normal
        } else {
            self.plane.normal
        }
    }

    fn plane_angle(&self) -> f64 {
        self.plane.motion.turn().length()
    }
}

/// Room for the rounding of a dozen operations.
const UP: f64 = 1.0 + 32.0 * f64::EPSILON;

impl Approach for PlanePair<'_> {
    type Direction = AlongNormal;

    fn look(&mut self, t: f64) -> Look<AlongNormal> {
        let gap = self.gap(AlongNormal, t);
        Look {
            distance: Interval {
                lower: gap.max(0.0),
                upper: (gap + 2.0 * self.frame.error).max(0.0),
            },
            direction: Some(AlongNormal),
        }
    }

    fn gap(&self, _: AlongNormal, t: f64) -> f64 {
        let normal = self.normal_at(t);
        let between = normal.dot(self.frame.offset_at(t));
        let low = self.body.at(t).height(-normal);
        between - low - self.level - self.radius - self.frame.error
    }

    fn bend(&self, _: AlongNormal, from: f64, to: f64) -> f64 {
        if !self.plane.motion.is_turning() {
            return self.body.bend(-self.plane.normal, from, to);
        }
        let (own, of_body) = (self.plane_angle(), self.body.angle);
        let (far, speed) = (self.frame.farthest_offset(), self.frame.top_speed());
        let reach = self.body.reach;
        let bend = own * own * (far + reach)
            + 2.0 * own * (speed + of_body * reach)
            + of_body * of_body * reach;
        bend * UP
    }

    fn pull(&self, _: AlongNormal) -> f64 {
        let acceleration = self.frame.acceleration();
        if self.plane.motion.is_turning() {
            return acceleration.length() * UP;
        }
        self.plane.normal.dot(acceleration)
    }

    fn swept_gap(&self, _: AlongNormal, t: f64) -> f64 {
        if self.plane.motion.is_turning() {
            return f64::NEG_INFINITY;
        }
        let normal = self.plane.normal;
        let between = normal.dot(self.frame.offset_at(t));
        let low = self.body.swept_height(-normal);
        between - low - self.level - self.radius - self.frame.error
    }

    fn top_speed(&self) -> f64 {
        let far = self.frame.farthest_offset() + self.body.reach;
        let of_plane = self.plane_angle() * far;
        (self.frame.top_speed() + self.body.top_speed() + of_plane) * UP
    }

    fn touching(&self) -> f64 {
        TOUCHING_ERRORS * self.frame.error
    }
}
