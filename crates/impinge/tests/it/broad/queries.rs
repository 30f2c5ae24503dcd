//! What is in a box, at a point, on a ray: every method beside a plain loop, and rays beside exact arithmetic.

use super::methods;
use impinge::broad::{Box32, BroadPhase, BroadPhaseKind, PairChanges};
use impinge::{Aabb, BodyId, Ray, Vec3};
use impinge_scenes::boxes::{BoxScene, BoxSceneKind};
use num_bigint::BigInt;
use num_rational::BigRational;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A broad phase in the middle of a scene, with changes that no `collect` has seen yet.
fn amid(kind: BroadPhaseKind, scene: BoxSceneKind) -> Box<dyn BroadPhase> {
    let mut scene = BoxScene::new(scene, 150, 3).unwrap();
    let mut broad = kind.create();
    scene.start().apply(&mut *broad).unwrap();
    for _ in 0..3 {
        broad.collect(&mut PairChanges::default());
        scene.step().unwrap().apply(&mut *broad).unwrap();
    }
    broad
}

/// A point in or near the boxes of a body set, often exactly on a corner of one.
fn near_point(broad: &dyn BroadPhase, rng: &mut ChaCha8Rng) -> Vec3 {
    let boxes: Vec<Box32> = broad.boxes().iter().map(|(_, bounds)| *bounds).collect();
    let [one, other] = [(); 2].map(|()| boxes[rng.random_range(0..boxes.len())]);
    let corner = Vec3::from_array(one.min().map(f64::from));
    let opposite = Vec3::from_array(other.max().map(f64::from));
    match rng.random_range(0..3) {
        0 => corner,
        1 => corner.lerp(opposite, rng.random_range(0.0..1.0)),
        _ => opposite,
    }
}

#[test]
fn bodies_in_a_box_and_at_a_point_are_those_that_overlap_it() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for kind in methods() {
        for scene in BoxSceneKind::ALL {
            let broad = amid(kind, scene);
            let (mut found, mut met) = (Vec::new(), 0);
            for _ in 0..50 {
                let [a, b] = [(); 2].map(|()| near_point(&*broad, &mut rng));
                let bounds = Aabb::new(a.min(b), a.max(b)).unwrap();
                broad.in_box(&bounds, &mut found).unwrap();
                assert_eq!(found, overlapping(&*broad, &bounds), "{kind} in {scene}");
                met += found.len();
                broad.at_point(a, &mut found).unwrap();
                let point = Aabb::new(a, a).unwrap();
                assert_eq!(found, overlapping(&*broad, &point), "{kind} in {scene}");
                met += found.len();
            }
            assert!(met > 0, "{kind} in {scene}");
        }
    }
}

/// The bodies whose boxes overlap a box rounded outward.
fn overlapping(broad: &dyn BroadPhase, bounds: &Aabb) -> Vec<BodyId> {
    let bounds = Box32::around(bounds).unwrap();
    let all = broad.boxes().iter();
    all.filter(|(_, other)| {
        (0..3).all(|k| bounds.min()[k] <= other.max()[k] && other.min()[k] <= bounds.max()[k])
    })
    .map(|(body, _)| body)
    .collect()
}

/// A ray between two points near boxes, at times along an axis.
fn near_ray(broad: &dyn BroadPhase, rng: &mut ChaCha8Rng) -> Ray {
    let [from, to] = [(); 2].map(|()| near_point(broad, rng));
    let mut direction = to - from;
    for axis in 0..3 {
        if rng.random_bool(0.3) {
            direction[axis] = 0.0;
        }
    }
    Ray::new(from, direction).unwrap_or_else(|_| Ray::new(from, Vec3::Y).unwrap())
}

