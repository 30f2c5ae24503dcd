//! Stage 3: boxes to pairs. The pairs whose boxes overlap, sorted, with what is remembered of each.
//!
//! The broad phase tells what began and ended; here the two are merged into the list of live pairs. A pair that a filter
//! or a rule keeps out stays in the list, inactive, so that it can come back while its boxes overlap.

use super::Compute;
use super::articulations::Articulations;
use super::bodies::Bodies;
use super::rules::Rules;
use crate::body::Pair;
use crate::broad::{BroadPhase, PairChanges};
use crate::narrow::PairCache;

/// A pair whose boxes overlap.
#[derive(Debug, Clone)]
pub(super) struct LivePair {
    pub(super) pair: Pair,
    pub(super) cache: PairCache,
    /// The place of its last contact among the last contacts; [`LivePair::NO_CONTACT`] if it had none.
    pub(super) contact: u32,
    pub(super) compute: Compute,
    /// Whether it is looked at.
    pub(super) is_active: bool,
    /// Whether it was looked at, in the same way, at the last update.
    pub(super) is_known: bool,
    /// Whether it intersected then.
    pub(super) is_touching: bool,
}

impl LivePair {
    pub(super) const NO_CONTACT: u32 = u32::MAX;

    fn new(pair: Pair) -> LivePair {
        LivePair {
            pair,
            cache: PairCache::default(),
            contact: LivePair::NO_CONTACT,
            compute: Compute::default(),
            is_active: false,
            is_known: false,
            is_touching: false,
        }
    }

    /// Looks up what the application wants of the pair.
    fn apply(&mut self, rules: &Rules, meetings: Meetings<'_>) {
        let rule = rules.of(self.pair);
        let is_active = rule.is_active && meetings.are_allowed(self.pair);
        let compute = rule.compute.unwrap_or(meetings.usual);
        if is_active != self.is_active || compute != self.compute {
            (self.is_active, self.compute) = (is_active, compute);
            self.is_known = false;
        }
    }
}

/// What holds for pairs without a rule of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meetings<'w> {
    pub(super) bodies: &'w Bodies,
    pub(super) articulations: &'w Articulations,
    /// What is computed.
    pub(super) usual: Compute,
}

impl Meetings<'_> {
    fn are_allowed(self, pair: Pair) -> bool {
        self.bodies.may_meet(pair) && self.articulations.may_meet(pair)
    }
}

/// The live pairs, sorted.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    live: Vec<LivePair>,
    /// Memory for the next list.
    next: Vec<LivePair>,
    changes: PairChanges,
    /// The pairs that were touching when they ended.
    ended: Vec<Pair>,
}

impl Pairs {
    /// Brings the live pairs up to date with the boxes.
    pub(super) fn update(
        &mut self,
        broad: &mut dyn BroadPhase,
        rules: &mut Rules,
        meetings: Meetings<'_>,
    ) {
        broad.collect(&mut self.changes);
        self.ended.clear();
        if rules.take_change() {
            // The bodies of a pair that ended may be gone; it is dropped below.
            for live in &mut self.live {
                live.apply(rules, meetings);
            }
        }
        if !self.changes.is_empty() {
            self.merge(rules, meetings);
        }
    }

    fn merge(&mut self, rules: &Rules, meetings: Meetings<'_>) {
        self.next.clear();
        let mut began = self.changes.began.iter().copied().peekable();
        let mut ended = self.changes.ended.iter().copied().peekable();
        let begin = |pair: Pair| {
            let mut live = LivePair::new(pair);
            live.apply(rules, meetings);
            live
        };
        for live in self.live.drain(..) {
            while let Some(pair) = began.next_if(|pair| *pair < live.pair) {
                self.next.push(begin(pair));
            }
            if ended.next_if_eq(&live.pair).is_none() {
                self.next.push(live);
            } else if live.is_touching {
                self.ended.push(live.pair);
            }
        }
        self.next.extend(began.map(begin));
        std::mem::swap(&mut self.live, &mut self.next);
    }

    pub(super) fn live(&self) -> &[LivePair] {
        &self.live
    }

    pub(super) fn live_mut(&mut self) -> &mut [LivePair] {
        &mut self.live
    }

    /// The pairs that were touching and whose boxes do not overlap any more, sorted.
    pub(super) fn ended(&self) -> &[Pair] {
        &self.ended
    }

    pub(super) fn validate(&self) {
        let in_order = |p: &LivePair, q: &LivePair| p.pair < q.pair;
        assert!(self.live.is_sorted_by(in_order), "pairs are sorted");
        assert!(self.ended.is_sorted(), "pairs that ended are sorted");
    }
}
