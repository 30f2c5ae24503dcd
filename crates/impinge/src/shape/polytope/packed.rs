//! Rounded copies of a polytope's vertices and face planes, laid out for fast scans.
//!
//! Support points and containment are both a maximum of dot products: of the vertices with a direction, and of the
//! *polar points* with a position. The polar point of a face is its unit normal divided by its distance from the centre,
//! so that a position `x` relative to the centre is inside exactly when no polar point `w` has `w . x > 1`. Both sets are
//! kept as `f32` relative to the centre, in units of a power of two, in blocks of eight that a SIMD unit handles at once.
//!
//! Everything here is rounded, and every rounding is bounded: who compares with the bounds below may trust the
//! comparison. The bounds are about the polytope in its own frame; placing it adds its own.
//!
//! What is too large or too small for these bounds has no packed form; the exact path answers for it.

use super::Polytope;
use super::climb::Starts;
use crate::math::Vec3;
use fearless_simd::{Simd, f32x8, prelude::*};

/// The most vertices that are scanned; more are climbed.
const SCANNED: usize = 64;
/// The relative error of one rounding to `f32`.
const U32: f64 = 1.0 / (1u64 << 24) as f64;
/// A dot product of a block with a direction `d` is off by at most this times the length of `d` (and, for polar points,
/// times their largest length): `d` is rounded (1), the points are rounded (1), and of the product and two sums each term
/// passes through at most three (3). That is 5 roundings of size [`U32`]; 8 leave room for what `f64` adds before.
pub(crate) const DOT_ERROR: f64 = 8.0 * U32;
/// How far a face normal of a polytope may be from the true one.
const NORMAL_ERROR: f64 = 1e-14;
/// Thinner polytopes have no polar points: errors of this size times [`DOT_ERROR`] leave nothing to decide.
const LONGEST_POLAR: f64 = 1e5;
/// Sizes and positions up to this power of two, and sizes down to its inverse, leave room for squares and cubes.
const LARGEST: f64 = f64::from_bits((1023 + 250) << 52);
const SMALLEST: f64 = f64::from_bits((1023 - 250) << 52);

/// A polytope about its centre, rounded, in blocks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Packed {
    /// A power of two, at least the radius: the unit of `vertices`, and of the inverse of `polars`.
    pub(crate) scale: f64,
    /// The largest distance of a vertex, or of the centre, from the origin of the body, rounded up.
    pub(crate) reach: f64,
    /// A ball of this radius about the centre is inside, rounded down; 0 when none is known to be.
    pub(crate) inner_radius: f64,
    /// The largest length of a polar point, rounded up.
    pub(crate) polar_radius: f64,
    /// How far a polar point may be from the true one, besides its rounding to `f32`.
    pub(crate) polar_error: f64,
    /// The vertices.
    pub(crate) vertices: Blocks,
    /// The polar points of the faces; empty for polytopes that are too thin, or too large to be scanned.
    pub(crate) polars: Blocks,
    /// Where to begin climbing; empty for polytopes that are scanned.
    starts: Starts,
}

impl Packed {
    /// The packed form of a polytope whose centre and radius are known; `None` when it is of extreme size.
    pub(super) fn new(polytope: &Polytope) -> Option<Packed> {
        let (center, radius) = (polytope.centroid, polytope.radius);
        let lengths = polytope.vertices.iter().map(|v| v.length());
        let reach = lengths.fold(center.length(), f64::max) * (1.0 + 8.0 * f64::EPSILON);
        if !(radius >= SMALLEST && reach <= LARGEST) {
            return None;
        }
        let scale = power_of_two_above(radius);
        let relative = polytope.vertices.iter().map(|v| (*v - center) / scale);
        let mut packed = Packed {
            scale,
            reach,
            inner_radius: 0.0,
            polar_radius: f64::INFINITY,
            polar_error: f64::INFINITY,
            vertices: Blocks::new(relative),
            polars: Blocks::default(),
            starts: Starts::default(),
        };
        packed.add_polars(polytope);
        if !packed.is_scanned() {
            packed.starts = Starts::new(polytope, scale);
        }
        Some(packed)
    }

    /// Whether the polytope has so few vertices that a scan finds extremes faster than climbing.
    #[inline(always)]
    pub(crate) fn is_scanned(&self) -> bool {
        self.vertices.len() <= SCANNED
    }

