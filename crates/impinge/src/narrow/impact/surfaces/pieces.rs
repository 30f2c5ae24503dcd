//! A shape as a set of convex pieces with boxes around them.

use crate::contact::Feature;
use crate::math::Vec3;
use crate::narrow::mesh::convex::{CoreBox, LARGEST, SLACK};
use crate::narrow::mesh::surface::Surface;
use crate::shape::{Child, Obb, Shape, Slot};

/// The pieces of a shape.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pieces<'a> {
    /// The triangles of a mesh, a solid or a height field.
    Triangles(Surface<'a>),
    /// A convex shape, which is one piece.
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

impl<'a> Pieces<'a> {
    /// The pieces of a shape that is not a half-space; convex ones get the given unit.
    pub(super) fn of(shape: &'a Shape, unit: f64) -> Pieces<'a> {
        if let Some(surface) = Surface::of(shape) {
            return Pieces::Triangles(surface);
        }
        let core = CoreBox::of(shape).expect("a half-space is not treated as a set of pieces");
        let half = core.half / unit;
        let half = half + Vec3::splat(SLACK * half.element_sum());
        Pieces::Convex {
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

    /// The surface, if there is one.
    #[inline(always)]
    pub(super) fn surface(&self) -> Option<&Surface<'a>> {
        match self {
            Pieces::Triangles(surface) => Some(surface),
            Pieces::Convex { .. } => None,
        }
    }

    /// The origin of the frame of the boxes.
    pub(super) fn center(&self) -> Vec3 {
        match self {
            Pieces::Triangles(surface) => surface.center(),
            Pieces::Convex { center, .. } => *center,
        }
    }

    /// The unit of length of that frame.
    pub(super) fn unit(&self) -> f64 {
        match self {
            Pieces::Triangles(surface) => surface.unit(),
            Pieces::Convex { unit, .. } => *unit,
        }
    }

    pub(super) fn is_ordinary(&self) -> bool {
        match self {
            Pieces::Triangles(_) => true,
            Pieces::Convex { is_ordinary, .. } => *is_ordinary,
        }
    }

    /// The box of a slot and what is in it; nothing smaller for a convex shape.
    #[inline(always)]
    pub(super) fn opened(&self, slot: Slot) -> (Obb, Option<Child>) {
        match self {
            Pieces::Triangles(surface) => {
                let (obb, child) = surface.opened(slot);
                (obb, Some(child))
            }
            Pieces::Convex { obb, .. } => (*obb, None),
        }
    }

    /// What is around the boxes.
    #[inline(always)]
    pub(super) fn radius(&self) -> f32 {
        match self {
            Pieces::Triangles(_) => 0.0,
            Pieces::Convex { radius, .. } => *radius,
        }
    }

    /// The numbers of the pieces.
    pub(super) fn numbers(&self) -> Box<dyn Iterator<Item = u32> + 'a> {
        match self {
            Pieces::Triangles(surface) => surface.numbers(),
            Pieces::Convex { .. } => Box::new(std::iter::once(0)),
        }
    }

    /// The shape's name for a part of one of its pieces.
    pub(super) fn named(&self, piece: u32, part: Feature) -> Feature {
        match (self, part) {
            (Pieces::Triangles(surface), Feature::Vertex(k)) => {
                Feature::Vertex(surface.vertices_of(piece)[k as usize % 3])
            }
            (Pieces::Triangles(_), Feature::Edge(k)) => Feature::Edge(3 * piece + k),
            (Pieces::Triangles(_), Feature::Face(_)) => Feature::Face(piece),
            (Pieces::Convex { .. }, _) | (_, Feature::Surface | Feature::Inside) => part,
        }
    }
}
