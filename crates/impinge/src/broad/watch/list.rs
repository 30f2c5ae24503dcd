//! The pairs that are watched, and which of them overlap.
//!
//! Bodies are known by their seats here. The list is cut into segments by the smaller seat of a pair, always at the same places. Segments know nothing of each other:
//! several threads may look at one each, and what comes out is the same. Within a segment pairs are in no order; the few
//! that begin or end in a frame are sorted when they are known, and as segments are in order, so is what they say one
//! after the other.

use super::super::Boxes;
use super::bits::Bits;
use super::left::Left;
use super::next::Next;
use super::segment::{Look, Segment, Step, places, word_of};
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// For so many smaller seats there is a segment: their boxes are in the nearest cache while it is looked at.
const SEGMENT: usize = 1 << 10;

/// With more segments than this, several threads take some.
const FEW: usize = 16;

/// How many segments a thread takes at a time, at most: the first ones have the most pairs, as they have the smaller seats.
#[cfg(feature = "parallel")]
const SHARE: usize = 8;

/// The watched pairs, and what the last look found.
#[derive(Debug, Clone, Default)]
pub(super) struct WatchList {
    segments: Vec<Segment>,
    /// Boxes compared since the list was made.
    tests: u64,
}

/// What a look comes to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Looked {
    /// Boxes compared.
    pub(super) tests: u64,
    /// Pairs that are in the list now.
    pub(super) pairs: usize,
    /// Pairs that began or ended.
    pub(super) changes: usize,
}

impl WatchList {
    /// Makes room for pairs of seats below `len`.
    pub(super) fn resize(&mut self, len: usize) {
        if self.segments.len() < len.div_ceil(SEGMENT) {
            self.segments
                .resize_with(len.div_ceil(SEGMENT), Segment::default);
        }
    }

    /// Forgets all pairs, and gives their memory back.
    pub(super) fn retire(&mut self) {
        self.segments.fill_with(Segment::default);
    }

