//! Points in blocks of eight, and the fast ways through them.
//!
//! Up to some hundred points are scanned as they are. More are first put in an order in which neighbours are near each
//! other, and the blocks get discs around them, in blocks of eight again, until so few are left that they can be scanned. A
//! maximum of products is then found by branch and bound: a disc bounds the products of all that is inside.
//!
//! **Why discs.** Points on a surface lie in a flat cylinder of radius `r` about a normal `n`, with a half height `t` of
//! about `r^2`. Its products with a unit direction at an angle to `n` exceed that of its centre by `r sin(angle) + t`.
//! Those that look along the direction are hence bounded closely, and a handful of blocks is opened on each level. Balls
//! are not flat: of these some `sqrt(n)` reach as high as the best point.
//!
//! **Cost.** A scan is ten instructions a block, without a branch that is hard to predict: faster than branch and bound for
//! up to some 60 blocks. Branch and bound is `log8(n / 64)` levels of a handful of blocks, twenty instructions each. Memory
//! is linear: a third more than the points.

use super::packed::DOT_ERROR;
use crate::math::Vec3;
use fearless_simd::{Simd, f32x8, prelude::*, u32x8};

/// The most points whose scans end with one bit each, and the most discs of the coarsest level.
const FEW: usize = 64;
/// The most points that are scanned.
const SCANNED: usize = 512;
/// How many blocks may wait to be opened: all but one of eight on each of the levels that indices of 32 bits allow.
const WAITING: usize = 64;

/// Points, rounded to `f32`. The last block is filled up with copies of the last point.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Blocks {
    blocks: Vec<Block>,
    count: usize,
    /// For points that are not scanned. Apart, so that queries about few points touch little memory.
    tree: Option<Box<Tree>>,
}

/// What makes branch and bound possible.
#[derive(Debug, Clone, PartialEq)]
struct Tree {
    /// The index of the point at each place of the blocks.
    order: Vec<u32>,
    /// The place of each point.
    places: Vec<u32>,
    /// Discs around the blocks, discs around the blocks of these, and so on.
    levels: Vec<Vec<Discs>>,
}

/// The coordinates of eight points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
struct Block {
    x: [f32; 8],
    y: [f32; 8],
    z: [f32; 8],
}

/// Eight discs; those that only fill up the last block have a half height of minus infinity.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
struct Discs {
    centers: Block,
    normals: Block,
    radii: [f32; 8],
    half_heights: [f32; 8],
}

/// A direction in all lanes, and its length.
#[derive(Clone, Copy)]
struct Direction<S: Simd> {
    x: f32x8<S>,
    y: f32x8<S>,
    z: f32x8<S>,
    squared: f32x8<S>,
    length: f32x8<S>,
}

impl<S: Simd> Direction<S> {
    #[inline(always)]
    fn new(simd: S, [x, y, z]: [f32; 3]) -> Direction<S> {
        let (x, y, z) = (
            f32x8::splat(simd, x),
            f32x8::splat(simd, y),
            f32x8::splat(simd, z),
        );
        // The least of lengths is one whose square does not underflow. A bound may be too large.
        let least = f32x8::splat(simd, 1e-36);
        let squared = x * x + y * y + z * z + least;
        Direction {
            x,
            y,
            z,
            squared,
            length: squared.sqrt(),
        }
    }
}

impl Block {
    /// The products of the eight points with a direction.
    #[inline(always)]
    fn dot<S: Simd>(&self, simd: S, d: Direction<S>) -> f32x8<S> {
        let xs = f32x8::load_array_ref(simd, &self.x);
        let ys = f32x8::load_array_ref(simd, &self.y);
        let zs = f32x8::load_array_ref(simd, &self.z);
        // Not fused, so that every processor finds the same.
        xs * d.x + ys * d.y + zs * d.z
    }
}

impl Discs {
    /// No point inside the discs has a larger product with the direction, as [`Block::dot`] computes it.
    #[inline(always)]
    fn bounds<S: Simd>(&self, simd: S, d: Direction<S>) -> f32x8<S> {
        let along = self.normals.dot(simd, d);
        // The square of the part of the direction across the normal. What is added is ten times what rounding, of the
        // normal too, can take away.
        let across = (d.squared - along * along).max(f32x8::splat(simd, 0.0))
            + f32x8::splat(simd, 1e-5) * d.squared;
        let radii = f32x8::load_array_ref(simd, &self.radii);
        let half_heights = f32x8::load_array_ref(simd, &self.half_heights);
        self.centers.dot(simd, d) + radii * across.sqrt() + half_heights * d.length
    }
}

