//! Stage 2: poses to boxes, and into the broad phase.

use super::WorldOptions;
use super::bodies::Bodies;
use crate::body::BodyId;
use crate::broad::{Box32, BroadPhase};
use fearless_simd::{Level, Simd, dispatch};

/// The boxes of bodies that moved.
#[derive(Debug)]
pub(super) struct BoxStage {
    /// Boxes are grown by this, so that bodies within the margin of each other have boxes that overlap.
    room: f64,
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
            moved: Vec::new(),
            new: Vec::new(),
        }
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
        let room = self.room;
        bodies.for_each_moved(
            #[inline(always)]
            |moved| {
                let list = if moved.is_boxed {
                    &mut self.moved
                } else {
                    &mut self.new
                };
                moved.tracked.fit(
                    simd,
                    moved.shape,
                    moved.pose,
                    room,
                    #[inline(always)]
                    |bounds| list.push((moved.body, Box32::around_sound(simd, &bounds))),
                );
            },
        );
    }
}
