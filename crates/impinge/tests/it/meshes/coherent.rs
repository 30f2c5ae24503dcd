//! Caches: what a pair remembers changes the time, never the answer.

use super::{check_cached, on_path, ring};
use impinge::narrow::PairCache;
use impinge::{Pose, Shape, Solid, Vec3, query};

#[test]
fn answers_along_a_path_do_not_depend_on_the_cache() {
    let ring_mesh = ring(60, 10, 0.3);
    let shapes = [
        Shape::from(ring(40, 8, 0.2)),
        Shape::from(Solid::new(ring(30, 8, 0.35)).unwrap()),
        Shape::cuboid(Vec3::new(0.3, 0.2, 0.5)).unwrap(),
        Shape::capsule(0.4, 0.2).unwrap(),
    ];
    let ring = Shape::from(ring_mesh);
    for (kind, shape) in shapes.iter().enumerate() {
        let mut cache = PairCache::default();
        for step in 0..60 {
            let pose = on_path(f64::from(step) / 60.0);
            let what = format!("{kind}, step {step}");
            check_cached(ring.at(Pose::IDENTITY), shape.at(pose), &mut cache, &what);
        }
    }
}

#[test]
fn the_cache_of_another_pair_does_no_harm() {
    let (small, large) = (Shape::from(ring(8, 4, 0.3)), Shape::from(ring(80, 10, 0.2)));
    let cube = Shape::cuboid(Vec3::splat(0.4)).unwrap();
    let mut cache = PairCache::default();
    for step in 0..30 {
        let pose = on_path(f64::from(step) / 30.0);
        for (a, b) in [
            (&large, &large),
            (&small, &large),
            (&small, &small),
            (&large, &cube),
            (&cube, &cube),
        ] {
            let (a, b) = (a.at(Pose::IDENTITY), b.at(pose));
            let (fresh, cached) = (
                query::distance(a, b),
                query::distance_with(a, b, &mut cache),
            );
            assert_eq!(fresh.distance == 0.0, cached.distance == 0.0);
            assert!(fresh.bounds.lower <= cached.bounds.upper);
            assert!(cached.bounds.lower <= fresh.bounds.upper);
            assert_eq!(
                query::intersects(a, b),
                query::intersects_with(a, b, &mut cache)
            );
        }
    }
}
