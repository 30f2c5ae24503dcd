//! Bodies that rest, and the pairs of two that do.
//!
//! A pair changes only if one of its bodies moves. Most bodies of a building or a level never do, and with few others most of a frame went into finding
//! that out, pair by pair. So a pair of two bodies that rest is not in the list but in *rows*, one for each body: when a body wakes, by moving, coming or going,
//! its row tells which pairs go back to the list.
//!
//! **Who rests** is settled for all bodies at once: those that have not moved for some frames. It is done when as much has been spent on pairs of
//! which no body moved as it costs. From then on bodies only wake, and rows are not written to: an entry counts while both its bodies rest.
//!
//! **Invariant.** A watched pair is in the list exactly if one of its bodies is awake, and otherwise in the rows of both. **Cost.** A frame
//! in which few bodies move takes no time for those that rest, but for looking at a bit of each; to wake one, the time of its row.

use super::Watch;
use super::bits::Bits;
use super::list::{Looked, WatchList};
use super::segment::{places, word_of};

/// A body rests if it has not moved in this and the last period of so many frames.
const PERIOD: u32 = 8;

/// Putting a pair into rows costs as much as going through so many, about.
const COST: u64 = 8;

/// The bodies that rest, and their pairs. Bodies are known by their seats.
#[derive(Debug, Clone, Default)]
pub(super) struct Rest {
    /// By seat: where its row begins, and behind them where the last one ends. Empty while nobody rests.
    starts: Vec<u32>,
    /// Twice the other body of a pair, and one more if their boxes overlapped when they were last looked at.
    others: Vec<u32>,
    /// Those that do not rest.
    awake: Bits,
    /// Those that moved in this period, and in the one before.
    moved: [Bits; 2],
    /// Frames since many bodies moved at once.
    frames: u32,
    /// Pairs that were gone through in vain since it was last settled who rests.
    waste: u64,
}

impl Rest {
    /// Makes room for seats below `len`.
    pub(super) fn resize(&mut self, len: usize) {
        self.awake.resize(len);
        self.moved.iter_mut().for_each(|moved| moved.resize(len));
    }

    /// Whether nobody rests.
    fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The row of a body; none of one that came later.
    fn row(&self, seat: usize) -> &[u32] {
        match self.starts.get(seat..seat + 2) {
            Some(&[start, end]) => &self.others[start as usize..end as usize],
            _ => &[],
        }
    }

