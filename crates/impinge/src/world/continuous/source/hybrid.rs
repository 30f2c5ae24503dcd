//! Swept boxes or moving ones, whichever costs less at present.
//!
//! Kinetic sweep and prune pays for every swap and for every change of motion, frames for every frame and for the size of swept boxes. Coming and
//! Staadt (2006) left it as future work to leave the kinetic way while swaps and changes are frequent. Here the costs of both are
//! measured ([`tuner`](super::tuner)), and the length of frames is free: it has nothing to do with how often the application asks.

use super::tuner::{Decision, Tuner};
use super::{Change, Frames, Kinetic, Source, SourceWork};
use crate::body::{BodyId, Pair};
use crate::broad::BroadPhaseKind;
use crate::kinetic::{KineticBox, QueueKind};
use crate::world::clock::Clock;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// Swept boxes and moving ones by turns.
#[derive(Debug)]
pub(in super::super) struct Hybrid {
    /// By index.
    members: Vec<Option<(BodyId, KineticBox)>>,
    engine: Engine,
    tuner: Tuner,
    now: f64,
    /// When the last review was, when the next is, and what was spent since.
    reviewed: f64,
    review_at: f64,
    spent: Duration,
    /// The pairs that were told.
    active: BTreeSet<Pair>,
    pending: VecDeque<Change>,
    /// Of engines that are gone, and of this.
    work: SourceWork,
}

#[derive(Debug)]
enum Engine {
    Frames(Box<Frames>),
    Kinetic(Box<Kinetic>),
}

/// About what it costs to begin with another engine, in seconds a body.
const BUILDING: f64 = 2e-6;
/// How often a trial of moving boxes is looked at.
const LOOKS: f64 = 16.0;

impl Hybrid {
    pub(in super::super) fn new() -> Hybrid {
        Hybrid {
            members: Vec::new(),
            engine: Engine::Frames(Box::new(Frames::new(1.0, BroadPhaseKind::default()))),
            tuner: Tuner::new(),
            now: 0.0,
            reviewed: 0.0,
            review_at: 0.0,
            spent: Duration::ZERO,
            active: BTreeSet::new(),
            pending: VecDeque::new(),
            work: SourceWork::default(),
        }
    }

    /// The next change that the engine tells, noted.
    fn ask_engine(&mut self, until: f64) -> Option<Change> {
        let mut clock = Clock::start();
        let change = self.engine.source().next_change(until);
        self.spent += clock.lap();
        match change {
            Some(Change::Began(pair)) => self.active.insert(pair),
            Some(Change::Ended(pair)) => self.active.remove(&pair),
            None => false,
        };
        change
    }

    /// At the end of a frame, or of a slice of moving boxes: goes on in the better way.
    fn review(&mut self) {
        let lasted = self.now - self.reviewed;
        let count = self.members.iter().flatten().count();
        let building = BUILDING * count as f64;
        let spent = std::mem::take(&mut self.spent);
        self.reviewed = self.now;
        let mut clock = Clock::start();
        let decision = self.tuner.review(lasted, spent, building);
        if decision == Decision::Switch {
            self.switch();
        }
        match &mut self.engine {
            Engine::Frames(frames) => {
                // A new engine has begun its frame.
                if decision == Decision::Stay {
                    let members = &self.members;
                    frames.set_interval(self.tuner.next_length(|| length_for(members)));
                    frames.begin_frame();
                }
                self.review_at = frames.end();
            }
            Engine::Kinetic(_) => {
                let slice = self.tuner.slice();
                let is_trial = self.tuner.is_trial();
                let length = if is_trial { slice / LOOKS } else { slice };
                self.review_at = (self.now + length).max(self.now.next_up());
            }
        }
        // What it takes to begin with is not what frames cost.
        if lasted > 0.0 {
            self.spent += clock.lap();
        }
    }

