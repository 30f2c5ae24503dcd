//! Touching, degenerate and extreme inputs, decided as real numbers; and the blocks against plain loops.

use super::{KINDS, random_point, random_pose, random_shape, random_soup};
use impinge::exact::{hull_distance, triangles_intersect};
use impinge::{Feature, Mat3, Placed, Pose, Shape, TriMesh, Vec3, query, reference};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// A point that is not at the origin of its frame is still exact.
fn point() -> Shape {
    Shape::sphere(0.0).unwrap()
}

#[test]
fn boxes_that_touch_intersect_and_one_bit_farther_they_do_not() {
    let cube = Shape::cuboid(Vec3::splat(0.5)).unwrap();
    for (x, y, z) in [
        (1.0, 0.0, 0.0),
        (1.0, 1.0, 0.0),
        (1.0, 1.0, 1.0),
        (1.0, 0.3, -0.2),
    ] {
        let (a, b) = (cube.at(Pose::IDENTITY), cube.at(at(x, y, z)));
        assert!(reference::intersects(a, b));
        assert_eq!(reference::distance(a, b).distance, 0.0);
        let b = cube.at(at(1.0_f64.next_up(), y, z));
        assert!(!reference::intersects(a, b));
        assert_eq!(reference::distance(a, b).distance, f64::EPSILON);
    }
}

/// The squares of these lengths are subnormal numbers, of few digits.
#[test]
fn a_tiny_ball_touches_a_triangle() {
    let unit = 1.9e-160;
    let corners = [
        Vec3::new(1.0, 1.0, -1.0),
        -Vec3::ONE,
        Vec3::new(1.0, -1.0, -1.0),
    ];
    let mesh = TriMesh::new(corners.map(|v| v * unit).to_vec(), vec![[0, 1, 2]]).unwrap();
    let (mesh, ball) = (Shape::from(mesh), Shape::sphere(unit).unwrap());
    let (a, b) = (mesh.at(Pose::IDENTITY), ball.at(Pose::IDENTITY));
    assert!(reference::intersects(a, b) && query::intersects(a, b));
    assert_eq!(reference::distance(a, b).distance, 0.0);
    let b = ball.at(at(0.0, 0.0, unit * 1e-15));
    assert!(!reference::intersects(a, b) && !query::intersects(a, b));
    assert!(reference::distance(a, b).distance > 0.0);
}

/// The plane is farther away than any double.
#[test]
fn distances_beyond_all_doubles_are_the_largest() {
    let beyond = Shape::half_space(Vec3::splat(5e-324), -1e300).unwrap();
    for shape in [
        Shape::ellipsoid(Vec3::ONE),
        Shape::cylinder(1.0, 2.0),
        Shape::cuboid(Vec3::ONE),
    ] {
        let shape = shape.unwrap();
        let (a, b) = (beyond.at(Pose::IDENTITY), shape.at(Pose::IDENTITY));
        assert!(!query::intersects(a, b) && !reference::intersects(a, b));
        for near in [
            query::distance(a, b),
            reference::distance(a, b),
            query::distance(b, a),
        ] {
            assert_eq!(near.distance, f64::MAX);
            assert!(near.bounds.contains(near.distance), "{near:?}");
        }
    }
}

/// The same planes, looking the other way, and planes through the origin: they contain the shapes, or cut them.
#[test]
fn half_spaces_of_any_size_contain_what_is_behind_them() {
    let shapes = [
        Shape::ellipsoid(Vec3::ONE),
        Shape::cylinder(1.0, 2.0),
        Shape::cone(1.0, 1.0),
        Shape::cuboid(Vec3::ONE),
    ];
    for shape in shapes.map(Result::unwrap) {
        for (normal, offset) in [
            (5e-324, 1e300),
            (5e-324, 0.0),
            (1.0, 1e305),
            (1e300, 1e305),
            (1e-300, 1e-320),
        ] {
            let behind = Shape::half_space(Vec3::splat(normal), offset).unwrap();
            let (a, b) = (behind.at(Pose::IDENTITY), shape.at(Pose::IDENTITY));
            assert!(
                query::intersects(a, b) && reference::intersects(a, b),
                "{normal} {offset}"
            );
            assert_eq!(query::distance(a, b).distance, 0.0);
        }
        for (normal, offset) in [(1.0, -1e305), (1e300, -1e305), (1.0, -1e308)] {
            let beyond = Shape::half_space(Vec3::Z * normal, offset).unwrap();
            let (a, b) = (beyond.at(Pose::IDENTITY), shape.at(Pose::IDENTITY));
            assert!(!query::intersects(a, b) && !reference::intersects(a, b));
            let (near, expected) = (reference::distance(a, b), -offset / normal);
            assert!(
                (near.distance - expected).abs() <= 2.0 + 1e-15 * expected,
                "{near:?}"
            );
            assert!(near.bounds.contains(near.distance));
        }
    }
}

