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
//! | `activity` | filters, pairs switched on and off | which pairs are looked at |
//! | `agenda` | lower bounds and impacts | the first of them |
//! | `pairs` | the time of a pair has come | the next time, or an impact that is told |
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

mod activity;
mod agenda;
mod bodies;
mod events;
mod neighbours;
mod options;
mod pairs;
mod predict;
mod source;
mod stats;

pub use events::{ContinuousEvent, HitKind, PairImpact};
pub use options::{ContinuousOptions, Pruning, Schedule};
pub use stats::ContinuousStats;

use super::clock::Clock;
use crate::body::{BodyId, Pair};
use crate::broad::Filter;
use crate::error::Error;
use crate::math::{Pose, Vec3};
use crate::motion::Trajectory;
use crate::shape::Shape;
use activity::Activity;
use agenda::Agenda;
use bodies::{Continuation, Traveller, Travellers};
use neighbours::Neighbours;
use pairs::Crowd;
use source::{Every, Frames, Hybrid, Kinetic, Source};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// Bodies on trajectories, and what happens to them in the order of time.
#[derive(Debug)]
pub struct ContinuousWorld {
    options: ContinuousOptions,
    bodies: Travellers,
    source: Box<dyn Source>,
    neighbours: Neighbours,
    activity: Activity,
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
            activity: Activity::default(),
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
        self.activity.forget(body);
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

    /// Which others a body may meet from now on; by default all.
    ///
    /// Pairs that are let through are looked at from now on, as if they had just come; of pairs that are not, nothing is told.
    ///
    /// ```
    /// use impinge::world::continuous::{ContinuousEvent, ContinuousWorld};
    /// use impinge::broad::Filter;
    /// use impinge::{Pose, Shape, Trajectory, Vec3};
    ///
    /// let mut world = ContinuousWorld::default();
    /// let ball = || Shape::sphere(0.5);
    /// let coming = Trajectory::moving(0.0, Pose::from_translation(Vec3::X * 9.0)?, Vec3::X * -1.0)?;
    /// let ghost = world.insert(ball()?, Trajectory::still(Pose::from_translation(Vec3::X * 5.0)?))?;
    /// let wall = world.insert(ball()?, Trajectory::still(Pose::IDENTITY))?;
    /// let comes = world.insert(ball()?, coming)?;
    /// world.set_filter(ghost, Filter { groups: 0, mask: 0 })?;
    ///
    /// let Some(ContinuousEvent::Impact(impact)) = world.next_event(20.0)? else { panic!("they meet") };
    /// assert_eq!([impact.pair.a(), impact.pair.b()], [wall, comes]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For a body that is not here.
    pub fn set_filter(&mut self, body: BodyId, filter: Filter) -> Result<(), Error> {
        let now = self.now;
        let traveller = self.bodies.get_mut(body)?;
        if traveller.filter != filter {
            (traveller.filter, traveller.filtered) = (filter, now);
            self.look_again(body);
        }
        Ok(())
    }

    /// Whether a pair of bodies is looked at from now on, if their filters allow it; by default it is. A pair that is switched on
    /// is looked at as if it had just come.
    ///
    /// # Errors
    ///
    /// For a body that is not here, and for twice the same.
    pub fn set_active(&mut self, a: BodyId, b: BodyId, is_active: bool) -> Result<(), Error> {
        self.bodies.get(a)?;
        self.bodies.get(b)?;
        let pair = Pair::new(a, b).ok_or(Error::SameBody { body: a })?;
        if self.activity.set(pair, is_active, self.now) {
            self.agenda.remove(pair);
            if self.source.is_everything() || self.neighbours.are_near(pair) {
                self.schedule(pair);
            }
        }
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
            pairs.extend(self.near_pairs(traveller.id));
        }
        let mut clock = Clock::start();
        pairs.sort_unstable();
        pairs.dedup();
        for pair in pairs {
            self.schedule(pair);
        }
        self.stats.testing += clock.lap();
    }

    /// The pairs of a body with those that may be near it.
    fn near_pairs(&self, body: BodyId) -> Vec<Pair> {
        let pair_with = |other: &Traveller| Pair::new(body, other.id);
        if self.source.is_everything() {
            return self.bodies.iter().filter_map(pair_with).collect();
        }
        let others = self.neighbours.of(body.index()).iter();
        let others = others.filter_map(|other| self.bodies.at(*other));
        others.filter_map(pair_with).collect()
    }

    /// Looks anew at the pairs of a body with a new filter, but for contacts that it still allows.
    ///
    /// Also at those that were and are allowed: a pruning that has not yet named them will look at them from the time of the
    /// filter on, and all must look from the same time.
    fn look_again(&mut self, body: BodyId) {
        if self.changed.contains(&body.index()) {
            // All its pairs will be looked at anyway.
            return;
        }
        let (bodies, activity) = (&self.bodies, &self.activity);
        let is_allowed = |pair| {
            let both = bodies.both(pair);
            both.is_some_and(|both| activity.since(pair, both).is_some())
        };
        self.agenda.retain(|pair, state| {
            let is_of_others = pair.a() != body && pair.b() != body;
            is_of_others || (state.is_contact() && is_allowed(pair))
        });
        for pair in self.near_pairs(body) {
            self.schedule(pair);
        }
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
}
