//! The error bounds of quick verdicts and certificates, against exact arithmetic.

use super::cache::{Last, PairCache};
use super::centers::{Centers, Proven};
use super::certificate::{gap_along, weights_of_origin};
use super::closest::{Bits, Cells, Closest, Finder, Size, size_of};
use super::decide::decide;
use super::pair::{CENTER, PolytopePair, Start};
use super::proofs::Proofs;
use super::search::{Item, Outcome, search};
use super::separation::distance_each;
use super::side::Side;
use super::signed::signed_distance_each;
use super::wide::LANES;
use crate::contact::SignedDistance;
use crate::exact::{hull_distance, hull_penetration, hulls_intersect};
use crate::lanes::in_lanes;
use crate::math::{Interval, Mat3, Pose, Quat, Vec3};
use crate::shape::{Polytope, Spots};
use fearless_simd::{Simd, prelude::*};
use impinge_scenes::points::{in_ball, on_sphere};
use num_rational::BigRational;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two placed polytopes, near contact more often than not.
struct Case {
    a: Polytope,
    pose_a: Pose,
    b: Polytope,
    pose_b: Pose,
}

fn unit(rng: &mut ChaCha8Rng) -> Vec3 {
    on_sphere(1, rng.random())[0]
}

/// Round, flat or needle-like; about its origin or far from it.
fn polytope(rng: &mut ChaCha8Rng, size: f64, numbers: &[usize]) -> Polytope {
    loop {
        let count = numbers[rng.random_range(0..numbers.len())];
        let thin = [1.0, 1.0, 0.1, 1e-3, 1e-6][rng.random_range(0..5)];
        let stretch = [Vec3::new(1.0, 1.0, thin), Vec3::new(1.0, thin, thin)];
        let stretch = stretch[rng.random_range(0..2)];
        let away = unit(rng) * [0.0, 0.0, 1.0, 1e6][rng.random_range(0..4)];
        let points = if count > 100 {
            on_sphere(count, rng.random())
        } else {
            in_ball(2 * count, rng.random())
        };
        let points: Vec<Vec3> = points
            .iter()
            .map(|p| (*p * stretch + away) * size)
            .collect();
        if let Ok(polytope) = Polytope::from_points(&points) {
            return polytope;
        }
    }
}

/// A rotation as exact as can be, or one that is off by almost as much as is allowed.
fn pose(rng: &mut ChaCha8Rng, translation: Vec3) -> Pose {
    let turn = Quat::from_axis_angle(unit(rng), rng.random_range(0.0..6.3));
    let mut matrix = Mat3::from_quat(turn);
    if rng.random_range(0..3) == 0 {
        matrix *= 1.0 + rng.random_range(-4e-7..4e-7);
    }
    Pose::from_matrix(matrix, translation).unwrap()
}

fn case(rng: &mut ChaCha8Rng) -> Case {
    case_of(rng, &[4, 6, 9, 20, 33, 100, 600])
}

/// Polytopes of about as many points as one of the numbers.
fn case_of(rng: &mut ChaCha8Rng, numbers: &[usize]) -> Case {
    let size = 2f64.powi([-200, -40, 0, 0, 0, 40, 200][rng.random_range(0..7)]);
    let ratio = 10f64.powi(rng.random_range(-8..=8));
    let ratio = if rng.random() { 1.0 } else { ratio };
    let (a, b) = (
        polytope(rng, size, numbers),
        polytope(rng, size * ratio, numbers),
    );
    let far = unit(rng) * size * [0.0, 1.0, 1e3, 1e9][rng.random_range(0..4)];
    let pose_a = pose(rng, far);
    // Centres at about the distance of contact.
    let distance = (a.radius() + b.radius()) * rng.random_range(0.0..1.1);
    let apart = pose_a.place(a.centroid()) + unit(rng) * distance;
    let turned = pose(rng, Vec3::ZERO);
    let pose_b = Pose::from_matrix(*turned.matrix(), apart - turned.rotate(b.centroid())).unwrap();
    Case {
        a,
        pose_a,
        b,
        pose_b,
    }
}

