//! A placed mesh or height field, as queries see it.

use super::frame::Frame;
use super::triangles::Part;
use crate::contact::Feature;
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Block, Child, HeightField, MeshTree, Node, Obb, Placed, Shape, Slot, TriMesh};

/// Triangles at a pose, and the tree over them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    surface: Surface<'a>,
    pub(super) pose: &'a Pose,
    /// Whether its inside belongs to it.
    pub(super) is_solid: bool,
}

/// Where triangles, nodes and leaves come from.
#[derive(Debug, Clone, Copy)]
enum Surface<'a> {
    /// They are stored.
    Mesh(&'a TriMesh, &'a MeshTree),
    /// They are made when they are asked for.
    Field(&'a HeightField),
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
        let (surface, is_solid) = match placed.shape {
            Shape::Mesh(mesh) => (Surface::Mesh(mesh, mesh.tree()), false),
            Shape::Solid(solid) => (Surface::Mesh(solid.mesh(), solid.mesh().tree()), true),
            Shape::HeightField(field) => (Surface::Field(field), false),
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
            surface,
            pose: &placed.pose,
            is_solid,
        })
    }

    /// A mesh without an inside.
    pub(super) fn of_mesh(mesh: &'a TriMesh, pose: &'a Pose) -> Side<'a> {
        Side {
            surface: Surface::Mesh(mesh, mesh.tree()),
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
        let (center, unit) = match self.surface {
            Surface::Mesh(_, tree) => (tree.center(), tree.unit()),
            Surface::Field(field) => (field.tree_center(), field.tree_unit()),
        };
        Frame {
            pose: self.pose,
            center,
            unit,
        }
    }

    /// The placed corners of a triangle.
    #[inline]
    pub(super) fn placed(&self, triangle: u32) -> [Vec3; 3] {
        let corners = match self.surface {
            Surface::Mesh(mesh, _) => mesh.corners(triangle as usize),
            Surface::Field(field) => field.corners_of(triangle),
        };
        corners.map(|corner| self.pose.place(corner))
    }

    /// Whether there is a triangle of that number.
    pub(super) fn has(&self, triangle: u32) -> bool {
        match self.surface {
            Surface::Mesh(mesh, _) => (triangle as usize) < mesh.triangles().len(),
            Surface::Field(field) => field.has(triangle),
        }
    }

    /// The numbers of all triangles.
    pub(super) fn numbers(&self) -> Box<dyn Iterator<Item = u32> + 'a> {
        match self.surface {
            Surface::Mesh(mesh, _) => Box::new(0..mesh.triangles().len() as u32),
            Surface::Field(field) => Box::new(field.triangle_numbers()),
        }
    }

    /// All placed triangles.
    pub(super) fn all_placed(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.numbers().map(|triangle| self.placed(triangle))
    }

    /// The box around it in its own frame.
    pub(super) fn bounds(&self) -> Aabb {
        match self.surface {
            Surface::Mesh(mesh, _) => mesh.bounds(),
            Surface::Field(field) => field.bounds(),
        }
    }

    /// The numbers of the vertices of a triangle.
    pub(super) fn vertices_of(&self, triangle: u32) -> [u32; 3] {
        match self.surface {
            Surface::Mesh(mesh, _) => mesh.triangles()[triangle as usize],
            Surface::Field(field) => field.vertices_of(triangle),
        }
    }

    /// A triangle of each connected part.
    pub(super) fn parts(&self) -> &'a [u32] {
        match self.surface {
            Surface::Mesh(mesh, _) => mesh.parts(),
            Surface::Field(field) => field.parts(),
        }
    }

    /// The name of a part of a triangle.
    pub(super) fn feature(&self, triangle: u32, part: Part) -> Feature {
        part.feature(triangle, self.vertices_of(triangle))
    }

    /// The box of a slot and what is in it.
    #[inline(always)]
    pub(super) fn opened(&self, slot: Slot) -> (Obb, Child) {
        match self.surface {
            Surface::Mesh(_, tree) => (tree.obb(slot), tree.child(slot)),
            Surface::Field(field) => field.opened(slot),
        }
    }

    /// What is in the box of a slot.
    #[inline(always)]
    pub(super) fn child(&self, slot: Slot) -> Child {
        match self.surface {
            Surface::Mesh(_, tree) => tree.child(slot),
            Surface::Field(field) => field.child(slot),
        }
    }

    /// A node, which may have to be made.
    #[inline(always)]
    pub(super) fn node<'n>(&'n self, index: u32, made: &'n mut Node) -> &'n Node {
        match self.surface {
            Surface::Mesh(_, tree) => tree.node(index),
            Surface::Field(field) => {
                *made = field.node(index);
                made
            }
        }
    }

    /// A leaf, which may have to be made.
    #[inline(always)]
    pub(super) fn block<'n>(&'n self, index: u32, made: &'n mut Block) -> &'n Block {
        match self.surface {
            Surface::Mesh(_, tree) => tree.block(index),
            Surface::Field(field) => {
                *made = field.block(index);
                made
            }
        }
    }
}
