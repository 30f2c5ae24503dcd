//! Hull against hull: certificates, distances and their agreement, checked in rational arithmetic.
//!
//! Every answer of `relate_hulls` is a proof, and [`oracle`] checks it without the library. For the distance it solves
//! for the closest point of the few vertices named in the answer and then shows that no difference of the two hulls
//! lies nearer; on small hulls all subsets of points and of differences are searched as well. Inputs are built to be
//! degenerate.
//!
//! `IMPINGE_FULL=1` runs the full count of 100 000 pairs.

mod inputs;
mod oracle;

use impinge::Vec3;
use impinge::exact::{HullRelation, Sign, counts, hull_distance, hulls_intersect, relate_hulls};
use inputs::{Case, Kind};
use oracle::Oracle;

/// All three questions about a case, in both orders, against the oracle; whether the hulls intersect.
fn check(case: &Case) -> bool {
    let oracle = Oracle::new(&case.a, &case.b);
    let relation = relate_hulls(&case.a, &case.b);
    assert!(
        oracle.proves(&relation),
        "not a proof: {relation:?} of {case:?}"
    );
    assert!(relation.verify(&case.a, &case.b), "refused: {case:?}");
    let intersects = relation.is_intersecting();
    if let Some(expected) = case.intersects {
        assert_eq!(intersects, expected, "{case:?}");
    }
    assert_eq!(hulls_intersect(&case.a, &case.b), intersects);
    assert_eq!(
        hulls_intersect(&case.b, &case.a),
        intersects,
        "swapped: {case:?}"
    );
    check_distance(case, &oracle, intersects);
    intersects
}

fn check_distance(case: &Case, oracle: &Oracle, intersects: bool) {
    let found = hull_distance(&case.a, &case.b);
    let swapped = hull_distance(&case.b, &case.a);
    assert_eq!(found.is_intersecting(), intersects, "{case:?}");
    assert_eq!(
        (found.distance, found.bounds),
        (swapped.distance, swapped.bounds),
        "{case:?}"
    );
    assert!(
        oracle.are_independent(&found.vertices),
        "{found:?} of {case:?}"
    );
    check_witness(&case.a, &found.vertices[0], found.witness.a);
    check_witness(&case.b, &found.vertices[1], found.witness.b);
    if intersects {
        assert_eq!((found.distance, found.bounds.upper), (0.0, 0.0));
        assert_eq!(found.witness.a, found.witness.b);
        assert_eq!(found.compare_to(0.0, 0.0), Sign::Zero);
    } else {
        assert!(found.distance > 0.0 && found.bounds.upper > 0.0);
        let square = oracle.square_from(&found.vertices);
        oracle::assert_bounds(&found, &square);
        for [r1, r2] in inputs::radii_near(found.distance) {
            let expected = oracle::compare_root(&square, r1, r2);
            assert_eq!(found.compare_to(r1, r2), expected, "{r1} + {r2}: {case:?}");
        }
    }
}

/// The witness is in the hull of the vertices that carry it, up to the rounding of its own coordinates.
fn check_witness(points: &[Vec3], vertices: &[u32], witness: Vec3) {
    let named: Vec<Vec3> = vertices.iter().map(|i| points[*i as usize]).collect();
    let off = hull_distance(&named, &[witness]).bounds.upper;
    let slack = witness.abs().max_element() * f64::EPSILON + 2.0 * f64::from_bits(1);
    assert!(off <= slack, "{witness} is {off:e} from {named:?}");
}

/// Runs cases of every kind; returns how many there were, and how many intersect.
fn run(per_kind: u64) -> (u64, u64) {
    let mut intersecting = 0;
    for kind in Kind::ALL {
        for seed in 0..per_kind {
            intersecting += u64::from(check(&inputs::make(kind, seed)));
        }
    }
    (per_kind * Kind::ALL.len() as u64, intersecting)
}

#[test]
fn answers_are_proven() {
    let per_kind = if crate::is_full() {
        100_000_u64.div_ceil(Kind::ALL.len() as u64)
    } else {
        300
    };
    let before = counts();
    let (pairs, intersecting) = run(per_kind);
    assert!(
        intersecting > pairs / 5 && intersecting < pairs * 4 / 5,
        "{intersecting}"
    );
    println!(
        "{pairs} hull pairs, {intersecting} intersecting, 0 wrong; {:?}",
        counts() - before
    );
}

