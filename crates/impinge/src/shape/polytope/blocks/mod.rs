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

mod block;
mod discs;
mod tree;

use crate::math::Vec3;
use block::{
    Block, Direction, bits_above, farthest, farthest_of_few, max_product, near_max,
    nearly_farthest, product_ranges,
};
use fearless_simd::{Simd, f32x8, prelude::*};
use tree::{Tree, sort};

/// The most points whose scans end with one bit each, and the most discs of the coarsest level.
const FEW: usize = 64;
/// The most points that are scanned.
const SCANNED: usize = 512;

/// How many blocks are asked for ahead: what follows them is foreseen by the processor.
const FETCHED: usize = 5;

/// Points, rounded to `f32`. The last block is filled up with copies of the last point.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Blocks {
    blocks: Box<[Block]>,
    count: u32,
    /// One bit for each of the first 32 places that is no copy.
    places: u32,
    /// For points that are not scanned. Apart, so that queries about few points touch little memory.
    tree: Option<Box<Tree>>,
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
            count: count as u32,
            places: u32::MAX
                .checked_shr(32_u32.saturating_sub(count as u32))
                .unwrap_or(0),
            tree,
        }
    }

    /// Asks for the points, or for the first of many.
    #[inline(always)]
    pub(crate) fn fetch(&self) {
        for block in self.blocks.iter().take(FETCHED) {
            block.fetch();
        }
    }

    /// Asks for one of the points, where they are scanned.
    #[inline(always)]
    pub(crate) fn fetch_point(&self, index: u32) {
        if let Some(block) = self.blocks.get(index as usize / 8) {
            block.fetch();
        }
    }

    /// Whether there are no points.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many points there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are so few points that each has a bit of its own.
    #[inline(always)]
    pub(crate) fn is_few(&self) -> bool {
        self.len() <= FEW
    }

    /// Whether there are so few points that questions about all of them are answered by a scan.
    #[inline(always)]
    pub(crate) fn is_scanned(&self) -> bool {
        self.tree.is_none()
    }

    /// The points whose product with `d` is within `margin` of the largest one, as bits by index; for
    /// [few](Blocks::is_few) points.
    #[inline(always)]
    pub(crate) fn near_max<S: Simd>(&self, simd: S, d: [f32; 3], margin: f32) -> u64 {
        let found = self.places_near_max(simd, Direction::new(simd, d), margin);
        found & (u64::MAX >> (64 - self.count))
    }

    /// [`Blocks::near_max`] for at most 32 points; the margin comes behind the direction.
    #[inline(always)]
    pub(crate) fn near_max_of_32<S: Simd>(&self, simd: S, along: &[f32; 4]) -> u32 {
        let [x, y, z, margin] = *along;
        // Two sizes are here, boxes and polytopes of about twenty vertices. Between more of them the way would be looked up in a table.
        let found = if let Ok(blocks) = <&[Block; 3]>::try_from(&self.blocks[..]) {
            near_max(simd, blocks, Direction::new(simd, [x, y, z]), margin)
        } else if let Ok(blocks) = <&[Block; 1]>::try_from(&self.blocks[..]) {
            near_max(simd, blocks, Direction::new(simd, [x, y, z]), margin)
        } else {
            self.near_max_of_others(simd, along)
        };
        found as u32 & self.places
    }

    /// [`Blocks::near_max_of_32`] for other numbers of blocks, out of line.
    #[inline(never)]
    fn near_max_of_others<S: Simd>(&self, simd: S, along: &[f32; 4]) -> u64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let [x, y, z, margin] = *along;
                let d = Direction::new(simd, [x, y, z]);
                if let Ok(blocks) = <&[Block; 2]>::try_from(&self.blocks[..]) {
                    near_max(simd, blocks, d, margin)
                } else if let Ok(blocks) = <&[Block; 4]>::try_from(&self.blocks[..]) {
                    near_max(simd, blocks, d, margin)
                } else {
                    self.places_near_max(simd, d, margin)
                }
            },
        )
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

    /// One of the points, where they are scanned.
    #[inline(always)]
    pub(crate) fn point_of_few(&self, index: u32) -> [f32; 3] {
        let (block, place) = (&self.blocks[index as usize / 8], index as usize % 8);
        [block.x[place], block.y[place], block.z[place]]
    }

    /// The largest product of a point with `d`, off by at most [`DOT_ERROR`](crate::shape::DOT_ERROR) times the length of `d`
    /// and that of the longest point.
    #[inline(always)]
    pub(crate) fn max_along<S: Simd>(&self, simd: S, d: [f32; 3]) -> f32 {
        if let Some(tree) = &self.tree {
            return self.farthest_of_many(simd, tree, d).0;
        }
        let d = Direction::new(simd, d);
        // Small polytopes have no loop.
        if let Ok(blocks) = <&[Block; 3]>::try_from(&self.blocks[..]) {
            max_product(simd, blocks, d)
        } else if let Ok(blocks) = <&[Block; 5]>::try_from(&self.blocks[..]) {
            max_product(simd, blocks, d)
        } else {
            max_product(simd, &self.blocks, d)
        }
    }

    /// The least and the largest products with three directions, each off by as much as [`Blocks::max_along`], by a scan of
    /// all points.
    #[inline(always)]
    pub(crate) fn ranges_along<S: Simd>(
        &self,
        simd: S,
        directions: [[f32; 3]; 3],
    ) -> [[f32; 3]; 2] {
        // No closure: out of line it would be compiled for the plainest processor.
        let [x, y, z] = directions;
        let directions = [
            Direction::new(simd, x),
            Direction::new(simd, y),
            Direction::new(simd, z),
        ];
        // Small polytopes have no loop.
        match <&[Block; 3]>::try_from(&self.blocks[..]) {
            Ok(blocks) => product_ranges(simd, blocks, directions),
            Err(_) => product_ranges(simd, &self.blocks, directions),
        }
    }

    /// The index of a point whose product with `d` is the largest as far as `f32` can tell.
    #[inline(always)]
    pub(crate) fn farthest<S: Simd>(&self, simd: S, d: [f32; 3]) -> u32 {
        self.top_along(simd, d).1
    }

    /// [`Blocks::farthest`] and the point itself, for 17 to 24 points.
    #[inline(always)]
    pub(crate) fn farthest_of_three_blocks<S: Simd>(
        &self,
        simd: S,
        d: [f32; 3],
    ) -> Option<(u32, [f32; 3])> {
        let blocks = <&[Block; 3]>::try_from(&self.blocks[..]).ok()?;
        let (_, place) = farthest_of_few(simd, blocks, Direction::new(simd, d));
        // The last block is filled up with copies of the last point.
        let place = place.min(self.len() - 1);
        let block = &blocks[place / 8];
        let point = [block.x[place % 8], block.y[place % 8], block.z[place % 8]];
        Some((place as u32, point))
    }

    /// A point whose product with `d` is the largest, or less than that by at most `2^-18` of it, and its index; for 17 to 24 points.
    #[inline(always)]
    pub(crate) fn nearly_farthest<S: Simd>(&self, simd: S, d: [f32; 3]) -> Option<(u32, [f32; 3])> {
        let blocks = <&[Block; 3]>::try_from(&self.blocks[..]).ok()?;
        let place = nearly_farthest(simd, blocks, d);
        // The last block is filled up with copies of the last point.
        let place = place.min(self.len() - 1);
        let block = &blocks[place / 8];
        let point = [block.x[place % 8], block.y[place % 8], block.z[place % 8]];
        Some((place as u32, point))
    }

    /// [`Blocks::max_along`], and [`Blocks::farthest`].
    #[inline(always)]
    pub(crate) fn top_along<S: Simd>(&self, simd: S, d: [f32; 3]) -> (f32, u32) {
        if let Some(tree) = &self.tree {
            let (top, place) = self.farthest_of_many(simd, tree, d);
            return (top, tree.order[place]);
        }
        let d = Direction::new(simd, d);
        let (top, place) = if let Ok(blocks) = <&[Block; 3]>::try_from(&self.blocks[..]) {
            farthest_of_few(simd, blocks, d)
        } else if let Ok(blocks) = <&[Block; 5]>::try_from(&self.blocks[..]) {
            farthest_of_few(simd, blocks, d)
        } else {
            farthest(simd, &self.blocks, d)
        };
        // The last block is filled up with copies of the last point.
        (top, place.min(self.len() - 1) as u32)
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
        let mut products = [f32x8::splat(simd, f32::NEG_INFINITY); SCANNED / 8];
        let mut max = products[0];
        for (product, block) in products.iter_mut().zip(&self.blocks) {
            *product = block.dot(simd, d);
            max = max.max(*product);
        }
        let floor = f32x8::splat(simd, max.reduce_max() - margin);
        for (first, product) in (0..self.count).step_by(8).zip(&products) {
            let mut found = product.simd_ge(floor).to_bitmask();
            while found != 0 {
                visit((first + found.trailing_zeros()).min(self.count - 1));
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

    /// The places where products with `d` are within `margin` of the largest one, as bits; the last block is filled up.
    #[inline(always)]
    fn places_near_max<S: Simd>(&self, simd: S, d: Direction<S>, margin: f32) -> u64 {
        // Small polytopes have all products in registers.
        if let Ok(blocks) = <&[Block; 3]>::try_from(&self.blocks[..]) {
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
        }
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
