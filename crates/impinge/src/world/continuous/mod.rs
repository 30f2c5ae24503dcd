//! Many bodies in continuous time: motions go in, impacts come out, in the order of time.
//!
//! ```
//! use impinge::world::continuous::{ContinuousEvent, ContinuousWorld};
//! use impinge::{Pose, Shape, Trajectory, Vec3};
//!
//! let mut world = ContinuousWorld::default();
//! let floor = Trajectory::still(Pose::IDENTITY);
//! world.insert(Shape::half_space(Vec3::Z, 0.0)?, floor)?;
//! let dropped = Trajectory::moving(0.0, Pose::from_translation(Vec3::Z * 5.5)?, Vec3::ZERO)?
//!     .accelerated(Vec3::Z * -10.0)?;
//! let ball = world.insert(Shape::sphere(0.5)?, dropped)?;
//!
//! // It falls five metres in a second, and bounces with half its speed.
//! let Some(ContinuousEvent::Impact(impact)) = world.next_event(10.0)? else { panic!("it falls") };
//! assert!((impact.time - 1.0).abs() < 1e-8);
//! let up = Vec3::Z * (-0.5 * world.velocity(ball)?.z);
//! let bounce = Trajectory::moving(world.time(), world.pose(ball)?, up)?.accelerated(Vec3::Z * -10.0)?;
//! world.set_motion(ball, bounce)?;
//! let Some(ContinuousEvent::Impact(impact)) = world.next_event(10.0)? else { panic!("it falls") };
//! assert!((impact.time - 2.0).abs() < 1e-8);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! This is a type of its own beside [`World`](crate::World). A world is brought up to date at poses, whatever was in between; here there is no
//! frame, and the questions are others: not what touches now, but what touches next. The two would share the list of bodies and
//! nothing else.
//!
//! **Stages** (Coming and Staadt 2006, section 3), driven by time:
//!
//! | file | from | to |
//! |---|---|---|
//! | `bodies` | `insert`, `set_motion` | trajectories, and moving boxes that hold them |
//! | `source` | moving boxes | pairs that may meet: kinetic, swept, both by turns, or all |
//! | `predict` | a pair | a lower bound of its next impact, or the impact |
//! | `agenda` | lower bounds and impacts | the first of them |
//! | `events` | an impact | what the application is told |
//!
//! **What is told.** An impact is told when two bodies come to touch by approaching: from apart, or in a contact that they are in as their
//! motions change. It is told once. Then either the application changes a motion, and the pair is looked at anew: when it
//! leaves the contact, or slides along it, nothing is told until the bodies meet again; when it approaches again, that is the next
//! impact, now. Or it does not: then the bodies go through each other, and the pair is left alone until a look at some multiple of
//! the step shows it apart.
//!
//! **Nothing is missed.** What a pair does is a function of its two motions alone (`predict`), never late; it is asked for every pair
//! from the time on at which the boxes may overlap. So events do not depend on the pruning, bit for bit.
//!
//! **Time goes on.** Each event belongs to a pair or to the end of a motion. A pair that was told at one instant is told
//! again only after one of its motions was changed, by the application. When that happens many times, each within two
//! tolerances of the last, the pair rests: it is told so, and left alone for many tolerances, twice as long each time, up to a step. So
//! of each pair there are finitely many events in any span of time, whatever the application answers.
//!
//! **Cost.** That of the pruning, and a continuous test for each pair of overlapping boxes and change of one of its motions: answers
//! are kept until then. Between events, nothing.

mod agenda;
mod bodies;
mod events;
mod neighbours;
mod options;
mod predict;
mod source;
mod stats;

pub use events::{ContinuousEvent, HitKind, PairImpact};
pub use options::{ContinuousOptions, Pruning, Schedule};
pub use stats::ContinuousStats;

