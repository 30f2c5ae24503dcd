//! How far ahead a wide box reaches.
//!
//! A wide box that reaches farther is left later, and overlaps more others. How far pays depends on how crowded it is: the more pairs
//! are watched, the less far boxes reach.
//!
//! A body goes on as it did since it got its last wide box: the box of a body that turns moves to and fro, and two frames tell
//! little of where it is going.

use super::super::Box32;
use super::segment::MANY_BOXES;
use fearless_simd::{Simd, f32x4, prelude::*};

/// How many steps ahead wide boxes reach where one pair is watched for each body that moves. The best number falls about with the
/// fourth root of the pairs: 20 with 0.7 pairs a body, 12 with 4.
const STEPS: f32 = 18.0;

/// How many at least and at most.
const FEWEST: f32 = 8.0;
const MOST: f32 = 24.0;

/// Some reach up to half as far again, in so many sorts of bodies. Otherwise bodies that begin to move together would go on to leave their wide
/// boxes in the same frames.
const SORTS: u32 = 8;

/// How far they reach in any case, in sizes of the body, for each step.
const MARGIN: f32 = 0.006;

/// What cubes reach of that: those about bodies do not change as these turn.
const MARGIN_OF_CUBES: f32 = 0.6 * MARGIN;

/// By how much the edges of a cube may differ, for each unit of its largest coordinate: more than rounding its corners makes of it.
const EDGES: f32 = 8.0 * f32::EPSILON;

/// How far they reach at most, in sizes of the body.
const FARTHEST: f32 = 1.5;

/// How far the last step may be from the mean step, in sizes of the body. Bodies that rebound are farther off.
const STEADY: f32 = 0.05;

/// How far the wide boxes of newcomers reach at most, on all sides, in sizes of the body and for the square of the steps that others
/// reach ahead. For 20 steps that is a size, for 12 a third; more room is left later, and has more pairs to watch. To leave costs
/// less where all boxes are in a near cache.
const ROOM: f32 = 0.0025;
const ROOM_OF_FEW: f32 = 0.001;

/// The least share of it that a newcomer gets.
const LEAST_ROOM: f32 = 0.5;

/// An odd number whose multiples are scattered: newcomers get their shares of room by their indices.
const SCATTER: u32 = 0x9e37_79b1;

/// How many steps ahead wide boxes reach where the boxes of one pair overlap for each body.
const STEPS_OF_BOXES: f32 = 12.5;

/// How many frames ahead the wide boxes of bodies that keep their vows reach, at least. Their pairs are looked at only when they are due, so that more of them
/// do not cost more in every frame.
const DAYS_AHEAD: u32 = 28;

/// Some reach farther, by up to so many frames.
const MORE_DAYS: u32 = 32;

/// What is the same for all bodies that get a wide box in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outlook {
    /// The number of the frame.
    frame: u32,
    /// How many steps ahead wide boxes reach.
    steps: f32,
}

impl Default for Outlook {
    fn default() -> Outlook {
        Outlook {
            frame: 0,
            steps: STEPS,
        }
    }
}

impl Outlook {
    /// The number of the frame.
    pub(super) fn frame(self) -> u32 {
        self.frame
    }

    /// Expects so many pairs of overlapping boxes a body. Watched are more, seven times as many where there are few and hardly more
    /// where there are many, so that the steps fall with the fifth root.
    pub(super) fn expect(&mut self, pairs: f32) {
        self.steps = (STEPS_OF_BOXES / pairs.powf(0.2)).clamp(FEWEST, MOST);
    }

    /// Goes on to the next frame; where many bodies moved, given how many, and how many pairs were looked at.
    pub(super) fn advance(&mut self, moves_and_looks: Option<(usize, u64)>) {
        self.frame = self.frame.wrapping_add(1);
        if let Some((moves, looks)) = moves_and_looks {
            let crowd = looks as f32 / moves as f32;
            // Without a pair the quotient is infinite.
            self.steps = (STEPS / crowd.sqrt().sqrt()).clamp(FEWEST, MOST);
        }
    }

    /// How many frames ahead the wide box of a body that keeps its vow reaches: for bodies that get one together, and for one that gets its next,
    /// not the same.
    #[inline(always)]
    pub(super) fn days_ahead(self, index: u32) -> u32 {
        DAYS_AHEAD + self.scattered(index) % MORE_DAYS
    }

    /// How many frames ahead the wide box of a body reaches that got it some frames ago, for each body another number of them.
    #[inline(always)]
    pub(super) fn days_left(self, index: u32) -> u32 {
        1 + self.scattered(index) % self.steps as u32
    }

