//! A hierarchical hash table: grids of several resolutions, each body at the one that fits its size.
//!
//! Mirtich (1996), with the two lists of Larsen's slides. A body is in list A of the cells that it meets at its own resolution,
//! and in list B of those it meets at every coarser resolution in use. Two bodies are close when they share a cell at the coarser
//! of their two resolutions, of which one is in list A. Buckets, counters and pairs stay from frame to frame; a body that stays in its
//! cells changes none of them.
//!
//! Our resolutions are powers of four: in the terms of the source, a body is between a quarter of a cell and a whole one long, or down
//! to a sixteenth before it changes its resolution. Where we depart: resolutions come into use with the first body that needs one, and
//! go out of use some time after the last.
//!
//! When most bodies leap out of their cells at once, all cells are emptied and filled anew.
//!
//! **Invariant.** Every body is in the cells of its box: in list A at its own resolution, in list B at all coarser ones in use.
//!
//! **Cost.** A moved body: the resolutions in use that are not finer than its own, the cells that it enters and leaves there with their
//! members, and its close pairs; mostly `n` plus the close pairs altogether. Bodies that crowd in space stay crowded in cells.

mod resolution;

use super::cells::{CellRange, are_leaping, cell_key};
use super::close::{Close, Member};
use super::moved::Moved;
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use resolution::{COUNT, cells_a_unit, is_fitting, resolution_of};

/// The broad phase with several grids.
#[derive(Debug, Clone)]
pub struct Levels {
    boxes: Boxes,
    /// By index: the resolution the body is at, or [`NOWHERE`].
    resolutions: Vec<u32>,
    /// By resolution: how many bodies are at it.
    populations: [u32; COUNT],
    /// The resolutions in use, fine to coarse.
    used: Vec<Used>,
    close: Close,
    moved: Moved,
    /// Whether all cells are empty, to be filled at the next `collect`.
    is_stale: bool,
    /// The pairs that overlapped when the cells were emptied.
    kept: Vec<u64>,
    work: Work,
}

/// Coarser than all resolutions: of an index that is in no cells.
const NOWHERE: u32 = u32::MAX;

/// A resolution in use.
#[derive(Debug, Clone, Copy)]
struct Used {
    resolution: u32,
    /// For how many calls of `collect` no body has been at it.
    idle: u32,
}

impl Levels {
    /// A resolution without bodies stays in use for so many calls of `collect`.
    const PATIENCE: u32 = 64;
    /// When less than one in so many bodies moved, close pairs are looked up cell by cell.
    const FEW: usize = 4;

    /// Takes all bodies out of everything.
    fn empty_cells(&mut self) {
        if !self.is_stale {
            self.is_stale = true;
            self.close.empty(&mut self.kept);
            self.resolutions.fill(NOWHERE);
            self.populations = [0; COUNT];
            self.used.clear();
        }
    }

    /// Puts all bodies back after [`Levels::empty_cells`].
    fn fill_cells(&mut self) {
        if std::mem::take(&mut self.is_stale) {
            for index in 0..self.resolutions.len() as u32 {
                if self.boxes.body_at(index).is_some() {
                    self.place(index, *self.boxes.at(index));
                    self.moved.add(index);
                }
            }
            self.close.restore(&self.boxes, &mut self.kept);
        }
    }

    /// Whether a body would leave all the cells of its resolution for others.
    fn leaps(&self, body: BodyId, new: &Box32) -> bool {
        let own = self.resolutions[body.index() as usize];
        let Ok(old) = self.boxes.get(body) else {
            return false;
        };
        let range = |bounds: &Box32| CellRange::of(bounds, cells_a_unit(own));
        own != NOWHERE && range(&old).is_apart(range(new))
    }

    /// Puts a body into the cells of its box, at the resolution that fits.
    fn place(&mut self, index: u32, bounds: Box32) {
        let own = resolution_of(&bounds);
        self.use_resolution(own);
        self.populations[own as usize] += 1;
        self.resolutions[index as usize] = own;
        for used in coarser(&self.used, own) {
            for cell in CellRange::of(&bounds, cells_a_unit(used)).iter() {
                self.close
                    .enter(cell_key(cell, used), member(index, own, used));
                self.work.cells += 1;
            }
        }
    }

