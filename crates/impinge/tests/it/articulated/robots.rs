//! Real robots (`IMPINGE_DATA`): poses against those that another library computed, self-collision against exact arithmetic.

use crate::oracle::triangles_meet;
use impinge::articulated::urdf::{self, MeshUse, UrdfOptions};
use impinge::articulated::{Linkage, PartPair};
use impinge::exact::hulls_intersect;
use impinge::{Aabb, Articulation, Mat3, Pose, Shape, Vec3, World};
use impinge_scenes::configurations::Configurations;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

const ROBOTS: [&str; 4] = ["panda", "ur5", "solo12", "fanuc"];

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("IMPINGE_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("not run: IMPINGE_DATA does not name the folder of the robots");
    }
    folder
}

fn robot(data: &std::path::Path, name: &str) -> Arc<Linkage> {
    robot_with(data, name, MeshUse::Hull)
}

fn robot_with(data: &std::path::Path, name: &str, meshes: MeshUse) -> Arc<Linkage> {
    let folder = data.join("robots").join(name);
    let options = UrdfOptions {
        packages: vec![(
            "moveit_resources_fanuc_description/meshes/collision".to_owned(),
            folder.join("meshes"),
        )],
        srdf: Some(folder.join(name).with_extension("srdf")),
        meshes,
        ..UrdfOptions::default()
    };
    let path = folder.join(name).with_extension("urdf");
    let builder = urdf::read(&path, &options).unwrap();
    Arc::new(builder.build().unwrap())
}

/// The pairs of parts that touch, each decided by exact arithmetic on the placed vertices.
fn exactly(robot: &Articulation) -> Vec<PartPair> {
    let linkage = robot.linkage();
    let placed: Vec<(Aabb, Vec<Vec3>)> = linkage
        .part_ids()
        .map(|part| {
            let part = robot.placed(part);
            let vertices = part.shape.as_polytope().unwrap().vertices().iter();
            let vertices: Vec<Vec3> = vertices.map(|v| part.pose.place(*v)).collect();
            (Aabb::of_points(vertices.iter().copied()).unwrap(), vertices)
        })
        .collect();
    let mut touching = Vec::new();
    for a in linkage.part_ids() {
        for b in linkage
            .part_ids()
            .filter(|b| *b > a && linkage.may_meet(a, *b))
        {
            let [p, q] = [a, b].map(|part| &placed[part.index()]);
            if p.0.overlaps(&q.0) && hulls_intersect(&p.1, &q.1) {
                touching.push(PartPair { a, b });
            }
        }
    }
    touching
}

#[test]
fn self_collision_is_that_of_exact_arithmetic() {
    let Some(data) = data() else { return };
    let count = if crate::is_full() { 10_000 } else { 150 };
    for name in ROBOTS {
        let linkage = robot(&data, name);
        let mut robot = Articulation::new(linkage.clone()).unwrap();
        let mut random = Configurations::new(3);
        let mut touching = 0;
        for _ in 0..count {
            let positions = random.draw(&linkage);
            robot.set_joints(&positions).unwrap();
            let expected = exactly(&robot);
            assert_eq!(robot.self_contacts(), expected, "{name} at {positions:?}");
            assert_eq!(robot.self_intersects(), !expected.is_empty());
            touching += expected.len();
        }
        println!("{name}: {count} configurations, {touching} pairs touch");
        assert!(touching > 0);
    }
}

