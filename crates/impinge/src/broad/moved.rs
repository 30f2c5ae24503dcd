//! The bodies that came or moved since the last `collect`, each once.

/// A set of indices that keeps the order in which they came.
#[derive(Debug, Clone, Default)]
pub(super) struct Moved {
    list: Vec<u32>,
    /// By index: whether it is in the list.
    is_in: Vec<bool>,
}

impl Moved {
    /// Makes room for indices below `len`.
    pub(super) fn resize(&mut self, len: usize) {
        self.is_in.resize(len, false);
    }

    /// Adds an index, if it is not there yet.
    pub(super) fn add(&mut self, index: u32) {
        if !std::mem::replace(&mut self.is_in[index as usize], true) {
            self.list.push(index);
        }
    }

    #[inline]
    pub(super) fn has(&self, index: u32) -> bool {
        self.is_in[index as usize]
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        &self.list
    }

    pub(super) fn clear(&mut self) {
        for index in self.list.drain(..) {
            self.is_in[index as usize] = false;
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.list.capacity() * 4 + self.is_in.capacity()
    }
}