    /// Begins with the other engine, and tells what is different.
    fn switch(&mut self) {
        self.work = total(&self.work, &self.engine.source().work());
        self.work.switches += 1;
        self.engine = match self.engine {
            Engine::Frames(_) => {
                let queue = QueueKind::default();
                Engine::Kinetic(Box::new(Kinetic::starting_at(queue, self.now)))
            }
            Engine::Kinetic(_) => {
                let interval = self.tuner.next_length(|| 1.0);
                let kind = BroadPhaseKind::default();
                Engine::Frames(Box::new(Frames::starting_at(interval, kind, self.now)))
            }
        };
        let source = self.engine.source();
        for (body, bounds) in self.members.iter().flatten() {
            source.set(*body, bounds);
        }
        let mut found = BTreeSet::new();
        while let Some(change) = source.next_change(self.now) {
            match change {
                Change::Began(pair) => found.insert(pair),
                Change::Ended(pair) => found.remove(&pair),
            };
        }
        let ended = self.active.difference(&found).map(|p| Change::Ended(*p));
        let began = found.difference(&self.active).map(|p| Change::Began(*p));
        self.pending.extend(ended.chain(began));
        self.active = found;
    }
}

/// A length for the first frames: in which bodies move by about half their size.
fn length_for(members: &[Option<(BodyId, KineticBox)>]) -> f64 {
    let moving = members.iter().flatten().filter(|(_, b)| !b.is_still());
    let mut times: Vec<f64> = moving
        .take(SAMPLE)
        .map(|(_, bounds)| 0.5 * bounds.time_to_leave())
        .filter(|time| time.is_finite() && *time > 0.0)
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(1.0)
}

/// How many bodies are looked at for a guess.
const SAMPLE: usize = 256;

impl Engine {
    fn source(&mut self) -> &mut dyn Source {
        match self {
            Engine::Frames(frames) => frames.as_mut(),
            Engine::Kinetic(kinetic) => kinetic.as_mut(),
        }
    }
}

fn total(a: &SourceWork, b: &SourceWork) -> SourceWork {
    SourceWork {
        swaps: a.swaps + b.swaps,
        frames: a.frames + b.frames,
        switches: a.switches + b.switches,
        updating: a.updating + b.updating,
        sorting: a.sorting + b.sorting,
    }
}

impl Source for Hybrid {
    fn set(&mut self, body: BodyId, bounds: &KineticBox) {
        let place = body.index() as usize;
        if self.members.len() <= place {
            self.members.resize(place + 1, None);
        }
        self.members[place] = Some((body, *bounds));
        let mut clock = Clock::start();
        self.engine.source().set(body, bounds);
        self.spent += clock.lap();
    }

    fn remove(&mut self, body: BodyId) {
        let place = body.index() as usize;
        if let Some(member) = self.members.get_mut(place) {
            *member = None;
        }
        self.active
            .retain(|pair| pair.a() != body && pair.b() != body);
        self.engine.source().remove(body);
    }

    fn next_change(&mut self, until: f64) -> Option<Change> {
        loop {
            if let Some(change) = self.pending.pop_front() {
                return Some(change);
            }
            if self.now >= self.review_at {
                self.review();
                continue;
            }
            let limit = until.min(self.review_at);
            if let Some(change) = self.ask_engine(limit) {
                return Some(change);
            }
            self.now = limit;
            if until < self.review_at {
                return None;
            }
        }
    }

    fn time(&self) -> f64 {
        match &self.engine {
            Engine::Frames(frames) => frames.time(),
            Engine::Kinetic(kinetic) => kinetic.time(),
        }
    }

    fn is_past(&self, time: f64) -> bool {
        match &self.engine {
            Engine::Frames(frames) => frames.is_past(time),
            Engine::Kinetic(kinetic) => kinetic.is_past(time),
        }
    }

    fn charge(&mut self, time: Duration) {
        self.spent += time;
    }

    fn work(&self) -> SourceWork {
        let now = match &self.engine {
            Engine::Frames(frames) => frames.work(),
            Engine::Kinetic(kinetic) => kinetic.work(),
        };
        total(&self.work, &now)
    }

    fn validate(&self) {
        match &self.engine {
            Engine::Frames(frames) => frames.validate(),
            Engine::Kinetic(kinetic) => kinetic.validate(),
        }
    }
}
