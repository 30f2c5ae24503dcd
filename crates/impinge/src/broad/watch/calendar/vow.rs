//! Where a body will be: what it is taken to promise, so that nobody needs to look at its pairs in every frame.
//!
//! A *vow* is a straight path of a box, and a *slack*: on each day every face of the body's box is within the slack of where the path has it. Vows are
//! found out, not asked for. A body that breaks its own gets another one from its last boxes, with more slack if it missed by little, as those do
//! that turn; and on that day all its pairs are looked at.
//!
//! A vow also tells the day on which the body leaves its wide box, which is made to hold the path until then.
//!
//! **Rounding.** Everything is in single precision. A face of the path is a product and a sum, each off by half an EPSILON of numbers no larger than the
//! coordinates on the way; the difference of two faces and the rate at which it changes are as good. `room` pays for all of these for as many days as
//! anything is foreseen, several times over.

use super::super::super::Box32;
use super::DAYS;
use fearless_simd::{Simd, f32x4, f32x8, prelude::*};

/// The least slack, in sizes of the body and in steps.
const OF_SIZE: f32 = 1.0 / (1 << 9) as f32;
const OF_STEP: f32 = 1.0 / (1 << 6) as f32;
/// And in any case, as the least rate: a number with all its digits.
const LEAST: f32 = 1e-30;

/// How much more slack than the faces of a box that turns moved apart in a frame.
const OF_TURN: f32 = 2.0;

/// Who misses its path by more than so many slacks goes another way; who misses it by less needs more slack.
const LITTLE: f32 = 4.0;

/// How much more slack, and how much at most, in sizes of the body: with so much there is little to foresee.
const GROWTH: f32 = 2.0;
const MOST_SLACK: f32 = 0.5;

/// Slacks are taken for so much more.
const RATE: f32 = 1.0 + 1.0 / (1 << 10) as f32;

/// And coordinates to be off by such a share.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

/// Numbers of days are taken for less by such a share.
const SURE: f32 = 1.0 - 1.0 / (1 << 20) as f32;

/// The pace of a body that promises nothing.
const NOTHING: [f32; 4] = [0.0, 0.0, 0.0, f32::INFINITY];

/// How far a body may go before it leaves its wide box, in its sizes.
const FARTHEST: f32 = 4.5;

/// The path of a body, for how long, and since when; in one line of memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(in super::super) struct Vow {
    /// The box on the first day.
    bounds: Box32,
    /// The step a day along each axis, and the slack.
    pace: [f32; 4],
    /// The first day.
    start: u32,
    /// The day on which pairs were last searched for the body.
    pub(super) since: u32,
    /// The day on which it leaves its wide box, and pairs are searched for again.
    pub(super) until: u32,
}

/// How two bodies stand, as far as their vows tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    Apart,
    Met,
    /// Their boxes have to be looked at.
    Unclear,
}

impl Default for Vow {
    /// Nothing at all is promised.
    fn default() -> Vow {
        Vow {
            bounds: Box32::default(),
            pace: NOTHING,
            start: 0,
            since: 0,
            until: u32::MAX,
        }
    }
}

impl Vow {
    /// That of a body of which nothing is known before a day, and which gets another one on that day.
    pub(super) fn nothing(day: u32) -> Vow {
        Vow {
            start: day,
            since: day,
            until: day,
            ..Vow::default()
        }
    }

    /// That of a body which went from one box to another, from a day on.
    #[inline(always)]
    pub(in super::super) fn new<S: Simd>(simd: S, [old, new]: [&Box32; 2], day: u32) -> Vow {
        let ((old_min, old_max), (min, max)) = (old.corners(simd), new.corners(simd));
        let (low, high) = (min - old_min, max - old_max);
        let half = f32x4::splat(simd, 0.5);
        let turn = largest((high - low).abs()) * (0.5 * OF_TURN);
        Vow::along(simd, new, low * half + high * half, day, turn)
    }

