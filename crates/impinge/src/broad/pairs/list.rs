//! The pairs of a method that finds them all anew in every frame: two sorted lists, before and now.

use crate::body::Pair;
use crate::broad::changes::settled_pair;
use crate::broad::{Boxes, PairChanges};

/// All pairs at the last `collect`, and those found since.
#[derive(Debug, Clone, Default)]
pub(in crate::broad) struct PairList {
    keys: Vec<u64>,
    next: Vec<u64>,
}

impl PairList {
    /// Where the keys of now are put, in any order, each once.
    pub(in crate::broad) fn found(&mut self) -> &mut Vec<u64> {
        &mut self.next
    }

    /// Replaces `changes` by the difference, and what was before by what was found.
    pub(in crate::broad) fn collect(&mut self, boxes: &Boxes, changes: &mut PairChanges) {
        self.next.sort_unstable();
        changes.compare(boxes, &self.keys, &self.next);
        std::mem::swap(&mut self.keys, &mut self.next);
        self.next.clear();
    }

    /// Replaces `pairs` by those at the last `collect`.
    pub(in crate::broad) fn pairs(&self, boxes: &Boxes, pairs: &mut Vec<Pair>) {
        pairs.clear();
        pairs.extend(self.keys.iter().map(|key| settled_pair(boxes, *key)));
    }

    /// The memory held.
    pub(in crate::broad) fn bytes(&self) -> usize {
        (self.keys.capacity() + self.next.capacity()) * 8
    }

    /// Panics when an invariant is broken.
    pub(in crate::broad) fn validate(&self) {
        assert!(
            self.keys.is_sorted_by(|a, b| a < b),
            "pairs are sorted, each once"
        );
        assert!(self.next.is_empty(), "nothing is left over");
    }
}
