//! Dividing triangles in two, again and again.
//!
//! A set is cut across one axis where the surface area heuristic (Goldsmith and Salmon 1987, in bins after Wald 2007)
//! expects the least work: the sum over both parts of the area of the box times the number of triangles. Cuts fall on multiples
//! of the size of a leaf, so that all leaves but the last are full.
//!
//! The result is the order of the triangles, of which each four are a leaf, and the *divisions*: that between leaf `i` and leaf
//! `i + 1` knows the divisions of the parts on its sides. So the parts can be worked on side by side without sharing
//! anything.
//!
//! **Cost.** `n log n`. After [`DEEPEST`] cuts in a row a set is halved by number, which bounds the depth, and with it the
//! depth of the recursion.

use super::fit::{greater, lesser};
use super::{BLOCK, LANES};

/// A triangle to be put somewhere: its box.
#[derive(Debug, Clone, Copy)]
struct Item {
    min: [f32; 3],
    max: [f32; 3],
    triangle: u32,
}

/// A cut of a run of leaves in two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Division {
    /// The divisions of the leaves before and behind it, if there is more than one.
    pub(super) parts: [Option<u32>; 2],
    /// The area of the box around all leaves that it divides.
    pub(super) area: f32,
}

impl Division {
    const NONE: Division = Division {
        parts: [None; 2],
        area: 0.0,
    };
}

/// All divisions, and which of them is the first; `None` when there is one leaf only.
#[derive(Debug)]
pub(super) struct Divisions {
    pub(super) all: Vec<Division>,
    pub(super) first: Option<u32>,
}

/// How many bins an axis has.
const BINS: usize = 16;
/// Sets that fill more nodes than this are cut between full nodes.
const NODE_FULL: usize = 8;
/// So many cuts deep, sets are halved by number.
const DEEPEST: u32 = 40;
/// Below this many triangles, work is not shared among threads.
#[cfg(feature = "parallel")]
const ALONE: usize = 1 << 12;

/// The triangles in the order of leaves, and the divisions.
pub(super) fn divide(
    count: usize,
    corners: &(impl Fn(u32) -> [[f32; 3]; 3] + Sync),
) -> (Vec<u32>, Divisions) {
    let mut items = items_of(count, corners);
    let mut all = vec![Division::NONE; count.div_ceil(BLOCK) - 1];
    let first = Part {
        items: &mut items,
        divisions: &mut all,
        before: 0,
        depth: 0,
    }
    .divide();
    let order = items.iter().map(|item| item.triangle).collect();
    (order, Divisions { all, first })
}

#[cfg(feature = "parallel")]
fn items_of(count: usize, corners: &(impl Fn(u32) -> [[f32; 3]; 3] + Sync)) -> Vec<Item> {
    use rayon::prelude::*;
    let triangles = 0..count as u32;
    if count > ALONE && crate::sharing::is_shared() {
        let items = triangles.into_par_iter().with_min_len(ALONE);
        return items.map(|t| Item::new(t, corners(t))).collect();
    }
    triangles.map(|t| Item::new(t, corners(t))).collect()
}

#[cfg(not(feature = "parallel"))]
fn items_of(count: usize, corners: &impl Fn(u32) -> [[f32; 3]; 3]) -> Vec<Item> {
    (0..count as u32)
        .map(|t| Item::new(t, corners(t)))
        .collect()
}

impl Item {
    fn new(triangle: u32, [p, q, r]: [[f32; 3]; 3]) -> Item {
        let mut item = Item {
            min: p,
            max: p,
            triangle,
        };
        for k in 0..3 {
            item.min[k] = lesser(lesser(p[k], q[k]), r[k]);
            item.max[k] = greater(greater(p[k], q[k]), r[k]);
        }
        item
    }

    /// Twice the middle of the box on an axis.
    #[inline(always)]
    fn place(&self, axis: usize) -> f32 {
        self.min[axis] + self.max[axis]
    }
}

/// A box around items.
#[derive(Debug, Clone, Copy)]
struct Extent {
    min: [f32; 3],
    max: [f32; 3],
}

impl Extent {
    const EMPTY: Extent = Extent {
        min: [f32::INFINITY; 3],
        max: [f32::NEG_INFINITY; 3],
    };

    #[inline(always)]
    fn add(&mut self, min: &[f32; 3], max: &[f32; 3]) {
        for k in 0..3 {
            self.min[k] = lesser(self.min[k], min[k]);
            self.max[k] = greater(self.max[k], max[k]);
        }
    }

    /// Half the surface.
    #[inline(always)]
    fn area(&self) -> f32 {
        let width = |k: usize| greater(self.max[k] - self.min[k], 0.0);
        let (x, y, z) = (width(0), width(1), width(2));
        x * y + y * z + z * x
    }
}

/// A run of leaves that is to be divided.
struct Part<'t> {
    items: &'t mut [Item],
    /// Those between its leaves.
    divisions: &'t mut [Division],
    /// How many leaves are before it.
    before: u32,
    /// How often it has been cut.
    depth: u32,
}

/// Where to cut.
struct Cut {
    axis: usize,
    /// Items before the cut: a multiple of the size of a leaf.
    count: usize,
}

