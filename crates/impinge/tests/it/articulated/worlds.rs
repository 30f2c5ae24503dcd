//! Bodies of many parts in a world, against asking every pair of bodies by itself.

use super::{pose, positions, sample};
use crate::cases::rng;
use crate::shapes::kinds::{Family, shape};
use impinge::articulated::{Linkage, PartId};
use impinge::world::Compute;
use impinge::{
    ArticulationId, BodyId, Error, Event, LinkageBuilder, Pair, Pose, Shape, Vec3, World,
    WorldOptions, reference,
};
use rand::RngExt;
use std::collections::BTreeSet;
use std::sync::Arc;

fn placed(world: &World, body: BodyId) -> impinge::Placed<'_> {
    world.shape(body).unwrap().at(*world.pose(body).unwrap())
}

/// The pairs that should be contacts.
fn expected(world: &World) -> BTreeSet<Pair> {
    let bodies: Vec<BodyId> = world.bodies().collect();
    let mut found = BTreeSet::new();
    for (place, a) in bodies.iter().enumerate() {
        for b in &bodies[place + 1..] {
            let is_looked_at = match (world.part_of(*a), world.part_of(*b)) {
                (Some((one, p)), Some((other, q))) if one == other => {
                    world.linkage(one).unwrap().may_meet(p, q)
                }
                _ => true,
            };
            if is_looked_at && reference::intersects(placed(world, *a), placed(world, *b)) {
                found.insert(Pair::new(*a, *b).unwrap());
            }
        }
    }
    found
}

fn check(world: &mut World, before: &mut BTreeSet<Pair>) -> usize {
    world.update();
    world.validate();
    let contacts = world
        .contacts()
        .iter()
        .filter(|contact| contact.intersects());
    let now: BTreeSet<Pair> = contacts.map(|contact| contact.pair).collect();
    assert_eq!(now, expected(world));
    let mut began = world.events().iter().filter_map(|event| match event {
        Event::Began(pair) => Some(*pair),
        Event::Continued(_) | Event::Ended(_) => None,
    });
    assert!(began.all(|pair| now.contains(&pair) && !before.contains(&pair)));
    *before = now;
    before.len()
}

#[test]
fn contacts_of_parts_are_those_of_all_pairs() {
    let mut rng = rng(21);
    let mut found = 0;
    for round in 0..if crate::is_full() { 200 } else { 12 } {
        let compute = [Compute::Intersects, Compute::Contacts][round % 2];
        let mut world = World::new(WorldOptions {
            compute,
            ..WorldOptions::default()
        })
        .unwrap();
        let linkages: [Arc<Linkage>; 2] =
            [(); 2].map(|()| sample(&mut rng, Family::Random).linkage.into());
        let mut bodies: Vec<ArticulationId> = Vec::new();
        let mut before = BTreeSet::new();
        for _ in 0..8 {
            match rng.random_range(0..6) {
                0..3 => {
                    let linkage = linkages[rng.random_range(0..2)].clone();
                    let base = pose(&mut rng, Family::Random, 4.0);
                    bodies.push(world.insert_articulated(linkage, base).unwrap());
                }
                3 if !bodies.is_empty() => {
                    let gone = bodies.swap_remove(rng.random_range(0..bodies.len()));
                    world.remove_articulated(gone).unwrap();
                    assert!(world.joints(gone).is_err());
                }
                _ => {
                    let kind = rng.random_range(0..4);
                    let shape = shape(&mut rng, kind, Family::Random);
                    world
                        .insert(shape, pose(&mut rng, Family::Random, 4.0))
                        .unwrap();
                }
            }
            for body in &bodies {
                let linkage = world.linkage(*body).unwrap().clone();
                let next = positions(&mut rng, &linkage);
                world.set_joints(*body, &next).unwrap();
                assert_eq!(world.joints(*body).unwrap(), next);
                if rng.random_bool(0.5) {
                    world
                        .set_base(*body, pose(&mut rng, Family::Random, 4.0))
                        .unwrap();
                }
            }
            found += check(&mut world, &mut before);
        }
    }
    assert!(found > 100, "{found}");
}

