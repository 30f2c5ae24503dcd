//! The four triangles of a leaf against the four of another: which pairs may meet, and how far apart they are at least.
//!
//! Sixteen pairs are two rows of eight lanes. Everything rests on one fact: along any direction `d`, the gap between the
//! corners of one triangle and those of the other, divided by the length of `d`, is below their distance, however `d`
//! was found. Directions tried are the two normals, which give the distance where a corner is closest to a face; and the difference of the closest
//! points of two edges, which gives it in all other cases.
//!
//! Corners are taken relative to one of them. Each is off by no more than the frames' error allows for; see
//! [`Frames`](super::frame::Frames).

use super::columns::{Wide, cross, dot, splat, sub};
use super::frame::Transform;
use crate::shape::{BLOCK, Block, Obb};
use fearless_simd::{Simd, f32x4, f32x8, prelude::*};

/// How many pairs two blocks make.
pub(in crate::narrow) const PAIRS: usize = BLOCK * BLOCK;

/// Two blocks in one frame, relative to a corner of the first.
pub(in crate::narrow) struct Blocks<S: Simd> {
    pub(in crate::narrow) simd: S,
    /// The first's triangles by lane, corner and coordinate.
    a: [[[f32; 3]; 3]; BLOCK],
    /// The second's, twice.
    pub(in crate::narrow) b: [Wide<S>; 3],
}

impl<S: Simd> Blocks<S> {
    #[inline(always)]
    pub(in crate::narrow) fn new(simd: S, a: &Block, b: &Block, into_a: &Transform) -> Blocks<S> {
        let origin = a.corner(0, 0);
        let mut own = [[[0.0; 3]; 3]; BLOCK];
        for (lane, triangle) in own.iter_mut().enumerate() {
            for (corner, p) in triangle.iter_mut().enumerate() {
                for k in 0..3 {
                    p[k] = a.corners[corner][k][lane] - origin[k];
                }
            }
        }
        let scale = f32x4::splat(simd, into_a.scale);
        let zero = f32x8::splat(simd, 0.0);
        let mut other = [[zero; 3]; 3];
        for (corner, p) in other.iter_mut().enumerate() {
            let [x, y, z] = &b.corners[corner];
            let x = f32x4::load_array_ref(simd, x);
            let y = f32x4::load_array_ref(simd, y);
            let z = f32x4::load_array_ref(simd, z);
            for k in 0..3 {
                let [r, s, t] = &into_a.rotation;
                let turned = x * f32x4::splat(simd, r[k])
                    + y * f32x4::splat(simd, s[k])
                    + z * f32x4::splat(simd, t[k]);
                let moved = turned * scale + f32x4::splat(simd, into_a.shift[k])
                    - f32x4::splat(simd, origin[k]);
                p[k] = moved.combine(moved);
            }
        }
        Blocks {
            simd,
            a: own,
            b: other,
        }
    }

    /// Two of the first block's triangles, each in four lanes.
    #[inline(always)]
    pub(in crate::narrow) fn row(&self, row: usize) -> [Wide<S>; 3] {
        let (low, high) = (&self.a[2 * row], &self.a[2 * row + 1]);
        let zero = f32x8::splat(self.simd, 0.0);
        let mut corners = [[zero; 3]; 3];
        for (corner, p) in corners.iter_mut().enumerate() {
            for k in 0..3 {
                let low = f32x4::splat(self.simd, low[corner][k]);
                p[k] = low.combine(f32x4::splat(self.simd, high[corner][k]));
            }
        }
        corners
    }

    /// The pairs that may meet, a bit each, four to a triangle of the first block.
    #[inline(always)]
    pub(in crate::narrow) fn may_meet(&self, error: f32) -> u32 {
        let error = f32x8::splat(self.simd, error);
        // More than what underflow can do to products of lengths.
        let tiny = f32x8::splat(self.simd, 1e-36);
        let mut bits = 0;
        for row in 0..2 {
            let (p, q) = (self.row(row), self.b);
            let mut is_near = f32x8::splat(self.simd, 0.0).simd_le(error);
            for normal in [normal(p), normal(q)] {
                let size = normal[0].abs() + normal[1].abs() + normal[2].abs();
                is_near &= gap(p, q, normal).simd_le(size * error + tiny);
            }
            bits |= (is_near.to_bitmask() as u32) << (8 * row);
        }
        bits
    }

