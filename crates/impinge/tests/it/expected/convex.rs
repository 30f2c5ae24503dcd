//! Hulls of published point clouds: signed distances.

use super::{answers, data, list, number, pose, text};
use crate::oracle::{hull_distance, hulls_meet};
use impinge::{Polytope, Pose, Shape, Vec3, query};
use std::cmp::Ordering;

#[test]
fn expected_convex_pairs() {
    let Some(file) = answers("expected/convex.json") else {
        return;
    };
    let clouds = point_clouds();
    let cases = list(&file["signed_distance"]);
    for (i, case) in cases.iter().enumerate() {
        let [a, b] =
            ["a", "b"].map(|side| &clouds[case[side].as_u64().expect("an index") as usize]);
        let scale = number(&case["scale_b"]);
        let b: Vec<Vec3> = b.iter().map(|p| *p * scale).collect();
        let a = Body::new(a, pose(&case["Ra"], &case["ta"]));
        let b = Body::new(&b, pose(&case["Rb"], &case["tb"]));
        let what = format!("case {i}, {}", text(&case["kind"]));
        check(&a, &b, number(&case["signed_distance"]), &what);
    }
    println!("convex pairs: {} cases", cases.len());
}

struct Body {
    shape: Shape,
    pose: Pose,
    placed: Vec<Vec3>,
}

impl Body {
    fn new(points: &[Vec3], pose: Pose) -> Body {
        let polytope = Polytope::from_points(points).expect("a solid");
        let placed = polytope.vertices().iter().map(|v| pose.place(*v)).collect();
        Body {
            shape: polytope.into(),
            pose,
            placed,
        }
    }
}

/// The engines agreed to 1e-6 of the size; the oracle is exact.
fn check(a: &Body, b: &Body, signed: f64, what: &str) {
    let size = a
        .placed
        .iter()
        .chain(&b.placed)
        .map(|p| p.length())
        .fold(0.0, f64::max);
    let meets = hulls_meet(&a.placed, &b.placed);
    if signed.abs() > 1e-6 * size {
        assert_eq!(meets, signed < 0.0, "the oracle on {what}");
    }
    let answer = query::distance(a.shape.at(a.pose), b.shape.at(b.pose));
    assert_eq!(
        query::intersects(a.shape.at(a.pose), b.shape.at(b.pose)),
        meets,
        "{what}"
    );
    assert_eq!(answer.distance == 0.0, meets, "{what}: {answer:?}");
    let close = (answer.distance - signed.max(0.0)).abs() <= 1e-6 * size;
    assert!(close, "{what}: {answer:?}, not {signed}");
    let truth = hull_distance(&a.placed, &b.placed);
    assert_ne!(
        truth.cmp_to(answer.bounds.lower),
        Ordering::Less,
        "{what}: {answer:?}"
    );
    assert_ne!(
        truth.cmp_to(answer.bounds.upper),
        Ordering::Greater,
        "{what}: {answer:?}"
    );
}

/// The file holds clouds one after the other: a count, then three `f32` a point.
fn point_clouds() -> Vec<Vec<Vec3>> {
    let path = data("peers/jolt/convex_hulls.bin").expect("the folder is there");
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut words = bytes
        .chunks_exact(4)
        .map(|w| <[u8; 4]>::try_from(w).expect("four bytes"));
    let mut clouds = Vec::new();
    while let Some(count) = words.next() {
        let mut coordinate = || f64::from(f32::from_le_bytes(words.next().expect("a coordinate")));
        let points = (0..u32::from_le_bytes(count))
            .map(|_| Vec3::new(coordinate(), coordinate(), coordinate()))
            .collect();
        clouds.push(points);
    }
    clouds
}
