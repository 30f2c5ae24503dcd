//! The depth of overlapping polytopes: the fast method, the exact one and an oracle agree, and every certificate holds.

mod culling;
mod families;
mod oracle;

use crate::rational::{common_unit, in_unit};
use impinge::exact::{HullPenetration, hull_distance, hull_penetration, hulls_intersect};
use impinge::narrow::depth::cameron::estimate_depth;
use impinge::narrow::{
    PairCache, distance_polytopes, penetration_polytopes, signed_distance_polytopes,
};
use impinge::{Feature, Penetration, Polytope, Pose, SignedDistance, Vec3};
use num_bigint::BigInt;

/// A polytope somewhere.
#[derive(Debug, Clone, Copy)]
struct Body<'a> {
    polytope: &'a Polytope,
    pose: Pose,
}

impl<'a> Body<'a> {
    fn new(polytope: &'a Polytope, pose: Pose) -> Body<'a> {
        Body { polytope, pose }
    }

    fn placed(&self) -> Vec<Vec3> {
        let vertices = self.polytope.vertices().iter();
        vertices.map(|v| self.pose.place(*v)).collect()
    }

    /// The placed vertices of a feature.
    fn carrier(&self, feature: Feature) -> Vec<Vec3> {
        let indices = match feature {
            Feature::Vertex(v) => vec![v],
            Feature::Edge(e) => self.polytope.edges()[e as usize].vertices.to_vec(),
            Feature::Face(f) => self.polytope.face(f as usize).to_vec(),
            Feature::Surface | Feature::Inside => panic!("{feature:?} of a polytope"),
        };
        let vertices = indices
            .iter()
            .map(|v| self.polytope.vertices()[*v as usize]);
        vertices.map(|v| self.pose.place(v)).collect()
    }
}

fn ask(a: Body, b: Body, cache: &mut PairCache) -> Option<Penetration> {
    penetration_polytopes(a.polytope, &a.pose, b.polytope, &b.pose, cache)
}

/// The largest coordinate.
fn scale(points: &[Vec3]) -> f64 {
    points
        .iter()
        .map(|p| p.abs().max_element())
        .fold(0.0, f64::max)
}

/// Asks in several ways, cold, from its own cache and with the bodies exchanged, checks each answer against the exact
/// path and all that it promises, and returns the exact one.
fn check(a: Body, b: Body) -> Option<HullPenetration> {
    let mut cache = PairCache::default();
    let exact = hull_penetration(&a.placed(), &b.placed());
    for _ in 0..2 {
        check_one(a, b, ask(a, b, &mut cache), exact.as_ref());
    }
    check_one(b, a, ask(b, a, &mut PairCache::default()), exact.as_ref());
    check_one(a, b, ask(a, b, &mut foreign_cache()), exact.as_ref());
    check_estimate(a, b, exact.as_ref());
    check_signed(a, b, exact.as_ref());
    exact
}

/// A published pair: all that [`check`] checks, and the depth and the way the second must move, where only one is right.
pub(crate) fn check_published(
    polytopes: [&Polytope; 2],
    poses: [Pose; 2],
    depth: f64,
    direction: Option<[f64; 3]>,
) {
    let [a, b] = [0, 1].map(|k| Body::new(polytopes[k], poses[k]));
    let deep = check(a, b).expect("the pair overlaps or touches");
    let size = scale(&a.placed()).max(scale(&b.placed()));
    assert!(
        (deep.depth - depth).abs() <= 1e-12 * size,
        "{} is not {depth}",
        deep.depth
    );
    if let Some(direction) = direction {
        let off = deep.direction - Vec3::from_array(direction);
        assert!(off.length() < 1e-5, "{:?}", deep.direction);
    }
}

/// Asks for the signed distance, cold and from its own cache, and checks it as depth or as distance.
fn check_signed(a: Body, b: Body, exact: Option<&HullPenetration>) {
    let mut cache = PairCache::default();
    for _ in 0..2 {
        let signed =
            signed_distance_polytopes(a.polytope, &a.pose, b.polytope, &b.pose, &mut cache);
        match signed {
            SignedDistance::Overlapping(deep) => {
                check_one(a, b, Some(deep), exact);
                assert_eq!(signed.value(), -deep.depth);
            }
            SignedDistance::Apart(near) => {
                assert!(exact.is_none(), "{near:?} is not {exact:?}");
                let alone = &mut PairCache::default();
                let other =
                    distance_polytopes(a.polytope, &a.pose, b.polytope, &b.pose, alone).bounds;
                assert!(near.distance > 0.0 && near.bounds.contains(signed.value()));
                assert!(near.bounds.lower <= other.upper && other.lower <= near.bounds.upper);
            }
        }
    }
}

/// What is remembered of two larger polytopes that have nothing to do with any other.
fn foreign_cache() -> PairCache {
    let mut cache = PairCache::default();
    let points = impinge_scenes::points::on_sphere(300, 5);
    let large = Polytope::from_points(&points).unwrap();
    let beside = Pose::from_translation(Vec3::new(0.1, 0.2, 1.7)).unwrap();
    let (a, b) = (Body::new(&large, Pose::IDENTITY), Body::new(&large, beside));
    assert!(ask(a, b, &mut cache).is_some());
    assert_ne!(cache, PairCache::default());
    cache
}

/// Checks an answer against the exact one, which may be that of the exchanged pair.
fn check_one(a: Body, b: Body, found: Option<Penetration>, exact: Option<&HullPenetration>) {
    let (Some(found), Some(exact)) = (&found, exact) else {
        assert_eq!(found.is_some(), exact.is_some(), "{a:?} {b:?}");
        return;
    };
    let (points_a, points_b) = (a.placed(), b.placed());
    let scale = scale(&points_a).max(scale(&points_b));
    let bounds = found.bounds;
    assert!(
        bounds.lower <= exact.bounds.upper && exact.bounds.lower <= bounds.upper,
        "{found:?} is not {exact:?}"
    );
    assert!(bounds.contains(found.depth) && bounds.lower >= 0.0);
    assert!(bounds.width() <= 1e-12 * scale, "{found:?}, scale {scale}");
    assert_eq!(
        found.depth == 0.0,
        exact.depth == 0.0,
        "{found:?} is not {exact:?}"
    );
    assert!((found.direction.length() - 1.0).abs() < 1e-14);
    assert!(
        parts(&points_a, &points_b, found.direction, bounds.upper),
        "{found:?}"
    );
    check_witness(a, b, found, scale);
}

/// Whether the second point set, moved by exactly `distance * direction`, is on the far side of a plane from the first.
fn parts(a: &[Vec3], b: &[Vec3], direction: Vec3, distance: f64) -> bool {
    let unit = common_unit(&[a, b].concat());
    let unit_of_direction = common_unit(&[direction]);
    let unit_of_distance = common_unit(&[Vec3::splat(distance)]);
    let whole = |p: Vec3, unit: i32| p.to_array().map(|x| in_unit(x, unit));
    let d = whole(direction, unit_of_direction);
    let along = |p: &Vec3| dot(&d, &whole(*p, unit));
    let highest = a.iter().map(along).max().unwrap();
    let lowest = b.iter().map(along).min().unwrap();
    // In units of the points times those of the direction.
    let gained = in_unit(distance, unit_of_distance) * dot(&d, &d);
    let overlap = highest - lowest;
    let shift = unit_of_distance + unit_of_direction - unit;
    if shift >= 0 {
        (gained << shift) >= overlap
    } else {
        gained >= (overlap << -shift)
    }
}

fn dot(p: &[BigInt; 3], q: &[BigInt; 3]) -> BigInt {
    (0..3).map(|k| &p[k] * &q[k]).sum()
}

/// The witnesses are on the features that are named, and one depth apart along the direction.
fn check_witness(a: Body, b: Body, found: &Penetration, scale: f64) {
    let tolerance = 1e-12 * scale;
    let witness = [found.witness.a, found.witness.b];
    for (body, (feature, point)) in [a, b].iter().zip(found.features.iter().zip(witness)) {
        let away = hull_distance(&body.carrier(*feature), &[point]).distance;
        assert!(away <= tolerance, "{away} from {feature:?}: {found:?}");
    }
    let moved = found.witness.b + found.direction * found.depth;
    let apart = (moved - found.witness.a).abs().max_element();
    assert!(
        apart <= tolerance,
        "{apart} apart: {found:?}, scale {scale}"
    );
}

fn check_estimate(a: Body, b: Body, exact: Option<&HullPenetration>) {
    let cache = PairCache::default();
    let found = estimate_depth(a.polytope, &a.pose, b.polytope, &b.pose, &cache);
    let (Some(found), Some(exact)) = (&found, exact) else {
        assert_eq!(found.is_some(), exact.is_some(), "{a:?} {b:?}");
        return;
    };
    assert!(found.bounds.lower <= exact.bounds.upper && exact.bounds.lower <= found.bounds.upper);
    assert!(parts(
        &a.placed(),
        &b.placed(),
        found.direction,
        found.bounds.upper
    ));
}

/// A move by a little more than the depth parts the two or leaves them touching; by a little less it does not. Only for
/// depths that are large beside the rounding of the coordinates.
fn check_moves(a: Body, b: Body) {
    let found = ask(a, b, &mut PairCache::default()).expect("an overlapping pair");
    let (points_a, points_b) = (a.placed(), b.placed());
    assert!(found.depth > 1e-5 * scale(&points_a).max(scale(&points_b)));
    let moved = |share: f64| -> Vec<Vec3> {
        let way = found.direction * (found.depth * share);
        points_b.iter().map(|p| *p + way).collect()
    };
    assert!(hulls_intersect(&points_a, &moved(1.0 - 1e-9)));
    assert!(!hulls_intersect(&points_a, &moved(1.0 + 1e-9)));
    let left = hull_penetration(&points_a, &moved(1.0)).map_or(0.0, |left| left.depth);
    assert!(left <= 1e-14 * scale(&points_a).max(scale(&points_b)));
}
