//! Position and orientation: a 3 x 3 matrix and a translation.
//!
//! The matrix is kept as given, not as a quaternion, so that quarter turns are exact and a matrix from elsewhere gives
//! the answers that its owner computed with it. [`Pose::place`] is the one function that turns a vertex into a placed
//! vertex; everything exact in this crate is about its results.

use super::{Mat3, Quat, Vec3, require_finite};
use crate::ahead;
use crate::error::Error;
use fearless_simd::{Simd, f64x4, prelude::*};

/// Where a body is and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
// In this order, so that the last four numbers are read at once.
#[repr(C)]
pub struct Pose {
    matrix: Mat3,
    translation: Vec3,
    deviation: f64,
}

impl Pose {
    /// Asks for its memory, which is two or three lines.
    #[inline(always)]
    pub(crate) fn fetch(&self) {
        ahead::fetch_start(&self.matrix);
        ahead::fetch_start(&self.translation);
        ahead::fetch_start(&self.deviation);
    }

    /// At the origin, not turned.
    pub const IDENTITY: Pose = Pose {
        matrix: Mat3::IDENTITY,
        translation: Vec3::ZERO,
        deviation: 0.0,
    };

    /// How far from unit length a quaternion, or from a rotation a matrix, may be.
    pub const ROTATION_TOLERANCE: f64 = 1e-6;

    /// Moved, not turned.
    ///
    /// ```
    /// # use impinge::{Pose, Vec3};
    /// let up = Pose::from_translation(Vec3::Z)?;
    /// assert_eq!(up.place(Vec3::X), Vec3::new(1.0, 0.0, 1.0));
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn from_translation(translation: Vec3) -> Result<Pose, Error> {
        Pose::from_matrix(Mat3::IDENTITY, translation)
    }

    /// Turned by a quaternion within [`Pose::ROTATION_TOLERANCE`] of unit length, which is normalised, then moved.
    pub fn from_quat(rotation: Quat, translation: Vec3) -> Result<Pose, Error> {
        if !rotation.is_finite() {
            return Err(Error::NonFinite {
                what: "quaternion".to_owned(),
            });
        }
        let deviation = (rotation.length() - 1.0).abs();
        if deviation > Pose::ROTATION_TOLERANCE {
            return Err(Error::NotARotation { deviation });
        }
        Pose::from_matrix(Mat3::from_quat(rotation.normalize()), translation)
    }

    /// Turned about `axis` (of any length but zero) by `angle` radians, then moved.
    pub fn from_axis_angle(axis: Vec3, angle: f64, translation: Vec3) -> Result<Pose, Error> {
        require_finite(axis, || "rotation axis".to_owned())?;
        require_finite(Vec3::splat(angle), || "rotation angle".to_owned())?;
        let axis = axis.try_normalize().ok_or(Error::OutOfRange {
            what: "length of the rotation axis".to_owned(),
            value: axis.length(),
            expected: "more than 0",
        })?;
        Pose::from_matrix(Mat3::from_axis_angle(axis, angle), translation)
    }

    /// Turned by a matrix within [`Pose::ROTATION_TOLERANCE`] of a rotation, which is used exactly as given, then moved.
    pub fn from_matrix(matrix: Mat3, translation: Vec3) -> Result<Pose, Error> {
        require_finite(translation, || "translation".to_owned())?;
        for (column, name) in [
            (matrix.x_axis, "rotation matrix, first column"),
            (matrix.y_axis, "rotation matrix, second column"),
            (matrix.z_axis, "rotation matrix, third column"),
        ] {
            require_finite(column, || name.to_owned())?;
        }
        let deviation = deviation_from_rotation(&matrix);
        // Written so that an overflow to infinity or NaN is refused too.
        if deviation <= Pose::ROTATION_TOLERANCE {
            Ok(Pose {
                matrix,
                translation,
                deviation,
            })
        } else {
            Err(Error::NotARotation { deviation })
        }
    }

    /// The matrix, exactly as it is used.
    #[inline]
    pub fn matrix(&self) -> &Mat3 {
        &self.matrix
    }

    /// The translation.
    #[inline]
    pub fn translation(&self) -> Vec3 {
        self.translation
    }

