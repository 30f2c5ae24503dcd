//! All kinds of shapes on random ways, held to the contract by sampling.

use super::{ROUNDING, Scene, ask};
use impinge::{Motion, Pose, Quat, Shape, Vec3};
use impinge_scenes::polytopes::random_polytope;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(super) const KINDS: usize = 10;

pub(super) fn shape(kind: usize, rng: &mut ChaCha8Rng) -> Shape {
    let mut size = || rng.random_range(0.2..1.0);
    match kind {
        0 => Shape::sphere(size()),
        1 => Shape::cuboid(Vec3::new(size(), size(), size())),
        2 => Shape::capsule(size(), size()),
        3 => Shape::cylinder(size(), size()),
        4 => Shape::cone(size(), size()),
        5 => Shape::ellipsoid(Vec3::new(size(), size(), size())),
        6 => Shape::half_space(Vec3::new(size(), -size(), size()), -1.0),
        7 => random_polytope(36, (size() * 1e6) as u64).map(Shape::from),
        8 => Shape::cuboid(Vec3::new(2.0, size() * 0.02, size())),
        _ => Shape::cuboid(Vec3::new(size(), size(), size())).and_then(|s| s.rounded(0.3)),
    }
    .unwrap()
}

fn vector(rng: &mut ChaCha8Rng, far: f64) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| rng.random_range(-far..=far)))
}

/// A motion over the given distance, turning by up to the given angle about each axis, on a parabola of the given
/// bend; straight for none.
pub(super) fn motion(rng: &mut ChaCha8Rng, far: f64, angle: f64, bend: f64) -> Motion {
    let q = Quat::from_scaled_axis(vector(rng, 3.0));
    let start = Pose::from_quat(q, vector(rng, 2.5)).unwrap();
    let pivot = if rng.random_bool(0.5) {
        Vec3::ZERO
    } else {
        vector(rng, 1.0)
    };
    let straight = Motion::new(start, vector(rng, far), vector(rng, angle), pivot).unwrap();
    if bend == 0.0 {
        return straight;
    }
    straight.bent(vector(rng, bend)).unwrap()
}

/// Asks about pairs of all kinds; returns how many met, and how many did not.
fn run(rounds: u64, angle: f64, bend: f64, samples: u32) -> [u32; 2] {
    let mut seen = [0; 2];
    for seed in 0..rounds {
        let mut rng = ChaCha8Rng::seed_from_u64(seed + 1000 * angle as u64);
        for first in 0..KINDS {
            for second in 0..KINDS {
                let a = (shape(first, &mut rng), motion(&mut rng, 4.0, angle, bend));
                let b = (shape(second, &mut rng), motion(&mut rng, 4.0, angle, bend));
                let scene = Scene::new(a, b, (10.0 + 2.0 * bend) * (1.0 + angle));
                let tolerance = [1e-2, 1e-6, 1e-10][rng.random_range(0..3)];
                if first == 6 && second == 6 {
                    continue;
                }
                match ask(&scene, tolerance, samples) {
                    Some(_) => seen[0] += 1,
                    None => {
                        seen[1] += 1;
                        stays_apart(&scene);
                    }
                }
            }
        }
    }
    seen
}

/// Descends to the smallest distances on the way and finds no contact there.
fn stays_apart(scene: &Scene) {
    let steps = 16;
    let times: Vec<f64> = (0..=steps)
        .map(|i| f64::from(i) / f64::from(steps))
        .collect();
    let distances: Vec<f64> = times.iter().map(|t| scene.distance_at(*t)).collect();
    let nearest = (1..times.len() - 1)
        .filter(|i| distances[*i] <= distances[i - 1] && distances[*i] <= distances[i + 1]);
    for i in nearest {
        let (mut low, mut high) = (times[i - 1], times[i + 1]);
        for _ in 0..20 {
            let (p, q) = (low + (high - low) * 0.4, low + (high - low) * 0.6);
            if scene.distance_at(p) < scene.distance_at(q) {
                high = q;
            } else {
                low = p;
            }
        }
        assert!(scene.distance_at(low) > ROUNDING * 1e-3, "{low}: {scene:?}");
    }
}

fn rounds(usual: u64) -> u64 {
    if crate::is_full() { 50 * usual } else { usual }
}

#[test]
fn straight_ways() {
    let seen = run(rounds(3), 0.0, 0.0, 10);
    assert!(seen.iter().all(|n| *n > 30), "{seen:?}");
}

#[test]
fn turning_ways() {
    let seen = run(rounds(2), 2.0, 0.0, 10);
    assert!(seen.iter().all(|n| *n > 20), "{seen:?}");
}

#[test]
fn many_turns() {
    let seen = run(rounds(1), 20.0, 0.0, 10);
    assert!(seen[0] > 20, "{seen:?}");
}

#[test]
fn bent_ways() {
    let seen = run(rounds(3), 0.0, 6.0, 20);
    assert!(seen.iter().all(|n| *n > 30), "{seen:?}");
}

#[test]
fn bent_and_turning_ways() {
    let seen = run(rounds(1), 2.0, 6.0, 20);
    assert!(seen.iter().all(|n| *n > 10), "{seen:?}");
}