    /// A number for a body that gets a wide box in this frame, below 65 536, as good as random.
    #[inline(always)]
    fn scattered(self, index: u32) -> u32 {
        index.wrapping_add(self.frame).wrapping_mul(SCATTER) >> 16
    }
}

/// Where and when a body got its wide box.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Origin {
    /// The sum of the two corners, which is twice the centre.
    corners: [f32; 3],
    frame: u32,
}

impl Origin {
    pub(super) fn new(Box32 { min, max }: &Box32, outlook: Outlook) -> Origin {
        Origin {
            corners: [min[0] + max[0], min[1] + max[1], min[2] + max[2]],
            frame: outlook.frame,
        }
    }
}

/// Whether a body went farther than its size.
#[inline(always)]
pub(super) fn is_far<S: Simd>(simd: S, [old, new]: [&Box32; 2]) -> bool {
    let ((old_min, old_max), (min, max)) = (old.corners(simd), new.corners(simd));
    let farthest = largest((min - old_min).abs().max((max - old_max).abs()));
    farthest > largest(max - min)
}

/// The wide box of a body whose box was elsewhere before, and whether it went farther than its size.
///
/// The centre is expected to go on as it did; faces also move as a body turns, but not for long. Where a body is so fast that
/// it would soon be out again, the room is not worth the pairs to watch.
#[inline(always)]
pub(super) fn wide_box<S: Simd>(
    simd: S,
    index: u32,
    [old, new]: [&Box32; 2],
    origin: &Origin,
    outlook: Outlook,
) -> (Box32, bool) {
    let splat = |x: f32| f32x4::splat(simd, x);
    let ((old_min, old_max), (min, max)) = (old.corners(simd), new.corners(simd));
    let (low, high) = (min - old_min, max - old_max);
    let size = largest(max - min);
    let farthest = largest(low.abs().max(high.abs()));
    // Sizes beyond the range of numbers count as fast.
    if !(farthest <= size * 0.25 && size < f32::MAX) {
        return (*new, farthest > size);
    }
    // Twice the step of the centre: the last one, and the mean one since the origin, which is not a number after no frame.
    let last = low + high;
    let [x, y, z] = origin.corners;
    let frames = outlook.frame.wrapping_sub(origin.frame) as f32;
    let mean = (min + max - f32x4::load_array_ref(simd, &[x, y, z, 0.0])) / splat(frames);
    let is_near = (mean - last).abs().simd_le(splat(2.0 * STEADY * size));
    let is_steady = is_near.to_bitmask() & 0b111 == 0b111;
    let step = if is_steady { mean } else { last };
    let reach = splat(FARTHEST * size);
    let steps = outlook.steps * (1.0 + (index % SORTS) as f32 * (0.5 / SORTS as f32));
    let ahead = (step * splat(0.5 * steps)).min(reach).max(-reach);
    let is_cube = size - smallest(max - min) <= EDGES * largest(min.abs().max(max.abs()));
    let margin = if is_cube { MARGIN_OF_CUBES } else { MARGIN };
    let margin = splat(margin * outlook.steps * size);
    // Rounding must not leave the box outside.
    let low = (min + (ahead.min(splat(0.0)) - margin)).min(min);
    let high = (max + (ahead.max(splat(0.0)) + margin)).max(max);
    (Box32::from_corners(low, high), false)
}

/// The wide box of one of so many bodies, of which nothing is known but its box: room on all sides.
pub(super) fn first_wide_box(index: u32, bounds: &Box32, outlook: Outlook, bodies: usize) -> Box32 {
    let scattered = (index.wrapping_mul(SCATTER) >> 16) as f32 / f32::from(u16::MAX);
    let share = LEAST_ROOM + (1.0 - LEAST_ROOM) * scattered;
    let room = if bodies < MANY_BOXES {
        ROOM_OF_FEW
    } else {
        ROOM
    };
    let margin = room * outlook.steps * outlook.steps * share;
    bounds.widened(margin * bounds.size())
}

/// The smallest of the first three lanes.
#[inline(always)]
fn smallest<S: Simd>(lanes: f32x4<S>) -> f32 {
    -largest(-lanes)
}

/// The largest of the first three lanes.
#[inline(always)]
fn largest<S: Simd>(lanes: f32x4<S>) -> f32 {
    let largest = lanes
        .max(lanes.slide::<1>(lanes))
        .max(lanes.slide::<2>(lanes));
    let [first, ..]: [f32; 4] = largest.into();
    first
}
