//! Sweep and prune on one axis: the other two are checked where intervals overlap.
//!
//! Larsen, "Collision detection for real-time simulation" (lecture slides): keep the list of one axis only and check the other
//! two dimensions of a pair, so that the two most problematic axes are dropped.
//!
//! Bodies stay sorted by the lower ends of their intervals on the axis along which they are spread widest. From each body the
//! list is followed up to its upper end; the boxes met there are compared, eight at a time, in arrays that lie in the order of
//! the list.
//!
//! Where we depart: pairs are not kept by what is exchanged in the list. Two boxes can part on a dropped axis without an exchange,
//! so all pairs of overlapping intervals are looked at in every frame in which anything changed.
//!
//! **Invariant.** The list holds each body once, in order; the arrays are its boxes in the same order.
//!
//! **Cost.** `n` a frame plus the pairs of intervals that overlap on the axis: like `n^(5/3)` at constant density.

use super::endpoints::{axes_by_spread, body_of};
use super::order::{End, Order};
use super::pairs::PairList;
use super::row::Row;
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;

/// Sweep and prune on one axis.
#[derive(Debug, Clone)]
pub struct SweepAxis {
    boxes: Boxes,
    order: Order,
    /// Bodies that came since the last `collect`.
    fresh: Vec<u32>,
    /// Whether anything came, went or moved since.
    is_dirty: bool,
    /// How many times pairs have been looked for.
    searches: u64,
    row: Row,
    pairs: PairList,
    work: Work,
}

impl SweepAxis {
    /// The axis is chosen anew after so many searches.
    const CHOOSE_EVERY: u64 = 64;

    fn choose_axis(&mut self) {
        if self.searches.is_multiple_of(SweepAxis::CHOOSE_EVERY) {
            let [widest, ..] = axes_by_spread(self.boxes.iter().map(|(_, bounds)| bounds));
            self.order.turn_to(widest);
        }
        self.searches += 1;
    }
}

impl Default for SweepAxis {
    fn default() -> SweepAxis {
        SweepAxis {
            boxes: Boxes::default(),
            order: Order::new(0, End::Lower),
            fresh: Vec::new(),
            is_dirty: false,
            searches: 0,
            row: Row::default(),
            pairs: PairList::default(),
            work: Work::default(),
        }
    }
}

impl BroadPhase for SweepAxis {
    fn insert(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.insert(body, &bounds)?;
        self.fresh.push(body.index());
        self.is_dirty = true;
        Ok(())
    }

    fn update(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.update(body, &bounds)?;
        self.is_dirty = true;
        Ok(())
    }

    fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.boxes.remove(body)?;
        self.is_dirty = true;
        Ok(())
    }

    fn collect(&mut self, changes: &mut PairChanges) {
        if !std::mem::take(&mut self.is_dirty) {
            changes.clear();
            return;
        }
        self.choose_axis();
        self.work.swaps += self.order.refresh(&self.boxes, &self.fresh);
        self.fresh.clear();
        let bodies = self.order.endpoints().iter().map(|e| body_of(*e));
        self.row.fill(self.boxes.slice(), bodies, self.order.axis());
        self.work.box_tests += self.row.search(self.pairs.found());
        self.pairs.collect(&self.boxes, changes);
        self.boxes.settle();
    }

    fn pairs(&self, pairs: &mut Vec<Pair>) {
        self.pairs.pairs(&self.boxes, pairs);
    }

    fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    fn work(&self) -> Work {
        self.work
    }

    fn bytes(&self) -> usize {
        self.boxes.bytes()
            + self.order.bytes()
            + self.fresh.capacity() * 4
            + self.row.bytes()
            + self.pairs.bytes()
    }

    fn validate(&self) {
        self.boxes.validate();
        self.pairs.validate();
        if !self.is_dirty {
            self.order.validate(&self.boxes);
            let bodies = self.order.endpoints().iter().map(|e| body_of(*e));
            self.row
                .validate(self.boxes.slice(), bodies, self.order.axis());
        }
    }
}
