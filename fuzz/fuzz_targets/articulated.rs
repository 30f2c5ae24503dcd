//! Bodies of many parts with any joints: contacts are those that asking every pair of parts by itself gives, alone, against each
//! other, and in a world.
#![no_main]

use impinge::articulated::{Encounter, Joint, JointKind, LinkId, Linkage, PartPair, SelfCollision};
use impinge::world::Compute;
use impinge::{Articulation, LinkageBuilder, Shape, World, WorldOptions, query};
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

/// Past this many links, every pair takes too long.
const MOST_LINKS: u8 = 6;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let Some(linkage) = linkage(&mut bytes).map(Arc::new) else {
        return;
    };
    let bodies = [linkage.clone(), linkage.clone()].map(Articulation::new);
    let [Ok(mut a), Ok(mut b)] = bodies else {
        return;
    };
    let mut encounter = Encounter::default();
    for _ in 0..3 {
        for body in [&mut a, &mut b] {
            move_somewhere(body, &mut bytes);
            check_self(body);
        }
        assert_eq!(encounter.contacts(&a, &b), touching(&a, &b));
        check_world(&linkage, &mut a);
    }
});

fn linkage(bytes: &mut Bytes<'_>) -> Option<Linkage> {
    let mut builder = LinkageBuilder::new("root");
    let mut links = vec![LinkId::ROOT];
    for place in 0..1 + bytes.byte() % MOST_LINKS {
        if place > 0 {
            let parent = links[usize::from(bytes.byte()) % links.len()];
            let joint = Joint::new(place.to_string(), kind(bytes), shapes::pose(bytes)?).ok()?;
            links.push(builder.add_link(place.to_string(), parent, joint).ok()?);
        }
        let link = *links.last()?;
        for _ in 0..bytes.byte() % 3 {
            let shape = shapes::convex(bytes).filter(is_decided_exactly)?;
            builder.add_part(link, shape, shapes::pose(bytes)?).ok()?;
        }
    }
    let choices = [SelfCollision::Distant, SelfCollision::All];
    builder.set_self_collision(choices[usize::from(bytes.byte() % 2)]);
    builder.build().ok()
}

fn kind(bytes: &mut Bytes<'_>) -> JointKind {
    let [axis] = bytes.points();
    match bytes.byte() % 4 {
        0 => JointKind::Fixed,
        1 => JointKind::Prismatic { axis },
        2 => JointKind::Planar { normal: axis },
        _ => JointKind::Revolute { axis },
    }
}

/// Curved shapes are decided within an interval, and may be decided one way here and the other way there.
fn is_decided_exactly(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::Sphere(_)
            | Shape::Cuboid(_)
            | Shape::Capsule(_)
            | Shape::Polytope(_)
            | Shape::HalfSpace(_)
    )
}

/// Positions that are refused leave the body where it is.
fn move_somewhere(body: &mut Articulation, bytes: &mut Bytes<'_>) {
    let positions: Vec<f64> = (0..body.joints().len()).map(|_| bytes.number()).collect();
    let before = body.part_poses().to_vec();
    if body.set_joints(&positions).is_err() {
        assert_eq!(body.part_poses(), before);
    }
    if let Some(pose) = shapes::pose(bytes) {
        let _ = body.set_base(pose);
    }
}

fn touching(a: &Articulation, b: &Articulation) -> Vec<PartPair> {
    let all = a.linkage().part_ids().flat_map(|p| {
        let others = b.linkage().part_ids();
        others.map(move |q| PartPair { a: p, b: q })
    });
    let touching = all.filter(|pair| query::intersects(a.placed(pair.a), b.placed(pair.b)));
    touching.collect()
}

fn own_touching(body: &Articulation) -> Vec<PartPair> {
    let mut pairs = touching(body, body);
    pairs.retain(|pair| pair.a < pair.b && body.linkage().may_meet(pair.a, pair.b));
    pairs
}

fn check_self(body: &mut Articulation) {
    let expected = own_touching(body);
    assert_eq!(body.self_contacts(), expected);
    assert_eq!(body.self_intersects(), !expected.is_empty());
}

/// A world with one such body says the same.
fn check_world(linkage: &Arc<Linkage>, body: &mut Articulation) {
    let options = WorldOptions {
        compute: Compute::Intersects,
        ..WorldOptions::default()
    };
    let mut world = World::new(options).expect("the options are sound");
    // Shapes beyond the range of boxes are refused.
    let Ok(id) = world.insert_articulated(linkage.clone(), *body.base()) else {
        return;
    };
    world
        .set_joints(id, body.joints())
        .expect("they were accepted before");
    world.update();
    let part = |body| world.part_of(body).expect("all bodies are parts").1;
    let contacts = world.contacts().iter().map(|contact| contact.pair);
    let found = contacts.map(|pair| PartPair {
        a: part(pair.a()),
        b: part(pair.b()),
    });
    assert_eq!(found.collect::<Vec<_>>(), own_touching(body));
    world.validate();
}
