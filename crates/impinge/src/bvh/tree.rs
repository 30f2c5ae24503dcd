//! What a traversal must know about a tree.

use super::bound::Bound;
use super::frame::TreeFrame;
use crate::math::{Pose, Vec3};
use std::borrow::Borrow;
use std::fmt::Debug;
use std::ops::Range;

/// What is in a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Content<'t> {
    /// Other nodes.
    Children(Range<u32>),
    /// Triangles: the node is a leaf.
    Triangles(&'t [u32]),
}

/// A tree of volumes over triangles.
///
/// Every point of a triangle is in some leaf that names the triangle, and in all nodes above that leaf.
pub trait Tree: Debug {
    /// The volume of a node.
    type Bound: Bound;

    /// Whether a triangle may be in several leaves. Pairs of triangles that were decided are then remembered.
    const IS_TILED: bool = false;

    /// The frame of the volumes.
    fn frame(&self) -> TreeFrame;

    /// The node that holds all others.
    fn root(&self) -> u32 {
        0
    }

    /// The volume of a node: a reference, or a value made for the occasion.
    fn bound(&self, node: u32) -> impl Borrow<Self::Bound>;

    /// What is in a node.
    fn content(&self, node: u32) -> Content<'_>;

    /// How many triangles there are.
    fn triangles(&self) -> usize;

    /// The corners of a triangle, in the frame of the body.
    fn corners(&self, triangle: u32) -> [Vec3; 3];

    /// The numbers of the vertices of a triangle.
    fn vertices(&self, triangle: u32) -> [u32; 3];

    /// The memory it takes, without the triangles.
    fn bytes(&self) -> usize;

    /// The tree at a pose.
    fn at(&self, pose: Pose) -> TreeAt<'_, Self>
    where
        Self: Sized,
    {
        TreeAt { tree: self, pose }
    }
}

/// A tree at a pose.
#[derive(Debug)]
pub struct TreeAt<'t, T> {
    /// The tree.
    pub tree: &'t T,
    /// Where its body is.
    pub pose: Pose,
}

impl<T> Clone for TreeAt<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TreeAt<'_, T> {}

impl<T: Tree> TreeAt<'_, T> {
    /// The placed corners of a triangle.
    #[inline]
    pub(super) fn placed(&self, triangle: u32) -> [Vec3; 3] {
        let corners = self.tree.corners(triangle);
        corners.map(|corner| self.pose.place(corner))
    }
}
