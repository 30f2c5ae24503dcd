//! How far are the surfaces of two placed meshes apart?
//!
//! Pairs of boxes wait in a heap by a number below the distance of what is in them. The nearest pair is taken, and its larger
//! box opened. The search ends when the nearest pair is farther apart than the best pair of triangles so far. The closest
//! pair of last time is the first to be measured, after Larsen, Gottschalk, Lin and Manocha (Fast Proximity Queries with Swept
//! Sphere Volumes, 1999).
//!
//! Pairs of triangles that come close enough by the bounds of [`Blocks`] are measured on the placed vertices
//! ([`measure`]), with a certified interval. The direction between the best pair is the first that is tried on
//! others: near the closest points, surfaces are apart along much the same direction.
//!
//! **Invariant.** A dropped pair is farther apart than the upper bound of some measured pair. So the distance is
//! between the least lower and the least upper bound of measured pairs, and as each interval is narrow, so is this one.
//! With a tolerance, a dropped pair is farther apart than that upper bound less the tolerance; the bound only falls, and
//! with it what is left when the tolerance is taken off, so that the last such number is below the distance of all that was
//! dropped.
//! **Cost.** Grows with the number of pairs of boxes that are nearer to each other than the meshes are.

use super::boxes::{Probe, distances};
use super::frame::Frames;
use super::leaves::{Blocks, PAIRS};
use super::queue::{Entry, Queue, with_queue};
use super::side::{Made, Side};
use super::triangles::{Near, are_within, measure};
use super::work;
use crate::contact::Tolerance;
use crate::math::Interval;
use crate::shape::{BLOCK, Block, Child, LANES, Slot};
use fearless_simd::Simd;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Goal {
    /// At the closest pair.
    Closest,
    /// At a pair that is surely not farther apart than the closest by more than this.
    Approximate(Tolerance),
    /// At the first pair that is no farther apart than this. Pairs that are farther apart are left out.
    Within(f64),
}

impl Goal {
    /// Given that a pair is at most so far apart: pairs that are farther apart than what comes out do not matter.
    fn limit(self, upper: f64) -> f64 {
        match self {
            Goal::Closest | Goal::Within(_) => upper,
            Goal::Approximate(tolerance) => tolerance.below(upper),
        }
    }
}

/// The closest pair of triangles so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) pair: [u32; 2],
    pub(super) near: Near,
    /// The least lower bound of all pairs measured.
    pub(super) lower: f64,
}

impl Best {
    /// The distance of the meshes is in here, after a search with that goal.
    pub(super) fn bounds(&self, goal: Goal) -> Interval {
        let upper = self.near.bounds.upper;
        Interval {
            lower: self.lower.min(goal.limit(upper)),
            upper,
        }
    }
}

