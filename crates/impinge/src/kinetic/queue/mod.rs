//! Priority queues of small integers whose order the caller knows.
//!
//! Items are numbers below a capacity; what comes first is asked of the caller, `before(a, b)`, whose answers must be a
//! total preorder and must not change for items that are in the queue. Every item can be removed at any time.

mod heap;
mod pairing;

use heap::Heap;
use pairing::PairingHeap;

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
    pub(super) fn insert(&mut self, item: u32, before: &mut impl FnMut(u32, u32) -> bool) {
        match self {
            Queue::Heap(heap) => heap.insert(item, before),
            Queue::Pairing(heap) => heap.insert(item),
        }
    }

    /// Removes an item that is in the queue.
    #[inline]
    pub(super) fn remove(&mut self, item: u32, before: &mut impl FnMut(u32, u32) -> bool) {
        match self {
            Queue::Heap(heap) => heap.remove(item, before),
            Queue::Pairing(heap) => heap.remove(item, before),
        }
    }

    /// An item before which there is none.
    #[inline]
    pub(super) fn first(&mut self, before: &mut impl FnMut(u32, u32) -> bool) -> Option<u32> {
        match self {
            Queue::Heap(heap) => heap.first(),
            Queue::Pairing(heap) => heap.first(before),
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
            let mut keys = vec![0_u64; 200];
            let mut held: Vec<u32> = Vec::new();
            for _ in 0..5_000 {
                let item = random(200) as u32;
                assert_eq!(queue.contains(item), held.contains(&item));
                if held.contains(&item) {
                    queue.remove(item, &mut |a, b| keys[a as usize] < keys[b as usize]);
                    held.retain(|other| *other != item);
                } else {
                    keys[item as usize] = random(20);
                    queue.insert(item, &mut |a, b| keys[a as usize] < keys[b as usize]);
                    held.push(item);
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
