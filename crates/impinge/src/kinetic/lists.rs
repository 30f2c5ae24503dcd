//! The sorted lists of the ends of intervals, and the certificates of neighbours.
//!
//! The *end* `2 i` is the lower one of body `i`, `2 i + 1` the upper one. A *slot* stands for an end on an axis, and for the
//! certificate of that end and the next one in the list of that axis. Lists are chained: a swap, an insertion and a removal
//! touch the neighbours and no others. All that is known of a slot is in one line of the cache.
//!
//! Invariant: every slot whose end has a next one that it will have to change places with is in the queue, with bounds of
//! the moment, or is due: in the wrong order at the present moment. The moment of a slot in the queue is that of the neighbours for which it
//! was made (`End::certified`), also while a swap is under way.

use super::moment::{Moment, Rule, first_violation, is_violated, moment_of};
use super::queue::{Queue, QueueKind, Timed};
use super::sweep::KineticStats;
use super::track::Track;
use crate::math::Interval;

/// No slot.
const NOWHERE: u32 = u32::MAX;

/// The lists, and the queue of the moments at which they change.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    pub(super) ends: Ends,
    queue: Queue,
    /// Slots of neighbours that are in the wrong order now. Some may have been settled: `End::is_due` tells.
    due: Vec<u32>,
    pub(super) stats: KineticStats,
}

/// The ends by slot, chained in order by axis.
#[derive(Debug, Clone)]
pub(super) struct Ends {
    slots: Vec<End>,
    /// By axis: the first slot, or [`NOWHERE`].
    heads: Vec<u32>,
    /// A slot is the number of the end, shifted by so many bits, and the axis.
    shift: u32,
}

/// An end on an axis.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct End {
    track: Track,
    /// The certificate, for slots in the queue: bounds of the moment at which it fails, and the slot it is about besides this one.
    bounds: Interval,
    certified: u32,
    previous: u32,
    next: u32,
    is_due: bool,
}

const _: () = assert!(size_of::<End>() == 64);

/// Whether an end, or that of a slot shifted to one, is an upper one.
pub(super) fn is_upper(end: u32) -> bool {
    end % 2 == 1
}

fn known(slot: u32) -> Option<u32> {
    (slot != NOWHERE).then_some(slot)
}

impl Ends {
    fn new(axes: usize) -> Ends {
        Ends {
            slots: Vec::new(),
            heads: vec![NOWHERE; axes],
            shift: axes.next_power_of_two().trailing_zeros(),
        }
    }

    pub(super) fn axes(&self) -> usize {
        self.heads.len()
    }

    #[inline]
    pub(super) fn slot(&self, end: u32, axis: usize) -> u32 {
        end << self.shift | axis as u32
    }

    #[inline]
    pub(super) fn end_of(&self, slot: u32) -> u32 {
        slot >> self.shift
    }

    /// The number of the body that a slot belongs to.
    #[inline]
    pub(super) fn body_of(&self, slot: u32) -> u32 {
        slot >> (self.shift + 1)
    }

    fn axis_of(&self, slot: u32) -> usize {
        (slot & ((1 << self.shift) - 1)) as usize
    }

    #[inline]
    fn at(&self, slot: u32) -> &End {
        &self.slots[slot as usize]
    }

    #[inline]
    fn at_mut(&mut self, slot: u32) -> &mut End {
        &mut self.slots[slot as usize]
    }

    pub(super) fn track(&self, slot: u32) -> &Track {
        &self.at(slot).track
    }

    /// Gives an end another track. It must have no certificate.
    pub(super) fn set_track(&mut self, slot: u32, track: Track) {
        self.at_mut(slot).track = track;
    }

    #[inline]
    pub(super) fn next(&self, slot: u32) -> Option<u32> {
        known(self.at(slot).next)
    }

    #[inline]
    pub(super) fn previous(&self, slot: u32) -> Option<u32> {
        known(self.at(slot).previous)
    }

