//! Four of the pairs in columns of double precision: from poses to what the search starts from, and from its corners to intervals.

use super::super::four::{FOUR, Four, Numbers, Points, point_of, transposed};
use super::super::intervals::Intervals;
use super::super::side::FARTHEST;
use super::{Body, DRIFT, Ended, TURN_ERROR};
use crate::math::Vec3;
use crate::shape::DOT_ERROR;
use fearless_simd::{Simd, f64x4, mask64x4, prelude::*};

/// Four of the pairs.
#[derive(Debug)]
pub(super) struct Half {
    sides: [Placing; 2],
    pub(super) intervals: Intervals,
}

/// The poses of four polytopes.
#[derive(Debug)]
struct Placing {
    matrix: [Points; 3],
    translation: Points,
}

impl Half {
    /// Of no pairs.
    pub(super) const NONE: Half = Half {
        sides: [Placing::NONE; 2],
        intervals: Intervals::NONE,
    };
}

/// What the search needs of four placed pairs.
#[derive(Clone, Copy)]
pub(super) struct Rough {
    /// The columns of the matrices, times the scales of the polytopes.
    pub(super) matrices: [[Points; 3]; 2],
    pub(super) offset: Points,
    pub(super) margins: [Numbers; 2],
    /// No difference of two points is longer, and what placing is off by, in units.
    pub(super) extent: Numbers,
    pub(super) placing: Numbers,
    /// One bit for each that is not too far away, and for each whose centres are inside of their polytopes for certain.
    pub(super) ordinary: u32,
    pub(super) centered: u32,
}

impl Rough {
    pub(super) const ZERO: Rough = Rough {
        matrices: [[[[0.0; FOUR]; 3]; 3]; 2],
        offset: [[0.0; FOUR]; 3],
        margins: [[0.0; FOUR]; 2],
        extent: [0.0; FOUR],
        placing: [0.0; FOUR],
        ordinary: 0,
        centered: 0,
    };
}

/// One polytope of each of four pairs.
struct Sized<S: Simd> {
    matrix: [Four<S>; 3],
    center: Four<S>,
    deviation: f64x4<S>,
    radius: f64x4<S>,
    outer_radius: f64x4<S>,
    inner_radius: f64x4<S>,
    scale: f64x4<S>,
    error: f64x4<S>,
    away: f64x4<S>,
}

impl Placing {
    const NONE: Placing = Placing {
        matrix: [[[0.0; FOUR]; 3]; 3],
        translation: [[0.0; FOUR]; 3],
    };

    /// As [`Pose::place`](crate::Pose::place) does.
    #[inline(always)]
    fn place<S: Simd>(&self, simd: S, v: Four<S>) -> Four<S> {
        let column = |k: usize| Four::load(simd, &self.matrix[k]);
        let turned = column(0).scale(v.x).add(column(1).scale(v.y));
        let turned = turned.add(column(2).scale(v.z));
        turned.add(Four::load(simd, &self.translation))
    }

