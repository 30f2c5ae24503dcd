//! Questions about one box, or one ray.

use super::node::Wide;
use super::{Box32, LANES, WideTree};
use crate::body::BodyId;
use crate::lanes::in_lanes;
use crate::math::Ray;
use fearless_simd::{Simd, prelude::*};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

impl WideTree {
    /// Calls `visit` with every body whose box here overlaps a box.
    pub(in super::super) fn visit_overlapping(&self, with: &Box32, visit: &mut dyn FnMut(u32)) {
        in_lanes!(simd => self.overlapping(simd, with, visit));
    }

    #[inline(always)]
    fn overlapping<S: Simd>(&self, simd: S, with: &Box32, visit: &mut dyn FnMut(u32)) {
        let with = Wide::splat(simd, with);
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        waiting.extend(self.height().checked_sub(1).map(|top| (top, 0)));
        while let Some((level, node)) = waiting.pop() {
            let met = self.nodes[self.begins[level] + node].overlapping(simd, &with);
            let mut met = met.to_bitmask();
            while met != 0 {
                let child = node * LANES + met.trailing_zeros() as usize;
                met &= met - 1;
                if level == 0 {
                    visit(self.bodies[child]);
                } else {
                    waiting.push((level - 1, child));
                }
            }
        }
    }

    /// Goes along a ray, as [`BroadPhase::cast`](crate::broad::BroadPhase::cast) says. The front may have bodies already;
    /// `add` puts a body of the tree into it.
    pub(in super::super) fn cast(
        &self,
        ray: &Ray,
        mut limit: f64,
        mut front: RayFront,
        add: impl Fn(u32, &mut RayFront),
        visit: &mut dyn FnMut(BodyId, f64) -> f64,
    ) {
        if let Some(top) = self.height().checked_sub(1) {
            front.push(0.0, Stop::Node(top, 0));
        }
        while let Some(Reverse(next)) = front.0.pop() {
            if next.time > limit {
                return;
            }
            match next.stop {
                Stop::Body(body) => limit = visit(body, next.time),
                Stop::Node(level, node) => self.open_node(ray, level, node, &add, &mut front),
            }
        }
    }

    /// Puts the children of a node that a ray meets into its front.
    fn open_node(
        &self,
        ray: &Ray,
        level: usize,
        node: usize,
        add: &impl Fn(u32, &mut RayFront),
        front: &mut RayFront,
    ) {
        for lane in 0..LANES {
            let bounds = self.nodes[self.begins[level] + node].get(lane);
            // An empty lane is inverted.
            if bounds.min[0] > bounds.max[0] {
                continue;
            }
            let child = node * LANES + lane;
            if level == 0 {
                add(self.bodies[child], front);
            } else if let Some(time) = ray.enters(&bounds) {
                front.push(time, Stop::Node(level - 1, child));
            }
        }
    }
}

/// What lies ahead on a ray, the nearest first.
#[derive(Debug, Default)]
pub(in super::super) struct RayFront(BinaryHeap<Reverse<Ahead>>);

#[derive(Debug, Clone, Copy)]
struct Ahead {
    time: f64,
    stop: Stop,
}

/// Nodes come before bodies that are met at the same time: they may have bodies with smaller names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    Node(usize, usize),
    Body(BodyId),
}

impl RayFront {
    fn push(&mut self, time: f64, stop: Stop) {
        self.0.push(Reverse(Ahead { time, stop }));
    }

    /// Puts a body in, if the ray meets its box.
    pub(in super::super) fn add_body(&mut self, ray: &Ray, body: BodyId, bounds: &Box32) {
        if let Some(time) = ray.enters(bounds) {
            self.push(time, Stop::Body(body));
        }
    }
}

impl Ord for Ahead {
    fn cmp(&self, other: &Ahead) -> Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time.then_with(|| self.stop.cmp(&other.stop))
    }
}

impl PartialOrd for Ahead {
    fn partial_cmp(&self, other: &Ahead) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ahead {
    fn eq(&self, other: &Ahead) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ahead {}
