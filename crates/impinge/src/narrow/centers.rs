//! What two placed centres tell about a pair: quick verdicts, each with its proof.
//!
//! With `D` the offset from the centre of `a` to that of `b`, in the order of their cost:
//!
//! 1. **Balls.** `|D|` above the sum of the outer radii: apart. Below the sum of the inner radii: overlapping.
//! 2. **A direction.** If `a` reaches less far along `d` than `b` begins, they are apart. `D` itself is a good candidate.
//! 3. **The segment of centres.** It leaves `a` at a share `1 / g_a` of its length, where `g_a` is the largest product of
//!    `D` with a polar point of `a`, and it leaves `b`, coming from the other end, at `1 / g_b`. When the shares add up to
//!    more than 1 there is a point on it that is in both.
//! 4. **Beside the segment.** The faces through which it leaves say which way to go from it, to a point that may be in both.
//!
//! Steps 2 and 3 are dual to each other: one scan over vertices, one over faces. [Charts](crate::shape::Chart) bound both without a scan, and
//! so decide most pairs of compact polytopes ([`charts`](super::charts)). All comparisons include the error bounds of [`Side`] and
//! [`Packed`](crate::shape::Packed): a verdict is proven, or there is none. Everything is computed in units of the larger
//! of the two scales, so that nothing here over- or underflows for polytopes of ordinary size.

use super::side::{Side, inverse_of_power, narrowed};
use crate::ahead;
use crate::math::Vec3;
use crate::shape::{Chart, DOT_ERROR};
use fearless_simd::Simd;

/// Two placed polytopes and the offset of their centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Centers<'a, S> {
    /// Proof that the processor knows the instructions that scans are compiled to.
    pub(super) simd: S,
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
    /// The larger of the two scales: the unit of the offset. A power of two, and so is its inverse.
    unit: f64,
    inverse: f64,
    /// From the centre of `a` to that of `b`, in units.
    offset: Vec3,
    /// The square of its length.
    squared: f64,
}