    /// How far the pairs are apart, at least, if the error of the frames is taken off. Pairs that are farther apart than
    /// the limit may be given less. The direction, of unit length or zero, is the first to be tried.
    #[inline(always)]
    pub(in crate::narrow) fn distances(&self, limit: f32, along: [f32; 3]) -> [f32; PAIRS] {
        let simd = self.simd;
        let mut distances = [0.0; PAIRS];
        let limit = f32x8::splat(simd, limit);
        let along = splat(simd, along);
        for row in 0..2 {
            let (p, q) = (self.row(row), self.b);
            let mut distance = gap(p, q, along);
            if distance.simd_le(limit).any_true() {
                distance = distance.max(self.scaled_gap(p, q, normal(p)));
                distance = distance.max(self.scaled_gap(p, q, normal(q)));
                if distance.simd_le(limit).any_true() {
                    let direction = self.between_edges(p, q);
                    distance = distance.max(self.scaled_gap(p, q, direction));
                }
            }
            // A few roundings of the result itself.
            let distance = distance * f32x8::splat(simd, 1.0 - 8.0 * f32::EPSILON);
            distance.store_slice(&mut distances[8 * row..8 * row + 8]);
        }
        distances
    }

    /// The gap along a direction, divided by its length.
    #[inline(always)]
    fn scaled_gap(&self, p: [Wide<S>; 3], q: [Wide<S>; 3], direction: Wide<S>) -> f32x8<S> {
        // Without a direction the gap is 0.
        let tiny = f32x8::splat(self.simd, 1e-36);
        gap(p, q, direction) / (dot(direction, direction) + tiny).sqrt()
    }

    /// The vector between the closest points of the edges.
    #[inline(always)]
    fn between_edges(&self, p: [Wide<S>; 3], q: [Wide<S>; 3]) -> Wide<S> {
        let simd = self.simd;
        let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
        let tiny = f32x8::splat(simd, 1e-36);
        let mut best = f32x8::splat(simd, f32::INFINITY);
        let mut direction = [zero; 3];
        for i in 0..3 {
            let e = sub(p[(i + 1) % 3], p[i]);
            let ee = dot(e, e) + tiny;
            let per_ee = one / ee;
            for j in 0..3 {
                let f = sub(q[(j + 1) % 3], q[j]);
                let ff = dot(f, f) + tiny;
                let between = sub(p[i], q[j]);
                let (ef, eb, fb) = (dot(e, f), dot(e, between), dot(f, between));
                let determinant = (ee * ff - ef * ef).max(tiny);
                let x = ((ef * fb - eb * ff) / determinant).max(zero).min(one);
                let y = ((ef * x + fb) / ff).max(zero).min(one);
                let x = ((ef * y - eb) * per_ee).max(zero).min(one);
                let mut vector = between;
                for k in 0..3 {
                    vector[k] = vector[k] + e[k] * x - f[k] * y;
                }
                let square = dot(vector, vector);
                let is_less = square.simd_lt(best);
                best = is_less.select(square, best);
                for k in 0..3 {
                    direction[k] = is_less.select(vector[k], direction[k]);
                }
            }
        }
        direction
    }
}

/// How far the triangles of a block are from a box in the same frame, at least, if the error of the frames is taken off.
#[inline(always)]
pub(in crate::narrow) fn distances_to_box<S: Simd>(
    simd: S,
    block: &Block,
    obb: &Obb,
) -> [f32; BLOCK] {
    let zero = f32x4::splat(simd, 0.0);
    let mut square = zero;
    for (axis, half) in obb.axes.iter().zip(obb.half) {
        let (mut low, mut high) = (zero, zero);
        for (corner, columns) in block.corners.iter().enumerate() {
            let mut height = zero;
            for k in 0..3 {
                let from = f32x4::load_array_ref(simd, &columns[k]);
                let offset = from - f32x4::splat(simd, obb.center[k]);
                height += offset * f32x4::splat(simd, axis[k]);
            }
            low = if corner == 0 { height } else { low.min(height) };
            high = if corner == 0 {
                height
            } else {
                high.max(height)
            };
        }
        let gap = low.max(-high) - f32x4::splat(simd, half);
        let gap = gap.max(zero);
        square += gap * gap;
    }
    let distance = square.sqrt() * f32x4::splat(simd, 1.0 - 8.0 * f32::EPSILON);
    let mut lanes = [0.0; BLOCK];
    distance.store_slice(&mut lanes);
    lanes
}

/// The gap between two triangles along a direction, times its length; negative when they overlap there.
#[inline(always)]
fn gap<S: Simd>(p: [Wide<S>; 3], q: [Wide<S>; 3], direction: Wide<S>) -> f32x8<S> {
    let (p0, p1, p2) = (
        dot(p[0], direction),
        dot(p[1], direction),
        dot(p[2], direction),
    );
    let (q0, q1, q2) = (
        dot(q[0], direction),
        dot(q[1], direction),
        dot(q[2], direction),
    );
    let above = q0.min(q1).min(q2) - p0.max(p1).max(p2);
    let below = p0.min(p1).min(p2) - q0.max(q1).max(q2);
    above.max(below)
}

#[inline(always)]
pub(in crate::narrow) fn normal<S: Simd>([p, q, r]: [Wide<S>; 3]) -> Wide<S> {
    cross(sub(q, p), sub(r, p))
}
