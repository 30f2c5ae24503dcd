//! The end of a frame: from those that left their wide boxes to the pairs that began and ended.
//!
//! The tree is brought up to date and searched for whoever left, or all bodies are searched for in another way where most did; then all watched pairs
//! are looked at, and what changed is told.

use super::super::PairChanges;
use super::super::changes::indices_of;
use super::super::wide_tree::{Fill, NONE};
use super::segment::{Look, Step, word_of};
use super::{SearchCost, Watch};
use crate::lanes::in_lanes;
use fearless_simd::Simd;

/// How many nodes building the tree is worth, for each body.
const BUILD: f64 = 20.0;

impl Watch {
    /// Brings the list of pairs up to date, and tells what changed.
    // Not inlined, as it is called in two places: by this thread, or by one of the pool.
    #[inline(never)]
    pub(super) fn finish_frame(&mut self, changes: &mut PairChanges) {
        if !self.are_many {
            self.few.collect(&self.boxes, self.is_renewed, changes);
            self.is_renewed = false;
            self.boxes.settle();
            return;
        }
        if self.is_short_frame() {
            return self.finish_short_frame(changes);
        }
        self.list.begin_look();
        let is_by_calendar = self.keeps_calendar();
        let may_open = self.may_open_calendar();
        let roomy = std::mem::take(&mut self.roomy);
        self.wake_moved();
        if is_by_calendar {
            self.look_by_calendar();
        } else if !self.left.is_empty() {
            in_lanes!(simd => self.renew(simd));
        } else if self.moves > 0 {
            let look = Look {
                boxes: &self.boxes,
                moved: (!self.moved_many).then_some(&self.moved),
            };
            in_lanes!(simd => self.list.look(simd, look, &self.left));
        }
        if !roomy.is_empty() {
            self.take_room_back(roomy);
        }
        let looked = self.list.end_look();
        if !is_by_calendar {
            self.note_rest(looked);
        }
        if self.moves > 0 {
            self.moved.clear();
        }
        let is_measured = self.moved_many && !is_by_calendar;
        self.outlook
            .advance(is_measured.then_some((self.moves, looked.tests)));
        (self.moves, self.moved_many) = (0, false);
        self.left.clear();
        self.is_renewed = false;
        changes.clear();
        if is_by_calendar || looked.changes > 0 {
            self.report(changes);
        }
        self.boxes.settle();
        self.take_seats();
        self.end_diary(may_open);
    }

    /// Whether few bodies moved, and nothing else happened.
    #[inline(always)]
    fn is_short_frame(&self) -> bool {
        let is_else = self.moved_many | self.is_renewed | self.calendar.is_open();
        !is_else && self.left.is_empty() && self.roomy.is_empty() && self.list.is_short()
    }

    /// What is left of [`Watch::finish_frame`] if so: it takes some hundred instructions, of which every one counts.
    #[inline(always)]
    fn finish_short_frame(&mut self, changes: &mut PairChanges) {
        self.wake_moved();
        let looked = if self.moves > 0 {
            in_lanes!(simd => self.list.glance(simd, &self.boxes, &self.moved))
        } else {
            self.list.begin_look();
            self.list.end_look()
        };
        self.note_rest(looked);
        self.outlook.advance(None);
        if self.moves > 0 {
            self.moved.clear();
            self.moves = 0;
        }
        changes.clear();
        if looked.changes > 0 {
            self.report(changes);
        }
        self.end_diary(false);
    }

    /// Searches for the pairs of bodies that left their wide boxes, and looks at all pairs.
    #[inline(always)]
    fn renew<S: Simd>(&mut self, simd: S) {
        if self.is_renewed {
            self.list.forget_unsettled(&self.boxes, &self.left);
            self.make_room();
        }
        let (bodies, has_tree) = (self.boxes.len(), self.is_planted);
        let leaves = self.left.len();
        if (self.leap).pays(bodies, leaves, has_tree, self.is_renewed) && self.search_leap() {
            self.wake_all();
            let boxes = (!self.is_told_by_leap()).then_some(&self.boxes);
            self.list.replace(simd, boxes, &mut self.found);
        } else {
            self.search_tree(simd);
            let are_fresh = self.seating.is_fresh(&self.boxes);
            self.list.hand_out(&mut self.found);
            // Where balls are compared, those of bodies that left tell so, until the pairs found are compared.
            let are_hidden = self.boxes.hide_balls(self.left.list());
            let steps: &[Step] = if are_hidden {
                &[Step::Part, Step::TakeIn]
            } else {
                &[Step::Both]
            };
            for step in steps {
                let look = Look {
                    boxes: &self.boxes,
                    moved: (!self.moved_many).then_some(&self.moved),
                };
                self.list.renew(simd, look, are_fresh, &self.left, *step);
                if *step == Step::Part {
                    self.boxes.show_balls(self.left.list());
                }
            }
        }
    }

