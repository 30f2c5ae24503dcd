use super::*;

const HEADER: &str = "ply\nformat ascii 1.0\ncomment c\nobj_info i\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
const BODY: &str = "0 0 0\n1 0 0\n1 1 0\n0 1 0.1\n4 0 1 2 3\n3 0 1 2\n";

fn text() -> String {
    format!("{HEADER}{BODY}")
}

#[test]
fn text_in_any_layout() {
    let expected = only(text(), Format::PlyText);
    assert_eq!(expected.vertices()[3], p(0.0, 1.0, 0.1));
    assert_eq!(faces(&expected), [vec![0, 1, 2, 3], vec![0, 1, 2]]);
    let variants = [
        text().replace('\n', "\r\n"),
        text().replace('\n', "\r"),
        format!("{HEADER}{}", BODY.replace('\n', " ")),
        text().replace("vertex_indices", "vertex_index"),
        text()
            .replace("float", "float64")
            .replace("uchar int", "uint32 uint16"),
    ];
    for variant in variants {
        assert_eq!(only(&variant, Format::PlyText), expected, "{variant}");
    }
}

/// Everything at once: extra elements and properties, of every type, before, between and after.
fn everything(encoding: &str) -> String {
    format!(
        "ply\nformat {encoding} 1.0\n\
         element junk 2\nproperty char a\nproperty list ushort double b\n\
         element empty 4000000000\n\
         element vertex 3\nproperty uchar red\nproperty double z\nproperty list char short t\nproperty int x\nproperty float y\n\
         element face 2\nproperty ushort flags\nproperty list uint uchar vertex_index\nproperty list uchar float uv\n\
         element tail 1\nproperty uint q\nend_header\n"
    )
}

struct Writer {
    bytes: Vec<u8>,
    big: bool,
}

impl Writer {
    fn put<const N: usize>(&mut self, mut little: [u8; N]) {
        if self.big {
            little.reverse();
        }
        self.bytes.extend(little);
    }
}

fn everything_in_binary(big: bool) -> Vec<u8> {
    let encoding = if big {
        "binary_big_endian"
    } else {
        "binary_little_endian"
    };
    let mut w = Writer {
        bytes: everything(encoding).into_bytes(),
        big,
    };
    for list in [2u16, 0] {
        w.put((-1i8).to_le_bytes());
        w.put(list.to_le_bytes());
        (0..list).for_each(|_| w.put(f64::NAN.to_le_bytes()));
    }
    for k in 0..3i32 {
        w.put([200u8]);
        w.put((f64::from(k) + 0.1).to_le_bytes());
        w.put(1i8.to_le_bytes());
        w.put(7i16.to_le_bytes());
        w.put((-k * 70000).to_le_bytes());
        w.put((k as f32 * 0.1).to_le_bytes());
    }
    for corners in [&[0u8, 1, 2][..], &[2, 1, 0, 1]] {
        w.put(9u16.to_le_bytes());
        w.put((corners.len() as u32).to_le_bytes());
        corners.iter().for_each(|c| w.put([*c]));
        w.put([1u8]);
        w.put(0.5f32.to_le_bytes());
    }
    w.put(5u32.to_le_bytes());
    w.bytes
}

#[test]
fn binary_of_both_orders_with_all_types() {
    for big in [false, true] {
        let mesh = only(everything_in_binary(big), Format::PlyBinary);
        let expected = [
            p(0.0, 0.0, 0.1),
            p(-70000.0, f64::from(0.1f32), 1.1),
            p(-140000.0, f64::from(0.2f32), 2.1),
        ];
        assert_eq!(mesh.vertices(), expected);
        assert_eq!(faces(&mesh), [vec![0, 1, 2], vec![2, 1, 0, 1]]);
    }
}

#[test]
fn text_with_all_types() {
    let body = "-1 2 0.5 nan\n-1 0\n1 0.1 1 7 0 0\n1 1.1 0 -7 0.1\n1 2.1 0 -14 0.2\n9 3 0 1 2 1 0.5\n9 4 2 1 0 1 0\n5\n";
    let mesh = only(format!("{}{body}", everything("ascii")), Format::PlyText);
    assert_eq!(
        mesh.vertices(),
        [p(0.0, 0.0, 0.1), p(-7.0, 0.1, 1.1), p(-14.0, 0.2, 2.1)]
    );
    assert_eq!(faces(&mesh), [vec![0, 1, 2], vec![2, 1, 0, 1]]);
}

