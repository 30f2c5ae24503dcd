//! The closest points of two features: vertices and edges here, faces in [`polygon`](super::polygon).
//!
//! Features are closed: an edge has its ends, a face its edges. The closest point may be on the boundary of a feature, and
//! then that smaller part is named instead; this is how a walk steps down in dimension. All formulas are about differences
//! of placed vertices, so that bodies far from the origin lose nothing.
//!
//! Along with the points goes a *direction* across both parts, computed from the parts and not from the points: near
//! contact the difference of the points is all rounding error, and the direction is not.

use super::part::{Carrier, Corner, Part, Segment};
use super::polygon::{edge_face, vertex_face};
use crate::math::Vec3;
use crate::narrow::side::Side;

/// The closest points of a feature of `a` and one of `b`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// The smallest parts that hold the points.
    pub(super) parts: [Part; 2],
    /// The vertices whose weighted means the points are.
    pub(super) carriers: [Carrier; 2],
    /// The points, rounded.
    pub(super) points: [Vec3; 2],
    /// From the point on `a` to the point on `b`: the difference of two true points of the features, rounded by no more
    /// than `3 EPSILON` times `size` in length. (Each term passes at most a difference, a product and two sums, four
    /// halves of an EPSILON; two shares of a triangle may together exceed 1 by another half.)
    pub(super) apart: Vec3,
    /// The square of the length of `apart`: what a walk decreases.
    pub(super) squared: f64,
    /// The same direction as `apart`, of no particular length, and accurate however short `apart` is.
    pub(super) direction: Vec3,
    /// The sum of the absolute coordinates of all differences that `apart` is made of.
    pub(super) size: f64,
}

