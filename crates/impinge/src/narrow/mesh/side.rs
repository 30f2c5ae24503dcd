//! A placed mesh, as queries see it.

use super::frame::Frame;
use super::triangles::Part;
use crate::contact::Feature;
use crate::math::{Pose, Vec3};
use crate::shape::{Child, MeshTree, Obb, Placed, Shape, Slot, TriMesh};

/// A mesh at a pose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) mesh: &'a TriMesh,
    pub(super) tree: &'a MeshTree,
    pub(super) pose: &'a Pose,
    /// Whether its inside belongs to it.
    pub(super) is_solid: bool,
}

impl<'a> Side<'a> {
    /// `None` for a shape that is neither a mesh nor a solid.
    pub(super) fn of(placed: &'a Placed<'_>) -> Option<Side<'a>> {
        let (mesh, is_solid) = match placed.shape {
            Shape::Mesh(mesh) => (&**mesh, false),
            Shape::Solid(solid) => (solid.mesh(), true),
            Shape::Sphere(_)
            | Shape::Cuboid(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Polytope(_)
            | Shape::Rounded(_)
            | Shape::Custom(_) => return None,
        };
        Some(Side {
            mesh,
            tree: mesh.tree(),
            pose: &placed.pose,
            is_solid,
        })
    }

    pub(super) fn frame(&self) -> Frame<'a> {
        Frame::of_tree(self.tree, self.pose)
    }

    /// The placed corners of a triangle.
    #[inline]
    pub(super) fn placed(&self, triangle: u32) -> [Vec3; 3] {
        let corners = self.mesh.corners(triangle as usize);
        corners.map(|corner| self.pose.place(corner))
    }

    /// Whether there is a triangle of that number.
    pub(super) fn has(&self, triangle: u32) -> bool {
        (triangle as usize) < self.mesh.triangles().len()
    }

    /// The name of a part of a triangle.
    pub(super) fn feature(&self, triangle: u32, part: Part) -> Feature {
        part.feature(triangle, self.mesh.triangles()[triangle as usize])
    }

    /// The box of a slot and what is in it.
    #[inline(always)]
    pub(super) fn opened(&self, slot: Slot) -> (Obb, Child) {
        (self.tree.obb(slot), self.tree.child(slot))
    }
}
