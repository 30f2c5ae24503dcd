//! One bit for each pair that could be: a triangular matrix.
//!
//! The row of index `b` has a bit for each smaller index, and rows follow each other: the bit of `(a, b)` with `a < b` is number
//! `b (b - 1) / 2 + a`. New bodies add rows at the end; nothing moves.
//!
//! **Cost.** One access an operation. `n^2 / 16` bytes for indices below `n`, and as much to read for a list of all pairs.

use crate::broad::changes::{indices_of, key_of};

/// A set of pairs as a triangle of bits.
#[derive(Debug, Clone, Default)]
pub(in crate::broad) struct PairMatrix {
    words: Vec<u64>,
    len: usize,
}

impl PairMatrix {
    /// How many pairs there are.
    pub(in crate::broad) fn len(&self) -> usize {
        self.len
    }

    /// Whether the pair is in the set.
    #[inline]
    pub(in crate::broad) fn contains(&self, key: u64) -> bool {
        let (word, bit) = place_of(key);
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Puts a pair in; whether it was not there before.
    #[inline]
    pub(in crate::broad) fn insert(&mut self, key: u64) -> bool {
        let (word, bit) = place_of(key);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.len += usize::from(is_new);
        is_new
    }

    /// Takes a pair out; whether it was there.
    #[inline]
    pub(in crate::broad) fn remove(&mut self, key: u64) -> bool {
        let was_there = self.contains(key);
        if was_there {
            let (word, bit) = place_of(key);
            self.words[word] &= !bit;
            self.len -= 1;
        }
        was_there
    }

    /// All pairs, by their larger index and then by the smaller.
    pub(in crate::broad) fn iter(&self) -> impl Iterator<Item = u64> {
        let mut row = Row { b: 1, first: 0 };
        let words = (0u64..).zip(&self.words).filter(|(_, bits)| **bits != 0);
        let places = words.flat_map(|(word, bits)| ones(*bits).map(move |bit| word * 64 + bit));
        places.map(move |place| row.key_at(place))
    }

    /// The memory held.
    pub(in crate::broad) fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }

    /// Panics when an invariant is broken.
    pub(in crate::broad) fn validate(&self) {
        let ones = self.words.iter().map(|bits| bits.count_ones() as usize);
        assert_eq!(ones.sum::<usize>(), self.len, "pairs are counted");
    }
}

/// The word and the bit in it of a pair.
#[inline]
fn place_of(key: u64) -> (usize, u64) {
    let [a, b] = indices_of(key).map(u64::from);
    let place = b * (b - 1) / 2 + a;
    ((place / 64) as usize, 1 << (place % 64))
}

/// The numbers of the bits that are set, ascending.
fn ones(bits: u64) -> impl Iterator<Item = u64> {
    let without_lowest = |bits: &u64| bits.checked_sub(1).map(|less| bits & less);
    let rests = std::iter::successors(Some(bits), without_lowest);
    rests
        .take_while(|rest| *rest != 0)
        .map(|rest| u64::from(rest.trailing_zeros()))
}

/// The row that an ascending walk over the bits has reached.
#[derive(Debug)]
struct Row {
    b: u64,
    /// The number of the row's first bit.
    first: u64,
}

impl Row {
    fn key_at(&mut self, place: u64) -> u64 {
        while place >= self.first + self.b {
            self.first += self.b;
            self.b += 1;
        }
        key_of((place - self.first) as u32, self.b as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_its_own_bit() {
        let mut matrix = PairMatrix::default();
        let keys: Vec<u64> = (1..40)
            .flat_map(|b| (0..b).map(move |a| key_of(a, b)))
            .collect();
        for key in &keys {
            assert!(!matrix.contains(*key) && matrix.insert(*key) && !matrix.insert(*key));
        }
        assert!(matrix.iter().eq(keys.iter().copied()));
        for key in keys.iter().step_by(3) {
            assert!(matrix.remove(*key) && !matrix.remove(*key));
        }
        matrix.validate();
        assert_eq!(matrix.len(), keys.len() - keys.len().div_ceil(3));
        assert!(matrix.iter().all(|key| keys.contains(&key)));
    }
}
