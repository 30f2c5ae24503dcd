//! The pairs of boxes that wait, earliest first.

use crate::shape::Slot;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Two boxes during a span, and a time before which what is in them does not touch then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The bits of the time, which is not negative: these are in the order of the times.
    key: u64,
    pub(super) a: Slot,
    pub(super) b: Slot,
    /// The number of the span.
    pub(super) span: u32,
}

/// The waiting pairs.
pub(super) type Queue = BinaryHeap<Entry>;

impl Entry {
    #[inline(always)]
    pub(super) fn new(time: f64, a: Slot, b: Slot, span: u32) -> Entry {
        Entry {
            key: time.max(0.0).to_bits(),
            a,
            b,
            span,
        }
    }

    #[inline(always)]
    pub(super) fn time(&self) -> f64 {
        f64::from_bits(self.key)
    }
}

impl Ord for Entry {
    /// The earliest is the greatest.
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
