//! When to look at watched pairs again: not before they can have changed.
//!
//! While two bodies keep their [vows](vow), it can be told for how long their boxes surely go on to overlap, or not to. A pair is put into the list of the
//! day on which that ends (a day is a frame in which all bodies move), and nothing of it is read before. With a million bodies, where reading
//! from anywhere in memory is what a frame waits for, few pairs of a hundred are due on a day.
//!
//! **Bodies that leave** their wide boxes do so on a day that is known, or by breaking their vows; their pairs are then searched anew. The pairs that were
//! listed for such a body are not looked for: the body notes the day, and what was listed before is passed over when its turn comes. A pair that
//! is not due before one of its bodies leaves is not listed at all.
//!
//! **Pairs that overlap** are in a list of their own, which is gone through every day, with the day on which each is due; and in a table, as those that
//! are found for a body that left may have been told before. Who broke a vow has these looked at on the same day.
//!
//! **Invariant.** After a look each pair of bodies whose wide boxes overlap is here at most once: among those that overlap, exactly if its boxes do; otherwise
//! listed for a day to come, before which its boxes cannot overlap while both bodies keep their vows; or nowhere, if they cannot before
//! pairs are searched for one of the bodies. All else that is listed is out of date.

mod page;
mod vow;

use super::super::Box32;
use super::super::changes::key_of;
use super::bits::Bits;
use super::segment::places;
use crate::ahead;
use crate::lanes::in_lanes;
use fearless_simd::Simd;
use page::{Bodies, Due, Page};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use vow::{Sight, foresee};

pub(super) use vow::Vow;

/// How many days there are lists for. What rests longer is looked at on the last of them.
const DAYS: usize = 64;

/// For so many smaller indices there is a page.
const PAGE: usize = 1 << 14;

/// Of so many pairs that were found, each thread sifts a part.
#[cfg(feature = "parallel")]
const MANY: usize = 1 << 12;

/// How many pairs ahead vows are asked for.
const AHEAD: usize = 16;

/// How many different marks there are for bodies that broke their vows: few enough to be near, and so many that hardly two bodies share one.
const MARKS: usize = 1 << 16;

/// The mark of a body.
#[inline(always)]
fn mark_of(index: u32) -> usize {
    index as usize % MARKS
}

/// The watched pairs by the days on which they are due.
#[derive(Debug, Clone, Default)]
pub(super) struct Calendar {
    is_open: bool,
    today: u32,
    /// By index.
    vows: Vec<Vow>,
    pages: Vec<Page>,
    /// Marks of bodies that may have broken their vows since the last look.
    broken: Bits,
    has_broken: bool,
    /// Pairs that were found, by parts of the list and by pages.
    sifted: Vec<Vec<Vec<Due>>>,
    /// Pairs looked at by calendars that were closed.
    looks: u64,
}

impl Calendar {
    /// Whether pairs are kept here.
    #[inline(always)]
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether bodies have vows, be it that they are tried.
    pub(super) fn has_vows(&self) -> bool {
        !self.vows.is_empty()
    }

    /// The day that the next look begins.
    #[inline(always)]
    pub(super) fn tomorrow(&self) -> u32 {
        self.today + 1
    }

    /// Makes room for indices below `len`, whose bodies promise nothing yet.
    pub(super) fn resize(&mut self, len: usize) {
        if self.vows.len() < len {
            self.vows.resize(len, Vow::default());
            self.pages.resize_with(len.div_ceil(PAGE), Page::default);
        }
        self.broken.resize(MARKS);
    }

    /// The vows of all bodies, by index.
    pub(super) fn vows_mut(&mut self) -> &mut [Vow] {
        &mut self.vows
    }

    /// Notes that the body at an index came or went: it promises nothing, and its pairs are out of date. It must be among those that left.
    pub(super) fn note_renewed(&mut self, index: u32) {
        self.vows[index as usize] = Vow::nothing(self.tomorrow());
    }

    /// Notes that a body broke its vow. It must be among those that left.
    pub(super) fn note_broken(&mut self, index: u32) {
        self.broken.add(mark_of(index));
        self.has_broken = true;
    }

    /// Gives a body that moved by itself another vow, and tells its wide box for some days. It must be among those that left.
    pub(super) fn follow(&mut self, index: u32, boxes: [&Box32; 2], days: u32) -> Box32 {
        let day = self.tomorrow();
        self.note_broken(index);
        let vow = &mut self.vows[index as usize];
        in_lanes!(simd => {
            (*vow, _) = vow.renewed(simd, boxes, day);
            vow.wide_box(simd, boxes[1], day, days)
        })
    }

