//! All prunings tell the same events, bit for bit, whatever the application answers.

use super::{prunings, with};
use impinge::broad::Filter;
use impinge::world::continuous::{ContinuousEvent, ContinuousOptions, ContinuousWorld, Pruning};
use impinge::{BodyId, Pose, Quat, Shape, Trajectory, Vec3};
use impinge_scenes::elastic::{BodyKind, Elastic, ElasticOptions};
use impinge_scenes::polytopes::random_polytope;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(super) fn vector(rng: &mut ChaCha8Rng, far: f64, is_snapped: bool) -> Vec3 {
    let v = Vec3::from(std::array::from_fn(|_| rng.random_range(-far..=far)));
    if is_snapped { v.round() } else { v }
}

/// A motion from here on: still, straight, on a parabola, or turning. On the grid everything is small integers, so that many things
/// happen at once.
pub(super) fn trajectory(
    rng: &mut ChaCha8Rng,
    time: f64,
    place: Vec3,
    is_snapped: bool,
) -> Trajectory {
    let pose = if is_snapped {
        Pose::from_translation(place)
    } else {
        Pose::from_quat(Quat::from_scaled_axis(vector(rng, 3.0, false)), place)
    };
    let kind = rng.random_range(0..4);
    let velocity = if kind == 0 {
        Vec3::ZERO
    } else {
        vector(rng, 2.0, is_snapped)
    };
    let straight = Trajectory::moving(time, pose.unwrap(), velocity).unwrap();
    match kind {
        2 => straight.accelerated(vector(rng, 2.0, is_snapped)).unwrap(),
        3 if !is_snapped => straight
            .spinning(vector(rng, 2.0, false), vector(rng, 0.3, false))
            .unwrap(),
        _ => straight,
    }
}

pub(super) fn shape(rng: &mut ChaCha8Rng, is_snapped: bool) -> Shape {
    if is_snapped {
        return Shape::cuboid(Vec3::splat(0.5)).unwrap();
    }
    match rng.random_range(0..4) {
        0 => Shape::sphere(rng.random_range(0.2..0.8)),
        1 => Shape::cuboid(Vec3::from(std::array::from_fn(|_| {
            rng.random_range(0.1..0.8)
        }))),
        2 => Shape::capsule(0.5, 0.25),
        _ => random_polytope(20, rng.random()).map(Shape::from),
    }
    .unwrap()
}

/// Gives a few bodies other filters, and switches a few pairs.
fn change_filters(world: &mut ContinuousWorld, rng: &mut ChaCha8Rng, bodies: &[BodyId]) {
    for _ in 0..4 {
        let mut groups = || 1 << rng.random_range(0..2) | 1 << rng.random_range(0..2);
        let (groups, mask) = (groups(), groups());
        let pick = |rng: &mut ChaCha8Rng| bodies[rng.random_range(0..bodies.len())];
        let (body, a, b) = (pick(rng), pick(rng), pick(rng));
        world.set_filter(body, Filter { groups, mask }).unwrap();
        if a != b {
            world.set_active(a, b, rng.random_bool(0.3)).unwrap();
        }
    }
}

/// Runs a scene with answers, insertions and removals that depend on the events alone.
fn run(seed: u64, pruning: Pruning, is_snapped: bool) -> Vec<ContinuousEvent> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut world = ContinuousWorld::new(with(pruning)).unwrap();
    let mut bodies: Vec<BodyId> = Vec::new();
    for _ in 0..20 {
        let place = vector(&mut rng, 3.0, is_snapped);
        let flight = trajectory(&mut rng, 0.0, place, is_snapped);
        let shape = shape(&mut rng, is_snapped);
        bodies.push(world.insert(shape, flight).unwrap());
    }
    let mut events = Vec::new();
    for stop in 1..=6 {
        let until = f64::from(stop) * 0.5;
        while let Some(event) = world.next_event(until).unwrap() {
            events.push(event);
            if events.len() > 400 {
                return events;
            }
            if let ContinuousEvent::Impact(impact) = event
                && rng.random_bool(0.8)
            {
                for body in [impact.pair.a(), impact.pair.b()] {
                    let pose = world.pose(body).unwrap();
                    let velocity = -world.velocity(body).unwrap();
                    let back = Trajectory::moving(world.time(), pose, velocity).unwrap();
                    world.set_motion(body, back).unwrap();
                }
            }
        }
        let place = vector(&mut rng, 5.0, is_snapped);
        let flight = trajectory(&mut rng, until, place, is_snapped);
        match stop % 3 {
            0 => {
                let gone = bodies.swap_remove(rng.random_range(0..bodies.len()));
                world.remove(gone).unwrap();
            }
            1 => {
                let shape = shape(&mut rng, is_snapped);
                bodies.push(world.insert(shape, flight).unwrap());
            }
            _ => {
                let body = bodies[rng.random_range(0..bodies.len())];
                world.set_motion(body, flight).unwrap();
                change_filters(&mut world, &mut rng, &bodies);
            }
        }
        world.validate();
    }
    events
}

#[test]
fn same_events_whatever_prunes() {
    let count = if crate::is_full() { 400 } else { 12 };
    let mut total = 0;
    for seed in 0..count {
        for is_snapped in [false, true] {
            let expected = run(seed, Pruning::Nothing, is_snapped);
            let times: Vec<f64> = expected.iter().map(ContinuousEvent::time).collect();
            assert!(times.is_sorted(), "{times:?}");
            total += expected.len();
            for pruning in prunings() {
                let found = run(seed, pruning, is_snapped);
                let differs = found.iter().zip(&expected).position(|(a, b)| a != b);
                assert!(
                    found == expected,
                    "seed {seed}, snapped {is_snapped}, {pruning:?}: {} of {} events, first difference {:?}",
                    found.len(),
                    expected.len(),
                    differs.map(|i| (found[i], expected[i])),
                );
            }
        }
    }
    assert!(total > 20 * usize::try_from(count).unwrap(), "{total}");
}

#[test]
fn a_hundred_polytopes_end_at_the_same_places() {
    let scene = ElasticOptions {
        bodies: 100,
        kind: BodyKind::Polytopes(20),
        density_percent: 12.0,
        ..ElasticOptions::default()
    };
    let run = |pruning: Pruning| {
        let options = ContinuousOptions {
            pruning,
            ..ContinuousOptions::default()
        };
        let mut scene = Elastic::new(&scene, options).unwrap();
        scene.advance_to(10.0).unwrap();
        let places: Vec<Pose> = scene
            .bodies
            .iter()
            .map(|b| scene.world.pose(*b).unwrap())
            .collect();
        (scene.impacts, places)
    };
    let expected = run(Pruning::Nothing);
    assert!(expected.0[0] > 100, "{:?}", expected.0);
    for pruning in prunings() {
        assert!(run(pruning) == expected, "{pruning:?}");
    }
}