#[test]
fn a_line_end_does_not_swallow_the_first_byte() {
    // After a lone '\r', the data starts with the byte that is '\n': a list of ten.
    let mut bytes = b"ply\rformat binary_little_endian 1.0\relement a 1\rproperty list uchar uchar b\relement vertex 1\rproperty char x\rproperty char y\rproperty char z\rend_header\r".to_vec();
    bytes.extend([10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
    assert_eq!(
        only(bytes, Format::PlyBinary).vertices(),
        [p(1.0, 2.0, 3.0)]
    );
}

#[test]
fn faces_before_vertices_and_strips() {
    let text = "ply\nformat ascii 1.0\nelement tristrips 1\nproperty list int int vertex_indices\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nend_header\n9 0 1 2 3 3 -1 2 3 4\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n";
    let mesh = only(text, Format::PlyText);
    assert_eq!(faces(&mesh), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
}

#[test]
fn empty_files_and_points() {
    let empty = "ply\nformat ascii 1.0\nelement vertex 0\nelement face 0\nend_header\n";
    assert_eq!(read(empty, Format::PlyText).unwrap(), Model::default());
    let points = text().replace("face 2", "face 0");
    let model = read(points, Format::PlyText).unwrap();
    assert_eq!(
        (model.points().count(), model.meshes()[0].face_count()),
        (4, 0)
    );
    assert_eq!(
        notes(&model),
        ["line 15: data after the last element passed over"]
    );
}

#[test]
fn header_errors_name_the_line() {
    let bad = |from: &str, to: &str| error(text().replace(from, to), Format::PlyText);
    assert_eq!(bad("ply\n", "\n"), "1: the first line is not 'ply'");
    assert_eq!(bad("ascii", "utf8"), "2: unknown format 'utf8'");
    assert_eq!(
        bad("format ascii 1.0\n", ""),
        "10: the header has no line 'format'"
    );
    assert_eq!(bad("comment", "hello"), "3: unknown header line 'hello'");
    assert_eq!(
        bad("vertex 4", "vertex"),
        "5: the number of elements is missing"
    );
    assert_eq!(
        bad("vertex 4", "vertex four"),
        "5: the number of elements is not a count: 'four'"
    );
    assert_eq!(
        bad("element vertex 4", "element"),
        "5: the name of the element is missing"
    );
    assert_eq!(
        bad("element vertex 4\n", ""),
        "5: a property before any element"
    );
    assert_eq!(bad("float x", "real x"), "6: unknown type 'real'");
    assert_eq!(
        bad("float x", "float"),
        "6: the name of the property is missing"
    );
    assert_eq!(
        bad("list uchar", "list float"),
        "10: the length of a list must be of an integer type"
    );
    assert_eq!(bad(&text()[80..], ""), "7: the header does not end");
}

#[test]
fn body_errors_name_the_place() {
    let bad = |from: &str, to: &str| error(text().replace(from, to), Format::PlyText);
    assert_eq!(
        bad("float y", "float u"),
        "5: element vertex has no property y"
    );
    assert_eq!(
        bad("vertex_indices", "corners"),
        "9: element face has no list vertex_indices"
    );
    assert_eq!(
        bad("1 1 0\n", "1 inf 0\n"),
        "14: a coordinate of a vertex is not finite: 'inf'"
    );
    assert_eq!(
        bad("1 1 0\n", "1 x 0\n"),
        "14: a coordinate of a vertex is not a number: 'x'"
    );
    assert_eq!(
        bad("0 1 2 3", "0 1 2 4"),
        "16: a face refers to vertex 4, but there are only 4 vertices"
    );
    assert_eq!(bad("0 1 2 3", "0 1 2 -3"), "16: a face refers to vertex -3");
    assert_eq!(
        bad("0 1 2 3", "0 1 2 0.5"),
        "16: a face refers to vertex 0.5"
    );
    assert_eq!(bad("4 0 1", "-4 0 1"), "16: the length of a list is -4");
    assert_eq!(
        bad("3 0 1 2\n", "3 0 1"),
        "17: a corner of a face is missing"
    );
    assert_eq!(
        bad("vertex 4", "vertex 4000000000"),
        "18: a coordinate of a vertex is missing"
    );

    let mut bytes = everything_in_binary(false);
    let header = everything("binary_little_endian").len();
    let short = error(&bytes[..bytes.len() - 1], Format::PlyBinary);
    let expected = format!(
        "byte {}: the file ends before the data it declares",
        bytes.len() - 4
    );
    assert_eq!(short, expected);
    // The exponent of the first z.
    bytes[header + 22 + 7..header + 22 + 9].copy_from_slice(&[0xf0, 0x7f]);
    let place = header + 22 + 1;
    let expected = format!("byte {place}: a coordinate of a vertex is not finite");
    assert_eq!(error(&bytes, Format::PlyBinary), expected);
}
