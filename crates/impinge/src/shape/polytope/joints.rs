//! What joins two vertices of a small polytope, by a look at a table.
//!
//! The way to an edge through the ring of a vertex is three loads, each of which has to wait for the one before, and a loop. A
//! table for all ordered pairs of vertices is one load; and all that is asked about a vertex is in one row, which is a line or two
//! of memory. It takes three bytes a pair, so only polytopes of at most [`MOST_VERTICES`] vertices have one.

use super::Edge;
use crate::ahead;

/// The most vertices of a polytope with a table. It has at most 90 edges and 60 faces, which fit in a byte.
const MOST_VERTICES: usize = 32;

/// For each ordered pair of vertices what joins them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Joints {
    entries: Box<[Joint]>,
    vertex_count: usize,
}

/// An edge, and the faces on its left and on its right when it runs from the first to the second vertex of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Joint {
    edge: u8,
    left: u8,
    right: u8,
}

impl Joint {
    /// Of vertices that no edge joins.
    const NONE: Joint = Joint {
        edge: u8::MAX,
        left: u8::MAX,
        right: u8::MAX,
    };

    /// The edge, or [`Joints::NONE`].
    #[inline(always)]
    pub(crate) fn edge(self) -> u32 {
        u32::from(self.edge)
    }

    /// The face between two edges from one vertex, or [`Joints::NONE`].
    #[inline(always)]
    pub(crate) fn common_face(self, other: Joint) -> u32 {
        // Where they differ all bits are set.
        let unless = |are_equal: bool| u8::from(are_equal).wrapping_sub(1);
        let before = self.left | unless(self.left == other.right);
        let after = self.right | unless(self.right == other.left);
        u32::from(before & after)
    }
}

impl Joints {
    /// Stands for an edge or a face where there is none.
    pub(crate) const NONE: u32 = u8::MAX as u32;

    /// The table of a polytope; empty when it has too many vertices.
    pub(super) fn new(vertex_count: usize, edges: &[Edge]) -> Joints {
        if vertex_count > MOST_VERTICES {
            return Joints::default();
        }
        let mut entries = vec![Joint::NONE; vertex_count * vertex_count];
        for (number, edge) in (0..).zip(edges) {
            let [from, to] = edge.vertices.map(|v| v as usize);
            let [left, right] = edge.faces.map(|f| f as u8);
            let edge = number;
            entries[from * vertex_count + to] = Joint { edge, left, right };
            entries[to * vertex_count + from] = Joint {
                edge,
                left: right,
                right: left,
            };
        }
        Joints {
            entries: entries.into_boxed_slice(),
            vertex_count,
        }
    }

    /// Whether there is no table.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Asks for what joins a vertex with two others.
    #[inline(always)]
    pub(crate) fn fetch(&self, from: u32, to: [u32; 2]) {
        let row = from as usize * self.vertex_count;
        ahead::fetch_line(&self.entries, row + to[0] as usize);
        ahead::fetch_line(&self.entries, row + to[1] as usize);
    }

    /// What joins two vertices.
    #[inline(always)]
    pub(crate) fn of(&self, from: u32, to: u32) -> Joint {
        self.entries[from as usize * self.vertex_count + to as usize]
    }
}
