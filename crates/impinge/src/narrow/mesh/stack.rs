//! The pairs of boxes that wait, in memory that a thread keeps.

use crate::shape::Slot;
use std::cell::Cell;

/// A pair of boxes.
pub(super) type Entry = (Slot, Slot);

thread_local! {
    static STACK: Cell<Vec<Entry>> = const { Cell::new(Vec::new()) };
}

/// Does some work with an empty stack.
#[inline(always)]
pub(super) fn with_stack<R>(work: impl FnOnce(&mut Vec<Entry>) -> R) -> R {
    let mut stack = STACK.take();
    stack.clear();
    let result = work(&mut stack);
    STACK.set(stack);
    result
}
