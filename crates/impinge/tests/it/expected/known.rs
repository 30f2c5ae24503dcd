//! Known failures of other engines, as far as they are about overlap and distance.

use super::{answers, list, number, point, pose, text};
use crate::oracle::{hulls_meet, triangles_meet};
use impinge::exact::triangles_intersect;
use impinge::{Pose, Shape, Vec3, query};
use serde_json::Value;

#[test]
fn expected_known_failures() {
    let Some(file) = answers("expected/known-failures.json") else {
        return;
    };
    for case in list(&file) {
        match text(&case["kind"]) {
            "box-box signed distance" => check_boxes(case),
            "self-intersection" => check_self_intersection(case),
            "box cast" => check_boxes_before_cast(case),
            other => panic!("{other} is new: say what it waits for, or test it"),
        }
    }
}

/// The box, at its pose, and its placed corners.
fn cuboid(case: &Value, side: &str) -> (Shape, Pose, Vec<Vec3>) {
    let half = point(&case[format!("size_{side}")]) / 2.0;
    let pose = pose(&case[format!("R{side}")], &case[format!("t{side}")]);
    let corners = impinge::shape::Cuboid::new(half).expect("a box").corners();
    let placed = corners.iter().map(|v| pose.place(*v)).collect();
    (Shape::cuboid(half).expect("a box"), pose, placed)
}

fn check_boxes(case: &Value) {
    let ((a, pose_a, corners_a), (b, pose_b, corners_b)) = (cuboid(case, "a"), cuboid(case, "b"));
    let (a, b) = (a.at(pose_a), b.at(pose_b));
    let distance = query::distance(a, b).distance;
    let expected = number(&case["signed_distance"]).max(0.0);
    assert!((distance - expected).abs() <= number(&case["tolerance"]));
    assert_eq!(query::intersects(a, b), hulls_meet(&corners_a, &corners_b));
}

/// The time waits for `time_of_impact`; along the motion, the gap at the start is the time times the length.
fn check_boxes_before_cast(case: &Value) {
    let ((a, pose_a, _), (b, pose_b, _)) = (cuboid(case, "a"), cuboid(case, "b"));
    let gap = number(&case["toi"]) * point(&case["move_b"]).length();
    let near = query::distance(a.at(pose_a), b.at(pose_b));
    assert!((near.distance - gap).abs() <= near.bounds.width() + f64::EPSILON * gap);
}

fn check_self_intersection(case: &Value) {
    let vertices: Vec<Vec3> = list(&case["vertices"]).iter().map(point).collect();
    let triangles: Vec<[usize; 3]> = list(&case["triangles"])
        .iter()
        .map(|t| super::numbers::<3>(t).map(|i| i as usize))
        .collect();
    let mut found = Vec::new();
    for (i, s) in triangles.iter().enumerate() {
        for (j, t) in triangles.iter().enumerate().skip(i + 1) {
            let [a, b] = [s, t].map(|t| t.map(|v| vertices[v]));
            let meets = triangles_intersect(&a, &b);
            assert_eq!(meets, triangles_meet(&a, &b), "triangles {i} and {j}");
            if meets && !s.iter().any(|v| t.contains(v)) {
                found.push([i, j]);
            }
        }
    }
    let expected = list(&case["intersecting_pairs_without_shared_vertex"]);
    assert_eq!(found.len(), expected.len(), "{found:?}");
}
