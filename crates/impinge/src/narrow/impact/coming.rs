//! The first contact that is yet to come, for bodies that may begin in one.
//!
//! [`time_of_impact`](super::time_of_impact) reports bodies that begin in contact, or within rounding of it, at once. A simulation
//! has another question: bodies that were just pushed apart are within rounding of each other, and the next contact is the
//! one they come to after they have left this one.
//!
//! Let `g(s)` be the gap along the direction `n` that parts the bodies best at the start. It is bent upwards by at most `K`
//! (see [`approach`](super::approach)), so when `g(h) - g(0) >= K h h / 2` it never was below `g(0)` on the way to `h`:
//! the bodies left, and the search begins at `h`. When instead `g` falls by more than rounding and turns explain, the bodies are
//! approaching, and the contact is one of now. Times `h` are tried from the shortest that means anything to the whole motion, each four
//! times the last, until one decides. When none does, the bodies stay within rounding along `n`: without turns that is a
//! contact that slides, and no impact; with turns other points may come closer, and the answer is that nothing is known.

use super::approach::Approach;
use super::frame::Mover;
use super::leaving::stay_apart;
use super::measure::{Body, way_out};
use super::pair::{Closest, ConvexPair};
use super::plane::{AlongNormal, Plane, PlanePair};
use super::search::{Outcome, search};
use super::skeleton::{Stripped, strip};
use super::{Query, impact, mover, require_positive};
use crate::contact::{Impact, ImpactKind};
use crate::error::Error;
use crate::math::{Interval, Vec3};
use crate::motion::Motion;
use crate::shape::Shape;

/// What is to come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Coming {
    /// No contact, or only the one that the bodies begin in and leave, or slide along.
    Nothing,
    /// A contact that they come to by approaching; at time 0 when they do so from the start.
    Impact(Impact),
    /// They begin in contact, and it is not known how that goes on.
    Staying,
}

/// The first contact in `[0, 1]` that two moving convex shapes approach, to within `tolerance`.
///
/// As [`time_of_impact`](super::time_of_impact), but for contacts at the start; those within rounding of it count as such.
pub(crate) fn coming(
    [a, b]: [&Shape; 2],
    [motion_a, motion_b]: [&Motion; 2],
    tolerance: f64,
) -> Result<Coming, Error> {
    require_positive(tolerance)?;
    let query = Query {
        shapes: [a, b],
        motions: [motion_a, motion_b],
        tolerance,
    };
    if query.is_still() {
        return Ok(Coming::Nothing);
    }
    let (Some((a, radius_a)), Some((b, radius_b))) = (convex(a), convex(b)) else {
        return Err(Error::WrongShape {
            message: "contacts to come are told of convex shapes, not of meshes, solids and height fields",
        });
    };
    match (a, b) {
        (Stripped::Bounded(a), Stripped::Bounded(b)) => {
            query.bounded_coming(mover(a, motion_a, radius_a), mover(b, motion_b, radius_b))
        }
        (Stripped::Plane(a), Stripped::Bounded(b)) => {
            let plane = Plane::new(a, radius_a, motion_a);
            query.plane_coming(plane, mover(b, motion_b, radius_b), |closest| closest)
        }
        (Stripped::Bounded(a), Stripped::Plane(b)) => {
            let plane = Plane::new(b, radius_b, motion_b);
            query.plane_coming(plane, mover(a, motion_a, radius_a), Closest::swapped)
        }
        (Stripped::Plane(a), Stripped::Plane(b)) => {
            if query.start_in_contact() {
                return Ok(Coming::Staying);
            }
            let found = query.planes(
                Plane::new(a, radius_a, motion_a),
                &Plane::new(b, radius_b, motion_b),
            )?;
            Ok(found.map_or(Coming::Nothing, Coming::Impact))
        }
    }
}

/// A convex shape without its radius.
fn convex(shape: &Shape) -> Option<(Stripped<'_>, f64)> {
    shape.is_convex().then(|| strip(shape))
}

