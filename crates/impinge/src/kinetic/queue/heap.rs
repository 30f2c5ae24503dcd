//! A heap in an array, four children a node, that knows where each item is.

/// Not in the heap.
const NOWHERE: u32 = u32::MAX;
/// Children of a node. Four make the tree half as deep as two, and lie together.
const CHILDREN: usize = 4;

/// The heap: no item is before its parent.
#[derive(Debug, Clone, Default)]
pub(in crate::kinetic) struct Heap {
    items: Vec<u32>,
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
        self.items.first().copied()
    }

    pub(super) fn insert(&mut self, item: u32, before: &mut impl FnMut(u32, u32) -> bool) {
        let place = self.items.len();
        self.items.push(item);
        self.places[item as usize] = place as u32;
        self.rise(place, before);
    }

    pub(super) fn remove(&mut self, item: u32, before: &mut impl FnMut(u32, u32) -> bool) {
        let place = self.places[item as usize] as usize;
        self.places[item as usize] = NOWHERE;
        let last = self.items.pop().expect("the item is in the heap");
        if last == item {
            return;
        }
        self.put(place, last);
        self.rise(place, before);
        self.sink(self.places[last as usize] as usize, before);
    }

    fn put(&mut self, place: usize, item: u32) {
        self.items[place] = item;
        self.places[item as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize, before: &mut impl FnMut(u32, u32) -> bool) {
        let item = self.items[place];
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if !before(item, self.items[parent]) {
                break;
            }
            self.put(place, self.items[parent]);
            place = parent;
        }
        self.put(place, item);
    }

    fn sink(&mut self, mut place: usize, before: &mut impl FnMut(u32, u32) -> bool) {
        let item = self.items[place];
        loop {
            let first = CHILDREN * place + 1;
            let end = (first + CHILDREN).min(self.items.len());
            if first >= end {
                break;
            }
            let mut least = first;
            for child in first + 1..end {
                if before(self.items[child], self.items[least]) {
                    least = child;
                }
            }
            if !before(self.items[least], item) {
                break;
            }
            self.put(place, self.items[least]);
            place = least;
        }
        self.put(place, item);
    }
}
