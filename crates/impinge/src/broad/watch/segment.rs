//! The watched pairs of bodies in some range of seats.
//!
//! A pair is a word: the smaller seat, the larger one, and in the lowest bit whether the boxes overlapped at the last
//! look. Seats are below 2^31, so the bit is free, and words are in the order of pairs.

use super::super::changes::{indices_of, key_of};
use super::super::{Box32, Boxes};
use super::bits::Bits;
use super::block::{BLOCK, look_at, may_meet};
use super::left::Left;
use super::next::Next;
use crate::ahead;
use crate::math::Ball32;
use fearless_simd::Simd;
use std::ops::Range;

/// How many pairs ahead boxes are asked for.
const AHEAD: usize = 24;

/// So many boxes, or more, are not all in a near cache.
pub(super) const MANY_BOXES: usize = 1 << 13;

/// So many balls, or more, are not.
const MANY_BALLS: usize = 1 << 15;

/// The pairs, in an order of no meaning, and what the last look found.
#[derive(Debug, Clone, Default)]
pub(super) struct Segment {
    pairs: Vec<u64>,
    /// Pairs that were found, to be taken in.
    found: Vec<u64>,
    /// Pairs that overlapped, of bodies whose pairs are searched anew.
    parted: Vec<u64>,
    /// The places of those, and of others of such bodies.
    holes: Vec<u32>,
    /// Pairs that were found and overlap.
    met: Vec<u64>,
    changes: Changes,
    /// Boxes compared in this look.
    tests: u64,
}

/// What a look found: keys of pairs that began to overlap, and of those that ended.
#[derive(Debug, Clone, Default)]
struct Changes {
    began: Vec<u64>,
    ended: Vec<u64>,
}

/// What a look is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'w> {
    pub(super) boxes: &'w Boxes,
    /// The bodies that moved; `None` when many did, and pairs are all looked at.
    pub(super) moved: Option<&'w Bits>,
}

/// What is done with a segment when bodies left their wide boxes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// Pairs are looked at, and those of such bodies are noted.
    Part,
    /// These are replaced by those found.
    TakeIn,
    /// Both, one after the other.
    Both,
}

/// Where a pair is in vectors over bodies.
#[inline(always)]
pub(super) fn places(word: u64) -> [usize; 2] {
    [(word >> 33) as usize, (word as u32 >> 1) as usize]
}

/// The word of a pair of different bodies that do not overlap.
#[inline(always)]
pub(super) fn word_of(one: u32, other: u32) -> u64 {
    u64::from(one.min(other)) << 33 | u64::from(one.max(other)) << 1
}

/// The word of a pair, given by its key, that overlaps.
pub(super) fn overlapping_word(key: u64) -> u64 {
    let [a, b] = indices_of(key);
    word_of(a, b) | 1
}

/// The key of a word.
pub(super) fn key(word: u64) -> u64 {
    let [a, b] = places(word);
    key_of(a as u32, b as u32)
}

