//! Rectangles that overlap in a plane, by a sweep over an interval tree; the third axis is checked for those alone.
//!
//! Cohen, Lin, Manocha and Ponamgi (1995), section 4.3: where intervals crowd on single axes, rectangles on planes overlap much
//! less often. A line sweeps the plane along one axis; the rectangles that it crosses are intervals on the other, kept in an
//! interval tree. A rectangle whose lower end is reached asks the tree for its partners and is put in, at its upper end it
//! is taken out: `n log n + K` for `K` pairs of rectangles (Edelsbrunner 1983).
//!
//! The plane is that of the two axes along which boxes are spread widest. Where we depart: a second plane is not swept. Two boxes whose
//! rectangles overlap in one plane overlap in another exactly when their intervals on the third axis do, and this is one comparison.
//! Both orders along the sweep and that of the tree are kept from frame to frame.
//!
//! **Invariant.** At each moment of the sweep the tree has the rectangles that the line crosses.
//!
//! **Cost.** As above, in every frame in which anything changed; at constant density in space, `K` grows like `n^(4/3)`.

mod tree;

use super::changes::key_of;
use super::endpoints::{axes_by_spread, body_of};
use super::order::{End, Order};
use super::pairs::PairList;
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use tree::IntervalTree;

/// The broad phase that sweeps a plane.
#[derive(Debug, Clone)]
pub struct Rectangles {
    boxes: Boxes,
    /// Where rectangles begin and end along the sweep.
    starts: Order,
    stops: Order,
    /// Where intervals begin along the other axis of the plane.
    rows: Order,
    /// Bodies that came since the last `collect`.
    fresh: Vec<u32>,
    /// Whether anything came, went or moved since.
    is_dirty: bool,
    /// How many times pairs have been looked for.
    searches: u64,
    tree: IntervalTree,
    /// By index: its rank among `rows`.
    ranks: Vec<u32>,
    /// By rank: the box and the index.
    ranked: Vec<(Box32, u32)>,
    pairs: PairList,
    work: Work,
}

impl Rectangles {
    /// The plane is chosen anew after so many searches.
    const CHOOSE_EVERY: u64 = 64;

    fn choose_plane(&mut self) {
        if self.searches.is_multiple_of(Rectangles::CHOOSE_EVERY) {
            let bounds = self.boxes.iter().map(|(_, bounds)| bounds);
            let [along, across, _] = axes_by_spread(bounds);
            self.starts.turn_to(along);
            self.stops.turn_to(along);
            self.rows.turn_to(across);
        }
        self.searches += 1;
    }

    /// Brings the three orders and the ranks up to date.
    fn refresh(&mut self) {
        for order in [&mut self.starts, &mut self.stops, &mut self.rows] {
            self.work.swaps += order.refresh(&self.boxes, &self.fresh);
        }
        self.fresh.clear();
        self.ranks.resize(self.boxes.index_end(), 0);
        self.ranked.clear();
        for (endpoint, rank) in self.rows.endpoints().iter().zip(0..) {
            let index = body_of(*endpoint);
            self.ranks[index as usize] = rank;
            self.ranked.push((*self.boxes.at(index), index));
        }
    }

    /// Sweeps the plane and notes all pairs.
    fn sweep(&mut self) {
        self.tree.reset(self.ranked.len());
        let mut passed = 0;
        for place in 0..self.starts.endpoints().len() {
            let start = self.starts.endpoints()[place];
            // A rectangle that ends where this one begins has a larger endpoint: they touch.
            passed = self.leave(passed, |stop| stop < start);
            self.meet(self.rank_of(start));
        }
        self.leave(passed, |_| true);
    }

    /// Takes rectangles out of the tree, in the order of their ends, from the one numbered `passed` on, as long as `is_passed`
    /// says so. Tells the number of the first that stays.
    fn leave(&mut self, mut passed: usize, is_passed: impl Fn(u64) -> bool) -> usize {
        while let Some(stop) = self.stops.endpoints().get(passed)
            && is_passed(*stop)
        {
            self.tree.remove(self.rank_of(*stop));
            passed += 1;
        }
        passed
    }

    fn rank_of(&self, endpoint: u64) -> usize {
        self.ranks[body_of(endpoint) as usize] as usize
    }

    /// Notes the pairs of a rectangle with those in the tree, and puts it in.
    fn meet(&mut self, rank: usize) {
        let across = self.rows.axis();
        let (bounds, index) = self.ranked[rank];
        let reach = bounds.max[across];
        let end = rank + self.reached(rank, reach);
        let found = self.pairs.found();
        let mut tests = 0;
        self.work.nodes += self.tree.query(end, bounds.min[across], &mut |other| {
            let (other_bounds, other_index) = &self.ranked[other];
            tests += 1;
            if bounds.overlaps(other_bounds) {
                found.push(key_of(index, *other_index));
            }
        });
        self.work.box_tests += tests;
        self.tree.insert(rank, reach);
    }

    /// How many intervals from a rank on begin at or below a value; at least those up to it do.
    fn reached(&self, rank: usize, reach: f32) -> usize {
        let across = self.rows.axis();
        let ahead = &self.ranked[rank..];
        // Gallop, then halve: what is reached is mostly near.
        let mut step = 1;
        while step < ahead.len() && ahead[step].0.min[across] <= reach {
            step *= 2;
        }
        let ahead = &ahead[..step.min(ahead.len())];
        ahead.partition_point(|(bounds, _)| bounds.min[across] <= reach)
    }
}

impl Default for Rectangles {
    fn default() -> Rectangles {
        Rectangles {
            boxes: Boxes::default(),
            starts: Order::new(0, End::Lower),
            stops: Order::new(0, End::Upper),
            rows: Order::new(1, End::Lower),
            fresh: Vec::new(),
            is_dirty: false,
            searches: 0,
            tree: IntervalTree::default(),
            ranks: Vec::new(),
            ranked: Vec::new(),
            pairs: PairList::default(),
            work: Work::default(),
        }
    }
}

impl BroadPhase for Rectangles {
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
        self.choose_plane();
        self.refresh();
        self.sweep();
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
        let orders = [&self.starts, &self.stops, &self.rows].map(Order::bytes);
        self.boxes.bytes()
            + orders.iter().sum::<usize>()
            + (self.fresh.capacity() + self.ranks.capacity()) * 4
            + self.ranked.capacity() * size_of::<(Box32, u32)>()
            + self.tree.bytes()
            + self.pairs.bytes()
    }

    fn validate(&self) {
        self.boxes.validate();
        self.pairs.validate();
        assert!(self.tree.is_empty(), "the sweep has left all rectangles");
        if !self.is_dirty {
            for order in [&self.starts, &self.stops, &self.rows] {
                order.validate(&self.boxes);
            }
            for ((bounds, index), rank) in self.ranked.iter().zip(0..) {
                assert_eq!(self.ranks[*index as usize], rank, "ranks are numbered");
                assert_eq!(self.boxes.at(*index), bounds, "boxes are those of now");
            }
        }
    }
}
