//! The pairs that are watched, sorted, and which of them overlap.
//!
//! A pair is a word: the smaller index, the larger one, and in the lowest bit whether the boxes overlapped at the last
//! look. Indices are below 2^31, so the bit is free, and words are in the order of pairs.
//!
//! The list is cut into segments by the smaller index, always at the same places. Segments know nothing of each other: several
//! threads may look at one each, and what comes out is the same.

use super::super::changes::{indices_of, key_of};
use super::super::{Box32, Boxes};
use super::bits::Bits;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use fearless_simd::{Level, dispatch};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// For so many smaller indices there is a segment.
const SEGMENT: usize = 1 << 14;

/// How many pairs are looked at before the next ones are fetched.
const BLOCK: usize = 64;

/// More boxes than this are not all in a near cache.
const MANY_BOXES: usize = 1 << 13;

/// The watched pairs, and what the last look found.
#[derive(Debug, Clone, Default)]
pub(super) struct WatchList {
    segments: Vec<Segment>,
}

/// The pairs with smaller indices in some range.
#[derive(Debug, Clone, Default)]
struct Segment {
    /// Sorted.
    pairs: Vec<u64>,
    /// Those of bodies that stayed in their wide boxes, while a look is under way.
    kept: Vec<u64>,
    /// The others.
    dropped: Vec<u64>,
    /// Keys of pairs that began to overlap.
    began: Vec<u64>,
    /// Keys of pairs that ended.
    ended: Vec<u64>,
    /// Boxes compared since the list was made.
    tests: u64,
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
fn places(word: u64) -> [usize; 2] {
    [(word >> 33) as usize, (word as u32 >> 1) as usize]
}

/// The key of a word.
fn key(word: u64) -> u64 {
    let [a, b] = places(word);
    key_of(a as u32, b as u32)
}

/// Reads something of the boxes of a few pairs, if there are more boxes than fit into a near cache.
///
/// The first bodies of pairs come in order, the second ones from anywhere. A processor that waits for one of them while
/// it is busy with the last few pairs has few requests under way; in a loop that does nothing else, it has many.
#[inline(always)]
fn fetch(block: &[u64], bounds: &[Box32]) {
    if bounds.len() >= MANY_BOXES {
        let mut read = 0;
        for word in block {
            let bounds = &bounds[places(*word)[1]];
            read |= bounds.min[0].to_bits() | bounds.max[2].to_bits();
        }
        std::hint::black_box(read);
    }
}

impl WatchList {
    /// Makes room for pairs of indices below `len`.
    pub(super) fn resize(&mut self, len: usize) {
        if self.segments.len() < len.div_ceil(SEGMENT) {
            self.segments
                .resize_with(len.div_ceil(SEGMENT), Segment::default);
        }
    }

    fn pairs(&self) -> impl Iterator<Item = u64> {
        self.segments
            .iter()
            .flat_map(|segment| segment.pairs.iter().copied())
    }

    /// The keys of the pairs that overlap, sorted.
    pub(super) fn overlapping(&self) -> impl Iterator<Item = u64> {
        self.pairs().filter(|word| word & 1 == 1).map(key)
    }

    /// The keys of the pairs that began to overlap, sorted.
    pub(super) fn began(&self) -> impl Iterator<Item = u64> {
        let segments = self.segments.iter();
        segments.flat_map(|segment| segment.began.iter().copied())
    }

    /// The keys of the pairs that ended, sorted.
    pub(super) fn ended(&self) -> impl Iterator<Item = u64> {
        let segments = self.segments.iter();
        segments.flat_map(|segment| segment.ended.iter().copied())
    }

    /// Boxes compared since the list was made.
    pub(super) fn tests(&self) -> u64 {
        self.segments.iter().map(|segment| segment.tests).sum()
    }

    /// Forgets what the last look found.
    pub(super) fn begin_look(&mut self) {
        for segment in &mut self.segments {
            segment.began.clear();
            segment.ended.clear();
        }
    }

    /// Ends the pairs of bodies that are not the ones of the last look.
    pub(super) fn forget_unsettled(&mut self, boxes: &Boxes) {
        for segment in &mut self.segments {
            segment.forget_unsettled(boxes);
        }
    }

