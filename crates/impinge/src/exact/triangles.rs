//! Exact tests on triangles: against a point, a segment and another triangle.
//!
//! Triangles are closed: touching is intersecting. One of zero area is the segment or point that its corners span.
//!
//! Two triangles are tested in four steps, each of which decides most of what the one before it left over:
//!
//! 1. Boxes apart: disjoint.
//! 2. All corners of one strictly on one side of the other's plane: disjoint.
//! 3. Both cross the other's plane, which the signs of step 2 show: on the line common to both planes each triangle
//!    covers an interval, and the intervals are compared by two more orientations, after Guigue and Devillers (Fast and
//!    Robust Triangle-Triangle Overlap Test Using Orientation Predicates, 2003).
//! 4. One plane holds all corners, or a triangle has no plane: the question is one of segments, or is asked in the
//!    plane by looking for a separating edge.
//!
//! Signs are exact, so the answer depends neither on the order of the corners nor on that of the triangles. Cost: at
//! most eight orientations outside step 4.

use super::segments::{boxes_are_apart, point_on_segment, segments_intersect, span, view_of};
use super::signs::{Axis, Sign, normal_component, orientation};
use crate::math::Vec3;

/// Whether a point is on a closed triangle.
pub fn point_in_triangle(p: Vec3, triangle: &[Vec3; 3]) -> bool {
    let [a, b, c] = *triangle;
    if boxes_are_apart(&[p], triangle) || orientation(a, b, c, p) != Sign::Zero {
        return false;
    }
    match view_of(a, b, c) {
        None => point_on_segment(p, &span(triangle)),
        Some((axis, turn)) => !edge_separates(axis, turn, triangle, &[p]),
    }
}

/// Whether a closed segment and a closed triangle share a point.
///
/// ```
/// # use impinge::{Vec3, exact::segment_meets_triangle};
/// let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// assert!(segment_meets_triangle(&[Vec3::X, Vec3::X + Vec3::Z], &triangle));
/// assert!(!segment_meets_triangle(&[Vec3::X * 1.5, Vec3::X + Vec3::Z], &triangle));
/// ```
pub fn segment_meets_triangle(segment: &[Vec3; 2], triangle: &[Vec3; 3]) -> bool {
    if boxes_are_apart(segment, triangle) {
        return false;
    }
    let ([p, q], [a, b, c]) = (*segment, *triangle);
    match (orientation(a, b, c, p), orientation(a, b, c, q)) {
        (Sign::Zero, Sign::Zero) => flat_segment_meets_triangle(segment, triangle),
        (above_p, above_q) if above_p == above_q => false,
        // The line crosses the plane in one point, which is on the segment. Seen along the line, that point is on the
        // triangle exactly when no two edges turn about it in opposite ways.
        _ => {
            let turns = [[a, b], [b, c], [c, a]].map(|[u, v]| orientation(p, q, u, v));
            !(turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative))
        }
    }
}

/// Whether two closed triangles share a point.
///
/// ```
/// # use impinge::{Vec3, exact::triangles_intersect};
/// let a = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let touching = [Vec3::X, Vec3::X * 2.0, Vec3::ONE];
/// assert!(triangles_intersect(&a, &touching));
/// assert!(!triangles_intersect(&a, &touching.map(|p| p + Vec3::X * f64::EPSILON)));
/// ```
pub fn triangles_intersect(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    if boxes_are_apart(a, b) {
        return false;
    }
    let sides_b = sides(a, b);
    if are_all_on_one_side(sides_b) {
        return false;
    }
    let sides_a = sides(b, a);
    if are_all_on_one_side(sides_a) {
        return false;
    }
    match (apex(sides_a), apex(sides_b)) {
        (Some(apex_a), Some(apex_b)) => intervals_overlap((a, apex_a), (b, apex_b)),
        _ => flat_triangles_intersect(a, b),
    }
}

/// The sides of the plane of one triangle that the corners of another are on.
#[inline]
fn sides(of: &[Vec3; 3], corners: &[Vec3; 3]) -> [Sign; 3] {
    corners.map(|p| orientation(of[0], of[1], of[2], p))
}

#[inline]
fn are_all_on_one_side(sides: [Sign; 3]) -> bool {
    sides[0] != Sign::Zero && sides[0] == sides[1] && sides[0] == sides[2]
}

/// A corner that the plane of the other triangle separates from the opposite edge: each of the two edges that leave
/// the corner meets the plane in one point.
#[derive(Debug, Clone, Copy)]
struct Apex {
    corner: usize,
    /// The side of the corner; where the corner is in the plane, the side that the opposite edge is not on.
    side: Sign,
}

/// The apex for given sides of the corners, not all strictly on one side; `None` when all are in the plane.
#[inline]
fn apex(sides: [Sign; 3]) -> Option<Apex> {
    (0..3).find_map(|corner| {
        let [own, next, last] = [0, 1, 2].map(|k| sides[(corner + k) % 3]);
        let side = match own {
            Sign::Zero if next == last => -next,
            Sign::Zero => Sign::Zero,
            Sign::Positive | Sign::Negative if next != own && last != own => own,
            Sign::Positive | Sign::Negative => Sign::Zero,
        };
        (side != Sign::Zero).then_some(Apex { corner, side })
    })
}

