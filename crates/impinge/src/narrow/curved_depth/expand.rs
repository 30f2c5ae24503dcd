//! The depth of two cores by an expanding polytope.
//!
//! Source: van den Bergen, Proximity Queries and Penetration Depth Computation on 3D Game Objects (2001). The difference
//! `b - a` of two cores that overlap holds the origin, and their depth is how near its boundary comes to the origin. A
//! polytope inside the difference is grown where its surface is nearest to the origin:
//!
//! 1. Take the triangle whose plane is nearest to the origin, and the support point along its normal `n`.
//! 2. The difference ends at the plane through that point: the depth is at most its height, the largest `n . y`. It is at
//!    least the height of the triangle, because the polytope holds a ball of that radius (see `surface`).
//! 3. When both agree, stop; otherwise add the point and repeat.
//!
//! Departures: the start need not hold the origin, since a triangle that has it in front is always the next to grow;
//! the surface is closed by construction and certified as a whole, so that rounding can cost progress but never the
//! bound; planes have twice the digits where they need them; and both bounds carry the error of the support points.
//!
//! The points that leave each other last get their last digits from [`match_points`].
//!
//! **Termination.** At most [`MAX_STEPS`]. **Cost.** Polytopes end after a few steps. Curved cores shrink the triangle at
//! the nearest point by about half a step, and the error by a quarter: some forty steps, if the nearest point is unique. Where
//! a whole curve or surface is equally near (a ball in the middle of an ellipsoid), the triangles must shrink all along
//! it, and the interval is as wide as the last step left it.

use super::core_depth::CoreDepth;
use super::surface::{Point, Surface, unit_normal};
use crate::math::Vec3;
use crate::narrow::gjk::Difference;
use crate::narrow::primitive::{Gap, Pair, match_points};
use fearless_simd::Simd;

/// The most support points that are added.
pub(super) const MAX_STEPS: u32 = 400;
/// The width at which to stop, as a share of the size.
const GOAL: f64 = 1e-13;

/// The depth of two cores that overlap or touch.
pub(super) fn expand<S: Simd>(pair: &Pair<'_, S>, gap: &Gap) -> CoreDepth {
    let tetrahedron = start(pair);
    // A margin below the error keeps noise from adding triangles.
    match Surface::new(tetrahedron, 0.25 * pair.error()) {
        Some(surface) => grow(pair, surface),
        None => across(pair, tetrahedron, gap),
    }
}

/// Four support points that span as much as possible.
fn start<S: Simd>(pair: &Pair<'_, S>) -> [Point; 4] {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let points = axes.map(|axis| [pair.support(axis), pair.support(-axis)]);
    let spread = |[p, q]: &[Point; 2]| p.y().distance_squared(q.y());
    let widest = |best: [Point; 2], next: [Point; 2]| {
        if spread(&next) > spread(&best) {
            next
        } else {
            best
        }
    };
    let [p, q] = points[1..]
        .iter()
        .fold(points[0], |best, next| widest(best, *next));
    let line = (q.y() - p.y()).normalize_or(Vec3::X);
    let aside = line.any_orthonormal_vector();
    let off_line = |r: &Point| line.cross(r.y() - p.y()).length_squared();
    let around = [aside, -aside, line.cross(aside), -line.cross(aside)];
    let r = farthest(around.map(|d| pair.support(d)), off_line);
    let normal = unit_normal([p.y(), q.y(), r.y()]);
    let normal = if normal == Vec3::ZERO { aside } else { normal };
    let off_plane = |s: &Point| normal.dot(s.y() - p.y()).abs();
    let s = farthest([normal, -normal].map(|d| pair.support(d)), off_plane);
    [p, q, r, s]
}

fn farthest<const N: usize>(points: [Point; N], measure: impl Fn(&Point) -> f64) -> Point {
    let better = |best: Point, next: &Point| {
        if measure(next) > measure(&best) {
            *next
        } else {
            best
        }
    };
    points[1..].iter().fold(points[0], better)
}

fn grow<S: Simd>(pair: &Pair<'_, S>, mut surface: Surface) -> CoreDepth {
    let (error, goal) = (pair.error(), GOAL * pair.scale());
    let mut found = CoreDepth::along(pair, Vec3::X);
    for _ in 0..MAX_STEPS {
        let Some(face) = surface.nearest() else {
            break;
        };
        found.bounds.lower = found.bounds.lower.max(face.height - error);
        let next = pair.support(-face.normal);
        let height = (face.normal.dot(next.y()) + error).max(0.0);
        if height < found.bounds.upper {
            found.bounds.upper = height;
            found.direction = -face.normal;
        }
        let is_done = found.bounds.upper - found.bounds.lower <= goal;
        if is_done || !surface.grow(next) {
            break;
        }
    }
    if let Some(face) = surface.pierced(-found.direction) {
        found.points = surface.foot(&face);
        found.features = pair.features(found.direction, |side| surface.names(&face, side));
        if let Some(matched) = match_points(pair, found.direction, &surface.mean(&face)) {
            found.take(pair, &matched);
        }
    }
    // Rounding may leave the interval empty by less than the error.
    found.bounds.lower = found.bounds.lower.min(found.bounds.upper);
    found
}

/// Cores whose difference is flat, as far as rounding can tell, leave each other across it.
fn across<S: Simd>(pair: &Pair<'_, S>, [p, q, r, _]: [Point; 4], gap: &Gap) -> CoreDepth {
    let [p, q, r] = [p, q, r].map(|point| point.y());
    let line = (q - p).normalize_or(Vec3::X);
    let normal = unit_normal([p, q, r]);
    let normal = if normal == Vec3::ZERO {
        line.any_orthonormal_vector()
    } else {
        normal
    };
    CoreDepth::at_gap(pair, gap, normal).or_less(CoreDepth::at_gap(pair, gap, -normal))
}
