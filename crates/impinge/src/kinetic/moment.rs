//! Times at which the order of two endpoints changes: found, and compared, exactly.

use super::straight::Line;
use super::track::{Rough, Track};
use crate::exact::algebraic::{Root, real_roots};
use crate::exact::{Sign, count_big, count_expansion, count_filter};
use crate::math::Interval;
use std::cmp::Ordering;

/// A real number: a float, or the time at which one track falls below another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Instant {
    /// The number is in here.
    pub(super) bounds: Interval,
    source: Source,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Source {
    Float,
    /// The time at which `above - below` turns from positive to negative, or is zero and turns back. A polynomial of the
    /// second degree has at most one such root.
    Crossing {
        below: Track,
        above: Track,
    },
}

/// An instant, or right after it.
///
/// The order of endpoints *at* an instant is that of their values then. *After* it, it is that of their values at all times
/// of some short span that begins there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moment {
    pub(super) instant: Instant,
    pub(super) is_after: bool,
}

impl Moment {
    pub(super) fn at(time: f64) -> Moment {
        Moment {
            instant: Instant {
                bounds: Interval::exact(time),
                source: Source::Float,
            },
            is_after: false,
        }
    }

    #[inline]
    pub(super) fn compare(&self, other: &Moment) -> Ordering {
        let order = self.instant.compare(&other.instant);
        order.then(self.is_after.cmp(&other.is_after))
    }
}

impl Instant {
    #[inline]
    fn compare(&self, other: &Instant) -> Ordering {
        if self.bounds.upper < other.bounds.lower {
            Ordering::Less
        } else if other.bounds.upper < self.bounds.lower {
            Ordering::Greater
        } else {
            self.compare_closely(other)
        }
    }

    #[cold]
    fn compare_closely(&self, other: &Instant) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        if let (Some(line), Some(other)) = (self.line(), other.line()) {
            count_expansion();
            return line.compare(&other);
        }
        count_big();
        self.root().compare(&mut other.root())
    }

    /// The number, where straight tracks of ordinary size cross.
    fn line(&self) -> Option<Line> {
        match &self.source {
            Source::Float => Line::at(self.bounds.lower),
            Source::Crossing { below, above } => Line::crossing(below, above),
        }
    }

    /// The number, exactly.
    fn root(&self) -> Root {
        match &self.source {
            Source::Float => Root::from_float(self.bounds.lower),
            Source::Crossing { below, above } => {
                crossing_root(below, above).expect("an instant is made where there is a crossing")
            }
        }
    }
}

/// The root of `above - below` after which it is negative, or its double root from above.
fn crossing_root(below: &Track, above: &Track) -> Option<Root> {
    let difference = Track::difference(above, below);
    let mut roots = real_roots(&difference);
    match (difference.degree(), difference.lead()) {
        (1, Sign::Negative) | (2, Sign::Negative) => roots.pop(),
        (2, Sign::Positive) if !roots.is_empty() => Some(roots.swap_remove(0)),
        _ => None,
    }
}

/// Which endpoint comes first at a moment where both may have the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// The one before may not be at the same place: it is an upper end, the other a lower one, and touching is overlap.
    Strict,
    /// The one before may be at the same place.
    Weak,
}

/// Whether `after` must come before `before` at a moment: the two stand in the wrong order.
pub(super) fn is_violated(before: &Track, after: &Track, rule: Rule, moment: &Moment) -> bool {
    let (middle, reach) = middle_and_reach(moment.instant.bounds);
    let [x, y] = [before, after].map(|track| track.near(middle, reach));
    match certain_sign(x, y) {
        Some(sign) => {
            count_filter();
            sign == Sign::Negative
        }
        None => is_violated_exactly(before, after, rule, moment),
    }
}

/// The sign of `y - x`, if it is certain and not zero.
#[inline]
fn certain_sign(x: Rough, y: Rough) -> Option<Sign> {
    let gap = y.minus(x);
    if gap.value > gap.error {
        Some(Sign::Positive)
    } else if gap.value < -gap.error {
        Some(Sign::Negative)
    } else {
        None
    }
}

#[cold]
fn is_violated_exactly(before: &Track, after: &Track, rule: Rule, moment: &Moment) -> bool {
    if before == after {
        return rule == Rule::Strict;
    }
    count_big();
    let difference = Track::difference(after, before);
    let mut time = moment.instant.root();
    let mut sign = time.sign_of(&difference);
    let mut derivative = difference;
    // Right after the instant, the first derivative that is not zero tells.
    while moment.is_after && sign == Sign::Zero && !derivative.is_zero() {
        derivative = derivative.derivative();
        sign = time.sign_of(&derivative);
    }
    match rule {
        Rule::Strict => sign != Sign::Positive,
        Rule::Weak => sign == Sign::Negative,
    }
}

