//! How long Delaunay tetrahedra take. Every case checks its answer before it is measured.
//!
//! `cargo bench -p impinge --bench delaunay`

use divan::Bencher;
use impinge::Vec3;
use impinge::delaunay::Delaunay;
use impinge_scenes::points::{in_cube, lattice, on_sphere};

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn hundred_thousand_points_in_cube(bencher: Bencher) {
    measure(bencher, &in_cube(100_000, 1));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn ten_thousand_points_on_sphere(bencher: Bencher) {
    measure(bencher, &on_sphere(10_000, 2));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn lattice_of_27000(bencher: Bencher) {
    measure(bencher, &lattice(30));
}

fn measure(bencher: Bencher, points: &[Vec3]) {
    let cells = Delaunay::new(points).expect("the points span a volume");
    cells.validate();
    bencher.bench(|| Delaunay::new(points));
}
