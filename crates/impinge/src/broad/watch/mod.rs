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
//! directions (`motion`); for a body that never moved, and for one that jumped farther than its size, they are its box.
//!
//! **Few bodies** most of which leave at once are searched for in a row instead (`leap`); then there is no tree until one is
//! needed. While all indices are below 64, there is neither a list nor a tree, but a table of bits (`few`).
//!
//! **The tree** keeps its order while boxes move in place; a body that jumped, or is new, is put elsewhere. When searching
//! has cost more than building by as much as building would cost, it is built anew.
//!
//! **Invariant.** The wide box of a body holds its box. At `collect`, two bodies are watched exactly if their wide boxes
//! overlap, and a watched pair is marked exactly if their boxes do.
//!
//! **Cost.** In a frame, `O(moved + watched)` with small factors, `O(log n)` for each body that left its wide box. Memory is
//! linear in bodies and watched pairs.

mod bits;
mod few;
mod leap;
mod left;
mod list;
mod motion;
mod replace;
mod segment;
mod survey;

use super::wide_tree::{Batch, Fill, NONE, RayFront, Searched, WideTree};
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use crate::lanes::in_lanes;
use crate::math::{Aabb, Ray};
use bits::Bits;
use fearless_simd::Simd;
use few::Few;
use leap::LeapSearch;
use left::Left;
use list::{WatchList, is_among};
use motion::{Origin, Outlook, wide_box};
use replace::{Leavers, Moves, Range};
use segment::Look;
use survey::Survey;

