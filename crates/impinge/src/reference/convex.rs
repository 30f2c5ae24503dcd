//! The convex pieces that placed shapes are made of.
//!
//! A piece is a triangle, the hull of points, one of three curved bodies, or a body known by support points alone; a
//! radius, if the shape has one, is kept apart. Points are placed vertices. A curved body is the image of a unit body under the pose as real numbers: no
//! rounding happens before it is asked for support points.

use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Cone, Custom, Cylinder, Ellipsoid};
use std::sync::Arc;

/// A compact convex set.
#[derive(Debug, Clone)]
pub(super) enum Convex {
    Triangle([Vec3; 3]),
    /// The hull of at least one point.
    Hull(Vec<Vec3>),
    Curved(Curved),
    Custom(PlacedCustom),
}

/// A user's own shape at a pose: the image of the shape under the pose as real numbers.
#[derive(Debug, Clone)]
pub(super) struct PlacedCustom {
    pub(super) shape: Arc<Custom>,
    pub(super) pose: Pose,
}

/// All `center + x * axes[0] * sizes[0] + y * axes[1] * sizes[1] + z * axes[2] * sizes[2]` for `(x, y, z)` in the unit
/// body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Curved {
    pub(super) body: UnitBody,
    pub(super) center: Vec3,
    pub(super) axes: [Vec3; 3],
    pub(super) sizes: [f64; 3],
}

/// A body of unit size about the origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitBody {
    /// The unit ball.
    Ball,
    /// The unit disc of the first two coordinates, times `[-1, 1]`.
    Cylinder,
    /// The hull of the unit disc at -1 and the apex at 1.
    Cone,
}

/// The part of a piece that a point lies on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Between these points of the piece, ascending.
    Points(Vec<u32>),
    /// On the surface of a curved piece.
    Surface,
    /// Inside a curved piece.
    Inside,
}

impl Convex {
    /// The points that span the piece, unless it is curved.
    pub(super) fn points(&self) -> Option<&[Vec3]> {
        match self {
            Convex::Triangle(corners) => Some(corners),
            Convex::Hull(points) => Some(points),
            Convex::Curved(_) | Convex::Custom(_) => None,
        }
    }

    /// A point of the piece; of a custom one a support point, as good as it is.
    pub(super) fn some_point(&self) -> Vec3 {
        match self {
            Convex::Triangle(corners) => corners[0],
            Convex::Hull(points) => points[0],
            Convex::Curved(curved) => curved.center,
            Convex::Custom(custom) => custom.pose.place(custom.shape.support(Vec3::X)),
        }
    }

    /// A box around the piece.
    pub(super) fn bounds(&self) -> Aabb {
        match self {
            Convex::Triangle(corners) => bounds_of(corners),
            Convex::Hull(points) => bounds_of(points),
            Convex::Curved(curved) => curved.bounds(),
            Convex::Custom(custom) => custom.bounds(),
        }
    }
}

impl PlacedCustom {
    /// The box of the ball around the shape, rounded outward.
    fn bounds(&self) -> Aabb {
        // The matrix stretches by at most 1.5 times its deviation.
        let stretch = 1.0 + 2.0 * self.pose.deviation() + 8.0 * f64::EPSILON;
        let half = Vec3::splat((self.shape.bounding_radius() + self.error()) * stretch);
        let (center, limit) = (self.pose.translation(), Vec3::MAX);
        Aabb::of_points([center - half, center + half].map(|p| p.clamp(-limit, limit)))
            .expect("two points")
            .grown(0.0)
    }

    /// How far support points of the placed shape are off: by the error that the shape admits, and by asking for them
    /// along a direction that is rounded, `M^T d`, four roundings of a direction of length 2 for a shape of twice the
    /// radius across.
    pub(super) fn error(&self) -> f64 {
        let own = self.shape.support_error() + 16.0 * f64::EPSILON * self.shape.bounding_radius();
        own * (1.0 + 2.0 * self.pose.deviation())
    }
}

fn bounds_of(points: &[Vec3]) -> Aabb {
    Aabb::of_points(points.iter().copied()).expect("a piece has at least one point")
}

impl Curved {
    pub(super) fn cylinder(shape: &Cylinder, pose: &Pose) -> Curved {
        let (r, h) = (shape.radius(), shape.half_height());
        Curved::new(UnitBody::Cylinder, [r, r, h], pose)
    }

    pub(super) fn cone(shape: &Cone, pose: &Pose) -> Curved {
        let (r, h) = (shape.radius(), shape.half_height());
        Curved::new(UnitBody::Cone, [r, r, h], pose)
    }

    pub(super) fn ellipsoid(shape: &Ellipsoid, pose: &Pose) -> Curved {
        Curved::new(UnitBody::Ball, shape.radii().to_array(), pose)
    }

    fn new(body: UnitBody, sizes: [f64; 3], pose: &Pose) -> Curved {
        let m = pose.matrix();
        Curved {
            body,
            center: pose.translation(),
            axes: [m.x_axis, m.y_axis, m.z_axis],
            sizes,
        }
    }

    /// The box of the image of the unit cube, which contains every unit body, rounded outward.
    fn bounds(&self) -> Aabb {
        let half = (0..3)
            .map(|i| self.axes[i].abs() * self.sizes[i])
            .sum::<Vec3>();
        // Five roundings a coordinate, and room for products that underflowed.
        let half = half * (1.0 + 8.0 * f64::EPSILON) + Vec3::splat(8.0 * f64::from_bits(1));
        let limit = Vec3::MAX;
        Aabb::of_points([self.center - half, self.center + half].map(|p| p.clamp(-limit, limit)))
            .expect("two points")
            .grown(0.0)
    }
}
