//! How a continuous world works.

use crate::broad::BroadPhaseKind;
use crate::error::Error;
use crate::kinetic::QueueKind;
use std::fmt;
use std::str::FromStr;

/// How a [`ContinuousWorld`](super::ContinuousWorld) works. `pruning` changes the time it takes, never the events.
///
/// ```
/// # use impinge::world::continuous::{ContinuousOptions, ContinuousWorld, Pruning};
/// let options = ContinuousOptions { pruning: Pruning::Kinetic, ..ContinuousOptions::default() };
/// assert!(ContinuousWorld::new(options).is_ok());
/// assert!(ContinuousWorld::new(ContinuousOptions { tolerance: 0.0, ..ContinuousOptions::default() }).is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ContinuousOptions {
    /// Impacts may be told this much earlier than they are, in units of time; never later.
    pub tolerance: f64,
    /// How pairs of bodies that cannot meet are told from those that may.
    pub pruning: Pruning,
    /// How the times of impacts are found.
    pub schedule: Schedule,
    /// The step of [`Schedule::FixedStep`] and [`Schedule::Bisection`], and of all looks at pairs that have no better test: those whose
    /// shapes have none, and those that stay in contact.
    pub step: f64,
}

impl Default for ContinuousOptions {
    fn default() -> ContinuousOptions {
        ContinuousOptions {
            tolerance: 1e-9,
            pruning: Pruning::default(),
            schedule: Schedule::default(),
            step: 1.0 / 64.0,
        }
    }
}

impl ContinuousOptions {
    pub(super) fn check(&self) -> Result<(), Error> {
        let mut numbers = vec![("tolerance", self.tolerance), ("step", self.step)];
        if let Pruning::Frames { interval, .. } = self.pruning {
            numbers.push(("interval of frames", interval));
        }
        for (what, value) in numbers {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::OutOfRange {
                    what: format!("{what} of the world"),
                    value,
                    expected: "more than 0, and finite",
                });
            }
        }
        Ok(())
    }
}

/// How pairs that cannot meet are left out. All give the same events.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Pruning {
    /// Swept boxes or moving ones, whichever costs less as time goes on: measured, not assumed.
    #[default]
    Hybrid,
    /// Kinetic sweep and prune (Coming and Staadt 2006): moving boxes, from event to event.
    Kinetic,
    /// Kinetic sweep and prune with the other queue: the source's pairing heap.
    KineticPairing,
    /// Boxes of whole frames, by a broad phase (Mirtich 1996).
    Frames {
        /// How long a frame is.
        interval: f64,
        /// The broad phase.
        broad_phase: BroadPhaseKind,
    },
    /// None: every pair is looked at whenever one of its motions changes (Coming and Staadt's cached dynamic detection).
    Nothing,
}

impl Pruning {
    pub(super) fn queue(self) -> QueueKind {
        match self {
            Pruning::KineticPairing => QueueKind::Pairing,
            Pruning::Hybrid | Pruning::Kinetic | Pruning::Frames { .. } | Pruning::Nothing => {
                QueueKind::default()
            }
        }
    }
}

/// How the time of an impact is found (the three ways of Larsen's survey).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Schedule {
    /// A continuous test: a heap holds a lower bound for each pair, and the first is made sharper until it is an impact. Nothing
    /// is missed, nothing is late.
    #[default]
    Prediction,
    /// Looks at every step; from one that shows an overlap back to the contact. What comes and goes between two steps is
    /// missed.
    Bisection,
    /// Looks at every step and tells overlaps when it sees them: late, and missing what comes and goes between two steps.
    FixedStep,
}

impl Schedule {
    /// All of them.
    pub const ALL: [Schedule; 3] = [
        Schedule::Prediction,
        Schedule::Bisection,
        Schedule::FixedStep,
    ];

    /// Its name: `prediction`, `bisection`, `fixed-step`.
    pub fn name(self) -> &'static str {
        match self {
            Schedule::Prediction => "prediction",
            Schedule::Bisection => "bisection",
            Schedule::FixedStep => "fixed-step",
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Schedule {
    type Err = Error;

    fn from_str(name: &str) -> Result<Schedule, Error> {
        let known = Schedule::ALL.into_iter().find(|s| s.name() == name);
        known.ok_or_else(|| Error::UnknownName {
            what: "schedule",
            name: name.to_owned(),
            known: Schedule::ALL.map(Schedule::name).to_vec(),
        })
    }
}
