//! Spherical shells (Krishnan, Pattekar, Lin and Manocha, Spherical Shell: A Higher Order Bounding Volume for Fast
//! Proximity Queries, 1998).
//!
//! A shell is the part between two concentric spheres, and within a cone from their middle. It follows the curvature:
//! where a surface is curved alike in all directions, its thickness shrinks with the third power of its width, that of
//! a box with the second.
//!
//! A point that is seen from a shell's middle at `x` along its axis and `y` across it is nearest to, and farthest from,
//! points of the shell in the plane of both: two closed formulas. So the points of one shell are, seen from the middle
//! of another, between two distances; if these are outside the other's radii, the shells are apart. This is tried both
//! ways, and balls around the triangles are compared first, because shells side by side on one sphere are not told
//! apart by radii. The source compares shells exactly; that test is for overlap only, and much longer.
//!
//! **Fit.** The middle is that of the sphere which fits the corners best by least squares, and no farther than
//! [`FARTHEST`] away, so that flat parts are part of a large sphere. The inner radius is the least distance of a
//! triangle, not of a corner. Where the cone would be wider than a half-space, which is not convex, the shell is a
//! whole one.
//!
//! **Error.** Middles are within 36 units of the tree, nine times of what numbers are otherwise; formulas have some
//! twelve roundings: less than `256 u` times the reach.

use super::covariance::principal_axes;
use super::sphere::BoundingSphere;
use crate::bvh::bound::{Bound, is_apart};
use crate::bvh::frame::Relative;
use crate::math::Vec3;

/// How far from its triangles the middle of a shell is at most.
const FARTHEST: f64 = 32.0;
/// By how much radii and cones are made wider: lengths up to 40 are rounded some four times.
const SLACK: f64 = 64.0 * f64::EPSILON;

/// The part between two concentric spheres, within a cone; with a ball around it.
#[derive(Debug, Clone, Copy)]
pub struct Shell {
    ball: BoundingSphere,
    center: Vec3,
    /// The axis of the cone, of unit length.
    axis: Vec3,
    /// Cosine and sine of the angle between the axis and the cone.
    cone: [f64; 2],
    /// The inner and the outer radius.
    radii: [f64; 2],
}

impl Shell {
    fn about(center: Vec3, triangles: &[[Vec3; 3]]) -> Shell {
        let corners = || triangles.iter().flatten().map(|p| *p - center);
        let outer = corners().map(Vec3::length).fold(0.0, f64::max) + SLACK;
        let nearest = |triangle: &[Vec3; 3]| nearest_to_origin(&triangle.map(|p| p - center));
        let inner = triangles.iter().map(nearest).fold(f64::INFINITY, f64::min);
        let mean = corners().fold(Vec3::ZERO, |sum, v| sum + v.normalize_or_zero());
        let axis = mean.try_normalize().unwrap_or(Vec3::X);
        Shell {
            ball: BoundingSphere::fit(triangles),
            center,
            axis,
            cone: widest(axis, corners(), outer),
            radii: [(inner - SLACK).max(0.0), outer],
        }
    }

    /// How near and how far the points of the shell are from a point of its frame.
    #[inline]
    fn distances(&self, point: Vec3) -> [f64; 2] {
        let v = point - self.center;
        let [cosine, sine] = self.cone;
        let [inner, outer] = self.radii;
        let x = v.dot(self.axis);
        let y = (v - self.axis * x).length();
        let length = v.length();
        let is_in_cone = y * cosine <= x * sine;
        let near = if is_in_cone {
            (inner - length).max(length - outer).max(0.0)
        } else {
            // On the edge of the cone.
            let t = (x * cosine + y * sine).clamp(inner, outer);
            (x - t * cosine).hypot(y - t * sine)
        };
        let is_opposite_in_cone = y * cosine + x * sine <= 0.0;
        let far = if is_opposite_in_cone {
            length + outer
        } else {
            let at = |t: f64| (x - t * cosine).hypot(y + t * sine);
            at(inner).max(at(outer))
        };
        [near, far]
    }
}

