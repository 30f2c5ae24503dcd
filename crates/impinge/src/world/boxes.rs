//! Stage 2: poses to boxes, and into the broad phase.
//!
//! Unless bodies are crowded, a fixed cube costs less than a tight box: its ball was placed with the body, and of the pairs that it lets
//! through balls leave fewer than there are pairs of tight boxes. Pairs for each body are counted in every update; a
//! world that is only asked which bodies intersect takes cubes for compact bodies while there are few. For most bodies the change of boxes
//! multiplies pairs by less than three, and the two bounds are so far apart that it does not turn it back. For the least compact ones it may
//! be eight; a world that was turned back waits until there are so few.
//!
//! Half of the pairs of cubes are pairs whose balls are apart. Where there are some, the broad phase is told which boxes are cubes, so
//! that it may leave those pairs out.

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

/// With more pairs of boxes a body, it pays to compare balls in place of cubes.
const CROWDED: f64 = 0.6;

/// So many times as many pairs of cubes overlap as pairs of the balls in them, less one.
const MORE_CUBES: f64 = 0.9;

/// The boxes of bodies that moved.
#[derive(Debug)]
pub(super) struct BoxStage {
    /// Boxes are grown by this, so that bodies within the margin of each other have boxes that overlap.
    room: f64,
    /// Whether bodies may get cubes while they are sparse.
    may_be_fixed: bool,
    are_sparse: bool,
    /// Whether the broad phase is told which boxes are cubes about balls, so that it may leave out pairs whose balls are apart. Without an
    /// end to the margin these are contacts, too.
    tells_round: bool,
    /// Whether there are so many pairs that this pays.
    are_crowded: bool,
    /// How many bodies it leaves out such pairs of.
    round_count: usize,
    /// With fewer pairs of tight boxes a body than this.
    sparse_below: f64,
    /// Of bodies that the broad phase knows.
    known: Vec<(BodyId, Box32)>,
    /// Of all bodies, by index, where all moved at once and cubes were made on the way.
    all: Vec<Box32>,
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
    /// Bodies whose boxes have become cubes, or are none any more.
    turned: Vec<(BodyId, bool)>,
    /// Where all bodies moved at once, and cubes were made on the way: the indices of those that have none.
    others: Vec<u32>,
}

/// Where the cubes of a range of bodies go, as these are moved, while bodies are sparse.
#[derive(Debug)]
pub(super) struct Cubes<'b> {
    /// The index of the first.
    pub(super) first: u32,
    /// A place for each.
    pub(super) boxes: &'b mut [Box32],
    /// For the indices of those that have no cube.
    pub(super) others: &'b mut Vec<u32>,
    /// Whether the broad phase is to know which boxes are cubes.
    pub(super) tells_round: bool,
}

