//! What is around each vertex, in cyclic order.

use crate::shape::hull::Surface;

/// The neighbours of all vertices: one row for each vertex, in three arrays that run in step, counter-clockwise seen
/// from outside.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rings {
    /// Where each row begins, and the end of the last.
    pub(super) starts: Vec<u32>,
    /// The vertex at the other end of the edge.
    pub(super) vertices: Vec<u32>,
    /// The edge.
    pub(super) edges: Vec<u32>,
    /// The face between this edge and the next.
    pub(super) faces: Vec<u32>,
}

impl Rings {
    /// Collects the rings of the vertices of a surface.
    pub(super) fn new(vertex_count: usize, surface: &Surface) -> Rings {
        let corners = Corners::new(surface);
        let mut rings = Rings {
            starts: vec![0],
            ..Rings::default()
        };
        for start in corners.first_of_each(vertex_count) {
            let mut corner = start;
            loop {
                let edge = surface.corner_edges[corner as usize];
                let vertex = surface.corners[corner as usize];
                rings.edges.push(edge);
                rings
                    .vertices
                    .push(surface.edges[edge as usize].other_vertex(vertex));
                rings.faces.push(corners.faces[corner as usize]);
                corner = corners.turn(corner);
                if corner == start {
                    break;
                }
            }
            rings.starts.push(rings.edges.len() as u32);
        }
        rings
    }
}

/// The corners of the faces, each also an edge that leaves its vertex with the face on the left.
struct Corners<'a> {
    surface: &'a Surface,
    /// For each corner its face.
    faces: Vec<u32>,
    /// For each edge its corner in the face on its left and in the face on its right.
    of_edge: Vec<[u32; 2]>,
}

impl Corners<'_> {
    fn new(surface: &Surface) -> Corners<'_> {
        let mut faces = Vec::with_capacity(surface.corners.len());
        let mut of_edge = vec![[0; 2]; surface.edges.len()];
        for (face, ends) in (0..).zip(surface.face_starts.windows(2)) {
            for corner in ends[0]..ends[1] {
                faces.push(face);
                let edge = surface.corner_edges[corner as usize] as usize;
                let side = usize::from(surface.edges[edge].faces[0] != face);
                of_edge[edge][side] = corner;
            }
        }
        Corners {
            surface,
            faces,
            of_edge,
        }
    }

    /// For each vertex the first corner that is there.
    fn first_of_each(&self, vertex_count: usize) -> Vec<u32> {
        let mut first = vec![0; vertex_count];
        for (corner, vertex) in (0..self.surface.corners.len() as u32)
            .zip(&self.surface.corners)
            .rev()
        {
            first[*vertex as usize] = corner;
        }
        first
    }

    /// The next corner about the same vertex: the edge that enters it in this face leaves it in the next one.
    fn turn(&self, corner: u32) -> u32 {
        let face = self.faces[corner as usize] as usize;
        let before = if corner == self.surface.face_starts[face] {
            self.surface.face_starts[face + 1] - 1
        } else {
            corner - 1
        };
        let [left, right] = self.of_edge[self.surface.corner_edges[before as usize] as usize];
        if left == before { right } else { left }
    }
}