impl Part<'_> {
    /// Divides down to leaves; returns the number of the first division.
    fn divide(self) -> Option<u32> {
        if self.divisions.is_empty() {
            return None;
        }
        let (bounds, places) = self.extents();
        let Cut { axis, count } = self.choose(&places);
        let order = |p: &Item, q: &Item| {
            let places = p.place(axis).total_cmp(&q.place(axis));
            places.then(p.triangle.cmp(&q.triangle))
        };
        self.items.select_nth_unstable_by(count, order);
        let middle = count / BLOCK - 1;
        let number = self.before + middle as u32;
        let (items_before, items_behind) = self.items.split_at_mut(count);
        let (before, rest) = self.divisions.split_at_mut(middle);
        let (own, behind) = rest
            .split_first_mut()
            .expect("there is a division at each cut");
        let parts = [
            Part {
                items: items_before,
                divisions: before,
                before: self.before,
                depth: self.depth + 1,
            },
            Part {
                items: items_behind,
                divisions: behind,
                before: number + 1,
                depth: self.depth + 1,
            },
        ];
        *own = Division {
            parts: divide_both(parts),
            area: bounds.area(),
        };
        Some(number)
    }

    /// The box around the items, and that around twice their middles.
    fn extents(&self) -> (Extent, Extent) {
        let (mut bounds, mut places) = (Extent::EMPTY, Extent::EMPTY);
        for item in &*self.items {
            bounds.add(&item.min, &item.max);
            let place = [item.place(0), item.place(1), item.place(2)];
            places.add(&place, &place);
        }
        (bounds, places)
    }

    fn choose(&self, places: &Extent) -> Cut {
        let half = self.items.len() / 2;
        let widths = [0, 1, 2].map(|k| places.max[k] - places.min[k]);
        let widest = (0..3)
            .max_by(|j, k| widths[*j].total_cmp(&widths[*k]))
            .unwrap_or(0);
        let by_number = (widest, half);
        let (axis, count) = if self.depth >= DEEPEST || widths[widest] <= 0.0 {
            by_number
        } else {
            self.least_work(places, &widths).unwrap_or(by_number)
        };
        Cut {
            axis,
            count: self.rounded(count),
        }
    }

    /// A number of items before a cut such that leaves are full, and in large sets nodes of leaves, too.
    fn rounded(&self, count: usize) -> usize {
        let step = if self.items.len() > NODE_FULL * BLOCK * LANES {
            BLOCK * LANES
        } else {
            BLOCK
        };
        let steps = (count + step / 2) / step;
        let most = (self.items.len() - 1) / step;
        steps.clamp(1, most) * step
    }

    /// The axis, and the number of items before the cut, that the heuristic finds best.
    fn least_work(&self, places: &Extent, widths: &[f32; 3]) -> Option<(usize, usize)> {
        let factors = widths.map(|width| {
            if width > 0.0 {
                BINS as f32 / width
            } else {
                0.0
            }
        });
        let mut bins = [[(Extent::EMPTY, 0_u32); BINS]; 3];
        for item in &*self.items {
            for axis in 0..3 {
                let place = (item.place(axis) - places.min[axis]) * factors[axis];
                let bin = &mut bins[axis][(place as usize).min(BINS - 1)];
                bin.0.add(&item.min, &item.max);
                bin.1 += 1;
            }
        }
        let best = (0..3)
            .filter(|axis| widths[*axis] > 0.0)
            .map(|axis| (axis, best_of_bins(&bins[axis])))
            .min_by(|(_, p), (_, q)| p.0.total_cmp(&q.0));
        best.map(|(axis, (_, count))| (axis, count as usize))
    }
}

/// The expected work for the best cut between bins, and the number of items before it.
fn best_of_bins(bins: &[(Extent, u32); BINS]) -> (f32, u32) {
    let mut behind = [0.0; BINS];
    let (mut extent, mut count) = (Extent::EMPTY, 0);
    for i in (1..BINS).rev() {
        extent.add(&bins[i].0.min, &bins[i].0.max);
        count += bins[i].1;
        behind[i] = extent.area() * count as f32;
    }
    let (mut extent, mut count) = (Extent::EMPTY, 0);
    let mut best = (f32::INFINITY, 0);
    for i in 1..BINS {
        extent.add(&bins[i - 1].0.min, &bins[i - 1].0.max);
        count += bins[i - 1].1;
        let work = extent.area() * count as f32 + behind[i];
        if work < best.0 && count > 0 {
            best = (work, count);
        }
    }
    best
}

#[cfg(feature = "parallel")]
fn divide_both([before, behind]: [Part<'_>; 2]) -> [Option<u32>; 2] {
    if before.items.len().min(behind.items.len()) > ALONE && crate::sharing::is_shared() {
        let both = rayon::join(|| before.divide(), || behind.divide());
        return both.into();
    }
    [before.divide(), behind.divide()]
}

#[cfg(not(feature = "parallel"))]
fn divide_both([before, behind]: [Part<'_>; 2]) -> [Option<u32>; 2] {
    [before.divide(), behind.divide()]
}
