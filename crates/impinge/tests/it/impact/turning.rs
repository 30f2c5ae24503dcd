//! Motions with turns whose first contact has a formula.

use super::{ROUNDING, Scene, ask, at, cuboid, floor, meets_at, misses, sphere, still, turning};
use impinge::{ImpactKind, Motion, Pose, Shape, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A rod along x that turns about z, and a ball in its way at an angle.
fn rod_and_ball(rod: Shape, half_width: f64, turn: f64) {
    for angle in [0.5, 1.5, 2.5] {
        for (far, radius) in [(4.0, 0.0), (4.5, 0.125), (1.0, 0.25)] {
            let ball = sphere(radius);
            let place = at(far * f64::cos(angle), far * f64::sin(angle), 0.0);
            let turned = angle - f64::asin((half_width + radius) / far);
            let spin = turning(Pose::IDENTITY, [0.0, 0.0, turn]);
            let scene = Scene::new(
                (rod.clone(), spin),
                (ball, still(place)),
                5.0 * (1.0 + turn),
            );
            if turned <= turn {
                meets_at(&scene, turned / turn);
            } else {
                misses(&scene);
            }
        }
    }
}

#[test]
fn rods_sweep() {
    for turn in [2.0, PI, 3.0 * TAU] {
        rod_and_ball(cuboid(5.0, 0.125, 0.25), 0.125, turn);
        let along_x = Shape::hull(&[
            Vec3::new(-5.0, -0.125, -0.5),
            Vec3::new(-5.0, 0.125, 0.5),
            Vec3::new(-5.0, -0.125, 0.5),
            Vec3::new(-5.0, 0.125, -0.5),
            Vec3::new(5.0, -0.125, -0.5),
            Vec3::new(5.0, 0.125, 0.5),
            Vec3::new(5.0, -0.125, 0.5),
            Vec3::new(5.0, 0.125, -0.5),
        ]);
        rod_and_ball(along_x.unwrap(), 0.125, turn);
    }
}

#[test]
fn a_rod_falls_over_onto_the_floor() {
    // A rod stands on its pivot and tips until it lies flat, its axis at the height of the pivot.
    for rod in [
        Shape::capsule(2.0, 0.25).unwrap(),
        cuboid(0.25, 0.25, 2.0),
        Shape::cylinder(2.0, 0.25).unwrap(),
    ] {
        let tip = Motion::new(
            at(0.0, 0.0, 0.5),
            Vec3::ZERO,
            Vec3::Y * FRAC_PI_2,
            Vec3::Z * -2.0,
        );
        let tip = tip.unwrap();
        for clearance in [1e-2, 1e-6, 1e-11] {
            let under = (floor(-1.75 - clearance), still(Pose::IDENTITY));
            misses(&Scene::new((rod.clone(), tip), under, 5.0));
        }
    }
    // With half a turn the far end goes down to 4 below the pivot, at an angle with a cosine of -1/4 to 1.
    let capsule = Shape::capsule(2.0, 0.25).unwrap();
    let tip = Motion::new(at(0.0, 0.0, 0.5), Vec3::ZERO, Vec3::Y * PI, Vec3::Z * -2.0).unwrap();
    let scene = Scene::new((capsule, tip), (floor(-2.75), still(Pose::IDENTITY)), 8.0);
    meets_at(&scene, f64::acos(-0.25) / PI);
}

#[test]
fn a_turning_half_space_meets_a_ball() {
    // The floor turns about y: the ball's centre (d, 0, h) is at d sin(angle) + h cos(angle) above it.
    let ball = || (sphere(0.5), still(at(-4.0, 3.0, 2.0)));
    let turn = |angle: f64| (floor(0.0), turning(Pose::IDENTITY, [0.0, angle, 0.0]));
    let meeting = f64::atan2(2.0, 4.0) - f64::asin(0.5 / 20_f64.sqrt());
    meets_at(&Scene::new(turn(1.0), ball(), 10.0), meeting);
    meets_at(&Scene::new(turn(10.0), ball(), 40.0), meeting / 10.0);
    misses(&Scene::new(turn(0.99 * meeting), ball(), 10.0));
}

#[test]
fn half_spaces_that_turn() {
    let ceiling = Shape::half_space(Vec3::new(0.0, 0.0, -1.0), -1.0).unwrap();
    let spin = turning(Pose::IDENTITY, [0.0, 0.5, 0.0]);
    let scene = Scene::new(
        (floor(0.0), still(Pose::IDENTITY)),
        (ceiling.clone(), spin),
        4.0,
    );
    let impact = scene
        .answer(1e-9)
        .unwrap()
        .expect("planes that are not parallel meet");
    assert_eq!((impact.time, impact.kind), (0.0, ImpactKind::Contact));
    // Turning alike they stay parallel, one unit apart.
    let scene = Scene::new((floor(0.0), spin), (ceiling, spin), 4.0);
    assert_eq!(scene.answer(1e-9).unwrap(), None);
}

#[test]
fn what_spins_in_place_keeps_its_distance() {
    // A wheel turns about its axle above the floor; a prism inside the same circle touches it sooner or later.
    let axle = Pose::from_axis_angle(Vec3::X, FRAC_PI_2, Vec3::Z).unwrap();
    let spin = Motion::new(axle, Vec3::X * 5.0, Vec3::Y * 100.0, Vec3::ZERO).unwrap();
    let wheel = Shape::cylinder(0.25, 1.0).unwrap();
    for clearance in [1e-3, 1e-6, 1e-9] {
        let under = (floor(-clearance), still(Pose::IDENTITY));
        assert_eq!(
            ask(&Scene::new((wheel.clone(), spin), under, 500.0), 1e-6, 50),
            None
        );
    }
    let prism = cuboid(0.6, 0.8, 0.25);
    let under = (floor(0.001), still(Pose::IDENTITY));
    let impact = ask(&Scene::new((prism, spin), under, 500.0), 1e-6, 50).expect("a corner hits");
    // In the first quarter of a turn a corner comes down.
    assert!(impact.time < FRAC_PI_2 / 100.0);
}

#[test]
fn spinning_balls_are_balls() {
    let spin = Motion::new(
        at(5.0, 0.0, 0.0),
        Vec3::X * -8.0,
        Vec3::new(30.0, 40.0, 50.0),
        Vec3::ZERO,
    );
    let scene = Scene::new(
        (sphere(1.0), still(Pose::IDENTITY)),
        (sphere(2.0), spin.unwrap()),
        500.0,
    );
    meets_at(&scene, 0.25);
}

#[test]
fn corners_graze() {
    // The corner of a square plate that turns passes a ball's surface: just touching, just not.
    let plate = || {
        (
            cuboid(3.0, 4.0, 0.5),
            turning(Pose::IDENTITY, [0.0, 0.0, PI]),
        )
    };
    let ball = |gap: f64| (sphere(1.0), still(at(6.0 + gap, 0.0, 0.0)));
    let scene = Scene::new(plate(), ball(0.0), 7.0);
    let impact = ask(&scene, 1e-4, 50).expect("they graze");
    // The corner (3, 4) comes to (5, 0) after minus its own angle: the one at (3, -4) does.
    let time = f64::atan2(4.0, 3.0) / PI;
    assert!(
        impact.time <= time && impact.bounds.upper >= time - 1e-4,
        "{impact:?}"
    );
    for gap in [1e-3, 1e-6, 1e-9, 1e-11] {
        assert_eq!(ask(&Scene::new(plate(), ball(gap), 7.0), 1e-9, 50), None);
    }
    let overlap = ask(&Scene::new(plate(), ball(-1e-9), 7.0), 1e-9, 50).expect("they overlap");
    assert!(overlap.time < time && overlap.time > time - 1e-4);
}

#[test]
fn two_that_turn_against_each_other() {
    // Two gears of one tooth: boxes that turn in place, side by side.
    let box_at = |x: f64, w: f64| {
        (
            cuboid(1.0, 0.25, 0.25),
            turning(at(x, 0.0, 0.0), [0.0, 0.0, w]),
        )
    };
    let scene = Scene::new(box_at(-1.5, 1.0), box_at(1.5, -1.0), 5.0);
    misses(&scene);
    // Lying towards each other a quarter turn later, they would overlap by 1/4.
    let quarter = |x: f64, w: f64| {
        let upright = Pose::from_axis_angle(Vec3::Z, FRAC_PI_2, Vec3::X * x).unwrap();
        (cuboid(1.0, 0.25, 0.25), turning(upright, [0.0, 0.0, w]))
    };
    let scene = Scene::new(quarter(-0.9, -2.0), quarter(0.9, 2.0), 5.0);
    // By symmetry they meet in the plane between them, when the corner (1, 1/4) of each gets there.
    let reach = 1.0625_f64.sqrt();
    let tilt = f64::atan2(0.25, 1.0);
    meets_at(&scene, (FRAC_PI_2 - f64::acos(0.9 / reach) - tilt) / 2.0);
    assert!(scene.distance_at(0.0) > ROUNDING);
}
