//! Pairs that wait until there are enough of them to be searched side by side.

use super::centers::Centers;
use super::pair::Start;
use super::wide::LANES;

/// A pair that waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'a, S> {
    /// Its number among the pairs of the query.
    pub(super) index: usize,
    pub(super) centers: Centers<'a, S>,
    pub(super) start: Start,
}

/// At most [`LANES`] pairs.
#[derive(Debug)]
pub(super) struct Waiting<'a, S> {
    items: [Option<Item<'a, S>>; LANES],
    len: usize,
}

impl<'a, S: Copy> Waiting<'a, S> {
    #[inline(always)]
    pub(super) fn new() -> Waiting<'a, S> {
        Waiting {
            items: [const { None }; LANES],
            len: 0,
        }
    }

    /// Adds a pair; there must be room.
    #[inline(always)]
    pub(super) fn push(&mut self, index: usize, centers: Centers<'a, S>, start: Start) {
        self.items[self.len] = Some(Item {
            index,
            centers,
            start,
        });
        self.len += 1;
    }

    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.len == LANES
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The pairs, in the order they came.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Item<'a, S>> {
        self.items[..self.len].iter().flatten()
    }

    /// Forgets all pairs.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }
}
