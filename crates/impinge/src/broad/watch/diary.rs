//! From the list of watched pairs to the calendar, and back.
//!
//! The list is gone through in every frame, whatever happens; the [calendar](super::calendar) suits crowds all of which move and go on as they do. Whether a crowd
//! is one is tried before, with a sample: while all bodies move in a row for some frames, and few of them leave their wide boxes, the vows of some are made and
//! compared with where they go. If few break them, everyone's vow is made, and if few pairs would be due in a frame, the pairs are taken over.
//! They go back to the list as soon as something happens that the calendar is not made for: when many bodies move by themselves, or some do and the others
//! do not, when many leave at once, when boxes are said to be round, or when more pairs are due than was expected. All pairs have to be searched for
//! then, so after each attempt that did not last the next one waits longer.

use super::super::Box32;
use super::Watch;
use super::calendar::Vow;
use super::motion::Origin;
use super::segment::{overlapping_word, places, word_of};
use crate::lanes::in_lanes;
use fearless_simd::Simd;

/// With fewer bodies, all that pairs are compared by is in a near cache.
const MANY: usize = 1 << 16;

/// So many frames have to suit in a row before everyone's vow is made; the vows of a sample take three.
const FRAMES: u32 = 3;

/// How many bodies are in the sample, about.
const SAMPLE: usize = 1 << 10;

/// After each attempt that did not last the next one waits longer by a factor of two to this power, up to so many times.
const BACK_OFF: u32 = 2;
const MOST_ENDS: u32 = 5;

/// A calendar of so many days has paid for the search for all pairs at its end, several times over.
const LASTING: u32 = 128;

/// In a frame that suits, fewer than one in so many bodies leave their wide boxes; and while there is a calendar, one in so many: on its first day those
/// of several leave.
const FEW: usize = 6;
const SOME: usize = 2;

/// Of the sample at most one in so many breaks its vow in a frame.
const FEW_BROKEN: usize = 64;

/// One in so many bodies may move by itself in a frame in which all move.
const SINGLES: usize = 32;

/// One pair of so many is asked when it would be due.
const PAIRS: usize = 16;

/// A pair that is due costs as much as so many of the list, about.
const LOOK: f64 = 8.0;

/// By how much more than was allowed looks may become.
const MORE: f64 = 1.5;

/// What counts of the mean of the frames before.
const MEAN: f64 = 0.875;

/// What is known of the frames before, as far as it tells whether a calendar pays.
#[derive(Debug, Clone, Default)]
pub(super) struct Diary {
    /// How many bodies it takes, if it was told.
    pub(super) many: Option<usize>,
    /// Frames in a row that suited, and attempts in a row that did not last.
    streak: u32,
    ends: u32,
    sample: Vec<Sampled>,
    /// Whether everyone's vow is made in the next frame, or was in this one.
    is_waiting: bool,
    /// How often all bodies moved in a row since the last look, and how many moved otherwise.
    rows: u32,
    singles: usize,
    /// Pairs looked at in a frame, in the mean, and how many may be; and in all, at the last look.
    looks: f64,
    most_looks: f64,
    looks_before: u64,
}

/// A body of the sample.
#[derive(Debug, Clone, Copy)]
struct Sampled {
    index: u32,
    /// Its box in the first frame.
    bounds: Box32,
    /// Its vow, from the second one on.
    vow: Vow,
}

/// What is done about vows while bodies in a row are taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    Nothing,
    /// They are made from the last step.
    Make,
    /// Who breaks them leaves, and whose wide box ends.
    Keep,
}

impl Watch {
    /// Has the calendar ready for so many bodies that are about to move: all of them in a row, or some otherwise.
    #[inline]
    pub(super) fn expect_moves(&mut self, count: usize, are_all: bool) {
        if are_all {
            self.diary.rows += 1;
        } else {
            self.diary.singles += count;
        }
        if self.diary.rows > 1 || self.diary.singles * SINGLES > self.boxes.len() {
            self.close_calendar();
        }
    }

    /// What is to be done about the vows of bodies in a row.
    pub(super) fn task(&self) -> Task {
        if self.calendar.is_open() {
            Task::Keep
        } else if self.diary.is_waiting {
            Task::Make
        } else {
            Task::Nothing
        }
    }

    /// Takes all pairs back into the list, if there is a calendar.
    #[inline(always)]
    pub(super) fn close_calendar(&mut self) {
        if self.calendar.is_open() {
            self.go_back_to_list();
        }
    }

    /// Takes all pairs back into the list.
    #[inline(never)]
    fn go_back_to_list(&mut self) {
        self.note_end();
        // The pairs that were not listed are not known: everyone is searched for.
        let all = self.boxes.iter().map(|(body, _)| body.index());
        let all: Vec<u32> = all.collect();
        in_lanes!(simd => self.narrow(simd, &all));
        self.left.add_all(all.into_iter());
        for key in self.calendar.close() {
            self.list.adopt(overlapping_word(key));
        }
    }

    /// Gives bodies wide boxes that suit the list, where pairs cost something in every frame: as if each had got its own some frames ago.
    #[inline(always)]
    fn narrow<S: Simd>(&mut self, simd: S, all: &[u32]) {
        let (day, vows) = (self.calendar.tomorrow(), self.calendar.vows_mut());
        for index in all {
            let (place, bounds) = (*index as usize, self.boxes.at(*index));
            let days = self.outlook.days_left(*index);
            self.wide[place] = vows[place].wide_box(simd, bounds, day, days);
            self.origins[place] = Origin::new(bounds, self.outlook);
        }
    }

