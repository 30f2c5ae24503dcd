//! Sphere, box, capsule, cylinder, cone, ellipsoid, half-space: true primitives, not tessellations.
//!
//! All are given in their own frame, centred at the origin with their axis along z. Sizes are checked when they enter.

use super::Polytope;
use crate::contact::Feature;
use crate::error::Error;
use crate::math::{Vec3, require_finite};
use std::sync::Arc;

/// A ball about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// The ball of no radius.
    pub(crate) const POINT: Sphere = Sphere { radius: 0.0 };

    /// A ball; a radius of 0 makes a point.
    pub fn new(radius: f64) -> Result<Sphere, Error> {
        require_at_least_zero("sphere radius", radius)?;
        Ok(Sphere { radius })
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// A box about the origin, its edges along the axes.
///
/// Vertices are numbered as [`Cuboid::corners`] lists them. Face `2 k` is the one on the negative side of axis `k`, face
/// `2 k + 1` the one on the positive side. Edges `4 k` to `4 k + 3` run along axis `k`; bit 0 of the rest is set where the
/// first of the two other coordinates is positive, bit 1 for the second.
#[derive(Debug, Clone, PartialEq)]
pub struct Cuboid {
    /// The box as a polytope, its vertices numbered alike; the last one is the half size.
    polytope: Arc<Polytope>,
}

impl Cuboid {
    /// A box with the given half edge lengths.
    pub fn new(half_size: Vec3) -> Result<Cuboid, Error> {
        for (what, value) in ["half size x", "half size y", "half size z"]
            .into_iter()
            .zip(half_size.to_array())
        {
            require_positive(what, value)?;
        }
        let polytope = Polytope::from_points(&box_corners(half_size))?;
        Ok(Cuboid {
            polytope: Arc::new(polytope),
        })
    }

    /// Half the edge lengths.
    pub fn half_size(&self) -> Vec3 {
        self.polytope.vertices()[7]
    }

    /// The box as a polytope. Its vertices are the [`Cuboid::corners`]; its edges and faces have other numbers than those
    /// of the box.
    pub fn polytope(&self) -> &Polytope {
        &self.polytope
    }

    /// The eight corners; bit 0 of the index is set where x is positive, bit 1 for y, bit 2 for z.
    pub fn corners(&self) -> [Vec3; 8] {
        box_corners(self.half_size())
    }

    /// What the box calls a part of its [`Cuboid::polytope`].
    pub(crate) fn name_of(&self, part: Feature) -> Feature {
        let own = match part {
            Feature::Edge(e) => Cuboid::part_of(&self.polytope.edges()[e as usize].vertices),
            Feature::Face(f) => Cuboid::part_of(self.polytope.face(f as usize)),
            Feature::Vertex(_) | Feature::Surface | Feature::Inside => None,
        };
        own.unwrap_or(part)
    }

    /// The smallest part of a box that holds all of the given corners, at least one; `None` for the inside. Bit `k` of a
    /// corner says on which side of axis `k` it is: the bits that all corners share name the part.
    pub(crate) fn part_of(corners: &[u32]) -> Option<Feature> {
        let first = corners[0];
        let free = corners
            .iter()
            .fold(0, |free, corner| free | (corner ^ first));
        let side = |axis: u32| first >> axis & 1;
        let [x, y, z] = [0, 1, 2].map(|axis| free >> axis & 1 == 1);
        match (x, y, z) {
            (false, false, false) => Some(Feature::Vertex(first)),
            (true, false, false) => Some(Feature::Edge(side(1) + 2 * side(2))),
            (false, true, false) => Some(Feature::Edge(4 + side(0) + 2 * side(2))),
            (false, false, true) => Some(Feature::Edge(8 + side(0) + 2 * side(1))),
            (false, true, true) => Some(Feature::Face(side(0))),
            (true, false, true) => Some(Feature::Face(2 + side(1))),
            (true, true, false) => Some(Feature::Face(4 + side(2))),
            (true, true, true) => None,
        }
    }
}

fn box_corners(h: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let side = |bit: usize, half: f64| if i & bit == 0 { -half } else { half };
        Vec3::new(side(1, h.x), side(2, h.y), side(4, h.z))
    })
}

/// All points within a radius of a segment on the z axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    half_height: f64,
    radius: f64,
}

impl Capsule {
    /// All points within `radius` of the segment from `-half_height` to `half_height` on the z axis; either may be 0.
    pub fn new(half_height: f64, radius: f64) -> Result<Capsule, Error> {
        require_at_least_zero("capsule half height", half_height)?;
        require_at_least_zero("capsule radius", radius)?;
        Ok(Capsule {
            half_height,
            radius,
        })
    }

