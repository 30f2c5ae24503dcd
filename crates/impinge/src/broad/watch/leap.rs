//! The search for bodies most of which left their wide boxes at once.
//!
//! Bodies that leap in every frame have no use for wide boxes, nor for a tree that is built for one frame. Putting them into the cells of a
//! lattice, and comparing neighbours, takes less time than such a tree takes to build. Where their sizes or places do not suit a
//! lattice, up to 2048 are compared in a row along one axis, and for more there is the tree. While they go on leaping, wide
//! boxes are not even made: in most frames the wide box of a body that moves is its box, and only now and then it is seen whether
//! bodies still leave. Up to 128 are compared all with all: their pairs then come in order.

use super::super::changes::key_of;
use super::super::endpoints::{axes_by_spread, body_of, lower_end, sort_nearly_sorted};
use super::super::row::Row;
use super::super::{Box32, Boxes};
use super::few::{Block, LANES, members};
use super::lattice::Lattice;
use crate::lanes::in_lanes;
use fearless_simd::Simd;

/// What the search keeps from frame to frame.
#[derive(Debug, Clone, Default)]
pub(super) struct LeapSearch {
    lattice: Lattice,
    /// In how many frames the lattice need not be tried again, as it declined.
    rest: u32,
    axis: usize,
    /// The lower ends of all bodies, in the order of the last frame; none if that frame was not searched along an axis.
    ends: Vec<u64>,
    row: Row,
    /// Boxes that are compared all with all, and whose they are.
    blocks: Vec<Block>,
    indices: Vec<u32>,
    searches: u64,
    /// In how many frames in a row bodies leapt.
    streak: u32,
    /// Boxes compared.
    pub(super) tests: u64,
}

impl LeapSearch {
    /// With more bodies than this, a tree is quicker than a row.
    const FEW: usize = 2048;

    /// Where a lattice declined, it is tried again after so many frames.
    const REST: u32 = 16;

    /// The axis is chosen anew after so many searches.
    const CHOOSE_EVERY: u64 = 64;

    /// Of so many frames in a row, wide boxes are made in the first ones: by the third, bodies that stay have stayed.
    const PROBE_EVERY: u32 = 8;
    const PROBE: u32 = 3;

    /// Whether this search is the quicker one, beside a search in a tree that is there or is to be built; to be asked once a
    /// frame. Bodies may have come, which is no sign that they will leap: for a crowd that did, a tree is built that serves later.
    pub(super) fn pays(
        &mut self,
        bodies: usize,
        leaves: usize,
        has_tree: bool,
        is_renewed: bool,
    ) -> bool {
        let share = if has_tree { 2 } else { 3 };
        self.rest = self.rest.saturating_sub(1);
        let can_search = bodies <= LeapSearch::FEW || self.rest == 0;
        let is_leap = can_search && share * leaves > bodies;
        self.streak = if is_leap { self.streak + 1 } else { 0 };
        let is_arrival = is_renewed && self.streak == 1 && bodies > LeapSearch::VERY_FEW;
        if !is_leap || is_arrival {
            // It is the order of a row no more, nor perhaps of the same bodies.
            self.ends.clear();
        }
        is_leap && !is_arrival
    }

    /// Whether so many of all bodies that move are taken to leave, as those before them.
    pub(super) fn takes_all_to_leave(&self, moved: usize, bodies: usize) -> bool {
        self.streak % LeapSearch::PROBE_EVERY >= LeapSearch::PROBE && 2 * moved > bodies
    }

    /// So many are compared all with all.
    const VERY_FEW: usize = 128;

