//! Every question by every method, against the reference, and what cannot be answered.

use super::{ask, error};
use serde_json::{Value, json};

/// Pairs of shapes, and where the second is: apart, touching, overlapping.
fn pairs() -> Vec<(Value, Value, [f64; 3])> {
    let tetrahedron = json!({"points": [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]});
    let cube = json!({"box": [1, 1, 1]});
    let shapes = [
        (cube.clone(), cube.clone()),
        (tetrahedron.clone(), cube.clone()),
        (tetrahedron, json!({"hull": "cube.obj", "scale": 1.5})),
        (cube.clone(), json!({"sphere": 0.5})),
        (
            json!({"capsule": [1, 0.25]}),
            json!({"box": [1, 0.5, 0.25], "radius": 0.125}),
        ),
        (json!({"cylinder": [1, 0.5]}), json!({"cone": [1, 0.75]})),
        (json!({"ellipsoid": [1, 0.75, 0.5]}), cube),
        (
            json!({"halfspace": [0, 0, 1, 0.5]}),
            json!({"cone": [1, 1]}),
        ),
    ];
    let places = [
        [3.0, 0.5, 2.0],
        [2.0, 0.25, 0.125],
        [0.75, -0.5, 0.25],
        [0.125, 0.0625, 0.25],
    ];
    let placed = |(a, b): &(Value, Value)| places.map(|t| (a.clone(), b.clone(), t));
    shapes.iter().flat_map(placed).collect()
}

fn question(pair: &(Value, Value, [f64; 3]), rest: &Value) -> Value {
    let (a, b, t) = pair;
    let mut line = json!({"a": a, "b": b, "pose_b": {"t": t}});
    let (Value::Object(line_fields), Value::Object(rest)) = (&mut line, rest) else {
        panic!("objects");
    };
    line_fields.extend(rest.clone());
    line
}

/// The answers to a question about all pairs.
fn answers(rest: &Value) -> Vec<Value> {
    let lines: Vec<String> = pairs()
        .iter()
        .map(|pair| question(pair, rest).to_string())
        .collect();
    let answers = ask(&lines.join("\n")).answers;
    assert_eq!(answers.len(), lines.len());
    answers
}

fn number(answer: &Value, field: &str) -> f64 {
    answer[field]
        .as_f64()
        .unwrap_or_else(|| panic!("{field} of {answer}"))
}

fn intervals_meet(p: &Value, q: &Value) -> bool {
    number(p, "lower") <= number(q, "upper") && number(q, "lower") <= number(p, "upper")
}

fn is_polytope(shape: &Value) -> bool {
    let kinds = ["box", "points", "hull"];
    kinds.iter().any(|kind| shape.get(kind).is_some()) && shape.get("radius").is_none()
}

/// Whether the method knows both shapes of a pair.
fn is_known(method: &str, (a, b, _): &(Value, Value, [f64; 3])) -> bool {
    match method {
        "lin-canny" | "cameron" => is_polytope(a) && is_polytope(b),
        "gjk" => a.get("halfspace").is_none() && b.get("halfspace").is_none(),
        _ => true,
    }
}

/// Asks by a method and by the reference, and compares what the method can answer.
fn compare(method: &str, rest: Value, agree: impl Fn(&Value, &Value) -> bool) {
    let with = |name: &str| {
        let mut rest = rest.clone();
        rest["method"] = json!(name);
        answers(&rest)
    };
    let (got, expected) = (with(method), with("reference"));
    let mut answered = 0;
    for ((pair, got), expected) in pairs().iter().zip(&got).zip(&expected) {
        if is_known(method, pair) {
            answered += 1;
            assert_eq!(got["method"], json!(method), "{got}");
            assert!(
                agree(got, expected),
                "{method} {pair:?}: {got}, not {expected}"
            );
        } else {
            let message = got["error"].as_str().unwrap_or_else(|| panic!("{got}"));
            assert!(message.contains(method), "{message}");
        }
    }
    assert!(answered >= 12, "{answered} by {method}");
}

#[test]
fn all_methods_give_the_same_booleans_and_distances() {
    // GJK closes in on curved shapes slowly, and stops.
    for (method, widest) in [("default", 1e-11), ("gjk", 1e-8), ("lin-canny", 1e-11)] {
        let is_same = |field: &'static str| {
            move |p: &Value, q: &Value| p[field].is_boolean() && p[field] == q[field]
        };
        compare(
            method,
            json!({"query": "intersects"}),
            is_same("intersects"),
        );
        compare(
            method,
            json!({"query": "within", "gap": 0.25}),
            is_same("within"),
        );
        compare(method, json!({"query": "distance"}), |got, expected| {
            let width = number(got, "upper") - number(got, "lower");
            let is_zero = |answer: &Value| number(answer, "distance") == 0.0;
            intervals_meet(got, expected) && width < widest && is_zero(got) == is_zero(expected)
        });
    }
}

