//! The triangles of one mesh that meet each other.
//!
//! The tree is compared with itself: of a box its parts are taken, each with itself and with those behind it; two
//! different boxes are opened as those of two meshes are. Pairs of triangles are decided by
//! [`triangles_cross_beyond_shared`] on the vertices of the mesh.
//!
//! **Invariant.** Each pair of leaves is reached once at most, and dropped only when their triangles are apart.
//! **Cost.** Neighbours always reach the exact test: some ten of them a triangle. Beyond that, as for two meshes.

use super::boxes::{Probe, overlapping};
use super::frame::Frames;
use super::overlap::{lanes_of, visit_leaves};
use super::side::Side;
use super::stack::{Entry, with_stack};
use super::work;
use crate::exact::triangles_cross_beyond_shared;
use crate::lanes::in_lanes;
use crate::math::Pose;
use crate::shape::{Child, MeshTree, Slot, TriMesh};
use fearless_simd::Simd;

/// The pairs of triangles that meet beyond what they share, sorted.
pub(super) fn crossings(mesh: &TriMesh) -> Vec<[u32; 2]> {
    let side = Side::of_mesh(mesh, &Pose::IDENTITY);
    let mut pairs = Vec::new();
    let mut visit = |[p, q]: [u32; 2]| {
        let corners = |triangle: u32| mesh.corners(triangle as usize);
        if p != q && triangles_cross_beyond_shared(&corners(p), &corners(q)) {
            pairs.push([p.min(q), p.max(q)]);
        }
        false
    };
    match Frames::new(&side.frame(), &side.frame()) {
        Some(frames) => {
            in_lanes!(simd => visit_own(simd, (&side, mesh.tree()), &frames, &mut visit))
        }
        None => {
            // Numbers of extreme size: all pairs.
            let count = mesh.triangles().len() as u32;
            for p in 0..count {
                for q in p + 1..count {
                    visit([p, q]);
                }
            }
        }
    }
    pairs.sort_unstable();
    // Within a leaf pairs come both ways round, and a leaf that is not full has its last triangle more than once.
    pairs.dedup();
    pairs
}

/// Visits all pairs of triangles of a mesh that may meet.
#[inline(always)]
fn visit_own<S: Simd>(
    simd: S,
    (side, tree): (&Side<'_>, &MeshTree),
    frames: &Frames,
    visit: &mut impl FnMut([u32; 2]) -> bool,
) {
    with_stack(
        #[inline(always)]
        |stack| {
            let mut nodes = 0;
            stack.push((Slot::ROOT, Slot::ROOT));
            while let Some((slot_a, slot_b)) = stack.pop() {
                nodes += 1;
                let (box_a, child_a) = side.opened(slot_a);
                let (box_b, child_b) = side.opened(slot_b);
                match (child_a, child_b) {
                    (Child::Block(p), Child::Block(q)) => {
                        visit_leaves(simd, [tree.block(p), tree.block(q)], frames, visit);
                    }
                    (Child::Node(p), Child::Node(_)) if slot_a == slot_b => {
                        open_with_itself(simd, tree, p, frames, stack);
                    }
                    (Child::Node(p), other)
                        if box_a.size() >= box_b.size() || matches!(other, Child::Block(_)) =>
                    {
                        let probe = Probe::new(simd, &box_b);
                        let near = overlapping(simd, &probe, tree.node(p), frames.error_a);
                        for lane in lanes_of(near) {
                            stack.push((Slot::new(p, lane), slot_b));
                        }
                    }
                    (_, Child::Node(q)) => {
                        let probe = Probe::new(simd, &box_a);
                        let near = overlapping(simd, &probe, tree.node(q), frames.error_a);
                        for lane in lanes_of(near) {
                            stack.push((slot_a, Slot::new(q, lane)));
                        }
                    }
                    (Child::Node(_), Child::Block(_)) => (),
                }
            }
            work::add(nodes, 0);
        },
    );
}

/// The boxes of a node, each with itself and with those behind it.
#[inline(always)]
fn open_with_itself<S: Simd>(
    simd: S,
    tree: &MeshTree,
    number: u32,
    frames: &Frames,
    stack: &mut Vec<Entry>,
) {
    let node = tree.node(number);
    for lane in node.lanes() {
        let own = Slot::new(number, lane);
        let probe = Probe::new(simd, &node.obb(lane));
        let near = overlapping(simd, &probe, node, frames.error_a);
        stack.push((own, own));
        for other in lanes_of(near).filter(|other| *other > lane) {
            stack.push((own, Slot::new(number, other)));
        }
    }
}
