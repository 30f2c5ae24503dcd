//! How far a polytope reaches along directions, and how far it goes on in them: bounds from one look at a table.
//!
//! Both are the largest of some products: of a direction with the vertices about the centre, and of a position with the polar points
//! ([`packed`](super::packed)). Such a maximum is convex and grows with the length of its argument. So where a vector is a mean of three
//! others, the same mean of their maxima is a bound from above for its own, and a close one when they are near each other: what it is off by
//! shrinks with the square of their distance.
//!
//! The directions are the points of the octahedron `|x| + |y| + |z| = 1`. Each of its eight faces is cut into [`STEPS`]^2 equal
//! triangles, two and two of them a cell, and the maxima at their corners are kept, rounded up to one byte. A cell has those of its
//! four corners, for both kinds of products: eight bytes. Neighbouring cells say the same again, so that a look is one line of memory.
//!
//! **Rounding.** Bytes count [steps](Chart::STEP) of a 254th of the longest point, and have [`SPARE`] of a step more than a corner needs: `2^-13` of the
//! longest point, for each unit of a vector. This pays for all that is rounded on the way from a placed polytope to a bound:
//!
//! - A [spot](Spots) says of which corners a vector is a mean. In `f32` that mean is off by less than `2^-18` of the vector: each of two coordinates
//!   passes a quotient, a product and a few sums, with [`STEPS`] times `2^-24` each. Maxima differ by as much as the longest point, times that.
//! - The vector is seen turned by a matrix in `f64` and rounded, below [`DOT_ERROR`]; as a position it is seen through the transposed matrix where the inverse one is
//!   meant, off by three times the deviation of a pose, which is [small](crate::Pose::ROTATION_TOLERANCE).
//! - Polar points are [off](super::Packed::polar_error) by far less. Bounds themselves are sums of four products in `f32`.
//!
//! Together these are below `2^-16`. What placed vertices are off by depends on where they are, and is for the caller to add.
//!
//! **Cost.** A look is one line of memory, and eight of them some hundred instructions. 2304 bytes for each polytope, whatever it looks like.

use super::Blocks;
use super::packed::DOT_ERROR;
use crate::ahead;
use crate::lanes::in_lanes;
use fearless_simd::{Simd, f32x8, prelude::*, u32x8};

/// Into how many parts the edges of the octahedron are cut.
const STEPS: usize = 8;
/// Cells of each face of the octahedron, in rows that become shorter.
const CELLS_OF_FACE: usize = STEPS * (STEPS + 1) / 2;
const CELLS: usize = 8 * CELLS_OF_FACE;
/// A little less than [`STEPS`], so that rounding leads to no step beyond the last.
const NEARLY: f32 = STEPS as f32 * (1.0 - 1.0 / (1 << 20) as f32);
/// Added to a number, it leaves the nearest whole one in the lower bits of the sum.
const ROUNDS: f32 = (3 << 22) as f32;
/// What is added to a corner before it is rounded up.
const SPARE: f64 = 1.0 / 32.0;
/// Shorter vectors are too near to zero for `f32`, and longer ones too near to infinity.
const SHORTEST: f32 = 1e-30;
const LONGEST: f32 = 1e30;

/// The bounds of a polytope about its centre.
#[derive(Debug, Clone, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Chart {
    cells: [Cell; CELLS],
}

/// The corners of a cell: at its beginning, one step along the first axis, one along the second, and both; for products with vertices, then for
/// those with polar points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(8))]
struct Cell([u8; 8]);

/// Where eight vectors are in charts, one a lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spots {
    /// A vector is this much of each corner of its cell. Not numbers where it is too short or too long for bounds.
    shares: [[f32; 8]; 4],
    cells: [u32; 8],
}

impl Spots {
    pub(crate) const NONE: Spots = Spots {
        shares: [[0.0; 8]; 4],
        cells: [0; 8],
    };