#[test]
fn the_default_is_what_happens_without_a_method() {
    for name in ["intersects", "distance", "penetration"] {
        let [plain, named] = [
            json!({"query": name}),
            json!({"query": name, "method": "default"}),
        ];
        assert_eq!(answers(&plain), answers(&named));
    }
}

#[test]
fn depths_agree_with_exact_arithmetic_and_with_the_estimate() {
    let by = |method: &str| answers(&json!({"query": "penetration", "method": method}));
    let (default, exact, estimates) = (by("default"), by("reference"), by("cameron"));
    let overlaps = answers(&json!({"query": "intersects"}));
    let mut deep_pairs = 0;
    for (i, pair) in pairs().iter().enumerate() {
        let found = &default[i];
        assert_eq!(found["intersects"], overlaps[i]["intersects"], "{pair:?}");
        assert!(number(found, "lower") <= number(found, "depth"));
        assert!(number(found, "depth") <= number(found, "upper"));
        assert_eq!(
            found["direction"].is_array(),
            found["intersects"] == json!(true)
        );
        deep_pairs += u32::from(found["points"].is_array() && found["features"].is_array());
        if is_known("cameron", pair) {
            assert!(intervals_meet(found, &exact[i]), "{found} {}", exact[i]);
            assert!(
                intervals_meet(found, &estimates[i]),
                "{found} {}",
                estimates[i]
            );
        } else {
            assert!(estimates[i]["error"].is_string() && exact[i]["error"].is_string());
        }
    }
    assert!(deep_pairs >= 16, "{deep_pairs}");
}

/// The answer about a ball of radius 0.25 that starts at x = -2 and a wall from x = -0.5 to 0.5.
fn shot(rest: Value) -> Value {
    let pair = (
        json!({"box": [0.5, 9, 9]}),
        json!({"sphere": 0.25}),
        [-2.0, 0.0, 0.0],
    );
    let line = question(&pair, &rest).to_string();
    ask(&line).answers.remove(0)
}

#[test]
fn times_of_impact_are_found() {
    let hit = shot(json!({"query": "toi", "move_b": [5, 0, 0]}));
    assert!(
        (number(&hit, "toi") - 0.25).abs() <= 1e-9 && number(&hit, "toi") <= 0.25,
        "{hit}"
    );
    assert_eq!(
        (&hit["kind"], &hit["method"]),
        (&json!("contact"), &json!("default"))
    );
    assert!(number(&hit, "lower") <= 0.25 && 0.25 <= number(&hit, "upper"));
    assert!(hit["direction"].is_array() && hit["points"].is_array());

    let rough = shot(json!({"query": "toi", "move_b": [5, 0, 0], "tolerance": 0.01}));
    assert!(number(&rough, "toi") <= 0.25 && number(&rough, "toi") >= 0.24);
    let by_pose = shot(json!({"query": "toi", "end_b": {"t": [3, 0, 0]}}));
    assert!((number(&by_pose, "toi") - 0.25).abs() <= 1e-9);
    let both = shot(json!({"query": "toi", "move_a": [-2.5, 0, 0], "move_b": [2.5, 0, 0]}));
    assert!((number(&both, "toi") - 0.25).abs() <= 1e-9);
    let missed = shot(json!({"query": "toi", "move_b": [1, 0, 0]}));
    assert_eq!(missed["toi"], Value::Null);
    assert!(missed.get("kind").is_none() && missed.get("error").is_none());
    let start = shot(json!({"query": "toi", "move_b": [1, 0, 0], "pose_b": {"t": [0, 0, 0]}}));
    assert_eq!(
        (number(&start, "toi"), &start["kind"]),
        (0.0, &json!("start"))
    );
}

#[test]
fn meshes_are_hit() {
    let wall = json!({"triangles": {
        "vertices": [[0.5, -9, -9], [0.5, 9, -9], [0.5, 0, 9]],
        "faces": [[0, 1, 2]],
    }});
    let pair = (wall, json!({"sphere": 0.25}), [-2.0, 0.0, 0.0]);
    for (rest, time) in [
        (json!({"query": "toi", "move_b": [4.5, 0, 0]}), 0.5),
        (
            json!({"query": "toi", "move_b": [4.5, 0, 0], "omega_b": [0, 0, 9]}),
            0.5,
        ),
    ] {
        let hit = ask(&question(&pair, &rest).to_string()).answers.remove(0);
        assert!((number(&hit, "toi") - time).abs() <= 1e-9, "{hit}");
        assert_eq!(hit["features"], json!([{"face": 0}, "surface"]));
    }
}

