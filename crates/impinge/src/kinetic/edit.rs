//! Insertion and removal. Bodies that arrive wait until time goes on, and are then put into the lists together.

use super::alarms::Alarm;
use super::lists::{NOWHERE, is_upper, slot_of};
use super::sweep::{KineticEvent, KineticSweep, Member};
use super::track::KineticBox;
use crate::body::{BodyId, Pair};
use crate::error::Error;
use std::cmp::Ordering;

impl KineticSweep {
    /// Adds a body. Its pairs begin now, and are told with the next events.
    ///
    /// # Errors
    ///
    /// For a body whose index is in use.
    pub fn insert(&mut self, body: BodyId, motion: KineticBox) -> Result<(), Error> {
        let place = body.index() as usize;
        if self.members.len() <= place {
            self.members.resize(place + 1, None);
        }
        if self.members[place].is_some() {
            return Err(Error::BodyInUse { body });
        }
        self.members[place] = Some(Member {
            id: body,
            motion,
            is_listed: false,
        });
        self.arrivals.push(body.index());
        self.alarms.set(Alarm::Expiry(body.index()), motion.end());
        Ok(())
    }

    /// Removes a body. Its pairs end now, and are told with the next events.
    ///
    /// # Errors
    ///
    /// For a body that is not there.
    pub fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        let index = self.index_of(body)?;
        self.alarms.cancel_body(index);
        let partners: Vec<[u32; 2]> = self
            .pairs
            .iter()
            .filter(|key| key.contains(&index))
            .copied()
            .collect();
        for key in partners {
            self.pairs.remove(&key);
            let (time, pair) = (self.clock, self.pair(key));
            self.told.push_back(KineticEvent::Ended { time, pair });
        }
        let was_listed = self.members[index as usize].is_some_and(|m| m.is_listed);
        self.members[index as usize] = None;
        self.arrivals.retain(|arrival| *arrival != index);
        if was_listed {
            let orders = std::array::from_fn(|axis| {
                let order = self.lists.ends.order[axis].iter();
                order.filter(|end| **end / 2 != index).copied().collect()
            });
            self.reorder(orders);
        }
        Ok(())
    }

    /// Puts the bodies that arrived into the lists.
    pub(super) fn settle(&mut self) {
        if self.arrivals.is_empty() {
            return;
        }
        let arrivals = std::mem::take(&mut self.arrivals);
        self.lists.grow(self.members.len());
        for index in &arrivals {
            let member = self.members[*index as usize].as_mut();
            let member = member.expect("arrivals that are removed are forgotten");
            member.is_listed = true;
            for axis in 0..3 {
                for (end, track) in (2 * index..).zip(member.motion.tracks(axis)) {
                    self.lists.ends.tracks[slot_of(end, axis) as usize] = track;
                }
            }
        }
        let orders = std::array::from_fn(|axis| self.merged_order(&arrivals, axis));
        self.reorder(orders);
        self.meet(&arrivals);
    }

    /// The order of an axis with the ends of new bodies.
    ///
    /// The old order may have neighbours that are due to swap at this very moment. These are swapped by events after this,
    /// wherever the new ends are put between them.
    fn merged_order(&self, arrivals: &[u32], axis: usize) -> Vec<u32> {
        let ends = &self.lists.ends;
        let compare = |a: u32, b: u32| {
            if ends.is_wrong(a, b, axis, &self.now) {
                Ordering::Greater
            } else if ends.is_wrong(b, a, axis, &self.now) {
                Ordering::Less
            } else {
                Ordering::Equal
            }
        };
        let mut new: Vec<u32> = arrivals.iter().flat_map(|i| [2 * i, 2 * i + 1]).collect();
        new.sort_by(|a, b| compare(*a, *b));
        let mut old = ends.order[axis].iter().copied().peekable();
        let mut merged = Vec::with_capacity(new.len() + ends.order[axis].len());
        for end in new {
            while let Some(earlier) = old.next_if(|other| compare(*other, end) != Ordering::Greater)
            {
                merged.push(earlier);
            }
            merged.push(end);
        }
        merged.extend(old);
        merged
    }

    /// Replaces the orders, and the certificates of all whose next one is another now.
    fn reorder(&mut self, orders: [Vec<u32>; 3]) {
        for (axis, order) in orders.into_iter().enumerate() {
            let old = self.lists.ends.order[axis].clone();
            let mut next_now = vec![NOWHERE; 2 * self.members.len()];
            for neighbours in order.windows(2) {
                next_now[neighbours[0] as usize] = neighbours[1];
            }
            let mut kept = vec![false; next_now.len()];
            for (place, end) in old.iter().enumerate() {
                let next = old.get(place + 1).copied().unwrap_or(NOWHERE);
                if next_now[*end as usize] == next {
                    kept[*end as usize] = true;
                } else {
                    self.lists.unschedule(slot_of(*end, axis));
                }
            }
            for end in &old {
                self.lists.ends.place[slot_of(*end, axis) as usize] = NOWHERE;
            }
            for (place, end) in order.iter().enumerate() {
                self.lists.ends.place[slot_of(*end, axis) as usize] = place as u32;
            }
            self.lists.ends.order[axis] = order;
            let now = self.now;
            for place in 0..self.lists.ends.order[axis].len() {
                let end = self.lists.ends.order[axis][place];
                if !kept[end as usize] {
                    self.lists.schedule(slot_of(end, axis), &now);
                }
            }
        }
    }

    /// Begins the pairs of new bodies: a sweep along the first axis.
    fn meet(&mut self, arrivals: &[u32]) {
        let mut is_new = vec![false; self.members.len()];
        for index in arrivals {
            is_new[*index as usize] = true;
        }
        // Bodies whose lower end was passed and whose upper end was not: all of them, and the new ones.
        let (mut all, mut new): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut found: Vec<Pair> = Vec::new();
        for end in self.lists.ends.order[0].clone() {
            let body = end / 2;
            if is_upper(end) {
                all.retain(|other| *other != body);
                new.retain(|other| *other != body);
                continue;
            }
            let candidates = if is_new[body as usize] { &all } else { &new };
            for other in candidates {
                if self.lists.ends.overlap(body, *other) {
                    let key = [body.min(*other), body.max(*other)];
                    self.pairs.insert(key);
                    found.push(self.pair(key));
                }
            }
            all.push(body);
            if is_new[body as usize] {
                new.push(body);
            }
        }
        found.sort_unstable();
        let time = self.clock;
        let events = found
            .into_iter()
            .map(|pair| KineticEvent::Began { time, pair });
        self.told.extend(events);
    }
}
