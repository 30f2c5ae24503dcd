//! Stage 2: poses to boxes, and into the broad phase.
//!
//! Where few bodies are near each other, a fixed cube costs less than a tight box: it is placed in a tenth of the time, and the
//! pairs that it lets through are soon told apart. Pairs for each body are counted in every update; a world that is only asked
//! which bodies intersect takes cubes for compact bodies while there are few. The two bounds are so far apart that the change of boxes,
//! which multiplies pairs by less than three, does not turn it back.

use super::bodies::Bodies;
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
    /// The boxes of bodies that the broad phase knows.
    moved: Vec<(BodyId, Box32)>,
    /// The boxes of bodies that it does not know yet.
    new: Vec<(BodyId, Box32)>,
}

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
            moved: Vec::new(),
            new: Vec::new(),
        }
    }

    /// Takes note of how many pairs of boxes overlap among so many bodies.
    pub(super) fn note_pairs(&mut self, pairs: usize, bodies: usize) {
        let bound = if self.are_sparse { DENSE } else { SPARSE };
        self.are_sparse = self.may_be_fixed && (pairs as f64) < bound * bodies as f64;
    }

    /// Tells the broad phase who went, who moved and who came; how many came or moved.
    pub(super) fn update(&mut self, bodies: &mut Bodies, broad: &mut dyn BroadPhase) -> usize {
        for body in bodies.take_removed() {
            broad.remove(body).expect("it was inserted here before");
        }
        self.moved.clear();
        self.new.clear();
        dispatch!(Level::new(), simd => self.fit(simd, bodies));
        let boxes = "each body is here once";
        broad.update_many(&self.moved).expect(boxes);
        for (body, bounds) in &self.new {
            broad.insert(*body, *bounds).expect(boxes);
            bodies.note_boxed(*body);
        }
        self.moved.len() + self.new.len()
    }

    #[inline(always)]
    fn fit<S: Simd>(&mut self, simd: S, bodies: &mut Bodies) {
        let (room, are_sparse) = (self.room, self.are_sparse);
        bodies.for_each_moved(
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
