//! Where two triangles are closest, with a proof.
//!
//! The closest points are on two edges, or on a corner and a face: all fifteen pairs are tried in doubles. The result is
//! believed as far as two numbers prove it: the distance of the points found, which are points of the triangles up to
//! rounding, is an upper bound; and the gap along any direction is a lower one. Directions tried are that between the
//! points and that of the normal of the parts they are on, which is right even where the points are so close that
//! their difference is all rounding.
//!
//! **Error bound.** With `u = 2^-53`, corners are taken relative to one of them, and `s` is the largest sum of absolute
//! coordinates. A point `p + x (q - p)` is off the segment by at most `4 u s`, a projected corner by `24 u s` or else its face has
//! so little area that the lower bound tells; differences and lengths add `8 u s`. A product with a unit vector has three
//! roundings, and its length four: `8 u s` for each side. So [`ERROR`] times `s` covers both bounds.
//!
//! What is not proven to the width of [`WIDTH`], or not proven to be apart at all, is for exact arithmetic.

use crate::contact::{Feature, Witness};
use crate::exact::{Sign, count_filter, hull_distance, orientation};
use crate::math::{Interval, Vec3};
use crate::narrow::primitive::{WIDTH, part_of_triangle};

/// Both bounds are known within this times the largest sum of coordinates: `64 u`.
const ERROR: f64 = 32.0 * f64::EPSILON;
/// Sizes between which products of four lengths are ordinary numbers.
const SIZES: std::ops::Range<f64> =
    f64::from_bits((1023 - 200) << 52)..f64::from_bits((1023 + 240) << 52);

/// The part of a triangle that a point is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Corner(u8),
    /// From the corner of that number to the next.
    Edge(u8),
    Face,
}

impl Part {
    /// Its name in a mesh.
    pub(crate) fn feature(self, triangle: u32, corners: [u32; 3]) -> Feature {
        match self {
            Part::Corner(k) => Feature::Vertex(corners[k as usize]),
            Part::Edge(k) => Feature::Edge(3 * triangle + u32::from(k)),
            Part::Face => Feature::Face(triangle),
        }
    }

    /// The part between some of the corners, ascending.
    fn between(corners: &[u32]) -> Part {
        match part_of_triangle(corners) {
            Feature::Vertex(corner) => Part::Corner(corner as u8),
            Feature::Edge(edge) => Part::Edge(edge as u8),
            Feature::Face(_) | Feature::Surface | Feature::Inside => Part::Face,
        }
    }
}

/// How two triangles stand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    /// The distance is in here; exactly 0 when they share a point.
    pub(crate) bounds: Interval,
    pub(crate) witness: Witness,
    pub(crate) parts: [Part; 2],
}

/// The closest points of two triangles, to the promised precision.
pub(crate) fn measure(a: &[Vec3; 3], b: &[Vec3; 3]) -> Near {
    match propose(a, b) {
        Some(near) => {
            count_filter();
            near
        }
        None => measure_exactly(a, b),
    }
}

/// The same in exact arithmetic.
#[cold]
pub(super) fn measure_exactly(a: &[Vec3; 3], b: &[Vec3; 3]) -> Near {
    let exact = hull_distance(a, b);
    let is_meeting = exact.is_intersecting();
    let [on_a, on_b] = &exact.vertices;
    Near {
        bounds: if is_meeting {
            Interval::exact(0.0)
        } else {
            exact.bounds
        },
        witness: exact.witness,
        parts: [Part::between(on_a), Part::between(on_b)],
    }
}

