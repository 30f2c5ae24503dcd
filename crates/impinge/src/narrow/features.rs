//! Vertices of a polytope to the feature they span.

use crate::contact::Feature;
use crate::math::Vec3;
use crate::shape::Polytope;

/// The smallest vertex, edge or face that holds all of the given vertices: one to three of them, different ones.
///
/// Near-coplanar faces can make a search end with vertices of two of them; then the face at the first vertex that looks
/// most along `outward`, a direction in the frame of the polytope, is named.
pub(super) fn spanned(polytope: &Polytope, vertices: &[u32], outward: Vec3) -> Feature {
    match *vertices {
        [] => Feature::Inside,
        [vertex] => Feature::Vertex(vertex),
        [first, second] => match edge_between(polytope, first, second) {
            Some(edge) => Feature::Edge(edge),
            None => Feature::Face(face_with(polytope, first, &[second], outward)),
        },
        [first, ref others @ ..] => Feature::Face(face_with(polytope, first, others, outward)),
    }
}

/// A face at a vertex that holds all of the others, or else the one that looks most along `outward`.
fn face_with(polytope: &Polytope, vertex: u32, others: &[u32], outward: Vec3) -> u32 {
    let holds_all = |face: u32| {
        let corners = polytope.face(face as usize);
        others.iter().all(|other| corners.contains(other))
    };
    // Nearly always two of the vertices share an edge, and then one of its two faces is the one.
    if let Some(edge) = edge_between(polytope, vertex, others[0]) {
        let [left, right] = polytope.edges()[edge as usize].faces;
        if holds_all(left) {
            return left;
        }
        if holds_all(right) {
            return right;
        }
    }
    let faces = polytope.vertex_faces(vertex as usize).iter().copied();
    let looks = |face: u32| polytope.face_normal(face as usize).dot(outward);
    faces
        .clone()
        .find(|face| holds_all(*face))
        .or_else(|| faces.max_by(|p, q| looks(*p).total_cmp(&looks(*q))))
        .expect("there are faces at every vertex")
}

fn edge_between(polytope: &Polytope, first: u32, second: u32) -> Option<u32> {
    let neighbours = polytope.neighbours(first as usize);
    let place = neighbours.iter().position(|vertex| *vertex == second)?;
    Some(polytope.vertex_edges(first as usize)[place])
}
