//! Principal axes: the eigenvectors of covariance matrices.

use super::{Mat3, Vec3};

/// Sums over a surface from which its covariance matrix comes, that of Gottschalk, Lin and Manocha (OBBTree, 1996): integrals, so
/// that small triangles do not pull at the axes. Coordinates should be small where the surface is: about one of its points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfaceMoments {
    area: f64,
    first: Vec3,
    second: Mat3,
}

impl SurfaceMoments {
    /// Those of no triangles.
    pub(crate) const NONE: SurfaceMoments = SurfaceMoments {
        area: 0.0,
        first: Vec3::ZERO,
        second: Mat3::ZERO,
    };

    /// Adds a triangle.
    #[inline(always)]
    pub(crate) fn add(&mut self, [p, q, r]: [Vec3; 3]) {
        let own = (q - p).cross(r - p).length();
        let sum = p + q + r;
        self.area += own;
        self.first += sum * (own / 3.0);
        // The integral over a triangle of the products of coordinates.
        self.second += (outer(sum) + outer(p) + outer(q) + outer(r)) * (own / 12.0);
    }

    /// The covariance matrix; `None` for a surface without area.
    pub(crate) fn covariance(&self) -> Option<Mat3> {
        (self.area > 0.0).then(|| {
            let mean = self.first / self.area;
            self.second * (1.0 / self.area) - outer(mean)
        })
    }
}

/// The product of a column and a row.
#[inline]
pub(crate) fn outer(v: Vec3) -> Mat3 {
    Mat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// The eigenvectors and eigenvalues of a symmetric matrix, by rotations in one plane at a time (Jacobi 1846).
pub(crate) fn eigenvectors(mut matrix: Mat3) -> (Mat3, [f64; 3]) {
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
