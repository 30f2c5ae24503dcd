//! How long the static questions take for each family of convex pairs. Every case checks its answers against the
//! reference before it is measured.
//!
//! `cargo bench -p impinge --bench primitives`

use divan::Bencher;
use impinge::narrow::PairCache;
use impinge::query::Method;
use impinge::{Placed, Pose, Quat, Shape, Vec3, query, reference};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

/// Pairs of shapes by name.
const FAMILIES: [&str; 12] = [
    "sphere sphere",
    "sphere capsule",
    "capsule capsule",
    "sphere box",
    "capsule box",
    "box box",
    "rounded box box",
    "sphere half-space",
    "hull half-space",
    "sphere cylinder",
    "cylinder cone",
    "ellipsoid hull",
];

const POSES: usize = 64;

fn shape(name: &str) -> Shape {
    let made = match name {
        "sphere" => Shape::sphere(0.6),
        "capsule" => Shape::capsule(0.5, 0.4),
        "box" => Shape::cuboid(Vec3::new(0.7, 0.5, 0.4)),
        "rounded" => Shape::cuboid(Vec3::new(0.6, 0.4, 0.3)).and_then(|s| s.rounded(0.1)),
        "half-space" => Shape::half_space(Vec3::new(0.3, 0.4, 1.2), -0.5),
        "cylinder" => Shape::cylinder(0.5, 0.5),
        "cone" => Shape::cone(0.6, 0.5),
        "ellipsoid" => Shape::ellipsoid(Vec3::new(0.7, 0.5, 0.4)),
        _ => {
            let points = impinge_scenes::points::on_sphere(20, 7);
            let points: Vec<Vec3> = points.iter().map(|p| *p * 0.7).collect();
            Shape::hull(&points)
        }
    };
    made.expect("sizes are positive")
}

/// The shapes of a family, and poses at a distance: about half of the pairs intersect.
fn pairs(family: &str) -> (Shape, Shape, Vec<[Pose; 2]>) {
    let name = family.replace("rounded box box", "rounded box");
    let (a, b) = name.split_once(' ').expect("two names");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut pose = |at: Vec3| {
        let mut part = || rng.random_range(-1.0..1.0);
        let turn = Quat::from_xyzw(part(), part(), part(), 0.5).normalize();
        let aside = Vec3::new(part(), part(), part());
        Pose::from_quat(turn, at + aside * 0.3).expect("a rotation")
    };
    let poses = (0..POSES).map(|_| [pose(Vec3::ZERO), pose(Vec3::X)]);
    (shape(a), shape(b), poses.collect())
}

fn measure<T>(bencher: Bencher, family: &str, ask: impl Fn(Placed<'_>, Placed<'_>) -> T + Sync) {
    let (a, b, poses) = pairs(family);
    for [p, q] in &poses {
        let (a, b) = (a.at(*p), b.at(*q));
        let expected = reference::intersects(a, b);
        assert_eq!(query::intersects(a, b), expected, "{family}");
        let (near, truth) = (
            query::distance(a, b).bounds,
            reference::distance(a, b).bounds,
        );
        assert!(
            near.lower <= truth.upper && truth.lower <= near.upper,
            "{family}"
        );
        assert_eq!(
            query::penetration(a, b).expect("convex").is_some(),
            expected,
            "{family}"
        );
    }
    bencher
        .counter(divan::counter::ItemsCount::new(POSES))
        .bench(|| {
            for [p, q] in &poses {
                divan::black_box(ask(a.at(*p), b.at(*q)));
            }
        });
}

#[divan::bench(args = FAMILIES)]
fn intersects(bencher: Bencher, family: &str) {
    measure(bencher, family, |a, b| {
        query::intersects_with(a, b, &mut PairCache::default())
    });
}

#[divan::bench(args = FAMILIES)]
fn within(bencher: Bencher, family: &str) {
    measure(bencher, family, |a, b| query::within(a, b, 0.1));
}

#[divan::bench(args = FAMILIES)]
fn distance(bencher: Bencher, family: &str) {
    measure(bencher, family, query::distance);
}

/// The same question by name; half-spaces are not bounded.
#[divan::bench(args = FAMILIES.into_iter().filter(|family| !family.contains("half-space")))]
fn distance_by_gjk(bencher: Bencher, family: &str) {
    measure(bencher, family, |a, b| {
        query::distance_by(Method::Gjk, a, b).expect("bounded and convex")
    });
}

#[divan::bench]
fn distance_by_lin_canny(bencher: Bencher) {
    measure(bencher, "box box", |a, b| {
        query::distance_by(Method::LinCanny, a, b).expect("boxes")
    });
}

#[divan::bench(args = FAMILIES)]
fn distance_by_reference(bencher: Bencher, family: &str) {
    measure(bencher, family, reference::distance);
}

#[divan::bench(args = FAMILIES)]
fn penetration(bencher: Bencher, family: &str) {
    measure(bencher, family, query::penetration);
}