/// What pairs are compared by, to be asked for where it is not near.
#[derive(Debug, Clone, Copy)]
pub(super) enum Far<'w> {
    Nothing,
    Boxes(&'w [Box32]),
    Balls(&'w [Ball32]),
}

impl<'w> Far<'w> {
    fn of(boxes: &'w Boxes) -> Far<'w> {
        match (boxes.slice(), boxes.balls_of_most()) {
            (_, Some(balls)) if balls.len() >= MANY_BALLS => Far::Balls(balls),
            (bounds, None) if bounds.len() >= MANY_BOXES => Far::Boxes(bounds),
            _ => Far::Nothing,
        }
    }

    /// Asks for what the pairs at some places are compared by, as far as there are any.
    #[inline(always)]
    pub(super) fn fetch_all(self, words: &[u64], places: Range<usize>) {
        if !matches!(self, Far::Nothing) {
            places.for_each(|place| self.fetch(words, place));
        }
    }

    /// Asks for what the pair at a place is compared by, if there is one.
    #[inline(always)]
    pub(super) fn fetch(self, words: &[u64], place: usize) {
        let Some([a, b]) = words.get(place).map(|word| places(*word)) else {
            return;
        };
        match self {
            Far::Nothing => (),
            Far::Boxes(bounds) => {
                ahead::fetch(bounds, a);
                ahead::fetch(bounds, b);
            }
            Far::Balls(balls) => {
                ahead::fetch_line(balls, a);
                ahead::fetch_line(balls, b);
            }
        }
    }
}

/// The word of a pair as its boxes are now.
#[inline(always)]
fn looked_at<S: Simd>(simd: S, boxes: &Boxes, word: u64) -> u64 {
    word & !1 | u64::from(boxes.may_meet(simd, places(word)))
}

/// The words of pairs that overlap.
fn overlapping(words: &[u64]) -> impl Iterator<Item = u64> {
    words.iter().copied().filter(|word| word & 1 == 1)
}

/// Adds a word to a list: rare, and out of the way of loops over many pairs.
#[cold]
#[inline(never)]
fn note(list: &mut Vec<u64>, word: u64) {
    list.push(word);
}

impl Changes {
    /// Notes that a pair is not as it was, given as it is.
    #[inline(always)]
    fn note(&mut self, now: u64) {
        let changed = if now & 1 == 1 {
            &mut self.began
        } else {
            &mut self.ended
        };
        note(changed, key(now));
    }

    /// Notes what became of pairs that overlapped, given those that overlap now, both sorted, and sorts all that is noted.
    #[inline(always)]
    fn compare(&mut self, before: impl Iterator<Item = u64>, now: impl Iterator<Item = u64>) {
        let is_first = self.began.is_empty() && self.ended.is_empty();
        let mut before = before.peekable();
        for word in now {
            while let Some(gone) = before.next_if(|earlier| *earlier < word) {
                self.ended.push(key(gone));
            }
            if before.next_if_eq(&word).is_none() {
                self.began.push(key(word));
            }
        }
        self.ended.extend(before.map(key));
        if !is_first {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.began.sort_unstable();
        self.ended.sort_unstable();
    }
}

impl Segment {
    /// The lists of what a look finds, whatever they hold now.
    pub(super) fn lists(&self) -> [&[u64]; 5] {
        let Changes { began, ended } = &self.changes;
        [&self.found, &self.parted, &self.met, began, ended]
    }

    /// All pairs.
    pub(super) fn pairs(&self) -> &[u64] {
        &self.pairs
    }

    /// The keys of the pairs that began to overlap, sorted.
    pub(super) fn began(&self) -> &[u64] {
        &self.changes.began
    }

    /// The keys of the pairs that ended, sorted.
    pub(super) fn ended(&self) -> &[u64] {
        &self.changes.ended
    }

    /// Boxes compared since the look began.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }

    /// Forgets what the last look found.
    pub(super) fn begin_look(&mut self) {
        self.changes.began.clear();
        self.changes.ended.clear();
        self.tests = 0;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.begin_look();
    }

    /// Has the pairs of the largest seats first, which is how segments follow each other.
    pub(super) fn sort_from_behind(&mut self) {
        self.pairs.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Keeps the pairs of seats that pass a test, which those that overlap must.
    pub(super) fn keep(&mut self, test: &mut impl FnMut([u32; 2]) -> bool) {
        self.pairs.retain(|word| test(indices_of(key(*word))));
    }

    /// Takes over a pair as it was at the last look.
    pub(super) fn adopt(&mut self, word: u64) {
        self.pairs.push(word);
    }

    /// Moves the pairs of seats that pass a test to another list.
    pub(super) fn take_out(&mut self, test: impl Fn([usize; 2]) -> bool, out: &mut Vec<u64>) {
        out.extend(self.pairs.extract_if(.., |word| test(places(*word))));
        self.pairs.shrink_to(2 * self.pairs.len());
    }

    /// Has a pair wait to be taken in.
    #[inline(always)]
    pub(super) fn find(&mut self, word: u64) {
        self.found.push(word);
    }

    /// Has all pairs of a list wait to be taken in; the list is then of no use.
    pub(super) fn find_all(&mut self, words: &mut Vec<u64>) {
        std::mem::swap(&mut self.found, words);
    }

    /// Ends the pairs of bodies that are not the ones of the last look; they are among those that left.
    pub(super) fn forget_unsettled(&mut self, boxes: &Boxes, left: &Left) {
        let ended = &mut self.changes.ended;
        let is_settled =
            |seat: u32| !left.has(seat as usize) || boxes.is_settled(boxes.seats().index_at(seat));
        self.pairs.retain(|word| {
            let [a, b] = indices_of(key(*word));
            let stays = is_settled(a) && is_settled(b);
            if !stays && word & 1 == 1 {
                ended.push(key(*word));
            }
            stays
        });
    }

    /// Looks at the pairs of bodies that moved, none of which left its wide box.
    #[inline(always)]
    pub(super) fn look<S: Simd>(&mut self, simd: S, look: Look<'_>, left: &Left) {
        self.part(simd, look, left, None);
        debug_assert!(self.holes.is_empty());
        self.changes.sort();
    }

    /// Begins to look, and looks at the pairs of few bodies that moved, none of which left its wide box: pair by pair, as there is little to do.
    #[inline(always)]
    pub(super) fn glance<S: Simd>(&mut self, simd: S, boxes: &Boxes, moved: &Bits) {
        self.begin_look();
        for word in &mut self.pairs {
            let [a, b] = places(*word);
            if moved.has(a) | moved.has(b) {
                self.tests += 1;
                let now = looked_at(simd, boxes, *word);
                if now != *word {
                    self.changes.note(now);
                    *word = now;
                }
            }
        }
        self.changes.sort();
    }

    /// Looks at the pairs of bodies that moved, and replaces those of bodies that left their wide boxes by those found, or does one of
    /// the two.
    #[inline(always)]
    pub(super) fn renew<S: Simd>(
        &mut self,
        simd: S,
        look: Look<'_>,
        left: &Left,
        next: Option<Next<'_>>,
        step: Step,
    ) {
        if step != Step::TakeIn {
            self.part(simd, look, left, next);
        }
        if step != Step::Part {
            self.take_in(simd, look.boxes);
        }
    }

    /// Replaces all pairs by those found, which are looked at where boxes are given.
    #[inline(always)]
    pub(super) fn replace<S: Simd>(&mut self, simd: S, boxes: Option<&Boxes>) {
        if let Some(boxes) = boxes {
            self.tests += self.found.len() as u64;
            for word in &mut self.found {
                *word = looked_at(simd, boxes, *word);
            }
        }
        self.found.sort_unstable();
        // They are sorted already if everyone left before.
        self.pairs.sort_unstable();
        self.changes
            .compare(overlapping(&self.pairs), overlapping(&self.found));
        std::mem::swap(&mut self.pairs, &mut self.found);
        self.found.clear();
    }

    /// Looks at pairs, and notes those of bodies that left their wide boxes as holes, asking for what is needed later: all of the next
    /// segment where its boxes are side by side, otherwise the boxes of single pairs.
    #[inline(always)]
    fn part<S: Simd>(&mut self, simd: S, look: Look<'_>, left: &Left, next: Option<Next<'_>>) {
        let Look { boxes, moved } = look;
        let left = &left.flags()[..boxes.slice().len()];
        let next = next.map(|next| next.beside(self.pairs.len()));
        let far = if moved.is_none() && next.is_none() {
            Far::of(boxes)
        } else {
            Far::Nothing
        };
        let words = &mut self.pairs[..];
        for first in (0..words.len()).step_by(BLOCK) {
            if let Some(next) = &next {
                next.fetch(first..first + BLOCK);
            }
            let end = words.len().min(first + BLOCK);
            let later = &words[words.len().min(first + AHEAD)..];
            let seen = look_at(simd, look, left, &words[first..end], (far, later));
            self.tests += u64::from(seen.tests);
            for place in seen.open() {
                let word = &mut words[first + place];
                let [a, b] = places(*word);
                if left[a] | left[b] {
                    self.holes.push((first + place) as u32);
                    if *word & 1 == 1 {
                        note(&mut self.parted, *word);
                    }
                    continue;
                }
                let now = looked_at(simd, boxes, *word);
                if now != *word {
                    self.changes.note(now);
                    *word = now;
                }
            }
        }
    }

    /// Takes in the pairs found, first where there are holes. Those that overlap began to, unless they were parted with as such; those
    /// parted with and not found again ended.
    #[inline(always)]
    fn take_in<S: Simd>(&mut self, simd: S, boxes: &Boxes) {
        self.tests += self.found.len() as u64;
        let far = Far::of(boxes);
        for first in (0..self.found.len()).step_by(BLOCK) {
            let end = self.found.len().min(first + BLOCK);
            far.fetch_all(&self.found, first + AHEAD..end + AHEAD);
            let block = &mut self.found[first..end];
            for place in may_meet(simd, boxes, block) {
                block[place] = looked_at(simd, boxes, block[place]);
                if block[place] & 1 == 1 {
                    self.met.push(block[place]);
                }
            }
        }
        let filled = self.holes.len().min(self.found.len());
        for (hole, word) in self.holes.drain(..filled).zip(self.found.drain(..filled)) {
            self.pairs[hole as usize] = word;
        }
        self.pairs.append(&mut self.found);
        // From the last one, so that no hole is moved.
        for hole in self.holes.drain(..).rev() {
            self.pairs.swap_remove(hole as usize);
        }
        self.met.sort_unstable();
        self.parted.sort_unstable();
        self.changes
            .compare(self.parted.drain(..), self.met.drain(..));
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let Changes { began, ended } = &self.changes;
        let words = [
            &self.pairs,
            &self.found,
            &self.parted,
            &self.met,
            began,
            ended,
        ];
        let bytes: usize = words.iter().map(|words| words.capacity() * 8).sum();
        bytes + self.holes.capacity() * 4
    }
}
