//! What two placed centres tell about a pair: quick verdicts, each with its proof.
//!
//! With `D` the offset from the centre of `a` to that of `b`, in the order of their cost:
//!
//! 1. **Balls.** `|D|` above the sum of the outer radii: apart. Below the sum of the inner radii: overlapping.
//! 2. **A direction.** If `a` reaches less far along `d` than `b` begins, they are apart. `D` itself is a good candidate,
//!    and so are last frame's direction and the normals of the faces met in step 3.
//! 3. **The segment of centres.** It leaves `a` at a share `1 / g_a` of its length, where `g_a` is the largest product of
//!    `D` with a polar point of `a`, and it leaves `b`, coming from the other end, at `1 / g_b`. When the shares add up to
//!    more than 1 there is a point on it that is in both.
//!
//! Steps 2 and 3 are dual to each other: one scan over vertices, one over faces. Together they decide most pairs of
//! compact polytopes without any search. All comparisons include the error bounds of [`Side`] and
//! [`Packed`](crate::shape::Packed): a verdict is proven, or there is none. Everything is computed in units of the larger
//! of the two scales, so that nothing here over- or underflows for polytopes of ordinary size.

use super::side::{Side, narrowed};
use crate::math::Vec3;
use crate::shape::DOT_ERROR;
use fearless_simd::Simd;

/// Two placed polytopes and the offset of their centres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Centers<'a, S> {
    /// Proof that the processor knows the instructions that scans are compiled to.
    pub(super) simd: S,
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
    /// The larger of the two scales: the unit of the offset.
    unit: f64,
    /// From the centre of `a` to that of `b`, in units.
    offset: Vec3,
    /// The square of its length.
    squared: f64,
}

impl<'a, S: Simd> Centers<'a, S> {
    #[inline(always)]
    pub(super) fn new(simd: S, a: Side<'a>, b: Side<'a>) -> Centers<'a, S> {
        let unit = a.packed.scale.max(b.packed.scale);
        let offset = (b.center - a.center) / unit;
        Centers {
            simd,
            a,
            b,
            unit,
            offset,
            squared: offset.length_squared(),
        }
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
        side.packed.scale / self.unit
    }

    /// Step 1: whether the balls around the polytopes prove that they are apart, and whether the balls inside of them prove
    /// that they overlap. Without a branch.
    #[inline(always)]
    pub(super) fn by_balls(&self) -> Balls {
        // The offset, its square and the comparisons are each off by a few roundings.
        const SURE: f64 = 1.0 + 16.0 * f64::EPSILON;
        let outer = (self.a.outer_radius() + self.b.outer_radius()) / self.unit * SURE;
        let inner = (self.a.inner_radius() + self.b.inner_radius()) / self.unit / SURE;
        Balls {
            are_apart: self.squared > outer * outer,
            overlap: (inner > 0.0) & (self.squared < inner * inner),
        }
    }

    /// Step 1: a point that is in both, when the balls inside the polytopes prove that there is one.
    #[inline(always)]
    pub(super) fn ball_point(&self) -> Option<Vec3> {
        if !self.by_balls().overlap {
            return None;
        }
        let (inner_a, inner_b) = (self.a.inner_radius(), self.b.inner_radius());
        let share = (inner_a / (inner_a + inner_b)).clamp(0.0, 1.0);
        Some(self.a.center + self.offset * self.unit * share)
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

    /// Step 2: whether the offset proves that the polytopes are apart.
    #[inline(always)]
    pub(super) fn offset_separates(&self) -> bool {
        self.is_apart(self.offset, self.squared, self.squared)
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
        // The rounding of `along`, a few EPSILON times both lengths, is far below the slack unless the centres are
        // farther apart than a million radii; balls decide such pairs, and this direction then need not.
        let slack =
            self.a.slack() + self.b.slack() + OFFSET_ERROR * self.squared.sqrt() * self.unit;
        along - reach / self.unit > squared.sqrt() * (slack / self.unit)
    }

    /// Step 3: whether the segment of centres has a point that is in both polytopes, for certain.
    #[inline(always)]
    pub(super) fn meet_on_segment(&self) -> bool {
        let [share_a, share_b] = self.shares_inside();
        share_a + share_b > ENOUGH
    }

    /// Step 3: such a point.
    #[inline(always)]
    pub(super) fn common_point(&self) -> Option<Vec3> {
        let [share_a, share_b] = self.shares_inside();
        if share_a + share_b > ENOUGH {
            let (first, last) = ((1.0 - share_b).max(0.0), share_a.min(1.0));
            let middle = 0.5 * (first + last);
            Some(self.a.center + self.offset * self.unit * middle)
        } else {
            None
        }
    }

    /// Lower bounds for the shares of the segment of centres that are inside the two polytopes.
    #[inline(always)]
    fn shares_inside(&self) -> [f64; 2] {
        if self.a.packed.polars.is_empty() || self.b.packed.polars.is_empty() {
            return [f64::NEG_INFINITY; 2];
        }
        let length = self.squared.sqrt();
        let (local_a, local_b) = (self.a.local(self.offset), self.b.local(-self.offset));
        [
            self.share_inside(&self.a, local_a, length),
            self.share_inside(&self.b, local_b, length),
        ]
    }

    /// The faces through which the segment of centres leaves `a` and enters `b`, as far as `f32` can tell; `None` when one
    /// of the polytopes is too thin.
    #[inline(always)]
    pub(super) fn exits(&self) -> Option<[u32; 2]> {
        let (a, b) = (&self.a.packed.polars, &self.b.packed.polars);
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let (local_a, local_b) = (self.a.local(self.offset), self.b.local(-self.offset));
        Some([
            a.farthest(self.simd, narrowed(local_a)),
            b.farthest(self.simd, narrowed(local_b)),
        ])
    }

    /// A lower bound for the share of the segment of centres that is inside one of the polytopes.
    ///
    /// A position `x` relative to the centre, in the body's frame, is inside *with room for a ball of radius* `r` when no
    /// polar point exceeds `1 - r / inner_radius`. The room pays for the rounding of the placed vertices. The position is
    /// computed with the transposed matrix for the inverse one, which is off by at most three times the deviation.
    #[inline(always)]
    fn share_inside(&self, side: &Side<'_>, local: Vec3, length: f64) -> f64 {
        let packed = side.packed;
        let per_unit = self.unit / packed.scale;
        let error = packed.polar_radius * (DOT_ERROR + 4.0 * side.pose.deviation())
            + packed.polar_error
            + packed.polar_radius * OFFSET_ERROR;
        let steepest = packed.polars.max_along(self.simd, narrowed(local));
        let steepness = (f64::from(steepest) + length * error) * per_unit;
        let room = 1.0 - 1.01 * side.error * packed.polar_radius / packed.scale;
        if room > 0.0 {
            // Infinite for an offset of zero, and so large for one that underflows in `f32` that its error is no matter:
            // the centres then are inside both.
            room / steepness
        } else {
            // Not even the centre is inside for certain.
            f64::NEG_INFINITY
        }
    }
}

/// What balls prove.
#[derive(Debug, Clone, Copy)]
pub(super) struct Balls {
    pub(super) are_apart: bool,
    pub(super) overlap: bool,
}

/// Shares of the segment of centres that add up to more than this have a point in common.
const ENOUGH: f64 = 1.0 + 8.0 * f64::EPSILON;
/// The relative error of the offset of the centres.
const OFFSET_ERROR: f64 = 4.0 * f64::EPSILON;
