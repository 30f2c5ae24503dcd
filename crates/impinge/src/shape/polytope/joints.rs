//! What joins two vertices of a small polytope, by a look at a table.
//!
//! The way to an edge through the ring of a vertex is three loads, each of which has to wait for the one before, and a loop. A
//! table for all ordered pairs of vertices is one load; and all that is asked about a vertex is in one row, which is a line of memory, or two if there are
//! more than [`PER_LINE`] vertices. It takes three bytes a pair, so only polytopes of at most [`MOST_VERTICES`] vertices have one.

use super::Edge;
use crate::ahead;

/// The most vertices of a polytope with a table. It has at most 90 edges and 60 faces, which fit in a byte.
const MOST_VERTICES: usize = 32;

/// For each ordered pair of vertices what joins them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Joints {
    /// For each vertex a row, of as many lines as it takes.
    lines: Box<[Line]>,
    lines_per_row: usize,
}

/// What joins a vertex and some others: a line of memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Line([Joint; PER_LINE]);

/// How many vertices a line has room for.
const PER_LINE: usize = 21;

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
        let lines_per_row = vertex_count.div_ceil(PER_LINE);
        let mut joints = Joints {
            lines: vec![Line([Joint::NONE; PER_LINE]); vertex_count * lines_per_row].into(),
            lines_per_row,
        };
        for (number, edge) in (0..).zip(edges) {
            let [from, to] = edge.vertices;
            let [left, right] = edge.faces.map(|f| f as u8);
            let edge = number;
            *joints.of_mut(from, to) = Joint { edge, left, right };
            *joints.of_mut(to, from) = Joint {
                edge,
                left: right,
                right: left,
            };
        }
        joints
    }

    /// Where a pair is: in which line, and where there.
    #[inline(always)]
    fn place(&self, from: u32, to: u32) -> (usize, usize) {
        let (row, to) = (from as usize * self.lines_per_row, to as usize);
        let is_second = usize::from(to >= PER_LINE);
        (row + is_second, to - is_second * PER_LINE)
    }

    fn of_mut(&mut self, from: u32, to: u32) -> &mut Joint {
        let (line, place) = self.place(from, to);
        &mut self.lines[line].0[place]
    }

    /// Whether there is no table.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Asks for what joins a vertex with two others.
    #[inline(always)]
    pub(crate) fn fetch(&self, from: u32, to: [u32; 2]) {
        let [first, second] = to.map(|to| self.place(from, to).0);
        ahead::fetch_line(&self.lines, first);
        if self.lines_per_row > 1 {
            ahead::fetch_line(&self.lines, second);
        }
    }

    /// What joins two vertices.
    #[inline(always)]
    pub(crate) fn of(&self, from: u32, to: u32) -> Joint {
        let (line, place) = self.place(from, to);
        self.lines[line].0[place]
    }
}
