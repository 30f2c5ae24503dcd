//! Straight motions whose first contact has a formula.

use super::{
    Scene, at, cuboid, floor, meets_at, misses, sphere, starts_in_contact, still, straight,
};
use impinge::{Feature, Pose, Shape, Vec3};

#[test]
fn balls_meet_at_the_root_of_a_quadratic() {
    // Centres d + v t apart: |d + v t| = r + s.
    for (d, v, sum) in [
        ([4.0, 0.0, 0.0], [-8.0, 0.0, 0.0], 1.0),
        ([4.0, 0.7, -0.2], [-9.0, 0.1, 0.3], 1.0),
        ([40.0, 7.0, -2.0], [-60.0, -10.0, 3.0], 1e-3),
        ([0.3, 0.4, 0.5], [-1.0, -1.0, -2.0], 0.01),
    ] {
        let (d, v) = (Vec3::from(d), Vec3::from(v));
        let half = d.dot(v);
        let root = half * half - v.dot(v) * (d.dot(d) - sum * sum);
        let a = (sphere(0.25 * sum), still(Pose::IDENTITY));
        let b = (sphere(0.75 * sum), straight(at(d.x, d.y, d.z), v.into()));
        let scene = Scene::new(a, b, 100.0);
        if root < 0.0 {
            misses(&scene);
        } else {
            meets_at(&scene, (-half - root.sqrt()) / v.dot(v));
        }
    }
}

#[test]
fn motion_is_relative() {
    let [a, b] = [[3.0, -1.0, 2.0], [-5.0, -1.0, 2.0]];
    let scene = Scene::new(
        (cuboid(1.0, 1.0, 1.0), straight(Pose::IDENTITY, a)),
        (cuboid(0.5, 2.0, 0.5), straight(at(5.5, 0.0, 0.0), b)),
        10.0,
    );
    meets_at(&scene, 0.5);
    let impact = super::ask(&scene, 1e-9, 10).unwrap();
    assert!((impact.normal.unwrap() - Vec3::X).length() < 1e-12);
    assert_eq!(impact.features[0], Feature::Face(1));
}

#[test]
fn boxes_meet_face_to_face_edge_to_edge_and_at_corners() {
    let cube = || cuboid(1.0, 1.0, 1.0);
    let from = |x, y, z| (cube(), straight(at(x, y, z), [-8.0, -8.0, -8.0]));
    let fixed = || (cube(), still(Pose::IDENTITY));
    meets_at(&Scene::new(fixed(), from(6.0, 4.0, 5.0), 16.0), 0.5);
    meets_at(&Scene::new(fixed(), from(6.0, 6.0, 5.0), 16.0), 0.5);
    meets_at(&Scene::new(fixed(), from(6.0, 6.0, 6.0), 16.0), 0.5);
}

#[test]
fn all_kinds_fall_on_the_floor() {
    let diagonal = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_4, Vec3::Z * 5.0);
    let half = 0.5_f64.sqrt();
    for (shape, depth) in [
        (sphere(0.5), 0.5),
        (cuboid(1.0, 1.0, 1.0), 2.0 * half),
        (Shape::capsule(1.0, 0.25).unwrap(), half + 0.25),
        (Shape::cylinder(1.0, 0.5).unwrap(), 1.5 * half),
        (Shape::cone(1.0, 0.5).unwrap(), 1.5 * half),
        (
            Shape::ellipsoid(Vec3::new(1.0, 0.6, 0.8)).unwrap(),
            half * 1.0,
        ),
        (
            cuboid(1.0, 1.0, 1.0).rounded(0.5).unwrap(),
            2.0 * half + 0.5,
        ),
    ] {
        let fall = straight(diagonal.clone().unwrap(), [0.5, -0.25, -8.0]);
        let scene = Scene::new((floor(-0.5), still(Pose::IDENTITY)), (shape, fall), 20.0);
        meets_at(&scene, (5.5 - depth) / 8.0);
    }
}

#[test]
fn a_half_space_moves_along_its_normal_only() {
    let plane = || Shape::half_space(Vec3::new(0.0, 0.0, 3.0), 3.0).unwrap();
    let rise = straight(Pose::IDENTITY, [100.0, -50.0, 4.0]);
    let ball = || (sphere(0.5), still(at(7.0, 7.0, 3.5)));
    meets_at(&Scene::new((plane(), rise), ball(), 200.0), 0.5);
    let slide = straight(Pose::IDENTITY, [100.0, -50.0, 0.0]);
    misses(&Scene::new((plane(), slide), ball(), 200.0));
}