    /// For a polytope that is climbed: a vertex that is far along a direction.
    #[inline(always)]
    pub(crate) fn start<S: Simd>(&self, simd: S, direction: [f32; 3]) -> u32 {
        self.starts.farthest(simd, direction)
    }

    fn add_polars(&mut self, polytope: &Polytope) {
        // The normal's error and the few roundings of the product are each below one NORMAL_ERROR.
        let distance_error = 2.0 * NORMAL_ERROR * self.scale;
        let distance = |face: usize| {
            let corner = polytope.vertices[polytope.face(face)[0] as usize];
            polytope.normals[face].dot(corner - polytope.centroid)
        };
        let distances: Vec<f64> = (0..polytope.face_count()).map(distance).collect();
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        self.inner_radius = (nearest - distance_error).max(0.0);
        let polar_radius = self.scale / self.inner_radius * (1.0 + 4.0 * f64::EPSILON);
        // Without an inner ball the quotient is infinite.
        if polar_radius > LONGEST_POLAR || !self.is_scanned() {
            return;
        }
        self.polar_radius = polar_radius;
        // A quotient n / o with errors dn and do is off by (dn + do / o) / o; here 1 / o <= polar_radius / scale.
        self.polar_error = 1.5 * NORMAL_ERROR * polar_radius * (1.0 + 2.0 * polar_radius);
        let polar = |face: usize| polytope.normals[face] * (self.scale / distances[face]);
        self.polars = Blocks::new((0..polytope.face_count()).map(polar));
    }
}

/// The smallest power of two above a value of ordinary size.
fn power_of_two_above(value: f64) -> f64 {
    let mantissa_cut = f64::from_bits(value.to_bits() & !((1 << 52) - 1));
    2.0 * mantissa_cut
}

/// Points in blocks of eight. The last block is filled up with copies of the last point.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Blocks {
    blocks: Vec<Block>,
    count: usize,
}

/// The coordinates of eight points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
struct Block {
    x: [f32; 8],
    y: [f32; 8],
    z: [f32; 8],
}

impl Block {
    /// The products of the eight points with a direction.
    #[inline(always)]
    fn dot<S: Simd>(&self, simd: S, [x, y, z]: [f32x8<S>; 3]) -> f32x8<S> {
        let xs = f32x8::load_array_ref(simd, &self.x);
        let ys = f32x8::load_array_ref(simd, &self.y);
        let zs = f32x8::load_array_ref(simd, &self.z);
        // Not fused, so that every processor finds the same.
        xs * x + ys * y + zs * z
    }
}

#[inline(always)]
fn splat<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> [f32x8<S>; 3] {
    [
        f32x8::splat(simd, x),
        f32x8::splat(simd, y),
        f32x8::splat(simd, z),
    ]
}

impl Blocks {
    pub(super) fn new(points: impl Iterator<Item = Vec3>) -> Blocks {
        let points: Vec<[f32; 3]> = points.map(|p| p.as_vec3().to_array()).collect();
        let Some(last) = points.last() else {
            return Blocks::default();
        };
        let block = |eight: &[[f32; 3]]| {
            let at = |axis: usize| std::array::from_fn(|i| eight.get(i).unwrap_or(last)[axis]);
            Block {
                x: at(0),
                y: at(1),
                z: at(2),
            }
        };
        Blocks {
            blocks: points.chunks(8).map(block).collect(),
            count: points.len(),
        }
    }

    /// Whether there are no points.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many points there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// One of the points.
    #[inline(always)]
    pub(crate) fn point(&self, index: u32) -> [f32; 3] {
        let block = &self.blocks[index as usize / 8];
        let lane = index as usize % 8;
        [block.x[lane], block.y[lane], block.z[lane]]
    }

    /// The largest product of a point with `d`, off by at most [`DOT_ERROR`] times the length of `d` and that of the
    /// longest point.
    #[inline(always)]
    pub(crate) fn max_along<S: Simd>(&self, simd: S, d: [f32; 3]) -> f32 {
        let d = splat(simd, d);
        let mut max = f32x8::splat(simd, f32::NEG_INFINITY);
        for block in &self.blocks {
            max = max.max(block.dot(simd, d));
        }
        max.reduce_max()
    }