#[test]
fn turns_and_pivots_are_in_the_frame_of_the_body() {
    // A rod about its end reaches the ball at a right angle.
    let turn = std::f64::consts::PI;
    let rod = |a: Value| {
        let line = json!({"query": "toi", "a": a, "omega_a": [0, turn, 0], "pivot_a": [0, 0, -1],
            "b": {"sphere": 0.25}, "pose_b": {"t": [1.5, 0, -1]}});
        ask(&line.to_string()).answers.remove(0)
    };
    let hit = rod(json!({"capsule": [1, 0.125]}));
    let angle = number(&hit, "toi") * turn;
    assert!(
        (angle - (turn / 2.0 - f64::asin(0.375 / 1.5))).abs() < 1e-6,
        "{hit}"
    );
    // A cone that is mirrored has its base up; its pivot stays where the line puts it.
    let [plain, mirrored] =
        [1, -1].map(|sign| rod(json!({"cone": [1, 0.25], "scale": [1, 1, sign]})));
    assert!(
        number(&mirrored, "toi") < number(&plain, "toi"),
        "{mirrored} {plain}"
    );
}

#[test]
fn what_a_method_cannot_answer_is_an_error() {
    let ball = json!({"sphere": 1});
    let with = |rest: Value| error(question(&(ball.clone(), ball.clone(), [0.0; 3]), &rest));
    let mesh = json!({"a": {"mesh": "cube.obj"}, "query": "penetration"});
    for (message, expected) in [
        (
            with(json!({"query": "distance", "method": "epa"})),
            "unknown method \"epa\", expected one of: default, reference, gjk, lin-canny",
        ),
        (
            with(json!({"query": "distance", "method": "lin-canny"})),
            "lin-canny needs polytopes",
        ),
        (
            with(json!({"query": "penetration", "method": "gjk"})),
            "unknown method \"gjk\", expected one of: default, reference, cameron",
        ),
        (
            with(json!({"query": "penetration", "method": "cameron"})),
            "cameron needs polytopes",
        ),
        (
            with(json!({"query": "toi", "method": "gjk"})),
            "unknown method \"gjk\", expected one of: default",
        ),
        (with(mesh), "only convex shapes"),
        (
            with(json!({"query": "toi", "move_a": [1, 0, 0], "end_a": {}})),
            "give end_a or move_a, not both",
        ),
        (
            with(json!({"query": "toi", "move_a": [1, 0]})),
            "move_a: expected a list of 3 numbers",
        ),
        (with(json!({"query": "toi", "tolerance": 0})), "tolerance"),
        (
            with(json!({"query": "intersects", "move_a": [1, 0, 0]})),
            "unknown field \"move_a\"",
        ),
        (
            with(json!({"query": "intersects", "method": 3})),
            "method: expected a text",
        ),
    ] {
        assert!(
            message.contains(expected),
            "{message:?} should contain {expected:?}"
        );
    }
}

#[test]
fn trees_of_every_volume_answer_for_meshes() {
    let trees = [
        "aabb",
        "obb",
        "obb-vertices",
        "obb-hull",
        "6-dop",
        "14-dop",
        "18-dop",
        "26-dop",
        "sphere",
        "hull",
        "shell",
        "pss",
        "lss",
        "rss",
        "swept",
    ];
    let (mesh, solid) = (json!({"mesh": "cube.obj"}), json!({"solid": "cube.obj"}));
    for (b, t) in [(&mesh, [4.0, 0.5, 0.0]), (&solid, [0.5, 0.5, 0.5])] {
        let pair = (mesh.clone(), b.clone(), t);
        let asked = |query: &str, method: &str| {
            let line = question(&pair, &json!({"query": query, "method": method}));
            ask(&line.to_string()).answers.remove(0)
        };
        let expected = asked("distance", "reference");
        let meet = asked("intersects", "reference");
        for tree in trees {
            let method = format!("{tree}-tree");
            let found = asked("distance", &method);
            assert_eq!(found["method"], *method);
            assert!(
                number(&found, "lower") <= number(&expected, "upper"),
                "{found}"
            );
            assert!(
                number(&expected, "lower") <= number(&found, "upper"),
                "{found}"
            );
            assert_eq!(
                asked("intersects", &method)["intersects"],
                meet["intersects"]
            );
        }
    }
    let ball = json!({"sphere": 1});
    let line = question(
        &(ball, mesh, [0.0; 3]),
        &json!({"query": "intersects", "method": "obb-tree"}),
    );
    assert!(error(line).contains("need meshes or solids"));
}
