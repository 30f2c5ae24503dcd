//! Building the tree: bodies divided by medians of their centres.
//!
//! Large bodies among small ones would make every leaf large. So bodies are first put in order of size, by classes a factor
//! of eight wide around the mean, and each class is divided on its own; few nodes have bodies of two classes.

use super::{Box32, LANES, NONE, Node, WideTree};
use fearless_simd::Simd;

/// How full leaves are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) enum Fill {
    /// All slots: for bodies that stay.
    #[default]
    Full,
    /// All but one: for bodies that come, go and jump.
    Roomy,
}

impl Fill {
    fn slots(self) -> usize {
        match self {
            Fill::Full => LANES,
            Fill::Roomy => LANES - 1,
        }
    }
}

/// Below this many bodies, dividing is not shared among threads.
#[cfg(feature = "parallel")]
const ALONE: usize = 1 << 13;

/// A body to be put somewhere.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Seed {
    /// Twice the centre, or thereabouts: only the order counts.
    center: [f32; 3],
    body: u32,
}

impl WideTree {
    /// Replaces everything by the bodies that have a box here, and their slots by the new ones; nothing is marked.
    #[inline(always)]
    pub(in super::super) fn build<S: Simd>(
        &mut self,
        simd: S,
        fill: Fill,
        bodies: impl Iterator<Item = u32>,
        bounds_of: impl Fn(u32) -> Box32,
        slots: &mut [u32],
    ) {
        let mut seeds = std::mem::take(&mut self.seeds);
        seeds.clear();
        seeds.extend(bodies.map(|body| Seed::new(body, &bounds_of(body))));
        let fill = fill.slots();
        divide_by_size(&mut seeds, fill, &bounds_of);
        self.plant(seeds.len().div_ceil(fill).max(1));
        for (leaf, chunk) in seeds.chunks(fill).enumerate() {
            for (lane, seed) in chunk.iter().enumerate() {
                let slot = leaf * LANES + lane;
                self.bodies[slot] = seed.body;
                slots[seed.body as usize] = slot as u32;
                self.nodes[leaf].set(lane, &bounds_of(seed.body));
                self.open[leaf] &= !(1 << lane);
            }
        }
        self.seeds = seeds;
        self.note_room();
        self.marks.fill(!0);
        let beyond = self.leaves() % LANES;
        if let Some(last) = self.marks.last_mut()
            && beyond != 0
        {
            *last = (1 << (LANES * beyond)) - 1;
        }
        self.refit(simd);
        self.unmark();
    }

    /// Makes an empty tree with so many leaves.
    fn plant(&mut self, leaves: usize) {
        self.begins.clear();
        let (mut count, mut total) = (leaves, 0);
        loop {
            self.begins.push(total);
            total += count;
            if count == 1 {
                break;
            }
            count = count.div_ceil(LANES);
        }
        self.begins.push(total);
        self.nodes.clear();
        self.nodes.resize(total, Node::EMPTY);
        self.bodies.clear();
        self.bodies.resize(leaves * LANES, NONE);
        self.marks.clear();
        self.marks.resize(leaves.div_ceil(LANES), 0);
        self.open.clear();
        self.open.resize(total, !0);
        self.stale.clear();
        self.stale.resize(total, 0);
    }

    /// Tells nodes above the leaves which of their children have room.
    fn note_room(&mut self) {
        for level in 1..self.height() {
            let (begin, end) = (self.begins[level - 1], self.begins[level]);
            let (below, above) = self.open.split_at_mut(end);
            for (open, children) in above.iter_mut().zip(below[begin..].chunks(LANES)) {
                let bits = children.iter().enumerate();
                let bits = bits.map(|(lane, child)| u8::from(*child != 0) << lane);
                *open = bits.fold(0, |all, bit| all | bit);
            }
        }
    }
}

impl Seed {
    fn new(body: u32, Box32 { min, max }: &Box32) -> Seed {
        Seed {
            center: [min[0] + max[0], min[1] + max[1], min[2] + max[2]],
            body,
        }
    }
}

/// The power of two below the longest edge.
fn order_of(bounds: &Box32) -> i32 {
    let edges: [f32; 3] = std::array::from_fn(|axis| bounds.max[axis] - bounds.min[axis]);
    let longest = edges[0].max(edges[1]).max(edges[2]);
    (longest.to_bits() >> 23) as i32
}

/// Puts bodies in order, by classes of size first.
fn divide_by_size(seeds: &mut [Seed], fill: usize, bounds_of: &impl Fn(u32) -> Box32) {
    let orders = seeds.iter().map(|seed| order_of(&bounds_of(seed.body)));
    let sum: i64 = orders.map(i64::from).sum();
    let mean = (sum / seeds.len().max(1) as i64) as i32;
    let class_of = |seed: &Seed| (order_of(&bounds_of(seed.body)) - mean + 1).div_euclid(3);
    let Some(first) = seeds.first().map(class_of) else {
        return;
    };
    if seeds.iter().any(|seed| class_of(seed) != first) {
        seeds.sort_by_cached_key(class_of);
    }
    let mut unit = fill;
    while unit * LANES < seeds.len() {
        unit *= LANES;
    }
    let mut begin = 0;
    for class in seeds.chunk_by_mut(|a, b| class_of(a) == class_of(b)) {
        let end = begin + class.len();
        divide(class, begin, unit, fill);
        begin = end;
    }
}

/// Divides bodies among the nodes of `unit` places each, `begin` being the place of the first, and then within them, down to
/// leaves of `fill` places.
fn divide(seeds: &mut [Seed], begin: usize, unit: usize, fill: usize) {
    let end = begin + seeds.len();
    let (first, last) = (begin / unit + 1, (end - 1) / unit);
    if first > last {
        if unit > fill {
            divide(seeds, begin, unit / LANES, fill);
        }
        return;
    }
    // The border between nodes that is nearest to the middle.
    let border = ((begin + end) / 2 + unit / 2) / unit;
    let middle = border.clamp(first, last) * unit - begin;
    let axis = longest_axis(seeds);
    seeds.select_nth_unstable_by(middle, |a, b| a.center[axis].total_cmp(&b.center[axis]));
    let (low, high) = seeds.split_at_mut(middle);
    #[cfg(feature = "parallel")]
    if low.len() + high.len() > ALONE && crate::sharing::is_shared() {
        rayon::join(
            || divide(low, begin, unit, fill),
            || divide(high, begin + middle, unit, fill),
        );
        return;
    }
    divide(low, begin, unit, fill);
    divide(high, begin + middle, unit, fill);
}

/// The axis along which centres are spread most.
fn longest_axis(seeds: &[Seed]) -> usize {
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for seed in seeds {
        for axis in 0..3 {
            min[axis] = min[axis].min(seed.center[axis]);
            max[axis] = max[axis].max(seed.center[axis]);
        }
    }
    let spread: [f32; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
    let longest = (0..3).max_by(|a, b| spread[*a].total_cmp(&spread[*b]));
    longest.unwrap_or(0)
}
