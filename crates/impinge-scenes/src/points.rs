//! Point sets.
//!
//! Only arithmetic that IEEE 754 defines exactly is used (no sines), so that the bits do not depend on the platform.

use impinge::Vec3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points in the cube from -1 to 1 on each axis, evenly distributed.
pub fn in_cube(count: usize, seed: u64) -> Vec<Vec3> {
    cube_points(seed).take(count).collect()
}

/// Points in the unit ball, evenly distributed.
pub fn in_ball(count: usize, seed: u64) -> Vec<Vec3> {
    ball_points(seed).take(count).collect()
}

/// Points on the unit sphere, evenly distributed, each rounded.
///
/// ```
/// let points = impinge_scenes::points::on_sphere(100, 7);
/// assert!(points.iter().all(|p| (p.length() - 1.0).abs() < 1e-15));
/// ```
pub fn on_sphere(count: usize, seed: u64) -> Vec<Vec3> {
    // Very near the centre the direction has few bits.
    ball_points(seed)
        .filter(|p| p.length_squared() > 1e-6)
        .map(Vec3::normalize)
        .take(count)
        .collect()
}

/// Points with whole coordinates from 0 to `side - 1`, evenly distributed; many repeat, and many are coplanar.
///
/// # Panics
///
/// When `side` is 0.
pub fn on_grid(count: usize, side: u32, seed: u64) -> Vec<Vec3> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut coordinate = || f64::from(rng.random_range(0..side));
    (0..count)
        .map(|_| Vec3::new(coordinate(), coordinate(), coordinate()))
        .collect()
}

/// All points with whole coordinates from 0 to `side - 1`.
pub fn lattice(side: u32) -> Vec<Vec3> {
    let line = || (0..side).map(f64::from);
    line()
        .flat_map(|x| line().flat_map(move |y| line().map(move |z| Vec3::new(x, y, z))))
        .collect()
}

fn cube_points(seed: u64) -> impl Iterator<Item = Vec3> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let [x, y, z] = std::array::from_fn(|_| rng.random_range(-1.0..=1.0));
        Vec3::new(x, y, z)
    })
}

fn ball_points(seed: u64) -> impl Iterator<Item = Vec3> {
    cube_points(seed).filter(|p| p.length_squared() <= 1.0)
}
