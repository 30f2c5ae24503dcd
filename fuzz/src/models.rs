//! What must hold of every model that a reader accepts.

use impinge::Vec3;
use impinge::io::{Format, Model, read_bytes, write_bytes};
use impinge::shape::PolyMesh;
use std::path::Path;

/// Reads a file; if it is accepted, uses it as users do and checks it. Nothing may panic.
pub fn read(data: &[u8], format: Format) -> Option<Model> {
    let model = read_bytes(data, format, Path::new("fuzz")).ok()?;
    for mesh in model.meshes() {
        assert!(!mesh.vertices().is_empty());
        assert!(mesh.vertices().iter().all(|v| v.is_finite()));
        let corners: usize = mesh.faces().map(|f| f.len() - 2).sum();
        assert_eq!(mesh.triangulate().triangles.len(), corners);
    }
    let _ = model.triangulate();
    Some(model)
}

/// Writes a model and reads it again: the same vertices, bit for bit, and the same faces.
pub fn assert_round_trip(model: &Model, format: Format) {
    let bytes = write_bytes(model, format, Path::new("fuzz")).expect("it can be written");
    let again = read_bytes(&bytes, format, Path::new("fuzz")).expect("it can be read again");
    assert_eq!(again.meshes().len(), model.meshes().len());
    for (a, b) in model.meshes().iter().zip(again.meshes()) {
        assert!(a.faces().eq(b.faces()));
        assert!(bits(a).eq(bits(b)));
    }
}

fn bits(mesh: &PolyMesh) -> impl Iterator<Item = [u64; 3]> {
    mesh.vertices()
        .iter()
        .map(|v| v.to_array().map(f64::to_bits))
}

/// The corners of all triangles of a model, which formats without vertices keep.
pub fn triangles(model: &Model) -> Vec<[Vec3; 3]> {
    let of_mesh = |mesh: &PolyMesh| -> Vec<[Vec3; 3]> {
        let cut = mesh.triangulate().triangles;
        cut.iter()
            .map(|t| t.map(|i| mesh.vertices()[i as usize]))
            .collect()
    };
    model.meshes().iter().flat_map(of_mesh).collect()
}
