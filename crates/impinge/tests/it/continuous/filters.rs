//! Which pairs are looked at: filters, and pairs that are switched off and on.
//!
//! The oracle is a world of its own for each pair that may meet: what a pair does is a function of its two motions alone.

use super::agreement::{shape, trajectory, vector};
use super::{at, deflect, impact, is_near, moving, prunings, sphere, still, with, world};
use impinge::broad::Filter;
use impinge::world::continuous::{ContinuousEvent, ContinuousWorld, Pruning};
use impinge::{BodyId, Error, Pair, Shape, Trajectory};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const UNTIL: f64 = 3.0;

/// A scene that nobody answers: shapes, trajectories, filters, and pairs that are off.
struct Crowd {
    bodies: Vec<(Shape, Trajectory, Filter)>,
    off: Vec<[usize; 2]>,
}

impl Crowd {
    fn new(seed: u64, is_snapped: bool) -> Crowd {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let bodies = (0..16).map(|_| {
            let place = vector(&mut rng, 3.0, is_snapped);
            let flight = trajectory(&mut rng, 0.0, place, is_snapped);
            let mut groups = || 1 << rng.random_range(0..3) | 1 << rng.random_range(0..3);
            let (groups, mask) = (groups(), groups());
            let filter = Filter { groups, mask };
            (shape(&mut rng, is_snapped), flight, filter)
        });
        let bodies = bodies.collect();
        let off = (0..24).map(|_| [rng.random_range(0..8), rng.random_range(8..16)]);
        Crowd {
            bodies,
            off: off.collect(),
        }
    }

    fn may_meet(&self, a: usize, b: usize) -> bool {
        let [p, q] = [a, b].map(|i| self.bodies[i].2);
        let both_ways = p.groups & q.mask != 0 && q.groups & p.mask != 0;
        both_ways && !self.off.contains(&[a, b])
    }

    /// All bodies in one world.
    fn together(&self, pruning: Pruning) -> Vec<(usize, usize, f64)> {
        let mut world = ContinuousWorld::new(with(pruning)).unwrap();
        let mut ids = Vec::new();
        for (shape, flight, filter) in &self.bodies {
            let id = world.insert(shape.clone(), *flight).unwrap();
            world.set_filter(id, *filter).unwrap();
            ids.push(id);
        }
        for [a, b] in &self.off {
            world.set_active(ids[*b], ids[*a], false).unwrap();
        }
        impacts(&mut world, &ids)
    }

    /// A world for each pair that may meet.
    fn one_by_one(&self) -> Vec<(usize, usize, f64)> {
        let mut all = Vec::new();
        for b in 0..self.bodies.len() {
            for a in (0..b).filter(|a| self.may_meet(*a, b)) {
                let mut world = world();
                let ids = [a, b].map(|i| {
                    let (shape, flight, _) = &self.bodies[i];
                    world.insert(shape.clone(), *flight).unwrap()
                });
                let found = impacts(&mut world, &ids);
                all.extend(found.into_iter().map(|(_, _, time)| (a, b, time)));
            }
        }
        all
    }
}

/// The impacts of a world that nobody answers, as numbers of bodies and times.
fn impacts(world: &mut ContinuousWorld, ids: &[BodyId]) -> Vec<(usize, usize, f64)> {
    let mut events = Vec::new();
    world.advance_to(UNTIL, &mut events).unwrap();
    let number = |id: BodyId| ids.iter().position(|other| *other == id).unwrap();
    let told = events.iter().filter_map(|event| match event {
        ContinuousEvent::Impact(impact) => Some((
            number(impact.pair.a()),
            number(impact.pair.b()),
            impact.time,
        )),
        ContinuousEvent::Rested(_) | ContinuousEvent::Expired { .. } => None,
    });
    told.collect()
}

fn sorted(mut impacts: Vec<(usize, usize, f64)>) -> Vec<(usize, usize, f64)> {
    impacts.sort_by(|p, q| (p.0, p.1).cmp(&(q.0, q.1)).then(p.2.total_cmp(&q.2)));
    impacts
}

#[test]
fn filtered_scenes_have_the_impacts_of_the_pairs_that_may_meet() {
    let count = if crate::is_full() { 300 } else { 10 };
    let (mut told, mut kept_back) = (0, 0);
    for seed in 0..count {
        for is_snapped in [false, true] {
            let crowd = Crowd::new(seed, is_snapped);
            let expected = sorted(crowd.one_by_one());
            told += expected.len();
            for pruning in prunings() {
                let found = sorted(crowd.together(pruning));
                assert_eq!(found, expected, "seed {seed}, {is_snapped}, {pruning:?}");
            }
            let everyone = Crowd {
                bodies: crowd.bodies.iter().cloned().map(unfiltered).collect(),
                off: Vec::new(),
            };
            kept_back += everyone.together(Pruning::Nothing).len() - expected.len();
        }
    }
    assert!(told > 20 && kept_back > 20, "{told}, {kept_back}");
}

