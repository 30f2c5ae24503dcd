//! Certified answers about two shapes that stand still: the one place that chooses who gives them.

use crate::contact::Separation;
use crate::math::Vec3;
use crate::narrow::curved_depth::{Depth, depth};
use crate::narrow::{PairCache, distance_polytopes, intersects_polytopes};
use crate::reference;
use crate::shape::{Placed, Shape};

/// The certified distance of two placed shapes.
pub(super) fn measure(a: Placed<'_>, b: Placed<'_>) -> Separation {
    match (a.shape, b.shape) {
        (Shape::Polytope(p), Shape::Polytope(q)) => {
            distance_polytopes(p, &a.pose, q, &b.pose, &mut PairCache::default())
        }
        _ => reference::distance(a, b),
    }
}

/// The way in which the second of two shapes that intersect must move to leave the first soonest, if it is known.
pub(super) fn way_out(a: Placed<'_>, b: Placed<'_>) -> Option<Vec3> {
    match depth(&a, &b, &mut PairCache::default())? {
        Depth::Deep(found) | Depth::Open(found) => Some(found.direction),
        Depth::Apart => None,
    }
}

/// Whether two placed shapes share a point.
pub(super) fn intersects(a: Placed<'_>, b: Placed<'_>) -> bool {
    match (a.shape, b.shape) {
        (Shape::Polytope(p), Shape::Polytope(q)) => {
            intersects_polytopes(p, &a.pose, q, &b.pose, &mut PairCache::default())
        }
        _ => reference::intersects(a, b),
    }
}
