//! The tree over the triangles of a mesh: oriented boxes, eight to a node, four triangles to a leaf.
//!
//! Boxes are fitted to what they hold (`fit`), after Gottschalk, Lin and Manocha (OBBTree, 1996): on a smooth surface the
//! thickness of a fitted box shrinks with the square of its length, that of a box along the axes only in proportion, so two
//! close surfaces are told apart after far fewer boxes. Triangles are divided by the surface area heuristic (`split`).
//! The binary tree of these divisions is folded into nodes of eight boxes (`fold`), which lie in columns, so that one box
//! is compared with eight at a time.
//!
//! All of it is in `f32` and in a frame of its own: the origin in the middle of the mesh, the unit a power of two such
//! that coordinates are at most 1 (at most 2 for meshes as large as doubles allow). Triangles are copied into their
//! leaves in these coordinates.
//!
//! **Invariant.** Each box holds, in real arithmetic, the corners of its triangles as they are stored in the leaves; a
//! stored coordinate is within half a unit in the last place of the true one, `2^-24` at most of a number up to 2, and the
//! rounding of the shift in doubles. **Cost.** `n log n` time; 40 bytes a triangle for the copies
//! and about 18 for the boxes. The tree says nothing about poses: that is for `narrow::mesh`.

mod fit;
mod fold;
mod node;
mod refit;
mod split;

pub(super) use fit::widened;
pub(crate) use node::{BLOCK, Block, Child, LANES, Node, Obb, Slot};

use crate::math::{Aabb, Vec3};

/// A tree over triangles.
#[derive(Debug, Clone)]
pub(crate) struct MeshTree {
    /// The origin of the frame of the tree, in the frame of the mesh.
    center: Vec3,
    /// The unit of length of the tree: a power of two.
    unit: f64,
    /// The box around everything, and what is in it.
    root: Obb,
    top: Child,
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    /// The expected work of a query when the tree was built; see `refit`.
    built_work: f32,
}

impl MeshTree {
    /// The tree of a mesh of at least one triangle, in the given bounds.
    pub(crate) fn new(vertices: &[Vec3], triangles: &[[u32; 3]], bounds: &Aabb) -> MeshTree {
        let (center, unit) = (bounds.center(), unit_of(bounds));
        let corners = |triangle: u32| {
            triangles[triangle as usize].map(|i| {
                let p = (vertices[i as usize] - center) / unit;
                p.as_vec3().to_array()
            })
        };
        let (order, divisions) = split::divide(triangles.len(), &corners);
        let blocks = fold::pack(&order, &corners);
        let ((nodes, top), root) = both(
            blocks.len(),
            || fold::fold(&divisions, &blocks),
            || fit::around(&blocks),
        );
        let mut tree = MeshTree {
            center,
            unit,
            root,
            top,
            nodes,
            blocks,
            built_work: 0.0,
        };
        tree.built_work = tree.work();
        tree
    }

    /// The origin of the tree's frame, in the frame of the mesh.
    pub(crate) fn center(&self) -> Vec3 {
        self.center
    }

    /// The unit of length of the tree, a power of two.
    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    /// The box of a slot.
    #[inline(always)]
    pub(crate) fn obb(&self, slot: Slot) -> Obb {
        match slot.place() {
            None => self.root,
            Some((node, lane)) => self.nodes[node].obb(lane),
        }
    }

    /// What is in the box of a slot.
    #[inline(always)]
    pub(crate) fn child(&self, slot: Slot) -> Child {
        match slot.place() {
            None => self.top,
            Some((node, lane)) => self.nodes[node].child(lane),
        }
    }

    #[inline(always)]
    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    #[inline(always)]
    pub(crate) fn block(&self, index: u32) -> &Block {
        &self.blocks[index as usize]
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.blocks)
    }

    /// Checks that every triangle is in one leaf, and that boxes hold what is in them.
    #[cfg(test)]
    pub(crate) fn validate(&self, triangles: usize) {
        let mut seen = vec![0; triangles];
        let mut open = vec![(Slot::ROOT, Vec::<Obb>::new())];
        while let Some((slot, mut around)) = open.pop() {
            around.push(self.obb(slot));
            match self.child(slot) {
                Child::Node(node) => {
                    let lanes = self.node(node).lanes();
                    open.extend(lanes.map(|lane| (Slot::new(node, lane), around.clone())));
                }
                Child::Block(block) => {
                    let block = self.block(block);
                    for triangle in block.distinct() {
                        seen[*triangle as usize] += 1;
                    }
                    for lane in 0..BLOCK {
                        for corner in 0..3 {
                            let p = block.corner(corner, lane);
                            assert!(around.iter().all(|obb| obb.holds(p)), "boxes hold corners");
                        }
                    }
                }
            }
        }
        assert!(seen.iter().all(|n| *n == 1), "each triangle is in one leaf");
    }
}

/// Does two things, side by side if there are many leaves and more than one thread.
#[cfg(feature = "parallel")]
fn both<A: Send, B: Send>(
    leaves: usize,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    if leaves > 1 << 12 && crate::sharing::is_shared() {
        return rayon::join(first, second);
    }
    (first(), second())
}

#[cfg(not(feature = "parallel"))]
fn both<A, B>(_: usize, first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}

/// The smallest power of two that is not below half the size of the bounds, as far as doubles reach. A mesh that is tiny
/// beside its coordinates, or a point, gets a larger one: its unit should not be out of all proportion to where it is, nor to the units of
/// others there. Placed, it has few digits anyway.
pub(super) fn unit_of(bounds: &Aabb) -> f64 {
    const LEAST: f64 = 1.0 / (1_u64 << 36) as f64;
    let half = (bounds.max() * 0.5 - bounds.min() * 0.5).max_element();
    let half = half.max(bounds.magnitude() * LEAST);
    let half = half.clamp(SMALLEST_UNIT, LARGEST_UNIT);
    let power = f64::from_bits(half.to_bits() & !((1 << 52) - 1));
    if power < half {
        (power * 2.0).min(LARGEST_UNIT)
    } else {
        power
    }
}

const SMALLEST_UNIT: f64 = f64::from_bits((1023 - 1000) << 52);
const LARGEST_UNIT: f64 = f64::from_bits((1023 + 1023) << 52);

#[cfg(test)]
mod tests;
