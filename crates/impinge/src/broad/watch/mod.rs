//! The default: bodies with room to move, and a list of the pairs to watch.
//!
//! Every body has, beside its box, a *wide box* around it, which reaches some frames ahead. Two bodies whose wide boxes
//! overlap are *watched*. While all bodies stay in their wide boxes, no other pair can begin: a frame is one pass over the
//! new boxes and one over the watched pairs, both in memory order. Only a body that leaves gets a new wide box, and
//! its watched pairs are searched anew in a tree of wide boxes (`wide_tree`). This is the neighbour list of Verlet
//! (1967), kept for each body on its own, so that no frame does the work of many.
//!
//! The list remembers which pairs overlap: there is nothing to compare or to hash, and only the changes of a frame are sorted.
//!
//! **Wide boxes** reach as far as a body would get in some frames more like those since it got its last one, and a little in all
//! directions (`motion`); for a body that never moved, and for one that jumped farther than its size, they are its box. A crowd
//! that comes gets room on all sides until it is seen who moves (`newcomers`).
//!
//! **Bodies most of which leave at once** are searched for in the cells of a lattice instead, or a few in a row (`leap`); then there is
//! no tree until one is needed, and questions about boxes, points and rays go through all bodies. While all indices are below 64,
//! there is neither a list nor a tree, but a table of bits (`few`).
//!
//! **The tree** keeps its order while boxes move in place; a body that jumped, or is new, is put elsewhere. When searching
//! has cost more than building by as much as building would cost, it is built anew.
//!
//! **Bodies that rest** cost nothing while few others move: a pair of two that do is in neither's way until one of them moves (`rest`).
//!
//! **Very many bodies** are kept in memory in the order of the tree, by *seats* (`seating`), so that the boxes of a pair are near each
//! other. Wide boxes stay in the order of indices, in which bodies are moved.
//!
//! **Very many bodies that go on as they do** are not looked at pair by pair in every frame: it is foreseen when a pair can change, and until then nothing of it
//! is read (`calendar`). Whether a crowd is such is tried, and it goes back to the list when it is not (`diary`).
//!
//! **Round bodies.** Where the boxes of two bodies are cubes about balls, a pair is what the balls overlap of: half as many, which saves
//! all that would be done with the others.
//!
//! **Invariant.** The wide box of a body holds its box. At `collect`, two bodies are watched exactly if their wide boxes
//! overlap, and a watched pair is marked exactly if their boxes do, or the balls of two that are round. While there is a calendar, pairs are in it instead, but for
//! those that cannot overlap before one of their bodies leaves its wide box.
//!
//! **Cost.** In a frame, `O(moved + watched)` with small factors, of which pairs that rest are left out where few bodies move, and `O(log n)` for each body
//! that left its wide box. Memory is linear in bodies and watched pairs.

mod bits;
mod block;
mod calendar;
mod diary;
mod few;
mod frame;
mod lattice;
mod leap;
mod left;
mod list;
mod motion;
mod newcomers;
mod next;
mod replace;
mod rest;
mod row;
mod seating;
mod segment;
mod survey;

use super::changes::{indices_of, key_of};
use super::wide_tree::{Batch, Fill, NONE, RayFront, Searched, WideTree};
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use crate::lanes::in_lanes;
use crate::math::{Aabb, Ray};
use crate::sharing::together;
use bits::Bits;
use calendar::Calendar;
use diary::Diary;
use fearless_simd::Simd;
use few::Few;
use leap::LeapSearch;
use left::Left;
use list::WatchList;
use motion::{Origin, Outlook, is_far, wide_box};
use replace::{Moves, Range};
use rest::Rest;
use row::Notes;
use seating::{Seating, index_key};
use segment::{key, overlapping_word};
use survey::{Survey, is_large};

/// Of so many bodies, one that moves makes looking at all pairs worth while.
const MANY: usize = 8;

/// Fewer boxes than this are replaced one by one: a block of them would cost more to prepare.
const FEW: usize = 16;

/// How many boxes a search must be for to tell what searching costs.
const SAMPLE: u64 = 64;

