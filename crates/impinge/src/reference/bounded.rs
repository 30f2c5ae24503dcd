//! Two bounded sets: pairs of pieces decide, then containment.
//!
//! `intersects` and `within` look for one pair of pieces near enough, then for a part inside a solid. `distance` does the
//! same and, when there is nothing, searches the nearest pair: intervals from the iteration prune, and the winner is
//! measured to full precision.

use super::contained::{Contained, find_contained};
use super::convex::Carrier;
use super::gjk;
use super::pair::{self, Measured, Relation, are_beyond, measure};
use super::pieces::{Piece, find_pair, visit_near_pairs};
use super::reach::Reach;
use super::set::Bounded;
use crate::contact::{Feature, Separation, Witness};
use crate::math::double_double::Wide;
use crate::math::{Interval, Vec3};

/// Whether the distance of two sets is at most `gap`.
pub(super) fn within(a: &Bounded, b: &Bounded, gap: &Reach) -> bool {
    let reach = a.radius.clone().plus_all(&b.radius).plus_all(gap);
    find_meeting(a, b, &reach).is_some() || find_contained(a, b).is_some()
}

fn find_meeting<'p>(
    a: &'p Bounded,
    b: &'p Bounded,
    reach: &Reach,
) -> Option<(&'p Piece, &'p Piece)> {
    find_pair(&a.pieces, &b.pieces, reach.bounds().upper, |p, q| {
        pair::within(&p.convex, &q.convex, reach)
    })
}

/// How far two sets are apart.
pub(super) fn distance(a: &Bounded, b: &Bounded) -> Separation {
    let reach = a.radius.clone().plus_all(&b.radius);
    if let Some((p, q)) = find_meeting(a, b, &reach) {
        return meeting(Side::new(a, p), Side::new(b, q), &reach);
    }
    match find_contained(a, b) {
        Some(Contained::First(p)) => {
            Separation::meeting_at(p.convex.some_point(), [a.core_part(p), Feature::Inside])
        }
        Some(Contained::Second(q)) => {
            Separation::meeting_at(q.convex.some_point(), [Feature::Inside, b.core_part(q)])
        }
        None => nearest(a, b, &reach),
    }
}

/// One side of a pair.
#[derive(Clone, Copy)]
struct Side<'p> {
    set: &'p Bounded<'p>,
    piece: &'p Piece,
}

impl<'p> Side<'p> {
    fn new(set: &'p Bounded<'p>, piece: &'p Piece) -> Side<'p> {
        Side { set, piece }
    }

    /// The part that a witness is on when the sets are apart.
    fn surface_feature(&self, carrier: &Carrier) -> Feature {
        match carrier {
            Carrier::Points(points) if self.set.radius.is_zero() => {
                self.set.names.surface_part(self.piece.id, points)
            }
            Carrier::Points(_) | Carrier::Surface | Carrier::Inside => Feature::Surface,
        }
    }

    /// The part that a common point is on. A grown piece has it inside, unless the two just touch.
    fn meeting_feature(&self, measured: &Measured, carrier: &Carrier) -> Feature {
        let just_touches = measured.relation == Relation::Touching && measured.distance > 0.0;
        match carrier {
            _ if !self.set.radius.is_zero() && just_touches => Feature::Surface,
            _ if !self.set.radius.is_zero() => Feature::Inside,
            Carrier::Points(points) => {
                let part = self.set.names.part(self.piece.id, points);
                part.unwrap_or(Feature::Inside)
            }
            Carrier::Surface => Feature::Surface,
            Carrier::Inside => Feature::Inside,
        }
    }
}

impl Bounded<'_> {
    /// The part that [`Convex::some_point`](super::convex::Convex::some_point) of a piece is on.
    fn core_part(&self, piece: &Piece) -> Feature {
        if self.radius.is_zero() && piece.convex.points().is_some() {
            self.names.surface_part(piece.id, &[0])
        } else {
            Feature::Inside
        }
    }
}