#[test]
fn sums_of_radii_are_not_rounded() {
    let (a, b) = (Shape::sphere(0.1).unwrap(), Shape::sphere(0.2).unwrap());
    // As doubles 0.1 + 0.2 is more than 0.3 and less than the next double, to which it would be rounded.
    let sum = 0.1 + 0.2;
    assert!(reference::intersects(
        a.at(Pose::IDENTITY),
        b.at(at(0.3, 0.0, 0.0))
    ));
    let beside = b.at(at(sum, 0.0, 0.0));
    assert!(!reference::intersects(a.at(Pose::IDENTITY), beside));
    let near = reference::distance(a.at(Pose::IDENTITY), beside);
    assert!(near.distance > 0.0 && near.bounds.upper < 1e-16);
    // Rounding adds a third term, a gap a fourth.
    let grown = a.rounded(0.4).unwrap();
    let far = b.at(at(0.7, 0.0, 0.0));
    assert!(reference::intersects(grown.at(Pose::IDENTITY), far));
    let far = b.at(at(1.7, 0.0, 0.0));
    assert!(reference::within(grown.at(Pose::IDENTITY), far, 1.0));
    assert!(!reference::within(
        grown.at(Pose::IDENTITY),
        far,
        1.0_f64.next_down()
    ));
}

#[test]
fn spheres_on_planes() {
    let floor = Shape::half_space(Vec3::Z, 0.0).unwrap();
    let ball = Shape::sphere(0.1).unwrap();
    let on = ball.at(at(5.0, -3.0, 0.1));
    assert!(reference::intersects(floor.at(Pose::IDENTITY), on));
    let near = reference::distance(on, floor.at(Pose::IDENTITY));
    assert_eq!(near.features, [Feature::Surface; 2]);
    let above = ball.at(at(5.0, -3.0, 0.1_f64.next_up()));
    assert!(!reference::intersects(floor.at(Pose::IDENTITY), above));
    // A normal of length 3, along the diagonal.
    let slope = Shape::half_space(Vec3::new(1.0, 2.0, 2.0), 9.0).unwrap();
    let ball = Shape::sphere(2.0).unwrap();
    let touching = ball.at(at(5.0, 5.0, 0.0));
    assert!(reference::intersects(touching, slope.at(Pose::IDENTITY)));
    assert!(!reference::within(
        touching,
        slope.at(at(-1e-300, 0.0, 0.0)),
        0.0
    ));
    assert!(reference::within(
        touching,
        slope.at(at(-1e-300, 0.0, 0.0)),
        1e-300
    ));
}

#[test]
fn curved_shapes_that_touch() {
    let cylinder = Shape::cylinder(1.0, 0.5).unwrap();
    let cone = Shape::cone(1.0, 0.5).unwrap();
    let ellipsoid = Shape::ellipsoid(Vec3::new(0.25, 0.5, 1.0)).unwrap();
    let cube = Shape::cuboid(Vec3::splat(0.5)).unwrap();
    let still = Pose::IDENTITY;
    for (a, b, pose) in [
        (&cylinder, &cube, at(0.0, 0.0, 1.5)),
        (&cylinder, &cube, at(1.0, 0.0, 0.0)),
        (&cylinder, &cylinder, at(0.6, 0.8, 1.0)),
        (&cylinder, &cone, at(0.0, 0.0, 2.0)),
        (&cone, &cube, at(0.0, 0.0, 1.5)),
        (&cone, &cone, at(0.0, -1.0, 0.0)),
        (&ellipsoid, &cube, at(0.75, 0.0, 0.0)),
        (&ellipsoid, &ellipsoid, at(0.0, 0.0, 2.0)),
        (&ellipsoid, &cone, at(0.0, 0.0, 2.0)),
    ] {
        assert!(
            reference::intersects(a.at(still), b.at(pose)),
            "{a:?} {b:?}"
        );
        let answer = reference::distance(a.at(still), b.at(pose));
        assert_eq!(answer.distance, 0.0);
        assert!(!answer.features.contains(&Feature::Inside), "{answer:?}");
        let inward = pose.translation() * 0.4 + Vec3::new(0.03, 0.02, 0.01);
        let deep = reference::distance(a.at(still), b.at(Pose::from_translation(inward).unwrap()));
        assert!(deep.features.contains(&Feature::Inside), "{deep:?}");
        // Moved on by 1e-12 of the scale, they are apart.
        let away = pose.translation() * (1.0 + 2e-12);
        let apart = b.at(Pose::from_translation(away).unwrap());
        assert!(!reference::intersects(a.at(still), apart), "{a:?} {b:?}");
    }
}