/// Cases as queries take them, each with what is remembered about it.
fn pairs_of<'a>(cases: &'a [Case], caches: &'a mut [PairCache]) -> Vec<PolytopePair<'a>> {
    let both = cases.iter().zip(caches);
    both.map(|(case, cache)| PolytopePair {
        a: &case.a,
        pose_a: &case.pose_a,
        b: &case.b,
        pose_b: &case.pose_b,
        cache,
    })
    .collect()
}

impl Case {
    fn placed(&self) -> [Vec<Vec3>; 2] {
        [(&self.a, &self.pose_a), (&self.b, &self.pose_b)]
            .map(|(polytope, pose)| polytope.vertices().iter().map(|v| pose.place(*v)).collect())
    }

    fn centers<S: Simd>(&self, simd: S) -> Centers<'_, S> {
        let [a, b] = [(&self.a, &self.pose_a), (&self.b, &self.pose_b)]
            .map(|(polytope, pose)| Side::new(polytope, pose).expect("the sizes are ordinary"));
        Centers::new(simd, a, b)
    }

    /// The line of centres, the normals of some faces, and others.
    fn directions(&self, rng: &mut ChaCha8Rng) -> Vec<Vec3> {
        let line = self.pose_b.place(self.b.centroid()) - self.pose_a.place(self.a.centroid());
        let face_a = rng.random_range(0..self.a.face_count());
        let face_b = rng.random_range(0..self.b.face_count());
        vec![
            line.normalize_or(Vec3::X),
            self.pose_a.rotate(self.a.face_normal(face_a)),
            -self.pose_b.rotate(self.b.face_normal(face_b)),
            unit(rng),
        ]
    }
}

#[test]
fn placed_vertices_are_within_the_error_of_a_side() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    for _ in 0..60 {
        let case = case(&mut rng);
        for (polytope, pose) in [(&case.a, &case.pose_a), (&case.b, &case.pose_b)] {
            let side = Side::new(polytope, pose).expect("the sizes are ordinary");
            let error = exact(side.error);
            for v in polytope.vertices() {
                let placed = minus(&point(pose.place(*v)), &point(side.center));
                let relative = minus(&point(*v), &point(polytope.centroid()));
                let off = minus(&placed, &times(pose.matrix(), &relative));
                assert!(dot(&off, &off) <= &error * &error);
            }
        }
    }
}

#[test]
fn extremes_of_a_side_are_within_its_slack() {
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    for _ in 0..60 {
        let case = case(&mut rng);
        let direction = case.directions(&mut rng)[rng.random_range(0..4)];
        in_lanes!(simd => check_extremes(simd, &case, direction));
    }
}

fn check_extremes<S: Simd>(simd: S, case: &Case, direction: Vec3) {
    for (polytope, pose) in [(&case.a, &case.pose_a), (&case.b, &case.pose_b)] {
        let side = Side::new(polytope, pose).expect("the sizes are ordinary");
        let along = |v: &Vec3| {
            let placed = minus(&point(pose.place(*v)), &point(side.center));
            dot(&point(direction), &placed)
        };
        let heights: Vec<BigRational> = polytope.vertices().iter().map(along).collect();
        let top = heights.iter().max().expect("there are vertices");
        let reach = exact(side.reach_along(simd, side.local(direction)));
        let off = &reach - top;
        // The direction is of unit length within a few roundings.
        let slack = exact(side.slack() * (1.0 + 1e-12));
        assert!(off <= slack && -off <= slack);
        for hint in [CENTER, 0] {
            let mut is_visited = vec![false; heights.len()];
            side.for_each_extreme(simd, side.local(direction), hint, |vertex| {
                is_visited[vertex as usize] = true;
            });
            for (height, is_visited) in heights.iter().zip(is_visited) {
                assert!(is_visited || height < top);
            }
        }
    }
}

