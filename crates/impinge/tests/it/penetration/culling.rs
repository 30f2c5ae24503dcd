//! What is left out by bounds: pairs for which the bounds help least, and caches that are out of date.

use super::{Body, ask, check, check_one};
use impinge::exact::{hull_distance, hull_penetration, hulls_intersect};
use impinge::narrow::{PairCache, PolytopePair, signed_distance_each, signed_distance_polytopes};
use impinge::{Polytope, Pose, Quat, SignedDistance, Vec3};
use impinge_scenes::points::{in_ball, on_sphere};
use impinge_scenes::polytopes::random_polytope;

fn turned(seed: u64, translation: Vec3) -> Pose {
    let turn = Quat::from_axis_angle(on_sphere(1, seed)[0], 1.0 + seed as f64);
    Pose::from_quat(turn, translation).unwrap()
}

/// A random polytope with the centre of mass at the origin, as far as can be, stretched.
fn centred(faces: usize, seed: u64, stretch: Vec3) -> Polytope {
    let round = random_polytope(faces, seed).unwrap();
    let stretched = round.vertices().iter().map(|v| *v * stretch);
    let polytope = Polytope::from_points(&stretched.collect::<Vec<_>>()).unwrap();
    let center = polytope.centroid();
    let moved = polytope.vertices().iter().map(|v| *v - center);
    Polytope::from_points(&moved.collect::<Vec<_>>()).unwrap()
}

/// Asks for the signed distance with a cache of another time, and compares with the exact path.
fn check_late(a: Body, b: Body, cache: &mut PairCache) -> bool {
    let signed = signed_distance_polytopes(a.polytope, &a.pose, b.polytope, &b.pose, cache);
    let exact = hull_penetration(&a.placed(), &b.placed());
    match signed {
        SignedDistance::Overlapping(deep) => check_one(a, b, Some(deep), exact.as_ref()),
        SignedDistance::Apart(_) => assert!(exact.is_none(), "{a:?} {b:?}"),
    }
    exact.is_some()
}

/// Sizes on both sides of that at which sets of edges no longer fit a word (42 and 44 triangles have 63 and 66 edges) and of
/// that at which vertices have a table by directions (more than 124 triangles), in all mixtures, from concentric to shallow.
#[test]
fn few_and_many_faces() {
    let sizes = [6, 42, 44, 120, 140];
    let polytopes = sizes.map(|faces| centred(faces, faces as u64, Vec3::ONE));
    let (mut overlapping, mut seed) = (0, 0);
    for p in &polytopes {
        for q in &polytopes {
            for distance in [0.0, 1e-9, 0.3, 0.8, 1.1, 1.25] {
                seed += 1;
                let offset = on_sphere(1, seed)[0] * distance;
                let (a, b) = (
                    Body::new(p, turned(seed, Vec3::ZERO)),
                    Body::new(q, turned(seed + 1, offset)),
                );
                overlapping += u32::from(check(a, b).is_some());
            }
        }
    }
    assert!(overlapping > 60, "{overlapping}");
}

/// Around one centre all directions are alike, and thin shapes have no ball inside that helps.
#[test]
fn concentric() {
    let stretches = [
        Vec3::ONE,
        Vec3::new(30.0, 1.0, 1.0),
        Vec3::new(1.0, 1.0, 0.03),
    ];
    for (k, stretch) in stretches.into_iter().enumerate() {
        for (m, other) in stretches.into_iter().enumerate() {
            for faces in [12, 36, 100] {
                let (p, q) = (centred(faces, 1, stretch), centred(faces, 2, other));
                let seed = (3 * k + m) as u64;
                check(
                    Body::new(&p, turned(seed, Vec3::ZERO)),
                    Body::new(&q, turned(seed + 9, Vec3::ZERO)),
                );
            }
        }
    }
    let cube = Polytope::cuboid(Vec3::ONE).unwrap();
    let plate = Polytope::cuboid(Vec3::new(2.0, 2.0, 0.25)).unwrap();
    for pose in [Pose::IDENTITY, turned(1, Vec3::ZERO)] {
        check(Body::new(&cube, Pose::IDENTITY), Body::new(&cube, pose));
        check(Body::new(&plate, Pose::IDENTITY), Body::new(&cube, pose));
    }
}

/// One inside the other, down to sizes whose quotient is beyond single precision.
#[test]
fn tiny_in_a_large_one() {
    for faces in [36, 200] {
        let large = centred(faces, 5, Vec3::ONE);
        for size in [1e-2, 1e-6, 1e-12, 1e-18, 1e-24, 1e-45] {
            let tiny = centred(faces, 6, Vec3::splat(size));
            for seed in 0..3 {
                let pose = turned(seed, in_ball(1, seed)[0] * 0.3);
                check(Body::new(&large, Pose::IDENTITY), Body::new(&tiny, pose));
            }
        }
    }
}

