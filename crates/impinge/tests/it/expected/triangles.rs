//! Triangle pairs with exact answers, in all orders of their corners.

use super::{answers, list, number, point, text};
use crate::oracle::{hull_distance, triangles_meet};
use impinge::exact::triangles_intersect;
use impinge::{Pose, Shape, TriMesh, Vec3, query};
use serde_json::Value;
use std::cmp::Ordering;

const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

#[test]
fn expected_triangle_pairs() {
    let Some(file) = answers("tri-tri/tri-tri.json") else {
        return;
    };
    let cases = list(&file["cases"]);
    for case in cases {
        let [a, b] = ["a", "b"].map(|side| corners(&case[side]));
        let overlap = case["overlap"].as_bool().expect("a truth value");
        let id = text(&case["id"]);
        assert_eq!(triangles_meet(&a, &b), overlap, "the oracle on {id}");
        check_orders(&a, &b, overlap, id);
        check_distance(&a, &b, number(&case["distance"]), id);
    }
    println!("triangle pairs: {} in 72 orders each", cases.len());
}

fn corners(value: &Value) -> [Vec3; 3] {
    let all: Vec<Vec3> = list(value).iter().map(point).collect();
    all.try_into().expect("three corners")
}

fn check_orders(a: &[Vec3; 3], b: &[Vec3; 3], overlap: bool, id: &str) {
    for first in ORDERS {
        for second in ORDERS {
            let (a, b) = (first.map(|i| a[i]), second.map(|i| b[i]));
            assert_eq!(
                triangles_intersect(&a, &b),
                overlap,
                "{id}: {first:?} {second:?}"
            );
            assert_eq!(
                triangles_intersect(&b, &a),
                overlap,
                "{id}: {second:?} {first:?}"
            );
        }
    }
}

fn check_distance(a: &[Vec3; 3], b: &[Vec3; 3], expected: f64, id: &str) {
    let [left, right] = [a, b].map(|corners| {
        let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a triangle");
        Shape::from(mesh)
    });
    let answer = query::distance(left.at(Pose::IDENTITY), right.at(Pose::IDENTITY));
    let truth = hull_distance(a, b);
    let close = (truth.approximate() - expected).abs() <= 1e-14 * expected;
    assert!(close, "the oracle on {id}: {}", truth.approximate());
    assert_ne!(
        truth.cmp_to(answer.bounds.lower),
        Ordering::Less,
        "{id}: {answer:?}"
    );
    assert_ne!(
        truth.cmp_to(answer.bounds.upper),
        Ordering::Greater,
        "{id}: {answer:?}"
    );
    assert_eq!(answer.distance == 0.0, truth.is_zero(), "{id}: {answer:?}");
}