#[test]
fn quick_verdicts_are_right() {
    let mut rng = ChaCha8Rng::seed_from_u64(43);
    let mut verdicts = [0; 6];
    for _ in 0..1500 {
        let case = case(&mut rng);
        let directions = case.directions(&mut rng);
        in_lanes!(simd => check_verdicts(simd, &case, &directions, &mut verdicts));
    }
    // Points beside the segment are rarer than the others.
    let least = [50, 50, 50, 50, 20, 50];
    let mut counts = verdicts.iter().zip(least);
    assert!(counts.all(|(count, least)| *count > least), "{verdicts:?}");
}

fn check_verdicts<S: Simd>(simd: S, case: &Case, directions: &[Vec3], verdicts: &mut [u32; 6]) {
    let [p, q] = case.placed();
    let truth = hulls_intersect(&p, &q);
    let pair = case.centers(simd);
    let balls = pair.by_balls();
    if balls.are_apart || balls.overlap {
        assert_eq!(balls.overlap, truth);
        verdicts[0] += 1;
    }
    let (proven, tops) = by_charts(&pair);
    if proven.are_apart {
        assert!(!truth);
        verdicts[1] += 1;
    }
    for direction in directions {
        if pair.separates(*direction) {
            assert!(!truth);
            verdicts[2] += 1;
        }
    }
    let exits = pair.exits();
    let polars = exits.faces.map(|faces| pair.polar_points(faces));
    let between = exits.meet().then(|| pair.point_between(&exits));
    let beside = polars.map(|polars| pair.point_beside(polars));
    let beside = beside.and_then(|found| found.is_common.then_some(found.point));
    let charted = proven.overlap.then(|| pair.point_by_charts(tops));
    for (point, verdict) in [(between, 3), (beside, 4), (charted, 5)] {
        if let Some(point) = point {
            assert!(hulls_intersect(&[point], &p) && hulls_intersect(&[point], &q));
            verdicts[verdict] += 1;
        }
    }
}

/// What charts prove about a pair, and how steep they say that it is.
fn by_charts<S: Simd>(pair: &Centers<'_, S>) -> (Proven, [f32; 2]) {
    let mut bounds = [[0.0; 2]; 2];
    for (side, seen) in pair.offset_seen().into_iter().enumerate() {
        let spots = Spots::of(pair.simd, &seen.map(|number| [number; LANES]));
        let chart = &[&pair.a, &pair.b][side].packed.chart;
        for (kind, corners) in chart.corners(spots.cell(5)).into_iter().enumerate() {
            let mut found = [0.0; LANES];
            let bounds_of_all = spots.bounds(pair.simd, &[corners; LANES]);
            bounds_of_all.store_slice(&mut found);
            bounds[kind][side] = found[5];
        }
    }
    (pair.by_charts(bounds[0], bounds[1]), bounds[1])
}

#[test]
fn decisions_are_right_also_next_to_touching() {
    let mut rng = ChaCha8Rng::seed_from_u64(48);
    let mut counts = [0; 3];
    for round in 0..250 {
        let number = rng.random_range(1..=LANES);
        let cases: Vec<Case> = (0..number)
            .map(|_| {
                let case = case(&mut rng);
                if round % 2 == 0 {
                    case
                } else {
                    next_to_touching(case, &mut rng)
                }
            })
            .collect();
        // What is remembered is of another pair, of none, or of this one, as the same is asked again.
        let mut caches: Vec<PairCache> = (0..number).map(|_| remembered(&mut rng)).collect();
        for _ in 0..2 {
            in_lanes!(simd => check_decisions(simd, &cases, &mut caches, &mut counts));
        }
    }
    let [asked, apart, inside] = counts;
    // Needles and plates are not decided in single precision.
    assert!(apart * 5 > asked && inside * 20 > asked, "{counts:?}");
}

/// The same pair, moved so that it is apart or overlaps by far less than its size.
fn next_to_touching(case: Case, rng: &mut ChaCha8Rng) -> Case {
    let share = 10f64.powi(rng.random_range(-12..-2)) * [-1.0, 1.0][rng.random_range(0..2)];
    moved_over(case, share, rng)
}

