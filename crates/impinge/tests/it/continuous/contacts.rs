//! Bodies in contact: sliding, resting, leaving, pressed together. Time always goes on.

use super::{at, cuboid, deflect, falling, impact, moving, sphere, still, world};
use impinge::world::continuous::{ContinuousEvent, ContinuousWorld, HitKind};
use impinge::{Pose, Shape, Trajectory, Vec3};

fn floor(world: &mut ContinuousWorld) {
    let floor = Shape::half_space(Vec3::Z, 0.0).unwrap();
    world
        .insert(floor, Trajectory::still(Pose::IDENTITY))
        .unwrap();
}

#[test]
fn sliding_is_no_impact() {
    for ground in [
        Shape::half_space(Vec3::Z, 0.0).unwrap(),
        cuboid(100.0, 100.0, 0.0001),
    ] {
        for shape in [cuboid(0.5, 0.5, 0.5), sphere(0.5)] {
            let mut world = world();
            let top = if matches!(ground, Shape::Cuboid(_)) {
                0.0001
            } else {
                0.0
            };
            world.insert(ground.clone(), still(0.0, 0.0, 0.0)).unwrap();
            world
                .insert(
                    shape,
                    moving(0.0, at(-20.0, 0.0, top + 0.5), [2.0, 1.0, 0.0]),
                )
                .unwrap();
            assert_eq!(world.next_event(20.0).unwrap(), None);
            assert!(world.stats().tests < 100, "{:?}", world.stats());
        }
    }
}

#[test]
fn leaving_is_no_impact_and_coming_back_is_one() {
    let mut world = world();
    floor(&mut world);
    let body = world
        .insert(
            cuboid(0.5, 0.5, 0.5),
            falling(0.0, at(0.0, 0.0, 0.5), [0.0, 0.0, 5.0]),
        )
        .unwrap();
    let found = impact(&mut world, 10.0);
    assert!((found.time - 1.0).abs() < 1e-8, "{found:?}");
    deflect(&mut world, body, [0.0, 0.0, 1.0]);
    assert_eq!(world.next_event(10.0).unwrap(), None);
}

#[test]
fn pushed_together_they_are_told_at_once_and_once() {
    let mut world = world();
    world
        .insert(cuboid(1.0, 1.0, 1.0), still(0.0, 0.0, 0.0))
        .unwrap();
    let body = world
        .insert(cuboid(1.0, 1.0, 1.0), still(2.0, 0.0, 0.0))
        .unwrap();
    assert_eq!(world.next_event(1.0).unwrap(), None);
    deflect(&mut world, body, [-1.0, 0.0, 0.0]);
    let found = impact(&mut world, 2.0);
    assert_eq!((found.time, found.kind), (1.0, HitKind::Touching));
    assert!(found.normal.unwrap().distance(Vec3::X) < 1e-9);
    assert_eq!(world.next_event(2.0).unwrap(), None);
}

#[test]
fn a_stubborn_application_does_not_stop_time() {
    // Whatever is told, the answer is the same: press on.
    let mut world = world();
    floor(&mut world);
    let body = world
        .insert(sphere(0.5), falling(0.0, at(0.0, 0.0, 0.5), [0.0; 3]))
        .unwrap();
    let (mut impacts, mut rests) = (0, 0);
    while let Some(event) = world.next_event(1.0).unwrap() {
        match event {
            ContinuousEvent::Impact(_) => impacts += 1,
            ContinuousEvent::Rested(_) => rests += 1,
            ContinuousEvent::Expired { .. } => {}
        }
        let time = world.time();
        world
            .set_motion(body, falling(time, at(0.0, 0.0, 0.5), [0.0; 3]))
            .unwrap();
        assert!(impacts + rests < 500, "at {time}");
    }
    assert!(impacts >= 16 && rests > 10, "{impacts}, {rests}");
    assert_eq!(world.time(), 1.0);
}

#[test]
fn bounces_that_never_end() {
    // Infinitely many bounces in three seconds, as each is half as long as the last.
    let mut world = world();
    floor(&mut world);
    let ball = world
        .insert(sphere(0.5), falling(0.0, at(0.0, 0.0, 5.5), [0.0; 3]))
        .unwrap();
    let mut events = 0;
    while let Some(event) = world.next_event(4.0).unwrap() {
        events += 1;
        assert!(events < 1000, "{event:?}");
        let velocity = world.velocity(ball).unwrap();
        let pose = world.pose(ball).unwrap();
        let next = match event {
            ContinuousEvent::Impact(_) => {
                falling(world.time(), pose, [0.0, 0.0, -0.5 * velocity.z])
            }
            ContinuousEvent::Rested(_) | ContinuousEvent::Expired { .. } => Trajectory::still(pose),
        };
        world.set_motion(ball, next).unwrap();
    }
    let height = world.pose(ball).unwrap().translation().z;
    assert!((height - 0.5).abs() < 1e-6, "{height}, {events} events");
    assert!(events > 20);
}

#[test]
fn a_rolling_and_a_spinning_body_stay_in_contact() {
    let mut world = world();
    floor(&mut world);
    let rolling = moving(0.0, at(0.0, 0.0, 0.5), [1.0, 0.0, 0.0])
        .spinning(Vec3::Y * 2.0, Vec3::ZERO)
        .unwrap();
    world.insert(sphere(0.5), rolling).unwrap();
    let top = moving(0.0, at(0.0, 5.0, 0.5), [0.0; 3])
        .spinning(Vec3::Z * 3.0, Vec3::ZERO)
        .unwrap();
    world.insert(cuboid(0.5, 0.5, 0.5), top).unwrap();
    assert_eq!(world.next_event(5.0).unwrap(), None);
}

#[test]
fn a_tipping_box_is_told() {
    // A cube on the floor begins to tip about its middle: an edge goes down.
    let mut world = world();
    floor(&mut world);
    let body = world
        .insert(cuboid(0.5, 0.5, 0.5), still(0.0, 0.0, 0.5))
        .unwrap();
    assert_eq!(world.next_event(1.0).unwrap(), None);
    let tipping = moving(1.0, at(0.0, 0.0, 0.5), [0.0; 3])
        .spinning(Vec3::Y, Vec3::ZERO)
        .unwrap();
    world.set_motion(body, tipping).unwrap();
    let found = impact(&mut world, 2.0);
    assert_eq!((found.time, found.kind), (1.0, HitKind::Touching));
}

#[test]
fn overlapping_bodies_that_leave_are_not_told() {
    let mut world = world();
    world.insert(sphere(1.0), still(0.0, 0.0, 0.0)).unwrap();
    world
        .insert(sphere(1.0), moving(0.0, at(1.0, 0.0, 0.0), [1.0, 0.0, 0.0]))
        .unwrap();
    assert_eq!(world.next_event(5.0).unwrap(), None);
    let other = world
        .insert(
            sphere(1.0),
            moving(5.0, at(-1.0, 0.0, 0.0), [1.0, 0.0, 0.0]),
        )
        .unwrap();
    let found = impact(&mut world, 6.0);
    assert_eq!(
        (found.time, found.kind, found.pair.b()),
        (5.0, HitKind::Touching, other)
    );
}