/// A search for the closest pair.
#[derive(Debug)]
pub(super) struct Search<'a> {
    a: Side<'a>,
    b: Side<'a>,
    frames: Frames,
    goal: Goal,
    /// In units of `a`: pairs farther apart do not matter.
    limit: f32,
    /// The direction between the best pair, in the frame of `a`.
    along: [f32; 3],
    pub(super) best: Option<Best>,
    /// Whether a pair within the gap was found, if that is the goal.
    pub(super) is_within: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(a: Side<'a>, b: Side<'a>, frames: Frames, goal: Goal) -> Search<'a> {
        let limit = match goal {
            Goal::Closest | Goal::Approximate(_) => f32::INFINITY,
            Goal::Within(gap) => frames.units_above(gap),
        };
        Search {
            a,
            b,
            frames,
            goal,
            limit,
            along: [0.0; 3],
            best: None,
            is_within: false,
        }
    }

    /// Measures a pair of triangles.
    pub(super) fn visit(&mut self, pair: [u32; 2]) {
        work::add(0, 1);
        let (p, q) = (self.a.placed(pair[0]), self.b.placed(pair[1]));
        let near = measure(&p, &q);
        if let Goal::Within(gap) = self.goal {
            let Interval { lower, upper } = near.bounds;
            self.is_within |= upper <= gap || (lower <= gap && are_within(&p, &q, gap));
        }
        let lower = self.best.map_or(f64::INFINITY, |best| best.lower);
        let lower = lower.min(near.bounds.lower);
        match &mut self.best {
            Some(best) if best.near.bounds.upper <= near.bounds.upper => best.lower = lower,
            best => {
                *best = Some(Best { pair, near, lower });
                let along = self.a.pose.unrotate(near.witness.b - near.witness.a);
                self.along = along.normalize_or_zero().as_vec3().to_array();
                let limit = self.goal.limit(near.bounds.upper);
                self.limit = self.limit.min(self.frames.units_above(limit));
            }
        }
    }

    /// Goes through all pairs that matter.
    #[inline(always)]
    pub(super) fn run<S: Simd>(&mut self, simd: S) {
        with_queue(
            #[inline(always)]
            |queue| {
                let mut made = Made::NEW;
                queue.push(Entry::new(Slot::ROOT, Slot::ROOT, 0.0));
                let mut nodes = 0;
                while let Some(entry) = queue.pop() {
                    if entry.below() > self.limit || self.is_within {
                        break;
                    }
                    nodes += 1;
                    self.open(simd, &entry, queue, &mut made);
                }
                work::add(nodes, 0);
            },
        );
    }

    #[inline(always)]
    fn open<S: Simd>(&mut self, simd: S, entry: &Entry, queue: &mut Queue, made: &mut Made) {
        let (slot_a, slot_b) = (entry.a, entry.b);
        let (box_a, child_a) = self.a.opened(slot_a);
        let (box_b, child_b) = self.b.opened(slot_b);
        let frames = &self.frames;
        let is_a_larger = box_a.size() >= box_b.size() * frames.ratio;
        match (child_a, child_b) {
            (Child::Block(p), Child::Block(q)) => {
                let (a, b) = (self.a, self.b);
                let [first, second] = &mut made.blocks;
                self.visit_leaves(simd, [a.block(p, first), b.block(q, second)]);
            }
            (Child::Node(p), other) if is_a_larger || matches!(other, Child::Block(_)) => {
                let probe = Probe::new(simd, &frames.into_a.obb(&box_b));
                let node = self.a.node(p, &mut made.node);
                let found = distances(simd, &probe, node);
                for lane in node.lanes() {
                    let below = found[lane] - frames.error_a;
                    if below <= self.limit {
                        queue.push(Entry::new(Slot::new(p, lane), slot_b, below));
                    }
                }
            }
            (_, Child::Node(q)) => {
                let probe = Probe::new(simd, &frames.into_b.obb(&box_a));
                let node = self.b.node(q, &mut made.node);
                let found = distances(simd, &probe, node);
                for lane in node.lanes() {
                    let below = (found[lane] - frames.error_b) * frames.ratio;
                    if below <= self.limit {
                        queue.push(Entry::new(slot_a, Slot::new(q, lane), below));
                    }
                }
            }
            (Child::Node(_), Child::Block(_)) => (),
        }
    }

    #[inline(always)]
    fn visit_leaves<S: Simd>(&mut self, simd: S, [p, q]: [&Block; 2]) {
        let blocks = Blocks::new(simd, p, q, &self.frames.into_a);
        let error = self.frames.error_a;
        let mut below = blocks.distances(self.limit + error, self.along);
        for _ in 0..PAIRS {
            let nearest = nearest_of(&below);
            if below[nearest] - error > self.limit {
                return;
            }
            below[nearest] = f32::INFINITY;
            self.visit([p.triangles[nearest / BLOCK], q.triangles[nearest % BLOCK]]);
            if self.is_within {
                return;
            }
        }
    }
}

#[inline(always)]
fn nearest_of(below: &[f32; PAIRS]) -> usize {
    let mut nearest = 0;
    for k in 1..PAIRS {
        if below[k] < below[nearest] {
            nearest = k;
        }
    }
    nearest
}

const _: () = assert!(PAIRS == 2 * LANES);
