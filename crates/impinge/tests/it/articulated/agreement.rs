//! Contacts of parts, against asking every pair of parts by itself.

use super::{Sample, pose, positions, sample};
use crate::cases::rng;
use crate::shapes::kinds::Family;
use impinge::articulated::{Encounter, Joint, JointKind, LinkId, PartPair, SelfCollision};
use impinge::exact::hulls_intersect;
use impinge::{Articulation, LinkageBuilder, Mat3, Pose, Quat, Shape, Vec3, reference};
use impinge_scenes::points::on_sphere;
use proptest::prelude::*;
use rand::{Rng, RngExt};
use std::sync::Arc;

fn all_pairs(a: &Articulation, b: &Articulation) -> Vec<PartPair> {
    let pairs = a.linkage().part_ids().flat_map(|p| {
        let others = b.linkage().part_ids();
        others.map(move |q| PartPair { a: p, b: q })
    });
    let touching = pairs.filter(|pair| reference::intersects(a.placed(pair.a), b.placed(pair.b)));
    touching.collect()
}

/// Positions near those of before, or anywhere.
fn next_positions(rng: &mut impl Rng, body: &Articulation) -> Vec<f64> {
    if rng.random_bool(0.3) {
        return positions(rng, body.linkage());
    }
    let near = |x: &f64| x + rng.random_range(-0.05..0.05);
    let next: Vec<f64> = body.joints().iter().map(near).collect();
    // A quaternion would not stay one.
    if body.clone().set_joints(&next).is_ok() {
        next
    } else {
        positions(rng, body.linkage())
    }
}

fn check_self(body: &mut Articulation, may_meet: impl Fn(PartPair) -> bool) -> usize {
    let brute = all_pairs(body, body);
    let expected: Vec<PartPair> = brute
        .into_iter()
        .filter(|pair| pair.a < pair.b && may_meet(*pair))
        .collect();
    assert_eq!(body.self_contacts(), expected);
    assert_eq!(body.self_intersects(), !expected.is_empty());
    expected.len()
}

fn check_family(seed: u64, family: Family, frames: usize) -> usize {
    let mut rng = rng(seed);
    let parts: [Sample; 2] = [(); 2].map(|()| sample(&mut rng, family));
    let rules = parts.each_ref().map(|sample| {
        let ids: Vec<_> = sample.linkage.part_ids().collect();
        let pairs = ids.iter().flat_map(|a| ids.iter().map(move |b| (*a, *b)));
        let looked_at = pairs.filter(|(a, b)| a < b && sample.may_meet(*a, *b));
        looked_at
            .map(|(a, b)| PartPair { a, b })
            .collect::<Vec<_>>()
    });
    let mut bodies = parts.map(|sample| Articulation::new(sample.linkage).unwrap());
    let mut encounter = Encounter::default();
    let mut found = 0;
    for _ in 0..frames {
        for (body, rules) in bodies.iter_mut().zip(&rules) {
            let next = if family == Family::Snapped {
                let rest = body.linkage().rest();
                rest.iter()
                    .map(|x| x + f64::from(rng.random_range(-1..=1)) * 0.0)
                    .collect()
            } else {
                next_positions(&mut rng, body)
            };
            body.set_joints(&next).unwrap();
            body.set_base(pose(&mut rng, family, 3.0)).unwrap();
            found += check_self(body, |pair| rules.contains(&pair));
        }
        let [a, b] = &bodies;
        let expected = all_pairs(a, b);
        assert_eq!(encounter.contacts(a, b), expected);
        assert_eq!(encounter.intersects(a, b), !expected.is_empty());
        found += expected.len();
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if crate::is_full() { 2000 } else { 60 }))]

    #[test]
    fn contacts_are_those_of_all_pairs(seed: u64) {
        check_family(seed, Family::Random, 4);
    }

    #[test]
    fn what_touches_on_a_grid_is_told(seed: u64) {
        check_family(seed, Family::Snapped, 2);
    }
}

#[test]
fn the_random_bodies_do_touch() {
    let found: usize = (0..20)
        .map(|seed| check_family(seed, Family::Random, 2))
        .sum();
    let snapped: usize = (0..20)
        .map(|seed| check_family(seed, Family::Snapped, 2))
        .sum();
    assert!(found > 100 && snapped > 100, "{found} {snapped}");
}

#[test]
fn coincident_parts_all_touch() {
    // Twelve links, all at the same place with the same shape.
    let mut heap = LinkageBuilder::new("root");
    let cube = Shape::cuboid(Vec3::ONE).unwrap();
    heap.add_part(LinkId::ROOT, cube.clone(), Pose::IDENTITY)
        .unwrap();
    for place in 0..12 {
        let hinge = super::hinge(&format!("hinge {place}"), Vec3::X, 0.0);
        let link = heap
            .add_link(format!("link {place}"), LinkId::ROOT, hinge)
            .unwrap();
        heap.add_part(link, cube.clone(), Pose::IDENTITY).unwrap();
    }
    let mut heap = Articulation::new(heap.build().unwrap()).unwrap();
    // All but those with the root, which is the neighbour of all.
    assert_eq!(heap.self_contacts().len(), 12 * 11 / 2);
    let other = heap.clone();
    assert_eq!(Encounter::default().contacts(&heap, &other).len(), 13 * 13);
}

