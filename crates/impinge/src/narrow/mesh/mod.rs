//! Meshes, solids and height fields: with each other, and with convex shapes.
//!
//! | file | what |
//! |---|---|
//! | `pair` | the questions about two meshes |
//! | `convex`, `plane` | the questions about a mesh and a convex shape; a half-space as the tree sees it |
//! | `overlap` | two trees: is there a pair of triangles that meet |
//! | `distance` | two trees: the closest pair of triangles |
//! | `contacts` | all triangles that meet |
//! | `manifold` | a few contact points, a normal and a depth for a response |
//! | `depth` | the deepest point of two solids |
//! | `own` | the triangles of one mesh that meet each other |
//! | `inside` | is a point inside a solid |
//! | `gradual` | two trees, as far as a budget goes |
//! | `frame` | how two trees lie to each other, with an error bound |
//! | `boxes`, `leaves`, `columns` | one box against eight, four triangles against four, in `f32` |
//! | `triangles` | two triangles in `f64`, with a proof |
//! | `surface`, `side` | where triangles come from; the same at a pose |
//! | `stack`, `queue`, `work` | what waits to be looked at; how much that was |
//!
//! The trees ([`MeshTree`](crate::shape::MeshTree)) are in the frames of the meshes, which do not change. One of them is
//! seen from the other, in `f32`; error bounds make sure that what is dropped there is truly apart. What is left, pairs
//! of triangles, is decided on the placed vertices: exactly, or with certified intervals. So the answers are those of
//! [`mod@crate::reference`], which looks at all triangles.
//!
//! **Memory.** Lists of waiting pairs belong to the thread and are kept. **What it does not do:** numbers of extreme
//! size, for which every question is left to the reference.

mod boxes;
pub(super) mod columns;
mod contacts;
pub(super) mod convex;
mod depth;
mod distance;
pub(super) mod frame;
pub(crate) mod gradual;
mod inside;
pub(super) mod leaves;
mod manifold;
pub(super) mod overlap;
mod own;
mod pair;
mod plane;
mod queue;
pub(super) mod side;
mod stack;
pub(super) mod surface;
pub(crate) mod triangles;
mod work;

use super::cache::PairCache;
use crate::bound::{Extent, OwnBox};
use crate::contact::{Manifold, Separation, SolidDepth, Tolerance, TriangleContact};
use crate::exact::count_filter;
use crate::math::Vec3;
use crate::shape::{Placed, Shape, TriMesh};
use convex::MeshAndConvex;
use frame::Frames;
use pair::MeshPair;
use side::Side;
pub use work::{MeshWork, mesh_work};

/// Whether two shapes, of which at least one is a mesh or a solid, are within a gap, finite and not negative, of each
/// other; `None` for other shapes, and numbers of extreme size.
pub(crate) fn within(
    a: &Placed<'_>,
    b: &Placed<'_>,
    gap: f64,
    cache: &mut PairCache,
) -> Option<bool> {
    let sides = (Side::of(a), Side::of(b));
    if gap <= 0.0 && (sides.0.is_some() || sides.1.is_some()) && are_boxes_apart(a, b) {
        count_filter();
        return Some(false);
    }
    match sides {
        (Some(a), Some(b)) => MeshPair { a, b }.within(gap, cache),
        (Some(mesh), None) => Some(MeshAndConvex::new(mesh, b)?.within(gap, cache)),
        (None, Some(mesh)) => Some(MeshAndConvex::new(mesh, a)?.within(gap, cache)),
        (None, None) => None,
    }
}

/// Whether two shapes are apart because their boxes are: a tenth of the time that opening a tree takes.
fn are_boxes_apart(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    match (known_box(a), known_box(b)) {
        (Some(p), Some(q)) => p.is_apart(&a.pose, &q, &b.pose),
        _ => false,
    }
}

/// The box of a shape, where it is known without a look at all vertices.
fn known_box(placed: &Placed<'_>) -> Option<OwnBox> {
    match (Side::of(placed), placed.shape) {
        (Some(side), _) => Some(OwnBox::of(&side.bounds())),
        (None, Shape::Cuboid(_)) => Extent::of(placed.shape).map(|extent| extent.own_box()),
        (None, _) => None,
    }
}