/// The same pair, moved along what parts it until it overlaps by a share of its size, or is apart by a negative one.
fn moved_over(case: Case, share: f64, rng: &mut ChaCha8Rng) -> Case {
    let [p, q] = case.placed();
    let found = hull_distance(&p, &q);
    let size = case.a.radius().min(case.b.radius());
    let way = (found.witness.b - found.witness.a).normalize_or(unit(rng));
    let over = size * share;
    let moved = case.pose_b.translation() - way * (found.distance + over);
    Case {
        pose_b: Pose::from_matrix(*case.pose_b.matrix(), moved).unwrap(),
        ..case
    }
}

/// Corners and a direction that may be anything.
fn remembered(rng: &mut ChaCha8Rng) -> PairCache {
    let mut cache = PairCache::default();
    if rng.random() {
        cache.has_corners = true;
        cache.corners = [[0; 2]; 3].map(|corner| corner.map(|_: u32| rng.random_range(0..8)));
    }
    if rng.random() {
        cache.direction = unit(rng).as_vec3().to_array();
    }
    cache
}

fn check_decisions<S: Simd>(
    simd: S,
    cases: &[Case],
    caches: &mut [PairCache],
    counts: &mut [u32; 3],
) {
    let waiting: Vec<_> = cases
        .iter()
        .map(|case| case.centers(simd))
        .enumerate()
        .collect();
    let pairs = pairs_of(cases, caches);
    let decisions = decide(simd, &pairs, &waiting);
    for (lane, (case, pair)) in cases.iter().zip(pairs).enumerate() {
        counts[0] += 1;
        let Some(overlap) = decisions.verdict(lane) else {
            continue;
        };
        let [p, q] = case.placed();
        assert_eq!(overlap, hulls_intersect(&p, &q));
        counts[if overlap { 2 } else { 1 }] += 1;
        decisions.keep(lane, pair.cache);
    }
}

#[test]
fn gaps_are_bounded_from_below_and_closely() {
    let mut rng = ChaCha8Rng::seed_from_u64(44);
    for _ in 0..200 {
        let case = case(&mut rng);
        for direction in case.directions(&mut rng) {
            in_lanes!(simd => check_gap(simd, &case, direction));
        }
    }
}

fn check_gap<S: Simd>(simd: S, case: &Case, direction: Vec3) {
    let [p, q] = case.placed();
    let along = |points: &[Vec3]| {
        let heights = points.iter().map(|v| dot(&point(direction), &point(*v)));
        heights.collect::<Vec<_>>()
    };
    let far_a = along(&p).into_iter().max().expect("there are vertices");
    let near_b = along(&q).into_iter().min().expect("there are vertices");
    let truth = near_b - far_a;
    let pair = case.centers(simd);
    let known = pair.corner([0, 0]);
    let found = gap_along(&pair, direction, &[known; 3]);
    assert!(exact(found) <= truth);
    let extent = p.iter().chain(&q).map(|v| v.distance(known.a));
    let error = 16.0 * f64::EPSILON * extent.fold(0.0, f64::max);
    assert!(truth - exact(found) <= exact(error));
}

#[test]
fn what_proofs_in_lanes_say_is_true_whatever_is_proposed() {
    let mut rng = ChaCha8Rng::seed_from_u64(46);
    let mut counts = [0; 2];
    // The same room for all, as in queries: what one leaves behind is no proof for the next.
    let mut proofs = Proofs::NONE;
    for _ in 0..120 {
        let number = rng.random_range(1..=LANES);
        let cases: Vec<Case> = (0..number).map(|_| case(&mut rng)).collect();
        in_lanes!(simd => check_proofs(simd, &cases, &mut proofs, &mut rng, &mut counts));
    }
    // Few proposals are still right with another corner.
    assert!(counts[0] > 80 && counts[1] > 0, "{counts:?}");
}

