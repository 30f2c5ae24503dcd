//! What hangs together: components of faces, fans around vertices, chains along holes.
//!
//! Faces hang together by edges, however many faces an edge has; a shared vertex alone does not connect. Around a vertex
//! the faces that hang together by edges at that vertex form a fan; more than one fan makes the vertex non-manifold.
//! Linear in the number of corners, but for the nearly constant factor of the disjoint sets.

use super::edges::{Edges, EdgesAtVertices};
use super::surface::Surface;
use std::collections::HashMap;

/// A partition of `0..n` that starts with singletons and grows coarser.
#[derive(Debug)]
pub(super) struct DisjointSets {
    parents: Vec<u32>,
}

impl DisjointSets {
    pub(super) fn new(n: usize) -> DisjointSets {
        DisjointSets {
            parents: (0..n as u32).collect(),
        }
    }

    /// The least member of the set of `i`.
    pub(super) fn find(&mut self, mut i: u32) -> u32 {
        while self.parents[i as usize] != i {
            let grandparent = self.parents[self.parents[i as usize] as usize];
            self.parents[i as usize] = grandparent;
            i = grandparent;
        }
        i
    }

    /// Makes one set of the two.
    pub(super) fn join(&mut self, i: u32, j: u32) {
        let (i, j) = (self.find(i), self.find(j));
        self.parents[i.max(j) as usize] = i.min(j);
    }
}

/// A partition of the faces; empty faces belong to no part.
#[derive(Debug)]
pub(super) struct Parts {
    /// The faces of each part, ascending; parts ascend by their first face.
    pub(super) members: Vec<Vec<u32>>,
    /// The part of each face; meaningless for empty faces.
    pub(super) part_of: Vec<u32>,
}

impl Parts {
    /// Faces that hang together by edges.
    pub(super) fn connected(surface: &Surface, edges: &Edges) -> Parts {
        Parts::joined_by(surface, edges, |_| true)
    }

    /// Faces that hang together by the edges for which `joins` holds.
    pub(super) fn joined_by(
        surface: &Surface,
        edges: &Edges,
        joins: impl Fn(usize) -> bool,
    ) -> Parts {
        let mut sets = DisjointSets::new(surface.faces.len());
        for edge in (0..edges.len()).filter(|e| joins(*e)) {
            for pair in edges.get(edge).uses.windows(2) {
                sets.join(pair[0].face, pair[1].face);
            }
        }
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut part_of = vec![0; surface.faces.len()];
        for face in 0..surface.faces.len() {
            if surface.faces[face].is_empty() {
                continue;
            }
            // The root of a set is its least member, so it has been seen before the others.
            let root = sets.find(face as u32) as usize;
            if root == face {
                part_of[face] = members.len() as u32;
                members.push(Vec::new());
            } else {
                part_of[face] = part_of[root];
            }
            members[part_of[face] as usize].push(face as u32);
        }
        Parts { members, part_of }
    }
}

/// The vertices around which faces form more than one fan, ascending.
pub(super) fn non_manifold_vertices(
    surface: &Surface,
    edges: &Edges,
    at_vertices: &EdgesAtVertices,
) -> Vec<u32> {
    // Joining faces globally would mix vertices up: each vertex has its own little partition of the faces around it.
    let mut fans = Fans::default();
    (0..surface.points.len())
        .filter(|v| fans.count(edges, at_vertices.at(*v)) > 1)
        .map(|v| v as u32)
        .collect()
}

/// Scratch space for counting fans.
#[derive(Debug, Default)]
struct Fans {
    faces: Vec<u32>,
}

impl Fans {
    fn count(&mut self, edges: &Edges, at_vertex: &[u32]) -> usize {
        let uses = || at_vertex.iter().map(|e| edges.get(*e as usize).uses);
        self.faces.clear();
        self.faces.extend(uses().flatten().map(|u| u.face));
        self.faces.sort_unstable();
        self.faces.dedup();
        let mut fans = self.faces.len();
        let mut sets = DisjointSets::new(fans);
        let faces = &self.faces;
        let slot = |face: u32| faces.partition_point(|f| *f < face) as u32;
        for pair in uses().flat_map(|uses| uses.windows(2)) {
            let (i, j) = (sets.find(slot(pair[0].face)), sets.find(slot(pair[1].face)));
            if i != j {
                sets.join(i, j);
                fans -= 1;
            }
        }
        fans
    }
}

/// A chain of boundary edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chain {
    /// Its first edge.
    pub(super) edge: [u32; 2],
    /// How many edges it has.
    pub(super) length: usize,
}

/// The boundary edges, walked into chains. Each chain ends where it began, unless non-manifold edges cut it off.
pub(super) fn boundary_chains(edges: &Edges, at_vertices: &EdgesAtVertices) -> Vec<Chain> {
    let mut open: Vec<bool> = edges.iter().map(|e| e.is_boundary()).collect();
    // Where to look for open edges at each vertex: before that place there are none any more.
    let mut cursors: HashMap<u32, usize> = HashMap::new();
    let mut chains = Vec::new();
    for first in 0..edges.len() {
        if !open[first] {
            continue;
        }
        open[first] = false;
        let [start, mut end] = edges.get(first).ends;
        let mut length = 1;
        while end != start {
            let at_end = at_vertices.at(end as usize);
            let cursor = cursors.entry(end).or_default();
            while at_end.get(*cursor).is_some_and(|e| !open[*e as usize]) {
                *cursor += 1;
            }
            let Some(next) = at_end.get(*cursor) else {
                break;
            };
            open[*next as usize] = false;
            let [low, high] = edges.get(*next as usize).ends;
            end = if low == end { high } else { low };
            length += 1;
        }
        chains.push(Chain {
            edge: edges.get(first).ends,
            length,
        });
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    fn surface(points: usize, faces: &[&[u32]]) -> (Surface, Edges, EdgesAtVertices) {
        let surface = Surface {
            points: vec![Vec3::ZERO; points],
            faces: faces.iter().map(|f| f.to_vec()).collect(),
        };
        let edges = Edges::new(&surface);
        let at = EdgesAtVertices::new(&edges, points);
        (surface, edges, at)
    }

    #[test]
    fn a_shared_vertex_does_not_connect_but_pinches() {
        let (surface, edges, at) =
            surface(7, &[&[0, 1, 2], &[], &[2, 3, 4], &[1, 5, 6], &[2, 1, 6]]);
        let parts = Parts::connected(&surface, &edges);
        assert_eq!(parts.members, [vec![0, 3, 4], vec![2]]);
        assert_eq!(non_manifold_vertices(&surface, &edges, &at), [2]);
    }

    #[test]
    fn holes_are_walked_around() {
        // A strip of four triangles around a ring has two holes of different length.
        let (_, edges, at) = surface(
            7,
            &[
                &[0, 1, 3],
                &[1, 4, 3],
                &[1, 2, 4],
                &[2, 5, 4],
                &[2, 0, 5],
                &[0, 3, 5],
            ],
        );
        let chains = boundary_chains(&edges, &at);
        let found: Vec<([u32; 2], usize)> = chains.iter().map(|c| (c.edge, c.length)).collect();
        assert_eq!(found, [([0, 1], 3), ([3, 4], 3)]);
    }

    #[test]
    fn chains_end_at_non_manifold_edges() {
        // Three leaves of a book: each has an open chain of two edges, from one end of the spine to the other.
        let (_, edges, at) = surface(5, &[&[0, 1, 2], &[0, 1, 3], &[0, 1, 4]]);
        let lengths: usize = boundary_chains(&edges, &at).iter().map(|c| c.length).sum();
        assert_eq!(lengths, 6);
    }
}
