//! From triangles to true faces: coplanar neighbours become one polygon, and only extreme points stay vertices.
//!
//! On the surface of a convex body the triangles of one plane are connected, so a flood over *flat* edges (whose two
//! triangles are exactly coplanar) finds the faces. The other edges are *ridges*. The ridges at a vertex tell what it is:
//! none inside a face; two inside an edge, because two different planes share only one line; three or more at an extreme
//! point. No further sign is needed.
//!
//! Half-edges are named `3 * facet + edge`, as in the twins of a facet. Cost: linear.

use super::NONE;
use super::facet::Facet;
use crate::exact::{Sign, orientation};
use crate::math::Vec3;
use crate::shape::polytope::Edge;

/// The hull as polygons.
#[derive(Debug)]
pub(in crate::shape) struct Surface {
    /// For each vertex which input point it is, ascending.
    pub(in crate::shape) sources: Vec<u32>,
    /// The edges, each between two faces that are not coplanar.
    pub(in crate::shape) edges: Vec<Edge>,
    /// Where each face begins in `corners`, and the end of the last.
    pub(in crate::shape) face_starts: Vec<u32>,
    /// The vertices of all faces, one face after the other, each counter-clockwise seen from outside.
    pub(in crate::shape) corners: Vec<u32>,
    /// For each corner the edge from it to the next corner of the same face.
    pub(in crate::shape) corner_edges: Vec<u32>,
}

/// The polygons that a closed convex surface of triangles consists of. Removed facets are skipped. `sources` says which
/// input point each point is.
pub(super) fn merge(points: &[Vec3], sources: &[u32], facets: &[Facet]) -> Surface {
    let faces = flood_faces(points, facets);
    let (sources, vertices) = find_extreme(sources, facets, &faces);
    let mut walker = Walker {
        facets,
        faces,
        vertices,
        edge_of: vec![NONE; 3 * facets.len()],
        surface: Surface {
            sources,
            edges: Vec::new(),
            face_starts: vec![0],
            corners: Vec::new(),
            corner_edges: Vec::new(),
        },
    };
    walker.walk_all();
    walker.surface
}

/// For each facet the face it belongs to.
fn flood_faces(points: &[Vec3], facets: &[Facet]) -> Vec<u32> {
    let corner = |f: u32, k: u32| points[facets[f as usize].vertices[(k % 3) as usize] as usize];
    let is_flat = |f: u32, twin: u32| {
        let opposite = corner(twin / 3, twin % 3 + 2);
        orientation(corner(f, 0), corner(f, 1), corner(f, 2), opposite) == Sign::Zero
    };
    let mut faces = vec![NONE; facets.len()];
    let mut count = 0;
    let mut reached = Vec::new();
    for start in 0..facets.len() as u32 {
        if faces[start as usize] != NONE || facets[start as usize].is_removed() {
            continue;
        }
        faces[start as usize] = count;
        reached.push(start);
        while let Some(facet) = reached.pop() {
            for twin in facets[facet as usize].twins {
                if faces[(twin / 3) as usize] == NONE && is_flat(facet, twin) {
                    faces[(twin / 3) as usize] = count;
                    reached.push(twin / 3);
                }
            }
        }
        count += 1;
    }
    faces
}

/// The extreme points, named by their input points, ascending; and for each point its place among them or `NONE`.
fn find_extreme(sources: &[u32], facets: &[Facet], faces: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut ridges = vec![0_u32; sources.len()];
    for (facet, face) in facets.iter().zip(faces) {
        if !facet.is_removed() {
            for (vertex, twin) in facet.vertices.into_iter().zip(facet.twins) {
                ridges[vertex as usize] += u32::from(faces[(twin / 3) as usize] != *face);
            }
        }
    }
    let mut extreme: Vec<u32> = (0..sources.len() as u32)
        .filter(|point| ridges[*point as usize] >= 3)
        .collect();
    extreme.sort_unstable_by_key(|point| sources[*point as usize]);
    let mut vertices = vec![NONE; sources.len()];
    for (vertex, point) in (0..).zip(&extreme) {
        vertices[*point as usize] = vertex;
    }
    let named = extreme.iter().map(|point| sources[*point as usize]);
    (named.collect(), vertices)
}

/// Walks around the faces and writes them down.
struct Walker<'a> {
    facets: &'a [Facet],
    /// For each facet its face.
    faces: Vec<u32>,
    /// For each point the vertex it is, or `NONE`.
    vertices: Vec<u32>,
    /// For the first half-edge of an edge, on the side that was walked, the number of the edge.
    edge_of: Vec<u32>,
    surface: Surface,
}

impl Walker<'_> {
    fn walk_all(&mut self) {
        let mut walked = vec![false; self.facets.len()];
        for half_edge in 0..3 * self.facets.len() as u32 {
            if self.facets[(half_edge / 3) as usize].is_removed() {
                continue;
            }
            let face = self.faces[(half_edge / 3) as usize] as usize;
            if !walked[face] && !self.is_flat(half_edge) && self.vertex(half_edge) != NONE {
                walked[face] = true;
                self.walk_face(half_edge);
            }
        }
    }

    /// Writes down the face left of a ridge that starts at an extreme point.
    fn walk_face(&mut self, start: u32) {
        let face = (self.surface.face_starts.len() - 1) as u32;
        let mut first = start;
        loop {
            // An edge may consist of several ridges, with points inside the edge between them.
            let mut last = first;
            let mut next = self.next_ridge(last);
            while self.vertex(next) == NONE {
                last = next;
                next = self.next_ridge(last);
            }
            let ends = [self.vertex(first), self.vertex(next)];
            let edge = self.edge(
                first,
                last,
                Edge {
                    vertices: ends,
                    faces: [face, NONE],
                },
            );
            self.surface.corners.push(ends[0]);
            self.surface.corner_edges.push(edge);
            first = next;
            if first == start {
                break;
            }
        }
        self.surface
            .face_starts
            .push(self.surface.corners.len() as u32);
    }

    /// The number of the edge from the first to the last of some ridges: `new` itself, unless it is known from the other
    /// side, where its first ridge is the twin of our last.
    fn edge(&mut self, first: u32, last: u32, new: Edge) -> u32 {
        let known = self.edge_of[self.twin(last) as usize];
        if known != NONE {
            self.surface.edges[known as usize].faces[1] = new.faces[0];
            return known;
        }
        let edge = self.surface.edges.len() as u32;
        self.edge_of[first as usize] = edge;
        self.surface.edges.push(new);
        edge
    }

    /// The ridge of the same face that starts where this one ends: turn about that point through the face.
    fn next_ridge(&self, half_edge: u32) -> u32 {
        let mut next = following(half_edge);
        while self.is_flat(next) {
            next = following(self.twin(next));
        }
        next
    }

    fn is_flat(&self, half_edge: u32) -> bool {
        let face = |half_edge: u32| self.faces[(half_edge / 3) as usize];
        face(half_edge) == face(self.twin(half_edge))
    }

    fn twin(&self, half_edge: u32) -> u32 {
        self.facets[(half_edge / 3) as usize].twins[(half_edge % 3) as usize]
    }

    /// The vertex at which a half-edge starts, or `NONE` when that point is not extreme.
    fn vertex(&self, half_edge: u32) -> u32 {
        let facet = &self.facets[(half_edge / 3) as usize];
        self.vertices[facet.vertices[(half_edge % 3) as usize] as usize]
    }
}

/// The next half-edge of the same triangle.
fn following(half_edge: u32) -> u32 {
    half_edge - half_edge % 3 + (half_edge % 3 + 1) % 3
}
