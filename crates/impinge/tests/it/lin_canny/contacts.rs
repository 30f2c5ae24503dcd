//! Degenerate positions: parallel features, touching, one step apart, nested.

use super::Tally;
use crate::cases::{Case, direction, random_case, rng, scaled};
use impinge::narrow::lin_canny::{FeatureCache, Start};
use impinge::{Feature, Mat3, Polytope, Pose, Vec3};
use impinge_scenes::points::on_grid;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

fn cubes(pose_b: Pose) -> Case {
    let cube = Polytope::cuboid(Vec3::ONE).unwrap();
    Case {
        a: cube.clone(),
        pose_a: Pose::IDENTITY,
        b: cube,
        pose_b,
    }
}

/// The number of coordinates in which two cubes do not overlap tells which features face each other.
#[test]
fn cubes_face_to_face_edge_to_edge_vertex_to_vertex() {
    let mut tally = Tally::default();
    for gap in [1e-9, 0.25, 3.0] {
        for across in [-1.5, -0.5, 0.0, 0.5, 2.0] {
            for offset in [
                Vec3::new(2.0 + gap, across, 0.25),
                Vec3::new(2.0 + gap, 0.0, across),
                Vec3::new(2.0 + gap, -2.0 - gap, across),
                Vec3::new(across, 2.0 + gap, 2.0 + gap),
                Vec3::new(2.0 + gap, -2.0 - gap, 2.0 + gap),
            ] {
                let case = cubes(Pose::from_translation(offset).unwrap());
                for seed in 0..8 {
                    assert!(!case.check_starts(seed, &mut tally));
                }
            }
        }
    }
    tally.print("parallel cubes");
    assert_eq!(tally.fell_back, 0);
    assert!(tally.most_steps <= 20, "{tally:?}");
}

#[test]
fn vertices_and_edges_over_faces() {
    let quarter = Mat3::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_4);
    let corner = Mat3::from_quat(impinge::Quat::from_rotation_arc(
        Vec3::ONE.normalize(),
        Vec3::NEG_X,
    ));
    let mut tally = Tally::default();
    for (matrix, reach, is_vertex) in [(quarter, 2f64.sqrt(), false), (corner, 3f64.sqrt(), true)] {
        for y in [-0.9, 0.0, 0.3, 1.0, 2.0] {
            let offset = Vec3::new(1.0 + reach + 0.125, y, 0.25);
            let case = cubes(Pose::from_matrix(matrix, offset).unwrap());
            for seed in 0..8 {
                case.check_starts(seed, &mut tally);
            }
            let found = case.closest(Start::Random(1), &mut FeatureCache::default());
            if y.abs() < 1.0 && is_vertex {
                let [on_a, on_b] = found.separation.features;
                assert!(matches!(
                    (on_a, on_b),
                    (Feature::Face(_), Feature::Vertex(_))
                ));
            }
        }
    }
    tally.print("vertices and edges over faces");
    assert_eq!(tally.fell_back, 0);
}

/// Polytopes on a small grid: coplanar points merged to polygons, parallel and touching features everywhere.
#[test]
fn touching_on_the_grid() {
    let quarter_turns = [
        Mat3::IDENTITY,
        Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::Z),
        Mat3::from_cols(Vec3::X, Vec3::Z, -Vec3::Y),
        Mat3::from_cols(-Vec3::Z, Vec3::Y, Vec3::X),
    ];
    let (mut rng, mut tally) = (rng(121), Tally::default());
    let solid = |rng: &mut ChaCha8Rng| loop {
        if let Ok(polytope) = Polytope::from_points(&on_grid(14, 4, rng.random())) {
            return polytope;
        }
    };
    let pose = |rng: &mut ChaCha8Rng, reach: i32| {
        let mut whole = || f64::from(rng.random_range(-reach..=reach));
        let translation = Vec3::new(whole(), whole(), whole());
        Pose::from_matrix(quarter_turns[rng.random_range(0..4)], translation).unwrap()
    };
    for _ in 0..if crate::is_full() { 50_000 } else { 600 } {
        let case = Case {
            a: solid(&mut rng),
            pose_a: pose(&mut rng, 1),
            b: solid(&mut rng),
            pose_b: pose(&mut rng, 3),
        };
        case.check_starts(rng.random(), &mut tally);
    }
    tally.print("grid");
    assert!(tally.fell_back * 200 <= tally.queries, "{tally:?}");
    assert!((tally.queries / 5..4 * tally.queries / 5).contains(&tally.intersecting));
    assert!(tally.most_steps <= 60, "{tally:?}");
}

