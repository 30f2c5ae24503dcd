//! A tree of boxes, eight to a node, that is searched for many boxes at once.
//!
//! **Shape.** Complete: node `i` of a level has the nodes `8 i` to `8 i + 7` of the level below as children, so there are no
//! links, and a search needs nothing but boxes. A leaf has eight *slots*, each with a body or empty; a node keeps the boxes
//! of its children in columns, one SIMD test a node. Empty slots have boxes that overlap nothing.
//!
//! **Life.** [`WideTree::build`] divides all bodies by medians of their centres, and may leave a slot of each leaf empty.
//! Afterwards boxes change in place, a newcomer takes the empty slot where boxes grow least, and [`WideTree::refit`] makes
//! boxes tight again where something was marked. Nothing else is rebalanced: the owner counts nodes visited and builds anew
//! when searching has become dear.
//!
//! **Invariant.** A box of a node holds the boxes of its children, marked or not; after [`WideTree::refit`] it is the
//! smallest that does.
//!
//! **Cost.** Building is `O(n log n)`; a search visits `O(log n)` nodes and a few for each box found, as far as boxes
//! of one level overlap little.

mod build;
mod node;
mod query;
mod search;

pub(super) use build::{Fill, Seed};
pub(super) use node::{LANES, Node, Wide};
pub(super) use query::RayFront;
pub(super) use search::{Batch, Searched};

use super::Box32;
use crate::ahead;
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// No body; also no slot.
pub(super) const NONE: u32 = u32::MAX;

/// So many leaves are in a near cache.
const NEAR: usize = 1 << 10;

/// How many boxes are replaced at a time, at least.
const BLOCK: usize = 64;

/// How many bodies ahead their slots are asked for.
const AHEAD: usize = 16;

/// With fewer words of marks than this for a thread, one thread takes all.
#[cfg(feature = "parallel")]
const SHARE: usize = 256;

/// How much sooner a leaf is fit to its boxes than they are put there.
#[cfg(feature = "parallel")]
const CHEAP: usize = 8;

/// The tree. Bodies are known by numbers of the owner's choice.
#[derive(Debug, Clone, Default)]
pub(super) struct WideTree {
    /// All levels, the leaves first.
    nodes: Vec<Node>,
    /// By level: where its nodes begin; then the number of nodes. Empty before the first build.
    begins: Vec<usize>,
    /// By slot: its body.
    bodies: Vec<u32>,
    /// A bit a slot, and so a word for each node above the leaves: what changed since [`WideTree::unmark`].
    marks: Vec<u64>,
    /// By node: which of its children have room for a body.
    open: Vec<u8>,
    /// By node, 0 between refits: whether a box below it changed.
    stale: Vec<u8>,
    /// Boxes on their way to their slots; empty between calls.
    waiting: Vec<(usize, Box32)>,
    /// What building needs.
    seeds: Vec<Seed>,
}

impl WideTree {
    /// How many leaves there are.
    fn leaves(&self) -> usize {
        self.bodies.len() / LANES
    }

    /// Whether all leaves are in a near cache.
    pub(super) fn is_near(&self) -> bool {
        self.leaves() <= NEAR
    }

    /// How many levels there are, leaves included.
    pub(super) fn height(&self) -> usize {
        self.begins.len().saturating_sub(1)
    }

    /// Replaces the box in a slot and marks it. The box may be larger than before; see [`WideTree::refit`].
    #[inline]
    pub(super) fn set(&mut self, slot: u32, bounds: &Box32) {
        let slot = slot as usize;
        self.nodes[slot / LANES].set(slot % LANES, bounds);
        self.marks[slot / 64] |= 1 << (slot % 64);
    }

    /// Replaces the boxes of some bodies that have a slot, and marks them, given the slots of all and their boxes.
    pub(super) fn set_all(
        &mut self,
        some: &[u32],
        slots: &[u32],
        bounds_of: impl Fn(u32) -> Box32 + Sync,
    ) {
        if self.is_near() {
            for body in some {
                let slot = slots[*body as usize];
                if slot != NONE {
                    self.set(slot, &bounds_of(*body));
                }
            }
            return;
        }
        for (number, body) in some.iter().enumerate() {
            if let Some(later) = some.get(number + AHEAD) {
                ahead::fetch_line(slots, *later as usize);
            }
            let slot = slots[*body as usize] as usize;
            // Beyond the end where there is no slot.
            if let Some(word) = self.marks.get_mut(slot / 64) {
                *word |= 1 << (slot % 64);
            }
        }
        let (marks, bodies) = (&self.marks, &self.bodies);
        let leaves = self.nodes.split_at_mut(bodies.len() / LANES).0;
        #[cfg(feature = "parallel")]
        if let Some(size) = share_of(marks.len()) {
            let parts = marks.par_chunks(size).zip(bodies.par_chunks(size * 64));
            let parts = parts.zip(leaves.par_chunks_mut(size * LANES));
            parts.for_each(|((marks, bodies), leaves)| {
                set_marked(marks, bodies, leaves, &bounds_of, &mut Vec::new());
            });
            return;
        }
        set_marked(marks, bodies, leaves, &bounds_of, &mut self.waiting);
    }

