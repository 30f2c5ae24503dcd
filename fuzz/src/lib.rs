//! What the fuzz targets share: bytes to points and shapes, and the same questions answered by big integers.

mod decode;
pub mod models;
mod oracle;
/// The oracle of the property tests, as it is.
#[path = "../../crates/impinge/tests/it/rational.rs"]
mod rational;
pub mod shapes;

pub use decode::Bytes;
pub use oracle::{
    compare_along, in_sphere, is_beyond_shared, normal_component, orientation, side_of_plane,
};

use impinge::Vec3;

/// Whether the hulls of two point sets have a point in common.
pub fn hulls_intersect(a: &[Vec3], b: &[Vec3]) -> bool {
    rational::hulls_intersect(a, b)
}

/// The six orders of the corners of a triangle, those of one orientation first.
pub fn orders([a, b, c]: [Vec3; 3]) -> [[Vec3; 3]; 6] {
    [
        [a, b, c],
        [b, c, a],
        [c, a, b],
        [a, c, b],
        [c, b, a],
        [b, a, c],
    ]
}

/// The point with its axes renamed in a circle, which is a rotation.
pub fn cycled(p: Vec3) -> Vec3 {
    Vec3::new(p.y, p.z, p.x)
}

/// The point with two axes swapped, which is a reflection.
pub fn swapped(p: Vec3) -> Vec3 {
    Vec3::new(p.y, p.x, p.z)
}