/// The broad phase with a list of pairs to watch.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    boxes: Boxes,
    few: Few,
    /// Whether there are too many bodies for `few`, or were; what follows is of use only then.
    are_many: bool,
    /// By index, as bodies are moved in that order.
    wide: Vec<Box32>,
    /// By index: where and when the body got its wide box.
    origins: Vec<Origin>,
    outlook: Outlook,
    /// By seat: where the body is in the tree, or nowhere.
    slots: Vec<u32>,
    /// Its bodies are seats.
    tree: WideTree,
    /// Whether bodies are in the tree; otherwise it is empty.
    is_planted: bool,
    fill: Fill,
    seating: Seating,
    /// Of seats, as all that follows.
    list: WatchList,
    /// Who rests, and the pairs of two that do.
    rest: Rest,
    /// The pairs instead, while bodies go on as they do; then seats are indices.
    calendar: Calendar,
    diary: Diary,
    /// Bodies that moved since the last `collect`, as far as they are noted: those of many at once are not.
    moved: Bits,
    moves: usize,
    moved_many: bool,
    /// Bodies that left their wide boxes, came or went since the last `collect`.
    left: Left,
    /// Places of those that leave in a list of moves, and their boxes before.
    leaving: Vec<u32>,
    before: Vec<Box32>,
    /// What was seen of bodies in a row.
    notes: Notes,
    /// Whether all wide boxes are known to be no wider than the boxes.
    are_tight: bool,
    /// Bodies to be given another slot.
    strays: Vec<u32>,
    /// Whether bodies came or went.
    is_renewed: bool,
    /// Indices of newcomers that were given room at the last `collect`.
    roomy: Vec<u32>,
    /// What searching needs, and what it found.
    batch: Batch,
    leap: LeapSearch,
    found: Vec<u64>,
    cost: SearchCost,
    nodes: u64,
}

/// What searching costs, beside what it cost when the tree was new.
#[derive(Debug, Clone, Copy, Default)]
struct SearchCost {
    /// Nodes a box in the new tree; `None` until that is known.
    at_first: Option<f64>,
    /// Nodes visited since, beyond that.
    excess: f64,
}

impl SearchCost {
    fn note(&mut self, searched: Searched) {
        let (boxes, nodes) = (searched.boxes as f64, searched.nodes as f64);
        if searched.boxes >= SAMPLE {
            self.at_first.get_or_insert(nodes / boxes);
        }
        self.excess += self.at_first.map_or(0.0, |each| nodes - each * boxes);
    }
}

impl Watch {
    /// Gives a body a wide box, if it left its own.
    fn follow(&mut self, index: u32, old: &Box32, new: &Box32) {
        let (place, seat) = (index as usize, self.boxes.seats().of(index));
        self.moved.add(seat as usize);
        self.moves += 1;
        self.are_tight = false;
        if self.calendar.is_open() {
            let days = self.outlook.days_ahead(index);
            self.wide[place] = self.calendar.follow(index, [old, new], days);
            self.left.add(seat as usize);
            if in_lanes!(simd => is_far(simd, [old, new])) {
                self.strays.push(seat);
            }
        } else if !self.wide[place].contains(new) {
            let (origin, outlook) = (&self.origins[place], self.outlook);
            let (wide, jumped) =
                in_lanes!(simd => wide_box(simd, index, [old, new], origin, outlook));
            self.wide[place] = wide;
            self.origins[place] = Origin::new(new, outlook);
            self.left.add(seat as usize);
            if jumped {
                self.strays.push(seat);
            }
        }
    }

    /// Goes from the table of bits to wide boxes: what overlapped is watched, and everyone counts as having left its wide box.
    fn become_many(&mut self) {
        self.are_many = true;
        for key in self.few.overlapping() {
            self.list.adopt(overlapping_word(key));
        }
        self.few.retire();
        for index in 0..self.boxes.index_end() as u32 {
            self.settle(index, *self.boxes.at(index));
        }
        self.moved_many = true;
        self.moves = self.boxes.len();
    }

    /// Gives a newcomer a wide box no wider than its box; it has yet to be given a slot.
    fn settle(&mut self, index: u32, bounds: Box32) {
        let place = index as usize;
        self.wide[place] = bounds;
        self.origins[place] = Origin::new(&bounds, self.outlook);
        let seat = self.boxes.seats().of(index);
        self.strays.push(seat);
        self.left.add(seat as usize);
        if self.calendar.is_open() {
            self.calendar.note_renewed(index);
        }
    }

