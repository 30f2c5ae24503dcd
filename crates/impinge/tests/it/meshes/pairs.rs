//! Two meshes.

use super::{Tally, check, factor_of, ring, soup};
use crate::cases::rng;
use crate::is_full;
use crate::shapes::kinds::{FAMILIES, Family, poses};
use impinge::{Pose, Shape, TriMesh, Vec3, query, reference};
use rand::RngExt;

#[test]
fn soups_of_all_sizes_agree_with_the_reference() {
    let rounds = if is_full() { 400 } else { 12 };
    let mut rng = rng(61);
    for family in FAMILIES {
        let mut tally = Tally::default();
        for round in 0..rounds {
            let counts = [(); 2].map(|()| [1, 3, 4, 5, 9, 40][rng.random_range(0..6)]);
            let [a, b] = counts.map(|count| Shape::from(soup(&mut rng, count, family)));
            let [p, q] = poses(&mut rng, family);
            let beside = |share: f64| {
                let at = p.translation().lerp(q.translation(), share);
                Pose::from_matrix(*q.matrix(), at).unwrap()
            };
            for q in [beside(0.25), q, beside(3.0)] {
                let what = format!("{family:?} {round}");
                check(a.at(p), b.at(q), &mut tally, &what);
            }
        }
        assert!(
            tally.apart > 0 && tally.meeting + tally.touching > 0,
            "{family:?}: {tally:?}"
        );
    }
}

#[test]
fn triangles_on_a_grid_touch_in_every_way() {
    let rounds = if is_full() { 20_000 } else { 600 };
    let mut rng = rng(62);
    let mut tally = Tally::default();
    for round in 0..rounds {
        let count = rng.random_range(1..6);
        let [a, b] = [(); 2].map(|()| Shape::from(soup(&mut rng, count, Family::Snapped)));
        let [p, q] = poses(&mut rng, Family::Snapped);
        check(a.at(p), b.at(q), &mut tally, &format!("{round}"));
    }
    let Tally {
        apart,
        meeting,
        touching,
    } = tally;
    assert!(apart.min(meeting).min(touching) > rounds / 50, "{tally:?}");
}

#[test]
fn surfaces_agree_with_the_reference() {
    let (a, b) = (
        Shape::from(ring(40, 12, 0.3)),
        Shape::from(ring(30, 9, 0.2)),
    );
    let mut tally = Tally::default();
    let steps = if is_full() { 400 } else { 24 };
    for step in 0..steps {
        let pose = super::on_path(f64::from(step) / f64::from(steps));
        check(
            a.at(Pose::IDENTITY),
            b.at(pose),
            &mut tally,
            &format!("step {step}"),
        );
    }
    assert!(tally.apart > 5 && tally.meeting > 5, "{tally:?}");
}

#[test]
fn surfaces_that_just_touch_are_told_from_those_that_do_not() {
    // Two flat grids: one lies in the plane of the other, or a rounding above it.
    let flat = |height: f64| {
        let at = |i: u32| Vec3::new(f64::from(i % 21), f64::from(i / 21), height);
        let cells = (0..20).flat_map(|i| (0..20).map(move |j| 21 * i + j));
        let faces = cells.flat_map(|c| [[c, c + 1, c + 22], [c, c + 22, c + 21]]);
        Shape::from(TriMesh::new((0..441).map(at).collect(), faces.collect()).unwrap())
    };
    let (low, high) = (flat(0.1), flat(0.1_f64.next_up()));
    let quarter = impinge::Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::Z);
    for at in [
        Vec3::ZERO,
        Vec3::new(0.5, 0.25, 0.0),
        Vec3::new(20.0, 20.0, 0.0),
    ] {
        for matrix in [impinge::Mat3::IDENTITY, quarter] {
            let pose = Pose::from_matrix(matrix, at + matrix.x_axis.y * 20.0 * Vec3::X).unwrap();
            let base = low.at(Pose::IDENTITY);
            assert!(query::intersects(base, low.at(pose)), "{at}");
            assert!(!query::intersects(base, high.at(pose)), "{at}");
            let near = query::distance(base, high.at(pose));
            let gap = 0.1_f64.next_up() - 0.1;
            assert!(near.bounds.contains(gap), "{near:?}");
            assert!(query::within(base, high.at(pose), gap));
            assert!(!query::within(base, high.at(pose), gap * 0.5));
        }
    }
}

#[test]
fn sizes_and_places_far_apart_are_no_trouble() {
    let mut rng = rng(63);
    let mut tally = Tally::default();
    for (size_a, size_b, away) in [
        (1.0, 1e-6, 1.0),
        (1e-20, 1e20, 1e20),
        (1.0, 1.0, 1e15),
        (1e-3, 1.0, 1e300),
        (1e-300, 1.0, 1.0),
        (1e300, 1e300, 1e300),
        (5e-324, 5e-324, 1e-320),
        (1e40, 1e-40, 1e40),
    ] {
        for round in 0..4 {
            let [a, b] =
                [size_a, size_b].map(|size| Shape::from(soup(&mut rng, 6, Family::Scaled(size))));
            let [p, q] = poses(&mut rng, Family::Random);
            let q = Pose::from_matrix(*q.matrix(), q.translation() * away).unwrap();
            check(
                a.at(p),
                b.at(q),
                &mut tally,
                &format!("{size_a} {size_b} {away} {round}"),
            );
        }
    }
    assert!(
        factor_of(Family::Random) == 1.0 && tally.apart > 10,
        "{tally:?}"
    );
}

#[test]
fn a_matrix_that_is_not_quite_a_rotation_is_taken_as_it_is() {
    let mut rng = rng(64);
    let mut tally = Tally::default();
    let shape = Shape::from(ring(16, 6, 0.3));
    for round in 0..20 {
        let [p, q] = poses(&mut rng, Family::Random).map(|pose| {
            let skew =
                impinge::Mat3::from_cols(Vec3::new(4e-7, 3e-7, 0.0), Vec3::ZERO, Vec3::X * 2e-7);
            Pose::from_matrix(*pose.matrix() + skew, pose.translation()).unwrap()
        });
        check(shape.at(p), shape.at(q), &mut tally, &format!("{round}"));
    }
}

#[test]
fn a_mesh_meets_itself() {
    let shape = Shape::from(ring(24, 8, 0.25));
    let pose = super::on_path(0.3);
    assert!(query::intersects(shape.at(pose), shape.at(pose)));
    let near = query::distance(shape.at(pose), shape.at(pose));
    assert_eq!(near.distance, 0.0);
    assert_eq!(
        reference::distance(shape.at(pose), shape.at(pose)).distance,
        0.0
    );
}