#[test]
fn touching_one_step_apart_and_one_step_inside() {
    let (mut rng, mut tally) = (rng(122), Tally::default());
    for round in 0..100 {
        // Far from the origin one step is large; near it, small.
        let base = direction(&mut rng) * 10f64.powi(round % 12 - 3);
        let across = Vec3::new(
            0.0,
            rng.random_range(-1.9..1.9),
            rng.random_range(-1.9..1.9),
        );
        let touching = base + Vec3::X * 2.0 + across;
        for x in [
            touching.x.next_down(),
            touching.x,
            touching.x.next_up(),
            touching.x.next_up().next_up(),
        ] {
            let mut case = cubes(Pose::from_translation(Vec3 { x, ..touching }).unwrap());
            case.pose_a = Pose::from_translation(base).unwrap();
            case.check_starts(round as u64, &mut tally);
        }
    }
    tally.print("one step apart and inside");
    assert!((tally.queries / 5..tally.queries).contains(&tally.intersecting));
}

/// Bisection along a line brings turned polytopes within an ulp of touching, from both sides.
#[test]
fn grazing_contact() {
    let (mut rng, mut tally) = (rng(123), Tally::default());
    for _ in 0..25 {
        let mut case = random_case(&mut rng, 4.0);
        let origin = case.pose_a.translation();
        let line = case.pose_b.translation() - origin;
        let matrix = *case.pose_b.matrix();
        let (mut hit, mut miss) = (0.0, 2.0);
        let mut cache = FeatureCache::default();
        for _ in 0..60 {
            let middle = 0.5 * (hit + miss);
            case.pose_b = Pose::from_matrix(matrix, origin + line * middle).unwrap();
            if case.check_start(Start::Previous, &mut cache, &mut tally) {
                hit = middle;
            } else {
                miss = middle;
            }
        }
    }
    tally.print("bisection to contact");
    assert!(tally.intersecting > 300);
}

#[test]
fn nested_and_concentric() {
    let (mut rng, mut tally) = (rng(124), Tally::default());
    for _ in 0..80 {
        let mut case = random_case(&mut rng, 0.0);
        let centred = |p: &Polytope| Pose::from_translation(-p.centroid()).unwrap();
        (case.pose_a, case.pose_b) = (centred(&case.a), centred(&case.b));
        assert!(case.check_starts(rng.random(), &mut tally));
        case.b = scaled(&case.a, Vec3::splat(0.01));
        case.pose_b = centred(&case.b);
        assert!(case.check_starts(rng.random(), &mut tally));
        // Within the other, but touching one of its vertices from inside.
        case.b = scaled(&case.a, Vec3::splat(0.5));
        let vertex = case.a.vertices()[0];
        (case.pose_a, case.pose_b) = (
            Pose::IDENTITY,
            Pose::from_translation(vertex * 0.5).unwrap(),
        );
        assert!(case.check_starts(rng.random(), &mut tally));
    }
    tally.print("nested");
    assert_eq!(tally.intersecting, tally.queries);
}

/// A vertex deep inside is reported with the cone it is in; an edge through a face with both.
#[test]
fn penetration_names_its_features() {
    let case = cubes(Pose::from_translation(Vec3::new(1.25, 1.5, 1.75)).unwrap());
    let mut kinds = [0; 2];
    for seed in 0..64 {
        let mut cache = FeatureCache::default();
        let found = case.closest(Start::Random(seed), &mut cache);
        assert!(found.separation.distance == 0.0 && !found.fell_back);
        match found.separation.features {
            [Feature::Inside, Feature::Vertex(_)] | [Feature::Vertex(_), Feature::Inside] => {
                kinds[0] += 1;
            }
            [Feature::Edge(_), Feature::Face(_)] | [Feature::Face(_), Feature::Edge(_)] => {
                kinds[1] += 1;
            }
            other => panic!("{other:?}"),
        }
        let again = case.closest(Start::Previous, &mut cache);
        assert!(again.separation.distance == 0.0 && !again.fell_back && again.steps <= 3);
    }
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}
