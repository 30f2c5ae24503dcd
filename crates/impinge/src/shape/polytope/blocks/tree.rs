//! Branch and bound over many points: blocks, discs around them, discs around these.

use super::FEW;
use super::block::{Block, Direction, bits_above};
use super::discs::{Disc, Discs};
use fearless_simd::{Simd, f32x8, prelude::*};

/// How many blocks may wait to be opened: all but one of eight on each of the levels that indices of 32 bits allow.
const WAITING: usize = 64;

/// What makes branch and bound possible.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    /// The index of the point at each place of the blocks.
    pub(super) order: Vec<u32>,
    /// The place of each point.
    pub(super) places: Vec<u32>,
    /// Discs around the blocks, discs around the blocks of these, and so on.
    levels: Vec<Vec<Discs>>,
}

impl Tree {
    /// The tree of points that are in that order, none longer than `radius`.
    pub(super) fn new(mut order: Vec<u32>, points: &[[f32; 3]], radius: f64) -> Tree {
        let mut places = vec![0; order.len()];
        for (place, index) in order.iter().enumerate() {
            places[*index as usize] = place as u32;
        }
        // The last block is filled up.
        let last = points.len() - 1;
        order.resize(points.len().next_multiple_of(8), order[last]);
        let mut levels: Vec<Vec<Discs>> = Vec::new();
        let mut size = 8;
        loop {
            let around = |points: &[[f32; 3]]| Disc::around(points, radius);
            let discs: Vec<Disc> = points.chunks(size).map(around).collect();
            levels.push(discs.chunks(8).map(Discs::new).collect());
            if discs.len() <= FEW {
                break;
            }
            size *= 8;
        }
        Tree {
            order,
            places,
            levels,
        }
    }

    /// Branch and bound: calls `visit` with each block of points that may have a product of at least the floor, which is
    /// finite, and with its products. `visit` returns the floor from there on. The most promising blocks come first.
    #[inline(always)]
    pub(super) fn open<S: Simd>(
        &self,
        simd: S,
        points: &[Block],
        d: Direction<S>,
        mut floor: f32,
        mut visit: impl FnMut(usize, f32x8<S>) -> f32,
    ) {
        let top = self.levels.len() - 1;
        let mut bounds = [f32x8::splat(simd, f32::NEG_INFINITY); FEW / 8];
        let mut max = bounds[0];
        for (bound, discs) in bounds.iter_mut().zip(&self.levels[top]) {
            *bound = discs.bounds(simd, d);
            max = max.max(*bound);
        }
        let bounds = &bounds[..self.levels[top].len()];
        let first = bits_above(bounds, f32x8::splat(simd, max.reduce_max()));
        let first = first & first.wrapping_neg();
        let mut todo = first;
        while todo != 0 {
            let node = todo.trailing_zeros() as usize;
            floor = self.open_node(simd, points, d, (top, node), floor, &mut visit);
            todo &= todo - 1;
            if first >> node == 1 {
                // Now there is a floor that most of the others are below.
                todo = bits_above(bounds, f32x8::splat(simd, floor)) & !first;
            }
        }
    }

    /// [`Tree::open`] for one disc, given by its level and number.
    #[inline(always)]
    fn open_node<S: Simd>(
        &self,
        simd: S,
        points: &[Block],
        d: Direction<S>,
        (level, node): (usize, usize),
        mut floor: f32,
        visit: &mut impl FnMut(usize, f32x8<S>) -> f32,
    ) -> f32 {
        if level == 0 {
            return visit(node, points[node].dot(simd, d));
        }
        let mut waiting = [(0_u8, 0_u32); WAITING];
        waiting[0] = (level as u8, node as u32);
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let (level, node) = (waiting[len].0 as usize, waiting[len].1 as usize);
            if level == 0 {
                floor = visit(node, points[node].dot(simd, d));
                continue;
            }
            let bounds = self.levels[level - 1][node].bounds(simd, d);
            let mut found = bounds.simd_ge(f32x8::splat(simd, floor)).to_bitmask();
            // The best one last, to be opened first.
            let best = bounds.simd_ge(f32x8::splat(simd, bounds.reduce_max()));
            let best = best.to_bitmask().trailing_zeros() % 8;
            let is_best_open = found >> best & 1 == 1;
            found &= !(1 << best);
            while found != 0 {
                waiting[len] = (level as u8 - 1, (8 * node) as u32 + found.trailing_zeros());
                len += 1;
                found &= found - 1;
            }
            if is_best_open {
                waiting[len] = (level as u8 - 1, (8 * node) as u32 + best);
                len += 1;
            }
        }
        floor
    }
}

/// Puts points in an order in which each run of 8, 64, 512, ... from the start is compact: halves along the widest axis,
/// cut where runs end.
pub(super) fn sort(points: &[[f32; 3]], order: &mut [u32]) {
    if order.len() <= 8 {
        return;
    }
    let mut run = 8;
    while 8 * run < order.len() {
        run *= 8;
    }
    let cut = run * order.len().div_ceil(run).div_ceil(2);
    let at = |index: &u32| glam::Vec3::from(points[*index as usize]);
    let least = order.iter().fold(glam::Vec3::INFINITY, |m, i| m.min(at(i)));
    let most = order
        .iter()
        .fold(-glam::Vec3::INFINITY, |m, i| m.max(at(i)));
    let axis = (most - least).max_position();
    order.select_nth_unstable_by(cut, |i, j| {
        at(i)[axis].total_cmp(&at(j)[axis]).then(i.cmp(j))
    });
    let (left, right) = order.split_at_mut(cut);
    sort(points, left);
    sort(points, right);
}
