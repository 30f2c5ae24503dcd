//! The bodies that left their wide boxes: a flag each, and a list.
//!
//! The flags of both bodies are read for every watched pair, so they are not packed; the list is short, as few bodies leave.

/// The set. Members are indices below the size it was given.
#[derive(Debug, Clone, Default)]
pub(super) struct Left {
    flags: Vec<bool>,
    /// The members, each once, in an order of no meaning.
    list: Vec<u32>,
}

impl Left {
    /// Makes room for indices below `len`.
    pub(super) fn resize(&mut self, len: usize) {
        if self.flags.len() < len {
            self.flags.resize(len, false);
        }
    }

    /// How many members there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    #[inline(always)]
    pub(super) fn has(&self, index: usize) -> bool {
        self.flags[index]
    }

    /// By index: whether it is a member.
    #[inline(always)]
    pub(super) fn flags(&self) -> &[bool] {
        &self.flags
    }

    /// All members, in an order of no meaning.
    pub(super) fn list(&self) -> &[u32] {
        &self.list
    }

    #[inline]
    pub(super) fn add(&mut self, index: usize) {
        if !std::mem::replace(&mut self.flags[index], true) {
            self.list.push(index as u32);
        }
    }

    /// Adds many, and tells how many of them were not members.
    pub(super) fn add_all(&mut self, indices: impl ExactSizeIterator<Item = u32>) -> usize {
        let before = self.list.len();
        self.list.resize(before + indices.len(), 0);
        let mut end = before;
        for index in indices {
            // Always written, and left to be written over if it is there.
            self.list[end] = index;
            let was_here = std::mem::replace(&mut self.flags[index as usize], true);
            end += usize::from(!was_here);
        }
        self.list.truncate(end);
        end - before
    }

    pub(super) fn clear(&mut self) {
        if self.list.len() * 2 > self.flags.len() {
            self.flags.fill(false);
        } else {
            for index in &self.list {
                self.flags[*index as usize] = false;
            }
        }
        self.list.clear();
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.flags.capacity() + self.list.capacity() * 4
    }
}
