//! The default for polytope pairs against the exact path: random, coherent, adversarial, with right and wrong caches.

use crate::cases::{Case, direction, random_case, rng, scaled, turn};
use impinge::exact::{counts, hull_distance};
use impinge::narrow::{
    PairCache, PolytopePair, distance_each, distance_polytopes, intersects_each,
    intersects_polytopes,
};
use impinge::{Feature, Mat3, Polytope, Pose, Quat, Separation, Vec3};
use impinge_scenes::points::{on_grid, on_sphere};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

impl Case {
    /// Asks both questions with the given caches and compares with the exact path; whether the polytopes intersect.
    fn check(&self, overlap: &mut PairCache, distance: &mut PairCache) -> bool {
        let [p, q] = self.placed();
        let exact = hull_distance(&p, &q);
        let truth = exact.is_intersecting();
        let Case {
            a,
            pose_a,
            b,
            pose_b,
        } = self;
        assert_eq!(intersects_polytopes(a, pose_a, b, pose_b, overlap), truth);
        let near = distance_polytopes(a, pose_a, b, pose_b, distance);
        assert_eq!(near.distance == 0.0, truth);
        assert!(
            near.bounds.lower <= exact.bounds.upper,
            "{near:?} {exact:?}"
        );
        assert!(
            exact.bounds.lower <= near.bounds.upper,
            "{near:?} {exact:?}"
        );
        assert!(near.bounds.contains(near.distance));
        let scale = p
            .iter()
            .chain(&q)
            .fold(0.0_f64, |scale, v| scale.max(v.abs().max_element()));
        assert!(near.bounds.width() <= 1e-12 * scale, "{near:?}");
        self.check_witness(&near, scale, truth);
        truth
    }

    fn check_witness(&self, near: &Separation, scale: f64, truth: bool) {
        let between = near.witness.a.distance(near.witness.b);
        assert!((between - near.distance).abs() <= 1e-11 * scale, "{near:?}");
        if truth {
            return;
        }
        let sides = [
            (&self.a, &self.pose_a, near.witness.a, near.features[0]),
            (&self.b, &self.pose_b, near.witness.b, near.features[1]),
        ];
        for (polytope, pose, point, feature) in sides {
            let corners: Vec<Vec3> = match feature {
                Feature::Vertex(v) => vec![polytope.vertices()[v as usize]],
                Feature::Edge(e) => polytope.edges()[e as usize]
                    .vertices
                    .iter()
                    .map(|v| polytope.vertices()[*v as usize])
                    .collect(),
                Feature::Face(f) => polytope
                    .face(f as usize)
                    .iter()
                    .map(|v| polytope.vertices()[*v as usize])
                    .collect(),
                Feature::Surface | Feature::Inside => panic!("apart, yet {feature:?}"),
            };
            let corners: Vec<Vec3> = corners.into_iter().map(|v| pose.place(v)).collect();
            let off = hull_distance(&corners, &[point]).distance;
            assert!(off <= 1e-9 * scale, "witness {off} off {feature:?}");
        }
    }

    /// The questions without knowledge, then with the knowledge of the first time.
    fn check_fresh(&self) -> bool {
        let (mut overlap, mut distance) = (PairCache::default(), PairCache::default());
        let truth = self.check(&mut overlap, &mut distance);
        assert_eq!(self.check(&mut overlap, &mut distance), truth);
        truth
    }
}

#[test]
fn random_pairs() {
    let mut rng = rng(1);
    let mut touching = 0;
    for round in 0..1500 {
        let distance = 3.2 * f64::from(round % 100) / 100.0;
        touching += u32::from(random_case(&mut rng, distance).check_fresh());
    }
    assert!((500..1200).contains(&touching), "{touching}");
}

#[test]
fn coherent_flights() {
    let mut rng = rng(2);
    let before = counts();
    for _ in 0..25 {
        let mut case = random_case(&mut rng, 0.0);
        let (axis_a, axis_b) = (direction(&mut rng), direction(&mut rng));
        let (side, along) = (direction(&mut rng) * 0.7, direction(&mut rng));
        let angle = rng.random_range(0.0..0.2);
        let (mut overlap, mut distance) = (PairCache::default(), PairCache::default());
        for frame in 0..50 {
            let t = f64::from(frame);
            let place = |axis: Vec3, position: Vec3| {
                Pose::from_quat(Quat::from_axis_angle(axis, angle * t), position).unwrap()
            };
            case.pose_a = place(axis_a, Vec3::ZERO);
            case.pose_b = place(axis_b, side + along * (0.1 * t - 2.5));
            case.check(&mut overlap, &mut distance);
        }
    }
    let used = counts() - before;
    assert!(used.filter > 2400);
}

