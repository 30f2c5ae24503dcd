//! Oriented boxes (Gottschalk, Lin and Manocha, OBBTree, 1996).
//!
//! The axes are principal axes, of one of three things: the surface of the triangles ([`Bound::fit`]), their corners
//! ([`Obb::of_vertices`]), or the surface of the hull of sampled corners ([`Obb::of_hull`]), which rows of corners and
//! what is inside do not pull at. The box is then the smallest along these axes.
//!
//! **Error.** Axes are orthonormal within `8 u`. A corner at `x` from the middle is the sum of `e_i (e_i . x)` up to
//! `24 u |x|`, with `|x|` at most 7, and products have three roundings: half edges are rounded up by `96 EPSILON`.
//! **Cost.** A test turns one box into the frame of the other, sixty products, and tries up to fifteen axes.

use super::boxes::{Boxes, absolute};
use super::covariance::{principal_axes, principal_axes_of_points};
use super::sample::hull_of_sample;
use super::swept::extents;
use crate::bvh::bound::Bound;
use crate::bvh::frame::Relative;
use crate::math::{Mat3, Vec3};

/// A box turned in any way.
#[derive(Debug, Clone, Copy)]
pub struct Obb {
    center: Vec3,
    /// The axes, as columns.
    axes: Mat3,
    half: Vec3,
}

impl Obb {
    /// A box along the principal axes of the corners, each counted as often as it occurs.
    pub fn of_vertices(triangles: &[[Vec3; 3]]) -> Obb {
        let corners = triangles.iter().flatten().copied();
        Obb::along(principal_axes_of_points(corners), triangles)
    }

    /// A box along the principal axes of the surface of the hull of sampled corners. Where they are in a plane: of
    /// their own surface.
    pub fn of_hull(triangles: &[[Vec3; 3]]) -> Obb {
        let axes = match hull_of_sample(triangles) {
            Some(surface) => principal_axes(&surface),
            None => principal_axes(triangles),
        };
        Obb::along(axes, triangles)
    }

    /// The smallest box along given axes, which are orthonormal.
    fn along(axes: [Vec3; 3], triangles: &[[Vec3; 3]]) -> Obb {
        let (low, high) = extents(&axes, triangles);
        let axes = Mat3::from_cols(axes[0], axes[1], axes[2]);
        Obb {
            center: axes * ((low + high) * 0.5),
            axes,
            half: (high - low) * 0.5 + Vec3::splat(96.0 * f64::EPSILON),
        }
    }

    /// Both boxes in the frame of this one.
    #[inline]
    fn with(&self, other: &Obb, relative: &Relative) -> Boxes {
        let own = self.axes.transpose();
        let rotation = own * (relative.rotation * other.axes);
        Boxes {
            half_a: self.half,
            half_b: other.half * relative.scale,
            rotation,
            absolute: absolute(&rotation),
            shift: own * (relative.place(other.center) - self.center),
        }
    }
}

impl Bound for Obb {
    type Relation = Relative;

    fn fit(triangles: &[[Vec3; 3]]) -> Obb {
        Obb::along(principal_axes(triangles), triangles)
    }

    fn relate(relative: &Relative) -> Relative {
        *relative
    }

    #[inline]
    fn overlaps(&self, other: &Obb, relative: &Relative) -> bool {
        self.with(other, relative).overlap(relative.error)
    }

    #[inline]
    fn distance_below(&self, other: &Obb, relative: &Relative, enough: f64) -> f64 {
        let boxes = self.with(other, relative);
        boxes.distance(enough + relative.error) - relative.error
    }

    fn size(&self) -> f64 {
        self.half.length()
    }
}
