//! Sweep and prune: three sorted lists of endpoints, and pairs that change where endpoints are exchanged.
//!
//! Cohen, Lin, Manocha and Ponamgi (1995), "I-COLLIDE: an interactive and exact collision detection system for large-scale
//! environments", sections 4.2, 5.1 and 6.1. Each box is an interval on each axis; the ends of all intervals of an axis lie
//! in one sorted list. Between frames little moves, so insertion sort is nearly linear. Two boxes can begin or end to overlap
//! only where, on some axis, the lower end of one passes the upper end of the other.
//!
//! Where we depart:
//! - No overlap flag for each axis and pair. At an exchange that lets two intervals meet, the boxes themselves are compared; at
//!   one that parts them, those of the last frame are. The pair store then holds overlapping pairs alone.
//! - When few bodies moved, only their endpoints are carried to their new places.
//! - Bodies that come are sorted among themselves, merged into the lists, and find their pairs in one sweep; bodies that go
//!   leave in one pass. Either costs a pass over the lists, however many they are.
//! - When there are more exchanges than sorting anew would cost, everything is sorted and swept anew.
//!
//! **Invariant.** After `collect` the lists are sorted and hold the two endpoints of each body on each axis; the store has
//! exactly the pairs that overlap.
//!
//! **Cost.** A frame with `m` moved bodies: `m` plus the exchanges, which grow with speed and with the number of endpoints that
//! crowd on an axis: at constant density like `n^(5/3)`, and like `n^2` for dice on a table.

mod axis;
mod find;

use super::changes::{indices_of, key_of};
use super::pairs::{PairStorage, PairStore};
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use axis::{Axis, Crossing};
use find::Scratch;

/// Sweep and prune on three axes.
#[derive(Debug, Clone)]
pub struct Sweep {
    boxes: Boxes,
    /// By index: the box at the last `collect`.
    before: Vec<Box32>,
    axes: [Axis; 3],
    storage: PairStorage,
    pairs: PairStore,
    /// By index: what is to be done with it.
    states: Vec<State>,
    /// Indices of listed bodies that moved, of new bodies, and whether listed bodies left.
    moved: Vec<u32>,
    fresh: Vec<u32>,
    has_left: bool,
    /// How many times in a row patience has not sufficed.
    failures: u32,
    scratch: Scratch,
    work: Work,
}

/// What the lists know of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Not in the lists.
    #[default]
    Unlisted,
    /// In the lists, where it belongs.
    Listed,
    /// In the lists, at the box of the last `collect`.
    Moved,
    /// In the lists, and the body is gone; another one may have the index.
    Left,
}

impl Sweep {
    /// The largest number of indices with [`PairStorage::Dense`]: a matrix of 128 MiB.
    pub const DENSE_CAPACITY: u32 = 1 << 15;
    /// Past so many exchanges an endpoint, sorting anew is cheaper.
    const PATIENCE: u64 = 24;
    /// While patience has not sufficed lately: so many, and all of it one time in so many.
    const SHORT_PATIENCE: u64 = 1;
    const RETRY_EVERY: u32 = 16;
    /// When one in so many bodies moved or came, or more, all are gone through.
    const MANY: usize = 8;

    /// An empty one that keeps its pairs in a given form.
    ///
    /// ```
    /// # use impinge::broad::{PairStorage, Sweep};
    /// let sweep = Sweep::new(PairStorage::Dense);
    /// ```
    pub fn new(storage: PairStorage) -> Sweep {
        Sweep {
            boxes: Boxes::default(),
            before: Vec::new(),
            axes: [0, 1, 2].map(Axis::new),
            storage,
            pairs: PairStore::new(storage),
            states: Vec::new(),
            moved: Vec::new(),
            fresh: Vec::new(),
            has_left: false,
            failures: 0,
            scratch: Scratch::default(),
            work: Work::default(),
        }
    }

