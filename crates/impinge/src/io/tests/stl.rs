use super::*;
use crate::io::write_bytes;

const FACET: &str =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

/// A binary file of facets given by their corners.
fn binary(header: &[u8], facets: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend((facets.len() as u32).to_le_bytes());
    for facet in facets {
        bytes.extend([0; 12]);
        bytes.extend(facet.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([7, 7]);
    }
    bytes
}

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn text_with_several_solids() {
    let text = format!(
        "solid first part\n{FACET}endsolid first part\nSOLID\n{}ENDSOLID\nsolid empty\nendsolid\n",
        FACET.to_uppercase()
    );
    let model = read(text, Format::StlText).unwrap();
    let names: Vec<&str> = model.meshes().iter().map(PolyMesh::name).collect();
    assert_eq!(names, ["first part", ""]);
    for mesh in model.meshes() {
        assert_eq!(mesh.vertices(), [p(0.0, 0.0, 0.0), Vec3::X, Vec3::Y]);
        assert_eq!(faces(mesh), [[0, 1, 2]]);
    }
}

#[test]
fn text_in_any_layout() {
    let flowing = format!("  {FACET}\ncolor 1 0 0\n{}", FACET.replace('\n', " "));
    let mesh = only(flowing.replace("0 0 1", "nan nan nan"), Format::StlText);
    assert_eq!(faces(&mesh), [[0, 1, 2], [0, 1, 2]]);
    let polygon = FACET.replace("endloop", "vertex -1 0 0\nendloop");
    assert_eq!(faces(&only(polygon, Format::StlText)), [[0, 1, 2, 3]]);
    let line = FACET.replace("vertex 0 1 0\n", "");
    let model = read(line, Format::StlText).unwrap();
    assert_eq!(
        notes(&model),
        ["line 5: face of fewer than three corners passed over"]
    );
}

#[test]
fn corners_at_one_place_are_one_vertex() {
    let text = format!(
        "solid\n{FACET}{}",
        FACET.replace("vertex 1 0 0", "vertex -1e0 -0.0 0")
    );
    let mesh = only(text, Format::StlText);
    assert_eq!(mesh.vertices().len(), 4);
    let text = format!(
        "solid\n{FACET}{}",
        FACET.replace("vertex 0 0 0", "vertex -0.0 0 -0")
    );
    assert_eq!(only(text, Format::StlText).vertices().len(), 3);
}

#[test]
fn binary_also_with_a_misleading_header() {
    for header in [&b""[..], b"solid like text", b"ply"] {
        let bytes = binary(header, &[CORNERS, CORNERS]);
        assert_eq!(
            Format::detect("a.stl".as_ref(), &bytes),
            Some(Format::StlBinary)
        );
        let mesh = only(bytes, Format::StlBinary);
        assert_eq!(mesh.vertices()[1], p(f64::from(0.1f32), 0.0, 0.0));
        assert_eq!(faces(&mesh), [[0, 1, 2], [0, 1, 2]]);
    }
    assert_eq!(
        read(binary(b"", &[]), Format::StlBinary).unwrap(),
        Model::default()
    );
}

#[test]
fn binary_counts_are_compared_with_the_length() {
    let mut bytes = binary(b"", &[CORNERS]);
    bytes.extend(b"more");
    let model = read(&bytes, Format::StlBinary).unwrap();
    assert_eq!(
        notes(&model),
        ["byte 134: bytes after the last facet passed over"]
    );
    bytes[80] = 2;
    let message = "byte 138: the file declares 2 facets and ends after 1";
    assert_eq!(error(&bytes, Format::StlBinary), message);
    bytes[80..84].fill(0xff);
    let message = "byte 138: the file declares 4294967295 facets and ends after 1";
    assert_eq!(error(&bytes, Format::StlBinary), message);
    let message = "byte 3: neither text nor long enough for binary STL";
    assert_eq!(error("abc", Format::StlBinary), message);
    let mut infinite = CORNERS;
    infinite[2][1] = f32::INFINITY;
    let message = "byte 120: a coordinate of a vertex is not finite";
    assert_eq!(error(binary(b"", &[infinite]), Format::StlBinary), message);
}

#[test]
fn text_errors_name_the_line() {
    let bad = |from: &str, to: &str| {
        error(
            format!("solid\n{}", FACET.replace(from, to)),
            Format::StlText,
        )
    };
    assert_eq!(
        bad("vertex 1 0 0", "vertex 1 inf 0"),
        "5: a coordinate of a vertex is not finite: 'inf'"
    );
    assert_eq!(
        bad("vertex 1 0 0", "vertex 1 0"),
        "6: a coordinate of a vertex is not a number: 'vertex'"
    );
    assert_eq!(
        bad("vertex 1 0 0", "corner 1 0 0"),
        "5: expected a vertex, found 'corner'"
    );
    assert_eq!(bad("outer", "inner"), "3: expected 'outer', found 'inner'");
    assert_eq!(
        bad("facet normal", "normal"),
        "2: expected a facet, found 'normal'"
    );
    assert_eq!(bad("endfacet", ""), "9: the file ends within a facet");
    assert_eq!(
        bad("endloop\nendfacet", ""),
        "8: the file ends within a facet"
    );
}

#[test]
fn binary_is_written_where_it_is_exact() {
    let text = format!("solid\n{FACET}");
    let model = read(&text, Format::StlText).unwrap();
    assert_eq!(
        Format::for_writing("a.stl".as_ref(), &model),
        Some(Format::StlBinary)
    );
    let model = read(text.replace("1 0 0", "0.1 0 0"), Format::StlText).unwrap();
    assert_eq!(
        Format::for_writing("a.stl".as_ref(), &model),
        Some(Format::StlText)
    );
    let rounded = write_bytes(&model, Format::StlBinary, "a".as_ref()).unwrap();
    let mesh = only(rounded, Format::StlBinary);
    assert_eq!(mesh.vertices()[1], p(f64::from(0.1f32), 0.0, 0.0));
    let model = read(text.replace("1 0 0", "1e39 0 0"), Format::StlText).unwrap();
    let error = write_bytes(&model, Format::StlBinary, "a".as_ref()).unwrap_err();
    assert!(
        error.to_string().ends_with("too large for binary STL"),
        "{error}"
    );
}
