//! How long hulls take, from twenty points to a million. Every case checks its answer before it is measured.
//!
//! `cargo bench -p impinge --bench hull`

use divan::Bencher;
use impinge::{Polytope, Vec3};
use impinge_scenes::points::{in_ball, lattice, on_sphere};
use std::f64::consts::{PI, TAU};

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn million_points_in_ball(bencher: Bencher) {
    // The hull of n random points misses a part of the ball that shrinks with the square root of n.
    measure(bencher, &in_ball(1_000_000, 1), 4.0 / 3.0 * PI, 0.01);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn hundred_thousand_points_on_sphere(bencher: Bencher) {
    measure(bencher, &on_sphere(100_000, 2), 4.0 / 3.0 * PI, 1e-3);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn million_points_of_lattice(bencher: Bencher) {
    measure(bencher, &lattice(100), 99.0_f64.powi(3), 0.0);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn cone_over_hundred_thousand_points(bencher: Bencher) {
    let rim = (0..100_000).map(|i| {
        let (sin, cos) = (TAU * f64::from(i) / 1e5).sin_cos();
        Vec3::new(cos, sin, 0.0)
    });
    let points: Vec<Vec3> = rim.chain([Vec3::Z]).collect();
    measure(bencher, &points, PI / 3.0, 1e-6);
}

#[divan::bench]
fn twenty_points_on_sphere(bencher: Bencher) {
    measure(bencher, &on_sphere(20, 3), 4.0 / 3.0 * PI, 0.6);
}

/// Checks Euler's formula and that the volume is below the expected one by at most a fraction `missing`, then measures.
fn measure(bencher: Bencher, points: &[Vec3], volume: f64, missing: f64) {
    let build = || Polytope::from_points(points).expect("the points are not flat");
    let hull = build();
    hull.validate();
    let found = hull.volume();
    let rounding = 1e-12 * volume;
    assert!(found <= volume + rounding, "volume {found} of {volume}");
    assert!(
        found >= volume * (1.0 - missing) - rounding,
        "volume {found} of {volume}"
    );
    bencher.bench(build);
}
