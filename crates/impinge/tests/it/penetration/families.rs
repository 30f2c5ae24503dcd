//! Families of pairs: random, on a grid, exactly touching, thin, tiny, huge, far away, large.

use super::oracle::check_all;
use super::{Body, ask, check, check_moves};
use impinge::exact::counts;
use impinge::narrow::{PairCache, PolytopePair, signed_distance_each};
use impinge::{Mat3, Polytope, Pose, Quat, SignedDistance, Vec3};
use impinge_scenes::points::{in_ball, in_cube, on_grid, on_sphere};
use impinge_scenes::polytopes::random_polytope;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn cube() -> Polytope {
    Polytope::cuboid(Vec3::ONE).unwrap()
}

/// A turn that is different for each seed, and a translation.
fn turned(seed: u64, translation: Vec3) -> Pose {
    let axis = on_sphere(1, seed)[0];
    let turn = Quat::from_axis_angle(axis, 1.0 + seed as f64);
    Pose::from_quat(turn, translation).unwrap()
}

#[test]
fn cubes_of_one_orientation() {
    let cube = cube();
    let steps = [-2.0, -1.75, -0.5, 0.0, 1.0, 2.0];
    for (k, x) in steps.into_iter().enumerate() {
        for y in &steps[k..] {
            for z in [0.0, 0.25, 2.0, 2.25] {
                let (a, b) = (
                    Body::new(&cube, Pose::IDENTITY),
                    Body::new(&cube, at(x, *y, z)),
                );
                let overlaps = check_all(a, b);
                assert_eq!(overlaps, z <= 2.0);
            }
        }
    }
}

#[test]
fn cubes_quarter_turned_and_tilted() {
    let cube = cube();
    let quarter = Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::Z);
    let diagonal = std::f64::consts::FRAC_1_SQRT_2;
    let on_edge = Mat3::from_cols(
        Vec3::new(diagonal, diagonal, 0.0),
        Vec3::new(-diagonal, diagonal, 0.0),
        Vec3::Z,
    );
    for matrix in [quarter, on_edge, on_edge * quarter] {
        for offset in [
            Vec3::ZERO,
            Vec3::X * 0.5,
            Vec3::new(1.5, 1.5, 0.25),
            Vec3::new(2.0, 0.0, 2.0),
            Vec3::new(1.0 + 2.0 * diagonal, 0.0, 0.0),
        ] {
            let pose = Pose::from_matrix(matrix, offset).unwrap();
            check_all(Body::new(&cube, Pose::IDENTITY), Body::new(&cube, pose));
            check_all(Body::new(&cube, pose), Body::new(&cube, pose));
        }
    }
    let tilted = Pose::from_axis_angle(Vec3::ONE, 0.5, Vec3::new(1.2, 0.3, 0.7)).unwrap();
    let pair = (Body::new(&cube, Pose::IDENTITY), Body::new(&cube, tilted));
    assert!(check_all(pair.0, pair.1));
    check_moves(pair.0, pair.1);
}

/// Turned by angles at which edges are nearly parallel: their products are all rounding.
#[test]
fn cubes_nearly_aligned() {
    let cube = cube();
    for exponent in 1..=16 {
        let angle = 10f64.powi(-exponent);
        for axis in [Vec3::Z, Vec3::ONE, Vec3::new(0.3, -0.2, 0.9)] {
            for offset in [Vec3::new(0.25, 0.5, 1.5), Vec3::new(0.0, 0.0, 2.0 - 1e-9)] {
                let pose = Pose::from_axis_angle(axis, angle, offset).unwrap();
                let (a, b) = (Body::new(&cube, Pose::IDENTITY), Body::new(&cube, pose));
                assert!(check_all(a, b));
            }
        }
    }
}

#[test]
fn random_small_hulls() {
    let mut overlapping = 0;
    for seed in 0..120 {
        let sizes = [4 + seed as usize % 4, 4 + seed as usize / 4 % 4];
        let [p, q] =
            [0, 1].map(|k| Polytope::from_points(&in_cube(sizes[k], 2 * seed + k as u64)).unwrap());
        let offset = in_ball(1, seed)[0] * 1.2;
        let (a, b) = (
            Body::new(&p, turned(seed, Vec3::ZERO)),
            Body::new(&q, turned(seed + 7, offset)),
        );
        overlapping += u32::from(check_all(a, b));
    }
    assert!((40..110).contains(&overlapping), "{overlapping} overlap");
}

/// Whole coordinates: coplanar, collinear and common points are the rule, and so is touching.
#[test]
fn small_hulls_on_a_grid() {
    let (mut overlapping, mut touching) = (0, 0);
    let solid = |seed: u64| Polytope::from_points(&on_grid(6, 3, seed)).ok();
    for seed in 0..400 {
        let (Some(p), Some(q)) = (solid(2 * seed), solid(2 * seed + 1)) else {
            continue;
        };
        let [offset] = *on_grid(1, 4, seed).as_array().unwrap();
        let (a, b) = (
            Body::new(&p, Pose::IDENTITY),
            Body::new(&q, at(offset.x - 1.0, offset.y - 1.0, offset.z - 1.0)),
        );
        if check_all(a, b) {
            overlapping += 1;
            let deep = ask(a, b, &mut PairCache::default()).unwrap();
            touching += u32::from(deep.depth == 0.0);
        }
    }
    assert!(
        overlapping > 100 && touching > 20,
        "{overlapping} {touching}"
    );
}