#[test]
fn compounds_of_many_parts_are_culled_rightly() {
    let mut rng = rng(5);
    let mut cloud = LinkageBuilder::new("cloud");
    let bead = Shape::sphere(0.05).unwrap();
    for _ in 0..300 {
        let place = crate::shapes::kinds::point(&mut rng);
        cloud
            .add_part(
                LinkId::ROOT,
                bead.clone(),
                Pose::from_translation(place).unwrap(),
            )
            .unwrap();
    }
    let cloud = Arc::new(cloud.build().unwrap());
    let mut a = Articulation::new(cloud.clone()).unwrap();
    let mut b = Articulation::new(cloud).unwrap();
    let mut encounter = Encounter::default();
    let mut found = 0;
    for frame in 0..6 {
        a.set_base(pose(&mut rng, Family::Random, 0.5)).unwrap();
        b.set_base(Pose::from_translation(Vec3::X * 0.25 * f64::from(frame)).unwrap())
            .unwrap();
        let expected = all_pairs(&a, &b);
        assert_eq!(encounter.contacts(&a, &b), expected);
        found += expected.len();
    }
    assert!(found > 100 && a.self_contacts().is_empty());
}

/// A chain of long hulls of many vertices, of some size; its joints are turned by matrices that are not quite rotations.
fn chain(rng: &mut impl Rng, size: f64, skew: f64) -> Articulation {
    let mut chain = LinkageBuilder::new("0");
    let mut end = LinkId::ROOT;
    for place in 0..7 {
        if place > 0 {
            let turn = Quat::from_vec4(crate::shapes::kinds::point(rng).extend(0.5)).normalize();
            let turn = Mat3::from_quat(turn) * (1.0 + skew);
            let origin = Pose::from_matrix(turn, Vec3::X * size).unwrap();
            let kind = JointKind::Revolute { axis: Vec3::Z };
            let joint = Joint::new(place.to_string(), kind, origin).unwrap();
            end = chain.add_link(place.to_string(), end, joint).unwrap();
        }
        let stretch = Vec3::new(0.8, 0.3, 0.2) * size;
        let points: Vec<Vec3> = on_sphere([30, 150, 600][place % 3], rng.random())
            .into_iter()
            .map(|p| p * stretch)
            .collect();
        chain
            .add_part(end, Shape::hull(&points).unwrap(), Pose::IDENTITY)
            .unwrap();
    }
    chain.set_self_collision(SelfCollision::All);
    Articulation::new(chain.build().unwrap()).unwrap()
}

fn exactly(body: &Articulation) -> Vec<PartPair> {
    let placed: Vec<Vec<Vec3>> = body
        .linkage()
        .part_ids()
        .map(|part| {
            let placed = body.placed(part);
            let vertices = placed.shape.as_polytope().unwrap().vertices().iter();
            vertices.map(|v| placed.pose.place(*v)).collect()
        })
        .collect();
    let ids: Vec<_> = body.linkage().part_ids().collect();
    let mut found = Vec::new();
    for a in &ids {
        for b in &ids[a.index() + 1..] {
            if hulls_intersect(&placed[a.index()], &placed[b.index()]) {
                found.push(PartPair { a: *a, b: *b });
            }
        }
    }
    found
}

#[test]
fn hulls_of_many_vertices_touch_as_they_do() {
    let mut rng = rng(31);
    let (mut found, mut free) = (0, 0);
    for (size, skew) in [
        (1.0, 0.0),
        (1.0, 4e-8),
        (1e-290, 0.0),
        (1e290, 0.0),
        (1e-5, 0.0),
    ] {
        let mut body = chain(&mut rng, size, skew);
        // Numbers of extreme size are all left to exact arithmetic.
        let count = if (1e-6..1e6).contains(&size) { 70 } else { 4 };
        let configurations: Vec<Vec<f64>> = (0..count)
            .map(|_| positions(&mut rng, body.linkage()))
            .collect();
        let mut together = Vec::new();
        body.self_contacts_each(&configurations, |k, contacts| {
            assert_eq!(k, together.len());
            together.push(contacts.to_vec());
        })
        .unwrap();
        assert_eq!(body.joints(), configurations[count - 1]);
        let mut poses = Vec::new();
        let some = if crate::is_full() { 70 } else { 12 };
        for (positions, contacts) in configurations.iter().zip(&together) {
            body.set_joints(positions).unwrap();
            assert_eq!(body.self_contacts(), contacts);
            if poses.len() < some {
                assert_eq!(exactly(&body), *contacts, "size {size}");
            }
            poses.push(body.part_poses().to_vec());
            found += contacts.len();
            free += 21 - contacts.len();
        }
        let mut place = 0;
        body.self_contacts_each_placed(&poses, |k, contacts| {
            assert_eq!(contacts, together[k]);
            place += 1;
        })
        .unwrap();
        assert_eq!(place, poses.len());
    }
    assert!(found > 1000 && free > 1000, "{found} {free}");
}