#[test]
fn touching_on_the_grid() {
    let mut rng = rng(3);
    let quarter_turns = [
        Mat3::IDENTITY,
        Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::Z),
        Mat3::from_cols(Vec3::X, Vec3::Z, -Vec3::Y),
        Mat3::from_cols(-Vec3::Z, Vec3::Y, Vec3::X),
    ];
    let mut touching = 0;
    for _ in 0..1000 {
        let solid = |rng: &mut ChaCha8Rng| loop {
            if let Ok(polytope) = Polytope::from_points(&on_grid(9, 4, rng.random())) {
                return polytope;
            }
        };
        let (a, b) = (solid(&mut rng), solid(&mut rng));
        let pose = |rng: &mut ChaCha8Rng, reach: i32| {
            let mut whole = || f64::from(rng.random_range(-reach..=reach));
            let translation = Vec3::new(whole(), whole(), whole());
            Pose::from_matrix(quarter_turns[rng.random_range(0..4)], translation).unwrap()
        };
        let (pose_a, pose_b) = (pose(&mut rng, 1), pose(&mut rng, 2));
        let case = Case {
            a,
            pose_a,
            b,
            pose_b,
        };
        touching += u32::from(case.check_fresh());
    }
    assert!((200..800).contains(&touching), "{touching}");
}

#[test]
fn one_step_apart_and_one_step_inside() {
    let cube = Polytope::cuboid(Vec3::ONE).unwrap();
    let mut rng = rng(4);
    for round in 0..300 {
        let (a, b) = (cube.clone(), cube.clone());
        // Far from the origin one step is large; near it, small.
        let base = direction(&mut rng) * 10f64.powi(round % 12 - 3);
        let pose_a = Pose::from_translation(base).unwrap();
        let across = Vec3::new(
            0.0,
            rng.random_range(-1.9..1.9),
            rng.random_range(-1.9..1.9),
        );
        for step in [-1, 0, 1, 2] {
            let mut position = base + Vec3::X * 2.0 + across;
            for _ in 0..i32::abs(step) {
                position.x = if step > 0 {
                    position.x.next_up()
                } else {
                    position.x.next_down()
                };
            }
            let pose_b = Pose::from_translation(position).unwrap();
            let (a, b) = (a.clone(), b.clone());
            Case {
                a,
                pose_a,
                b,
                pose_b,
            }
            .check_fresh();
        }
    }
}

#[test]
fn turned_pairs_moved_into_contact() {
    // Bisection along a line brings turned polytopes within an ulp of touching, from both sides.
    let mut rng = rng(5);
    for _ in 0..40 {
        let mut case = random_case(&mut rng, 4.0);
        let line = case.pose_b.translation() - case.pose_a.translation();
        let matrix = *case.pose_b.matrix();
        let origin = case.pose_a.translation();
        let (mut hit, mut miss) = (0.0, 2.0);
        let mut caches = [PairCache::default(); 2];
        for _ in 0..60 {
            let middle = 0.5 * (hit + miss);
            case.pose_b = Pose::from_matrix(matrix, origin + line * middle).unwrap();
            let [overlap, distance] = &mut caches;
            if case.check(overlap, distance) {
                hit = middle;
            } else {
                miss = middle;
            }
        }
    }
}

/// A pose for `b` that brings both centres of mass together: they need not be at the origins of the bodies, nor need
/// these be inside.
fn concentric(case: &Case) -> Pose {
    let center = case.pose_a.place(case.a.centroid());
    let translation = center - case.pose_b.rotate(case.b.centroid());
    Pose::from_matrix(*case.pose_b.matrix(), translation).unwrap()
}

#[test]
fn nested_and_concentric() {
    let mut rng = rng(6);
    for _ in 0..150 {
        let mut case = random_case(&mut rng, 0.0);
        case.pose_b = concentric(&case);
        assert!(case.check_fresh());
        case.b = scaled(&case.a, Vec3::splat(0.01));
        case.pose_b = concentric(&case);
        assert!(case.check_fresh());
        // Within the other, but touching one of its vertices from inside.
        case.b = scaled(&case.a, Vec3::splat(0.5));
        let vertex = case.a.vertices()[0];
        let pose = Pose::from_translation(vertex * 0.5).unwrap();
        (case.pose_a, case.pose_b) = (Pose::IDENTITY, pose);
        assert!(case.check_fresh());
    }
}

#[test]
fn needles_and_plates() {
    let mut rng = rng(7);
    let before = counts();
    for round in 0..600 {
        let mut case = random_case(&mut rng, 0.0);
        let thin = 10f64.powi(-(round % 7));
        let shapes = [Vec3::new(1.0, thin, thin), Vec3::new(1.0, 1.0, thin)];
        case.a = scaled(&case.a, shapes[rng.random_range(0..2)]);
        case.b = scaled(&case.b, shapes[rng.random_range(0..2)]);
        let away = direction(&mut rng) * rng.random_range(0.0..1.5);
        case.pose_b = Pose::from_quat(turn(&mut rng), case.pose_a.translation() + away).unwrap();
        case.check_fresh();
    }
    let used = counts() - before;
    assert!(used.big < used.total() / 2, "{used:?}");
}

