//! Answers that get better the more is spent on them.
//!
//! After Hubbard (Collision Detection for Interactive Graphics Applications, 1995): a search through two trees can be stopped at any
//! time, and what has been looked at so far says something. Here it says an interval that contains the distance. Pairs of volumes wait,
//! nearest first and then level by level; the nearest one is opened, its children are compared, and so on. At every moment
//!
//! - no distance is below the least lower bound of what waits and of the triangles that were measured;
//! - no distance is above the farthest points of any two volumes that were compared (each holds some point of its surface), or above
//!   what was measured.
//!
//! Both ends only ever move towards each other. Volumes that overlap say how deep: by how much one of the two must be moved, at most, to part
//! what is in them.
//!
//! **Invariant.** What waits, and what was measured, together hold the closest points. **Cost.** [`Pairs::cost`] of each pair
//! that is opened, counted before it is; the next pair is not opened when it would cost more than is left.

use super::mesh::triangles::Near;
use crate::math::Interval;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is known about two shapes before all of the search is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The distance is in here. The interval never grows; in the end it is as narrow as that of
    /// [`query::distance`](crate::query::distance).
    pub bounds: Interval,
    /// Whether the shapes share a point, once that is known; never wrong.
    pub intersects: Option<bool>,
    /// The deepest that two parts may overlap that could not be told apart: moving one by so much, in some direction, parts
    /// the two. It bounds the error of taking the shapes for intersecting, or for apart. 0 when they are known to be apart.
    pub depth: f64,
    /// How many times at least the pairs of volumes that still matter were opened, beginning with the two roots: the level that the
    /// answer is from.
    pub level: u32,
    /// How many pairs of volumes were compared so far.
    pub spent: u64,
    /// Whether nothing is left to do.
    pub is_final: bool,
}

/// Two trees, as a gradual search sees them.
pub(crate) trait Pairs {
    /// A pair of volumes.
    type Pair: Copy;

    /// How many pairs of volumes are compared when a pair is opened: at least 1.
    fn cost(&self, pair: Self::Pair) -> u64;

    /// Opens a pair: the pairs that take its place, or what its triangles came to, go to the frontier.
    fn open(&mut self, pair: Self::Pair, frontier: &mut Frontier<Self::Pair>);
}

/// A pair of volumes that waits.
#[derive(Debug, Clone, Copy)]
struct Waiting<P> {
    /// Not above the distance of what is in them, if positive; otherwise they overlap by at most minus this.
    gap: f64,
    level: u32,
    pair: P,
}

impl<P> Waiting<P> {
    fn below(&self) -> f64 {
        self.gap.max(0.0)
    }
}

impl<P> Ord for Waiting<P> {
    /// The nearest is the greatest, and of equally near ones that of the lowest level.
    fn cmp(&self, other: &Waiting<P>) -> Ordering {
        let by_distance = other.below().total_cmp(&self.below());
        by_distance.then(other.level.cmp(&self.level))
    }
}

