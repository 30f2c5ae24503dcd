//! Insertion and removal. Bodies that arrive wait until time goes on, and are then put into the lists together.

use super::alarms::Alarm;
use super::bound::KineticBound;
use super::lists::is_upper;
use super::sweep::{KineticEvent, KineticSweep, Member, require_finite};
use crate::body::{BodyId, Pair};
use crate::error::Error;
use std::cmp::Ordering;

impl<B: KineticBound> KineticSweep<B> {
    /// Adds a body. Its pairs begin now, and are told with the next events.
    ///
    /// # Errors
    ///
    /// For a body whose index is in use, and for a motion whose numbers are not finite.
    pub fn insert(&mut self, body: BodyId, motion: B) -> Result<(), Error> {
        require_finite(&motion)?;
        let place = body.index() as usize;
        if self.members.len() <= place {
            self.members.resize(place + 1, None);
        }
        if self.members[place].is_some() {
            return Err(Error::BodyInUse { body });
        }
        self.alarms
            .set(Alarm::Expiry(body.index()), motion.valid_until());
        self.members[place] = Some(Member {
            id: body,
            motion,
            is_listed: false,
        });
        self.arrivals.push(body.index());
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
        let own = [index, 0]..=[index, u32::MAX];
        let partners: Vec<u32> = self.pairs.range(own).map(|[_, other]| *other).collect();
        for other in partners {
            self.forget_pair(index, other);
            let (time, pair) = (self.clock, self.pair([index, other]));
            self.told.push_back(KineticEvent::Ended { time, pair });
        }
        let member = self.members[index as usize].take();
        if member.is_some_and(|member| member.is_listed) {
            self.unlist(index);
        } else {
            self.arrivals.retain(|arrival| *arrival != index);
        }
        Ok(())
    }

    /// Takes the ends of a body out of the lists.
    fn unlist(&mut self, index: u32) {
        let now = self.now;
        for axis in 0..B::AXES {
            for end in [2 * index, 2 * index + 1] {
                let slot = self.lists.ends.slot(end, axis);
                self.lists.cancel(slot);
                if let Some(before) = self.lists.ends.unlink(slot) {
                    self.lists.renew(before, &now);
                }
            }
        }
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
            for axis in 0..B::AXES {
                for (end, track) in (2 * index..).zip(member.motion.tracks(axis)) {
                    let slot = self.lists.ends.slot(end, axis);
                    self.lists.ends.set_track(slot, track);
                }
            }
        }
        for axis in 0..B::AXES {
            let order = self.merged_order(&arrivals, axis);
            let now = self.now;
            self.lists.rearrange(axis, &order, &now);
        }
        self.meet(&arrivals);
    }

    /// The order of an axis with the ends of new bodies.
    ///
    /// The old order may have neighbours that are due to swap at this very moment. These are swapped by events after this,
    /// wherever the new ends are put between them.
    fn merged_order(&self, arrivals: &[u32], axis: usize) -> Vec<u32> {
        let ends = &self.lists.ends;
        let compare = |a: u32, b: u32| {
            if ends.is_wrong(a, b, &self.now) {
                Ordering::Greater
            } else if ends.is_wrong(b, a, &self.now) {
                Ordering::Less
            } else {
                Ordering::Equal
            }
        };
        let both = arrivals.iter().flat_map(|i| [2 * i, 2 * i + 1]);
        let mut new: Vec<u32> = both.map(|end| ends.slot(end, axis)).collect();
        new.sort_by(|a, b| compare(*a, *b));
        let mut old = ends.in_order(axis).peekable();
        let mut merged = Vec::with_capacity(new.len());
        for slot in new {
            let is_earlier = |other: &u32| compare(*other, slot) != Ordering::Greater;
            while let Some(earlier) = old.next_if(is_earlier) {
                merged.push(earlier);
            }
            merged.push(slot);
        }
        merged.extend(old);
        merged
    }

    /// Begins the pairs of new bodies: a sweep along the first axis.
    fn meet(&mut self, arrivals: &[u32]) {
        let mut is_new = vec![false; self.members.len()];
        for index in arrivals {
            is_new[*index as usize] = true;
        }
        // Bodies whose lower end was passed and whose upper end was not: all of them, and the new ones.
        let (mut all, mut new) = (Open::new(is_new.len()), Open::new(is_new.len()));
        let mut found: Vec<Pair> = Vec::new();
        let ends = &self.lists.ends;
        for slot in ends.in_order(0) {
            let body = ends.body_of(slot);
            if is_upper(ends.end_of(slot)) {
                all.remove(body);
                new.remove(body);
                continue;
            }
            let candidates = if is_new[body as usize] { &all } else { &new };
            for other in &candidates.bodies {
                if ends.overlap(body, *other, &self.now) {
                    self.pairs.extend([[body, *other], [*other, body]]);
                    found.push(self.pair([body, *other]));
                }
            }
            all.insert(body);
            if is_new[body as usize] {
                new.insert(body);
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

/// A set of bodies that knows where each is.
struct Open {
    bodies: Vec<u32>,
    places: Vec<u32>,
}

impl Open {
    fn new(count: usize) -> Open {
        Open {
            bodies: Vec::new(),
            places: vec![u32::MAX; count],
        }
    }

    fn insert(&mut self, body: u32) {
        self.places[body as usize] = self.bodies.len() as u32;
        self.bodies.push(body);
    }

    fn remove(&mut self, body: u32) {
        let place = self.places[body as usize] as usize;
        if self.bodies.get(place) != Some(&body) {
            return;
        }
        self.bodies.swap_remove(place);
        if let Some(moved) = self.bodies.get(place) {
            self.places[*moved as usize] = place as u32;
        }
    }
}
