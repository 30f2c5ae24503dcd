//! Stage 2: poses to boxes, and into the broad phase.
//!
//! Unless bodies are crowded, a fixed cube costs less than a tight box: its ball was placed with the body, and of the pairs that it lets
//! through balls leave fewer than there are pairs of tight boxes. Pairs for each body are counted in every update; a
//! world that is only asked which bodies intersect takes cubes for compact bodies while there are few. For most bodies the change of boxes
//! multiplies pairs by less than three, and the two bounds are so far apart that it does not turn it back. For the least compact ones it may
//! be eight; a world that was turned back waits until there are so few.

use super::bodies::{Bodies, MovedBodies};
use super::threads::Threads;
use super::{Compute, WorldOptions};
use crate::body::BodyId;
use crate::broad::{Box32, BroadPhase};
use crate::lanes::in_lanes;
use fearless_simd::Simd;

/// With fewer pairs of tight boxes a body, bodies are sparse.
const SPARSE: f64 = 1.2;

/// With more pairs of cubes a body, they no longer are.
const DENSE: f64 = 3.6;

/// With fewer pairs of tight boxes a body, they are sparse again.
const SPARSE_AGAIN: f64 = DENSE / 8.0;

/// The boxes of bodies that moved.
#[derive(Debug)]
pub(super) struct BoxStage {
    /// Boxes are grown by this, so that bodies within the margin of each other have boxes that overlap.
    room: f64,
    /// Whether bodies may get cubes while they are sparse.
    may_be_fixed: bool,
    are_sparse: bool,
    /// With fewer pairs of tight boxes a body than this.
    sparse_below: f64,
    /// Of bodies that the broad phase knows.
    known: Vec<(BodyId, Box32)>,
    /// What else one thread after the other, or several side by side, have found.
    parts: Vec<Part>,
}

/// What fitting some bodies gave, beside the boxes of those that the broad phase knows.
#[derive(Debug, Default)]
struct Part {
    /// How many those are.
    known: usize,
    /// Bodies that it does not know yet.
    new: Vec<(BodyId, Box32)>,
}

/// How many bodies a thread takes at a time.
const PART: usize = 2048;

impl BoxStage {
    pub(super) fn new(options: &WorldOptions) -> BoxStage {
        BoxStage {
            room: options.room(),
            // Distances and depths of more pairs would cost more than cubes save.
            may_be_fixed: options.compute == Compute::Intersects,
            are_sparse: false,
            sparse_below: SPARSE,
            known: Vec::new(),
            parts: vec![Part::default()],
        }
    }

    /// Takes note of how many pairs of boxes overlap among so many bodies.
    pub(super) fn note_pairs(&mut self, pairs: usize, bodies: usize) {
        let were_sparse = self.are_sparse;
        let bound = if were_sparse {
            DENSE
        } else {
            self.sparse_below
        };
        self.are_sparse = self.may_be_fixed && (pairs as f64) < bound * bodies as f64;
        if were_sparse && !self.are_sparse {
            self.sparse_below = SPARSE_AGAIN;
        }
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
        broad.update_many(&self.known).expect(once);
        let mut count = self.known.len();
        for (body, bounds) in self.parts.iter_mut().flat_map(|part| part.new.drain(..)) {
            broad.insert(body, bounds).expect(once);
            bodies.note_boxed(body);
            count += 1;
        }
        count
    }

    /// Fits the boxes of all bodies that came or moved.
    fn fit_all(&mut self, bodies: MovedBodies<'_>, threads: &Threads) {
        // Places are written, or cut off again. Mostly as many bodies move as before, and none is filled here.
        let filler = (BodyId::FIRST, Box32::default());
        self.known.resize(bodies.len(), filler);
        let (room, are_sparse) = (self.room, self.are_sparse);
        let fit = |bodies: MovedBodies<'_>, known: &mut [_], part: &mut Part| {
            in_lanes!(simd => part.fit(simd, bodies, known, room, are_sparse));
        };
        if threads.are_many() {
            let bodies = bodies.parts(PART);
            let size = bodies.first().map_or(0, MovedBodies::len);
            let count = bodies.len();
            self.parts
                .resize_with(count.max(self.parts.len()), Part::default);
            let places = self.known.chunks_mut(size.max(1)).zip(&mut self.parts);
            threads.for_each(bodies.into_iter().zip(places), |(bodies, (known, part))| {
                fit(bodies, known, part);
            });
            self.close_gaps(size, count);
        } else {
            fit(bodies, &mut self.known, &mut self.parts[0]);
            self.known.truncate(self.parts[0].known);
        }
    }

    /// Moves the boxes of so many parts together, of which each had a number of places.
    fn close_gaps(&mut self, size: usize, count: usize) {
        let mut end = 0;
        for (number, part) in self.parts[..count].iter().enumerate() {
            let begin = number * size;
            if begin > end {
                self.known.copy_within(begin..begin + part.known, end);
            }
            end += part.known;
        }
        self.known.truncate(end);
    }
}

impl Part {
    #[inline(always)]
    fn fit<S: Simd>(
        &mut self,
        simd: S,
        bodies: MovedBodies<'_>,
        known: &mut [(BodyId, Box32)],
        room: f64,
        are_sparse: bool,
    ) {
        self.known = 0;
        bodies.for_each(
            are_sparse,
            #[inline(always)]
            |moved| {
                let of = (moved.body, moved.is_boxed);
                if let Some(cube) = moved.cube {
                    self.take(of, cube, known);
                } else if let Some(shape) = moved.shape {
                    moved.tracked.fit_rounded(
                        simd,
                        shape,
                        moved.pose,
                        room,
                        #[inline(always)]
                        |bounds| self.take(of, bounds, known),
                    );
                }
            },
        );
    }

    /// Takes the box of a body that the broad phase knows or not.
    #[inline(always)]
    fn take(
        &mut self,
        (body, is_boxed): (BodyId, bool),
        bounds: Box32,
        known: &mut [(BodyId, Box32)],
    ) {
        if is_boxed {
            known[self.known] = (body, bounds);
            self.known += 1;
        } else {
            self.new.push((body, bounds));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_that_were_too_many_are_not_tried_again_soon() {
        let mut stage = BoxStage::new(&WorldOptions {
            compute: Compute::Intersects,
            ..WorldOptions::default()
        });
        let mut seen = |pairs: usize| {
            stage.note_pairs(pairs, 100);
            stage.are_sparse
        };
        // Tight boxes, cubes, and tight boxes again.
        assert!(!seen(130) && seen(110) && seen(350) && !seen(370));
        assert!(!seen(110) && !seen(50) && seen(40) && seen(320));
    }

    #[test]
    fn who_asks_for_more_gets_no_cubes() {
        let mut stage = BoxStage::new(&WorldOptions {
            compute: Compute::Distances,
            ..WorldOptions::default()
        });
        stage.note_pairs(0, 100);
        assert!(!stage.are_sparse);
    }
}