impl<'a> Query<'a> {
    fn bounded_coming(&self, a: Mover<'a>, b: Mover<'a>) -> Result<Coming, Error> {
        let mut pair = ConvexPair::new(self.shapes.map(Body::Shape), a, b)?;
        let closest = |pair: &mut ConvexPair<'a>, t: f64| pair.closest(t);
        if pair.look(0.0).distance.upper > pair.touching() {
            return Ok(self.search_from(&mut pair, 0.0, closest));
        }
        let n = pair.direction_at(0.0);
        if stay_apart(&a, &b, n) {
            return Ok(Coming::Nothing);
        }
        let n = self.way_out().unwrap_or(n);
        if n == Vec3::ZERO {
            return Ok(Coming::Staying);
        }
        Ok(self.depart(&mut pair, n, closest, |closest| Closest {
            normal: Some(n),
            ..closest
        }))
    }

    fn plane_coming(
        &self,
        plane: Plane<'a>,
        body: Mover<'a>,
        order: fn(Closest) -> Closest,
    ) -> Result<Coming, Error> {
        let mut pair = PlanePair::new(plane, body)?;
        let closest = |pair: &mut PlanePair<'a>, t: f64| order(pair.closest(t));
        if pair.look(0.0).distance.upper > pair.touching() {
            return Ok(self.search_from(&mut pair, 0.0, closest));
        }
        Ok(self.depart(&mut pair, AlongNormal, closest, |closest| closest))
    }

    /// The shortest way out of each other at the start, if the bodies intersect there.
    fn way_out(&self) -> Option<Vec3> {
        if !self.start_in_contact() {
            return None;
        }
        let [a, b] = [0, 1].map(|i| self.shapes[i].at(*self.motions[i].start()));
        way_out(a, b)
    }

    /// Bodies that begin within rounding of each other, or deeper.
    fn depart<P: Approach>(
        &self,
        pair: &mut P,
        direction: P::Direction,
        closest: impl Fn(&mut P, f64) -> Closest,
        at_start: impl Fn(Closest) -> Closest,
    ) -> Coming {
        match departure(pair, direction) {
            Departure::Until(time) if time >= 1.0 => Coming::Nothing,
            Departure::Until(time) => self.search_from(pair, time, closest),
            Departure::Approaching => {
                let found = at_start(closest(pair, 0.0));
                Coming::Impact(impact(Interval::exact(0.0), ImpactKind::Contact, found))
            }
            Departure::Unknown => Coming::Staying,
        }
    }

    fn search_from<P: Approach>(
        &self,
        pair: &mut P,
        from: f64,
        closest: impl Fn(&mut P, f64) -> Closest,
    ) -> Coming {
        let during = Interval {
            lower: from,
            upper: 1.0,
        };
        let (bounds, kind) = match search(pair, during, self.tolerance) {
            Outcome::Apart => return Coming::Nothing,
            Outcome::Contact(bounds) => (bounds, ImpactKind::Contact),
            Outcome::Open(lower) => (Interval { lower, upper: 1.0 }, ImpactKind::Undecided),
        };
        Coming::Impact(impact(bounds, kind, closest(pair, bounds.lower)))
    }
}

/// How a contact at the start goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Departure {
    /// The bodies leave it, and have not come closer again until this time.
    Until(f64),
    /// They come closer at once.
    Approaching,
    Unknown,
}

/// How often times grow fourfold: from the last digit to the whole.
const GROWTHS: i32 = 30;

fn departure<P: Approach>(pair: &P, n: P::Direction) -> Departure {
    let rounding = pair.touching();
    let start = pair.gap(n, 0.0);
    let shortest = 4.0 * rounding / pair.top_speed();
    let mut left = None;
    for k in (0..=GROWTHS).rev() {
        let h = 0.25_f64.powi(k);
        if h < shortest {
            continue;
        }
        let (turns, change) = (pair.bend(n, 0.0, h), pair.gap(n, h) - start);
        let is_kept = change >= 0.5 * (turns + pair.pull(n)).max(0.0) * h * h;
        if is_kept && change + start.min(0.0) > rounding {
            left = Some(h);
        } else if left.is_some() {
            break;
        } else if change < -rounding - 0.5 * turns * h * h {
            return Departure::Approaching;
        }
    }
    match left {
        Some(h) => Departure::Until(h),
        // All the way within rounding of where it was: that is sliding, unless turns hide something.
        None if pair.bend(n, 0.0, 1.0) == 0.0 => Departure::Until(1.0),
        None => Departure::Unknown,
    }
}