    /// Takes a body out of the cells of its box.
    fn displace(&mut self, index: u32, bounds: &Box32) {
        let own = std::mem::replace(&mut self.resolutions[index as usize], NOWHERE);
        self.populations[own as usize] -= 1;
        for used in coarser(&self.used, own) {
            for cell in CellRange::of(bounds, cells_a_unit(used)).iter() {
                self.close
                    .leave(cell_key(cell, used), member(index, own, used));
                self.work.cells += 1;
            }
        }
    }

    /// Moves a body from one box to another.
    fn shift(&mut self, index: u32, [old, new]: [Box32; 2]) {
        let own = self.resolutions[index as usize];
        if !is_fitting(&new, own) {
            self.displace(index, &old);
            self.place(index, new);
            return;
        }
        for used in coarser(&self.used, own) {
            let per_cell = cells_a_unit(used);
            let (from, to) = (CellRange::of(&old, per_cell), CellRange::of(&new, per_cell));
            if from == to {
                continue;
            }
            let member = member(index, own, used);
            for cell in from.outside(to) {
                self.close.leave(cell_key(cell, used), member);
                self.work.cells += 1;
            }
            for cell in to.outside(from) {
                self.close.enter(cell_key(cell, used), member);
                self.work.cells += 1;
            }
        }
    }

    /// Brings a resolution into use: all smaller bodies enter its cells.
    fn use_resolution(&mut self, resolution: u32) {
        let place = self
            .used
            .partition_point(|used| used.resolution < resolution);
        if self
            .used
            .get(place)
            .is_some_and(|used| used.resolution == resolution)
        {
            return;
        }
        let used = Used {
            resolution,
            idle: 0,
        };
        self.used.insert(place, used);
        self.for_smaller(resolution, |close, cell, member| close.enter(cell, member));
    }

    /// Takes resolutions out of use that have had no bodies for long.
    fn drop_idle(&mut self) {
        for used in &mut self.used {
            let is_idle = self.populations[used.resolution as usize] == 0;
            used.idle = if is_idle { used.idle + 1 } else { 0 };
        }
        let is_done = |used: &Used| used.idle > Levels::PATIENCE;
        while let Some(place) = self.used.iter().position(is_done) {
            let resolution = self.used.remove(place).resolution;
            self.for_smaller(resolution, |close, cell, member| close.leave(cell, member));
        }
    }

    /// Calls `change` for the cells of a resolution that bodies of finer resolutions meet.
    fn for_smaller(&mut self, resolution: u32, change: impl Fn(&mut Close, u64, Member)) {
        for (body, bounds) in self.boxes.iter() {
            let index = body.index();
            if self.resolutions[index as usize] >= resolution {
                continue;
            }
            for cell in CellRange::of(bounds, cells_a_unit(resolution)).iter() {
                change(
                    &mut self.close,
                    cell_key(cell, resolution),
                    Member::finer(index),
                );
                self.work.cells += 1;
            }
        }
    }

    fn compare_moved(&mut self) -> u64 {
        let mut tests = 0;
        for &index in self.moved.as_slice() {
            if self.boxes.body_at(index).is_none() {
                continue;
            }
            let (bounds, own) = (self.boxes.at(index), self.resolutions[index as usize]);
            for used in coarser(&self.used, own) {
                for cell in CellRange::of(bounds, cells_a_unit(used)).iter() {
                    let member = member(index, own, used);
                    tests += self
                        .close
                        .compare_in(cell_key(cell, used), member, &self.boxes);
                    self.work.cells += 1;
                }
            }
        }
        tests
    }
}

/// The resolutions in use that are not finer than `own`.
fn coarser(used: &[Used], own: u32) -> impl Iterator<Item = u32> {
    let start = used.partition_point(|used| used.resolution < own);
    used[start..].iter().map(|used| used.resolution)
}