/// Two balls on a slide, one of them on the root.
fn slider() -> Linkage {
    use impinge::articulated::{Joint, JointKind, LinkId, SelfCollision};
    let mut slider = LinkageBuilder::new("base");
    let ball = Shape::sphere(1.0).unwrap();
    slider
        .add_part(LinkId::ROOT, ball.clone(), Pose::IDENTITY)
        .unwrap();
    let origin = Pose::from_translation(Vec3::X * 3.0).unwrap();
    let slide = Joint::new("slide", JointKind::Prismatic { axis: Vec3::X }, origin).unwrap();
    let carriage = slider.add_link("carriage", LinkId::ROOT, slide).unwrap();
    slider.add_part(carriage, ball, Pose::IDENTITY).unwrap();
    slider.set_self_collision(SelfCollision::All);
    slider.build().unwrap()
}

#[test]
fn parts_are_bodies_that_stay_with_the_whole() {
    let mut world = World::default();
    let slider = world.insert_articulated(slider(), Pose::IDENTITY).unwrap();
    let parts = world.part_bodies(slider).unwrap().to_vec();
    assert_eq!(world.len(), 2);
    let error = world.remove(parts[1]).unwrap_err();
    let expected = Error::PartOfArticulation {
        body: parts[1],
        articulation: slider,
    };
    assert_eq!(error, expected);
    assert_eq!(
        world
            .part_of(parts[1])
            .map(|(of, part)| (of, PartId::index(part))),
        Some((slider, 1))
    );

    // Moved by itself, and put back by the joints.
    world.set_pose(parts[1], Pose::IDENTITY).unwrap();
    world.update();
    assert_eq!(world.contacts().len(), 1);
    world.set_joints(slider, &[0.0]).unwrap();
    world.update();
    assert!(world.contacts().is_empty());

    world.remove_articulated(slider).unwrap();
    assert!(world.is_empty() && world.part_of(parts[1]).is_none());
    let unknown = Error::UnknownArticulation {
        articulation: slider,
    };
    assert_eq!(world.set_joints(slider, &[0.0]), Err(unknown.clone()));
    assert_eq!(world.remove_articulated(slider), Err(unknown));
    // Who comes to the places of the parts is no part.
    let single = world
        .insert(Shape::sphere(1.0).unwrap(), Pose::IDENTITY)
        .unwrap();
    world.remove(single).unwrap();
}

#[test]
fn what_joints_do_not_move_is_not_computed_again() {
    let mut world = World::default();
    let ball = Shape::sphere(1.0).unwrap();
    world
        .insert(ball, Pose::from_translation(Vec3::Y).unwrap())
        .unwrap();
    let slider = world.insert_articulated(slider(), Pose::IDENTITY).unwrap();
    world.update();
    assert_eq!(world.stats().computed, 1);
    world.set_joints(slider, &[1.0]).unwrap();
    world.update();
    assert_eq!((world.stats().computed, world.contacts().len()), (0, 1));
}

#[test]
fn a_world_refuses_bad_positions_and_stays() {
    let mut world = World::default();
    let slider = world.insert_articulated(slider(), Pose::IDENTITY).unwrap();
    let body = world.part_bodies(slider).unwrap()[1];
    for bad in [&[][..], &[0.0, 0.0], &[f64::NAN], &[1e308]] {
        assert!(world.set_joints(slider, bad).is_err());
        assert_eq!(world.pose(body).unwrap().translation(), Vec3::X * 3.0);
    }
    let far = Pose::from_translation(Vec3::X * 1e308).unwrap();
    assert!(world.set_base(slider, far).is_err());
    // An insertion that fails half-way leaves nothing behind.
    let mut huge = LinkageBuilder::new("huge");
    for radius in [1.0, 1e308] {
        let ball = Shape::sphere(radius).unwrap();
        huge.add_part(impinge::articulated::LinkId::ROOT, ball, Pose::IDENTITY)
            .unwrap();
    }
    assert!(
        world
            .insert_articulated(huge.build().unwrap(), Pose::IDENTITY)
            .is_err()
    );
    assert_eq!(world.len(), 2);
}