    /// Of vectors as the polytopes see them: all first coordinates, all second and all third ones.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(simd: S, [x, y, z]: &[[f32; 8]; 3]) -> Spots {
        let number = |n: f32| f32x8::splat(simd, n);
        let load = |numbers: &[f32; 8]| f32x8::load_array_ref(simd, numbers);
        let (x, y, z) = (load(x), load(y), load(z));
        let size = x.abs() + y.abs() + z.abs();
        let is_usual = size.simd_gt(number(SHORTEST)) & size.simd_lt(number(LONGEST));
        let size = is_usual.select(size, number(f32::NAN));
        let scaled = number(NEARLY) / size;
        let (p, q) = (x.abs() * scaled, y.abs() * scaled);
        // The nearest whole number to half less is that below, or the number itself less one.
        let (half, rounds) = (number(0.5), number(ROUNDS));
        let (row, place) = ((p - half) + rounds, (q - half) + rounds);
        let (p, q) = (p - (row - rounds), q - (place - rounds));
        // Beyond the diagonal of a cell it is a mean of the other three corners.
        let sum = (p + q) - number(1.0);
        let zero = number(0.0);
        let (both, none) = (sum.max(zero), (zero - sum).max(zero));
        let mut spots = Spots::NONE;
        let [first, second, third, fourth] = &mut spots.shares;
        (none * size).store_slice(first);
        ((p - both) * size).store_slice(second);
        ((q - both) * size).store_slice(third);
        (both * size).store_slice(fourth);
        let bits = |numbers: f32x8<S>| -> u32x8<S> { numbers.bitcast() };
        let whole = |n: u32| u32x8::splat(simd, n);
        let sign = |numbers: f32x8<S>| bits(numbers) >> 31;
        let face = sign(x) + (sign(y) + sign(y)) + (sign(z) << 2);
        let last = whole(STEPS as u32 - 1);
        let (row, place) = (bits(row) & last, bits(place) & last);
        let before = (row * (whole(2 * STEPS as u32 + 1) - row)) >> 1;
        let cell = face * whole(CELLS_OF_FACE as u32) + before + place;
        // What is no number has any cell.
        cell.min(whole(CELLS as u32 - 1))
            .store_slice(&mut spots.cells);
        spots
    }

    /// The cell of one of them.
    #[inline(always)]
    pub(crate) fn cell(&self, lane: usize) -> u32 {
        self.cells[lane % 8]
    }

    /// Bounds from above for the largest products of the vectors with the points of one kind, given the corners of their cells;
    /// in [steps](Chart::STEP). Not numbers if none are known.
    #[inline(always)]
    pub(crate) fn bounds<S: Simd>(&self, simd: S, corners: &[u32; 8]) -> f32x8<S> {
        let corners = u32x8::load_array_ref(simd, corners);
        let byte = u32x8::splat(simd, 255);
        let share = |k: usize| f32x8::load_array_ref(simd, &self.shares[k]);
        let first: f32x8<S> = (corners & byte).to_float();
        let second: f32x8<S> = ((corners >> 8) & byte).to_float();
        let third: f32x8<S> = ((corners >> 16) & byte).to_float();
        let fourth: f32x8<S> = (corners >> 24).to_float();
        (first * share(0) + second * share(1)) + (third * share(2) + fourth * share(3))
    }
}

impl Chart {
    /// What bounds count, as a share of the longest point.
    pub(crate) const STEP: f64 = 1.0 / 254.0;

    /// Without bounds.
    pub(super) const NONE: Chart = Chart {
        cells: [Cell([u8::MAX; 8]); CELLS],
    };

    /// Of vertices that are no longer than `radius`, and of polar points that are no longer than `polar_radius`.
    pub(super) fn new(vertices: &Blocks, radius: f64, polars: &Blocks, polar_radius: f64) -> Chart {
        let reach = Corners::new(vertices, radius);
        let tops = (!polars.is_empty()).then(|| Corners::new(polars, polar_radius));
        let mut chart = Chart::NONE;
        let mut cells = chart.cells.iter_mut();
        for face in 0..8 {
            for row in 0..STEPS {
                for place in 0..STEPS - row {
                    let corners = [[0, 0], [1, 0], [0, 1], [1, 1]];
                    let Some(Cell(bytes)) = cells.next() else {
                        return chart;
                    };
                    for (k, [p, q]) in corners.into_iter().enumerate() {
                        bytes[k] = reach.byte(face, row + p, place + q);
                        if let Some(tops) = &tops {
                            bytes[4 + k] = tops.byte(face, row + p, place + q);
                        }
                    }
                }
            }
        }
        chart
    }

    /// Asks for a cell.
    #[inline(always)]
    pub(crate) fn fetch(&self, cell: u32) {
        ahead::fetch_line(&self.cells, cell as usize);
    }

    /// The corners of a cell: those of products with vertices, and those of products with polar points, four bytes each.
    #[inline(always)]
    pub(crate) fn corners(&self, cell: u32) -> [u32; 2] {
        let Cell(bytes) = self.cells[(cell as usize).min(CELLS - 1)];
        let both = u64::from_le_bytes(bytes);
        [both as u32, (both >> 32) as u32]
    }
}

/// The largest products of points with the corners of all triangles.
struct Corners {
    /// By the first and the second coordinate in steps, from the least on, and the sign of the third.
    products: Vec<[f64; 2]>,
    /// What bytes count.
    step: f64,
}

/// Coordinates in steps, and how many of them there are.
const SPAN: usize = 2 * STEPS + 1;

impl Corners {
    /// Of points that are no longer than `radius`.
    fn new(points: &Blocks, radius: f64) -> Corners {
        let mut products = vec![[0.0; 2]; SPAN * SPAN];
        let error = DOT_ERROR * radius;
        let whole = STEPS as f32;
        in_lanes!(simd => for first in 0..SPAN {
            for second in 0..SPAN {
                let (x, y) = (first as f32 - whole, second as f32 - whole);
                let z = whole - x.abs() - y.abs();
                if z < 0.0 {
                    continue;
                }
                for (sign, z) in [z, -z].into_iter().enumerate() {
                    // Eighths are without rounding.
                    let corner = [x / whole, y / whole, z / whole];
                    let product = f64::from(points.max_along(simd, corner)) + error;
                    products[first * SPAN + second][sign] = product;
                }
            }
        });
        Corners {
            products,
            step: radius * Chart::STEP,
        }
    }

    /// The product of a corner of a face in steps, rounded up; the largest number for what is beyond the face.
    fn byte(&self, face: usize, row: usize, place: usize) -> u8 {
        if row + place > STEPS {
            return u8::MAX;
        }
        let signed = |number: usize, sign: usize| match face >> sign & 1 {
            0 => STEPS + number,
            _ => STEPS - number,
        };
        let product = self.products[signed(row, 0) * SPAN + signed(place, 1)][face >> 2 & 1];
        (product / self.step + SPARE).ceil() as u8
    }
}
