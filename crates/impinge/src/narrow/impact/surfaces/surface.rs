//! A shape as a set of convex pieces with boxes around them.

use crate::contact::Feature;
use crate::math::Vec3;
use crate::narrow::mesh::convex::{CoreBox, LARGEST, SLACK};
use crate::shape::{Child, MeshTree, Obb, Shape, Slot, TriMesh};

/// A mesh, whose pieces are its triangles, or a convex shape, which is one piece.
#[derive(Debug, Clone, Copy)]
pub(super) enum Surface<'a> {
    Mesh {
        mesh: &'a TriMesh,
        tree: &'a MeshTree,
    },
    Convex {
        shape: &'a Shape,
        /// A frame with the box of the core, and the radius around that.
        center: Vec3,
        unit: f64,
        obb: Obb,
        radius: f32,
        /// Whether `f32` can tell the size.
        is_ordinary: bool,
    },
}

impl<'a> Surface<'a> {
    pub(super) fn of_mesh(mesh: &'a TriMesh) -> Surface<'a> {
        let tree = mesh.tree();
        Surface::Mesh { mesh, tree }
    }

    /// The surface of a shape that is not a half-space; convex ones get the given unit.
    pub(super) fn of(shape: &'a Shape, unit: f64) -> Surface<'a> {
        if let Some(mesh) = shape.as_mesh() {
            return Surface::of_mesh(mesh);
        }
        let core = CoreBox::of(shape).expect("a half-space is not treated as a set of pieces");
        let half = core.half / unit;
        let half = half + Vec3::splat(SLACK * half.element_sum());
        Surface::Convex {
            shape,
            center: core.middle,
            unit,
            obb: Obb {
                center: [0.0; 3],
                axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                half: half.as_vec3().to_array(),
            },
            radius: ((core.radius / unit) as f32).next_up(),
            is_ordinary: half.max_element() <= LARGEST && core.radius <= LARGEST * unit,
        }
    }

    /// The origin of the frame of the boxes.
    pub(super) fn center(&self) -> Vec3 {
        match self {
            Surface::Mesh { tree, .. } => tree.center(),
            Surface::Convex { center, .. } => *center,
        }
    }

    /// The unit of length of that frame.
    pub(super) fn unit(&self) -> f64 {
        match self {
            Surface::Mesh { tree, .. } => tree.unit(),
            Surface::Convex { unit, .. } => *unit,
        }
    }

    pub(super) fn is_ordinary(&self) -> bool {
        match self {
            Surface::Mesh { .. } => true,
            Surface::Convex { is_ordinary, .. } => *is_ordinary,
        }
    }

    /// The box of a slot and what is in it; nothing smaller for a convex shape.
    #[inline(always)]
    pub(super) fn opened(&self, slot: Slot) -> (Obb, Option<Child>) {
        match self {
            Surface::Mesh { tree, .. } => (tree.obb(slot), Some(tree.child(slot))),
            Surface::Convex { obb, .. } => (*obb, None),
        }
    }

    /// What is around the boxes.
    #[inline(always)]
    pub(super) fn radius(&self) -> f32 {
        match self {
            Surface::Mesh { .. } => 0.0,
            Surface::Convex { radius, .. } => *radius,
        }
    }

    /// How many pieces there are.
    pub(super) fn pieces(&self) -> u32 {
        match self {
            Surface::Mesh { mesh, .. } => mesh.triangles().len() as u32,
            Surface::Convex { .. } => 1,
        }
    }

    /// The shape's name for a part of one of its pieces.
    pub(super) fn named(&self, piece: u32, part: Feature) -> Feature {
        match (self, part) {
            (Surface::Mesh { mesh, .. }, Feature::Vertex(k)) => {
                Feature::Vertex(mesh.triangles()[piece as usize][k as usize % 3])
            }
            (Surface::Mesh { .. }, Feature::Edge(k)) => Feature::Edge(3 * piece + k),
            (Surface::Mesh { .. }, Feature::Face(_)) => Feature::Face(piece),
            (Surface::Convex { .. }, _) | (_, Feature::Surface | Feature::Inside) => part,
        }
    }
}
