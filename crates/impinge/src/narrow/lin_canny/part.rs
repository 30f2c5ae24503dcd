//! Parts of a polytope that a walk can stand on, and where their vertices are.

use crate::contact::Feature;
use crate::math::Vec3;
use crate::narrow::side::Side;
use crate::shape::Polytope;

/// A vertex, edge or face of a polytope, by index. It exists: indices from outside pass [`Part::of`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

impl Part {
    /// The part that a feature names, if the polytope has it.
    pub(super) fn of(feature: Feature, polytope: &Polytope) -> Option<Part> {
        let (part, index, count) = match feature {
            Feature::Vertex(v) => (Part::Vertex(v), v, polytope.vertices().len()),
            Feature::Edge(e) => (Part::Edge(e), e, polytope.edges().len()),
            Feature::Face(f) => (Part::Face(f), f, polytope.face_count()),
            Feature::Surface | Feature::Inside => return None,
        };
        ((index as usize) < count).then_some(part)
    }

    /// The part as answers name it.
    pub(super) fn feature(self) -> Feature {
        match self {
            Part::Vertex(v) => Feature::Vertex(v),
            Part::Edge(e) => Feature::Edge(e),
            Part::Face(f) => Feature::Face(f),
        }
    }
}

/// A vertex and where it is placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) vertex: u32,
    pub(super) at: Vec3,
}

impl Corner {
    #[inline]
    pub(super) fn new(side: &Side<'_>, vertex: u32) -> Corner {
        Corner {
            vertex,
            at: side.place(vertex),
        }
    }
}

/// An edge and where its ends are placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) edge: u32,
    pub(super) ends: [Corner; 2],
}

impl Segment {
    #[inline]
    pub(super) fn new(side: &Side<'_>, edge: u32) -> Segment {
        let vertices = side.polytope.edges()[edge as usize].vertices;
        Segment {
            edge,
            ends: vertices.map(|vertex| Corner::new(side, vertex)),
        }
    }

    /// From the first end to the second.
    #[inline]
    pub(super) fn along(&self) -> Vec3 {
        self.ends[1].at - self.ends[0].at
    }
}

/// The vertices that carry a point: one, two or three of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carrier {
    vertices: [u32; 3],
    len: u8,
}

impl Carrier {
    pub(super) fn vertex(corner: Corner) -> Carrier {
        Carrier {
            vertices: [corner.vertex; 3],
            len: 1,
        }
    }

    pub(super) fn edge(segment: &Segment) -> Carrier {
        let [first, second] = segment.ends.map(|end| end.vertex);
        Carrier {
            vertices: [first, second, second],
            len: 2,
        }
    }

    pub(super) fn triangle(corners: [Corner; 3]) -> Carrier {
        Carrier {
            vertices: corners.map(|corner| corner.vertex),
            len: 3,
        }
    }

    pub(super) fn vertices(&self) -> &[u32] {
        &self.vertices[..usize::from(self.len)]
    }

    /// The vertices, the last one repeated to make three.
    pub(super) fn repeated(&self) -> [u32; 3] {
        self.vertices
    }

    /// The placed vertices, the last one repeated to make three.
    pub(super) fn placed(&self, side: &Side<'_>) -> [Vec3; 3] {
        self.vertices.map(|vertex| side.place(vertex))
    }
}
