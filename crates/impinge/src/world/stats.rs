//! How much work an update was.

use super::contacts::{ContactStage, ContactWork};
use super::pairs::Pairs;
use crate::broad::{BroadPhase, Work};
use crate::exact::Counts;
use std::time::Duration;

/// What the last update did, stage by stage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// How long the stages took.
    pub times: StageTimes,
    /// Bodies that came or moved.
    pub moved: usize,
    /// Pairs whose boxes overlap, the inactive ones included, but not parts of one articulated body that may always meet; in crowds perhaps
    /// without those of cubes about balls that are apart.
    pub pairs: usize,
    /// Pairs that were computed; the others are inactive, or did not move.
    pub computed: usize,
    /// Contacts: pairs that intersect, or are within the margin.
    pub contacts: usize,
    /// Pairs that intersect.
    pub intersecting: usize,
    /// How pairs were decided: by a filter, or exactly.
    pub decisions: Counts,
    /// The work of the broad phase since the world was made.
    pub broad: Work,
}

/// How long the stages of an update took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// From poses to boxes, and into the broad phase.
    pub boxes: Duration,
    /// From boxes to pairs.
    pub pairs: Duration,
    /// From pairs to contacts.
    pub contacts: Duration,
    /// From contacts to events.
    pub events: Duration,
}

impl StageTimes {
    /// The whole update.
    pub fn total(&self) -> Duration {
        self.boxes + self.pairs + self.contacts + self.events
    }
}

impl Stats {
    pub(super) fn count(
        &mut self,
        moved: usize,
        pairs: &Pairs,
        contacts: &ContactStage,
        work: ContactWork,
        broad: &dyn BroadPhase,
    ) {
        *self = Stats {
            times: self.times,
            moved,
            pairs: pairs.len(),
            computed: work.computed,
            contacts: contacts.contacts().len(),
            intersecting: work.intersecting,
            decisions: work.decisions,
            broad: broad.work(),
        };
    }
}
