//! Support points: the farthest point of a convex shape along a direction.

use super::custom::axes;
use super::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Polytope, Sphere};
use crate::math::Vec3;

/// A bounded convex shape known by its support points alone: all that GJK needs to know.
///
/// Implement it for a shape of your own and every question can be asked of it:
///
/// ```
/// # use impinge::{Pose, Shape, SupportMap, Vec3, query};
/// /// A flat disc of radius 1 about the z axis.
/// #[derive(Debug)]
/// struct Disc;
///
/// impl SupportMap for Disc {
///     fn support(&self, direction: Vec3) -> Vec3 {
///         direction.with_z(0.0).normalize_or_zero()
///     }
/// }
///
/// let disc = Shape::custom(Disc)?;
/// let cube = Shape::cuboid(Vec3::ONE)?;
/// let above = Pose::from_translation(Vec3::Z * 3.0)?;
/// let near = query::distance(cube.at(Pose::IDENTITY), disc.at(above));
/// assert!(near.bounds.contains(2.0) && near.bounds.width() < 1e-12);
/// # Ok::<(), impinge::Error>(())
/// ```
pub trait SupportMap: Send + Sync + std::fmt::Debug {
    /// A point of the shape, in its own frame, that is farthest along `direction` (of any length but zero), rounded.
    /// For a zero direction any point of the shape.
    fn support(&self, direction: Vec3) -> Vec3;

    /// The shape is within this of the origin of its frame. By default the half diagonal of its box, from the support
    /// points along the axes; give it where it is known, to save the asking.
    fn bounding_radius(&self) -> f64 {
        let extent = |direction: Vec3| self.support(direction).dot(direction).abs();
        let [right, left, back, front, up, down] = axes().map(extent);
        let corner = Vec3::new(right.max(left), back.max(front), up.max(down));
        // Some room for the rounding of the support points themselves.
        let largest = corner.max_element();
        if largest > 0.0 {
            (corner / largest).length() * largest * (1.0 + 1e-12)
        } else {
            0.0
        }
    }

    /// How far support points are off, at most: each is within this of a point of the shape, and that one is within
    /// this of being the farthest along the direction. By default 32 times the rounding unit of the bounding radius, enough for a
    /// formula of a few operations without cancellation.
    fn support_error(&self) -> f64 {
        32.0 * f64::EPSILON * self.bounding_radius()
    }
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
