//! A uniform grid without end: cells in a hash table, and counters of shared cells.
//!
//! Larsen's slides after Mirtich (1996), and Cohen, Lin, Manocha and Ponamgi (1995), section 4.4: each box is put into the cells that it
//! overlaps; boxes in one cell are close, and only close boxes are compared. A counter for each close pair says how many cells
//! the two share. Cells and counters stay from frame to frame: a body that stays in its cells changes neither.
//!
//! The source leaves the cell size open. Ours, unless it is given, is the size that nineteen of twenty bodies do not exceed, chosen
//! anew whenever the number of bodies has doubled. A box that would be in very many cells all the same is kept apart and compared with
//! all others.
//!
//! When most bodies leap out of their cells at once, all cells are emptied and filled anew.
//!
//! **Invariant.** Every body that is not wide is in exactly the cells that its box meets.
//!
//! **Cost.** A moved body that stays in its cells: its close pairs. One that does not: the cells it enters and leaves and their
//! members. Where sizes differ much, or bodies crowd, there is no good cell size, and the cost grows to `n^2`.

mod size;
mod wide;

use super::cells::{CellRange, are_leaping, cell_key};
use super::close::{Close, Member};
use super::moved::Moved;
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use size::usual_size;
use wide::Wide;

/// The broad phase with one grid.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    boxes: Boxes,
    /// By index: where it is kept.
    homes: Vec<Home>,
    /// The cell size, once it is known, and whether the user gave it.
    cell: Option<f64>,
    is_given: bool,
    /// How many bodies there were when the cell size was chosen.
    chosen_for: usize,
    close: Close,
    moved: Moved,
    wide: Wide,
    /// Whether all cells are empty, to be filled at the next `collect`.
    is_stale: bool,
    /// The pairs that overlapped when the cells were emptied.
    kept: Vec<u64>,
    work: Work,
}

/// Where a body is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Home {
    /// Not yet anywhere.
    #[default]
    Nowhere,
    /// In the cells of its box.
    Cells,
    /// Among the wide ones.
    Wide,
}

impl Grid {
    /// A body in more cells is wide.
    const MOST_CELLS: u128 = 512;
    /// When less than one in so many bodies moved, close pairs are looked up cell by cell.
    const FEW: usize = 4;