    /// All pairs as words, in an order of no meaning.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let segments = self.segments.iter();
        segments.flat_map(|segment| segment.pairs().iter().copied())
    }

    /// The keys of the pairs that began to overlap, sorted.
    pub(super) fn began(&self) -> impl Iterator<Item = u64> {
        let segments = self.segments.iter();
        segments.flat_map(|segment| segment.began().iter().copied())
    }

    /// The keys of the pairs that ended, sorted.
    pub(super) fn ended(&self) -> impl Iterator<Item = u64> {
        let segments = self.segments.iter();
        segments.flat_map(|segment| segment.ended().iter().copied())
    }

    /// Boxes compared since the list was made.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }

    /// Forgets what the last look found.
    pub(super) fn begin_look(&mut self) {
        for segment in &mut self.segments {
            segment.begin_look();
        }
    }

    /// What a look comes to, at its end.
    pub(super) fn end_look(&mut self) -> Looked {
        let mut looked = Looked::default();
        for segment in &self.segments {
            looked.tests += segment.tests();
            looked.pairs += segment.pairs().len();
            looked.changes += segment.began().len() + segment.ended().len();
        }
        self.tests += looked.tests;
        looked
    }

    /// Ends the pairs of bodies that are not the ones of the last look; they are among those that left.
    pub(super) fn forget_unsettled(&mut self, boxes: &Boxes, left: &Left) {
        for segment in &mut self.segments {
            segment.forget_unsettled(boxes, left);
        }
    }

    /// Looks at the pairs of bodies that moved. From behind: the larger seat of a pair was in use a short while ago, if seats are by
    /// the order in space.
    #[inline(always)]
    pub(super) fn look<S: Simd>(&mut self, simd: S, look: Look<'_>, left: &Left) {
        #[cfg(feature = "parallel")]
        if self.segments.len() > FEW && crate::sharing::is_shared() {
            let segments = self.segments.par_iter_mut().with_max_len(SHARE);
            segments.for_each(|segment| {
                in_lanes!(simd => segment.look(simd, look, left));
            });
            return;
        }
        for segment in self.segments.iter_mut().rev() {
            segment.look(simd, look, left);
        }
    }

    /// Whether there are too few pairs to share them out.
    pub(super) fn is_short(&self) -> bool {
        self.segments.len() <= FEW
    }

    /// All of a look at the pairs of few bodies that moved, none of which left its wide box; what it comes to.
    #[inline(always)]
    pub(super) fn glance<S: Simd>(&mut self, simd: S, boxes: &Boxes, moved: &Bits) -> Looked {
        for segment in &mut self.segments {
            segment.glance(simd, boxes, moved);
        }
        self.end_look()
    }

    /// Looks at the pairs of bodies that moved, and replaces those of bodies that left their wide boxes by those that were handed out, or
    /// does one of the two. Seats are those of neighbours, or not.
    #[inline(always)]
    pub(super) fn renew<S: Simd>(
        &mut self,
        simd: S,
        look: Look<'_>,
        are_neighbours: bool,
        left: &Left,
        step: Step,
    ) {
        #[cfg(feature = "parallel")]
        if self.segments.len() > FEW && crate::sharing::is_shared() {
            let segments = self.segments.par_iter_mut().with_max_len(SHARE);
            segments.for_each(|segment| {
                in_lanes!(simd => segment.renew(simd, look, left, None, step));
            });
            return;
        }
        for number in (0..self.segments.len()).rev() {
            let (later, rest) = self.segments.split_at_mut(number);
            if let Some(segment) = rest.first_mut() {
                let next = later.last().filter(|_| are_neighbours);
                let next = next.and_then(|next| next_of(next, look.boxes, number - 1));
                segment.renew(simd, look, left, next, step);
            }
        }
    }

    /// Replaces all pairs by those found: everyone left its wide box. Where boxes are given, they are looked at; otherwise their
    /// bits are known to be right.
    #[inline(always)]
    pub(super) fn replace<S: Simd>(
        &mut self,
        simd: S,
        boxes: Option<&Boxes>,
        found: &mut Vec<u64>,
    ) {
        self.hand_out(found);
        for segment in &mut self.segments {
            segment.replace(simd, boxes);
        }
    }

    /// Takes over a pair, given as a word, as it was at the last look.
    pub(super) fn adopt(&mut self, word: u64) {
        self.segments[places(word)[0] / SEGMENT].adopt(word);
    }

    /// Moves the pairs of seats that pass a test to another list.
    pub(super) fn take_out(&mut self, test: impl Fn([usize; 2]) -> bool, out: &mut Vec<u64>) {
        for segment in &mut self.segments {
            segment.take_out(&test, out);
        }
    }

    /// Keeps the pairs of seats that pass a test, which those that overlap must.
    pub(super) fn keep(&mut self, mut test: impl FnMut([u32; 2]) -> bool) {
        for segment in &mut self.segments {
            segment.keep(&mut test);
        }
    }

    /// Gives all bodies other seats: by seat, the new one. What the last look found is forgotten.
    pub(super) fn renumber(&mut self, targets: &[u32]) {
        let mut words: Vec<u64> = self.words().collect();
        self.segments.iter_mut().for_each(Segment::clear);
        for word in &mut words {
            let [a, b] = places(*word).map(|place| targets[place]);
            *word = word_of(a, b) | *word & 1;
        }
        words.into_iter().for_each(|word| self.adopt(word));
        self.segments.iter_mut().for_each(Segment::sort_from_behind);
    }

    /// Gives every pair of a list, none of which has its bit set, to its segment; the list is then of no use.
    pub(super) fn hand_out(&mut self, found: &mut Vec<u64>) {
        if let [only] = &mut self.segments[..] {
            only.find_all(found);
            return;
        }
        for word in found {
            self.segments[places(*word)[0] / SEGMENT].find(*word);
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let bytes: usize = self.segments.iter().map(Segment::bytes).sum();
        self.segments.capacity() * size_of::<Segment>() + bytes
    }

    /// Panics unless each pair is in its segment.
    pub(super) fn validate(&self) {
        for (number, segment) in self.segments.iter().enumerate() {
            let mut firsts = segment.pairs().iter().map(|word| places(*word)[0]);
            assert!(firsts.all(|a| a / SEGMENT == number), "in their segments");
        }
    }

    /// How many segments there is something to ask for ahead of, and how many others.
    #[cfg(test)]
    pub(super) fn dense_and_sparse(&self, boxes: &Boxes) -> [usize; 2] {
        let segments = self.segments.iter().enumerate();
        let dense = segments.filter(|(number, next)| next_of(next, boxes, *number).is_some());
        let dense = dense.count();
        [dense, self.segments.len() - dense]
    }
}

/// What to ask for ahead of a segment, given its number.
fn next_of<'w>(segment: &'w Segment, boxes: &'w Boxes, number: usize) -> Option<Next<'w>> {
    let first = number * SEGMENT;
    Next::new(segment, boxes, first..first + SEGMENT)
}
