use super::*;

/// A file of one buffer: a square of four `f32` vertices (48 bytes) and six `u16` indices (12 bytes), and whatever
/// accessors, meshes and nodes are asked for.
fn json(buffer: &str, body: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}},
"buffers": [{buffer}],
"bufferViews": [
  {{"buffer": 0, "byteLength": 48}},
  {{"buffer": 0, "byteOffset": 48, "byteLength": 12}}],
{body}}}"#
    )
}

fn data() -> Vec<u8> {
    let vertices: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let indices: [u16; 6] = [0, 1, 2, 0, 2, 3];
    let mut bytes: Vec<u8> = vertices.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    bytes
}

const ACCESSORS: &str = r#""accessors": [
  {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4},
  {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 6}]"#;

const MESHES: &str = r#""meshes": [{"name": "square", "primitives": [
  {"attributes": {"POSITION": 0}, "indices": 1}]}]"#;

fn glb_of(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    let length = 12 + 8 + json.len() + 8 + binary.len();
    bytes.extend((length as u32).to_le_bytes());
    for (kind, content) in [(b"JSON", &json[..]), (b"BIN\0", binary)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(content);
    }
    bytes
}

fn glb(body: &str) -> Vec<u8> {
    glb_of(&json(r#"{"byteLength": 60}"#, body), &data())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let bits = three.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b));
        [18, 12, 6, 0].map(|shift| char::from(DIGITS[(bits >> shift & 63) as usize]))
    };
    bytes.chunks_exact(3).flat_map(group).collect()
}

pub(super) fn sample_glb() -> Vec<u8> {
    glb(&format!(
        r#"{ACCESSORS}, {MESHES}, "nodes": [{{"mesh": 0, "scale": [2, 2, 2]}}, {{"children": [0]}}],
"scenes": [{{"nodes": [1]}}], "scene": 0"#
    ))
}

pub(super) fn sample_gltf() -> Vec<u8> {
    let uri = format!("data:application/octet-stream;base64,{}", base64(&data()));
    let buffer = format!(r#"{{"byteLength": 60, "uri": "{uri}"}}"#);
    let sparse = r#""accessors": [
  {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4, "sparse": {"count": 1,
   "indices": {"bufferView": 1, "byteOffset": 2, "componentType": 5123},
   "values": {"bufferView": 0, "byteOffset": 24}}},
  {"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": 6}]"#;
    json(&buffer, &format!("{sparse}, {MESHES}")).into_bytes()
}

#[test]
fn a_binary_file() {
    let mesh = only(sample_glb(), Format::Glb);
    assert_eq!(mesh.name(), "square");
    assert_eq!(mesh.vertices()[2], p(2.0, 2.0, 0.0));
    assert_eq!(faces(&mesh), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn embedded_data_and_sparse_values() {
    let mesh = only(sample_gltf(), Format::Gltf);
    let (o, corner) = (p(0.0, 0.0, 0.0), p(1.0, 1.0, 0.0));
    // The second vertex (index 1, by the second index) was replaced by the third.
    assert_eq!(mesh.vertices(), [o, corner, corner, Vec3::Y]);
}

#[test]
fn data_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gltf");
    let buffer = r#"{"byteLength": 60, "uri": "my%20data.bin"}"#;
    std::fs::write(&path, json(buffer, &format!("{ACCESSORS}, {MESHES}"))).unwrap();
    let error = super::super::read(&path).unwrap_err().to_string();
    assert!(error.contains("my data.bin"), "{error}");
    std::fs::write(folder.path().join("my data.bin"), data()).unwrap();
    assert_eq!(
        super::super::read(&path).unwrap().meshes()[0].face_count(),
        2
    );
}

#[test]
fn nodes_place_their_meshes() {
    let body = format!(
        r#"{ACCESSORS}, {MESHES}, "scenes": [{{"nodes": []}}, {{"nodes": [0, 3]}}], "scene": 1, "nodes": [
{{"name": "parent", "mesh": 0, "translation": [10, 0, 0], "children": [1, 2]}},
{{"name": "turned", "mesh": 0, "rotation": [0, 0, 0.70710678, 0.70710678]}},
{{"mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]}},
{{}}, {{"name": "unused", "mesh": 0}}]"#
    );
    let model = read(glb(&body), Format::Glb).unwrap();
    let names: Vec<&str> = model.meshes().iter().map(PolyMesh::name).collect();
    assert_eq!(names, ["parent", "turned", "square"]);
    let corner = |k: usize| model.meshes()[k].vertices()[1];
    assert_eq!(corner(0), p(11.0, 0.0, 0.0));
    assert!(corner(1).distance(p(10.0, 1.0, 0.0)) < 1e-12);
    assert_eq!(corner(2), p(14.0, 0.0, 0.0));
    // A mirrored mesh is turned over, so that its front stays its front.
    assert_eq!(faces(&model.meshes()[2]), [[2, 1, 0], [3, 2, 0]]);
}

#[test]
fn without_a_scene_all_top_nodes_count() {
    let body = format!(
        r#"{ACCESSORS}, {MESHES}, "nodes": [{{"mesh": 0}}, {{"children": [0]}}, {{"mesh": 0}}]"#
    );
    assert_eq!(read(glb(&body), Format::Glb).unwrap().meshes().len(), 2);
}

fn primitive(attributes: &str) -> Vec<u8> {
    glb(&format!(
        r#"{ACCESSORS}, "meshes": [{{"primitives": [{attributes}]}}]"#
    ))
}

#[test]
fn primitives_of_all_modes() {
    let mode = |mode: u32| {
        let text = format!(r#"{{"attributes": {{"POSITION": 0}}, "mode": {mode}}}"#);
        read(primitive(&text), Format::Glb).unwrap()
    };
    assert_eq!(faces(&mode(4).meshes()[0]), [[0, 1, 2]]);
    assert_eq!(
        notes(&mode(4)),
        ["indices after the last triangle passed over"]
    );
    assert_eq!(faces(&mode(5).meshes()[0]), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(faces(&mode(6).meshes()[0]), [[0, 1, 2], [0, 2, 3]]);
    for lines in 0..4 {
        assert_eq!(mode(lines).meshes()[0].vertices().len(), 4);
        assert_eq!(mode(lines).meshes()[0].face_count(), 0);
    }
    // Two that share their vertices.
    let text = r#"{"attributes": {"POSITION": 0}}, {"attributes": {"POSITION": 0}, "indices": 1}"#;
    let mesh = only(primitive(text), Format::Glb);
    assert_eq!((mesh.vertices().len(), mesh.face_count()), (4, 3));
}

#[test]
fn integers_as_coordinates() {
    let read_as = |kind: u32, more: &str| {
        let body = format!(
            r#""accessors": [{{"bufferView": 1, "componentType": {kind}, "type": "VEC3", "count": 2{more}}}],
"extensionsRequired": ["KHR_mesh_quantization"],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "mode": 0}}]}}]"#
        );
        only(glb(&body), Format::Glb).vertices().to_vec()
    };
    assert_eq!(read_as(5123, ""), [p(0.0, 1.0, 2.0), p(0.0, 2.0, 3.0)]);
    let byte = 1.0 / 255.0;
    assert_eq!(
        read_as(5121, r#", "normalized": true"#),
        [p(0.0, 0.0, byte), p(0.0, 2.0 / 255.0, 0.0)]
    );
}