    /// Replaces the boxes of bodies. Fails, changing nothing, if one of them is not here.
    #[inline(always)]
    fn replace_all<S: Simd>(&mut self, simd: S, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        if self.leap.takes_all_to_leave(moved.len(), self.boxes.len()) {
            self.boxes.check_updates(moved)?;
            self.expect_moves(moved.len(), false);
            self.close_calendar();
            self.note_named_moves(moved);
            self.replace_tightly(moved);
            return Ok(());
        }
        let survey = Survey {
            generations: self.boxes.generations(),
            wide: &self.wide,
        };
        self.leaving.clear();
        self.before.clear();
        let body_of = |number: &u32| moved[*number as usize].0.index();
        if self.boxes.suit_row(moved.len())
            && let Some(first) = survey.first_of_row(moved)
        {
            let are_all = moved.len() == self.boxes.len();
            self.expect_moves(moved.len(), are_all);
            self.note_moves(moved.len(), first as u32..);
            self.take_over_row(simd, first, moved);
            return Ok(());
        }
        if !survey.leaving(simd, moved, &mut self.leaving) {
            return self.boxes.check_updates(moved);
        }
        self.expect_moves(moved.len(), false);
        if self.calendar.is_open() {
            for (body, new) in moved {
                let old = self.boxes.update(*body, new)?;
                self.follow(body.index(), &old, new);
            }
            return Ok(());
        }
        let before = self.leaving.iter();
        let before = before.map(|number| *self.boxes.at(body_of(number)));
        self.before.extend(before);
        self.boxes.replace_all(moved);
        self.note_named_moves(moved);
        let range = Range {
            first: 0,
            wide: &mut self.wide,
            origins: &mut self.origins,
        };
        let moves = Moves {
            moved,
            leaving: &self.leaving,
            before: &self.before,
            first: 0,
            boxes: &self.boxes,
            outlook: self.outlook,
        };
        range.replace_all(simd, moves, &mut self.strays);
        let seats = self.boxes.seats();
        let left = self.leaving.iter();
        self.left
            .add_all(left.map(|number| seats.of(body_of(number))));
        Ok(())
    }

    /// [`Watch::note_moves`] of bodies with names.
    fn note_named_moves(&mut self, moved: &[(BodyId, Box32)]) {
        self.note_moves(moved.len(), moved.iter().map(|(body, _)| body.index()));
    }

    /// Notes so many who move, by index, unless many do and nobody will ask.
    fn note_moves(&mut self, count: usize, indices: impl IntoIterator<Item = u32>) {
        let are_many = count * MANY > self.boxes.len();
        self.moved_many |= are_many;
        // Who got room is asked who moved.
        if !are_many || !self.roomy.is_empty() {
            for index in indices.into_iter().take(count) {
                self.moved.add(self.boxes.seats().of(index) as usize);
            }
        }
        self.moves += count;
        self.are_tight = false;
    }

    /// Replaces the boxes of bodies, and their wide boxes by the same.
    fn replace_tightly(&mut self, moved: &[(BodyId, Box32)]) {
        for (body, new) in moved {
            self.wide[body.index() as usize] = *new;
        }
        self.boxes.replace_all(moved);
        let seats = self.boxes.seats();
        let all = moved.iter().map(|(body, _)| seats.of(body.index()));
        let is_each_once = self.left.add_all(all) == moved.len();
        self.are_tight = moved.len() == self.boxes.len() && is_each_once;
    }

    /// Gives the bodies of a list other boxes. Fails, changing nothing, if one of them is not here.
    // Not inlined, as it is called in two places: by this thread, or by one of the pool.
    #[inline(never)]
    fn take_over_list(&mut self, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        if !self.are_many {
            self.boxes.check_updates(moved)?;
            self.boxes.replace_all(moved);
            for (body, bounds) in moved {
                self.few.set(body.index() as usize, Some(bounds));
            }
            return Ok(());
        }
        if let [(body, bounds)] = moved {
            return self.update(*body, *bounds);
        }
        if moved.len() < FEW {
            self.boxes.check_updates(moved)?;
            return moved
                .iter()
                .try_for_each(|(body, bounds)| self.update(*body, *bounds));
        }
        in_lanes!(simd => self.replace_all(simd, moved))
    }

    /// Gives all bodies other boxes, by index. Fails, changing nothing, if these are not as many.
    #[inline(never)]
    fn take_over_all(&mut self, bounds: &[Box32]) -> Result<(), Error> {
        let (bodies, indices) = (self.boxes.len(), self.boxes.index_end());
        if !self.are_many || bodies < indices || bounds.len() < FEW {
            return self.take_over_list(&self.boxes.named(bounds)?);
        }
        self.boxes.check_count(bounds)?;
        let leaps = self.leap.takes_all_to_leave(bodies, bodies);
        self.expect_moves(bodies, true);
        self.note_moves(bodies, 0..);
        if leaps {
            self.close_calendar();
            self.replace_row_tightly(bounds);
        } else {
            in_lanes!(simd => self.take_over_row(simd, 0, bounds));
        }
        Ok(())
    }

