//! The commands about models, `inspect` and `repair`, run as users run them.
#![allow(missing_docs)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A tetrahedron with one face turned the wrong way, and a vertex that is there twice.
const MIXED: &str = "\
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 5
f 1 3 4
";

const CLEAN: &str = "\
OFF
4 4 0
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 1 2 3
3 0 3 2
";

/// A folder that goes when the test ends.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("there is room for a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("the folder can be written to");
        path
    }
}

fn impinge(arguments: &[&str], files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_impinge"))
        .args(arguments)
        .args(files)
        .output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program speaks UTF-8")
}

fn json(output: &Output) -> Vec<Value> {
    text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

/// The finding of a kind in the first object of a file.
fn finding<'a>(file: &'a Value, kind: &str) -> &'a Value {
    let findings = file["objects"][0]["findings"]
        .as_array()
        .expect("findings are a list");
    let found = findings.iter().find(|f| f["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {findings:?}"))
}

#[test]
fn inspect_says_what_is_wrong_and_that_is_no_error() {
    let folder = Folder::new();
    let mixed = folder.file("mixed.obj", MIXED);
    let clean = folder.file("clean.off", CLEAN);
    let output = impinge(&["inspect"], &[&mixed, &clean]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    let said = text(&output.stdout);
    for words in [
        "mixed.obj: closed; 3 kinds of defects",
        "1 vertex repeats an earlier one: vertex 4 as 3",
        "1 face is turned the wrong way: face 3",
        "clean.off: closed, convex; clean",
        "volume 0.166667",
    ] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
}

#[test]
fn inspect_names_what_it_cannot_read_and_goes_on() {
    let folder = Folder::new();
    let broken = folder.file("broken.obj", "v 0 0 0\nv 1 0 zero\n");
    let clean = folder.file("clean.off", CLEAN);
    let data = folder.file("table.csv", "1,2,3\n");
    let missing = folder.path("missing.stl");
    let output = impinge(&["inspect"], &[&broken, &missing, &data, &clean]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("clean.off: closed, convex; clean"));
    let errors: Vec<&str> = text(&output.stderr).lines().collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors[0].contains("broken.obj:2: "), "{}", errors[0]);
    assert!(errors[1].contains("missing.stl: "), "{}", errors[1]);
    assert!(errors[2].contains("table.csv: "), "{}", errors[2]);
}

#[test]
fn inspect_speaks_json() {
    let folder = Folder::new();
    let mixed = folder.file("mixed.obj", MIXED);
    let missing = folder.path("missing.obj");
    let output = impinge(&["inspect", "--json", "--places", "1"], &[&mixed, &missing]);
    assert_eq!(output.status.code(), Some(1));
    let files = json(&output);
    assert_eq!(files.len(), 2);
    assert!(files[0]["file"].as_str().unwrap().ends_with("mixed.obj"));
    let object = &files[0]["objects"][0];
    assert_eq!(object["clean"], false);
    assert_eq!(object["facts"]["vertices"], 5);
    assert_eq!(object["facts"]["closed"], true);
    assert_eq!(object["facts"]["volume"], Value::Null);
    let turned = finding(&files[0], "inconsistent_edge");
    assert_eq!(
        (&turned["count"], &turned["note"]),
        (&3.into(), &false.into())
    );
    assert_eq!(turned["places"].as_array().unwrap().len(), 1);
    let backfacing = finding(&files[0], "backfacing_face");
    assert_eq!(backfacing["places"], serde_json::json!([{"face": 3}]));
    assert!(files[1]["error"].as_str().unwrap().contains("missing.obj"));
}

#[test]
fn inspect_tells_objects_apart() {
    let folder = Folder::new();
    let second = MIXED.lines().map(|line| match line.strip_prefix("f ") {
        Some(corners) => {
            let shifted = corners
                .split(' ')
                .map(|v| (v.parse::<u32>().unwrap() + 5).to_string());
            format!("f {}\n", shifted.collect::<Vec<_>>().join(" "))
        }
        None => format!("{line}\n"),
    });
    let both = format!("o left\n{MIXED}o right\n{}", second.collect::<String>());
    let file = folder.file("both.obj", &both);
    let output = impinge(&["inspect"], &[&file]);
    let said = text(&output.stdout);
    assert!(
        said.contains("both.obj, object 0 \"left\": closed;"),
        "{said}"
    );
    assert!(
        said.contains("both.obj, object 1 \"right\": closed;"),
        "{said}"
    );
}

