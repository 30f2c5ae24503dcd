//! A heap in an array, four children a node, that knows where each item is.

use super::{Timed, is_before};

/// Not in the heap.
const NOWHERE: u32 = u32::MAX;
/// Children of a node. Four make the tree half as deep as two, and lie together.
const CHILDREN: usize = 4;

/// The heap: no item is before its parent.
#[derive(Debug, Clone, Default)]
pub(in crate::kinetic) struct Heap {
    items: Vec<Timed>,
    /// By item: its place in `items`.
    places: Vec<u32>,
}

impl Heap {
    pub(super) fn grow(&mut self, capacity: usize) {
        self.places.resize(capacity.max(self.places.len()), NOWHERE);
    }

    pub(super) fn contains(&self, item: u32) -> bool {
        self.places[item as usize] != NOWHERE
    }

    pub(super) fn first(&self) -> Option<u32> {
        self.items.first().map(|first| first.item)
    }

    #[inline]
    pub(super) fn insert(&mut self, timed: Timed, tie: &mut impl FnMut(u32, u32) -> bool) {
        let place = self.items.len();
        self.items.push(timed);
        self.rise(place, tie);
    }

    #[inline]
    pub(super) fn remove(&mut self, item: u32, tie: &mut impl FnMut(u32, u32) -> bool) {
        let place = self.places[item as usize] as usize;
        self.places[item as usize] = NOWHERE;
        let last = self.items.pop().expect("the item is in the heap");
        if last.item != item {
            self.settle(place, last, tie);
        }
    }

    /// Gives an item another time.
    #[inline]
    pub(super) fn change(&mut self, timed: Timed, tie: &mut impl FnMut(u32, u32) -> bool) {
        let place = self.places[timed.item as usize] as usize;
        self.settle(place, timed, tie);
    }

    /// Puts an item at a place that is free, or from there to where it belongs.
    #[inline]
    fn settle(&mut self, place: usize, timed: Timed, tie: &mut impl FnMut(u32, u32) -> bool) {
        self.items[place] = timed;
        if place > 0 && is_before(&timed, &self.items[(place - 1) / CHILDREN], tie) {
            self.rise(place, tie);
        } else {
            self.sink(place, tie);
        }
    }

    #[inline]
    fn put(&mut self, place: usize, timed: Timed) {
        self.items[place] = timed;
        self.places[timed.item as usize] = place as u32;
    }

    #[inline]
    fn rise(&mut self, mut place: usize, tie: &mut impl FnMut(u32, u32) -> bool) {
        let timed = self.items[place];
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if !is_before(&timed, &self.items[parent], tie) {
                break;
            }
            self.put(place, self.items[parent]);
            place = parent;
        }
        self.put(place, timed);
    }

    #[inline]
    fn sink(&mut self, mut place: usize, tie: &mut impl FnMut(u32, u32) -> bool) {
        let timed = self.items[place];
        loop {
            let first = CHILDREN * place + 1;
            let end = (first + CHILDREN).min(self.items.len());
            if first >= end {
                break;
            }
            let mut least = first;
            for child in first + 1..end {
                if is_before(&self.items[child], &self.items[least], tie) {
                    least = child;
                }
            }
            if !is_before(&self.items[least], &timed, tie) {
                break;
            }
            self.put(place, self.items[least]);
            place = least;
        }
        self.put(place, timed);
    }
}