    /// Replaces `found` by the keys of every two bodies whose wide boxes overlap, in an order of no meaning. Bodies are those of the
    /// last frame, or not. Tells whether it could: many bodies that do not suit a lattice are for a tree.
    pub(super) fn search(
        &mut self,
        boxes: &Boxes,
        are_those_before: bool,
        wide: &[Box32],
        found: &mut Vec<u64>,
    ) -> bool {
        found.clear();
        if boxes.len() <= LeapSearch::VERY_FEW {
            self.ends.clear();
            self.fill_blocks(boxes, wide);
            in_lanes!(simd => self.compare_all(simd, found));
            return true;
        }
        if self.rest == 0 {
            let bodies = boxes.iter().map(|(body, _)| body.index());
            let lattice = &mut self.lattice;
            let tests = in_lanes!(simd => lattice.search(simd, wide, bodies, found));
            if let Some(tests) = tests {
                self.ends.clear();
                self.tests += tests;
                return true;
            }
            self.rest = LeapSearch::REST;
        }
        if boxes.len() > LeapSearch::FEW {
            self.streak = 0;
            return false;
        }
        self.search_row(boxes, are_those_before, wide, found);
        true
    }

    /// The same in a row along one axis.
    fn search_row(
        &mut self,
        boxes: &Boxes,
        are_those_before: bool,
        wide: &[Box32],
        found: &mut Vec<u64>,
    ) {
        if self.searches.is_multiple_of(LeapSearch::CHOOSE_EVERY) {
            [self.axis, ..] = axes_by_spread(boxes.iter().map(|(_, bounds)| bounds));
        }
        self.searches += 1;
        let end_of = |index: u32| lower_end(&wide[index as usize], self.axis, index);
        if self.streak > 1 && are_those_before && self.ends.len() == boxes.len() {
            // In the order of the last frame, which may still be nearly right.
            for end in &mut self.ends {
                *end = end_of(body_of(*end));
            }
        } else {
            self.ends.clear();
            self.ends
                .extend(boxes.iter().map(|(body, _)| end_of(body.index())));
        }
        let descents = self.ends.windows(2).filter(|two| two[0] > two[1]).count();
        if 4 * descents < self.ends.len() {
            sort_nearly_sorted(&mut self.ends);
        } else {
            self.ends.sort_unstable();
        }
        let bodies = self.ends.iter().map(|end| body_of(*end));
        self.row.fill(wide, bodies, self.axis);
        self.tests += self.row.search(found);
    }

    /// Puts the wide boxes of all bodies into blocks, by index.
    fn fill_blocks(&mut self, boxes: &Boxes, wide: &[Box32]) {
        self.indices.clear();
        self.indices
            .extend(boxes.iter().map(|(body, _)| body.index()));
        self.blocks.clear();
        for chunk in self.indices.chunks(LANES) {
            let mut block = Block::NOWHERE;
            for (lane, index) in chunk.iter().enumerate() {
                block.set(lane, &wide[*index as usize]);
            }
            self.blocks.push(block);
        }
    }

    /// Adds the keys of all pairs in the blocks, in order.
    #[inline(always)]
    fn compare_all<S: Simd>(&mut self, simd: S, found: &mut Vec<u64>) {
        for (place, index) in self.indices.iter().enumerate() {
            let own = self.blocks[place / LANES].splat(simd, place % LANES);
            // Words of bits, for eight blocks each; only those behind the own place count.
            let blocks = self.blocks.chunks(LANES).enumerate();
            for (number, blocks) in blocks.skip(place / 64) {
                let first = number * 64;
                let mut met = 0;
                for (byte, block) in blocks.iter().enumerate() {
                    met |= block.overlapping(simd, &own) << (byte * LANES);
                }
                self.tests += (blocks.len() * LANES) as u64;
                if first <= place {
                    met &= !(u64::MAX >> (63 - place % 64));
                }
                let others = members(met).map(|other| self.indices[first + other]);
                found.extend(others.map(|other| key_of(*index, other)));
            }
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.lattice.bytes()
            + self.ends.capacity() * 8
            + self.row.bytes()
            + self.blocks.capacity() * size_of::<Block>()
            + self.indices.capacity() * 4
    }
}