    /// Takes the endpoints and pairs of bodies that left out of everything.
    fn drop_left(&mut self) {
        if !std::mem::take(&mut self.has_left) {
            return;
        }
        let states = &self.states;
        let is_kept = |index: u32| states[index as usize] != State::Left;
        for axis in &mut self.axes {
            axis.retain(is_kept);
        }
        self.pairs.retain(
            |key| indices_of(key).into_iter().all(is_kept),
            &mut self.scratch.keys,
        );
        for state in self.states.iter_mut().filter(|s| **s == State::Left) {
            *state = State::Unlisted;
        }
    }

    /// Sorts in the bodies that moved, toggling pairs as endpoints pass each other.
    fn sort_moved(&mut self) {
        let states = &self.states;
        self.moved
            .retain(|index| states[*index as usize] == State::Moved);
        let listed = self.axes[0].endpoints().len() / 2;
        let patience = self.patience() * 2 * listed as u64;
        let is_sorted = if self.moved.len() * Sweep::MANY >= listed {
            self.sort_whole(patience)
        } else {
            self.sort_single(patience)
        };
        if is_sorted {
            self.failures = 0;
        } else {
            self.failures = self.failures.wrapping_add(1);
            self.start_over();
        }
        for index in self.moved.drain(..) {
            self.before[index as usize] = *self.boxes.at(index);
            self.states[index as usize] = State::Listed;
        }
    }

    /// How many exchanges an endpoint are tried before everything is sorted anew.
    fn patience(&self) -> u64 {
        if self.failures.is_multiple_of(Sweep::RETRY_EVERY) {
            Sweep::PATIENCE
        } else {
            Sweep::SHORT_PATIENCE
        }
    }

    /// Insertion sort of all three lists; whether patience sufficed.
    fn sort_whole(&mut self, patience: u64) -> bool {
        for axis in &mut self.axes {
            for index in &self.moved {
                axis.overwrite(*index, self.boxes.at(*index));
            }
        }
        let mut toggle = Toggle {
            boxes: &self.boxes,
            before: &self.before,
            pairs: &mut self.pairs,
            tests: 0,
        };
        let mut is_sorted = true;
        for axis in &mut self.axes {
            let swaps = axis.sort(patience, &mut |a, b, crossing| toggle.cross(a, b, crossing));
            self.work.swaps += swaps.unwrap_or(patience);
            is_sorted &= swaps.is_some();
            if !is_sorted {
                break;
            }
        }
        self.work.box_tests += toggle.tests;
        is_sorted
    }

    /// Carries the endpoints of moved bodies one by one; whether patience sufficed.
    fn sort_single(&mut self, patience: u64) -> bool {
        let mut toggle = Toggle {
            boxes: &self.boxes,
            before: &self.before,
            pairs: &mut self.pairs,
            tests: 0,
        };
        let mut swaps = 0;
        for index in &self.moved {
            for axis in &mut self.axes {
                let bounds = self.boxes.at(*index);
                swaps += axis.shift(*index, bounds, &mut |a, b, crossing| {
                    toggle.cross(a, b, crossing);
                });
            }
            if swaps > patience {
                break;
            }
        }
        self.work.swaps += swaps;
        self.work.box_tests += toggle.tests;
        swaps <= patience
    }

    /// Sorts everything without regard to what was, and finds all pairs.
    fn start_over(&mut self) {
        for axis in &mut self.axes {
            axis.sort_anew(&self.boxes);
        }
        let boxes = &self.boxes;
        let still_overlap = |key: u64| {
            let [a, b] = indices_of(key);
            boxes.at(a).overlaps(boxes.at(b))
        };
        self.pairs.retain(still_overlap, &mut self.scratch.keys);
        self.find_all_pairs();
    }