#[test]
fn distances_are_the_least_of_all_subsets() {
    let mut apart = 0;
    for seed in 0..200 {
        let case = inputs::make(Kind::Small, seed);
        let found = hull_distance(&case.a, &case.b);
        let intersects = crate::rational::hulls_intersect(&case.a, &case.b);
        assert_eq!(found.is_intersecting(), intersects, "{case:?}");
        if !intersects {
            apart += 1;
            let square = Oracle::new(&case.a, &case.b).least_of_all_subsets();
            oracle::assert_bounds(&found, &square);
        }
    }
    assert!(apart > 50, "only {apart} pairs apart");
}

#[test]
fn random_hulls_seldom_need_integers() {
    let before = counts();
    for seed in 0..3000 {
        let case = inputs::make(Kind::Random, seed);
        relate_hulls(&case.a, &case.b);
    }
    let decided = counts() - before;
    assert_eq!(decided.filter + decided.big, 3000);
    assert!(decided.big <= 3, "{decided:?}");
}

#[test]
fn wrong_certificates_are_refused() {
    for seed in 0..200 {
        let case = inputs::make(Kind::Random, seed);
        let relation = relate_hulls(&case.a, &case.b);
        // What proves that `a` and `b` are apart cannot prove it for `b` and `a`, nor for `a` and itself.
        if let HullRelation::Apart(_) = relation {
            assert!(!relation.verify(&case.b, &case.a));
            assert!(!relation.verify(&case.a, &case.a));
        } else {
            let far: Vec<Vec3> = case.b.iter().map(|p| *p + Vec3::splat(1e3)).collect();
            assert!(!relation.verify(&case.a, &far));
        }
    }
}

#[test]
fn nothing_is_infinitely_far_from_anything() {
    let point = [Vec3::ONE];
    for (a, b) in [(&[][..], &point[..]), (&point, &[]), (&[], &[])] {
        assert!(!hulls_intersect(a, b));
        assert!(relate_hulls(a, b).verify(a, b));
        let found = hull_distance(a, b);
        assert_eq!(found.distance, f64::INFINITY);
        assert!(!found.is_intersecting());
        assert_eq!(found.compare_to(f64::MAX, f64::MAX), Sign::Positive);
    }
}

#[test]
fn distances_at_the_ends_of_the_range() {
    let [low, high] = [[Vec3::splat(-f64::MAX)], [Vec3::splat(f64::MAX)]];
    let beyond = hull_distance(&low, &high);
    assert_eq!(beyond.bounds.lower, f64::MAX);
    assert_eq!(beyond.bounds.upper, f64::INFINITY);
    assert_eq!(beyond.compare_to(f64::MAX, f64::MAX), Sign::Positive);

    // A point beside a sloped segment: less than the smallest positive number away, and not touching.
    let tiny = f64::from_bits(1);
    let segment = [Vec3::ZERO, Vec3::new(1.0, 3.0 * tiny, 0.0)];
    let below = hull_distance(&segment, &[Vec3::new(0.5, tiny, 0.0)]);
    assert!(!below.is_intersecting());
    assert_eq!(
        (below.bounds.lower, below.distance, below.bounds.upper),
        (0.0, tiny, tiny)
    );
    assert_eq!(below.compare_to(tiny, 0.0), Sign::Negative);
    assert_eq!(below.compare_to(0.0, 0.0), Sign::Positive);
}

#[test]
fn a_segment_of_units_apart_is_exact_at_every_scale() {
    for exponent in [-1000, -500, -52, 0, 52, 500, 1000] {
        let unit = 2_f64.powi(exponent);
        let found = hull_distance(&[Vec3::ZERO], &[Vec3::new(2.0, 3.0, 6.0) * unit]);
        assert_eq!(found.bounds.lower, 7.0 * unit);
        assert_eq!(found.bounds.upper, 7.0 * unit);
        assert_eq!(found.compare_to(3.0 * unit, 4.0 * unit), Sign::Zero);
        assert_eq!(
            found.compare_to(7.0 * unit, f64::from_bits(1)),
            Sign::Negative
        );
    }
}