#[test]
fn hulls_that_just_touch_touch() {
    // Long prisms side by side on a slide, at whole distances: faces that share points, and do not by one rounding.
    let ring = [[5.0, 0.0], [3.0, 4.0], [0.0, 5.0], [-3.0, 4.0], [-5.0, 0.0]];
    let ring = ring.iter().chain(&[[-4.0, -3.0], [0.0, -5.0], [4.0, -3.0]]);
    let points: Vec<Vec3> = ring
        .flat_map(|[x, y]| {
            [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0].map(|z: f64| {
                let share = 1.0 - 0.125 * (z.abs() - 1.0).powi(2);
                Vec3::new(x * share, y * share, z * 8.0)
            })
        })
        .collect();
    let prism = Shape::hull(&points).unwrap();
    assert!(prism.as_polytope().unwrap().vertices().len() > 40);
    let mut pair = LinkageBuilder::new("still");
    pair.add_part(LinkId::ROOT, prism.clone(), Pose::IDENTITY)
        .unwrap();
    let slide = JointKind::Prismatic { axis: Vec3::X };
    let slide = Joint::new("slide", slide, Pose::IDENTITY).unwrap();
    let moving = pair.add_link("moving", LinkId::ROOT, slide).unwrap();
    pair.add_part(moving, prism, Pose::IDENTITY).unwrap();
    pair.set_self_collision(SelfCollision::All);
    let mut pair = Articulation::new(pair.build().unwrap()).unwrap();
    let places = [
        (10.0_f64, true),
        (10.0_f64.next_up(), false),
        (10.0_f64.next_down(), true),
        (-10.0, true),
        (-10.0_f64.next_up(), false),
        (9.5, true),
        (0.0, true),
        (11.0, false),
    ];
    let positions = places.map(|(place, _)| [place]);
    let mut visited = 0;
    let check = |k: usize, contacts: &[PartPair]| {
        assert_eq!(!contacts.is_empty(), places[k].1, "{}", places[k].0);
        visited += 1;
    };
    pair.self_contacts_each(&positions, check).unwrap();
    assert_eq!(visited, places.len());
    for (place, touches) in places {
        pair.set_joints(&[place]).unwrap();
        assert_eq!(pair.self_intersects(), touches, "{place}");
        let expected = exactly(&pair);
        assert_eq!(pair.self_contacts(), expected);
    }
}

#[test]
fn many_pairs_go_down_the_tree() {
    // Thirty-six beads on slides of their own: more pairs than are listed.
    let mut beads = LinkageBuilder::new("root");
    for place in 0..36 {
        let slide = JointKind::Prismatic { axis: Vec3::X };
        let origin = Pose::from_translation(Vec3::Y * f64::from(place) * 0.25).unwrap();
        let joint = Joint::new(place.to_string(), slide, origin).unwrap();
        let link = beads
            .add_link(place.to_string(), LinkId::ROOT, joint)
            .unwrap();
        beads
            .add_part(link, Shape::sphere(0.5).unwrap(), Pose::IDENTITY)
            .unwrap();
    }
    let mut beads = Articulation::new(beads.build().unwrap()).unwrap();
    let mut rng = rng(8);
    let configurations: Vec<Vec<f64>> = (0..20)
        .map(|_| (0..36).map(|_| rng.random_range(-1.0..1.0)).collect())
        .collect();
    let mut together = Vec::new();
    beads
        .self_contacts_each(&configurations, |_, contacts| {
            together.push(contacts.to_vec())
        })
        .unwrap();
    for (positions, contacts) in configurations.iter().zip(together) {
        beads.set_joints(positions).unwrap();
        assert_eq!(check_self(&mut beads, |_| true), contacts.len());
        assert_eq!(beads.self_contacts(), contacts);
    }
}

#[test]
fn a_bad_configuration_among_many_is_refused() {
    let mut rng = rng(9);
    let mut body = chain(&mut rng, 1.0, 0.0);
    let good = positions(&mut rng, body.linkage());
    let mut bad = good.clone();
    bad[3] = f64::NAN;
    let error = body.self_contacts_each(&[good.clone(), bad, good.clone()], |_, _| ());
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "position of joint 4 is not finite");
    assert_eq!(body.joints(), good);
    body.set_joints(&good).unwrap();
    let mut expected = body.clone();
    assert_eq!(body.self_contacts(), expected.self_contacts());
}