    /// Lists the new bodies and finds their pairs.
    fn list_fresh(&mut self) {
        let (boxes, states) = (&self.boxes, &mut self.states);
        self.fresh.retain(|index| {
            let state = &mut states[*index as usize];
            let is_new = boxes.body_at(*index).is_some() && *state == State::Unlisted;
            if is_new {
                *state = State::Listed;
            }
            is_new
        });
        if self.fresh.is_empty() {
            return;
        }
        for axis in &mut self.axes {
            let bodies = self.fresh.iter().map(|index| (*index, boxes.at(*index)));
            axis.merge(bodies, &mut self.scratch.keys);
        }
        self.before.resize(self.states.len(), Box32::default());
        for index in &self.fresh {
            self.before[*index as usize] = *self.boxes.at(*index);
        }
        if self.fresh.len() * Sweep::MANY >= self.boxes.len() {
            self.find_all_pairs();
        } else {
            self.find_fresh_pairs();
        }
        self.fresh.clear();
    }
}

impl Default for Sweep {
    fn default() -> Sweep {
        Sweep::new(PairStorage::Sparse)
    }
}

/// Pairs that change as endpoints pass each other.
struct Toggle<'a> {
    boxes: &'a Boxes,
    before: &'a [Box32],
    pairs: &'a mut PairStore,
    tests: u64,
}

impl Toggle<'_> {
    #[inline]
    fn cross(&mut self, a: u32, b: u32, crossing: Crossing) {
        self.tests += 1;
        match crossing {
            Crossing::Meet => {
                if self.boxes.at(a).overlaps(self.boxes.at(b)) {
                    self.pairs.insert(key_of(a, b));
                }
            }
            Crossing::Part => {
                // A body carried past another one and back parts and meets again: the later of the two stands.
                if self.before[a as usize].overlaps(&self.before[b as usize]) {
                    self.pairs.remove(key_of(a, b));
                }
            }
        }
    }
}

impl BroadPhase for Sweep {
    fn insert(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        if self.storage == PairStorage::Dense && body.index() >= Sweep::DENSE_CAPACITY {
            return Err(Error::OutOfRange {
                what: format!("index of body {body}"),
                value: f64::from(body.index()),
                expected: "below 32768 for a dense pair store",
            });
        }
        self.boxes.insert(body, &bounds)?;
        self.states.resize(self.boxes.index_end(), State::Unlisted);
        self.fresh.push(body.index());
        Ok(())
    }

    fn update(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.update(body, &bounds)?;
        let state = &mut self.states[body.index() as usize];
        if *state == State::Listed {
            *state = State::Moved;
            self.moved.push(body.index());
        }
        Ok(())
    }

    fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.boxes.remove(body)?;
        let state = &mut self.states[body.index() as usize];
        if *state != State::Unlisted {
            *state = State::Left;
            self.has_left = true;
        }
        Ok(())
    }

    fn collect(&mut self, changes: &mut PairChanges) {
        self.drop_left();
        self.sort_moved();
        self.list_fresh();
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
        let axes: usize = self.axes.iter().map(Axis::bytes).sum();
        let lists = self.moved.capacity() + self.fresh.capacity();
        self.boxes.bytes()
            + self.before.capacity() * size_of::<Box32>()
            + axes
            + self.pairs.bytes()
            + self.states.capacity()
            + lists * 4
            + self.scratch.bytes()
    }

    fn validate(&self) {
        self.boxes.validate();
        self.pairs.validate();
        let listed = |index: &u32| self.states[*index as usize] != State::Unlisted;
        let indices = || (0..self.states.len() as u32).filter(listed);
        for axis in &self.axes {
            axis.validate(indices().map(|index| (index, &self.before[index as usize])));
        }
        let is_settled = self.moved.is_empty() && self.fresh.is_empty() && !self.has_left;
        if is_settled {
            assert_eq!(indices().count(), self.boxes.len(), "all are listed");
            let mut found = Vec::new();
            self.pairs(&mut found);
            assert_eq!(found.len(), self.pairs.len(), "nothing is toggled");
            for pair in found {
                let [a, b] = [pair.a(), pair.b()].map(|body| self.boxes.at(body.index()));
                assert!(a.overlaps(b), "{pair} overlaps");
            }
        }
    }
}