/// How far two shapes are apart, of which at least one is a mesh or a solid, within a tolerance if there is one; `None` as
/// for [`within`].
pub(crate) fn distance(
    a: &Placed<'_>,
    b: &Placed<'_>,
    tolerance: Option<Tolerance>,
    cache: &mut PairCache,
) -> Option<Separation> {
    let goal = tolerance.map_or(convex::Goal::Closest, convex::Goal::Approximate);
    match (Side::of(a), Side::of(b)) {
        (Some(a), Some(b)) => {
            let goal = tolerance.map_or(distance::Goal::Closest, distance::Goal::Approximate);
            MeshPair { a, b }.distance(goal, cache)
        }
        (Some(mesh), None) => Some(MeshAndConvex::new(mesh, b)?.distance(goal, cache)),
        (None, Some(mesh)) => {
            let near = MeshAndConvex::new(mesh, a)?.distance(goal, cache);
            Some(near.swapped())
        }
        (None, None) => None,
    }
}

/// What there is to say when a part of a mesh is inside a solid, given that surfaces do not meet; `None` when nothing is, and
/// for other shapes.
pub(crate) fn contained(a: &Placed<'_>, b: &Placed<'_>) -> Option<Separation> {
    let pair = MeshPair {
        a: Side::of(a)?,
        b: Side::of(b)?,
    };
    pair.contained().map(|contained| pair.holding(&contained))
}

/// All pairs of triangles of two meshes or solids that meet, sorted; `None` for other shapes.
pub(crate) fn contacts(a: &Placed<'_>, b: &Placed<'_>) -> Option<Vec<TriangleContact>> {
    Some(contacts::of_meshes(&Side::of(a)?, &Side::of(b)?))
}

/// All triangles of a mesh or solid that meet a convex shape, sorted; `None` for other shapes.
pub(crate) fn meeting_triangles(mesh: &Placed<'_>, other: &Placed<'_>) -> Option<Vec<u32>> {
    let side = Side::of(mesh)?;
    let is_convex = Side::of(other).is_none();
    is_convex.then(|| contacts::with_convex(side, other))
}

/// Where the surfaces of two shapes meet, of which at least one is a mesh or a solid; `None` when they do not, and for other
/// shapes.
pub(crate) fn manifold(a: &Placed<'_>, b: &Placed<'_>) -> Option<Manifold> {
    match (Side::of(a), Side::of(b)) {
        (Some(a), Some(b)) => manifold::of_meshes(&a, &b),
        (Some(mesh), None) => manifold::with_convex(mesh, b),
        (None, Some(mesh)) => Some(manifold::with_convex(mesh, a)?.swapped()),
        (None, None) => None,
    }
}

/// How deep two solids are inside each other that intersect; `None` for other shapes, and numbers of extreme size.
pub(crate) fn solid_depth(a: &Placed<'_>, b: &Placed<'_>, tolerance: f64) -> Option<SolidDepth> {
    let (a, b) = (Side::of(a)?, Side::of(b)?);
    let is_ordinary = Frames::new(&a.frame(), &b.frame()).is_some();
    (a.is_solid && b.is_solid && is_ordinary).then(|| depth::of_solids(a, b, tolerance))
}

/// The pairs of triangles of a mesh that meet beyond what they share, sorted.
pub(crate) fn self_intersections(mesh: &TriMesh) -> Vec<[u32; 2]> {
    own::crossings(mesh)
}

/// How far a triangle, given by its placed corners, is from another. Corners and edges have the numbers 0 to 2.
pub(super) fn measure_triangles(a: &[Vec3; 3], b: &[Vec3; 3]) -> Separation {
    let near = triangles::measure(a, b);
    let features = near.parts.map(|part| part.feature(0, [0, 1, 2]));
    if near.bounds.upper == 0.0 {
        Separation::meeting_at(near.witness.a, features)
    } else {
        Separation::apart(near.bounds.lower, &near.bounds, near.witness, features)
    }
}

/// How far a triangle, given by its placed corners, is from a convex shape; likewise.
pub(super) fn measure_triangle_and_convex(corners: &[Vec3; 3], other: &Placed<'_>) -> Separation {
    convex::measure(corners, other)
}
