//! Bad input, and sizes and places at the edge.

use super::{intersecting, touching};
use impinge::world::Compute;
use impinge::{Error, Pose, Shape, Vec3, World, WorldOptions};

fn ball(radius: f64) -> Shape {
    Shape::sphere(radius).unwrap()
}

fn at(x: f64) -> Pose {
    Pose::from_translation(Vec3::X * x).unwrap()
}

#[test]
fn stale_bodies_are_errors_and_change_nothing() {
    let mut world = World::default();
    let [a, b] = [0.0, 0.5].map(|x| world.insert(ball(1.0), at(x)).unwrap());
    world.update();
    world.remove(b).unwrap();
    let unknown = Error::UnknownBody { body: b };
    assert_eq!(world.remove(b), Err(unknown.clone()));
    assert_eq!(world.set_pose(b, Pose::IDENTITY), Err(unknown.clone()));
    assert_eq!(world.set_active(a, b, false), Err(unknown.clone()));
    assert_eq!(world.set_compute(a, b, None), Err(unknown.clone()));
    assert_eq!(
        world.set_filter(b, Default::default()),
        Err(unknown.clone())
    );
    assert!(world.pose(b).is_err() && world.shape(b).is_err());
    assert_eq!(
        world.set_active(a, a, false),
        Err(Error::SameBody { body: a })
    );
    world.update();
    assert!(world.contacts().is_empty() && world.len() == 1);
    world.validate();
}

#[test]
fn options_are_checked() {
    for margin in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        let options = WorldOptions {
            margin,
            ..WorldOptions::default()
        };
        assert!(World::new(options).is_err());
    }
}

/// An infinite margin makes every pair of overlapping boxes a contact, and no other.
#[test]
fn an_infinite_margin_reports_the_candidates() {
    let mut world = World::new(WorldOptions {
        margin: f64::INFINITY,
        compute: Compute::Distances,
        ..WorldOptions::default()
    })
    .unwrap();
    for (x, y) in [(0.0, 0.0), (1.9, 1.9), (1.0, 0.0), (9.0, 9.0)] {
        let pose = Pose::from_translation(Vec3::new(x, y, 0.0)).unwrap();
        world.insert(ball(1.0), pose).unwrap();
    }
    world.update();
    assert_eq!(world.contacts().len(), 3);
    assert_eq!(touching(&world).len(), 1);
}

#[test]
fn an_empty_world_updates() {
    let mut world = World::default();
    world.update();
    assert!(world.is_empty() && world.contacts().is_empty() && world.events().is_empty());
    let body = world.insert(ball(1.0), Pose::IDENTITY).unwrap();
    world.remove(body).unwrap();
    world.update();
    assert!(world.is_empty());
    world.validate();
}

#[test]
fn bodies_come_and_go_between_updates() {
    let mut world = World::default();
    let a = world.insert(ball(1.0), at(0.0)).unwrap();
    for _ in 0..5 {
        let b = world.insert(ball(1.0), at(0.5)).unwrap();
        world.update();
        assert_eq!(touching(&world).len(), 1);
        world.remove(b).unwrap();
        // The index changes hands before the world looks.
        let c = world.insert(ball(1.0), at(0.25)).unwrap();
        assert_eq!(b.index(), c.index());
        world.update();
        assert_eq!(world.events().len(), 2);
        assert_eq!(touching(&world), intersecting(&world));
        world.remove(c).unwrap();
        world.update();
        assert!(world.contacts().is_empty());
    }
    assert_eq!(world.bodies().collect::<Vec<_>>(), [a]);
}

#[test]
fn all_bodies_at_one_point_touch() {
    for compute in [Compute::Intersects, Compute::Distances, Compute::Contacts] {
        let mut world = World::new(WorldOptions {
            compute,
            ..WorldOptions::default()
        })
        .unwrap();
        let shapes = [ball(0.0), ball(1.0), Shape::cuboid(Vec3::ONE).unwrap()];
        for k in 0..30 {
            world.insert(shapes[k % 3].clone(), Pose::IDENTITY).unwrap();
        }
        world.update();
        assert_eq!(touching(&world).len(), 30 * 29 / 2);
        world.validate();
    }
}

#[test]
fn sizes_from_zero_to_beyond_single_precision_are_right() {
    let mut world = World::new(WorldOptions {
        margin: 1.0,
        ..WorldOptions::default()
    })
    .unwrap();
    for radius in [0.0, 1e-300, 1e-9, 1.0, 1e12, 1e40, 1e300] {
        for place in [0.0, 1.0, -1e12, 1e40, 1e300] {
            world.insert(ball(radius), at(place)).unwrap();
        }
    }
    let floor = Shape::half_space(Vec3::X, -2e40).unwrap();
    world.insert(floor, Pose::IDENTITY).unwrap();
    world.update();
    assert_eq!(touching(&world), intersecting(&world));
    world.validate();
}

#[test]
fn what_leaves_the_range_of_doubles_is_refused() {
    let mut world = World::default();
    let body = world.insert(ball(1.0), Pose::IDENTITY).unwrap();
    assert!(world.set_pose(body, at(f64::MAX)).is_err());
    assert_eq!(world.pose(body).unwrap().translation(), Vec3::ZERO);
    assert!(world.insert(ball(f64::MAX), Pose::IDENTITY).is_err());
    assert_eq!(world.len(), 1);
    world.update();
}