    /// The bodies that left their wide boxes, or came, since the last `collect`.
    fn all_left(&self) -> impl Iterator<Item = (BodyId, &Box32)> {
        self.left.list().iter().filter_map(|seat| {
            let body = self.boxes.body_in(*seat)?;
            Some((body, &self.boxes.slice()[*seat as usize]))
        })
    }

    /// A body of the tree and its box, unless it left its wide box.
    fn stayed(&self, seat: u32) -> Option<(BodyId, &Box32)> {
        let body = self.boxes.body_in(seat)?;
        let place = seat as usize;
        (!self.left.has(place)).then(|| (body, &self.boxes.slice()[place]))
    }
}

impl BroadPhase for Watch {
    fn insert(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.insert(body, &bounds)?;
        let place = body.index() as usize;
        if place >= self.wide.len() {
            self.wide.resize(place + 1, bounds);
            self.origins.resize(place + 1, Origin::default());
            self.slots.resize(place + 1, NONE);
            self.moved.resize(place + 1);
            self.left.resize(place + 1);
            self.list.resize(place + 1);
            self.rest.resize(place + 1);
            if self.calendar.has_vows() {
                self.calendar.resize(place + 1);
            }
        }
        self.is_renewed = true;
        if self.are_many {
            self.settle(body.index(), bounds);
        } else if place < Few::MOST {
            self.few.set(place, Some(&bounds));
        } else {
            self.become_many();
        }
        Ok(())
    }

    fn update(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        let old = self.boxes.update(body, &bounds)?;
        if self.are_many {
            self.expect_moves(1, false);
            self.follow(body.index(), &old, &bounds);
        } else {
            self.few.set(body.index() as usize, Some(&bounds));
        }
        Ok(())
    }

    fn update_many(&mut self, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        together(is_large(moved.len()), || self.take_over_list(moved))
    }

    fn update_all(&mut self, bounds: &[Box32]) -> Result<(), Error> {
        together(is_large(bounds.len()), || self.take_over_all(bounds))
    }

    fn set_round(&mut self, body: BodyId, is_round: bool) -> Result<bool, Error> {
        self.boxes.get(body)?;
        self.boxes.set_round(body.index(), is_round);
        Ok(true)
    }

    fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.boxes.remove(body)?;
        let place = body.index() as usize;
        self.is_renewed = true;
        if !self.are_many {
            self.few.set(place, None);
            return Ok(());
        }
        let seat = self.boxes.seats().of(body.index()) as usize;
        let slot = std::mem::replace(&mut self.slots[seat], NONE);
        if slot != NONE {
            self.tree.clear(slot);
        }
        self.left.add(seat);
        if self.calendar.is_open() {
            self.calendar.note_renewed(body.index());
        }
        Ok(())
    }

    fn collect(&mut self, changes: &mut PairChanges) {
        together(is_large(self.boxes.len()), || self.finish_frame(changes));
    }

    fn pairs(&self, pairs: &mut Vec<Pair>) {
        pairs.clear();
        let seats = self.boxes.seats();
        let listed = self.words().filter(|word| word & 1 == 1).map(key);
        let listed = listed.chain(self.calendar.overlapping());
        let listed = listed.map(|key| index_key(seats, key));
        let keys = self.few.overlapping().chain(listed);
        pairs.extend(keys.map(|key| super::changes::settled_pair(&self.boxes, key)));
        pairs.sort_unstable();
    }

    fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    fn in_box(&self, bounds: &Aabb, found: &mut Vec<BodyId>) -> Result<(), Error> {
        if !self.is_planted {
            return self.boxes.in_box(bounds, found);
        }
        let bounds = Box32::around(bounds)?;
        found.clear();
        self.tree.visit_overlapping(&bounds, &mut |index| {
            if let Some((body, other)) = self.stayed(index)
                && other.overlaps(&bounds)
            {
                found.push(body);
            }
        });
        found.extend(self.all_left().filter_map(|(body, other)| {
            let is_met = other.overlaps(&bounds);
            is_met.then_some(body)
        }));
        found.sort_unstable();
        Ok(())
    }

    fn cast(&self, ray: &Ray, limit: f64, visit: &mut dyn FnMut(BodyId, f64) -> f64) {
        if !self.is_planted {
            return self.boxes.cast(ray, limit, visit);
        }
        let mut front = RayFront::default();
        for (body, bounds) in self.all_left() {
            front.add_body(ray, body, bounds);
        }
        let bodies = |index, front: &mut RayFront| {
            if let Some((body, bounds)) = self.stayed(index) {
                front.add_body(ray, body, bounds);
            }
        };
        self.tree.cast(ray, limit, front, bodies, visit);
    }

    fn work(&self) -> Work {
        Work {
            box_tests: self.few.tests()
                + self.list.tests()
                + self.calendar.looks()
                + self.leap.tests,
            nodes: self.nodes,
            ..Work::default()
        }
    }

    fn bytes(&self) -> usize {
        self.boxes.bytes()
            + self.few.bytes()
            + (self.wide.capacity() + self.before.capacity()) * size_of::<Box32>()
            + self.origins.capacity() * size_of::<Origin>()
            + self.notes.bytes()
            + (self.slots.capacity() + self.strays.capacity() + self.leaving.capacity()) * 4
            + self.roomy.capacity() * 4
            + self.tree.bytes()
            + self.batch.bytes()
            + self.leap.bytes()
            + self.list.bytes()
            + self.rest.bytes()
            + self.calendar.bytes()
            + self.moved.bytes()
            + self.left.bytes()
            + self.found.capacity() * 8
            + self.seating.bytes()
    }

    fn validate(&self) {
        self.boxes.validate();
        if !self.are_many {
            self.few.validate(&self.boxes);
            return;
        }
        self.list.validate();
        self.rest.validate(&self.list);
        for (body, bounds) in self.boxes.iter() {
            let place = body.index() as usize;
            assert!(
                self.wide[place].contains(bounds),
                "{body} is in its wide box"
            );
            let seat = self.boxes.seats().of(body.index());
            let has_slot = self.slots[seat as usize] != NONE;
            assert!(
                has_slot || !self.is_planted || self.strays.contains(&seat),
                "{body} is in the tree"
            );
        }
        self.tree.validate(&self.slots, |seat| {
            // What left is written into the tree at the next `collect`.
            if self.left.has(seat as usize) {
                self.tree.bounds_in(self.slots[seat as usize])
            } else {
                *self.wide_in(seat)
            }
        });
        self.validate_list();
    }
}

impl Watch {
    /// All watched pairs of the list, and of those that rest, as words.
    fn words(&self) -> impl Iterator<Item = u64> {
        self.list.words().chain(self.rest.words())
    }

    /// The wide box of the body at a seat.
    fn wide_in(&self, seat: u32) -> &Box32 {
        &self.wide[self.boxes.seats().index_at(seat) as usize]
    }

    /// Panics unless the pairs watched are those whose wide boxes overlap, as far as nobody left.
    fn validate_list(&self) {
        let mut watched: Vec<u64> = self.words().map(key).collect();
        watched.sort_unstable();
        assert!(watched.is_sorted_by(|a, b| a < b), "pairs are there once");
        let mut around = Vec::new();
        let mut pairs = Vec::new();
        let seat_of = |body: BodyId| self.boxes.seats().of(body.index());
        for (body, _) in self.boxes.iter() {
            let seat = seat_of(body);
            if self.left.has(seat as usize) {
                continue;
            }
            around.clear();
            let bounds = self.wide_in(seat);
            if self.is_planted {
                let note = &mut |other| around.push(other);
                self.tree.visit_overlapping(bounds, note);
            } else {
                let others = self.boxes.iter().map(|(other, _)| seat_of(other));
                around.extend(others.filter(|other| self.wide_in(*other).overlaps(bounds)));
            }
            around.retain(|other| *other > seat && !self.left.has(*other as usize));
            pairs.extend(around.iter().map(|other| [seat, *other]));
        }
        if !self.calendar.is_open() {
            let are_all = pairs
                .iter()
                .all(|[a, b]| watched.binary_search(&key_of(*a, *b)).is_ok());
            assert!(are_all, "those whose wide boxes overlap are watched");
            let stay = |key: &&u64| {
                !indices_of(**key)
                    .iter()
                    .any(|seat| self.left.has(*seat as usize))
            };
            let expected = watched.iter().filter(stay).count();
            assert_eq!(pairs.len(), expected, "no other is");
        } else if self.moves == 0 && self.left.is_empty() {
            let boxes = self.boxes.slice();
            let bodies = self.boxes.iter().map(|(body, _)| body.index());
            self.calendar.validate(boxes, bodies);
            self.calendar.validate_pairs(boxes, pairs.into_iter());
        }
    }
}

#[cfg(test)]
mod tests;
