//! New boxes for bodies that come one index after the other, as they do where all move.
//!
//! New boxes are compared with the wide ones block by block, and those that leave get other wide boxes while the block is near. Where
//! boxes lie by index, they are replaced in the same go. Where bodies have seats, each seat takes its box afterwards, in the order of
//! seats: then memory is read from anywhere, which is sooner done than writing to anywhere, and no two threads write to the same place.
//!
//! Several threads take a range of indices each, and then a range of seats. What they note is put together in the order of the ranges,
//! and so is what one thread would note.

use super::super::boxes::{Bounded, PlainBoxes};
use super::super::seats::Seats;
use super::super::{Box32, Watch};
use super::calendar::Vow;
use super::diary::Task;
use super::motion::{Origin, Outlook, is_far, wide_box};
#[cfg(feature = "parallel")]
use super::survey::is_to_share;
use super::survey::{BLOCK, note_leaving, note_unkept};
use crate::ahead;
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use std::ops::Range;

/// The boxes that bodies of a range had.
#[derive(Debug)]
enum Before<'w> {
    /// By index, those of the range, to be replaced.
    Plain(PlainBoxes<'w>),
    /// By seat, those of all.
    Seated(&'w [Box32], &'w Seats),
}

/// A range of indices: the bodies there, all of which move, and what is kept of them.
#[derive(Debug)]
struct Part<'w, T> {
    /// The number of the first one among all that move.
    begin: usize,
    /// The first index.
    first: usize,
    moved: &'w [T],
    before: Before<'w>,
    wide: &'w mut [Box32],
    origins: &'w mut [Origin],
    /// Empty if nothing is done about them.
    vows: &'w mut [Vow],
    task: Task,
    /// The day that the next look begins.
    day: u32,
    outlook: Outlook,
}

/// What was seen, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes {
    /// The numbers of those that leave their wide boxes.
    leaving: Vec<u32>,
    /// The indices of those that went farther than their size.
    strays: Vec<u32>,
    /// The indices of those that broke their vows.
    broken: Vec<u32>,
}

impl Notes {
    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        (self.leaving.capacity() + self.strays.capacity() + self.broken.capacity()) * 4
    }
}

impl Watch {
    /// Takes over the new boxes of bodies that come one index after the other from `first` on.
    #[inline(always)]
    pub(super) fn take_over_row<S: Simd>(&mut self, simd: S, first: usize, moved: &[impl Bounded]) {
        let mut notes = std::mem::take(&mut self.notes);
        notes.leaving.clear();
        notes.strays.clear();
        notes.broken.clear();
        self.replace_row(simd, first, moved, &mut notes);
        self.boxes.take_from_row(first, moved);
        let seats = self.boxes.seats();
        let left = notes.leaving.iter();
        let left = left.map(|number| seats.of(first as u32 + number));
        self.left.add_all(left);
        let strays = notes.strays.iter().map(|index| seats.of(*index));
        self.strays.extend(strays);
        for index in &notes.broken {
            self.calendar.note_broken(*index);
        }
        self.notes = notes;
    }

    /// Replaces all boxes, by index, and the wide boxes by the same.
    pub(super) fn replace_row_tightly(&mut self, moved: &[Box32]) {
        self.wide.copy_from_slice(moved);
        if let Ok(mut boxes) = self.boxes.plain_mut(0..moved.len()) {
            boxes.replace(0, moved);
        }
        self.boxes.take_from_row(0, moved);
        // Every index has a seat, and every seat an index.
        self.left.add_all(0..moved.len() as u32);
        self.are_tight = true;
    }

    /// Gives those that leave their wide boxes other ones, and replaces boxes where they lie by index.
    #[inline(always)]
    fn replace_row<S: Simd>(
        &mut self,
        simd: S,
        first: usize,
        moved: &[impl Bounded],
        notes: &mut Notes,
    ) {
        let end = first + moved.len();
        let (task, day) = (self.task(), self.calendar.tomorrow());
        let before = match self.boxes.plain_mut(first..end) {
            Ok(boxes) => Before::Plain(boxes),
            Err((boxes, seats)) => Before::Seated(boxes, seats),
        };
        let vows = self.calendar.vows_mut();
        let vows = if task == Task::Nothing {
            &mut []
        } else {
            &mut vows[first..end]
        };
        let part = Part {
            begin: 0,
            first,
            moved,
            before,
            wide: &mut self.wide[first..end],
            origins: &mut self.origins[first..end],
            vows,
            task,
            day,
            outlook: self.outlook,
        };
        #[cfg(feature = "parallel")]
        if is_to_share(moved.len()) {
            part.replace_shared(notes);
            return;
        }
        part.replace(simd, notes);
    }
}

