//! Flights whose impacts have a formula.

use super::{
    at, cuboid, deflect, falling, impact, is_near, moving, prunings, sphere, still, with, world,
};
use impinge::world::continuous::{ContinuousEvent, ContinuousWorld, HitKind};
use impinge::{Error, Pose, Shape, Trajectory, Vec3};

#[test]
fn two_balls_head_on() {
    for pruning in prunings() {
        let mut world = ContinuousWorld::new(with(pruning)).unwrap();
        let a = world.insert(
            sphere(1.0),
            moving(0.0, at(-5.0, 0.0, 0.0), [1.0, 0.0, 0.0]),
        );
        let b = world.insert(
            sphere(0.5),
            moving(0.0, at(5.0, 0.0, 0.0), [-1.0, 0.0, 0.0]),
        );
        let found = impact(&mut world, 10.0);
        assert_eq!((Ok(found.pair.a()), Ok(found.pair.b())), (a, b));
        assert!(is_near(found.time, 4.25), "{found:?}");
        assert_eq!(found.kind, HitKind::Predicted);
        assert!(found.normal.unwrap().distance(Vec3::X) < 1e-9);
        assert!(found.point().distance(Vec3::X * 0.25) < 1e-8);
        assert_eq!(world.time(), found.time);
        // Nobody answers: they go through each other and are told no more.
        assert_eq!(world.next_event(20.0).unwrap(), None);
        assert_eq!(world.time(), 20.0);
        assert_eq!(world.stats().impacts, 1);
    }
}

#[test]
fn a_ball_bounces_on_the_floor() {
    let mut world = world();
    let floor = Shape::half_space(Vec3::Z, 0.0).unwrap();
    world
        .insert(floor, Trajectory::still(Pose::IDENTITY))
        .unwrap();
    let ball = world
        .insert(
            sphere(0.5),
            falling(0.0, at(0.0, 0.0, 5.5), [1.0, 0.0, 0.0]),
        )
        .unwrap();
    let mut expected = 1.0;
    let mut flight = 1.0;
    for _ in 0..12 {
        let found = impact(&mut world, 20.0);
        assert!(
            (found.time - expected).abs() < 1e-6,
            "{found:?}, {expected}"
        );
        let velocity = world.velocity(ball).unwrap();
        let up = falling(
            world.time(),
            world.pose(ball).unwrap(),
            [velocity.x, 0.0, -0.5 * velocity.z],
        );
        world.set_motion(ball, up).unwrap();
        expected += flight;
        flight *= 0.5;
    }
}

#[test]
fn newtons_cradle() {
    for pruning in prunings() {
        let mut world = ContinuousWorld::new(with(pruning)).unwrap();
        let balls: Vec<_> = (0..5)
            .map(|i| {
                let x = if i == 0 { -3.0 } else { 2.0 * f64::from(i) };
                let speed = if i == 0 { 1.0 } else { 0.0 };
                let flight = moving(0.0, at(x, 0.0, 0.0), [speed, 0.0, 0.0]);
                world.insert(sphere(1.0), flight).unwrap()
            })
            .collect();
        for i in 0..4 {
            let found = impact(&mut world, 10.0);
            assert_eq!((found.pair.a(), found.pair.b()), (balls[i], balls[i + 1]));
            assert!(is_near(found.time, 3.0), "{i}: {found:?}");
            deflect(&mut world, balls[i], [0.0; 3]);
            deflect(&mut world, balls[i + 1], [1.0, 0.0, 0.0]);
        }
        assert_eq!(world.next_event(10.0).unwrap(), None);
        let last = world.pose(balls[4]).unwrap().translation();
        assert!(last.distance(Vec3::X * 15.0) < 1e-7, "{last}");
    }
}

#[test]
fn a_course_of_three_pieces() {
    let mut world = world();
    let body = world.insert(sphere(0.5), still(0.0, 0.0, 0.0)).unwrap();
    world.insert(sphere(0.5), still(3.0, 3.0, 0.0)).unwrap();
    let pieces = [
        moving(0.0, at(0.0, 0.0, 0.0), [3.0, 0.0, 0.0]).until(1.0),
        moving(1.0, at(3.0, 0.0, 0.0), [0.0, 1.0, 0.0]).until(1.5),
        moving(1.5, at(3.0, 0.5, 0.0), [0.0, 4.0, 0.0]).until(5.0),
    ]
    .map(Result::unwrap);
    world.set_course(body, &pieces).unwrap();
    let found = impact(&mut world, 10.0);
    assert!(is_near(found.time, 1.875), "{found:?}");
    deflect(&mut world, body, [0.0, -1.0, 0.0]);
    assert_eq!(world.next_event(10.0).unwrap(), None);

    world
        .set_course(
            body,
            &[moving(10.0, at(9.0, 0.0, 0.0), [1.0, 0.0, 0.0])
                .until(11.0)
                .unwrap()],
        )
        .unwrap();
    let expired = world.next_event(20.0).unwrap();
    assert_eq!(expired, Some(ContinuousEvent::Expired { time: 11.0, body }));
    // It goes on as it was.
    assert_eq!(world.next_event(20.0).unwrap(), None);
    assert_eq!(world.pose(body).unwrap().translation(), Vec3::X * 19.0);
}

