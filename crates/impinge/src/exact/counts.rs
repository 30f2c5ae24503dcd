//! How often each level of arithmetic had the last word.
//!
//! Counters belong to the thread, so that counting costs one addition and never contends. Code that splits work over
//! threads takes the difference around each piece and adds the pieces up.

use std::cell::Cell;
use std::ops::{Add, Sub};

/// How many decisions each level made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Decided by floating point with an error bound.
    pub filter: u64,
    /// Decided by floating-point expansions: exactly, or for curved shapes by numbers of twice the precision.
    pub expansion: u64,
    /// Decided by big integers.
    pub big: u64,
}

impl Counts {
    /// All decisions.
    pub fn total(&self) -> u64 {
        self.filter + self.expansion + self.big
    }
}

impl Add for Counts {
    type Output = Counts;
    fn add(self, other: Counts) -> Counts {
        Counts {
            filter: self.filter + other.filter,
            expansion: self.expansion + other.expansion,
            big: self.big + other.big,
        }
    }
}

impl Sub for Counts {
    type Output = Counts;
    fn sub(self, earlier: Counts) -> Counts {
        Counts {
            filter: self.filter - earlier.filter,
            expansion: self.expansion - earlier.expansion,
            big: self.big - earlier.big,
        }
    }
}

thread_local! {
    static FILTER: Cell<u64> = const { Cell::new(0) };
    static EXPANSION: Cell<u64> = const { Cell::new(0) };
    static BIG: Cell<u64> = const { Cell::new(0) };
}

/// The decisions made on this thread since it started. Subtract two readings to learn what happened between them.
pub fn counts() -> Counts {
    Counts {
        filter: FILTER.get(),
        expansion: EXPANSION.get(),
        big: BIG.get(),
    }
}

#[inline]
pub(crate) fn count_filter() {
    FILTER.set(FILTER.get() + 1);
}

/// Counts so many decisions of a filter.
#[inline]
pub(crate) fn count_filters(many: u64) {
    FILTER.set(FILTER.get() + many);
}

#[inline]
pub(crate) fn count_expansion() {
    EXPANSION.set(EXPANSION.get() + 1);
}

#[inline]
pub(crate) fn count_big() {
    BIG.set(BIG.get() + 1);
}