    /// How far the matrix is from a rotation: the largest entry of `M^T M - I`, in absolute value.
    #[inline]
    pub fn deviation(&self) -> f64 {
        self.deviation
    }

    /// All of its numbers, four by four: the matrix column by column, where the third four repeat three of the second, then the
    /// translation and the deviation.
    #[inline(always)]
    pub(crate) fn in_fours<S: Simd>(&self, simd: S) -> [f64x4<S>; 4] {
        let [first, second, third] = {
            let [a, b, c, d, e, f, g, h, i] = self.matrix.as_ref();
            [[*a, *b, *c, *d], [*e, *f, *g, *h], [*f, *g, *h, *i]]
        };
        let [x, y, z] = self.translation.to_array();
        [
            f64x4::load_array_ref(simd, &first),
            f64x4::load_array_ref(simd, &second),
            f64x4::load_array_ref(simd, &third),
            f64x4::load_array_ref(simd, &[x, y, z, self.deviation]),
        ]
    }

    /// The columns of the matrix, and the translation; behind each a number of no meaning. Each is read at once.
    #[inline(always)]
    pub(crate) fn columns<S: Simd>(&self, simd: S) -> [f64x4<S>; 4] {
        let numbers: &[f64; 9] = self.matrix.as_ref();
        let four = |start: usize| {
            let four = numbers[start..].first_chunk::<4>();
            four.expect("there are nine numbers")
        };
        let third = f64x4::load_array_ref(simd, four(5));
        let [x, y, z] = self.translation.to_array();
        [
            f64x4::load_array_ref(simd, four(0)),
            f64x4::load_array_ref(simd, four(3)),
            // One before it.
            third.slide::<1>(third),
            f64x4::load_array_ref(simd, &[x, y, z, self.deviation]),
        ]
    }

    /// The placed vertex: `M * v + t`, each coordinate as `((m0 * x + m1 * y) + m2 * z) + t`, each step rounded.
    ///
    /// This order is part of the contract: answers are exact statements about these numbers.
    #[inline]
    pub fn place(&self, v: Vec3) -> Vec3 {
        self.rotate(v) + self.translation
    }

    /// The placed vertex, with coordinates beyond the range of `f64` taken at its end: there is no other for questions that have to be answered
    /// whatever the size.
    pub(crate) fn place_in_range(&self, v: Vec3) -> Vec3 {
        let p = self.place(v);
        if p.is_finite() {
            p
        } else {
            // An overflow in the middle of the sum: once more at an eighth of the size, where there is none.
            let eighth = self.rotate(v * 0.125) + self.translation * 0.125;
            eighth.clamp(-Vec3::MAX * 0.125, Vec3::MAX * 0.125) * 8.0
        }
    }

    /// `M * v`, rounded as in [`Pose::place`].
    #[inline]
    pub fn rotate(&self, v: Vec3) -> Vec3 {
        let m = &self.matrix;
        (m.x_axis * v.x + m.y_axis * v.y) + m.z_axis * v.z
    }

    /// `M^T * v`: a world direction seen by the body.
    #[inline]
    pub fn unrotate(&self, v: Vec3) -> Vec3 {
        let m = &self.matrix;
        Vec3::new(m.x_axis.dot(v), m.y_axis.dot(v), m.z_axis.dot(v))
    }

    /// A world point in body coordinates, rounded; the inverse of [`Pose::place`] up to rounding and [`Pose::deviation`].
    pub fn unplace(&self, p: Vec3) -> Vec3 {
        self.unrotate(p - self.translation)
    }

    /// First `inner`, then `self`, rounded.
    pub fn compose(&self, inner: &Pose) -> Pose {
        self.compose_unmeasured(&inner.unmeasured()).measure()
    }

    /// [`Pose::compose`] without the deviation: for products of which only the last is wanted.
    #[inline]
    pub(crate) fn compose_unmeasured(&self, inner: &Unmeasured) -> Unmeasured {
        Unmeasured {
            matrix: self.matrix * inner.matrix,
            translation: self.place(inner.translation),
        }
    }

