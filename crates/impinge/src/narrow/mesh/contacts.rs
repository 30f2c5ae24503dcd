//! All triangles that meet.
//!
//! The trees are gone through as for one pair that meets, but to the end. What comes out is sorted, so that it does
//! not depend on how the trees were built.
//!
//! **Cost.** That of the search, which grows with the number of pairs of boxes that overlap, and for each pair of triangles that
//! meet some hundred nanoseconds for what they have in common.

use super::convex::MeshAndConvex;
use super::frame::Frames;
use super::overlap::visit_near;
use super::side::Side;
use crate::contact::TriangleContact;
use crate::exact::{section_of, triangles_intersect};
use crate::lanes::in_lanes;
use crate::shape::Placed;

/// The pairs of triangles of two meshes that meet, sorted, and what they have in common.
pub(super) fn of_meshes(a: &Side<'_>, b: &Side<'_>) -> Vec<TriangleContact> {
    let mut pairs = Vec::new();
    let mut visit = |pair: [u32; 2]| {
        if triangles_intersect(&a.placed(pair[0]), &b.placed(pair[1])) {
            pairs.push(pair);
        }
        false
    };
    match Frames::new(&a.frame(), &b.frame()) {
        Some(frames) => {
            in_lanes!(simd => visit_near(simd, [a, b], &frames, &mut visit));
        }
        None => {
            // Numbers of extreme size: all pairs.
            for p in a.numbers() {
                b.numbers().for_each(|q| {
                    visit([p, q]);
                });
            }
        }
    }
    pairs.sort_unstable();
    // A leaf that is not full has its last triangle more than once.
    pairs.dedup();
    let contact = |triangles: [u32; 2]| TriangleContact {
        triangles,
        section: section_of(&a.placed(triangles[0]), &b.placed(triangles[1])),
    };
    pairs.into_iter().map(contact).collect()
}

/// The triangles of a mesh that meet a convex shape, sorted.
pub(super) fn with_convex(mesh: Side<'_>, other: &Placed<'_>) -> Vec<u32> {
    match MeshAndConvex::new(mesh, other) {
        Some(pair) => pair.meeting(),
        None => super::convex::meeting_of_all(&mesh, other),
    }
}