#[test]
fn half_spaces() {
    let ceiling = Shape::half_space(Vec3::new(0.0, 0.0, -1.0), -1.0).unwrap();
    let sinking = straight(Pose::IDENTITY, [3.0, 2.0, -2.0]);
    let lower = (floor(0.0), still(Pose::IDENTITY));
    meets_at(
        &Scene::new(lower.clone(), (ceiling.clone(), sinking), 10.0),
        0.5,
    );
    let rising = straight(Pose::IDENTITY, [3.0, 2.0, 2.0]);
    misses(&Scene::new(lower.clone(), (ceiling, rising), 10.0));
    let tilted = Shape::half_space(Vec3::new(0.1, 0.0, -1.0), -1.0).unwrap();
    starts_in_contact(&Scene::new(lower, (tilted, rising), 10.0));
}

#[test]
fn bullets_do_not_tunnel() {
    for thickness in [1e-3, 1e-6, 1e-9] {
        let plate = || (cuboid(1.0, 1.0, thickness), still(Pose::IDENTITY));
        for speed in [10.0, 1e3, 1e6] {
            let shot = straight(at(0.3, 0.2, 2.0), [0.0, 0.0, -speed]);
            for (bullet, below) in [
                (sphere(0.01), 0.01),
                (cuboid(0.02, 0.01, 0.01), 0.01),
                (Shape::cone(0.02, 0.01).unwrap(), 0.02),
                (Shape::ellipsoid(Vec3::new(0.01, 0.02, 0.03)).unwrap(), 0.03),
            ] {
                let scene = Scene::new(plate(), (bullet, shot), speed);
                let time = (2.0 - thickness - below) / speed;
                let impact = super::ask(&scene, 1e-3, 40).expect("it hits");
                assert!(impact.time <= time && time <= impact.bounds.upper + 1e-12);
            }
        }
    }
}

#[test]
fn grazing_is_touching_and_passing_is_not() {
    let ball = || (sphere(1.0), still(Pose::IDENTITY));
    let pass = |y: f64| (sphere(1.0), straight(at(-4.0, y, 0.0), [8.0, 0.0, 0.0]));
    let impact = super::ask(&Scene::new(ball(), pass(2.0), 8.0), 1e-3, 50).expect("they graze");
    // Within rounding of each other the balls are as soon as 1e-6 before the middle.
    assert!(impact.time <= 0.5 && impact.bounds.upper > 0.5 - 1e-6);
    misses(&Scene::new(ball(), pass(2.0 + 1e-11), 8.0));
    misses(&Scene::new(ball(), pass(2.0 + 1e-6), 8.0));

    let cube = || (cuboid(1.0, 1.0, 1.0), still(Pose::IDENTITY));
    let slide = |z: f64| {
        (
            cuboid(1.0, 1.0, 1.0),
            straight(at(-4.0, 0.0, z), [8.0, 0.0, 0.0]),
        )
    };
    meets_at(&Scene::new(cube(), slide(2.0), 8.0), 0.25);
    misses(&Scene::new(cube(), slide(2.0 + 1e-11), 8.0));
}

#[test]
fn corner_passes_corner() {
    // The corner of one cube moves along the line x + y = 2, which has only the corner of the other.
    let cube = || cuboid(1.0, 1.0, 1.0);
    let scene = |miss: f64| {
        let start = at(-1.0 + miss, 5.0 + miss, 0.0);
        let moving = (cube(), straight(start, [6.0, -6.0, 0.0]));
        Scene::new((cube(), still(Pose::IDENTITY)), moving, 10.0)
    };
    meets_at(&scene(0.0), 0.5);
    misses(&scene(1e-11));
}

#[test]
fn starts_and_ends() {
    let cube = || cuboid(1.0, 1.0, 1.0);
    let fixed = || (cube(), still(Pose::IDENTITY));
    let scene =
        |x: f64, v: [f64; 3]| Scene::new(fixed(), (cube(), straight(at(x, 0.0, 0.0), v)), 8.0);
    // Touching and leaving, sliding, or going in: touching is touching.
    for v in [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
    ] {
        starts_in_contact(&scene(2.0, v));
        starts_in_contact(&scene(1.5, v));
    }
    misses(&scene(3.0, [1.0, 0.0, 0.0]));
    misses(&scene(3.0, [0.0, 0.0, 0.0]));
    misses(&scene(3.0, [-0.999, 0.0, 0.0]));
    meets_at(&scene(3.0, [-1.0, 0.0, 0.0]), 1.0);
}

#[test]
fn resting_within_rounding_and_not_coming_closer_is_no_impact() {
    let cube = || cuboid(1.0, 1.0, 1.0);
    let above = 2.0_f64.next_up();
    for v in [
        [1.0, 0.5, 0.0],
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1e-300],
        [-1.0, 0.0, 2.0],
    ] {
        let moving = (cube(), straight(at(0.0, 0.0, above), v));
        misses(&Scene::new((cube(), still(Pose::IDENTITY)), moving, 4.0));
    }
    let sinking = (cube(), straight(at(0.0, 0.0, above), [0.0, 0.0, -1.0]));
    let impact = super::ask(
        &Scene::new((cube(), still(Pose::IDENTITY)), sinking, 4.0),
        1e-9,
        10,
    );
    assert!(impact.expect("they touch").time < 1e-12);
}
