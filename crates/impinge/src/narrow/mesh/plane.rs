//! The plane of a half-space, as the tree of a mesh sees it.
//!
//! A half-space has no box, but the height of a box above its plane is as good: that of the centre, less what the box reaches down. Heights
//! are taken from the foot of the tree's origin on the plane, so that their error, like that of two boxes
//! ([`Frames`](super::frame::Frames)), grows with the distance of the mesh and not with where in the world it is.

use super::columns::{cross, dot, load, splat, sub};
use super::frame::Frame;
use crate::math::{Pose, Vec3};
use crate::shape::{BLOCK, Block, HalfSpace, LANES, Node, Shape};
use fearless_simd::{Simd, f32x4, prelude::*};

/// The half-space that a shape is, and the radius it is grown by, rounded up.
pub(super) fn half_space_of(shape: &Shape) -> Option<(&HalfSpace, f64)> {
    if let Shape::Rounded(rounded) = shape {
        let (half_space, radius) = half_space_of(rounded.core())?;
        return Some((half_space, (radius + rounded.radius()).next_up()));
    }
    if let Shape::HalfSpace(half_space) = shape {
        return Some((half_space, 0.0));
    }
    None
}

/// A plane in the frame of a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    /// A point of it.
    pub(super) through: [f32; 3],
    /// Its unit normal, out of the half-space.
    pub(super) up: [f32; 3],
}

impl Plane {
    /// The foot of a frame's origin on the plane of a placed half-space, in the frame of that.
    pub(super) fn foot(half_space: &HalfSpace, pose: &Pose, mesh: &Frame<'_>) -> Vec3 {
        let from = pose.unrotate(mesh.pose.place(mesh.center) - pose.translation());
        let normal = half_space.normal();
        from - normal * ((normal.dot(from) - half_space.offset()) / normal.length_squared())
    }

    /// The normal of a placed half-space in the frame of a mesh; `None` where it is of extreme length.
    pub(super) fn up_in(half_space: &HalfSpace, pose: &Pose, mesh: &Frame<'_>) -> Option<[f32; 3]> {
        let up = pose.rotate(half_space.normal()).try_normalize()?;
        Some(mesh.pose.unrotate(up).as_vec3().to_array())
    }

    /// How far above the plane the boxes of a node begin, if the error of the frames is taken off twice.
    #[inline(always)]
    pub(super) fn heights<S: Simd>(&self, simd: S, node: &Node) -> [f32; LANES] {
        let up = splat(simd, self.up);
        let first = load(simd, &node.axes[0]);
        let second = load(simd, &node.axes[1]);
        let half = load(simd, &node.half);
        let mut height = dot(up, sub(load(simd, &node.center), splat(simd, self.through)));
        for (axis, half) in [first, second, cross(first, second)].iter().zip(half) {
            height -= half * dot(up, *axis).abs();
        }
        let mut lanes = [0.0; LANES];
        height.store_slice(&mut lanes);
        lanes
    }

    /// How far above the plane the triangles of a leaf begin, likewise.
    #[inline(always)]
    pub(super) fn heights_of_triangles<S: Simd>(&self, simd: S, block: &Block) -> [f32; BLOCK] {
        let mut lowest = f32x4::splat(simd, f32::INFINITY);
        for columns in &block.corners {
            let mut height = f32x4::splat(simd, 0.0);
            for (k, column) in columns.iter().enumerate() {
                let from = f32x4::load_array_ref(simd, column);
                let offset = from - f32x4::splat(simd, self.through[k]);
                height += offset * f32x4::splat(simd, self.up[k]);
            }
            lowest = lowest.min(height);
        }
        let mut lanes = [0.0; BLOCK];
        lowest.store_slice(&mut lanes);
        lanes
    }
}
