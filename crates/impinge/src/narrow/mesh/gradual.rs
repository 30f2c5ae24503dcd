//! Gradual answers about two meshes, through the trees that they have.
//!
//! Opening a pair of boxes compares one of them with the eight of the other's node, at a cost of eight; looking into two leaves costs
//! one. Boxes that overlap do so by no more than the least overlap along an axis of either, or along the direction between
//! points that are nearly the closest: a move that long parts them.

use super::boxes::{Probe, gaps};
use super::frame::Frames;
use super::leaves::{Blocks, PAIRS};
use super::pair::MeshPair;
use super::side::{Made, Side};
use super::triangles::measure;
use crate::contact::Separation;
use crate::lanes::in_lanes;
use crate::narrow::gradual::{Closest, Frontier, Pairs};
use crate::shape::{BLOCK, Block, Child, LANES, Node, Obb, Placed, Slot};
use fearless_simd::Simd;

/// A pair of boxes.
pub(crate) type Boxes = (Slot, Slot);

/// Two placed meshes, and how their trees lie to each other.
#[derive(Debug)]
pub(crate) struct MeshPairs<'a> {
    a: Side<'a>,
    b: Side<'a>,
    frames: Frames,
}

/// Why there is no search through two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// One of the shapes is not made of triangles.
    Shapes,
    /// Numbers are of extreme size.
    Sizes,
}

impl<'a> MeshPairs<'a> {
    /// The boxes around everything.
    pub(crate) const ROOTS: Boxes = (Slot::ROOT, Slot::ROOT);

    pub(crate) fn new(a: &'a Placed<'_>, b: &'a Placed<'_>) -> Result<MeshPairs<'a>, Unfit> {
        let (Some(a), Some(b)) = (Side::of(a), Side::of(b)) else {
            return Err(Unfit::Shapes);
        };
        let frames = Frames::new(&a.frame(), &b.frame()).ok_or(Unfit::Sizes)?;
        Ok(MeshPairs { a, b, frames })
    }

    /// The answer if a point of one shape is inside the other, which is a solid.
    pub(crate) fn contained(&self) -> Option<Separation> {
        let MeshPairs { a, b, .. } = *self;
        MeshPair { a, b }.held()
    }

    /// The answer of a search that is done.
    pub(crate) fn separation(&self, frontier: &Frontier<Boxes>) -> Separation {
        let Closest { triangles, near } =
            frontier.closest().expect("a finished search has measured");
        let MeshPairs { a, b, .. } = *self;
        if near.bounds.upper <= 0.0 {
            return MeshPair { a, b }.meeting_at(triangles);
        }
        let [on_a, on_b] = near.parts;
        let features = [a.feature(triangles[0], on_a), b.feature(triangles[1], on_b)];
        let lower = frontier.progress().bounds.lower;
        Separation::apart(lower, &near.bounds, near.witness, features)
    }
}

impl Pairs for MeshPairs<'_> {
    type Pair = Boxes;

    fn cost(&self, (slot_a, slot_b): Boxes) -> u64 {
        match (self.a.child(slot_a), self.b.child(slot_b)) {
            (Child::Block(_), Child::Block(_)) => 1,
            (Child::Node(_), _) | (_, Child::Node(_)) => LANES as u64,
        }
    }

    fn open(&mut self, pair: Boxes, frontier: &mut Frontier<Boxes>) {
        in_lanes!(simd => self.open_with(simd, pair, frontier));
    }
}

