//! External Voronoi regions: is a point nearest to this part, and if not, which neighbour is nearer?
//!
//! The region of a part is bounded by one plane for each neighbour of the next lower or higher dimension. Planes towards
//! lower parts need no test, because [`Nearest`](super::nearest::Nearest) names the smallest part that holds the closest
//! point. What remains, seen from the closest point `p` along the direction `n` to the other body:
//!
//! - a vertex `v` keeps the point when no edge leads ahead: `n . (w - v) <= 0` for all its neighbours `w`;
//! - an edge keeps it when neither of its faces does: `n . u <= 0` for the direction `u` into each face, across the edge;
//! - a face keeps it when the point is in front of it, `n` being along its outward normal. Behind it the partition of the
//!   inside takes over ([`interior`](super::interior)).
//!
//! These are the conditions for `n` to be in the normal cone of the part; if they hold on both sides, the closest points of
//! the parts are those of the polytopes. Planes are not stored: what would have to be loaded is as much as what is computed.

use super::part::Part;
use crate::math::Vec3;
use crate::shape::Polytope;

/// Where a point is, seen from the region of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    /// In it.
    Within,
    /// Past the plane that it shares with this part, of one dimension more.
    Past(Part),
    /// Behind the face, where no region is.
    Behind,
}

impl Region {
    /// Where the points straight along `toward`, a direction in the frame of the polytope, are.
    #[inline]
    pub(super) fn of(polytope: &Polytope, part: Part, toward: Vec3) -> Region {
        match part {
            Part::Vertex(vertex) => from_vertex(polytope, vertex as usize, toward),
            Part::Edge(edge) => from_edge(polytope, edge, toward),
            Part::Face(face) if toward.dot(polytope.face_normal(face as usize)) < 0.0 => {
                Region::Behind
            }
            Part::Face(_) => Region::Within,
        }
    }
}

/// Past the plane of the edge that leads farthest ahead.
fn from_vertex(polytope: &Polytope, vertex: usize, toward: Vec3) -> Region {
    let at = polytope.vertices()[vertex];
    let (mut found, mut farthest) = (Region::Within, 0.0);
    let neighbours = polytope.neighbours(vertex).iter();
    for (neighbour, edge) in neighbours.zip(polytope.vertex_edges(vertex)) {
        let ahead = toward.dot(polytope.vertices()[*neighbour as usize] - at);
        if ahead > farthest {
            (found, farthest) = (Region::Past(Part::Edge(*edge)), ahead);
        }
    }
    found
}

/// Past the plane of the face that leads most steeply ahead.
fn from_edge(polytope: &Polytope, edge: u32, toward: Vec3) -> Region {
    let edge = polytope.edges()[edge as usize];
    let [start, end] = edge.vertices.map(|v| polytope.vertices()[v as usize]);
    let along = end - start;
    let [left, right] = edge.faces.map(|f| polytope.face_normal(f as usize));
    let (into_left, into_right) = (left.cross(along), along.cross(right));
    let (ahead_left, ahead_right) = (toward.dot(into_left), toward.dot(into_right));
    if ahead_left <= 0.0 && ahead_right <= 0.0 {
        Region::Within
    } else if ahead_left > ahead_right {
        Region::Past(Part::Face(edge.faces[0]))
    } else {
        Region::Past(Part::Face(edge.faces[1]))
    }
}