    /// The index of a point whose product with `d` is the largest as far as `f32` can tell.
    #[inline(always)]
    pub(crate) fn farthest<S: Simd>(&self, simd: S, d: [f32; 3]) -> u32 {
        let index = if self.count <= SCANNED {
            self.near_max(simd, d, 0.0).trailing_zeros()
        } else {
            self.farthest_of_many(simd, d)
        };
        // A direction that is not a number finds nothing.
        index.min(self.count as u32 - 1)
    }

    #[inline(always)]
    fn farthest_of_many<S: Simd>(&self, simd: S, d: [f32; 3]) -> u32 {
        let max = f32x8::splat(simd, self.max_along(simd, d));
        let d = splat(simd, d);
        for (k, block) in self.blocks.iter().enumerate() {
            let found = block.dot(simd, d).simd_ge(max).to_bitmask();
            if found != 0 {
                return 8 * k as u32 + found.trailing_zeros();
            }
        }
        0
    }

    /// The points, at most [`SCANNED`], whose product with `d` is within `margin` of the largest one, as bits by index.
    #[inline(always)]
    pub(crate) fn near_max<S: Simd>(&self, simd: S, d: [f32; 3], margin: f32) -> u64 {
        let d = splat(simd, d);
        // Small polytopes have all products in registers.
        let found = if let Ok(blocks) = <&[Block; 3]>::try_from(&self.blocks[..]) {
            near_max_of(simd, blocks, d, margin)
        } else if let Ok(blocks) = <&[Block; 1]>::try_from(&self.blocks[..]) {
            near_max_of(simd, blocks, d, margin)
        } else if let Ok(blocks) = <&[Block; 2]>::try_from(&self.blocks[..]) {
            near_max_of(simd, blocks, d, margin)
        } else if let Ok(blocks) = <&[Block; 4]>::try_from(&self.blocks[..]) {
            near_max_of(simd, blocks, d, margin)
        } else {
            self.near_max_of_many(simd, d, margin)
        };
        found & (u64::MAX >> (64 - self.count))
    }

    #[inline(always)]
    fn near_max_of_many<S: Simd>(&self, simd: S, d: [f32x8<S>; 3], margin: f32) -> u64 {
        let mut products = [f32x8::splat(simd, f32::NEG_INFINITY); SCANNED / 8];
        let mut max = products[0];
        for (product, block) in products.iter_mut().zip(&self.blocks) {
            *product = block.dot(simd, d);
            max = max.max(*product);
        }
        bits_above(&products, f32x8::splat(simd, max.reduce_max() - margin))
    }

    /// Calls `visit` with the index of each point whose product with `d` is within `margin` of the largest one.
    #[inline(always)]
    pub(crate) fn for_each_near_max<S: Simd>(
        &self,
        simd: S,
        d: [f32; 3],
        margin: f32,
        mut visit: impl FnMut(u32),
    ) {
        let floor = f32x8::splat(simd, self.max_along(simd, d) - margin);
        let d = splat(simd, d);
        for (k, block) in self.blocks.iter().enumerate() {
            let mut found = block.dot(simd, d).simd_ge(floor).to_bitmask();
            while found != 0 {
                let index = 8 * k as u32 + found.trailing_zeros();
                if (index as usize) < self.count {
                    visit(index);
                }
                found &= found - 1;
            }
        }
    }
}

#[inline(always)]
fn near_max_of<const N: usize, S: Simd>(
    simd: S,
    blocks: &[Block; N],
    d: [f32x8<S>; 3],
    margin: f32,
) -> u64 {
    let mut products = [d[0]; N];
    let mut max = f32x8::splat(simd, f32::NEG_INFINITY);
    for k in 0..N {
        products[k] = blocks[k].dot(simd, d);
        max = max.max(products[k]);
    }
    bits_above(&products, f32x8::splat(simd, max.reduce_max() - margin))
}

/// One bit for each product that is at least `floor`.
#[inline(always)]
fn bits_above<const N: usize, S: Simd>(products: &[f32x8<S>; N], floor: f32x8<S>) -> u64 {
    let mut found = 0;
    for (k, product) in products.iter().enumerate() {
        found |= product.simd_ge(floor).to_bitmask() << (8 * k);
    }
    found
}
