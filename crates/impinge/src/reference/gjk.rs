//! The closest points of two convex pieces, by support points.
//!
//! The method of Gilbert, Johnson and Keerthi (A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space, 1988): keep a few points of the difference `A - B`, find the point `v` of their hull that is
//! nearest the origin, add the point of `A - B` that is farthest against `v`. Two numbers enclose the distance at every
//! step: `|v|` from above, because `v` is a difference of points of the pieces, and from below the height of the plane
//! through the added point with normal `v`, which has all of `A - B` on its far side. We depart from the source in two
//! ways. Where it solves a linear system by recursion on sub-determinants, we try all subsets of the few points and take
//! the best. And all arithmetic has 106 bits: on curved bodies the points close in on each other, and in double
//! precision the iteration stalls half-way.
//!
//! Invariant: the true distance is between `lower` and `upper` after every step, so stopping early is always honest.
//! Cost: some 20 steps for curved bodies, at most about 150 when they graze each other; each step one pass over the
//! vertices of each piece. It does not tell how deep pieces overlap.

use super::convex::{Carrier, Convex};
use super::wide::{Frame, Place, Support, WideConvex};
use crate::contact::Witness;
use crate::exact::count_expansion;
use crate::math::Interval;
use crate::math::double_double::{Wide, WideVec3};

/// The closest points of two pieces, as far as they were asked for.
#[derive(Debug)]
pub(super) struct Closest {
    /// Contains the true distance.
    pub(super) bounds: Interval,
    /// Points of the pieces whose distance is the upper bound, rounded.
    pub(super) witness: Witness,
    /// What the witness points are on.
    pub(super) carriers: [Carrier; 2],
}

/// Steps after which the iteration gives up and the interval is what it is. Measured: 150 at most.
const MAX_STEPS: usize = 1000;
/// The pieces of size one touch when they are not farther apart than this.
const TOUCHING: f64 = 4.0 * f64::EPSILON;
/// A common point this near the surface of a curved body of size one is said to be on it.
const SURFACE_MARGIN: f64 = 1e-12;
/// The distance is known well enough when the interval is this small against it.
const RELATIVE_WIDTH: f64 = f64::EPSILON;

/// The closest points of two pieces. Stops when the interval is as narrow as doubles can say, or when `enough` is
/// content with it.
pub(super) fn closest(a: &Convex, b: &Convex, enough: impl Fn(Interval) -> bool) -> Closest {
    let (frame, wide_a, wide_b) = Frame::around(a, b);
    let difference = |direction: WideVec3| Corner {
        a: wide_a.support(-direction),
        b: wide_b.support(direction),
    };
    let mut simplex = Simplex::point(difference(start_direction(&wide_a, &wide_b)));
    let mut lower = Wide::from(-f64::MAX);
    for _ in 0..MAX_STEPS {
        let upper = simplex.nearest.length();
        if upper.value() <= TOUCHING {
            break;
        }
        let direction = simplex.direction();
        let corner = difference(direction);
        let height = direction.dot(corner.difference()) / direction.length();
        lower = if height > lower { height } else { lower };
        if (upper - lower).value() <= RELATIVE_WIDTH * upper.value() + 2.0 * frame.error
            || enough(frame.length_in_world(lower, upper))
        {
            break;
        }
        let next = simplex.with(corner);
        if next.nearest_squared >= simplex.nearest_squared {
            break;
        }
        simplex = next;
    }
    count_expansion();
    simplex.conclude(&frame, lower)
}

/// Any direction will do; the one from a point of B to a point of A is a good guess.
fn start_direction(a: &WideConvex, b: &WideConvex) -> WideVec3 {
    let x = WideVec3::from(crate::math::Vec3::X);
    let guess = a.support(x).point - b.support(x).point;
    normalized(guess).unwrap_or(x)
}

/// A difference of two points, one of each piece.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Corner {
    a: Support,
    b: Support,
}

impl Corner {
    fn difference(&self) -> WideVec3 {
        self.a.point - self.b.point
    }
}

/// Up to four differences, and the point of their hull nearest the origin, which has a positive weight on each of them.
#[derive(Debug)]
struct Simplex {
    corners: Vec<Corner>,
    weights: Vec<Wide>,
    nearest: WideVec3,
    nearest_squared: Wide,
}

impl Simplex {
    fn point(corner: Corner) -> Simplex {
        Simplex::new(vec![corner], vec![Wide::ONE])
    }

    fn new(corners: Vec<Corner>, weights: Vec<Wide>) -> Simplex {
        let nearest = blend(corners.iter().map(Corner::difference), &weights);
        Simplex {
            corners,
            weights,
            nearest,
            nearest_squared: nearest.dot(nearest),
        }
    }

