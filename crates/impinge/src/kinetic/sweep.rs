//! The pairs of boxes that overlap, and what happens to them.

use super::alarms::{Alarm, Alarms};
use super::lists::{Lists, is_upper, slot_of};
use super::moment::Moment;
use super::queue::QueueKind;
use super::track::KineticBox;
use crate::body::{BodyId, Pair};
use crate::error::Error;
use crate::math::Interval;
use std::cmp::Ordering;
use std::collections::{BTreeSet, VecDeque};

/// Something that happened, in the order in which it did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KineticEvent {
    /// Two boxes touch that were apart.
    Began {
        /// When, or a little earlier: never later than the true time, nor earlier than the time of the event before.
        time: f64,
        /// The two.
        pair: Pair,
    },
    /// Two boxes part: they touch at the time, and not right after it; or one of them leapt away, or was removed.
    Ended {
        /// When, or a little earlier.
        time: f64,
        /// The two.
        pair: Pair,
    },
    /// The motion of a body is known no longer. It is continued as it is until another one is given.
    Expired {
        /// When.
        time: f64,
        /// The body.
        body: BodyId,
    },
    /// The time has come that was asked for with [`KineticSweep::schedule_response`].
    Response {
        /// When.
        time: f64,
        /// The two.
        pair: Pair,
    },
}

/// How much was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KineticStats {
    /// Swaps of neighbours.
    pub swaps: u64,
    /// Events put into the queue.
    pub insertions: u64,
    /// Events taken out of it.
    pub removals: u64,
}

/// A body with its box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) id: BodyId,
    pub(super) motion: KineticBox,
    /// Whether its ends stand in the lists.
    pub(super) is_listed: bool,
}

/// Boxes that move, and the pairs of them that overlap, kept from event to event.
///
/// ```
/// use impinge::body::BodyIds;
/// use impinge::kinetic::{KineticBox, KineticEvent, KineticSweep};
/// use impinge::{Aabb, Pair, Vec3};
///
/// let mut ids = BodyIds::default();
/// let (wall, ball) = (ids.insert()?, ids.insert()?);
/// let cube = |x: f64| Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 1.0, 1.0, 1.0));
///
/// let mut sweep = KineticSweep::default();
/// sweep.insert(wall, KineticBox::still(cube(4.0)?)?)?;
/// sweep.insert(ball, KineticBox::moving(cube(0.0)?, 0.0, Vec3::X * 2.0)?)?;
/// let event = sweep.next_event(10.0)?.expect("the ball reaches the wall");
/// let pair = Pair::new(wall, ball).expect("two bodies");
/// assert!(matches!(event, KineticEvent::Began { time, pair: p } if p == pair && (time - 1.5).abs() < 1e-12));
///
/// // It bounces off, and they part at once.
/// sweep.set_motion(ball, KineticBox::moving(cube(3.0)?, 1.5, Vec3::X * -2.0)?)?;
/// assert!(matches!(sweep.next_event(10.0)?, Some(KineticEvent::Ended { .. })));
/// assert_eq!(sweep.next_event(10.0)?, None);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct KineticSweep {
    pub(super) lists: Lists,
    /// By index.
    pub(super) members: Vec<Option<Member>>,
    /// Pairs of indices, the smaller first.
    pub(super) pairs: BTreeSet<[u32; 2]>,
    pub(super) alarms: Alarms,
    pub(super) now: Moment,
    /// What happened and was not told yet.
    pub(super) told: VecDeque<KineticEvent>,
    /// Indices of bodies to be put into the lists.
    pub(super) arrivals: Vec<u32>,
    /// The time of the last event.
    pub(super) clock: f64,
}

impl Default for KineticSweep {
    fn default() -> KineticSweep {
        KineticSweep::with_queue(QueueKind::default())
    }
}

impl KineticSweep {
    /// No boxes, at time 0, with the queue of a kind.
    pub fn with_queue(kind: QueueKind) -> KineticSweep {
        KineticSweep {
            lists: Lists::new(kind),
            members: Vec::new(),
            pairs: BTreeSet::new(),
            alarms: Alarms::default(),
            now: Moment::at(0.0),
            told: VecDeque::new(),
            arrivals: Vec::new(),
            clock: 0.0,
        }
    }

    /// The present time, or a little earlier where it is that of an event.
    pub fn time(&self) -> f64 {
        self.clock
    }

    /// Whether the present is later than a time.
    pub(crate) fn is_past(&self, time: f64) -> bool {
        self.now.compare(&Moment::at(time)) == Ordering::Greater
    }

