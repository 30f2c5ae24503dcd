//! Which boxes overlap the marked ones.
//!
//! Searching for one box is a chain of loads and branches that are hard to foresee. So many boxes go down together, level by
//! level: a front of (node, box) entries makes the front of the next level, without a branch on what is found. Marked
//! slots are taken in the order of the tree, so that the boxes of a batch meet in the same nodes.

#[cfg(feature = "parallel")]
use super::SHARE;
use super::node::Wide;
use super::{Box32, LANES, NEAR, NONE, Node, WideTree};
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::{Simd, prelude::*, u32x8};

/// How many boxes go down together, about.
const BATCH: usize = 128;

/// How many entries of a front ahead nodes are asked for.
const AHEAD: usize = 8;

/// How many shares there are for each thread: they are not alike, as bodies that leave are not everywhere as many.
#[cfg(feature = "parallel")]
const SHARES: usize = 4;

/// The members of each set of lanes in order; then lanes of no meaning.
static MEMBERS: [[u32; LANES]; 256] = members();

const fn members() -> [[u32; LANES]; 256] {
    let mut all = [[0; LANES]; 256];
    let mut set: usize = 0;
    while set < all.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                all[set][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    all
}

/// What a search came to.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super) struct Searched {
    /// Boxes searched for.
    pub(in super::super) boxes: u64,
    /// Nodes visited.
    pub(in super::super) nodes: u64,
}

impl std::ops::AddAssign for Searched {
    fn add_assign(&mut self, other: Searched) {
        self.boxes += other.boxes;
        self.nodes += other.nodes;
    }
}

/// Entries of one level: a node and the box that is looked for in it.
#[derive(Debug, Clone, Default)]
struct Front {
    nodes: Vec<u32>,
    boxes: Vec<u32>,
    len: usize,
}

impl Front {
    /// Makes room for eight entries more than given.
    fn reserve(&mut self, len: usize) {
        if self.nodes.len() < len + LANES {
            self.nodes.resize(len + LANES, 0);
            self.boxes.resize(len + LANES, 0);
        }
    }

    /// Replaces `next` by the children met of the nodes of a level, which are `FAR` or not, given the boxes looked for.
    #[inline(always)]
    fn descend<const FAR: bool, S: Simd>(
        &self,
        simd: S,
        nodes: &[Node],
        bounds: &[Box32],
        next: &mut Front,
    ) {
        next.reserve(self.len * LANES);
        let room = next.nodes.len();
        let (below, owners) = (&mut next.nodes[..], &mut next.boxes[..room]);
        let mut len = 0;
        for (place, (node, owner)) in self.entries().enumerate() {
            // A few entries ahead; beyond the last one there are others of before.
            if FAR
                && let Some(later) = self.nodes.get(place + AHEAD)
                && let Some(later) = nodes.get(*later as usize)
            {
                later.fetch();
            }
            let wanted = Wide::splat(simd, &bounds[owner as usize]);
            let met = nodes[node as usize].overlapping(simd, &wanted).to_bitmask() as u8;
            let lanes = u32x8::load_array_ref(simd, &MEMBERS[usize::from(met)]);
            let children = lanes + u32x8::splat(simd, node * LANES as u32);
            // All eight are written; the next entry writes over what was not met.
            children.store_slice(&mut below[len..][..LANES]);
            u32x8::splat(simd, owner).store_slice(&mut owners[len..][..LANES]);
            len += met.count_ones() as usize;
        }
        next.len = len;
    }

    fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        let nodes = self.nodes[..self.len].iter().copied();
        nodes.zip(self.boxes[..self.len].iter().copied())
    }
}

/// Boxes that go down together, and how far they got.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Batch {
    slots: Vec<u32>,
    bounds: Vec<Box32>,
    front: Front,
    next: Front,
    /// What several threads need, a share each: this again, and what they found.
    shares: Vec<(Batch, Vec<u64>)>,
}

impl Batch {
    /// The memory held.
    pub(in super::super) fn bytes(&self) -> usize {
        let words = [&self.front, &self.next].map(|front| front.nodes.capacity() * 2);
        let shares = self.shares.iter();
        let shares = shares.map(|(batch, found)| batch.bytes() + found.capacity() * 8);
        (self.slots.capacity() + words[0] + words[1]) * 4
            + self.bounds.capacity() * size_of::<Box32>()
            + shares.sum::<usize>()
    }
}

impl WideTree {
    /// Adds to `found` a key for every two bodies whose boxes overlap and of which one is marked: the smaller index, then the
    /// larger, then a 0 bit; each pair once, in an order of no meaning.
    #[inline(always)]
    pub(in super::super) fn search<S: Simd>(
        &self,
        simd: S,
        batch: &mut Batch,
        found: &mut Vec<u64>,
    ) -> Searched {
        #[cfg(feature = "parallel")]
        if self.marks.len() > 2 * SHARE && crate::sharing::is_shared() {
            return self.search_shared(batch, found);
        }
        self.search_marks(simd, 0..self.marks.len(), batch, found)
    }

