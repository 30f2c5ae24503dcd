//! Where triangles come from, and the tree over them: stored in a mesh, or made of a height field when they are asked for.

use crate::math::{Aabb, Vec3};
use crate::shape::{Block, Child, HeightField, MeshTree, Node, Obb, Shape, Slot, TriMesh};

/// The triangles of a shape, in its own frame.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) enum Surface<'a> {
    /// They are stored.
    Mesh(&'a TriMesh, &'a MeshTree),
    /// They are made when they are asked for.
    Field(&'a HeightField),
}

impl<'a> Surface<'a> {
    /// `None` for a shape that is not made of triangles.
    pub(in crate::narrow) fn of(shape: &'a Shape) -> Option<Surface<'a>> {
        if let Shape::HeightField(field) = shape {
            return Some(Surface::Field(field));
        }
        shape.as_mesh().map(Surface::of_mesh)
    }

    pub(in crate::narrow) fn of_mesh(mesh: &'a TriMesh) -> Surface<'a> {
        Surface::Mesh(mesh, mesh.tree())
    }

    /// The origin of the tree's frame.
    pub(in crate::narrow) fn center(&self) -> Vec3 {
        match self {
            Surface::Mesh(_, tree) => tree.center(),
            Surface::Field(field) => field.tree_center(),
        }
    }

    /// The unit of length of the tree's frame.
    pub(in crate::narrow) fn unit(&self) -> f64 {
        match self {
            Surface::Mesh(_, tree) => tree.unit(),
            Surface::Field(field) => field.tree_unit(),
        }
    }

    /// The corners of a triangle.
    #[inline]
    pub(in crate::narrow) fn corners(&self, triangle: u32) -> [Vec3; 3] {
        match self {
            Surface::Mesh(mesh, _) => mesh.corners(triangle as usize),
            Surface::Field(field) => field.corners_of(triangle),
        }
    }

    /// The numbers of the vertices of a triangle.
    pub(in crate::narrow) fn vertices_of(&self, triangle: u32) -> [u32; 3] {
        match self {
            Surface::Mesh(mesh, _) => mesh.triangles()[triangle as usize],
            Surface::Field(field) => field.vertices_of(triangle),
        }
    }

    /// Whether there is a triangle of that number.
    pub(in crate::narrow) fn has(&self, triangle: u32) -> bool {
        match self {
            Surface::Mesh(mesh, _) => (triangle as usize) < mesh.triangles().len(),
            Surface::Field(field) => field.has(triangle),
        }
    }

    /// The numbers of all triangles.
    pub(in crate::narrow) fn numbers(&self) -> Box<dyn Iterator<Item = u32> + 'a> {
        match self {
            Surface::Mesh(mesh, _) => Box::new(0..mesh.triangles().len() as u32),
            Surface::Field(field) => Box::new(field.triangle_numbers()),
        }
    }

    /// The box around all triangles.
    pub(in crate::narrow) fn bounds(&self) -> Aabb {
        match self {
            Surface::Mesh(mesh, _) => mesh.bounds(),
            Surface::Field(field) => field.bounds(),
        }
    }

    /// A triangle of each connected part.
    pub(in crate::narrow) fn parts(&self) -> &'a [u32] {
        match self {
            Surface::Mesh(mesh, _) => mesh.parts(),
            Surface::Field(field) => field.parts(),
        }
    }

    /// The box of a slot and what is in it.
    #[inline(always)]
    pub(in crate::narrow) fn opened(&self, slot: Slot) -> (Obb, Child) {
        match self {
            Surface::Mesh(_, tree) => (tree.obb(slot), tree.child(slot)),
            Surface::Field(field) => field.opened(slot),
        }
    }

    /// What is in the box of a slot.
    #[inline(always)]
    pub(in crate::narrow) fn child(&self, slot: Slot) -> Child {
        match self {
            Surface::Mesh(_, tree) => tree.child(slot),
            Surface::Field(field) => field.child(slot),
        }
    }

    /// A node, which may have to be made.
    #[inline(always)]
    pub(in crate::narrow) fn node<'n>(&'n self, index: u32, made: &'n mut Node) -> &'n Node {
        match self {
            Surface::Mesh(_, tree) => tree.node(index),
            Surface::Field(field) => {
                *made = field.node(index);
                made
            }
        }
    }

    /// A leaf, which may have to be made.
    #[inline(always)]
    pub(in crate::narrow) fn block<'n>(&'n self, index: u32, made: &'n mut Block) -> &'n Block {
        match self {
            Surface::Mesh(_, tree) => tree.block(index),
            Surface::Field(field) => {
                *made = field.block(index);
                made
            }
        }
    }
}