fn unfiltered((shape, flight, _): (Shape, Trajectory, Filter)) -> (Shape, Trajectory, Filter) {
    (shape, flight, Filter::default())
}

const NOBODY: Filter = Filter { groups: 0, mask: 0 };

/// Two balls that meet at times 1, and leave each other at 2, on the way of the second.
fn meeting(pruning: Pruning) -> (ContinuousWorld, [BodyId; 2]) {
    let mut world = ContinuousWorld::new(with(pruning)).unwrap();
    let rest = world.insert(sphere(0.5), still(0.0, 0.0, 0.0)).unwrap();
    let way = moving(0.0, at(-3.0, 0.0, 0.0), [2.0, 0.0, 0.0]);
    let comes = world.insert(sphere(0.5), way).unwrap();
    (world, [rest, comes])
}

#[test]
fn what_is_let_through_before_it_meets_is_told() {
    for pruning in prunings() {
        let (mut world, [rest, comes]) = meeting(pruning);
        world.set_filter(rest, NOBODY).unwrap();
        assert_eq!(world.next_event(0.5).unwrap(), None);
        world.set_filter(rest, Filter::default()).unwrap();
        world.set_active(comes, rest, false).unwrap();
        assert_eq!(world.next_event(0.75).unwrap(), None);
        world.set_active(comes, rest, true).unwrap();
        assert!(is_near(impact(&mut world, 5.0).time, 1.0), "{pruning:?}");
    }
}

#[test]
fn what_met_while_it_was_off_is_past() {
    for pruning in prunings() {
        for by_filter in [true, false] {
            let (mut world, [rest, comes]) = meeting(pruning);
            let switch = |world: &mut ContinuousWorld, is_on: bool| {
                if by_filter {
                    let filter = if is_on { Filter::default() } else { NOBODY };
                    world.set_filter(comes, filter).unwrap();
                } else {
                    world.set_active(rest, comes, is_on).unwrap();
                }
            };
            switch(&mut world, false);
            assert_eq!(world.next_event(2.5).unwrap(), None);
            switch(&mut world, true);
            assert_eq!(world.next_event(3.0).unwrap(), None, "{pruning:?}");
            // Nothing but the way back makes another.
            deflect(&mut world, comes, [-2.0, 0.0, 0.0]);
            assert!(is_near(impact(&mut world, 9.0).time, 4.0), "{pruning:?}");
        }
    }
}

/// Switched on while they overlap and still approach, they are told at once, as bodies that come to be there are.
#[test]
fn what_is_let_through_in_the_middle_is_told_then() {
    for pruning in prunings() {
        let (mut world, [rest, comes]) = meeting(pruning);
        world.set_active(rest, comes, false).unwrap();
        assert_eq!(world.next_event(1.25).unwrap(), None);
        world.set_active(rest, comes, true).unwrap();
        assert_eq!(impact(&mut world, 5.0).time, 1.25, "{pruning:?}");
        assert_eq!(world.next_event(5.0).unwrap(), None);
    }
}

/// Excluding one pair leaves others as they are: a contact that was told is not told again.
#[test]
fn others_are_not_told_again() {
    for pruning in prunings() {
        let (mut world, [rest, comes]) = meeting(pruning);
        let far = world.insert(sphere(0.5), still(9.0, 0.0, 0.0)).unwrap();
        assert!(is_near(impact(&mut world, 5.0).time, 1.0));
        let some = Filter {
            groups: 1,
            mask: u32::MAX,
        };
        world.set_filter(comes, some).unwrap();
        world.set_active(far, rest, false).unwrap();
        let next = impact(&mut world, 9.0);
        assert!(is_near(next.time, 5.5), "{pruning:?}: {next:?}");
        assert_eq!(Some(next.pair), Pair::new(comes, far));
    }
}

#[test]
fn bodies_that_are_not_here_have_no_filters() {
    let (mut world, [rest, comes]) = meeting(Pruning::Hybrid);
    assert_eq!(
        world.set_active(rest, rest, false),
        Err(Error::SameBody { body: rest })
    );
    world.remove(comes).unwrap();
    let unknown = Err(Error::UnknownBody { body: comes });
    assert_eq!(world.set_active(rest, comes, false), unknown);
    assert_eq!(world.set_filter(comes, NOBODY), unknown);
    // What is inserted in its place has no part in what was said about it.
    let (mut world, [rest, comes]) = meeting(Pruning::Hybrid);
    world.set_active(rest, comes, false).unwrap();
    world.remove(comes).unwrap();
    let way = moving(0.0, at(-3.0, 0.0, 0.0), [2.0, 0.0, 0.0]);
    world.insert(sphere(0.5), way).unwrap();
    assert!(is_near(impact(&mut world, 5.0).time, 1.0));
}
