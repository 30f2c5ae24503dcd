//! Bodies that would be in too many cells: kept apart, and compared with all others.
//!
//! **Cost.** The number of wide bodies times that of all bodies, a frame.

use crate::broad::Boxes;
use crate::broad::changes::{indices_of, key_of};
use crate::broad::close::Close;

/// Bodies in too many cells, and their pairs.
#[derive(Debug, Clone, Default)]
pub(super) struct Wide {
    bodies: Vec<u32>,
    /// Whether one came or went since the last `collect`.
    has_changed: bool,
    /// Sorted.
    keys: Vec<u64>,
    next: Vec<u64>,
}

impl Wide {
    /// The wide bodies.
    pub(super) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// The pairs with a wide body that overlapped when they were last compared, sorted.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// No body is wide any more.
    pub(super) fn clear(&mut self) {
        self.bodies.clear();
        self.has_changed = true;
    }

    /// A body becomes wide.
    pub(super) fn insert(&mut self, index: u32) {
        self.bodies.push(index);
        self.has_changed = true;
    }

    /// A body is not wide any more.
    pub(super) fn remove(&mut self, index: u32) {
        self.bodies.retain(|body| *body != index);
        self.has_changed = true;
    }

    /// Compares wide bodies with all others, notes what changed, and tells how many boxes were compared.
    pub(super) fn compare(&mut self, boxes: &Boxes, close: &mut Close) -> u64 {
        let has_changed = std::mem::take(&mut self.has_changed);
        if !has_changed && self.bodies.is_empty() {
            return 0;
        }
        let tests = self.search(boxes);
        self.note_changes(boxes, close);
        tests
    }

    /// Finds all pairs with a wide body, and tells how many boxes were compared.
    fn search(&mut self, boxes: &Boxes) -> u64 {
        self.next.clear();
        for &index in &self.bodies {
            let bounds = boxes.at(index);
            let met = boxes.iter().filter(|(_, other)| bounds.overlaps(other));
            let others = met.map(|(body, _)| body.index()).filter(|i| *i != index);
            self.next.extend(others.map(|other| key_of(index, other)));
        }
        self.next.sort_unstable();
        self.next.dedup();
        (self.bodies.len() * boxes.len()) as u64
    }

    /// Notes what differs from the pairs before, which are then replaced. A pair that is there again with another body
    /// under the same index is noted twice.
    fn note_changes(&mut self, boxes: &Boxes, close: &mut Close) {
        let changed_hands = |key: u64| indices_of(key).iter().any(|i| !boxes.is_settled(*i));
        let [before, now] = [&self.keys, &self.next];
        let ended = before.iter().filter(|key| now.binary_search(key).is_err());
        let began = now.iter().filter(|key| before.binary_search(key).is_err());
        let stayed = now.iter().filter(|key| changed_hands(**key));
        let stayed = stayed.filter(|key| before.binary_search(key).is_ok());
        let twice = stayed.flat_map(|key| [key, key]);
        for key in ended.chain(began).chain(twice) {
            close.toggles().note(*key);
        }
        std::mem::swap(&mut self.keys, &mut self.next);
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.bodies.capacity() * 4 + (self.keys.capacity() + self.next.capacity()) * 8
    }
}