/// Two grown pieces that meet.
fn meeting(a: Side, b: Side, reach: &Reach) -> Separation {
    let measured = measure(&a.piece.convex, &b.piece.convex, reach);
    let bounds = less_reach(measured.bounds, reach);
    let Witness { a: p, b: q } = measured.witness;
    // Between the closest points of the pieces, shared out by the radii: then it is in both grown pieces.
    let share = if reach.is_zero() {
        0.5
    } else {
        a.set.radius.value() / reach.value()
    };
    let common = p.lerp(q, share);
    let [on_a, on_b] = &measured.carriers;
    Separation {
        distance: 0.0,
        bounds: Interval {
            lower: 0.0,
            upper: if is_exact(&a, &b) { 0.0 } else { bounds.upper },
        },
        witness: Witness {
            a: common,
            b: common,
        },
        features: [
            a.meeting_feature(&measured, on_a),
            b.meeting_feature(&measured, on_b),
        ],
    }
}

/// Whether the decision that two pieces meet was exact.
fn is_exact(a: &Side, b: &Side) -> bool {
    a.piece.convex.points().is_some() && b.piece.convex.points().is_some()
}

/// The nearest pair of two sets that are apart.
fn nearest(a: &Bounded, b: &Bounded, reach: &Reach) -> Separation {
    let mut best: Option<(&Piece, &Piece, Interval)> = None;
    // All pairs but the best are at least this far apart, or farther than the best.
    let mut others = f64::INFINITY;
    visit_near_pairs(&a.pieces, &b.pieces, |p, q| {
        let limit = best.map_or(f64::INFINITY, |(_, _, bounds)| bounds.upper);
        if are_beyond(&p.convex, &q.convex, limit) {
            return limit;
        }
        let bounds = gjk::closest(&p.convex, &q.convex, |d| d.lower > limit).bounds;
        let loser = match best {
            Some((_, _, best)) if best.upper <= bounds.upper => bounds,
            Some((_, _, beaten)) => {
                best = Some((p, q, bounds));
                beaten
            }
            None => {
                best = Some((p, q, bounds));
                return bounds.upper;
            }
        };
        others = others.min(loser.lower);
        limit.min(bounds.upper)
    });
    let (p, q, _) = best.expect("both sets have a piece");
    let measured = measure(&p.convex, &q.convex, reach);
    let bounds = Interval {
        lower: others.min(measured.bounds.lower),
        upper: measured.bounds.upper,
    };
    apart(
        Side::new(a, p),
        Side::new(b, q),
        &Measured { bounds, ..measured },
        reach,
    )
}

/// The answer for two grown pieces that are apart.
fn apart(a: Side, b: Side, measured: &Measured, reach: &Reach) -> Separation {
    let bounds = less_reach(measured.bounds, reach);
    let distance = Wide::sum(measured.distance, -reach.value()).value();
    let distance = distance.clamp(bounds.lower, bounds.upper);
    let Witness { a: p, b: q } = measured.witness;
    let along = (q - p) / measured.distance;
    let [on_a, on_b] = &measured.carriers;
    Separation {
        distance: if distance > 0.0 {
            distance
        } else {
            bounds.upper
        },
        bounds,
        witness: Witness {
            a: moved(p, along, &a.set.radius),
            b: moved(q, -along, &b.set.radius),
        },
        features: [a.surface_feature(on_a), b.surface_feature(on_b)],
    }
}

/// A point moved along a unit vector. Without a radius it stays, even where the vector has overflowed.
fn moved(p: Vec3, along: Vec3, radius: &Reach) -> Vec3 {
    if radius.is_zero() {
        p
    } else {
        p + along * radius.value()
    }
}

/// The distance of grown pieces from that of the pieces.
pub(super) fn less_reach(bounds: Interval, reach: &Reach) -> Interval {
    let sum = reach.bounds();
    Interval {
        lower: Wide::sum(bounds.lower, -sum.upper).below().max(0.0),
        // Beyond the range of doubles there is no difference to take.
        upper: if bounds.upper.is_finite() {
            Wide::sum(bounds.upper, -sum.lower).above().max(0.0)
        } else {
            f64::INFINITY
        },
    }
}