#[test]
fn half_spaces_meet_unless_they_face_each_other() {
    let up = Shape::half_space(Vec3::new(0.0, 3.0, 4.0), 0.0).unwrap();
    let down = Shape::half_space(Vec3::new(0.0, -0.75, -1.0), -2.5).unwrap();
    let (a, b) = (up.at(Pose::IDENTITY), down.at(Pose::IDENTITY));
    let gap = reference::distance(a, b);
    assert_eq!((gap.distance, gap.bounds.width()), (2.0, 0.0));
    assert!((gap.witness.b - gap.witness.a).length() - 2.0 < 1e-15);
    assert!(reference::within(a, b, 2.0) && !reference::within(a, b, 2.0_f64.next_down()));
    let grown = up.clone().rounded(0.5).unwrap();
    assert_eq!(
        reference::distance(b, grown.at(Pose::IDENTITY)).distance,
        1.5
    );
    let tilted = Shape::half_space(Vec3::new(1e-200, -0.75, -1.0), -2.5).unwrap();
    assert!(reference::intersects(a, tilted.at(Pose::IDENTITY)));
    assert!(reference::intersects(a, up.at(at(0.0, 100.0, 0.0))));
    // Moved so that they touch.
    assert!(reference::intersects(a, down.at(at(0.0, -1.2, -1.6))));
    let common = reference::distance(
        a,
        Shape::half_space(Vec3::X, -7.0).unwrap().at(Pose::IDENTITY),
    );
    assert!(common.distance == 0.0 && common.witness.a.x <= -7.0);
}

#[test]
fn turned_half_spaces_follow_their_pose() {
    // Quarter turns move z to x exactly.
    let quarter = Mat3::from_cols(-Vec3::Z, Vec3::Y, Vec3::X);
    let pose = Pose::from_matrix(quarter, Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let floor = Shape::half_space(Vec3::Z, 0.2).unwrap();
    let p = point();
    // The plane is at x = 0.1 + 0.2 as real numbers, above 0.3 and below the next double.
    assert!(reference::intersects(
        floor.at(pose),
        p.at(at(0.3, 9.0, 9.0))
    ));
    assert!(!reference::intersects(
        floor.at(pose),
        p.at(at(0.1 + 0.2, 9.0, 9.0))
    ));
}

#[test]
fn normals_of_any_length_are_turned() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for length in [1e-323, 1e-300, 1e-200, 1.0, 1e200, 1e308] {
        for _ in 0..20 {
            let floor = Shape::half_space(Vec3::Z * length, 0.0).unwrap();
            let pose = random_pose(&mut rng, 3.0);
            let (below, above) = (pose.place(-Vec3::Z), pose.place(Vec3::Z));
            let p = point();
            for (place, distance) in [(below, 0.0), (above, 1.0)] {
                let q = p.at(Pose::from_translation(place).unwrap());
                let answer = reference::distance(floor.at(pose), q);
                assert!(
                    (answer.distance - distance).abs() < 1e-14,
                    "{length:e} {answer:?}"
                );
            }
        }
    }
}

#[test]
fn extreme_coordinates_are_answered() {
    for s in [1e-320, 1e-300, 1e-160, 1e160, 1e300] {
        let shapes = [
            Shape::sphere(s).unwrap(),
            Shape::cuboid(Vec3::splat(s)).unwrap(),
            Shape::cylinder(s, s).unwrap(),
            Shape::cone(s, s).unwrap(),
            Shape::ellipsoid(Vec3::splat(s)).unwrap(),
            Shape::capsule(s, s * 0.5).unwrap(),
            Shape::half_space(Vec3::X, s).unwrap(),
        ];
        for a in &shapes {
            for b in &shapes[..6] {
                let apart = reference::distance(a.at(Pose::IDENTITY), b.at(at(8.0 * s, 0.0, 0.0)));
                let right = apart.distance >= 5.9 * s && apart.distance <= 7.1 * s;
                assert!(
                    right && apart.bounds.contains(apart.distance),
                    "{a:?}\n{b:?}\n{apart:?}"
                );
                assert!(reference::intersects(
                    a.at(Pose::IDENTITY),
                    b.at(at(0.9 * s, 0.0, 0.0))
                ));
            }
        }
    }
}