    /// An empty one with cells of a given size. Fails for a size that is not a positive number.
    ///
    /// ```
    /// # use impinge::broad::Grid;
    /// assert!(Grid::with_cell_size(2.0).is_ok());
    /// assert!(Grid::with_cell_size(0.0).is_err());
    /// ```
    pub fn with_cell_size(size: f64) -> Result<Grid, Error> {
        let range = f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX);
        if range.contains(&size) {
            Ok(Grid {
                cell: Some(size),
                is_given: true,
                ..Grid::default()
            })
        } else {
            Err(Error::OutOfRange {
                what: "cell size".to_owned(),
                value: size,
                expected: "a normal positive number of single precision",
            })
        }
    }

    /// The length of a cell, once there were bodies to choose it for.
    pub fn cell_size(&self) -> Option<f64> {
        self.cell
    }

    fn per_cell(&self) -> f64 {
        self.cell.map_or(1.0, f64::recip)
    }

    /// Chooses the cell size when it is time, and moves everyone when it is another.
    fn choose_cell_size(&mut self) {
        let count = self.boxes.len();
        if self.is_given || count < 2 * self.chosen_for || count == 0 {
            return;
        }
        self.chosen_for = count;
        let size = usual_size(&self.boxes);
        let is_near = |cell: f64| (cell / 1.5..=cell * 1.5).contains(&size);
        if self.cell.is_some_and(is_near) {
            return;
        }
        self.empty_cells();
        self.cell = Some(size);
    }

    /// Takes all bodies out of everything.
    fn empty_cells(&mut self) {
        if !self.is_stale {
            self.is_stale = true;
            self.close.empty(&mut self.kept);
            self.wide.clear();
            self.homes.fill(Home::Nowhere);
        }
    }

    /// Puts all bodies back after [`Grid::empty_cells`].
    fn fill_cells(&mut self) {
        if std::mem::take(&mut self.is_stale) {
            for index in 0..self.homes.len() as u32 {
                if self.boxes.body_at(index).is_some() {
                    self.place(index, *self.boxes.at(index));
                    self.moved.add(index);
                }
            }
            self.close.restore(&self.boxes, &mut self.kept);
        }
    }

    /// Whether a body would leave all its cells for others.
    fn leaps(&self, body: BodyId, new: &Box32) -> bool {
        let Ok(old) = self.boxes.get(body) else {
            return false;
        };
        let range = |bounds: &Box32| CellRange::of(bounds, self.per_cell());
        range(&old).is_apart(range(new))
    }

    /// Puts a body where its box belongs.
    fn place(&mut self, index: u32, bounds: Box32) {
        let range = CellRange::of(&bounds, self.per_cell());
        let is_wide = range.count() > Grid::MOST_CELLS;
        self.homes[index as usize] = if is_wide {
            self.wide.insert(index);
            Home::Wide
        } else {
            for cell in range.iter() {
                self.close.enter(cell_key(cell, 0), Member::own(index));
                self.work.cells += 1;
            }
            Home::Cells
        };
    }

    /// Takes a body from where its box was.
    fn displace(&mut self, index: u32, bounds: Box32) {
        match std::mem::take(&mut self.homes[index as usize]) {
            Home::Nowhere => {}
            Home::Wide => self.wide.remove(index),
            Home::Cells => {
                for cell in CellRange::of(&bounds, self.per_cell()).iter() {
                    self.close.leave(cell_key(cell, 0), Member::own(index));
                    self.work.cells += 1;
                }
            }
        }
    }

    /// Moves a body from one box to another.
    fn shift(&mut self, index: u32, old: Box32, new: Box32) {
        let per_cell = self.per_cell();
        let (from, to) = (CellRange::of(&old, per_cell), CellRange::of(&new, per_cell));
        let stays_in_cells =
            self.homes[index as usize] == Home::Cells && to.count() <= Grid::MOST_CELLS;
        if !stays_in_cells {
            if self.homes[index as usize] != Home::Nowhere {
                self.displace(index, old);
                self.place(index, new);
            }
        } else if from != to {
            for cell in from.outside(to) {
                self.close.leave(cell_key(cell, 0), Member::own(index));
                self.work.cells += 1;
            }
            for cell in to.outside(from) {
                self.close.enter(cell_key(cell, 0), Member::own(index));
                self.work.cells += 1;
            }
        }
    }

    /// Places the new bodies and compares the boxes of close pairs.
    fn compare(&mut self) {
        for place in 0..self.moved.as_slice().len() {
            let index = self.moved.as_slice()[place];
            let is_here = self.boxes.body_at(index).is_some();
            if is_here && self.homes[index as usize] == Home::Nowhere {
                self.place(index, *self.boxes.at(index));
            }
        }
        self.work.box_tests += if self.moved.as_slice().len() * Grid::FEW < self.boxes.len() {
            self.compare_moved()
        } else {
            let moved = &self.moved;
            self.close
                .compare_all(&self.boxes, |index| moved.has(index))
        };
    }

    fn compare_moved(&mut self) -> u64 {
        let mut tests = 0;
        for &index in self.moved.as_slice() {
            if self.homes[index as usize] != Home::Cells {
                continue;
            }
            for cell in CellRange::of(self.boxes.at(index), self.per_cell()).iter() {
                self.work.cells += 1;
                let member = Member::own(index);
                tests += self
                    .close
                    .compare_in(cell_key(cell, 0), member, &self.boxes);
            }
        }
        tests
    }

    /// Compares wide bodies with all others.
    fn compare_wide(&mut self) {
        self.work.box_tests += self.wide.compare(&self.boxes, &mut self.close);
    }
}

impl BroadPhase for Grid {
    fn insert(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.insert(body, &bounds)?;
        self.homes.resize(self.boxes.index_end(), Home::Nowhere);
        self.moved.resize(self.boxes.index_end());
        self.moved.add(body.index());
        Ok(())
    }

    fn update(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        let old = self.boxes.update(body, &bounds)?;
        self.moved.add(body.index());
        self.shift(body.index(), old, bounds);
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
        self.displace(body.index(), old);
        Ok(())
    }

    fn collect(&mut self, changes: &mut PairChanges) {
        self.choose_cell_size();
        self.fill_cells();
        self.compare();
        self.compare_wide();
        let wide = self.wide.keys();
        let is_wide = |key: u64| wide.binary_search(&key).is_ok();
        self.close.collect(&self.boxes, is_wide, changes);
        self.moved.clear();
        self.boxes.settle();
    }

    fn pairs(&self, pairs: &mut Vec<Pair>) {
        let elsewhere = self.wide.keys().iter().chain(&self.kept).copied();
        self.close.pairs(&self.boxes, elsewhere, pairs);
    }

    fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    fn work(&self) -> Work {
        self.work
    }

    fn bytes(&self) -> usize {
        self.boxes.bytes()
            + self.homes.capacity()
            + self.close.bytes()
            + self.wide.bytes()
            + self.moved.bytes()
            + self.kept.capacity() * 8
    }

    fn validate(&self) {
        self.boxes.validate();
        let bodies = self.boxes.iter();
        let in_cells = bodies.filter(|(body, _)| self.homes[body.index() as usize] == Home::Cells);
        self.close.validate(in_cells.flat_map(|(body, bounds)| {
            let cells = CellRange::of(bounds, self.per_cell()).iter();
            cells.map(move |cell| (cell_key(cell, 0), Member::own(body.index())))
        }));
        for index in self.wide.bodies() {
            assert_eq!(self.homes[*index as usize], Home::Wide, "{index} is wide");
        }
        if self.moved.as_slice().is_empty() {
            self.close.validate_marks(&self.boxes);
        }
    }
}
