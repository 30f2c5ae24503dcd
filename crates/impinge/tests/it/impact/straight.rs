//! Straight motions of polytopes on a grid against exact arithmetic.
//!
//! Polytopes with whole coordinates overlap unless a face normal of one of them, or a cross product of two edges, separates
//! them. Along each such direction they are apart before or after a fraction of whole numbers, so the times of contact are an
//! interval with fractions as ends, found by looking at all directions. Nothing of the library is used for it but the
//! faces and edges of the polytopes, and the coordinates are so small that everything is exact in 128 bits.

use super::{Scene, ask, at, still, straight};
use impinge::{ImpactKind, Polytope, Pose, Shape, Vec3};
use impinge_scenes::points::on_grid;
use num_bigint::BigInt;
use num_rational::BigRational;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(super) type Int3 = [i64; 3];

/// The times of contact, as fractions with positive denominators; none when there are none.
struct Contact {
    first: (i64, i64),
    last: (i64, i64),
    /// Whether the polytopes only slide along each other, touching, and never overlap.
    is_sliding: bool,
}

fn whole(v: Vec3) -> Int3 {
    [v.x, v.y, v.z].map(|x| x as i64)
}

fn dot(a: Int3, b: Int3) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sub(a: Int3, b: Int3) -> Int3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Int3, b: Int3) -> Int3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn edges(p: &Polytope) -> Vec<Int3> {
    let v = p.vertices();
    let edge = |e: &impinge::shape::Edge| {
        sub(
            whole(v[e.vertices[1] as usize]),
            whole(v[e.vertices[0] as usize]),
        )
    };
    p.edges().iter().map(edge).collect()
}

fn normals(p: &Polytope) -> Vec<Int3> {
    let corner = |i: u32| whole(p.vertices()[i as usize]);
    let normal = |face: usize| {
        let f = p.face(face);
        cross(
            sub(corner(f[1]), corner(f[0])),
            sub(corner(f[2]), corner(f[0])),
        )
    };
    (0..p.face_count()).map(normal).collect()
}

/// When `a` at rest and `b`, moved by `offset` and then by `velocity` times the time, are in contact.
fn contact(a: &Polytope, b: &Polytope, offset: Int3, velocity: Int3) -> Option<Contact> {
    let mut directions = normals(a);
    directions.extend(normals(b));
    for e in edges(a) {
        directions.extend(edges(b).into_iter().map(|f| cross(e, f)));
    }
    let mut first = (i64::MIN / (1 << 32), 1);
    let mut last = (i64::MAX / (1 << 32), 1);
    let mut is_sliding = false;
    for n in directions.iter().flat_map(|n| [*n, n.map(|x| -x)]) {
        if n == [0; 3] {
            continue;
        }
        let top = a
            .vertices()
            .iter()
            .map(|v| dot(n, whole(*v)))
            .max()
            .unwrap();
        let bottom = b
            .vertices()
            .iter()
            .map(|v| dot(n, whole(*v)))
            .min()
            .unwrap();
        // Apart along n while gap + speed * t > 0.
        let (gap, speed) = (bottom + dot(n, offset) - top, dot(n, velocity));
        match speed.signum() {
            0 if gap > 0 => return None,
            0 => is_sliding |= gap == 0,
            -1 => first = larger(first, (gap, -speed)),
            _ => last = smaller(last, (-gap, speed)),
        }
    }
    is_at_most(first, last).then_some(Contact {
        first,
        last,
        is_sliding,
    })
}

fn is_at_most(p: (i64, i64), q: (i64, i64)) -> bool {
    i128::from(p.0) * i128::from(q.1) <= i128::from(q.0) * i128::from(p.1)
}

fn larger(p: (i64, i64), q: (i64, i64)) -> (i64, i64) {
    if is_at_most(p, q) { q } else { p }
}

fn smaller(p: (i64, i64), q: (i64, i64)) -> (i64, i64) {
    if is_at_most(p, q) { p } else { q }
}

fn fraction((p, q): (i64, i64)) -> BigRational {
    BigRational::new(BigInt::from(p), BigInt::from(q))
}

fn exactly(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

#[test]
fn agrees_with_exact_times() {
    let count = if crate::is_full() { 40_000 } else { 1_500 };
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut seen = [0; 4];
    for seed in 0..count {
        let side = rng.random_range(2..=9);
        let hulls = [2 * seed, 2 * seed + 1].map(|s| grid_polytope(&mut rng, side, s));
        let [Some(a), Some(b)] = hulls else { continue };
        let mut vector =
            |far: i64| -> Int3 { std::array::from_fn(|_| rng.random_range(-far..=far)) };
        // Mostly towards each other, over one to three times the way.
        let (offset, scatter) = (vector(14), vector(4));
        let speed = vector(3)[0].abs();
        let velocity = std::array::from_fn(|i| scatter[i] - speed * offset[i]);
        let shapes = [a.clone(), b.clone()].map(Shape::from);
        seen[compare([&a, &b], shapes, offset, velocity).0] += 1;
    }
    println!("none, start, through, grazing: {seen:?}");
    assert!(seen.iter().all(|n| *n >= count / 500), "{seen:?}");
}

/// A hull of a few points on a grid, if they span one.
pub(super) fn grid_polytope(rng: &mut ChaCha8Rng, side: u32, seed: u64) -> Option<Polytope> {
    let points = on_grid(rng.random_range(5..=9), side, seed);
    Polytope::from_points(&points).ok()
}

/// Compares one case, with shapes that have the times of contact of the polytopes; says which kind it was, and by how much
/// the answer was early.
pub(super) fn compare(
    [a, b]: [&Polytope; 2],
    [shape_a, shape_b]: [Shape; 2],
    offset: Int3,
    velocity: Int3,
) -> (usize, f64) {
    let expected = contact(a, b, offset, velocity)
        .filter(|c| is_at_most(c.first, (1, 1)) && is_at_most((0, 1), c.last));
    let [x, y, z] = offset.map(|x| x as f64);
    let moving = straight(at(x, y, z), velocity.map(|x| x as f64));
    let scene = Scene::new((shape_a, still(Pose::IDENTITY)), (shape_b, moving), 64.0);
    let is_surface = !scene.a.is_convex() || !scene.b.is_convex();
    let answer = ask(&scene, 1e-10, 3);
    let Some(contact) = expected else {
        assert_eq!(answer, None, "{scene:?}");
        return (0, 0.0);
    };
    let impact = answer.unwrap_or_else(|| panic!("missed: {scene:?}"));
    if is_at_most(contact.first, (0, 1)) {
        assert_eq!(impact.kind, ImpactKind::Start);
        return (1, 0.0);
    }
    assert_eq!(impact.kind, ImpactKind::Contact);
    let time = fraction(contact.first);
    assert!(
        exactly(impact.bounds.lower) <= time,
        "late: {impact:?}, {time}"
    );
    assert!(
        exactly(impact.bounds.lower + 1.01e-10) >= time,
        "early: {impact:?}, {time}"
    );
    let is_grazing = contact.is_sliding || is_at_most(contact.last, contact.first);
    // Triangles at the border of a surface may pass each other within rounding before the next ones meet.
    let slack = if is_grazing || is_surface { 1e-12 } else { 0.0 };
    let is_at_end = is_at_most((1, 1), contact.first);
    assert!(
        is_at_end || exactly(impact.bounds.upper + slack) >= time,
        "{impact:?}, {time}"
    );
    let early = contact.first.0 as f64 / contact.first.1 as f64 - impact.bounds.lower;
    (if is_grazing { 3 } else { 2 }, early)
}
