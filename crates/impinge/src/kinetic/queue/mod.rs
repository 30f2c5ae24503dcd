//! Priority queues of small integers in order of time.
//!
//! Items are numbers below a capacity. The time of each is known within an interval, which the queue keeps; for two whose
//! intervals overlap, the caller is asked: `tie(a, b)` says whether `a` is before `b`. Its answers must agree with the intervals, be
//! a total preorder, and not change for items that are in the queue. Every item can be removed, or given another time, at any time.

mod heap;
mod pairing;

use crate::math::Interval;
use heap::Heap;
use pairing::PairingHeap;

/// An item and its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timed {
    pub(super) time: Interval,
    pub(super) item: u32,
}

#[inline(always)]
fn is_before(a: &Timed, b: &Timed, tie: &mut impl FnMut(u32, u32) -> bool) -> bool {
    if a.time.upper < b.time.lower {
        true
    } else if b.time.upper < a.time.lower {
        false
    } else {
        tie(a.item, b.item)
    }
}

/// Which priority queue holds the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueueKind {
    /// A heap in an array, four children a node, that knows where each item is.
    #[default]
    Heap,
    /// The auxiliary two-pass pairing heap of Stasko and Vitter (1987).
    Pairing,
}

impl QueueKind {
    /// All kinds.
    pub const ALL: [QueueKind; 2] = [QueueKind::Heap, QueueKind::Pairing];
}

/// A queue of either kind.
#[derive(Debug, Clone)]
pub(super) enum Queue {
    Heap(Heap),
    Pairing(PairingHeap),
}

impl Queue {
    pub(super) fn new(kind: QueueKind) -> Queue {
        match kind {
            QueueKind::Heap => Queue::Heap(Heap::default()),
            QueueKind::Pairing => Queue::Pairing(PairingHeap::default()),
        }
    }

    /// Makes room for items below `capacity`.
    pub(super) fn grow(&mut self, capacity: usize) {
        match self {
            Queue::Heap(heap) => heap.grow(capacity),
            Queue::Pairing(heap) => heap.grow(capacity),
        }
    }

    #[inline]
    pub(super) fn contains(&self, item: u32) -> bool {
        match self {
            Queue::Heap(heap) => heap.contains(item),
            Queue::Pairing(heap) => heap.contains(item),
        }
    }

    /// Adds an item that is not in the queue.
    #[inline]
    pub(super) fn insert(&mut self, timed: Timed, tie: &mut impl FnMut(u32, u32) -> bool) {
        match self {
            Queue::Heap(heap) => heap.insert(timed, tie),
            Queue::Pairing(heap) => heap.insert(timed),
        }
    }

    /// Removes an item that is in the queue.
    #[inline]
    pub(super) fn remove(&mut self, item: u32, tie: &mut impl FnMut(u32, u32) -> bool) {
        match self {
            Queue::Heap(heap) => heap.remove(item, tie),
            Queue::Pairing(heap) => heap.remove(item, tie),
        }
    }

    /// Gives an item that is in the queue another time. What `tie` says of it may have changed.
    #[inline]
    pub(super) fn change(&mut self, timed: Timed, tie: &mut impl FnMut(u32, u32) -> bool) {
        match self {
            Queue::Heap(heap) => heap.change(timed, tie),
            Queue::Pairing(heap) => {
                heap.remove(timed.item, tie);
                heap.insert(timed);
            }
        }
    }

    /// An item before which there is none.
    #[inline]
    pub(super) fn first(&mut self, tie: &mut impl FnMut(u32, u32) -> bool) -> Option<u32> {
        match self {
            Queue::Heap(heap) => heap.first(),
            Queue::Pairing(heap) => heap.first(tie),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a plain vector, over a long mixture of operations with many ties.
    #[test]
    fn queues_keep_order_through_removals() {
        for kind in QueueKind::ALL {
            let mut queue = Queue::new(kind);
            queue.grow(200);
            let mut state = 12345_u64;
            let mut random = move |below: u64| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (state >> 33) % below
            };
            // Times are known to within 2, or not quite.
            let timed = |item: u32, key: u64| Timed {
                time: Interval {
                    lower: key as f64 - 1.0,
                    upper: key as f64 + 1.0,
                },
                item,
            };
            let mut keys = vec![0_u64; 200];
            let mut held: Vec<u32> = Vec::new();
            for _ in 0..5_000 {
                let (item, key) = (random(200) as u32, random(20));
                assert_eq!(queue.contains(item), held.contains(&item));
                let is_held = held.contains(&item);
                if is_held && random(2) == 0 {
                    queue.remove(item, &mut |a, b| keys[a as usize] < keys[b as usize]);
                    held.retain(|other| *other != item);
                } else {
                    keys[item as usize] = key;
                    let tie = &mut |a: u32, b: u32| keys[a as usize] < keys[b as usize];
                    if is_held {
                        queue.change(timed(item, key), tie);
                    } else {
                        queue.insert(timed(item, key), tie);
                        held.push(item);
                    }
                }
                let first = queue.first(&mut |a, b| keys[a as usize] < keys[b as usize]);
                let least = held.iter().map(|i| keys[*i as usize]).min();
                assert_eq!(first.map(|i| keys[i as usize]), least);
                if random(4) == 0
                    && let Some(first) = first
                {
                    queue.remove(first, &mut |a, b| keys[a as usize] < keys[b as usize]);
                    held.retain(|other| *other != first);
                }
            }
        }
    }
}
