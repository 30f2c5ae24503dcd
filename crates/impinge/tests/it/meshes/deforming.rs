//! Meshes whose vertices move, and meshes that intersect themselves.

use super::{on_path, ring, soup};
use crate::cases::rng;
use crate::is_full;
use crate::shapes::kinds::{FAMILIES, point};
use impinge::exact::triangles_cross_beyond_shared;
use impinge::narrow::mesh_work;
use impinge::world::WorldOptions;
use impinge::{Polytope, Pose, Shape, TriMesh, Vec3, World, query};

/// A wave that goes through a mesh.
fn waving(mesh: &TriMesh, time: f64) -> Vec<Vec3> {
    let wave = |v: &Vec3| {
        let along = 3.0 * v.x + 2.0 * v.y + 5.0 * time;
        *v + Vec3::new(
            0.1 * along.sin(),
            0.2 * (along * 0.7).cos(),
            0.4 * time * v.x,
        )
    };
    mesh.vertices().iter().map(wave).collect()
}

#[test]
fn a_deformed_mesh_answers_like_a_new_one() {
    let rest = ring(40, 10, 0.3);
    let other = Shape::from(ring(30, 8, 0.2));
    let mut mesh = rest.clone();
    let mut met = 0;
    for step in 0..24 {
        let time = f64::from(step) / 24.0;
        let vertices = waving(&rest, 6.0 * time);
        mesh.set_vertices(&vertices).unwrap();
        let fresh = TriMesh::new(vertices, rest.triangles().to_vec()).unwrap();
        assert_eq!(mesh, fresh);
        assert_eq!(mesh.bounds(), fresh.bounds());
        assert_eq!(
            query::self_intersections(&mesh),
            query::self_intersections(&fresh)
        );
        let (a, b) = (Shape::from(mesh.clone()), Shape::from(fresh));
        let pose = on_path(time);
        let [found, expected] = [&a, &b].map(|shape| {
            let (p, q) = (shape.at(Pose::IDENTITY), other.at(pose));
            let near = query::distance(p, q);
            (
                query::mesh_contacts(p, q).unwrap(),
                near.distance == 0.0,
                near.bounds,
            )
        });
        assert_eq!(
            (&found.0, found.1),
            (&expected.0, expected.1),
            "step {step}"
        );
        assert!(found.2.lower <= expected.2.upper && expected.2.lower <= found.2.upper);
        met += usize::from(found.1);
    }
    assert!(met > 3, "{met}");
}

#[test]
fn bad_vertices_leave_the_mesh_as_it_was() {
    let rest = ring(8, 4, 0.3);
    let mut mesh = rest.clone();
    for bad in [f64::NAN, f64::INFINITY] {
        let mut vertices = rest.vertices().to_vec();
        vertices[17].y = bad;
        let error = mesh.set_vertices(&vertices).unwrap_err().to_string();
        assert!(error.contains("vertex 17"), "{error}");
    }
    assert!(mesh.set_vertices(&rest.vertices()[1..]).is_err());
    assert!(mesh.with_vertices(&[]).is_err());
    assert_eq!(mesh, rest);
}

#[test]
fn decay_tells_when_building_anew_pays() {
    let rest = ring(80, 24, 0.3);
    let mut mesh = rest.clone();
    assert!((mesh.decay() - 1.0).abs() < 1e-5);
    let moved: Vec<Vec3> = rest
        .vertices()
        .iter()
        .map(|v| *v * 2.0 + Vec3::ONE)
        .collect();
    mesh.set_vertices(&moved).unwrap();
    assert!((mesh.decay() - 1.0).abs() < 1e-3, "{}", mesh.decay());
    // Each vertex far from where it was, neighbours still neighbours: the ring is wound up three times as tightly.
    let wound: Vec<Vec3> = rest
        .vertices()
        .iter()
        .map(|v| {
            let angle = 12.0 * v.z + 9.0 * v.x;
            Vec3::new(
                v.x * angle.cos() - v.y * angle.sin(),
                v.x * angle.sin() + v.y * angle.cos(),
                v.z,
            )
        })
        .collect();
    mesh.set_vertices(&wound).unwrap();
    let decay = mesh.decay();
    let other = Shape::from(ring(40, 10, 0.2));
    let work = |mesh: &TriMesh| {
        let shape = Shape::from(mesh.clone());
        let before = mesh_work();
        for step in 0..20 {
            let pose = on_path(f64::from(step) / 20.0);
            query::distance(shape.at(Pose::IDENTITY), other.at(pose));
            query::intersects(shape.at(Pose::IDENTITY), other.at(pose));
        }
        (mesh_work() - before).nodes
    };
    let worn = work(&mesh);
    mesh.rebuild();
    let new = work(&mesh);
    println!("decay {decay}, nodes {worn} before and {new} after building anew");
    assert!((mesh.decay() - 1.0).abs() < 1e-5);
    assert!(decay > 1.5 && worn > new, "{decay}, {worn}, {new}");
}

