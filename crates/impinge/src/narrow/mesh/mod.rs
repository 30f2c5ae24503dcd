//! Meshes and solids: with each other, and with convex shapes.
//!
//! | file | what |
//! |---|---|
//! | `pair` | the questions about two meshes |
//! | `convex` | the questions about a mesh and a convex shape |
//! | `overlap` | two trees: is there a pair of triangles that meet |
//! | `distance` | two trees: the closest pair of triangles |
//! | `inside` | is a point inside a solid |
//! | `frame` | how two trees lie to each other, with an error bound |
//! | `boxes`, `leaves` | one box against eight, four triangles against four, in `f32` |
//! | `triangles` | two triangles in `f64`, with a proof |
//! | `side`, `stack`, `queue` | a placed mesh; what waits to be looked at |
//!
//! The trees ([`MeshTree`](crate::shape::MeshTree)) are in the frames of the meshes, which do not change. One of them is
//! seen from the other, in `f32`; error bounds make sure that what is dropped there is truly apart. What is left, pairs
//! of triangles, is decided on the placed vertices: exactly, or with certified intervals. So the answers are those of
//! [`mod@crate::reference`], which looks at all triangles.
//!
//! **Memory.** Lists of waiting pairs belong to the thread and are kept. **What it does not do:** half-spaces and numbers of
//! extreme size, for which every question is left to the reference.

mod boxes;
mod convex;
mod distance;
mod frame;
mod inside;
mod leaves;
mod overlap;
mod pair;
mod queue;
mod side;
mod stack;
pub(crate) mod triangles;

use super::cache::PairCache;
use crate::contact::Separation;
use crate::shape::Placed;
use convex::MeshAndConvex;
use pair::MeshPair;
use side::Side;

/// Whether two shapes, of which at least one is a mesh or a solid, are within a gap, finite and not negative, of each
/// other; `None` for other shapes, half-spaces, and numbers of extreme size.
pub(crate) fn within(
    a: &Placed<'_>,
    b: &Placed<'_>,
    gap: f64,
    cache: &mut PairCache,
) -> Option<bool> {
    match (Side::of(a), Side::of(b)) {
        (Some(a), Some(b)) => MeshPair { a, b }.within(gap, cache),
        (Some(mesh), None) => Some(MeshAndConvex::new(mesh, b)?.within(gap, cache)),
        (None, Some(mesh)) => Some(MeshAndConvex::new(mesh, a)?.within(gap, cache)),
        (None, None) => None,
    }
}

/// How far two shapes are apart, of which at least one is a mesh or a solid; `None` as for [`within`].
pub(crate) fn distance(
    a: &Placed<'_>,
    b: &Placed<'_>,
    cache: &mut PairCache,
) -> Option<Separation> {
    match (Side::of(a), Side::of(b)) {
        (Some(a), Some(b)) => MeshPair { a, b }.distance(cache),
        (Some(mesh), None) => Some(MeshAndConvex::new(mesh, b)?.distance(cache)),
        (None, Some(mesh)) => {
            let near = MeshAndConvex::new(mesh, a)?.distance(cache);
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
