//! Solids: what is inside one meets it.

use super::{Tally, check, ring};
use crate::cases::rng;
use crate::shapes::kinds::{Family, point, poses};
use impinge::{Feature, Polytope, Pose, Shape, Solid, TriMesh, Vec3, query, reference};

fn cube(half: f64) -> TriMesh {
    Polytope::cuboid(Vec3::splat(half)).unwrap().to_mesh()
}

fn solid(mesh: TriMesh) -> Shape {
    Shape::from(Solid::new(mesh).unwrap())
}

/// Both meshes in one.
fn both(a: &TriMesh, b: &TriMesh) -> TriMesh {
    let first = a.vertices().len() as u32;
    let vertices = [a.vertices(), b.vertices()].concat();
    let moved = b.triangles().iter().map(|t| t.map(|i| i + first));
    let triangles = a.triangles().iter().copied().chain(moved).collect();
    TriMesh::new(vertices, triangles).unwrap()
}

#[test]
fn what_is_inside_a_solid_meets_it_and_what_is_in_its_cavity_does_not() {
    let inside_out: Vec<[u32; 3]> = cube(1.0)
        .triangles()
        .iter()
        .map(|[p, q, r]| [*p, *r, *q])
        .collect();
    let cavity = TriMesh::new(cube(1.0).vertices().to_vec(), inside_out).unwrap();
    let hollow = solid(both(&cube(2.0), &cavity));
    let full = solid(cube(2.0));
    let shell = Shape::from(cube(2.0));
    let small = [
        Shape::from(cube(0.25)),
        solid(cube(0.25)),
        Shape::cuboid(Vec3::splat(0.25)).unwrap(),
    ];
    for small in &small {
        let meets = |large: &Shape, x: f64| {
            let pose = Pose::from_translation(Vec3::X * x).unwrap();
            let answer = query::intersects(large.at(Pose::IDENTITY), small.at(pose));
            assert_eq!(
                answer,
                query::intersects(small.at(pose), large.at(Pose::IDENTITY))
            );
            let near = query::distance(large.at(Pose::IDENTITY), small.at(pose));
            assert_eq!(near.distance == 0.0, answer, "{x}: {near:?}");
            answer
        };
        assert!(meets(&full, 0.0) && meets(&full, 1.5) && !meets(&full, 2.5));
        assert!(!meets(&hollow, 0.0) && meets(&hollow, 1.5) && meets(&hollow, 0.75));
        assert!(!meets(&shell, 0.0) && !meets(&shell, 1.5) && meets(&shell, 1.75));
    }
}

#[test]
fn one_of_many_parts_inside_is_enough() {
    let far = cube(0.1);
    let moved: Vec<Vec3> = far.vertices().iter().map(|v| *v + Vec3::X * 9.0).collect();
    let far = TriMesh::new(moved, far.triangles().to_vec()).unwrap();
    let parts = Shape::from(both(&far, &cube(0.1)));
    let large = solid(cube(1.0));
    assert!(query::intersects(
        parts.at(Pose::IDENTITY),
        large.at(Pose::IDENTITY)
    ));
    let near = query::distance(parts.at(Pose::IDENTITY), large.at(Pose::IDENTITY));
    assert!(
        matches!(near.features, [Feature::Vertex(v), Feature::Inside] if v >= 8),
        "{near:?}"
    );
    let beside = Pose::from_translation(Vec3::X * 2.0).unwrap();
    assert!(!query::intersects(
        parts.at(beside),
        large.at(Pose::IDENTITY)
    ));
}

#[test]
fn random_solids_agree_with_the_reference() {
    let mut rng = rng(81);
    let ring = solid(ring(24, 8, 0.4));
    let mut tally = Tally::default();
    for round in 0..40 {
        let points: Vec<Vec3> = (0..12).map(|_| point(&mut rng) * 0.3).collect();
        let blob = Polytope::from_points(&points).unwrap().to_mesh();
        let blob = if round % 2 == 0 {
            solid(blob)
        } else {
            Shape::from(blob)
        };
        let [p, q] = poses(&mut rng, Family::Random);
        check(ring.at(p), blob.at(q), &mut tally, &format!("{round}"));
    }
    assert!(
        tally.apart > 3 && tally.meeting + tally.touching > 3,
        "{tally:?}"
    );
    let inside = Pose::from_translation(Vec3::X).unwrap();
    let tiny = Shape::sphere(0.01).unwrap();
    assert!(query::intersects(ring.at(Pose::IDENTITY), tiny.at(inside)));
    assert!(reference::intersects(
        ring.at(Pose::IDENTITY),
        tiny.at(inside)
    ));
}
