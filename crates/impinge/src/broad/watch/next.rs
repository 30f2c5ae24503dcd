//! The memory of the segment that is looked at next, asked for while this one is looked at.
//!
//! With very many bodies nothing of a segment is in a near cache when its turn comes: neither its pairs, nor the boxes of its seats, nor the
//! short lists of what changes. Where bodies sit in the order of the tree, all of that is known before and lies in a few pieces, and
//! the larger seats of its pairs were in use a short while ago. So it is asked for piece by piece, as many pieces at a time as
//! looking at pairs leaves time for, and no pair has to ask for its own boxes.

use super::super::{Box32, Boxes};
use super::segment::Segment;
use crate::ahead;
use std::ops::Range;

/// How many words there are in a line of memory, and how many boxes at least.
const WORDS: usize = 8;
const BOXES: usize = 2;

/// How many lines of each list are asked for.
const LINES: usize = 4;

/// The segment that is looked at next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Next<'w> {
    segment: &'w Segment,
    /// The boxes of its seats.
    bounds: &'w [Box32],
    /// How many of its pairs, and of its boxes, are asked for while so many pairs are looked at as are in a line.
    pairs_each: usize,
    bounds_each: usize,
}

impl<'w> Next<'w> {
    /// A segment and its seats, which are those of neighbours; `None` where they have too few pairs for all boxes to be of use.
    pub(super) fn new(
        segment: &'w Segment,
        boxes: &'w Boxes,
        seats: Range<usize>,
    ) -> Option<Next<'w>> {
        let bounds = boxes.slice().get(seats)?;
        let is_dense = segment.pairs().len() >= bounds.len();
        is_dense.then_some(Next {
            segment,
            bounds,
            pairs_each: 0,
            bounds_each: 0,
        })
    }

    /// The same, spread over so many pairs of the segment that is looked at; asks for the lists.
    #[inline(always)]
    pub(super) fn beside(self, pairs: usize) -> Next<'w> {
        for list in self.segment.lists() {
            for line in 0..LINES {
                ahead::fetch_line(list, line * WORDS);
            }
        }
        let steps = (pairs / WORDS).max(1);
        Next {
            pairs_each: self.segment.pairs().len().div_ceil(steps),
            bounds_each: self.bounds.len().div_ceil(steps),
            ..self
        }
    }

    /// Asks for what comes next while pairs at some places are looked at, of which the first one begins a line.
    #[inline(always)]
    pub(super) fn fetch(&self, places: Range<usize>) {
        for step in places.start / WORDS..places.end / WORDS {
            self.fetch_step(step);
        }
    }

    #[inline(always)]
    fn fetch_step(&self, step: usize) {
        for pair in (0..self.pairs_each).step_by(WORDS) {
            ahead::fetch_line(self.segment.pairs(), step * self.pairs_each + pair);
        }
        for bounds in (0..self.bounds_each).step_by(BOXES) {
            ahead::fetch_line(self.bounds, step * self.bounds_each + bounds);
        }
    }
}
