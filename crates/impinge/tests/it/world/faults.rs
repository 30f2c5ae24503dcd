//! What goes wrong in applications: bodies removed in the middle of a contact, numbers that are none, leaps, and bodies of all
//! sizes at once. Answers are compared with the slow twin, pair by pair.

use super::touching;
use crate::cases::rng;
use impinge::broad::BroadPhaseKind;
use impinge::world::Compute;
use impinge::{
    BodyId, Event, Mat3, Pair, Polytope, Pose, Quat, Shape, Vec3, World, WorldOptions, reference,
};
use impinge_scenes::points::on_sphere;
use rand::{Rng, RngExt};

/// The pairs that intersect, by the slow twin.
fn expected(world: &World) -> Vec<Pair> {
    let bodies: Vec<BodyId> = world.bodies().collect();
    let placed = |body: BodyId| {
        let shape = world.shape(body).unwrap();
        shape.at(*world.pose(body).unwrap())
    };
    let mut pairs = Vec::new();
    for (k, a) in bodies.iter().enumerate() {
        let others = bodies[k + 1..].iter();
        let hit = others.filter(|b| reference::intersects(placed(*a), placed(**b)));
        pairs.extend(hit.map(|b| Pair::new(*a, *b).unwrap()));
    }
    pairs
}

fn at(place: Vec3) -> Pose {
    Pose::from_translation(place).unwrap()
}

/// The hull of some points on a sphere.
fn rock(radius: f64, seed: u64) -> Shape {
    let points: Vec<Vec3> = on_sphere(12, seed).iter().map(|p| *p * radius).collect();
    Shape::Polytope(Polytope::from_points(&points).unwrap().into())
}

#[test]
fn contacts_of_a_removed_body_end_once() {
    for compute in [Compute::Intersects, Compute::Distances, Compute::Contacts] {
        let mut world = World::new(WorldOptions {
            compute,
            ..WorldOptions::default()
        })
        .unwrap();
        let bodies = [0.0, 1.5, 3.0].map(|x| world.insert(rock(1.0, 7), at(Vec3::X * x)).unwrap());
        world.update();
        let pairs = [0, 1].map(|k| Pair::new(bodies[k], bodies[k + 1]).unwrap());
        assert_eq!(touching(&world), pairs);

        world.remove(bodies[1]).unwrap();
        // Until the next update the answers are those of the last.
        assert_eq!(world.contacts().len(), 2);
        world.update();
        assert_eq!(world.events(), pairs.map(Event::Ended));
        assert!(world.contacts().is_empty());
        assert!(world.contact(bodies[0], bodies[1]).is_none());
        world.update();
        assert!(world.events().is_empty());
        world.validate();
    }
}

#[test]
fn poses_that_are_no_places_cannot_be_made() {
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..3 {
            let mut place = Vec3::ONE;
            place[axis] = wrong;
            assert!(Pose::from_translation(place).is_err());
            assert!(Pose::from_quat(Quat::IDENTITY, place).is_err());
            assert!(Pose::from_axis_angle(place, 1.0, Vec3::ZERO).is_err());
            let mut matrix = Mat3::IDENTITY;
            matrix.col_mut(axis)[axis] = wrong;
            assert!(Pose::from_matrix(matrix, Vec3::ZERO).is_err());
        }
        assert!(Pose::from_quat(Quat::from_xyzw(0.0, wrong, 0.0, 1.0), Vec3::ZERO).is_err());
        assert!(Pose::from_axis_angle(Vec3::X, wrong, Vec3::ZERO).is_err());
    }
    assert!(Pose::from_quat(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ZERO).is_err());
    assert!(Pose::from_matrix(Mat3::ZERO, Vec3::ZERO).is_err());
}

/// Somewhere in one of a few far places, so that many meet.
fn leap(rng: &mut impl Rng) -> Pose {
    const PLACES: [f64; 6] = [0.0, 1.0, -300.0, 1e6, -1e9, 1e12];
    let corner = [0, 1, 2].map(|_| PLACES[rng.random_range(0..PLACES.len())]);
    let corner = if rng.random_bool(0.5) {
        Vec3::splat(corner[0])
    } else {
        Vec3::from_array(corner)
    };
    let near = Vec3::from_array([0, 1, 2].map(|_| rng.random_range(-2.0..2.0)));
    let axis = near + Vec3::new(0.0, 0.0, 5.0);
    Pose::from_axis_angle(axis, rng.random_range(-3.0..3.0), corner + near).unwrap()
}

