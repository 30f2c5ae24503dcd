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
