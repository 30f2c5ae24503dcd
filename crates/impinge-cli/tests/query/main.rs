//! The program's `query` command, run as users run it.
#![allow(missing_docs)]
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod methods;

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What came back.
struct Outcome {
    answers: Vec<Value>,
    errors: String,
    code: i32,
}

const CUBE: &str = "\
v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5
v -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0.5 0.5 0.5\nv -0.5 0.5 0.5
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// A folder with `cube.obj`, and an open box without its lid.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cube.obj"), CUBE).unwrap();
    let open = CUBE.replace("f 5 6 7 8\n", "");
    fs::write(folder.path().join("open.obj"), open).unwrap();
    folder
}

fn run(arguments: &[&str], input: &[u8], folder: &Path) -> Outcome {
    let mut child = Command::new(env!("CARGO_BIN_EXE_impinge"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments may be gone before it reads.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    Outcome {
        answers: text
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect(),
        errors: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// The answers to lines from standard input.
fn ask(lines: &str) -> Outcome {
    run(&["query", "-"], lines.as_bytes(), folder().path())
}

/// The one answer to a question about two shapes.
fn ask_one(question: Value) -> Value {
    let outcome = ask(&question.to_string());
    assert_eq!(outcome.answers.len(), 1, "{}", outcome.errors);
    outcome.answers.into_iter().next().unwrap()
}

fn distance(a: Value, b: Value, t: [f64; 3]) -> f64 {
    let answer = ask_one(json!({"query": "distance", "a": a, "b": b, "pose_b": {"t": t}}));
    answer["distance"]
        .as_f64()
        .unwrap_or_else(|| panic!("{answer}"))
}

fn error(question: Value) -> String {
    let answer = ask_one(question);
    answer["error"]
        .as_str()
        .unwrap_or_else(|| panic!("{answer}"))
        .to_owned()
}

/// The error for a bad first shape.
fn shape_error(a: Value) -> String {
    error(json!({"query": "intersects", "a": a, "b": {"sphere": 1}}))
}

/// Numbers compare as doubles, so that 1 in the documentation is 1.0 in an answer.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits)
                || (a.as_f64() == Some(0.0) && b.as_f64() == Some(0.0))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn the_examples_of_the_documentation_are_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/query-format.md");
    let text = fs::read_to_string(path).unwrap();
    let blocks = |kind: &str| -> Vec<String> {
        let fence = format!("```json {kind}\n");
        text.split(&fence)
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap().to_owned())
            .collect()
    };
    let (questions, answers) = (blocks("question"), blocks("answer"));
    assert!(questions.len() == answers.len() && questions.len() >= 4);
    for (question, expected) in questions.iter().zip(&answers) {
        let got = ask(question).answers;
        let expected: Vec<Value> = expected
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(got.len(), expected.len());
        for (got, expected) in got.iter().zip(&expected) {
            assert!(is_same(got, expected), "got {got}\nexpected {expected}");
        }
    }
}

#[test]
fn every_kind_of_shape_is_known() {
    let cube = json!({"vertices": [[-1,-1,0],[1,-1,0],[0,1,0]], "faces": [[0,1,2]]});
    for (shape, top) in [
        (json!({"mesh": "cube.obj"}), 0.5),
        (json!({"solid": "cube.obj"}), 0.5),
        (json!({"hull": "cube.obj"}), 0.5),
        (json!({"hull": "open.obj"}), 0.5),
        (
            json!({"points": [[-1,-1,-1],[1,-1,-1],[0,1,-1],[0,0,1]]}),
            1.0,
        ),
        (json!({"triangles": cube}), 0.0),
        (json!({"sphere": 0.75}), 0.75),
        (json!({"box": [1, 2, 3]}), 3.0),
        (json!({"capsule": [1, 0.5]}), 1.5),
        (json!({"cylinder": [1.25, 0.5]}), 1.25),
        (json!({"cone": [1.5, 0.5]}), 1.5),
        (json!({"ellipsoid": [1, 2, 3.5]}), 3.5),
        (json!({"halfspace": [0, 0, 2, 3]}), 1.5),
        (json!({"box": [1, 1, 1], "radius": 0.5}), 1.5),
        (json!({"mesh": "cube.obj", "scale": 3}), 1.5),
        (json!({"solid": "cube.obj", "scale": [1, 1, -3]}), 1.5),
        (json!({"hull": "cube.obj", "scale": [1, -1, 5]}), 2.5),
        (
            json!({"points": [[-1,-1,-1],[1,-1,-1],[0,1,-1],[0,0,1]], "scale": 2}),
            2.0,
        ),
        (
            json!({"points": [[-1,-1,-2],[1,-1,-2],[0,1,-2],[0,0,1]], "scale": -1}),
            2.0,
        ),
        (
            json!({"triangles": {"vertices": [[-1,-1,1],[1,-1,1],[0,1,1]], "faces": [[0,1,2]]}, "scale": 2}),
            2.0,
        ),
        (json!({"sphere": 0.5, "scale": -3}), 1.5),
        (json!({"sphere": 0.5, "scale": [1, 1, 5]}), 2.5),
        (json!({"box": [1, 2, 3], "scale": [1, 1, -0.5]}), 1.5),
        (json!({"capsule": [1, 0.5], "scale": [2, -2, 2]}), 3.0),
        (json!({"cylinder": [1, 0.5], "scale": [1, -1, 3]}), 3.0),
        (json!({"cone": [1, 0.5], "scale": [2, 2, 3]}), 3.0),
        (json!({"cone": [1, 0.5], "scale": [2, 2, -3]}), 3.0),
        (json!({"ellipsoid": [1, 2, 3], "scale": 0.5}), 1.5),
        (json!({"halfspace": [0, 0, 2, 3], "scale": 2}), 3.0),
        (json!({"halfspace": [0, 0, 2, 3], "scale": [1, 2, 4]}), 6.0),
        (json!({"halfspace": [0, 0, -2, 3], "scale": -2}), 3.0),
        (json!({"sphere": 0.5, "scale": 2, "radius": 0.25}), 1.25),
    ] {
        // A point above the highest point of the shape.
        let got = distance(shape.clone(), json!({"sphere": 0}), [0.0, 0.0, 10.0]);
        assert!((got - (10.0 - top)).abs() < 1e-14, "{shape}: {got}");
    }
    // The base of a mirrored cone is up.
    let aside = [0.5, 0.0, 10.0];
    let mirrored = json!({"cone": [1, 0.5], "scale": -1});
    assert!((distance(mirrored, json!({"sphere": 0}), aside) - 9.0).abs() < 1e-14);
}

#[test]
fn poses_are_read() {
    let question = |pose: Value| {
        let answer = ask_one(
            json!({"query": "distance", "a": {"box": [1, 2, 3]}, "pose_a": pose,
            "b": {"sphere": 0}, "pose_b": {"t": [10, 0, 0]}}),
        );
        answer["distance"].as_f64().unwrap()
    };
    assert_eq!(question(json!({})).to_bits(), 9.0_f64.to_bits());
    assert_eq!(
        question(json!({"t": [1, 0, 0]})).to_bits(),
        8.0_f64.to_bits()
    );
    let turned = json!({"r": [0, 0, 1, 0, 1, 0, -1, 0, 0]});
    assert_eq!(question(turned).to_bits(), 7.0_f64.to_bits());
    let half = f64::sqrt(0.5);
    let quarter = question(json!({"q": [0, 0, half, half], "t": [1, 0, 0]}));
    assert!((quarter - 7.0).abs() < 1e-14);
}

#[test]
fn numbers_keep_all_digits() {
    let t = 0.1_f64 + 0.2;
    let answer = ask_one(
        json!({"query": "distance", "a": {"sphere": 0}, "b": {"sphere": 0}, "pose_b": {"t": [t, 0, 0]}}),
    );
    assert_eq!(answer["distance"].as_f64().unwrap().to_bits(), t.to_bits());
    let text = r#"{"query": "within", "gap": 0.30000000000000004, "a": {"sphere": 0}, "b": {"sphere": 0}, "pose_b": {"t": [0.30000000000000004, 0, 0]}}
{"query": "within", "gap": 0.3, "a": {"sphere": 0}, "b": {"sphere": 0}, "pose_b": {"t": [0.30000000000000004, 0, 0]}}"#;
    let answers = ask(text).answers;
    assert_eq!(
        (&answers[0]["within"], &answers[1]["within"]),
        (&json!(true), &json!(false))
    );
}

#[test]
fn bad_lines_are_named_and_the_others_answered() {
    let good = r#"{"id": [7], "query": "intersects", "a": {"sphere": 1}, "b": {"sphere": 1}}"#;
    let lines = format!("{good}\n\n{{\"id\": 1, nonsense\n{good}\n[1, 2]\n\u{feff}\n{good}\n");
    let outcome = ask(&lines);
    assert_eq!(outcome.code, 1);
    assert_eq!(outcome.answers.len(), 6);
    for i in [0, 2, 5] {
        assert_eq!(outcome.answers[i]["id"], json!([7]));
        assert_eq!(outcome.answers[i]["intersects"], json!(true));
    }
    for i in [1, 3, 4] {
        assert_eq!(outcome.answers[i]["id"], json!(null));
        assert!(outcome.answers[i]["error"].is_string());
    }
    assert!(
        outcome.errors.contains("standard input:3: not valid JSON"),
        "{}",
        outcome.errors
    );
    let bytes = b"\xff\xfe{}\n";
    let outcome = run(&["query", "-"], bytes, folder().path());
    assert_eq!((outcome.code, outcome.answers.len()), (1, 1));
    assert_eq!(ask("").code, 0);
}

#[test]
fn errors_in_lines_name_thing_and_place() {
    let sphere = json!({"sphere": 1});
    let with = |mut extra: Value| {
        let line = extra.as_object_mut().unwrap();
        for (key, value) in [
            ("query", json!("intersects")),
            ("a", sphere.clone()),
            ("b", sphere.clone()),
        ] {
            line.entry(key).or_insert(value);
        }
        error(extra)
    };
    for (message, expected) in [
        (with(json!({"gap": 1})), "unknown field \"gap\""),
        (
            with(json!({"query": "collide"})),
            "unknown query \"collide\"",
        ),
        (with(json!({"query": "within"})), "field \"gap\" is missing"),
        (
            with(json!({"query": "within", "gap": -1})),
            "gap: expected a number that is not negative",
        ),
        (with(json!({"query": 3})), "query: expected a text"),
        (
            with(json!({"pose_a": {"t": [1, 2]}})),
            "pose_a.t: expected a list of 3 numbers",
        ),
        (
            with(json!({"pose_b": {"q": [0, 0, 0, 2]}})),
            "pose_b: not a rotation",
        ),
        (
            with(json!({"pose_b": {"r": [1, 0, 0, 0, 1, 0, 0, 0, -1]}})),
            "pose_b: not a rotation",
        ),
        (
            with(json!({"pose_b": {"q": [0, 0, 0, 1], "r": [1, 0, 0, 0, 1, 0, 0, 0, 1]}})),
            "give \"q\" or \"r\"",
        ),
        (
            with(json!({"pose_b": {"x": 1}})),
            "pose_b: unknown field \"x\"",
        ),
        (
            error(json!({"query": "intersects", "a": {"sphere": 1}})),
            "field \"b\" is missing",
        ),
        (
            error(json!({"a": {"sphere": 1}, "b": {"sphere": 1}})),
            "field \"query\" is missing",
        ),
    ] {
        assert!(
            message.contains(expected),
            "{message:?} should contain {expected:?}"
        );
    }
}

#[test]
fn errors_in_shapes_name_thing_and_place() {
    for (message, expected) in [
        (shape_error(json!({})), "a: expected one of: mesh"),
        (shape_error(json!(3)), "a: expected an object"),
        (
            shape_error(json!({"sphere": 1, "box": [1, 1, 1]})),
            "give sphere or box, not both",
        ),
        (shape_error(json!({"ball": 1})), "a: expected one of: mesh"),
        (
            shape_error(json!({"sphere": 1, "scal": 1})),
            "a: unknown field \"scal\"",
        ),
        (
            shape_error(json!({"sphere": "1"})),
            "a.sphere: expected a number",
        ),
        (
            shape_error(json!({"box": [1, 1]})),
            "a.box: expected a list of 3 numbers",
        ),
        (
            shape_error(json!({"box": [1, 0, 1]})),
            "half size y is 0, expected more than 0",
        ),
        (
            shape_error(json!({"sphere": 1, "scale": 0})),
            "a.scale: must not be 0",
        ),
        (
            shape_error(json!({"sphere": 1, "scale": [1, 0, 1]})),
            "a.scale: must not be 0",
        ),
        (
            shape_error(json!({"capsule": [1, 1], "scale": [1, 1, 2]})),
            "a capsule can only be scaled alike",
        ),
        (
            shape_error(json!({"cylinder": [1, 1], "scale": [1, 2, 2]})),
            "alike in x and y",
        ),
        (
            shape_error(json!({"sphere": 1, "radius": -1})),
            "a: rounding radius is -1",
        ),
        (
            shape_error(json!({"mesh": "cube.obj", "radius": 1})),
            "a: only convex shapes can be rounded",
        ),
        (shape_error(json!({"mesh": "missing.obj"})), "missing.obj"),
        (
            shape_error(json!({"solid": "open.obj"})),
            "mesh is not closed",
        ),
        (
            shape_error(json!({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]})),
            "lie in one plane",
        ),
        (
            shape_error(json!({"points": [[0, 0, 0], [1, 0]]})),
            "a.points[1]: expected a list of 3 numbers",
        ),
        (
            shape_error(json!({"triangles": {"vertices": [[0, 0, 0]], "faces": [[0, 0, 1]]}})),
            "triangle 0 refers to index 1",
        ),
        (
            shape_error(json!({"triangles": {"vertices": [[0, 0, 0]], "faces": [[0, 0, -1]]}})),
            "faces[0]: expected a list of 3 vertex indices",
        ),
        (
            shape_error(json!({"triangles": {"vertices": [[0, 0, 0]], "faces": []}})),
            "empty mesh",
        ),
        (
            shape_error(json!({"halfspace": [0, 0, 0, 1]})),
            "length of the half-space normal",
        ),
    ] {
        assert!(
            message.contains(expected),
            "{message:?} should contain {expected:?}"
        );
    }
}

#[test]
fn paths_are_relative_to_the_query_file() {
    let folder = folder();
    let sub = folder.path().join("sub");
    fs::create_dir(&sub).unwrap();
    let line =
        r#"{"query": "intersects", "a": {"mesh": "../cube.obj"}, "b": {"solid": "../cube.obj"}}"#;
    fs::write(sub.join("questions.jsonl"), line).unwrap();
    let outcome = run(&["query", "sub/questions.jsonl"], b"", folder.path());
    assert_eq!((outcome.code, outcome.answers.len()), (0, 1));
    let outcome = run(&["query", "-"], line.as_bytes(), &sub);
    assert_eq!(outcome.code, 0);
    let outcome = run(&["query", "-"], line.as_bytes(), folder.path());
    assert_eq!(outcome.code, 1);
}

#[test]
fn models_are_read_once() {
    // The file is gone after the first line; the answer to the second waits for that.
    let folder = folder();
    let path = folder.path().join("cube.obj");
    let mut child = Command::new(env!("CARGO_BIN_EXE_impinge"))
        .args(["query", "-"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut answers = std::io::BufRead::lines(std::io::BufReader::new(output));
    let mut ask = |kind: &str| -> Value {
        let line = json!({"query": "intersects", "a": {kind: "cube.obj"}, "b": {"sphere": 0.1}});
        writeln!(input, "{line}").unwrap();
        serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask("mesh")["intersects"], json!(false));
    fs::remove_file(path).unwrap();
    assert_eq!(ask("mesh")["intersects"], json!(false));
    assert_eq!(ask("hull")["intersects"], json!(true));
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn wrong_usage_is_2() {
    let folder = folder();
    assert_eq!(run(&["query"], b"", folder.path()).code, 2);
    assert_eq!(
        run(&["query", "--nonsense", "-"], b"", folder.path()).code,
        2
    );
    assert_eq!(run(&["query", "absent.jsonl"], b"", folder.path()).code, 1);
}

#[test]
fn moving_features_are_checked_where_they_enter() {
    let four = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    let with = |start: Value| json!({"query": "edge-edge", "start": start, "end": four});
    assert!(error(with(json!([[0, 0, 0], [1, 0, 0], [0, 1, 0]]))).contains("4 points"));
    assert!(error(with(json!([[0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))).contains("start[0]"));
    let mut question = with(four.clone());
    question["tolerance"] = json!(0);
    assert!(error(question.clone()).contains("tolerance"));
    question["tolerance"] = json!(1e-3);
    question["a"] = json!({"sphere": 1});
    assert!(error(question.clone()).contains("\"a\""));
    question["a"] = Value::Null;
    question["method"] = json!("gjk");
    assert!(error(question).contains("unknown method"));
}
