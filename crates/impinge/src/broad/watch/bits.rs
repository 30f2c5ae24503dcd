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
        Bits::add_to(&mut self.words, index);
    }

    /// All members, 64 to a word.
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Adds a member to some of the words, counted from the first.
    #[inline(always)]
    pub(super) fn add_to(words: &mut [u64], index: usize) {
        words[index / 64] |= 1 << (index % 64);
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// All members in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(place, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let next = (rest != 0).then(|| place * 64 + rest.trailing_zeros() as usize);
                rest &= rest.wrapping_sub(1);
                next
            })
        })
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}
