//! Moving all bodies at once, beside moving them one by one.

use super::{intersecting, touching};
use impinge::world::Compute;
use impinge::{Error, Pose, Shape, Vec3, World, WorldOptions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Sparse polytopes, balls and boxes, every ninth of them gone again.
fn scattered(count: usize, threads: usize, compute: Compute) -> World {
    let mut world = World::new(WorldOptions {
        threads,
        compute,
        ..WorldOptions::default()
    })
    .unwrap();
    let mut shapes: Vec<Shape> = (0..5)
        .map(|seed| Shape::hull(&impinge_scenes::points::on_sphere(16, seed)).unwrap())
        .collect();
    shapes.push(Shape::sphere(0.9).unwrap());
    shapes.push(Shape::cuboid(Vec3::new(0.5, 0.7, 0.9)).unwrap());
    let size = 1.5 * (count as f64).cbrt();
    let mut bodies = Vec::new();
    for (k, place) in impinge_scenes::points::in_cube(count, 3).iter().enumerate() {
        let pose = Pose::from_translation(*place * size).unwrap();
        bodies.push(world.insert(shapes[k % 7].clone(), pose).unwrap());
    }
    for body in bodies.iter().step_by(9) {
        world.remove(*body).unwrap();
    }
    world
}

/// Sparse or crowded polytopes, compact ones and flat ones, all of them there: their cubes are made as they are moved.
fn complete(count: usize, threads: usize, spread: f64) -> World {
    let mut world = World::new(WorldOptions {
        threads,
        compute: Compute::Intersects,
        ..WorldOptions::default()
    })
    .unwrap();
    let shapes: Vec<Shape> = (0..11)
        .map(|seed| {
            let flat = if seed == 4 { 0.2 } else { 1.0 };
            let points = impinge_scenes::points::on_sphere(16, seed).into_iter();
            let points: Vec<Vec3> = points.map(|p| p * Vec3::new(1.0, 1.0, flat)).collect();
            Shape::hull(&points).unwrap()
        })
        .collect();
    let size = spread * (count as f64).cbrt();
    for (k, place) in impinge_scenes::points::in_cube(count, 5).iter().enumerate() {
        let pose = Pose::from_translation(*place * size).unwrap();
        world.insert(shapes[k % 11].clone(), pose).unwrap();
    }
    world
}

/// Every pose turned and moved a little.
fn stir(rng: &mut ChaCha8Rng, poses: &mut [Pose]) {
    for pose in poses {
        let mut any = || Vec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0)));
        let turn = Pose::from_axis_angle(any(), 0.2, any() * 0.4).unwrap();
        let place = pose.translation() + turn.translation();
        *pose = Pose::from_matrix(*turn.matrix() * *pose.matrix(), place).unwrap();
    }
}

/// Moves each body by itself.
fn move_one_by_one(world: &mut World, poses: &[Pose]) {
    let bodies: Vec<_> = world.bodies().collect();
    for body in bodies {
        let pose = poses[body.index() as usize];
        world.set_pose(body, pose).unwrap();
    }
}

#[test]
fn all_at_once_is_as_one_by_one() {
    for (count, threads, compute) in [
        (700, 1, Compute::Contacts),
        (200, 2, Compute::Distances),
        (9000, 1, Compute::Intersects),
        (9000, 3, Compute::Intersects),
    ] {
        let [mut swapped, mut single] =
            [threads, 1].map(|threads| scattered(count, threads, compute));
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let mut poses = swapped.poses().to_vec();
        let mut next = poses.clone();
        for _ in 0..4 {
            stir(&mut rng, &mut poses);
            next.clone_from(&poses);
            let before = swapped.poses().to_vec();
            swapped.swap_poses(&mut next).unwrap();
            assert_eq!(next, before, "those before come back");
            assert_eq!(swapped.poses(), poses);
            move_one_by_one(&mut single, &poses);
            swapped.update();
            single.update();
            assert_eq!(swapped.contacts(), single.contacts());
            assert_eq!(swapped.events(), single.events());
            assert_eq!(swapped.stats().moved, swapped.len());
            assert_eq!(swapped.stats().pairs, single.stats().pairs);
            assert_eq!(swapped.stats().decisions, single.stats().decisions);
            swapped.validate();
        }
        if count < 1000 {
            assert_eq!(touching(&swapped), intersecting(&swapped));
        }
        assert!(!swapped.contacts().is_empty());
    }
}

