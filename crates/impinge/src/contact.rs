//! The answers to queries.

use crate::math::{Interval, Vec3};

/// The points that prove an answer, in the world frame: one on each shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Witness {
    /// The point on the first shape.
    pub a: Vec3,
    /// The point on the second shape.
    pub b: Vec3,
}

/// The part of a shape that a witness point lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    /// A vertex of a polytope, box or mesh, by index.
    Vertex(u32),
    /// An edge: of a polytope or box by index; of a mesh `3 * t + k` for the edge of triangle `t` that runs from its
    /// corner `k` to the next one.
    Edge(u32),
    /// A face of a polytope or box, or a triangle of a mesh, by index.
    Face(u32),
    /// A curved or otherwise undivided surface: spheres, capsules, cylinders, cones, ellipsoids, half-spaces.
    Surface,
    /// The inside: the shapes overlap and the witness is not on the boundary of this one.
    Inside,
}

/// How far two shapes are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation {
    /// The distance, inside `bounds`; 0 exactly when the shapes intersect.
    pub distance: f64,
    /// The certified interval: the true distance of the placed shapes lies in it.
    pub bounds: Interval,
    /// The closest points; a common point (twice) when the shapes intersect.
    pub witness: Witness,
    /// What the witness points lie on, first shape first.
    pub features: [Feature; 2],
}
