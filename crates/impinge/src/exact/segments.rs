//! Exact tests on points, lines and segments.
//!
//! A segment is closed and given by its ends; equal ends make a point. Nothing is rounded: the answers come from
//! comparing coordinates and from [`orientation`] and [`normal_component`].
//!
//! Questions within a plane are asked in a *view*: the plane is seen along a coordinate axis along which its normal has
//! a component, so that different points are seen apart and lines stay lines. [`view_of`] finds such an axis. Questions
//! within a line need no arithmetic at all: on one line, the order of points is their lexicographic order, and two
//! segments meet exactly when their boxes do.

use super::signs::{Axis, Sign, normal_component, orientation};
use crate::math::Vec3;

/// Whether three points are on one line; equal points are.
///
/// ```
/// # use impinge::{Vec3, exact::are_collinear};
/// assert!(are_collinear(Vec3::ZERO, Vec3::ONE, Vec3::splat(3.0)));
/// // The tenths are rounded: three of them do not make the number nearest to 0.3.
/// assert!(!are_collinear(Vec3::ZERO, Vec3::new(1.0, 0.1, 0.0), Vec3::new(3.0, 0.3, 0.0)));
/// ```
pub fn are_collinear(a: Vec3, b: Vec3, c: Vec3) -> bool {
    view_of(a, b, c).is_none()
}

/// Whether a point is on a closed segment.
pub fn point_on_segment(p: Vec3, segment: &[Vec3; 2]) -> bool {
    !boxes_are_apart(&[p], segment) && are_collinear(p, segment[0], segment[1])
}

/// Whether two closed segments share a point, be it an end.
///
/// ```
/// # use impinge::{Vec3, exact::segments_intersect};
/// let s = [Vec3::ZERO, Vec3::X];
/// assert!(segments_intersect(&s, &[Vec3::X, Vec3::ONE]));
/// assert!(!segments_intersect(&s, &[Vec3::X.map(f64::next_up), Vec3::ONE]));
/// ```
pub fn segments_intersect(s: &[Vec3; 2], t: &[Vec3; 2]) -> bool {
    if boxes_are_apart(s, t) {
        return false;
    }
    let ([a, b], [c, d]) = (*s, *t);
    if orientation(a, b, c, d) != Sign::Zero {
        return false;
    }
    let view = [[a, b, c], [a, b, d], [c, d, a], [c, d, b]]
        .into_iter()
        .find_map(|[p, q, r]| view_of(p, q, r));
    match view {
        // All four ends are on one line, and the boxes meet.
        None => true,
        Some((axis, _)) => {
            // Each segment reaches the other's line. The lines differ, so they have at most one point in common.
            let side = |p, q, r| normal_component(axis, p, q, r);
            side(a, b, c) * side(a, b, d) != Sign::Positive
                && side(c, d, a) * side(c, d, b) != Sign::Positive
        }
    }
}

/// An axis along which the triangle is seen as a triangle, and which way it turns there; `None` exactly when the
/// corners are on one line.
pub(super) fn view_of(a: Vec3, b: Vec3, c: Vec3) -> Option<(Axis, Sign)> {
    Axis::ALL
        .into_iter()
        .map(|axis| (axis, normal_component(axis, a, b, c)))
        .find(|(_, turn)| *turn != Sign::Zero)
}

/// The segment that three points on one line span.
pub(super) fn span(corners: &[Vec3; 3]) -> [Vec3; 2] {
    let [a, b, c] = *corners;
    [lower_of(a, lower_of(b, c)), higher_of(a, higher_of(b, c))]
}

/// The lexicographically smaller of two points.
pub(super) fn lower_of(p: Vec3, q: Vec3) -> Vec3 {
    if p.to_array() <= q.to_array() { p } else { q }
}

/// The lexicographically larger of two points.
pub(super) fn higher_of(p: Vec3, q: Vec3) -> Vec3 {
    if p.to_array() <= q.to_array() { q } else { p }
}

/// Whether the boxes around two non-empty point sets are disjoint.
#[inline]
pub(super) fn boxes_are_apart<const N: usize, const M: usize>(
    a: &[Vec3; N],
    b: &[Vec3; M],
) -> bool {
    let (low_a, high_a) = bounds(a);
    let (low_b, high_b) = bounds(b);
    high_a.cmplt(low_b).any() || high_b.cmplt(low_a).any()
}

#[inline]
fn bounds<const N: usize>(points: &[Vec3; N]) -> (Vec3, Vec3) {
    points[1..]
        .iter()
        .fold((points[0], points[0]), |(low, high), p| {
            (low.min(*p), high.max(*p))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: Vec3 = Vec3::ZERO;

    #[test]
    fn equal_points_are_collinear() {
        assert!(are_collinear(ORIGIN, ORIGIN, Vec3::ONE));
        assert!(are_collinear(Vec3::X, Vec3::X, Vec3::X));
        assert!(!are_collinear(ORIGIN, Vec3::X, Vec3::X.with_z(1e-300)));
    }

    #[test]
    fn ends_belong_to_the_segment_and_what_lies_beyond_does_not() {
        let s = [ORIGIN, Vec3::splat(2.0)];
        assert!(point_on_segment(ORIGIN, &s));
        assert!(point_on_segment(Vec3::splat(2.0), &s));
        assert!(point_on_segment(Vec3::splat(0.1), &s));
        assert!(!point_on_segment(Vec3::splat(2f64.next_up()), &s));
        assert!(!point_on_segment(Vec3::new(1.0, 1.0, 1f64.next_up()), &s));
        assert!(point_on_segment(Vec3::X, &[Vec3::X; 2]));
        assert!(!point_on_segment(Vec3::Y, &[Vec3::X; 2]));
    }

    #[test]
    fn segments_that_cross_touch_or_overlap_intersect() {
        let s = [ORIGIN, Vec3::X];
        let up = |x: f64, from: f64, to: f64| [Vec3::new(x, from, 0.0), Vec3::new(x, to, 0.0)];
        assert!(segments_intersect(&s, &up(0.5, -1.0, 1.0)));
        assert!(segments_intersect(&s, &up(0.5, 0.0, 1.0)));
        assert!(segments_intersect(&s, &up(1.0, 0.0, 1.0)));
        assert!(!segments_intersect(&s, &up(0.5, 1e-320, 1.0)));
        assert!(segments_intersect(&s, &[Vec3::X * 0.5, Vec3::X * 2.0]));
        assert!(!segments_intersect(&s, &[Vec3::X * 1.5, Vec3::X * 2.0]));
        assert!(segments_intersect(&s, &[Vec3::X * 0.5; 2]));
        assert!(!segments_intersect(
            &[ORIGIN, Vec3::ONE],
            &[Vec3::X * 0.5; 2]
        ));
    }

    #[test]
    fn skew_segments_do_not_intersect() {
        let s = [ORIGIN, Vec3::ONE];
        let t = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 1.0)];
        assert!(segments_intersect(&s, &t));
        let lifted = t.map(|p| p + Vec3::Z * f64::EPSILON);
        assert!(!segments_intersect(&s, &lifted));
    }
}