impl<'a, S: Simd> Centers<'a, S> {
    #[inline(always)]
    pub(super) fn new(simd: S, a: Side<'a>, b: Side<'a>) -> Centers<'a, S> {
        let unit = a.packed.scale.max(b.packed.scale);
        let inverse = inverse_of_power(unit);
        let offset = (b.center - a.center) * inverse;
        Centers {
            simd,
            a,
            b,
            unit,
            inverse,
            offset,
            squared: offset.length_squared(),
        }
    }

    /// Asks for the second lines of both polytopes, which lead to their points.
    #[inline(always)]
    pub(super) fn fetch_headers(&self) {
        ahead::fetch_start(&self.a.packed.vertices);
        ahead::fetch_start(&self.b.packed.vertices);
    }

    /// Asks for the vertices of both.
    #[inline(always)]
    pub(super) fn fetch_vertices(&self) {
        self.a.packed.vertices.fetch();
        self.b.packed.vertices.fetch();
    }

    /// Asks for the polar points of both.
    #[inline(always)]
    pub(super) fn fetch_polars(&self) {
        self.a.packed.polars.fetch();
        self.b.packed.polars.fetch();
    }

    /// Asks for what queries of depth look at first.
    #[inline(always)]
    pub(super) fn fetch_surfaces(&self) {
        self.fetch_vertices();
        self.a.polytope.gauss().fetch();
        self.b.polytope.gauss().fetch();
    }

    /// The offset of the centres, in a unit of no meaning: a direction from `a` towards `b`, perhaps zero.
    #[inline(always)]
    pub(super) fn direction(&self) -> Vec3 {
        self.offset
    }

    /// [`Centers::direction`], rounded.
    #[inline(always)]
    pub(super) fn offset_narrowed(&self) -> [f32; 3] {
        narrowed(self.offset)
    }

    /// The scale of one of the two sides as a share of the unit of [`Centers::direction`].
    #[inline(always)]
    pub(super) fn share_of_unit(&self, side: &Side<'_>) -> f64 {
        side.packed.scale * self.inverse
    }

    /// Step 1: whether the balls around the polytopes prove that they are apart, and whether the balls inside of them prove
    /// that they overlap. Without a branch.
    #[inline(always)]
    pub(super) fn by_balls(&self) -> Proven {
        // The offset, its square and the comparisons are each off by a few roundings.
        const SURE: f64 = 1.0 + 16.0 * f64::EPSILON;
        const LESS: f64 = 1.0 - 16.0 * f64::EPSILON;
        let outer = (self.a.outer_radius() + self.b.outer_radius()) * (self.inverse * SURE);
        let inner = (self.a.inner_radius() + self.b.inner_radius()) * (self.inverse * LESS);
        Proven {
            are_apart: self.squared > outer * outer,
            overlap: (inner > 0.0) & (self.squared < inner * inner),
        }
    }

    /// Step 1: a point that is in both, where the balls inside the polytopes overlap.
    #[inline(always)]
    pub(super) fn ball_point(&self) -> Vec3 {
        let (inner_a, inner_b) = (self.a.inner_radius(), self.b.inner_radius());
        let share = (inner_a / (inner_a + inner_b)).clamp(0.0, 1.0);
        self.a.center + self.offset * self.unit * share
    }

    /// A length that is at most the largest coordinate of the placed vertices, in absolute value, and not much less
    /// unless both polytopes are far from the origin.
    ///
    /// In a cube about the origin with half edges `m` no two points are farther apart than `2 sqrt(3) m`, neither a
    /// centre and a vertex nor the two centres.
    #[inline(always)]
    pub(super) fn scale(&self) -> f64 {
        let radius = self.a.packed.radius.max(self.b.packed.radius);
        radius.max(self.squared.sqrt() * self.unit) / 3.5
    }

    /// A bound for the distance of two points of the polytopes, not much more than the largest one.
    #[inline(always)]
    pub(super) fn extent(&self) -> f64 {
        let distance = self.squared.sqrt() * self.unit;
        distance + self.a.outer_radius() + self.b.outer_radius()
    }

    /// [`Centers::extent`] in the units of the offset.
    #[inline(always)]
    pub(super) fn extent_in_units(&self) -> f64 {
        self.extent() * self.inverse
    }

    /// What rounding can take from the difference of two products of a direction of unit length, each with a difference
    /// of placed vertices: one of `a`, and one of `a` and `b`.
    ///
    /// Each term of a product passes a difference, a product and at most two sums, 4 roundings of half an EPSILON; the
    /// sum of the absolute terms is at most the length of the difference. Half an EPSILON more for each product leaves room
    /// for the last difference and for the rounding of all this. Sizes are ordinary, so underflow is far below.
    #[inline(always)]
    pub(super) fn gap_error(&self) -> f64 {
        2.5 * f64::EPSILON * (2.0 * self.a.outer_radius() + self.extent())
    }

    /// How far the difference of two placed vertices may be from that without rounding, in units.
    #[inline(always)]
    pub(super) fn placing_error(&self) -> f64 {
        (self.a.error + self.b.error) * self.inverse
    }

    /// Whether both centres are inside of their polytopes for certain.
    #[inline(always)]
    pub(super) fn has_centers(&self) -> bool {
        (self.a.inner_radius() > 0.0) & (self.b.inner_radius() > 0.0)
    }

    /// The offset as `a` sees it, and the opposite one as `b` does, rounded.
    #[inline(always)]
    pub(super) fn offset_seen(&self) -> [[f32; 3]; 2] {
        [
            narrowed(self.a.local(self.offset)),
            narrowed(self.b.local(-self.offset)),
        ]
    }

    /// Steps 2 and 3 by charts: whether the offset separates the polytopes, and whether the segment of centres has a point in both; given
    /// bounds for the products of the offset with the vertices of both, and with the polar points, in steps of charts. What
    /// rounding does to these products is in the bounds. Without a branch.
    #[inline(always)]
    pub(super) fn by_charts(&self, reach: [f32; 2], tops: [f32; 2]) -> Proven {
        let (a, b) = (self.a.packed, self.b.packed);
        let reach = f64::from(reach[0]) * a.radius + f64::from(reach[1]) * b.radius;
        let length = self.squared.sqrt();
        let slack = self.a.error + self.b.error + OFFSET_ERROR * length * self.unit;
        let (inner_a, inner_b) = (self.a.safe_radius(), self.b.safe_radius());
        let (top_a, top_b) = (f64::from(tops[0]), f64::from(tops[1]));
        // The shares of the segment that are inside are inner_a / (top_a STEP unit) and the same of b.
        let shares = inner_a * top_b + inner_b * top_a;
        Proven {
            are_apart: self.squared > (reach * Chart::STEP + length * slack) * self.inverse,
            overlap: (shares > top_a * top_b * (Chart::STEP * self.unit * ENOUGH))
                & (inner_a > 0.0)
                & (inner_b > 0.0),
        }
    }

    /// A point of the segment of centres that is in both polytopes, where [`Centers::by_charts`] says that there is one.
    #[inline(always)]
    pub(super) fn point_by_charts(&self, tops: [f32; 2]) -> Vec3 {
        let share = |side: &Side<'_>, top: f32| {
            side.safe_radius() / (f64::from(top) * (Chart::STEP * self.unit))
        };
        self.point_at([share(&self.a, tops[0]), share(&self.b, tops[1])])
    }

    /// Step 2: whether a direction from `a` towards `b`, of about unit length, proves that they are apart.
    #[inline(always)]
    pub(super) fn separates(&self, direction: Vec3) -> bool {
        self.is_apart(
            direction,
            direction.dot(self.offset),
            direction.length_squared(),
        )
    }

    #[inline(always)]
    fn is_apart(&self, direction: Vec3, along: f64, squared: f64) -> bool {
        let reach = self.a.reach_along(self.simd, self.a.local(direction))
            + self.b.reach_along(self.simd, self.b.local(-direction));
        self.is_gap(reach, along, squared)
    }

    /// Whether two polytopes do not meet that reach so far together along a direction, given its product with the offset and the square of
    /// its length.
    #[inline(always)]
    fn is_gap(&self, reach: f64, along: f64, squared: f64) -> bool {
        // The rounding of `along`, a few EPSILON times both lengths, is far below the slack unless the centres are
        // farther apart than a million radii; balls decide such pairs, and this direction then need not.
        let slack =
            self.a.slack() + self.b.slack() + OFFSET_ERROR * self.squared.sqrt() * self.unit;
        along - reach * self.inverse > squared.sqrt() * (slack * self.inverse)
    }

    /// Step 3: where the segment of centres leaves the two polytopes.
    #[inline(always)]
    pub(super) fn exits(&self) -> Exits {
        let (a, b) = (&self.a.packed.polars, &self.b.packed.polars);
        if a.is_empty() || b.is_empty() {
            return Exits {
                shares: [f64::NEG_INFINITY; 2],
                faces: None,
            };
        }
        let length = self.squared.sqrt();
        let (top_a, face_a) = a.top_along(self.simd, narrowed(self.a.local(self.offset)));
        let (top_b, face_b) = b.top_along(self.simd, narrowed(self.b.local(-self.offset)));
        Exits {
            shares: [
                self.share_inside(&self.a, top_a, length),
                self.share_inside(&self.b, top_b, length),
            ],
            faces: Some([face_a, face_b]),
        }
    }

    /// A point of the segment of centres that is in both polytopes, if the exits [meet](Exits::meet).
    #[inline(always)]
    pub(super) fn point_between(&self, exits: &Exits) -> Vec3 {
        self.point_at(exits.shares)
    }

    /// The point in the middle of what shares of the segment of centres from both ends have in common.
    #[inline(always)]
    fn point_at(&self, [share_a, share_b]: [f64; 2]) -> Vec3 {
        let (first, last) = ((1.0 - share_b).max(0.0), share_a.min(1.0));
        let middle = 0.5 * (first + last);
        self.a.center + self.offset * self.unit * middle
    }

    /// The polar points of two faces, in the world frame and in units.
    #[inline(always)]
    pub(super) fn polar_points(&self, [face_a, face_b]: [u32; 2]) -> [Vec3; 2] {
        [
            self.polar_point(&self.a, face_a),
            self.polar_point(&self.b, face_b),
        ]
    }

    /// Step 4: a point beside the segment of centres that may be in both polytopes, given the polar points of the faces that it
    /// leaves through.
    ///
    /// With these points `p` and `q`, `x` is beyond the one by `p . x - 1` and beyond the other by
    /// `q . (x - D) - 1`. Where both are the same on the segment, the shortest way that takes both below zero leads to `x`.
    #[inline(always)]
    pub(super) fn point_beside(&self, [p, q]: [Vec3; 2]) -> Beside {
        let (along_p, along_q) = (p.dot(self.offset), -q.dot(self.offset));
        let share = along_q / (along_p + along_q);
        let descent = FURTHER * (1.0 - along_p * share);
        let (pp, pq, qq) = (p.length_squared(), p.dot(q), q.length_squared());
        let per_step = descent / (pp * qq - pq * pq);
        let way = p * ((qq - pq) * per_step) + q * ((pp - pq) * per_step);
        let x = self.offset * share + way;
        let (from_a, from_b) = (self.a.local(x), self.b.local(x - self.offset));
        // More than the length of either, and enough to pay for the rounding of the difference.
        let length = x.length() + self.squared.sqrt();
        let top_a = self.a.packed.polars.max_along(self.simd, narrowed(from_a));
        let top_b = self.b.packed.polars.max_along(self.simd, narrowed(from_b));
        // Parallel faces lead to infinity, or not to a number.
        let is_common = (length < MOST)
            & (self.steepness(&self.a, top_a, length) <= self.room(&self.a))
            & (self.steepness(&self.b, top_b, length) <= self.room(&self.b));
        Beside {
            point: self.a.center + x * self.unit,
            is_common,
        }
    }

    /// The polar point of a face in the world frame, in units.
    #[inline(always)]
    fn polar_point(&self, side: &Side<'_>, face: u32) -> Vec3 {
        let point = glam::Vec3::from(side.packed.polars.point(face)).as_dvec3();
        side.pose.rotate(point) * (self.unit * inverse_of_power(side.packed.scale))
    }

    /// A lower bound for the share of the segment of centres that is inside one of the polytopes, given the largest product of
    /// a polar point with the segment.
    #[inline(always)]
    fn share_inside(&self, side: &Side<'_>, top: f32, length: f64) -> f64 {
        let room = self.room(side);
        if room > 0.0 {
            // Infinite for an offset of zero, and so large for one that underflows in `f32` that its error is no matter:
            // the centres then are inside both.
            room / self.steepness(side, top, length)
        } else {
            // Not even the centre is inside for certain.
            f64::NEG_INFINITY
        }
    }

    /// The largest product of a polar point with a position in units, or more: `top` was found in the body's frame, and
    /// `length` is at least the length of the position.
    #[inline(always)]
    fn steepness(&self, side: &Side<'_>, top: f32, length: f64) -> f64 {
        let error = polar_error(side) + side.packed.polar_radius * OFFSET_ERROR;
        (f64::from(top) + length * error) * (self.unit * inverse_of_power(side.packed.scale))
    }

    /// A position is inside *with room for a ball of radius* `r` when no polar point exceeds `1 - r / inner_radius`. The
    /// room pays for the rounding of the placed vertices. Not positive when not even the centre is inside for certain.
    #[inline(always)]
    fn room(&self, side: &Side<'_>) -> f64 {
        let packed = side.packed;
        1.0 - 1.01 * side.error * packed.polar_radius * inverse_of_power(packed.scale)
    }
}

