use super::*;

const BODY: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";

#[test]
fn the_keyword_in_all_spellings() {
    let headers = [
        "OFF\n4 1 0\n",
        "OFF 4 1 4\n",
        "OFF4 1 0\n",
        "4 1 0\n",
        "# c\n\n  OFF # d\n# e\n4\n1 0\n",
        "OFF\n4 1\n",
        "COFF\n4 1 0\n",
        "STCNOFF\n4 1 0\n",
    ];
    for header in headers {
        let mesh = only(format!("{header}{BODY}"), Format::Off);
        assert_eq!(mesh.vertices().len(), 4, "{header}");
        assert_eq!(faces(&mesh), [[0, 1, 2, 3]], "{header}");
    }
}

#[test]
fn what_follows_on_a_line_is_passed_over() {
    let text = "NOFF\r\n3 2 0\r\n0 0 0 1 0 0\r\n1 0 0 0 1 0 # n\r\n\r\n0 1 0 0 0 1\r\n3 0 1 2 255 0 0\r\n3 2 1\r\n0 0.5\r\n";
    let mesh = only(text, Format::Off);
    assert_eq!(mesh.vertices(), [p(0.0, 0.0, 0.0), Vec3::X, Vec3::Y]);
    assert_eq!(faces(&mesh), [[0, 1, 2], [2, 1, 0]]);
}

#[test]
fn faces_of_few_corners_and_text_at_the_end_are_noted() {
    let text = format!("OFF 4 4 0\n{BODY}0\n1 0\n2 0 1\nmore\n");
    let model = read(text, Format::Off).unwrap();
    assert_eq!(faces(&model.meshes()[0]), [[0, 1, 2, 3]]);
    assert_eq!(
        notes(&model),
        [
            "line 7: face of fewer than three corners passed over (3 times)",
            "line 10: text after the last face passed over"
        ]
    );
}

#[test]
fn empty_and_without_faces() {
    assert_eq!(read("OFF 0 0 0", Format::Off).unwrap(), Model::default());
    assert_eq!(
        only("OFF 1 0 0\n1 2 3", Format::Off).vertices(),
        [p(1.0, 2.0, 3.0)]
    );
}

#[test]
fn errors_name_the_line() {
    let bad = |text: &str| error(text, Format::Off);
    assert_eq!(bad(""), "1: the file is empty");
    assert_eq!(bad("OFF\n"), "2: the number of vertices is missing");
    assert_eq!(
        bad("OFF\nx 1 0"),
        "2: the number of vertices is not a count: 'x'"
    );
    assert_eq!(
        bad("OFF\n1 -1 0"),
        "2: the number of faces is not a count: '-1'"
    );
    assert_eq!(
        bad("4OFF\n1 1 0"),
        "1: only vertices in three dimensions can be read"
    );
    assert_eq!(
        bad("nOFF\n3\n1 1 0"),
        "1: only vertices in three dimensions can be read"
    );
    assert_eq!(bad("OFF BINARY\n"), "1: binary OFF cannot be read");
    assert_eq!(
        bad("OFF 2 0 0\n0 0 0\n"),
        "3: a coordinate of a vertex is missing"
    );
    assert_eq!(
        bad("OFF 2 0 0\n0 0 inf\n"),
        "2: a coordinate of a vertex is not finite: 'inf'"
    );
    assert_eq!(
        bad("OFF 1 1 0\n0 0 0\n3 0 0\n"),
        "4: a corner of a face is missing"
    );
    assert_eq!(
        bad("OFF 1 1 0\n0 0 0\n3 0 0 1\n"),
        "3: a face refers to vertex 1, but there are only 1 vertices"
    );
    assert_eq!(
        bad("OFF 1 1 0\n0 0 0\n3 0 0 -1\n"),
        "3: a corner of a face is not a count: '-1'"
    );
    assert_eq!(
        bad("OFF 1 1 0\n0 0 0\n3 0 0 4294967296\n"),
        "3: a face refers to vertex 4294967296"
    );
}
