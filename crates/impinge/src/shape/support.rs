//! Support points: the farthest point of a convex shape along a direction.

use super::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Polytope, Sphere};
use crate::math::Vec3;

/// A bounded convex shape known by its support points alone: all that GJK needs to know.
pub trait SupportMap: Send + Sync + std::fmt::Debug {
    /// A point of the shape, in its own frame, that is farthest along `direction` (of any length but zero), rounded.
    /// For a zero direction any point of the shape.
    fn support(&self, direction: Vec3) -> Vec3;
}

impl SupportMap for Sphere {
    fn support(&self, direction: Vec3) -> Vec3 {
        unit(direction) * self.radius()
    }
}

impl SupportMap for Cuboid {
    fn support(&self, direction: Vec3) -> Vec3 {
        toward(direction, self.half_size())
    }
}

impl SupportMap for Capsule {
    fn support(&self, direction: Vec3) -> Vec3 {
        unit(direction) * self.radius()
            + Vec3::new(0.0, 0.0, self.half_height().copysign(direction.z))
    }
}

impl SupportMap for Cylinder {
    fn support(&self, direction: Vec3) -> Vec3 {
        let rim = unit(direction.with_z(0.0)) * self.radius();
        rim.with_z(self.half_height().copysign(direction.z))
    }
}

impl SupportMap for Cone {
    fn support(&self, direction: Vec3) -> Vec3 {
        let rim = (unit(direction.with_z(0.0)) * self.radius()).with_z(-self.half_height());
        let apex = Vec3::new(0.0, 0.0, self.half_height());
        if direction.dot(apex - rim) > 0.0 {
            apex
        } else {
            rim
        }
    }
}

impl SupportMap for Ellipsoid {
    fn support(&self, direction: Vec3) -> Vec3 {
        // The ellipsoid is the unit ball stretched by its radii; normals transform by the same factors.
        unit(unit(direction) * self.radii()) * self.radii()
    }
}

impl SupportMap for Polytope {
    fn support(&self, direction: Vec3) -> Vec3 {
        self.vertices()[self.farthest(direction) as usize]
    }
}

/// The direction at unit length; zero for a zero direction. Scaled first, so that no square over- or underflows.
fn unit(direction: Vec3) -> Vec3 {
    let largest = direction.abs().max_element();
    if largest == 0.0 {
        return Vec3::ZERO;
    }
    (direction / largest).normalize()
}

fn toward(direction: Vec3, half: Vec3) -> Vec3 {
    Vec3::new(
        half.x.copysign(direction.x),
        half.y.copysign(direction.y),
        half.z.copysign(direction.z),
    )
}
