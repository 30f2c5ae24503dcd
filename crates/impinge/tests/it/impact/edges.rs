//! What is refused, and the ends of the range.

use super::{Scene, ask, at, cuboid, floor, meets_at, misses, sphere, still, straight, turning};
use impinge::{Error, ImpactKind, Motion, Pose, Shape, Vec3, query};

#[test]
fn bad_tolerances_are_refused() {
    let ball = sphere(1.0);
    let motion = straight(at(4.0, 0.0, 0.0), [-8.0, 0.0, 0.0]);
    let rest = still(Pose::IDENTITY);
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let answer = query::time_of_impact(&ball, &rest, &ball, &motion, tolerance);
        let message = answer.unwrap_err().to_string();
        assert!(message.starts_with("tolerance is "), "{message}");
    }
}

#[test]
fn motions_out_of_range_are_refused() {
    let ball = sphere(1.0);
    let rest = still(Pose::IDENTITY);
    for motion in [
        straight(at(4.0, 0.0, 0.0), [1e306, 0.0, 0.0]),
        turning(at(4.0, 0.0, 0.0), [0.0, 0.0, 1e13]),
    ] {
        let answer = query::time_of_impact(&ball, &rest, &ball, &motion, 1e-6);
        assert!(matches!(answer, Err(Error::OutOfRange { .. })));
    }
}

#[test]
fn sizes_from_one_end_of_the_range_to_the_other() {
    for scale in [1e-300, 1e-200, 1e-9, 1e9, 1e150, 1e300] {
        let cube = || cuboid(scale, scale, scale);
        let shot = straight(at(6.0 * scale, 0.5 * scale, 0.0), [-8.0 * scale, 0.0, 0.0]);
        for shape in [
            cube(),
            sphere(scale),
            Shape::cylinder(scale, scale).unwrap(),
            Shape::hull(
                &impinge::shape::Cuboid::new(Vec3::splat(scale))
                    .unwrap()
                    .corners(),
            )
            .unwrap(),
        ] {
            let scene = Scene::new((cube(), still(Pose::IDENTITY)), (shape, shot), 10.0 * scale);
            let impact = scene.answer(1e-9).unwrap().expect("they meet");
            assert!(
                impact.time <= 0.5 && impact.time > 0.5 - 1e-8,
                "{scale}: {impact:?}"
            );
            assert_eq!(impact.kind, ImpactKind::Contact);
        }
        let miss = straight(at(6.0 * scale, 2.5 * scale, 0.0), [-8.0 * scale, 0.0, 0.0]);
        misses(&Scene::new(
            (cube(), still(Pose::IDENTITY)),
            (cube(), miss),
            scale,
        ));
    }
}

#[test]
fn denormal_speeds_and_turns() {
    let fixed = || (cuboid(1.0, 1.0, 1.0), still(Pose::IDENTITY));
    for v in [f64::from_bits(1), 1e-310, 1e-42] {
        let creep = straight(at(3.0, 0.0, 0.0), [-v, 0.0, v]);
        misses(&Scene::new(fixed(), (cuboid(1.0, 1.0, 1.0), creep), 4.0));
        let twist = turning(at(3.0, 0.0, 0.0), [0.0, v, -v]);
        misses(&Scene::new(fixed(), (cuboid(1.0, 1.0, 1.0), twist), 4.0));
    }
}

#[test]
fn far_from_the_origin() {
    let offset = 1e6;
    let scene = Scene::new(
        (cuboid(1.0, 1.0, 1.0), still(at(offset, offset, offset))),
        (
            cuboid(1.0, 1.0, 1.0),
            straight(at(offset + 4.0, offset, offset), [-4.0, 0.0, 0.0]),
        ),
        offset,
    );
    meets_at(&scene, 0.5);
}

#[test]
fn fast_spins_end() {
    // Two cubes turn side by side, one always an eighth of a turn ahead: where one has its corner the other has its face,
    // and they need a distance of 2.6131 to pass, not the 2.8285 of their circles.
    let eighth = Pose::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_4, Vec3::X * 2.7);
    let scene = |turn: f64| {
        let spin = |start: Pose| (cuboid(1.0, 1.0, 1.0), turning(start, [0.0, 0.0, turn]));
        let ahead = spin(eighth.clone().unwrap());
        Scene::new(spin(Pose::IDENTITY), ahead, 4.0 * turn)
    };
    assert_eq!(ask(&scene(1e3), 1e-9, 100), None);
    // A million radians are too much work to decide, and it is said so.
    let impact = scene(1e6).answer(1e-9).unwrap().expect("not excluded");
    assert_eq!(impact.kind, ImpactKind::Undecided);
    assert!(impact.time > 0.0 && impact.time < 1.0);
    assert_eq!(impact.bounds.upper, 1.0);
}

#[test]
fn points_and_segments() {
    let point = || sphere(0.0);
    let shot = straight(at(0.25, 0.25, 4.0), [0.0, 0.0, -8.0]);
    meets_at(
        &Scene::new(
            (point(), shot),
            (cuboid(1.0, 1.0, 1.0), still(Pose::IDENTITY)),
            8.0,
        ),
        0.375,
    );
    meets_at(
        &Scene::new((point(), shot), (floor(0.0), still(Pose::IDENTITY)), 8.0),
        0.5,
    );
    let scene = Scene::new((point(), shot), (point(), still(at(0.25, 0.25, 0.0))), 8.0);
    meets_at(&scene, 0.5);
    misses(&Scene::new(
        (point(), shot),
        (point(), still(at(0.25, 0.2501, 0.0))),
        8.0,
    ));
    let line = Shape::capsule(1.0, 0.0).unwrap();
    let flat = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2, Vec3::ZERO).unwrap();
    let down = Motion::new(flat, Vec3::Z * -2.0, Vec3::ZERO, Vec3::ZERO).unwrap();
    let across =
        Pose::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2, Vec3::Z * -1.0).unwrap();
    let impact = ask(
        &Scene::new((line.clone(), down), (line, still(across)), 3.0),
        1e-6,
        20,
    );
    assert!((impact.expect("they cross").time - 0.5).abs() < 1e-6);
}
