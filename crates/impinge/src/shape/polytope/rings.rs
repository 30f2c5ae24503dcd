//! What is around each vertex, in cyclic order.

use crate::ahead;
use crate::shape::hull::Surface;

/// The neighbours of all vertices, counter-clockwise seen from outside. All in one array, and what belongs to a vertex side by
/// side: a question about a vertex touches few lines of memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rings {
    /// For each vertex how many neighbours those before it have together, and the number of all; then for each vertex the
    /// vertices around it, the edges to them, and the faces between each edge and the next.
    entries: Vec<u32>,
    vertex_count: usize,
}

/// What an entry of a ring is.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Vertex,
    Edge,
    Face,
}

impl Rings {
    /// Collects the rings of the vertices of a surface.
    pub(super) fn new(vertex_count: usize, surface: &Surface) -> Rings {
        let corners = Corners::new(surface);
        let mut starts = vec![0];
        let mut rows = Vec::with_capacity(6 * surface.edges.len());
        for start in corners.first_of_each(vertex_count) {
            let ring = corners.around(start);
            starts.push(starts[starts.len() - 1] + ring.len() as u32);
            for kind in [Kind::Vertex, Kind::Edge, Kind::Face] {
                rows.extend(ring.iter().map(|entry| entry[kind as usize]));
            }
        }
        Rings {
            entries: [starts, rows].concat(),
            vertex_count,
        }
    }

    /// How many entries of a kind all rings have together.
    pub(super) fn len(&self) -> usize {
        self.entries[self.vertex_count] as usize
    }

    /// Asks for what leads to the ring of a vertex.
    #[inline(always)]
    pub(super) fn fetch_start(&self, vertex: usize) {
        ahead::fetch_line(&self.entries, vertex);
    }

    /// Asks for the ring of a vertex, of which most are on two lines; nothing if there is no such vertex.
    #[inline(always)]
    pub(super) fn fetch(&self, vertex: usize) {
        if vertex < self.vertex_count {
            let first = self.vertex_count + 1 + 3 * self.entries[vertex] as usize;
            ahead::fetch_line(&self.entries, first);
            ahead::fetch_line(&self.entries, first + 16);
        }
    }

    /// The vertices at the other ends of the edges at a vertex.
    #[inline(always)]
    pub(super) fn vertices(&self, vertex: usize) -> &[u32] {
        self.row(vertex, Kind::Vertex)
    }

    /// The edges at a vertex.
    #[inline(always)]
    pub(super) fn edges(&self, vertex: usize) -> &[u32] {
        self.row(vertex, Kind::Edge)
    }

    /// The faces between an edge at a vertex and the next.
    #[inline(always)]
    pub(super) fn faces(&self, vertex: usize) -> &[u32] {
        self.row(vertex, Kind::Face)
    }

    #[inline(always)]
    fn row(&self, vertex: usize, kind: Kind) -> &[u32] {
        let (start, end) = (self.entries[vertex], self.entries[vertex + 1]);
        let count = (end - start) as usize;
        let first = self.vertex_count + 1 + 3 * start as usize + kind as usize * count;
        &self.entries[first..first + count]
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

    /// For each edge at the vertex of a corner, from this one on: the vertex at its other end, itself, and the face on its left.
    fn around(&self, start: u32) -> Vec<[u32; 3]> {
        let mut ring = Vec::new();
        let mut corner = start;
        loop {
            let edge = self.surface.corner_edges[corner as usize];
            let vertex = self.surface.corners[corner as usize];
            let other = self.surface.edges[edge as usize].other_vertex(vertex);
            ring.push([other, edge, self.faces[corner as usize]]);
            corner = self.turn(corner);
            if corner == start {
                return ring;
            }
        }
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
