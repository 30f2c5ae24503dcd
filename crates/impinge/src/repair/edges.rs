//! Which faces meet at which edges.
//!
//! All directed edges of all faces, sorted by their two vertices: equal ones are neighbours in the list, and make one
//! edge with several uses. `n log n`, no hashing, and the order of edges is that of their vertices on every machine.

use super::surface::{Surface, directed_edges};

/// The edges of a surface, ascending by their vertices.
#[derive(Debug)]
pub(super) struct Edges {
    ends: Vec<[u32; 2]>,
    /// Where the uses of each edge start; one more entry than edges.
    starts: Vec<u32>,
    uses: Vec<Use>,
}

/// A face that walks along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Use {
    pub(super) face: u32,
    /// Whether from the lower to the higher vertex.
    pub(super) forward: bool,
}

/// One edge with its uses, ascending by face.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge<'a> {
    /// The lower and the higher vertex.
    pub(super) ends: [u32; 2],
    pub(super) uses: &'a [Use],
}

impl Edges {
    pub(super) fn new(surface: &Surface) -> Edges {
        let faces = surface.faces.iter().map(Vec::as_slice);
        Edges::of_faces(faces)
    }

    pub(super) fn of_faces<'a>(faces: impl Iterator<Item = &'a [u32]>) -> Edges {
        let mut all: Vec<([u32; 2], Use)> = (0..)
            .zip(faces)
            .flat_map(|(face, corners)| {
                directed_edges(corners).map(move |[from, to]| {
                    let forward = from < to;
                    ([from.min(to), from.max(to)], Use { face, forward })
                })
            })
            .collect();
        all.sort_unstable();
        let mut edges = Edges {
            ends: Vec::new(),
            starts: Vec::new(),
            uses: Vec::with_capacity(all.len()),
        };
        for (ends, use_) in all {
            if edges.ends.last() != Some(&ends) {
                edges.ends.push(ends);
                edges.starts.push(edges.uses.len() as u32);
            }
            edges.uses.push(use_);
        }
        edges.starts.push(edges.uses.len() as u32);
        edges
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, edge: usize) -> Edge<'_> {
        let range = self.starts[edge] as usize..self.starts[edge + 1] as usize;
        Edge {
            ends: self.ends[edge],
            uses: &self.uses[range],
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Edge<'_>> {
        (0..self.len()).map(|edge| self.get(edge))
    }
}

impl Edge<'_> {
    /// One face only.
    pub(super) fn is_boundary(&self) -> bool {
        self.uses.len() == 1
    }

    /// More than two faces.
    pub(super) fn is_non_manifold(&self) -> bool {
        self.uses.len() > 2
    }

    /// The two faces, when there are two; the flag says whether they walk in opposite directions.
    pub(super) fn pair(&self) -> Option<([u32; 2], bool)> {
        match self.uses {
            [a, b] => Some(([a.face, b.face], a.forward != b.forward)),
            _ => None,
        }
    }

    /// Whether it is walked equally often in both directions.
    pub(super) fn is_balanced(&self) -> bool {
        2 * self.uses.iter().filter(|u| u.forward).count() == self.uses.len()
    }
}

/// For each vertex the edges that end there.
#[derive(Debug)]
pub(super) struct EdgesAtVertices {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl EdgesAtVertices {
    pub(super) fn new(edges: &Edges, vertex_count: usize) -> EdgesAtVertices {
        let mut starts = vec![0; vertex_count + 1];
        for v in edges.ends.iter().flatten() {
            starts[*v as usize + 1] += 1;
        }
        for v in 0..vertex_count {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut sorted = vec![0; 2 * edges.len()];
        for (edge, ends) in edges.ends.iter().enumerate() {
            for v in ends {
                let slot = &mut next[*v as usize];
                sorted[*slot as usize] = edge as u32;
                *slot += 1;
            }
        }
        EdgesAtVertices {
            starts,
            edges: sorted,
        }
    }

    /// The edges at one vertex, ascending.
    pub(super) fn at(&self, vertex: usize) -> &[u32] {
        &self.edges[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_collected_by_edge() {
        let faces: [&[u32]; 3] = [&[0, 1, 2], &[2, 1, 3], &[1, 2, 4]];
        let edges = Edges::of_faces(faces.into_iter());
        assert_eq!(edges.len(), 7);
        let shared = edges.iter().find(|e| e.ends == [1, 2]).unwrap();
        let directions: Vec<(u32, bool)> =
            shared.uses.iter().map(|u| (u.face, u.forward)).collect();
        assert_eq!(directions, [(0, true), (1, false), (2, true)]);
        assert!(shared.is_non_manifold() && !shared.is_balanced());
        let at = EdgesAtVertices::new(&edges, 6);
        assert_eq!(at.at(1).len(), 4);
        assert!(at.at(5).is_empty());
    }
}
