use super::*;
use crate::io::polytopes::{read_bytes, write_text};
use crate::io::write_bytes;

const WEDGE: &str = "polytope a wedge\nv 0 0 0\nv 1 0 0 # x\nv 0 1 0\nv 0 0 1\nf 1 3 2\nend\n";

fn library(rest: &str) -> String {
    format!("# mine\npolytopes 1\n\n{WEDGE}{rest}")
}

#[test]
fn a_library_of_two() {
    let cube = "polytope cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nv 0.5 0.5 0.5\nend";
    let text = library(cube);
    let polytopes = read_bytes(text.as_bytes(), "file".as_ref()).unwrap();
    let names: Vec<&str> = polytopes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a wedge", "cube"]);
    let model = read(&text, Format::Polytopes).unwrap();
    let sizes: Vec<_> = model
        .meshes()
        .iter()
        .map(|m| (m.vertices().len(), m.face_count()))
        .collect();
    assert_eq!(sizes, [(4, 1), (9, 0)]);
    let written = write_text(&polytopes);
    let again = read_bytes(written.as_bytes(), "again".as_ref()).unwrap();
    assert_eq!(write_text(&again), written);
    let model = read(&written, Format::Polytopes).unwrap();
    let cube = &model.meshes()[1];
    assert_eq!((cube.vertices().len(), cube.face_count()), (8, 6));
    assert!(cube.faces().all(|f| f.len() == 4));
    // The faces look outward: together they enclose the volume once.
    let mesh = model.triangulate().unwrap();
    let volume = |t: usize| {
        let [a, b, c] = mesh.corners(t);
        a.dot(b.cross(c)) / 6.0
    };
    let total: f64 = (0..mesh.triangles().len()).map(volume).sum();
    assert!((total - 7.0 / 6.0).abs() < 1e-15);
}

/// Any model can be made a library of the hulls of its objects.
#[test]
fn models_become_hulls() {
    let obj = "o a\nv 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nv 1 1 1\nf 1 2 5\n";
    let model = read(obj, Format::Obj).unwrap();
    let text = write_bytes(&model, Format::Polytopes, "file".as_ref()).unwrap();
    let mesh = only(text, Format::Polytopes);
    assert_eq!(
        (mesh.name(), mesh.vertices().len(), mesh.face_count()),
        ("a", 4, 4)
    );
    let flat = read(obj.replace('4', "0"), Format::Obj).unwrap();
    let error = write_bytes(&flat, Format::Polytopes, "file".as_ref()).unwrap_err();
    assert!(
        error.to_string().starts_with("file: object 'a': "),
        "{error}"
    );
}

#[test]
fn errors_name_the_line() {
    let bad = |text: &str| error(text, Format::Polytopes);
    assert_eq!(bad(""), "1: the first line is not 'polytopes 1'");
    assert_eq!(
        bad("polytopes 2\n"),
        "1: the first line is not 'polytopes 1'"
    );
    assert_eq!(bad("polytopes 1 2\n"), "1: unexpected '2'");
    assert_eq!(
        bad(&library("v 0 0 0\n")),
        "11: expected 'polytope', found 'v'"
    );
    assert_eq!(
        bad(&library("polytope b\nv 0 0 0\n")),
        "13: polytope 'b' does not end"
    );
    assert_eq!(
        bad(&library("polytope b\nend\n")),
        "11: polytope 'b' has no vertices"
    );
    let change = |from: &str, to: &str| bad(&library("").replace(from, to));
    assert_eq!(
        change("v 0 1 0", "v 0 1"),
        "7: a coordinate of a vertex is missing"
    );
    assert_eq!(change("v 0 1 0", "v 0 1 0 1"), "7: unexpected '1'");
    assert_eq!(
        change("v 0 1 0", "v 0 nan 0"),
        "7: a coordinate of a vertex is not finite: 'nan'"
    );
    assert_eq!(
        change("v 0 1 0", "vn 0 1 0"),
        "7: expected 'v', 'f' or 'end', found 'vn'"
    );
    assert_eq!(
        change("f 1 3 2", "f 1 3"),
        "9: a face of fewer than three corners"
    );
    assert_eq!(
        change("f 1 3 2", "f 0 3 2"),
        "9: a face refers to vertex 0; the first is 1"
    );
    assert_eq!(
        change("f 1 3 2", "f 5 3 2"),
        "9: a face refers to vertex 5, but there are only 4 vertices"
    );
    assert_eq!(
        change("f 1 3 2", "f 1/1 3 2"),
        "9: a corner of a face is not a count: '1/1'"
    );
}

#[test]
fn a_polytope_must_span_a_volume() {
    let text = library("polytope thin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nend\n");
    let error = read_bytes(text.as_bytes(), "file".as_ref())
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("file:11: polytope 'thin': "), "{error}");
    // As a model, the same file is fine.
    assert_eq!(read(&text, Format::Polytopes).unwrap().meshes().len(), 2);
}
