//! A box in the frame of a body, and whether two of them, turned and moved, are apart.
//!
//! Two turned boxes are compared along the fifteen directions that can separate them: the edges of both, and their products
//! (Gottschalk, Lin and Manocha, OBBTree, 1996).
//!
//! **Rounding.** Let `a_i`, `b_j` be the columns of the two matrices as they are, `R = A^T B`, `D` the offset of the placed centres. Each
//! direction used is a sum of columns `a_i` or `b_j` with coefficients as computed, so that its product with `D` is off by a few
//! roundings only. What the boxes reach along it is computed as if the matrices were orthonormal; with `E` the sum of their
//! deviations, the products of columns are off by at most `8 E`, and by less than 8 EPSILON through rounding. Placed vertices are off
//! by the error of [`Pose::place`], less than 8 EPSILON times reach and translation. The slack of [`OwnBox::is_apart`] is above
//! all of that together, and above what underflow may take.

use crate::math::{Aabb, Mat3, Pose, Vec3};
use glam::swizzles::Vec3Swizzles;

/// A box in the frame of a body that holds all of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnBox {
    pub(crate) middle: Vec3,
    /// Half of the edges.
    pub(crate) half: Vec3,
    /// No point of the body, nor the middle, is farther from the origin than this.
    pub(crate) reach: f64,
}

impl OwnBox {
    /// That of a body whose points are all in a box.
    pub(crate) fn of(bounds: &Aabb) -> OwnBox {
        // Halved first, so that nothing overflows.
        let (min, max) = (bounds.min() * 0.5, bounds.max() * 0.5);
        let (middle, half) = (min + max, max - min);
        OwnBox {
            middle,
            half,
            reach: middle.abs().element_sum() + half.element_sum(),
        }
    }

    /// Whether two bodies are certainly apart, because their boxes are.
    pub(crate) fn is_apart(&self, pose: &Pose, other: &OwnBox, other_pose: &Pose) -> bool {
        let (a, b) = (self, other);
        let offset = other_pose.place(b.middle) - pose.place(a.middle);
        let turn = pose.matrix().transpose() * *other_pose.matrix();
        let [seen_by_a, seen_by_b] = [pose.unrotate(offset), other_pose.unrotate(offset)];
        let slack = slack([a, b], [pose, other_pose], offset);
        let reach = Mat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let beyond_a = seen_by_a.abs() - (a.half + reach * b.half);
        let beyond_b = seen_by_b.abs() - (b.half + reach.transpose() * a.half);
        // The largest over faces and edges; written so that NaN does not separate.
        beyond_a.max(beyond_b).max_element() > slack
            || beyond_edges([a.half, b.half], &turn, &reach, seen_by_a) > slack
    }
}

/// How far the boxes are apart along the products of their edges, at most.
#[inline]
fn beyond_edges([half_a, half_b]: [Vec3; 2], turn: &Mat3, reach: &Mat3, offset: Vec3) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for j in 0..3 {
        let [along, size] = [turn.col(j), reach.col(j)];
        let [next, last] = [reach.col((j + 1) % 3), reach.col((j + 2) % 3)];
        let [half_next, half_last] = [half_b[(j + 1) % 3], half_b[(j + 2) % 3]];
        // Edge i of the one times edge j of the other, for all i at once.
        let away = offset.cross(along).abs();
        let own = half_a.zxy() * size.yzx() + half_a.yzx() * size.zxy();
        let others = last * half_next + next * half_last;
        most = most.max((away - own - others).max_element());
    }
    most
}

/// More than all that rounding, underflow and matrices that are not quite rotations can do.
#[inline]
fn slack([a, b]: [&OwnBox; 2], poses: [&Pose; 2], offset: Vec3) -> f64 {
    let deviation = poses[0].deviation() + poses[1].deviation() + 2.0 * f64::EPSILON;
    let size = a.half.element_sum() + b.half.element_sum() + offset.abs().element_sum();
    let away = |pose: &Pose| pose.translation().abs().max_element();
    let placing = a.reach + b.reach + away(poses[0]) + away(poses[1]);
    16.0 * deviation * size + 32.0 * f64::EPSILON * placing + f64::MIN_POSITIVE
}
