//! Pairs that take the quick steps together: one step for all of them, then the next for those that are left.
//!
//! Which step answers a pair is as good as random, and a processor that guesses wrong has to wait. So a step is a loop over a
//! list of pairs that does not branch on what it finds: every pair is written to the lists of both outcomes, and one of
//! the two grows. The loop's turns do not depend on each other, so that the processor waits for the memory of several
//! pairs at a time, too.

use super::cache::PairCache;
use super::centers::Centers;
use super::pair::PolytopePair;
use arrayvec::ArrayVec;
use fearless_simd::Simd;

/// The most pairs of a group.
pub(super) const GROUP: usize = 64;

/// How many pairs ahead points are asked for.
const AHEAD: usize = 4;

/// Some neighbouring pairs of a query, and those of them that are placed.
#[derive(Debug)]
pub(super) struct Group<'p, 'a, S> {
    pub(super) simd: S,
    pub(super) pairs: &'p mut [PolytopePair<'a>],
    /// The number of the first pair among all of the query.
    first: usize,
    placed: ArrayVec<Centers<'a, S>, GROUP>,
    /// For each that is placed its number in the group.
    numbers: [u8; GROUP],
    /// The numbers of pairs that are not placed, but measured together ([`closest`](super::closest)): small and medium ones.
    pub(super) together: [List; 2],
}

impl<'p, 'a, S: Simd> Group<'p, 'a, S> {
    /// At most [`GROUP`] pairs, none of them placed.
    #[inline(always)]
    pub(super) fn new(simd: S, pairs: &'p mut [PolytopePair<'a>], first: usize) -> Self {
        Group {
            simd,
            pairs,
            first,
            placed: ArrayVec::new(),
            numbers: [0; GROUP],
            together: [List::EMPTY; 2],
        }
    }

    /// Places a pair; `false` when it is of extreme size.
    #[inline(always)]
    pub(super) fn place(&mut self, number: usize) -> bool {
        let Some(centers) = self.pairs[number].centers(self.simd) else {
            return false;
        };
        self.add(number, centers);
        true
    }

    /// Adds a pair that is placed.
    #[inline(always)]
    pub(super) fn add(&mut self, number: usize, centers: Centers<'a, S>) {
        self.numbers[self.placed.len() % GROUP] = number as u8;
        self.placed.push(centers);
    }

    /// All that are placed.
    #[inline(always)]
    pub(super) fn all_placed(&self) -> List {
        let mut all = List::EMPTY;
        for k in 0..self.placed.len() {
            all.push_if(k, true);
        }
        all
    }

    /// How many are placed.
    #[inline(always)]
    pub(super) fn placed_count(&self) -> usize {
        self.placed.len()
    }

    /// A pair that is placed.
    #[inline(always)]
    pub(super) fn placed(&self, k: usize) -> &Centers<'a, S> {
        &self.placed[k]
    }

    /// The cache of a pair that is placed.
    #[inline(always)]
    pub(super) fn cache(&mut self, k: usize) -> &mut PairCache {
        self.pairs[usize::from(self.numbers[k])].cache
    }

    /// A pair that is placed, with all it was made from.
    #[inline(always)]
    pub(super) fn both(&mut self, k: usize) -> (&mut PolytopePair<'a>, &Centers<'a, S>) {
        let pair = &mut self.pairs[usize::from(self.numbers[k])];
        (pair, &self.placed[k])
    }

    /// The number of a pair that is placed among all of the query.
    #[inline(always)]
    pub(super) fn index(&self, k: usize) -> usize {
        self.index_of(usize::from(self.numbers[k]))
    }

    /// The number of a pair of the group among all of the query.
    #[inline(always)]
    pub(super) fn index_of(&self, number: usize) -> usize {
        self.first + number
    }

    /// All pairs, those that are placed, and for each of these its number among all.
    #[inline(always)]
    pub(super) fn parts(&mut self) -> (&mut [PolytopePair<'a>], &[Centers<'a, S>], &[u8; GROUP]) {
        (self.pairs, &self.placed, &self.numbers)
    }
}

/// Some pairs of a group, by number.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    numbers: [u8; GROUP],
    len: usize,
}

impl List {
    pub(super) const EMPTY: List = List {
        numbers: [0; GROUP],
        len: 0,
    };

    /// Adds a number, or does nothing, without a branch. There must be room.
    #[inline(always)]
    pub(super) fn push_if(&mut self, number: usize, is_wanted: bool) {
        self.numbers[self.len % GROUP] = number as u8;
        self.len += usize::from(is_wanted);
    }

    /// The numbers that fail a test, and those that pass it.
    #[inline(always)]
    pub(super) fn split(&self, test: impl FnMut(usize) -> bool) -> [List; 2] {
        self.split_ahead(
            #[inline(always)]
            |_| (),
            test,
        )
    }

    /// The same, where a test needs memory that is asked for a few numbers ahead.
    #[inline(always)]
    pub(super) fn split_ahead(
        &self,
        fetch: impl Fn(usize),
        mut test: impl FnMut(usize) -> bool,
    ) -> [List; 2] {
        let (mut fail, mut pass) = (List::EMPTY, List::EMPTY);
        let numbers = self.as_slice();
        for number in numbers.iter().take(AHEAD) {
            fetch(usize::from(*number));
        }
        for (place, number) in numbers.iter().enumerate() {
            if let Some(later) = numbers.get(place + AHEAD) {
                fetch(usize::from(*later));
            }
            let number = usize::from(*number);
            let passes = test(number);
            fail.push_if(number, !passes);
            pass.push_if(number, passes);
        }
        [fail, pass]
    }

    /// The numbers of both lists.
    #[inline(always)]
    pub(super) fn with(mut self, other: &List) -> List {
        for number in other.iter() {
            self.push_if(number, true);
        }
        self
    }

    /// The numbers, in the order they came.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.as_slice().iter().map(|number| usize::from(*number))
    }

    /// A bit for each number.
    #[inline(always)]
    pub(super) fn bits(&self) -> u64 {
        self.iter().fold(0, |bits, number| bits | 1 << number)
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.numbers[..self.len.min(GROUP)]
    }
}