    /// All pairs of two that rest, as words, from behind.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let seats = 0..self.starts.len().saturating_sub(1);
        let seats = seats.rev().filter(|seat| !self.awake.has(*seat));
        seats.flat_map(move |seat| {
            let row = self.row(seat).iter().rev();
            let pairs =
                row.map(move |entry| word_of(seat as u32, entry >> 1) | u64::from(entry & 1));
            pairs.filter(move |word| {
                let [a, b] = places(*word);
                a == seat && !self.awake.has(b)
            })
        })
    }

    /// Wakes a body: its pairs with others that rest go to the list.
    fn wake(&mut self, seat: usize, list: &mut WatchList) {
        if self.awake.has(seat) {
            return;
        }
        self.awake.add(seat);
        for entry in self.row(seat) {
            if !self.awake.has((entry >> 1) as usize) {
                list.adopt(word_of(seat as u32, entry >> 1) | u64::from(entry & 1));
            }
        }
    }

    /// Wakes everyone.
    fn wake_all(&mut self, list: &mut WatchList) {
        self.words().for_each(|word| list.adopt(word));
        self.starts.clear();
        self.others.clear();
        self.begin_anew();
    }

    /// Forgets who moved when: everyone counts as having moved just now.
    fn begin_anew(&mut self) {
        if self.frames > 0 {
            self.moved.iter_mut().for_each(Bits::clear);
            (self.frames, self.waste) = (0, 0);
        }
    }

    /// Notes who moved in a frame, and how many pairs of the list were gone through in vain.
    fn note(&mut self, moved: Option<&Bits>, waste: u64) {
        if let Some(moved) = moved {
            self.moved[0].add_all(moved);
        }
        self.waste += waste;
        self.frames = self.frames.saturating_add(1);
        if self.frames.is_multiple_of(PERIOD) {
            self.moved.swap(0, 1);
            self.moved[0].clear();
        }
    }

    /// Whether it is worth while to settle who rests, of so many bodies and so many pairs in the list.
    fn is_due(&self, bodies: usize, pairs: usize) -> bool {
        let most = u32::MAX as usize / 2;
        let pairs = pairs + self.others.len() / 2;
        self.frames > PERIOD && self.waste > COST * (bodies + pairs) as u64 && pairs < most
    }

    /// Settles who rests, of bodies at seats below a number, and takes their pairs out of the list.
    fn settle(&mut self, seats: usize, list: &mut WatchList) {
        let mut pairs: Vec<u64> = self.words().collect();
        let [now, before] = &self.moved;
        self.awake.clear();
        self.awake.add_all(now);
        self.awake.add_all(before);
        list.take_out(
            |pair| !pair.iter().any(|seat| self.awake.has(*seat)),
            &mut pairs,
        );
        self.waste = 0;
        self.starts.clear();
        self.starts.resize(seats + 1, 0);
        self.others.clear();
        self.others.resize(2 * pairs.len(), 0);
        // First where rows end; from behind then, until everyone has its start.
        for word in &pairs {
            places(*word)
                .iter()
                .for_each(|seat| self.starts[*seat] += 1);
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        for word in &pairs {
            let [a, b] = places(*word);
            for [seat, other] in [[a, b], [b, a]] {
                self.starts[seat] -= 1;
                let entry = (other as u32) << 1 | (word & 1) as u32;
                self.others[self.starts[seat] as usize] = entry;
            }
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let bits = self.moved.iter().chain([&self.awake]);
        let bits: usize = bits.map(Bits::bytes).sum();
        (self.starts.capacity() + self.others.capacity()) * 4 + bits
    }

    /// Panics unless the list has no pair of two that rest.
    pub(super) fn validate(&self, list: &WatchList) {
        let rest = |word: u64| places(word).iter().all(|seat| !self.awake.has(*seat));
        assert!(
            self.is_empty() || !list.words().any(rest),
            "pairs of the list have one that is awake"
        );
    }
}

impl Watch {
    /// At the beginning of a look: wakes those that moved, came or went.
    #[inline(always)]
    pub(super) fn wake_moved(&mut self) {
        if self.rest.is_empty() {
            return;
        }
        if self.moved_many {
            return self.wake_all();
        }
        let (rest, list) = (&mut self.rest, &mut self.list);
        self.moved.for_each(|seat| rest.wake(seat, list));
        for seat in self.left.list() {
            rest.wake(*seat as usize, list);
        }
    }

    /// Wakes everyone.
    #[inline(never)]
    pub(super) fn wake_all(&mut self) {
        self.rest.wake_all(&mut self.list);
    }

    /// At the end of a look by the list: lays those to rest that have not moved for long, if it pays.
    #[inline(always)]
    pub(super) fn note_rest(&mut self, Looked { tests, pairs, .. }: Looked) {
        if self.moved_many {
            self.rest.begin_anew();
            return;
        }
        let has_looked = self.moves > 0 || !self.left.is_empty();
        let waste = if has_looked {
            (pairs as u64).saturating_sub(tests)
        } else {
            0
        };
        self.rest
            .note((self.moves > 0).then_some(&self.moved), waste);
        // Those that have room may have to give it back, and with it some pairs.
        if self.rest.is_due(self.boxes.len(), pairs) && self.roomy.is_empty() {
            self.rest.settle(self.boxes.index_end(), &mut self.list);
        }
    }
}

#[cfg(test)]
mod tests;
