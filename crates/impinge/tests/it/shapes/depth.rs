//! Depths of every pair of kinds: the interval holds the truth, and the move parts the shapes.

use super::kinds::{FAMILIES, Family, HALF_SPACE, KINDS, pair, point};
use super::{reach_along, scale, size};
use impinge::exact::hull_distance;
use impinge::{Feature, Penetration, Placed, Pose, Shape, Vec3, query, reference};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Whether the way out of a pair may be far from unique, without a closed form: curved shapes in special positions.
fn may_be_wide(kinds: [usize; 2], family: Family) -> bool {
    let is_curved = |kind: usize| (4..=7).contains(&kind);
    let is_special = matches!(
        family,
        Family::Snapped | Family::Nested | Family::Degenerate
    );
    is_special && kinds.into_iter().any(is_curved)
}

fn check(rng: &mut impl Rng, a: Placed<'_>, b: Placed<'_>) -> Option<Penetration> {
    let found = query::penetration(a, b).unwrap();
    assert_eq!(found.is_some(), reference::intersects(a, b), "{a:?} {b:?}");
    let deep = found?;
    assert!(deep.bounds.contains(deep.depth), "{deep:?}");
    assert!((deep.direction.length() - 1.0).abs() < 1e-15);
    let swapped = query::penetration(b, a).unwrap().unwrap();
    assert!(
        deep.bounds.lower <= swapped.bounds.upper && swapped.bounds.lower <= deep.bounds.upper,
        "{deep:?} {swapped:?} {a:?} {b:?}"
    );
    let slack = 1e-13 * scale(&a, &b);
    no_way_is_shorter(rng, a, b, &deep, slack);
    the_move_parts(a, b, &deep, slack);
    Some(deep)
}

/// Along any direction the shapes overlap by at least the lower bound.
fn no_way_is_shorter(
    rng: &mut impl Rng,
    a: Placed<'_>,
    b: Placed<'_>,
    deep: &Penetration,
    slack: f64,
) {
    let mut directions: Vec<Vec3> = (0..60).filter_map(|_| point(rng).try_normalize()).collect();
    for side in [a, b] {
        let m = side.pose.matrix();
        directions.extend([m.x_axis, m.y_axis, m.z_axis].map(Vec3::normalize));
    }
    let near = |d: Vec3, by: f64| (deep.direction + d * by).normalize();
    let around: Vec<Vec3> = directions
        .iter()
        .flat_map(|d| [near(*d, 0.1), near(*d, 1e-4)])
        .collect();
    directions.extend(around);
    directions.push(deep.direction);
    for d in directions.iter().flat_map(|d| [*d, -*d]) {
        if let (Some(far_a), Some(far_b)) = (reach_along(&a, d), reach_along(&b, -d)) {
            let overlap = far_a + far_b;
            assert!(
                overlap >= deep.bounds.lower - slack,
                "{overlap} along {d}: {deep:?} {a:?} {b:?}"
            );
        }
    }
}

fn moved<'a>(placed: Placed<'a>, by: Vec3) -> Placed<'a> {
    let to = placed.pose.translation() + by;
    placed
        .shape
        .at(Pose::from_matrix(*placed.pose.matrix(), to).unwrap())
}

/// Moved by the upper bound and a little for the rounding of the move itself, they are apart; moved by less than the lower
/// bound, not.
fn the_move_parts(a: Placed<'_>, b: Placed<'_>, deep: &Penetration, slack: f64) {
    let parted = moved(b, deep.direction * (deep.bounds.upper + slack));
    assert!(!reference::intersects(a, parted), "{deep:?} {a:?} {b:?}");
    if deep.bounds.lower > 4.0 * slack {
        let less = moved(b, deep.direction * (deep.bounds.lower - slack));
        assert!(reference::intersects(a, less), "{deep:?} {a:?} {b:?}");
    }
    let (size, width) = (size_of_bounded(a, b), deep.bounds.width());
    let leaves = deep.witness.b + deep.direction * deep.depth;
    let off = leaves.distance(deep.witness.a);
    assert!(
        off <= 1e-6 * size + 2.0 * width + slack,
        "{off}: {deep:?} {a:?} {b:?}"
    );
}

fn size_of_bounded(a: Placed<'_>, b: Placed<'_>) -> f64 {
    size(a.shape) + size(b.shape) + a.pose.translation().distance(b.pose.translation())
}