/// Counts what is proven of the proposals of searches, and of those with one corner changed.
fn check_proofs<S: Simd>(
    simd: S,
    cases: &[Case],
    proofs: &mut Proofs,
    rng: &mut ChaCha8Rng,
    counts: &mut [u32; 2],
) {
    let centers: Vec<_> = cases.iter().map(|case| case.centers(simd)).collect();
    let items: Vec<_> = centers
        .iter()
        .map(|centers| Item {
            centers,
            start: Start::Offset,
        })
        .collect();
    let mut proposals = search(simd, &items);
    for count in counts {
        proofs.prove(simd, &items, &proposals);
        for (lane, case) in cases.iter().enumerate() {
            let Some(said) = proofs.separation(lane) else {
                continue;
            };
            let [p, q] = case.placed();
            let truth = hull_distance(&p, &q);
            assert!(!truth.is_intersecting() && said.bounds.lower > 0.0);
            assert!(said.bounds.lower <= truth.bounds.upper);
            assert!(truth.bounds.lower <= said.bounds.upper);
            *count += 1;
        }
        for (case, proposal) in cases.iter().zip(&mut proposals) {
            let corner = rng.random_range(0..3);
            proposal.corners[corner] = [
                rng.random_range(0..case.a.vertices().len() as u32),
                proposal.corners[(corner + 1) % 3][1],
            ];
            proposal.outcome = Outcome::Apart;
        }
    }
}

#[test]
fn what_is_measured_together_is_true_whatever_the_cache_says() {
    let small = [4, 6, 9, 20];
    // Most that are apart are proven to be so.
    check_together::<Bits>(Size::Small, &small, 150, 2);
}

#[test]
fn what_is_measured_with_tables_is_true_whatever_the_cache_says() {
    let medium = [200, 300, 600, 1500];
    // Fewer than of small ones: 135 of 297. Pairs that are far away for their size are left to slower ways, and perhaps others.
    check_together::<Cells>(Size::Medium, &medium, 40, 3);
}

/// Checks what is proven about pairs of a size, and that of those that are apart more than one in `share` is.
fn check_together<F: Finder>(size: Size, numbers: &[usize], rounds: usize, share: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(47);
    // Of pairs anywhere, and of pairs that nearly touch.
    let (mut counts, mut near) = ([0; 3], [0; 3]);
    // The same room for all, as in queries.
    let mut closest = Closest::<F>::of_none();
    for round in 0..rounds + rounds / 2 {
        let cases = std::iter::repeat_with(|| case_of(&mut rng, numbers)).filter(|case| {
            let pair = PolytopePair {
                a: &case.a,
                pose_a: &case.pose_a,
                b: &case.b,
                pose_b: &case.pose_b,
                cache: &mut PairCache::default(),
            };
            size_of(&pair) == size
        });
        let mut cases: Vec<Case> = cases.take(LANES).collect();
        let mut counts = &mut counts;
        if round >= rounds {
            let moved = cases.into_iter();
            cases = moved.map(|case| next_to_touching(case, &mut rng)).collect();
            counts = &mut near;
        }
        let number = rng.random_range(1..=LANES);
        in_lanes!(simd => check_closest(simd, &cases[..number], &mut closest, &mut rng, counts));
    }
    assert!(
        counts[1] > 50 && counts[0] * share > counts[1],
        "{counts:?}"
    );
    assert!(counts[2] > 50 && near[2] > 20, "{counts:?} {near:?}");
}