    /// A day begins, without pairs.
    pub(super) fn pass_day(&mut self) {
        self.today += 1;
    }

    /// Takes over all watched pairs, given as words by index, with the boxes of now, the wide ones, and the vows that were made.
    #[inline(always)]
    pub(super) fn open<S: Simd>(
        &mut self,
        simd: S,
        words: impl Iterator<Item = u64>,
        [boxes, wide]: [&[Box32]; 2],
    ) {
        self.is_open = true;
        for (vow, wide) in self.vows.iter_mut().zip(wide) {
            vow.stay_in(simd, wide, self.today);
        }
        let bodies = Bodies {
            vows: &self.vows,
            boxes,
            broken: None,
            today: self.today,
        };
        for word in words {
            let [a, b] = places(word);
            self.pages[a / PAGE].take_in(simd, [a as u32, b as u32], &bodies);
        }
    }

    /// How many of the pairs given would be due on a day, about, by their vows.
    #[inline(always)]
    pub(super) fn expect_looks<S: Simd>(&self, simd: S, words: impl Iterator<Item = u64>) -> f64 {
        let rates = words.map(|word| {
            let [a, b] = places(word);
            let (_, rest) = foresee(simd, [&self.vows[a], &self.vows[b]], self.today);
            1.0 / (f64::from(rest) + 1.0)
        });
        rates.sum()
    }

    /// Forgets everything, and tells the keys of all pairs that overlapped at the last look.
    pub(super) fn close(&mut self) -> Vec<u64> {
        let pairs = self.overlapping().collect();
        *self = Calendar {
            looks: self.looks(),
            ..Calendar::default()
        };
        pairs
    }

    /// The keys of the pairs that overlap, in an order of no meaning.
    pub(super) fn overlapping(&self) -> impl Iterator<Item = u64> {
        self.pages.iter().flat_map(Page::overlapping)
    }

    /// The keys of the pairs that began to overlap at the last look, sorted.
    pub(super) fn began(&self) -> impl Iterator<Item = u64> {
        self.pages
            .iter()
            .flat_map(|page| page.began().iter().copied())
    }

    /// The keys of the pairs that ended, sorted.
    pub(super) fn ended(&self) -> impl Iterator<Item = u64> {
        self.pages
            .iter()
            .flat_map(|page| page.ended().iter().copied())
    }

    /// Pairs looked at since the first calendar.
    pub(super) fn looks(&self) -> u64 {
        self.looks + self.pages.iter().map(|page| page.looks).sum::<u64>()
    }

    /// Forgets what the last look found.
    pub(super) fn begin_look(&mut self) {
        self.pages.iter_mut().for_each(Page::begin_look);
    }

    /// Ends the pairs of bodies that are not the ones of the last look, given by index whether they are; they are among those that left.
    pub(super) fn forget_unsettled(&mut self, is_settled: impl Fn(u32) -> bool) {
        for page in &mut self.pages {
            page.forget_unsettled(&is_settled);
        }
    }

    /// A day begins: looks at pairs that are due, and takes in those that were found for bodies that left, given as words.
    #[inline(always)]
    pub(super) fn look<S: Simd>(&mut self, simd: S, boxes: &[Box32], found: &[u64]) {
        self.today += 1;
        let count = self.sift_all(simd, found);
        let bodies = Bodies {
            vows: &self.vows,
            boxes,
            broken: self.has_broken.then_some(&self.broken),
            today: self.today,
        };
        look_at_pages(simd, &mut self.pages, &bodies, &self.sifted[..count]);
        if std::mem::take(&mut self.has_broken) {
            self.broken.clear();
        }
    }

    /// Sifts pairs that were found into parts, and tells how many there are.
    #[inline(always)]
    fn sift_all<S: Simd>(&mut self, simd: S, found: &[u64]) -> usize {
        let (vows, today, pages) = (&self.vows[..], self.today, self.pages.len());
        let mut ready = |count: usize| {
            if self.sifted.len() < count {
                self.sifted.resize_with(count, Vec::new);
            }
            for part in &mut self.sifted[..count] {
                part.resize_with(pages, Vec::new);
                part.iter_mut().for_each(Vec::clear);
            }
        };
        #[cfg(feature = "parallel")]
        if found.len() > MANY && crate::sharing::is_shared() {
            let size = found.len().div_ceil(4 * rayon::current_num_threads());
            let count = found.len().div_ceil(size);
            ready(count);
            let parts = found.par_chunks(size).zip(&mut self.sifted);
            parts.for_each(|(found, part)| {
                in_lanes!(simd => sift(simd, vows, today, found, part));
            });
            return count;
        }
        ready(1);
        sift(simd, vows, today, found, &mut self.sifted[0]);
        1
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let sifted = self.sifted.iter().flatten().map(Vec::capacity);
        self.vows.capacity() * size_of::<Vow>()
            + self.pages.capacity() * size_of::<Page>()
            + self.pages.iter().map(Page::bytes).sum::<usize>()
            + self.broken.bytes()
            + sifted.sum::<usize>() * size_of::<Due>()
    }

