//! The pairs of boxes that overlap, and what happens to them.

use super::alarms::{Alarm, Alarms};
use super::bound::KineticBound;
use super::lists::{Lists, is_upper};
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
    /// Events in it that were given another time.
    pub changes: u64,
}

/// A body with its box.
#[derive(Debug, Clone)]
pub(super) struct Member<B> {
    pub(super) id: BodyId,
    pub(super) motion: B,
    /// Whether its ends stand in the lists.
    pub(super) is_listed: bool,
}

/// Boxes that move, and the pairs of them that overlap, kept from event to event.
///
/// What moves is a [`KineticBox`] unless something else is asked for, such as a [`KineticDop`](super::KineticDop), which is
/// bounded along more directions.
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
pub struct KineticSweep<B = KineticBox> {
    pub(super) lists: Lists,
    /// By index.
    pub(super) members: Vec<Option<Member<B>>>,
    /// Pairs of indices, both ways round.
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
        KineticSweep::of_bounds(kind)
    }
}

impl<B: KineticBound> KineticSweep<B> {
    /// The same for bounds of any kind.
    ///
    /// ```
    /// use impinge::Vec3;
    /// use impinge::body::BodyIds;
    /// use impinge::kinetic::{Dop14, KineticDop, KineticEvent, KineticSweep, QueueKind};
    ///
    /// let mut ids = BodyIds::default();
    /// let mut sweep = KineticSweep::<KineticDop<Dop14>>::of_bounds(QueueKind::default());
    /// let corner = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// let still = KineticDop::moving(corner, 0.0, Vec3::ZERO)?;
    /// let coming = KineticDop::moving(corner.map(|p| p + Vec3::splat(4.0)), 0.0, Vec3::splat(-1.0))?;
    /// sweep.insert(ids.insert()?, still)?;
    /// sweep.insert(ids.insert()?, coming)?;
    /// // The boxes would touch at 3; along the diagonal there is a gap until 11 / 3.
    /// let event = sweep.next_event(10.0)?.expect("they meet");
    /// assert!(matches!(event, KineticEvent::Began { time, .. } if time <= 11.0 / 3.0 && time > 3.6));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn of_bounds(kind: QueueKind) -> KineticSweep<B> {
        KineticSweep {
            lists: Lists::new(kind, B::AXES),
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
    pub fn set_motion(&mut self, body: BodyId, motion: B) -> Result<(), Error> {
        let index = self.index_of(body)?;
        require_finite(&motion)?;
        self.alarms.cancel_body(index);
        self.alarms.set(Alarm::Expiry(index), motion.valid_until());
        let member = self.members[index as usize].as_mut();
        let member = member.expect("index_of finds bodies that are there");
        member.motion = motion;
        if member.is_listed {
            self.change_course(index);
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
        let once = self.pairs.iter().filter(|[a, b]| a < b);
        once.map(|key| self.pair(*key))
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
        let listed = self.members.iter().flatten().filter(|m| m.is_listed);
        assert_eq!(self.lists.validate(&self.now), 2 * listed.count());
    }

    pub(super) fn index_of(&self, body: BodyId) -> Result<u32, Error> {
        match self.members.get(body.index() as usize) {
            Some(Some(member)) if member.id == body => Ok(body.index()),
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
            let member = self.members[index as usize].as_ref();
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
                let member = self.members[index as usize].as_ref();
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
        let [left, right] = self.lists.swap(slot, &moment);
        if self.are_opposite(left, right) {
            let ends = &self.lists.ends;
            let is_now = ends.overlap_after_swap(left, right, &moment);
            self.note_pair(ends.body_of(left), ends.body_of(right), is_now);
        }
    }

    /// Whether two slots are of a lower and an upper end of different bodies.
    fn are_opposite(&self, a: u32, b: u32) -> bool {
        let ends = &self.lists.ends;
        is_upper(ends.end_of(a)) != is_upper(ends.end_of(b)) && ends.body_of(a) != ends.body_of(b)
    }

    /// Brings a pair up to date, and tells when it began or ended.
    fn compare_pair(&mut self, a: u32, b: u32) {
        let is_now = self.lists.ends.overlap(a, b, &self.now);
        self.note_pair(a, b, is_now);
    }

    /// Tells when a pair, that overlaps now or does not, began or ended.
    fn note_pair(&mut self, a: u32, b: u32, is_now: bool) {
        if self.pairs.contains(&[a, b]) == is_now {
            return;
        }
        let (time, pair) = (self.clock, self.pair([a, b]));
        if is_now {
            self.pairs.extend([[a, b], [b, a]]);
            self.told.push_back(KineticEvent::Began { time, pair });
        } else {
            self.forget_pair(a, b);
            self.told.push_back(KineticEvent::Ended { time, pair });
        }
    }

    pub(super) fn forget_pair(&mut self, a: u32, b: u32) {
        self.pairs.remove(&[a, b]);
        self.pairs.remove(&[b, a]);
    }

    /// Puts the ends of a body where its new motion has them now.
    fn change_course(&mut self, index: u32) {
        let mut met = BTreeSet::new();
        for axis in 0..B::AXES {
            let member = self.members[index as usize].as_ref();
            let tracks = member
                .expect("a body changes its course while it is there")
                .motion
                .tracks(axis);
            let mut open = BTreeSet::new();
            let slots = [2 * index, 2 * index + 1].map(|end| self.lists.ends.slot(end, axis));
            for slot in slots {
                self.open_around(slot, &mut open);
            }
            for (slot, track) in slots.into_iter().zip(tracks) {
                self.lists.ends.set_track(slot, track);
            }
            for slot in [slots[0], slots[1], slots[0]] {
                self.move_into_place(slot, &mut open, &mut met);
            }
            let now = self.now;
            for slot in open {
                self.lists.renew(slot, &now);
            }
        }
        for other in met {
            self.compare_pair(index, other);
        }
    }

    /// Forgets the certificates that an end takes part in, and notes their slots.
    fn open_around(&mut self, slot: u32, open: &mut BTreeSet<u32>) {
        let before = self.lists.ends.previous(slot);
        for slot in [before, Some(slot)].into_iter().flatten() {
            self.lists.cancel(slot);
            open.insert(slot);
        }
    }

    /// Moves an end past its neighbours until it is in order, and notes the bodies whose opposite ends it passed.
    fn move_into_place(&mut self, slot: u32, open: &mut BTreeSet<u32>, met: &mut BTreeSet<u32>) {
        let ends = &self.lists.ends;
        let start = ends.previous(slot);
        let (mut place, mut passed) = (start, Vec::new());
        while let Some(left) = place.filter(|left| ends.is_wrong(*left, slot, &self.now)) {
            passed.push(left);
            place = ends.previous(left);
        }
        if passed.is_empty() {
            let is_passed = |right: &u32| ends.is_wrong(slot, *right, &self.now);
            while let Some(right) = ends.next(place_or(slot, &passed)).filter(is_passed) {
                passed.push(right);
                place = Some(right);
            }
        }
        if passed.is_empty() {
            return;
        }
        self.lists.stats.swaps += passed.len() as u64;
        for other in passed
            .iter()
            .copied()
            .filter(|other| self.are_opposite(slot, *other))
        {
            met.insert(self.lists.ends.body_of(other));
        }
        // Certificates of the ends that get another neighbour.
        for slot in [start, place].into_iter().flatten() {
            self.lists.cancel(slot);
            open.insert(slot);
        }
        self.lists.ends.unlink(slot);
        self.lists.ends.link_after(place, slot);
    }
}

/// The last of those that were passed, or the one that passes.
fn place_or(slot: u32, passed: &[u32]) -> u32 {
    passed.last().copied().unwrap_or(slot)
}

/// Checks the numbers of a motion.
pub(super) fn require_finite<B: KineticBound>(motion: &B) -> Result<(), Error> {
    let tracks = (0..B::AXES).flat_map(|axis| motion.tracks(axis));
    let is_sound = tracks.into_iter().all(|track| track.is_finite());
    if is_sound && !motion.valid_until().is_nan() {
        return Ok(());
    }
    Err(Error::NonFinite {
        what: "motion of a body".to_owned(),
    })
}
