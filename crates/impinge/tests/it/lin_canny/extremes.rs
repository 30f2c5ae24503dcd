//! Needles, plates, all sizes and places, matrices that are rotations only nearly, large faces.

use super::Tally;
use crate::cases::{Case, direction, random_case, rng, scaled, turn};
use impinge::exact::hull_distance;
use impinge::narrow::lin_canny::{FeatureCache, Start};
use impinge::{Polytope, Pose, Vec3};
use rand::RngExt;

#[test]
fn needles_and_plates() {
    let (mut rng, mut tally) = (rng(131), Tally::default());
    for round in 0..350 {
        let mut case = random_case(&mut rng, 0.0);
        let thin = 10f64.powi(-(round % 7));
        let shapes = [Vec3::new(1.0, thin, thin), Vec3::new(1.0, 1.0, thin)];
        case.a = scaled(&case.a, shapes[rng.random_range(0..2)]);
        case.b = scaled(&case.b, shapes[rng.random_range(0..2)]);
        let away = direction(&mut rng) * rng.random_range(0.0..1.5);
        case.pose_b = Pose::from_quat(turn(&mut rng), case.pose_a.translation() + away).unwrap();
        case.check_starts(rng.random(), &mut tally);
    }
    tally.print("needles and plates");
    assert!(tally.fell_back * 10 <= tally.queries, "{tally:?}");
    assert!(tally.most_steps <= 150, "{tally:?}");
}

#[test]
fn sizes_and_places_of_all_kinds() {
    let (mut rng, mut tally) = (rng(132), Tally::default());
    for round in 0..400 {
        let mut case = random_case(&mut rng, 0.0);
        let size_a = 10f64.powi(rng.random_range(-9..=9));
        let size_b = if round % 4 < 2 {
            size_a
        } else {
            10f64.powi(rng.random_range(-9..=9))
        };
        case.a = scaled(&case.a, Vec3::splat(size_a));
        case.b = scaled(&case.b, Vec3::splat(size_b));
        let far = if round % 2 == 0 {
            0.0
        } else {
            10f64.powi(rng.random_range(-9..=9))
        };
        let base = direction(&mut rng) * far;
        let away = direction(&mut rng) * (size_a + size_b) * rng.random_range(0.0..2.2);
        case.pose_a = Pose::from_quat(turn(&mut rng), base).unwrap();
        case.pose_b = Pose::from_quat(turn(&mut rng), base + away).unwrap();
        case.check_starts(rng.random(), &mut tally);
    }
    tally.print("sizes and places");
    assert!(tally.most_steps <= 150, "{tally:?}");
}

#[test]
fn extreme_exponents_fall_back() {
    let mut rng = rng(133);
    for exponent in [-300, -200, -80, 80, 200, 300] {
        for _ in 0..3 {
            let mut case = random_case(&mut rng, 0.0);
            let distance = rng.random_range(0.0..3.0);
            case.resize(10f64.powi(exponent), distance, &mut rng);
            let [p, q] = case.placed();
            let exact = hull_distance(&p, &q);
            let found = case.closest(Start::Random(3), &mut FeatureCache::default());
            assert_eq!(found.fell_back, exponent.abs() > 76);
            assert_eq!(found.separation.distance == 0.0, exact.is_intersecting());
            assert!(found.separation.bounds.contains(exact.distance));
        }
    }
}

#[test]
fn matrices_that_are_rotations_only_nearly() {
    let (mut rng, mut tally) = (rng(134), Tally::default());
    for _ in 0..150 {
        let mut case = random_case(&mut rng, 1.9);
        let mut bent = |pose: &Pose| {
            let mut matrix = *pose.matrix();
            for column in [&mut matrix.x_axis, &mut matrix.y_axis, &mut matrix.z_axis] {
                *column += direction(&mut rng) * 1e-7;
            }
            Pose::from_matrix(matrix, pose.translation()).unwrap()
        };
        (case.pose_a, case.pose_b) = (bent(&case.pose_a), bent(&case.pose_b));
        case.check_starts(rng.random(), &mut tally);
    }
    tally.print("nearly rotations");
}

/// Faces of a hundred corners and vertices of a hundred edges.
#[test]
fn fine_cones() {
    let (mut rng, mut tally) = (rng(135), Tally::default());
    let mut points = vec![Vec3::new(0.0, 0.0, 1.0)];
    points.extend((0..100).map(|k| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 100.0).sin_cos();
        Vec3::new(cos, sin, 0.0)
    }));
    let cone = Polytope::from_points(&points).unwrap();
    assert!((0..cone.face_count()).any(|face| cone.face(face).len() == 100));
    for round in 0..150 {
        let away = direction(&mut rng) * (0.02 * f64::from(round));
        let case = Case {
            a: cone.clone(),
            pose_a: Pose::from_quat(turn(&mut rng), Vec3::ZERO).unwrap(),
            b: cone.clone(),
            pose_b: Pose::from_quat(turn(&mut rng), away).unwrap(),
        };
        case.check_starts(rng.random(), &mut tally);
    }
    // Base to base.
    let upside_down = Pose::from_axis_angle(Vec3::X, std::f64::consts::PI, -Vec3::Z).unwrap();
    let case = Case {
        a: cone.clone(),
        pose_a: Pose::IDENTITY,
        b: cone,
        pose_b: upside_down,
    };
    assert!(!case.check_starts(1, &mut tally));
    tally.print("fine cones");
    assert!(tally.fell_back * 100 <= tally.queries, "{tally:?}");
}