/// Cosine and sine of the least cone about an axis that holds points within a radius; that of all space if it would not
/// be convex.
fn widest(axis: Vec3, points: impl Iterator<Item = Vec3>, radius: f64) -> [f64; 2] {
    let mut widest = [1.0, 0.0];
    for v in points {
        let x = v.dot(axis);
        let y = (v - axis * x).length() + SLACK * radius;
        if x <= SLACK * radius {
            return [-1.0, 0.0];
        }
        if y * widest[0] > x * widest[1] {
            let length = x.hypot(y);
            widest = [x / length, y / length];
        }
    }
    widest
}

/// The middle of the sphere that fits the corners best, not too far away.
fn middle_of(triangles: &[[Vec3; 3]]) -> Vec3 {
    let corners = || triangles.iter().flatten();
    let count = 3.0 * triangles.len() as f64;
    let mean = corners().copied().sum::<Vec3>() / count;
    let axes = principal_axes(triangles);
    // With q relative to the mean, |q|^2 = 2 c . q + const is solved for c along each axis, as if products of different
    // axes averaged to zero.
    let mut middle = mean;
    for (k, axis) in axes.into_iter().enumerate() {
        let (mut square, mut skew) = (0.0, 0.0);
        for p in corners() {
            let q = *p - mean;
            let x = axis.dot(q);
            square += x * x;
            skew += x * q.length_squared();
        }
        let is_across = k == 2;
        let limit = if is_across { FARTHEST } else { 1.0 };
        let along = (0.5 * skew / square).clamp(-limit, limit);
        // Flat: all heights are zero.
        let along = if along.is_nan() {
            if is_across { FARTHEST } else { 0.0 }
        } else {
            along
        };
        middle += axis * along;
    }
    middle
}

/// The distance of a triangle from the origin, or less.
///
/// The least product of a corner with a unit vector is a bound, whatever the vector. Those tried are the normal and the
/// nearest points of the edges, of which one is right.
fn nearest_to_origin(triangle: &[Vec3; 3]) -> f64 {
    let [p, q, r] = *triangle;
    let normal = (q - p).cross(r - p);
    let on_edge = |u: Vec3, v: Vec3| {
        let edge = v - u;
        let share = (-u.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        if share.is_nan() { u } else { u + edge * share }
    };
    let candidates = [normal, on_edge(p, q), on_edge(q, r), on_edge(r, p)];
    let least = |direction: Vec3| {
        let unit = direction.try_normalize().unwrap_or(Vec3::ZERO);
        let [a, b, c] = triangle.map(|corner| unit.dot(corner));
        a.min(b).min(c).max(-a.max(b).max(c))
    };
    candidates.map(least).into_iter().fold(0.0, f64::max)
}

impl Bound for Shell {
    type Relation = Relative;

    fn fit(triangles: &[[Vec3; 3]]) -> Shell {
        Shell::about(middle_of(triangles), triangles)
    }

    fn relate(relative: &Relative) -> Relative {
        *relative
    }

    #[inline]
    fn overlaps(&self, other: &Shell, relative: &Relative) -> bool {
        !is_apart(self.distance_below(other, relative, 0.0))
    }

    #[inline]
    fn distance_below(&self, other: &Shell, relative: &Relative, enough: f64) -> f64 {
        let mut best = self.ball.gap(&other.ball, relative);
        if best > enough {
            return best;
        }
        let scale = relative.scale;
        let from_b = self.distances(relative.place(other.center));
        let of_b = other.radii.map(|radius| radius * scale);
        best = best.max(gap(from_b, of_b) - relative.error);
        if best > enough {
            return best;
        }
        let from_a = other.distances(relative.unplace(self.center) / scale);
        let from_a = from_a.map(|distance| distance * scale);
        best.max(gap(from_a, self.radii) - relative.error)
    }

    fn size(&self) -> f64 {
        self.ball.radius
    }
}

/// The gap between two intervals; negative when they overlap.
#[inline]
fn gap([near, far]: [f64; 2], [inner, outer]: [f64; 2]) -> f64 {
    (near - outer).max(inner - far)
}
