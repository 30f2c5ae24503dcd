//! Principal axes of triangles.

use crate::math::{Mat3, SurfaceMoments, Vec3, eigenvectors, outer};

/// The eigenvectors of the covariance matrix of all points of some triangles, each counted by its area; the longest
/// extent first. Orthonormal up to a few roundings, also for triangles without area.
pub(in crate::bvh) fn principal_axes(triangles: &[[Vec3; 3]]) -> [Vec3; 3] {
    let origin = triangles.first().map_or(Vec3::ZERO, |[p, ..]| *p);
    let mut moments = SurfaceMoments::NONE;
    for triangle in triangles {
        moments.add(triangle.map(|corner| corner - origin));
    }
    match moments.covariance() {
        Some(matrix) => axes_of(matrix),
        None => principal_axes_of_points(triangles.iter().flatten().copied()),
    }
}

/// The same for points, each counted once.
pub(in crate::bvh) fn principal_axes_of_points(
    points: impl Iterator<Item = Vec3> + Clone,
) -> [Vec3; 3] {
    let count = points.clone().count().max(1) as f64;
    let mean = points.clone().sum::<Vec3>() / count;
    axes_of(points.fold(Mat3::ZERO, |sum, p| sum + outer(p - mean)))
}

/// The eigenvectors of a symmetric matrix, that of the largest eigenvalue first.
fn axes_of(matrix: Mat3) -> [Vec3; 3] {
    let (vectors, values) = eigenvectors(matrix);
    let mut order = [0, 1, 2];
    order.sort_by(|i, j| values[*j].total_cmp(&values[*i]));
    let first = vectors.col(order[0]).normalize();
    // What many rotations rounded is put right again.
    let second = vectors.col(order[1]);
    let second = (second - first * first.dot(second)).normalize();
    [first, second, first.cross(second)]
}
