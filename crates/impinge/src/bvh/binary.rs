//! The binary tree over a mesh, divided from the top.
//!
//! "Split and fit", after Gottschalk, Lin and Manocha (OBBTree, 1996): triangles are divided by the plane through the
//! mean of their middles across their longest principal axis, until one is left; a volume is then fitted to each part.
//! Where the plane has nothing on one side, or after [`DEEPEST`] divisions in a row, a part is halved by number
//! instead. The division does not look at the volumes: trees of different volumes over the same mesh have the same
//! parts, and what differs is the volume.
//!
//! **Layout.** The children of a node are neighbours. A node is its volume and 4 bytes. **Cost.** `n log n` for volumes
//! that are fitted in linear time; `2 n - 1` nodes. Nothing recurs: waiting parts are in a list.

use super::bound::Bound;
use super::frame::TreeFrame;
use super::tree::{Content, Tree};
use super::volume::principal_axes;
use crate::math::Vec3;
use crate::shape::TriMesh;
use std::borrow::Borrow;
use std::sync::Arc;

/// So many divisions deep, parts are halved by number.
const DEEPEST: u32 = 64;
/// The bit of a link that says that it leads to a triangle. There are fewer than `2^31` triangles in a mesh.
pub(super) const LEAF: u32 = 1 << 31;

/// Where a link leads: to the children `2 k + 1` and `2 k + 2`, or to one of a list of triangles.
#[inline]
pub(super) fn content_of(link: u32, triangles: &[u32]) -> Content<'_> {
    if link & LEAF == 0 {
        return Content::Children(2 * link + 1..2 * link + 3);
    }
    let place = (link ^ LEAF) as usize;
    Content::Triangles(&triangles[place..=place])
}

/// A binary tree over the triangles of a mesh, one to a leaf.
#[derive(Debug, Clone)]
pub struct Bvh<B> {
    mesh: Arc<TriMesh>,
    frame: TreeFrame,
    bounds: Vec<B>,
    /// Of each node: [`LEAF`] and the place of its triangle in `order`, or `k` for the children `2 k + 1` and `2 k +
    /// 2`.
    links: Vec<u32>,
    order: Vec<u32>,
}

/// A run of triangles that is to become a node and all below it.
struct Part {
    node: usize,
    start: usize,
    end: usize,
    depth: u32,
}

impl<B: Bound> Bvh<B> {
    /// The tree of a mesh with volumes as they are fitted by default.
    pub fn new(mesh: Arc<TriMesh>) -> Bvh<B> {
        Bvh::fitted(mesh, B::fit)
    }

    /// The tree of a mesh with volumes that are fitted to the triangles of each node in the given way.
    ///
    /// The function gets the corners of at least one triangle, in the frame of the tree, and returns a volume around
    /// them.
    pub fn fitted(mesh: Arc<TriMesh>, fit: impl Fn(&[[Vec3; 3]]) -> B) -> Bvh<B> {
        let frame = TreeFrame::of(&mesh);
        let count = mesh.triangles().len();
        let mut corners: Vec<_> = (0..count)
            .map(|t| mesh.corners(t).map(|corner| frame.enter(corner)))
            .collect();
        let mut order: Vec<u32> = (0..count as u32).collect();
        // Every node but the root is made together with its sibling, and gets its volume when its part is taken.
        let mut bounds: Vec<Option<B>> = vec![None];
        let mut links = vec![LEAF];
        let mut waiting = vec![Part {
            node: 0,
            start: 0,
            end: count,
            depth: 0,
        }];
        while let Some(part) = waiting.pop() {
            let (start, end) = (part.start, part.end);
            bounds[part.node] = Some(fit(&corners[start..end]));
            if end - start == 1 {
                links[part.node] = LEAF | start as u32;
                continue;
            }
            let middle =
                start + divide(&mut corners[start..end], &mut order[start..end], part.depth);
            let child = links.len();
            links[part.node] = (child / 2) as u32;
            for (node, start, end) in [(child + 1, middle, end), (child, start, middle)] {
                bounds.push(None);
                links.push(LEAF);
                let depth = part.depth + 1;
                waiting.push(Part {
                    node,
                    start,
                    end,
                    depth,
                });
            }
        }
        let bounds = bounds.into_iter().flatten().collect();
        Bvh {
            mesh,
            frame,
            bounds,
            links,
            order,
        }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<TriMesh> {
        &self.mesh
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.links.len()
    }
}

/// Puts the triangles of one part before those of the other; returns how many the first has, which is neither none nor
/// all.
fn divide(corners: &mut [[Vec3; 3]], order: &mut [u32], depth: u32) -> usize {
    let count = corners.len();
    let middles = corners.iter().map(|[p, q, r]| *p + *q + *r);
    let mean = middles.sum::<Vec3>() / count as f64;
    let axis = principal_axes(corners)[0];
    let height = |[p, q, r]: &[Vec3; 3]| axis.dot(*p + *q + *r - mean);
    let mut before = 0;
    for k in 0..count {
        if height(&corners[k]) < 0.0 {
            corners.swap(before, k);
            order.swap(before, k);
            before += 1;
        }
    }
    if depth < DEEPEST && (1..count).contains(&before) {
        return before;
    }
    let mut pairs: Vec<_> = order.iter().copied().zip(corners.iter().copied()).collect();
    pairs.sort_by(|(_, p), (_, q)| height(p).total_cmp(&height(q)));
    for (k, (number, triangle)) in pairs.into_iter().enumerate() {
        (order[k], corners[k]) = (number, triangle);
    }
    count / 2
}

impl<B: Bound> Tree for Bvh<B> {
    type Bound = B;

    fn frame(&self) -> TreeFrame {
        self.frame
    }

    #[inline]
    fn bound(&self, node: u32) -> impl Borrow<B> {
        &self.bounds[node as usize]
    }

    #[inline]
    fn content(&self, node: u32) -> Content<'_> {
        content_of(self.links[node as usize], &self.order)
    }

    fn triangles(&self) -> usize {
        self.order.len()
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.mesh.corners(triangle as usize)
    }

    fn vertices(&self, triangle: u32) -> [u32; 3] {
        self.mesh.triangles()[triangle as usize]
    }

    fn bytes(&self) -> usize {
        let bounds: usize = self.bounds.iter().map(Bound::bytes).sum();
        bounds + size_of_val(&*self.links) + size_of_val(&*self.order)
    }
}
