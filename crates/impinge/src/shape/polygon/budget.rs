//! A bound on the work for polygons that resist.
//!
//! One unit is about three nanoseconds. Work is counted, not timed, so that the outcome is the same on every machine.

use crate::exact::{Counts, counts};

/// What a polygon or a mesh gets, and more for each corner: about a second, and another for a million corners. Nothing but
/// a tangle uses it up.
const BASE: u64 = 1 << 28;
const PER_CORNER: u64 = 256;

/// The cost of a sign, by the level that decides it.
const FILTER: u64 = 4;
const EXPANSION: u64 = 32;
const BIG: u64 = 4096;

/// How much work is left, and the signs already paid for.
#[derive(Debug)]
pub(in crate::shape) struct Budget {
    units: u64,
    paid: Counts,
}

impl Budget {
    pub(in crate::shape) fn for_corners(corners: usize) -> Budget {
        Budget {
            units: BASE + PER_CORNER * corners as u64,
            paid: counts(),
        }
    }

    /// Forgets the signs computed since the last payment: they belong to work that is bounded anyway.
    pub(super) fn skip_signs(&mut self) {
        self.paid = counts();
    }

    /// Pays for the signs computed since the last payment and for some steps; false when nothing is left.
    pub(super) fn pay(&mut self, steps: u64) -> bool {
        let now = counts();
        let new = now - self.paid;
        self.paid = now;
        let cost = steps + FILTER * new.filter + EXPANSION * new.expansion + BIG * new.big;
        self.units = self.units.saturating_sub(cost);
        self.units > 0
    }
}
