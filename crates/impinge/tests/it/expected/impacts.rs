//! Times of impact between models, straight and turning, against two engines that advanced from distance to distance.

use super::meshes::Models;
use super::{answers, list, number, point, pose, text};
use impinge::{Motion, Pose, Shape, Vec3, query};
use serde_json::Value;

/// How far the engines were certain of their times.
const PRECISION: f64 = 1e-6;

#[test]
fn expected_times_of_impact() {
    let Some(file) = answers("expected/toi.json") else {
        return;
    };
    let mut models = Models::default();
    let mut hits = 0;
    for (kind, time) in [("translation", "toi"), ("rigid", "toi_lo")] {
        for (i, query) in list(&file[kind]).iter().enumerate() {
            let what = format!("{kind} {i}");
            let a = Shape::from(models.get(text(&query["a"]), 1.0));
            let b = Shape::from(models.get(text(&query["b"]), number(&query["scale_b"])));
            hits += usize::from(check(&a, &b, query, &query[time], &what));
        }
    }
    println!("times of impact: {hits} contacts");
    assert!(hits > 0);
}

/// The contact is where the engines have it: not after the time at which they found an overlap, not before the time up to
/// which they found none. Whether there is one.
fn check(a: &Shape, b: &Shape, query: &Value, expected: &Value, what: &str) -> bool {
    let start = pose(&query["Rb"], &query["tb"]);
    let optional = |value: &Value| {
        if value.is_null() {
            Vec3::ZERO
        } else {
            point(value)
        }
    };
    let [turn, pivot] = [&query["omega_b"], &query["pivot_body"]].map(optional);
    let moving = Motion::new(start, point(&query["move_b"]), turn, pivot).unwrap();
    let still = Motion::still(Pose::IDENTITY);
    let found = query::time_of_impact(a, &still, b, &moving, 1e-9).unwrap();
    let Some(expected) = expected.as_f64() else {
        assert!(found.is_none(), "{what}: {found:?}");
        return false;
    };
    let impact = found.unwrap_or_else(|| panic!("{what}: missed, expected at {expected}"));
    assert!(impact.time >= expected - PRECISION, "{what}: {impact:?}");
    let late = query["toi_hi"].as_f64().unwrap_or(expected + PRECISION);
    assert!(impact.time <= late, "{what}: {impact:?}, not {late}");
    // The exact test has the last word: apart until then.
    let meet =
        |time: f64| query::intersects(a.at(Pose::IDENTITY), b.at(moving.pose_at(time).unwrap()));
    for k in 0..20 {
        let time = impact.time * f64::from(k) / 20.0;
        assert!(!meet(time), "{what}: they meet at {time}, {impact:?}");
    }
    assert!(!meet(impact.time), "{what}: {impact:?}");
    true
}
