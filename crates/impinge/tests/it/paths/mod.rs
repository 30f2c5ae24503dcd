//! Vertices, faces and edges on straight paths, against published exact answers and an independent oracle.

mod data;
pub(crate) mod oracle;

use impinge::query::{PathImpact, edge_edge_impact, vertex_face_impact};
use impinge::{Error, Vec3, exact};
use oracle::{Kind, first_contact, rational};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Points = [Vec3; 4];

const TOLERANCE: f64 = 1e-9;

fn ask(kind: Kind, start: &Points, end: &Points) -> Result<Option<PathImpact>, Error> {
    match kind {
        Kind::VertexFace => vertex_face_impact(start, end, TOLERANCE),
        Kind::EdgeEdge => edge_edge_impact(start, end, TOLERANCE),
    }
}

/// Compares with the oracle; whether there is a contact.
fn check(kind: Kind, start: &Points, end: &Points) -> bool {
    let answer = ask(kind, start, end).unwrap();
    let truth = first_contact(kind, start, end, &rational(2f64.powi(-70)));
    let context = || format!("{kind:?} {start:?} {end:?}: {answer:?} {truth:?}");
    assert_eq!(answer.is_some(), truth.is_some(), "{}", context());
    if let (Some(impact), Some(time)) = (answer, &truth) {
        assert_eq!(impact.time, impact.bounds.lower);
        assert!(
            time.is_within(impact.bounds.lower, impact.bounds.upper),
            "{}",
            context()
        );
        assert!(impact.bounds.width() <= TOLERANCE, "{}", context());
        assert!((0.0..=1.0).contains(&impact.time));
    }
    truth.is_some()
}

/// Checks many queries of both kinds, among which there must be contacts and misses.
fn check_many(seed: u64, count: usize, mut points: impl FnMut(&mut ChaCha8Rng) -> [Points; 2]) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let count = if crate::is_full() { 100 * count } else { count };
    let before = exact::counts();
    let mut hits = [0; 2];
    for _ in 0..count {
        let [start, end] = points(&mut rng);
        for (i, kind) in [Kind::VertexFace, Kind::EdgeEdge].into_iter().enumerate() {
            hits[i] += usize::from(check(kind, &start, &end));
        }
    }
    let work = exact::counts() - before;
    eprintln!("{count} of each kind, {hits:?} contacts, {work:?}");
    assert!(hits.iter().all(|h| *h > 0 && *h < count), "{hits:?}");
}

fn four(mut point: impl FnMut() -> Vec3) -> Points {
    std::array::from_fn(|_| point())
}

fn grid(rng: &mut ChaCha8Rng, reach: i32) -> f64 {
    f64::from(rng.random_range(-reach..=reach))
}

fn in_cube(rng: &mut ChaCha8Rng) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)))
}

fn on_grid(rng: &mut ChaCha8Rng, reach: i32) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| grid(rng, reach)))
}

#[test]
fn random_paths() {
    check_many(1, 300, |rng| [0; 2].map(|_| four(|| in_cube(rng))));
}

/// Coordinates from very few numbers: coplanar, collinear and equal points, double and common roots.
#[test]
fn paths_on_a_grid() {
    check_many(2, 400, |rng| [0; 2].map(|_| four(|| on_grid(rng, 1))));
    check_many(3, 200, |rng| [0; 2].map(|_| four(|| on_grid(rng, 2))));
}

/// All in a plane, that of two coordinates or a slanted one, at all times.
#[test]
fn paths_in_a_plane() {
    check_many(4, 80, |rng| {
        [0; 2].map(|_| four(|| on_grid(rng, 3) * Vec3::new(1.0, 1.0, 0.0)))
    });
    check_many(5, 80, |rng| {
        let (u, v) = (on_grid(rng, 2), on_grid(rng, 2));
        [0; 2].map(|_| four(|| u * grid(rng, 3) + v * grid(rng, 3)))
    });
}

/// All on a line at all times.
#[test]
fn paths_on_a_line() {
    check_many(6, 60, |rng| {
        let (from, along) = (on_grid(rng, 2), on_grid(rng, 2));
        [0; 2].map(|_| four(|| from + along * grid(rng, 4)))
    });
}

/// Features that move as they are, some of them standing still.
#[test]
fn rigid_translations() {
    check_many(7, 200, |rng| {
        let start = four(|| on_grid(rng, 2));
        let ways = [on_grid(rng, 2), on_grid(rng, 2)];
        let split = rng.random_range(1..3);
        [
            start,
            std::array::from_fn(|i| start[i] + ways[usize::from(i >= split)]),
        ]
    });
}

/// Grid points far from the origin, of odd sizes, with some coordinates one float off.
#[test]
fn disturbed_paths() {
    check_many(8, 200, |rng| {
        let scale = [1.0, 0.1, 1e-9, 1e9][rng.random_range(0..4)];
        let shift = [0.0, 0.1, 1e3][rng.random_range(0..3)];
        [0; 2].map(|_| {
            four(|| {
                let p = (on_grid(rng, 1) + Vec3::splat(shift)) * scale;
                Vec3::from_array(p.to_array().map(|x| disturbed(rng, x)))
            })
        })
    });
}

