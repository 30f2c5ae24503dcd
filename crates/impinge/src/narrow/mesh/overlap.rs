//! Do two placed meshes share a point of their surfaces, and which of their triangles do?
//!
//! 1. The triangles that met last time, exactly; if one pair is enough.
//! 2. Pairs of boxes, from the two roots down: of two boxes that may overlap the larger is opened, and the other compared with
//!    the eight in it, after Gottschalk, Lin and Manocha (OBBTree, 1996). Pairs wait on a stack.
//! 3. Pairs of leaves: what the normals do not separate ([`Blocks::may_meet`]) is decided by
//!    [`triangles_intersect`] on the placed vertices.
//!
//! **Invariant.** A pair of boxes is dropped only when the placed triangles in them are apart; triangles are decided
//! exactly. **Cost.** Meshes whose boxes are apart: one or two node tests. The worst case is all pairs of triangles.

use super::boxes::{Probe, overlapping};
use super::frame::Frames;
use super::leaves::Blocks;
use super::side::{Made, Side};
use super::stack::with_stack;
use super::work;
use crate::exact::triangles_intersect;
use crate::shape::{BLOCK, Block, Child, Slot};
use fearless_simd::Simd;

/// A pair of triangles that meet, if there is one.
#[inline(always)]
pub(super) fn find_meeting<S: Simd>(
    simd: S,
    a: &Side<'_>,
    b: &Side<'_>,
    frames: &Frames,
) -> Option<[u32; 2]> {
    let mut found = None;
    visit_near(
        simd,
        [a, b],
        frames,
        #[inline(always)]
        |pair| {
            let is_found = triangles_intersect(&a.placed(pair[0]), &b.placed(pair[1]));
            if is_found {
                found = Some(pair);
            }
            is_found
        },
    );
    found
}

/// Visits all pairs of triangles that may meet, in no order that means anything, some perhaps more than once, until a visit
/// returns true.
#[inline(always)]
pub(super) fn visit_near<S: Simd>(
    simd: S,
    [a, b]: [&Side<'_>; 2],
    frames: &Frames,
    mut visit: impl FnMut([u32; 2]) -> bool,
) {
    with_stack(
        #[inline(always)]
        |stack| {
            let mut made = Made::NEW;
            stack.push((Slot::ROOT, Slot::ROOT));
            let mut nodes = 0;
            while let Some((slot_a, slot_b)) = stack.pop() {
                nodes += 1;
                let (box_a, child_a) = a.opened(slot_a);
                let (box_b, child_b) = b.opened(slot_b);
                let is_a_larger = box_a.size() >= box_b.size() * frames.ratio;
                match (child_a, child_b) {
                    (Child::Block(p), Child::Block(q)) => {
                        let [first, second] = &mut made.blocks;
                        let blocks = [a.block(p, first), b.block(q, second)];
                        if visit_leaves(simd, blocks, frames, &mut visit) {
                            break;
                        }
                    }
                    (Child::Node(p), other) if is_a_larger || matches!(other, Child::Block(_)) => {
                        let probe = Probe::new(simd, &frames.into_a.obb(&box_b));
                        let node = a.node(p, &mut made.node);
                        let near = overlapping(simd, &probe, node, frames.error_a);
                        for lane in lanes_of(near) {
                            stack.push((Slot::new(p, lane), slot_b));
                        }
                    }
                    (_, Child::Node(q)) => {
                        let probe = Probe::new(simd, &frames.into_b.obb(&box_a));
                        let node = b.node(q, &mut made.node);
                        let near = overlapping(simd, &probe, node, frames.error_b);
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

/// The numbers of the bits that are set.
#[inline(always)]
pub(in crate::narrow) fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(
        #[inline(always)]
        move || {
            let lane = bits.trailing_zeros() as usize;
            let is_set = bits != 0;
            bits &= bits.wrapping_sub(1);
            is_set.then_some(lane)
        },
    )
}

/// The same for the triangles of two leaves. Returns whether a visit returned true.
#[inline(always)]
pub(super) fn visit_leaves<S: Simd>(
    simd: S,
    [p, q]: [&Block; 2],
    frames: &Frames,
    visit: &mut impl FnMut([u32; 2]) -> bool,
) -> bool {
    let near = Blocks::new(simd, p, q, &frames.into_a).may_meet(frames.error_a);
    work::add(0, u64::from(near.count_ones()));
    for pair in lanes_of(near) {
        if visit([p.triangles[pair / BLOCK], q.triangles[pair % BLOCK]]) {
            return true;
        }
    }
    false
}
