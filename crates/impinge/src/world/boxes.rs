//! Stage 2: poses to boxes, and into the broad phase.
//!
//! Where few bodies are near each other, a fixed cube costs less than a tight box: it is placed in a tenth of the time, and the
//! pairs that it lets through are soon told apart. Pairs for each body are counted in every update; a world that is only asked
//! which bodies intersect takes cubes for compact bodies while there are few. The two bounds are so far apart that the change of boxes,
//! which multiplies pairs by less than three, does not turn it back.

use super::bodies::{Bodies, MovedBodies};
use super::threads::Threads;
use super::{Compute, WorldOptions};
use crate::body::BodyId;
use crate::broad::{Box32, BroadPhase};
use fearless_simd::{Level, Simd, dispatch};

/// With fewer pairs of tight boxes a body, bodies are sparse.
const SPARSE: f64 = 0.2;

/// With more pairs of cubes a body, they no longer are.
const DENSE: f64 = 0.6;

/// The boxes of bodies that moved.
#[derive(Debug)]
pub(super) struct BoxStage {
    /// Boxes are grown by this, so that bodies within the margin of each other have boxes that overlap.
    room: f64,
    /// Whether bodies may get cubes while they are sparse.
    may_be_fixed: bool,
    are_sparse: bool,
    all: Fitted,
    /// What threads fit side by side.
    parts: Vec<Fitted>,
}

/// The boxes of some bodies.
#[derive(Debug, Default)]
struct Fitted {
    /// Of bodies that the broad phase knows.
    moved: Vec<(BodyId, Box32)>,
    /// Of bodies that it does not know yet.
    new: Vec<(BodyId, Box32)>,
}

/// How many bodies a thread takes at a time.
const PART: usize = 2048;

impl BoxStage {
    pub(super) fn new(options: &WorldOptions) -> BoxStage {
        BoxStage {
            room: if options.margin.is_finite() {
                0.5 * options.margin
            } else {
                0.0
            },
            // Distances and depths of more pairs would cost more than cubes save.
            may_be_fixed: options.compute == Compute::Intersects,
            are_sparse: false,
            all: Fitted::default(),
            parts: Vec::new(),
        }
    }

    /// Takes note of how many pairs of boxes overlap among so many bodies.
    pub(super) fn note_pairs(&mut self, pairs: usize, bodies: usize) {
        let bound = if self.are_sparse { DENSE } else { SPARSE };
        self.are_sparse = self.may_be_fixed && (pairs as f64) < bound * bodies as f64;
    }

    /// Tells the broad phase who went, who moved and who came; how many came or moved.
    pub(super) fn update(
        &mut self,
        bodies: &mut Bodies,
        threads: &Threads,
        broad: &mut dyn BroadPhase,
    ) -> usize {
        for body in bodies.take_removed() {
            broad.remove(body).expect("it was inserted here before");
        }
        self.fit_all(bodies.all_moved(), threads);
        let once = "each body is here once";
        let Fitted { moved, new } = &self.all;
        broad.update_many(moved).expect(once);
        for (body, bounds) in new {
            broad.insert(*body, *bounds).expect(once);
            bodies.note_boxed(*body);
        }
        moved.len() + new.len()
    }

    /// Fits the boxes of all bodies that came or moved.
    fn fit_all(&mut self, bodies: MovedBodies<'_>, threads: &Threads) {
        self.all.clear();
        let (room, are_sparse) = (self.room, self.are_sparse);
        let fit = |bodies: MovedBodies<'_>, fitted: &mut Fitted| {
            dispatch!(Level::new(), simd => fitted.fit(simd, bodies, room, are_sparse));
        };
        if !threads.are_many() {
            fit(bodies, &mut self.all);
            return;
        }
        let bodies = bodies.parts(PART);
        let count = bodies.len();
        self.parts
            .resize_with(count.max(self.parts.len()), Fitted::default);
        threads.for_each(
            bodies.into_iter().zip(&mut self.parts),
            |(bodies, fitted)| {
                fitted.clear();
                fit(bodies, fitted);
            },
        );
        for part in &mut self.parts[..count] {
            self.all.moved.append(&mut part.moved);
            self.all.new.append(&mut part.new);
        }
    }
}

impl Fitted {
    fn clear(&mut self) {
        self.moved.clear();
        self.new.clear();
    }

    #[inline(always)]
    fn fit<S: Simd>(&mut self, simd: S, bodies: MovedBodies<'_>, room: f64, are_sparse: bool) {
        bodies.for_each(
            #[inline(always)]
            |moved| {
                let list = if moved.is_boxed {
                    &mut self.moved
                } else {
                    &mut self.new
                };
                moved.tracked.fit_rounded(
                    simd,
                    moved.shape,
                    moved.pose,
                    room,
                    are_sparse,
                    #[inline(always)]
                    |bounds| list.push((moved.body, bounds)),
                );
            },
        );
    }
}