    /// That of a body with such a box and step.
    #[inline(always)]
    fn along<S: Simd>(simd: S, bounds: &Box32, step: f32x4<S>, day: u32, slack: f32) -> Vow {
        let (min, max) = bounds.corners(simd);
        let [x, y, z, _]: [f32; 4] = step.into();
        let least = (largest(max - min) * OF_SIZE).max(largest(step.abs()) * OF_STEP);
        let pace = [x, y, z, slack.max(least).max(LEAST)];
        let is_number = pace.iter().all(|part| part.is_finite());
        Vow {
            bounds: *bounds,
            pace: if is_number { pace } else { NOTHING },
            start: day,
            since: day,
            until: u32::MAX,
        }
    }

    /// Whether the box of a body is where it was promised to be on a day.
    #[inline(always)]
    pub(in super::super) fn is_kept<S: Simd>(&self, simd: S, new: &Box32, day: u32) -> bool {
        let slack = f32x8::splat(simd, self.pace[3]);
        self.misses(simd, new, day).simd_le(slack).all_true()
    }

    /// The same with such a slack at least, if anything is promised.
    #[cfg(test)]
    pub(super) fn with_slack(mut self, slack: f32) -> Vow {
        self.pace[3] = self.pace[3].max(slack);
        self
    }

    /// The slack.
    #[cfg(test)]
    pub(super) fn slack(&self) -> f32 {
        self.pace[3]
    }

    /// Whether the body leaves its wide box by a day.
    #[inline(always)]
    pub(in super::super) fn ends_by(&self, day: u32) -> bool {
        self.until <= day
    }

    /// By how much each face missed the path, two of them twice.
    #[inline(always)]
    fn misses<S: Simd>(&self, simd: S, new: &Box32, day: u32) -> f32x8<S> {
        debug_assert!(self.start <= day, "a path has no days before its first");
        let faces = |bounds: &Box32| {
            let (low, high) = bounds.halves(simd);
            low.combine(high)
        };
        let [x, y, z, _] = self.pace;
        let step = f32x8::load_array_ref(simd, &[x, y, z, x, z, x, y, z]);
        let days = f32x8::splat(simd, day.wrapping_sub(self.start) as f32);
        (faces(new) - (faces(&self.bounds) + step * days)).abs()
    }

    /// The next vow of a body that may have broken this one, and whether it did: otherwise it is the same, from another day on.
    #[inline(always)]
    pub(in super::super) fn renewed<S: Simd>(
        &self,
        simd: S,
        [old, new]: [&Box32; 2],
        day: u32,
    ) -> (Vow, bool) {
        let slack = self.pace[3];
        let miss = self.misses(simd, new, day).reduce_max();
        let is_known = slack < f32::INFINITY;
        if is_known && miss <= slack {
            return (
                Vow {
                    since: day,
                    ..*self
                },
                false,
            );
        }
        let days = day.wrapping_sub(self.start);
        let is_little = miss <= LITTLE * slack && GROWTH * slack <= MOST_SLACK * new.size();
        if is_known && is_little && days > 0 {
            // The mean step is a better guess than the last one.
            let ((first_min, first_max), (min, max)) =
                (self.bounds.corners(simd), new.corners(simd));
            let way = (min - first_min) + (max - first_max);
            let step = way * f32x4::splat(simd, 0.5 / days as f32);
            return (Vow::along(simd, new, step, day, GROWTH * slack), true);
        }
        (Vow::new(simd, [old, new], day), true)
    }

