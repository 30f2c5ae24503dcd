//! Pairs of bodies that the exchanges of endpoints do not tell: of all, when everything is sorted anew, and of new ones.

use super::Sweep;
use crate::broad::Box32;
use crate::broad::changes::key_of;
use crate::broad::endpoints::{axes_by_spread, body_of, is_upper};
use crate::broad::row::Row;

/// Memory kept from search to search.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// Any keys.
    pub(super) keys: Vec<u64>,
    row: Row,
    /// Intervals that the sweep is inside of: of new bodies, and of the others.
    open: [Vec<(u32, Box32)>; 2],
    /// By index: its place in `open`.
    places: Vec<u32>,
}

impl Scratch {
    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let open: usize = self.open.iter().map(Vec::capacity).sum();
        self.keys.capacity() * 8
            + self.row.bytes()
            + open * size_of::<(u32, Box32)>()
            + self.places.capacity() * 4
    }
}

impl Sweep {
    /// Finds all pairs, by a sweep along the axis on which boxes are spread widest.
    pub(super) fn find_all_pairs(&mut self) {
        let [widest, ..] = axes_by_spread(self.boxes.iter().map(|(_, bounds)| bounds));
        let Scratch { keys, row, .. } = &mut self.scratch;
        let endpoints = self.axes[widest].endpoints().iter();
        let starts = endpoints.filter(|endpoint| !is_upper(**endpoint));
        row.fill(self.boxes.slice(), starts.map(|e| body_of(*e)), widest);
        keys.clear();
        self.work.box_tests += row.search(keys);
        for key in keys.drain(..) {
            self.pairs.insert(key);
        }
    }

    /// Finds all pairs with a new body, by such a sweep: new bodies meet all that are open, the others only new ones.
    pub(super) fn find_fresh_pairs(&mut self) {
        self.fresh.sort_unstable();
        let is_fresh = |index: u32| self.fresh.binary_search(&index).is_ok();
        let [widest, ..] = axes_by_spread(self.boxes.iter().map(|(_, bounds)| bounds));
        let Scratch { open, places, .. } = &mut self.scratch;
        places.resize(self.states.len(), 0);
        for endpoint in self.axes[widest].endpoints() {
            let index = body_of(*endpoint);
            let fresh = is_fresh(index);
            let own = &mut open[usize::from(!fresh)];
            if is_upper(*endpoint) {
                let place = places[index as usize];
                own.swap_remove(place as usize);
                if let Some((filler, _)) = own.get(place as usize) {
                    places[*filler as usize] = place;
                }
                continue;
            }
            let bounds = self.boxes.at(index);
            let others = if fresh { &open[..] } else { &open[..1] };
            for (other, other_bounds) in others.iter().flatten() {
                if bounds.overlaps(other_bounds) {
                    self.pairs.insert(key_of(index, *other));
                }
            }
            self.work.box_tests += others.iter().map(|bodies| bodies.len() as u64).sum::<u64>();
            let own = &mut open[usize::from(!fresh)];
            places[index as usize] = own.len() as u32;
            own.push((index, *bounds));
        }
    }
}