    /// Looks at the pairs of bodies that moved.
    #[inline(always)]
    pub(super) fn look<S: Simd>(&mut self, simd: S, look: Look<'_>) {
        #[cfg(feature = "parallel")]
        if self.segments.len() > 1 && crate::sharing::is_shared() {
            self.segments.par_iter_mut().for_each(|segment| {
                dispatch!(Level::new(), simd => segment.look(simd, look));
            });
            return;
        }
        for segment in &mut self.segments {
            segment.look(simd, look);
        }
    }

    /// Looks at the pairs of bodies that moved, and replaces those of bodies that left their wide boxes by those found, which are
    /// sorted and have no bit set.
    #[inline(always)]
    pub(super) fn renew<S: Simd>(
        &mut self,
        simd: S,
        look: Look<'_>,
        left: &Bits,
        mut found: &mut [u64],
    ) {
        #[cfg(feature = "parallel")]
        if self.segments.len() > 1 && crate::sharing::is_shared() {
            let mut work = Vec::with_capacity(self.segments.len());
            for (number, segment) in self.segments.iter_mut().enumerate() {
                let (own, rest) = found.split_at_mut(end_of(number, found));
                work.push((segment, own));
                found = rest;
            }
            work.into_par_iter().for_each(|(segment, found)| {
                dispatch!(Level::new(), simd => segment.renew(simd, look, left, found));
            });
            return;
        }
        for (number, segment) in self.segments.iter_mut().enumerate() {
            let (own, rest) = found.split_at_mut(end_of(number, found));
            segment.renew(simd, look, left, own);
            found = rest;
        }
    }

    /// Replaces all pairs by those found, which are sorted and have no bit set: everyone left its wide box.
    #[inline(always)]
    pub(super) fn replace<S: Simd>(&mut self, simd: S, boxes: &Boxes, mut found: &mut [u64]) {
        for (number, segment) in self.segments.iter_mut().enumerate() {
            let (own, rest) = found.split_at_mut(end_of(number, found));
            segment.replace(simd, boxes, own);
            found = rest;
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let bytes = self.segments.iter().map(|segment| {
            let Segment {
                pairs,
                kept,
                dropped,
                began,
                ended,
                ..
            } = segment;
            let words = [pairs, kept, dropped, began, ended];
            words
                .map(|words| words.capacity() * 8)
                .iter()
                .sum::<usize>()
        });
        self.segments.capacity() * size_of::<Segment>() + bytes.sum::<usize>()
    }

    /// Panics unless the pairs are sorted, each in its segment.
    pub(super) fn validate(&self) {
        assert!(
            self.pairs().map(key).is_sorted_by(|a, b| a < b),
            "pairs are sorted"
        );
        for (number, segment) in self.segments.iter().enumerate() {
            let mut firsts = segment.pairs.iter().map(|word| places(*word)[0]);
            assert!(firsts.all(|a| a / SEGMENT == number), "in their segments");
        }
    }

    /// How many pairs there are of bodies not in a set.
    pub(super) fn len_without(&self, left: &Bits) -> usize {
        let are_in = |word: &u64| places(*word).iter().all(|place| !left.has(*place));
        self.pairs().filter(are_in).count()
    }

    /// Whether a pair is watched.
    pub(super) fn contains(&self, a: u32, b: u32) -> bool {
        let wanted = key_of(a, b);
        let [a, _] = indices_of(wanted);
        let segment = self.segments.get(a as usize / SEGMENT);
        segment.is_some_and(|segment| {
            let found = segment
                .pairs
                .binary_search_by_key(&wanted, |word| key(*word));
            found.is_ok()
        })
    }
}

/// Where the words of a segment end in a sorted list that begins with them.
fn end_of(segment: usize, words: &[u64]) -> usize {
    words.partition_point(|word| places(*word)[0] / SEGMENT <= segment)
}

impl Segment {
    fn forget_unsettled(&mut self, boxes: &Boxes) {
        let ended = &mut self.ended;
        self.pairs.retain(|word| {
            let [a, b] = indices_of(key(*word));
            let stays = boxes.is_settled(a) && boxes.is_settled(b);
            if !stays && word & 1 == 1 {
                ended.push(key(*word));
            }
            stays
        });
    }

