//! Vertices of a polytope to the feature they span.

use crate::contact::Feature;
use crate::math::Vec3;
use crate::shape::Polytope;

/// The smallest vertex, edge or face that holds all of one to three vertices, of which some may be equal.
///
/// Near-coplanar faces can make a search end with vertices of two of them; then the face at the first vertex that looks
/// most along `outward`, a direction in the frame of the polytope, is named.
#[inline]
pub(crate) fn spanned(
    polytope: &Polytope,
    vertices: &[u32],
    outward: impl FnOnce() -> Vec3,
) -> Feature {
    let [first, second, third] = match *vertices {
        [] => return Feature::Inside,
        [first] => [first; 3],
        [first, second] => [first, second, second],
        [first, second, third, ..] => [first, second, third],
    };
    let (second, third) = if second == first {
        (third, third)
    } else {
        (second, if third == first { second } else { third })
    };
    if second == first {
        return Feature::Vertex(first);
    }
    // Both places in one pass that does not end early: where it would is hard to foresee.
    let ring = polytope.neighbours(first as usize);
    let (mut k, mut m) = (ring.len(), ring.len());
    for (place, neighbour) in ring.iter().enumerate() {
        k = if *neighbour == second { place } else { k };
        m = if *neighbour == third { place } else { m };
    }
    if third == second {
        if k < ring.len() {
            return Feature::Edge(polytope.vertex_edges(first as usize)[k]);
        }
    } else if k.max(m) < ring.len() {
        // Neighbours that follow each other in the ring share a face with its middle.
        let after = |k: usize| if k + 1 == ring.len() { 0 } else { k + 1 };
        if after(k) == m {
            return Feature::Face(polytope.vertex_faces(first as usize)[k]);
        }
        if after(m) == k {
            return Feature::Face(polytope.vertex_faces(first as usize)[m]);
        }
    }
    Feature::Face(face_with(polytope, first, [second, third], outward()))
}

/// A face at a vertex that holds both of the others, or else the one that looks most along `outward`.
#[cold]
fn face_with(polytope: &Polytope, vertex: u32, others: [u32; 2], outward: Vec3) -> u32 {
    let holds_all = |face: u32| {
        let corners = polytope.face(face as usize);
        others.iter().all(|other| corners.contains(other))
    };
    let faces = polytope.vertex_faces(vertex as usize).iter().copied();
    let looks = |face: u32| polytope.face_normal(face as usize).dot(outward);
    faces
        .clone()
        .find(|face| holds_all(*face))
        .or_else(|| faces.max_by(|p, q| looks(*p).total_cmp(&looks(*q))))
        .expect("there are faces at every vertex")
}
