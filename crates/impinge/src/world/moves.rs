//! Stage 1 for all bodies at once: poses to balls, in one pass over memory.
//!
//! A frame of few contacts is for the most part reading poses, and with one call a body as much again is writing them where they belong. Here the
//! list of poses becomes that of the world as it is, and each is read once, when the balls of its body are placed. Where boxes are
//! cubes about balls, these are written in the same pass, so that nothing has to be read again for them. A place that
//! is refused is found in the same pass, too; then the balls are placed again from the poses before. Several threads may take a range
//! of indices each.

use super::bodies::{Slot, Told, is_near};
use super::boxes::{BoxStage, Cubes};
use super::threads::Threads;
use crate::ahead;
use crate::bound::OwnBall;
use crate::lanes::in_lanes;
use crate::math::Pose;
use fearless_simd::Simd;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many bodies a thread takes at a time.
const PART: usize = 2048;

/// How many bodies ahead poses and slots are asked for: processors follow a list by
/// themselves, but not across the end of a page.
const AHEAD: usize = 24;

/// A range of indices: what is kept of its bodies, and where they go. Of all the same number.
#[derive(Debug)]
pub(super) struct Range<'b> {
    pub(super) slots: &'b mut [Slot],
    pub(super) own_balls: &'b [OwnBall],
    pub(super) poses: &'b [Pose],
}

/// What moving all bodies found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    /// All of them stay near enough; otherwise nothing of what was written is of use.
    pub(super) are_near: bool,
    /// Their boxes are made: all of those that are cubes, and the others are noted.
    pub(super) are_boxed: bool,
}

impl<'b> Range<'b> {
    /// Places the balls of all bodies and marks them as moved.
    pub(super) fn place_all(self, stamp: u8, boxes: &mut BoxStage, threads: &Threads) -> Placed {
        let count = self.slots.len();
        if !threads.are_many() || count < 2 * PART {
            let mut cubes = boxes.cubes(count, count.max(1));
            return match cubes.next() {
                Some(cubes) => in_lanes!(simd => self.place_boxed(simd, stamp, cubes)),
                None => in_lanes!(simd => self.place(simd, stamp)),
            };
        }
        let [are_near, are_boxed] = [(); 2].map(|()| AtomicBool::new(true));
        let mut cubes = boxes.cubes(count, PART);
        let pieces = self.parts().map(|range| (range, cubes.next()));
        threads.for_each(pieces, |(range, cubes)| {
            let placed = match cubes {
                Some(cubes) => in_lanes!(simd => range.place_boxed(simd, stamp, cubes)),
                None => in_lanes!(simd => range.place(simd, stamp)),
            };
            are_near.fetch_and(placed.are_near, Ordering::Relaxed);
            are_boxed.fetch_and(placed.are_boxed, Ordering::Relaxed);
        });
        Placed {
            are_near: are_near.into_inner(),
            are_boxed: are_boxed.into_inner(),
        }
    }

    fn parts(self) -> impl Iterator<Item = Range<'b>> {
        let others = self.own_balls.chunks(PART).zip(self.poses.chunks(PART));
        let parts = self.slots.chunks_mut(PART).zip(others);
        parts.map(|(slots, (own_balls, poses))| Range {
            slots,
            own_balls,
            poses,
        })
    }

    #[inline(always)]
    fn place<S: Simd>(self, simd: S, stamp: u8) -> Placed {
        let mut are_near = true;
        let others = self.own_balls.iter().zip(self.poses);
        for (slot, (own_ball, pose)) in self.slots.iter_mut().zip(others) {
            are_near &= is_near(pose);
            slot.place(simd, own_ball, pose, stamp);
        }
        Placed {
            are_near,
            are_boxed: false,
        }
    }

    /// The same, and writes their cubes.
    #[inline(always)]
    fn place_boxed<S: Simd>(self, simd: S, stamp: u8, cubes: Cubes<'_>) -> Placed {
        let [mut are_near, mut are_boxed] = [true; 2];
        let told_of_cubes = if cubes.tells_round {
            Told::Cube
        } else {
            Told::Box
        };
        // Of one length, so that nothing is checked on the way.
        let count = cubes.boxes.len();
        let (boxes, slots) = (&mut cubes.boxes[..count], &mut self.slots[..count]);
        let (own_balls, poses) = (&self.own_balls[..count], &self.poses[..count]);
        for k in 0..count {
            ahead::fetch_line(poses, k + AHEAD);
            ahead::fetch_line(slots, k + AHEAD);
            let (slot, pose) = (&mut slots[k], &poses[k]);
            let (cube, is_cube) = slot.place_with_cube(simd, &own_balls[k], pose, stamp);
            boxes[k] = cube;
            if is_cube {
                are_boxed &= slot.is_told(told_of_cubes);
            } else {
                are_near &= is_near(pose);
                are_boxed &= slot.is_told(Told::Box);
                cubes.others.push(cubes.first + k as u32);
            }
        }
        Placed {
            are_near,
            are_boxed,
        }
    }
}
