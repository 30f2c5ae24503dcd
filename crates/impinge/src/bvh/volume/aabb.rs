//! Boxes along the axes of the mesh (van den Bergen, Efficient Collision Detection of Complex Deformable Models using
//! AABB Trees, 1997).
//!
//! Boxes turn with the mesh, so two trees are compared like oriented boxes; but all boxes of a tree are turned the same
//! way, and the products of axes are computed once for two poses. **Error.** Middle and half edges are rounded twice:
//! see `boxes`.

use super::boxes::{Boxes, absolute};
use crate::bvh::bound::Bound;
use crate::bvh::frame::Relative;
use crate::math::{Aabb, Mat3, Vec3};

/// Two frames, and the absolute values of the rotation between them.
#[derive(Debug, Clone, Copy)]
pub struct AabbRelation {
    relative: Relative,
    absolute: Mat3,
}

impl AabbRelation {
    #[inline]
    fn boxes(&self, a: &Aabb, b: &Aabb) -> Boxes {
        Boxes {
            half_a: a.size() * 0.5,
            half_b: b.size() * (0.5 * self.relative.scale),
            rotation: self.relative.rotation,
            absolute: self.absolute,
            shift: self.relative.place(b.center()) - a.center(),
        }
    }
}

impl Bound for Aabb {
    type Relation = AabbRelation;

    fn fit(triangles: &[[Vec3; 3]]) -> Aabb {
        let points = triangles.iter().flatten().copied();
        Aabb::of_points(points).expect("there is at least one triangle")
    }

    fn relate(relative: &Relative) -> AabbRelation {
        AabbRelation {
            relative: *relative,
            absolute: absolute(&relative.rotation),
        }
    }

    #[inline]
    fn overlaps(&self, other: &Aabb, relation: &AabbRelation) -> bool {
        let boxes = relation.boxes(self, other);
        boxes.overlap(relation.relative.error)
    }

    #[inline]
    fn distance_below(&self, other: &Aabb, relation: &AabbRelation, enough: f64) -> f64 {
        let error = relation.relative.error;
        relation.boxes(self, other).distance(enough + error) - error
    }

    fn size(&self) -> f64 {
        Aabb::size(self).length()
    }
}
