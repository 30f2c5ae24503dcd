//! The certified distances of four pairs side by side, given the placed corners of their closest parts.
//!
//! [`Part`](super::part::Part) says what a part is about, and its formulas and error bounds are those used here. The corners bound a
//! distance from above, and from below as long as no other vertex is farther along the direction: that is for the caller to show,
//! who adds vertices that may be ([`Intervals::far_a`], [`Intervals::near_b`]) before it [concludes](Intervals::conclude).

use super::four::{FOUR, Four, Numbers, Points, transposed};
use super::separation::WIDTH;
use crate::contact::{Feature, Separation, Witness};
use crate::math::{Interval, LEAST_SQUARE, MOST_SQUARE, Vec3};
use fearless_simd::{Simd, f64x4, mask64x4, prelude::*};

/// The intervals of four pairs and what they are made of, one pair a lane.
#[derive(Debug)]
pub(super) struct Intervals {
    /// What [`Centers`](super::centers::Centers) says about the sizes of the pairs.
    pub(super) extent: Numbers,
    pub(super) gap_error: Numbers,
    pub(super) scale: Numbers,
    /// From the origin to the part, of unit length.
    pub(super) direction: Points,
    /// For each pair its closest points, and behind those of `a` the bounds from above.
    witness: [[Numbers; FOUR]; 2],
    /// How far `a` reaches along the direction, and where `b` begins, from the first corner of `a` on.
    pub(super) far_a: Numbers,
    pub(super) near_b: Numbers,
    upper: Numbers,
    lower: Numbers,
}

impl Intervals {
    /// Of no pairs.
    pub(super) const NONE: Intervals = Intervals {
        extent: [0.0; FOUR],
        gap_error: [0.0; FOUR],
        scale: [0.0; FOUR],
        direction: [[0.0; FOUR]; 3],
        witness: [[[0.0; FOUR]; FOUR]; 2],
        far_a: [0.0; FOUR],
        near_b: [0.0; FOUR],
        upper: [0.0; FOUR],
        lower: [0.0; FOUR],
    };

    /// The nearest points of the parts with these corners of `a` and of `b`, repeated to three, of which `count` are different, and what
    /// they bound from above; where the nearest point is inside of the part and the direction is not lost in rounding.
    #[inline(always)]
    pub(super) fn measure<S: Simd>(
        &mut self,
        simd: S,
        corners: [[Four<S>; 3]; 2],
        count: f64x4<S>,
    ) -> mask64x4<S> {
        let extent = f64x4::load_array_ref(simd, &self.extent);
        let measured = Measured::new(simd, corners, count, extent);
        measured.direction.store(&mut self.direction);
        // Handed on pair by pair.
        for side in 0..2 {
            let Four { x, y, z } = measured.witness[side];
            let [p, q, r, s] = transposed([x, y, z, measured.upper]);
            let [of_p, of_q, of_r, of_s] = &mut self.witness[side];
            p.store_slice(of_p);
            q.store_slice(of_q);
            r.store_slice(of_r);
            s.store_slice(of_s);
        }
        measured.upper.store_slice(&mut self.upper);
        measured.far_a.store_slice(&mut self.far_a);
        measured.near_b.store_slice(&mut self.near_b);
        measured.is_sound
    }

    /// Bounds the distances from below; one bit for each lane where that makes an interval as narrow as promised.
    #[inline(always)]
    pub(super) fn conclude<S: Simd>(&mut self, simd: S) -> u32 {
        let load = |numbers: &Numbers| f64x4::load_array_ref(simd, numbers);
        let gap = (load(&self.near_b) - load(&self.far_a)) - load(&self.gap_error);
        // The normalised direction is a few roundings from unit length.
        let lower = gap * f64x4::splat(simd, 1.0 - 4.0 * f64::EPSILON);
        let widest = load(&self.scale) * f64x4::splat(simd, WIDTH);
        let is_proven =
            lower.simd_gt(f64x4::splat(simd, 0.0)) & (load(&self.upper) - lower).simd_le(widest);
        lower.store_slice(&mut self.lower);
        is_proven.to_bitmask() as u32
    }

    /// What is proven about one of the pairs, given the features that its corners span.
    #[inline(always)]
    pub(super) fn separation(&self, place: usize, features: [Feature; 2]) -> Separation {
        let ([a, b, c, upper], [d, e, f, _]) = (self.witness[0][place], self.witness[1][place]);
        let lower = self.lower[place];
        let bounds = Interval { lower, upper };
        Separation {
            distance: 0.5 * (bounds.lower + bounds.upper),
            bounds,
            witness: Witness {
                a: Vec3::new(a, b, c),
                b: Vec3::new(d, e, f),
            },
            features,
        }
    }
}

/// What the placed corners of four parts say.
struct Measured<S: Simd> {
    /// From the origin to the part, of unit length.
    direction: Four<S>,
    witness: [Four<S>; 2],
    /// Bounds for the distances from above.
    upper: f64x4<S>,
    /// How far the corners of `a` reach along the direction, and where those of `b` begin, from the first corner of `a` on.
    far_a: f64x4<S>,
    near_b: f64x4<S>,
    /// Where the nearest point is inside of the part and the direction is not lost in rounding.
    is_sound: mask64x4<S>,
}