/// What boxes are wanted.
#[derive(Debug, Clone, Copy)]
struct Wants {
    room: f64,
    are_sparse: bool,
    tells_round: bool,
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
            tells_round: options.margin.is_finite(),
            are_crowded: false,
            round_count: 0,
            sparse_below: SPARSE,
            known: Vec::new(),
            all: Vec::new(),
            parts: vec![Part::default()],
        }
    }

    /// Takes note of how many pairs overlap among so many bodies: of boxes, or of the balls of those that are round.
    pub(super) fn note_pairs(&mut self, pairs: usize, bodies: usize) {
        let share = self.round_count as f64 / bodies.max(1) as f64;
        let pairs = pairs as f64 * (1.0 + MORE_CUBES * share * share);
        let crowded_above = if self.are_crowded {
            0.5 * CROWDED
        } else {
            CROWDED
        };
        self.are_crowded = pairs > crowded_above * bodies as f64;
        let were_sparse = self.are_sparse;
        let bound = if were_sparse {
            DENSE
        } else {
            self.sparse_below
        };
        self.are_sparse = self.may_be_fixed && pairs < bound * bodies as f64;
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
        for (body, was_round) in bodies.take_removed() {
            self.round_count -= usize::from(was_round);
            broad.remove(body).expect("it was inserted here before");
        }
        let once = "each body is here once";
        if bodies.take_boxed() && self.are_others_few() {
            self.fit_others(bodies.all_moved());
            broad.update_all(&self.all).expect(once);
            return self.all.len();
        }
        self.fit_all(bodies.all_moved(), threads);
        self.tell_round(bodies, broad);
        broad.update_many(&self.known).expect(once);
        let mut count = self.known.len();
        for (body, bounds) in self.parts.iter_mut().flat_map(|part| part.new.drain(..)) {
            broad.insert(body, bounds).expect(once);
            bodies.note_boxed(body);
            count += 1;
        }
        count
    }

    /// Tells the broad phase which boxes have become cubes, or are none any more, of bodies that it knows.
    fn tell_round(&mut self, bodies: &mut Bodies, broad: &mut dyn BroadPhase) {
        for (body, is_round) in self.parts.iter_mut().flat_map(|part| part.turned.drain(..)) {
            if (broad.set_round(body, is_round)).expect("it was inserted here before") {
                bodies.note_round(body, is_round);
                self.round_count += usize::from(is_round);
                self.round_count -= usize::from(!is_round);
            } else {
                // It makes no use of it.
                self.tells_round = false;
            }
        }
    }

    fn wants(&self) -> Wants {
        Wants {
            room: self.room,
            are_sparse: self.are_sparse,
            tells_round: self.tells_round && self.are_crowded,
        }
    }

    /// Places for the cubes of all of so many bodies, in parts of that size; none while it is not known to be worth while.
    pub(super) fn cubes(
        &mut self,
        count: usize,
        size: usize,
    ) -> impl Iterator<Item = Cubes<'_>> + Send {
        let wants = self.wants();
        let count = if wants.are_sparse { count } else { 0 };
        if count > 0 {
            self.all.resize(count, Box32::default());
        }
        let parts = count.div_ceil(size).max(self.parts.len());
        self.parts.resize_with(parts, Part::default);
        for part in &mut self.parts {
            part.others.clear();
        }
        let boxes = self.all[..count].chunks_mut(size);
        let places = boxes.zip(&mut self.parts);
        places
            .enumerate()
            .map(move |(number, (boxes, part))| Cubes {
                first: (number * size) as u32,
                boxes,
                others: &mut part.others,
                tells_round: wants.tells_round,
            })
    }

    /// Whether few bodies have no cube; many of them are better fitted in parts.
    fn are_others_few(&self) -> bool {
        let others: usize = self.parts.iter().map(|part| part.others.len()).sum();
        others * 4 < self.all.len()
    }

    /// Fits the boxes of those that have no cube, where all others were made when bodies moved.
    fn fit_others(&mut self, mut bodies: MovedBodies<'_>) {
        let wants = self.wants();
        let all = &mut self.all;
        for part in &self.parts {
            in_lanes!(simd => bodies.some(&part.others).for_each(
                wants.are_sparse,
                #[inline(always)]
                |moved| {
                    let place = &mut all[moved.body.index() as usize];
                    if let Some(shape) = moved.shape {
                        moved.tracked.fit_rounded(
                            simd,
                            shape,
                            moved.pose,
                            wants.room,
                            #[inline(always)]
                            |bounds| *place = bounds,
                        );
                    }
                },
            ));
        }
    }

    /// Fits the boxes of all bodies that came or moved.
    fn fit_all(&mut self, bodies: MovedBodies<'_>, threads: &Threads) {
        // Places are written, or cut off again. Mostly as many bodies move as before, and none is filled here.
        let filler = (BodyId::FIRST, Box32::default());
        self.known.resize(bodies.len(), filler);
        let wants = self.wants();
        let fit = |bodies: MovedBodies<'_>, known: &mut [_], part: &mut Part| {
            in_lanes!(simd => part.fit(simd, bodies, known, wants));
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
        mut bodies: MovedBodies<'_>,
        known: &mut [(BodyId, Box32)],
        wants: Wants,
    ) {
        self.known = 0;
        let (room, tells_round) = (wants.room, wants.tells_round);
        let mut have_turned = false;
        bodies.for_each(
            wants.are_sparse,
            #[inline(always)]
            |moved| {
                let is_round = moved.cube.is_some() & tells_round;
                have_turned |= is_round != moved.is_round;
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
        if have_turned {
            self.note_turned(bodies, wants);
        }
    }

    /// Notes bodies that the broad phase knows and whose boxes have become cubes, or are none any more.
    #[cold]
    fn note_turned(&mut self, mut bodies: MovedBodies<'_>, wants: Wants) {
        bodies.for_each(wants.are_sparse, |moved| {
            let is_round = moved.cube.is_some() & wants.tells_round;
            if moved.is_boxed & (is_round != moved.is_round) {
                self.turned.push((moved.body, is_round));
            }
        });
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
