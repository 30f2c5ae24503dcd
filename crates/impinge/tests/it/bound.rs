//! Boxes of placed shapes: they hold all of the shape, and are as small as they say.

use crate::cases::{direction, polytope, rng, turn};
use crate::shapes::kinds::{FAMILIES, Family, HALF_SPACE, KINDS, pair};
use crate::shapes::{reach_along, size};
use impinge::bound::{BoxKind, TrackedBox, grown_with_velocity, swept_box};
use impinge::{Aabb, Mat3, Motion, Pose, Shape, TriMesh, Vec3};
use rand::RngExt;

const BOXES: [BoxKind; 3] = [BoxKind::Fixed, BoxKind::Oriented, BoxKind::Dynamic];

/// How far a placed shape reaches along the axes, by its support points.
fn extents(shape: &Shape, pose: Pose) -> [Vec3; 2] {
    let along = |direction: Vec3| reach_along(&shape.at(pose), direction).unwrap();
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    [
        Vec3::from(axes.map(|axis| -along(-axis))),
        Vec3::from(axes.map(along)),
    ]
}

#[test]
fn boxes_hold_shapes_of_every_kind_and_size() {
    let mut rng = rng(81);
    let rounds = if crate::is_full() { 400 } else { 40 };
    for family in FAMILIES {
        for kind in (0..KINDS).filter(|kind| *kind != HALF_SPACE) {
            for round in 0..rounds {
                let ([shape, _], [pose, _]) = pair(&mut rng, [kind, kind], family, round);
                let [min, max] = extents(&shape, pose);
                let boxes = BOXES.map(|boxes| TrackedBox::new(&shape, boxes).at(&shape, &pose));
                for bounds in boxes {
                    let holds = bounds.min().cmple(min).all() && bounds.max().cmpge(max).all();
                    assert!(holds, "{family:?} {kind}: {bounds:?} {min} {max}");
                }
                let [fixed, oriented, tight] = boxes.map(|bounds| bounds.size());
                let room = 1e-5 * size(&shape) + 1e-12 * max.abs().max(min.abs()).max_element();
                let is_close = |size: Vec3| (size - (max - min)).max_element() <= room;
                assert!(is_close(tight), "{family:?} {kind}: {tight} {}", max - min);
                assert!((oriented - fixed).max_element() <= room);
            }
        }
    }
}

/// Matrices that are nearly rotations are taken as they are; vertices are where `place` puts them, to the last bit.
#[test]
fn no_vertex_of_a_polytope_or_mesh_is_outside() {
    let mut rng = rng(82);
    for round in 0..600 {
        let hull = polytope(&mut rng);
        let shape = if round % 2 == 0 {
            Shape::hull(hull.vertices()).unwrap()
        } else {
            let mesh = hull.to_mesh();
            let triangles = mesh.triangles().to_vec();
            Shape::Mesh(
                TriMesh::new(mesh.vertices().to_vec(), triangles)
                    .unwrap()
                    .into(),
            )
        };
        let bent = Mat3::from_quat(turn(&mut rng))
            + Mat3::from_cols(direction(&mut rng), Vec3::ZERO, Vec3::ZERO) * 1e-7;
        let scale = [1.0, 1e3, 1e9][round % 3];
        let pose = Pose::from_matrix(bent, direction(&mut rng) * scale).unwrap();
        for kind in BOXES {
            let bounds = TrackedBox::new(&shape, kind).at(&shape, &pose);
            for vertex in hull.vertices() {
                assert!(bounds.contains(pose.place(*vertex)), "{kind:?} {pose:?}");
            }
        }
    }
}