    /// The present time, or a few units in the last place later where it is that of an event.
    pub(crate) fn time_above(&self) -> f64 {
        let Interval {
            mut lower,
            mut upper,
        } = self.now.instant.bounds;
        while upper - lower > 16.0 * f64::EPSILON * (upper.abs() + lower.abs()) {
            let middle = 0.5 * (lower + upper);
            if middle <= lower || middle >= upper {
                break;
            }
            if self.is_past(middle) {
                lower = middle;
            } else {
                upper = middle;
            }
        }
        // Right after a float is not before it.
        if self.is_past(upper) {
            upper.next_up()
        } else {
            upper
        }
    }

    /// What has been done so far.
    pub fn stats(&self) -> KineticStats {
        self.lists.stats
    }

    /// Gives a body another motion from now on. It may begin elsewhere: then pairs begin and end now.
    ///
    /// Responses of its pairs are forgotten, as they hung on the old motion.
    ///
    /// # Errors
    ///
    /// For a body that is not there.
    pub fn set_motion(&mut self, body: BodyId, motion: KineticBox) -> Result<(), Error> {
        let index = self.index_of(body)?;
        self.alarms.cancel_body(index);
        self.alarms.set(Alarm::Expiry(index), motion.end());
        let member = self.members[index as usize].as_mut();
        let member = member.expect("index_of finds bodies that are there");
        member.motion = motion;
        if member.is_listed {
            self.change_course(index, &motion);
        }
        Ok(())
    }

    /// The next event not after `until`; when there is none, it is `until` then.
    ///
    /// # Errors
    ///
    /// For a time that is not finite or has passed.
    pub fn next_event(&mut self, until: f64) -> Result<Option<KineticEvent>, Error> {
        let end = self.require_ahead(until)?;
        self.settle();
        loop {
            if let Some(event) = self.told.pop_front() {
                return Ok(Some(event));
            }
            let swap = self.lists.next_swap(&self.now);
            let swap = swap.filter(|(_, moment)| moment.compare(&end) != Ordering::Greater);
            let alarm = self.alarms.first().filter(|(time, _)| *time <= until);
            match (swap, alarm) {
                (Some((slot, moment)), Some((time, alarm))) => {
                    if moment.compare(&Moment::at(time)) == Ordering::Greater {
                        self.ring(time, alarm);
                    } else {
                        self.process(slot, moment);
                    }
                }
                (Some((slot, moment)), None) => self.process(slot, moment),
                (None, Some((time, alarm))) => self.ring(time, alarm),
                (None, None) => {
                    self.now = end;
                    self.clock = until;
                    return Ok(None);
                }
            }
        }
    }

    /// Goes on to a time and adds everything that happens until then, in order, to a list.
    ///
    /// # Errors
    ///
    /// For a time that is not finite or has passed.
    pub fn advance_to(&mut self, time: f64, events: &mut Vec<KineticEvent>) -> Result<(), Error> {
        while let Some(event) = self.next_event(time)? {
            events.push(event);
        }
        Ok(())
    }