use super::clock::Clock;
use crate::body::{BodyId, Pair};
use crate::error::Error;
use crate::math::{Pose, Vec3};
use crate::motion::Trajectory;
use crate::shape::Shape;
use agenda::{Agenda, State};
use bodies::{Continuation, Travellers};
use neighbours::Neighbours;
use predict::{Outlook, Prospect, next_step};
use source::{Change, Every, Frames, Hybrid, Kinetic, Source};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// So many impacts of one pair, each within two tolerances of the last, and it rests.
const CROWD: u32 = 16;
/// How many tolerances it rests at first.
const REST: f64 = 64.0;

/// Bodies on trajectories, and what happens to them in the order of time.
#[derive(Debug)]
pub struct ContinuousWorld {
    options: ContinuousOptions,
    bodies: Travellers,
    source: Box<dyn Source>,
    neighbours: Neighbours,
    agenda: Agenda,
    /// When boxes end.
    endings: BinaryHeap<Reverse<Ending>>,
    /// Indices of bodies with new motions since the last event.
    changed: BTreeSet<u32>,
    /// Of pairs that had impacts lately.
    crowds: HashMap<Pair, Crowd>,
    /// Pairs that were told, not answered, and seen apart since: with their versions, and when.
    released: HashMap<Pair, ([u32; 2], f64)>,
    now: f64,
    stats: ContinuousStats,
}

/// Impacts of a pair that come close together.
#[derive(Debug, Clone, Copy)]
struct Crowd {
    count: u32,
    /// When the last was, or when the pair has rested.
    until: f64,
}

/// When the box of a body ends.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ending {
    time: f64,
    body: BodyId,
    version: u32,
}

impl Eq for Ending {}

impl PartialOrd for Ending {
    fn partial_cmp(&self, other: &Ending) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ending {
    fn cmp(&self, other: &Ending) -> std::cmp::Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time
            .then(self.body.cmp(&other.body))
            .then(self.version.cmp(&other.version))
    }
}

impl Default for ContinuousWorld {
    fn default() -> ContinuousWorld {
        ContinuousWorld::new(ContinuousOptions::default()).expect("the default options are sound")
    }
}

impl ContinuousWorld {
    /// An empty world at time 0. Fails for a tolerance, a step or an interval that is not positive and finite.
    pub fn new(options: ContinuousOptions) -> Result<ContinuousWorld, Error> {
        options.check()?;
        let source: Box<dyn Source> = match options.pruning {
            Pruning::Hybrid => Box::new(Hybrid::new()),
            Pruning::Kinetic | Pruning::KineticPairing => {
                Box::new(Kinetic::new(options.pruning.queue()))
            }
            Pruning::Frames {
                interval,
                broad_phase,
            } => Box::new(Frames::new(interval, broad_phase)),
            Pruning::Nothing => Box::new(Every),
        };
        Ok(ContinuousWorld {
            options,
            bodies: Travellers::default(),
            source,
            neighbours: Neighbours::default(),
            agenda: Agenda::default(),
            endings: BinaryHeap::new(),
            changed: BTreeSet::new(),
            crowds: HashMap::new(),
            released: HashMap::new(),
            now: 0.0,
            stats: ContinuousStats::default(),
        })
    }

    /// Adds a body on its trajectory from now on. Fails when it leaves the range of `f64`.
    pub fn insert(&mut self, shape: Shape, trajectory: Trajectory) -> Result<BodyId, Error> {
        let tolerance = self.options.tolerance;
        let body = self.bodies.insert(shape, trajectory, self.now, tolerance)?;
        self.neighbours.grow(body.index() as usize + 1);
        self.note_change(body.index());
        Ok(body)
    }

