//! The program's `simulate` command, run as users run it.
#![allow(missing_docs)]
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use impinge_scenes::multi_body::{MultiBody, MultiBodyOptions};
use impinge_scenes::trace::Trace;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impinge"))
        .arg("simulate")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn a_recording_has_the_poses_of_the_run_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.ctrace");
    let output = run(&[
        "--bodies",
        "12",
        "--frames",
        "3",
        "--density",
        "0.001",
        "--record",
        path.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let trace = Trace::read(&path).unwrap();
    assert_eq!((trace.shapes.len(), trace.frames.len()), (12, 3));

    // At this density nothing meets, so that the scene alone gives the same motion.
    let mut scene = MultiBody::new(&MultiBodyOptions {
        bodies: 12,
        density_percent: 0.001,
        ..MultiBodyOptions::default()
    })
    .unwrap();
    for frame in &trace.frames {
        scene.step();
        for (body, placement) in frame.iter().enumerate() {
            assert_eq!(placement.pose().unwrap(), scene.pose(body));
            assert_eq!(trace.shapes[body].vertices, scene.polytope(body).vertices());
        }
    }
}

#[test]
fn a_recording_that_cannot_be_written_is_an_error() {
    let output = run(&[
        "--bodies",
        "2",
        "--frames",
        "1",
        "--record",
        "no/such/folder/x",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no/such/folder/x"), "{message}");
}

#[test]
fn the_summary_says_what_its_numbers_mean() {
    let output = run(&["--bodies", "200", "--frames", "5", "--density", "20"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("200 bodies, each a polytope of 36 faces"));
    for words in [
        "bounding boxes overlap",
        "pairs intersect",
        "ms",
        "frames a second on 1 thread",
        "exact fall-backs",
    ] {
        assert!(text.contains(words), "{words} is not in:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 120));
    // Progress is for terminals.
    assert!(output.stderr.is_empty());
}

#[test]
fn memory_is_told_along_the_way() {
    let output = run(&["--bodies", "10", "--frames", "40", "--memory"]);
    if !std::path::Path::new("/proc/self/status").exists() {
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told.lines().count(), 20);
    assert!(told.starts_with("frame 2: ") && told.contains("MB resident"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("MB after 6 frames, "), "{text}");

    let output = run(&["--bodies", "10", "--frames", "40", "--memory", "--json"]);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["memory"].as_array().unwrap().len(), 20);
    assert!(summary["memory"][19]["bytes"].as_u64() > Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn continuous_time_conserves_and_never_overlaps() {
    for kind in ["balls", "polytopes"] {
        let arguments = [
            "--continuous",
            "--kind",
            kind,
            "--bodies",
            "30",
            "--density",
            "10",
        ];
        let output = run(&[&arguments[..], &["--impacts", "300", "--check", "--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["overlaps"], 0);
        assert_eq!(report["checked"], 300);
        assert!(report["energy_drift"].as_f64().unwrap() < 1e-11);
        assert!(report["momentum_drift"].as_f64().unwrap() < 1e-9);
    }
    let output = run(&["--continuous", "--density", "0"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
