//! Which of the pairs of pieces is the first to touch?

use super::Meeting;
use crate::contact::ImpactKind;
use crate::error::Error;
use crate::math::Interval;
use crate::narrow::impact::leaving::{Leaving, stay_apart};
use crate::narrow::impact::pair::ConvexPair;
use crate::narrow::impact::search::{Outcome, search};

/// The earliest contact so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) bounds: Interval,
    pub(super) kind: ImpactKind,
    /// The numbers of the pieces that touch.
    pub(super) pieces: [u32; 2],
}

/// Pairs of pieces, each searched up to the earliest contact of those before.
#[derive(Debug)]
pub(super) struct Contest<'m, 'a> {
    pub(super) meeting: &'m Meeting<'a>,
    pub(super) tolerance: f64,
    pub(super) found: Option<Found>,
}

impl<'m, 'a> Contest<'m, 'a> {
    pub(super) fn new(meeting: &'m Meeting<'a>, tolerance: f64) -> Contest<'m, 'a> {
        Contest {
            meeting,
            tolerance,
            found: None,
        }
    }

    /// The latest time that still matters.
    #[inline(always)]
    pub(super) fn limit(&self) -> f64 {
        self.found.map_or(1.0, |found| found.bounds.lower)
    }

    /// Searches two pieces that are apart before some time, from then on.
    pub(super) fn visit(&mut self, during: Interval, pieces: [u32; 2]) -> Result<(), Error> {
        if during.lower > self.limit() {
            return Ok(());
        }
        let during = Interval {
            upper: during.upper.min(self.limit()),
            ..during
        };
        let [(body_a, a), (body_b, b)] = self.meeting.parts(pieces);
        let leaving = Leaving::new([&a, &b]);
        if leaving.as_ref().is_some_and(Leaving::by_normals) {
            return Ok(());
        }
        let mut pair = ConvexPair::new([body_a, body_b], a, b)?;
        let (bounds, kind) = match search(&mut pair, during, self.tolerance) {
            Outcome::Apart => return Ok(()),
            Outcome::Contact(bounds) => (bounds, ImpactKind::Contact),
            Outcome::Open(lower) => (Interval { lower, upper: 1.0 }, ImpactKind::Undecided),
        };
        if leaving.as_ref().is_some_and(Leaving::by_edges)
            || stay_apart(&a, &b, pair.direction_at(bounds.lower))
        {
            // They pass each other within rounding.
            return Ok(());
        }
        if self
            .found
            .is_none_or(|found| bounds.lower < found.bounds.lower)
        {
            self.found = Some(Found {
                bounds,
                kind,
                pieces,
            });
        }
        Ok(())
    }

    /// Searches all pairs of pieces: the way where boxes cannot lead.
    #[cold]
    pub(super) fn visit_all(&mut self, during: Interval) -> Result<(), Error> {
        let [a, b] = &self.meeting.pieces;
        for p in a.numbers() {
            for q in b.numbers() {
                self.visit(during, [p, q])?;
            }
        }
        Ok(())
    }

    /// Reports that no more is known than that nothing touches before a time.
    pub(super) fn give_up(&mut self, time: f64) {
        self.found = Some(Found {
            bounds: Interval {
                lower: time,
                upper: 1.0,
            },
            kind: ImpactKind::Undecided,
            pieces: self.found.map_or([0, 0], |found| found.pieces),
        });
    }
}