    /// Panics unless pairs that are listed are there once, and all bodies in a list are where they promised to be; after a look.
    pub(super) fn validate(&self, boxes: &[Box32], bodies: impl Iterator<Item = u32>) {
        self.pages.iter().for_each(Page::validate);
        let mut keys: Vec<u64> = self.listed().collect();
        keys.sort_unstable();
        assert!(keys.is_sorted_by(|a, b| a < b), "pairs are there once");
        for index in bodies {
            let (vow, bounds) = (&self.vows[index as usize], &boxes[index as usize]);
            let is_kept = in_lanes!(simd => vow.is_kept(simd, bounds, self.today));
            assert!(is_kept, "{index} is where it promised to be");
            assert!(vow.until > self.today, "{index} has not left");
        }
    }

    /// The keys of pairs that are listed and not out of date, in an order of no meaning.
    fn listed(&self) -> impl Iterator<Item = u64> {
        self.pages.iter().flat_map(|page| page.listed(&self.vows))
    }

    /// Panics unless all pairs that are given, of bodies whose wide boxes overlap, are here if they have to be; after a look.
    pub(super) fn validate_pairs(&self, boxes: &[Box32], pairs: impl Iterator<Item = [u32; 2]>) {
        let listed: std::collections::HashSet<u64> = self.listed().collect();
        let mut met = 0;
        for [a, b] in pairs {
            let (places, key) = ([a, b].map(|index| index as usize), key_of(a, b));
            let [one, other] = places.map(|place| &boxes[place]);
            let is_met = one.overlaps(other);
            assert_eq!(
                is_met,
                self.pages[places[0] / PAGE].has_met(key),
                "{a}, {b}"
            );
            met += usize::from(is_met);
            if !is_met && !listed.contains(&key) {
                let vows = places.map(|place| &self.vows[place]);
                let (_, rest) = in_lanes!(simd => foresee(simd, vows, self.today));
                // It was foreseen on another day, with other rounding.
                let due = u64::from(self.today) + u64::from(rest) + 2;
                let until = vows[0].until.min(vows[1].until);
                assert!(due >= u64::from(until), "{a}, {b} is not listed");
            }
        }
        assert_eq!(
            met,
            self.overlapping().count(),
            "all that overlap are among them"
        );
    }
}

/// Has all pages look at their pairs, given those that were found, by parts and by pages.
#[inline(always)]
fn look_at_pages<S: Simd>(
    simd: S,
    pages: &mut [Page],
    bodies: &Bodies<'_>,
    sifted: &[Vec<Vec<Due>>],
) {
    let found_of = |number: usize| sifted.iter().map(move |part| &part[number][..]);
    #[cfg(feature = "parallel")]
    if pages.len() > 1 && crate::sharing::is_shared() {
        let pages = pages.par_iter_mut().with_max_len(1).enumerate();
        pages.for_each(|(number, page)| {
            in_lanes!(simd => page.look(simd, bodies, found_of(number)));
        });
        return;
    }
    for (number, page) in pages.iter_mut().enumerate() {
        page.look(simd, bodies, found_of(number));
    }
}

/// Puts pairs that were found, given as words, into lists by page, with the days on which they are due, unless one of their bodies leaves before. Those
/// that may overlap are due today.
#[inline(always)]
fn sift<S: Simd>(simd: S, vows: &[Vow], today: u32, found: &[u64], pages: &mut [Vec<Due>]) {
    for (number, word) in found.iter().enumerate() {
        if let Some(later) = found.get(number + AHEAD) {
            let [a, b] = places(*later);
            ahead::fetch_line(vows, a);
            ahead::fetch_line(vows, b);
        }
        let [a, b] = places(*word);
        let (one, other) = (&vows[a], &vows[b]);
        let (sight, rest) = foresee(simd, [one, other], today);
        let day = if sight == Sight::Apart {
            today.saturating_add(rest).saturating_add(1)
        } else {
            today
        };
        if sight != Sight::Apart || day < one.until.min(other.until) {
            let [a, b] = [a as u32, b as u32];
            pages[a as usize / PAGE].push(Due { a, b, day });
        }
    }
}

#[cfg(test)]
mod tests;
