//! Random worlds: bodies of every kind come, go, move, jump and rest.

use super::{intersecting, touching};
use crate::cases::rng;
use crate::shapes::kinds::{Family, KINDS, point, poses, shape};
use impinge::bound::BoxKind;
use impinge::broad::BroadPhaseKind;
use impinge::world::Compute;
use impinge::{
    BodyId, Event, Finding, Pair, Pose, Shape, TriMesh, Vec3, World, WorldOptions, query,
};
use rand::{Rng, RngExt};
use std::collections::BTreeSet;

const COMPUTE: [Compute; 3] = [Compute::Intersects, Compute::Distances, Compute::Contacts];

/// A body of any kind; now and then a soup.
fn any_shape(rng: &mut impl Rng, family: Family) -> Shape {
    if rng.random_bool(0.1) {
        let corners = (0..6).map(|_| point(rng)).collect();
        let soup = TriMesh::new(corners, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
        return Shape::Mesh(soup.into());
    }
    // Half-spaces meet everything: a few are enough.
    let kinds = if rng.random_bool(0.05) {
        KINDS
    } else {
        KINDS - 1
    };
    let kind = rng.random_range(0..kinds);
    shape(rng, kind, family)
}

fn any_pose(rng: &mut impl Rng, family: Family) -> Pose {
    let [pose, _] = poses(rng, family);
    let away = point(rng) * 4.0;
    let away = if family == Family::Snapped {
        away.round()
    } else {
        away
    };
    Pose::from_matrix(*pose.matrix(), pose.translation() + away).unwrap()
}

/// Moves some bodies a little, some anywhere, and leaves the others; some go, and some come.
fn change(rng: &mut impl Rng, world: &mut World, family: Family) {
    let bodies: Vec<BodyId> = world.bodies().collect();
    for body in bodies {
        match rng.random_range(0..20) {
            0 => world.remove(body).unwrap(),
            1 | 2 => world.set_pose(body, any_pose(rng, family)).unwrap(),
            3..12 => {
                let pose = *world.pose(body).unwrap();
                let near = pose.translation() + point(rng) * 0.1;
                let near = Pose::from_matrix(*pose.matrix(), near).unwrap();
                world.set_pose(body, near).unwrap();
            }
            _ => (),
        }
    }
    while world.len() < 24 {
        let body = world.insert(any_shape(rng, family), any_pose(rng, family));
        body.unwrap();
    }
}

fn check(world: &World, before: &[Pair]) {
    world.validate();
    let now = touching(world);
    assert_eq!(now, intersecting(world));
    let mut events = Vec::new();
    let all: BTreeSet<Pair> = before.iter().chain(&now).copied().collect();
    for pair in all {
        events.push(match (before.contains(&pair), now.contains(&pair)) {
            (true, true) => Event::Continued(pair),
            (true, false) => Event::Ended(pair),
            _ => Event::Began(pair),
        });
    }
    assert_eq!(world.events(), events);
    check_findings(world);
}

/// Every contact says what a question about the pair alone says.
fn check_findings(world: &World) {
    let compute = world.options().compute;
    for contact in world.contacts() {
        let [a, b] = [contact.pair.a(), contact.pair.b()].map(|body| {
            let pose = *world.pose(body).unwrap();
            world.shape(body).unwrap().at(pose)
        });
        match &contact.finding {
            Finding::Intersects => assert_eq!(compute, Compute::Intersects),
            Finding::Separation(near) => {
                let alone = query::distance(a, b);
                assert!(near.bounds.lower <= alone.bounds.upper);
                assert!(alone.bounds.lower <= near.bounds.upper);
                assert!(near.distance <= world.options().margin);
                assert!(
                    compute == Compute::Distances
                        || near.distance > 0.0
                        || query::penetration(a, b).is_err()
                );
            }
            Finding::Manifold(manifold) => {
                assert_eq!(compute, Compute::Contacts);
                assert_eq!(Some(manifold), query::manifold(a, b).unwrap().as_ref());
            }
            Finding::Penetration(deep) => {
                assert_eq!(compute, Compute::Contacts);
                let alone = query::penetration(a, b).unwrap().unwrap();
                assert!(deep.bounds.lower <= alone.bounds.upper);
                assert!(alone.bounds.lower <= deep.bounds.upper);
            }
        }
    }
}

/// With a margin, everything within it is a contact.
fn check_margin(world: &World) {
    let margin = world.options().margin;
    let bodies: Vec<BodyId> = world.bodies().collect();
    for (k, a) in bodies.iter().enumerate() {
        for b in &bodies[k + 1..] {
            let [p, q] = [a, b].map(|body| {
                let pose = *world.pose(*body).unwrap();
                world.shape(*body).unwrap().at(pose)
            });
            let near = query::distance(p, q).bounds;
            let contact = world.contact(*b, *a);
            assert!(contact.is_some() || near.upper > margin);
            assert!(contact.is_none() || near.lower <= margin);
        }
    }
}

#[test]
fn worlds_agree_with_asking_every_pair() {
    let frames = if crate::is_full() { 400 } else { 25 };
    let mut rng = rng(91);
    for (round, family) in [Family::Random, Family::Snapped, Family::Degenerate]
        .into_iter()
        .cycle()
        .take(9)
        .enumerate()
    {
        let margin = if round < 3 { 0.0 } else { 0.5 };
        let mut world = World::new(WorldOptions {
            compute: COMPUTE[(round + round / 3) % 3],
            margin,
            broad_phase: BroadPhaseKind::ALL[round % BroadPhaseKind::ALL.len()],
            boxes: [BoxKind::Dynamic, BoxKind::Fixed, BoxKind::Oriented][round % 3],
            threads: 1 + round % 2,
        })
        .unwrap();
        let mut before = Vec::new();
        let mut met = 0;
        for _ in 0..frames {
            change(&mut rng, &mut world, family);
            world.update();
            check(&world, &before);
            if world.options().compute != Compute::Intersects {
                check_margin(&world);
            }
            before = touching(&world);
            met += before.len();
        }
        // A single frame may happen to be empty; over all of them more than one pair a frame meets.
        assert!(
            met > frames,
            "the scene is crowded: {met} pairs in {frames} frames"
        );
    }
}

/// A world of polytopes large enough to be shared out among threads.
fn crowd(threads: usize, compute: Compute) -> (World, Vec<BodyId>) {
    let mut world = World::new(WorldOptions {
        threads,
        compute,
        margin: 0.1,
        ..WorldOptions::default()
    })
    .unwrap();
    let shapes: Vec<Shape> = (0..20)
        .map(|seed| Shape::hull(&impinge_scenes::points::on_sphere(16, seed)).unwrap())
        .collect();
    let places = impinge_scenes::points::in_cube(700, 7);
    let insert = |(k, place): (usize, &Vec3)| {
        let pose = Pose::from_axis_angle(*place, 3.0 * place.x, *place * 7.0).unwrap();
        world.insert(shapes[k % 20].clone(), pose).unwrap()
    };
    let bodies = places.iter().enumerate().map(insert).collect();
    (world, bodies)
}

#[test]
fn threads_change_nothing() {
    for compute in COMPUTE {
        let (mut alone, bodies) = crowd(1, compute);
        let (mut shared, same) = crowd(3, compute);
        assert_eq!(bodies, same);
        for frame in 0..4 {
            for (k, body) in bodies
                .iter()
                .enumerate()
                .filter(|(k, _)| (k + frame) % 3 > 0)
            {
                let pose = *alone.pose(*body).unwrap();
                let moved = pose.translation() + Vec3::new(0.1, -0.05, (k % 7) as f64 * 0.02);
                let moved = Pose::from_matrix(*pose.matrix(), moved).unwrap();
                alone.set_pose(*body, moved).unwrap();
                shared.set_pose(*body, moved).unwrap();
            }
            alone.update();
            shared.update();
            assert!(alone.stats().pairs > 1200, "{}", alone.stats().pairs);
            assert_eq!(alone.contacts(), shared.contacts());
            assert_eq!(alone.events(), shared.events());
            assert_eq!(alone.stats().decisions, shared.stats().decisions);
            shared.validate();
        }
    }
}

/// Many sparse bodies: their boxes are made by several threads when they move in order, and cubes while they are sparse.
#[test]
fn boxes_are_the_same_from_any_number_of_threads() {
    let worlds = [1, 2, 3].map(|threads| {
        let mut world = World::new(WorldOptions {
            threads,
            compute: Compute::Intersects,
            ..WorldOptions::default()
        })
        .unwrap();
        let shapes: Vec<Shape> = (0..20)
            .map(|seed| Shape::hull(&impinge_scenes::points::on_sphere(16, seed)).unwrap())
            .collect();
        for (k, place) in impinge_scenes::points::in_cube(9000, 3).iter().enumerate() {
            let pose = Pose::from_translation(*place * 60.0).unwrap();
            world.insert(shapes[k % 20].clone(), pose).unwrap();
        }
        world
    });
    let mut worlds = worlds;
    let mut found = 0;
    for frame in 0..5 {
        let all = worlds.each_mut().map(|world| {
            world.update();
            let bodies: Vec<BodyId> = world.bodies().collect();
            let told = (world.contacts().to_vec(), world.events().to_vec());
            let step = |k: usize| Vec3::new(0.1, -0.2, (k % 7) as f64 * 0.05);
            let mut moves: Vec<(usize, BodyId)> = bodies.iter().copied().enumerate().collect();
            if frame == 2 {
                moves.reverse();
            }
            for (k, body) in moves {
                let pose = Pose::from_axis_angle(
                    Vec3::ONE,
                    frame as f64,
                    world.pose(body).unwrap().translation() + step(k),
                );
                world.set_pose(body, pose.unwrap()).unwrap();
            }
            if frame == 3 {
                // Gone after it moved, and another in its place.
                let shape = world.shape(bodies[17]).unwrap().clone();
                world.remove(bodies[17]).unwrap();
                world.insert(shape, Pose::IDENTITY).unwrap();
            }
            told
        });
        assert!(all[0] == all[1] && all[0] == all[2], "frame {frame}");
        found += all[0].0.len();
    }
    assert!(found > 500, "{found}");
    assert!(worlds[0].stats().pairs * 2 < worlds[0].bodies().count());
}

/// A crowd that thins out and closes in again goes from tight boxes to cubes and back, and most of its pairs are told apart, or
/// together, by balls.
#[test]
fn crowds_of_any_density_agree_with_asking_every_pair() {
    let rounds = if crate::is_full() { 10 } else { 1 };
    for (round, compute) in (0..rounds).flat_map(|round| COMPUTE.map(|compute| (round, compute))) {
        let mut world = World::new(WorldOptions {
            compute,
            ..WorldOptions::default()
        })
        .unwrap();
        let places = impinge_scenes::points::in_cube(80, 40 + round);
        let bodies: Vec<BodyId> = (0..places.len() as u64)
            .map(|seed| {
                let count = [5, 12, 20][seed as usize % 3];
                let points = impinge_scenes::points::on_sphere(count, 100 * round + seed);
                // Now and then far off their origin, which their centres then are, too.
                let off = Vec3::splat(if seed % 5 == 0 { 40.0 } else { 0.0 });
                let points: Vec<Vec3> = points.iter().map(|point| *point + off).collect();
                world
                    .insert(Shape::hull(&points).unwrap(), Pose::IDENTITY)
                    .unwrap()
            })
            .collect();
        let (mut before, mut least, mut most) = (Vec::new(), f64::INFINITY, 0.0_f64);
        for frame in 0..30 {
            let size = 2.5 + 8.0 * (frame as f64 * 0.21).sin().abs();
            for (body, place) in bodies.iter().zip(&places) {
                let turn = Pose::from_axis_angle(*place, 0.1 * frame as f64, Vec3::ZERO).unwrap();
                let center = match world.shape(*body).unwrap().as_polytope() {
                    Some(polytope) => turn.place(polytope.centroid()),
                    None => Vec3::ZERO,
                };
                let pose = Pose::from_matrix(*turn.matrix(), *place * size - center).unwrap();
                world.set_pose(*body, pose).unwrap();
            }
            world.update();
            check(&world, &before);
            before = touching(&world);
            let density = world.stats().pairs as f64 / bodies.len() as f64;
            (least, most) = (least.min(density), most.max(density));
        }
        assert!(least < 0.6 && most > 4.0, "{least} to {most} pairs a body");
    }
}

#[test]
fn what_does_not_move_is_not_computed() {
    let (mut world, bodies) = crowd(1, Compute::Contacts);
    world.update();
    let contacts = world.contacts().to_vec();
    assert!(world.stats().computed > 1000);
    world.update();
    assert_eq!((world.stats().computed, world.stats().moved), (0, 0));
    assert_eq!(world.contacts(), contacts);
    assert!(
        world
            .events()
            .iter()
            .all(|event| matches!(event, Event::Continued(_)))
    );

    let one = bodies[5];
    let pose = *world.pose(one).unwrap();
    world.set_pose(one, pose).unwrap();
    world.update();
    let of_one = world.stats().computed;
    assert!(of_one > 0 && of_one < 40);
    assert_eq!(world.contacts(), contacts);
}