    #[inline(always)]
    fn look<S: Simd>(&mut self, simd: S, look: Look<'_>) {
        let bounds = look.boxes.slice();
        for block in self.pairs.chunks_mut(BLOCK) {
            fetch(block, bounds);
            for word in block {
                let [a, b] = places(*word);
                if look.is_due([a, b]) {
                    self.tests += 1;
                    let now = u64::from(bounds[a].overlaps_in(simd, &bounds[b]));
                    if now != *word & 1 {
                        note(&mut self.began, &mut self.ended, *word, now);
                        *word ^= 1;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn renew<S: Simd>(&mut self, simd: S, look: Look<'_>, left: &Bits, found: &mut [u64]) {
        let (kept, dropped) = match look.moved {
            Some(_) => self.part(simd, look, left),
            // The same, compiled without the question which pairs to look at.
            None => self.part(
                simd,
                Look {
                    moved: None,
                    ..look
                },
                left,
            ),
        };
        self.tests += found.len() as u64;
        let bounds = look.boxes.slice();
        let mut old = self.dropped[..dropped].iter().copied().peekable();
        for word in found.iter_mut() {
            let [a, b] = places(*word);
            *word |= u64::from(bounds[a].overlaps_in(simd, &bounds[b]));
            while old.next_if(|dropped| *dropped < *word).is_some() {}
            let was_there = old.peek() == Some(word);
            if *word & 1 == 1 && !was_there {
                self.began.push(key(*word));
            }
        }
        merge(&self.kept[..kept], found, &mut self.pairs);
        self.began.sort_unstable();
        self.ended.sort_unstable();
    }

    #[inline(always)]
    fn replace<S: Simd>(&mut self, simd: S, boxes: &Boxes, found: &mut [u64]) {
        self.tests += found.len() as u64;
        let bounds = boxes.slice();
        let mut old = self.pairs.iter().filter(|word| **word & 1 == 1).peekable();
        for word in found.iter_mut() {
            let [a, b] = places(*word);
            if bounds[a].overlaps_in(simd, &bounds[b]) {
                *word |= 1;
                while let Some(gone) = old.next_if(|earlier| *earlier < word) {
                    self.ended.push(key(*gone));
                }
                if old.next_if(|same| *same == word).is_none() {
                    self.began.push(key(*word));
                }
            }
        }
        self.ended.extend(old.map(|gone| key(*gone)));
        self.ended.sort_unstable();
        self.pairs.clear();
        self.pairs.extend_from_slice(found);
    }

    /// Looks at pairs, and parts them by whether a body left its wide box. Tells how many are kept and how many dropped; what
    /// is behind them in the two vectors means nothing.
    #[inline(always)]
    fn part<S: Simd>(&mut self, simd: S, look: Look<'_>, left: &Bits) -> (usize, usize) {
        let bounds = look.boxes.slice();
        let room = self.pairs.len() + 1;
        if self.kept.len() < room {
            self.kept.resize(room, 0);
            self.dropped.resize(room, 0);
        }
        let (mut kept, mut dropped) = (0, 0);
        for block in self.pairs.chunks(BLOCK) {
            fetch(block, bounds);
            for &word in block {
                let [a, b] = places(word);
                let mut word = word;
                if look.is_due([a, b]) {
                    self.tests += 1;
                    let now = u64::from(bounds[a].overlaps_in(simd, &bounds[b]));
                    if now != word & 1 {
                        note(&mut self.began, &mut self.ended, word, now);
                        word ^= 1;
                    }
                }
                // Both are written; the next word writes over the wrong one.
                let drops = left.has(a) | left.has(b);
                self.kept[kept] = word;
                self.dropped[dropped] = word;
                kept += usize::from(!drops);
                dropped += usize::from(drops);
            }
        }
        (kept, dropped)
    }
}

#[inline(always)]
fn note(began: &mut Vec<u64>, ended: &mut Vec<u64>, word: u64, now: u64) {
    if now == 1 {
        began.push(key(word));
    } else {
        ended.push(key(word));
    }
}

/// Replaces `all` by two sorted lists in one.
fn merge(one: &[u64], other: &[u64], all: &mut Vec<u64>) {
    all.resize(one.len() + other.len(), 0);
    let (mut i, mut j) = (0, 0);
    for word in all.iter_mut() {
        if i == one.len() || j == other.len() {
            break;
        }
        let (a, b) = (one[i], other[j]);
        *word = a.min(b);
        i += usize::from(a < b);
        j += usize::from(a >= b);
    }
    let (end, rest) = all.split_at_mut(i + j);
    debug_assert_eq!(end.len(), i + j);
    if i < one.len() {
        rest.copy_from_slice(&one[i..]);
    } else {
        rest.copy_from_slice(&other[j..]);
    }
}
