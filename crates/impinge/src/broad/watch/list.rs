//! The pairs that are watched, sorted, and which of them overlap.
//!
//! A pair is a word: the smaller index, the larger one, and in the lowest bit whether the boxes overlapped at the last
//! look. Indices are below 2^31, so the bit is free, and words are in the order of pairs.

use super::super::changes::{indices_of, key_of};
use super::super::{Box32, Boxes};
use super::bits::Bits;
use fearless_simd::{Simd, f32x4, prelude::*};

/// The watched pairs, and what the last look found.
#[derive(Debug, Clone, Default)]
pub(super) struct WatchList {
    /// Sorted.
    pairs: Vec<u64>,
    /// Those of bodies that stayed in their wide boxes, while a look is under way.
    kept: Vec<u64>,
    /// The others.
    dropped: Vec<u64>,
    /// Keys of pairs that began to overlap.
    pub(super) began: Vec<u64>,
    /// Keys of pairs that ended.
    pub(super) ended: Vec<u64>,
    /// Boxes compared since the list was made.
    pub(super) tests: u64,
}

/// Where a pair is in vectors over bodies.
#[inline(always)]
fn places(word: u64) -> [usize; 2] {
    [(word >> 33) as usize, (word as u32 >> 1) as usize]
}

/// Whether two boxes overlap, as [`Box32::overlaps`].
#[inline(always)]
fn meet<S: Simd>(simd: S, one: &Box32, other: &Box32) -> bool {
    let (one_min, one_max) = corners(simd, one);
    let (other_min, other_max) = corners(simd, other);
    let met = one_min.simd_le(other_max) & other_min.simd_le(one_max);
    met.to_bitmask() & 0b111 == 0b111
}

/// The corners of a box in the first three lanes, each by one load of numbers side by side.
#[inline(always)]
fn corners<S: Simd>(simd: S, Box32 { min, max }: &Box32) -> (f32x4<S>, f32x4<S>) {
    let low = f32x4::load_array_ref(simd, &[min[0], min[1], min[2], max[0]]);
    let high = f32x4::load_array_ref(simd, &[min[2], max[0], max[1], max[2]]);
    (low, high.slide::<1>(high))
}

/// The key of a word.
fn key(word: u64) -> u64 {
    let [a, b] = places(word);
    key_of(a as u32, b as u32)
}

impl WatchList {
    /// The keys of the pairs that overlap, sorted.
    pub(super) fn overlapping(&self) -> impl Iterator<Item = u64> {
        let words = self.pairs.iter().filter(|word| **word & 1 == 1);
        words.map(|word| key(*word))
    }

    /// Forgets what the last look found.
    pub(super) fn begin_look(&mut self) {
        self.began.clear();
        self.ended.clear();
    }

    /// Ends the pairs of bodies that are not the ones of the last look.
    pub(super) fn forget_unsettled(&mut self, boxes: &Boxes) {
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

    /// Looks at the pairs of bodies that moved, or of all.
    #[inline(always)]
    pub(super) fn look<S: Simd>(&mut self, simd: S, boxes: &Boxes, moved: Option<&Bits>) {
        match moved {
            Some(moved) => self.look_at_some(simd, boxes, moved),
            None => self.look_at_all(simd, boxes),
        }
    }

    #[inline(always)]
    fn look_at_some<S: Simd>(&mut self, simd: S, boxes: &Boxes, moved: &Bits) {
        let bounds = boxes.slice();
        for word in &mut self.pairs {
            let [a, b] = places(*word);
            if moved.has(a) | moved.has(b) {
                self.tests += 1;
                let now = u64::from(meet(simd, &bounds[a], &bounds[b]));
                if now != *word & 1 {
                    note(&mut self.began, &mut self.ended, *word, now);
                    *word ^= 1;
                }
            }
        }
    }

    #[inline(always)]
    fn look_at_all<S: Simd>(&mut self, simd: S, boxes: &Boxes) {
        let bounds = boxes.slice();
        self.tests += self.pairs.len() as u64;
        for word in &mut self.pairs {
            let [a, b] = places(*word);
            let now = u64::from(meet(simd, &bounds[a], &bounds[b]));
            if now != *word & 1 {
                note(&mut self.began, &mut self.ended, *word, now);
                *word ^= 1;
            }
        }
    }

    /// Looks at the pairs of bodies that moved, or of all, and replaces those of bodies that left their wide boxes by those
    /// found, which are sorted and have no bit set.
    #[inline(always)]
    pub(super) fn renew<S: Simd>(
        &mut self,
        simd: S,
        boxes: &Boxes,
        left: &Bits,
        moved: Option<&Bits>,
        found: &mut [u64],
    ) {
        self.look(simd, boxes, moved);
        let (kept, dropped) = self.part(left);
        self.tests += found.len() as u64;
        let bounds = boxes.slice();
        let mut old = self.dropped[..dropped].iter().copied().peekable();
        for word in found.iter_mut() {
            let [a, b] = places(*word);
            *word |= u64::from(meet(simd, &bounds[a], &bounds[b]));
            while old.next_if(|dropped| *dropped < *word).is_some() {}
            let was_there = old.peek() == Some(word);
            if *word & 1 == 1 && !was_there {
                self.began.push(key(*word));
            }
        }
        merge(&self.kept[..kept], found, &mut self.pairs);
    }

    /// Parts the pairs by whether a body left its wide box. Tells how many are kept and how many dropped; what is behind them
    /// in the two vectors means nothing.
    #[inline(always)]
    fn part(&mut self, left: &Bits) -> (usize, usize) {
        let room = self.pairs.len() + 1;
        if self.kept.len() < room {
            self.kept.resize(room, 0);
            self.dropped.resize(room, 0);
        }
        let (mut kept, mut dropped) = (0, 0);
        for &word in &self.pairs {
            let [a, b] = places(word);
            // Both are written; the next word writes over the wrong one.
            let drops = left.has(a) | left.has(b);
            self.kept[kept] = word;
            self.dropped[dropped] = word;
            kept += usize::from(!drops);
            dropped += usize::from(drops);
        }
        (kept, dropped)
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let words = [
            &self.pairs,
            &self.kept,
            &self.dropped,
            &self.began,
            &self.ended,
        ];
        words.map(|words| words.capacity() * 8).iter().sum()
    }

    /// Panics unless the pairs are sorted.
    pub(super) fn validate(&self) {
        let keys = self.pairs.iter().map(|word| key(*word));
        assert!(keys.is_sorted_by(|a, b| a < b), "pairs are sorted");
    }

    /// How many pairs there are of bodies not in a set.
    pub(super) fn len_without(&self, left: &Bits) -> usize {
        let are_in = |word: &&u64| places(**word).iter().all(|place| !left.has(*place));
        self.pairs.iter().filter(are_in).count()
    }

    /// Whether a pair is watched.
    pub(super) fn contains(&self, a: u32, b: u32) -> bool {
        let wanted = key_of(a, b);
        let found = self.pairs.binary_search_by_key(&wanted, |word| key(*word));
        found.is_ok()
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