/// How many nodes building the tree is worth, for each body.
const BUILD: f64 = 20.0;

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
    /// By index.
    wide: Vec<Box32>,
    /// By index: where and when the body got its wide box.
    origins: Vec<Origin>,
    outlook: Outlook,
    /// By index: where the body is in the tree, or nowhere.
    slots: Vec<u32>,
    tree: WideTree,
    /// Whether bodies are in the tree; otherwise it is empty.
    is_planted: bool,
    fill: Fill,
    list: WatchList,
    /// Bodies that moved since the last `collect`, as far as they are noted: those of many at once are not.
    moved: Bits,
    moves: usize,
    moved_many: bool,
    /// Bodies that left their wide boxes, came or went since the last `collect`.
    left: Left,
    /// Places of those that leave in a list of moves, and their boxes before.
    leaving: Vec<u32>,
    before: Vec<Box32>,
    /// Whether all wide boxes are known to be no wider than the boxes.
    are_tight: bool,
    /// Bodies to be given another slot.
    strays: Vec<u32>,
    /// Whether bodies came or went.
    is_renewed: bool,
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
    fn follow(&mut self, place: usize, old: &Box32, new: &Box32) {
        self.moved.add(place);
        self.moves += 1;
        self.are_tight = false;
        if !self.wide[place].contains(new) {
            let (index, origin, outlook) = (place as u32, &self.origins[place], self.outlook);
            let (wide, jumped) =
                in_lanes!(simd => wide_box(simd, index, [old, new], origin, outlook));
            self.wide[place] = wide;
            self.origins[place] = Origin::new(new, outlook);
            self.left.add(place);
            if jumped {
                self.strays.push(index);
            }
        }
    }

    /// Goes from the table of bits to wide boxes: what overlapped is watched, and everyone counts as having left its wide box.
    fn become_many(&mut self) {
        self.are_many = true;
        for key in self.few.overlapping() {
            self.list.adopt(key);
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
        self.strays.push(index);
        self.left.add(place);
    }

    /// Replaces the boxes of bodies. Fails, changing nothing, if one of them is not here.
    #[inline(always)]
    fn replace_all<S: Simd>(&mut self, simd: S, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        if self.leap.takes_all_to_leave(moved.len(), self.boxes.len()) {
            self.boxes.check_updates(moved)?;
            self.note_moves(moved);
            self.replace_tightly(moved);
            return Ok(());
        }
        let survey = Survey {
            generations: self.boxes.generations(),
            wide: &self.wide,
        };
        self.leaving.clear();
        if !survey.leaving(simd, moved, &mut self.leaving) {
            return self.boxes.check_updates(moved);
        }
        self.note_moves(moved);
        let (left, list) = self.left.parts_mut();
        let range = Range {
            first: 0,
            boxes: self.boxes.slice_mut(),
            wide: &mut self.wide,
            origins: &mut self.origins,
            left,
        };
        let moves = Moves {
            moved,
            leaving: &self.leaving,
            first: 0,
            outlook: self.outlook,
        };
        let mut leavers = Leavers {
            before: &mut self.before,
            list,
            strays: &mut self.strays,
        };
        range.replace_all(simd, moves, &mut leavers);
        Ok(())
    }

    /// Notes who moves, unless many do.
    fn note_moves(&mut self, moved: &[(BodyId, Box32)]) {
        if moved.len() * MANY > self.boxes.len() {
            self.moved_many = true;
        } else {
            for (body, _) in moved {
                self.moved.add(body.index() as usize);
            }
        }
        self.moves += moved.len();
        self.are_tight = false;
    }

    /// Replaces the boxes of bodies, and their wide boxes by the same.
    fn replace_tightly(&mut self, moved: &[(BodyId, Box32)]) {
        let boxes = self.boxes.slice_mut();
        for (body, new) in moved {
            let place = body.index() as usize;
            (boxes[place], self.wide[place]) = (*new, *new);
        }
        let indices = moved.iter().map(|(body, _)| body.index());
        let is_each_once = self.left.add_all(indices) == moved.len();
        self.are_tight = moved.len() == self.boxes.len() && is_each_once;
    }

    /// Brings the tree up to date: every body in a slot with its wide box, and those that left marked.
    #[inline(always)]
    fn update_tree<S: Simd>(&mut self, simd: S) {
        let bodies = self.boxes.len() as f64;
        let is_dear = self.cost.excess > BUILD * bodies;
        let is_crowd = self.strays.len() * 4 > self.boxes.len();
        if !is_crowd && !self.strays.is_empty() {
            // From now on, room is kept for bodies like these.
            self.fill = Fill::Roomy;
        }
        if is_dear || is_crowd || !self.is_planted || !self.settle_strays() {
            let wide = &self.wide;
            self.slots.fill(NONE);
            let present = self.boxes.iter().map(|(body, _)| body.index());
            let bounds_of = |index: u32| wide[index as usize];
            self.tree
                .build(simd, self.fill, present, bounds_of, &mut self.slots);
            self.cost = SearchCost::default();
            self.is_planted = true;
        }
        self.strays.clear();
        self.tree.set_all(self.left.list(), &self.slots, &self.wide);
        self.tree.refit(simd);
    }

    /// Gives all strays a slot near their box. Tells whether there was room.
    fn settle_strays(&mut self) -> bool {
        for &index in &self.strays {
            let place = index as usize;
            if self.boxes.body_at(index).is_none() {
                continue;
            }
            if self.slots[place] != NONE {
                self.tree.clear(self.slots[place]);
            }
            let slot = self.tree.insert(index, &self.wide[place]);
            self.slots[place] = slot.unwrap_or(NONE);
            if slot.is_none() {
                return false;
            }
        }
        true
    }

    /// Searches in the tree for the pairs of bodies that left their wide boxes.
    #[inline(always)]
    fn search_tree<S: Simd>(&mut self, simd: S) {
        self.update_tree(simd);
        self.found.clear();
        let searched = self.tree.search(simd, &mut self.batch, &mut self.found);
        self.tree.unmark();
        self.cost.note(searched);
        self.nodes += searched.nodes;
    }

    /// Searches for all pairs, as if everyone had left. There is no tree afterwards.
    fn search_row(&mut self) {
        if std::mem::take(&mut self.is_planted) {
            self.tree.uproot();
            self.slots.fill(NONE);
        }
        self.strays.clear();
        let are_those_before = !self.is_renewed;
        self.leap
            .search(&self.boxes, are_those_before, &self.wide, &mut self.found);
        // From keys to words: a bit of room below, set where boxes are known to overlap.
        let bit = u64::from(self.are_tight);
        for word in &mut self.found {
            *word = *word >> 32 << 33 | u64::from(*word as u32) << 1 | bit;
        }
    }

    /// Searches for the pairs of bodies that left their wide boxes, and looks at all pairs.
    #[inline(always)]
    fn renew<S: Simd>(&mut self, simd: S) {
        if self.is_renewed {
            self.list.forget_unsettled(&self.boxes);
        }
        let (bodies, has_tree) = (self.boxes.len(), self.is_planted);
        if self.leap.pays(bodies, self.left.len(), has_tree) {
            self.search_row();
            let boxes = (!self.are_tight).then_some(&self.boxes);
            self.list.replace(simd, boxes, &mut self.found);
        } else {
            self.search_tree(simd);
            let look = Look {
                boxes: &self.boxes,
                moved: (!self.moved_many).then_some(&self.moved),
            };
            self.list.renew(simd, look, &self.left, &mut self.found);
        }
    }

    /// The bodies that left their wide boxes, or came, since the last `collect`.
    fn all_left(&self) -> impl Iterator<Item = (BodyId, &Box32)> {
        self.left.list().iter().filter_map(|index| {
            let body = self.boxes.body_at(*index)?;
            Some((body, self.boxes.at(*index)))
        })
    }

    /// A body of the tree and its box, unless it left its wide box.
    fn stayed(&self, index: u32) -> Option<(BodyId, &Box32)> {
        let body = self.boxes.body_at(index)?;
        let place = index as usize;
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
            self.follow(body.index() as usize, &old, &bounds);
        } else {
            self.few.set(body.index() as usize, Some(&bounds));
        }
        Ok(())
    }

    fn update_many(&mut self, moved: &[(BodyId, Box32)]) -> Result<(), Error> {
        if !self.are_many {
            self.boxes.check_updates(moved)?;
            let boxes = self.boxes.slice_mut();
            for (body, bounds) in moved {
                let place = body.index() as usize;
                boxes[place] = *bounds;
                self.few.set(place, Some(bounds));
            }
            return Ok(());
        }
        if moved.len() < FEW {
            self.boxes.check_updates(moved)?;
            return moved
                .iter()
                .try_for_each(|(body, bounds)| self.update(*body, *bounds));
        }
        in_lanes!(simd => self.replace_all(simd, moved))
    }

    fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.boxes.remove(body)?;
        let place = body.index() as usize;
        self.is_renewed = true;
        if !self.are_many {
            self.few.set(place, None);
            return Ok(());
        }
        let slot = std::mem::replace(&mut self.slots[place], NONE);
        if slot != NONE {
            self.tree.clear(slot);
        }
        self.left.add(place);
        Ok(())
    }

    fn collect(&mut self, changes: &mut PairChanges) {
        if !self.are_many {
            self.few.collect(&self.boxes, self.is_renewed, changes);
            self.is_renewed = false;
            self.boxes.settle();
            return;
        }
        self.list.begin_look();
        let looks = self.list.tests();
        if !self.left.is_empty() {
            in_lanes!(simd => self.renew(simd));
        } else if self.moves > 0 {
            let look = Look {
                boxes: &self.boxes,
                moved: (!self.moved_many).then_some(&self.moved),
            };
            in_lanes!(simd => self.list.look(simd, look));
        }
        if self.moves > 0 {
            self.moved.clear();
        }
        let looks = self.list.tests() - looks;
        self.outlook
            .advance(self.moved_many.then_some((self.moves, looks)));
        (self.moves, self.moved_many) = (0, false);
        self.left.clear();
        self.is_renewed = false;
        changes.clear();
        let boxes = &self.boxes;
        self.list.began().for_each(|key| changes.begin(boxes, key));
        self.list.ended().for_each(|key| changes.end(boxes, key));
        self.boxes.settle();
    }

    fn pairs(&self, pairs: &mut Vec<Pair>) {
        pairs.clear();
        let keys = self.few.overlapping().chain(self.list.overlapping());
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
            box_tests: self.few.tests() + self.list.tests() + self.leap.tests,
            nodes: self.nodes,
            ..Work::default()
        }
    }

    fn bytes(&self) -> usize {
        self.boxes.bytes()
            + self.few.bytes()
            + (self.wide.capacity() + self.before.capacity()) * size_of::<Box32>()
            + self.origins.capacity() * size_of::<Origin>()
            + (self.slots.capacity() + self.strays.capacity() + self.leaving.capacity()) * 4
            + self.tree.bytes()
            + self.batch.bytes()
            + self.leap.bytes()
            + self.list.bytes()
            + self.moved.bytes()
            + self.left.bytes()
            + self.found.capacity() * 8
    }

    fn validate(&self) {
        self.boxes.validate();
        if !self.are_many {
            self.few.validate(&self.boxes);
            return;
        }
        self.list.validate();
        let is_waiting = |place: usize| self.strays.contains(&(place as u32));
        for (body, bounds) in self.boxes.iter() {
            let place = body.index() as usize;
            assert!(
                self.wide[place].contains(bounds),
                "{body} is in its wide box"
            );
            let has_slot = self.slots[place] != NONE;
            assert!(
                has_slot || !self.is_planted || is_waiting(place),
                "{body} is in the tree"
            );
        }
        self.tree.validate(&self.slots, |index| {
            let place = index as usize;
            // What left is written into the tree at the next `collect`.
            if self.left.has(place) {
                self.tree.bounds_in(self.slots[place])
            } else {
                self.wide[place]
            }
        });
        self.validate_list();
    }
}

impl Watch {
    /// Panics unless the pairs watched are those whose wide boxes overlap, as far as nobody left.
    fn validate_list(&self) {
        let watched = self.list.sorted_keys();
        let mut around = Vec::new();
        let mut pairs = 0;
        for (body, _) in self.boxes.iter() {
            let index = body.index();
            if self.left.has(index as usize) {
                continue;
            }
            around.clear();
            let bounds = self.wide[index as usize];
            if self.is_planted {
                let note = &mut |other| around.push(other);
                self.tree.visit_overlapping(&bounds, note);
            } else {
                let others = self.boxes.iter().map(|(other, _)| other.index());
                let is_near = |other: &u32| self.wide[*other as usize].overlaps(&bounds);
                around.extend(others.filter(is_near));
            }
            around.retain(|other| *other > index && !self.left.has(*other as usize));
            for other in &around {
                assert!(
                    is_among(&watched, index, *other),
                    "{index}, {other} watched"
                );
            }
            pairs += around.len();
        }
        assert_eq!(pairs, self.list.len_without(&self.left), "no other is");
    }
}

#[cfg(test)]
mod tests;