    /// The same without the deviation.
    #[inline]
    pub(crate) fn unmeasured(&self) -> Unmeasured {
        Unmeasured {
            matrix: self.matrix,
            translation: self.translation,
        }
    }

    /// The pose that undoes this one, up to rounding and [`Pose::deviation`].
    pub fn inverse(&self) -> Pose {
        Pose {
            matrix: self.matrix.transpose(),
            translation: -self.unrotate(self.translation),
            deviation: self.deviation,
        }
    }

    /// `other` seen from `self`: the pose that algorithms call `relative`.
    pub fn relative(&self, other: &Pose) -> Pose {
        self.inverse().compose(other)
    }

    /// The rotation as a unit quaternion, rounded.
    pub fn rotation(&self) -> Quat {
        Quat::from_mat3(&self.matrix).normalize()
    }
}

/// A matrix and a translation of which it is not known how far from a rotation the matrix is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unmeasured {
    pub(crate) matrix: Mat3,
    pub(crate) translation: Vec3,
}

impl Unmeasured {
    /// The pose, whatever its deviation. The matrix must be a product of matrices that do not mirror, as those of poses do not.
    #[inline]
    pub(crate) fn measure(&self) -> Pose {
        Pose {
            matrix: self.matrix,
            translation: self.translation,
            deviation: deviation_of_product(&self.matrix),
        }
    }
}

impl Default for Pose {
    fn default() -> Pose {
        Pose::IDENTITY
    }
}

/// Largest entry of `M^T M - I`, or infinity for a matrix that mirrors.
fn deviation_from_rotation(m: &Mat3) -> f64 {
    if m.determinant() <= 0.0 {
        return f64::INFINITY;
    }
    deviation_of_product(m)
}

/// Largest entry of `M^T M - I`.
#[inline]
fn deviation_of_product(m: &Mat3) -> f64 {
    let Mat3 {
        x_axis: x,
        y_axis: y,
        z_axis: z,
    } = *m;
    // The product is symmetric to the last bit.
    let lengths = [x.dot(x) - 1.0, y.dot(y) - 1.0, z.dot(z) - 1.0];
    let products = [x.dot(y), y.dot(z), z.dot(x)];
    // One instruction each, unlike `f64::max`; NaN is passed over by both.
    let larger = |p: f64, q: f64| if p > q { p } else { q };
    let lengths = lengths
        .map(f64::abs)
        .into_iter()
        .fold(0.0, |p, q| larger(q, p));
    products
        .map(f64::abs)
        .into_iter()
        .fold(lengths, |p, q| larger(q, p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_exact() {
        let quarter = Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::Z);
        let pose = Pose::from_matrix(quarter, Vec3::new(0.1, 0.2, 0.3)).unwrap();
        assert_eq!(
            pose.place(Vec3::new(0.7, 0.0, 0.3)),
            Vec3::new(0.1, 0.7 + 0.2, 0.3 + 0.3)
        );
        assert!(pose.deviation() <= 0.0);
    }

    #[test]
    fn what_is_not_a_rotation_is_refused() {
        let mirror = Mat3::from_diagonal(Vec3::new(1.0, 1.0, -1.0));
        assert!(Pose::from_matrix(mirror, Vec3::ZERO).is_err());
        assert!(Pose::from_matrix(Mat3::IDENTITY * 1.001, Vec3::ZERO).is_err());
        assert!(Pose::from_matrix(Mat3::IDENTITY * f64::MAX, Vec3::ZERO).is_err());
        assert!(Pose::from_quat(Quat::from_xyzw(0.0, 0.0, 0.0, 1.1), Vec3::ZERO).is_err());
        assert!(Pose::from_translation(Vec3::new(0.0, f64::INFINITY, 0.0)).is_err());
    }

    #[test]
    fn inverse_undoes() {
        let pose =
            Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7, Vec3::new(4.0, 5.0, 6.0)).unwrap();
        let p = Vec3::new(-1.0, 0.5, 2.0);
        assert!(pose.inverse().place(pose.place(p)).distance(p) < 1e-14);
        assert!(pose.unplace(pose.place(p)).distance(p) < 1e-14);
        let relative = pose.relative(&pose);
        assert!(relative.place(p).distance(p) < 1e-14);
    }
}
