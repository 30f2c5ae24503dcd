//! Groups, single pairs, and what is computed for them.

use super::touching;
use impinge::broad::Filter;
use impinge::world::Compute;
use impinge::{BodyId, Event, Finding, Pair, Pose, Shape, Vec3, World, WorldOptions};

/// Three balls that all overlap.
fn three(options: WorldOptions) -> (World, [BodyId; 3]) {
    let mut world = World::new(options).unwrap();
    let bodies = [0.0, 0.5, 1.0].map(|x| {
        let pose = Pose::from_translation(Vec3::X * x).unwrap();
        world.insert(Shape::sphere(1.0).unwrap(), pose).unwrap()
    });
    (world, bodies)
}

fn pair(a: BodyId, b: BodyId) -> Pair {
    Pair::new(a, b).unwrap()
}

#[test]
fn groups_and_masks_hold_both_ways() {
    let (mut world, [a, b, c]) = three(WorldOptions::default());
    world.update();
    assert_eq!(touching(&world), [pair(a, b), pair(a, c), pair(b, c)]);
    // One-sided dislike is enough.
    world.set_filter(a, Filter { groups: 1, mask: 2 }).unwrap();
    world.set_filter(b, Filter { groups: 2, mask: 2 }).unwrap();
    world.update();
    assert_eq!(
        touching(&world),
        [pair(a, c)]
            .as_slice()
            .iter()
            .copied()
            .chain([pair(b, c)])
            .collect::<Vec<_>>()
    );
    assert_eq!(
        world.events(),
        [
            Event::Ended(pair(a, b)),
            Event::Continued(pair(a, c)),
            Event::Continued(pair(b, c))
        ]
    );
    world.set_filter(a, Filter::default()).unwrap();
    world.update();
    assert_eq!(world.events()[0], Event::Began(pair(a, b)));
}

#[test]
fn pairs_are_activated_between_updates() {
    let (mut world, [a, b, c]) = three(WorldOptions::default());
    world.set_active(c, a, false).unwrap();
    world.update();
    assert_eq!(touching(&world), [pair(a, b), pair(b, c)]);
    world.set_active(a, c, true).unwrap();
    world.update();
    assert_eq!(touching(&world), [pair(a, b), pair(a, c), pair(b, c)]);
    assert_eq!(world.events()[1], Event::Began(pair(a, c)));
    assert_eq!(world.stats().computed, 1, "the others did not move");

    // A rule goes with its body: the next owner of the index has none.
    world.set_active(b, c, false).unwrap();
    world.remove(c).unwrap();
    let d = world
        .insert(Shape::sphere(1.0).unwrap(), Pose::IDENTITY)
        .unwrap();
    assert_eq!(d.index(), c.index());
    world.update();
    assert_eq!(touching(&world), [pair(a, b), pair(a, d), pair(b, d)]);
    assert!(world.events().contains(&Event::Ended(pair(a, c))));
    assert!(world.events().contains(&Event::Began(pair(a, d))));
}

#[test]
fn each_pair_may_be_computed_in_its_own_way() {
    let (mut world, [a, b, c]) = three(WorldOptions {
        compute: Compute::Intersects,
        ..WorldOptions::default()
    });
    world.set_compute(a, b, Some(Compute::Contacts)).unwrap();
    world.set_compute(b, c, Some(Compute::Distances)).unwrap();
    world.update();
    let finding = |world: &World, p, q| world.contact(p, q).unwrap().finding.clone();
    assert!(
        matches!(finding(&world, a, b), Finding::Penetration(deep) if deep.bounds.contains(1.5))
    );
    assert!(matches!(finding(&world, c, b), Finding::Separation(near) if near.distance == 0.0));
    assert_eq!(finding(&world, a, c), Finding::Intersects);
    world.set_compute(a, b, None).unwrap();
    world.update();
    assert_eq!(finding(&world, a, b), Finding::Intersects);
    assert_eq!(world.stats().computed, 1);
}

#[test]
fn a_pair_has_a_direction_and_points() {
    let (mut world, [a, b, _]) = three(WorldOptions::default());
    world.update();
    let contact = world.contact(a, b).unwrap();
    assert!((contact.distance().unwrap() + 1.5).abs() < 1e-14);
    assert!(contact.direction().unwrap().dot(Vec3::X) > 1.0 - 1e-12);
    let witness = contact.witness().unwrap();
    assert!((witness.a.x - 1.0).abs() < 1e-12 && (witness.b.x + 0.5).abs() < 1e-12);
    assert!(contact.features().is_some());
}
