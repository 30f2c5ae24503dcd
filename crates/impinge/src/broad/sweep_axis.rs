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

use super::changes::key_of;
use super::endpoints::{axes_by_spread, body_of};
use super::order::{End, Order};
use super::pairs::PairList;
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use crate::math::Aabb;
use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};

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
    fn insert(&mut self, body: BodyId, bounds: Aabb) -> Result<(), Error> {
        self.boxes.insert(body, &bounds)?;
        self.fresh.push(body.index());
        self.is_dirty = true;
        Ok(())
    }

    fn update(&mut self, body: BodyId, bounds: Aabb) -> Result<(), Error> {
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
        self.row.fill(&self.boxes, &self.order);
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
            self.row.validate(&self.boxes, &self.order);
        }
    }
}

/// One box of a row, in all lanes.
struct Own<S: Simd> {
    max: f32x8<S>,
    across_min: [f32x8<S>; 2],
    across_max: [f32x8<S>; 2],
}

impl<S: Simd> Own<S> {
    #[inline(always)]
    fn at(simd: S, row: &Row, place: usize) -> Own<S> {
        let [min_0, min_1] = &row.across_min;
        let [max_0, max_1] = &row.across_max;
        Own {
            max: f32x8::splat(simd, row.max[place]),
            across_min: [
                f32x8::splat(simd, min_0[place]),
                f32x8::splat(simd, min_1[place]),
            ],
            across_max: [
                f32x8::splat(simd, max_0[place]),
                f32x8::splat(simd, max_1[place]),
            ],
        }
    }
}

/// How many boxes are compared at a time.
const LANES: usize = 8;

/// The boxes in the order of their lower ends, coordinate by coordinate, and some that overlap nothing at the end.
#[derive(Debug, Clone, Default)]
struct Row {
    indices: Vec<u32>,
    /// On the axis of the order.
    min: Vec<f32>,
    max: Vec<f32>,
    /// On the two others.
    across_min: [Vec<f32>; 2],
    across_max: [Vec<f32>; 2],
}

impl Row {
    fn fill(&mut self, boxes: &Boxes, order: &Order) {
        self.clear();
        for endpoint in order.endpoints() {
            let index = body_of(*endpoint);
            self.push(index, boxes.at(index), order.axis());
        }
        let nowhere = Box32 {
            min: [f32::INFINITY; 3],
            max: [f32::NEG_INFINITY; 3],
        };
        for _ in 0..LANES {
            self.push(u32::MAX, &nowhere, order.axis());
        }
    }

    fn clear(&mut self) {
        self.indices.clear();
        self.coordinates().into_iter().for_each(Vec::clear);
    }

    fn push(&mut self, index: u32, bounds: &Box32, axis: usize) {
        self.indices.push(index);
        self.min.push(bounds.min[axis]);
        self.max.push(bounds.max[axis]);
        for (side, across) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
            self.across_min[side].push(bounds.min[across]);
            self.across_max[side].push(bounds.max[across]);
        }
    }

    fn coordinates(&mut self) -> [&mut Vec<f32>; 6] {
        let ([a, b], [c, d]) = (&mut self.across_min, &mut self.across_max);
        [&mut self.min, &mut self.max, a, b, c, d]
    }

    /// Appends the keys of all pairs that overlap, and tells how many boxes were compared.
    fn search(&self, found: &mut Vec<u64>) -> u64 {
        dispatch!(Level::new(), simd => self.search_with(simd, found))
    }

    #[inline(always)]
    fn search_with<S: Simd>(&self, simd: S, found: &mut Vec<u64>) -> u64 {
        let mut tests = 0;
        for place in 0..self.indices.len() - LANES {
            let own = Own::at(simd, self, place);
            let reach = self.max[place];
            let mut ahead = place + 1;
            while self.min[ahead] <= reach {
                let mut hits = self.compare(simd, &own, ahead);
                while hits != 0 {
                    let met = self.indices[ahead + hits.trailing_zeros() as usize];
                    found.push(key_of(self.indices[place], met));
                    hits &= hits - 1;
                }
                ahead += LANES;
                tests += LANES as u64;
            }
        }
        tests
    }

    /// Which of the boxes from `ahead` on overlap a box, a bit each; none beyond its upper end.
    #[inline(always)]
    fn compare<S: Simd>(&self, simd: S, own: &Own<S>, ahead: usize) -> u32 {
        let mut overlap = block(simd, &self.min, ahead).simd_le(own.max);
        for side in 0..2 {
            let low = block(simd, &self.across_min[side], ahead);
            let high = block(simd, &self.across_max[side], ahead);
            overlap &= low.simd_le(own.across_max[side]);
            overlap &= high.simd_ge(own.across_min[side]);
        }
        overlap.to_bitmask() as u32
    }

    fn bytes(&self) -> usize {
        // Seven vectors of the same length.
        self.indices.capacity() * 4 * 7
    }

    fn validate(&self, boxes: &Boxes, order: &Order) {
        let mut expected = Row::default();
        expected.fill(boxes, order);
        let count = order.endpoints().len();
        assert_eq!(self.indices.get(..count), expected.indices.get(..count));
        for (own, other) in self
            .clone()
            .coordinates()
            .iter()
            .zip(expected.coordinates())
        {
            assert_eq!(own.get(..count), other.get(..count), "boxes in order");
        }
    }
}

/// The numbers from a place on, one a lane.
#[inline(always)]
fn block<S: Simd>(simd: S, list: &[f32], start: usize) -> f32x8<S> {
    f32x8::from_slice(simd, &list[start..start + LANES])
}