/// Two sides of a face reach the vertex at times that differ by 1.7e-31: the first of them counts.
#[test]
fn sides_that_reach_a_vertex_at_nearly_the_same_time() {
    let flat = |points: [[f64; 2]; 4]| points.map(|[x, z]| Vec3::new(x, 1e8, z));
    let start = flat([
        [1e8, 1.1e9_f64.next_down()],
        [1.1e9, 1.1e9],
        [1.1e9, 1.1e9],
        [-9e8, 1.1e9],
    ]);
    let end = flat([
        [-9e8_f64.next_down(), 1e8],
        [-9e8, -9e8],
        [1.1e9, -9e8_f64.next_up()],
        [1.1e9, 1e8],
    ]);
    assert!(check(Kind::VertexFace, &start, &end));
}

/// The number, or now and then a neighbour of it.
fn disturbed(rng: &mut ChaCha8Rng, x: f64) -> f64 {
    match rng.random_range(0..12) {
        0 => x.next_up(),
        1 => x.next_down(),
        _ => x,
    }
}

/// A vertex that just reaches a face or an edge, or just misses it, by one float.
#[test]
fn contacts_by_one_float() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut hits, mut count) = (0, 0);
    for _ in 0..60 {
        let face = four(|| in_cube(&mut rng));
        let height = rng.random_range(0.1..1.0);
        let target = face[1];
        for reach in [target.z.next_down(), target.z, target.z.next_up()] {
            let from = Vec3::new(target.x, target.y, target.z + height);
            let to = Vec3::new(target.x, target.y, reach);
            let mut start = face;
            let mut end = face;
            start[0] = from;
            end[0] = to;
            hits += usize::from(check(Kind::VertexFace, &start, &end));
            count += 1;
        }
    }
    // It falls onto the corner: two of three reach it.
    assert_eq!(3 * hits, 2 * count);
}

/// Numbers whose products are beyond all floats, or vanish.
#[test]
fn paths_of_extreme_size() {
    for (seed, scale) in [(10, 1e-300), (11, 1e300), (12, 1e-160), (13, 1e120)] {
        check_many(seed, 40, |rng| {
            let center = in_cube(rng) * scale;
            [0; 2].map(|_| four(|| center + on_grid(rng, 2) * scale))
        });
    }
    // Sizes that have nothing to do with each other.
    check_many(14, 30, |rng| {
        let sizes = Vec3::from_array(std::array::from_fn(|_| {
            [1e-250, 1.0, 1e250][rng.random_range(0..3)]
        }));
        [0; 2].map(|_| four(|| on_grid(rng, 2) * sizes))
    });
}

#[test]
fn contact_at_the_start_is_at_time_zero() {
    let v = Vec3::new;
    let start = [v(0.25, 0.25, 0.0), Vec3::ZERO, Vec3::X, Vec3::Y];
    let end = [v(0.25, 0.25, 1.0), Vec3::ZERO, Vec3::X, Vec3::Y];
    let impact = ask(Kind::VertexFace, &start, &end).unwrap().unwrap();
    assert_eq!((impact.time, impact.bounds.upper), (0.0, 0.0));
    // And at the end alone.
    let impact = ask(Kind::VertexFace, &end, &start).unwrap().unwrap();
    assert_eq!((impact.time, impact.bounds.upper), (1.0, 1.0));
}

#[test]
fn any_positive_tolerance_is_met() {
    // The vertex reaches the plane at 1/3, which no float is.
    let v = Vec3::new;
    let face = [v(-1.0, -1.0, 0.0), v(2.0, -1.0, 0.0), v(-1.0, 2.0, 0.0)];
    let with = |z: f64| [v(0.0, 0.0, z), face[0], face[1], face[2]];
    for tolerance in [1.0, 1e-3, 1e-12, 1e-16, 1e-300, f64::from_bits(1)] {
        let impact = vertex_face_impact(&with(1.0), &with(-2.0), tolerance)
            .unwrap()
            .unwrap();
        let third = 1.0 / 3.0;
        assert!(impact.time <= third && impact.time >= third - tolerance.max(2e-16));
        assert!(impact.bounds.width() <= tolerance.max(2e-16));
    }
}

#[test]
fn bad_numbers_are_refused() {
    let good = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let mut bad = good;
    bad[2].y = f64::NAN;
    let message = |result: Result<Option<PathImpact>, Error>| result.unwrap_err().to_string();
    let said = message(vertex_face_impact(&good, &bad, 1e-9));
    assert!(said.contains("point 2 at the end"), "{said}");
    bad[2].y = f64::INFINITY;
    let said = message(edge_edge_impact(&bad, &good, 1e-9));
    assert!(said.contains("point 2 at the start"), "{said}");
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let said = message(edge_edge_impact(&good, &good, tolerance));
        assert!(said.contains("tolerance"), "{said}");
    }
}