/// The same in doubles, where that is proof enough.
fn propose(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<Near> {
    let origin = a[0];
    let p = a.map(|corner| corner - origin);
    let q = b.map(|corner| corner - origin);
    let size = |corners: &[Vec3; 3]| {
        let sums = corners.map(|corner| corner.abs().element_sum());
        sums[0].max(sums[1]).max(sums[2])
    };
    let size = size(&p).max(size(&q));
    if !SIZES.contains(&size) {
        return None;
    }
    let (found, edges) = closest(&p, &q);
    let difference = found.b - found.a;
    let length = difference.length();
    let normal = match found.parts {
        [Part::Face, _] => (p[1] - p[0]).cross(p[2] - p[0]),
        [_, Part::Face] => (q[1] - q[0]).cross(q[2] - q[0]),
        _ => edges[0].cross(edges[1]),
    };
    let gap = |direction: Vec3| {
        let direction = direction.try_normalize()?;
        let heights = |corners: &[Vec3; 3]| corners.map(|corner| direction.dot(corner));
        let ([p0, p1, p2], [q0, q1, q2]) = (heights(&p), heights(&q));
        let above = q0.min(q1).min(q2) - p0.max(p1).max(p2);
        let below = p0.min(p1).min(p2) - q0.max(q1).max(q2);
        Some(above.max(below))
    };
    let gaps = [gap(difference), gap(normal)].map(|gap| gap.unwrap_or(f64::NEG_INFINITY));
    let bounds = Interval {
        lower: gaps[0].max(gaps[1]) - ERROR * size,
        upper: length + ERROR * size,
    };
    let scale = size + origin.abs().max_element();
    let is_proven = bounds.lower > 0.0 && bounds.upper - bounds.lower <= WIDTH * scale;
    is_proven.then_some(Near {
        bounds,
        witness: Witness {
            a: found.a + origin,
            b: found.b + origin,
        },
        parts: found.parts,
    })
}

/// Whether two triangles are no farther apart than a gap, exactly.
#[cold]
pub(super) fn are_within(a: &[Vec3; 3], b: &[Vec3; 3], gap: f64) -> bool {
    hull_distance(a, b).compare_to_sum(&[gap]) != Sign::Positive
}

/// A point that two triangles share, given that there is one, rounded, and the parts that it is on.
///
/// In general an edge of one goes through the inside of the other, which five signs show. Where none does, the triangles
/// touch at their borders, or are in one plane.
pub(crate) fn common_point(a: &[Vec3; 3], b: &[Vec3; 3]) -> (Vec3, [Part; 2]) {
    for k in 0..3 {
        if let Some(point) = crossing([a[k], a[(k + 1) % 3]], b) {
            return (point, [Part::Edge(k as u8), Part::Face]);
        }
        if let Some(point) = crossing([b[k], b[(k + 1) % 3]], a) {
            return (point, [Part::Face, Part::Edge(k as u8)]);
        }
    }
    let exact = measure_exactly(a, b);
    (exact.witness.a, exact.parts)
}

/// Where a segment goes through the inside of a triangle, if it does.
fn crossing([p, q]: [Vec3; 2], [u, v, w]: &[Vec3; 3]) -> Option<Vec3> {
    let above = orientation(*u, *v, *w, p);
    if above == Sign::Zero || orientation(*u, *v, *w, q) != -above {
        return None;
    }
    let turns = [[u, v], [v, w], [w, u]].map(|[from, to]| orientation(p, q, *from, *to));
    if turns[0] == Sign::Zero || turns[1] != turns[0] || turns[2] != turns[0] {
        return None;
    }
    let normal = (*v - *u).cross(*w - *u);
    let (high, low) = (normal.dot(p - *u), normal.dot(q - *u));
    let share = high / (high - low);
    // Heights that are all rounding say little, but the point is on the segment.
    let share = if share.is_finite() { share } else { 0.5 };
    Some(p + (q - p) * share.clamp(0.0, 1.0))
}

/// Two points and the parts they are on.
#[derive(Debug, Clone, Copy)]
struct Found {
    square: f64,
    a: Vec3,
    b: Vec3,
    parts: [Part; 2],
}

/// The closest points on edges, or on a corner and a face; and the directions of the edges, if they are on edges.
fn closest(p: &[Vec3; 3], q: &[Vec3; 3]) -> (Found, [Vec3; 2]) {
    let mut best = Found {
        square: f64::INFINITY,
        a: p[0],
        b: q[0],
        parts: [Part::Corner(0), Part::Corner(0)],
    };
    let mut edges = [Vec3::ZERO; 2];
    for i in 0..3 {
        let e = p[(i + 1) % 3] - p[i];
        for j in 0..3 {
            let f = q[(j + 1) % 3] - q[j];
            let [x, y] = closest_on_segments(p[i], e, q[j], f);
            let (on_p, on_q) = (p[i] + e * x, q[j] + f * y);
            let square = (on_q - on_p).length_squared();
            if square < best.square {
                best = Found {
                    square,
                    a: on_p,
                    b: on_q,
                    parts: [part_of_edge(i, x), part_of_edge(j, y)],
                };
                edges = [e, f];
            }
        }
    }
    for (corner, q) in (0..).zip(q) {
        if let Some(foot) = foot_on(*q, p)
            && (foot - *q).length_squared() < best.square
        {
            best = Found {
                square: (foot - *q).length_squared(),
                a: foot,
                b: *q,
                parts: [Part::Face, Part::Corner(corner)],
            };
        }
    }
    for (corner, p) in (0..).zip(p) {
        if let Some(foot) = foot_on(*p, q)
            && (foot - *p).length_squared() < best.square
        {
            best = Found {
                square: (foot - *p).length_squared(),
                a: *p,
                b: foot,
                parts: [Part::Corner(corner), Part::Face],
            };
        }
    }
    (best, edges)
}

fn part_of_edge(edge: usize, at: f64) -> Part {
    if at <= 0.0 {
        Part::Corner(edge as u8)
    } else if at >= 1.0 {
        Part::Corner((edge as u8 + 1) % 3)
    } else {
        Part::Edge(edge as u8)
    }
}

/// The shares of two segments, given by a start and a vector, at which they are closest (Ericson, Real-Time Collision
/// Detection, 2005, 5.1.9).
fn closest_on_segments(p: Vec3, e: Vec3, q: Vec3, f: Vec3) -> [f64; 2] {
    let between = p - q;
    let (ee, ff, ef) = (e.length_squared(), f.length_squared(), e.dot(f));
    let (eb, fb) = (e.dot(between), f.dot(between));
    // Segments without length are points: any share will do.
    let share = |height: f64, square: f64| {
        if square > 0.0 {
            (height / square).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let determinant = ee * ff - ef * ef;
    let x = if determinant > 0.0 {
        ((ef * fb - eb * ff) / determinant).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let y = share(ef * x + fb, ff);
    [share(ef * y - eb, ee), y]
}

/// The foot of a perpendicular, when it is strictly inside the triangle.
fn foot_on(v: Vec3, [p, q, r]: &[Vec3; 3]) -> Option<Vec3> {
    let normal = (*q - *p).cross(*r - *p);
    let is_within = |from: &Vec3, to: &Vec3| normal.cross(*to - *from).dot(v - *from) > 0.0;
    let square = normal.length_squared();
    (square > 0.0 && is_within(p, q) && is_within(q, r) && is_within(r, p))
        .then(|| v - normal * (normal.dot(v - *p) / square))
}

/// How far a point is from a triangle, rounded.
pub(super) fn distance_to_triangle(v: Vec3, triangle: &[Vec3; 3]) -> f64 {
    if let Some(foot) = foot_on(v, triangle) {
        return (v - foot).length();
    }
    let [p, q, r] = *triangle;
    let to_segment = |[p, q]: [Vec3; 2]| {
        let [share, _] = closest_on_segments(p, q - p, v, Vec3::ZERO);
        (p + (q - p) * share - v).length()
    };
    let distances = [[p, q], [q, r], [r, p]].map(to_segment);
    distances[0].min(distances[1]).min(distances[2])
}