    /// The pairs that overlap at present, in order: after [`advance_to`](Self::advance_to), those whose closed boxes share a
    /// point at that time, exactly.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        self.pairs.iter().map(|key| self.pair(*key))
    }

    /// Asks to be told of a pair at a time: when a test of what is in the boxes found that they meet then. A second call
    /// replaces the first. A time that has passed counts as now.
    ///
    /// # Errors
    ///
    /// For a body that is not there, and for a time that is NaN.
    pub fn schedule_response(&mut self, pair: Pair, time: f64) -> Result<(), Error> {
        self.index_of(pair.a())?;
        self.index_of(pair.b())?;
        if time.is_nan() {
            return Err(Error::NonFinite {
                what: "time of a response".to_owned(),
            });
        }
        self.alarms.set(Alarm::Response(pair), time);
        Ok(())
    }

    /// Forgets what was asked for; whether it had been.
    pub fn cancel_response(&mut self, pair: Pair) -> bool {
        self.alarms.cancel(Alarm::Response(pair))
    }

    /// Panics where an invariant is broken: lists that are not sorted, certificates that are missing.
    pub fn validate(&self) {
        self.lists.validate(&self.now);
        for order in &self.lists.ends.order {
            let listed = self.members.iter().flatten().filter(|m| m.is_listed);
            assert_eq!(order.len(), 2 * listed.count());
        }
    }

    pub(super) fn index_of(&self, body: BodyId) -> Result<u32, Error> {
        let member = self.members.get(body.index() as usize).copied().flatten();
        match member {
            Some(member) if member.id == body => Ok(body.index()),
            _ => Err(Error::UnknownBody { body }),
        }
    }

    fn require_ahead(&self, until: f64) -> Result<Moment, Error> {
        let end = Moment::at(until);
        if until.is_finite() && self.now.compare(&end) != Ordering::Greater {
            return Ok(end);
        }
        Err(Error::OutOfRange {
            what: "time to advance to".to_owned(),
            value: until,
            expected: "finite and not before the present time",
        })
    }

    pub(super) fn pair(&self, [a, b]: [u32; 2]) -> Pair {
        let [a, b] = [a, b].map(|index| {
            let member = self.members[index as usize];
            member.expect("a pair is of bodies that are there").id
        });
        Pair::new(a, b).expect("two indices, two bodies")
    }

    fn ring(&mut self, time: f64, alarm: Alarm) {
        self.alarms.cancel(alarm);
        // What is late rings now.
        if Moment::at(time).compare(&self.now) == Ordering::Greater {
            self.now = Moment::at(time);
            self.clock = self.clock.max(time);
        }
        let time = self.clock;
        self.told.push_back(match alarm {
            Alarm::Expiry(index) => {
                let member = self.members[index as usize];
                let body = member.expect("alarms of removed bodies are cancelled").id;
                KineticEvent::Expired { time, body }
            }
            Alarm::Response(pair) => KineticEvent::Response { time, pair },
        });
    }

    /// Swaps an end with the one after it.
    fn process(&mut self, slot: u32, moment: Moment) {
        self.now = moment;
        self.clock = self.clock.max(moment.instant.bounds.lower);
        let ([left, right], slots) = self.lists.swap(slot);
        if is_upper(left) != is_upper(right) && left / 2 != right / 2 {
            self.compare_pair(left / 2, right / 2);
        }
        let [before, swapped, last] = slots;
        // Those that swapped are in order now.
        if let Some(slot) = swapped {
            self.lists.schedule_ordered(slot, &moment);
        }
        for slot in [before, last].into_iter().flatten() {
            self.lists.schedule(slot, &moment);
        }
    }

    /// Brings a pair up to date, and tells when it began or ended.
    pub(super) fn compare_pair(&mut self, a: u32, b: u32) {
        let key = [a.min(b), a.max(b)];
        let time = self.clock;
        if self.lists.ends.overlap(a, b) {
            if self.pairs.insert(key) {
                let pair = self.pair(key);
                self.told.push_back(KineticEvent::Began { time, pair });
            }
        } else if self.pairs.remove(&key) {
            let pair = self.pair(key);
            self.told.push_back(KineticEvent::Ended { time, pair });
        }
    }

    /// Puts the ends of a body where its new motion has them now.
    fn change_course(&mut self, index: u32, motion: &KineticBox) {
        let mut met = BTreeSet::new();
        for axis in 0..3 {
            let mut open = BTreeSet::new();
            let tracks = motion.tracks(axis);
            for (end, track) in [2 * index, 2 * index + 1].into_iter().zip(tracks) {
                self.open_around(end, axis, &mut open);
                self.lists.ends.tracks[slot_of(end, axis) as usize] = track;
            }
            for end in [2 * index, 2 * index + 1, 2 * index] {
                self.move_into_place(end, axis, &mut open, &mut met);
            }
            let now = self.now;
            for slot in open {
                self.lists.schedule(slot, &now);
            }
        }
        for other in met {
            self.compare_pair(index, other);
        }
    }

    /// Forgets the certificates that an end takes part in, and notes their slots.
    fn open_around(&mut self, end: u32, axis: usize, open: &mut BTreeSet<u32>) {
        let place = self.lists.ends.place_of(end, axis) as usize;
        let order = &self.lists.ends.order[axis];
        let before = place.checked_sub(1).map(|place| order[place]);
        for end in [before, Some(end)].into_iter().flatten() {
            let slot = slot_of(end, axis);
            self.lists.unschedule(slot);
            open.insert(slot);
        }
    }

    /// Swaps an end with its neighbours until it is in order, and notes the bodies whose opposite ends it passed.
    fn move_into_place(
        &mut self,
        end: u32,
        axis: usize,
        open: &mut BTreeSet<u32>,
        met: &mut BTreeSet<u32>,
    ) {
        loop {
            let place = self.lists.ends.place_of(end, axis) as usize;
            let order = &self.lists.ends.order[axis];
            let left = place.checked_sub(1).map(|place| order[place]);
            let right = order.get(place + 1).copied();
            let is_wrong = |a: u32, b: u32| self.lists.ends.is_wrong(a, b, axis, &self.now);
            let (first, other) = match (left, right) {
                (Some(left), _) if is_wrong(left, end) => (left, left),
                (_, Some(right)) if is_wrong(end, right) => (end, right),
                _ => break,
            };
            let (_, slots) = self.lists.swap(slot_of(first, axis));
            open.extend(slots.into_iter().flatten());
            if is_upper(end) != is_upper(other) && other / 2 != end / 2 {
                met.insert(other / 2);
            }
        }
    }
}