    /// Puts four polytopes in columns. Formulas and bounds are those of [`Side`](super::super::side::Side).
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, [p, q, r, s]: [&Body<'_>; FOUR]) -> Sized<S> {
        let number = |n: f64| f64x4::splat(simd, n);
        let poses = [
            p.pose.in_fours(simd),
            q.pose.in_fours(simd),
            r.pose.in_fours(simd),
            s.pose.in_fours(simd),
        ];
        let of_poses = |k: usize| transposed([poses[0][k], poses[1][k], poses[2][k], poses[3][k]]);
        let [m0, m1, m2, m3] = of_poses(0);
        let [m4, m5, m6, m7] = of_poses(1);
        let [_, _, _, m8] = of_poses(2);
        let [x, y, z, deviation] = of_poses(3);
        let sizes = [
            p.packed.in_fours(simd),
            q.packed.in_fours(simd),
            r.packed.in_fours(simd),
            s.packed.in_fours(simd),
        ];
        let of_sizes = |k: usize| transposed([sizes[0][k], sizes[1][k], sizes[2][k], sizes[3][k]]);
        let [center_x, center_y, center_z, radius] = of_sizes(0);
        let [scale, reach, inner_radius, _] = of_sizes(1);

        let matrix = [
            Four {
                x: m0,
                y: m1,
                z: m2,
            },
            Four {
                x: m3,
                y: m4,
                z: m5,
            },
            Four {
                x: m6,
                y: m7,
                z: m8,
            },
        ];
        let [first, second, third] = &mut self.matrix;
        matrix[0].store(first);
        matrix[1].store(second);
        matrix[2].store(third);
        Four { x, y, z }.store(&mut self.translation);
        let center = Four {
            x: center_x,
            y: center_y,
            z: center_z,
        };
        let turned = matrix[0].scale(center.x).add(matrix[1].scale(center.y));
        let turned = turned.add(matrix[2].scale(center.z));
        let away = x.abs().max(y.abs()).max(z.abs());
        let error = number(8.0 * f64::EPSILON) * (reach + away);
        let blur = number(2.0) * deviation + number(4.0 * f64::EPSILON);
        let (stretch, shrink) = (number(1.0) + blur, number(1.0) - blur);
        Sized {
            matrix,
            center: turned.add(Four { x, y, z }),
            deviation,
            radius,
            outer_radius: radius * stretch + error,
            inner_radius: inner_radius * shrink - error,
            scale,
            error,
            away,
        }
    }
}

