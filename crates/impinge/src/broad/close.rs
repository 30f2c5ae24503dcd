//! Bodies in cells, and how many cells each two share.
//!
//! Mirtich (1996), "Impulse-based dynamic simulation of rigid body systems", as told by Larsen's slides. Cells that hold a body are
//! buckets of a hash table; two bodies that meet in a bucket are *close*, and a counter for each close pair says in how many
//! buckets they meet. A body that enters a bucket raises its counters with the members, one that leaves lowers them. A body that
//! stays in its cells changes nothing. Close pairs are the only ones whose boxes are compared.
//!
//! A bucket has two lists: *A* for bodies of its own resolution, *B* for smaller ones that are there to be found. Two of list B are not
//! close: they meet in finer cells. A grid of one resolution has list A alone.
//!
//! Cells are known by a 64-bit hash of their coordinates. Two cells with the same hash share a bucket, and a body in both is in it
//! twice: counters then count products of multiplicities, which entering and leaving keep just as well. Nothing is lost.
//!
//! **Invariant.** The counter of a pair is the number of bucket entries of one times those of the other, added up over buckets, two of
//! list B not counted. The top bit of a counter says that the boxes overlapped when they were last compared.

use super::Boxes;
use super::changes::{indices_of, key_of};
use super::key_map::KeyMap;
use super::pairs::Toggles;
use super::{Box32, PairChanges};
use crate::body::Pair;
use std::collections::BTreeMap;

/// The bit of a counter that says that the boxes overlap.
const OVERLAP: u32 = 1 << 31;

/// A body in a bucket: its index, and in the top bit the list it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member(u32);

impl Member {
    const FINER: u32 = 1 << 31;

    /// In list A.
    pub(super) fn own(index: u32) -> Member {
        Member(index)
    }

    /// In list B.
    pub(super) fn finer(index: u32) -> Member {
        Member(index | Member::FINER)
    }

    fn index(self) -> u32 {
        self.0 & !Member::FINER
    }

    /// The list that the body is in. Hashes of cells lose their lowest bit, so that no list is both of one cell and of another.
    fn list_in(self, cell: u64) -> u64 {
        cell & !1 | u64::from(self.0 >> 31)
    }

    /// The lists in which bodies close to this one are: A for all, B for those of list A.
    fn lists_met(self, cell: u64) -> impl Iterator<Item = u64> {
        let own = cell & !1;
        let is_own = self.0 & Member::FINER == 0;
        [Some(own), is_own.then_some(own | 1)].into_iter().flatten()
    }

    /// The key of the pair when the two are close.
    #[inline]
    fn close_to(self, other: Member) -> Option<u64> {
        let both_finer = self.0 & other.0 & Member::FINER != 0;
        let (a, b) = (self.index(), other.index());
        (!both_finer && a != b).then(|| key_of(a, b))
    }
}

/// One body in one list of a bucket, linked to its neighbours there and to the next list that the body is in. Links are one
/// more than the number of an entry; 0 is the end.
#[derive(Debug, Clone, Copy)]
struct Entry {
    list: u64,
    member: Member,
    previous: u32,
    next: u32,
    sibling: u32,
}

/// Buckets, close pairs, and what changed.
#[derive(Debug, Clone, Default)]
pub(super) struct Close {
    /// For each list that is not empty, the link to its first entry.
    lists: KeyMap,
    entries: Vec<Entry>,
    /// By index: the link to the first entry of a body.
    heads: Vec<u32>,
    /// The link to the first of the entries that are free, which are siblings.
    free: u32,
    counters: KeyMap,
    toggles: Toggles,
}

impl Close {
    /// A body enters a cell.
    pub(super) fn enter(&mut self, cell: u64, member: Member) {
        for list in member.lists_met(cell) {
            let mut link = self.lists.get(list);
            while link != 0 {
                let entry = self.entries[link as usize - 1];
                if let Some(key) = member.close_to(entry.member) {
                    self.counters.change(key, |number| number + 1);
                }
                link = entry.next;
            }
        }
        self.link(member.list_in(cell), member);
    }

    /// A body leaves a cell that it has entered, by the same list.
    pub(super) fn leave(&mut self, cell: u64, member: Member) {
        self.unlink(member.list_in(cell), member);
        for list in member.lists_met(cell) {
            let mut link = self.lists.get(list);
            while link != 0 {
                let entry = self.entries[link as usize - 1];
                if let Some(key) = member.close_to(entry.member) {
                    self.lower(key);
                }
                link = entry.next;
            }
        }
    }

