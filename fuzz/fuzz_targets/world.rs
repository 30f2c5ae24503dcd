//! A world in which bodies come, move, rest and go, with filters and rules in between: its contacts are those that asking
//! every pair by itself gives, and its events tell them apart from those before.
#![no_main]

use impinge::broad::Filter;
use impinge::world::Compute;
use impinge::{BodyId, Event, Pair, Shape, World, WorldOptions, query};
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;
use std::collections::{BTreeMap, BTreeSet};

/// Past this many, an input is only longer.
const MOST_STEPS: usize = 60;
/// Past this many bodies, every pair takes too long.
const MOST_BODIES: usize = 10;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let compute = [Compute::Intersects, Compute::Distances, Compute::Contacts];
    let mut run = Run {
        world: World::new(WorldOptions {
            compute: compute[usize::from(bytes.byte()) % 3],
            ..WorldOptions::default()
        })
        .expect("the options are sound"),
        ..Run::default()
    };
    for _ in 0..MOST_STEPS.min(data.len() / 4) {
        run.step(&mut bytes);
    }
    run.check();
});

#[derive(Default)]
struct Run {
    world: World,
    bodies: Vec<BodyId>,
    filters: BTreeMap<BodyId, Filter>,
    inactive: BTreeSet<Pair>,
    before: BTreeSet<Pair>,
}

impl Run {
    /// Something happens.
    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 16 {
            0..4 => self.insert(bytes),
            4..9 => self.set_pose(bytes),
            9 => self.remove(bytes),
            10 => self.filter(bytes),
            11 | 12 => self.activate(bytes),
            _ => self.check(),
        }
    }

    fn insert(&mut self, bytes: &mut Bytes<'_>) {
        let (Some(shape), Some(pose)) = (shapes::shape(bytes), shapes::pose(bytes)) else {
            return;
        };
        // Shapes and places beyond the range of numbers are refused.
        if self.bodies.len() < MOST_BODIES
            && is_decided_exactly(&shape)
            && let Ok(body) = self.world.insert(shape, pose)
        {
            self.bodies.push(body);
        }
    }

    fn any(&self, bytes: &mut Bytes<'_>) -> Option<BodyId> {
        let place = usize::from(bytes.byte()) % self.bodies.len().max(1);
        self.bodies.get(place).copied()
    }

    fn set_pose(&mut self, bytes: &mut Bytes<'_>) {
        if let (Some(body), Some(pose)) = (self.any(bytes), shapes::pose(bytes)) {
            // A place beyond the range of numbers is refused, and the body stays.
            let _ = self.world.set_pose(body, pose);
        }
    }

    fn remove(&mut self, bytes: &mut Bytes<'_>) {
        if let Some(body) = self.any(bytes) {
            self.world.remove(body).expect("it is here");
            assert!(self.world.remove(body).is_err());
            self.bodies.retain(|other| *other != body);
            self.inactive
                .retain(|pair| pair.a() != body && pair.b() != body);
        }
    }

    fn filter(&mut self, bytes: &mut Bytes<'_>) {
        if let Some(body) = self.any(bytes) {
            let filter = Filter {
                groups: u32::from(bytes.byte() % 8),
                mask: u32::from(bytes.byte() % 8),
            };
            self.world.set_filter(body, filter).expect("it is here");
            self.filters.insert(body, filter);
        }
    }

    fn activate(&mut self, bytes: &mut Bytes<'_>) {
        if let (Some(a), Some(b)) = (self.any(bytes), self.any(bytes)) {
            let is_active = bytes.byte() % 2 == 0;
            let done = self.world.set_active(a, b, is_active);
            match Pair::new(a, b) {
                None => assert!(done.is_err()),
                Some(pair) if is_active => _ = self.inactive.remove(&pair),
                Some(pair) => _ = self.inactive.insert(pair),
            }
        }
    }

    /// Brings the world up to date and compares it with asking every pair.
    fn check(&mut self) {
        self.world.update();
        self.world.validate();
        let expected = self.intersecting();
        let contacts = self.world.contacts().iter();
        let found: BTreeSet<Pair> = contacts
            .filter(|contact| contact.intersects())
            .map(|contact| contact.pair)
            .collect();
        assert_eq!(found, expected);
        let all: BTreeSet<Pair> = self.before.union(&expected).copied().collect();
        let event = |pair: &Pair| match (self.before.contains(pair), expected.contains(pair)) {
            (true, true) => Event::Continued(*pair),
            (true, false) => Event::Ended(*pair),
            (false, _) => Event::Began(*pair),
        };
        let events: Vec<Event> = all.iter().map(event).collect();
        assert_eq!(self.world.events(), events);
        self.before = expected;
    }

    fn intersecting(&self) -> BTreeSet<Pair> {
        let mut pairs = BTreeSet::new();
        let filter = |body: &BodyId| self.filters.get(body).copied().unwrap_or_default();
        for (k, a) in self.bodies.iter().enumerate() {
            for b in &self.bodies[k + 1..] {
                let pair = Pair::new(*a, *b).expect("they differ");
                if !filter(a).allows(&filter(b)) || self.inactive.contains(&pair) {
                    continue;
                }
                let [p, q] = [pair.a(), pair.b()].map(|body| {
                    let pose = *self.world.pose(body).expect("it is here");
                    self.world.shape(body).expect("it is here").at(pose)
                });
                if query::intersects(p, q) {
                    pairs.insert(pair);
                }
            }
        }
        pairs
    }
}

/// Whether touching is decided exactly for the shape, and not within a tolerance that what came before might use
/// differently.
fn is_decided_exactly(shape: &Shape) -> bool {
    match shape {
        Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) | Shape::Custom(_) => false,
        Shape::Rounded(rounded) => is_decided_exactly(rounded.core()),
        _ => true,
    }
}
