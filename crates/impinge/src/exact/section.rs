//! What two triangles have in common: a point, a segment or a convex polygon.
//!
//! The common part of two triangles is convex, so its corners say everything. Each of them is of one of three kinds:
//!
//! 1. a corner of one triangle that is on the other;
//! 2. a place where an edge of one goes through the inside of the other;
//! 3. a place where an edge crosses an edge, inside both.
//!
//! Which of them there are is decided by exact signs, and no point is of two kinds: so there are exactly as many corners as
//! the true common part has, and none is there twice. In general there are two, of the second kind.
//!
//! **Error bound.** Corners of triangles are given as they are. A crossing of the edge `pq` is `p + (q - p) s` with
//! `s = h(p) / (h(p) - h(q))`, where `h` is the volume over the plane or the area over the edge that is crossed. With `u = 2^-53`,
//! `M` the largest coordinate of `p` and `q`, `L` the longest coordinate of `q - p` and `e` the errors of the volumes, the
//! quotient is off by `2.1 (e_p + e_q) / |h(p) - h(q)| + 3 u`. It is taken where `L` times the first part is at
//! most `9 u M`; the rest of the formula adds `9 u M`. Otherwise the point is computed in big integers and rounded once.
//! So coordinates are within `2^-48 M` of the true ones ([`SECTION_ERROR`]).

use super::big::{BigVec3, to_integers};
use super::counts::{count_big, count_filter};
use super::measure::absolute_cross;
use super::rounding::round_quotient;
use super::segments::{span, view_of};
use super::signs::{Axis, Sign, normal_component, orientation};
use super::triangles::{point_in_triangle, triangles_intersect};
use crate::math::Vec3;
use arrayvec::ArrayVec;
use dashu_int::IBig;

/// The common part of two triangles.
#[derive(Debug, Clone, PartialEq)]
pub enum Section {
    /// One point.
    Point(Vec3),
    /// A segment, by its ends.
    Segment([Vec3; 2]),
    /// A convex polygon of three to six corners, in order around it: the triangles are in one plane. Where it is thinner than
    /// rounding, so is the order.
    Polygon(Box<[Vec3]>),
}

impl Section {
    /// The corners.
    pub fn points(&self) -> &[Vec3] {
        match self {
            Section::Point(point) => std::slice::from_ref(point),
            Section::Segment(ends) => ends,
            Section::Polygon(corners) => corners,
        }
    }
}

/// The coordinates of the corners of a [`Section`] are off by at most this share of the largest coordinate of the triangles, and
/// the smallest positive number.
pub const SECTION_ERROR: f64 = 32.0 * U;

const U: f64 = f64::EPSILON / 2.0;

