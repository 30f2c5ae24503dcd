use super::*;

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

fn square(rest: &str) -> String {
    format!("{SQUARE}{rest}")
}

#[test]
fn corners_in_all_spellings() {
    let text = square(
        "f 1 2 3 4\nf 1/1 2/2 3/3\nf 1//1 2//1 3//1\nf 1/5/6 2/7/8 3/9/1\nf -4 -3 -2\nf 1// 2/ 3//\n",
    );
    let mesh = only(text, Format::Obj);
    let triangle = vec![0, 1, 2];
    let mut expected = vec![vec![0, 1, 2, 3]];
    expected.extend(vec![triangle; 5]);
    assert_eq!(faces(&mesh), expected);
}

#[test]
fn coordinates_are_the_nearest_doubles() {
    let text = "v 0.1 -1e-320 1.7976931348623157e308 0.5\nv +1. .5 3E2 1 0 0\nv 9007199254740993 1e23 0.30000000000000004\n";
    let mesh = only(text, Format::Obj);
    let expected = [
        p(0.1, -1e-320, f64::MAX),
        p(1.0, 0.5, 300.0),
        p(9007199254740992.0, 1e23, 0.1 + 0.2),
    ];
    assert_eq!(mesh.vertices(), expected);
}

#[test]
fn lines_may_be_continued_and_commented() {
    let text = "\u{feff}# a \\\nv 0 \\\n 0 \\  \n 0 # origin\r\nv 1 0 0\rv 0 1 0\n\nf 1 2\\\n 3 # f 9 9 9\n";
    let mesh = only(text, Format::Obj);
    assert_eq!(mesh.vertices(), [p(0.0, 0.0, 0.0), Vec3::X, Vec3::Y]);
    assert_eq!(faces(&mesh), [[0, 1, 2]]);
}

#[test]
fn other_lines_are_passed_over() {
    let text = square(
        "vt 0 0\nvn nan 0 0\nvp 1\nusemtl a\nmtllib b.mtl\ns off\nl 1 2\np 1\ncurv x\nf 1 2 3\n",
    );
    let model = read(text, Format::Obj).unwrap();
    assert_eq!(faces(&model.meshes()[0]), [[0, 1, 2]]);
    assert_eq!(notes(&model), [""; 0]);
}

#[test]
fn points_and_lines_among_the_faces_are_counted() {
    let model = read(square("f 1\nf 1 2\nf\nf 1 2 2\n"), Format::Obj).unwrap();
    assert_eq!(faces(&model.meshes()[0]), [[0, 1, 1]]);
    let note = "line 5: face of fewer than three corners passed over (3 times)";
    assert_eq!(notes(&model), [note]);
}

fn named(text: &str) -> Vec<(String, Vec<Vec3>, Vec<Vec<u32>>)> {
    let model = read(text, Format::Obj).unwrap();
    let of_mesh = |m: &PolyMesh| (m.name().to_owned(), m.vertices().to_vec(), faces(m));
    model.meshes().iter().map(of_mesh).collect()
}

#[test]
fn objects_take_the_vertices_they_use() {
    // Both use the first vertex; the fifth is used by none and stands in b; the name is the rest of the line.
    let text = "o big a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 1\nv 9 9 9\nf 4 1 2\n";
    let o = p(0.0, 0.0, 0.0);
    assert_eq!(
        named(text),
        [
            (
                "big a".into(),
                vec![o, Vec3::X, Vec3::Y],
                vec![vec![0, 1, 2]]
            ),
            (
                "b".into(),
                vec![o, Vec3::X, Vec3::Z, p(9.0, 9.0, 9.0)],
                vec![vec![2, 0, 1]]
            ),
        ]
    );
}

#[test]
fn groups_are_objects_where_there_are_none() {
    let by_group = square("g a\nf 1 2 3\ng b\nf 2 3 4\ng a\nf 1 3 4\n");
    let parts = named(&by_group);
    let summary: Vec<_> = parts
        .iter()
        .map(|(n, v, f)| (n.as_str(), v.len(), f.len()))
        .collect();
    assert_eq!(summary, [("a", 4, 2), ("b", 3, 1)]);
    let by_object = square("g a\nf 1 2 3\no x\nf 2 3 4\ng b\nf 1 3 4\n");
    let parts = named(&by_object);
    let summary: Vec<_> = parts
        .iter()
        .map(|(n, v, f)| (n.as_str(), v.len(), f.len()))
        .collect();
    assert_eq!(summary, [("", 3, 1), ("x", 4, 2)]);
    // Objects of the same name are still two, and empty ones none.
    let parts = named(&square("o a\nf 1 2 3\no\no a\nf 1 3 4\n"));
    assert_eq!(parts.len(), 2);
}

#[test]
fn files_without_faces_or_anything() {
    let mesh = only(SQUARE, Format::Obj);
    assert_eq!((mesh.vertices().len(), mesh.face_count()), (4, 0));
    for empty in ["", "# nothing\n", "\n\n", "o a\ng b\n"] {
        assert_eq!(read(empty, Format::Obj).unwrap(), Model::default());
    }
}

#[test]
fn faces_may_precede_their_vertices() {
    let mesh = only(format!("f 1 2 3\n{SQUARE}"), Format::Obj);
    assert_eq!(faces(&mesh), [[0, 1, 2]]);
}

#[test]
fn errors_name_the_line() {
    let bad = |rest: &str| error(square(rest), Format::Obj);
    assert_eq!(bad("v 1 2\n"), "5: a coordinate of a vertex is missing");
    assert_eq!(
        bad("\nv 1 x 2\n"),
        "6: a coordinate of a vertex is not a number: 'x'"
    );
    assert_eq!(
        bad("v 1 1,5 2\n"),
        "5: a coordinate of a vertex is not a number: '1,5'"
    );
    assert_eq!(
        bad("v 1 nan 2\n"),
        "5: a coordinate of a vertex is not finite: 'nan'"
    );
    assert_eq!(
        bad("v 1 2 \\\n 1e999\n"),
        "6: a coordinate of a vertex is not finite: '1e999'"
    );
    assert_eq!(
        bad("f 1 2 5\n"),
        "5: a face refers to vertex 5, but there are only 4 vertices"
    );
    assert_eq!(
        bad("f 1 2 \\\n -5\n"),
        "6: a face refers to vertex -5, but there are only 4 vertices so far"
    );
    assert_eq!(
        bad("f 0 1 2\n"),
        "5: a face refers to vertex 0, but there are only 4 vertices so far"
    );
    assert_eq!(
        bad("f 1 2 a/b\n"),
        "5: a corner of a face is not a number: 'a/b'"
    );
    assert_eq!(
        bad("f 1 2 99999999999999999999\n"),
        "5: a corner of a face is not a number: '99999999999999999999'"
    );
    assert!(bad("f 1 2 4294967297\n").starts_with("5: a face refers to vertex 4294967297"));
}

#[test]
fn malformed_exponents_are_noted() {
    let model = read("v 3.1+e2 -2-E5 1\n", Format::Obj).unwrap();
    assert_eq!(model.meshes()[0].vertices(), [p(3.1, -2.0, 1.0)]);
    assert_eq!(
        notes(&model),
        ["line 1: malformed exponent passed over (2 times)"]
    );
    assert!(read("v 3.1+x2 0 0\n", Format::Obj).is_err());
    assert!(read("v +e2 0 0\n", Format::Obj).is_err());
}