#[test]
fn cubes_made_on_the_way_are_those_made_later() {
    for (count, threads, spread) in [
        (500, 1, 3.0),
        (500, 1, 1.2),
        (500, 1, 0.8),
        (9000, 1, 1.8),
        (9000, 3, 1.8),
        (9000, 3, 1.2),
    ] {
        let [mut swapped, mut single] =
            [threads, 1].map(|threads| complete(count, threads, spread));
        let mut rng = ChaCha8Rng::seed_from_u64(13);
        let mut poses = swapped.poses().to_vec();
        for frame in 0..8 {
            stir(&mut rng, &mut poses);
            swapped.swap_poses(&mut poses.clone()).unwrap();
            move_one_by_one(&mut single, &poses);
            let bodies: Vec<_> = swapped.bodies().collect();
            let there = *swapped.pose(bodies[7]).unwrap();
            for world in [&mut swapped, &mut single] {
                // In some frames something else happens, too.
                match frame {
                    4 => world.set_pose(bodies[count / 2], there).unwrap(),
                    5 => drop(world.insert(Shape::sphere(2.0).unwrap(), there).unwrap()),
                    7 => world.remove(bodies[3]).unwrap(),
                    _ => (),
                }
                world.update();
                world.validate();
            }
            poses = swapped.poses().to_vec();
            assert_eq!(swapped.contacts(), single.contacts());
            assert_eq!(swapped.events(), single.events());
            assert_eq!(swapped.stats().moved, single.stats().moved);
            assert_eq!(swapped.stats().pairs, single.stats().pairs);
            assert_eq!(swapped.stats().decisions, single.stats().decisions);
        }
        if count < 1000 {
            assert_eq!(touching(&swapped), intersecting(&swapped));
        }
        assert!(!swapped.contacts().is_empty());
    }
}

/// Newcomers, bodies that moved by themselves before or after, and bodies that go: what counts is where each body is in the end.
#[test]
fn other_changes_in_the_same_frame_count() {
    let [mut swapped, mut single] = [(); 2].map(|()| scattered(300, 1, Compute::Intersects));
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut poses = swapped.poses().to_vec();
    for frame in 0..6 {
        let bodies: Vec<_> = swapped.bodies().collect();
        let there = *swapped.pose(bodies[7]).unwrap();
        stir(&mut rng, &mut poses);
        for world in [&mut swapped, &mut single] {
            world.set_pose(bodies[3], there).unwrap();
        }
        swapped.swap_poses(&mut poses.clone()).unwrap();
        move_one_by_one(&mut single, &poses);
        for world in [&mut swapped, &mut single] {
            world.set_pose(bodies[5], there).unwrap();
            world.remove(bodies[10 + frame]).unwrap();
            world.insert(Shape::sphere(2.0).unwrap(), there).unwrap();
            world.update();
            world.validate();
        }
        poses = swapped.poses().to_vec();
        assert_eq!(swapped.contacts(), single.contacts());
        assert_eq!(swapped.events(), single.events());
        assert_eq!(touching(&swapped), intersecting(&swapped));
    }
}

#[test]
fn refused_poses_change_nothing() {
    for (count, threads) in [(100, 1), (9000, 3)] {
        let mut world = scattered(count, threads, Compute::Intersects);
        world.update();
        let bodies: Vec<_> = world.bodies().collect();
        let poses = world.poses().to_vec();
        let contacts = world.contacts().to_vec();
        let far = Pose::from_translation(Vec3::splat(f64::MAX)).unwrap();

        let mut wrong = poses.clone();
        wrong.reverse();
        let place = bodies[bodies.len() / 2].index() as usize;
        wrong[place] = far;
        let mut given = wrong.clone();
        // One of them moved before.
        let nearby = Pose::from_translation(Vec3::splat(0.5)).unwrap();
        world.set_pose(bodies[1], nearby).unwrap();
        let refused = world.swap_poses(&mut given);
        assert!(matches!(refused, Err(Error::OutOfRange { value, .. }) if value == f64::MAX));
        assert_eq!(given, wrong);
        let too_few = Error::WrongCount {
            what: "poses".to_owned(),
            count: 3,
            expected: count,
        };
        assert_eq!(world.swap_poses(&mut vec![far; 3]), Err(too_few));
        world
            .set_pose(bodies[1], poses[bodies[1].index() as usize])
            .unwrap();
        assert_eq!(world.poses(), poses);
        world.update();
        assert_eq!(world.stats().moved, 1, "nobody else counts as moved");
        assert_eq!(world.contacts(), contacts);
        // Balls are where they were, too: those of bodies that are asked about because others move.
        for body in bodies.iter().step_by(2) {
            let pose = poses[body.index() as usize];
            world.set_pose(*body, pose).unwrap();
        }
        world.update();
        assert_eq!(world.contacts(), contacts);

        // Where nobody is, any pose will do.
        let mut free = poses.clone();
        free[0] = far;
        world.swap_poses(&mut free).unwrap();
        world.update();
        assert_eq!(world.contacts(), contacts);
        world.validate();
    }
}