#[test]
fn errors_say_what_is_wrong() {
    let bad = |from: &str, to: &str| {
        let body = format!("{ACCESSORS}, {MESHES}").replace(from, to);
        error(glb(&body), Format::Glb)
    };
    let within = "mesh 0, primitive 0: ";
    let cases = [
        (
            r#""indices": 1"#,
            r#""indices": 0"#,
            "accessor 0 does not hold indices",
        ),
        (
            r#""indices": 1"#,
            r#""indices": 2"#,
            "there is no accessor 2",
        ),
        (
            r#""POSITION": 0"#,
            r#""POSITION": 1"#,
            "accessor 1 does not hold vectors of three",
        ),
        (r#""count": 4"#, r#""count": 3"#, "index 3 of 3 vertices"),
        (
            r#""count": 4"#,
            r#""count": 5"#,
            "5 elements do not fit into the 48 bytes of buffer view 0",
        ),
        (
            r#""count": 4"#,
            r#""count": 400000000"#,
            "the file stands for more elements than can be read",
        ),
        (
            r#""count": 4"#,
            r#""count": 4, "byteOffset": 18446744073709551615"#,
            "4 elements do not fit into the 48 bytes of buffer view 0",
        ),
        (r#""bufferView": 0, "#, "", "accessor 0 has no data"),
        (
            r#""bufferView": 0"#,
            r#""bufferView": 9"#,
            "there is no buffer view 9",
        ),
        ("5126", "5199", "accessor 0 is of an unknown type"),
        (r#""indices": 1"#, r#""mode": 9"#, "unknown mode"),
    ];
    for (from, to, message) in cases {
        assert_eq!(bad(from, to), format!("{within}{message}"));
    }
    let whole = |body: &str| error(glb(&format!("{ACCESSORS}, {MESHES}, {body}")), Format::Glb);
    assert_eq!(whole(r#""nodes": [{"mesh": 1}]"#), "there is no mesh 1");
    assert_eq!(
        whole(r#""nodes": [{}], "scenes": [{"nodes": [1]}]"#),
        "there is no node 1"
    );
    assert_eq!(whole(r#""nodes": [{}], "scene": 3"#), "there is no scene 3");
    assert_eq!(
        whole(r#""nodes": [{"children": [0]}], "scenes": [{"nodes": [0]}]"#),
        "node 0 is placed twice"
    );
    assert_eq!(
        whole(r#""nodes": [{"mesh": 0, "rotation": [0, 0, 0, 0]}]"#),
        "a vertex of the object 'square' is not finite"
    );
    assert_eq!(
        whole(r#""extensionsRequired": ["KHR_draco_mesh_compression"]"#),
        "the extension KHR_draco_mesh_compression is required, and cannot be read"
    );
}

#[test]
fn broken_containers() {
    let glb = sample_glb();
    let changed = |at: usize, value: u8| {
        let mut bytes = glb.clone();
        bytes[at] = value;
        error(bytes, Format::Glb)
    };
    assert_eq!(changed(4, 1), "byte 4: only version 2 can be read");
    assert_eq!(
        changed(11, 1),
        "byte 8: the file is shorter than it declares"
    );
    assert_eq!(changed(16, b'X'), "byte 12: the first chunk is not JSON");
    assert_eq!(changed(15, 1), "byte 12: the first chunk is not complete");
    assert!(changed(20, b'x').starts_with("byte 20: not glTF: expected value at line 1 column 1"));
    assert!(error("{\n\"asset\": 1}", Format::Gltf).starts_with("2: not glTF: invalid type"));
    let buffers = [
        (
            r#"{"byteLength": 61}"#,
            "buffer 0 declares 61 bytes and has 60",
        ),
        (
            r#"{"byteLength": 4}"#,
            "it reaches past the 4 bytes of its buffer",
        ),
        (
            r#"{"byteLength": 60, "uri": "../a.bin"}"#,
            "buffer 0: the buffer '../a.bin' is not a file beside this one",
        ),
        (
            r#"{"byteLength": 60, "uri": "data:,abc"}"#,
            "buffer 0: data that is not in base 64",
        ),
        (
            r#"{"byteLength": 60, "uri": "data:;base64,?"}"#,
            "buffer 0: malformed base 64",
        ),
    ];
    for (buffer, message) in buffers {
        let bytes = glb_of(&json(buffer, &format!("{ACCESSORS}, {MESHES}")), &data());
        let expected = format!("mesh 0, primitive 0: buffer view 0: {message}");
        assert_eq!(error(bytes, Format::Glb), expected);
    }
}

/// A mesh used so often that the model would not fit into memory.
#[test]
fn sharing_is_bounded() {
    let node = r#"{"mesh": 0}, "#.repeat(1000);
    let primitive = r#"{"attributes": {"POSITION": 0}, "indices": 0}, "#.repeat(1000);
    let body = format!(
        r#""accessors": [{{"count": 100000, "componentType": 5125, "type": "VEC3", "sparse": {{"count": 1,
"indices": {{"bufferView": 1, "componentType": 5123}}, "values": {{"bufferView": 0}}}}}}],
"nodes": [{node}{{}}], "meshes": [{{"primitives": [{primitive}{{"attributes": {{"POSITION": 0}}}}]}}]"#
    );
    let body = body.replace(r#", "indices": 0}"#, "}");
    assert!(error(glb(&body), Format::Glb).ends_with("more elements than can be read"));
}