    /// Half the length of the inner segment.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// A cylinder about the z axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    half_height: f64,
    radius: f64,
}

impl Cylinder {
    /// A cylinder from `-half_height` to `half_height`.
    pub fn new(half_height: f64, radius: f64) -> Result<Cylinder, Error> {
        require_positive("cylinder half height", half_height)?;
        require_positive("cylinder radius", radius)?;
        Ok(Cylinder {
            half_height,
            radius,
        })
    }

    /// Half the height.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// A cone about the z axis: base disc at `-half_height`, apex at `half_height`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    half_height: f64,
    radius: f64,
}

impl Cone {
    /// A cone with its base at `-half_height` and its apex at `half_height`.
    pub fn new(half_height: f64, radius: f64) -> Result<Cone, Error> {
        require_positive("cone half height", half_height)?;
        require_positive("cone radius", radius)?;
        Ok(Cone {
            half_height,
            radius,
        })
    }

    /// Half the height.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// The radius of the base.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// An ellipsoid about the origin, its axes along x, y and z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    radii: Vec3,
}

impl Ellipsoid {
    /// An ellipsoid with the given half axes.
    pub fn new(radii: Vec3) -> Result<Ellipsoid, Error> {
        for (what, value) in [
            "ellipsoid radius x",
            "ellipsoid radius y",
            "ellipsoid radius z",
        ]
        .into_iter()
        .zip(radii.to_array())
        {
            require_positive(what, value)?;
        }
        Ok(Ellipsoid { radii })
    }

    /// The half axes.
    pub fn radii(&self) -> Vec3 {
        self.radii
    }
}

/// All points `p` with `normal . p <= offset`.
///
/// At a pose it is the set of all `p` with `n . (p - t) <= offset`, where `t` is the translation and `n` the normal turned by
/// [`Pose::rotate`](crate::Pose::rotate), which rounds it; at an unturned pose `n` is the normal itself. Questions about
/// it are answered exactly for these numbers. (A normal whose largest component is beyond 1e300 or below 1e-290 is scaled by
/// a power of two first, and the offset with it, so that turning it neither overflows nor loses it.)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    normal: Vec3,
    offset: f64,
}

impl HalfSpace {
    /// All points `p` with `normal . p <= offset`. The normal is kept as given; only its direction and the ratio of the
    /// offset to its length matter.
    pub fn new(normal: Vec3, offset: f64) -> Result<HalfSpace, Error> {
        require_finite(normal, || "half-space normal".to_owned())?;
        require_finite(Vec3::splat(offset), || "half-space offset".to_owned())?;
        if normal == Vec3::ZERO {
            return Err(Error::OutOfRange {
                what: "length of the half-space normal".to_owned(),
                value: 0.0,
                expected: "more than 0",
            });
        }
        Ok(HalfSpace { normal, offset })
    }

    /// The outward normal, as given.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The offset, as given.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

fn require_positive(what: &str, value: f64) -> Result<(), Error> {
    require_finite(Vec3::splat(value), || what.to_owned())?;
    if value > 0.0 {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what: what.to_owned(),
            value,
            expected: "more than 0",
        })
    }
}

pub(super) fn require_at_least_zero(what: &str, value: f64) -> Result<(), Error> {
    require_finite(Vec3::splat(value), || what.to_owned())?;
    if value >= 0.0 {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what: what.to_owned(),
            value,
            expected: "at least 0",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked() {
        assert!(Sphere::new(0.0).is_ok());
        assert!(Sphere::new(-1.0).is_err());
        assert!(Sphere::new(f64::NAN).is_err());
        assert!(Cuboid::new(Vec3::new(1.0, 0.0, 1.0)).is_err());
        assert!(Capsule::new(0.0, 0.0).is_ok());
        assert!(Cylinder::new(1.0, f64::INFINITY).is_err());
        assert!(Cone::new(-0.5, 1.0).is_err());
        assert!(HalfSpace::new(Vec3::ZERO, 1.0).is_err());
        let error = Ellipsoid::new(Vec3::new(1.0, -2.0, 1.0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "ellipsoid radius y is -2, expected more than 0"
        );
    }

    #[test]
    fn corners_follow_their_bits() {
        let corners = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().corners();
        assert_eq!(corners[0], Vec3::new(-1.0, -2.0, -3.0));
        assert_eq!(corners[5], Vec3::new(1.0, -2.0, 3.0));
        for half in [Vec3::new(1.0, 2.0, 3.0), Vec3::new(1e-300, 1.0, 1e300)] {
            let cuboid = Cuboid::new(half).unwrap();
            assert_eq!(cuboid.polytope().vertices(), cuboid.corners());
            assert_eq!(cuboid.half_size(), half);
        }
    }
}
