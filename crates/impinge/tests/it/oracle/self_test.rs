//! The oracle's methods against each other and against answers known by construction.

use super::*;
use impinge::Vec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;

fn on_grid(random: &mut ChaCha8Rng, size: i32) -> Vec3 {
    let mut coordinate = || f64::from(random.random_range(-size..=size));
    Vec3::new(coordinate(), coordinate(), coordinate())
}

fn anywhere(random: &mut ChaCha8Rng) -> Vec3 {
    let mut coordinate = || random.random_range(-1.0..1.0);
    Vec3::new(coordinate(), coordinate(), coordinate())
}

fn scaled(points: &[Vec3], scale: f64) -> Vec<Vec3> {
    points.iter().map(|p| *p * scale).collect()
}

/// The three independent decisions agree; returns them.
fn meet(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let meets = triangles_meet(a, b);
    assert_eq!(meets, hulls_meet(a, b), "program: {a:?} {b:?}");
    assert_eq!(
        meets,
        hull_distance(a, b).is_zero(),
        "distance: {a:?} {b:?}"
    );
    meets
}

#[test]
fn triangle_methods_agree_on_grids() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut meeting = 0;
    for i in 0..6000 {
        let size = 1 + i % 4;
        let [a, b] = std::array::from_fn(|_| std::array::from_fn(|_| on_grid(&mut random, size)));
        meeting += usize::from(meet(&a, &b));
    }
    assert!((2000..4000).contains(&meeting), "{meeting} of 6000");
}

#[test]
fn triangle_methods_agree_anywhere() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for i in 0..1000 {
        let scale = 10_f64.powi(i % 600 - 300);
        let a: [Vec3; 3] = std::array::from_fn(|_| anywhere(&mut random) * scale);
        let mut b: [Vec3; 3] = std::array::from_fn(|_| anywhere(&mut random) * scale);
        match i % 3 {
            0 => b[0] = a[1],
            1 => b[0] = a[0].midpoint(a[1]),
            _ => {}
        }
        meet(&a, &b);
    }
}

#[test]
fn triangles_of_known_relation() {
    let v = Vec3::new;
    let base = [v(0., 0., 0.), v(4., 0., 0.), v(0., 4., 0.)];
    let meets = |other: [Vec3; 3]| {
        assert_eq!(meet(&base, &other), meet(&other, &base));
        meet(&base, &other)
    };
    assert!(
        meets([v(1., 1., 0.), v(1., 1., 5.), v(2., 1., 5.)]),
        "vertex on face"
    );
    assert!(
        !meets([v(1., 1., 1e-300), v(1., 1., 5.), v(2., 1., 5.)]),
        "vertex above face"
    );
    assert!(
        meets([v(2., 2., -1.), v(2., 2., 1.), v(9., 9., 0.)]),
        "edge through edge"
    );
    assert!(
        meets([v(4., 0., 0.), v(8., 0., 0.), v(8., 1., 0.)]),
        "coplanar, one common vertex"
    );
    assert!(
        !meets([v(2.5, 2., 0.), v(8., 0., 0.), v(8., 9., 0.)]),
        "coplanar, apart"
    );
    assert!(
        meets([v(1., 1., 0.), v(1.5, 1., 0.), v(1., 1.5, 0.)]),
        "coplanar, inside"
    );
    assert!(meets([v(1., 1., 0.); 3]), "point on face");
    assert!(!meets([v(3., 3., 0.); 3]), "point in the plane");
    assert!(
        meets([v(-1., 0., 0.), v(0., 0., 0.), v(-9., 0., 0.)]),
        "segment in line with an edge"
    );
    let point = [v(7., 7., 7.); 3];
    assert!(meet(&point, &point) && !meet(&point, &[v(7., 7., 7.5); 3]));
}

#[test]
fn hull_decision_and_hull_distance_agree() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut meeting = 0;
    for i in 0..300 {
        let counts = [random.random_range(4..=60), random.random_range(4..=60)];
        let [mut a, b]: [Vec<Vec3>; 2] = counts.map(|n| {
            let point = |r: &mut ChaCha8Rng| {
                if i % 2 == 0 {
                    anywhere(r)
                } else {
                    on_grid(r, 3)
                }
            };
            (0..n).map(|_| point(&mut random)).collect()
        });
        let shift = anywhere(&mut random) * 2.0;
        let shift = if i % 2 == 0 {
            shift
        } else {
            (shift * 4.0).round()
        };
        a.iter_mut().for_each(|p| *p += shift);
        let meets = hulls_meet(&a, &b);
        assert_eq!(meets, hull_distance(&a, &b).is_zero());
        meeting += usize::from(meets);
    }
    assert!((100..250).contains(&meeting), "{meeting} of 300");
}