#[test]
fn repair_mends_and_says_so() {
    let folder = Folder::new();
    let mixed = folder.file("mixed.obj", MIXED);
    for extension in ["obj", "off", "ply", "stl"] {
        let mended = folder.path(&format!("mended.{extension}"));
        let output = impinge(&["repair"], &[&mixed, &mended]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        for words in [
            "1 face is turned the wrong way: face 3; mended",
            "merged 1 vertex into others",
            "turned 1 face around",
            "result: closed, convex",
        ] {
            assert!(said.contains(words), "{words} is not in\n{said}");
        }
        let after = impinge(&["inspect"], &[&mended]);
        let said = text(&after.stdout);
        assert!(said.contains(": closed, convex; clean\n"), "{said}");
    }
}

#[test]
fn repair_names_what_it_left() {
    let folder = Folder::new();
    let open = folder.file(
        "open.off",
        &CLEAN.replace("4 4 0", "4 3 0").replace("3 0 3 2\n", ""),
    );
    let written = folder.path("written.off");
    let output = impinge(&["repair", "--json"], &[&open, &written]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report = &json(&output)[0];
    let hole = finding(report, "hole");
    assert_eq!(hole["action"], "left");
    assert_eq!(hole["left"]["count"], 1);
    assert_eq!(
        hole["left"]["places"],
        serde_json::json!([{"edge": [0, 2], "length": 3}])
    );
    assert!(!hole["left"]["why"].as_str().unwrap().is_empty());
    assert_eq!(report["objects"][0]["result"]["closed"], false);
    assert!(written.exists());
}

#[test]
fn repair_merges_and_welds_when_asked() {
    let folder = Folder::new();
    // A square of two triangles with a crack between them.
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 1.000001 0\nf 1 2 3\nf 1 5 4\n";
    let square = folder.file("square.obj", square);
    let merged = folder.path("merged.obj");
    let output = impinge(
        &["repair", "--weld", "1e-5", "--merge-coplanar"],
        &[&square, &merged],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let written = std::fs::read_to_string(&merged).unwrap();
    let faces: Vec<&str> = written.lines().filter(|l| l.starts_with("f ")).collect();
    assert_eq!(faces.len(), 1, "{written}");
    assert_eq!(faces[0].split_whitespace().count(), 5);
}

#[test]
fn repair_writes_nothing_when_it_cannot() {
    let folder = Folder::new();
    let mixed = folder.file("mixed.obj", MIXED);
    let flat = folder.file("flat.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n");
    for (input, output, reason) in [
        (&folder.path("missing.obj"), "a.obj", "missing.obj: "),
        (&mixed, "a.glb", "a.glb: "),
        (&mixed, "nowhere/a.obj", "a.obj: "),
        (&flat, "b.obj", "b.obj: not written, as no face is left"),
    ] {
        let path = folder.path(output);
        let run = impinge(&["repair"], &[input, &path]);
        assert_eq!(run.status.code(), Some(1));
        assert!(text(&run.stderr).contains(reason), "{}", text(&run.stderr));
        assert!(!path.exists());
    }
    let run = impinge(
        &["repair", "--weld", "-1"],
        &[&mixed, &folder.path("c.obj")],
    );
    assert_ne!(run.status.code(), Some(0));
}

#[test]
fn wrong_usage_is_told_from_errors() {
    for arguments in [
        &["inspect"][..],
        &["repair", "only-one.obj"],
        &["inspect", "--no-such-option", "x.obj"],
        &["no-such-command"],
        &["repair", "--weld", "wide", "a.obj", "b.obj"],
    ] {
        let output = impinge(arguments, &[]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}

#[test]
fn help_has_examples() {
    for arguments in [
        &["--help"][..],
        &["inspect", "--help"],
        &["repair", "--help"],
    ] {
        let output = impinge(arguments, &[]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("Examples:"), "{arguments:?}");
    }
}