impl Blocks {
    /// The points, none longer than `radius`.
    pub(super) fn new(points: impl Iterator<Item = Vec3>, radius: f64) -> Blocks {
        let mut points: Vec<[f32; 3]> = points.map(|p| p.as_vec3().to_array()).collect();
        let count = points.len();
        let tree = (count > SCANNED).then(|| {
            let mut order: Vec<u32> = (0..count as u32).collect();
            sort(&points, &mut order);
            points = order.iter().map(|index| points[*index as usize]).collect();
            Box::new(Tree::new(order, &points, radius))
        });
        Blocks {
            blocks: points.chunks(8).map(Block::new).collect(),
            count,
            tree,
        }
    }

    /// Whether there are no points.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many points there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Whether there are so few points that each has a bit of its own.
    #[inline(always)]
    pub(crate) fn is_few(&self) -> bool {
        self.count <= FEW
    }

    /// The points whose product with `d` is within `margin` of the largest one, as bits by index; for
    /// [few](Blocks::is_few) points.
    #[inline(always)]
    pub(crate) fn near_max<S: Simd>(&self, simd: S, d: [f32; 3], margin: f32) -> u64 {
        self.near_max_of_few(simd, Direction::new(simd, d), margin)
    }

    /// One of the points.
    #[inline(always)]
    pub(crate) fn point(&self, index: u32) -> [f32; 3] {
        let place = match &self.tree {
            Some(tree) => tree.places[index as usize] as usize,
            None => index as usize,
        };
        let block = &self.blocks[place / 8];
        [block.x[place % 8], block.y[place % 8], block.z[place % 8]]
    }

    /// The largest product of a point with `d`, off by at most [`DOT_ERROR`] times the length of `d` and that of the
    /// longest point.
    #[inline(always)]
    pub(crate) fn max_along<S: Simd>(&self, simd: S, d: [f32; 3]) -> f32 {
        if let Some(tree) = &self.tree {
            return self.farthest_of_many(simd, tree, d).0;
        }
        let d = Direction::new(simd, d);
        let mut max = f32x8::splat(simd, f32::NEG_INFINITY);
        for block in &self.blocks {
            max = max.max(block.dot(simd, d));
        }
        max.reduce_max()
    }

    /// The index of a point whose product with `d` is the largest as far as `f32` can tell.
    #[inline(always)]
    pub(crate) fn farthest<S: Simd>(&self, simd: S, d: [f32; 3]) -> u32 {
        if let Some(tree) = &self.tree {
            return tree.order[self.farthest_of_many(simd, tree, d).1];
        }
        let d = Direction::new(simd, d);
        // Small polytopes have no loop.
        let (_, place) = match &*self.blocks {
            [p, q, r] => farthest(simd, [p, q, r], d),
            blocks => farthest(simd, blocks, d),
        };
        // The last block is filled up with copies of the last point.
        place.min(self.count - 1) as u32
    }

    /// Calls `visit` with the index of each point whose product with `d` is within `margin` of the largest one; with some
    /// more than once.
    #[inline(always)]
    pub(crate) fn for_each_near_max<S: Simd>(
        &self,
        simd: S,
        d: [f32; 3],
        margin: f32,
        mut visit: impl FnMut(u32),
    ) {
        if let Some(tree) = &self.tree {
            return self.for_each_near_max_of_many(simd, tree, d, margin, visit);
        }
        if self.is_few() {
            let mut found = self.near_max(simd, d, margin);
            while found != 0 {
                visit(found.trailing_zeros());
                found &= found - 1;
            }
            return;
        }
        let d = Direction::new(simd, d);
        let (max, _) = farthest(simd, &self.blocks, d);
        let floor = f32x8::splat(simd, max - margin);
        for (first, block) in (0..self.count as u32).step_by(8).zip(&self.blocks) {
            let mut found = block.dot(simd, d).simd_ge(floor).to_bitmask();
            while found != 0 {
                visit((first + found.trailing_zeros()).min(self.count as u32 - 1));
                found &= found - 1;
            }
        }
    }

