//! The pairs of boxes that wait, nearest first, in memory that a thread keeps.

use crate::shape::Slot;
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A pair of boxes, and a number below the distance of what is in them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The bits of the number, which is not negative: these are in the order of the numbers.
    key: u32,
    pub(super) a: Slot,
    pub(super) b: Slot,
}

/// The waiting pairs.
pub(super) type Queue = BinaryHeap<Entry>;

impl Entry {
    #[inline(always)]
    pub(super) fn new(a: Slot, b: Slot, below: f32) -> Entry {
        Entry {
            key: below.max(0.0).to_bits(),
            a,
            b,
        }
    }

    #[inline(always)]
    pub(super) fn below(&self) -> f32 {
        f32::from_bits(self.key)
    }
}

impl Ord for Entry {
    /// The nearest is the greatest.
    #[inline(always)]
    fn cmp(&self, other: &Entry) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl PartialOrd for Entry {
    #[inline(always)]
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.key == other.key
    }
}

impl Eq for Entry {}

thread_local! {
    static QUEUE: Cell<Queue> = const { Cell::new(Queue::new()) };
}

/// Does some work with an empty queue.
#[inline(always)]
pub(super) fn with_queue<R>(work: impl FnOnce(&mut Queue) -> R) -> R {
    let mut queue = QUEUE.take();
    queue.clear();
    let result = work(&mut queue);
    QUEUE.set(queue);
    result
}
