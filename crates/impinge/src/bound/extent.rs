//! How large a shape is in its own frame.

use super::OwnBox;
use crate::math::{Aabb, Vec3};
use crate::shape::Shape;

/// A ball and a box around a shape, in its own frame; both hold all of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    /// The centre of the ball.
    pub(crate) center: Vec3,
    /// The radius of the ball, not rounded down by more than a few units in the last place.
    pub(crate) radius: f64,
    /// The middle of the box.
    pub(crate) middle: Vec3,
    /// Half of its edges, likewise.
    pub(crate) half: Vec3,
    /// No point of the shape, and neither centre nor middle, is farther from the origin than this.
    pub(crate) reach: f64,
}

impl Extent {
    /// The extent of a shape; `None` for a half-space, which has none.
    pub(crate) fn of(shape: &Shape) -> Option<Extent> {
        let extent = match shape {
            Shape::Sphere(sphere) => {
                Extent::about_origin(Vec3::splat(sphere.radius()), sphere.radius())
            }
            Shape::Cuboid(cuboid) => {
                Extent::about_origin(cuboid.half_size(), length(cuboid.half_size()))
            }
            Shape::Capsule(capsule) => {
                let (height, radius) = (capsule.half_height(), capsule.radius());
                Extent::about_origin(Vec3::new(radius, radius, height + radius), height + radius)
            }
            Shape::Cylinder(cylinder) => round(cylinder.half_height(), cylinder.radius()),
            Shape::Cone(cone) => round(cone.half_height(), cone.radius()),
            Shape::Ellipsoid(ellipsoid) => {
                let radii = ellipsoid.radii();
                Extent::about_origin(radii, radii.max_element())
            }
            Shape::HalfSpace(_) => return None,
            Shape::Polytope(polytope) => {
                // Those of extreme size have no sound centroid.
                let center = polytope.packed().map(|packed| packed.center);
                Extent::new(polytope.vertices(), center)
            }
            Shape::Mesh(mesh) => Extent::new(mesh.vertices(), None),
            Shape::Solid(solid) => Extent::new(solid.mesh().vertices(), None),
            Shape::HeightField(field) => Extent::new(&corners_of(&field.bounds()), None),
            Shape::Rounded(rounded) => Extent::of(rounded.core())?.grown(rounded.radius()),
            Shape::Custom(custom) => {
                let radius = custom.bounding_radius();
                Extent::about_origin(Vec3::splat(radius), radius)
            }
        };
        Some(extent)
    }

    /// The box alone.
    #[inline]
    pub(crate) fn own_box(&self) -> OwnBox {
        OwnBox {
            middle: self.middle,
            half: self.half,
            reach: self.reach,
        }
    }

    fn about_origin(half: Vec3, radius: f64) -> Extent {
        Extent {
            center: Vec3::ZERO,
            radius,
            middle: Vec3::ZERO,
            half,
            reach: radius,
        }
    }

    /// That of the hull of points: the ball about a centre, or about the middle of the box.
    fn new(points: &[Vec3], center: Option<Vec3>) -> Extent {
        let bounds = Aabb::of_points(points.iter().copied());
        let bounds = bounds.expect("polytopes and meshes have vertices");
        let middle = bounds.center();
        let center = center.unwrap_or(middle);
        let farthest = |from: Vec3| points.iter().fold(0.0, |far, v| length(*v - from).max(far));
        Extent {
            center,
            radius: farthest(center),
            middle,
            half: (bounds.max() - middle).max(middle - bounds.min()),
            reach: farthest(Vec3::ZERO).max(length(center)),
        }
    }

    fn grown(self, radius: f64) -> Extent {
        Extent {
            radius: self.radius + radius,
            half: self.half + Vec3::splat(radius),
            reach: self.reach + radius,
            ..self
        }
    }
}

/// The eight corners of a box.
fn corners_of(bounds: &Aabb) -> [Vec3; 8] {
    let ends = [bounds.min(), bounds.max()];
    std::array::from_fn(|k| Vec3::new(ends[k & 1].x, ends[k >> 1 & 1].y, ends[k >> 2].z))
}

/// That of a cylinder or a cone.
fn round(half_height: f64, radius: f64) -> Extent {
    let half = Vec3::new(radius, radius, half_height);
    Extent::about_origin(half, radius.hypot(half_height))
}

/// The length of a vector of any size: squares neither overflow nor underflow.
pub(super) fn length(v: Vec3) -> f64 {
    let largest = v.abs().max_element();
    if largest > 0.0 {
        (v / largest).length() * largest
    } else {
        0.0
    }
}