#[test]
fn leaps_are_followed_by_every_broad_phase() {
    for kind in BroadPhaseKind::ALL {
        let mut rng = rng(5);
        let mut world = World::new(WorldOptions {
            compute: Compute::Intersects,
            broad_phase: kind,
            ..WorldOptions::default()
        })
        .unwrap();
        let shapes = [
            rock(1.0, 1),
            rock(2.0, 2),
            Shape::cuboid(Vec3::ONE).unwrap(),
            Shape::sphere(1.5).unwrap(),
        ];
        let insert = |k: usize| world.insert(shapes[k % 4].clone(), leap(&mut rng)).unwrap();
        let bodies: Vec<BodyId> = (0..40).map(insert).collect();
        let mut met = 0;
        for frame in 0..12 {
            for body in &bodies {
                // All leap, or a few.
                if frame % 3 == 0 || rng.random_bool(0.1) {
                    world.set_pose(*body, leap(&mut rng)).unwrap();
                }
            }
            world.update();
            assert_eq!(touching(&world), expected(&world), "{kind}, frame {frame}");
            met += touching(&world).len();
            world.validate();
        }
        assert!(met > 100, "{met}");
    }
}

#[test]
fn polytopes_at_one_point_touch_and_part() {
    for kind in BroadPhaseKind::ALL {
        let mut world = World::new(WorldOptions {
            broad_phase: kind,
            compute: Compute::Intersects,
            ..WorldOptions::default()
        })
        .unwrap();
        let one = rock(1.0, 3);
        let bodies = (0..25).map(|_| world.insert(one.clone(), Pose::IDENTITY).unwrap());
        let bodies: Vec<BodyId> = bodies.collect();
        world.update();
        assert_eq!(touching(&world).len(), 25 * 24 / 2, "{kind}");
        for (k, body) in bodies.iter().enumerate() {
            world
                .set_pose(*body, at(Vec3::Y * (3.0 * k as f64)))
                .unwrap();
        }
        world.update();
        assert!(touching(&world).is_empty(), "{kind}");
        let ended = |event: &Event| matches!(event, Event::Ended(_));
        assert!(world.events().len() == 25 * 24 / 2 && world.events().iter().all(ended));
    }
}

#[test]
fn shapes_of_no_size_are_points_or_errors() {
    assert!(Shape::hull(&[Vec3::ONE; 8]).is_err());
    assert!(Shape::hull(&[]).is_err());
    let point = Shape::sphere(0.0).unwrap();
    let mut world = World::default();
    let body = world.insert(point, Pose::IDENTITY).unwrap();
    let cube = world
        .insert(Shape::cuboid(Vec3::ONE).unwrap(), at(Vec3::X))
        .unwrap();
    world.update();
    // It is on the face, which is touching.
    assert_eq!(touching(&world), [Pair::new(body, cube).unwrap()]);
    assert_eq!(touching(&world), expected(&world));
}

#[test]
fn polytopes_from_tiny_to_huge_meet_each_other() {
    for compute in [Compute::Intersects, Compute::Contacts] {
        let mut rng = rng(9);
        let mut world = World::new(WorldOptions {
            compute,
            ..WorldOptions::default()
        })
        .unwrap();
        for power in (-12..=12).step_by(3) {
            let size = 10f64.powi(power);
            for seed in 0..4 {
                let place = Vec3::from_array([(); 3].map(|()| rng.random_range(-1.0..1.0)));
                world.insert(rock(size, seed), at(place * size)).unwrap();
            }
        }
        for frame in 0..4 {
            world.update();
            assert_eq!(touching(&world), expected(&world), "frame {frame}");
            assert!(touching(&world).len() > 20, "{}", touching(&world).len());
            let bodies: Vec<BodyId> = world.bodies().collect();
            for body in bodies {
                let place = world.pose(body).unwrap().translation();
                world.set_pose(body, at(place * -0.7)).unwrap();
            }
        }
        world.validate();
    }
}