impl Nearest {
    /// The closest points of two parts.
    #[inline]
    pub(super) fn of(sides: [&Side<'_>; 2], parts: [Part; 2]) -> Nearest {
        let [a, b] = sides;
        match parts {
            [Part::Vertex(v), Part::Vertex(w)] => {
                vertex_vertex(Corner::new(a, v), Corner::new(b, w))
            }
            [Part::Vertex(v), Part::Edge(f)] => vertex_edge(Corner::new(a, v), &Segment::new(b, f)),
            [Part::Edge(e), Part::Vertex(w)] => {
                vertex_edge(Corner::new(b, w), &Segment::new(a, e)).swapped()
            }
            [Part::Edge(e), Part::Edge(f)] => edge_edge(&Segment::new(a, e), &Segment::new(b, f)),
            [Part::Vertex(v), Part::Face(g)] => vertex_face(Corner::new(a, v), b, g),
            [Part::Face(f), Part::Vertex(w)] => vertex_face(Corner::new(b, w), a, f).swapped(),
            [Part::Edge(e), Part::Face(g)] => edge_face(&Segment::new(a, e), b, g),
            [Part::Face(f), Part::Edge(e)] => edge_face(&Segment::new(b, e), a, f).swapped(),
            // No step leads here: some edge of two faces is as near. A cache may.
            [Part::Face(f), Part::Face(_)] => {
                let edge = a.polytope.face_edges(f as usize)[0];
                Nearest::of(sides, [Part::Edge(edge), parts[1]])
            }
        }
    }

    /// The same seen from the other side.
    pub(super) fn swapped(self) -> Nearest {
        let swap = |[first, second]: [Vec3; 2]| [second, first];
        Nearest {
            parts: [self.parts[1], self.parts[0]],
            carriers: [self.carriers[1], self.carriers[0]],
            points: swap(self.points),
            apart: -self.apart,
            direction: -self.direction,
            ..self
        }
    }

    /// The nearer of two, the first of equals.
    pub(super) fn or_nearer(self, other: Nearest) -> Nearest {
        if other.squared < self.squared {
            other
        } else {
            self
        }
    }
}

fn vertex_vertex(x: Corner, y: Corner) -> Nearest {
    let apart = y.at - x.at;
    Nearest {
        parts: [Part::Vertex(x.vertex), Part::Vertex(y.vertex)],
        carriers: [Carrier::vertex(x), Carrier::vertex(y)],
        points: [x.at, y.at],
        apart,
        squared: apart.length_squared(),
        direction: apart,
        size: apart.abs().element_sum(),
    }
}

pub(super) fn vertex_edge(x: Corner, segment: &Segment) -> Nearest {
    let (along, from_start) = (segment.along(), x.at - segment.ends[0].at);
    let (ahead, squared) = (from_start.dot(along), along.length_squared());
    if ahead <= 0.0 {
        return vertex_vertex(x, segment.ends[0]);
    }
    if ahead >= squared {
        return vertex_vertex(x, segment.ends[1]);
    }
    let share = ahead / squared;
    let apart = along * share - from_start;
    Nearest {
        parts: [Part::Vertex(x.vertex), Part::Edge(segment.edge)],
        carriers: [Carrier::vertex(x), Carrier::edge(segment)],
        points: [x.at, segment.ends[0].at + along * share],
        apart,
        squared: apart.length_squared(),
        direction: along.cross(along.cross(from_start)) / squared,
        size: from_start.abs().element_sum() + along.abs().element_sum(),
    }
}

/// With `r` from start to start and `n = d x e` across both lines, their closest points are at the shares
/// `s = (r x e) . n / n^2` and `t = (r x d) . n / n^2`. When one is outside of its edge, the closest points of the edges
/// have that edge's end on that side: the way from them to those of the lines leaves the edges there.
pub(super) fn edge_edge(first: &Segment, second: &Segment) -> Nearest {
    let (d, e) = (first.along(), second.along());
    let r = second.ends[0].at - first.ends[0].at;
    let n = d.cross(e);
    let squared_n = n.length_squared();
    if squared_n <= PARALLEL * d.length_squared() * e.length_squared() {
        return edge_edge_at_ends(first, second);
    }
    let (s, t) = (r.cross(e).dot(n) / squared_n, r.cross(d).dot(n) / squared_n);
    let beyond_first = end_beyond(s).map(|end| vertex_edge(first.ends[end], second));
    let beyond_second = end_beyond(t).map(|end| vertex_edge(second.ends[end], first).swapped());
    match (beyond_first, beyond_second) {
        (None, None) => edges_inside(first, second, s, t),
        (Some(nearest), None) | (None, Some(nearest)) => nearest,
        (Some(nearest), Some(other)) => nearest.or_nearer(other),
    }
}

/// Below this square of the sine of their angle, the cross product of two edges is mostly rounding error.
const PARALLEL: f64 = 1e-28;

/// The end of an edge that a share is beyond.
fn end_beyond(share: f64) -> Option<usize> {
    if share <= 0.0 {
        Some(0)
    } else if share >= 1.0 {
        Some(1)
    } else {
        None
    }
}

fn edges_inside(first: &Segment, second: &Segment, s: f64, t: f64) -> Nearest {
    let (d, e) = (first.along(), second.along());
    let r = second.ends[0].at - first.ends[0].at;
    let n = d.cross(e);
    let apart = r + e * t - d * s;
    Nearest {
        parts: [Part::Edge(first.edge), Part::Edge(second.edge)],
        carriers: [Carrier::edge(first), Carrier::edge(second)],
        points: [first.ends[0].at + d * s, second.ends[0].at + e * t],
        apart,
        squared: apart.length_squared(),
        direction: if n.dot(r) < 0.0 { -n } else { n },
        size: [r, d, e].iter().map(|v| v.abs().element_sum()).sum(),
    }
}

/// Parallel edges are as near at an end of one of them as anywhere.
fn edge_edge_at_ends(first: &Segment, second: &Segment) -> Nearest {
    let [p, q] = first.ends.map(|end| vertex_edge(end, second));
    let [r, s] = second.ends.map(|end| vertex_edge(end, first).swapped());
    p.or_nearer(q).or_nearer(r).or_nearer(s)
}