    /// Notes that an attempt came to its end.
    fn note_end(&mut self) {
        self.diary.streak = 0;
        self.diary.ends = if self.calendar.tomorrow() > LASTING {
            0
        } else {
            (self.diary.ends + 1).min(MOST_ENDS)
        };
    }

    /// At the beginning of a look: whether it suits a calendar that may be opened after it.
    pub(super) fn may_open_calendar(&self) -> bool {
        self.suits_calendar(FEW)
    }

    /// At the beginning of a look: whether the pairs are in the calendar.
    pub(super) fn keeps_calendar(&mut self) -> bool {
        let is_still = self.moves == 0 && self.left.is_empty();
        let suits = is_still || (self.diary.rows == 1 && self.suits_calendar(SOME));
        if !suits || self.diary.looks > self.diary.most_looks {
            self.close_calendar();
        }
        self.calendar.is_open()
    }

    /// Whether bodies are such that a calendar pays, and at most one in so many has left.
    fn suits_calendar(&self, few: usize) -> bool {
        let bodies = self.boxes.len();
        self.left.len() * few <= bodies && self.roomy.is_empty() && !self.boxes.has_round()
    }

    /// The look at pairs by the calendar.
    // Not inlined: small crowds, which have none, should not pay for its code.
    #[inline(never)]
    pub(super) fn look_by_calendar(&mut self) {
        self.calendar.begin_look();
        if !self.left.is_empty() || self.moves > 0 {
            in_lanes!(simd => self.look_on_day(simd));
        }
    }

    /// The look of a day on which bodies moved.
    #[inline(always)]
    fn look_on_day<S: Simd>(&mut self, simd: S) {
        self.found.clear();
        if self.is_renewed {
            let boxes = &self.boxes;
            self.calendar
                .forget_unsettled(|index| boxes.is_settled(index));
        }
        if !self.left.is_empty() {
            self.search_tree(simd);
        }
        let boxes = self.boxes.slice();
        self.calendar.look(simd, boxes, &self.found);
        let looks = self.calendar.looks();
        let new = (looks - self.diary.looks_before) as f64;
        self.diary.looks_before = looks;
        self.diary.looks = self.diary.looks * MEAN + new * (1.0 - MEAN);
    }

    /// At the end of a look that suited or not: goes over to the calendar, or gets ready to.
    pub(super) fn end_diary(&mut self, suited: bool) {
        let (rows, singles) = (self.diary.rows, self.diary.singles);
        (self.diary.rows, self.diary.singles) = (0, 0);
        let are_many = self.boxes.len() >= self.diary.many.unwrap_or(MANY);
        let is_concerned = are_many || self.diary.is_waiting;
        if is_concerned && !self.calendar.is_open() && rows as usize + singles > 0 {
            let suits = suited && are_many && rows == 1 && singles == 0;
            self.go_on(suits);
        }
    }

    /// After a frame in which bodies moved, and all of them in a row or not: goes on with the sample, or opens a calendar.
    #[inline(never)]
    fn go_on(&mut self, suits: bool) {
        let suits = suits && self.boxes.len() == self.boxes.index_end() && self.is_planted;
        self.diary.streak = if suits { self.diary.streak + 1 } else { 0 };
        if std::mem::take(&mut self.diary.is_waiting) {
            if !(suits && in_lanes!(simd => self.open_calendar(simd))) {
                self.note_end();
                self.calendar.close();
            }
            return;
        }
        let frames = FRAMES << (BACK_OFF * self.diary.ends);
        if suits && self.diary.streak + 2 >= frames {
            let left = frames.saturating_sub(self.diary.streak);
            in_lanes!(simd => self.try_sample(simd, left));
        }
    }

    /// Tries whether bodies go on as they do, with so many frames left to tell.
    #[inline(always)]
    fn try_sample<S: Simd>(&mut self, simd: S, left: u32) {
        let (boxes, sample) = (&self.boxes, &mut self.diary.sample);
        match left {
            2 => {
                let step = (boxes.len() / SAMPLE).max(1);
                let bodies = boxes.iter().step_by(step);
                sample.clear();
                sample.extend(bodies.map(|(body, bounds)| Sampled {
                    index: body.index(),
                    bounds: *bounds,
                    vow: Vow::default(),
                }));
            }
            1 => {
                for some in sample {
                    let boxes = [&some.bounds, boxes.at(some.index)];
                    some.vow = Vow::new(simd, boxes, 1);
                }
            }
            _ => {
                let kept = sample.iter();
                let kept = kept.filter(|some| some.vow.is_kept(simd, boxes.at(some.index), 2));
                let broken = sample.len() - kept.count();
                if broken * FEW_BROKEN <= sample.len() {
                    self.calendar.resize(boxes.index_end());
                    self.diary.is_waiting = true;
                } else {
                    self.note_end();
                }
            }
        }
    }

    /// Puts all watched pairs into the calendar, if few would be due in a frame, and tells whether it did.
    #[inline(always)]
    fn open_calendar<S: Simd>(&mut self, simd: S) -> bool {
        self.calendar.pass_day();
        let seats = self.boxes.seats();
        let by_index = |word: u64| {
            let [a, b] = places(word).map(|seat| seats.index_at(seat as u32));
            word_of(a, b)
        };
        let some = self.list.words().step_by(PAIRS).map(by_index);
        let looks = self.calendar.expect_looks(simd, some) * PAIRS as f64;
        let most = (self.list.words().count() + self.boxes.len()) as f64 / LOOK;
        if looks > most {
            return false;
        }
        self.diary.looks = looks;
        self.diary.most_looks = most * MORE;
        self.diary.looks_before = self.calendar.looks();
        self.sit_by_index();
        let boxes = [self.boxes.slice(), &self.wide];
        self.calendar.open(simd, self.list.words(), boxes);
        self.list.retire();
        true
    }
}
