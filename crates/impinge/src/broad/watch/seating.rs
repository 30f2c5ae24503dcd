//! Bodies that are near each other, side by side in memory.
//!
//! The second body of a watched pair is near the first one in space. By their names it could be anywhere in memory, and with a million
//! bodies most of a frame was spent on waiting for it. So many bodies get [seats](super::super::seats) in the order of the tree
//! when that is built: a new box is still written to anywhere, but nothing waits for that, and pairs are looked at where
//! their boxes are. As bodies move, the order gets worse, slowly, as the tree does. Seats are taken at the end of `collect`,
//! when there is nothing else that knows bodies by their seats than the boxes, the list and the tree.

use super::super::changes::{PairChanges, current_pair, indices_of, key_of, settled_pair};
use super::super::seats::Seats;
use super::super::{Boxes, Watch};
use super::Outlook;

/// With fewer bodies, what is won by looking at pairs is lost by writing boxes to anywhere.
const MANY: usize = 1 << 17;

/// An order that would not last so many frames is not worth while: where the tree is built so soon again, bodies go back to the seats
/// of their indices.
const LAST: u32 = 4;

/// When more than one in so many bodies came or jumped since seats were taken, the order is not one of space any more.
const STRAYS: usize = 16;

/// Who is to sit where, from the end of this `collect` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plan {
    Stay,
    /// In the order of the tree.
    ByTree,
    /// Every index in its own seat.
    ByIndex,
}

/// When bodies are to be given seats, and what that needs.
#[derive(Debug, Clone)]
pub(super) struct Seating {
    /// How many bodies it takes.
    pub(super) many: usize,
    plan: Plan,
    /// The frame in which the tree was built last.
    built: Option<u32>,
    /// How often a body came or jumped since seats were taken.
    strays: usize,
    /// What is told of a frame: pairs that began, and pairs that ended.
    keys: [Vec<u64>; 2],
}

impl Default for Seating {
    fn default() -> Seating {
        Seating {
            many: MANY,
            plan: Plan::Stay,
            built: None,
            strays: 0,
            keys: Default::default(),
        }
    }
}

impl Seating {
    /// Notes that the tree was built for so many bodies.
    pub(super) fn note_build(&mut self, outlook: Outlook, bodies: usize) {
        let last = self.built.replace(outlook.frame());
        let is_lasting = last.is_none_or(|last| outlook.frame().wrapping_sub(last) > LAST);
        self.plan = match is_lasting {
            true if bodies >= self.many => Plan::ByTree,
            true => Plan::Stay,
            false => Plan::ByIndex,
        };
    }

    /// Notes that so many bodies came, or jumped to where others have their seats.
    pub(super) fn note_strays(&mut self, count: usize) {
        self.strays = self.strays.saturating_add(count);
    }

    /// Whether bodies sit in an order of space.
    pub(super) fn is_fresh(&self, boxes: &Boxes) -> bool {
        !boxes.seats().are_plain() && self.strays * STRAYS <= boxes.len()
    }

    /// Tells of pairs that began and of those that ended, sorted by body, given their keys by seat.
    pub(super) fn report(
        &mut self,
        boxes: &Boxes,
        began: impl Iterator<Item = u64> + Send,
        ended: impl Iterator<Item = u64> + Send,
        changes: &mut PairChanges,
    ) {
        let (seats, [first, second]) = (boxes.seats(), &mut self.keys);
        let PairChanges {
            began: begun,
            ended: gone,
        } = changes;
        let begin = || {
            sort_keys(first, seats, began);
            begun.extend(first.iter().map(|key| current_pair(boxes, *key)));
        };
        let end = || {
            sort_keys(second, seats, ended);
            gone.extend(second.iter().map(|key| settled_pair(boxes, *key)));
        };
        #[cfg(feature = "parallel")]
        if crate::sharing::is_shared() {
            rayon::join(begin, end);
            return;
        }
        begin();
        end();
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let [first, second] = &self.keys;
        (first.capacity() + second.capacity()) * 8
    }
}

/// Replaces keys by those of bodies, sorted, given those of their seats.
fn sort_keys(keys: &mut Vec<u64>, seats: &Seats, of_seats: impl Iterator<Item = u64>) {
    keys.clear();
    keys.extend(of_seats.map(|key| index_key(seats, key)));
    keys.sort_unstable();
}

/// The key of two indices, given the key of their seats.
#[inline]
pub(super) fn index_key(seats: &Seats, key: u64) -> u64 {
    let [a, b] = indices_of(key).map(|seat| seats.index_at(seat));
    key_of(a, b)
}

impl Watch {
    /// Gives every body the seat of its index. Nothing may wait for the next `collect`.
    pub(super) fn sit_by_index(&mut self) {
        self.seating.plan = Plan::ByIndex;
        self.take_seats();
    }

    /// Gives bodies the seats that they are to have. Nothing may wait for the next `collect`.
    #[inline(always)]
    pub(super) fn take_seats(&mut self) {
        if self.seating.plan != Plan::Stay {
            self.change_seats();
        }
    }

    #[inline(never)]
    fn change_seats(&mut self) {
        let targets = match std::mem::replace(&mut self.seating.plan, Plan::Stay) {
            Plan::ByTree => self.seats_by_tree(),
            Plan::ByIndex if !self.boxes.seats().are_plain() => {
                self.boxes.seats().indices().to_vec()
            }
            Plan::ByIndex | Plan::Stay => return,
        };
        self.seating.strays = 0;
        self.wake_all();
        self.boxes.renumber(&targets);
        self.list.renumber(&targets);
        self.tree.renumber(&targets, &mut self.slots);
    }

    /// By seat: the place of its body in the tree; behind them those without one.
    fn seats_by_tree(&self) -> Vec<u32> {
        let mut targets = vec![u32::MAX; self.boxes.index_end()];
        let mut free = 0;
        let mut seat = |target: &mut u32| {
            *target = free;
            free += 1;
        };
        self.tree
            .bodies()
            .for_each(|body| seat(&mut targets[body as usize]));
        let absent = targets.iter_mut().filter(|target| **target == u32::MAX);
        absent.for_each(seat);
        targets
    }
}
