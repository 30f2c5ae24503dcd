//! The program's `check` command, run as users run it.
#![allow(missing_docs)]
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Output};
use tempfile::TempDir;

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.obj"), TETRAHEDRON).unwrap();
    fs::write(folder.path().join("b.obj"), TETRAHEDRON).unwrap();
    let open = TETRAHEDRON.replace("f 2 3 4\n", "");
    fs::write(folder.path().join("open.obj"), open).unwrap();
    fs::write(folder.path().join("broken.obj"), "v 0 0\n").unwrap();
    folder
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impinge"))
        .arg("check")
        .args(arguments)
        .current_dir(folder().path())
        .output()
        .unwrap()
}

fn words(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn answer(arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.push("--json");
    serde_json::from_str(&words(&all)).unwrap()
}

#[test]
fn answers_in_words() {
    let text = words(&["a.obj", "b.obj", "--move-b", "0,0,1.25"]);
    assert!(
        text.starts_with("a.obj (as a solid) and b.obj (as a solid) are apart by 0.25\n"),
        "{text}"
    );
    assert!(text.contains("certified: between 0.2"), "{text}");
    assert!(
        text.contains("(0, 0, 1) on vertex 3 of the first"),
        "{text}"
    );
    let text = words(&["a.obj", "b.obj", "--move-b", "-1,0,0"]);
    assert!(text.contains("intersect"), "{text}");
    assert!(text.contains("a common point: (0, 0, 0)"), "{text}");
    let text = words(&["open.obj", "b.obj", "--move-a", "5,0,0"]);
    assert!(
        text.starts_with("open.obj (as a mesh) and b.obj (as a solid)"),
        "{text}"
    );
}

#[test]
fn answers_in_json() {
    let apart = answer(&["a.obj", "b.obj", "--move-b", "0,0,1.25"]);
    assert_eq!(apart["intersects"], json!(false));
    assert_eq!(apart["distance"].as_f64(), Some(0.25));
    assert_eq!(apart["b"], json!({"file": "b.obj", "as": "solid"}));
    let small = ["--pose-b", r#"{"t": [0.1, 0.1, 0.1]}"#];
    let hull = answer(&["open.obj", "b.obj", "--as", "hull", small[0], small[1]]);
    assert_eq!(hull["intersects"], json!(true));
    assert_eq!(hull["a"]["as"], json!("hull"));
}

#[test]
fn quarter_turns_are_exact() {
    // Turned about z by 90 degrees, x becomes y and y becomes -x; the edge on the z axis stays.
    let turned = [
        "a.obj", "b.obj", "--turn-b", "0,0,2,90", "--move-b", "0,0,0",
    ];
    assert_eq!(answer(&turned)["intersects"], json!(true));
    for (axis, degrees) in [("1,0,0", 180), ("0,-1,0", -270), ("0,0,1", 450)] {
        let turn = format!("{axis},{degrees}");
        let far = answer(&["a.obj", "b.obj", "--turn-b", &turn, "--move-b", "0,0,4"]);
        let points = &far["points"][1];
        let whole = |i: usize| points[i].as_f64().unwrap().fract() == 0.0;
        assert!((0..3).all(whole), "{turn}: {points}");
    }
    let third = answer(&[
        "a.obj",
        "b.obj",
        "--turn-b",
        "1,1,1,120",
        "--move-b",
        "3,0,0",
    ]);
    assert!((third["distance"].as_f64().unwrap() - 2.0).abs() < 1e-14);
}

#[test]
fn failures_and_exit_codes() {
    let missing = run(&["a.obj", "missing.obj"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        String::from_utf8(missing.stderr)
            .unwrap()
            .contains("missing.obj")
    );
    let broken = run(&["broken.obj", "a.obj", "--json"]);
    assert_eq!(broken.status.code(), Some(1));
    let printed: Value = serde_json::from_slice(&broken.stdout).unwrap();
    assert!(
        printed["error"].as_str().unwrap().contains("broken.obj:1"),
        "{printed}"
    );
    let open = run(&["open.obj", "a.obj", "--as", "solid"]);
    assert_eq!(open.status.code(), Some(1));
    for wrong in [
        &["a.obj"][..],
        &["a.obj", "b.obj", "--move-b", "1,2"],
        &["a.obj", "b.obj", "--as", "ball"],
        &["a.obj", "b.obj", "--pose-b", "{}", "--move-b", "1,2,3"],
        &["a.obj", "b.obj", "--pose-b", "[1]"],
    ] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
