//! When does a pair next touch? A function of the two motions alone, so that it does not matter who asks, and when.
//!
//! The boxes of a pair may overlap during some span of time; before it nothing happens. From there on the answer is found chunk
//! by chunk, so that numbers stay near the size of the bodies: a continuous test says of each whether and when there is an
//! impact ([`coming`]), or else looks at steps do. Times are lower bounds until they are impacts.
//!
//! **No overlap at an impact.** A predicted time is a few roundings apart from what the pose at that time is rounded to. So the
//! bodies are placed at it and tested, exactly; while they intersect, the time is moved back, by one unit in the last
//! place first and twice as much each time. Only bodies that begin in contact are still in contact at their impact.

use super::bodies::Traveller;
use super::events::{HitKind, PairImpact};
use super::options::{ContinuousOptions, Schedule};
use crate::body::Pair;
use crate::contact::{Feature, Impact, ImpactKind, Witness};
use crate::error::Error;
use crate::math::Vec3;
use crate::motion::Motion;
use crate::narrow::{Coming, coming, time_of_impact};
use crate::query;

/// What is known of a pair from a time on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outlook {
    /// They do not touch while their motions last.
    Nothing,
    /// Nothing happens before this time; then ask again.
    Later(f64),
    /// They touch.
    Impact(PairImpact),
    /// They are in contact and neither leave it nor come closer, as far as is known.
    Staying,
}

/// Two bodies, how to look at them, and until when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prospect<'w> {
    pub(super) pair: Pair,
    pub(super) travellers: [&'w Traveller; 2],
    pub(super) options: &'w ContinuousOptions,
}

/// Bodies move by this many times their size in a chunk, at most.
const CHUNK: f64 = 16.0;
/// How many steps are looked at in a chunk, when there is no continuous test.
const STEPS: u32 = 64;
/// How close an early impact comes to the contact by bisection, as a share of the step.
const BISECTIONS: u32 = 40;

