//! Whether two triangles of one mesh intersect in more than what they share.
//!
//! Neighbours in a mesh always touch: at a common corner, or along a common edge. A mesh intersects itself where two of
//! its triangles have a point in common that is not on the hull of their common corners, or where they have all three
//! corners in common. Corners are common when their coordinates are equal, whatever their indices.
//!
//! One common corner `p`: both triangles are star-shaped about it. If they have another point in common, follow the ray
//! from `p` through that point until it leaves the first of the two triangles. It leaves through the edge opposite to
//! `p`, at a point of the other triangle, so two tests of a segment against a triangle decide.
//!
//! Two common corners: if the triangles are not in one plane, the planes have only the line of the common edge in
//! common. If they are, the triangles overlap exactly when they are on the same side of that edge.

use super::segments::{are_collinear, higher_of, lower_of, point_on_segment, span, view_of};
use super::signs::{Sign, normal_component, orientation};
use super::triangles::{segment_meets_triangle, triangles_intersect};
use crate::math::Vec3;

/// Whether two triangles have a point in common outside the hull of their common corners, or are the same triangle.
///
/// Triangles of zero area count as the segments or points that they are.
///
/// ```
/// # use impinge::{Vec3, exact::triangles_cross_beyond_shared};
/// let a = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// assert!(!triangles_cross_beyond_shared(&a, &[Vec3::X, Vec3::ZERO, Vec3::Z]));
/// assert!(triangles_cross_beyond_shared(&a, &[Vec3::X, Vec3::ZERO, Vec3::new(0.5, 0.1, 0.0)]));
/// ```
pub fn triangles_cross_beyond_shared(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let mut shared = [Vec3::ZERO; 3];
    let mut count = 0;
    for p in a {
        if b.contains(p) && !shared[..count].contains(p) {
            shared[count] = *p;
            count += 1;
        }
    }
    match shared[..count] {
        [] => triangles_intersect(a, b),
        [p] => meet_away_from(p, a, b),
        [p, q] => overlap_beyond_edge([p, q], a, b),
        _ => true,
    }
}

/// Whether two triangles whose only common corner is `p` have another point in common.
fn meet_away_from(p: Vec3, a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let fans_b = fans(p, b);
    fans(p, a).into_iter().flatten().any(|f| {
        fans_b.iter().flatten().any(|g| {
            segment_meets_triangle(&[f[1], f[2]], g) || segment_meets_triangle(&[g[1], g[2]], &f)
        })
    })
}

/// The triangle as a union of triangles with the corner `p` first and `p` not on the opposite edge, leaving out `p`
/// itself.
///
/// Only a triangle of zero area that reaches from `p` to both sides needs two, and one without extent none.
fn fans(p: Vec3, triangle: &[Vec3; 3]) -> [Option<[Vec3; 3]>; 2] {
    let first = triangle.iter().position(|q| *q == p);
    let first = first.expect("p is a corner of both triangles");
    let [q, r] = [1, 2].map(|k| triangle[(first + k) % 3]);
    if point_on_segment(p, &[q, r]) {
        [q, r].map(|end| (end != p).then_some([p, end, end]))
    } else {
        [Some([p, q, r]), None]
    }
}

/// Whether two triangles whose only common corners are `p` and `q` have a point in common that is not between them.
fn overlap_beyond_edge([p, q]: [Vec3; 2], a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    // A corner that repeats `p` or `q` leaves no third one: either of them serves, the triangle is a segment.
    let third =
        |triangle: &[Vec3; 3]| *triangle.iter().find(|r| **r != p && **r != q).unwrap_or(&p);
    let (c, d) = (third(a), third(b));
    match view_of(p, q, c) {
        Some((axis, side)) => {
            orientation(p, q, c, d) == Sign::Zero
                && side * normal_component(axis, p, q, d) == Sign::Positive
        }
        // Three segments on one line: the common edge and what both triangles have in common.
        None if are_collinear(p, q, d) => {
            let ([low_a, high_a], [low_b, high_b]) = (span(a), span(b));
            let common = [higher_of(low_a, low_b), lower_of(high_a, high_b)];
            common != [lower_of(p, q), higher_of(p, q)]
        }
        // A segment along the edge, and a triangle that has nothing but the edge on that line.
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    fn crosses(b: [Vec3; 3]) -> bool {
        let answer = triangles_cross_beyond_shared(&FLOOR, &b);
        assert_eq!(answer, triangles_cross_beyond_shared(&b, &FLOOR));
        answer
    }

    #[test]
    fn without_a_common_corner_any_touch_counts() {
        let low = Vec3::splat(-1.0);
        assert!(crosses([Vec3::X * 0.5, low, low + Vec3::X]));
        assert!(!crosses([Vec3::X * 1.5, low, low + Vec3::X]));
    }

    #[test]
    fn at_a_common_corner_only_more_than_the_corner_counts() {
        assert!(!crosses([Vec3::ZERO, Vec3::Z, Vec3::new(-1.0, 0.0, 1.0)]));
        assert!(crosses([Vec3::ZERO, Vec3::ONE, Vec3::new(1.0, 1.0, -1.0)]));
        assert!(crosses([Vec3::ZERO, Vec3::new(0.2, 0.2, 0.0), Vec3::Z]));
        assert!(crosses([Vec3::ZERO, Vec3::X * 2.0, Vec3::Z]));
        assert!(!crosses([Vec3::ZERO, Vec3::NEG_X, Vec3::NEG_Y]));
    }

    #[test]
    fn at_a_common_edge_only_folded_triangles_count() {
        assert!(!crosses([Vec3::ZERO, Vec3::X, Vec3::NEG_Y]));
        assert!(!crosses([Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.5, 1e-300)]));
        assert!(crosses([Vec3::ZERO, Vec3::X, Vec3::new(9.0, 0.5, 0.0)]));
        assert!(crosses([Vec3::Y, Vec3::ZERO, Vec3::X]));
    }

    #[test]
    fn triangles_without_area_cross_beyond_what_they_share() {
        let [o, x] = [Vec3::ZERO, Vec3::X];
        assert!(!crosses([o, o, o]));
        assert!(!crosses([o, x, x]));
        assert!(!crosses([o, x, x * 0.5]));
        assert!(!crosses([o, x, x * 2.0]));
        assert!(crosses([o, o, x * 2.0]));
        assert!(crosses([o, -x, x * 0.1]));
        assert!(!crosses([o, -x, Vec3::Z * 0.0]));
        let line = |ends: [f64; 3]| ends.map(|t| Vec3::ONE * t);
        let cross = |a, b| triangles_cross_beyond_shared(&line(a), &line(b));
        assert!(cross([0.0, 1.0, 2.0], [0.0, 1.0, 3.0]));
        assert!(!cross([0.0, 1.0, 2.0], [0.0, 1.0, -3.0]));
        assert!(!cross([0.0, 1.0, 2.0], [0.0, 1.0, 1.0]));
        assert!(cross([0.0, 1.0, 2.0], [2.0, 1.0, 0.0]));
        assert!(cross([-1.0, 0.0, 1.0], [0.0, 2.0, 3.0]));
        assert!(!cross([-1.0, 0.0, -2.0], [0.0, 2.0, 3.0]));
    }
}