impl<P> PartialOrd for Waiting<P> {
    fn partial_cmp(&self, other: &Waiting<P>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P> PartialEq for Waiting<P> {
    fn eq(&self, other: &Waiting<P>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<P> Eq for Waiting<P> {}

/// The closest pair of triangles so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closest {
    pub(crate) triangles: [u32; 2],
    pub(crate) near: Near,
}

/// What a search has come to. All lengths are those of the world.
#[derive(Debug, Clone)]
pub(crate) struct Frontier<P> {
    waiting: BinaryHeap<Waiting<P>>,
    closest: Option<Closest>,
    /// The least lower bound of all triangles measured.
    measured: f64,
    /// The least upper bound of all.
    upper: f64,
    /// How deep the volumes of the leaves overlapped whose triangles were found to meet.
    met: f64,
    /// The level of the pair that is being opened, and its gap.
    level: u32,
    gap: f64,
    spent: u64,
}

impl<P: Copy> Frontier<P> {
    /// Nothing is known but the two roots.
    pub(crate) fn new(roots: P) -> Frontier<P> {
        let root = Waiting {
            gap: f64::NEG_INFINITY,
            level: 0,
            pair: roots,
        };
        Frontier {
            waiting: BinaryHeap::from([root]),
            closest: None,
            measured: f64::INFINITY,
            upper: f64::INFINITY,
            met: 0.0,
            level: 0,
            gap: f64::NEG_INFINITY,
            spent: 0,
        }
    }

    /// Pairs that are farther apart do not matter.
    pub(crate) fn limit(&self) -> f64 {
        self.upper
    }

    /// A pair that takes the place of the one being opened: a number not above the distance of what is in the two, or minus
    /// one not below their overlap, and one not below their distance.
    pub(crate) fn push(&mut self, pair: P, gap: f64, upper: f64) {
        // What holds for a pair holds for the parts of it. Numbers of extreme size may give NaN, which says nothing.
        let gap = self.gap.max(gap);
        self.upper = self.upper.min(upper);
        if gap <= self.upper {
            self.waiting.push(Waiting {
                gap,
                level: self.level + 1,
                pair,
            });
        }
    }

    /// What two triangles of the pair being opened came to.
    pub(crate) fn measured(&mut self, triangles: [u32; 2], near: Near) {
        self.measured = self.measured.min(near.bounds.lower.max(self.gap));
        self.upper = self.upper.min(near.bounds.upper);
        let is_closer = |best: Closest| near.bounds.upper < best.near.bounds.upper;
        if self.closest.is_none_or(is_closer) {
            self.closest = Some(Closest { triangles, near });
        }
        if near.bounds.upper <= 0.0 {
            self.met = self.met.max(-self.gap);
        }
    }

    /// Two triangles that are closest, once nothing is left to do.
    pub(crate) fn closest(&self) -> Option<Closest> {
        self.closest
    }

    /// Opens pairs as long as the next one costs no more than is left.
    pub(crate) fn spend(&mut self, pairs: &mut impl Pairs<Pair = P>, budget: u64) {
        let end = self.spent.saturating_add(budget);
        while let Some(next) = self.next() {
            if pairs.cost(next.pair) > end - self.spent {
                return;
            }
            self.step(pairs, &next);
        }
    }

    /// Opens pairs as long as a function says so.
    pub(crate) fn run_while(
        &mut self,
        pairs: &mut impl Pairs<Pair = P>,
        mut go_on: impl FnMut() -> bool,
    ) {
        while let Some(next) = self.next() {
            if !go_on() {
                return;
            }
            self.step(pairs, &next);
        }
    }

    /// The pair to open next; `None` when no pair that waits matters any more.
    fn next(&self) -> Option<Waiting<P>> {
        let is_met = self
            .closest
            .is_some_and(|best| best.near.bounds.upper <= 0.0);
        let next = self.waiting.peek().copied();
        next.filter(|next| !is_met && next.below() <= self.upper)
    }

    fn step(&mut self, pairs: &mut impl Pairs<Pair = P>, next: &Waiting<P>) {
        self.spent += pairs.cost(next.pair);
        self.waiting.pop();
        self.level = next.level;
        self.gap = next.gap;
        pairs.open(next.pair, self);
    }

    /// What is known.
    pub(crate) fn progress(&self) -> Progress {
        let next = self.next();
        let waiting = next.map_or(f64::INFINITY, |next| next.below());
        let lower = waiting.min(self.measured).min(self.upper);
        let intersects = if self.upper <= 0.0 {
            Some(true)
        } else if lower > 0.0 || next.is_none() {
            Some(false)
        } else {
            None
        };
        let open = || {
            self.waiting
                .iter()
                .filter(|open| open.below() <= self.upper)
        };
        let deepest = open().map(|open| -open.gap).fold(self.met, f64::max);
        Progress {
            bounds: Interval {
                lower,
                upper: self.upper,
            },
            intersects,
            depth: if intersects == Some(false) {
                0.0
            } else {
                deepest
            },
            level: open().map(|open| open.level).min().unwrap_or(self.level),
            spent: self.spent,
            is_final: next.is_none(),
        }
    }
}