/// How far the product of a position of unit length with a polar point, in `f32` and in the body's frame, may be off. The
/// position is seen with the transposed matrix for the inverse one, which is off by at most three times the deviation.
#[inline(always)]
fn polar_error(side: &Side<'_>) -> f64 {
    let packed = side.packed;
    packed.polar_radius * (DOT_ERROR + 4.0 * side.pose.deviation()) + packed.polar_error()
}

/// Where the segment of centres leaves the two polytopes, seen from their centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exits {
    /// Lower bounds for the shares of it that are inside.
    shares: [f64; 2],
    /// The faces it leaves through, as far as `f32` can tell; none when one of the polytopes is too thin.
    pub(super) faces: Option<[u32; 2]>,
}

impl Exits {
    /// Whether the segment has a point that is in both, for certain.
    #[inline(always)]
    pub(super) fn meet(&self) -> bool {
        self.shares[0] + self.shares[1] > ENOUGH
    }
}

/// A point beside the segment of centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub(super) point: Vec3,
    /// Whether it is in both polytopes, for certain.
    pub(super) is_common: bool,
}

/// What is proven about a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proven {
    pub(super) are_apart: bool,
    pub(super) overlap: bool,
}

/// Shares of the segment of centres that add up to more than this have a point in common.
const ENOUGH: f64 = 1.0 + 8.0 * f64::EPSILON;
/// Longer vectors might be infinite in `f32`, where the largest of some products may be anything.
const MOST: f64 = 1e30;
/// How much further to go than to the planes of two faces, so that there is room for others.
const FURTHER: f64 = 1.2;
/// The relative error of the offset of the centres.
const OFFSET_ERROR: f64 = 4.0 * f64::EPSILON;
