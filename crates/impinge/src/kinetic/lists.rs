//! The sorted lists of box ends, and the certificates of neighbours.
//!
//! The *end* `2 i` is the lower one of the box of body `i`, `2 i + 1` the upper one. The *slot* `3 e + axis` stands for end `e`
//! on an axis, and for the certificate of that end and the next one in the list of that axis.
//!
//! Invariant: every slot whose end has a next one that it will have to change places with is in the queue, with bounds of
//! the moment, or is due: in the wrong order at the present moment.

use super::moment::{Moment, Rule, first_violation, is_violated, moment_of};
use super::queue::{Queue, QueueKind};
use super::sweep::KineticStats;
use super::track::Track;
use crate::math::Interval;

/// An end that is in no list.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The lists, and the queue of the moments at which they change.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    pub(super) ends: Ends,
    queue: Queue,
    /// Slots of neighbours that are in the wrong order now. Some may have been settled: `is_due` tells.
    due: Vec<u32>,
    is_due: Vec<bool>,
    pub(super) stats: KineticStats,
}

/// The ends by slot, and in order by axis.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    pub(super) tracks: Vec<Track>,
    /// By axis: the ends in order.
    pub(super) order: [Vec<u32>; 3],
    /// By slot: the place in the order.
    pub(super) place: Vec<u32>,
    /// By slot: bounds of the moment at which the certificate fails, for those in the queue.
    bounds: Vec<Interval>,
}

pub(super) fn slot_of(end: u32, axis: usize) -> u32 {
    3 * end + axis as u32
}

pub(super) fn is_upper(end: u32) -> bool {
    end % 2 == 1
}

/// What must hold of neighbours.
pub(super) fn rule_of(before: u32, after: u32) -> Rule {
    if is_upper(before) && !is_upper(after) {
        Rule::Strict
    } else {
        Rule::Weak
    }
}

impl Ends {
    fn axis(slot: u32) -> usize {
        (slot % 3) as usize
    }

    pub(super) fn place_of(&self, end: u32, axis: usize) -> u32 {
        self.place[slot_of(end, axis) as usize]
    }

    pub(super) fn track(&self, end: u32, axis: usize) -> &Track {
        &self.tracks[slot_of(end, axis) as usize]
    }

    /// The end that follows that of a slot.
    fn next(&self, slot: u32) -> Option<u32> {
        let place = self.place[slot as usize] as usize;
        self.order[Ends::axis(slot)].get(place + 1).copied()
    }

    /// When the certificate of a slot in the queue fails.
    fn moment(&self, slot: u32) -> Moment {
        let (end, axis) = (slot / 3, Ends::axis(slot));
        let next = self
            .next(slot)
            .expect("a certificate is about two neighbours");
        let (before, after) = (self.track(end, axis), self.track(next, axis));
        moment_of(
            before,
            after,
            rule_of(end, next),
            self.bounds[slot as usize],
        )
    }

    #[inline]
    fn is_earlier(&self, a: u32, b: u32) -> bool {
        let (first, second) = (self.bounds[a as usize], self.bounds[b as usize]);
        if first.upper < second.lower {
            true
        } else if second.upper < first.lower {
            false
        } else {
            self.moment(a).compare(&self.moment(b)).is_lt()
        }
    }

    /// Whether two ends that stand in this order are in the wrong one.
    pub(super) fn is_wrong(&self, before: u32, after: u32, axis: usize, now: &Moment) -> bool {
        let (x, y) = (self.track(before, axis), self.track(after, axis));
        is_violated(x, y, rule_of(before, after), now)
    }

    /// Whether two boxes overlap, by the places of their ends.
    pub(super) fn overlap(&self, a: u32, b: u32) -> bool {
        let is_before = |lower: u32, upper: u32, axis: usize| {
            self.place_of(lower, axis) < self.place_of(upper, axis)
        };
        (0..3).all(|axis| is_before(2 * a, 2 * b + 1, axis) && is_before(2 * b, 2 * a + 1, axis))
    }
}

impl Lists {
    pub(super) fn new(kind: QueueKind) -> Lists {
        Lists {
            ends: Ends::default(),
            queue: Queue::new(kind),
            due: Vec::new(),
            is_due: Vec::new(),
            stats: KineticStats::default(),
        }
    }

