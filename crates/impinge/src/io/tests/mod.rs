//! Small files of every format: each feature, each error with its place, round trips, hostile input.

#[cfg(feature = "gltf")]
mod gltf;
mod hostile;
mod obj;
mod off;
mod ply;
mod polytopes;
mod round_trip;
mod stl;

use super::{Format, Model, Note, read_bytes};
use crate::error::Error;
use crate::math::Vec3;
use crate::shape::PolyMesh;
use std::path::Path;

fn read(text: impl AsRef<[u8]>, format: Format) -> Result<Model, Error> {
    read_bytes(text.as_ref(), format, Path::new("file"))
}

/// The message of a file that cannot be read, with its place, but without the name.
fn error(text: impl AsRef<[u8]>, format: Format) -> String {
    let error = read(text, format).expect_err("the file is bad").to_string();
    let message = error.strip_prefix("file:").expect("it names the file");
    message.trim_start().to_owned()
}

/// The one object of a file.
fn only(text: impl AsRef<[u8]>, format: Format) -> PolyMesh {
    let model = read(text, format).unwrap();
    assert_eq!(model.meshes().len(), 1);
    model.meshes()[0].clone()
}

fn faces(mesh: &PolyMesh) -> Vec<Vec<u32>> {
    mesh.faces().map(<[u32]>::to_vec).collect()
}

fn notes(model: &Model) -> Vec<String> {
    model.notes().iter().map(Note::to_string).collect()
}

fn p(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

#[test]
fn the_format_is_found_by_content_then_extension() {
    let detect = |path: &str, text: &[u8]| Format::detect(path.as_ref(), text);
    assert_eq!(detect("a.OBJ", b"# any\nv 0 0 0"), Some(Format::Obj));
    assert_eq!(detect("a.obj", b""), Some(Format::Obj));
    assert_eq!(detect("a.stl", b"solid x\nendsolid"), Some(Format::StlText));
    assert_eq!(detect("a.Stl", &[0; 84]), Some(Format::StlBinary));
    assert_eq!(detect("a.off", b"3 1 0"), Some(Format::Off));
    // The extension lies.
    assert_eq!(detect("a.obj", b"ply\nformat"), Some(Format::PlyBinary));
    assert_eq!(detect("a.ply", b"# c\n COFF\n"), Some(Format::Off));
    assert_eq!(detect("a.obj", b"glTF\x02\0\0\0"), Some(Format::Glb));
    assert_eq!(detect("a.off", b"SOLID\n"), Some(Format::StlText));
    // There is none, or an unknown one.
    assert_eq!(detect("a", b" {\"asset\": 1}"), Some(Format::Gltf));
    assert_eq!(detect("a.txt", b"polytopes 1\n"), Some(Format::Polytopes));
    assert_eq!(detect("a", b"# c\r\n\r\nmtllib x"), Some(Format::Obj));
    assert_eq!(detect("a", &[0; 84]), Some(Format::StlBinary));
    assert_eq!(detect("a", b"hello"), None);
    assert_eq!(detect("a", b""), None);
}

#[test]
fn files_come_from_and_go_to_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0.1\nf 1 2 3\n";
    let model = read(text, Format::Obj).unwrap();
    for name in ["a.obj", "a.STL", "a.ply", "a.off"] {
        let path = folder.path().join(name);
        super::write(&path, &model).unwrap();
        assert_eq!(super::read(&path).unwrap(), model, "{name}");
    }
    let message = |path: &Path| super::read(path).unwrap_err().to_string();
    assert!(message(&folder.path().join("none.obj")).contains("none.obj: "));
    assert!(message(folder.path()).starts_with(&folder.path().display().to_string()));
    let unknown = folder.path().join("a.xyz");
    std::fs::write(&unknown, "hello").unwrap();
    assert!(message(&unknown).contains("format is not known"));
    for name in ["a.xyz", "a.gltf", "a"] {
        let error = super::write(Path::new(name), &model).unwrap_err();
        assert!(error.to_string().contains("no format can be written"));
    }
}

#[test]
fn models_unite_their_objects() {
    let text = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 5 0 0\nv 6 0 0\nv 6 1 0\nv 5 1 0\nf 4 5 6 7\n";
    let model = read(text, Format::Obj).unwrap();
    let mesh = model.triangulate().unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [3, 4, 5], [3, 5, 6]]);
    assert_eq!(model.points().count(), 7);
    let points = read("v 0 0 0\n", Format::Obj).unwrap();
    assert_eq!(points.triangulate(), Err(Error::Empty { what: "mesh" }));
}
