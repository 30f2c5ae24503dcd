//! A convex shape as a core and a radius.
//!
//! A ball is a point with a radius, a capsule a segment with one, and a rounded shape adds its radius to those of its
//! core. The distance of two grown cores is that of the cores minus the radii, and their depth that of the cores plus the
//! radii, so all questions are about cores. Radii are summed with an error bound; who needs the exact sum goes to the
//! exact path.

use super::Body;
use crate::contact::Feature;
use crate::math::{Interval, Pose, Vec3};
use crate::shape::{Cuboid, Custom, HalfSpace, Placed, Polytope, Shape};

/// A convex shape at a pose.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) enum Convex<'a> {
    Bounded(Grown<'a>),
    HalfSpace {
        half_space: &'a HalfSpace,
        pose: &'a Pose,
        radius: Radius,
    },
}

/// All points within a radius of a core.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Grown<'a> {
    pub(in crate::narrow) core: Core<'a>,
    pub(in crate::narrow) radius: Radius,
}

/// A placed convex set without a radius.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) enum Core<'a> {
    /// The placed centre of a ball.
    Point(Vec3),
    /// The placed ends of the axis of a capsule.
    Segment([Vec3; 2]),
    /// A triangle of a mesh, by its placed corners.
    Triangle([Vec3; 3]),
    /// A box, as the hull of its placed corners.
    Box(&'a Cuboid, &'a Pose),
    /// The hull of placed vertices.
    Hull(&'a Polytope, &'a Pose),
    /// A cylinder, a cone or an ellipsoid.
    Curved {
        kind: Kind,
        sizes: Vec3,
        pose: &'a Pose,
    },
    /// A shape known by its support points.
    Custom(&'a Custom, &'a Pose),
}

/// The unit bodies that curved cores are images of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::narrow) enum Kind {
    /// The unit ball.
    Ball,
    /// The unit disc times `[-1, 1]`.
    Cylinder,
    /// The hull of the unit disc at -1 and the apex at 1.
    Cone,
}

impl<'a> Convex<'a> {
    /// The shape as a core and a radius; `None` for meshes and solids.
    pub(in crate::narrow) fn of(placed: &'a Placed<'_>) -> Option<Convex<'a>> {
        Convex::grown(placed.shape, &placed.pose, Radius::default())
    }

    fn grown(shape: &'a Shape, pose: &'a Pose, radius: Radius) -> Option<Convex<'a>> {
        let curved = |kind, sizes| Core::Curved { kind, sizes, pose };
        let round = |radius: f64, height: f64| Vec3::new(radius, radius, height);
        let (core, radius) = match shape {
            Shape::Sphere(s) => (Core::Point(pose.place(Vec3::ZERO)), radius.plus(s.radius())),
            Shape::Capsule(c) => {
                let end = Vec3::Z * c.half_height();
                let ends = [-end, end].map(|p| pose.place(p));
                (Core::Segment(ends), radius.plus(c.radius()))
            }
            Shape::Cuboid(c) => (Core::Box(c, pose), radius),
            Shape::Polytope(p) => (Core::Hull(p, pose), radius),
            Shape::Cylinder(c) => {
                let sizes = round(c.radius(), c.half_height());
                (curved(Kind::Cylinder, sizes), radius)
            }
            Shape::Cone(c) => {
                let sizes = round(c.radius(), c.half_height());
                (curved(Kind::Cone, sizes), radius)
            }
            Shape::Ellipsoid(e) => (curved(Kind::Ball, e.radii()), radius),
            Shape::Custom(c) => (Core::Custom(c, pose), radius),
            Shape::Rounded(r) => return Convex::grown(r.core(), pose, radius.plus(r.radius())),
            Shape::HalfSpace(half_space) => {
                return Some(Convex::HalfSpace {
                    half_space,
                    pose,
                    radius,
                });
            }
            Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) => return None,
        };
        Some(Convex::Bounded(Grown { core, radius }))
    }
}

impl<'a> Core<'a> {
    /// The core as a polytope at a pose, if it is one.
    pub(in crate::narrow) fn polytope(&self) -> Option<(&'a Polytope, &'a Pose)> {
        match self {
            Core::Box(cuboid, pose) => Some((cuboid.polytope(), pose)),
            Core::Hull(polytope, pose) => Some((polytope, pose)),
            Core::Point(_)
            | Core::Segment(_)
            | Core::Triangle(_)
            | Core::Curved { .. }
            | Core::Custom(..) => None,
        }
    }

    /// A point in the middle: where differences are taken from.
    pub(super) fn middle(&self) -> Vec3 {
        match self {
            Core::Point(p) => *p,
            Core::Segment([p, q]) => *p * 0.5 + *q * 0.5,
            Core::Triangle([p, q, r]) => *p / 3.0 + *q / 3.0 + *r / 3.0,
            Core::Hull(polytope, pose) => pose.place(polytope.centroid()),
            Core::Box(_, pose) | Core::Curved { pose, .. } | Core::Custom(_, pose) => {
                pose.translation()
            }
        }
    }

    /// The name of a part of [`Core::polytope`] as the shape calls it; boxes number their edges and faces by themselves.
    pub(in crate::narrow) fn name(&self, part: Feature) -> Feature {
        match self {
            Core::Box(cuboid, _) => cuboid.name_of(part),
            Core::Point(_)
            | Core::Segment(_)
            | Core::Triangle(_)
            | Core::Hull(..)
            | Core::Curved { .. }
            | Core::Custom(..) => part,
        }
    }

    /// The core as seen from a point; `None` when it is of extreme size.
    pub(super) fn seen_from(&self, origin: Vec3) -> Option<Body<'a>> {
        Body::new(self, origin)
    }
}

/// A sum of radii, rounded.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::narrow) struct Radius {
    sum: f64,
    terms: u32,
}

impl Radius {
    /// The sum with one more term, which is not negative.
    pub(in crate::narrow) fn plus(self, term: f64) -> Radius {
        if term > 0.0 {
            Radius {
                sum: self.sum + term,
                terms: self.terms + 1,
            }
        } else {
            self
        }
    }

    /// The sum of both.
    pub(in crate::narrow) fn plus_all(self, other: Radius) -> Radius {
        Radius {
            sum: self.sum + other.sum,
            terms: self.terms + other.terms,
        }
    }

    pub(in crate::narrow) fn is_zero(self) -> bool {
        self.terms == 0
    }

    /// The sum, rounded.
    pub(in crate::narrow) fn value(self) -> f64 {
        self.sum
    }

    /// Contains the true sum: each of at most `terms` additions rounds a sum of positive numbers once.
    pub(in crate::narrow) fn bounds(self) -> Interval {
        if self.terms < 2 {
            return Interval::exact(self.sum);
        }
        let error = f64::from(self.terms) * f64::EPSILON * self.sum;
        Interval {
            lower: (self.sum - error).next_down().max(0.0),
            upper: (self.sum + error).next_up(),
        }
    }
}
