//! Every body against every other: the slow twin that the other methods are compared with.
//!
//! **Cost.** `n^2 / 2` box tests at each `collect`, however little moved. No memory but for the boxes and the pairs.

use super::changes::key_of;
use super::pairs::PairList;
use super::{Box32, Boxes, BroadPhase, PairChanges, Work};
use crate::body::{BodyId, Pair};
use crate::error::Error;

/// The broad phase without an idea.
#[derive(Debug, Clone, Default)]
pub struct Brute {
    boxes: Boxes,
    /// The bodies in a row, gathered at each `collect`.
    bodies: Vec<(u32, Box32)>,
    pairs: PairList,
    work: Work,
}

impl BroadPhase for Brute {
    fn insert(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.insert(body, &bounds)
    }

    fn update(&mut self, body: BodyId, bounds: Box32) -> Result<(), Error> {
        self.boxes.update(body, &bounds).map(|_| ())
    }

    fn remove(&mut self, body: BodyId) -> Result<(), Error> {
        self.boxes.remove(body).map(|_| ())
    }

    fn collect(&mut self, changes: &mut PairChanges) {
        self.bodies.clear();
        let bodies = self.boxes.iter();
        self.bodies
            .extend(bodies.map(|(body, bounds)| (body.index(), *bounds)));
        for (place, (a, bounds)) in self.bodies.iter().enumerate() {
            let others = &self.bodies[place + 1..];
            let met = others.iter().filter(|(_, other)| bounds.overlaps(other));
            self.pairs.found().extend(met.map(|(b, _)| key_of(*a, *b)));
            self.work.box_tests += others.len() as u64;
        }
        self.pairs.collect(&self.boxes, changes);
        self.boxes.settle();
    }

    fn pairs(&self, pairs: &mut Vec<Pair>) {
        self.pairs.pairs(&self.boxes, pairs);
    }

    fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    fn work(&self) -> Work {
        self.work
    }

    fn bytes(&self) -> usize {
        let bodies = self.bodies.capacity() * size_of::<(u32, Box32)>();
        self.boxes.bytes() + bodies + self.pairs.bytes()
    }

    fn validate(&self) {
        self.boxes.validate();
        self.pairs.validate();
    }
}
