//! Soups of all sizes, and the same questions by name through `query`.

use super::{Truth, check_all, trees_of};
use crate::cases::rng;
use crate::is_full;
use crate::meshes::{on_path, ring, soup};
use crate::shapes::kinds::{FAMILIES, poses};
use impinge::bvh::TreeKind;
use impinge::query::{self, Method};
use impinge::{Error, Pose, Shape, Solid, TriMesh, Vec3, reference};
use rand::RngExt;
use std::sync::Arc;

#[test]
fn soups_of_all_sizes_agree_with_brute_force() {
    let rounds = if is_full() { 400 } else { 8 };
    let mut rng = rng(161);
    for family in FAMILIES {
        let (mut apart, mut meeting) = (0, 0);
        for round in 0..rounds {
            let counts = [(); 2].map(|()| [1, 3, 4, 5, 9, 40][rng.random_range(0..6)]);
            let meshes = counts.map(|count| Arc::new(soup(&mut rng, count, family)));
            let trees = trees_of(&meshes);
            let [p, q] = poses(&mut rng, family);
            let mut last = None;
            for share in [0.25, 1.0, 3.0] {
                let at = p.translation().lerp(q.translation(), share);
                let poses = [p, Pose::from_matrix(*q.matrix(), at).unwrap()];
                let truth = Truth::new(&meshes, &poses);
                let what = format!("{family:?} {round}");
                check_all(&trees, poses, &truth, &mut last, &what);
                if truth.meet {
                    meeting += 1;
                } else {
                    apart += 1;
                }
            }
        }
        assert!(apart > 0 && meeting > 0, "{family:?}: {apart}, {meeting}");
    }
}

#[test]
fn sizes_that_do_not_go_together_are_no_trouble() {
    let mut rng = rng(162);
    for (size_a, size_b, away) in [
        (1.0, 1e-6, 1.0),
        (1e-20, 1e20, 1e20),
        (1.0, 1.0, 1e15),
        (1e-3, 1.0, 1e300),
        (1e-300, 1.0, 1.0),
        (1e300, 1e300, 1e300),
        (5e-324, 5e-324, 1e-320),
        (1e40, 1e-40, 1e40),
        // The ratio of these is beyond all numbers.
        (1e-300, 1e300, 1.0),
        (1e300, 1e-300, 1e300),
    ] {
        let sizes = [size_a, size_b].map(crate::shapes::kinds::Family::Scaled);
        let meshes = sizes.map(|family| Arc::new(soup(&mut rng, 6, family)));
        let [p, q] = poses(&mut rng, FAMILIES[0]);
        let q = Pose::from_matrix(*q.matrix(), q.translation() * away).unwrap();
        let truth = Truth::new(&meshes, &[p, q]);
        let what = format!("{size_a} {size_b} {away}");
        check_all(&trees_of(&meshes), [p, q], &truth, &mut None, &what);
    }
}

#[test]
fn a_distance_too_small_for_numbers_is_not_none() {
    // A point beside a segment: a third of the smallest number away.
    let s = f64::from_bits(1);
    let end = Vec3::new(3.0 * s, s, 0.0);
    let one = |corners: [Vec3; 3]| TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
    let meshes = [one([Vec3::ZERO, end, end]), one([Vec3::X * s; 3])].map(Arc::new);
    let poses = [Pose::IDENTITY; 2];
    let truth = Truth::new(&meshes, &poses);
    assert!(!truth.meet);
    check_all(&trees_of(&meshes), poses, &truth, &mut None, "tiny");
}

#[test]
fn a_matrix_that_is_not_quite_a_rotation_is_taken_as_it_is() {
    let mut rng = rng(163);
    let ring = Arc::new(ring(16, 6, 0.3));
    let meshes = [Arc::clone(&ring), ring];
    let trees = trees_of(&meshes);
    for round in 0..12 {
        let poses = poses(&mut rng, FAMILIES[0]).map(|pose| {
            let skew =
                impinge::Mat3::from_cols(Vec3::new(4e-7, 3e-7, 0.0), Vec3::ZERO, Vec3::X * 2e-7);
            Pose::from_matrix(*pose.matrix() + skew, pose.translation()).unwrap()
        });
        let truth = Truth::new(&meshes, &poses);
        check_all(&trees, poses, &truth, &mut None, &format!("{round}"));
    }
}

#[test]
fn a_deep_tree_overflows_no_stack() {
    // Triangles whose middles halve their distance each time: the mean always cuts off one of them.
    let mut vertices = Vec::new();
    for k in 0..900 {
        let at = Vec3::X * 0.5_f64.powi(k);
        vertices.extend([at, at + Vec3::Y * at.x, at + Vec3::Z * at.x]);
    }
    let faces = (0..900).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    let mesh = Arc::new(TriMesh::new(vertices, faces.collect()).unwrap());
    let meshes = [Arc::clone(&mesh), mesh];
    let trees = trees_of(&meshes);
    for x in [-1.5, 0.25, 0.375] {
        let poses = [Pose::IDENTITY, Pose::from_translation(Vec3::X * x).unwrap()];
        let truth = Truth::new(&meshes, &poses);
        check_all(&trees, poses, &truth, &mut None, &format!("{x}"));
    }
}

#[test]
fn queries_by_name_agree_with_the_reference() {
    let surface = ring(24, 8, 0.35);
    let solid = Shape::from(Solid::new(surface.clone()).unwrap());
    let small = TriMesh::new(
        vec![Vec3::ZERO, Vec3::X * 0.1, Vec3::Y * 0.1],
        vec![[0, 1, 2]],
    );
    let (surface, small) = (Shape::from(surface), Shape::from(small.unwrap()));
    let inside = Pose::from_translation(Vec3::X).unwrap();
    for kind in TreeKind::ALL {
        let method: Method = format!("{kind}-tree").parse().unwrap();
        assert_eq!(method, Method::Tree(kind));
        for (a, b, pose) in [
            (&surface, &small, inside),
            (&solid, &small, inside),
            (&small, &solid, inside),
            (&surface, &solid, on_path(0.1)),
            (&surface, &surface, on_path(0.45)),
        ] {
            // The small one goes to the pose, wherever it stands.
            let own = if std::ptr::eq(a, &raw const small) {
                [pose, Pose::IDENTITY]
            } else {
                [Pose::IDENTITY, pose]
            };
            let (a, b) = (a.at(own[0]), b.at(own[1]));
            let expected = reference::distance(a, b);
            let found = query::distance_by(method, a, b).unwrap();
            assert_eq!(found.distance == 0.0, expected.distance == 0.0, "{kind}");
            assert!(found.bounds.lower <= expected.bounds.upper, "{kind}");
            assert!(expected.bounds.lower <= found.bounds.upper, "{kind}");
            let meet = query::intersects_by(method, a, b).unwrap();
            assert_eq!(meet, reference::intersects(a, b), "{kind}");
            let gap = expected.distance;
            let within = query::within_by(method, a, b, gap).unwrap();
            assert_eq!(within, reference::within(a, b, gap), "{kind}");
        }
    }
    let ball = Shape::sphere(1.0).unwrap();
    let refused = query::intersects_by(
        Method::Tree(TreeKind::Obb),
        ball.at(Pose::IDENTITY),
        surface.at(Pose::IDENTITY),
    );
    assert!(matches!(refused, Err(Error::WrongShape { .. })));
}
