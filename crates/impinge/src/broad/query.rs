//! What is in a box, at a point, or on a ray: questions to the body set, answered by trying every body.
//!
//! This is the slow twin. Answers are about the boxes of bodies, rounded outward: no body is missed, and one that is named may
//! still be beside the box, point or ray in question.
//!
//! **Rays.** On each axis the ray is between the two planes of the box for an interval of `t`; it meets the box while it is between all
//! three pairs. A quotient `(plane - origin) / direction` has two roundings, each of half an `EPSILON`, and perhaps an
//! underflow; the ends of the intervals are moved outward by more than that. What is found is therefore never later than the true
//! first point of the ray in the box, and no box is missed. All steps are monotone in the planes: a box around another one is
//! met no later than the inner one, computed or not.

use super::{Box32, Boxes};
use crate::body::BodyId;
use crate::error::Error;
use crate::math::{Aabb, Ray, Vec3};

impl Boxes {
    /// Replaces `found` by the bodies whose boxes overlap a box, sorted. Fails for a box that is not finite or inverted.
    pub fn in_box(&self, bounds: &Aabb, found: &mut Vec<BodyId>) -> Result<(), Error> {
        let bounds = Box32::around(bounds)?;
        let met = self.iter().filter(|(_, other)| bounds.overlaps(other));
        found.clear();
        found.extend(met.map(|(body, _)| body));
        Ok(())
    }

    /// Replaces `found` by the bodies whose boxes contain a point, sorted. Fails for a point that is not finite.
    pub fn at_point(&self, point: Vec3, found: &mut Vec<BodyId>) -> Result<(), Error> {
        self.in_box(&Aabb::new(point, point)?, found)
    }

    /// Calls `visit` for the bodies whose boxes a ray meets no later than `limit`, with a lower bound of the `t` at which it does, in the
    /// order of these bounds and then of the bodies. What `visit` returns is the limit from then on: that of the last
    /// call to go on as before, the `t` of a true hit to see only what may be hit before it.
    pub fn cast(&self, ray: &Ray, limit: f64, visit: &mut dyn FnMut(BodyId, f64) -> f64) {
        let entries = self.iter().map(|(body, bounds)| (ray.enters(bounds), body));
        let mut met: Vec<(f64, BodyId)> = entries
            .filter_map(|(entry, body)| Some((entry?, body)))
            .collect();
        met.sort_by(|(t, body), (other_t, other)| t.total_cmp(other_t).then(body.cmp(other)));
        let mut limit = limit;
        for (entry, body) in met {
            if entry > limit {
                return;
            }
            limit = visit(body, entry);
        }
    }
}

impl Ray {
    /// A lower bound of the `t` at which the ray first is in a box, never negative; `None` when it surely misses it.
    pub(crate) fn enters(&self, bounds: &Box32) -> Option<f64> {
        let (mut first, mut last) = (0.0f64, f64::INFINITY);
        for axis in 0..3 {
            let (origin, direction) = (self.origin()[axis], self.direction()[axis]);
            let [low, high] = [bounds.min[axis], bounds.max[axis]].map(f64::from);
            if direction == 0.0 {
                if origin < low || origin > high {
                    return None;
                }
                continue;
            }
            let [near, far] = if direction > 0.0 {
                [low, high]
            } else {
                [high, low]
            };
            first = first.max(earlier((near - origin) / direction));
            last = last.min(later((far - origin) / direction));
        }
        (first <= last).then_some(first)
    }
}

/// More than the share by which a quotient of a difference is off.
const SLACK: f64 = 4.0 * f64::EPSILON;

fn earlier(t: f64) -> f64 {
    t - (t.abs() * SLACK + f64::MIN_POSITIVE)
}

fn later(t: f64) -> f64 {
    t + (t.abs() * SLACK + f64::MIN_POSITIVE)
}
