//! The pairs of some bodies by the days on which they are due.
//!
//! A page has the pairs whose smaller index is in one range. Pages know nothing of each other: several threads may look at one each, and what comes out is
//! the same. As pages are in order, so is what they say one after the other.

use super::super::super::changes::key_of;
use super::super::super::{Box32, KeyMap};
use super::super::bits::Bits;
use super::vow::{Sight, Vow, foresee};
use super::{DAYS, mark_of};
use crate::ahead;
use fearless_simd::Simd;

/// How many pairs ahead vows are asked for.
const AHEAD: usize = 16;

/// A pair that is apart, and when it was listed.
#[derive(Debug, Clone, Copy)]
struct Listed {
    a: u32,
    b: u32,
    day: u32,
}

/// A pair and a day: that on which it is due.
#[derive(Debug, Clone, Copy)]
pub(super) struct Due {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) day: u32,
}

/// What becomes of a pair.
#[derive(Debug, Clone, Copy, Default)]
struct Fate {
    /// The day on which it is due again.
    due: u32,
    is_met: bool,
    /// Whether it is out of date, or need not be listed.
    is_gone: bool,
    /// Whether it is searched anew today, as one of the bodies left.
    is_searched: bool,
}

/// What pairs are looked at by, by index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bodies<'w> {
    pub(super) vows: &'w [Vow],
    pub(super) boxes: &'w [Box32],
    /// Marks of those that broke their vows, if there are any.
    pub(super) broken: Option<&'w Bits>,
    pub(super) today: u32,
}

impl Bodies<'_> {
    /// Asks for what a look at a pair reads.
    #[inline(always)]
    fn fetch(&self, a: u32, b: u32) {
        ahead::fetch_line(self.vows, a as usize);
        ahead::fetch_line(self.vows, b as usize);
    }

    /// What becomes of a pair that was listed on a day.
    #[inline(always)]
    fn fate_of<S: Simd>(&self, simd: S, Listed { a, b, day }: Listed) -> Fate {
        let [a, b] = [a as usize, b as usize];
        let (one, other) = (&self.vows[a], &self.vows[b]);
        let (sight, rest) = foresee(simd, [one, other], self.today);
        let is_met = match sight {
            Sight::Apart => false,
            Sight::Met => true,
            Sight::Unclear => self.boxes[a].overlaps_in(simd, &self.boxes[b]),
        };
        let due = self.today.saturating_add(rest).saturating_add(1);
        let is_old = one.since.max(other.since) > day;
        let is_idle = due >= one.until.min(other.until);
        Fate {
            due,
            is_met,
            is_gone: is_old | (is_idle & !is_met),
            is_searched: one.since.max(other.since) >= self.today,
        }
    }
}

/// The pairs of a range of smaller indices.
#[derive(Debug, Clone, Default)]
pub(super) struct Page {
    /// Pairs that are apart, by day, counted round.
    days: Vec<Vec<Listed>>,
    /// Pairs that overlap, and when they may not any more.
    met: Vec<Due>,
    /// The same by keys.
    keys: KeyMap,
    began: Vec<u64>,
    ended: Vec<u64>,
    /// Pairs that are looked at, where they were, and what becomes of them.
    due: Vec<Listed>,
    places: Vec<u32>,
    fates: Vec<Fate>,
    /// Pairs looked at since the page was made.
    pub(super) looks: u64,
}

impl Page {
    /// The keys of the pairs that overlap, in an order of no meaning.
    pub(super) fn overlapping(&self) -> impl Iterator<Item = u64> {
        self.met.iter().map(|met| key_of(met.a, met.b))
    }

    /// The keys of the pairs that began to overlap at the last look, sorted.
    pub(super) fn began(&self) -> &[u64] {
        &self.began
    }

    /// The keys of the pairs that ended, sorted.
    pub(super) fn ended(&self) -> &[u64] {
        &self.ended
    }

    /// Forgets what the last look found.
    pub(super) fn begin_look(&mut self) {
        self.began.clear();
        self.ended.clear();
    }

    /// Takes over a pair of which it is known whether it overlaps.
    #[inline(always)]
    pub(super) fn take_in<S: Simd>(&mut self, simd: S, [a, b]: [u32; 2], bodies: &Bodies<'_>) {
        let day = bodies.today;
        let fate = bodies.fate_of(simd, Listed { a, b, day });
        if fate.is_met {
            self.meet(Due {
                a,
                b,
                day: fate.due,
            });
        } else if !fate.is_gone {
            self.list(
                day,
                Due {
                    a,
                    b,
                    day: fate.due,
                },
            );
        }
    }

    /// Lists a pair today that is due on another day.
    #[inline(always)]
    fn list(&mut self, today: u32, Due { a, b, day }: Due) {
        if self.days.is_empty() {
            self.days.resize_with(DAYS, Vec::new);
        }
        let due = day.min(today + DAYS as u32 - 1);
        self.days[due as usize % DAYS].push(Listed { a, b, day: today });
    }

    /// Keeps a pair that overlaps, and may not any more on some day. Tells whether it did not before.
    #[inline(always)]
    fn meet(&mut self, met: Due) -> bool {
        let [before, _] = self.keys.change(key_of(met.a, met.b), |_| 1);
        if before == 0 {
            self.met.push(met);
        }
        before == 0
    }

    /// Ends the pairs of bodies that are not the ones of the last look, given by index whether they are; they are among those that left.
    pub(super) fn forget_unsettled(&mut self, is_settled: impl Fn(u32) -> bool) {
        let (keys, ended) = (&mut self.keys, &mut self.ended);
        self.met.retain(|met| {
            let stays = is_settled(met.a) && is_settled(met.b);
            if !stays {
                let key = key_of(met.a, met.b);
                keys.change(key, |_| 0);
                ended.push(key);
            }
            stays
        });
    }