    fn lower(&mut self, key: u64) {
        // The last one takes the bit away with it.
        let drop = |number: u32| {
            if number & !OVERLAP == 1 {
                0
            } else {
                number - 1
            }
        };
        let [before, after] = self.counters.change(key, drop);
        if before & OVERLAP != after & OVERLAP {
            self.toggles.note(key);
        }
    }

    /// Puts a body at the front of a list.
    fn link(&mut self, list: u64, member: Member) {
        let index = member.index() as usize;
        if index >= self.heads.len() {
            self.heads.resize(index + 1, 0);
        }
        let next = self.lists.get(list);
        let entry = Entry {
            list,
            member,
            previous: 0,
            next,
            sibling: self.heads[index],
        };
        let link = self.new_entry(entry);
        self.heads[index] = link;
        self.lists.change(list, |_| link);
        if next != 0 {
            self.entries[next as usize - 1].previous = link;
        }
    }

    fn new_entry(&mut self, entry: Entry) -> u32 {
        if self.free == 0 {
            self.entries.push(entry);
            return self.entries.len() as u32;
        }
        let link = self.free;
        let place = &mut self.entries[link as usize - 1];
        self.free = place.sibling;
        *place = entry;
        link
    }

    /// Takes a body out of a list. The body is in few lists, while the list may have many bodies.
    fn unlink(&mut self, list: u64, member: Member) {
        let head = &mut self.heads[member.index() as usize];
        let (mut before, mut link) = (0, *head);
        while self.entries[link as usize - 1].list != list {
            before = link;
            link = self.entries[link as usize - 1].sibling;
        }
        let Entry {
            previous,
            next,
            sibling,
            ..
        } = self.entries[link as usize - 1];
        match before {
            0 => *head = sibling,
            _ => self.entries[before as usize - 1].sibling = sibling,
        }
        match previous {
            0 => {
                self.lists.change(list, |_| next);
            }
            _ => self.entries[previous as usize - 1].next = next,
        }
        if next != 0 {
            self.entries[next as usize - 1].previous = previous;
        }
        self.entries[link as usize - 1].sibling = self.free;
        self.free = link;
    }

    /// Compares the boxes of all close pairs with a moved body; tells how many.
    pub(super) fn compare_all(&mut self, boxes: &Boxes, is_moved: impl Fn(u32) -> bool) -> u64 {
        let toggles = &mut self.toggles;
        let mut tests = 0;
        self.counters.change_all(|key, number| {
            let [a, b] = indices_of(key);
            if !is_moved(a) && !is_moved(b) {
                return number;
            }
            tests += 1;
            let next = with_overlap(number, boxes.at(a).overlaps(boxes.at(b)));
            if next != number {
                toggles.note(key);
            }
            next
        });
        tests
    }

    /// Compares the box of a body with those close to it in one of its cells; tells how many.
    pub(super) fn compare_in(&mut self, cell: u64, member: Member, boxes: &Boxes) -> u64 {
        let bounds: &Box32 = boxes.at(member.index());
        let mut tests = 0;
        for list in member.lists_met(cell) {
            let mut link = self.lists.get(list);
            while link != 0 {
                let entry = self.entries[link as usize - 1];
                link = entry.next;
                let Some(key) = member.close_to(entry.member) else {
                    continue;
                };
                tests += 1;
                let overlaps = bounds.overlaps(boxes.at(entry.member.index()));
                let mark = |number: u32| with_overlap(number, overlaps);
                let [before, after] = self.counters.change(key, mark);
                if before != after {
                    self.toggles.note(key);
                }
            }
        }
        tests
    }

    /// The pairs that overlapped when they were last compared.
    pub(super) fn overlapping(&self) -> impl Iterator<Item = u64> {
        let marked = self.counters.iter().filter(|(_, n)| n & OVERLAP != 0);
        marked.map(|(key, _)| key)
    }

    /// Panics when a pair is marked whose boxes do not overlap; to be called when nothing moved since the last comparison.
    pub(super) fn validate_marks(&self, boxes: &Boxes) {
        for key in self.overlapping() {
            let [a, b] = indices_of(key).map(|index| boxes.at(index));
            assert!(a.overlaps(b), "marked pairs overlap");
        }
    }

    /// Empties all cells, and tells in `kept` which pairs overlapped: to be handed to [`Close::restore`] when the cells are filled
    /// again.
    pub(super) fn empty(&mut self, kept: &mut Vec<u64>) {
        kept.clear();
        kept.extend(self.overlapping());
        self.lists.clear();
        self.counters.clear();
        self.entries.clear();
        self.heads.fill(0);
        self.free = 0;
    }