    /// The point nearest the origin in the hull of these corners and one more. The old nearest point was optimal without
    /// the new corner, so only subsets with it can do better.
    fn with(&self, corner: Corner) -> Simplex {
        let mut best = Simplex::point(corner);
        for subset in 1..1_usize << self.corners.len() {
            let mut corners = vec![corner];
            corners.extend((0..).zip(&self.corners).filter_map(|(i, c)| {
                let chosen = subset >> i & 1 == 1;
                chosen.then_some(*c)
            }));
            if let Some(weights) = weights_of_nearest(&corners) {
                let candidate = Simplex::new(corners, weights);
                if candidate.nearest_squared < best.nearest_squared {
                    best = candidate;
                }
            }
        }
        best
    }

    /// The direction of the nearest point, at a length near one. For a triangle the normal of its plane has the same
    /// direction and none of the cancellation that a nearest point close to the origin suffers from.
    fn direction(&self) -> WideVec3 {
        if let [p, q, r] = self.corners[..] {
            let [p, q, r] = [p, q, r].map(|c| c.difference());
            if let Some(normal) = normalized((q - p).cross(r - p)) {
                return if normal.dot(self.nearest).is_negative() {
                    -normal
                } else {
                    normal
                };
            }
        }
        normalized(self.nearest).unwrap_or(WideVec3::ZERO)
    }

    fn conclude(&self, frame: &Frame, lower: Wide) -> Closest {
        let [on_a, on_b] = [|c: &Corner| c.a, |c: &Corner| c.b]
            .map(|side| self.corners.iter().map(side).collect::<Vec<Support>>());
        let mean = |supports: &[Support]| {
            let points = supports.iter().map(|s| s.point);
            frame.point_in_world(blend(points, &self.weights))
        };
        Closest {
            bounds: frame.length_in_world(lower, self.nearest.length()),
            witness: Witness {
                a: mean(&on_a),
                b: mean(&on_b),
            },
            carriers: [on_a, on_b].map(|supports| carrier(&supports, &self.weights)),
        }
    }
}

/// What the mean of support points is on.
fn carrier(supports: &[Support], weights: &[Wide]) -> Carrier {
    let mut vertices = Vec::new();
    let mut mean = WideVec3::ZERO;
    let mut is_inside = false;
    for (support, weight) in supports.iter().zip(weights) {
        match support.place {
            Place::Vertex(vertex) => vertices.push(vertex),
            Place::Unit(body, p) => {
                mean = mean + p * *weight;
                is_inside = !body.is_near_surface(mean.value(), SURFACE_MARGIN);
            }
            // Four points are around a common point; fewer are on the way to the surface.
            Place::Unknown => is_inside = supports.len() == 4,
        }
    }
    vertices.sort_unstable();
    vertices.dedup();
    match (vertices.is_empty(), is_inside) {
        (false, _) => Carrier::Points(vertices),
        (true, false) => Carrier::Surface,
        (true, true) => Carrier::Inside,
    }
}

/// The vector at a length between 1 and 4; `None` for zero.
fn normalized(v: WideVec3) -> Option<WideVec3> {
    let largest = v.largest();
    // A division, not a power of two: the direction needs no exact relation to the vector.
    (largest > 0.0).then(|| v * (Wide::ONE / Wide::from(largest)))
}

fn blend(points: impl Iterator<Item = WideVec3>, weights: &[Wide]) -> WideVec3 {
    points
        .zip(weights)
        .fold(WideVec3::ZERO, |sum, (p, weight)| sum + p * *weight)
}

/// The weights of the point nearest the origin in the affine hull of the corners, if none is negative: then it is in their
/// hull, too. `None` also for corners that are not affinely independent.
fn weights_of_nearest(corners: &[Corner]) -> Option<Vec<Wide>> {
    let origin = corners[0].difference();
    let edges: Vec<WideVec3> = corners[1..]
        .iter()
        .map(|c| c.difference() - origin)
        .collect();
    // Solve for the point `origin + sum of w_i * edge_i` that is perpendicular to all edges (for three edges: zero).
    let target = -origin;
    let rest = match edges[..] {
        [e] => vec![ratio(target.dot(e), e.dot(e))?],
        [e, f] => {
            let normal = e.cross(f);
            let square = normal.dot(normal);
            vec![
                ratio(target.cross(f).dot(normal), square)?,
                ratio(e.cross(target).dot(normal), square)?,
            ]
        }
        [e, f, g] => {
            let volume = e.dot(f.cross(g));
            vec![
                ratio(target.dot(f.cross(g)), volume)?,
                ratio(e.dot(target.cross(g)), volume)?,
                ratio(e.dot(f.cross(target)), volume)?,
            ]
        }
        _ => return None,
    };
    let first = rest.iter().fold(Wide::ONE, |sum, w| sum - *w);
    let mut weights = vec![first];
    weights.extend(rest);
    let in_hull = weights.iter().all(|w| !w.is_negative());
    in_hull.then_some(weights)
}

fn ratio(numerator: Wide, denominator: Wide) -> Option<Wide> {
    (denominator != Wide::ZERO).then(|| numerator / denominator)
}
