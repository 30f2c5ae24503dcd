//! A set of bodies, a bit each.

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

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}