impl Half {
    /// Puts four pairs in columns. Formulas and bounds are those of [`Centers`](super::super::centers::Centers). Pairs with larger
    /// margins than `most` are not ordinary.
    #[inline(always)]
    pub(super) fn place<S: Simd>(
        &mut self,
        simd: S,
        pairs: &[[Body<'_>; 2]; FOUR],
        most: f64,
        rough: &mut Rough,
    ) {
        let number = |n: f64| f64x4::splat(simd, n);
        let [p, q, r, s] = pairs;
        let a = self.sides[0].fill(simd, [&p[0], &q[0], &r[0], &s[0]]);
        let b = self.sides[1].fill(simd, [&p[1], &q[1], &r[1], &s[1]]);
        let unit = a.scale.max(b.scale);
        let inverse = number(1.0) / unit;
        let offset = b.center.sub(a.center).scale(inverse);
        let distance = offset.dot(offset).sqrt() * unit;
        let extent = distance + a.outer_radius + b.outer_radius;
        extent.store_slice(&mut self.intervals.extent);
        let twice = a.outer_radius + a.outer_radius;
        let gap_error = number(2.5 * f64::EPSILON) * (twice + extent);
        gap_error.store_slice(&mut self.intervals.gap_error);
        let scale = a.radius.max(b.radius).max(distance) / number(3.5);
        scale.store_slice(&mut self.intervals.scale);
        offset.store(&mut rough.offset);
        (extent * inverse).store_slice(&mut rough.extent);
        ((a.error + b.error) * inverse).store_slice(&mut rough.placing);
        let inner = a.inner_radius.min(b.inner_radius);
        rough.centered = inner.simd_gt(number(0.0)).to_bitmask() as u32;
        let [margin_a, margin_b] = &mut rough.margins;
        let fits_a = a.round(simd, inverse, most, &mut rough.matrices[0], margin_a);
        let fits_b = b.round(simd, inverse, most, &mut rough.matrices[1], margin_b);
        let is_near = a.away.max(b.away).simd_le(number(FARTHEST));
        rough.ordinary = (is_near & fits_a & fits_b).to_bitmask() as u32;
    }

    /// Places the corners and measures them; one bit for each pair where the last scan, along another
    /// direction, tells which vertices may be the farthest.
    #[inline(always)]
    pub(super) fn measure<S: Simd>(
        &mut self,
        simd: S,
        bodies: &[[Body<'_>; 2]; FOUR],
        corners: &[Ended; FOUR],
        count: f64x4<S>,
        scanned: Four<S>,
    ) -> u32 {
        let on_a = [
            self.placed(simd, bodies, corners, 0, 0),
            self.placed(simd, bodies, corners, 1, 0),
            self.placed(simd, bodies, corners, 2, 0),
        ];
        let on_b = [
            self.placed(simd, bodies, corners, 0, 1),
            self.placed(simd, bodies, corners, 1, 1),
            self.placed(simd, bodies, corners, 2, 1),
        ];
        let is_sound = self.intervals.measure(simd, [on_a, on_b], count);
        let direction = Four::load(simd, &self.intervals.direction);
        // Vectors of unit length with the cosine c differ by sqrt(2 - 2 c). A quarter less, for the rounding of all this, which is
        // some 2^-50 of the squares, and for directions that are not quite of unit length.
        const COSINE: f64 = 1.0 - 0.75 * DRIFT * DRIFT / 2.0;
        let cosine = scanned.dot(direction);
        let least = scanned.dot(scanned) * f64x4::splat(simd, COSINE * COSINE);
        let is_near = cosine.simd_gt(f64x4::splat(simd, 0.0)) & (cosine * cosine).simd_ge(least);
        (is_sound & is_near).to_bitmask() as u32
    }

    /// One vertex of each pair, placed: the corner of a number on one side.
    #[inline(always)]
    fn placed<S: Simd>(
        &self,
        simd: S,
        [p, q, r, s]: &[[Body<'_>; 2]; FOUR],
        corners: &[Ended; FOUR],
        k: usize,
        side: usize,
    ) -> Four<S> {
        let [x, y, z, _] = transposed([
            row(simd, &p[side], corners[0][k][side]),
            row(simd, &q[side], corners[1][k][side]),
            row(simd, &r[side], corners[2][k][side]),
            row(simd, &s[side], corners[3][k][side]),
        ]);
        self.sides[side].place(simd, Four { x, y, z })
    }

    /// Takes another vertex of `a` or of `b` into account that may be extreme; `base` is the first corner of `a`, placed.
    #[inline(always)]
    pub(super) fn add_other(&mut self, lane: usize, side: usize, vertex: Vec3, base: Vec3) {
        let intervals = &mut self.intervals;
        let along = point_of(&intervals.direction, lane).dot(vertex - base);
        if side == 0 {
            intervals.far_a[lane] = intervals.far_a[lane].max(along);
        } else {
            intervals.near_b[lane] = intervals.near_b[lane].min(along);
        }
    }
}

/// A vertex as a row of four numbers.
#[inline(always)]
fn row<S: Simd>(simd: S, body: &Body<'_>, vertex: u32) -> f64x4<S> {
    let [x, y, z] = body.local(vertex).to_array();
    f64x4::load_array_ref(simd, &[x, y, z, 0.0])
}

impl<S: Simd> Sized<S> {
    /// The columns of the matrices times the scales, in units whose inverse is given, and what scans leave open; where that is not
    /// more than `most` in units of the polytopes themselves. All units are powers of two.
    #[inline(always)]
    fn round(
        &self,
        simd: S,
        inverse: f64x4<S>,
        most: f64,
        matrix: &mut [Points; 3],
        margin: &mut Numbers,
    ) -> mask64x4<S> {
        let number = |n: f64| f64x4::splat(simd, n);
        let share = self.scale * inverse;
        let [first, second, third] = matrix;
        self.matrix[0].scale(share).store(first);
        self.matrix[1].scale(share).store(second);
        self.matrix[2].scale(share).store(third);
        // What a polytope is off by, as a share of the length of a direction.
        let off = number(DOT_ERROR + TURN_ERROR + DRIFT) * share + self.error * inverse;
        let length = number(1.0) + number(2.0) * self.deviation;
        let open = length * number(2.0) * off;
        open.store_slice(margin);
        open.simd_le(number(most) * share)
    }
}