#[test]
fn coordinates_beyond_the_range_do_not_panic() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for kind in 0..KINDS {
        let shape = random_shape(&mut rng, kind);
        let huge = Shape::cuboid(Vec3::splat(1.7e308)).unwrap();
        let pose = Pose::from_axis_angle(Vec3::ONE, 1.0, Vec3::splat(1.7e308)).unwrap();
        for (a, b) in [(&shape, &huge), (&huge, &shape), (&huge, &huge)] {
            for (p, q) in [(pose, pose), (Pose::IDENTITY, pose), (pose, Pose::IDENTITY)] {
                let answer = reference::distance(a.at(p), b.at(q));
                assert!(!answer.distance.is_nan());
                assert_eq!(
                    answer.distance == 0.0,
                    reference::intersects(a.at(p), b.at(q))
                );
            }
        }
    }
}

#[test]
fn common_quarter_turns_change_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let quarter = Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X);
    let turned = |pose: &Pose| {
        Pose::from_matrix(quarter * *pose.matrix(), quarter * pose.translation()).unwrap()
    };
    for round in 0..KINDS * KINDS {
        let (a, b) = (
            random_shape(&mut rng, round % KINDS),
            random_shape(&mut rng, round / KINDS),
        );
        // Placing rounds each coordinate in a fixed order of columns, which the turn does not change.
        let (p, q) = (random_pose(&mut rng, 1.5), random_pose(&mut rng, 1.5));
        let before = reference::distance(a.at(p), b.at(q));
        let after = reference::distance(a.at(turned(&p)), b.at(turned(&q)));
        assert_eq!(before.distance == 0.0, after.distance == 0.0);
        assert!(
            (before.distance - after.distance).abs() < 1e-14,
            "{before:?}\n{after:?}"
        );
    }
}

#[test]
fn gaps_below_zero_and_beyond_everything() {
    let cube = Shape::cuboid(Vec3::ONE).unwrap();
    let (a, b) = (cube.at(Pose::IDENTITY), cube.at(Pose::IDENTITY));
    assert!(!reference::within(a, b, -1e-300));
    assert!(!reference::within(a, b, f64::NAN));
    assert!(reference::within(
        a,
        cube.at(at(1e308, 0.0, 0.0)),
        f64::INFINITY
    ));
    assert!(reference::within(a, cube.at(at(1e308, 0.0, 0.0)), f64::MAX));
}

#[test]
fn blocks_find_what_plain_loops_find() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for round in 0..6 {
        let (a, b) = (random_soup(&mut rng, 90), random_soup(&mut rng, 70));
        let away = 1.3 + 0.2 * f64::from(round);
        let pose = Pose::from_translation(random_point(&mut rng, 0.2) + Vec3::X * away).unwrap();
        let corners = |mesh: &TriMesh, pose: &Pose| -> Vec<[Vec3; 3]> {
            (0..mesh.triangles().len())
                .map(|t| mesh.corners(t).map(|v| pose.place(v)))
                .collect()
        };
        let (ta, tb) = (corners(&a, &Pose::IDENTITY), corners(&b, &pose));
        let pairs = || ta.iter().flat_map(|s| tb.iter().map(move |t| (s, t)));
        let meets = pairs().any(|(s, t)| triangles_intersect(s, t));
        let least = pairs()
            .map(|(s, t)| hull_distance(s, t).distance)
            .fold(f64::INFINITY, f64::min);
        let (a, b) = (Shape::from(a), Shape::from(b));
        let (a, b) = (a.at(Pose::IDENTITY), b.at(pose));
        assert_eq!(reference::intersects(a, b), meets);
        assert_eq!(reference::distance(a, b).distance, least);
    }
}

/// The features that two placed shapes are closest at.
fn features(a: Placed<'_>, b: Placed<'_>) -> [Feature; 2] {
    reference::distance(a, b).features
}

