//! How deep two cores overlap: what all ways of measuring it give.

use crate::contact::Feature;
use crate::math::{Interval, Vec3};
use crate::narrow::gjk::Difference;
use crate::narrow::primitive::{Gap, Match, Pair};
use fearless_simd::Simd;

/// How deep two cores overlap; negative for cores that are apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct CoreDepth {
    /// Contains the depth. A move of the second core by `upper * direction` leaves no overlap.
    pub(super) bounds: Interval,
    /// The way the second core must move, of unit length up to rounding.
    pub(super) direction: Vec3,
    /// The points that leave each other last, as seen from the origin of the pair.
    pub(super) points: [Vec3; 2],
    /// What these points are on, on cores without a radius.
    pub(super) features: [Feature; 2],
}

impl CoreDepth {
    /// What a move along a unit direction proves: an upper bound, with 0 for the lower. The points are extreme ones of
    /// each core.
    pub(super) fn along<S: Simd>(pair: &Pair<'_, S>, direction: Vec3) -> CoreDepth {
        let last = pair.support(direction);
        CoreDepth {
            bounds: Interval {
                lower: 0.0,
                upper: (pair.error() - direction.dot(last.y())).max(0.0),
            },
            direction,
            points: [last.a, last.b],
            features: pair.features(direction, |side| std::iter::once(last.id[side])),
        }
    }

    /// Cores that are apart, or touch, along a direction across which they are as near as their gap says.
    pub(super) fn at_gap<S: Simd>(pair: &Pair<'_, S>, gap: &Gap, direction: Vec3) -> CoreDepth {
        CoreDepth {
            bounds: Interval {
                lower: -gap.bounds.upper,
                upper: (pair.error() - pair.height(direction)).max(-gap.bounds.upper),
            },
            direction,
            points: [gap.witness.a, gap.witness.b].map(|p| p - pair.origin),
            features: gap.features,
        }
    }

    /// Takes over points that match, if moving along their direction parts the cores as soon as along this one, and the
    /// direction, if sooner.
    pub(super) fn take<S: Simd>(&mut self, pair: &Pair<'_, S>, matched: &Match) {
        let upper = pair.error() - matched.height;
        let [p, q] = matched.points;
        let off = q.distance(p + matched.direction * matched.height);
        if upper > self.bounds.upper + pair.error() || off > pair.error() {
            return;
        }
        self.points = matched.points;
        self.features = matched.features;
        if upper < self.bounds.upper {
            self.bounds.upper = upper.max(0.0);
            self.direction = matched.direction;
        }
    }

    /// The one that proves the smaller upper bound.
    pub(super) fn or_less(self, other: CoreDepth) -> CoreDepth {
        if other.bounds.upper < self.bounds.upper {
            other
        } else {
            self
        }
    }
}
