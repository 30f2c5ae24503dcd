//! How long a mesh takes to become one that can be asked: its tree, from a thousand triangles to a million.
//!
//! `cargo bench -p impinge --bench mesh_build`. *Build* is all of `TriMesh::new`: checks of the input and the tree, by as many
//! threads as there are cores. *Refit* moves all vertices of a mesh. The meshes are torus knots and, with no order in their triangles,
//! the same shuffled; before a mesh is measured it is asked about a point of it and about one that is far off.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use impinge::{Pose, Shape, TriMesh, Vec3, query};
use impinge_scenes::knots::torus_knot;

const TRIANGLES: [u32; 3] = [1000, 30_000, 1_000_000];

fn main() {
    divan::main();
}

#[divan::bench(args = TRIANGLES, sample_count = 7, sample_size = 1)]
fn build(bencher: Bencher, triangles: u32) {
    measure_build(bencher, &knot(triangles));
}

#[divan::bench(args = TRIANGLES, sample_count = 7, sample_size = 1)]
fn build_shuffled(bencher: Bencher, triangles: u32) {
    let ordered = knot(triangles);
    let mut faces = ordered.triangles().to_vec();
    // Multiplying by an odd number and keeping the remainder by a power of two changes places, one for one.
    let ring = faces.len().next_power_of_two();
    let places = (0..ring).map(|k| k * 0x9E37_79B1 % ring);
    let places = places.filter(|place| *place < ordered.triangles().len());
    for (face, place) in faces.iter_mut().zip(places) {
        *face = ordered.triangles()[place];
    }
    let shuffled = TriMesh::new(ordered.vertices().to_vec(), faces);
    measure_build(bencher, &shuffled.expect("the faces of a mesh"));
}

#[divan::bench(args = TRIANGLES, sample_count = 7, sample_size = 1)]
fn refit(bencher: Bencher, triangles: u32) {
    let mut mesh = knot(triangles);
    let moved: Vec<Vec3> = mesh.vertices().iter().map(|v| *v * 1.25).collect();
    let before = mesh.bounds();
    bencher
        .counter(ItemsCount::new(mesh.triangles().len()))
        .bench_local(|| mesh.set_vertices(black_box(&moved)));
    check(&mesh);
    assert!(mesh.bounds().max().x > before.max().x);
}

fn knot(triangles: u32) -> TriMesh {
    torus_knot(2, 3, triangles).expect("a size that knots have")
}

fn measure_build(bencher: Bencher, mesh: &TriMesh) {
    check(mesh);
    bencher
        .counter(ItemsCount::new(mesh.triangles().len()))
        .with_inputs(|| (mesh.vertices().to_vec(), mesh.triangles().to_vec()))
        .bench_local_values(|(vertices, triangles)| TriMesh::new(vertices, triangles));
}

/// A point of the mesh is on it, and one outside its box is not.
fn check(mesh: &TriMesh) {
    let shape = Shape::from(mesh.clone());
    let point = Shape::sphere(0.0).expect("a point is a ball");
    let meets = |place: Vec3| {
        let pose = Pose::from_translation(place).expect("finite");
        query::intersects(shape.at(Pose::IDENTITY), point.at(pose))
    };
    assert!(meets(mesh.vertices()[0]));
    assert!(!meets(mesh.bounds().max() + Vec3::ONE));
}