#[test]
fn nested_and_identical() {
    for faces in [8, 36, 500] {
        let polytope = random_polytope(faces, 3).unwrap();
        let small = polytope.vertices().iter().map(|v| *v * 0.25);
        let small = Polytope::from_points(&small.collect::<Vec<_>>()).unwrap();
        for seed in 0..4 {
            let pose = turned(seed, Vec3::new(1.0, 2.0, 3.0));
            check(Body::new(&polytope, pose), Body::new(&polytope, pose));
            check(Body::new(&polytope, pose), Body::new(&small, pose));
            let shifted = turned(seed + 1, Vec3::new(1.1, 1.9, 3.05));
            check(Body::new(&small, shifted), Body::new(&polytope, pose));
        }
    }
}

#[test]
fn touching_exactly() {
    let cube = cube();
    let origin = Body::new(&cube, Pose::IDENTITY);
    for away in [
        (2.0, 0.0, 0.0),
        (2.0, 0.5, -1.0),
        (2.0, 2.0, 0.5),
        (2.0, -2.0, 2.0),
    ] {
        let (x, y, z) = away;
        let deep = check(origin, Body::new(&cube, at(x, y, z))).unwrap();
        assert_eq!(deep.depth, 0.0);
        assert!(check(origin, Body::new(&cube, at(x.next_up(), y, z))).is_none());
    }
    // One unit in the last place inside is an overlap of that much: the cube from 1 - 2^-53 to 3 - 2^-53.
    let low = 1.0_f64.next_down();
    let corners = cube
        .vertices()
        .iter()
        .map(|v| Vec3::new(v.x + 2.0, v.y, v.z));
    let corners = corners.map(|v| if v.x < 2.0 { v.with_x(low) } else { v });
    let inside = Polytope::from_points(&corners.collect::<Vec<_>>()).unwrap();
    let deep = check(origin, Body::new(&inside, Pose::IDENTITY)).unwrap();
    assert_eq!(deep.depth, f64::EPSILON / 2.0);
}

#[test]
fn shallow_overlaps() {
    let polytope = random_polytope(36, 9).unwrap();
    for seed in 0..12 {
        let (pose_a, pose_b) = (turned(seed, Vec3::ZERO), turned(seed + 5, Vec3::X * 1.2));
        let (a, b) = (Body::new(&polytope, pose_a), Body::new(&polytope, pose_b));
        let Some(deep) = check(a, b) else { continue };
        for shallow in [1e-3, 1e-6, 1e-9, 1e-12, 1e-14] {
            let way = deep.direction * (deep.depth - shallow);
            let moved = turned(seed + 5, Vec3::X * 1.2 + way);
            let left = check(a, Body::new(&polytope, moved)).unwrap();
            assert!((left.depth - shallow).abs() < 1e-15);
        }
    }
}

#[test]
fn random_polytopes_in_flight() {
    let (mut overlapping, mut exact_answers) = (0, 0);
    for seed in 0..60 {
        let [p, q] = [0, 1].map(|k| random_polytope(36, 2 * seed + k).unwrap());
        let mut cache = PairCache::default();
        let velocity = on_sphere(1, seed)[0] * 0.1;
        for frame in -4..4 {
            let offset = in_ball(1, seed)[0] * 1.5 + velocity * f64::from(frame);
            let turn = Quat::from_axis_angle(Vec3::Y, 0.17 * f64::from(frame));
            let (a, b) = (
                Body::new(&p, turned(seed, Vec3::ZERO)),
                Body::new(&q, Pose::from_quat(turn, offset).unwrap()),
            );
            let before = counts();
            let found = ask(a, b, &mut cache);
            exact_answers += (counts() - before).big;
            overlapping += u32::from(found.is_some());
            if frame == 0 {
                check(a, b);
            }
            let exact = impinge::exact::hull_penetration(&a.placed(), &b.placed());
            super::check_one(a, b, found, exact.as_ref());
        }
    }
    assert!(overlapping > 200, "{overlapping}");
    assert_eq!(exact_answers, 0);
}

/// Polytopes that are climbed, not scanned.
#[test]
fn large_polytopes() {
    for (faces, seeds) in [(200, 0..8), (2000, 8..10)] {
        for seed in seeds {
            let [p, q] = [0, 1].map(|k| random_polytope(faces, 2 * seed + k).unwrap());
            for distance in [0.2, 1.0, 1.9] {
                let offset = on_sphere(1, seed)[0] * distance;
                let (a, b) = (
                    Body::new(&p, turned(seed, Vec3::ONE)),
                    Body::new(&q, turned(seed + 3, Vec3::ONE + offset)),
                );
                check(a, b);
                check_moves(a, b);
            }
        }
    }
}