#[test]
fn what_is_removed_does_not_collide_and_what_comes_does() {
    for pruning in prunings() {
        let mut world = ContinuousWorld::new(with(pruning)).unwrap();
        let bullet = world
            .insert(
                sphere(0.25),
                moving(0.0, at(0.0, 0.0, 0.0), [100.0, 0.0, 0.0]),
            )
            .unwrap();
        let plate = world
            .insert(cuboid(0.001, 5.0, 5.0), still(50.0, 0.0, 0.0))
            .unwrap();
        assert_eq!(world.next_event(0.25).unwrap(), None);
        world.remove(plate).unwrap();
        assert_eq!(world.remove(plate), Err(Error::UnknownBody { body: plate }));
        assert_eq!(world.next_event(0.75).unwrap(), None);
        let wall = world
            .insert(cuboid(0.001, 5.0, 5.0), still(90.0, 0.0, 0.0))
            .unwrap();
        let found = impact(&mut world, 1.0);
        assert_eq!(
            (found.pair.a(), found.pair.b()),
            (bullet.min(wall), bullet.max(wall))
        );
        assert!(is_near(found.time, 0.89749), "{found:?}");
        // It jumps back and flies again.
        world
            .set_motion(
                bullet,
                moving(world.time(), at(0.0, 0.0, 0.0), [50.0, 0.0, 0.0]),
            )
            .unwrap();
        let again = impact(&mut world, 3.0);
        assert!(
            (again.time - found.time - 89.749 / 50.0).abs() < 1e-6,
            "{again:?}"
        );
        world.validate();
    }
}

#[test]
fn thrown_through_a_plate_and_back() {
    // Nobody answers; on the way down it is told again, as it has been apart in between.
    for pruning in prunings() {
        let mut world = ContinuousWorld::new(with(pruning)).unwrap();
        world
            .insert(cuboid(5.0, 5.0, 0.01), still(0.0, 0.0, 5.0))
            .unwrap();
        world
            .insert(
                sphere(0.1),
                falling(0.0, at(0.0, 0.0, 0.0), [0.0, 0.0, 20.0]),
            )
            .unwrap();
        let impacts: Vec<_> = (0..2).map(|_| impact(&mut world, 10.0)).collect();
        let times: Vec<f64> = impacts.iter().map(|impact| impact.time).collect();
        let reaches = |height: f64, sign: f64| 2.0 + sign * (4.0 - height / 5.0_f64).sqrt();
        assert!(is_near(times[0], reaches(4.89, -1.0)), "{times:?}");
        assert!(is_near(times[1], reaches(5.11, 1.0)), "{times:?}");
        assert_eq!(world.next_event(10.0).unwrap(), None);
    }
}

#[test]
fn a_spinning_rod_sweeps_a_ball() {
    let mut world = world();
    let spin = moving(0.0, at(0.0, 0.0, 0.0), [0.0; 3])
        .spinning(Vec3::Z * 0.5, Vec3::ZERO)
        .unwrap();
    world.insert(cuboid(5.0, 0.125, 0.25), spin).unwrap();
    let (far, radius) = (4.0_f64, 0.25);
    world.insert(sphere(radius), still(0.0, far, 0.0)).unwrap();
    let turned = std::f64::consts::FRAC_PI_2 - ((0.125 + radius) / far).asin();
    let found = impact(&mut world, 100.0);
    assert!(is_near(found.time, turned / 0.5), "{found:?}");
}

#[test]
fn a_million_lengths_later() {
    // Boxes end when rounding has used them up, and are made anew.
    for pruning in prunings() {
        let mut world = ContinuousWorld::new(with(pruning)).unwrap();
        world
            .insert(
                sphere(0.5),
                moving(0.0, at(0.0, 0.0, 0.0), [1000.0, 0.0, 0.0]),
            )
            .unwrap();
        world.insert(sphere(0.5), still(2e6, 0.25, 0.0)).unwrap();
        let mut found = None;
        for stop in 1..=5 {
            found = found.or(world.next_event(500.0 * f64::from(stop)).unwrap());
        }
        let Some(ContinuousEvent::Impact(found)) = found else {
            panic!("{found:?}");
        };
        let expected = (2e6 - (1.0_f64 - 0.0625).sqrt()) / 1000.0;
        assert!(
            (found.time - expected).abs() < 1e-8,
            "{found:?}, {expected}"
        );
    }
}

#[test]
fn bad_numbers_are_refused() {
    let mut world = world();
    let body = world.insert(sphere(1.0), still(0.0, 0.0, 0.0)).unwrap();
    assert!(world.next_event(f64::NAN).is_err());
    assert!(world.next_event(f64::INFINITY).is_err());
    assert_eq!(world.next_event(1.0).unwrap(), None);
    assert!(world.next_event(0.5).is_err());
    assert!(matches!(
        world.set_course(body, &[]),
        Err(Error::Empty { .. })
    ));
    let far = moving(0.0, at(1e200, 0.0, 0.0), [1.0, 0.0, 0.0]);
    assert!(world.insert(sphere(1.0), far).is_err());
    assert!(world.set_motion(body, far).is_err());
    assert_eq!(world.pose(body).unwrap(), at(0.0, 0.0, 0.0));
    world.remove(body).unwrap();
    assert!(world.pose(body).is_err() && world.set_motion(body, still(0.0, 0.0, 0.0)).is_err());
    assert!(world.is_empty());
}