    #[cfg(feature = "parallel")]
    fn search_shared(&self, batch: &mut Batch, found: &mut Vec<u64>) -> Searched {
        use rayon::prelude::*;
        let words = self.marks.len();
        let size = words.div_ceil(SHARES * rayon::current_num_threads());
        batch
            .shares
            .resize_with(words.div_ceil(size), Default::default);
        let shares = batch.shares.par_iter_mut().enumerate();
        let searched = shares.map(|(number, (batch, found))| {
            found.clear();
            let words = number * size..words.min((number + 1) * size);
            in_lanes!(simd => self.search_marks(simd, words, batch, found))
        });
        let searched: Vec<Searched> = searched.collect();
        for (_, part) in &batch.shares {
            found.extend_from_slice(part);
        }
        searched
            .into_iter()
            .fold(Searched::default(), |mut total, part| {
                total += part;
                total
            })
    }

    /// The search for the marked slots of some words.
    #[inline(always)]
    fn search_marks<S: Simd>(
        &self,
        simd: S,
        words: std::ops::Range<usize>,
        batch: &mut Batch,
        found: &mut Vec<u64>,
    ) -> Searched {
        let mut searched = Searched::default();
        let (end, are_far) = (words.end, self.leaves() > NEAR);
        for word in words {
            let mut marked = self.marks[word];
            while marked != 0 {
                let slot = word * 64 + marked.trailing_zeros() as usize;
                marked &= marked - 1;
                if self.bodies[slot] != NONE {
                    batch.slots.push(slot as u32);
                    if are_far {
                        self.nodes[slot / LANES].fetch();
                    }
                }
            }
            if batch.slots.len() >= BATCH || word + 1 == end {
                searched += self.search_batch(simd, batch, found);
            }
        }
        searched
    }

    /// [`WideTree::search`] where nobody else is marked than some bodies, given the slots of all: for few bodies in a small tree.
    #[inline(always)]
    pub(in super::super) fn search_around<S: Simd>(
        &self,
        simd: S,
        some: &[u32],
        slots: &[u32],
        batch: &mut Batch,
        found: &mut Vec<u64>,
    ) -> Searched {
        let mut searched = Searched::default();
        for part in some.chunks(BATCH) {
            let slots = part.iter().map(|body| slots[*body as usize]);
            batch.slots.extend(slots.filter(|slot| *slot != NONE));
            searched += self.search_batch(simd, batch, found);
        }
        searched
    }

    /// The search for the slots of a batch, which is empty afterwards.
    #[inline(always)]
    fn search_batch<S: Simd>(&self, simd: S, batch: &mut Batch, found: &mut Vec<u64>) -> Searched {
        let slots = batch.slots.iter().map(|slot| *slot as usize);
        let bounds = slots.map(|slot| self.nodes[slot / LANES].get(slot % LANES));
        batch.bounds.extend(bounds);
        let searched = Searched {
            boxes: batch.slots.len() as u64,
            nodes: self.descend(simd, batch),
        };
        self.report(batch, found);
        batch.slots.clear();
        batch.bounds.clear();
        searched
    }

    /// Lets a batch down from the root; its front is then the slots met. Tells the number of nodes visited.
    #[inline(always)]
    fn descend<S: Simd>(&self, simd: S, batch: &mut Batch) -> u64 {
        let Batch {
            bounds,
            front,
            next,
            ..
        } = batch;
        front.reserve(bounds.len());
        front.len = bounds.len();
        front.nodes[..bounds.len()].fill(0);
        for (place, owner) in front.boxes[..bounds.len()].iter_mut().enumerate() {
            *owner = place as u32;
        }
        let mut visited = 0;
        for level in (0..self.height()).rev() {
            let nodes = &self.nodes[self.begins[level]..self.begins[level + 1]];
            visited += front.len as u64;
            if nodes.len() > NEAR {
                front.descend::<true, _>(simd, nodes, bounds, next);
            } else {
                front.descend::<false, _>(simd, nodes, bounds, next);
            }
            std::mem::swap(front, next);
        }
        visited
    }

    /// Adds the pairs of a batch that has come down, without those that another box reports.
    #[inline(always)]
    fn report(&self, batch: &Batch, found: &mut Vec<u64>) {
        let begin = found.len();
        found.resize(begin + batch.front.len, 0);
        let mut end = begin;
        for (slot, owner) in batch.front.entries() {
            let own_slot = batch.slots[owner as usize];
            let (one, other) = (self.bodies[own_slot as usize], self.bodies[slot as usize]);
            found[end] = u64::from(one.min(other)) << 33 | u64::from(one.max(other)) << 1;
            let place = slot as usize;
            let reports_itself = self.marks[place / 64] >> (place % 64) & 1 == 1;
            let is_new = !((slot == own_slot) | (reports_itself & (slot < own_slot)));
            end += usize::from(is_new);
        }
        found.truncate(end);
    }
}
