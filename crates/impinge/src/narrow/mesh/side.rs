//! A placed mesh or height field, as queries see it.

use super::frame::Frame;
use super::surface::Surface;
use super::triangles::Part;
use crate::contact::Feature;
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Block, Child, Node, Obb, Placed, Shape, Slot, TriMesh};

/// Triangles at a pose, and the tree over them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    surface: Surface<'a>,
    pub(super) pose: &'a Pose,
    /// Whether its inside belongs to it.
    pub(super) is_solid: bool,
}

/// Room for what a height field makes.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) node: Node,
    pub(super) blocks: [Block; 2],
}

impl Made {
    pub(super) const NEW: Made = Made {
        node: Node::NEW,
        blocks: [Block::NEW; 2],
    };
}

impl<'a> Side<'a> {
    /// `None` for a shape that is not made of triangles.
    pub(super) fn of(placed: &'a Placed<'_>) -> Option<Side<'a>> {
        Some(Side {
            surface: Surface::of(placed.shape)?,
            pose: &placed.pose,
            is_solid: matches!(placed.shape, Shape::Solid(_)),
        })
    }

    /// A mesh without an inside.
    pub(super) fn of_mesh(mesh: &'a TriMesh, pose: &'a Pose) -> Side<'a> {
        Side {
            surface: Surface::of_mesh(mesh),
            pose,
            is_solid: false,
        }
    }

    /// The same without its inside.
    pub(super) fn surface(self) -> Side<'a> {
        Side {
            is_solid: false,
            ..self
        }
    }

    pub(super) fn frame(&self) -> Frame<'a> {
        Frame {
            pose: self.pose,
            center: self.surface.center(),
            unit: self.surface.unit(),
        }
    }

    /// The placed corners of a triangle.
    #[inline]
    pub(super) fn placed(&self, triangle: u32) -> [Vec3; 3] {
        let corners = self.surface.corners(triangle);
        corners.map(|corner| self.pose.place(corner))
    }

    /// Whether there is a triangle of that number.
    pub(super) fn has(&self, triangle: u32) -> bool {
        self.surface.has(triangle)
    }

    /// The numbers of all triangles.
    pub(super) fn numbers(&self) -> Box<dyn Iterator<Item = u32> + 'a> {
        self.surface.numbers()
    }

    /// All placed triangles.
    pub(super) fn all_placed(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.numbers().map(|triangle| self.placed(triangle))
    }

    /// The box around it in its own frame.
    pub(super) fn bounds(&self) -> Aabb {
        self.surface.bounds()
    }

    /// The numbers of the vertices of a triangle.
    pub(super) fn vertices_of(&self, triangle: u32) -> [u32; 3] {
        self.surface.vertices_of(triangle)
    }

    /// A triangle of each connected part.
    pub(super) fn parts(&self) -> &'a [u32] {
        self.surface.parts()
    }

    /// The name of a part of a triangle.
    pub(super) fn feature(&self, triangle: u32, part: Part) -> Feature {
        part.feature(triangle, self.vertices_of(triangle))
    }

    /// The box of a slot and what is in it.
    #[inline(always)]
    pub(super) fn opened(&self, slot: Slot) -> (Obb, Child) {
        self.surface.opened(slot)
    }

    /// What is in the box of a slot.
    #[inline(always)]
    pub(super) fn child(&self, slot: Slot) -> Child {
        self.surface.child(slot)
    }

    /// A node, which may have to be made.
    #[inline(always)]
    pub(super) fn node<'n>(&'n self, index: u32, made: &'n mut Node) -> &'n Node {
        self.surface.node(index, made)
    }

    /// A leaf, which may have to be made.
    #[inline(always)]
    pub(super) fn block<'n>(&'n self, index: u32, made: &'n mut Block) -> &'n Block {
        self.surface.block(index, made)
    }
}