    #[inline(always)]
    fn for_each_near_max_of_many<S: Simd>(
        &self,
        simd: S,
        tree: &Tree,
        d: [f32; 3],
        margin: f32,
        mut visit: impl FnMut(u32),
    ) {
        let (max, _) = self.farthest_of_many(simd, tree, d);
        simd.vectorize(
            #[inline(always)]
            || {
                let (d, floor) = (Direction::new(simd, d), max - margin);
                tree.open(
                    simd,
                    &self.blocks,
                    d,
                    floor,
                    #[inline(always)]
                    |block: usize, products: f32x8<S>| {
                        let near = products.simd_ge(f32x8::splat(simd, floor));
                        let mut found = near.to_bitmask();
                        while found != 0 {
                            visit(tree.order[8 * block + found.trailing_zeros() as usize]);
                            found &= found - 1;
                        }
                        floor
                    },
                );
            },
        );
    }

    /// The points whose product with `d` is within `margin` of the largest one, as bits by index.
    #[inline(always)]
    fn near_max_of_few<S: Simd>(&self, simd: S, d: Direction<S>, margin: f32) -> u64 {
        // Small polytopes have all products in registers.
        let found = if let Ok(blocks) = <&[Block; 3]>::try_from(&self.blocks[..]) {
            near_max(simd, blocks, d, margin)
        } else if let Ok(blocks) = <&[Block; 5]>::try_from(&self.blocks[..]) {
            near_max(simd, blocks, d, margin)
        } else if let Ok(blocks) = <&[Block; 1]>::try_from(&self.blocks[..]) {
            near_max(simd, blocks, d, margin)
        } else {
            let mut products = [f32x8::splat(simd, f32::NEG_INFINITY); FEW / 8];
            let mut max = products[0];
            for (product, block) in products.iter_mut().zip(&self.blocks) {
                *product = block.dot(simd, d);
                max = max.max(*product);
            }
            bits_above(&products, f32x8::splat(simd, max.reduce_max() - margin))
        };
        found & (u64::MAX >> (64 - self.count))
    }

    /// The largest product, and the place it is at. Not inlined, so that the code for few points stays together.
    #[inline(always)]
    fn farthest_of_many<S: Simd>(&self, simd: S, tree: &Tree, d: [f32; 3]) -> (f32, usize) {
        simd.vectorize(
            #[inline(always)]
            || {
                let d = Direction::new(simd, d);
                let mut best = (f32::MIN, 0);
                tree.open(
                    simd,
                    &self.blocks,
                    d,
                    f32::MIN,
                    #[inline(always)]
                    |block: usize, products: f32x8<S>| {
                        let max = products.reduce_max();
                        if max > best.0 {
                            let found = products.simd_ge(f32x8::splat(simd, max)).to_bitmask();
                            best = (max, 8 * block + found.trailing_zeros() as usize);
                        }
                        best.0
                    },
                );
                best
            },
        )
    }
}

