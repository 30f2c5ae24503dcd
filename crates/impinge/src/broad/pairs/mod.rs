//! Where broad phases keep their pairs: a sparse and a dense set with one interface, and what changed in them.
//!
//! Cohen, Lin, Manocha and Ponamgi (1995) keep the state of all pairs in a matrix and the active ones in a list. With many bodies
//! the matrix is nearly empty; the sparse form holds the active pairs alone.

mod list;
mod log;
mod matrix;

pub(super) use list::PairList;
pub(super) use log::Toggles;
use matrix::PairMatrix;

use super::key_map::KeyMap;
use super::{Boxes, PairChanges};
use crate::body::Pair;

/// How a broad phase keeps its pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PairStorage {
    /// A hash table: memory grows with the pairs that overlap.
    #[default]
    Sparse,
    /// A triangular bit matrix: memory grows with the square of the bodies.
    Dense,
}

/// A set of pairs that knows what changed since the last `collect`.
#[derive(Debug, Clone)]
pub(super) struct PairStore {
    form: Form,
    toggles: Toggles,
}

#[derive(Debug, Clone)]
enum Form {
    Sparse(KeyMap),
    Dense(PairMatrix),
}

impl PairStore {
    pub(super) fn new(storage: PairStorage) -> PairStore {
        PairStore {
            form: match storage {
                PairStorage::Sparse => Form::Sparse(KeyMap::default()),
                PairStorage::Dense => Form::Dense(PairMatrix::default()),
            },
            toggles: Toggles::default(),
        }
    }

    /// How many pairs there are.
    pub(super) fn len(&self) -> usize {
        match &self.form {
            Form::Sparse(map) => map.len(),
            Form::Dense(matrix) => matrix.len(),
        }
    }

    /// Puts a pair in, unless it is there.
    #[inline]
    pub(super) fn insert(&mut self, key: u64) {
        let is_new = match &mut self.form {
            Form::Sparse(map) => map.change(key, |_| 1) == [0, 1],
            Form::Dense(matrix) => matrix.insert(key),
        };
        if is_new {
            self.toggles.note(key);
        }
    }

    /// Takes a pair out, if it is there.
    #[inline]
    pub(super) fn remove(&mut self, key: u64) {
        let was_there = match &mut self.form {
            Form::Sparse(map) => map.change(key, |_| 0) == [1, 0],
            Form::Dense(matrix) => matrix.remove(key),
        };
        if was_there {
            self.toggles.note(key);
        }
    }

    /// Takes out all pairs but those that `is_kept` accepts; `scratch` is memory.
    pub(super) fn retain(&mut self, is_kept: impl Fn(u64) -> bool, scratch: &mut Vec<u64>) {
        scratch.clear();
        match &self.form {
            Form::Sparse(map) => {
                let keys = map.iter().map(|(key, _)| key);
                scratch.extend(keys.filter(|key| !is_kept(*key)));
            }
            Form::Dense(matrix) => scratch.extend(matrix.iter().filter(|key| !is_kept(*key))),
        }
        for key in scratch.drain(..) {
            self.remove(key);
        }
    }

    /// Replaces `changes` by what began and ended since the last call.
    pub(super) fn collect(&mut self, boxes: &Boxes, changes: &mut PairChanges) {
        let form = &self.form;
        self.toggles
            .collect(boxes, |key| form.contains(key), changes);
    }

    /// Replaces `pairs` by those at the last `collect`, sorted.
    pub(super) fn pairs(&self, boxes: &Boxes, pairs: &mut Vec<Pair>) {
        match &self.form {
            Form::Sparse(map) => {
                let now = map.iter().map(|(key, _)| key);
                self.toggles.pairs_before(boxes, now, pairs);
            }
            Form::Dense(matrix) => self.toggles.pairs_before(boxes, matrix.iter(), pairs),
        }
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        let form = match &self.form {
            Form::Sparse(map) => map.bytes(),
            Form::Dense(matrix) => matrix.bytes(),
        };
        form + self.toggles.bytes()
    }

    /// Panics when an invariant is broken.
    pub(super) fn validate(&self) {
        match &self.form {
            Form::Sparse(map) => map.validate(),
            Form::Dense(matrix) => matrix.validate(),
        }
    }
}

impl Form {
    #[inline]
    fn contains(&self, key: u64) -> bool {
        match self {
            Form::Sparse(map) => map.get(key) != 0,
            Form::Dense(matrix) => matrix.contains(key),
        }
    }
}
