//! Eight points in SIMD columns, and directions in all lanes.

use crate::ahead;
use fearless_simd::{Simd, f32x8, prelude::*, u32x8};

/// The coordinates of eight points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Block {
    pub(super) x: [f32; 8],
    pub(super) y: [f32; 8],
    pub(super) z: [f32; 8],
}

impl Block {
    /// Asks for its memory, which is two lines.
    #[inline(always)]
    pub(super) fn fetch(&self) {
        ahead::fetch_start(&self.x);
        ahead::fetch_start(&self.z);
    }
}

/// A direction in all lanes, and its length.
#[derive(Clone, Copy)]
pub(super) struct Direction<S: Simd> {
    pub(super) x: f32x8<S>,
    pub(super) y: f32x8<S>,
    pub(super) z: f32x8<S>,
    pub(super) squared: f32x8<S>,
    pub(super) length: f32x8<S>,
}

impl<S: Simd> Direction<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, [x, y, z]: [f32; 3]) -> Direction<S> {
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
    /// One to eight points.
    pub(super) fn new(points: &[[f32; 3]]) -> Block {
        let at = |axis: usize| std::array::from_fn(|k| points[k.min(points.len() - 1)][axis]);
        Block {
            x: at(0),
            y: at(1),
            z: at(2),
        }
    }

    /// The products of the eight points with a direction.
    #[inline(always)]
    pub(super) fn dot<S: Simd>(&self, simd: S, d: Direction<S>) -> f32x8<S> {
        let xs = f32x8::load_array_ref(simd, &self.x);
        let ys = f32x8::load_array_ref(simd, &self.y);
        let zs = f32x8::load_array_ref(simd, &self.z);
        // Not fused, so that every processor finds the same.
        xs * d.x + ys * d.y + zs * d.z
    }
}

/// The products of some blocks with a direction, at least one, and the largest in all lanes.
#[inline(always)]
fn products<const N: usize, S: Simd>(
    simd: S,
    blocks: &[Block; N],
    d: Direction<S>,
) -> ([f32x8<S>; N], f32x8<S>) {
    let mut products = [d.x; N];
    products[0] = blocks[0].dot(simd, d);
    let mut max = products[0];
    for k in 1..N {
        products[k] = blocks[k].dot(simd, d);
        max = max.max(products[k]);
    }
    (products, largest_in_all(max))
}

/// The largest lane in all lanes: what compares with it next would wait for a number by itself to be copied to them.
#[inline(always)]
fn largest_in_all<S: Simd>(lanes: f32x8<S>) -> f32x8<S> {
    let two = lanes.max(lanes.slide::<4>(lanes));
    let four = two.max(two.slide_within_blocks::<2>(two));
    four.max(four.slide_within_blocks::<1>(four))
}

/// One bit for each point whose product with a direction is within a margin of the largest one.
#[inline(always)]
pub(super) fn near_max<const N: usize, S: Simd>(
    simd: S,
    blocks: &[Block; N],
    d: Direction<S>,
    margin: f32,
) -> u64 {
    let (products, max) = products(simd, blocks, d);
    bits_above(&products, max - f32x8::splat(simd, margin))
}

/// [`farthest`] for so few blocks that all products are in registers.
#[inline(always)]
pub(super) fn farthest_of_few<const N: usize, S: Simd>(
    simd: S,
    blocks: &[Block; N],
    d: Direction<S>,
) -> (f32, usize) {
    let (products, max) = products(simd, blocks, d);
    let found = bits_above(&products, max);
    (max.as_slice()[0], found.trailing_zeros() as usize)
}

/// The place of a point whose product with a direction is nearly the largest: of the products only the first 18 bits count, and the
/// others are the place. So it is known as soon as the largest product is, and not searched for. At most four blocks.
#[inline(always)]
pub(super) fn nearly_farthest<const N: usize, S: Simd>(
    simd: S,
    blocks: &[Block; N],
    [x, y, z]: [f32; 3],
) -> usize {
    const PLACES: u32 = 31;
    let (x, y, z) = (
        f32x8::splat(simd, x),
        f32x8::splat(simd, y),
        f32x8::splat(simd, z),
    );
    let kept = u32x8::splat(simd, !PLACES);
    let eight = u32x8::splat(simd, 8);
    let mut places = u32x8::load_array_ref(simd, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let mut max = f32x8::splat(simd, f32::NEG_INFINITY);
    for block in blocks {
        let products = f32x8::load_array_ref(simd, &block.x) * x
            + f32x8::load_array_ref(simd, &block.y) * y
            + f32x8::load_array_ref(simd, &block.z) * z;
        let bits: u32x8<S> = products.bitcast();
        let marked: f32x8<S> = ((bits & kept) | places).bitcast();
        max = max.max(marked);
        places += eight;
    }
    (max.reduce_max().to_bits() & PLACES) as usize
}

/// The largest product of a point with a direction.
#[inline(always)]
pub(super) fn max_product<'a, S: Simd>(
    simd: S,
    blocks: impl IntoIterator<Item = &'a Block>,
    d: Direction<S>,
) -> f32 {
    let mut max = f32x8::splat(simd, f32::NEG_INFINITY);
    for block in blocks {
        max = max.max(block.dot(simd, d));
    }
    max.reduce_max()
}

/// The least products of points with three directions, and the largest.
#[inline(always)]
pub(super) fn product_ranges<'a, S: Simd>(
    simd: S,
    blocks: impl IntoIterator<Item = &'a Block>,
    directions: [Direction<S>; 3],
) -> [[f32; 3]; 2] {
    let mut min = [f32x8::splat(simd, f32::INFINITY); 3];
    let mut max = [f32x8::splat(simd, f32::NEG_INFINITY); 3];
    for block in blocks {
        for k in 0..3 {
            let products = block.dot(simd, directions[k]);
            min[k] = min[k].min(products);
            max[k] = max[k].max(products);
        }
    }
    [
        [
            min[0].reduce_min(),
            min[1].reduce_min(),
            min[2].reduce_min(),
        ],
        [
            max[0].reduce_max(),
            max[1].reduce_max(),
            max[2].reduce_max(),
        ],
    ]
}

/// The largest product of a point with a direction, and the place of one that has it; 0 when the direction is not a number.
#[inline(always)]
pub(super) fn farthest<'a, S: Simd>(
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
pub(super) fn bits_above<S: Simd>(products: &[f32x8<S>], floor: f32x8<S>) -> u64 {
    // Compiled for AVX-512, neighbouring masks would be joined in a register of 512 bits, and while there is such an instruction
    // under way many processors have a third fewer units for all others. A shift of unknown length keeps them apart, and nothing waits for it.
    let eight = if cfg!(target_feature = "avx512f") {
        std::hint::black_box(8)
    } else {
        8
    };
    let mut found = 0;
    for (k, product) in products.iter().enumerate() {
        let bits = product.simd_ge(floor).to_bitmask();
        found |= bits << if k % 2 == 1 { eight * k } else { 8 * k };
    }
    found
}