/// Many pairs at once, frame by frame: each answer as good as that of the pair alone, none exact but those that touch.
#[test]
fn a_crowd_in_flight() {
    let shapes: Vec<Polytope> = (0..10)
        .map(|k| random_polytope([12, 36, 500][k % 3], k as u64).unwrap())
        .collect();
    let (starts, velocities) = (in_cube(10, 1), on_sphere(10, 2));
    let mut caches = [PairCache::default(); 45];
    let (mut overlapping, mut apart, mut exact_answers) = (0, 0, 0);
    for frame in 0..if crate::is_full() { 60 } else { 6 } {
        let poses: Vec<Pose> = (0..10)
            .map(|k| {
                let turn = Quat::from_axis_angle(velocities[9 - k], 0.17 * f64::from(frame));
                let position = starts[k] * 1.5 + velocities[k] * (0.1 * f64::from(frame));
                Pose::from_quat(turn, position).unwrap()
            })
            .collect();
        let numbers = (0..10).flat_map(|i| (i + 1..10).map(move |j| (i, j)));
        let numbers: Vec<(usize, usize)> = numbers.collect();
        let mut pairs: Vec<PolytopePair> = numbers
            .iter()
            .zip(&mut caches)
            .map(|(&(i, j), cache)| PolytopePair {
                a: &shapes[i],
                pose_a: &poses[i],
                b: &shapes[j],
                pose_b: &poses[j],
                cache,
            })
            .collect();
        let before = counts();
        let mut answers = vec![None; pairs.len()];
        signed_distance_each(&mut pairs, |k, signed| answers[k] = Some(signed));
        exact_answers += (counts() - before).big;
        for (&(i, j), answer) in numbers.iter().zip(answers) {
            let (a, b) = (
                Body::new(&shapes[i], poses[i]),
                Body::new(&shapes[j], poses[j]),
            );
            let exact = impinge::exact::hull_penetration(&a.placed(), &b.placed());
            match answer.unwrap() {
                SignedDistance::Overlapping(deep) => {
                    overlapping += 1;
                    super::check_one(a, b, Some(deep), exact.as_ref());
                }
                SignedDistance::Apart(_) => {
                    apart += 1;
                    assert!(exact.is_none());
                }
            }
        }
    }
    assert!(overlapping > 60 && apart > 60, "{overlapping} {apart}");
    assert_eq!(exact_answers, 0);
}

#[test]
fn needles_and_plates() {
    for (k, stretch) in [
        Vec3::new(1e6, 1.0, 1.0),
        Vec3::new(1.0, 1e-6, 1.0),
        Vec3::new(1e3, 1.0, 1e-3),
    ]
    .into_iter()
    .enumerate()
    {
        for seed in 0..12 {
            let [p, q] = [0, 1].map(|side| {
                let points = on_sphere(8, 2 * seed + side)
                    .into_iter()
                    .map(|p| p * stretch);
                Polytope::from_points(&points.collect::<Vec<_>>()).unwrap()
            });
            let shift = in_ball(1, seed + 100)[0] * 0.2 * stretch.min_element();
            let turn = turned(seed + k as u64, shift);
            check_all(Body::new(&p, Pose::IDENTITY), Body::new(&q, turn));
            check_all(
                Body::new(&p, turned(seed, Vec3::ZERO)),
                Body::new(&q, turned(seed, shift)),
            );
        }
    }
}

#[test]
fn all_sizes_everywhere() {
    let points = |seed: u64, size: f64| -> Vec<Vec3> {
        on_sphere(12, seed).into_iter().map(|p| p * size).collect()
    };
    for size in [1e-9, 1e-3, 1.0, 1e4, 1e9] {
        for other in [size, size * 1e-6, 1.0] {
            for center in [0.0, 1.0, 1e6, 1e9] {
                let p = Polytope::from_points(&points(1, size)).unwrap();
                let q = Polytope::from_points(&points(2, other)).unwrap();
                let center = Vec3::new(center, -center, 0.5 * center);
                let offset = Vec3::new(0.3, 0.4, 0.5) * (size + other);
                let (a, b) = (
                    Body::new(&p, turned(3, center)),
                    Body::new(&q, turned(4, center + offset)),
                );
                check(a, b);
            }
        }
    }
}

#[test]
fn extreme_exponents() {
    let points =
        |size: f64| -> Vec<Vec3> { on_sphere(6, 1).into_iter().map(|p| p * size).collect() };
    for size in [1e-300, 1e-120, 1e120, 1e300] {
        let p = Polytope::from_points(&points(size)).unwrap();
        let (a, b) = (
            Body::new(&p, Pose::IDENTITY),
            Body::new(&p, at(0.3 * size, 0.2 * size, 0.0)),
        );
        let deep = check(a, b).unwrap();
        assert!(deep.depth > 0.1 * size);
    }
}
