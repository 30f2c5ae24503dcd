//! When may two boxes touch, of which one moves straight?
//!
//! Along an axis `d` two boxes overlap while `|p + w t| <= R`. The room that `R` has for rounding is [`Placement::slack`]: placed
//! vertices, the relative frame and its products are off by a few roundings of the sizes involved, and poses that are not
//! quite rotations by their deviation times these.

use super::Meeting;
use super::build::Node;
use super::columns;
use crate::math::{Interval, Mat3, Vec3};

/// How the second tree lies in the frame of the first, and how it moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    turn: Mat3,
    shift: Vec3,
    velocity: Vec3,
    /// The unit of the second in units of the first.
    pub(super) ratio: f64,
    slack: f64,
}

/// Numbers beyond these are not computed with.
const SIZES: std::ops::Range<f64> = 1e-60..1e60;

impl Placement {
    /// `None` for numbers of extreme size.
    pub(super) fn new(meeting: &Meeting<'_>) -> Option<Placement> {
        let [a, b] = &meeting.travellers;
        let (start_a, start_b) = (a.motion.start(), b.motion.start());
        let (origin_a, origin_b) = (start_a.place(a.center), start_b.place(b.center));
        let shift = start_a.unrotate(origin_b - origin_a) / a.unit;
        let way = b.motion.translation() - a.motion.translation();
        let velocity = start_a.unrotate(way) / a.unit;
        let ratio = b.unit / a.unit;
        let deviation = start_a.deviation() + start_b.deviation();
        let size = shift.length() + velocity.length() + 4.0 + 4.0 * ratio;
        let slack =
            (64.0 * f64::EPSILON + 6.0 * deviation) * size + 2.0 * (a.error + b.error) / a.unit;
        let is_ordinary = [size, ratio, a.unit].iter().all(|x| SIZES.contains(x));
        is_ordinary.then_some(Placement {
            turn: start_a.matrix().transpose() * *start_b.matrix(),
            shift,
            velocity,
            ratio,
            slack,
        })
    }
}

/// The part of some time in which two boxes may touch.
pub(super) fn window(a: &Node, b: &Node, at: &Placement, during: Interval) -> Option<Interval> {
    let own = columns(&a.axes);
    let others = columns(&(at.turn * b.axes));
    let half_a = a.half.to_array();
    let half_b = (b.half * at.ratio).to_array();
    let between = at.turn * b.center * at.ratio + at.shift - a.center;
    let reach = |d: Vec3| {
        let along = |axes: &[Vec3; 3], half: &[f64; 3]| {
            let parts = axes
                .iter()
                .zip(half)
                .map(|(axis, h)| h * d.dot(*axis).abs());
            parts.sum::<f64>()
        };
        along(&own, &half_a) + along(&others, &half_b) + at.slack
    };
    let mut left = during;
    let mut clip = |d: Vec3| {
        left = clipped(left, d.dot(between), d.dot(at.velocity), reach(d));
        left.lower <= left.upper
    };
    let faces = own.iter().chain(&others).all(|d| clip(*d));
    let is_open = faces && own.iter().all(|p| others.iter().all(|q| clip(p.cross(*q))));
    is_open.then_some(left)
}

/// The part of an interval of time in which `|place + speed t|` is at most `reach`, and a little more.
fn clipped(during: Interval, place: f64, speed: f64, reach: f64) -> Interval {
    /// More than what dividing may round.
    const ROUNDING: f64 = 8.0 * f64::EPSILON;
    let empty = Interval {
        lower: 1.0,
        upper: 0.0,
    };
    if speed.abs() < f64::MIN_POSITIVE {
        return if place.abs() <= reach { during } else { empty };
    }
    let ends = [(-reach - place) / speed, (reach - place) / speed];
    Interval {
        lower: during.lower.max(ends[0].min(ends[1]) - ROUNDING),
        upper: during.upper.min(ends[0].max(ends[1]) + ROUNDING),
    }
}
