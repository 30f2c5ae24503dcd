//! Solids: nested, with cavities, inside out, in several parts.

use impinge::exact::{Location, locate};
use impinge::{Feature, Polytope, Pose, Shape, TriMesh, Vec3, reference};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{KINDS, random_point, random_pose, random_shape};

fn box_mesh(half: f64) -> TriMesh {
    Polytope::cuboid(Vec3::splat(half)).unwrap().to_mesh()
}

fn joined(parts: &[(TriMesh, Vec3)]) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (mesh, offset) in parts {
        let first = vertices.len() as u32;
        vertices.extend(mesh.vertices().iter().map(|v| *v + *offset));
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|i| i + first)));
    }
    TriMesh::new(vertices, triangles).unwrap()
}

fn flipped(mesh: &TriMesh) -> TriMesh {
    let triangles = mesh.triangles().iter().map(|[a, b, c]| [*a, *c, *b]);
    TriMesh::new(mesh.vertices().to_vec(), triangles.collect()).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

#[test]
fn what_is_inside_intersects_and_a_surface_holds_nothing() {
    let solid = Shape::solid(box_mesh(10.0)).unwrap();
    let inside_out = Shape::solid(flipped(&box_mesh(10.0))).unwrap();
    let surface = Shape::from(box_mesh(10.0));
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    for kind in 0..KINDS {
        let small = random_shape(&mut rng, kind);
        let pose = random_pose(&mut rng, 5.0);
        for outer in [&solid, &inside_out] {
            let answer = reference::distance(outer.at(Pose::IDENTITY), small.at(pose));
            assert_eq!(answer.distance, 0.0, "{small:?}");
            assert_eq!(answer.features[0], Feature::Inside);
            assert!(reference::intersects(
                small.at(pose),
                outer.at(Pose::IDENTITY)
            ));
        }
        assert!(!reference::intersects(
            small.at(pose),
            surface.at(Pose::IDENTITY)
        ));
        assert!(reference::distance(surface.at(Pose::IDENTITY), small.at(pose)).distance > 1.0);
    }
}

#[test]
fn convex_shapes_hold_meshes_inside() {
    let small = Shape::from(box_mesh(0.1));
    for large in [
        Shape::sphere(5.0),
        Shape::cuboid(Vec3::splat(5.0)),
        Shape::cone(5.0, 9.0),
        Shape::ellipsoid(Vec3::splat(5.0)),
        Shape::half_space(Vec3::X, 2.0),
    ] {
        let large = large.unwrap();
        assert!(reference::intersects(
            large.at(Pose::IDENTITY),
            small.at(at(1.0, 1.0, -1.0))
        ));
    }
}

#[test]
fn cavities_are_outside() {
    let hollow = joined(&[
        (box_mesh(10.0), Vec3::ZERO),
        (flipped(&box_mesh(5.0)), Vec3::ZERO),
    ]);
    let hollow = Shape::solid(hollow).unwrap();
    let ball = Shape::sphere(1.0).unwrap();
    let in_cavity = reference::distance(hollow.at(Pose::IDENTITY), ball.at(at(3.0, 0.0, 0.0)));
    assert_eq!(in_cavity.distance, 1.0);
    let in_wall = reference::distance(hollow.at(Pose::IDENTITY), ball.at(at(7.5, 0.0, 0.0)));
    assert_eq!(
        (in_wall.distance, in_wall.features[0]),
        (0.0, Feature::Inside)
    );
    let touching = ball.at(at(4.0, 0.0, 0.0));
    assert!(reference::intersects(hollow.at(Pose::IDENTITY), touching));
    // A solid in the cavity is apart from the hollow one, whichever is asked first.
    let small = Shape::solid(box_mesh(1.0)).unwrap();
    assert_eq!(
        reference::distance(small.at(Pose::IDENTITY), hollow.at(Pose::IDENTITY)).distance,
        4.0
    );
}

#[test]
fn every_part_of_a_soup_is_looked_at() {
    // One part outside, one inside: the order must not matter.
    let (out, within) = (Vec3::new(30.0, 0.0, 0.0), Vec3::new(0.5, 0.25, 0.0));
    let solid = Shape::solid(box_mesh(10.0)).unwrap();
    for offsets in [[out, within], [within, out]] {
        let parts = offsets.map(|offset| (box_mesh(1.0), offset));
        let soup = Shape::from(joined(&parts));
        assert!(reference::intersects(
            soup.at(Pose::IDENTITY),
            solid.at(Pose::IDENTITY)
        ));
        assert!(reference::intersects(
            solid.at(Pose::IDENTITY),
            soup.at(Pose::IDENTITY)
        ));
    }
    let both_out = Shape::from(joined(&[(box_mesh(1.0), out), (box_mesh(1.0), -out)]));
    assert!(!reference::intersects(
        both_out.at(Pose::IDENTITY),
        solid.at(Pose::IDENTITY)
    ));
}

#[test]
fn points_are_where_they_are_located() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    let star = joined(&[
        (box_mesh(1.0), Vec3::ZERO),
        (box_mesh(1.0), Vec3::splat(0.5)),
        (flipped(&box_mesh(0.25)), Vec3::splat(-0.5)),
    ]);
    let solid = Shape::solid(star.clone()).unwrap();
    let p = Shape::sphere(0.0).unwrap();
    let mut inside = 0;
    for _ in 0..500 {
        let pose = random_pose(&mut rng, 3.0);
        // On a grid of quarters in body coordinates, where faces and edges are.
        let local = (random_point(&mut rng, 2.0) * 4.0).round() * 0.25;
        let place = pose.place(local);
        let triangles = (0..star.triangles().len()).map(|t| star.corners(t).map(|v| pose.place(v)));
        let location = locate(place, triangles);
        let answer =
            reference::distance(solid.at(pose), p.at(Pose::from_translation(place).unwrap()));
        assert_eq!(
            answer.distance == 0.0,
            location != Location::Outside,
            "{local}"
        );
        inside += usize::from(answer.distance == 0.0);
    }
    assert!(inside > 50 && inside < 450);
}