impl MeshPairs<'_> {
    #[inline(always)]
    fn open_with<S: Simd>(&self, simd: S, (slot_a, slot_b): Boxes, frontier: &mut Frontier<Boxes>) {
        let (box_a, child_a) = self.a.opened(slot_a);
        let (box_b, child_b) = self.b.opened(slot_b);
        let frames = &self.frames;
        let is_a_larger = box_a.size() >= box_b.size() * frames.ratio;
        let mut made = Made::NEW;
        match (child_a, child_b) {
            (Child::Block(p), Child::Block(q)) => {
                let [first, second] = &mut made.blocks;
                let blocks = [self.a.block(p, first), self.b.block(q, second)];
                self.measure_leaves(simd, blocks, frontier);
            }
            (Child::Node(p), other) if is_a_larger || matches!(other, Child::Block(_)) => {
                let (node, probe) = (self.a.node(p, &mut made.node), frames.into_a.obb(&box_b));
                for (lane, found) in compared(simd, &probe, node) {
                    let [gap, upper] = found.in_world(frames, frames.error_a, 1.0);
                    frontier.push((Slot::new(p, lane), slot_b), gap, upper);
                }
            }
            (_, Child::Node(q)) => {
                let (node, probe) = (self.b.node(q, &mut made.node), frames.into_b.obb(&box_a));
                for (lane, found) in compared(simd, &probe, node) {
                    let [gap, upper] = found.in_world(frames, frames.error_b, frames.ratio);
                    frontier.push((slot_a, Slot::new(q, lane)), gap, upper);
                }
            }
            (Child::Node(_), Child::Block(_)) => (),
        }
    }

    /// Measures the triangles of two leaves that may matter, the nearest first.
    #[inline(always)]
    fn measure_leaves<S: Simd>(
        &self,
        simd: S,
        [p, q]: [&Block; 2],
        frontier: &mut Frontier<Boxes>,
    ) {
        let error = self.frames.error_a;
        let limit = |frontier: &Frontier<Boxes>| self.frames.units_above(frontier.limit());
        let blocks = Blocks::new(simd, p, q, &self.frames.into_a);
        let below = blocks.distances(limit(frontier) + error, [0.0; 3]);
        let mut order: [usize; PAIRS] = std::array::from_fn(|k| k);
        order.sort_by(|i, j| below[*i].total_cmp(&below[*j]));
        for k in order {
            if below[k] - error > limit(frontier) {
                return;
            }
            let pair = [p.triangles[k / BLOCK], q.triangles[k % BLOCK]];
            let near = measure(&self.a.placed(pair[0]), &self.b.placed(pair[1]));
            frontier.measured(pair, near);
        }
    }
}

/// What a box and one of a node are to each other, in units of the frame of the node.
#[derive(Debug, Clone, Copy)]
struct Compared {
    gap: f32,
    /// No two points of the two are farther apart.
    upper: f64,
}

impl Compared {
    /// Gap and upper bound as lengths of the world, with the error of the frames; the unit is given in units of `a`.
    fn in_world(&self, frames: &Frames, error: f32, unit: f32) -> [f64; 2] {
        let gap = f64::from((self.gap - error) * unit);
        let upper = (self.upper + f64::from(error)) * f64::from(unit);
        [
            if gap > 0.0 {
                frames.world_below(gap)
            } else {
                -frames.world_above(-gap)
            },
            frames.world_above(upper),
        ]
    }
}

/// Compares a box with those of a node.
#[inline(always)]
fn compared<S: Simd>(simd: S, probe: &Obb, node: &Node) -> impl Iterator<Item = (usize, Compared)> {
    let found = gaps(simd, &Probe::new(simd, probe), node);
    node.lanes().map(
        #[inline(always)]
        move |lane| {
            let upper = farthest(probe, &node.obb(lane));
            let gap = found[lane];
            (lane, Compared { gap, upper })
        },
    )
}

/// No two points of two boxes are farther apart than this.
fn farthest(p: &Obb, q: &Obb) -> f64 {
    let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let between = [0, 1, 2].map(|k| f64::from(p.center[k]) - f64::from(q.center[k]));
    let sum = length(between) + length(p.half.map(f64::from)) + length(q.half.map(f64::from));
    // The axes are of unit length up to some roundings of single precision.
    sum * (1.0 + 64.0 * f64::from(f32::EPSILON))
}
