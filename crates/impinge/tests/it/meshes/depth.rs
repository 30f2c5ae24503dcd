//! The depth of solids, against sampling, known values, and the depth of polytopes.

use super::{on_path, ring};
use crate::cases::rng;
use crate::is_full;
use crate::shapes::kinds::{Family, point, poses};
use impinge::exact::{Location, hull_distance, locate};
use impinge::{Placed, Polytope, Pose, Shape, Solid, SolidDepth, TriMesh, Vec3, query};

fn solid(mesh: TriMesh) -> Shape {
    Shape::from(Solid::new(mesh).unwrap())
}

fn cube(half: f64) -> Shape {
    solid(Polytope::cuboid(Vec3::splat(half)).unwrap().to_mesh())
}

fn depth(a: Placed<'_>, b: Placed<'_>, tolerance: f64) -> Option<SolidDepth> {
    let found = query::solid_depth(a, b, tolerance).unwrap();
    assert_eq!(found.is_some(), query::intersects(a, b));
    let back = query::solid_depth(b, a, tolerance).unwrap();
    if let (Some(found), Some(back)) = (found, back) {
        assert!(found.bounds.contains(found.depth), "{found:?}");
        assert!(found.bounds.width() <= tolerance + 1e-12, "{found:?}");
        assert!(found.bounds.lower <= back.bounds.upper && back.bounds.lower <= found.bounds.upper);
        let apart = (found.witness.b - found.witness.a).length();
        assert!(
            (apart - found.depth).abs() <= tolerance + 1e-12,
            "{found:?}"
        );
    }
    found
}

fn triangles_of(placed: &Placed<'_>) -> Vec<[Vec3; 3]> {
    let Shape::Solid(solid) = placed.shape else {
        panic!("a solid")
    };
    let mesh = solid.mesh();
    let corners = (0..mesh.triangles().len()).map(|t| mesh.corners(t));
    corners.map(|c| c.map(|p| placed.pose.place(p))).collect()
}

/// The depth by trying points all over the surfaces: never above the true one, and below it by no more than the second number.
fn sampled(a: Placed<'_>, b: Placed<'_>, steps: i32) -> (f64, f64) {
    let (p, q) = (triangles_of(&a), triangles_of(&b));
    let (mut deepest, mut spacing): (f64, f64) = (0.0, 0.0);
    for (fixed, moving) in [(&p, &q), (&q, &p)] {
        for [u, v, w] in moving {
            let (e, f) = ((*v - *u) / f64::from(steps), (*w - *u) / f64::from(steps));
            spacing = spacing.max(e.length().max(f.length()).max((e - f).length()));
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let at = *u + e * f64::from(i) + f * f64::from(j);
                    if locate(at, fixed.iter().copied()) == Location::Inside {
                        let distance = |t: &[Vec3; 3]| hull_distance(t, &[at]).distance;
                        let near = fixed.iter().map(distance).fold(f64::INFINITY, f64::min);
                        deepest = deepest.max(near);
                    }
                }
            }
        }
    }
    (deepest, spacing)
}

#[test]
fn cubes_have_known_depths() {
    let shift = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    let (large, small) = (cube(1.0), cube(0.25));
    let at = |pose: Pose| depth(large.at(Pose::IDENTITY), small.at(pose), 1e-3);
    for (pose, expected) in [
        (shift(1.125, 0.0, 0.0), 0.125),
        (shift(1.25, 0.5, 0.25), 0.0),
        (shift(0.0, 0.0, 0.0), 0.75),
        (shift(0.25, 0.0, 0.0), 1.0),
        (shift(1.125, 1.125, 1.125), 0.125),
    ] {
        let found = at(pose).unwrap();
        assert!(
            found.bounds.contains(expected),
            "{pose:?}: {found:?}, {expected}"
        );
    }
    assert!(at(shift(1.5, 0.0, 0.0)).is_none());
    let found = at(shift(1.125, 0.0, 0.0)).unwrap();
    let way = found.witness.a - found.witness.b;
    assert!((way - Vec3::X * 0.125).length() < 2e-3, "{found:?}");
    // A solid on itself: no point of the surface is inside.
    let itself = depth(large.at(Pose::IDENTITY), large.at(Pose::IDENTITY), 1e-3).unwrap();
    assert!(
        itself.bounds.lower == 0.0 && itself.bounds.upper <= 1e-3,
        "{itself:?}"
    );
}

#[test]
fn random_solids_have_the_depth_that_sampling_finds() {
    let mut rng = rng(121);
    let ring = solid(ring(12, 6, 0.45));
    let rounds = if is_full() { 60 } else { 5 };
    let mut deep = 0;
    for round in 0..rounds {
        let points: Vec<Vec3> = (0..10).map(|_| point(&mut rng) * 0.6).collect();
        let blob = solid(Polytope::from_points(&points).unwrap().to_mesh());
        let pose = on_path(0.35 + 0.3 * f64::from(round) / f64::from(rounds));
        let (a, b) = (ring.at(Pose::IDENTITY), blob.at(pose));
        let Some(found) = depth(a, b, 1e-3) else {
            continue;
        };
        let (lower, spacing) = sampled(a, b, 6);
        assert!(
            lower <= found.bounds.upper + 1e-12,
            "{round}: {found:?}, {lower}"
        );
        assert!(
            found.bounds.lower <= lower + spacing,
            "{round}: {found:?}, {lower} {spacing}"
        );
        deep += usize::from(found.bounds.lower > 0.01);
    }
    assert!(deep > 1, "{deep}");
}

#[test]
fn no_translation_parts_convex_solids_that_is_shorter_than_their_depth() {
    let mut rng = rng(122);
    let mut ratios = Vec::new();
    for _ in 0..if is_full() { 400 } else { 25 } {
        let hulls = [(); 2].map(|()| {
            let points: Vec<Vec3> = (0..12).map(|_| point(&mut rng)).collect();
            Polytope::from_points(&points).unwrap()
        });
        let [p, q] = poses(&mut rng, Family::Random);
        let near = p.translation().lerp(q.translation(), 0.4);
        let q = Pose::from_matrix(*q.matrix(), near).unwrap();
        let [a, b] = hulls.each_ref().map(|hull| solid(hull.to_mesh()));
        let [c, d] = hulls.map(Shape::from);
        let parting = query::penetration(c.at(p), d.at(q)).unwrap();
        let found = depth(a.at(p), b.at(q), 1e-4);
        assert_eq!(found.is_some(), parting.is_some());
        if let (Some(found), Some(parting)) = (found, parting) {
            assert!(
                found.bounds.lower <= parting.bounds.upper,
                "{found:?}, {parting:?}"
            );
            ratios.push(found.depth / parting.depth.max(1e-300));
        }
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    println!(
        "depth as a share of the way that parts, {} pairs: {mean}",
        ratios.len()
    );
    assert!(ratios.len() > 10 && mean > 0.1, "{mean}");
}

#[test]
fn what_has_no_depth_is_refused() {
    let (cube, ball) = (cube(1.0), Shape::sphere(1.0).unwrap());
    let (cube, ball) = (cube.at(Pose::IDENTITY), ball.at(Pose::IDENTITY));
    assert!(query::solid_depth(cube, ball, 0.1).is_err());
    assert!(query::solid_depth(cube, cube, -0.1).is_err());
    assert!(query::solid_depth(cube, cube, f64::NAN).is_err());
    let huge = super::depth::cube(1e200);
    assert!(query::solid_depth(huge.at(Pose::IDENTITY), huge.at(Pose::IDENTITY), 1.0).is_err());
}