    /// The slots of an axis in order.
    pub(super) fn in_order(&self, axis: usize) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(known(self.heads[axis]), |slot| self.next(*slot))
    }

    /// Chains two slots; the first may be none, and is the head of the list then. So may the second.
    fn link(&mut self, axis: usize, before: Option<u32>, after: Option<u32>) {
        match before {
            Some(before) => self.at_mut(before).next = after.unwrap_or(NOWHERE),
            None => self.heads[axis] = after.unwrap_or(NOWHERE),
        }
        if let Some(after) = after {
            self.at_mut(after).previous = before.unwrap_or(NOWHERE);
        }
    }

    /// Takes an end out of its list; returns the one before it.
    pub(super) fn unlink(&mut self, slot: u32) -> Option<u32> {
        let (before, after) = (self.previous(slot), self.next(slot));
        self.link(self.axis_of(slot), before, after);
        let end = self.at_mut(slot);
        (end.previous, end.next) = (NOWHERE, NOWHERE);
        before
    }

    /// Puts an end that is in no list behind another, or first.
    pub(super) fn link_after(&mut self, before: Option<u32>, slot: u32) {
        let axis = self.axis_of(slot);
        let after = match before {
            Some(before) => self.next(before),
            None => known(self.heads[axis]),
        };
        self.link(axis, before, Some(slot));
        self.link(axis, Some(slot), after);
    }

    /// What must hold of neighbours.
    #[inline]
    fn rule(&self, before: u32, after: u32) -> Rule {
        if is_upper(self.end_of(before)) && !is_upper(self.end_of(after)) {
            Rule::Strict
        } else {
            Rule::Weak
        }
    }

    /// When the certificate of a slot in the queue fails.
    fn moment(&self, slot: u32) -> Moment {
        let End {
            bounds,
            certified,
            track,
            ..
        } = self.at(slot);
        let rule = self.rule(slot, *certified);
        moment_of(track, self.track(*certified), rule, *bounds)
    }

    #[cold]
    fn is_earlier(&self, a: u32, b: u32) -> bool {
        self.moment(a).compare(&self.moment(b)).is_lt()
    }

    /// Whether two ends that stand in this order are in the wrong one.
    #[inline]
    pub(super) fn is_wrong(&self, before: u32, after: u32, now: &Moment) -> bool {
        let (x, y) = (self.track(before), self.track(after));
        is_violated(x, y, self.rule(before, after), now)
    }

    /// Whether the upper end of a body is not below the lower one of another on an axis.
    fn reaches(&self, a: u32, b: u32, axis: usize, now: &Moment) -> bool {
        let (upper, lower) = (self.slot(2 * a + 1, axis), self.slot(2 * b, axis));
        self.is_wrong(upper, lower, now)
    }

    /// Whether two bodies overlap on all axes at a moment.
    pub(super) fn overlap(&self, a: u32, b: u32, now: &Moment) -> bool {
        let reach = |axis| self.reaches(a, b, axis, now) && self.reaches(b, a, axis, now);
        (0..self.axes()).all(reach)
    }

    /// Whether the bodies of opposite ends overlap that have just swapped. That the ends meet now is known, and would be
    /// hard to see from their places.
    pub(super) fn overlap_after_swap(&self, left: u32, right: u32, now: &Moment) -> bool {
        if !is_upper(self.end_of(left)) {
            // The lower end is beyond the upper one now.
            return false;
        }
        let (a, b, here) = (self.body_of(left), self.body_of(right), self.axis_of(left));
        self.reaches(b, a, here, now)
            && (0..self.axes())
                .filter(|axis| *axis != here)
                .all(|axis| self.reaches(a, b, axis, now) && self.reaches(b, a, axis, now))
    }
}

impl Lists {
    /// Empty lists on so many axes.
    pub(super) fn new(kind: QueueKind, axes: usize) -> Lists {
        Lists {
            ends: Ends::new(axes),
            queue: Queue::new(kind),
            due: Vec::new(),
            stats: KineticStats::default(),
        }
    }

    /// Makes room for bodies with indices below `count`.
    pub(super) fn grow(&mut self, count: usize) {
        let slots = (2 * count) << self.ends.shift;
        if slots <= self.ends.slots.len() {
            return;
        }
        let free = End {
            track: Track {
                origin: 0.0,
                value: 0.0,
                velocity: 0.0,
                half_acceleration: 0.0,
            },
            bounds: Interval::exact(0.0),
            certified: NOWHERE,
            previous: NOWHERE,
            next: NOWHERE,
            is_due: false,
        };
        self.ends.slots.resize(slots, free);
        self.queue.grow(slots);
    }

    /// The next swap: the slot of the end that changes places with the one after it, and the moment.
    #[inline]
    pub(super) fn next_swap(&mut self, now: &Moment) -> Option<(u32, Moment)> {
        while let Some(slot) = self.due.last().copied() {
            if self.ends.at(slot).is_due {
                return Some((slot, *now));
            }
            self.due.pop();
        }
        let ends = &self.ends;
        let slot = self.queue.first(&mut |a, b| ends.is_earlier(a, b))?;
        Some((slot, self.ends.moment(slot)))
    }

