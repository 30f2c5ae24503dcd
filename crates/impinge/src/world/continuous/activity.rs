//! Which pairs are looked at, and since when: what filters allow and the application has not switched off.
//!
//! A pair that comes to be looked at begins anew: contacts that it had meanwhile are past and are not told.

use super::bodies::Traveller;
use crate::body::{BodyId, Pair};
use std::collections::BTreeMap;

/// What the application said about single pairs.
#[derive(Debug, Default)]
pub(super) struct Activity {
    /// Pairs that are or were off.
    said: BTreeMap<Pair, Said>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Said {
    Off,
    /// On again since this time.
    On(f64),
}

impl Activity {
    /// Switches a pair on or off; whether that changes something.
    pub(super) fn set(&mut self, pair: Pair, is_active: bool, now: f64) -> bool {
        let was_active = self.said.get(&pair) != Some(&Said::Off);
        if is_active == was_active {
            return false;
        }
        let said = if is_active { Said::On(now) } else { Said::Off };
        self.said.insert(pair, said);
        true
    }

    /// Since when the pair of two bodies is looked at; `None` when it is not.
    pub(super) fn since(&self, pair: Pair, [a, b]: [&Traveller; 2]) -> Option<f64> {
        if !a.filter.allows(&b.filter) {
            return None;
        }
        let filtered = a.filtered.max(b.filtered);
        match self.said.get(&pair) {
            None => Some(filtered),
            Some(Said::On(time)) => Some(filtered.max(*time)),
            Some(Said::Off) => None,
        }
    }

    /// Forgets the pairs of a body that is gone.
    pub(super) fn forget(&mut self, body: BodyId) {
        self.said
            .retain(|pair, _| pair.a() != body && pair.b() != body);
    }
}