fn brute_force(mesh: &TriMesh) -> Vec<[u32; 2]> {
    let count = mesh.triangles().len() as u32;
    let crosses = |p: u32, q: u32| {
        triangles_cross_beyond_shared(&mesh.corners(p as usize), &mesh.corners(q as usize))
    };
    let pairs = (0..count).flat_map(|p| (p + 1..count).map(move |q| [p, q]));
    pairs.filter(|[p, q]| crosses(*p, *q)).collect()
}

#[test]
fn all_self_intersections_are_found() {
    let mut rng = rng(131);
    for family in FAMILIES {
        let mut count = 0;
        for _ in 0..if is_full() { 200 } else { 10 } {
            let mesh = soup(&mut rng, 20, family);
            let found = query::self_intersections(&mesh);
            assert_eq!(found, brute_force(&mesh), "{family:?}");
            count += found.len();
        }
        assert!(count > 0, "{family:?}");
    }
    for size in [1e-200, 1e200] {
        let mesh = soup(&mut rng, 10, crate::shapes::kinds::Family::Scaled(size));
        assert_eq!(query::self_intersections(&mesh), brute_force(&mesh));
    }
}

#[test]
fn surfaces_intersect_themselves_only_when_bent_far() {
    let rest = ring(40, 10, 0.3);
    assert!(query::self_intersections(&rest).is_empty());
    let mut mesh = rest.clone();
    let mut count = 0;
    for step in 0..10 {
        // The ring is pressed flat, and then through itself.
        let press = 1.0 - 0.2 * f64::from(step);
        let flat = |v: &Vec3| Vec3::new(v.x, v.y * press, v.z + 0.3 * v.y);
        let vertices: Vec<Vec3> = rest.vertices().iter().map(flat).collect();
        mesh.set_vertices(&vertices).unwrap();
        let found = query::self_intersections(&mesh);
        assert_eq!(found, brute_force(&mesh), "step {step}");
        count += found.len();
    }
    println!("{count} pairs");
    let mut rng = rng(132);
    let crumpled: Vec<Vec3> = rest
        .vertices()
        .iter()
        .map(|v| *v + point(&mut rng) * 0.1)
        .collect();
    mesh.set_vertices(&crumpled).unwrap();
    let found = query::self_intersections(&mesh);
    assert_eq!(found, brute_force(&mesh));
    assert!(!found.is_empty());
}

#[test]
fn a_body_of_a_world_may_deform() {
    let cube = Polytope::cuboid(Vec3::ONE).unwrap().to_mesh();
    let mut world = World::new(WorldOptions::default()).unwrap();
    let shape = Shape::from(cube.clone());
    let soft = world.insert(shape.clone(), Pose::IDENTITY).unwrap();
    let at = Pose::from_translation(Vec3::X * 4.0).unwrap();
    let hard = world.insert(shape, at).unwrap();
    world.update();
    assert!(world.contacts().is_empty());
    let stretched: Vec<Vec3> = cube
        .vertices()
        .iter()
        .map(|v| *v * Vec3::new(3.5, 1.0, 1.0))
        .collect();
    world.deform(soft, &stretched).unwrap();
    world.update();
    assert!(
        world
            .contact(soft, hard)
            .is_some_and(impinge::Contact::intersects)
    );
    world.validate();
    // The other body, which had the same mesh, is as it was.
    let Shape::Mesh(mesh) = world.shape(hard).unwrap() else {
        panic!("a mesh")
    };
    assert_eq!(**mesh, cube);
    world.deform(soft, cube.vertices()).unwrap();
    world.update();
    assert!(world.contacts().is_empty());
    assert!(world.deform(soft, &[]).is_err());
    let ball = world
        .insert(Shape::sphere(1.0).unwrap(), Pose::IDENTITY)
        .unwrap();
    assert!(world.deform(ball, &[]).is_err());
    world.remove(ball).unwrap();
    assert!(world.deform(ball, &[]).is_err());
}