#[test]
fn distances_agree_with_all_features() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut apart = 0;
    for i in 0..300 {
        let counts = [random.random_range(1..=6), random.random_range(1..=6)];
        let shift = Vec3::X * f64::from(i % 4);
        let [a, mut b]: [Vec<Vec3>; 2] = counts.map(|n| {
            let point = |r: &mut ChaCha8Rng| {
                if i % 2 == 0 {
                    anywhere(r)
                } else {
                    on_grid(r, 2)
                }
            };
            (0..n).map(|_| point(&mut random)).collect()
        });
        b.iter_mut().for_each(|p| *p += shift);
        let distance = hull_distance(&a, &b);
        assert_eq!(distance, feature_distance(&a, &b), "{a:?} {b:?}");
        apart += usize::from(!distance.is_zero());
    }
    assert!(apart > 150, "{apart} of 300");
}

#[test]
fn distances_known_by_construction() {
    let corners: Vec<Vec3> = (0..8)
        .map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)))
        .collect();
    for scale in [1.0, 1e-300, 1e300, 0.1] {
        let cube = scaled(&corners, scale);
        let beside: Vec<Vec3> = cube
            .iter()
            .map(|p| *p + Vec3::new(4.0, 5.0, 0.0) * scale)
            .collect();
        let distance = hull_distance(&cube, &beside);
        assert!((distance.approximate() / scale - 5.0).abs() < 1e-14);
        assert_eq!(distance.cmp_to(5.1 * scale), Ordering::Less);
        assert_eq!(distance.cmp_to(4.9 * scale), Ordering::Greater);
    }
    let exact = hull_distance(&[Vec3::ZERO], &[Vec3::new(3.0, 4.0, 0.0)]);
    assert_eq!(exact.cmp_to(5.0), Ordering::Equal);
    assert_eq!(exact.cmp_to(5_f64.next_up()), Ordering::Less);
    assert_eq!(exact.approximate(), 5.0);
}

#[test]
fn cubes_touch_and_miss_by_one_unit_in_the_last_place() {
    let cube = |low: Vec3, high: Vec3| -> Vec<Vec3> {
        let pick =
            |i: usize, bit: usize, k: usize| if i >> bit & 1 == 0 { low[k] } else { high[k] };
        (0..8)
            .map(|i| Vec3::new(pick(i, 0, 0), pick(i, 1, 1), pick(i, 2, 2)))
            .collect()
    };
    let a = cube(Vec3::splat(0.1), Vec3::splat(0.7));
    assert!(hulls_meet(&a, &cube(Vec3::splat(0.7), Vec3::splat(1.3))));
    assert!(!hulls_meet(
        &a,
        &cube(Vec3::splat(0.7_f64.next_up()), Vec3::splat(1.3))
    ));
    assert!(
        hulls_meet(&a, &cube(Vec3::splat(0.3), Vec3::splat(0.4))),
        "nested"
    );
}

#[test]
fn points_in_a_hull_have_a_winding_number() {
    let octahedron = [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y].map(|p| p * 4.0);
    let tips = [Vec3::Z, Vec3::NEG_Z].map(|p| p * 4.0);
    let triangles: Vec<[Vec3; 3]> = (0..4)
        .flat_map(|i| {
            let (p, q) = (octahedron[i], octahedron[(i + 1) % 4]);
            [[p, q, tips[0]], [q, p, tips[1]]]
        })
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut inside = 0;
    for _ in 0..400 {
        let p = on_grid(&mut random, 4);
        let expected = match p.abs().element_sum().total_cmp(&4.0) {
            Ordering::Less => Location::Off(1),
            Ordering::Equal => Location::Surface,
            Ordering::Greater => Location::Off(0),
        };
        inside += usize::from(expected == Location::Off(1));
        assert_eq!(locate(p, &triangles), expected, "{p}");
    }
    assert!(inside > 20, "{inside} of 400");
    let inside_out: Vec<[Vec3; 3]> = triangles.iter().map(|[p, q, r]| [*p, *r, *q]).collect();
    assert_eq!(locate(Vec3::ZERO, &inside_out), Location::Off(-1));
}
