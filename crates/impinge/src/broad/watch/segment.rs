//! The watched pairs of bodies in some range of seats.
//!
//! A pair is a word: the smaller seat, the larger one, and in the lowest bit whether the boxes overlapped at the last
//! look. Seats are below 2^31, so the bit is free, and words are in the order of pairs.

use super::super::changes::{indices_of, key_of};
use super::super::{Box32, Boxes};
use super::bits::Bits;
use super::left::Left;
use super::next::Next;
use crate::ahead;
use fearless_simd::Simd;

/// How many pairs ahead boxes are asked for.
const AHEAD: usize = 24;

/// Of how many pairs the boxes are asked for at a time where nothing else is done with them.
const BLOCK: usize = 64;

/// So many boxes, or more, are not all in a near cache.
pub(super) const MANY_BOXES: usize = 1 << 13;

/// The pairs, in an order of no meaning, and what the last look found.
#[derive(Debug, Clone, Default)]
pub(super) struct Segment {
    pairs: Vec<u64>,
    /// Pairs that were found, to be taken in.
    found: Vec<u64>,
    /// Pairs that overlapped, of bodies whose pairs are searched anew.
    parted: Vec<u64>,
    /// Pairs that were found and overlap.
    met: Vec<u64>,
    changes: Changes,
    /// Boxes compared since the list was made.
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

impl Look<'_> {
    /// Whether the boxes of a pair may have moved.
    #[inline(always)]
    fn is_due(&self, [a, b]: [usize; 2]) -> bool {
        self.moved.is_none_or(|moved| moved.has(a) | moved.has(b))
    }
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

/// The key of a word.
pub(super) fn key(word: u64) -> u64 {
    let [a, b] = places(word);
    key_of(a as u32, b as u32)
}

/// Whether there are more boxes than fit into a near cache.
#[inline(always)]
fn are_many(bounds: &[Box32]) -> bool {
    bounds.len() >= MANY_BOXES
}

/// Asks for the boxes of a pair, if there is one at that place.
#[inline(always)]
fn fetch_boxes(words: &[u64], place: usize, bounds: &[Box32]) {
    if let Some(word) = words.get(place) {
        let [a, b] = places(*word);
        ahead::fetch(bounds, a);
        ahead::fetch(bounds, b);
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

    /// Boxes compared since the list was made.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }

    /// Forgets what the last look found.
    pub(super) fn begin_look(&mut self) {
        self.changes.began.clear();
        self.changes.ended.clear();
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

    /// Looks at the pairs of bodies that moved.
    #[inline(always)]
    pub(super) fn look<S: Simd>(&mut self, simd: S, look: Look<'_>) {
        let bounds = look.boxes.slice();
        for block in self.pairs.chunks_mut(BLOCK) {
            if look.moved.is_none() && are_many(bounds) {
                for place in 0..block.len() {
                    fetch_boxes(block, place, bounds);
                }
            }
            for word in block {
                if look.is_due(places(*word)) {
                    self.tests += 1;
                    let now = looked_at(simd, look.boxes, *word);
                    if now != *word {
                        self.changes.note(now);
                        *word = now;
                    }
                }
            }
        }
        self.changes.sort();
    }

    /// Looks at the pairs of bodies that moved, and replaces those of bodies that left their wide boxes by those found.
    #[inline(always)]
    pub(super) fn renew<S: Simd>(
        &mut self,
        simd: S,
        look: Look<'_>,
        left: &Left,
        next: Option<Next<'_>>,
    ) {
        let Look { boxes, moved } = look;
        // Compiled without the question which pairs to look at, if that is all, and for what is asked for ahead: nothing where boxes are
        // near, those of single pairs where they are anywhere, and all of the next segment where they are side by side.
        let all = Look { boxes, moved: None };
        let bounds = boxes.slice();
        match (moved, next) {
            (Some(_), _) => self.part(simd, look, left, |_, _| ()),
            (None, Some(next)) => {
                let next = next.beside(self.pairs.len());
                self.part(simd, all, left, |_, place| next.fetch(place));
            }
            (None, None) if are_many(bounds) => {
                let fetch = |words: &[u64], place| fetch_boxes(words, place + AHEAD, bounds);
                self.part(simd, all, left, fetch);
            }
            (None, None) => self.part(simd, all, left, |_, _| ()),
        }
        self.take_in(simd, boxes);
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

    /// Parts with the pairs of bodies that left their wide boxes, and looks at the others, asking for what is needed later.
    #[inline(always)]
    fn part<S: Simd>(
        &mut self,
        simd: S,
        look: Look<'_>,
        left: &Left,
        fetch_later: impl Fn(&[u64], usize),
    ) {
        let bounds = look.boxes.slice();
        let left = &left.flags()[..bounds.len()];
        let words = &mut self.pairs[..];
        let (mut place, mut end, mut spared) = (0, words.len(), 0);
        while place < end {
            fetch_later(words, place);
            let word = words[place];
            let [a, b] = places(word);
            let is_due = look.is_due([a, b]);
            let now = if is_due {
                looked_at(simd, look.boxes, word)
            } else {
                word
            };
            spared += u64::from(!is_due);
            if left[a] | left[b] {
                if word & 1 == 1 {
                    note(&mut self.parted, word);
                }
                // The last one takes its place.
                end -= 1;
                words[place] = words[end];
                continue;
            }
            if now != word {
                words[place] = now;
                self.changes.note(now);
            }
            place += 1;
        }
        self.tests += words.len() as u64 - spared;
        self.pairs.truncate(end);
    }

    /// Takes in the pairs found. Those that overlap began to, unless they were parted with as such; those parted with and not found
    /// again ended.
    #[inline(always)]
    fn take_in<S: Simd>(&mut self, simd: S, boxes: &Boxes) {
        let first = self.pairs.len();
        self.tests += self.found.len() as u64;
        self.pairs.append(&mut self.found);
        let bounds = boxes.slice();
        for place in first..self.pairs.len() {
            if are_many(bounds) {
                fetch_boxes(&self.pairs, place + AHEAD, bounds);
            }
            let word = looked_at(simd, boxes, self.pairs[place]);
            self.pairs[place] = word;
            if word & 1 == 1 {
                self.met.push(word);
            }
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
        words.iter().map(|words| words.capacity() * 8).sum()
    }
}