    /// Swaps the end of a slot with the one after it, which is in order then; returns both, as they stood.
    #[inline]
    pub(super) fn swap(&mut self, slot: u32, now: &Moment) -> [u32; 2] {
        let axis = self.ends.axis_of(slot);
        let other = self.ends.next(slot).expect("a swap is of two neighbours");
        let (before, after) = (self.ends.previous(slot), self.ends.next(other));
        self.ends.link(axis, before, Some(other));
        self.ends.link(axis, Some(other), Some(slot));
        self.ends.link(axis, Some(slot), after);
        self.stats.swaps += 1;
        self.certify(other, now);
        if let Some(before) = before {
            self.renew(before, now);
        }
        self.renew(slot, now);
        [slot, other]
    }

    /// Forgets the certificate of a slot.
    #[inline]
    pub(super) fn cancel(&mut self, slot: u32) {
        self.ends.at_mut(slot).is_due = false;
        if self.queue.contains(slot) {
            let ends = &self.ends;
            self.queue.remove(slot, &mut |a, b| ends.is_earlier(a, b));
            self.stats.removals += 1;
        }
    }

    /// Makes the certificate of a slot anew.
    #[inline]
    pub(super) fn renew(&mut self, slot: u32, now: &Moment) {
        let is_wrong = match self.ends.next(slot) {
            Some(next) => self.ends.is_wrong(slot, next, now),
            None => false,
        };
        if is_wrong {
            self.cancel(slot);
            self.ends.at_mut(slot).is_due = true;
            self.due.push(slot);
        } else {
            self.certify(slot, now);
        }
    }

    /// The same, for neighbours that are known to be in order.
    #[inline]
    fn certify(&mut self, slot: u32, now: &Moment) {
        let Some(next) = self.ends.next(slot) else {
            return self.cancel(slot);
        };
        let (before, after) = (self.ends.track(slot), self.ends.track(next));
        let rule = self.ends.rule(slot, next);
        let Some(moment) = first_violation(before, after, rule, now) else {
            return self.cancel(slot);
        };
        let time = moment.instant.bounds;
        let end = self.ends.at_mut(slot);
        end.is_due = false;
        end.bounds = time;
        end.certified = next;
        let ends = &self.ends;
        let tie = &mut |a: u32, b: u32| ends.is_earlier(a, b);
        if self.queue.contains(slot) {
            self.queue.change(Timed { time, item: slot }, tie);
            self.stats.changes += 1;
        } else {
            self.queue.insert(Timed { time, item: slot }, tie);
            self.stats.insertions += 1;
        }
    }

    /// Puts the slots of an axis, in order, in place of what is there, and makes certificates where neighbours are new.
    pub(super) fn rearrange(&mut self, axis: usize, order: &[u32], now: &Moment) {
        let mut changed = Vec::new();
        let mut before = None;
        for slot in order {
            let is_new = match before {
                Some(before) => self.ends.next(before) != Some(*slot),
                None => known(self.ends.heads[axis]) != Some(*slot),
            };
            if is_new {
                self.ends.link(axis, before, Some(*slot));
                changed.extend(before);
            }
            before = Some(*slot);
        }
        if let Some(last) = before {
            self.ends.link(axis, Some(last), None);
            changed.push(last);
        }
        for slot in changed {
            self.renew(slot, now);
        }
    }

    /// Panics where a list is not sorted now, or a certificate is missing. Returns how many ends an axis has.
    pub(super) fn validate(&self, now: &Moment) -> usize {
        let mut counts = Vec::new();
        for axis in 0..self.ends.axes() {
            let mut before = None;
            let mut count = 0;
            for slot in self.ends.in_order(axis) {
                assert_eq!(self.ends.previous(slot), before);
                assert_eq!(self.ends.axis_of(slot), axis);
                self.validate_certificate(slot, now);
                before = Some(slot);
                count += 1;
            }
            counts.push(count);
        }
        assert!(counts.iter().all(|count| *count == counts[0]));
        counts[0]
    }

    fn validate_certificate(&self, slot: u32, now: &Moment) {
        let Some(next) = self.ends.next(slot) else {
            assert!(!self.queue.contains(slot));
            return;
        };
        let end = self.ends.at(slot);
        assert_eq!(end.is_due, self.ends.is_wrong(slot, next, now));
        if !end.is_due {
            let (x, y) = (self.ends.track(slot), self.ends.track(next));
            let failure = first_violation(x, y, self.ends.rule(slot, next), now);
            assert_eq!(self.queue.contains(slot), failure.is_some());
            assert!(failure.is_none() || end.certified == next);
        }
    }
}