    /// Removes a body. Fails for one that is not here.
    pub fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.bodies.remove(body)?;
        self.changed.remove(&body.index());
        self.source.remove(body);
        for other in self.neighbours.forget(body.index()) {
            if let Some(other) = self.bodies.at(other)
                && let Some(pair) = Pair::new(body, other.id)
            {
                self.agenda.remove(pair);
            }
        }
        Ok(())
    }

    /// Gives a body another motion from now on; it may begin elsewhere. Fails for a body that is not here, and for a motion that leaves
    /// the range of `f64`.
    pub fn set_motion(&mut self, body: BodyId, trajectory: Trajectory) -> Result<(), Error> {
        self.set_course(body, &[trajectory])
    }

    /// Gives a body a motion of several pieces from now on: each until its end, then the next. Fails as
    /// [`set_motion`](Self::set_motion), and when there is no piece.
    pub fn set_course(&mut self, body: BodyId, pieces: &[Trajectory]) -> Result<(), Error> {
        let tolerance = self.options.tolerance;
        self.bodies.set_course(body, pieces, self.now, tolerance)?;
        self.note_change(body.index());
        Ok(())
    }

    /// The present time.
    pub fn time(&self) -> f64 {
        self.now
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.len() == 0
    }

    /// All bodies, by index.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter().map(|traveller| traveller.id)
    }

    /// What a body is.
    pub fn shape(&self, body: BodyId) -> Result<&Shape, Error> {
        Ok(&self.bodies.get(body)?.shape)
    }

    /// The trajectory that a body is on.
    pub fn trajectory(&self, body: BodyId) -> Result<&Trajectory, Error> {
        Ok(&self.bodies.get(body)?.trajectory)
    }

    /// Where a body is now.
    pub fn pose(&self, body: BodyId) -> Result<Pose, Error> {
        Ok(self.bodies.get(body)?.pose_at(self.now))
    }

    /// The velocity of a body's pivot now.
    pub fn velocity(&self, body: BodyId) -> Result<Vec3, Error> {
        Ok(self.bodies.get(body)?.trajectory.velocity_at(self.now))
    }

    /// The velocity now of the point of a body that is at a place.
    pub fn velocity_of(&self, body: BodyId, place: Vec3) -> Result<Vec3, Error> {
        self.bodies.velocity_of(body, place, self.now)
    }

    /// The options the world was made with.
    pub fn options(&self) -> &ContinuousOptions {
        &self.options
    }

    /// How much was done since the world was made.
    pub fn stats(&self) -> ContinuousStats {
        let work = self.source.work();
        ContinuousStats {
            swaps: work.swaps,
            frames: work.frames,
            switches: work.switches,
            updating: work.updating,
            sorting: work.sorting,
            waiting: self.agenda.len(),
            ..self.stats
        }
    }

    /// Panics when something inside is inconsistent.
    pub fn validate(&self) {
        self.source.validate();
        for traveller in self.bodies.iter() {
            assert!(traveller.since <= self.now, "motions begin in the past");
        }
    }

    /// Goes on to a time and adds everything that happens until then to a list, without changing a motion.
    pub fn advance_to(
        &mut self,
        time: f64,
        events: &mut Vec<ContinuousEvent>,
    ) -> Result<(), Error> {
        while let Some(event) = self.next_event(time)? {
            events.push(event);
        }
        Ok(())
    }

    /// Goes on to the next event, not later than a time, and tells it; `None` when there is none, and then it is that time.
    ///
    /// # Errors
    ///
    /// For a time that is not finite or has passed, and when a body leaves the range of `f64`.
    pub fn next_event(&mut self, until: f64) -> Result<Option<ContinuousEvent>, Error> {
        if !(until.is_finite() && until >= self.now) {
            return Err(Error::OutOfRange {
                what: "time to advance to".to_owned(),
                value: until,
                expected: "finite and not before the present time",
            });
        }
        loop {
            self.settle();
            let ending = self.first_ending();
            let due = self.agenda.first();
            let time = until
                .min(ending.map_or(f64::INFINITY, |ending| ending.time))
                .min(due.map_or(f64::INFINITY, |(time, _)| time))
                .max(self.now);
            // A source that has stopped at an event between two floats does not go back.
            let reached = if self.source.is_past(time) {
                self.source.time()
            } else {
                time
            };
            if let Some(change) = self.source.next_change(reached) {
                self.take_change(change);
                continue;
            }
            self.now = time;
            let event = match (ending, due) {
                (Some(ending), _) if ending.time <= time => self.end_box(ending)?,
                (_, Some((due, pair))) if due <= time => self.come_up(pair),
                _ => return Ok(None),
            };
            if event.is_some() {
                return Ok(event);
            }
        }
    }

    /// Notes that a body has another motion.
    fn note_change(&mut self, index: u32) {
        self.changed.insert(index);
        let Some(traveller) = self.bodies.at(index) else {
            return;
        };
        let (time, body, version) = (traveller.bounds.end(), traveller.id, traveller.version);
        if time < f64::INFINITY {
            self.endings.push(Reverse(Ending {
                time,
                body,
                version,
            }));
        }
    }

    /// Looks at the pairs of bodies with new motions.
    fn settle(&mut self) {
        if self.changed.is_empty() {
            return;
        }
        let changed = std::mem::take(&mut self.changed);
        let mut pairs = Vec::new();
        for index in &changed {
            let Some(traveller) = self.bodies.at(*index) else {
                continue;
            };
            self.source.set(traveller.id, &traveller.bounds);
            if self.source.is_everything() {
                let all = self.bodies.iter();
                pairs.extend(all.filter_map(|other| Pair::new(traveller.id, other.id)));
            } else {
                let others = self.neighbours.of(*index).iter();
                let others = others.filter_map(|other| self.bodies.at(*other));
                pairs.extend(others.filter_map(|other| Pair::new(traveller.id, other.id)));
            }
        }
        let mut clock = Clock::start();
        pairs.sort_unstable();
        pairs.dedup();
        for pair in pairs {
            self.schedule(pair);
        }
        self.stats.testing += clock.lap();
    }

    /// The first box that ends.
    fn first_ending(&mut self) -> Option<Ending> {
        while let Some(Reverse(ending)) = self.endings.peek() {
            let traveller = self.bodies.get(ending.body);
            if traveller.is_ok_and(|t| t.version == ending.version) {
                return Some(*ending);
            }
            self.endings.pop();
        }
        None
    }

    /// Another box for a body, with the next piece of its motion if there is one.
    fn end_box(&mut self, ending: Ending) -> Result<Option<ContinuousEvent>, Error> {
        self.endings.pop();
        let tolerance = self.options.tolerance;
        let Some(traveller) = self.bodies.at_mut(ending.body.index()) else {
            return Ok(None);
        };
        let (body, time) = (traveller.id, self.now);
        let continuation = traveller.go_on(time, tolerance)?;
        self.note_change(body.index());
        Ok(match continuation {
            Continuation::Silent => None,
            Continuation::Expired => Some(ContinuousEvent::Expired { time, body }),
        })
    }

    /// A pair begins or ends to be near each other.
    fn take_change(&mut self, change: Change) {
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
        let state = self.agenda.get(pair).map(|record| record.state);
        match state {
            Some(State::Waiting(_) | State::Done | State::Impact(_)) => self.agenda.remove(pair),
            Some(State::Told | State::Resting(_)) | None => {}
        }
    }

    /// Puts a pair into the agenda from the time on at which its boxes may overlap, unless it is there.
    fn schedule(&mut self, pair: Pair) {
        let Some(travellers) = self.bodies.both(pair) else {
            return;
        };
        let versions = travellers.map(|traveller| traveller.version);
        let known = self.agenda.get(pair);
        if known.is_some_and(|record| record.versions == versions) {
            return;
        }
        let start = travellers[0].since.max(travellers[1].since);
        let released = self.released.get(&pair);
        let from = released
            .filter(|(then, _)| *then == versions)
            .map_or(start, |(_, from)| *from);
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
    fn come_up(&mut self, pair: Pair) -> Option<ContinuousEvent> {
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