#[test]
fn sizes_and_places_of_all_kinds() {
    let mut rng = rng(8);
    for round in 0..800 {
        let mut case = random_case(&mut rng, 0.0);
        let size_a = 10f64.powi(rng.random_range(-9..=9));
        let size_b = 10f64.powi(rng.random_range(-9..=9));
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
        case.check_fresh();
    }
}

#[test]
fn extreme_exponents_go_the_exact_way() {
    let mut rng = rng(9);
    for exponent in [-300, -200, -80, 80, 200, 300] {
        for _ in 0..4 {
            let mut case = random_case(&mut rng, 0.0);
            let distance = rng.random_range(0.0..3.0);
            case.resize(10f64.powi(exponent), distance, &mut rng);
            let [p, q] = case.placed();
            let exact = hull_distance(&p, &q);
            let Case {
                a,
                pose_a,
                b,
                pose_b,
            } = &case;
            let mut cache = PairCache::default();
            assert_eq!(
                intersects_polytopes(a, pose_a, b, pose_b, &mut cache),
                exact.is_intersecting()
            );
            let near = distance_polytopes(a, pose_a, b, pose_b, &mut cache);
            assert!(near.bounds.contains(exact.distance));
        }
    }
}

#[test]
fn matrices_that_are_rotations_only_nearly() {
    let mut rng = rng(10);
    for _ in 0..300 {
        let mut case = random_case(&mut rng, 1.9);
        let mut bent = |pose: &Pose| {
            let mut matrix = *pose.matrix();
            for column in [&mut matrix.x_axis, &mut matrix.y_axis, &mut matrix.z_axis] {
                *column += direction(&mut rng) * 1e-7;
            }
            Pose::from_matrix(matrix, pose.translation()).unwrap()
        };
        (case.pose_a, case.pose_b) = (bent(&case.pose_a), bent(&case.pose_b));
        case.check_fresh();
    }
}

#[test]
fn large_polytopes() {
    let mut rng = rng(11);
    for round in 0..24 {
        let count = [252, 1000][round % 2];
        let case = Case {
            a: Polytope::from_points(&on_sphere(count, rng.random())).unwrap(),
            pose_a: Pose::from_quat(turn(&mut rng), Vec3::ZERO).unwrap(),
            b: Polytope::from_points(&on_sphere(count, rng.random())).unwrap(),
            pose_b: Pose::from_quat(
                turn(&mut rng),
                direction(&mut rng) * (1.9 + 0.01 * round as f64),
            )
            .unwrap(),
        };
        case.check_fresh();
    }
}

#[test]
fn wrong_caches_never_change_an_answer() {
    let mut rng = rng(12);
    let cases: Vec<Case> = (0..400)
        .map(|round| random_case(&mut rng, 2.5 * f64::from(round % 40) / 40.0))
        .collect();
    // Caches wander from pair to pair, between polytopes of different sizes and between questions.
    let mut caches = [PairCache::default(); 7];
    for case in &cases {
        let (first, second) = (rng.random_range(0..7), rng.random_range(0..7));
        let (mut overlap, mut distance) = (caches[first], caches[second]);
        case.check(&mut overlap, &mut distance);
        caches[second] = overlap;
        caches[first] = distance;
    }
}

#[test]
fn many_at_once_gives_the_same_bits() {
    let mut rng = rng(13);
    let cases: Vec<Case> = (0..101)
        .map(|round| random_case(&mut rng, 2.5 * f64::from(round % 40) / 40.0))
        .collect();
    let mut alone = vec![PairCache::default(); cases.len()];
    let mut together = alone.clone();
    let expected: Vec<Separation> = cases
        .iter()
        .zip(&mut alone)
        .map(|(case, cache)| {
            distance_polytopes(&case.a, &case.pose_a, &case.b, &case.pose_b, cache)
        })
        .collect();
    let mut found = vec![None; cases.len()];
    distance_each(&mut pairs(&cases, &mut together), |index, separation| {
        assert!(found[index].replace(separation).is_none());
    });
    assert_eq!(
        found,
        expected.iter().copied().map(Some).collect::<Vec<_>>()
    );
    assert_eq!(alone, together);

    let mut answers = vec![None; cases.len()];
    intersects_each(&mut pairs(&cases, &mut together), |index, intersects| {
        assert!(answers[index].replace(intersects).is_none());
    });
    let expected: Vec<Option<bool>> = expected
        .iter()
        .map(|near| Some(near.distance == 0.0))
        .collect();
    assert_eq!(answers, expected);
}

fn pairs<'a>(cases: &'a [Case], caches: &'a mut [PairCache]) -> Vec<PolytopePair<'a>> {
    cases
        .iter()
        .zip(caches)
        .map(|(case, cache)| PolytopePair {
            a: &case.a,
            pose_a: &case.pose_a,
            b: &case.b,
            pose_b: &case.pose_b,
            cache,
        })
        .collect()
}
