//! What is to be done when: a heap of times, each a lower bound for a pair or its impact.
//!
//! Each pair has at most one record; a heap entry that does not carry the stamp of the record is void. So changing a record costs
//! one insertion, and void entries leave the heap when they come to its top.

use super::events::PairImpact;
use crate::body::Pair;
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

/// What a pair waits for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum State {
    /// Nothing happens before this time; from then on it is to be asked again.
    Waiting(f64),
    /// Nothing happens.
    Done,
    /// This.
    Impact(PairImpact),
    /// Its impact was told and nobody changed a motion: it is left alone until it is apart again.
    Told,
    /// It is in contact; whether it leaves is looked at at this time.
    Resting(f64),
}

impl State {
    /// Whether it is about a contact that the pair is in, and not about one to come.
    pub(super) fn is_contact(&self) -> bool {
        match self {
            State::Told | State::Resting(_) => true,
            State::Waiting(_) | State::Done | State::Impact(_) => false,
        }
    }
}

/// A pair in the agenda.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Record {
    /// How often the two had changed their motions.
    pub(super) versions: [u32; 2],
    pub(super) state: State,
    stamp: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    time: f64,
    pair: Pair,
    stamp: u64,
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time
            .then(self.pair.cmp(&other.pair))
            .then(self.stamp.cmp(&other.stamp))
    }
}

/// The agenda of all pairs.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    heap: BinaryHeap<Reverse<Entry>>,
    records: HashMap<Pair, Record>,
    stamp: u64,
}

impl Agenda {
    /// Replaces the record of a pair; it comes up at a time, if one is given.
    pub(super) fn set(&mut self, pair: Pair, versions: [u32; 2], state: State, time: Option<f64>) {
        self.stamp += 1;
        let stamp = self.stamp;
        let record = Record {
            versions,
            state,
            stamp,
        };
        self.records.insert(pair, record);
        if let Some(time) = time {
            // Both zeros are the same time.
            let time = time + 0.0;
            self.heap.push(Reverse(Entry { time, pair, stamp }));
        }
    }

    pub(super) fn get(&self, pair: Pair) -> Option<&Record> {
        self.records.get(&pair)
    }

    pub(super) fn remove(&mut self, pair: Pair) {
        self.records.remove(&pair);
    }

    /// Removes the records that are not wanted.
    pub(super) fn retain(&mut self, mut is_wanted: impl FnMut(Pair, &State) -> bool) {
        self.records
            .retain(|pair, record| is_wanted(*pair, &record.state));
    }

    /// The pair that comes up first, and when.
    pub(super) fn first(&mut self) -> Option<(f64, Pair)> {
        while let Some(Reverse(entry)) = self.heap.peek() {
            let record = self.records.get(&entry.pair);
            if record.is_some_and(|record| record.stamp == entry.stamp) {
                return Some((entry.time, entry.pair));
            }
            self.heap.pop();
        }
        None
    }

    /// How many pairs have a record.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }
}
