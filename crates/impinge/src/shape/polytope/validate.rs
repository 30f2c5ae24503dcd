//! The invariant of a polytope, executable.

use super::{Edge, Polytope};
use crate::exact::{Axis, Sign, normal_component, orientation};
use crate::math::Vec3;

/// Up to this many pairs of a face and a vertex, all are checked.
const ALL_PAIRS: usize = 1_000_000;

impl Polytope {
    /// Checks every promise of the structure with exact signs.
    ///
    /// That the polytope is convex is checked for each pair of a face and a vertex while there are at most a million, and
    /// across each edge above that.
    ///
    /// # Panics
    ///
    /// When a promise is broken, naming it. No input makes that happen: it would be a defect of this crate.
    pub fn validate(&self) {
        self.validate_counts();
        for face in 0..self.face_count() {
            self.validate_loop(face);
            self.validate_plane(face);
        }
        for vertex in 0..self.vertices.len() {
            self.validate_ring(vertex);
        }
        self.validate_convexity();
    }

    fn validate_counts(&self) {
        let (v, e, f) = (self.vertices.len(), self.edges.len(), self.face_count());
        assert_eq!(v + f, e + 2, "Euler: {v} vertices, {e} edges, {f} faces");
        assert_eq!(self.face_vertices.len(), 2 * e, "corners of faces");
        assert_eq!(self.rings.len(), 2 * e, "edges at vertices");
        assert_eq!(self.sources.len(), v, "source indices");
        let ascending = self.sources.windows(2).all(|w| w[0] < w[1]);
        assert!(ascending, "source indices ascend");
        let finite = self.vertices.iter().all(|v| v.is_finite());
        assert!(finite, "vertices are finite");
    }

    /// Each face has each of its edges once, on the right side.
    fn validate_loop(&self, face: usize) {
        let (vertices, edges) = (self.face(face), self.face_edges(face));
        assert!(vertices.len() >= 3, "face {face} has three corners");
        for (k, edge) in edges.iter().enumerate() {
            let ends = [vertices[k], vertices[(k + 1) % vertices.len()]];
            let Edge { vertices, faces } = self.edges[*edge as usize];
            assert_ne!(faces[0], faces[1], "edge {edge} is between two faces");
            let as_seen_here = if faces[0] == face as u32 {
                (vertices, face as u32)
            } else {
                ([vertices[1], vertices[0]], faces[1])
            };
            assert_eq!(
                as_seen_here,
                (ends, face as u32),
                "edge {edge} of face {face}"
            );
        }
    }

    /// The corners of each face are exactly coplanar and turn left at every corner, once round.
    fn validate_plane(&self, face: usize) {
        let corners: Vec<Vec3> = self.face(face).iter().map(|v| self.at(*v)).collect();
        let [a, b, c] = [corners[0], corners[1], corners[2]];
        for d in &corners {
            assert_eq!(orientation(a, b, c, *d), Sign::Zero, "face {face} is plane");
        }
        let (axis, turn) = Axis::ALL
            .map(|axis| (axis, normal_component(axis, a, b, c)))
            .into_iter()
            .find(|(_, sign)| *sign != Sign::Zero)
            .unwrap_or_else(|| panic!("corners of face {face} are not collinear"));
        for k in 0..corners.len() {
            let [a, b, c] = [0, 1, 2].map(|i| corners[(k + i) % corners.len()]);
            let sign = normal_component(axis, a, b, c);
            assert_eq!(sign, turn, "face {face} is convex at corner {k}");
            // Seen from the first corner, the others of a polygon that winds once are in order.
            let [b, c] = [1, 2].map(|i| corners[(k + i).min(corners.len() - 1)]);
            let sign = normal_component(axis, corners[0], b, c);
            assert!(sign == turn || sign == Sign::Zero, "face {face} winds once");
        }
        let length = self.normals[face].length();
        assert!(
            (length - 1.0).abs() < 1e-14,
            "normal of face {face} is {length} long"
        );
    }

    /// Around each vertex, edges and faces alternate as documented.
    fn validate_ring(&self, vertex: usize) {
        let (vertices, edges) = (self.neighbours(vertex), self.vertex_edges(vertex));
        let faces = self.vertex_faces(vertex);
        assert!(edges.len() >= 3, "vertex {vertex} has three edges");
        for k in 0..edges.len() {
            let edge = self.edges[edges[k] as usize];
            let leaves = edge.vertices[0] == vertex as u32;
            let ends = [
                edge.vertices[usize::from(!leaves)],
                edge.other_vertex(vertex as u32),
            ];
            assert_eq!(
                ends,
                [vertex as u32, vertices[k]],
                "edge {k} of vertex {vertex}"
            );
            let (left, right) = (
                edge.faces[usize::from(!leaves)],
                edge.faces[usize::from(leaves)],
            );
            let before = faces[(k + faces.len() - 1) % faces.len()];
            assert_eq!(
                [before, faces[k]],
                [right, left],
                "faces at edge {k} of vertex {vertex}"
            );
        }
    }

    /// No vertex is above a face, and only the corners of a face are in its plane.
    fn validate_convexity(&self) {
        if self.face_count() * self.vertices.len() <= ALL_PAIRS {
            for face in 0..self.face_count() {
                let others = 0..self.vertices.len() as u32;
                self.validate_below(face, others.filter(|v| !self.face(face).contains(v)));
            }
        } else {
            for edge in &self.edges {
                let [left, right] = edge.faces.map(|f| f as usize);
                let off_edge = self
                    .face(right)
                    .iter()
                    .filter(|v| !edge.vertices.contains(v));
                self.validate_below(left, off_edge.copied().take(1));
            }
        }
    }

    fn validate_below(&self, face: usize, vertices: impl Iterator<Item = u32>) {
        let [a, b, c] = [0, 1, 2].map(|k| self.at(self.face(face)[k]));
        for v in vertices {
            let sign = orientation(a, b, c, self.at(v));
            assert_eq!(sign, Sign::Negative, "vertex {v} is below face {face}");
        }
    }

    fn at(&self, vertex: u32) -> Vec3 {
        self.vertices[vertex as usize]
    }
}
