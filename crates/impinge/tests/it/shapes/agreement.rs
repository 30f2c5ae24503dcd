//! Every pair of kinds, plain and rounded: the quick answers agree with the reference.

use super::kinds::{FAMILIES, Family, KINDS, pair};
use super::scale;
use impinge::narrow::PairCache;
use impinge::{Placed, Pose, Shape, Vec3, exact, query, reference};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What is promised; a custom shape costs more digits, as its support points are rounded.
fn promised_width(a: &Placed<'_>, b: &Placed<'_>) -> f64 {
    let is_custom = |side: &Placed<'_>| match side.shape {
        Shape::Custom(_) => true,
        Shape::Rounded(r) => matches!(r.core(), Shape::Custom(_)),
        _ => false,
    };
    let share = if is_custom(a) || is_custom(b) {
        1e-10
    } else {
        1e-12
    };
    share * scale(a, b)
}

fn check(a: Placed<'_>, b: Placed<'_>, gaps: &[f64], cache: &mut PairCache) {
    let expected = reference::intersects(a, b);
    assert_eq!(query::intersects(a, b), expected, "{a:?} {b:?}");
    assert_eq!(query::intersects(b, a), expected, "{b:?} {a:?}");
    assert_eq!(
        query::intersects_with(a, b, cache),
        expected,
        "with a cache: {a:?} {b:?}"
    );
    for gap in gaps {
        let expected = reference::within(a, b, *gap);
        assert_eq!(query::within(a, b, *gap), expected, "{gap}: {a:?} {b:?}");
        assert_eq!(
            query::within_with(a, b, *gap, cache),
            expected,
            "{gap}: {a:?} {b:?}"
        );
    }
    for near in [query::distance(a, b), query::distance_with(a, b, cache)] {
        assert_eq!(near.distance == 0.0, expected, "{near:?} {a:?} {b:?}");
        assert!(near.bounds.contains(near.distance), "{near:?}");
        let truth = reference::distance(a, b).bounds;
        assert!(
            near.bounds.lower <= truth.upper && truth.lower <= near.bounds.upper,
            "{near:?} is not {truth:?}: {a:?} {b:?}"
        );
        let width = near.bounds.width();
        assert!(width <= promised_width(&a, &b), "{width}: {a:?} {b:?}");
        if (1e-100..1e100).contains(&near.distance) {
            let between = near.witness.a.distance(near.witness.b);
            let error = (between - near.distance).abs();
            assert!(
                error <= 1e-7 * near.distance + 4.0 * promised_width(&a, &b),
                "{near:?}"
            );
        }
    }
}

/// Gaps to ask about: the distance itself and its neighbours, so that the question is hard.
fn gaps(a: Placed<'_>, b: Placed<'_>) -> [f64; 4] {
    let distance = reference::distance(a, b).distance;
    [
        distance,
        distance.next_up(),
        distance.next_down(),
        distance * 0.75,
    ]
}

fn run(family: Family, rounds: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    let mut cache = PairCache::default();
    for kind_a in 0..KINDS {
        for kind_b in 0..KINDS {
            for round in 0..rounds {
                let ([a, b], [pose_a, pose_b]) = pair(&mut rng, [kind_a, kind_b], family, round);
                let (a, b) = (a.at(pose_a), b.at(pose_b));
                let gaps = if rng.random_bool(0.3) {
                    &gaps(a, b)[..]
                } else {
                    &[0.1][..]
                };
                check(a, b, gaps, &mut cache);
            }
        }
    }
}

#[test]
fn all_pairs_agree_with_the_reference() {
    let rounds = if crate::is_full() { 400 } else { 8 };
    for family in FAMILIES {
        run(family, rounds);
    }
}

/// Distances and depths of cylinders, cones and ellipsoids in general position seldom need the reference, which takes far
/// longer: its work is counted.
#[test]
fn curved_pairs_are_measured_without_the_reference() {
    let mut rng = ChaCha8Rng::seed_from_u64(43);
    let (mut pairs, mut slow) = (0_u32, 0_u32);
    for kind_a in 4..=6 {
        for kind_b in 0..=6 {
            for round in 0..30 {
                let ([a, b], [pose_a, pose_b]) =
                    pair(&mut rng, [kind_a, kind_b], Family::Random, round);
                let (a, b) = (a.at(pose_a), b.at(pose_b));
                let before = exact::counts().expansion;
                query::distance(a, b);
                query::penetration(a, b).unwrap();
                pairs += 1;
                slow += u32::from(exact::counts().expansion > before);
            }
        }
    }
    assert!(slow * 50 <= pairs, "{slow} of {pairs}");
}

#[test]
fn placed_vertices_beyond_all_numbers_are_at_their_end() {
    // The far vertex overflows once it is turned and moved.
    let far = 1.2e308;
    let points = [-Vec3::Y * far, Vec3::X, Vec3::Y, Vec3::Z];
    let hull = Shape::hull(&points).unwrap();
    let pose = Pose::from_axis_angle(Vec3::ONE, 1.0, Vec3::new(0.0, -far, 3.0)).unwrap();
    let away = Pose::from_translation(Vec3::new(1e308, -1e308, 1e308)).unwrap();
    let cube = Shape::cuboid(Vec3::ONE).unwrap();
    for (other, at) in [
        (&cube, Pose::IDENTITY),
        (&cube, away),
        (&hull, Pose::IDENTITY),
    ] {
        let (a, b) = (hull.at(pose), other.at(at));
        let (near, truth) = (query::distance(a, b), reference::distance(a, b));
        assert_eq!(query::intersects(a, b), reference::intersects(a, b));
        assert!(near.bounds.contains(truth.distance), "{near:?} {truth:?}");
    }
}