    /// The box that holds the path for some days more, from a day on, if the body does not get too far; and notes when it leaves it.
    #[inline(always)]
    pub(in super::super) fn wide_box<S: Simd>(
        &mut self,
        simd: S,
        bounds: &Box32,
        day: u32,
        days: u32,
    ) -> Box32 {
        let (min, max) = bounds.corners(simd);
        let step = f32x4::load_array_ref(simd, &self.pace);
        let farthest = FARTHEST * largest(max - min) / largest(step.abs()).max(LEAST);
        let days = days.min(farthest as u32).max(1);
        let (low, high, room) = self.place(simd, day);
        let way = step * f32x4::splat(simd, days as f32);
        let zero = f32x4::splat(simd, 0.0);
        let low = (low + way.min(zero) - room).min(min);
        let high = (high + way.max(zero) + room).max(max);
        // Whose path is beyond the range of numbers gets no room.
        if largest(room.max(low.abs()).max(high.abs())) >= f32::MAX {
            self.until = day.saturating_add(1);
            return *bounds;
        }
        self.until = day.saturating_add(days);
        Box32::from_corners(low, high)
    }

    /// Notes when the body may leave a wide box that it has.
    #[inline(always)]
    pub(super) fn stay_in<S: Simd>(&mut self, simd: S, wide: &Box32, day: u32) {
        let (low, high) = wide.corners(simd);
        let (min, max, room) = self.place(simd, day);
        let step = f32x4::load_array_ref(simd, &self.pace);
        let least = f32x4::splat(simd, LEAST);
        let (up, down) = (step.max(least), (-step).max(least));
        let days = ((high - max - room) / up).min((min - low - room) / down);
        let [x, y, z, _]: [f32; 4] = days.into();
        // None where the slack already reaches out of it; what is no number is none either.
        let days = (x.min(y).min(z) * SURE) as u32;
        self.since = day;
        self.until = day.saturating_add(days.min(DAYS as u32)).saturating_add(1);
    }

    /// The corners of the path on a day, and how far off those of the body's box may be on that day and as many as are foreseen.
    #[inline(always)]
    fn place<S: Simd>(&self, simd: S, day: u32) -> (f32x4<S>, f32x4<S>, f32x4<S>) {
        debug_assert!(self.start <= day, "a path has no days before its first");
        let splat = |x: f32| f32x4::splat(simd, x);
        let (min, max) = self.bounds.corners(simd);
        let step = f32x4::load_array_ref(simd, &self.pace);
        let days = day.wrapping_sub(self.start) as f32;
        let way = step * splat(days);
        let most = min.abs().max(max.abs()) + step.abs() * splat(days + DAYS as f32);
        let room = splat(self.pace[3] * RATE) + most * splat(ROUNDING);
        (min + way, max + way, room)
    }
}

/// How two bodies stand on a day, and for how many days after it they surely stand like that if both keep their vows.
///
/// Two boxes are apart while they are along some axis, in one of two orders; they overlap while they do along all axes.
#[inline(always)]
pub(super) fn foresee<S: Simd>(simd: S, [one, other]: [&Vow; 2], day: u32) -> (Sight, u32) {
    let (min, max, room) = one.place(simd, day);
    let (other_min, other_max, other_room) = other.place(simd, day);
    let rooms = room + other_room;
    let (behind, before) = (other_min - max, min - other_max);
    // How fast the other one goes ahead.
    let pace = f32x4::load_array_ref(simd, &other.pace) - f32x4::load_array_ref(simd, &one.pace);
    let least = f32x4::splat(simd, LEAST);
    let (going, coming) = (pace.max(least), (-pace).max(least));
    let apart = largest(((behind - rooms) / coming).max((before - rooms) / going));
    let met = -largest(((behind + rooms) / going).max((before + rooms) / coming));
    // Sizes beyond the range of numbers may leave something that is none.
    if largest(rooms) >= f32::MAX {
        (Sight::Unclear, 0)
    } else if apart > 0.0 {
        (Sight::Apart, (apart * SURE) as u32)
    } else if met > 0.0 {
        (Sight::Met, (met * SURE) as u32)
    } else {
        (Sight::Unclear, 0)
    }
}

/// The largest of the first three lanes.
#[inline(always)]
fn largest<S: Simd>(lanes: f32x4<S>) -> f32 {
    let [x, y, z, _]: [f32; 4] = lanes.into();
    x.max(y).max(z)
}