    /// The bodies in the order of their slots.
    pub(super) fn bodies(&self) -> impl Iterator<Item = u32> {
        self.bodies.iter().copied().filter(|body| *body != NONE)
    }

    /// Numbers all bodies anew: by number, the new one, and slots likewise.
    pub(super) fn renumber(&mut self, targets: &[u32], slots: &mut [u32]) {
        slots.fill(NONE);
        for (slot, body) in (0..).zip(&mut self.bodies) {
            if *body != NONE {
                *body = targets[*body as usize];
                slots[*body as usize] = slot;
            }
        }
    }

    /// The box in a slot.
    pub(super) fn bounds_in(&self, slot: u32) -> Box32 {
        self.nodes[slot as usize / LANES].get(slot as usize % LANES)
    }

    /// Empties a slot.
    pub(super) fn clear(&mut self, slot: u32) {
        let place = slot as usize;
        self.nodes[place / LANES].clear(place % LANES);
        self.bodies[place] = NONE;
        self.marks[place / 64] |= 1 << (place % 64);
        let (mut node, mut lane) = (place / LANES, place % LANES);
        for level in 0..self.height() {
            let open = &mut self.open[self.begins[level] + node];
            let was_open = *open != 0;
            *open |= 1 << lane;
            if was_open {
                break;
            }
            (node, lane) = (node / LANES, node % LANES);
        }
    }

    /// Puts a body into an empty slot and marks it; `None` when there is none.
    pub(super) fn insert(&mut self, body: u32, bounds: &Box32) -> Option<u32> {
        let top = self.height().checked_sub(1)?;
        if self.open[self.begins[top]] == 0 {
            return None;
        }
        let mut node = 0;
        for level in (1..=top).rev() {
            let place = self.begins[level] + node;
            let lane = self.nodes[place].lane_for(bounds, self.open[place]);
            self.nodes[place].grow(lane, bounds);
            node = node * LANES + lane;
        }
        let lane = self.open[node].trailing_zeros() as usize;
        let slot = (node * LANES + lane) as u32;
        self.bodies[slot as usize] = body;
        self.set(slot, bounds);
        self.close(node, lane);
        Some(slot)
    }

    /// Notes that there is no room left in a child of a node, from the leaves upward.
    fn close(&mut self, mut node: usize, mut lane: usize) {
        for level in 0..self.height() {
            let open = &mut self.open[self.begins[level] + node];
            *open &= !(1 << lane);
            if *open != 0 {
                break;
            }
            (node, lane) = (node / LANES, node % LANES);
        }
    }

    /// Makes the boxes above marked slots the smallest again.
    #[inline(always)]
    pub(super) fn refit<S: Simd>(&mut self, simd: S) {
        if self.height() < 2 {
            return;
        }
        self.refit_leaves(simd);
        self.refit_above(simd);
    }

    /// The boxes of stale nodes into the levels above them.
    #[inline(always)]
    fn refit_above<S: Simd>(&mut self, simd: S) {
        for level in 2..self.height() {
            let (begin, end) = (self.begins[level - 1], self.begins[level]);
            let (below, above) = self.nodes.split_at_mut(end);
            let (stale, stale_above) = self.stale.split_at_mut(end);
            for (child, node) in below[begin..].iter().enumerate() {
                if std::mem::take(&mut stale[begin + child]) != 0 {
                    above[child / LANES].set(child % LANES, &node.bounds(simd));
                    stale_above[child / LANES] = 1;
                }
            }
        }
        let root = self.nodes.len() - 1;
        self.stale[root] = 0;
    }

    /// [`WideTree::refit`] where nobody else is marked than some bodies, given the slots of all. Few bodies in a small tree are
    /// found sooner one by one than by their marks.
    #[inline(always)]
    pub(super) fn refit_around<S: Simd>(&mut self, simd: S, some: &[u32], slots: &[u32]) {
        if self.height() < 2 {
            return;
        }
        let leaves = self.leaves();
        let (below, above) = self.nodes.split_at_mut(leaves);
        for body in some {
            // Beyond the end where there is no slot.
            let leaf = slots[*body as usize] as usize / LANES;
            if let Some(node) = below.get(leaf) {
                above[leaf / LANES].set(leaf % LANES, &node.bounds(simd));
                self.stale[leaves + leaf / LANES] = 1;
            }
        }
        self.refit_above(simd);
    }

    /// The boxes of marked leaves into the level above.
    #[inline(always)]
    fn refit_leaves<S: Simd>(&mut self, simd: S) {
        let leaves = self.leaves();
        let (below, above) = self.nodes.split_at_mut(leaves);
        let (marks, above) = (&self.marks, &mut above[..self.marks.len()]);
        let stale = &mut self.stale[leaves..][..marks.len()];
        #[cfg(feature = "parallel")]
        if let Some(size) = share_of(marks.len() / CHEAP) {
            let size = size * CHEAP;
            let parts = marks.par_chunks(size).zip(below.par_chunks(size * LANES));
            let parts = parts.zip(above.par_chunks_mut(size));
            let parts = parts.zip(stale.par_chunks_mut(size));
            parts.for_each(|(((marks, below), above), stale)| {
                in_lanes!(simd => refit_marked(simd, marks, below, above, stale));
            });
            return;
        }
        refit_marked(simd, marks, below, above, stale);
    }

