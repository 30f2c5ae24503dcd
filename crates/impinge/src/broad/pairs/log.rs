//! Which pairs changed, told by a list of toggles.
//!
//! A method that keeps its pairs from frame to frame notes the key of each pair that it puts in or takes out. A key noted
//! an odd number of times has changed since the last `collect`; one noted an even number of times has not, but an index of it may
//! have changed hands.

use crate::body::Pair;
use crate::broad::changes::settled_pair;
use crate::broad::{Boxes, PairChanges};

/// The keys toggled since the last `collect`.
#[derive(Debug, Clone, Default)]
pub(in crate::broad) struct Toggles {
    keys: Vec<u64>,
}

impl Toggles {
    /// Notes that a pair was put in or taken out.
    #[inline]
    pub(in crate::broad) fn note(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Replaces `changes` by what the toggles add up to, and forgets them. `is_there` knows the pairs of now.
    pub(in crate::broad) fn collect(
        &mut self,
        boxes: &Boxes,
        is_there: impl Fn(u64) -> bool,
        changes: &mut PairChanges,
    ) {
        changes.clear();
        self.keys.sort_unstable();
        for same in self.keys.chunk_by(|a, b| a == b) {
            let key = same[0];
            let changed = same.len() % 2 == 1;
            match (changed, is_there(key)) {
                (true, true) => changes.begin(boxes, key),
                (true, false) => changes.end(boxes, key),
                (false, true) => changes.stay(boxes, key),
                (false, false) => {}
            }
        }
        self.keys.clear();
    }

    /// Replaces `pairs` by those at the last `collect`, sorted, given those of now.
    pub(in crate::broad) fn pairs_before(
        &self,
        boxes: &Boxes,
        now: impl Iterator<Item = u64>,
        pairs: &mut Vec<Pair>,
    ) {
        let mut keys: Vec<u64> = now.chain(self.keys.iter().copied()).collect();
        keys.sort_unstable();
        let changed = keys.chunk_by(|a, b| a == b);
        let odd = changed.filter(|same| same.len() % 2 == 1);
        pairs.clear();
        pairs.extend(odd.map(|same| settled_pair(boxes, same[0])));
    }

    /// The memory held.
    pub(in crate::broad) fn bytes(&self) -> usize {
        self.keys.capacity() * 8
    }
}
