//! What is left of a convex shape when its radius is taken off.
//!
//! A ball is a point with a radius, a capsule a segment with one, a rounded shape its core with one. Searches work on
//! the skeletons and compare their distance with the sum of the radii: skeletons stay apart when the shapes come close,
//! so that the direction between them stays accurate, and a radius does not care how a body turns.

use crate::math::{Aabb, Vec3};
use crate::narrow::mesh::surface::Surface;
use crate::shape::{
    Cone, Cuboid, Custom, Cylinder, Ellipsoid, HalfSpace, Polytope, Shape, SupportMap,
};

/// A convex shape without its radius.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stripped<'a> {
    Bounded(Skeleton<'a>),
    Plane(&'a HalfSpace),
}

/// A bounded convex shape without its radius, in its own frame.
#[derive(Debug, Clone, Copy)]
pub(super) enum Skeleton<'a> {
    /// The origin.
    Point,
    /// From minus to plus this height on the z axis.
    Segment(f64),
    Cuboid(&'a Cuboid),
    Cylinder(&'a Cylinder),
    Cone(&'a Cone),
    Ellipsoid(&'a Ellipsoid),
    Polytope(&'a Polytope),
    Custom(&'a Custom),
    /// One triangle of a mesh.
    Triangle([Vec3; 3]),
    /// The hull of a mesh, a solid or a height field: all there is to it for a half-space.
    HullOf(Surface<'a>),
}

/// A point of a skeleton that is farthest along some direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extreme {
    pub(super) point: Vec3,
    /// The index of the vertex, for boxes, polytopes, triangles and meshes.
    pub(super) vertex: u32,
}

/// The shape without its radius, and that radius. Of a mesh, a solid or a height field it is the hull.
pub(super) fn strip(shape: &Shape) -> (Stripped<'_>, f64) {
    match shape {
        Shape::Sphere(s) => (Stripped::Bounded(Skeleton::Point), s.radius()),
        Shape::Capsule(c) => {
            let segment = Skeleton::Segment(c.half_height());
            (Stripped::Bounded(segment), c.radius())
        }
        Shape::Cuboid(c) => (Stripped::Bounded(Skeleton::Cuboid(c)), 0.0),
        Shape::Cylinder(c) => (Stripped::Bounded(Skeleton::Cylinder(c)), 0.0),
        Shape::Cone(c) => (Stripped::Bounded(Skeleton::Cone(c)), 0.0),
        Shape::Ellipsoid(e) => (Stripped::Bounded(Skeleton::Ellipsoid(e)), 0.0),
        Shape::Polytope(p) => (Stripped::Bounded(Skeleton::Polytope(p)), 0.0),
        // Grown by the error of its support points: then it is nowhere nearer than it seems.
        Shape::Custom(c) => (Stripped::Bounded(Skeleton::Custom(c)), c.support_error()),
        Shape::HalfSpace(h) => (Stripped::Plane(h), 0.0),
        Shape::Rounded(r) => {
            let (core, radius) = strip(r.core());
            (core, radius + r.radius())
        }
        Shape::Mesh(mesh) => hull_of(Surface::of_mesh(mesh)),
        Shape::Solid(solid) => hull_of(Surface::of_mesh(solid.mesh())),
        Shape::HeightField(field) => hull_of(Surface::Field(field)),
    }
}

fn hull_of(surface: Surface<'_>) -> (Stripped<'_>, f64) {
    (Stripped::Bounded(Skeleton::HullOf(surface)), 0.0)
}

/// Polytopes with more vertices than this are climbed by searches, smaller ones scanned.
const SCANNED_VERTICES: usize = 64;

impl Skeleton<'_> {
    /// A point that is farthest along the direction, up to the rounding of products with it.
    pub(super) fn farthest(&self, direction: Vec3) -> Extreme {
        match self {
            Skeleton::Point => unnamed(Vec3::ZERO),
            Skeleton::Segment(height) => unnamed(Vec3::new(0.0, 0.0, height.copysign(direction.z))),
            Skeleton::Cuboid(c) => {
                let point = c.support(direction);
                let side = |axis: usize| u32::from(point[axis] > 0.0) << axis;
                Extreme {
                    point,
                    vertex: side(0) | side(1) | side(2),
                }
            }
            Skeleton::Cylinder(c) => unnamed(c.support(direction)),
            Skeleton::Cone(c) => unnamed(c.support(direction)),
            Skeleton::Ellipsoid(e) => unnamed(e.support(direction)),
            Skeleton::Polytope(p) => {
                farthest_of((0..).zip(p.vertices().iter().copied()), direction)
            }
            Skeleton::Custom(c) => unnamed(c.support(direction)),
            Skeleton::Triangle(corners) => {
                farthest_of((0..).zip(corners.iter().copied()), direction)
            }
            Skeleton::HullOf(surface) => farthest_of(corners_of(surface), direction),
        }
    }

    /// As [`Skeleton::farthest`], in less time for large polytopes: of a plateau that rounding made of a slope, it may be
    /// the wrong end. Good for a search, not for a certificate.
    pub(super) fn probably_farthest(&self, direction: Vec3) -> Extreme {
        if let Skeleton::Polytope(p) = self
            && p.vertices().len() > SCANNED_VERTICES
        {
            return named(p, p.climb(direction, 0));
        }
        self.farthest(direction)
    }

    /// The vertices, if there is nothing else to it.
    pub(super) fn vertices(&self) -> Option<Vec<Vec3>> {
        match self {
            Skeleton::Point => Some(vec![Vec3::ZERO]),
            Skeleton::Segment(height) => Some(vec![Vec3::Z * *height, Vec3::Z * -*height]),
            Skeleton::Cuboid(c) => Some(c.corners().to_vec()),
            Skeleton::Polytope(p) => Some(p.vertices().to_vec()),
            Skeleton::Triangle(corners) => Some(corners.to_vec()),
            Skeleton::HullOf(surface) => Some(corners_of(surface).map(|(_, p)| p).collect()),
            Skeleton::Cylinder(_)
            | Skeleton::Cone(_)
            | Skeleton::Ellipsoid(_)
            | Skeleton::Custom(_) => None,
        }
    }

    /// The largest value of a convex function with slopes up to 1 (in all directions, after a turn of the body that
    /// stretches by at most `stretch`), or a little more.
    ///
    /// The body is in the hull of a few points, grown by a ball: a cylinder by a ball along its axis.
    pub(super) fn largest(&self, stretch: f64, value: impl Fn(Vec3) -> f64) -> f64 {
        let over = |points: &[Vec3]| points.iter().map(|p| value(*p)).fold(f64::MIN, f64::max);
        let on_axis = |height: f64| over(&[Vec3::Z * height, Vec3::Z * -height]);
        match self {
            Skeleton::Point => value(Vec3::ZERO),
            Skeleton::Segment(height) => on_axis(*height),
            Skeleton::Cuboid(c) => over(&c.corners()),
            Skeleton::Cylinder(c) => on_axis(c.half_height()) + c.radius() * stretch,
            Skeleton::Cone(c) => on_axis(c.half_height()) + c.radius() * stretch,
            Skeleton::Ellipsoid(e) => value(Vec3::ZERO) + e.radii().max_element() * stretch,
            Skeleton::Polytope(p) => over(p.vertices()),
            Skeleton::Custom(c) => value(Vec3::ZERO) + c.bounding_radius() * stretch,
            Skeleton::Triangle(corners) => over(corners),
            Skeleton::HullOf(surface) => over(&box_corners(&surface.bounds())),
        }
    }
}

fn unnamed(point: Vec3) -> Extreme {
    Extreme { point, vertex: 0 }
}

fn named(polytope: &Polytope, vertex: u32) -> Extreme {
    Extreme {
        point: polytope.vertices()[vertex as usize],
        vertex,
    }
}

/// The corners of a box: a convex function is largest at one of them.
fn box_corners(bounds: &Aabb) -> [Vec3; 8] {
    let (low, high) = (bounds.min(), bounds.max());
    std::array::from_fn(|i| {
        let pick = |axis: usize| {
            if i >> axis & 1 == 0 {
                low[axis]
            } else {
                high[axis]
            }
        };
        Vec3::new(pick(0), pick(1), pick(2))
    })
}

/// The corners of all triangles with the numbers of the vertices.
fn corners_of<'a>(surface: &Surface<'a>) -> impl Iterator<Item = (u32, Vec3)> + use<'a> {
    let surface = *surface;
    let corners = move |triangle| {
        let vertices = surface.vertices_of(triangle);
        vertices.into_iter().zip(surface.corners(triangle))
    };
    surface.numbers().flat_map(corners)
}

fn farthest_of(points: impl Iterator<Item = (u32, Vec3)>, direction: Vec3) -> Extreme {
    let (mut best, mut farthest) = (unnamed(Vec3::ZERO), f64::NEG_INFINITY);
    for (vertex, point) in points {
        let along = direction.dot(point);
        if along > farthest {
            (best, farthest) = (Extreme { point, vertex }, along);
        }
    }
    best
}
