//! What a body is.
//!
//! [`Shape`] is a closed set of kinds, so that every question can be matched against every pair of kinds and the
//! compiler lists what is missing. Big data sits behind an `Arc`: a `Shape` is cheap to clone and to share.
//! [`Shape::at`] puts a shape somewhere; queries take two such [`Placed`] shapes.

mod custom;
mod height_field;
mod hull;
mod mesh;
mod mesh_tree;
mod poly_mesh;
pub mod polygon;
mod polytope;
mod primitive;
mod solid;
mod support;

pub use custom::Custom;
pub use height_field::HeightField;
pub(crate) use hull::morton_order;
pub use mesh::TriMesh;
pub(crate) use mesh_tree::{BLOCK, Block, Child, LANES, MeshTree, Node, Obb, Slot};
pub use poly_mesh::{PolyMesh, Triangulation};
pub(crate) use polytope::{
    Chart, Cones, DOT_ERROR, EdgeArc, FEW_BLOCKS, Faces, Few, GaussMap, Joints, Kit, Layout,
    Listed, MOST_MARGIN, Many, NearTop, Packed, Planes, Probe, Spots, TABLED_FROM, TABLED_TO,
    cells_of,
};
pub use polytope::{Edge, Polytope};
pub use primitive::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere};
pub use solid::Solid;
pub(crate) use solid::merge_equal;
pub use support::SupportMap;

use crate::error::Error;
use crate::math::{Pose, Vec3};
use std::sync::Arc;

/// A shape in its own frame.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Shape {
    /// A ball about the origin.
    Sphere(Sphere),
    /// A box about the origin, its edges along the axes.
    Cuboid(Cuboid),
    /// All points within a radius of a segment on the z axis.
    Capsule(Capsule),
    /// A cylinder about the z axis.
    Cylinder(Cylinder),
    /// A cone about the z axis, its apex up.
    Cone(Cone),
    /// An ellipsoid about the origin.
    Ellipsoid(Ellipsoid),
    /// Everything on one side of a plane.
    HalfSpace(HalfSpace),
    /// A convex polytope.
    Polytope(Arc<Polytope>),
    /// A triangle soup: the union of its triangles, nothing inside.
    Mesh(Arc<TriMesh>),
    /// A closed mesh with its inside.
    Solid(Arc<Solid>),
    /// A surface over a grid of heights, nothing below it.
    HeightField(Arc<HeightField>),
    /// A convex shape grown by a radius.
    Rounded(Arc<Rounded>),
    /// A user's own convex shape.
    Custom(Arc<Custom>),
}

/// A convex shape grown by a radius: all points within that distance of the core.
#[derive(Debug, Clone)]
pub struct Rounded {
    core: Shape,
    radius: f64,
}

impl Rounded {
    /// The shape before it was grown.
    pub fn core(&self) -> &Shape {
        &self.core
    }

    /// How far it was grown.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Shape {
    /// A ball. A radius of 0 makes a point.
    pub fn sphere(radius: f64) -> Result<Shape, Error> {
        Sphere::new(radius).map(Shape::Sphere)
    }

    /// A box with the given half edge lengths.
    pub fn cuboid(half_size: Vec3) -> Result<Shape, Error> {
        Cuboid::new(half_size).map(Shape::Cuboid)
    }

    /// A capsule: all points within `radius` of the segment from `-half_height` to `half_height` on the z axis.
    /// Either may be 0.
    pub fn capsule(half_height: f64, radius: f64) -> Result<Shape, Error> {
        Capsule::new(half_height, radius).map(Shape::Capsule)
    }

    /// A cylinder about the z axis, from `-half_height` to `half_height`.
    pub fn cylinder(half_height: f64, radius: f64) -> Result<Shape, Error> {
        Cylinder::new(half_height, radius).map(Shape::Cylinder)
    }

    /// A cone about the z axis: its base disc at `-half_height`, its apex at `half_height`.
    pub fn cone(half_height: f64, radius: f64) -> Result<Shape, Error> {
        Cone::new(half_height, radius).map(Shape::Cone)
    }

