//! What a bounding volume must know.

use super::frame::Relative;
use crate::math::Vec3;
use std::fmt::Debug;

/// Whether two volumes are apart by a gap, less all errors.
#[inline]
pub(super) fn is_apart(gap: f64) -> bool {
    gap > 0.0
}

/// A volume around triangles.
///
/// Volumes are given in the frame of their tree ([`TreeFrame`](super::TreeFrame)), where all coordinates are at most 2
/// in absolute value. Volumes of two trees are compared in the frame of the first. There, [`Relative::error`] covers
///
/// - what placing the vertices rounds, poses that are not quite rotations, and coordinates rounded on their way into
///   the frame;
/// - volumes that hold their triangles only up to `16 EPSILON` on either side;
/// - tests whose result is off by at most `512 EPSILON` times [`Relative::reach`], the largest number involved.
///
/// So a test need not care for rounding beyond that: it says "apart" when it finds a gap of more than the error. Where
/// numbers are so extreme that nothing can be said, the error is infinite, and all other numbers are ordinary.
pub trait Bound: Clone + Debug + Send + Sync {
    /// What tests need to know about two frames, computed once for two poses.
    type Relation: Debug;

    /// A volume around triangles, of which there is at least one.
    fn fit(triangles: &[[Vec3; 3]]) -> Self;

    /// What the tests need to know about two frames.
    fn relate(relative: &Relative) -> Self::Relation;

    /// Whether the triangles in two volumes may share a point: never wrongly no. The other is in the second frame.
    fn overlaps(&self, other: &Self, relation: &Self::Relation) -> bool;

    /// A number that is never above the distance of the triangles in two volumes, in units of the first frame. May be
    /// negative. Once it is above `enough`, a larger one is of no use.
    fn distance_below(&self, other: &Self, relation: &Self::Relation, enough: f64) -> f64;

    /// How large it is in units of its frame: of two volumes that may overlap the larger is opened first.
    fn size(&self) -> f64;

    /// The memory it takes.
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}
