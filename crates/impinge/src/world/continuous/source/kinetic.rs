//! Kinetic sweep and prune as a source of pairs.

use super::{Change, Source, SourceWork};
use crate::body::BodyId;
use crate::kinetic::{KineticBox, KineticEvent, KineticSweep, QueueKind};
use crate::world::clock::Clock;

/// Moving boxes, from event to event.
#[derive(Debug)]
pub(in super::super) struct Kinetic {
    sweep: KineticSweep,
    /// By index: who is in the sweep.
    members: Vec<Option<BodyId>>,
    work: SourceWork,
}

impl Kinetic {
    pub(in super::super) fn new(queue: QueueKind) -> Kinetic {
        Kinetic {
            sweep: KineticSweep::with_queue(queue),
            members: Vec::new(),
            work: SourceWork::default(),
        }
    }

    /// The same at a later time.
    pub(super) fn starting_at(queue: QueueKind, time: f64) -> Kinetic {
        let mut kinetic = Kinetic::new(queue);
        let nothing = kinetic.sweep.next_event(time);
        debug_assert_eq!(nothing, Ok(None));
        kinetic
    }
}

impl Source for Kinetic {
    fn set(&mut self, body: BodyId, bounds: &KineticBox) {
        let mut clock = Clock::start();
        let place = body.index() as usize;
        if self.members.len() <= place {
            self.members.resize(place + 1, None);
        }
        // Ends of boxes are the world's own business.
        let endless = bounds.until(f64::INFINITY).expect("infinity is a time");
        let result = if self.members[place] == Some(body) {
            self.sweep.set_motion(body, endless)
        } else {
            self.members[place] = Some(body);
            self.sweep.insert(body, endless)
        };
        result.expect("members are those of the sweep");
        self.work.updating += clock.lap();
    }

    fn remove(&mut self, body: BodyId) {
        let place = body.index() as usize;
        if self.members.get(place) == Some(&Some(body)) {
            self.members[place] = None;
            let result = self.sweep.remove(body);
            result.expect("members are those of the sweep");
        }
    }

    fn next_change(&mut self, until: f64) -> Option<Change> {
        let mut clock = Clock::start();
        let change = loop {
            let event = self.sweep.next_event(until);
            match event.expect("the world never goes back") {
                Some(KineticEvent::Began { pair, .. }) => break Some(Change::Began(pair)),
                Some(KineticEvent::Ended { pair, .. }) => break Some(Change::Ended(pair)),
                Some(KineticEvent::Expired { .. } | KineticEvent::Response { .. }) => {}
                None => break None,
            }
        };
        self.work.sorting += clock.lap();
        change
    }

    fn time(&self) -> f64 {
        self.sweep.time_above()
    }

    fn is_past(&self, time: f64) -> bool {
        self.sweep.is_past(time)
    }

    fn work(&self) -> SourceWork {
        SourceWork {
            swaps: self.sweep.stats().swaps,
            ..self.work
        }
    }

    fn validate(&self) {
        self.sweep.validate();
    }
}