fn run(family: Family, rounds: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut deep_pairs, mut wide_pairs, mut widest) = (0_u32, 0_u32, 0.0_f64);
    for kind_a in 0..KINDS {
        for kind_b in 0..KINDS {
            if kind_a == HALF_SPACE && kind_b == HALF_SPACE {
                continue;
            }
            for round in 0..rounds {
                let ([a, b], [pose_a, pose_b]) = pair(&mut rng, [kind_a, kind_b], family, round);
                let (a, b) = (a.at(pose_a), b.at(pose_b));
                if let Some(deep) = check(&mut rng, a, b) {
                    deep_pairs += 1;
                    let share = deep.bounds.width() / scale(&a, &b);
                    widest = widest.max(share);
                    wide_pairs += u32::from(share > 1e-12);
                    assert!(
                        share <= 1e-12 || may_be_wide([kind_a, kind_b], family),
                        "{share:e} {deep:?} {a:?} {b:?}"
                    );
                }
            }
        }
    }
    println!(
        "{family:?}: {deep_pairs} deep pairs, {wide_pairs} wider than 1e-12 of their size, the widest {widest:e}"
    );
    // Points and discs seldom overlap.
    assert!(
        deep_pairs
            > if family == Family::Degenerate {
                100
            } else {
                200
            }
    );
    assert!(
        wide_pairs * 20 <= deep_pairs,
        "{wide_pairs} of {deep_pairs}"
    );
}

#[test]
fn all_pairs_are_parted_by_no_less() {
    let rounds = if crate::is_full() { 200 } else { 8 };
    for family in FAMILIES {
        run(family, rounds);
    }
}

#[test]
fn the_largest_balls_have_a_depth() {
    let ball = Shape::sphere(1.3e308).unwrap();
    let point = Shape::sphere(0.0).unwrap();
    let deep = query::penetration(ball.at(Pose::IDENTITY), point.at(Pose::IDENTITY));
    let deep = deep.unwrap().unwrap();
    assert!(deep.bounds.contains(1.3e308) && deep.bounds.contains(deep.depth));
}

/// How far a point is from a feature of a box or polytope that it is said to be on.
fn distance_to_feature(placed: &Placed<'_>, feature: Feature, point: Vec3) -> f64 {
    let local = placed.pose.unplace(point);
    let from = |corners: &[Vec3]| hull_distance(corners, &[local]).distance;
    match (placed.shape, feature) {
        (Shape::Cuboid(cuboid), Feature::Vertex(v)) => from(&[cuboid.corners()[v as usize]]),
        (Shape::Cuboid(cuboid), Feature::Edge(_)) => {
            let mut off = (cuboid.half_size() - local.abs()).abs().to_array();
            off.sort_by(f64::total_cmp);
            off[1]
        }
        (Shape::Cuboid(cuboid), Feature::Face(f)) => {
            let (axis, sign) = ((f / 2) as usize, f64::from(f % 2) * 2.0 - 1.0);
            (local[axis] - sign * cuboid.half_size()[axis]).abs()
        }
        (Shape::Polytope(polytope), feature) => {
            let numbers = match feature {
                Feature::Vertex(v) => vec![v],
                Feature::Edge(e) => polytope.edges()[e as usize].vertices.to_vec(),
                Feature::Face(f) => polytope.face(f as usize).to_vec(),
                other => panic!("{other:?} of a polytope"),
            };
            let corners = numbers.iter().map(|v| polytope.vertices()[*v as usize]);
            from(&corners.collect::<Vec<Vec3>>())
        }
        (shape, feature) => panic!("{feature:?} of {shape:?}"),
    }
}

/// Checks the features of a pair that overlaps; whether it does.
fn check_features(a: Placed<'_>, b: Placed<'_>) -> bool {
    let Some(deep) = query::penetration(a, b).unwrap() else {
        return false;
    };
    let ends = [(a, deep.witness.a), (b, deep.witness.b)];
    for ((placed, point), feature) in ends.into_iter().zip(deep.features) {
        if placed.shape.as_polytope().is_some() {
            let off = distance_to_feature(&placed, feature, point);
            assert!(
                off <= 1e-8 * size(placed.shape),
                "{feature:?} is {off} off: {deep:?} {a:?} {b:?}"
            );
        }
    }
    true
}

#[test]
fn features_hold_the_witness_points() {
    let cube = Shape::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap();
    let beside = Pose::from_translation(Vec3::new(1.0, 0.25, 0.5)).unwrap();
    for round in [
        Shape::sphere(0.25),
        Shape::capsule(0.5, 0.25),
        Shape::cone(0.5, 0.25),
    ] {
        let (a, b) = (cube.at(Pose::IDENTITY), round.unwrap());
        assert!(check_features(a, b.at(beside)) && check_features(b.at(beside), a));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    let (mut met, rounds) = (0, if crate::is_full() { 400 } else { 6 });
    for family in [Family::Random, Family::Snapped] {
        for kinds in (0..HALF_SPACE * HALF_SPACE).map(|n| [n % HALF_SPACE, n / HALF_SPACE]) {
            let is_flat = |kind: usize| kind == 2 || kind == 3;
            if is_flat(kinds[0]) == is_flat(kinds[1]) {
                continue;
            }
            for round in 0..rounds {
                let ([a, b], poses) = pair(&mut rng, kinds, family, round);
                for away in [0.0, 1e3, 1e5] {
                    let shift = Vec3::new(1.0, -0.7, 0.3) * away;
                    let [p, q] = poses.map(|pose| {
                        Pose::from_matrix(*pose.matrix(), pose.translation() + shift).unwrap()
                    });
                    met += u32::from(check_features(a.at(p), b.at(q)));
                }
            }
        }
    }
    assert!(met > 200, "{met}");
}
