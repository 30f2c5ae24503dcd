//! Two convex pieces: whether they are near enough, and where they are closest.
//!
//! Pieces spanned by points are decided exactly, by `exact`. A curved piece is decided by the iteration of
//! [`gjk`], down to its rounding: pieces that it cannot tell from touching ones count as touching.

use super::convex::{Carrier, Convex};
use super::gjk;
use super::reach::Reach;
use crate::contact::Witness;
use crate::exact::{Sign, hull_distance, hulls_intersect, triangles_intersect};
use crate::math::{Interval, Vec3};

/// Whether the distance of two pieces is at most `reach`.
pub(super) fn within(a: &Convex, b: &Convex, reach: &Reach) -> bool {
    match (a, b) {
        (Convex::Triangle(a), Convex::Triangle(b)) if reach.is_zero() => triangles_intersect(a, b),
        _ => match (a.points(), b.points()) {
            (Some(p), Some(q)) if reach.is_zero() => hulls_intersect(p, q),
            (Some(p), Some(q)) => {
                !are_beyond(a, b, reach.bounds().upper)
                    && hull_distance(p, q).compare_to_sum(reach.terms()) != Sign::Positive
            }
            (None, _) | (_, None) => curved_within(a, b, reach.bounds()),
        },
    }
}

fn curved_within(a: &Convex, b: &Convex, reach: Interval) -> bool {
    let is_decided = |d: Interval| d.lower > reach.upper || d.upper <= reach.lower;
    gjk::closest(a, b, is_decided).bounds.lower <= reach.upper
}

/// Whether two pieces are certainly farther apart than `limit`, by one look along the line between their middles. Most
/// pairs of triangles are settled by it.
pub(super) fn are_beyond(a: &Convex, b: &Convex, limit: f64) -> bool {
    let (Some(a), Some(b)) = (a.points(), b.points()) else {
        return false;
    };
    let origin = a[0];
    let middle = |points: &[Vec3]| {
        let sum: Vec3 = points.iter().map(|p| *p - origin).sum();
        sum / points.len() as f64
    };
    let direction = middle(b) - middle(a);
    let direction = direction / direction.abs().max_element();
    let span = |points: &[Vec3]| {
        let heights = points.iter().map(|p| direction.dot(*p - origin));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(h), high.max(h))
        })
    };
    let ((_, top_a), (bottom_b, _)) = (span(a), span(b));
    // A height is a sum of three products, four roundings deep: off by less than 2 EPSILON times the sum of the absolute
    // products, which is at most three times the farthest coordinate. The gap is a difference of two.
    let reach = points_extent(a, origin).max(points_extent(b, origin));
    let error = 24.0 * f64::EPSILON * reach + f64::MIN_POSITIVE;
    let gap = (bottom_b - top_a) - error;
    // NaN and infinity, from an overflow or equal middles, fail the comparison or are honest.
    gap > limit * direction.length() * (1.0 + 8.0 * f64::EPSILON)
}

fn points_extent(points: &[Vec3], origin: Vec3) -> f64 {
    points.iter().fold(0.0, |extent, p| {
        extent.max((*p - origin).abs().max_element())
    })
}

/// The closest points of two pieces, and how the pieces are to each other when each is grown by its radius.
#[derive(Debug)]
pub(super) struct Measured {
    /// Inside `bounds`.
    pub(super) distance: f64,
    pub(super) bounds: Interval,
    pub(super) witness: Witness,
    /// What the witness points are on, without radii.
    pub(super) carriers: [Carrier; 2],
    pub(super) relation: Relation,
}

/// How two grown pieces are to each other. For curved pieces touching means: within rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Apart,
    Touching,
    Overlapping,
}

/// Measures two pieces to full precision; `reach` is the sum of their radii.
pub(super) fn measure(a: &Convex, b: &Convex, reach: &Reach) -> Measured {
    if let (Some(points_a), Some(points_b)) = (a.points(), b.points()) {
        let exact = hull_distance(points_a, points_b);
        return Measured {
            distance: exact.distance,
            bounds: exact.bounds,
            witness: exact.witness,
            relation: match exact.compare_to_sum(reach.terms()) {
                Sign::Positive => Relation::Apart,
                Sign::Zero => Relation::Touching,
                Sign::Negative => Relation::Overlapping,
            },
            carriers: exact.vertices.map(Carrier::Points),
        };
    }
    let found = gjk::closest(a, b, |_| false);
    let sum = reach.bounds();
    Measured {
        distance: found.bounds.lower * 0.5 + found.bounds.upper * 0.5,
        bounds: found.bounds,
        witness: found.witness,
        carriers: found.carriers,
        relation: if found.bounds.lower > sum.upper {
            Relation::Apart
        } else if found.bounds.upper < sum.lower {
            Relation::Overlapping
        } else {
            Relation::Touching
        },
    }
}