/// Counts the pairs that are proven to be apart, those that are, and those that are proven to overlap: with nothing remembered, with what is right,
/// and with vertices at random.
fn check_closest<F: Finder, S: Simd>(
    simd: S,
    cases: &[Case],
    closest: &mut Closest<F>,
    rng: &mut ChaCha8Rng,
    counts: &mut [u32; 3],
) {
    let mut caches = vec![PairCache::default(); cases.len()];
    let chosen: Vec<u32> = (0..cases.len() as u32).collect();
    for round in 0..3 {
        let mut pairs = pairs_of(cases, &mut caches);
        closest.measure(simd, &pairs, &chosen);
        for (lane, case) in cases.iter().enumerate() {
            let [p, q] = case.placed();
            let truth = hull_distance(&p, &q);
            counts[1] += u32::from(!truth.is_intersecting());
            let cache = &mut *pairs[lane].cache;
            if let Some(said) = closest.separation(lane) {
                assert!(!truth.is_intersecting() && said.bounds.lower > 0.0);
                assert!(said.bounds.lower <= truth.bounds.upper);
                assert!(truth.bounds.lower <= said.bounds.upper);
                cache.keep_corners(closest.corners(lane), F::SIZE);
                counts[0] += 1;
            }
            if let Some(point) = closest.meeting(lane) {
                assert!(truth.is_intersecting());
                for placed in [&p, &q] {
                    let coordinates = placed.iter().map(|v| v.abs().max_element());
                    let scale = coordinates.fold(point.abs().max_element(), f64::max);
                    assert!(hull_distance(&[point], placed).distance <= 1e-12 * scale);
                }
                counts[2] += 1;
            }
            if round == 1 {
                let any = [0; 3].map(|_| [rng.random_range(0..40), rng.random_range(0..5)]);
                cache.keep_corners(any, F::SIZE);
            }
        }
    }
}

#[test]
fn caches_that_tell_of_other_sizes_change_no_answer() {
    let mut rng = ChaCha8Rng::seed_from_u64(48);
    let mut cases: Vec<Case> = (0..120)
        .map(|_| case_of(&mut rng, &[4, 9, 20, 40, 300, 1500]))
        .collect();
    // Of extreme size, so that nothing of it is packed.
    let tiny = Polytope::cuboid(Vec3::splat(1e-300)).unwrap();
    let at = |x: f64| Pose::from_translation(Vec3::X * x).unwrap();
    cases.extend((0..5).map(|k| Case {
        a: tiny.clone(),
        pose_a: Pose::IDENTITY,
        b: tiny.clone(),
        pose_b: at(f64::from(k) * 1e-300),
    }));
    let exact = |case: &Case| {
        let [p, q] = case.placed();
        hull_distance(&p, &q).bounds
    };
    let truths: Vec<Interval> = cases.iter().map(exact).collect();
    let mut caches = vec![PairCache::default(); cases.len()];
    let sizes = [Size::Small, Size::Medium, Size::Other];
    let mut told_wrong = 0;
    for round in 0..12 {
        for (case, cache) in cases.iter().zip(&mut caches) {
            if round > 0 {
                cache.last = Last::Apart;
                cache.size = sizes[rng.random_range(0..3)];
            }
            let (pose_a, pose_b) = (&case.pose_a, &case.pose_b);
            let (a, b) = (&case.a, &case.b);
            let pair = PolytopePair {
                a,
                pose_a,
                b,
                pose_b,
                cache,
            };
            told_wrong += u32::from(size_of(&pair) != pair.cache.size);
        }
        let mut answered = vec![0; cases.len()];
        let mut check = |k: usize, said: Interval| {
            assert!(said.lower <= truths[k].upper && truths[k].lower <= said.upper);
            answered[k] += 1;
        };
        distance_each(&mut pairs_of(&cases, &mut caches), |k, near| {
            check(k, near.bounds)
        });
        assert!(answered.iter().all(|times| *times == 1));
        if round % 2 == 1 {
            caches.rotate_left(1);
        }
        signed_distance_each(&mut pairs_of(&cases, &mut caches), |k, found| {
            assert_eq!(found.value() > 0.0, truths[k].lower > 0.0);
        });
    }
    assert!(told_wrong > 300, "{told_wrong}");
}

