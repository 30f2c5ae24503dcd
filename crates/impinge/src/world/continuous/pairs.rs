//! The way of a pair: it is put into the agenda, comes up, is looked at, told, left alone, and released when it is apart again.

use super::agenda::State;
use super::events::{ContinuousEvent, PairImpact};
use super::predict::{Outlook, Prospect, next_step};
use super::source::Change;
use super::{Clock, ContinuousWorld};
use crate::body::Pair;

/// So many impacts of one pair, each within two tolerances of the last, and it rests.
const CROWD: u32 = 16;
/// How many tolerances it rests at first.
const REST: f64 = 64.0;

/// Impacts of a pair that come close together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crowd {
    count: u32,
    /// When the last was, or when the pair has rested.
    until: f64,
}

impl ContinuousWorld {
    /// A pair begins or ends to be near each other.
    pub(super) fn take_change(&mut self, change: Change) {
        let mut clock = Clock::start();
        match change {
            Change::Began(pair) => {
                self.stats.began += 1;
                if self.bodies.both(pair).is_some() {
                    self.neighbours.begin(pair);
                    self.schedule(pair);
                }
            }
            Change::Ended(pair) => {
                if self.bodies.both(pair).is_some() {
                    self.neighbours.end(pair);
                    self.forget(pair);
                }
            }
        }
        self.source.charge(clock.lap());
    }

    /// Forgets what a pair waits for, unless it was told: then it still has to be seen apart.
    fn forget(&mut self, pair: Pair) {
        let record = self.agenda.get(pair);
        if record.is_some_and(|record| !record.state.is_contact()) {
            self.agenda.remove(pair);
        }
    }

    /// Puts a pair into the agenda from the time on at which its boxes may overlap, unless it is there.
    pub(super) fn schedule(&mut self, pair: Pair) {
        let Some(travellers) = self.bodies.both(pair) else {
            return;
        };
        let Some(active_since) = self.activity.since(pair, travellers) else {
            self.agenda.remove(pair);
            return;
        };
        let versions = travellers.map(|traveller| traveller.version);
        let known = self.agenda.get(pair);
        if known.is_some_and(|record| record.versions == versions) {
            return;
        }
        let [a, b] = travellers;
        let start = a.since.max(b.since).max(active_since);
        let released = self.released.get(&pair);
        let from = released
            .filter(|(then, _)| *then == versions)
            .map_or(start, |(_, from)| from.max(start));
        let prospect = Prospect {
            pair,
            travellers,
            options: &self.options,
        };
        self.stats.spans += 1;
        match prospect.span(from) {
            Some([begin, _]) => {
                let state = State::Waiting(begin);
                let time = begin.max(self.source.time());
                self.agenda.set(pair, versions, state, Some(time));
            }
            None => self.agenda.remove(pair),
        }
    }

    /// The time of a pair has come.
    pub(super) fn come_up(&mut self, pair: Pair) -> Option<ContinuousEvent> {
        let record = *self.agenda.get(pair)?;
        let current = self.bodies.both(pair).map(|both| both.map(|t| t.version));
        if current != Some(record.versions) {
            self.agenda.remove(pair);
            return None;
        }
        match record.state {
            State::Impact(impact) => Some(self.tell(impact, record.versions)),
            State::Waiting(from) | State::Resting(from) => self.look(pair, record.versions, from),
            State::Told => {
                self.see_if_apart(pair, record.versions);
                None
            }
            State::Done => None,
        }
    }

    /// Looks at what a pair does from a time on: the one it waited for, which may be a little past, so that the answer does not
    /// depend on when it was found.
    fn look(&mut self, pair: Pair, versions: [u32; 2], from: f64) -> Option<ContinuousEvent> {
        let mut clock = Clock::start();
        let travellers = self.bodies.both(pair)?;
        let prospect = Prospect {
            pair,
            travellers,
            options: &self.options,
        };
        let outlook = prospect.outlook(from);
        self.stats.tests += 1;
        self.stats.testing += clock.lap();
        match outlook {
            Outlook::Nothing => self.agenda.set(pair, versions, State::Done, None),
            Outlook::Later(time) => {
                let state = State::Waiting(time);
                self.agenda.set(pair, versions, state, Some(time));
            }
            Outlook::Impact(impact) => {
                let crowd = self.crowds.get(&pair).filter(|c| c.count > CROWD);
                let time = crowd.map_or(impact.time, |crowd| impact.time.max(crowd.until));
                if time <= self.now {
                    return Some(self.tell(impact, versions));
                }
                let state = State::Impact(impact);
                self.agenda.set(pair, versions, state, Some(time));
            }
            Outlook::Staying => {
                let time = next_step(self.now, self.options.step);
                let state = State::Resting(time);
                self.agenda.set(pair, versions, state, Some(time));
            }
        }
        None
    }

    /// Leaves a pair that was told alone until the next step.
    fn leave(&mut self, pair: Pair, versions: [u32; 2]) {
        let time = next_step(self.now, self.options.step);
        self.agenda.set(pair, versions, State::Told, Some(time));
    }

    /// Whether a pair that was told is apart again.
    fn see_if_apart(&mut self, pair: Pair, versions: [u32; 2]) {
        let Some(travellers) = self.bodies.both(pair) else {
            return;
        };
        let prospect = Prospect {
            pair,
            travellers,
            options: &self.options,
        };
        if prospect.intersect_at(self.now) {
            self.leave(pair, versions);
            return;
        }
        self.released.insert(pair, (versions, self.now));
        self.agenda.remove(pair);
        self.schedule(pair);
    }

    /// Tells an impact, and whether the pair has so many of them that it rests.
    fn tell(&mut self, impact: PairImpact, versions: [u32; 2]) -> ContinuousEvent {
        let (pair, time, tolerance) = (impact.pair, self.now, self.options.tolerance);
        let impact = PairImpact { time, ..impact };
        let close = 2.0 * tolerance;
        let last = self.crowds.get(&pair).filter(|c| time - c.until <= close);
        let count = last.map_or(1, |crowd| crowd.count.saturating_add(1));
        let rest = match count.checked_sub(CROWD + 1) {
            Some(more) => REST * tolerance * 2_f64.powi(more.min(64) as i32),
            None => 0.0,
        };
        let until = time + rest.min(self.options.step);
        self.crowds.insert(pair, Crowd { count, until });
        self.thin_out(time - close);
        self.leave(pair, versions);
        if count > CROWD {
            self.stats.rested += 1;
            return ContinuousEvent::Rested(impact);
        }
        self.stats.impacts += 1;
        ContinuousEvent::Impact(impact)
    }

    /// Forgets crowds that are long past, and pairs with other motions, now and then.
    fn thin_out(&mut self, before: f64) {
        let many = 64 + 4 * self.bodies.len();
        if self.crowds.len() > many {
            self.crowds.retain(|_, crowd| crowd.until >= before);
        }
        if self.released.len() > many {
            let bodies = &self.bodies;
            self.released.retain(|pair, (versions, _)| {
                bodies.both(*pair).map(|both| both.map(|t| t.version)) == Some(*versions)
            });
        }
    }
}