impl Tree {
    /// The tree of points that are in that order, none longer than `radius`.
    fn new(mut order: Vec<u32>, points: &[[f32; 3]], radius: f64) -> Tree {
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
    fn open<S: Simd>(
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

#[inline(always)]
fn near_max<const N: usize, S: Simd>(
    simd: S,
    blocks: &[Block; N],
    d: Direction<S>,
    margin: f32,
) -> u64 {
    let mut products = [d.x; N];
    let mut max = f32x8::splat(simd, f32::NEG_INFINITY);
    for k in 0..N {
        products[k] = blocks[k].dot(simd, d);
        max = max.max(products[k]);
    }
    bits_above(&products, f32x8::splat(simd, max.reduce_max() - margin))
}

/// The largest product of a point with a direction, and the place of one that has it; 0 when the direction is not a number.
#[inline(always)]
fn farthest<'a, S: Simd>(
    simd: S,
    blocks: impl IntoIterator<Item = &'a Block>,
    d: Direction<S>,
) -> (f32, usize) {
    let one = u32x8::splat(simd, 1);
    let mut number = u32x8::splat(simd, 0);
    // For each lane the largest product so far, and the number of its block.
    let (mut max, mut at) = (f32x8::splat(simd, f32::NEG_INFINITY), number);
    for block in blocks {
        let products = block.dot(simd, d);
        at = products.simd_gt(max).select(number, at);
        max = max.max(products);
        number += one;
    }
    let top = max.reduce_max();
    let found = max.simd_ge(f32x8::splat(simd, top)).to_bitmask();
    let lane = found.trailing_zeros() as usize % 8;
    let mut numbers = [0; 8];
    at.store_slice(&mut numbers);
    (top, 8 * numbers[lane] as usize + lane)
}

/// One bit for each product that is at least `floor`.
#[inline(always)]
fn bits_above<S: Simd>(products: &[f32x8<S>], floor: f32x8<S>) -> u64 {
    let mut found = 0;
    for (k, product) in products.iter().enumerate() {
        found |= product.simd_ge(floor).to_bitmask() << (8 * k);
    }
    found
}

impl Block {
    /// One to eight points.
    fn new(points: &[[f32; 3]]) -> Block {
        let at = |axis: usize| std::array::from_fn(|k| points[k.min(points.len() - 1)][axis]);
        Block {
            x: at(0),
            y: at(1),
            z: at(2),
        }
    }
}

impl Discs {
    /// One to eight discs.
    fn new(discs: &[Disc]) -> Discs {
        let centers: Vec<[f32; 3]> = discs.iter().map(|disc| disc.center).collect();
        let normals: Vec<[f32; 3]> = discs.iter().map(|disc| disc.normal).collect();
        let half_height = |disc: &Disc| disc.half_height;
        Discs {
            centers: Block::new(&centers),
            normals: Block::new(&normals),
            radii: std::array::from_fn(|k| discs.get(k).map_or(0.0, |disc| disc.radius)),
            half_heights: std::array::from_fn(|k| {
                discs.get(k).map_or(f32::NEG_INFINITY, half_height)
            }),
        }
    }
}

/// A cylinder about a normal of unit length, or a ball, which has neither normal nor half height.
struct Disc {
    center: [f32; 3],
    normal: [f32; 3],
    radius: f32,
    half_height: f32,
}

impl Disc {
    /// A disc around points that are not longer than `longest`, with room for the errors of products.
    fn around(points: &[[f32; 3]], longest: f64) -> Disc {
        let wide = |p: &[f32; 3]| glam::Vec3::from(*p).as_dvec3();
        let least = points.iter().fold(Vec3::INFINITY, |m, p| m.min(wide(p)));
        let most = points.iter().fold(-Vec3::INFINITY, |m, p| m.max(wide(p)));
        let center = (0.5 * (least + most)).as_vec3();
        let offsets: Vec<Vec3> = points.iter().map(|p| wide(p) - center.as_dvec3()).collect();
        let normal = normal_across(&offsets).as_vec3();
        let unit = normal.as_dvec3().normalize_or_zero();
        let height = |offset: &Vec3| unit.dot(*offset).abs();
        let radius = |offset: &Vec3| offset.reject_from_normalized(unit).length();
        let largest = |of: &dyn Fn(&Vec3) -> f64| offsets.iter().map(of).fold(0.0, f64::max);
        // The products with a point and with the centre are each off by DOT_ERROR, and so are those of the radius and the
        // height, which are at most twice the longest point.
        Disc {
            center: center.to_array(),
            normal: normal.to_array(),
            radius: largest(&radius) as f32,
            half_height: (largest(&height) + 6.0 * DOT_ERROR * longest) as f32,
        }
    }
}

/// The normal of a plane that points are near, if they are near one: that of three of them that are far apart.
fn normal_across(points: &[Vec3]) -> Vec3 {
    let farthest = |from: &dyn Fn(&Vec3) -> f64| {
        let by_distance = |p: &&Vec3, q: &&Vec3| from(p).total_cmp(&from(q));
        points.iter().max_by(by_distance).copied()
    };
    let first = points.first().copied().unwrap_or(Vec3::ZERO);
    let second = farthest(&|p| p.distance_squared(first)).unwrap_or(first);
    let edge = second - first;
    let third = farthest(&|p| edge.cross(*p - first).length_squared()).unwrap_or(first);
    edge.cross(third - first).normalize_or_zero()
}

/// Puts points in an order in which each run of 8, 64, 512, ... from the start is compact: halves along the widest axis,
/// cut where runs end.
fn sort(points: &[[f32; 3]], order: &mut [u32]) {
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
