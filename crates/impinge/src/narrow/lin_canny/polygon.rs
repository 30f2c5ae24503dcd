//! The closest points of a vertex or an edge and a face.
//!
//! A face is a convex polygon of any number of corners; the cost is linear in that number. Placed corners need not be
//! exactly coplanar, so a point of a face is a weighted mean of the corners of one triangle of the fan about its first.

use super::nearest::{Nearest, edge_edge, vertex_edge};
use super::part::{Carrier, Corner, Part, Segment};
use crate::math::Vec3;
use crate::narrow::side::Side;
use crate::narrow::simplex::normal;

/// The closest points of a vertex and a face of the other side: above or below the face, or on an edge that the vertex is
/// beyond.
pub(super) fn vertex_face(x: Corner, side: &Side<'_>, face: u32) -> Nearest {
    let outward = face_normal(side, face);
    sides_of(side, face)
        .filter(|segment| is_beyond(x.at, segment, outward))
        .map(|segment| vertex_edge(x, &segment))
        .reduce(Nearest::or_nearer)
        .unwrap_or_else(|| vertex_triangle(x, fan_triangle(side, face, x.at), face))
}

/// The closest points of an edge and a face of the other side: where the edge pierces the face, at an end of the edge over
/// the face, or on an edge of the face.
pub(super) fn edge_face(segment: &Segment, side: &Side<'_>, face: u32) -> Nearest {
    if let Some(pierced) = piercing(segment, side, face) {
        return pierced;
    }
    let outward = face_normal(side, face);
    let [start, end] = segment.ends;
    let (mut over_start, mut over_end) = (true, true);
    let mut nearest: Option<Nearest> = None;
    for other in sides_of(side, face) {
        over_start &= !is_beyond(start.at, &other, outward);
        over_end &= !is_beyond(end.at, &other, outward);
        let candidate = edge_edge(segment, &other);
        nearest = Some(nearest.map_or(candidate, |nearest| nearest.or_nearer(candidate)));
    }
    let over_face = [(over_start, start), (over_end, end)]
        .into_iter()
        .filter(|(is_over, _)| *is_over)
        .map(|(_, x)| vertex_triangle(x, fan_triangle(side, face, x.at), face));
    nearest
        .into_iter()
        .chain(over_face)
        .reduce(Nearest::or_nearer)
        .expect("a face has edges")
}

/// Where an edge passes through a face, if it does as far as rounding can tell.
fn piercing(segment: &Segment, side: &Side<'_>, face: u32) -> Option<Nearest> {
    let outward = face_normal(side, face);
    let base = side.place(side.polytope.face(face as usize)[0]);
    let near = crossing(segment, base, outward)?;
    if sides_of(side, face).any(|other| is_beyond(near, &other, outward)) {
        return None;
    }
    // The normal of the face is rounded, and turned by a matrix that may not quite be a rotation; the triangle is not.
    let triangle = fan_triangle(side, face, near);
    let [p, q, r] = triangle.map(|corner| corner.at);
    let point = crossing(segment, p, normal(p, q, r))?;
    Some(Nearest {
        parts: [Part::Edge(segment.edge), Part::Face(face)],
        carriers: [Carrier::edge(segment), Carrier::triangle(triangle)],
        points: [point; 2],
        apart: Vec3::ZERO,
        squared: 0.0,
        direction: Vec3::ZERO,
        size: 0.0,
    })
}

/// Where an edge crosses the plane through a point with a normal, if its ends are on different sides.
fn crossing(segment: &Segment, base: Vec3, normal: Vec3) -> Option<Vec3> {
    let [start, end] = segment.ends.map(|end| normal.dot(end.at - base));
    let is_crossing = start > 0.0 && end < 0.0 || start < 0.0 && end > 0.0;
    is_crossing.then(|| segment.ends[0].at + segment.along() * (start / (start - end)))
}

/// The foot of a vertex that is over a triangle.
fn vertex_triangle(x: Corner, triangle: [Corner; 3], face: u32) -> Nearest {
    let [p, q, r] = triangle.map(|corner| corner.at);
    let (to_q, to_r, to_x) = (q - p, r - p, x.at - p);
    let n = normal(p, q, r);
    let squared_n = n.length_squared();
    let share_q = share(n.dot(to_x.cross(to_r)), squared_n);
    let share_r = share(n.dot(to_q.cross(to_x)), squared_n).min(1.0 - share_q);
    let foot = to_q * share_q + to_r * share_r;
    let apart = foot - to_x;
    Nearest {
        parts: [Part::Vertex(x.vertex), Part::Face(face)],
        carriers: [Carrier::vertex(x), Carrier::triangle(triangle)],
        points: [x.at, p + foot],
        apart,
        squared: apart.length_squared(),
        direction: if n.dot(to_x) > 0.0 { -n } else { n },
        size: [to_q, to_r, to_x]
            .iter()
            .map(|v| v.abs().element_sum())
            .sum(),
    }
}

/// The share of an area in a total, between 0 and 1; nothing when the total vanishes.
fn share(area: f64, total: f64) -> f64 {
    if total > 0.0 {
        (area / total).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// The triangle of the fan of a face that a point is over, if it is over the face.
pub(super) fn fan_triangle(side: &Side<'_>, face: u32, point: Vec3) -> [Corner; 3] {
    let corners = side.polytope.face(face as usize);
    let corner = |place: usize| Corner::new(side, corners[place]);
    let (first, last) = (corner(0), corners.len() - 1);
    if last == 2 {
        return [first, corner(1), corner(2)];
    }
    let outward = face_normal(side, face);
    // The first triangle whose far side the point is not beyond.
    let is_before = |place: &usize| {
        let inward = outward.cross(corner(*place).at - first.at);
        inward.dot(point - first.at) <= 0.0
    };
    let place = (2..last).find(is_before).unwrap_or(last);
    [first, corner(place - 1), corner(place)]
}

/// The outward normal of a placed face, rounded.
fn face_normal(side: &Side<'_>, face: u32) -> Vec3 {
    side.pose.rotate(side.polytope.face_normal(face as usize))
}

/// The edges of a face, each running with the face on its left.
fn sides_of<'a>(side: &'a Side<'_>, face: u32) -> impl Iterator<Item = Segment> + 'a {
    let corners = side.polytope.face(face as usize);
    let edges = side.polytope.face_edges(face as usize);
    let mut start = Corner::new(side, corners[0]);
    let ends = corners[1..].iter().chain(&corners[..1]);
    edges.iter().zip(ends).map(move |(edge, end)| {
        let end = Corner::new(side, *end);
        let segment = Segment {
            edge: *edge,
            ends: [start, end],
        };
        start = end;
        segment
    })
}

/// Whether a point is beyond a side of a face: past the plane through that side and the normal of the face.
fn is_beyond(point: Vec3, side_of_face: &Segment, outward: Vec3) -> bool {
    let inward = outward.cross(side_of_face.along());
    inward.dot(point - side_of_face.ends[0].at) < 0.0
}