    /// Takes up again what overlapped before [`Close::empty`]. Pairs that are not close any more have ended, and so have those of an
    /// index that changed hands.
    pub(super) fn restore(&mut self, boxes: &Boxes, kept: &mut Vec<u64>) {
        for key in kept.drain(..) {
            let is_old = indices_of(key).into_iter().all(|i| boxes.is_settled(i));
            if is_old && self.counters.get(key) != 0 {
                self.counters.change(key, |number| number | OVERLAP);
            } else {
                self.toggles.note(key);
            }
        }
    }

    /// What changed since the last `collect`, to be added to.
    pub(super) fn toggles(&mut self) -> &mut Toggles {
        &mut self.toggles
    }

    /// Replaces `changes` by what changed; `is_elsewhere` knows pairs that are kept apart from the counters.
    pub(super) fn collect(
        &mut self,
        boxes: &Boxes,
        is_elsewhere: impl Fn(u64) -> bool,
        changes: &mut PairChanges,
    ) {
        let counters = &self.counters;
        let is_there = |key: u64| counters.get(key) & OVERLAP != 0 || is_elsewhere(key);
        self.toggles.collect(boxes, is_there, changes);
    }

    /// Replaces `pairs` by those at the last `collect`, given the pairs that are kept elsewhere.
    pub(super) fn pairs(
        &self,
        boxes: &Boxes,
        elsewhere: impl Iterator<Item = u64>,
        pairs: &mut Vec<Pair>,
    ) {
        let now = self.overlapping().chain(elsewhere);
        self.toggles.pairs_before(boxes, now, pairs);
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes()
            + self.entries.capacity() * size_of::<Entry>()
            + self.heads.capacity() * 4
            + self.counters.bytes()
            + self.toggles.bytes()
    }

    /// Panics when buckets and counters are not those of the given members of cells.
    pub(super) fn validate(&self, members: impl Iterator<Item = (u64, Member)>) {
        self.lists.validate();
        self.counters.validate();
        let mut expected: Vec<(u64, u32)> =
            members.map(|(cell, m)| (m.list_in(cell), m.0)).collect();
        expected.sort_unstable();
        let mut found = self.linked();
        found.sort_unstable();
        assert_eq!(found, expected, "every body is in its cells");

        let mut counted: BTreeMap<u64, u32> = BTreeMap::new();
        for bucket in found.chunk_by(|a, b| a.0 | 1 == b.0 | 1) {
            for (place, (_, a)) in bucket.iter().enumerate() {
                let keys = bucket[..place].iter();
                for key in keys.filter_map(|(_, b)| Member(*a).close_to(Member(*b))) {
                    *counted.entry(key).or_default() += 1;
                }
            }
        }
        let counters = self.counters.iter();
        let counters: BTreeMap<u64, u32> = counters.map(|(key, n)| (key, n & !OVERLAP)).collect();
        assert_eq!(counters, counted, "counters count shared cells");
    }

    /// All lists with their members.
    fn linked(&self) -> Vec<(u64, u32)> {
        let mut found = Vec::new();
        for (list, first) in self.lists.iter() {
            let (mut previous, mut link) = (0, first);
            while link != 0 {
                let entry = self.entries[link as usize - 1];
                assert_eq!((entry.list, entry.previous), (list, previous), "links");
                found.push((list, entry.member.0));
                (previous, link) = (link, entry.next);
            }
        }
        found
    }
}

#[inline]
fn with_overlap(number: u32, overlaps: bool) -> u32 {
    if overlaps {
        number | OVERLAP
    } else {
        number & !OVERLAP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_share_a_number_lose_nothing() {
        let [a, b] = [0, 1].map(Member::own);
        let key = key_of(0, 1);
        let mut close = Close::default();
        // Two cells of the first body are known by the same number.
        close.enter(8, a);
        close.enter(8, b);
        close.enter(8, a);
        assert_eq!(close.counters.get(key), 2);
        close.validate([(8, a), (8, a), (8, b)].into_iter());
        close.leave(8, a);
        assert_eq!(close.counters.get(key), 1);
        close.leave(8, b);
        assert_eq!(close.counters.get(key), 0);
        close.validate(std::iter::once((8, a)));
    }

    #[test]
    fn two_that_are_there_to_be_found_are_not_close() {
        let [small, other, large] = [Member::finer(0), Member::finer(1), Member::own(2)];
        let mut close = Close::default();
        for member in [small, large, other] {
            close.enter(8, member);
        }
        let counter = |one: u32, other: u32| close.counters.get(key_of(one, other));
        assert_eq!([counter(0, 1), counter(0, 2), counter(1, 2)], [0, 1, 1]);
        // Neighbouring numbers are different cells only in pairs.
        close.enter(10, small);
        close.validate([(8, small), (8, other), (8, large), (10, small)].into_iter());
    }
}
