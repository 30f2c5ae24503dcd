//! Four 3-vectors of double precision at once, one a lane.
//!
//! The operations are those of `glam`, in the same order: each lane has the bits that a vector by itself would have.

use fearless_simd::{Simd, f64x4, mask64x4, prelude::*};

/// How many vectors there are.
pub(super) const FOUR: usize = 4;

/// A number for each lane, in memory.
pub(super) type Numbers = [f64; FOUR];

/// The coordinates of four vectors in memory, one column a lane.
pub(super) type Points = [Numbers; 3];

/// Four vectors in registers.
#[derive(Clone, Copy)]
pub(super) struct Four<S: Simd> {
    pub(super) x: f64x4<S>,
    pub(super) y: f64x4<S>,
    pub(super) z: f64x4<S>,
}

impl<S: Simd> Four<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, points: &Points) -> Four<S> {
        Four {
            x: f64x4::load_array_ref(simd, &points[0]),
            y: f64x4::load_array_ref(simd, &points[1]),
            z: f64x4::load_array_ref(simd, &points[2]),
        }
    }

    #[inline(always)]
    pub(super) fn store(self, points: &mut Points) {
        self.x.store_slice(&mut points[0]);
        self.y.store_slice(&mut points[1]);
        self.z.store_slice(&mut points[2]);
    }

    #[inline(always)]
    pub(super) fn add(self, other: Four<S>) -> Four<S> {
        Four {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }

    #[inline(always)]
    pub(super) fn sub(self, other: Four<S>) -> Four<S> {
        Four {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }

    #[inline(always)]
    pub(super) fn scale(self, factor: f64x4<S>) -> Four<S> {
        Four {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Four<S>) -> f64x4<S> {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Four<S>) -> Four<S> {
        Four {
            x: self.y * other.z - other.y * self.z,
            y: self.z * other.x - other.z * self.x,
            z: self.x * other.y - other.x * self.y,
        }
    }

    /// In each lane the first vector where the mask is set, the second elsewhere.
    #[inline(always)]
    pub(super) fn select(mask: mask64x4<S>, yes: Four<S>, no: Four<S>) -> Four<S> {
        Four {
            x: mask.select(yes.x, no.x),
            y: mask.select(yes.y, no.y),
            z: mask.select(yes.z, no.z),
        }
    }

    /// The mean of three vectors.
    #[inline(always)]
    pub(super) fn mean(points: [Four<S>; 3], weights: [f64x4<S>; 3]) -> Four<S> {
        let sum = points[0].scale(weights[0]).add(points[1].scale(weights[1]));
        sum.add(points[2].scale(weights[2]))
    }
}

/// Four by four numbers, rows for columns.
#[inline(always)]
pub(super) fn transposed<S: Simd>([p, q, r, s]: [f64x4<S>; FOUR]) -> [f64x4<S>; FOUR] {
    let (pr, qs) = (p.zip_low(r), q.zip_low(s));
    let (pr_high, qs_high) = (p.zip_high(r), q.zip_high(s));
    [
        pr.zip_low(qs),
        pr.zip_high(qs),
        pr_high.zip_low(qs_high),
        pr_high.zip_high(qs_high),
    ]
}

/// One of four vectors.
#[inline(always)]
pub(super) fn point_of(points: &Points, lane: usize) -> glam::DVec3 {
    glam::DVec3::new(points[0][lane], points[1][lane], points[2][lane])
}

/// Sets one of four vectors.
#[inline(always)]
pub(super) fn set_point(points: &mut Points, lane: usize, point: glam::DVec3) {
    points[0][lane] = point.x;
    points[1][lane] = point.y;
    points[2][lane] = point.z;
}