    /// An ellipsoid with the given half axes.
    pub fn ellipsoid(radii: Vec3) -> Result<Shape, Error> {
        Ellipsoid::new(radii).map(Shape::Ellipsoid)
    }

    /// All points `p` with `normal . p <= offset`. The normal need not be of unit length.
    pub fn half_space(normal: Vec3, offset: f64) -> Result<Shape, Error> {
        HalfSpace::new(normal, offset).map(Shape::HalfSpace)
    }

    /// The convex hull of points.
    ///
    /// ```
    /// # use impinge::{Shape, Vec3};
    /// let corner = Shape::hull(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z])?;
    /// assert!(Shape::hull(&[Vec3::ZERO, Vec3::X, Vec3::Y]).is_err());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn hull(points: &[Vec3]) -> Result<Shape, Error> {
        Polytope::from_points(points).map(Shape::from)
    }

    /// A shape of the user's own, convex by contract. See [`SupportMap`] for an example.
    pub fn custom(map: impl SupportMap + 'static) -> Result<Shape, Error> {
        let custom = Custom::new(Arc::new(map))?;
        Ok(Shape::Custom(Arc::new(custom)))
    }

    /// The inside and the surface of a closed mesh.
    pub fn solid(mesh: TriMesh) -> Result<Shape, Error> {
        Solid::new(mesh).map(Shape::from)
    }

    /// The shape grown by `radius` in all directions. Only convex shapes can be rounded.
    pub fn rounded(self, radius: f64) -> Result<Shape, Error> {
        primitive::require_at_least_zero("rounding radius", radius)?;
        if self.is_convex() {
            Ok(Shape::Rounded(Arc::new(Rounded { core: self, radius })))
        } else {
            Err(Error::WrongShape {
                message: "only convex shapes can be rounded",
            })
        }
    }

    /// Whether the shape is convex by kind. Meshes, solids and height fields are not, whatever their form.
    pub fn is_convex(&self) -> bool {
        match self {
            Shape::Sphere(_)
            | Shape::Cuboid(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Polytope(_)
            | Shape::Rounded(_)
            | Shape::Custom(_) => true,
            Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) => false,
        }
    }

    /// The polytope that the shape is: of a polytope or a box, not of a rounded one.
    pub fn as_polytope(&self) -> Option<&Polytope> {
        match self {
            Shape::Polytope(polytope) => Some(polytope),
            Shape::Cuboid(cuboid) => Some(cuboid.polytope()),
            Shape::Sphere(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Mesh(_)
            | Shape::Solid(_)
            | Shape::HeightField(_)
            | Shape::Rounded(_)
            | Shape::Custom(_) => None,
        }
    }

    /// The triangles of a mesh or a solid.
    pub fn as_mesh(&self) -> Option<&TriMesh> {
        match self {
            Shape::Mesh(mesh) => Some(mesh),
            Shape::Solid(solid) => Some(solid.mesh()),
            Shape::Sphere(_)
            | Shape::Cuboid(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Polytope(_)
            | Shape::HeightField(_)
            | Shape::Rounded(_)
            | Shape::Custom(_) => None,
        }
    }

    /// The shape at a pose.
    pub fn at(&self, pose: Pose) -> Placed<'_> {
        Placed { shape: self, pose }
    }
}

impl From<Polytope> for Shape {
    fn from(polytope: Polytope) -> Shape {
        Shape::Polytope(Arc::new(polytope))
    }
}

impl From<TriMesh> for Shape {
    fn from(mesh: TriMesh) -> Shape {
        Shape::Mesh(Arc::new(mesh))
    }
}

impl From<HeightField> for Shape {
    fn from(field: HeightField) -> Shape {
        Shape::HeightField(Arc::new(field))
    }
}

impl From<Solid> for Shape {
    fn from(solid: Solid) -> Shape {
        Shape::Solid(Arc::new(solid))
    }
}

/// A shape somewhere: what queries take.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The shape, in its own frame.
    pub shape: &'a Shape,
    /// Where it is.
    pub pose: Pose,
}