    /// Searches in the tree for the pairs of bodies that left their wide boxes.
    #[inline(always)]
    pub(super) fn search_tree<S: Simd>(&mut self, simd: S) {
        let are_few = self.update_tree(simd);
        self.found.clear();
        let (batch, found) = (&mut self.batch, &mut self.found);
        let searched = if are_few {
            self.tree
                .search_around(simd, self.left.list(), &self.slots, batch, found)
        } else {
            self.tree.search(simd, batch, found)
        };
        self.tree.unmark();
        self.cost.note(searched);
        self.nodes += searched.nodes;
    }

    /// Brings the tree up to date: every body in a slot with its wide box, and those that left marked. Tells whether they are few
    /// and the tree is small, and nothing else was marked.
    #[inline(always)]
    fn update_tree<S: Simd>(&mut self, simd: S) -> bool {
        let bodies = self.boxes.len() as f64;
        let is_dear = self.cost.excess > BUILD * bodies;
        let is_crowd = self.strays.len() * 4 > self.boxes.len();
        if !is_crowd && !self.strays.is_empty() {
            // From now on, room is kept for bodies like these.
            self.fill = Fill::Roomy;
        }
        if is_dear || is_crowd || !self.is_planted || !self.settle_strays() {
            self.slots.fill(NONE);
            let (wide, boxes) = (&self.wide, &self.boxes);
            let present =
                (0..boxes.index_end() as u32).filter(|seat| boxes.body_in(*seat).is_some());
            let bounds_of = |seat: u32| wide[boxes.seats().index_at(seat) as usize];
            self.tree
                .build(simd, self.fill, present, bounds_of, &mut self.slots);
            self.cost = SearchCost::default();
            self.is_planted = true;
            if !self.calendar.is_open() {
                self.seating.note_build(self.outlook, boxes.len());
            }
        }
        let are_settled = self.strays.is_empty() && !self.is_renewed;
        self.seating.note_strays(self.strays.len());
        self.strays.clear();
        let (wide, seats) = (&self.wide, self.boxes.seats());
        let bounds_of = |seat: u32| wide[seats.index_at(seat) as usize];
        let left = self.left.list();
        self.tree.set_all(left, &self.slots, bounds_of);
        let are_few = are_settled && self.tree.is_near() && left.len() * 4 < self.boxes.len();
        if are_few {
            self.tree.refit_around(simd, left, &self.slots);
        } else {
            self.tree.refit(simd);
        }
        are_few
    }

    /// Gives all strays a slot near their box. Tells whether there was room.
    fn settle_strays(&mut self) -> bool {
        for &seat in &self.strays {
            let Some(body) = self.boxes.body_in(seat) else {
                continue;
            };
            let slot = &mut self.slots[seat as usize];
            if *slot != NONE {
                self.tree.clear(*slot);
            }
            let bounds = &self.wide[body.index() as usize];
            let found = self.tree.insert(seat, bounds);
            *slot = found.unwrap_or(NONE);
            if found.is_none() {
                return false;
            }
        }
        true
    }

    /// Searches for all pairs, as if everyone had left, and tells whether it could. If so, there is no tree afterwards.
    fn search_leap(&mut self) -> bool {
        let (boxes, are_those_before) = (&self.boxes, !self.is_renewed);
        let (wide, found) = (&self.wide, &mut self.found);
        if !(self.leap).search(boxes, are_those_before, wide, found) {
            return false;
        }
        if std::mem::take(&mut self.is_planted) {
            self.tree.uproot();
            self.slots.fill(NONE);
        }
        self.strays.clear();
        // From keys to words: a bit of room below, set where boxes are known to overlap.
        let bit = u64::from(self.is_told_by_leap());
        let seats = self.boxes.seats();
        for word in &mut self.found {
            let [a, b] = indices_of(*word).map(|index| seats.of(index));
            *word = word_of(a, b) | bit;
        }
        true
    }

    /// Whether wide boxes that overlap tell that bodies may meet.
    fn is_told_by_leap(&self) -> bool {
        self.are_tight && !self.boxes.has_round()
    }

    /// Tells what the last look found.
    fn report(&mut self, changes: &mut PairChanges) {
        let boxes = &self.boxes;
        if self.calendar.is_open() {
            let calendar = &self.calendar;
            calendar.began().for_each(|key| changes.begin(boxes, key));
            calendar.ended().for_each(|key| changes.end(boxes, key));
            return;
        }
        let (began, ended) = (self.list.began(), self.list.ended());
        if boxes.seats().are_plain() {
            began.for_each(|key| changes.begin(boxes, key));
            ended.for_each(|key| changes.end(boxes, key));
            return;
        }
        self.seating.report(boxes, began, ended, changes);
    }
}
