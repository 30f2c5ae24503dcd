//! The same tree over moved vertices, and how good it still is.
//!
//! Which triangles are together, and the axes of the boxes, stay; corners, centres and sizes are computed anew from the
//! triangles themselves, so that every box is as small as its axes allow. Nothing is allocated.
//!
//! **Measure.** Boxes that hold what is no longer together grow. The expected work of a query is in proportion to the
//! areas of all boxes, relative to that of the whole (the surface area heuristic of Goldsmith and Salmon 1987). How that number has
//! grown since the tree was built is its [`decay`](MeshTree::decay): 1 for a tree as it was built, also after moving, turning or
//! scaling all of it along the axes of its boxes.
//!
//! **Cost.** Each triangle is looked at once a level: about a tenth of building.

use super::fit::spanned;
use super::fold::corners_into;
use super::node::{Child, LANES, Obb, Slot};
use super::{MeshTree, unit_of};
use crate::math::{Aabb, Vec3};
use std::ops::Range;

impl MeshTree {
    /// Fits the tree to vertices in the given bounds.
    pub(crate) fn refit(&mut self, vertices: &[Vec3], triangles: &[[u32; 3]], bounds: &Aabb) {
        let (center, unit) = (bounds.center(), unit_of(bounds));
        (self.center, self.unit) = (center, unit);
        for block in &mut self.blocks {
            for lane in 0..block.triangles.len() {
                let corners = triangles[block.triangles[lane] as usize].map(|i| {
                    let p = (vertices[i as usize] - center) / unit;
                    p.as_vec3().to_array()
                });
                corners_into(block, lane, corners);
            }
        }
        self.root = spanned(self.root.axes, &self.blocks);
        for number in 0..self.nodes.len() {
            // Boxes are in the first lanes.
            for lane in 0..self.nodes[number].lanes().count() {
                let child = self.nodes[number].child(lane);
                let axes = self.nodes[number].obb(lane).axes;
                let obb = spanned(axes, &self.blocks[self.leaves_of(child)]);
                self.nodes[number].set(lane, &obb, child);
            }
        }
    }

    /// How much more work queries are expected to be than right after the tree was built: 1 or thereabouts for a good tree.
    pub(crate) fn decay(&self) -> f64 {
        let built = f64::from(self.built_work);
        if built > 0.0 {
            f64::from(self.work()) / built
        } else {
            1.0
        }
    }

    /// The areas of all boxes, relative to that of the whole; 0 where the whole has none.
    pub(super) fn work(&self) -> f32 {
        let whole = area(&self.root);
        let mut sum = 0.0_f64;
        for node in 0..self.nodes.len() as u32 {
            for lane in self.node(node).lanes() {
                sum += f64::from(area(&self.obb(Slot::new(node, lane))));
            }
        }
        if whole > 0.0 {
            (sum / f64::from(whole)) as f32
        } else {
            0.0
        }
    }

    /// The leaves that are in a box: they are next to each other.
    fn leaves_of(&self, child: Child) -> Range<usize> {
        self.leaf_at(child, |_| 0)..self.leaf_at(child, |lanes| lanes - 1) + 1
    }

    /// The leaf that is reached by always going down a lane chosen by the number of lanes.
    fn leaf_at(&self, mut child: Child, lane: impl Fn(usize) -> usize) -> usize {
        loop {
            match child {
                Child::Block(block) => return block as usize,
                Child::Node(number) => {
                    let node = self.node(number);
                    child = node.child(lane(node.lanes().count()).min(LANES - 1));
                }
            }
        }
    }
}

/// Half the surface of a quarter of a box.
fn area(obb: &Obb) -> f32 {
    let [x, y, z] = obb.half;
    x * y + y * z + z * x
}
