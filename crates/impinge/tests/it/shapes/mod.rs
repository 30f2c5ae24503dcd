//! All kinds of convex shapes in all static questions, against the reference and against oracles of their own.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test names the kinds and families that it treats apart"
)]

mod agreement;
mod custom;
mod depth;
pub(crate) mod kinds;
mod known_depths;
mod methods;

use impinge::{Placed, Shape, Vec3};

/// The size of the coordinates of a pair: what widths are measured by.
fn scale(a: &Placed<'_>, b: &Placed<'_>) -> f64 {
    [a, b]
        .iter()
        .map(|side| side.pose.translation().abs().max_element() + size(side.shape))
        .sum()
}

/// How far a shape reaches from its origin, roughly; for a half-space, its plane.
pub(crate) fn size(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(s) => s.radius(),
        Shape::Cuboid(c) => length(c.half_size()),
        Shape::Capsule(c) => c.half_height() + c.radius(),
        Shape::Cylinder(c) => c.half_height() + c.radius(),
        Shape::Cone(c) => c.half_height() + c.radius(),
        Shape::Ellipsoid(e) => e.radii().max_element(),
        Shape::HalfSpace(h) => h.offset().abs() / h.normal().length(),
        Shape::Polytope(p) => p.vertices().iter().fold(0.0, |l, v| length(*v).max(l)),
        Shape::Rounded(r) => size(r.core()) + r.radius(),
        Shape::Custom(c) => c.bounding_radius(),
        _ => unreachable!("these tests have convex shapes only"),
    }
}

/// The length of a vector whose squares may overflow or underflow.
fn length(v: Vec3) -> f64 {
    let largest = v.abs().max_element();
    (v / largest).length() * largest
}

/// The largest product of a unit direction with a placed shape, rounded; `None` where it is infinite.
pub(crate) fn reach_along(placed: &Placed<'_>, direction: Vec3) -> Option<f64> {
    let pose = &placed.pose;
    let local = pose.unrotate(direction);
    let along = |point: Vec3| Some(direction.dot(pose.place(point)));
    use impinge::SupportMap;
    match placed.shape {
        Shape::Sphere(s) => along(s.support(local)),
        Shape::Cuboid(c) => along(c.support(local)),
        Shape::Capsule(c) => along(c.support(local)),
        Shape::Cylinder(c) => along(c.support(local)),
        Shape::Cone(c) => along(c.support(local)),
        Shape::Ellipsoid(e) => along(e.support(local)),
        Shape::Polytope(p) => along(p.support(local)),
        Shape::Custom(c) => along(c.map().support(local)),
        Shape::Rounded(r) => Some(reach_along(&r.core().at(placed.pose), direction)? + r.radius()),
        _ => None,
    }
}