/// Whether two triangles, each of which crosses the other's plane, meet on the line common to both planes.
///
/// Let the edges from the apex `a0` cross the line at `i` (towards `a1`) and `j` (towards `a2`), those from `b0` at `k`
/// and `l`. Moving points along their edges does not change the determinant of two edges' directions and the vector
/// between them, so `orientation(a0, a1, b0, b1)` is the order of `i` and `k` on the line, up to a sign that all four
/// such pairs have in common. With `b0` above the plane of `a0, a1, a2`, and `a0` above that of `b0, b1, b2`, the order
/// within each triangle is known, too: in the direction in which `j <= i`, also `k <= l`. Two comparisons remain.
fn intervals_overlap((a, apex_a): (&[Vec3; 3], Apex), (b, apex_b): (&[Vec3; 3], Apex)) -> bool {
    let [a0, a1, a2] = turned(a, apex_a.corner, apex_b.side);
    let [b0, b1, b2] = turned(b, apex_b.corner, apex_a.side);
    orientation(a0, a1, b0, b1) != Sign::Positive && orientation(a0, a2, b0, b2) != Sign::Negative
}

/// The corners from `first` on, reversed when the point that should be above the plane is on the negative side.
fn turned(triangle: &[Vec3; 3], first: usize, side: Sign) -> [Vec3; 3] {
    let [p, q, r] = [0, 1, 2].map(|k| triangle[(first + k) % 3]);
    if side == Sign::Negative {
        [p, r, q]
    } else {
        [p, q, r]
    }
}

/// Two triangles that are in one plane, or of which at least one is a segment or a point.
#[cold]
fn flat_triangles_intersect(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    match (view_of(a[0], a[1], a[2]), view_of(b[0], b[1], b[2])) {
        (None, None) => segments_intersect(&span(a), &span(b)),
        (None, Some(_)) => segment_meets_triangle(&span(a), b),
        (Some(_), None) => segment_meets_triangle(&span(b), a),
        (Some((axis, turn)), Some(_)) => {
            let turn_b = normal_component(axis, b[0], b[1], b[2]);
            !edge_separates(axis, turn, a, b) && !edge_separates(axis, turn_b, b, a)
        }
    }
}

/// A segment in the plane of the triangle, or any segment and a triangle that is a segment or a point.
#[cold]
fn flat_segment_meets_triangle(segment: &[Vec3; 2], triangle: &[Vec3; 3]) -> bool {
    let Some((axis, turn)) = view_of(triangle[0], triangle[1], triangle[2]) else {
        return segments_intersect(segment, &span(triangle));
    };
    let sides = triangle.map(|r| normal_component(axis, segment[0], segment[1], r));
    !are_all_on_one_side(sides) && !edge_separates(axis, turn, triangle, segment)
}