#[test]
fn parts_of_boxes_are_named() {
    let cube = Shape::cuboid(Vec3::ONE).unwrap();
    let p = point();
    let on = |x: f64, y: f64, z: f64| features(cube.at(Pose::IDENTITY), p.at(at(x, y, z)))[0];
    assert_eq!(on(2.0, 2.0, -2.0), Feature::Vertex(3));
    assert_eq!(on(0.1, 2.0, -2.0), Feature::Edge(1));
    assert_eq!(on(2.0, 0.1, 2.0), Feature::Edge(7));
    assert_eq!(on(-2.0, 2.0, 0.1), Feature::Edge(10));
    assert_eq!(on(-2.0, 0.1, 0.1), Feature::Face(0));
    assert_eq!(on(0.1, 2.0, 0.1), Feature::Face(3));
    assert_eq!(on(0.1, 0.1, -2.0), Feature::Face(4));
    assert_eq!(on(0.1, 0.1, 0.2), Feature::Inside);
    assert_eq!(on(1.0, 1.0, 1.0), Feature::Vertex(7));
    assert_eq!(on(1.0, 0.5, 0.25), Feature::Face(1));
}

#[test]
fn parts_of_polytopes_are_named() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let shape = Shape::hull(&corners).unwrap();
    let Shape::Polytope(polytope) = &shape else {
        unreachable!("a hull is a polytope")
    };
    let p = point();
    let on = |x: f64, y: f64, z: f64| features(shape.at(Pose::IDENTITY), p.at(at(x, y, z)))[0];
    assert_eq!(on(-1.0, -1.0, -1.0), Feature::Vertex(0));
    let Feature::Edge(edge) = on(0.25, -1.0, -1.0) else {
        panic!("an edge is nearest")
    };
    let mut ends = polytope.edges()[edge as usize].vertices;
    ends.sort_unstable();
    assert_eq!(ends, [0, 1]);
    let Feature::Face(face) = on(1.0, 1.0, 1.0) else {
        panic!("a face is nearest")
    };
    let mut around = polytope.face(face as usize).to_vec();
    around.sort_unstable();
    assert_eq!(around, [1, 2, 3]);
    assert_eq!(on(0.2, 0.2, 0.2), Feature::Inside);
}

#[test]
fn parts_of_meshes_are_named() {
    let vertices = vec![
        Vec3::new(9.0, 9.0, 9.0),
        Vec3::ZERO,
        Vec3::X,
        Vec3::Y,
        Vec3::ONE,
    ];
    let mesh = Shape::from(TriMesh::new(vertices, vec![[1, 2, 3], [4, 3, 2]]).unwrap());
    let p = point();
    let on = |x: f64, y: f64, z: f64| features(mesh.at(Pose::IDENTITY), p.at(at(x, y, z)))[0];
    assert_eq!(on(-1.0, -1.0, 0.0), Feature::Vertex(1));
    assert_eq!(on(0.25, -1.0, 0.0), Feature::Edge(0));
    assert_eq!(on(-1.0, 0.25, 0.0), Feature::Edge(2));
    assert_eq!(on(0.2, 0.2, -1.0), Feature::Face(0));
    assert_eq!(on(1.0, 1.0, 3.0), Feature::Vertex(4));
    assert_eq!(on(0.5, 1.5, 0.5), Feature::Edge(3));
}

#[test]
fn queries_agree_with_the_reference() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    for round in 0..60 {
        let (a, b) = (
            random_shape(&mut rng, round % KINDS),
            random_shape(&mut rng, round % 7),
        );
        let (p, q) = (random_pose(&mut rng, 1.0), random_pose(&mut rng, 1.0));
        let (a, b) = (a.at(p), b.at(q));
        let gap = rng.random_range(0.0..1.0);
        assert_eq!(query::intersects(a, b), reference::intersects(a, b));
        assert_eq!(query::within(a, b, gap), reference::within(a, b, gap));
        let (near, truth) = (query::distance(a, b), reference::distance(a, b));
        assert_eq!(near.distance == 0.0, truth.distance == 0.0);
        let (near, truth) = (near.bounds, truth.bounds);
        assert!(near.lower <= truth.upper && truth.lower <= near.upper);
    }
}

/// Found by fuzzing: an edge that touches an ellipsoid, both far below the smallest square.
#[test]
fn touching_does_not_depend_on_the_order() {
    let corner = Vec3::new(-1e-300, -2e-300, 2e-300);
    let far = Vec3::new(-1e-300, 2e-300, -2e-300);
    let soup = TriMesh::new(vec![corner, corner, far], vec![[0, 1, 2]]).unwrap();
    let soup = Shape::Mesh(soup.into());
    let egg = Shape::ellipsoid(Vec3::new(1e-300, 1e-300, 2e-300)).unwrap();
    let pose = Pose::from_translation(Vec3::splat(-2e-300)).unwrap();
    let (a, b) = (soup.at(pose), egg.at(pose));
    assert_eq!(query::intersects(a, b), query::intersects(b, a));
    assert_eq!(
        query::distance(a, b).distance,
        query::distance(b, a).distance
    );
}
