//! What began and ended: from two pair sets to their difference.
//!
//! Inside a broad phase a pair is one number, its *key*: the smaller index in the upper half, the larger in the lower one.
//! Keys in numerical order are pairs in order. Generations are looked up when a pair leaves the broad phase: for a pair that
//! began those of now, for one that ended those at the last `collect`. An index that changed hands in between ends its old
//! pairs and begins new ones, even where the keys are the same.

use super::Boxes;
use crate::body::{BodyId, Pair};

/// The pairs that began and ended between two calls of [`collect`](super::BroadPhase::collect), both sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairChanges {
    /// Pairs that overlap now and did not before.
    pub began: Vec<Pair>,
    /// Pairs that overlapped before and do not now, or of which a body was removed.
    pub ended: Vec<Pair>,
}

impl PairChanges {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.began.is_empty() && self.ended.is_empty()
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.began.clear();
        self.ended.clear();
    }

    /// Notes a pair that overlaps now and not at the last `collect`.
    #[inline]
    pub(super) fn begin(&mut self, boxes: &Boxes, key: u64) {
        self.began.push(current_pair(boxes, key));
    }

    /// Notes a pair that overlapped at the last `collect` and does not now.
    #[inline]
    pub(super) fn end(&mut self, boxes: &Boxes, key: u64) {
        self.ended.push(settled_pair(boxes, key));
    }

    /// Notes a key that is there now as before: nothing, unless an index changed hands.
    #[inline]
    pub(super) fn stay(&mut self, boxes: &Boxes, key: u64) {
        let [a, b] = indices_of(key);
        if !(boxes.is_settled(a) && boxes.is_settled(b)) {
            self.end(boxes, key);
            self.begin(boxes, key);
        }
    }

    /// Replaces the contents by the difference of two key sets, both sorted.
    pub(super) fn compare(&mut self, boxes: &Boxes, before: &[u64], now: &[u64]) {
        self.clear();
        let mut old = before.iter().copied().peekable();
        for &key in now {
            while let Some(gone) = old.next_if(|earlier| *earlier < key) {
                self.end(boxes, gone);
            }
            if old.next_if_eq(&key).is_some() {
                self.stay(boxes, key);
            } else {
                self.begin(boxes, key);
            }
        }
        for gone in old {
            self.end(boxes, gone);
        }
    }
}

/// The key of the pair of two different indices.
#[inline]
pub(super) fn key_of(one: u32, other: u32) -> u64 {
    debug_assert_ne!(one, other);
    u64::from(one.min(other)) << 32 | u64::from(one.max(other))
}

/// The two indices of a key, the smaller first.
#[inline]
pub(super) fn indices_of(key: u64) -> [u32; 2] {
    [(key >> 32) as u32, key as u32]
}

/// The pair of the bodies that are there now.
#[inline]
pub(super) fn current_pair(boxes: &Boxes, key: u64) -> Pair {
    pair_of(key, |index| boxes.body_at(index))
}

/// The pair that was reported under a key at the last `collect`.
pub(super) fn settled_pair(boxes: &Boxes, key: u64) -> Pair {
    pair_of(key, |index| boxes.settled_body_at(index))
}

#[inline]
fn pair_of(key: u64, body_at: impl Fn(u32) -> Option<BodyId>) -> Pair {
    let [a, b] = indices_of(key).map(|index| body_at(index).expect("a pair has two bodies"));
    Pair::new(a, b).expect("the indices of a key differ")
}