    /// Forgets everything, keeping the memory.
    pub(super) fn uproot(&mut self) {
        self.nodes.clear();
        self.begins.clear();
        self.bodies.clear();
        self.marks.clear();
        self.open.clear();
        self.stale.clear();
    }

    /// Forgets all marks.
    pub(super) fn unmark(&mut self) {
        self.marks.fill(0);
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.begins.capacity() * size_of::<usize>()
            + self.bodies.capacity() * 4
            + self.marks.capacity() * 8
            + self.open.capacity()
            + self.stale.capacity()
            + self.waiting.capacity() * size_of::<(usize, Box32)>()
            + self.seeds.capacity() * size_of::<Seed>()
    }

    /// Panics unless exactly the bodies with a slot are here, with the boxes given, and the invariant holds.
    pub(super) fn validate(&self, slots: &[u32], bounds_of: impl Fn(u32) -> Box32) {
        let inside = slots.iter().filter(|slot| **slot != NONE).count();
        let full = self.bodies.iter().filter(|body| **body != NONE);
        assert_eq!(full.count(), inside, "each body has one slot");
        for (slot, body) in self.bodies.iter().enumerate() {
            let lane = self.nodes[slot / LANES].get(slot % LANES);
            let is_open = self.open[slot / LANES] >> (slot % LANES) & 1 == 1;
            assert_eq!(is_open, *body == NONE, "empty slots are open");
            if *body != NONE {
                assert_eq!(
                    slots[*body as usize] as usize, slot,
                    "a body knows its slot"
                );
                let is_marked = self.marks[slot / 64] >> (slot % 64) & 1 == 1;
                assert!(is_marked || lane == bounds_of(*body), "the box of {body}");
            }
        }
        for level in 1..self.height() {
            for child in 0..self.begins[level] - self.begins[level - 1] {
                let node = self.begins[level] + child / LANES;
                let below = self.begins[level - 1] + child;
                let is_open = self.open[node] >> (child % LANES) & 1 == 1;
                assert_eq!(is_open, self.open[below] != 0, "room below is known above");
                let bounds = self.nodes[node].get(child % LANES);
                assert!(self.stale[node] == 0, "nothing is stale between refits");
                self.nodes[below].assert_inside(&bounds, |lane| {
                    level == 1 && self.marks[child / 8] >> (child % 8 * 8 + lane) & 1 == 1
                });
            }
        }
    }
}

/// How many words of marks each thread takes, if several are to share so many.
#[cfg(feature = "parallel")]
fn share_of(words: usize) -> Option<usize> {
    let is_shared = words > 2 * SHARE && crate::sharing::is_shared();
    is_shared.then(|| words.div_ceil(rayon::current_num_threads()))
}

/// Replaces the boxes of marked slots by those of their bodies, given the marks, bodies and nodes of some leaves.
#[inline(always)]
fn set_marked(
    marks: &[u64],
    bodies: &[u32],
    leaves: &mut [Node],
    bounds_of: &impl Fn(u32) -> Box32,
    waiting: &mut Vec<(usize, Box32)>,
) {
    // In the order of slots, each node once; who was marked before gets the box that it has. Boxes are anywhere in memory: in a loop that
    // does nothing but read, the processor has many requests under way.
    for (number, word) in marks.iter().enumerate() {
        let mut marked = *word;
        while marked != 0 {
            let slot = number * 64 + marked.trailing_zeros() as usize;
            marked &= marked - 1;
            let body = bodies[slot];
            if body != NONE {
                leaves[slot / LANES].fetch();
                waiting.push((slot, bounds_of(body)));
            }
        }
        if waiting.len() >= BLOCK || number + 1 == marks.len() {
            for (slot, bounds) in waiting.drain(..) {
                leaves[slot / LANES].set(slot % LANES, &bounds);
            }
        }
    }
}

/// The boxes of marked leaves into their parents, which are then stale, given the marks of each parent.
#[inline(always)]
fn refit_marked<S: Simd>(
    simd: S,
    marks: &[u64],
    leaves: &[Node],
    parents: &mut [Node],
    stale: &mut [u8],
) {
    for (parent, word) in marks.iter().enumerate() {
        let mut marked = *word;
        while marked != 0 {
            let lane = marked.trailing_zeros() as usize / LANES;
            // On to the next leaf, which is the next byte.
            marked &= (!0 << (LANES * lane)) << LANES;
            let bounds = leaves[parent * LANES + lane].bounds(simd);
            parents[parent].set(lane, &bounds);
            stale[parent] = 1;
        }
    }
}

#[cfg(test)]
mod tests;
