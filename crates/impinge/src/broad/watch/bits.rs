//! A set of bodies, a bit each.

use super::few::members;

/// The set. Members are indices below the size it was given.
#[derive(Debug, Clone, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Makes room for indices below `len`.
    pub(super) fn resize(&mut self, len: usize) {
        if self.words.len() < len.div_ceil(64) {
            self.words.resize(len.div_ceil(64), 0);
        }
    }

    #[inline(always)]
    pub(super) fn has(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn add(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    /// Adds all members of a set that is not larger.
    pub(super) fn add_all(&mut self, others: &Bits) {
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word |= other;
        }
    }

    /// All members, in order.
    #[inline(always)]
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (number, word) in self.words.iter().enumerate() {
            members(*word).for_each(|bit| visit(number * 64 + bit));
        }
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}
