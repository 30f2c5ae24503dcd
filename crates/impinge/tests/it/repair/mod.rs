//! Finding and mending: every kind of defect by hand, then broken at random.

mod kinds;
mod mending;
mod random;

use impinge::Vec3;
use impinge::repair::{Defect, Report, Site};
use impinge::shape::PolyMesh;

/// A mesh of integer points.
fn mesh<F: AsRef<[u32]>>(points: &[[i32; 3]], faces: &[F]) -> PolyMesh {
    let points = points.iter().map(|p| Vec3::from_array(p.map(f64::from)));
    float_mesh(points.collect(), faces)
}

fn float_mesh<F: AsRef<[u32]>>(points: Vec<Vec3>, faces: &[F]) -> PolyMesh {
    let mut mesh = PolyMesh::new("test", points).unwrap();
    for face in faces {
        mesh.push_face(face.as_ref()).unwrap();
    }
    mesh
}

/// The corners of a cube of edge 4.
const CUBE: [[i32; 3]; 8] = [
    [0, 0, 0],
    [4, 0, 0],
    [4, 4, 0],
    [0, 4, 0],
    [0, 0, 4],
    [4, 0, 4],
    [4, 4, 4],
    [0, 4, 4],
];

/// Its faces, outward: bottom, top, front, right, back, left.
const QUADS: [[u32; 4]; 6] = [
    [0, 3, 2, 1],
    [4, 5, 6, 7],
    [0, 1, 5, 4],
    [1, 2, 6, 5],
    [2, 3, 7, 6],
    [3, 0, 4, 7],
];

/// The corners of a tetrahedron, and its faces, outward.
const CORNER: [[i32; 3]; 4] = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]];
const TRIANGLES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

/// All findings: kinds, counts and sites, in the order of the report.
fn found(report: &Report) -> Vec<(Defect, usize, Vec<Site>)> {
    report
        .findings
        .iter()
        .map(|f| (f.kind, f.count, f.sites.clone()))
        .collect()
}

fn faces(ids: impl IntoIterator<Item = u32>) -> Vec<Site> {
    ids.into_iter().map(Site::Face).collect()
}

fn vertices(ids: impl IntoIterator<Item = u32>) -> Vec<Site> {
    ids.into_iter().map(Site::Vertex).collect()
}

fn edges<const N: usize>(ids: [[u32; 2]; N]) -> Vec<Site> {
    ids.into_iter().map(Site::Edge).collect()
}
