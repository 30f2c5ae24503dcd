//! Penetration of hulls on a small grid against every plane through three differences, in integers.

use impinge::Vec3;
use impinge::exact::{hull_penetration, hulls_intersect};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Vector = [i64; 3];

fn minus(p: Vector, q: Vector) -> Vector {
    std::array::from_fn(|k| p[k] - q[k])
}

fn cross(p: Vector, q: Vector) -> Vector {
    [
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    ]
}

fn dot(p: Vector, q: Vector) -> i64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

/// The square of the depth as numerator and denominator: the least, over all planes through three differences that have
/// all of them on one side, of the squared distance from the origin.
fn depth_squared(differences: &[Vector]) -> Option<(i64, i64)> {
    let n = differences.len();
    let triples = (0..n).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| [i, j, k])));
    let squares = triples.filter_map(|triple| {
        let [p, q, r] = triple.map(|i| differences[i]);
        let normal = cross(minus(q, p), minus(r, p));
        let height = dot(normal, p);
        let is_supporting = |sign: i64| {
            differences
                .iter()
                .all(|w| sign * (dot(normal, *w) - height) <= 0)
        };
        (normal != [0; 3] && (is_supporting(1) || is_supporting(-1)))
            .then(|| (height * height, dot(normal, normal)))
    });
    squares.min_by(|(h, n), (i, m)| {
        (i128::from(*h) * i128::from(*m)).cmp(&(i128::from(*i) * i128::from(*n)))
    })
}

#[test]
fn depths_are_those_of_the_nearest_plane() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut overlapping = 0;
    for _ in 0..if crate::is_full() { 40_000 } else { 1500 } {
        let mut cloud = |count: usize| -> Vec<Vector> {
            (0..count)
                .map(|_| std::array::from_fn(|_| rng.random_range(-3..=3)))
                .collect()
        };
        let (a, b) = (cloud(6), cloud(5));
        let place = |cloud: &[Vector]| -> Vec<Vec3> {
            cloud
                .iter()
                .map(|p| Vec3::from_array(p.map(|x| x as f64)))
                .collect()
        };
        let (points_a, points_b) = (place(&a), place(&b));
        let found = hull_penetration(&points_a, &points_b);
        assert_eq!(found.is_some(), hulls_intersect(&points_a, &points_b));
        let Some(found) = found else {
            continue;
        };
        overlapping += 1;
        let differences: Vec<Vector> = a
            .iter()
            .flat_map(|p| b.iter().map(|q| minus(*p, *q)))
            .collect();
        let (square, scale) =
            depth_squared(&differences).expect("the clouds span space or a plane");
        let expected = (square as f64 / scale as f64).sqrt();
        assert!(
            (found.depth - expected).abs() <= 1e-15 * 12.0,
            "{found:?} {expected}"
        );
        assert!(found.bounds.contains(found.depth) && found.bounds.width() < 1e-14);
        let moved: Vec<Vec3> = points_b
            .iter()
            .map(|p| *p + found.direction * (found.bounds.upper + 1e-14))
            .collect();
        assert!(!hulls_intersect(&points_a, &moved), "{found:?}");
    }
    assert!(overlapping > 500, "only {overlapping}");
}