#[test]
fn climbing_follows_a_large_polytope() {
    let points = impinge_scenes::points::on_sphere(700, 5);
    let shape = Shape::hull(&points).unwrap();
    let mut tracked = TrackedBox::new(&shape, BoxKind::Dynamic);
    for frame in 0..60 {
        // Small turns, and now and then a large one.
        let angle = f64::from(frame) * if frame % 20 == 0 { 1.7 } else { 0.05 };
        let pose = Pose::from_axis_angle(Vec3::new(1.0, 2.0, -1.0), angle, Vec3::X).unwrap();
        let exact = Aabb::of_points(points.iter().map(|v| pose.place(*v))).unwrap();
        let bounds = tracked.at(&shape, &pose);
        assert!(bounds.min().cmple(exact.min()).all() && bounds.max().cmpge(exact.max()).all());
        assert!((bounds.size() - exact.size()).max_element() < 1e-13);
    }
}

/// Round polytopes of many vertices get cubes, all others tight boxes.
#[test]
fn the_automatic_box_suits_the_body() {
    let round = Shape::hull(&impinge_scenes::points::on_sphere(300, 5)).unwrap();
    let few = Shape::hull(&impinge_scenes::points::on_sphere(20, 5)).unwrap();
    let points: Vec<Vec3> = impinge_scenes::points::on_sphere(300, 5);
    let flat: Vec<Vec3> = points
        .iter()
        .map(|p| Vec3::new(p.x, p.y, 0.2 * p.z))
        .collect();
    let flat = Shape::hull(&flat).unwrap();
    let pose = Pose::from_axis_angle(Vec3::ONE, 1.0, Vec3::X).unwrap();
    for (shape, kind) in [
        (round, BoxKind::Fixed),
        (few, BoxKind::Dynamic),
        (flat, BoxKind::Dynamic),
    ] {
        let at = |kind| TrackedBox::new(&shape, kind).at(&shape, &pose);
        assert_eq!(at(BoxKind::Automatic), at(kind));
    }
}

#[test]
fn half_spaces_are_everywhere() {
    let floor = Shape::half_space(Vec3::Z, 0.0).unwrap();
    for kind in BOXES {
        let bounds = TrackedBox::new(&floor, kind).at(&floor, &Pose::IDENTITY);
        assert!(bounds.contains(Vec3::splat(-1e300)) && bounds.contains(Vec3::splat(1e300)));
    }
}

#[test]
fn swept_boxes_hold_the_whole_motion() {
    let mut rng = rng(83);
    for round in 0..400_u32 {
        let kind = round as usize % HALF_SPACE;
        let ([shape, _], [start, _]) = pair(&mut rng, [kind, kind], Family::Random, round);
        let angle = [0.0, 0.1, 1.0, 9.0][rng.random_range(0..4)];
        let turn = direction(&mut rng) * angle;
        let way = direction(&mut rng) * rng.random_range(0.0..5.0);
        let bend = direction(&mut rng) * [0.0, 4.0][rng.random_range(0..2)];
        let motion = Motion::new(start, way, turn, direction(&mut rng))
            .and_then(|motion| motion.bent(bend))
            .unwrap();
        let swept = swept_box(&shape, &motion).unwrap();
        let mut seen = extents(&shape, start);
        for step in 0..=200 {
            let [min, max] = extents(&shape, motion.pose_at(f64::from(step) / 200.0).unwrap());
            assert!(
                swept.min().cmple(min).all() && swept.max().cmpge(max).all(),
                "{motion:?}"
            );
            seen = [seen[0].min(min), seen[1].max(max)];
        }
        if angle <= 0.1 {
            let room = size(&shape) + 1.0;
            assert!((swept.size() - (seen[1] - seen[0])).max_element() <= 0.01 * room);
        }
    }
}

#[test]
fn velocity_gives_room_on_both_sides() {
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE).unwrap();
    let grown = grown_with_velocity(&unit, Vec3::new(1.0, -2.0, 0.0), 0.5).unwrap();
    assert!(grown.min().cmple(Vec3::new(-0.5, -1.0, 0.0)).all());
    assert!(grown.max().cmpge(Vec3::new(1.5, 2.0, 1.0)).all());
    assert!(grown.size().y < 3.0 + 1e-14);
    assert!(grown_with_velocity(&unit, Vec3::splat(f64::MAX), 2.0).is_err());
}
