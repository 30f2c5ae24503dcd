//! From the list of watched pairs to the calendar, and back.
//!
//! The list is gone through in every frame, whatever happens; the [calendar](super::calendar) suits crowds all of which move and go on as they do. Whether a crowd
//! is one is tried before: when all bodies have moved in a row for some frames and few of them left their wide boxes, their vows are made, and
//! compared with where they go for some frames more. If few break them, and few pairs would be due in a frame, the pairs are
//! taken over. They go back to the list as soon as something happens that the calendar is not made for: when some bodies
//! move and others do not, when many leave at once, when boxes are said to be round, or when more pairs are due than was expected. After each
//! attempt that did not last the next one waits longer.

use super::Watch;
use super::motion::Origin;
use super::segment::{places, word_of};
use crate::lanes::in_lanes;
use fearless_simd::Simd;

/// With fewer bodies, all that pairs are compared by is in a near cache.
const MANY: usize = 1 << 16;

/// So many frames have to suit in a row before vows are made.
const FRAMES: u32 = 3;

/// Vows are made in the first frame of a trial, and tried in those up to this one.
const TRIAL: u32 = 2;

/// After each attempt that did not last the next one waits longer by a factor of two to this power, up to so many times.
const BACK_OFF: u32 = 2;
const MOST_ENDS: u32 = 5;

/// A calendar of so many days has paid for the search for all pairs at its end, several times over.
const LASTING: u32 = 128;

/// In a frame that suits, fewer than one in so many bodies leave their wide boxes; and while there is a calendar, one in so many: on its first day those
/// of several leave.
const FEW: usize = 6;
const SOME: usize = 2;

/// On the last day of a trial at most one in so many breaks its vow.
const FEW_BROKEN: usize = 64;

/// One pair of so many is asked when it would be due.
const SAMPLE: usize = 16;

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
    /// The day of the trial, from 1 on, or none.
    trial: u32,
    /// How many bodies broke their vows since the last look.
    pub(super) broken: usize,
    /// How often all bodies moved in a row since the last look, and whether some moved otherwise.
    rows: u32,
    has_singles: bool,
    /// Pairs looked at in a frame, in the mean, and how many may be; and in all, at the last look.
    looks: f64,
    most_looks: f64,
    looks_before: u64,
}

/// What is done about vows while bodies in a row are taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    Nothing,
    /// They are made from the last step.
    Make,
    /// They are compared with where bodies are, and nothing comes of it.
    Try,
    /// Who breaks them leaves, and whose wide box ends.
    Keep,
}

impl Watch {
    /// Has the calendar ready for bodies that are about to move: all of them in a row, or some.
    pub(super) fn expect_moves(&mut self, are_all: bool) {
        if are_all {
            self.diary.rows += 1;
        } else {
            self.diary.has_singles = true;
        }
        if self.diary.rows > 1 || self.diary.has_singles {
            self.end_trial();
            self.close_calendar();
        }
    }

    /// What is to be done about the vows of bodies in a row.
    pub(super) fn task(&self) -> Task {
        match self.diary.trial {
            _ if self.calendar.is_open() => Task::Keep,
            0 => Task::Nothing,
            1 => Task::Make,
            _ => Task::Try,
        }
    }

    /// Takes all pairs back into the list.
    pub(super) fn close_calendar(&mut self) {
        if !self.calendar.is_open() {
            return;
        }
        self.note_end();
        for key in self.calendar.close() {
            self.list.adopt(key);
        }
        // The pairs that were not listed are not known: everyone is searched for.
        let all = self.boxes.iter().map(|(body, _)| body.index());
        let all: Vec<u32> = all.collect();
        for index in &all {
            self.origins[*index as usize] = Origin::new(self.boxes.at(*index), self.outlook);
        }
        self.left.add_all(all.into_iter());
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

    /// Forgets the vows that are tried.
    fn end_trial(&mut self) {
        if std::mem::take(&mut self.diary.trial) > 0 {
            self.note_end();
            self.calendar.close();
        }
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
    #[inline(always)]
    pub(super) fn look_by_calendar<S: Simd>(&mut self, simd: S) {
        self.calendar.begin_look();
        if self.left.is_empty() && self.moves == 0 {
            return;
        }
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
        let (rows, has_singles) = (self.diary.rows, self.diary.has_singles);
        let broken = std::mem::take(&mut self.diary.broken);
        (self.diary.rows, self.diary.has_singles) = (0, false);
        if self.calendar.is_open() || (rows == 0 && !has_singles) {
            return;
        }
        let bodies = self.boxes.len();
        let many = self.diary.many.unwrap_or(MANY);
        let suits = suited
            && rows == 1
            && !has_singles
            && bodies >= many
            && bodies == self.boxes.index_end()
            && self.is_planted;
        if !suits {
            self.end_trial();
            self.diary.streak = 0;
            return;
        }
        self.diary.streak += 1;
        if self.diary.trial > 0 {
            self.diary.trial += 1;
            self.calendar.pass_day();
            if self.diary.trial > TRIAL {
                let are_few = broken * FEW_BROKEN <= bodies;
                if are_few && in_lanes!(simd => self.open_calendar(simd)) {
                    self.diary.trial = 0;
                } else {
                    self.end_trial();
                }
            }
        } else if self.diary.streak >= FRAMES << (BACK_OFF * self.diary.ends) {
            self.calendar.resize(self.boxes.index_end());
            self.diary.trial = 1;
        }
    }

    /// Puts all watched pairs into the calendar, if few would be due in a frame, and tells whether it did.
    #[inline(always)]
    fn open_calendar<S: Simd>(&mut self, simd: S) -> bool {
        let seats = self.boxes.seats();
        let by_index = |word: u64| {
            let [a, b] = places(word).map(|seat| seats.index_at(seat as u32));
            word_of(a, b)
        };
        let sample = self.list.words().step_by(SAMPLE).map(by_index);
        let looks = self.calendar.expect_looks(simd, sample) * SAMPLE as f64;
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