/// The first moment, not before `now`, at which `after` must come before `before`; `None` when that never happens.
///
/// They must be in order now. With `d = after - before`, a strict order fails at the first root of `d` later than now, and a
/// weak one right after the first root, not before now, at which `d` turns negative. As `d` is of the second degree at most
/// and in order now, both are the one root that [`Source::Crossing`] describes, or there is none: with `d` opening upward
/// the lower root, otherwise the upper one; a double root is touched without being crossed, which only breaks a strict order.
#[inline]
pub(super) fn first_violation(
    before: &Track,
    after: &Track,
    rule: Rule,
    now: &Moment,
) -> Option<Moment> {
    let is_straight = before.half_acceleration == 0.0 && after.half_acceleration == 0.0;
    if is_straight && after.velocity >= before.velocity {
        return None;
    }
    let bounds = match bracket(before, after, now) {
        Bracket::Never => return None,
        Bracket::Within(bounds) => bounds,
        Bracket::Unknown => return first_violation_exactly(before, after, rule, now),
    };
    if bounds.upper < now.instant.bounds.lower {
        return None;
    }
    if bounds.lower <= now.instant.bounds.upper {
        return first_violation_exactly(before, after, rule, now);
    }
    Some(moment_of(before, after, rule, bounds))
}

pub(super) fn moment_of(before: &Track, after: &Track, rule: Rule, bounds: Interval) -> Moment {
    Moment {
        instant: Instant {
            bounds,
            source: Source::Crossing {
                below: *before,
                above: *after,
            },
        },
        is_after: rule == Rule::Weak,
    }
}

/// What floating point can tell about the crossing.
enum Bracket {
    /// There is none from now on.
    Never,
    /// It is in here: `after - before` is certainly positive at the lower end and negative at the upper one.
    Within(Interval),
    Unknown,
}

#[inline]
fn bracket(before: &Track, after: &Track, now: &Moment) -> Bracket {
    let (middle, reach) = middle_and_reach(now.instant.bounds);
    // The sign of a difference of floats is right.
    let bend = after.half_acceleration - before.half_acceleration;
    let rate = certain_sign(
        before.speed_near(middle, reach),
        after.speed_near(middle, reach),
    );
    if bend >= 0.0 && rate == Some(Sign::Positive) {
        // In order, growing, and growing faster and faster.
        return Bracket::Never;
    }
    // From here on in the time since now.
    let [x, y] =
        [before, after].map(|track| (track.near(middle, 0.0), track.speed_near(middle, 0.0)));
    let gap = y.0.minus(x.0);
    let speed = y.1.minus(x.1);
    let discriminant = speed.value * speed.value - 4.0 * bend * gap.value;
    let size = speed.value * speed.value + 4.0 * (bend * gap.value).abs();
    let error = 8.0 * f64::EPSILON * size
        + 2.1 * (speed.value.abs() + speed.error) * speed.error
        + 4.1 * bend.abs() * gap.error;
    if bend > 0.0 && discriminant < -error {
        return Bracket::Never;
    }
    let Some((place, slope)) = falling_root(gap.value, speed.value, bend) else {
        return Bracket::Unknown;
    };
    check_bracket(before, after, middle + place, slope)
}

/// The middle of an interval, and how far from it its ends are at most.
fn middle_and_reach(time: Interval) -> (f64, f64) {
    let middle = 0.5 * (time.lower + time.upper);
    if time.lower < time.upper {
        (middle, 0.5 * time.width() + f64::EPSILON * middle.abs())
    } else {
        (time.lower, 0.0)
    }
}

/// An interval about a root found in floating point, if the signs at its ends are certain.
fn check_bracket(before: &Track, after: &Track, root: f64, slope: f64) -> Bracket {
    let off = [before, after].map(|track| track.near(root, 0.0).error);
    let mut reach = 4.0 * (off[0] + off[1]) / slope + 4.0 * f64::EPSILON * root.abs();
    for _ in 0..2 {
        let bounds = Interval {
            lower: root - reach,
            upper: root + reach,
        };
        let sign_at = |t: f64| certain_sign(before.near(t, 0.0), after.near(t, 0.0));
        let signs = [sign_at(bounds.lower), sign_at(bounds.upper)];
        if signs == [Some(Sign::Positive), Some(Sign::Negative)] {
            return Bracket::Within(bounds);
        }
        reach *= 16.0;
    }
    Bracket::Unknown
}

/// About where `c + b s + a s^2` turns negative, and how steeply.
#[inline]
fn falling_root(c: f64, b: f64, a: f64) -> Option<(f64, f64)> {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant.is_nan() || discriminant <= 0.0 {
        return None;
    }
    let slope = discriminant.sqrt();
    // The root where the derivative, b + 2 a s, is minus the slope; without cancellation.
    let place = if b > 0.0 {
        -(b + slope) / (2.0 * a)
    } else {
        2.0 * c / (slope - b)
    };
    place.is_finite().then_some((place, slope))
}

#[cold]
fn first_violation_exactly(
    before: &Track,
    after: &Track,
    rule: Rule,
    now: &Moment,
) -> Option<Moment> {
    count_big();
    let difference = Track::difference(after, before);
    let mut root = crossing_root(before, after)?;
    // A double root is touched from above, not crossed.
    let is_touched = difference.degree() == 2
        && difference.lead() == Sign::Positive
        && root.sign_of(&difference.derivative()) == Sign::Zero;
    let order = root.compare(&mut now.instant.root());
    let is_due = match rule {
        Rule::Strict => order == Ordering::Greater,
        Rule::Weak => order != Ordering::Less && !is_touched,
    };
    is_due.then(|| moment_of(before, after, rule, root.bounds(BITS)))
}

/// How narrow the bounds of an exactly known time are.
const BITS: usize = 64;
