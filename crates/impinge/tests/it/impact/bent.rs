//! Motions on parabolas whose first contact has a formula.

use super::{
    Scene, at, cuboid, floor, meets_at, misses, sphere, starts_in_contact, still, straight,
};
use impinge::{Motion, Pose, Shape, Vec3};

/// Thrown from a height above the floor with a speed upwards; falling by `fall` in the first unit of time.
fn thrown(height: f64, speed: f64, fall: f64) -> Motion {
    let up = straight(at(0.5, -0.25, height), [3.0, 1.0, speed]);
    up.bent(Vec3::Z * -fall).unwrap()
}

/// When the middle comes down to a level: the later root of `height + speed t - fall t^2 = level`.
fn landing(height: f64, speed: f64, fall: f64, level: f64) -> f64 {
    (speed + (speed * speed + 4.0 * fall * (height - level)).sqrt()) / (2.0 * fall)
}

#[test]
fn what_goes_up_comes_down() {
    for (height, speed, fall) in [(1.0, 0.0, 4.0), (2.0, 3.0, 8.0), (0.75, 5.0, 7.0)] {
        let time = landing(height, speed, fall, 0.5);
        for shape in [
            sphere(0.5),
            cuboid(1.0, 2.0, 0.5),
            Shape::capsule(0.25, 0.25).unwrap(),
        ] {
            for ground in [floor(0.0), cuboid(50.0, 50.0, 1.0)] {
                let pose = if matches!(ground, Shape::HalfSpace(_)) {
                    Pose::IDENTITY
                } else {
                    at(0.0, 0.0, -1.0)
                };
                let flight = thrown(height, speed, fall);
                let scene = Scene::new((shape.clone(), flight), (ground, still(pose)), 60.0);
                if time <= 1.0 {
                    meets_at(&scene, time);
                } else {
                    misses(&scene);
                }
            }
        }
    }
}

#[test]
fn equal_accelerations_cancel() {
    let fall = Vec3::new(1.0, -2.0, -50.0);
    let a = straight(at(0.0, 0.0, 0.0), [0.0, 0.0, 0.0]);
    let b = straight(at(4.0, 0.0, 0.0), [-4.0, 0.0, 0.0]);
    let [a, b] = [a, b].map(|motion| motion.bent(fall).unwrap());
    let scene = Scene::new((sphere(1.0), a), (cuboid(0.5, 1.0, 1.0), b), 60.0);
    meets_at(&scene, 0.625);
}

#[test]
fn a_turning_point_just_short_of_contact() {
    // The ball rises to a height and no higher; a ceiling is there, or a little above.
    let top = |speed: f64, fall: f64| speed * speed / (4.0 * fall);
    let flight = straight(at(0.0, 0.0, 0.0), [0.0, 0.0, 4.0])
        .bent(Vec3::Z * -4.0)
        .unwrap();
    let ceiling = |gap: f64| at(0.0, 0.0, top(4.0, 4.0) + 0.5 + 1.0 + gap);
    for gap in [1e-9, 1e-6, 0.1] {
        let scene = Scene::new(
            (sphere(0.5), flight),
            (cuboid(9.0, 9.0, 1.0), still(ceiling(gap))),
            10.0,
        );
        misses(&scene);
    }
    let sunk = 1e-2_f64;
    let scene = Scene::new(
        (sphere(0.5), flight),
        (cuboid(9.0, 9.0, 1.0), still(ceiling(-sunk))),
        10.0,
    );
    // 4 t - 4 t^2 = 1 - sunk.
    meets_at(&scene, 0.5 - 0.5 * sunk.sqrt());
}

#[test]
fn contact_at_the_start_is_one() {
    let rising = straight(at(0.0, 0.0, 1.5), [0.0, 0.0, 3.0])
        .bent(Vec3::Z * -1.0)
        .unwrap();
    let scene = Scene::new(
        (cuboid(0.5, 0.5, 0.5), rising),
        (cuboid(1.0, 1.0, 1.0), still(Pose::IDENTITY)),
        10.0,
    );
    starts_in_contact(&scene);
}
