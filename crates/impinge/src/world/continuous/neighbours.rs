//! Which pairs are near each other at present, as the pruning says, by body.

use crate::body::Pair;

/// The neighbours of each body, by index.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    lists: Vec<Vec<u32>>,
}

impl Neighbours {
    pub(super) fn grow(&mut self, count: usize) {
        if self.lists.len() < count {
            self.lists.resize_with(count, Vec::new);
        }
    }

    pub(super) fn begin(&mut self, pair: Pair) {
        for [one, other] in ordered(pair) {
            let list = &mut self.lists[one as usize];
            if !list.contains(&other) {
                list.push(other);
            }
        }
    }

    pub(super) fn end(&mut self, pair: Pair) {
        for [one, other] in ordered(pair) {
            self.lists[one as usize].retain(|index| *index != other);
        }
    }

    pub(super) fn of(&self, index: u32) -> &[u32] {
        &self.lists[index as usize]
    }

    pub(super) fn are_near(&self, pair: Pair) -> bool {
        self.of(pair.a().index()).contains(&pair.b().index())
    }

    /// Forgets all pairs of a body.
    pub(super) fn forget(&mut self, index: u32) -> Vec<u32> {
        let own = std::mem::take(&mut self.lists[index as usize]);
        for other in &own {
            self.lists[*other as usize].retain(|i| *i != index);
        }
        own
    }
}

fn ordered(pair: Pair) -> [[u32; 2]; 2] {
    let (a, b) = (pair.a().index(), pair.b().index());
    [[a, b], [b, a]]
}
