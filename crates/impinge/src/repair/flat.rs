//! Vertices that the shape does not need: inside flat parts, or on straight edges.
//!
//! An edge is *flat* when its two faces are exactly planar, in one plane, and face the same way; every other edge is a
//! *crease*. A vertex without creases is inside a flat part. A vertex with exactly two creases that continue each other
//! in a straight line is on a straight edge, or on a straight border. Vertices and edges that are not manifold are never
//! extraneous. Exact, so that only vertices are named whose removal would not move the surface at all.

use super::edges::{Edges, EdgesAtVertices};
use super::faces::{Plane, is_between};
use super::surface::Surface;
use crate::math::Vec3;

/// For each edge whether it is flat. Faces for which `may_join` does not hold have only creases.
pub(super) fn flat_edges(
    surface: &Surface,
    edges: &Edges,
    may_join: impl Fn(&[Vec3]) -> bool,
) -> Vec<bool> {
    let planes: Vec<Option<Plane>> = surface
        .faces
        .iter()
        .map(|face| {
            let corners: Vec<Vec3> = face.iter().map(|v| surface.point(*v)).collect();
            Plane::of(&corners).filter(|_| may_join(&corners))
        })
        .collect();
    edges
        .iter()
        .map(|edge| match edge.pair() {
            Some(([a, b], true)) => match (&planes[a as usize], &planes[b as usize]) {
                (Some(p), Some(q)) => p.continues_in(q),
                _ => false,
            },
            _ => false,
        })
        .collect()
}

/// Vertices that the shape does not need, ascending.
#[derive(Debug, Default)]
pub(super) struct Extraneous {
    /// Inside a flat part.
    pub(super) flat: Vec<u32>,
    /// On a straight edge.
    pub(super) straight: Vec<u32>,
}

/// Finds extraneous vertices, given those that are not manifold.
pub(super) fn extraneous_vertices(
    surface: &Surface,
    edges: &Edges,
    at_vertices: &EdgesAtVertices,
    non_manifold: &[u32],
) -> Extraneous {
    let is_flat = flat_edges(surface, edges, |_| true);
    let mut found = Extraneous::default();
    for vertex in 0..surface.points.len() as u32 {
        let at_vertex = at_vertices.at(vertex as usize);
        if at_vertex.is_empty() || non_manifold.binary_search(&vertex).is_ok() {
            continue;
        }
        let mut creases = at_vertex.iter().filter(|e| !is_flat[**e as usize]);
        match (creases.next(), creases.next(), creases.next()) {
            (None, _, _) => found.flat.push(vertex),
            (Some(p), Some(q), None) if continue_straight(surface, edges, vertex, [*p, *q]) => {
                found.straight.push(vertex);
            }
            _ => {}
        }
    }
    found
}

/// Whether two edges at a vertex, of no more than two faces each, are on opposite sides of it in a straight line.
pub(super) fn continue_straight(
    surface: &Surface,
    edges: &Edges,
    vertex: u32,
    pair: [u32; 2],
) -> bool {
    let pair = pair.map(|e| edges.get(e as usize));
    let [p, q] = pair.map(|edge| {
        let [low, high] = edge.ends;
        surface.point(if low == vertex { high } else { low })
    });
    pair.iter().all(|edge| !edge.is_non_manifold()) && is_between(p, surface.point(vertex), q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::components::non_manifold_vertices;

    fn find(points: &[[f64; 3]], faces: &[&[u32]]) -> Extraneous {
        let surface = Surface {
            points: points.iter().map(|p| Vec3::from_array(*p)).collect(),
            faces: faces.iter().map(|f| f.to_vec()).collect(),
        };
        let edges = Edges::new(&surface);
        let at = EdgesAtVertices::new(&edges, points.len());
        let non_manifold = non_manifold_vertices(&surface, &edges, &at);
        extraneous_vertices(&surface, &edges, &at, &non_manifold)
    }

    #[test]
    fn vertices_in_flat_parts_and_on_straight_edges() {
        // A roof of two rectangles, cut into pieces: 0 is on the ridge, 1 in a slope, 2 on a border.
        let points = [
            [0.0, 0.0, 1.0],
            [0.0, 1.0, 0.5],
            [-1.0, -1.0, 0.5],
            [-1.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [-1.0, 2.0, 0.0],
            [1.0, 2.0, 0.0],
            [-1.0, -2.0, 0.0],
            [1.0, -2.0, 0.0],
        ];
        let faces: [&[u32]; 6] = [
            &[3, 0, 1, 5],
            &[0, 4, 1],
            &[4, 6, 1],
            &[1, 6, 5],
            &[3, 2, 0],
            &[2, 7, 8, 4, 0],
        ];
        let found = find(&points, &faces);
        assert_eq!(found.flat, [1]);
        assert_eq!(found.straight, [0, 2]);
        // An ulp is enough to need them.
        let mut bent = points;
        bent[0][2] = 1f64.next_up();
        bent[1][2] = 0.5f64.next_up();
        let found = find(&bent, &faces);
        assert!(found.flat.is_empty() && !found.straight.contains(&0));
    }
}