#[test]
fn poses_are_those_of_another_library() {
    let Some(data) = data() else { return };
    for name in &ROBOTS[..3] {
        let path = data.join(format!("expected/robot-{name}.json"));
        let expected: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let linkage = robot(&data, name);
        let mut robot = Articulation::new(linkage.clone()).unwrap();
        for configuration in expected["configs"].as_array().unwrap() {
            let joints = linkage.driven_joints();
            let positions =
                joints.map(|joint| configuration["joints"][joint.name()].as_f64().unwrap());
            robot.set_joints(&positions.collect::<Vec<f64>>()).unwrap();
            for (place, geometry) in expected["geoms"].as_array().unwrap().iter().enumerate() {
                let link = linkage
                    .link_named(geometry["link"].as_str().unwrap())
                    .unwrap();
                let part = linkage
                    .part_ids()
                    .find(|part| linkage.part(*part).link() == link);
                let pose = robot.part_poses()[part.unwrap().index()];
                let numbers = |key: &str| -> Vec<f64> {
                    let list = configuration[key][place].as_array().unwrap();
                    list.iter().map(|x| x.as_f64().unwrap()).collect()
                };
                let shift = Vec3::from_slice(&numbers("geom_t"));
                let turn = Mat3::from_cols_slice(&numbers("geom_R")).transpose();
                assert!(
                    pose.translation().distance(shift) < 1e-12,
                    "{name} {link:?}"
                );
                let off = (*pose.matrix() - turn).to_cols_array();
                assert!(off.iter().all(|x| x.abs() < 1e-12), "{name} {link:?}");
            }
        }
    }
}

#[test]
fn pairs_looked_at_are_those_of_another_library() {
    let Some(data) = data() else { return };
    for name in &ROBOTS[..3] {
        let path = data.join(format!("expected/robot-{name}.json"));
        let expected: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let linkage = robot(&data, name);
        let geometries = expected["geoms"].as_array().unwrap();
        let part = |place: usize| {
            let link = linkage.link_named(geometries[place]["link"].as_str().unwrap());
            let mut parts = linkage.part_ids();
            parts
                .find(|part| Some(linkage.part(*part).link()) == link)
                .unwrap()
        };
        let pairs: Vec<[usize; 2]> = serde_json::from_value(expected["pairs"].clone()).unwrap();
        for a in 0..geometries.len() {
            for b in a + 1..geometries.len() {
                let is_looked_at = linkage.may_meet(part(a), part(b));
                assert_eq!(is_looked_at, pairs.contains(&[a, b]), "{name} {a} {b}");
            }
        }
    }
}

/// What parts are made of, placed: triangles, or all vertices of a polytope; each with its box.
fn pieces(robot: &Articulation) -> Vec<Vec<(Aabb, Vec<Vec3>)>> {
    let boxed = |corners: Vec<Vec3>| (Aabb::of_points(corners.iter().copied()).unwrap(), corners);
    let of_part = |part| {
        let part = robot.placed(part);
        let place = |v: &Vec3| part.pose.place(*v);
        if let Some(polytope) = part.shape.as_polytope() {
            return vec![boxed(polytope.vertices().iter().map(place).collect())];
        }
        let Shape::Mesh(mesh) = part.shape else {
            panic!("a polytope or a mesh")
        };
        let corners = (0..mesh.triangles().len()).map(|t| mesh.corners(t));
        corners
            .map(|c| boxed(c.iter().map(place).collect()))
            .collect()
    };
    robot.linkage().part_ids().map(of_part).collect()
}

/// The pieces of a part that are in the box around another one.
fn near<'p>(
    pieces: &'p [(Aabb, Vec<Vec3>)],
    other: &[(Aabb, Vec<Vec3>)],
) -> Vec<&'p (Aabb, Vec<Vec3>)> {
    let around = other
        .iter()
        .map(|piece| piece.0)
        .reduce(|p, q| p.merge(&q))
        .unwrap();
    let near = pieces.iter().filter(|piece| piece.0.overlaps(&around));
    near.collect()
}

/// The pairs of parts that touch, every piece compared with every other by the oracle.
fn exactly_by_pieces(robot: &Articulation) -> Vec<PartPair> {
    let (linkage, pieces) = (robot.linkage(), pieces(robot));
    let meet = |p: &(Aabb, Vec<Vec3>), q: &(Aabb, Vec<Vec3>)| {
        p.0.overlaps(&q.0)
            && match (<[Vec3; 3]>::try_from(&*p.1), <[Vec3; 3]>::try_from(&*q.1)) {
                (Ok(s), Ok(t)) => triangles_meet(&s, &t),
                _ => hulls_intersect(&p.1, &q.1),
            }
    };
    let ids: Vec<_> = linkage.part_ids().collect();
    let pairs = ids
        .iter()
        .flat_map(|a| ids.iter().map(|b| PartPair { a: *a, b: *b }));
    pairs
        .filter(|pair| pair.a < pair.b && linkage.may_meet(pair.a, pair.b))
        .filter(|pair| {
            let [p, q] = [pair.a, pair.b].map(|part| &pieces[part.index()]);
            // Only pieces in the box around the other part matter.
            let [in_q, in_p] = [near(p, q), near(q, p)];
            in_q.iter().any(|p| in_p.iter().any(|q| meet(p, q)))
        })
        .collect()
}

