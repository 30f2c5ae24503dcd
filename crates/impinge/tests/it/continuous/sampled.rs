//! Impacts against fine sampling of exact tests: none missed, none late.

use super::{moving, with};
use impinge::world::continuous::{ContinuousEvent, ContinuousWorld, Pruning};
use impinge::{BodyId, Pair, Pose, Quat, Shape, Trajectory, Vec3, query};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

const END: f64 = 3.0;
const SAMPLES: u32 = 600;

fn vector(rng: &mut ChaCha8Rng, far: f64) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| rng.random_range(-far..=far)))
}

fn body(rng: &mut ChaCha8Rng) -> (Shape, Trajectory) {
    let shape = match rng.random_range(0..5) {
        0 => Shape::sphere(0.4),
        1 => Shape::cuboid(Vec3::new(0.7, 0.4, 0.2)),
        // Thin, and fast below.
        2 => Shape::cuboid(Vec3::new(1.5, 1.5, 0.002)),
        3 => Shape::cylinder(0.5, 0.3),
        _ => Shape::capsule(0.6, 0.1),
    };
    let pose = Pose::from_quat(Quat::from_scaled_axis(vector(rng, 3.0)), vector(rng, 4.0)).unwrap();
    let fast = if rng.random_bool(0.2) { 30.0 } else { 2.0 };
    let mut flight = moving(0.0, pose, vector(rng, fast).to_array());
    if rng.random_bool(0.5) {
        flight = flight.accelerated(vector(rng, 4.0)).unwrap();
    }
    if rng.random_bool(0.5) {
        flight = flight.spinning(vector(rng, 4.0), vector(rng, 0.5)).unwrap();
    }
    (shape.unwrap(), flight)
}

/// The first impact of each pair, when nobody answers.
fn first_impacts(bodies: &[(Shape, Trajectory)]) -> HashMap<Pair, f64> {
    let mut world = ContinuousWorld::new(with(Pruning::Hybrid)).unwrap();
    let mut ids: Vec<BodyId> = Vec::new();
    for (shape, flight) in bodies {
        ids.push(world.insert(shape.clone(), *flight).unwrap());
    }
    let mut events = Vec::new();
    world.advance_to(END, &mut events).unwrap();
    let mut first = HashMap::new();
    for event in events {
        if let ContinuousEvent::Impact(impact) = event {
            first.entry(impact.pair).or_insert(impact.time);
        }
    }
    first
}

#[test]
fn nothing_is_missed_or_late() {
    let count = if crate::is_full() { 500 } else { 12 };
    let (mut met, mut apart) = (0, 0);
    for seed in 0..count {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let bodies: Vec<_> = (0..10).map(|_| body(&mut rng)).collect();
        let found = first_impacts(&bodies);
        let found: HashMap<[u32; 2], f64> = found
            .into_iter()
            .map(|(pair, time)| ([pair.a().index(), pair.b().index()], time))
            .collect();
        for i in 0..bodies.len() {
            for j in i + 1..bodies.len() {
                let touch = |t: f64| {
                    let placed = |k: usize| bodies[k].0.at(bodies[k].1.pose_at(t).unwrap());
                    query::intersects(placed(i), placed(j))
                };
                if touch(0.0) {
                    continue;
                }
                let told = found.get(&[i as u32, j as u32]).copied();
                let until = told.unwrap_or(END);
                for k in 1..=SAMPLES {
                    let t = until * f64::from(k) / f64::from(SAMPLES);
                    assert!(
                        !touch(t),
                        "seed {seed}: {i} and {j} touch at {t}, told {told:?}"
                    );
                }
                match told {
                    // Very soon after, they do: or came within rounding.
                    Some(_) => met += 1,
                    None => apart += 1,
                }
                if let Some(time) = told {
                    let near = |k: usize, t: f64| bodies[k].0.at(bodies[k].1.pose_at(t).unwrap());
                    let gap = query::distance(near(i, time), near(j, time)).distance;
                    assert!(
                        gap < 1e-6,
                        "seed {seed}: {i} and {j} are {gap} apart at {time}"
                    );
                }
            }
        }
    }
    assert!(met > 20 && apart > 100, "{met}, {apart}");
}
