//! A number for each key of a sparse set, a pair or a cell: a hash table without pointers.
//!
//! Slots lie in one vector, probed one after the other from the place that the key's hash gives. A slot that is freed is filled
//! from behind, so that no search ever has to pass a grave.
//!
//! **Invariant.** Between the place its hash gives and the slot where a key lies, no slot is free. At most half of the
//! slots are taken.
//!
//! **Cost.** One or two neighbouring cache lines an operation; 16 bytes a slot.

/// A number for each key of a set. The number 0 is that of keys that are not in the set.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeyMap {
    /// Keys with their numbers; free where the number is 0. The count is a power of two.
    slots: Vec<Slot>,
    len: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Slot {
    key: u64,
    number: u32,
}

const FEWEST_SLOTS: usize = 16;

impl KeyMap {
    /// How many keys have a number.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number of a key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> u32 {
        if self.slots.is_empty() {
            return 0;
        }
        self.slots[self.find(key)].number
    }

    /// Asks for where a key is.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        if !self.slots.is_empty() {
            crate::ahead::fetch_line(&self.slots, self.home(key));
        }
    }

    /// Changes the number of a key by a function and tells the number before and after.
    #[inline]
    pub(crate) fn change(&mut self, key: u64, next: impl FnOnce(u32) -> u32) -> [u32; 2] {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let place = self.find(key);
        let before = self.slots[place].number;
        let number = next(before);
        if number != 0 {
            self.slots[place] = Slot { key, number };
            self.len += usize::from(before == 0);
        } else if before != 0 {
            self.len -= 1;
            self.free(place);
        }
        [before, number]
    }

    /// All keys with their numbers, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u32)> {
        let taken = self.slots.iter().filter(|slot| slot.number != 0);
        taken.map(|slot| (slot.key, slot.number))
    }

    /// Changes all numbers by a function that does not make them 0.
    pub(super) fn change_all(&mut self, mut next: impl FnMut(u64, u32) -> u32) {
        for slot in self.slots.iter_mut().filter(|slot| slot.number != 0) {
            slot.number = next(slot.key, slot.number);
            debug_assert_ne!(slot.number, 0);
        }
    }

    /// Forgets all keys, keeping the memory.
    pub(super) fn clear(&mut self) {
        self.slots.fill(Slot::default());
        self.len = 0;
    }

    /// The slot of a key, or the free one where it would go.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = self.home(key);
        loop {
            let slot = &self.slots[place & mask];
            if slot.number == 0 || slot.key == key {
                return place & mask;
            }
            place += 1;
        }
    }

    /// Where the search for a key begins: the upper bits of a product.
    #[inline]
    fn home(&self, key: u64) -> usize {
        let mixed = (key ^ (key >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// Frees a slot: the next key that may lie there moves into it, and so on.
    fn free(&mut self, place: usize) {
        let mask = self.slots.len() - 1;
        let mut hole = place;
        let mut next = (hole + 1) & mask;
        while self.slots[next].number != 0 {
            let home = self.home(self.slots[next].key);
            // How far the key is from home, and how far the hole is from the key.
            if next.wrapping_sub(home) & mask >= next.wrapping_sub(hole) & mask {
                self.slots[hole] = self.slots[next];
                hole = next;
            }
            next = (next + 1) & mask;
        }
        self.slots[hole] = Slot::default();
    }

    fn grow(&mut self) {
        let count = (self.slots.len() * 2).max(FEWEST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); count]);
        for slot in old.into_iter().filter(|slot| slot.number != 0) {
            let place = self.find(slot.key);
            self.slots[place] = slot;
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// Panics when an invariant is broken.
    pub(super) fn validate(&self) {
        assert_eq!(self.iter().count(), self.len, "keys are counted");
        assert!(self.len * 2 <= self.slots.len(), "half is free");
        for (place, slot) in self.slots.iter().enumerate() {
            if slot.number != 0 {
                assert_eq!(self.find(slot.key), place, "each key is found");
            } else {
                assert_eq!(*slot, Slot::default(), "a free slot is empty");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeMap;

    #[test]
    fn numbers_are_those_of_a_plain_map() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut map, mut plain) = (KeyMap::default(), BTreeMap::new());
        for round in 0..20_000 {
            // Few keys, so that they come and go; many share a home.
            let key = rng.random_range(0..300u64) << (rng.random_range(0..3u32) * 30);
            let number = rng.random_range(0..3);
            let [before, after] = map.change(key, |_| number);
            let old = if number == 0 {
                plain.remove(&key)
            } else {
                plain.insert(key, number)
            };
            assert_eq!((before, after), (old.unwrap_or(0), number));
            assert_eq!(map.get(key), number);
            if round % 500 == 0 {
                map.validate();
                let mut all: Vec<(u64, u32)> = map.iter().collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(plain.iter().map(|(k, n)| (*k, *n))));
            }
        }
        map.clear();
        map.validate();
        assert_eq!(map.get(1), 0);
    }
}