impl<'w, T: Bounded> Part<'w, T> {
    #[inline(always)]
    fn replace<S: Simd>(mut self, simd: S, notes: &mut Notes) {
        for begin in (0..self.moved.len()).step_by(BLOCK) {
            let block = &self.moved[begin..self.moved.len().min(begin + BLOCK)];
            let leaving = notes.leaving.len();
            let number = self.begin + begin;
            if self.task == Task::Keep {
                let vows = &self.vows[begin..];
                note_unkept(simd, number, block, vows, self.day, &mut notes.leaving);
                for number in &notes.leaving[leaving..] {
                    let place = *number as usize - self.begin;
                    self.renew(simd, place, &mut notes.strays, &mut notes.broken);
                }
            } else {
                if self.task == Task::Make {
                    self.make_vows(simd, begin..begin + block.len());
                }
                let wide = &self.wide[begin..];
                note_leaving(simd, number, block, wide, &mut notes.leaving);
                let leaving = &notes.leaving[leaving..];
                self.fetch(leaving);
                for number in leaving {
                    let place = *number as usize - self.begin;
                    self.widen(simd, place, &mut notes.strays);
                }
            }
            if let Before::Plain(boxes) = &mut self.before {
                boxes.replace(begin, block);
            }
        }
    }

    /// Asks for what some need that leave their wide boxes: they are few, and so it is scattered.
    #[inline(always)]
    fn fetch(&self, leaving: &[u32]) {
        for number in leaving {
            let place = *number as usize - self.begin;
            ahead::fetch_line(self.origins, place);
            if let Before::Seated(boxes, seats) = self.before {
                ahead::fetch(boxes, seats.of((self.first + place) as u32) as usize);
            }
        }
    }

    /// The box that a body had.
    #[inline(always)]
    fn old(&self, place: usize) -> &Box32 {
        match &self.before {
            Before::Plain(boxes) => boxes.at(place),
            Before::Seated(boxes, seats) => &boxes[seats.of((self.first + place) as u32) as usize],
        }
    }

    /// Makes the vows of a block.
    #[inline(always)]
    fn make_vows<S: Simd>(&mut self, simd: S, places: Range<usize>) {
        for place in places {
            let boxes = [self.old(place), self.moved[place].bounds()];
            self.vows[place] = Vow::new(simd, boxes, self.day);
        }
    }

    /// Gives a body whose wide box ends, or that broke its vow, another one of each.
    #[inline(always)]
    fn renew<S: Simd>(
        &mut self,
        simd: S,
        place: usize,
        strays: &mut Vec<u32>,
        broken: &mut Vec<u32>,
    ) {
        let index = (self.first + place) as u32;
        let boxes = [self.old(place), self.moved[place].bounds()];
        let (mut vow, is_broken) = self.vows[place].renewed(simd, boxes, self.day);
        if is_broken {
            broken.push(index);
            if is_far(simd, boxes) {
                strays.push(index);
            }
        }
        let days = self.outlook.days_ahead(index);
        self.wide[place] = vow.wide_box(simd, boxes[1], self.day, days);
        self.vows[place] = vow;
    }

    /// Gives a body that leaves its wide box another one.
    #[inline(always)]
    fn widen<S: Simd>(&mut self, simd: S, place: usize, strays: &mut Vec<u32>) {
        let index = (self.first + place) as u32;
        let old = *self.old(place);
        let (new, origin) = (self.moved[place].bounds(), &mut self.origins[place]);
        let (wide, jumped) = wide_box(simd, index, [&old, new], origin, self.outlook);
        self.wide[place] = wide;
        *origin = Origin::new(new, self.outlook);
        if jumped {
            strays.push(index);
        }
    }

    /// The same by several threads.
    #[cfg(feature = "parallel")]
    fn replace_shared(self, notes: &mut Notes) {
        let size = self.moved.len().div_ceil(rayon::current_num_threads());
        let parts = self.split(size).into_par_iter().map(|part| {
            let mut notes = Notes::default();
            in_lanes!(simd => part.replace(simd, &mut notes));
            notes
        });
        let parts: Vec<Notes> = parts.collect();
        for part in &parts {
            notes.leaving.extend_from_slice(&part.leaving);
            notes.strays.extend_from_slice(&part.strays);
            notes.broken.extend_from_slice(&part.broken);
        }
    }

    /// Parts of the range, of such a size.
    #[cfg(feature = "parallel")]
    fn split(self, size: usize) -> Vec<Part<'w, T>> {
        let befores: Vec<Before<'w>> = match self.before {
            Before::Plain(mut boxes) => {
                let mut parts = Vec::new();
                for part in self.moved.chunks(size) {
                    let (here, behind) = boxes.split_at(part.len());
                    parts.push(Before::Plain(here));
                    boxes = behind;
                }
                parts
            }
            Before::Seated(boxes, seats) => {
                let parts = self.moved.chunks(size);
                parts.map(|_| Before::Seated(boxes, seats)).collect()
            }
        };
        let (wide, origins) = (self.wide.chunks_mut(size), self.origins.chunks_mut(size));
        let kept = befores.into_iter().zip(wide).zip(origins);
        let parts = self.moved.chunks(size).zip(kept).enumerate();
        let mut vows = self.vows;
        parts
            .map(|(number, (moved, ((before, wide), origins)))| Part {
                vows: vows
                    .split_off_mut(..moved.len().min(vows.len()))
                    .unwrap_or_default(),
                task: self.task,
                day: self.day,
                begin: self.begin + number * size,
                first: self.first + number * size,
                moved,
                before,
                wide,
                origins,
                outlook: self.outlook,
            })
            .collect()
    }
}
