//! Where pairs of bodies that may meet come from.
//!
//! A source knows the moving boxes of all bodies. It is driven through time and says which pairs begin to be near each other before
//! they can touch, and which end. It may name too many, and keep them too long; it never misses one, and that is all that
//! the events depend on.

mod every;
mod frames;
mod hybrid;
mod kinetic;
mod tuner;

pub(super) use every::Every;
pub(super) use frames::Frames;
pub(super) use hybrid::Hybrid;
pub(super) use kinetic::Kinetic;

use crate::body::{BodyId, Pair};
use crate::kinetic::KineticBox;
use std::time::Duration;

/// A pair that may touch from now on, or that no longer does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Change {
    Began(Pair),
    Ended(Pair),
}

/// How much a source did.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SourceWork {
    /// Swaps of box ends in sorted lists, moving or not.
    pub(super) swaps: u64,
    /// Frames begun.
    pub(super) frames: u64,
    /// Changes between moving boxes and swept ones.
    pub(super) switches: u64,
    /// Time spent on new boxes.
    pub(super) updating: Duration,
    /// Time spent on finding pairs.
    pub(super) sorting: Duration,
}

/// A way to find the pairs that may meet.
pub(super) trait Source: std::fmt::Debug + Send {
    /// Takes a body in, or gives it another box, from now on.
    fn set(&mut self, body: BodyId, bounds: &KineticBox);

    fn remove(&mut self, body: BodyId);

    /// The next change not later than `until`; without one, the source is at that time.
    fn next_change(&mut self, until: f64) -> Option<Change>;

    /// The present time of the source, or a little later.
    fn time(&self) -> f64 {
        0.0
    }

    /// Whether the source is at a later time: at that of an event, which is no float.
    fn is_past(&self, _time: f64) -> bool {
        false
    }

    /// Whether all pairs are near each other at all times, so that none are told.
    fn is_everything(&self) -> bool {
        false
    }

    /// Takes note of time that was spent on pairs because of what the source told.
    fn charge(&mut self, _time: Duration) {}

    fn work(&self) -> SourceWork;

    fn validate(&self);
}