/// The parts of a robot that touch in a world.
fn touching(world: &World) -> Vec<PartPair> {
    let part = |body| world.part_of(body).unwrap().1;
    let mut pairs: Vec<PartPair> = world
        .contacts()
        .iter()
        .filter(|contact| contact.intersects())
        .map(|contact| {
            let (a, b) = (part(contact.pair.a()), part(contact.pair.b()));
            PartPair {
                a: a.min(b),
                b: a.max(b),
            }
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn links_as_meshes_touch_where_their_triangles_do() {
    let Some(data) = data() else { return };
    let count = if crate::is_full() { 2000 } else { 4 };
    let mut total = 0;
    for name in ROBOTS {
        let linkage = robot_with(&data, name, MeshUse::Triangles);
        let mut robot = Articulation::new(linkage.clone()).unwrap();
        let mut world = World::default();
        let id = world
            .insert_articulated(linkage.clone(), Pose::IDENTITY)
            .unwrap();
        let mut random = Configurations::new(5);
        let mut found = 0;
        for _ in 0..count {
            let positions = random.draw(&linkage);
            robot.set_joints(&positions).unwrap();
            world.set_joints(id, &positions).unwrap();
            world.update();
            let expected = exactly_by_pieces(&robot);
            assert_eq!(robot.self_contacts(), expected, "{name} at {positions:?}");
            assert_eq!(touching(&world), expected, "{name} at {positions:?}");
            found += expected.len();
        }
        println!("{name}: {count} configurations, {found} pairs of meshes touch");
        total += found;
    }
    assert!(total > 0);
}

#[test]
fn links_as_meshes_touch_as_other_libraries_say() {
    let Some(data) = data() else { return };
    for name in &ROBOTS[..3] {
        let path = data.join(format!("expected/robot-{name}.json"));
        let expected: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let linkage = robot_with(&data, name, MeshUse::Triangles);
        let mut robot = Articulation::new(linkage.clone()).unwrap();
        let geometries = expected["geoms"].as_array().unwrap();
        let part = |place: usize| {
            let link = linkage.link_named(geometries[place]["link"].as_str().unwrap());
            let mut parts = linkage.part_ids();
            parts
                .find(|part| Some(linkage.part(*part).link()) == link)
                .unwrap()
        };
        let parts: Vec<_> = (0..geometries.len()).map(part).collect();
        let mut count = 0;
        for configuration in expected["configs"].as_array().unwrap() {
            let joints = linkage.driven_joints();
            let positions =
                joints.map(|joint| configuration["joints"][joint.name()].as_f64().unwrap());
            robot.set_joints(&positions.collect::<Vec<f64>>()).unwrap();
            let colliding: Vec<[usize; 2]> =
                serde_json::from_value(configuration["colliding"].clone()).unwrap();
            let mut colliding: Vec<PartPair> = colliding
                .iter()
                .map(|[a, b]| PartPair {
                    a: parts[*a].min(parts[*b]),
                    b: parts[*a].max(parts[*b]),
                })
                .collect();
            colliding.sort_unstable();
            let is_known = |pair: &&PartPair| parts.contains(&pair.a) && parts.contains(&pair.b);
            let found: Vec<PartPair> = robot
                .self_contacts()
                .iter()
                .filter(is_known)
                .copied()
                .collect();
            assert_eq!(found, colliding, "{name} {}", configuration["config"]);
            count += 1;
        }
        println!("{name}: {count} configurations");
    }
}
