//! Distances to a tolerance: within it, and for less work.

use super::{on_path, ring, scale, soup};
use crate::cases::rng;
use crate::shapes::kinds::{FAMILIES, KINDS, poses, shape};
use impinge::contact::Tolerance;
use impinge::narrow::{MeshWork, PairCache, mesh_work};
use impinge::{Placed, Pose, Separation, Shape, Solid, query};

fn approximate(a: Placed<'_>, b: Placed<'_>, absolute: f64, relative: f64) -> Separation {
    let tolerance = Tolerance { absolute, relative };
    query::distance_to_tolerance(a, b, tolerance, &mut PairCache::default()).unwrap()
}

/// The interval holds the distance and is as narrow as asked for.
fn check(a: Placed<'_>, b: Placed<'_>, what: &str) {
    let exact = query::distance(a, b);
    let size = scale(&a) + scale(&b) + exact.distance;
    for (absolute, relative) in [
        (0.0, 0.0),
        (0.0, 0.01),
        (0.0, 0.5),
        (0.01 * size, 0.0),
        (size, 2.0),
    ] {
        let found = approximate(a, b, absolute, relative);
        assert_eq!(
            found.distance == 0.0,
            exact.distance == 0.0,
            "{what}: {found:?}"
        );
        let (own, other) = (found.bounds, exact.bounds);
        assert!(
            own.lower <= other.upper && other.lower <= own.upper,
            "{what}: {found:?}, {exact:?}"
        );
        assert!(own.contains(found.distance), "{what}: {found:?}");
        let allowed = absolute.max(relative * own.upper) + 4.0 * other.width() + 2e-12 * size;
        assert!(
            own.width() <= allowed,
            "{what}: {found:?}, {absolute}, {relative}"
        );
    }
}

#[test]
fn tolerances_are_kept() {
    let mut rng = rng(111);
    for family in FAMILIES {
        for round in 0..6 {
            let [a, b] = [7, 30].map(|count| Shape::from(soup(&mut rng, count, family)));
            let [p, q] = poses(&mut rng, family);
            check(a.at(p), b.at(q), &format!("{family:?} {round}"));
            let convex = shape(&mut rng, round % KINDS, family);
            check(
                b.at(p),
                convex.at(q),
                &format!("{family:?} {round}, convex"),
            );
            check(
                convex.at(q),
                a.at(p),
                &format!("{family:?} {round}, convex first"),
            );
        }
    }
    let solid = Shape::from(Solid::new(ring(40, 10, 0.3)).unwrap());
    let surface = Shape::from(ring(30, 8, 0.2));
    for step in 0..20 {
        let pose = on_path(f64::from(step) / 20.0);
        check(
            solid.at(Pose::IDENTITY),
            surface.at(pose),
            &format!("step {step}"),
        );
    }
}

#[test]
fn a_tolerance_saves_work() {
    let (a, b) = (
        Shape::from(ring(160, 40, 0.3)),
        Shape::from(ring(120, 30, 0.2)),
    );
    let work_of = |relative: f64| {
        let before = mesh_work();
        for step in 0..30 {
            let pose = on_path(f64::from(step) / 100.0);
            approximate(a.at(Pose::IDENTITY), b.at(pose), 0.0, relative);
        }
        mesh_work() - before
    };
    let works: Vec<MeshWork> = [0.0, 0.01, 0.1].map(work_of).to_vec();
    println!("exact, one in a hundred, one in ten: {works:?}");
    assert!(works[1].nodes < works[0].nodes && works[1].triangle_pairs <= works[0].triangle_pairs);
    assert!(works[2].nodes * 4 < works[0].nodes * 3, "{works:?}");
    assert!(
        works[2].triangle_pairs < works[1].triangle_pairs,
        "{works:?}"
    );
}

#[test]
fn bad_tolerances_are_refused() {
    let shape = Shape::from(ring(8, 4, 0.3));
    let placed = shape.at(Pose::IDENTITY);
    for (absolute, relative) in [
        (-1.0, 0.0),
        (0.0, -1e-300),
        (f64::NAN, 0.0),
        (0.0, f64::INFINITY),
    ] {
        let tolerance = Tolerance { absolute, relative };
        let answer =
            query::distance_to_tolerance(placed, placed, tolerance, &mut PairCache::default());
        assert!(answer.is_err(), "{tolerance:?}");
    }
}
