//! Principal axes of triangles.

use crate::math::{Mat3, Vec3};

/// The eigenvectors of the covariance matrix of all points of some triangles, each counted by its area; the longest
/// extent first. Orthonormal up to a few roundings, also for triangles without area.
///
/// The matrix is that of Gottschalk, Lin and Manocha (OBBTree, 1996): an integral over the surface, so that small
/// triangles do not pull at the axes.
pub(in crate::bvh) fn principal_axes(triangles: &[[Vec3; 3]]) -> [Vec3; 3] {
    let origin = triangles.first().map_or(Vec3::ZERO, |[p, ..]| *p);
    let (mut area, mut first, mut second) = (0.0, Vec3::ZERO, Mat3::ZERO);
    for triangle in triangles {
        let [p, q, r] = triangle.map(|corner| corner - origin);
        let own = (q - p).cross(r - p).length();
        let sum = p + q + r;
        area += own;
        first += sum * (own / 3.0);
        // The integral over a triangle of the products of coordinates.
        second += (outer(sum) + outer(p) + outer(q) + outer(r)) * (own / 12.0);
    }
    if area > 0.0 {
        let mean = first / area;
        axes_of(second * (1.0 / area) - outer(mean))
    } else {
        principal_axes_of_points(triangles.iter().flatten().copied())
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

fn outer(v: Vec3) -> Mat3 {
    Mat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The eigenvectors of a symmetric matrix, that of the largest eigenvalue first.
fn axes_of(matrix: Mat3) -> [Vec3; 3] {
    let (vectors, values) = diagonalize(matrix);
    let mut order = [0, 1, 2];
    order.sort_by(|i, j| values[*j].total_cmp(&values[*i]));
    let first = vectors.col(order[0]).normalize();
    // What many rotations rounded is put right again.
    let second = vectors.col(order[1]);
    let second = (second - first * first.dot(second)).normalize();
    [first, second, first.cross(second)]
}

/// The eigenvectors and eigenvalues of a symmetric matrix, by rotations in one plane at a time (Jacobi 1846).
fn diagonalize(mut matrix: Mat3) -> (Mat3, [f64; 3]) {
    const SWEEPS: usize = 8;
    let mut vectors = Mat3::IDENTITY;
    for _ in 0..SWEEPS {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let off = matrix.col(j)[i];
            let (low, high) = (matrix.col(i)[i], matrix.col(j)[j]);
            if off.abs() <= f64::EPSILON * 1e-3 * (low.abs() + high.abs()) {
                continue;
            }
            let ratio = (high - low) / (2.0 * off);
            let tangent = 1.0_f64.copysign(ratio) / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let mut turn = Mat3::IDENTITY;
            turn.col_mut(i)[i] = cosine;
            turn.col_mut(j)[j] = cosine;
            turn.col_mut(i)[j] = -sine;
            turn.col_mut(j)[i] = sine;
            matrix = turn.transpose() * matrix * turn;
            vectors *= turn;
        }
    }
    (vectors, [0, 1, 2].map(|k| matrix.col(k)[k]))
}
