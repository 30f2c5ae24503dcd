//! Random convex polytopes.

use crate::points;
use impinge::{Error, Polytope};

/// A polytope of about unit radius with `faces` triangular faces: the hull of random points on the unit sphere.
///
/// A hull of `n` points in general position on a sphere has `2 n - 4` triangles, so `faces` must be even and at least 4.
///
/// ```
/// # use impinge_scenes::polytopes::random_polytope;
/// let polytope = random_polytope(36, 1)?;
/// assert_eq!((polytope.vertices().len(), polytope.face_count()), (20, 36));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn random_polytope(faces: usize, seed: u64) -> Result<Polytope, Error> {
    if faces < 4 || !faces.is_multiple_of(2) {
        return Err(Error::OutOfRange {
            what: "number of faces".to_owned(),
            value: faces as f64,
            expected: "an even number, at least 4",
        });
    }
    Polytope::from_points(&points::on_sphere(faces / 2 + 2, seed))
}
