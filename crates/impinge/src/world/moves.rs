//! Stage 1 for all bodies at once: poses to balls, in one pass over memory.
//!
//! A frame of few contacts is for the most part reading poses, and with one call a body as much again is writing them where they belong. Here the
//! list of poses becomes that of the world as it is, and each is read once, when the balls of its body are placed. A place that
//! is refused is found in the same pass; then the balls are placed again from the poses before. Several threads may take a range
//! of indices each.

use super::bodies::Slot;
use super::threads::Threads;
use crate::bound::OwnBall;
use crate::lanes::in_lanes;
use crate::math::Pose;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many bodies a thread takes at a time.
const PART: usize = 2048;

/// A range of indices: what is kept of its bodies, and where they go.
#[derive(Debug)]
pub(super) struct Range<'b> {
    pub(super) slots: &'b mut [Slot],
    /// As many, as are the poses.
    pub(super) own_balls: &'b [OwnBall],
    pub(super) poses: &'b [Pose],
}

impl Range<'_> {
    /// Places the balls of all bodies and marks them as moved. Whether all of them stay near enough; otherwise nothing of what was written
    /// is of use.
    pub(super) fn place_all(self, stamp: u8, threads: &Threads) -> bool {
        if !threads.are_many() || self.slots.len() < 2 * PART {
            return in_lanes!(_ => self.place(stamp));
        }
        let slots = self.slots.chunks_mut(PART);
        let others = self.own_balls.chunks(PART).zip(self.poses.chunks(PART));
        let are_near = AtomicBool::new(true);
        threads.for_each(slots.zip(others), |(slots, (own_balls, poses))| {
            let range = Range {
                slots,
                own_balls,
                poses,
            };
            if !in_lanes!(_ => range.place(stamp)) {
                are_near.store(false, Ordering::Relaxed);
            }
        });
        are_near.into_inner()
    }

    #[inline(always)]
    fn place(self, stamp: u8) -> bool {
        let mut are_near = true;
        let others = self.own_balls.iter().zip(self.poses);
        for (slot, (own_ball, pose)) in self.slots.iter_mut().zip(others) {
            are_near &= slot.may_be_at(pose);
            slot.place(own_ball, pose, stamp);
        }
        are_near
    }
}
