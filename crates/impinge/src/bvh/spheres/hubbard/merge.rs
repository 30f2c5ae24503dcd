//! Balls merged two at a time, those first whose merger is smallest.
//!
//! Only neighbours are merged: those that share an edge of the Delaunay tetrahedra of their middles, and what was merged from
//! such. All mergers wait in a heap; one that is about a ball that was merged meanwhile is dropped when it comes up. With `n`
//! balls there are `n - 1` mergers, numbered `n` and up, in a binary tree.
//!
//! Eight children a node: the last seven mergers within a group are undone. Hubbard merges all until eight are left, and then begins anew
//! within each of the eight; as mergers in one group do not depend on those in another, that gives the same groups.

use super::CHILDREN;
use crate::bvh::spheres::quinlan::around_two;
use crate::bvh::volume::BoundingSphere;
use crate::delaunay::Delaunay;
use crate::math::Vec3;
use crate::shape::morton_order;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

/// The mergers of balls, down to one.
#[derive(Debug)]
pub(super) struct Dendrogram {
    leaves: usize,
    /// What each merger merged.
    parts: Vec<[u32; 2]>,
    /// Of each group, ball or merger: its place in the order of the leaves.
    ranges: Vec<Range<usize>>,
}

/// Two groups that may be merged.
#[derive(Debug, PartialEq)]
struct Merger {
    radius: f64,
    groups: [u32; 2],
}

impl Eq for Merger {}

impl Ord for Merger {
    fn cmp(&self, other: &Merger) -> Ordering {
        let by_radius = self.radius.total_cmp(&other.radius);
        by_radius.then(self.groups.cmp(&other.groups))
    }
}

impl PartialOrd for Merger {
    fn partial_cmp(&self, other: &Merger) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Dendrogram {
    /// Merges balls, of which there is at least one.
    pub(super) fn new(balls: &[BoundingSphere]) -> Dendrogram {
        let parts = merge_all(balls.to_vec(), neighbors(balls));
        let mut tree = Dendrogram {
            leaves: balls.len(),
            ranges: vec![0..0; balls.len() + parts.len()],
            parts,
        };
        tree.lay_out();
        tree
    }

    /// The group of all.
    pub(super) fn root(&self) -> u32 {
        self.ranges.len() as u32 - 1
    }

    /// Where the leaves of a group are in the order.
    pub(super) fn leaves(&self, group: u32) -> Range<usize> {
        self.ranges[group as usize].clone()
    }

    /// The leaves, such that those of each group are next to each other.
    pub(super) fn order(&self) -> Vec<u32> {
        let mut order = vec![0; self.leaves];
        for leaf in 0..self.leaves {
            order[self.ranges[leaf].start] = leaf as u32;
        }
        order
    }

    /// The groups that a merged group falls into when its last mergers are undone.
    pub(super) fn children(&self, group: u32) -> Vec<u32> {
        let mut children = vec![group];
        while children.len() < CHILDREN {
            let latest = (0..children.len()).max_by_key(|k| children[*k]);
            let latest = latest.expect("there is at least one child");
            let Some([p, q]) = self.merged(children[latest]) else {
                break;
            };
            children[latest] = p;
            children.push(q);
        }
        children
    }

    /// What was merged into a group; `None` for a ball.
    fn merged(&self, group: u32) -> Option<[u32; 2]> {
        let merger = (group as usize).checked_sub(self.leaves)?;
        Some(self.parts[merger])
    }

    fn lay_out(&mut self) {
        let mut sizes = vec![1; self.leaves];
        for [p, q] in &self.parts {
            sizes.push(sizes[*p as usize] + sizes[*q as usize]);
        }
        let root = self.root() as usize;
        self.ranges[root] = 0..self.leaves;
        // Mergers are behind what they merged.
        for group in (self.leaves..=root).rev() {
            let Range { start, end } = self.ranges[group].clone();
            let [p, q] = self.parts[group - self.leaves].map(|part| part as usize);
            let middle = start + sizes[p];
            self.ranges[p] = start..middle;
            self.ranges[q] = middle..end;
        }
    }
}

/// For each ball those next to it, so that all hang together.
fn neighbors(balls: &[BoundingSphere]) -> Vec<Vec<u32>> {
    let middles: Vec<Vec3> = balls.iter().map(|ball| ball.center).collect();
    let mut neighbors = vec![Vec::new(); balls.len()];
    let mut join = |p: u32, q: u32| {
        neighbors[p as usize].push(q);
        neighbors[q as usize].push(p);
    };
    match Delaunay::new(&middles) {
        Ok(cells) => {
            for corners in cells.tetrahedra() {
                for (k, p) in corners.iter().enumerate() {
                    corners[..k].iter().for_each(|q| join(*p, *q));
                }
            }
            let repeated = (0..balls.len() as u32).filter(|k| cells.first_at(*k) != *k);
            repeated.for_each(|k| join(k, cells.first_at(k)));
        }
        // Flat: each with the next along a curve.
        Err(_) => {
            let order = morton_order(&middles);
            order.windows(2).for_each(|two| join(two[0], two[1]));
        }
    }
    for near in &mut neighbors {
        near.sort_unstable();
        near.dedup();
    }
    neighbors
}

/// Merges all balls, given their neighbours; returns what each merger merged.
fn merge_all(mut balls: Vec<BoundingSphere>, mut neighbors: Vec<Vec<u32>>) -> Vec<[u32; 2]> {
    let mut waiting = BinaryHeap::new();
    for (p, near) in (0..).zip(&neighbors) {
        for q in near.iter().filter(|q| p < **q) {
            waiting.push(Reverse(proposed(&balls, p, *q)));
        }
    }
    let mut is_merged = vec![false; balls.len()];
    let mut parts = Vec::with_capacity(balls.len());
    while let Some(Reverse(Merger { groups, .. })) = waiting.pop() {
        let [p, q] = groups.map(|group| group as usize);
        if is_merged[p] || is_merged[q] {
            continue;
        }
        let new = balls.len() as u32;
        (is_merged[p], is_merged[q]) = (true, true);
        is_merged.push(false);
        balls.push(around_two(&balls[p], &balls[q]));
        parts.push(groups);
        let mut near = std::mem::take(&mut neighbors[p]);
        near.append(&mut neighbors[q]);
        near.retain(|other| !is_merged[*other as usize]);
        near.sort_unstable();
        near.dedup();
        for other in &near {
            neighbors[*other as usize].push(new);
            waiting.push(Reverse(proposed(&balls, *other, new)));
        }
        neighbors.push(near);
    }
    parts
}

fn proposed(balls: &[BoundingSphere], p: u32, q: u32) -> Merger {
    Merger {
        radius: around_two(&balls[p as usize], &balls[q as usize]).radius,
        groups: [p, q],
    }
}