/// Whether, in the view along `axis` in which the triangle turns by `turn`, all points are strictly outside one of its
/// edges.
///
/// Disjoint convex polygons of a plane are separated by the line of an edge of one of them; a segment counts as a
/// polygon of two edges.
fn edge_separates(axis: Axis, turn: Sign, triangle: &[Vec3; 3], points: &[Vec3]) -> bool {
    let [a, b, c] = *triangle;
    [[a, b], [b, c], [c, a]].into_iter().any(|[u, v]| {
        points
            .iter()
            .all(|p| normal_component(axis, u, v, *p) == -turn)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: [Vec3; 3] = [
        Vec3::ZERO,
        Vec3::new(4.0, 0.0, 0.0),
        Vec3::new(0.0, 4.0, 0.0),
    ];

    fn v(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3::new(x, y, z)
    }

    fn both_ways(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
        let answer = triangles_intersect(a, b);
        assert_eq!(answer, triangles_intersect(b, a));
        answer
    }

    #[test]
    fn corners_edges_and_inside_belong_to_the_triangle() {
        for p in [
            v(0.0, 0.0, 0.0),
            v(2.0, 2.0, 0.0),
            v(1.0, 1.0, 0.0),
            v(4.0, 0.0, 0.0),
        ] {
            assert!(point_in_triangle(p, &FLOOR));
        }
        assert!(!point_in_triangle(v(2.0, 2f64.next_up(), 0.0), &FLOOR));
        assert!(!point_in_triangle(v(1.0, 1.0, f64::from_bits(1)), &FLOOR));
    }

    #[test]
    fn segments_meet_a_triangle_through_along_and_end_on() {
        let meets = |p, q| segment_meets_triangle(&[p, q], &FLOOR);
        assert!(meets(v(1.0, 1.0, -1.0), v(1.0, 1.0, 1.0)));
        assert!(meets(v(1.0, 1.0, 0.0), v(1.0, 1.0, 1.0)));
        assert!(meets(v(2.0, 2.0, -1.0), v(2.0, 2.0, 1.0)));
        assert!(meets(v(-1.0, 1.0, 0.0), v(5.0, 1.0, 0.0)));
        assert!(meets(v(5.0, -1.0, 0.0), v(3.0, 1.0, 0.0)));
        assert!(!meets(v(1.0, 1.0, f64::from_bits(1)), v(1.0, 1.0, 1.0)));
        assert!(!meets(v(5.0, 0.0, 0.0), v(3.0, 2.0, 0.0)));
        assert!(!meets(v(3.0, 2.0, -1.0), v(3.0, 2.0, 1.0)));
    }

    #[test]
    fn triangles_that_cross_or_touch_intersect() {
        // Through the middle, a corner on the face, an edge across an edge, an edge along an edge.
        assert!(both_ways(
            &FLOOR,
            &[v(1.0, 1.0, -1.0), v(1.0, 1.0, 1.0), v(9.0, 9.0, 0.5)]
        ));
        assert!(both_ways(
            &FLOOR,
            &[v(1.0, 1.0, 0.0), v(1.0, 2.0, 1.0), v(2.0, 1.0, 1.0)]
        ));
        assert!(both_ways(
            &FLOOR,
            &[v(1.0, 0.0, 1.0), v(1.0, 0.0, -1.0), v(1.0, -1.0, 0.0)]
        ));
        assert!(both_ways(
            &FLOOR,
            &[v(1.0, 0.0, 0.0), v(3.0, 0.0, 0.0), v(2.0, -1.0, 1.0)]
        ));
        // The same, a little away.
        assert!(!both_ways(
            &FLOOR,
            &[v(1.0, 1.0, 1e-9), v(1.0, 2.0, 1.0), v(2.0, 1.0, 1.0)]
        ));
        assert!(!both_ways(
            &FLOOR,
            &[v(1.0, -1e-9, 1.0), v(1.0, -1e-9, -1.0), v(1.0, -1.0, 0.0)]
        ));
    }

    #[test]
    fn coplanar_triangles_intersect_when_no_edge_separates_them() {
        assert!(both_ways(&FLOOR, &FLOOR));
        assert!(both_ways(
            &FLOOR,
            &[v(1.0, 1.0, 0.0), v(1.0, 2.0, 0.0), v(1.5, 1.0, 0.0)]
        ));
        assert!(both_ways(
            &FLOOR,
            &[v(2.0, 2.0, 0.0), v(4.0, 4.0, 0.0), v(5.0, 3.0, 0.0)]
        ));
        assert!(both_ways(
            &FLOOR,
            &[v(4.0, 0.0, 0.0), v(5.0, 1.0, 0.0), v(5.0, -1.0, 0.0)]
        ));
        assert!(!both_ways(
            &FLOOR,
            &[
                v(2.0, 2f64.next_up(), 0.0),
                v(4.0, 4.0, 0.0),
                v(5.0, 3.0, 0.0)
            ]
        ));
    }

    #[test]
    fn triangles_without_area_are_segments_and_points() {
        let needle = |x: f64| [v(x, 1.0, -1.0), v(x, 1.0, 2.0), v(x, 1.0, 1.0)];
        assert!(both_ways(&FLOOR, &needle(1.0)));
        assert!(both_ways(&FLOOR, &needle(3.0)));
        assert!(!both_ways(&FLOOR, &needle(3f64.next_up())));
        assert!(both_ways(&FLOOR, &[v(2.0, 2.0, 0.0); 3]));
        assert!(!both_ways(&FLOOR, &[v(2.0, 2.0, 1.0); 3]));
        assert!(both_ways(
            &needle(1.0),
            &[v(1.0, 1.0, 0.0), v(0.0, 0.0, 0.0), v(2.0, 2.0, 0.0)]
        ));
        assert!(!both_ways(
            &needle(1.0),
            &[v(1.0, 2.0, 0.0), v(0.0, 1.0, 0.0), v(2.0, 3.0, 0.0)]
        ));
        assert!(both_ways(&[v(1.0, 2.0, 3.0); 3], &[v(1.0, 2.0, 3.0); 3]));
    }

    #[test]
    fn every_pattern_of_sides_but_the_flat_one_has_an_apex() {
        let signs = [Sign::Negative, Sign::Zero, Sign::Positive];
        for pattern in (0..27).map(|n| [signs[n % 3], signs[n / 3 % 3], signs[n / 9]]) {
            if are_all_on_one_side(pattern) {
                continue;
            }
            let flat = pattern == [Sign::Zero; 3];
            let Some(Apex { corner, side }) = apex(pattern) else {
                assert!(flat, "{pattern:?}");
                continue;
            };
            let [next, last] = [1, 2].map(|k| pattern[(corner + k) % 3]);
            assert!(!flat && pattern[corner] != -side && next != side && last != side);
            assert!(pattern[corner] != Sign::Zero || (next != Sign::Zero && last != Sign::Zero));
        }
    }
}