/// What a cast visits when the third body is hit.
fn seen(hit: f64, cast: impl Fn(&mut Visit<'_>)) -> Vec<(BodyId, f64)> {
    let mut seen = Vec::new();
    cast(&mut |body, t| {
        seen.push((body, t));
        if seen.len() < 3 { 2.0 } else { hit }
    });
    seen
}

type Visit<'a> = dyn FnMut(BodyId, f64) -> f64 + 'a;

#[test]
fn every_method_casts_rays_like_the_plain_loop() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for kind in methods() {
        for scene in BoxSceneKind::ALL {
            let broad = amid(kind, scene);
            for _ in 0..30 {
                let ray = near_ray(&*broad, &mut rng);
                let hit = rng.random_range(0.0..1.0);
                let found = seen(hit, |visit| broad.cast(&ray, 2.0, visit));
                let expected = seen(hit, |visit| broad.boxes().cast(&ray, 2.0, visit));
                assert_eq!(found, expected, "{kind} in {scene}");
                assert!(found.is_sorted_by(|(a, s), (b, t)| (s, a) <= (t, b)));
            }
        }
    }
}

fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).unwrap()
}

/// The `t` at which a ray enters a box, in exact arithmetic.
fn exact_entry(ray: &Ray, bounds: &Box32) -> Option<BigRational> {
    let mut first = BigRational::from(BigInt::from(0));
    let mut last: Option<BigRational> = None;
    for axis in 0..3 {
        let (origin, direction) = (ray.origin()[axis], ray.direction()[axis]);
        let [low, high] = [bounds.min()[axis], bounds.max()[axis]].map(f64::from);
        if direction == 0.0 {
            if origin < low || origin > high {
                return None;
            }
            continue;
        }
        let mut ends = [low, high].map(|p| (rational(p) - rational(origin)) / rational(direction));
        ends.sort();
        let [enters, leaves] = ends;
        first = first.max(enters);
        last = Some(match last {
            Some(last) => last.min(leaves),
            None => leaves,
        });
    }
    last.is_none_or(|last| first <= last).then_some(first)
}

#[test]
fn no_box_is_missed_and_no_entry_is_late() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut hits, mut extra) = (0, 0);
    for scene in [
        BoxSceneKind::Uniform,
        BoxSceneKind::Sizes,
        BoxSceneKind::Snapped,
    ] {
        let broad = amid(BroadPhaseKind::Brute, scene);
        for _ in 0..100 {
            let ray = near_ray(&*broad, &mut rng);
            let scale = [1e-300, 1e-12, 1.0, 1e12, 1e290][rng.random_range(0..5)];
            let ray = Ray::new(ray.origin(), ray.direction() * scale).unwrap_or(ray);
            let mut seen = Vec::new();
            broad.cast(&ray, f64::MAX, &mut |body, t| {
                seen.push((body, t));
                f64::MAX
            });
            for (body, bounds) in broad.boxes().iter() {
                let found = seen.iter().find(|(other, _)| *other == body);
                let exact = exact_entry(&ray, bounds).filter(|t| *t <= rational(f64::MAX));
                match (exact, found) {
                    (Some(exact), Some((_, t))) => {
                        hits += 1;
                        assert!(rational(*t) <= exact, "{body} is entered late");
                        let slack = rational(1e-14) * exact.clone() + rational(1e-300);
                        assert!(exact - rational(*t) <= slack, "{body} is entered early");
                    }
                    (Some(_), None) => panic!("{body} is missed in {scene}"),
                    (None, Some(_)) => extra += 1,
                    (None, None) => {}
                }
            }
        }
    }
    assert!(hits > 500 && extra * 10 < hits, "{hits} {extra}");
}

#[test]
fn bad_questions_are_refused() {
    for kind in methods() {
        let broad = amid(kind, BoxSceneKind::Uniform);
        let mut found = Vec::new();
        let bad = Aabb::new(Vec3::ZERO, Vec3::ONE).unwrap().grown(-2.0);
        let said = broad.in_box(&bad, &mut found).unwrap_err().to_string();
        assert!(said.starts_with("box minimum x is 1.99"), "{said}");
        assert!(broad.at_point(Vec3::X * f64::NAN, &mut found).is_err());
    }
    assert!(Ray::new(Vec3::ZERO, Vec3::X * f64::INFINITY).is_err());
    assert!(Ray::new(Vec3::X * f64::NAN, Vec3::X).is_err());
}