/// A body of a resolution in a cell of another.
fn member(index: u32, own: u32, used: u32) -> Member {
    if own == used {
        Member::own(index)
    } else {
        Member::finer(index)
    }
}

impl Default for Levels {
    fn default() -> Levels {
        Levels {
            boxes: Boxes::default(),
            resolutions: Vec::new(),
            populations: [0; COUNT],
            used: Vec::new(),
            close: Close::default(),
            moved: Moved::default(),
            is_stale: false,
            kept: Vec::new(),
            work: Work::default(),
        }
    }
}

impl BroadPhase for Levels {
    fn insert(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.insert(body, &bounds)?;
        self.resolutions.resize(self.boxes.index_end(), NOWHERE);
        self.moved.resize(self.boxes.index_end());
        if !self.is_stale {
            self.place(body.index(), bounds);
        }
        self.moved.add(body.index());
        Ok(())
    }

    fn update(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        let old = self.boxes.update(body, &bounds)?;
        if !self.is_stale {
            self.shift(body.index(), [old, bounds]);
        }
        self.moved.add(body.index());
        Ok(())
    }

    fn update_many(&mut self, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        self.boxes.check_updates(moved)?;
        let leaps = |number: usize| self.leaps(moved[number].0, &moved[number].1);
        if are_leaping(moved.len(), self.boxes.len(), leaps) {
            self.empty_cells();
        }
        for (body, bounds) in moved {
            self.update(*body, *bounds)?;
        }
        Ok(())
    }

    fn update_all(&mut self, bounds: &[Box32]) -> Result<(), Error> {
        self.update_many(&self.boxes.named(bounds)?)
    }

    fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        let old = self.boxes.remove(body)?;
        if !self.is_stale {
            self.displace(body.index(), &old);
        }
        Ok(())
    }

    fn collect(&mut self, changes: &mut PairChanges) {
        self.fill_cells();
        self.drop_idle();
        self.work.box_tests += if self.moved.as_slice().len() * Levels::FEW < self.boxes.len() {
            self.compare_moved()
        } else {
            let moved = &self.moved;
            self.close
                .compare_all(&self.boxes, |index| moved.has(index))
        };
        self.close.collect(&self.boxes, |_| false, changes);
        self.moved.clear();
        self.boxes.settle();
    }

    fn pairs(&self, pairs: &mut Vec<Pair>) {
        self.close
            .pairs(&self.boxes, self.kept.iter().copied(), pairs);
    }

    fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    fn work(&self) -> Work {
        self.work
    }

    fn bytes(&self) -> usize {
        self.boxes.bytes()
            + self.resolutions.capacity() * 4
            + self.moved.bytes()
            + self.used.capacity() * size_of::<Used>()
            + self.close.bytes()
            + self.kept.capacity() * 8
            + size_of::<Levels>()
    }

    fn validate(&self) {
        self.boxes.validate();
        let resolutions = self.used.iter().map(|used| used.resolution);
        assert!(resolutions.is_sorted_by(|a, b| a < b), "fine to coarse");
        let mut populations = [0; COUNT];
        for (body, bounds) in self.boxes.iter() {
            let own = self.resolutions[body.index() as usize];
            if self.is_stale {
                assert_eq!(own, NOWHERE, "{body} is in no cells");
                continue;
            }
            assert!(is_fitting(bounds, own), "{body} is at a fitting resolution");
            populations[own as usize] += 1;
        }
        assert_eq!(populations, self.populations, "bodies are counted");
        self.close
            .validate(self.boxes.iter().flat_map(|(body, bounds)| {
                let own = self.resolutions[body.index() as usize];
                coarser(&self.used, own).flat_map(move |used| {
                    let cells = CellRange::of(bounds, cells_a_unit(used)).iter();
                    cells.map(move |cell| (cell_key(cell, used), member(body.index(), own, used)))
                })
            }));
        if self.moved.as_slice().is_empty() {
            self.close.validate_marks(&self.boxes);
        }
    }
}