impl Prospect<'_> {
    /// From when on the boxes may overlap, and until when, not before a time.
    pub(super) fn span(&self, from: f64) -> Option<[f64; 2]> {
        let [a, b] = self.travellers;
        if a.trajectory.is_still() && b.trajectory.is_still() {
            return None;
        }
        let end = a.bounds.end().min(b.bounds.end());
        a.bounds.meeting(&b.bounds, from, end)
    }

    /// What happens from a time on at which the boxes may overlap; it is the next chunk at most that is looked at.
    pub(super) fn outlook(&self, from: f64) -> Outlook {
        let Some([_, end]) = self.span(from) else {
            return Outlook::Nothing;
        };
        let found = match self.options.schedule {
            Schedule::Prediction => self.predicted(from, end),
            Schedule::Bisection | Schedule::FixedStep => None,
        };
        found.unwrap_or_else(|| self.stepped(from, end))
    }

    /// By a continuous test, if the shapes and motions have one.
    fn predicted(&self, from: f64, end: f64) -> Option<Outlook> {
        let to = end.min((from + self.chunk(from)).max(from.next_up()));
        if to <= from {
            // The boxes part now, or other ones take over.
            return Some(Outlook::Nothing);
        }
        let coming = self.coming(from, to)?;
        Some(match coming {
            Coming::Nothing if to < end => Outlook::Later(to),
            Coming::Nothing => Outlook::Nothing,
            Coming::Staying => Outlook::Staying,
            Coming::Impact(impact) => Outlook::Impact(self.impact(&impact, from, to)),
        })
    }

    /// How long a chunk is: the bodies do not move farther than a few times their size, or than they are from the origin, whose
    /// rounding they have anyway.
    fn chunk(&self, from: f64) -> f64 {
        let [a, b] = self.travellers;
        let sum = |value: &dyn Fn(&Traveller) -> f64| value(a) + value(b);
        let far = sum(&|t| CHUNK * t.reach + t.pose_at(from).translation().length());
        let speed = sum(&|t| t.trajectory.velocity_at(from).length());
        let acceleration = sum(&|t| t.trajectory.acceleration().length());
        let spin = sum(&|t| t.trajectory.spin().length());
        let by_way = if far > 0.0 {
            (far / speed).min((2.0 * far / acceleration).sqrt())
        } else {
            1.0
        };
        // A turn of many radians takes as many steps.
        by_way.min(64.0 / spin)
    }

    /// What the continuous test says; `None` when there is none, or when it came to no end.
    fn coming(&self, from: f64, to: f64) -> Option<Coming> {
        let [a, b] = self.travellers;
        let motions = [a, b].map(|t| t.trajectory.between(from, to));
        let [Ok(of_a), Ok(of_b)] = motions else {
            return None;
        };
        let tolerance = (self.options.tolerance / (to - from)).max(f64::MIN_POSITIVE);
        let found = if a.shape.is_convex() && b.shape.is_convex() {
            coming([&a.shape, &b.shape], [&of_a, &of_b], tolerance)
        } else {
            self.surfaces_coming([&of_a, &of_b], tolerance)
        };
        match found {
            Ok(Coming::Impact(impact)) if impact.kind == ImpactKind::Undecided => None,
            Ok(coming) => Some(coming),
            Err(_) => None,
        }
    }

    /// The same for meshes and solids, which have no direction that parts them.
    ///
    /// Those that begin within rounding of a contact are in it. If the points of contact part, the search begins again as soon as
    /// they have; the times tried are so short that nothing moves by more than [`LEAP`] of its size.
    fn surfaces_coming(&self, [a, b]: [&Motion; 2], tolerance: f64) -> Result<Coming, Error> {
        let shapes = self.travellers.map(|t| &t.shape);
        let Some(impact) = time_of_impact(shapes[0], a, shapes[1], b, tolerance)? else {
            return Ok(Coming::Nothing);
        };
        if impact.time > 0.0 {
            return Ok(Coming::Impact(impact));
        }
        // Surfaces that intersect from the start have no normal.
        let is_closing = impact
            .normal
            .is_none_or(|normal| closing_speed(&impact.witness, normal, [a, b]) < 0.0);
        if is_closing {
            return Ok(Coming::Impact(impact));
        }
        let size: f64 = self.travellers.iter().map(|t| t.reach).sum();
        let speed: f64 = [a, b].map(|m| m.speed_bound(size)).iter().sum();
        let mut share = LEAP * size / speed;
        for _ in 0..LEAPS {
            share *= 0.25;
        }
        for _ in 0..LEAPS {
            share *= 4.0;
            if share >= 1.0 {
                break;
            }
            let rest = [rest_of(a, share)?, rest_of(b, share)?];
            match time_of_impact(shapes[0], &rest[0], shapes[1], &rest[1], tolerance)? {
                None => return Ok(Coming::Nothing),
                Some(later) if later.time > 0.0 => {
                    let in_whole = |t: f64| share + t * (1.0 - share);
                    return Ok(Coming::Impact(Impact {
                        time: in_whole(later.time),
                        ..later
                    }));
                }
                Some(_) => {}
            }
        }
        Ok(Coming::Staying)
    }

    /// An impact of a chunk, in time.
    fn impact(&self, impact: &Impact, from: f64, to: f64) -> PairImpact {
        let is_start = impact.time <= 0.0;
        let time = if is_start {
            from
        } else {
            let time = (from + impact.time * (to - from)).next_down().max(from);
            self.before_overlap(from, time)
        };
        PairImpact {
            time,
            pair: self.pair,
            kind: if is_start {
                HitKind::Touching
            } else {
                HitKind::Predicted
            },
            witness: impact.witness,
            features: impact.features,
            normal: impact.normal,
        }
    }

    /// A time at which the bodies, as they are placed then, do not intersect: this one, or one that is a little earlier.
    fn before_overlap(&self, from: f64, time: f64) -> f64 {
        let (mut time, mut step) = (time, time.abs().max(from.abs()) * f64::EPSILON);
        while time > from && self.intersect_at(time) {
            time = (time - step).max(from);
            step *= 2.0;
        }
        time
    }

    pub(super) fn intersect_at(&self, time: f64) -> bool {
        let [a, b] = self.travellers;
        query::intersects(a.shape.at(a.pose_at(time)), b.shape.at(b.pose_at(time)))
    }

    /// By looking at steps: multiples of the step, so that everyone looks at the same times.
    fn stepped(&self, from: f64, end: f64) -> Outlook {
        let step = self.options.step;
        if self.intersect_at(from) {
            let overlap = self.overlap(from);
            return if self.is_closing(&overlap) {
                Outlook::Impact(overlap)
            } else {
                Outlook::Staying
            };
        }
        let mut last = from;
        for _ in 0..STEPS {
            let time = next_step(last, step);
            if time > end {
                // The boxes part before, or other ones take over.
                return Outlook::Nothing;
            }
            if self.intersect_at(time) {
                return Outlook::Impact(self.seen(last, time));
            }
            last = time;
        }
        Outlook::Later(last)
    }

    /// An overlap that was seen at a time and not at another, earlier one.
    fn seen(&self, apart: f64, overlapping: f64) -> PairImpact {
        let time = match self.options.schedule {
            Schedule::FixedStep => overlapping,
            Schedule::Prediction | Schedule::Bisection => self.bisected(apart, overlapping),
        };
        let [a, b] = self.travellers;
        let near = query::distance(a.shape.at(a.pose_at(time)), b.shape.at(b.pose_at(time)));
        let between = near.witness.b - near.witness.a;
        PairImpact {
            time,
            pair: self.pair,
            kind: HitKind::Polled,
            witness: near.witness,
            features: near.features,
            normal: between.try_normalize().or_else(|| self.way_out(time)),
        }
    }

    fn bisected(&self, mut apart: f64, mut overlapping: f64) -> f64 {
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (apart + overlapping);
            if overlapping - apart <= self.options.tolerance || middle <= apart {
                break;
            }
            if self.intersect_at(middle) {
                overlapping = middle;
            } else {
                apart = middle;
            }
        }
        apart
    }

    fn way_out(&self, time: f64) -> Option<Vec3> {
        let [a, b] = self.travellers;
        let deep = query::penetration(a.shape.at(a.pose_at(time)), b.shape.at(b.pose_at(time)));
        deep.ok().flatten().map(|deep| deep.direction)
    }

    /// The overlap of bodies at a time, as an impact.
    fn overlap(&self, time: f64) -> PairImpact {
        let [a, b] = self.travellers;
        let near = query::distance(a.shape.at(a.pose_at(time)), b.shape.at(b.pose_at(time)));
        PairImpact {
            time,
            pair: self.pair,
            kind: HitKind::Touching,
            witness: near.witness,
            features: [Feature::Inside; 2],
            normal: self.way_out(time),
        }
    }

    /// Whether bodies in contact come closer: along the normal, or from pivot to pivot where there is none.
    fn is_closing(&self, impact: &PairImpact) -> bool {
        let [a, b] = self.travellers.map(|t| &t.trajectory);
        let between = || b.pivot_at(impact.time) - a.pivot_at(impact.time);
        let normal = impact.normal.unwrap_or_else(between);
        let [of_a, of_b] = [(a, impact.witness.a), (b, impact.witness.b)]
            .map(|(trajectory, place)| trajectory.velocity_of(place, impact.time));
        normal.dot(of_b - of_a) < 0.0
    }
}

/// The farthest that surfaces move while they leave a contact, as a share of their size.
const LEAP: f64 = 1e-6;
/// How many times are tried for that, each four times the last.
const LEAPS: u32 = 12;

/// How fast the points of contact part along the normal at the start; negative when they come closer.
fn closing_speed(witness: &Witness, normal: Vec3, [a, b]: [&Motion; 2]) -> f64 {
    let velocity = |m: &Motion, p: Vec3| m.translation() + m.turn().cross(p - m.pivot_at(0.0));
    normal.dot(velocity(b, witness.b) - velocity(a, witness.a))
}

/// What is left of a motion after a share of it.
fn rest_of(motion: &Motion, share: f64) -> Result<Motion, Error> {
    let left = 1.0 - share;
    let start = motion.pose_at(share)?;
    let translation = (motion.translation() + motion.bend() * (2.0 * share)) * left;
    let rest = Motion::new(start, translation, motion.turn() * left, motion.pivot())?;
    rest.bent(motion.bend() * left * left)
}

/// The first multiple of the step after a time.
pub(super) fn next_step(time: f64, step: f64) -> f64 {
    let next = ((time / step).floor() + 1.0) * step;
    if next > time { next } else { time + step }
}
