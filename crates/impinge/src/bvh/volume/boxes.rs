//! Two boxes that are turned against each other: the fifteen axes of Gottschalk, Lin and Manocha (OBBTree, 1996).
//!
//! Two boxes are apart exactly when their projections are, on a normal of one of them or on a cross product of an edge
//! of one and an edge of the other. With everything in the frame of the first box, the products of axes are the entries
//! of the rotation `R` between the boxes.
//!
//! **Error.** The gap along an axis `L` is the gap times `|L|`, which is at most 1: a gap above the error is one of at
//! least that size. Numbers are at most the reach, and each gap is a sum of at most nine products with two roundings
//! each and those of `R`: less than `64 u` times the reach. Where gaps are divided by `|L|`, that is at least 1/8.
//!
//! The distance of two boxes has no closed form as short; a bound from below is the largest of: the distance of the
//! first box to the second's box along the axes of the first, the same the other way round, and the gaps along cross
//! products.

use crate::math::{Mat3, Vec3};

/// Two boxes in the frame of the first: it is centred and upright.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes {
    /// Half the edges of the first.
    pub(super) half_a: Vec3,
    /// Half the edges of the second.
    pub(super) half_b: Vec3,
    /// The axes of the second, as columns.
    pub(super) rotation: Mat3,
    /// Absolute values of the same.
    pub(super) absolute: Mat3,
    /// The middle of the second.
    pub(super) shift: Vec3,
}

/// The absolute values of a matrix.
pub(super) fn absolute(m: &Mat3) -> Mat3 {
    Mat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

impl Boxes {
    /// Whether no axis shows a gap of more than the error.
    #[inline]
    pub(super) fn overlap(&self, error: f64) -> bool {
        let is_apart = |gaps: Vec3| gaps.cmpgt(Vec3::splat(error)).any();
        if is_apart(self.gaps_a()) || is_apart(self.gaps_b()) {
            return false;
        }
        !(0..3).any(|j| is_apart(self.edge_gaps(j)))
    }

    /// Not above the distance of the boxes by more than the error; negative when they overlap. Stops above `enough`.
    #[inline]
    pub(super) fn distance(&self, enough: f64) -> f64 {
        let length = |gaps: Vec3| {
            let widest = gaps.max_element();
            if widest > 0.0 {
                gaps.max(Vec3::ZERO).length()
            } else {
                widest
            }
        };
        let mut best = length(self.gaps_a());
        if best <= enough {
            best = best.max(length(self.gaps_b()));
        }
        for j in 0..3 {
            if best > enough {
                break;
            }
            best = best.max(self.edge_distance(j));
        }
        best
    }

    /// The gaps along the axes of the first.
    #[inline]
    fn gaps_a(&self) -> Vec3 {
        self.shift.abs() - self.half_a - self.absolute * self.half_b
    }

    /// The gaps along the axes of the second.
    #[inline]
    fn gaps_b(&self) -> Vec3 {
        let (r, s) = (&self.rotation, &self.absolute);
        let along =
            |m: &Mat3, v: Vec3| Vec3::new(m.x_axis.dot(v), m.y_axis.dot(v), m.z_axis.dot(v));
        along(r, self.shift).abs() - self.half_b - along(s, self.half_a)
    }

    /// The gaps along the cross products of the axes of the first with axis `j` of the second.
    #[inline]
    fn edge_gaps(&self, j: usize) -> Vec3 {
        let (axis, size) = (self.rotation.col(j), self.absolute.col(j));
        let (next, last) = ((j + 1) % 3, (j + 2) % 3);
        let own = Vec3::new(
            self.half_a.y * size.z + self.half_a.z * size.y,
            self.half_a.z * size.x + self.half_a.x * size.z,
            self.half_a.x * size.y + self.half_a.y * size.x,
        );
        let other = self.absolute.col(last) * self.half_b[next]
            + self.absolute.col(next) * self.half_b[last];
        axis.cross(self.shift).abs() - own - other
    }

    /// The largest of these gaps, divided by the lengths of the products.
    #[inline]
    fn edge_distance(&self, j: usize) -> f64 {
        // Below this, the normals say as much.
        const SHORTEST: f64 = 1.0 / 64.0;
        let gaps = self.edge_gaps(j);
        let squares = self.rotation.col(j) * self.rotation.col(j);
        let squares = Vec3::new(
            squares.y + squares.z,
            squares.z + squares.x,
            squares.x + squares.y,
        );
        let mut best = f64::NEG_INFINITY;
        for i in 0..3 {
            if gaps[i] > 0.0 && squares[i] >= SHORTEST {
                best = best.max(gaps[i] / squares[i].sqrt());
            }
        }
        best
    }
}
