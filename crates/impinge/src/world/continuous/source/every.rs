//! No pruning: all pairs are near each other at all times.

use super::{Change, Source, SourceWork};
use crate::body::BodyId;
use crate::kinetic::KineticBox;

/// Every body with every other: Coming and Staadt's cached dynamic collision detection.
#[derive(Debug, Default)]
pub(in super::super) struct Every;

impl Source for Every {
    fn set(&mut self, _: BodyId, _: &KineticBox) {}

    fn remove(&mut self, _: BodyId) {}

    fn next_change(&mut self, _: f64) -> Option<Change> {
        None
    }

    fn is_everything(&self) -> bool {
        true
    }

    fn work(&self) -> SourceWork {
        SourceWork::default()
    }

    fn validate(&self) {}
}