/// A facet is remembered, then the polytopes move: a little deeper, a little apart, and across to the other side.
#[test]
fn outdated_facets() {
    let (mut overlapping, mut apart) = (0, 0);
    for seed in 0..24 {
        let faces = [12, 36, 150][seed as usize % 3];
        let [p, q] = [0, 1].map(|k| random_polytope(faces, 2 * seed + k).unwrap());
        let offset = on_sphere(1, seed)[0] * 0.9;
        let (pose_a, pose_b) = (turned(seed, Vec3::ZERO), turned(seed + 5, offset));
        let (a, b) = (Body::new(&p, pose_a), Body::new(&q, pose_b));
        let mut cache = PairCache::default();
        let Some(deep) = ask(a, b, &mut cache) else {
            continue;
        };
        for gap in [1e-3, 1e-6, 1e-9, 1e-13, 0.0, -1e-13, -1e-9, -1e-6, -1e-3] {
            let way = deep.direction * (deep.depth + gap);
            let moved = Body::new(&q, turned(seed + 5, offset + way));
            let overlaps = check_late(a, moved, &mut cache.clone());
            assert_eq!(overlaps, hulls_intersect(&a.placed(), &moved.placed()));
            (overlapping, apart) = (
                overlapping + u32::from(overlaps),
                apart + u32::from(!overlaps),
            );
        }
        for across in [-offset * 0.5, -offset * 1.9, -offset * 4.0, offset * 3.0] {
            let moved = Body::new(&q, turned(seed + 8, offset + across));
            check_late(a, moved, &mut cache.clone());
        }
    }
    assert!(overlapping > 60 && apart > 60, "{overlapping} {apart}");
}

/// A facet is remembered, then the polytopes part just so: often past an edge or a vertex of the differences, where every
/// plane that separates them has the foot of the origin outside its facet.
#[test]
fn just_apart_with_an_outdated_facet() {
    let mut apart = 0;
    for seed in 0..80 {
        let faces = [4, 8, 12, 36][seed as usize % 4];
        let [p, q] = [0, 1].map(|k| random_polytope(faces, 2 * seed + k).unwrap());
        let offset = on_sphere(1, seed)[0] * 2.5;
        let a = Body::new(&p, turned(seed, Vec3::ZERO));
        let at = |way: Vec3| Body::new(&q, turned(seed + 5, offset + way));
        let near = hull_distance(&a.placed(), &at(Vec3::ZERO).placed());
        let way = near.witness.a - near.witness.b;
        let unit = way.normalize();
        let mut cache = PairCache::default();
        // A sharp corner need not lead into the other.
        if ask(a, at(way + unit * 0.05), &mut cache).is_none() {
            continue;
        }
        for gap in [0.1, 0.03, 1e-2, 3e-3, 1e-3, 1e-4, 1e-6, 1e-8] {
            apart += u32::from(!check_late(a, at(way - unit * gap), &mut cache.clone()));
            check_late(a, at(way + unit * gap), &mut cache.clone());
        }
    }
    assert!(apart > 200, "{apart}");
}

/// Boxes of one orientation that slide over each other: parallel faces and equal depths in every frame.
#[test]
fn boxes_that_slide() {
    let cube = Polytope::cuboid(Vec3::ONE).unwrap();
    let plate = Polytope::cuboid(Vec3::new(2.0, 1.0, 0.5)).unwrap();
    let origin = Body::new(&plate, Pose::IDENTITY);
    for way in [Vec3::X, Vec3::new(1.0, 0.5, 0.0), Vec3::new(1.0, 0.5, 0.5)] {
        let mut cache = PairCache::default();
        for step in -14..=14 {
            let pose = Pose::from_translation(way * (0.25 * f64::from(step))).unwrap();
            check_late(origin, Body::new(&cube, pose), &mut cache);
        }
    }
}

/// Who is told the depth of a pair may ask for others at once, and the pairs that are still to come are not mixed up.
#[test]
fn questions_within_answers() {
    let polytopes = [centred(36, 1, Vec3::ONE), centred(200, 2, Vec3::ONE)];
    let poses: Vec<Pose> = (0..12)
        .map(|k| turned(k, on_sphere(1, k)[0] * (0.1 * k as f64)))
        .collect();
    let mut caches = [PairCache::default(); 11];
    for _ in 0..2 {
        let mut pairs: Vec<PolytopePair> = (1..)
            .zip(&mut caches)
            .map(|(k, cache)| PolytopePair {
                a: &polytopes[0],
                pose_a: &poses[0],
                b: &polytopes[k % 2],
                pose_b: &poses[k],
                cache,
            })
            .collect();
        let mut count = 0;
        signed_distance_each(&mut pairs, |k, signed| {
            count += 1;
            let (a, b) = (
                Body::new(&polytopes[0], poses[0]),
                Body::new(&polytopes[(k + 1) % 2], poses[k + 1]),
            );
            match (signed, check(a, b)) {
                (SignedDistance::Overlapping(deep), exact) => {
                    check_one(a, b, Some(deep), exact.as_ref());
                }
                (SignedDistance::Apart(_), exact) => assert!(exact.is_none()),
            }
        });
        assert_eq!(count, 11);
    }
}
