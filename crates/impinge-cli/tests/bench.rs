//! The program's `bench` command, run as users run it, on sizes that take no time.
#![allow(missing_docs)]
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impinge"))
        .arg("bench")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn an_experiment_leaves_a_table_and_plots() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let output = run(&[
        "vertices",
        "--vertices",
        "20,50",
        "--frames",
        "10",
        "--repeat",
        "1",
        "--json",
        "--out",
        out,
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1]["vertices"], 50.0);
    assert!(rows[1]["distance, cold"].as_f64().unwrap() > 0.0);
    let csv = fs::read_to_string(folder.path().join("vertices.csv")).unwrap();
    assert_eq!(csv.lines().count(), 3);
    for plot in ["below-features", "one-degree", "cold"] {
        let svg = fs::read_to_string(folder.path().join(format!("vertices-{plot}.svg"))).unwrap();
        assert!(svg.contains("<polyline"));
    }
}

#[test]
fn growth_stands_beside_what_it_may_be() {
    let output = run(&["vertices", "--vertices", "20,80", "--frames", "5"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let bars = |motion: &str, bar: &str| {
        let lines = text.lines();
        let named = lines.filter(|line| line.contains(&format!("{motion}: ")));
        named.filter(|line| line.ends_with(bar)).count()
    };
    assert_eq!(bars("below features", "the bar of 3.0"), 4);
    assert_eq!(bars("1 degree", "the bar of 2.0"), 4);
    assert_eq!(bars("cold", "the bar of 2.0"), 4);
}

#[test]
fn nothing_to_measure_is_an_error() {
    let output = run(&["vertices", "--frames", "0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("frames"));
}

#[test]
fn the_graphs_of_icollide_come_with_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let few = [
        "--points", "2", "--frames", "3", "--rounds", "1", "--bodies", "50",
    ];
    let output = run(&[&["icollide", "--json", "--out", out][..], &few].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 4 * 2);
    assert_eq!(
        (&rows[1]["parameter"], &rows[1]["value"]),
        (&"bodies".into(), &2000.0.into())
    );
    assert!(rows[1]["fixed pairs"].as_f64() > rows[1]["dynamic pairs"].as_f64());
    assert!(rows[7]["dynamic swaps"].as_f64() > rows[6]["dynamic swaps"].as_f64());
    let page = fs::read_to_string(folder.path().join("icollide.md")).unwrap();
    for number in 1..=6 {
        let name = format!("icollide-graph-{number}.svg");
        assert!(page.contains(&name));
        let svg = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(svg.contains("<polyline"));
    }
    assert!(folder.path().join("icollide.csv").exists());
}

#[test]
fn a_graph_needs_two_points() {
    let output = run(&["icollide", "--points", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("two points"));
}

#[test]
fn the_figures_of_kinetic_sweep_and_prune() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let sizes = [
        "--most",
        "200",
        "--bodies",
        "8",
        "--rounds",
        "1",
        "--seconds",
        "0.02",
    ];
    let output = run(&[&["kinetic", "--json", "--out", out], &sizes[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    // Two numbers of bodies, nine rates, two for the models; four methods each.
    assert_eq!(rows.len(), 4 * (2 + 9 + 2));
    let page = fs::read_to_string(folder.path().join("kinetic.md")).unwrap();
    for figure in ["Figure 6", "Figure 7", "Figure 8", "hybrid, the default"] {
        assert!(page.contains(figure), "{figure}");
    }
    for plot in ["figure-7", "figure-8", "rates"] {
        let svg = fs::read_to_string(folder.path().join(format!("kinetic-{plot}.svg"))).unwrap();
        assert!(svg.contains("<polyline"));
    }
}

#[test]
fn trees_of_all_kinds_stand_beside_what_is_claimed_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
    let pair = format!("{models}cube.obj,{models}bracket.obj");
    let few = [
        "--triangles",
        "150",
        "--poses",
        "2",
        "--rounds",
        "1",
        "--models",
        &pair,
    ];
    let output = run(&[&["trees", "--json", "--out", out][..], &few].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    let named = |name: &str| {
        let row = rows.iter().find(|row| row["scene: tree"] == name);
        row.unwrap_or_else(|| panic!("{name}"))
    };
    let nodes = |name: &str| named(name)["overlap node pairs"].as_f64().unwrap();
    assert!(nodes("spheres 0.01: obb") < nodes("spheres 0.01: sphere"));
    assert!(nodes("cube and bracket apart: hull") >= 1.0);
    assert!(named("knots far: default")["distance us"].as_f64().unwrap() > 0.0);
    let page = fs::read_to_string(folder.path().join("trees.md")).unwrap();
    assert!(page.contains("| rss |") && page.contains("OBBs can be a big win"));
    for plot in [
        "spheres-nodes",
        "spheres-overlap",
        "sheets-overlap",
        "sheets-distance",
    ] {
        let name = format!("trees-{plot}.svg");
        assert!(page.contains(&name));
        let svg = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(svg.contains("<polyline"));
    }
}

#[test]
fn models_for_trees_come_in_pairs() {
    let output = run(&["trees", "--models", "a.obj"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("pairs"));
}
