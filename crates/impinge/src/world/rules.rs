//! What the application said about single pairs (Cohen, Lin, Manocha and Ponamgi, I-COLLIDE, 1995, section 6: pairs are
//! activated and deactivated between passes).

use super::Compute;
use crate::body::{BodyId, Pair};
use std::collections::BTreeMap;

/// What holds for pairs that differ from the rest.
#[derive(Debug, Default)]
pub(super) struct Rules {
    rules: BTreeMap<Pair, Rule>,
    /// Whether something changed since pairs last looked.
    is_changed: bool,
}

/// What holds for one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) is_active: bool,
    /// What is computed, if it is not what the world computes.
    pub(super) compute: Option<Compute>,
}

impl Rule {
    const USUAL: Rule = Rule {
        is_active: true,
        compute: None,
    };
}

impl Rules {
    pub(super) fn of(&self, pair: Pair) -> Rule {
        // Most worlds have no rules at all.
        if self.rules.is_empty() {
            return Rule::USUAL;
        }
        self.rules.get(&pair).copied().unwrap_or(Rule::USUAL)
    }

    pub(super) fn set_active(&mut self, pair: Pair, is_active: bool) {
        self.change(pair, |rule| rule.is_active = is_active);
    }

    pub(super) fn set_compute(&mut self, pair: Pair, compute: Option<Compute>) {
        self.change(pair, |rule| rule.compute = compute);
    }

    fn change(&mut self, pair: Pair, change: impl FnOnce(&mut Rule)) {
        let mut rule = self.of(pair);
        change(&mut rule);
        if rule == Rule::USUAL {
            self.rules.remove(&pair);
        } else {
            self.rules.insert(pair, rule);
        }
        self.is_changed = true;
    }

    /// Forgets the rules of a body that is gone.
    pub(super) fn forget(&mut self, body: BodyId) {
        self.rules
            .retain(|pair, _| pair.a() != body && pair.b() != body);
    }

    /// Makes the next look see a change: that of a filter.
    pub(super) fn note_change(&mut self) {
        self.is_changed = true;
    }

    /// Whether something changed since this was last asked.
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }
}