/// What two closed triangles have in common; `None` exactly when they do not meet.
///
/// ```
/// # use impinge::{Vec3, exact::{Section, triangle_section}};
/// let floor = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0];
/// let fin = [Vec3::new(1.0, 1.0, -1.0), Vec3::new(1.0, 1.0, 1.0), Vec3::new(2.0, 1.0, 0.0)];
/// let section = triangle_section(&floor, &fin);
/// assert_eq!(section, Some(Section::Segment([Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0)])));
/// ```
pub fn triangle_section(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<Section> {
    triangles_intersect(a, b).then(|| section_of(a, b))
}

/// The corners of a section. Two triangles in a plane have six at most.
type Corners = ArrayVec<Vec3, 6>;

/// What two triangles have in common that do meet.
pub(crate) fn section_of(a: &[Vec3; 3], b: &[Vec3; 3]) -> Section {
    let corners = plain_corners(a, b).unwrap_or_else(|| special_corners(a, b));
    match corners[..] {
        [point] => Section::Point(point),
        // In the order of coordinates, so that the order of the triangles does not matter.
        [p, q] if p.to_array() <= q.to_array() => Section::Segment([p, q]),
        [p, q] => Section::Segment([q, p]),
        _ => Section::Polygon(in_order(corners, a).as_slice().into()),
    }
}

/// The corners when all are of the second kind, which the signs show.
fn plain_corners(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<Corners> {
    let mut corners = Corners::new();
    for (own, other) in [(a, b), (b, a)] {
        let sides = own.map(|p| orientation(other[0], other[1], other[2], p));
        if sides.contains(&Sign::Zero) {
            return None;
        }
        for k in 0..3 {
            let next = (k + 1) % 3;
            if sides[k] == sides[next] {
                continue;
            }
            let edge = [own[k], own[next]];
            match is_through(&edge, other) {
                Some(true) => corners.push(crossing(edge, &Across::Plane(other))),
                Some(false) => (),
                None => return None,
            }
        }
    }
    Some(corners)
}

/// Whether a line, not in the plane of a triangle, goes through the inside of it; `None` when it meets its border.
fn is_through([p, q]: &[Vec3; 2], [a, b, c]: &[Vec3; 3]) -> Option<bool> {
    let turns = [[a, b], [b, c], [c, a]].map(|[u, v]| orientation(*p, *q, *u, *v));
    let is_mixed = turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative);
    if is_mixed {
        Some(false)
    } else {
        (!turns.contains(&Sign::Zero)).then_some(true)
    }
}

/// The corners of all kinds.
#[cold]
fn special_corners(a: &[Vec3; 3], b: &[Vec3; 3]) -> Corners {
    let mut corners = Corners::new();
    for (own, other) in [(a, b), (b, a)] {
        for p in ends(own) {
            // Both triangles may have it for a corner.
            if point_in_triangle(p, other) && !corners.contains(&p) {
                corners.push(p);
            }
        }
    }
    for (own, other) in [(a, b), (b, a)] {
        for edge in edges(own) {
            let [side_p, side_q] = edge.map(|p| orientation(other[0], other[1], other[2], p));
            let is_across = side_p != Sign::Zero && side_p == -side_q;
            if is_across && is_through(&edge, other) == Some(true) {
                corners.push(crossing(edge, &Across::Plane(other)));
            }
        }
    }
    for e in edges(a) {
        for f in edges(b) {
            if let Some(axis) = view_of_crossing(&e, &f) {
                corners.push(crossing(e, &Across::Line(axis, f)));
            }
        }
    }
    corners
}

/// The corners of a triangle; of one without area, the ends of the segment that it is.
fn ends(triangle: &[Vec3; 3]) -> ArrayVec<Vec3, 3> {
    let [a, b, c] = *triangle;
    match view_of(a, b, c) {
        Some(_) => ArrayVec::from([a, b, c]),
        None => span(triangle).into_iter().collect(),
    }
}

/// The edges of a triangle; of one without area, the segment that it is.
fn edges(triangle: &[Vec3; 3]) -> ArrayVec<[Vec3; 2], 3> {
    match ends(triangle)[..] {
        [a, b, c] => ArrayVec::from([[a, b], [b, c], [c, a]]),
        _ => std::iter::once(span(triangle)).collect(),
    }
}

/// An axis along which two segments are seen to cross, when they do, strictly inside both and not along each other.
fn view_of_crossing([p, q]: &[Vec3; 2], [r, s]: &[Vec3; 2]) -> Option<Axis> {
    if orientation(*p, *q, *r, *s) != Sign::Zero {
        return None;
    }
    let (axis, side_r) = view_of(*p, *q, *r)?;
    let is_between = normal_component(axis, *p, *q, *s) == -side_r;
    let (side_p, side_q) = (
        normal_component(axis, *r, *s, *p),
        normal_component(axis, *r, *s, *q),
    );
    (is_between && side_p != Sign::Zero && side_p == -side_q).then_some(axis)
}

/// What an edge crosses.
enum Across<'t> {
    Plane(&'t [Vec3; 3]),
    /// A line in one plane with the edge, seen along an axis.
    Line(Axis, [Vec3; 2]),
}

/// A number, and how far off it is at most.
struct Height {
    value: f64,
    error: f64,
}

/// Larger permanents, of differences below the ceiling, dwarf every underflow; see `signs`.
const FLOOR: f64 = 1e-180;
const CEILING: f64 = 1e100;

impl Across<'_> {
    /// The volume, or area, between it and a point; `None` for numbers of extreme size.
    fn height(&self, at: Vec3) -> Option<Height> {
        match self {
            Across::Plane([a, b, c]) => {
                let (p, q, r) = (*a - at, *b - at, *c - at);
                let value = p.cross(q).dot(r);
                let permanent = absolute_cross(p, q).dot(r.abs());
                let is_ordinary =
                    permanent > FLOOR && (p.abs() + q.abs() + r.abs()).element_sum() < CEILING;
                is_ordinary.then_some(Height {
                    value,
                    error: 9.0 * U * permanent,
                })
            }
            Across::Line(axis, [r, s]) => {
                let ([px, py], [qx, qy]) = (axis.project(*r - at), axis.project(*s - at));
                let permanent = (px * qy).abs() + (py * qx).abs();
                (permanent > FLOOR && permanent < CEILING).then_some(Height {
                    value: px * qy - py * qx,
                    error: 5.0 * U * permanent,
                })
            }
        }
    }

    /// The same exactly, up to a factor that all points have in common.
    fn exact_heights(&self, [p, q]: [Vec3; 2]) -> ([IBig; 2], [BigVec3; 2], i32) {
        match self {
            Across::Plane([a, b, c]) => {
                let ([a, b, c, p, q], exponent) = to_integers([*a, *b, *c, p, q]);
                let normal = b.sub(&a).cross(&c.sub(&a));
                let heights = [&p, &q].map(|p| normal.dot(&p.sub(&a)));
                (heights, [p, q], exponent)
            }
            Across::Line(axis, [r, s]) => {
                let ([r, s, p, q], exponent) = to_integers([*r, *s, p, q]);
                let heights = [&p, &q].map(|p| {
                    let area = s.sub(&r).cross(&p.sub(&r));
                    match axis {
                        Axis::X => area.x,
                        Axis::Y => area.y,
                        Axis::Z => area.z,
                    }
                });
                (heights, [p, q], exponent)
            }
        }
    }
}