    /// Makes room for bodies with indices below `count`.
    pub(super) fn grow(&mut self, count: usize) {
        let slots = 6 * count;
        if slots <= self.is_due.len() {
            return;
        }
        let still = Track {
            origin: 0.0,
            value: 0.0,
            velocity: 0.0,
            half_acceleration: 0.0,
        };
        self.ends.tracks.resize(slots, still);
        self.ends.place.resize(slots, NOWHERE);
        self.ends.bounds.resize(slots, Interval::exact(0.0));
        self.is_due.resize(slots, false);
        self.queue.grow(slots);
    }

    /// The next swap: an end that changes places with the one after it, the axis, and the moment.
    pub(super) fn next_swap(&mut self, now: &Moment) -> Option<(u32, Moment)> {
        while let Some(slot) = self.due.last().copied() {
            if self.is_due[slot as usize] {
                return Some((slot, *now));
            }
            self.due.pop();
        }
        let ends = &self.ends;
        let slot = self.queue.first(&mut |a, b| ends.is_earlier(a, b))?;
        Some((slot, self.ends.moment(slot)))
    }

    /// Swaps the end of a slot with the one after it, and returns both, as they stood, with the slots whose certificates
    /// are to be made anew.
    pub(super) fn swap(&mut self, slot: u32) -> ([u32; 2], [Option<u32>; 3]) {
        let axis = Ends::axis(slot);
        let place = self.ends.place[slot as usize] as usize;
        let end_at = |lists: &Lists, place: usize| lists.ends.order[axis].get(place).copied();
        let (left, right) = (
            slot / 3,
            self.ends.next(slot).expect("a swap is of two neighbours"),
        );
        let before = place.checked_sub(1).and_then(|place| end_at(self, place));
        for end in [before, Some(left), Some(right)].into_iter().flatten() {
            self.unschedule(slot_of(end, axis));
        }
        self.ends.order[axis].swap(place, place + 1);
        self.ends.place[slot as usize] = place as u32 + 1;
        self.ends.place[slot_of(right, axis) as usize] = place as u32;
        self.stats.swaps += 1;
        let slots = [before, Some(right), Some(left)].map(|end| end.map(|end| slot_of(end, axis)));
        ([left, right], slots)
    }

    /// Forgets the certificate of a slot.
    pub(super) fn unschedule(&mut self, slot: u32) {
        self.is_due[slot as usize] = false;
        if self.queue.contains(slot) {
            let ends = &self.ends;
            self.queue.remove(slot, &mut |a, b| ends.is_earlier(a, b));
            self.stats.removals += 1;
        }
    }

    /// Makes the certificate of a slot that has none.
    pub(super) fn schedule(&mut self, slot: u32, now: &Moment) {
        let Some(next) = self.ends.next(slot) else {
            return;
        };
        if self.ends.is_wrong(slot / 3, next, Ends::axis(slot), now) {
            self.is_due[slot as usize] = true;
            self.due.push(slot);
            return;
        }
        self.schedule_ordered(slot, now);
    }

    /// The same, for neighbours that are known to be in order.
    pub(super) fn schedule_ordered(&mut self, slot: u32, now: &Moment) {
        let Some(next) = self.ends.next(slot) else {
            return;
        };
        let (end, axis) = (slot / 3, Ends::axis(slot));
        let (before, after) = (self.ends.track(end, axis), self.ends.track(next, axis));
        if let Some(moment) = first_violation(before, after, rule_of(end, next), now) {
            self.ends.bounds[slot as usize] = moment.instant.bounds;
            let ends = &self.ends;
            self.queue.insert(slot, &mut |a, b| ends.is_earlier(a, b));
            self.stats.insertions += 1;
        }
    }

    /// Panics where a list is not sorted now, or a certificate is missing.
    pub(super) fn validate(&self, now: &Moment) {
        for axis in 0..3 {
            let order = &self.ends.order[axis];
            for (place, end) in order.iter().enumerate() {
                assert_eq!(self.ends.place_of(*end, axis) as usize, place);
                let slot = slot_of(*end, axis);
                let Some(next) = order.get(place + 1) else {
                    assert!(!self.queue.contains(slot));
                    continue;
                };
                let is_due = self.is_due[slot as usize];
                assert_eq!(is_due, self.ends.is_wrong(*end, *next, axis, now));
                if !is_due {
                    let (x, y) = (self.ends.track(*end, axis), self.ends.track(*next, axis));
                    let will_fail = first_violation(x, y, rule_of(*end, *next), now).is_some();
                    assert_eq!(self.queue.contains(slot), will_fail);
                }
            }
        }
    }
}