#[test]
fn pairs_that_meet_and_part_have_their_depths_and_distances() {
    let mut rng = ChaCha8Rng::seed_from_u64(49);
    let sizes: [(&[usize], usize); 2] = [(&[6, 9, 20], 600), (&[150], 60)];
    let mut counts = [[0; 2]; 2];
    for (numbers, count) in sizes {
        let cases = std::iter::repeat_with(|| case_of(&mut rng, numbers));
        let mut cases: Vec<Case> = cases.take(count).collect();
        let mut caches = vec![PairCache::default(); count];
        for round in 0..3 {
            let truths: Vec<_> = cases.iter().map(Case::placed).collect();
            let mut answered = vec![0; count];
            signed_distance_each(&mut pairs_of(&cases, &mut caches), |k, found| {
                let [p, q] = &truths[k];
                let truth = match hull_penetration(p, q) {
                    Some(deep) => deep.bounds,
                    None => hull_distance(p, q).bounds,
                };
                let is_deep = matches!(found, SignedDistance::Overlapping(_));
                let said = match found {
                    SignedDistance::Overlapping(deep) => deep.bounds,
                    SignedDistance::Apart(near) => near.bounds,
                };
                assert_eq!(is_deep, hulls_intersect(p, q));
                assert!(said.lower <= truth.upper && truth.lower <= said.upper);
                answered[k] += 1;
                counts[usize::from(round > 0)][usize::from(is_deep)] += 1;
            });
            assert!(answered.iter().all(|times| *times == 1));
            // Those that were apart meet, some of them hardly at all, and those that overlapped may part.
            let moved = cases.into_iter().map(|case| {
                let share = 10f64.powi(rng.random_range(-9..0));
                moved_over(case, share, &mut rng)
            });
            cases = moved.collect();
        }
    }
    let [[apart, _], [parted, met]] = counts;
    assert!(apart > 200 && parted > 100 && met > 600, "{counts:?}");
}

#[test]
fn a_tetrahedron_that_is_said_to_enclose_the_origin_does() {
    let mut rng = ChaCha8Rng::seed_from_u64(45);
    let mut enclosing = [0; 2];
    for round in 0..4000 {
        let size = 2f64.powi([-230, -60, 0, 0, 60, 230][round % 6]);
        let mut corners: [Vec3; 4] = std::array::from_fn(|_| unit(&mut rng) * size);
        // The origin is on a face, or off it by about a rounding.
        let weights = [rng.random_range(0.1..0.4), rng.random_range(0.1..0.4)];
        if round % 3 > 0 {
            corners[2] = (corners[0] * weights[0] + corners[1] * weights[1])
                / -(1.0 - weights[0] - weights[1]);
        }
        // Differences of points that are far away have rounding errors of their own.
        let base = unit(&mut rng) * size * [0.0, 1.0, 1e3][round % 3];
        let ends = corners.map(|corner| base + corner);
        let truth = contains_base(&ends, base);
        let found = weights_of_origin(&ends.map(|end| end - base)).is_some();
        assert!(!found || truth);
        enclosing[0] += u32::from(found);
        enclosing[1] += u32::from(truth);
    }
    assert!(
        enclosing[0] > 100 && enclosing[1] >= enclosing[0],
        "{enclosing:?}"
    );
}

/// Whether a point is inside a tetrahedron, without rounding.
fn contains_base(corners: &[Vec3; 4], base: Vec3) -> bool {
    let y = corners.map(|corner| minus(&point(corner), &point(base)));
    let faces = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    let volumes = faces.map(|[i, j, k]| dot(&y[i], &cross(&y[j], &y[k])));
    let zero = exact(0.0);
    volumes.iter().all(|v| *v > zero) || volumes.iter().all(|v| *v < zero)
}

fn exact(value: f64) -> BigRational {
    BigRational::from_float(value).expect("the value is finite")
}

type Exact = [BigRational; 3];

fn point(v: Vec3) -> Exact {
    v.to_array().map(exact)
}

fn minus(p: &Exact, q: &Exact) -> Exact {
    [0, 1, 2].map(|k| &p[k] - &q[k])
}

fn dot(p: &Exact, q: &Exact) -> BigRational {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

fn cross(p: &Exact, q: &Exact) -> Exact {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &p[i] * &q[j] - &p[j] * &q[i])
}

fn times(matrix: &Mat3, v: &Exact) -> Exact {
    [0, 1, 2].map(|row| dot(&point(matrix.row(row)), v))
}