impl<S: Simd> Measured<S> {
    /// Of the corners of `a` and of `b`, repeated to three, of which `count` are different.
    #[inline(always)]
    fn new(
        simd: S,
        [on_a, on_b]: [[Four<S>; 3]; 2],
        count: f64x4<S>,
        extent: f64x4<S>,
    ) -> Measured<S> {
        let y = [
            on_b[0].sub(on_a[0]),
            on_b[1].sub(on_a[1]),
            on_b[2].sub(on_a[2]),
        ];
        let nearest = Nearest::new(simd, y, count);
        let (zero, one) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 1.0));
        let square = nearest.direction.dot(nearest.direction);
        let inverse = one / square.sqrt();
        let direction = nearest.direction.scale(inverse);
        let mean = Four::mean(y, nearest.weights);
        // As in `Part::length_above`.
        let room = extent * f64x4::splat(simd, 6.0 * f64::EPSILON);
        let upper = (mean.dot(mean).sqrt() + room) * f64x4::splat(simd, 1.0 + 4.0 * f64::EPSILON);
        // As in `gap_along`.
        let base = on_a[0];
        let along = |point: Four<S>| direction.dot(point.sub(base));
        Measured {
            direction,
            witness: [
                Four::mean(on_a, nearest.weights),
                Four::mean(on_b, nearest.weights),
            ],
            upper,
            far_a: along(on_a[1]).max(along(on_a[2])).max(zero),
            near_b: along(on_b[0]).min(along(on_b[1])).min(along(on_b[2])),
            // A square beyond these is rounded by more than a length may be.
            is_sound: nearest.is_inside
                & square.simd_ge(f64x4::splat(simd, LEAST_SQUARE))
                & square.simd_le(f64x4::splat(simd, MOST_SQUARE)),
        }
    }
}

/// The points of four parts that are nearest to the origin.
struct Nearest<S: Simd> {
    /// Of the corners: shares of a sum that is not known, and then of 1.
    weights: [f64x4<S>; 3],
    /// From the origin to the part, of any length.
    direction: Four<S>,
    /// Whether the nearest point is inside of the hull of the corners, and not on its border.
    is_inside: mask64x4<S>,
}

impl<S: Simd> Nearest<S> {
    /// Of the corners, of which there are as many different ones as `count` says: a vertex, an edge or a triangle.
    #[inline(always)]
    fn new(simd: S, y: [Four<S>; 3], count: f64x4<S>) -> Nearest<S> {
        let (zero, one) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 1.0));
        let is_edge = count.simd_eq(f64x4::splat(simd, 2.0));
        let is_triangle = count.simd_eq(f64x4::splat(simd, 3.0));
        let edge = Nearest::over_edge(simd, y[0], y[1]);
        let triangle = Nearest::over_triangle(simd, y);
        // Chosen before they are divided, which takes its time.
        let share = |k: usize, of_vertex: f64x4<S>| {
            is_triangle.select(
                triangle.weights[k],
                is_edge.select(edge.weights[k], of_vertex),
            )
        };
        let shares = [share(0, one), share(1, zero), share(2, zero)];
        let total = shares[0] + shares[1] + shares[2];
        let not_triangle = Four::select(is_edge, edge.direction, y[0]);
        Nearest {
            weights: [shares[0] / total, shares[1] / total, shares[2] / total],
            direction: Four::select(is_triangle, triangle.direction, not_triangle),
            is_inside: (count.simd_eq(one))
                | (is_edge & edge.is_inside)
                | (is_triangle & triangle.is_inside),
        }
    }

    #[inline(always)]
    fn over_edge(simd: S, p: Four<S>, q: Four<S>) -> Nearest<S> {
        let zero = f64x4::splat(simd, 0.0);
        let edge = q.sub(p);
        let (from_p, from_q) = (zero - p.dot(edge), q.dot(edge));
        // The nearer end is the better base: less of it cancels.
        let base = Four::select(from_p.simd_lt(from_q), p, q);
        Nearest {
            weights: [from_q, from_p, zero],
            direction: edge.cross(base.cross(edge)),
            is_inside: from_p.simd_gt(zero) & from_q.simd_gt(zero),
        }
    }

    #[inline(always)]
    fn over_triangle(simd: S, [p, q, r]: [Four<S>; 3]) -> Nearest<S> {
        let zero = f64x4::splat(simd, 0.0);
        let normal = q.sub(p).cross(r.sub(p));
        // Twice the areas of the triangles that the foot makes with the opposite edges, times the length of the normal.
        let areas = [
            normal.dot(q.cross(r)),
            normal.dot(r.cross(p)),
            normal.dot(p.cross(q)),
        ];
        let one = f64x4::splat(simd, 1.0);
        let outward = normal.dot(p).simd_lt(zero).select(zero - one, one);
        Nearest {
            weights: areas,
            direction: normal.scale(outward),
            is_inside: areas[0].simd_gt(zero) & areas[1].simd_gt(zero) & areas[2].simd_gt(zero),
        }
    }
}