/// Where a segment crosses what its ends are on different sides of.
fn crossing(ends: [Vec3; 2], across: &Across<'_>) -> Vec3 {
    match propose(ends, across) {
        Some(point) => {
            count_filter();
            point
        }
        None => crossing_exactly(ends, across),
    }
}

/// The same in doubles, where they are precise enough.
fn propose([p, q]: [Vec3; 2], across: &Across<'_>) -> Option<Vec3> {
    let (above, below) = (across.height(p)?, across.height(q)?);
    let between = above.value - below.value;
    let along = q - p;
    let size = p.abs().max(q.abs()).max_element();
    let error = 2.1 * (above.error + below.error) * along.abs().max_element();
    let is_precise = error <= 9.0 * U * size * between.abs() && above.value * below.value < 0.0;
    is_precise.then(|| p + along * (above.value / between))
}

#[cold]
fn crossing_exactly(ends: [Vec3; 2], across: &Across<'_>) -> Vec3 {
    count_big();
    let ([above, below], [p, q], exponent) = across.exact_heights(ends);
    let is_rising = above < below;
    let denominator = if is_rising {
        &below - &above
    } else {
        &above - &below
    };
    let coordinate = |p: &IBig, q: &IBig| {
        let numerator = q * &above - p * &below;
        let numerator = if is_rising { -numerator } else { numerator };
        round_quotient(&numerator, &denominator, exponent)
    };
    Vec3::new(
        coordinate(&p.x, &q.x),
        coordinate(&p.y, &q.y),
        coordinate(&p.z, &q.z),
    )
}

/// The corners of a polygon in the plane of a triangle, in order around it.
fn in_order(mut corners: Corners, triangle: &[Vec3; 3]) -> Corners {
    let [a, b, c] = *triangle;
    let axis = view_of(a, b, c).map_or(Axis::Z, |(axis, _)| axis);
    let share = 1.0 / corners.len() as f64;
    let middle: Vec3 = corners.iter().map(|p| *p * share).sum();
    let angle = |p: &Vec3| {
        let [x, y] = axis.project(*p - middle);
        y.atan2(x)
    };
    corners.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    corners
}
