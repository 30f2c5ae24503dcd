//! The program's `replay` command, run as users run it.
#![allow(missing_docs)]
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use impinge::broad::BroadPhaseKind;
use impinge::{Polytope, exact::hulls_intersect};
use impinge_scenes::trace::Trace;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impinge"))
        .args(arguments)
        .output()
        .unwrap()
}

/// A recording of a crowded cube.
fn record(path: &str) {
    let output = run(&[
        "simulate",
        "--bodies",
        "60",
        "--frames",
        "12",
        "--density",
        "20",
        "--record",
        path,
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

fn replay(path: &str, more: &[&str]) -> Value {
    let arguments = [&["replay", path, "--json"], more].concat();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// How many pairs intersect over all frames, every pair decided exactly.
fn count_exactly(path: &Path) -> u64 {
    let trace = Trace::read(path).unwrap();
    let hulls: Vec<Polytope> = trace
        .shapes
        .iter()
        .map(|shape| Polytope::from_points(&shape.vertices).unwrap())
        .collect();
    let mut count = 0;
    for frame in &trace.frames {
        let placed: Vec<_> = frame
            .iter()
            .zip(&trace.shape_of)
            .map(|(placement, shape)| {
                let pose = placement.pose().unwrap();
                let vertices = hulls[*shape as usize].vertices().iter();
                vertices.map(|v| pose.place(*v)).collect::<Vec<_>>()
            })
            .collect();
        for (k, a) in placed.iter().enumerate() {
            let others = placed[k + 1..].iter();
            count += others.filter(|b| hulls_intersect(a, b)).count() as u64;
        }
    }
    count
}

#[test]
fn every_method_finds_the_pairs_that_exact_comparison_finds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.ctrace");
    let file = path.to_str().unwrap();
    record(file);
    let expected = count_exactly(&path);
    assert!(expected > 100);
    let first = replay(file, &[]);
    assert_eq!(first["intersecting"], expected);
    assert_eq!(
        (&first["frames"], &first["objects"]),
        (&12.into(), &60.into())
    );
    for broad in BroadPhaseKind::ALL {
        let found = replay(file, &["--broad", broad.name(), "--threads", "2"]);
        assert_eq!(found["intersecting"], expected, "{broad}");
        assert_eq!(found["candidates"], first["candidates"], "{broad}");
    }
    for narrow in ["reference", "gjk", "lin-canny"] {
        let found = replay(file, &["--narrow", narrow]);
        assert_eq!(found["intersecting"], expected, "{narrow}");
        assert_eq!(found["candidates"], first["candidates"], "{narrow}");
    }
    let near = replay(file, &["--query", "distance"]);
    let by_gjk = replay(file, &["--query", "distance", "--narrow", "gjk"]);
    let [sum, by_gjk] = [near, by_gjk].map(|found| found["distance_sum"].as_f64().unwrap());
    assert!(sum > 0.0 && (sum - by_gjk).abs() < 1e-9 * sum);
    let deep = replay(file, &["--query", "penetration"]);
    assert_eq!(deep["intersecting"], expected);
    assert!(deep["distance_sum"].as_f64().unwrap() < sum);
}

#[test]
fn what_cannot_be_replayed_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.ctrace");
    std::fs::write(&path, b"CTRACE1\0\x05").unwrap();
    let file = path.to_str().unwrap();
    for arguments in [
        vec!["replay", "nowhere.ctrace"],
        vec!["replay", file],
        vec!["replay", file, "--narrow", "gjk", "--query", "penetration"],
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(!output.stderr.is_empty());
    }
    let output = run(&["replay", file, "--broad", "fastest"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("sweep-axis"));
}