    /// A day begins: looks at pairs that are due, and takes in those that were found for bodies that left.
    #[inline(always)]
    pub(super) fn look<'f, S: Simd>(
        &mut self,
        simd: S,
        bodies: &Bodies<'_>,
        found: impl Iterator<Item = &'f [Due]>,
    ) {
        self.look_at_met(simd, bodies);
        let mut due = std::mem::take(&mut self.due);
        if let Some(today) = self.days.get_mut(bodies.today as usize % DAYS) {
            std::mem::swap(&mut due, today);
        }
        for pair in found.flatten() {
            let Due { a, b, day } = *pair;
            if day > bodies.today {
                self.list(bodies.today, *pair);
            } else {
                due.push(Listed { a, b, day });
            }
        }
        self.look_at(simd, bodies, &due);
        due.clear();
        self.due = due;
        self.began.sort_unstable();
        self.ended.sort_unstable();
    }

    /// Looks at pairs that overlapped and may not any more.
    #[inline(always)]
    fn look_at_met<S: Simd>(&mut self, simd: S, bodies: &Bodies<'_>) {
        let mut due = std::mem::take(&mut self.due);
        self.places.clear();
        for (place, Due { a, b, day }) in (0..).zip(self.met.iter().copied()) {
            let is_broken = bodies
                .broken
                .is_some_and(|marks| marks.has(mark_of(a)) | marks.has(mark_of(b)));
            if (day <= bodies.today) | is_broken {
                // Never out of date.
                let day = u32::MAX;
                due.push(Listed { a, b, day });
                self.places.push(place);
            }
        }
        self.find_fates(simd, bodies, &due);
        // From the last one, so that those before keep their places.
        for number in (0..due.len()).rev() {
            if let Some(later) = number.checked_sub(AHEAD)
                && !self.fates[later].is_met
            {
                self.keys.fetch(key_of(due[later].a, due[later].b));
            }
            let (Listed { a, b, .. }, fate) = (due[number], self.fates[number]);
            let place = self.places[number] as usize;
            if fate.is_met {
                self.met[place].day = fate.due;
                continue;
            }
            self.met.swap_remove(place);
            let key = key_of(a, b);
            self.keys.change(key, |_| 0);
            self.ended.push(key);
            // Pairs of those that left are found again, if they are to be watched.
            if !(fate.is_searched | fate.is_gone) {
                self.list(
                    bodies.today,
                    Due {
                        a,
                        b,
                        day: fate.due,
                    },
                );
            }
        }
        due.clear();
        self.due = due;
    }

    /// Looks at pairs that did not overlap, or were found, unless they are out of date.
    #[inline(always)]
    fn look_at<S: Simd>(&mut self, simd: S, bodies: &Bodies<'_>, pairs: &[Listed]) {
        self.find_fates(simd, bodies, pairs);
        for (number, pair) in pairs.iter().enumerate() {
            if let Some(later) = self.fates.get(number + AHEAD)
                && later.is_met
            {
                let Listed { a, b, .. } = pairs[number + AHEAD];
                self.keys.fetch(key_of(a, b));
            }
            let (Listed { a, b, .. }, fate) = (*pair, self.fates[number]);
            let due = Due {
                a,
                b,
                day: fate.due,
            };
            if fate.is_gone {
                continue;
            }
            if !fate.is_met {
                self.list(bodies.today, due);
            } else if self.meet(due) {
                self.began.push(key_of(a, b));
            }
        }
    }

    /// Finds out what becomes of some pairs.
    #[inline(always)]
    fn find_fates<S: Simd>(&mut self, simd: S, bodies: &Bodies<'_>, pairs: &[Listed]) {
        self.looks += pairs.len() as u64;
        self.fates.clear();
        self.fates.resize(pairs.len(), Fate::default());
        for (number, fate) in self.fates.iter_mut().enumerate() {
            if let Some(later) = pairs.get(number + AHEAD) {
                bodies.fetch(later.a, later.b);
            }
            *fate = bodies.fate_of(simd, pairs[number]);
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let days: usize = self.days.iter().map(Vec::capacity).sum();
        (days + self.due.capacity()) * size_of::<Listed>()
            + self.days.capacity() * size_of::<Vec<Listed>>()
            + self.met.capacity() * size_of::<Due>()
            + self.keys.bytes()
            + self.places.capacity() * 4
            + (self.began.capacity() + self.ended.capacity()) * 8
            + self.fates.capacity() * size_of::<Fate>()
    }

    /// The keys of pairs that are listed and not out of date, in an order of no meaning.
    pub(super) fn listed<'p>(&'p self, vows: &'p [Vow]) -> impl Iterator<Item = u64> + 'p {
        let since = |index: u32| vows[index as usize].since;
        let listed = self.days.iter().flatten();
        let current = listed.filter(move |pair| since(pair.a).max(since(pair.b)) <= pair.day);
        current.map(|pair| key_of(pair.a, pair.b))
    }

    /// Whether a pair overlapped at the last look.
    pub(super) fn has_met(&self, key: u64) -> bool {
        self.keys.get(key) != 0
    }

    /// Panics unless keys are those of pairs that overlapped at the last look.
    pub(super) fn validate(&self) {
        self.keys.validate();
        assert_eq!(
            self.keys.len(),
            self.met.len(),
            "a key for each that overlaps"
        );
        for key in self.overlapping() {
            assert_eq!(self.keys.get(key), 1, "it has a key");
        }
    }
}
