//! Boxes in single precision, which all broad phases compare.
//!
//! A [`Box32`] is an [`Aabb`] rounded outward to `f32`, or a box of `f32` that was found sound. Each number goes to the nearest `f32` that
//! does not shrink the box, and numbers beyond the range of `f32` to its last finite one. Both ends go through monotone
//! functions, `down` and `up`, with `down(x) <= c(x) <= up(x)` for the clamp `c` to the range of `f32`. Where two boxes overlap,
//! `a.min <= b.max` gives `down(a.min) <= c(a.min) <= c(b.max) <= up(b.max)`: no pair is lost. All six numbers are finite, and
//! none is -0, so that equal numbers have equal bits.
//!
//! Loops over many boxes make and compare them in lanes. A box is six numbers side by side: two loads of four, which share two
//! numbers, have them all. Nothing there branches on what boxes are like, which nobody can foresee.

use super::{Aabb, Vec3};
use crate::error::Error;
use fearless_simd::{Simd, f32x4, f32x8, f64x4, prelude::*};

/// A closed axis-aligned box in single precision: finite, and not inverted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Box32 {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

impl Box32 {
    /// The box between two corners. They must be finite, and `min` at most `max` on each axis.
    ///
    /// ```
    /// # use impinge::broad::Box32;
    /// let unit = Box32::new([0.0; 3], [1.0; 3])?;
    /// assert!(unit.overlaps(&Box32::new([1.0; 3], [2.0; 3])?));
    /// assert!(Box32::new([0.0; 3], [f32::NAN; 3]).is_err());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn new(min: [f32; 3], max: [f32; 3]) -> Result<Box32, Error> {
        let [low, high] = [min, max].map(|corner| Vec3::from(corner.map(f64::from)));
        Aabb::new(low, high)?;
        // -0 + 0 is 0.
        let [min, max] = [min, max].map(|corner| corner.map(|x| x + 0.0));
        Ok(Box32 { min, max })
    }

    /// The smallest one around a box. Fails for a box that is not finite, or inverted.
    ///
    /// ```
    /// # use impinge::{Aabb, Vec3, broad::Box32};
    /// let bounds = Box32::around(&Aabb::new(Vec3::splat(0.1), Vec3::splat(1e300))?)?;
    /// assert!(f64::from(bounds.min()[0]) <= 0.1 && bounds.max()[0] == f32::MAX);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn around(bounds: &Aabb) -> Result<Box32, Error> {
        let (min, max) = (bounds.min(), bounds.max());
        Aabb::new(min, max)?;
        Ok(Box32 {
            min: [round_down(min.x), round_down(min.y), round_down(min.z)],
            max: [round_up(max.x), round_up(max.y), round_up(max.z)],
        })
    }

    /// The lowest corner.
    pub fn min(&self) -> [f32; 3] {
        self.min
    }

    /// The highest corner.
    pub fn max(&self) -> [f32; 3] {
        self.max
    }

    /// Whether the two closed boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Box32) -> bool {
        // Without branches: the outcome of each comparison is hard to foresee.
        let mut apart = false;
        for axis in 0..3 {
            apart |= self.min[axis] > other.max[axis];
            apart |= other.min[axis] > self.max[axis];
        }
        !apart
    }

    /// Whether the other box is inside, boundary included.
    #[inline]
    pub fn contains(&self, other: &Box32) -> bool {
        let mut outside = false;
        for axis in 0..3 {
            outside |= self.min[axis] > other.min[axis];
            outside |= other.max[axis] > self.max[axis];
        }
        !outside
    }
}

/// In lanes, for loops that have chosen their instructions.
impl Box32 {
    /// [`Box32::around`] for a box that is finite and not inverted, in loops that have chosen their instructions.
    #[inline(always)]
    pub(crate) fn around_sound<S: Simd>(simd: S, bounds: &Aabb) -> Box32 {
        let (a, b) = (bounds.min(), bounds.max());
        let (least, most) = (f64::from(f32::MIN), f64::from(f32::MAX));
        let (least, most) = (f64x4::splat(simd, least), f64x4::splat(simd, most));
        // Numbers that lie side by side in memory; one in each half does not count. Upper ends are negated, and all rounded down.
        let low = f64x4::load_array_ref(simd, &[a.x, a.y, a.z, b.x]);
        let high = -f64x4::load_array_ref(simd, &[a.z, b.x, b.y, b.z]);
        let (low, high) = (low.max(least).min(most), high.max(least).min(most));
        let near = low.narrow(high);
        let (near_low, near_high) = near.widen();
        let is_above = near_low.simd_gt(low).narrow(near_high.simd_gt(high));
        // 0.7 units in the last place of 1: between a half and three quarters of one for a power of two, whose lower neighbour is
        // half as far, and between 0.7 and 1.4 for other numbers. So the difference rounds to the lower neighbour.
        let size = near.abs();
        let below = near - size * f32x8::splat(simd, 0.7 * f32::EPSILON);
        let is_tiny = size.simd_lt(f32x8::splat(simd, 1e-30));
        let lanes = is_above.select(below, near) + f32x8::splat(simd, 0.0);
        if (is_above & is_tiny).to_bitmask() & 0b1110_0111 != 0 {
            // Where numbers may be subnormal, one by one.
            return Box32 {
                min: [round_down(a.x), round_down(a.y), round_down(a.z)],
                max: [round_up(b.x), round_up(b.y), round_up(b.z)],
            };
        }
        // 0 - 0 is 0, where the negative would be -0.
        let low: [f32; 8] = lanes.into();
        let high: [f32; 8] = (f32x8::splat(simd, 0.0) - lanes).into();
        let [min, max] = [[low[0], low[1], low[2]], [high[5], high[6], high[7]]];
        Box32 { min, max }
    }

    /// A box around all points whose offsets from a centre are between two corners, less a margin on all sides; `None` when it is
    /// not clearly within the range of `f32`. Larger than needed by some roundings, but made in fewer steps than
    /// [`Box32::around_sound`] takes.
    ///
    /// With `u` half an EPSILON of `f32`, rounding the centre is off by `u` times its size, taking the margin from a corner by `u` times
    /// the size of the result, adding the two by `u` times the sum of both sizes, and subtracting the slack by a little more.
    /// The slack is `4 u` times the sum, and the least normal number for what underflows.
    #[inline(always)]
    pub(crate) fn about<S: Simd>(
        simd: S,
        center: Vec3,
        [low, high]: [[f32; 3]; 2],
        margin: f32,
    ) -> Option<Box32> {
        let [x, y, z] = [center.x as f32, center.y as f32, center.z as f32];
        let center = f32x4::load_array_ref(simd, &[x, y, z, 0.0]);
        let margin = f32x4::splat(simd, margin);
        let low = f32x4::load_array_ref(simd, &[low[0], low[1], low[2], 0.0]) - margin;
        let high = f32x4::load_array_ref(simd, &[high[0], high[1], high[2], 0.0]) + margin;
        let size = center.abs() + low.abs().max(high.abs());
        let least = f32x4::splat(simd, f32::MIN_POSITIVE);
        let slack = size * f32x4::splat(simd, 2.0 * f32::EPSILON) + least;
        // -0 + 0 is 0.
        let zero = f32x4::splat(simd, 0.0);
        let min: [f32; 4] = ((center + low) - slack + zero).into();
        let max: [f32; 4] = ((center + high) + slack + zero).into();
        let most = f32x4::splat(simd, 0.5 * f32::MAX);
        let is_in_range = size.simd_lt(most).to_bitmask() == 0b1111;
        is_in_range.then_some(Box32 {
            min: [min[0], min[1], min[2]],
            max: [max[0], max[1], max[2]],
        })
    }

    /// The lowest corner and one number more, and one number and the highest corner.
    #[inline(always)]
    pub(crate) fn halves<S: Simd>(&self, simd: S) -> (f32x4<S>, f32x4<S>) {
        let Box32 { min, max } = self;
        let low = f32x4::load_array_ref(simd, &[min[0], min[1], min[2], max[0]]);
        let high = f32x4::load_array_ref(simd, &[min[2], max[0], max[1], max[2]]);
        (low, high)
    }

    /// The lowest and the highest corner, and one number more each.
    #[inline(always)]
    pub(crate) fn corners<S: Simd>(&self, simd: S) -> (f32x4<S>, f32x4<S>) {
        let (min, max) = self.halves(simd);
        (min, max.slide::<1>(max))
    }

    /// The box between two corners, which are in order and may be infinite; the fourth numbers do not count.
    #[inline(always)]
    pub(crate) fn from_corners<S: Simd>(min: f32x4<S>, max: f32x4<S>) -> Box32 {
        let ([x, y, z, _], [u, v, w, _]): ([f32; 4], [f32; 4]) = (min.into(), max.into());
        Box32 {
            min: [x, y, z],
            max: [u, v, w],
        }
    }

    /// The longest edge; infinite if it is beyond the range of numbers.
    #[inline(always)]
    pub(crate) fn size(&self) -> f32 {
        let [x, y, z] = std::array::from_fn(|axis| self.max[axis] - self.min[axis]);
        f32::max(x, y).max(z)
    }

    /// The box with a margin, not negative, on all sides, as far as numbers reach.
    #[inline(always)]
    pub(crate) fn widened(&self, margin: f32) -> Box32 {
        Box32 {
            min: self.min.map(|low| (low - margin).max(f32::MIN)),
            max: self.max.map(|high| (high + margin).min(f32::MAX)),
        }
    }

    /// [`Box32::overlaps`].
    #[inline(always)]
    pub(crate) fn overlaps_in<S: Simd>(&self, simd: S, other: &Box32) -> bool {
        let (min, max) = self.halves(simd);
        let (other_min, other_max) = other.halves(simd);
        let (max, other_max) = (max.slide::<1>(max), other_max.slide::<1>(other_max));
        let met = min.simd_le(other_max) & other_min.simd_le(max);
        met.to_bitmask() & 0b111 == 0b111
    }

    /// [`Box32::contains`].
    #[inline(always)]
    pub(crate) fn contains_in<S: Simd>(&self, simd: S, other: &Box32) -> bool {
        let (low, high) = self.halves(simd);
        let (other_low, other_high) = other.halves(simd);
        let inside = low.combine(other_high).simd_le(other_low.combine(high));
        inside.to_bitmask() & 0b1110_0111 == 0b1110_0111
    }
}

/// The largest finite `f32` that is not above `x` clamped to the range of `f32`.
#[inline]
fn round_down(x: f64) -> f32 {
    let x = x.max(f64::from(f32::MIN));
    let near = x as f32;
    let below = if f64::from(near) > x {
        near.next_down()
    } else {
        near
    };
    // -0 + 0 is 0.
    below + 0.0
}

/// The smallest finite `f32` that is not below `x` clamped to the range of `f32`.
#[inline]
fn round_up(x: f64) -> f32 {
    -round_down(-x) + 0.0
}

/// Ends of intervals that are hard to round, in order, for tests.
#[cfg(test)]
pub(crate) const ENDS: [f64; 22] = [
    -f64::MAX,
    -1e39,
    -3.402_823_466_385_288_6e38,
    -16_777_217.0,
    -1.000_000_01,
    -1.0,
    -1e-40,
    -1e-46,
    -1e-300,
    -0.0,
    0.0,
    5e-324,
    1e-46,
    1e-45,
    1.5e-38,
    0.1,
    1.0,
    16_777_217.0,
    3.402_823_466_385_288_6e38,
    3.402_823_47e38,
    1e39,
    f64::MAX,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::in_lanes;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn rounding_goes_outward_and_no_farther_than_needed() {
        for x in ENDS {
            let clamped = x.clamp(f64::from(f32::MIN), f64::from(f32::MAX));
            let (down, up) = (round_down(x), round_up(x));
            assert!(down.is_finite() && up.is_finite());
            assert!(
                f64::from(down) <= clamped && clamped <= f64::from(up),
                "{x}"
            );
            assert!(f64::from(down.next_up()) > clamped, "{x}");
            assert!(f64::from(up.next_down()) < clamped, "{x}");
            for rounded in [down, up] {
                assert!(rounded != 0.0 || rounded.is_sign_positive());
            }
        }
    }

    #[test]
    fn no_pair_is_lost() {
        let interval = |min: f64, max: f64| {
            let exact = Aabb::new(Vec3::splat(min), Vec3::splat(max)).unwrap();
            (exact, Box32::around(&exact).unwrap())
        };
        let mut intervals = Vec::new();
        for (place, min) in ENDS.into_iter().enumerate() {
            intervals.extend(ENDS[place..].iter().map(|max| interval(min, *max)));
        }
        let mut parted = 0;
        for (exact, rounded) in &intervals {
            for (other, other_rounded) in &intervals {
                let overlaps = rounded.overlaps(other_rounded);
                assert_eq!(overlaps, other_rounded.overlaps(rounded));
                assert!(overlaps || !exact.overlaps(other));
                parted += usize::from(!overlaps);
            }
        }
        assert!(parted > intervals.len());
    }

    #[test]
    fn there_is_one_zero() {
        let zero = Box32::new([-0.0; 3], [-0.0; 3]).unwrap();
        let mut corners = zero.min.into_iter().chain(zero.max);
        assert!(corners.all(f32::is_sign_positive));
    }

    #[test]
    fn boxes_in_lanes_are_rounded_as_one_by_one() {
        let check = |min: Vec3, max: Vec3| {
            let bounds = Aabb::new(min, max).unwrap();
            let expected = Box32::around(&bounds).unwrap();
            let found = in_lanes!(simd => Box32::around_sound(simd, &bounds));
            let bits = |b: &Box32| [b.min, b.max].map(|corner| corner.map(f32::to_bits));
            assert_eq!(bits(&found), bits(&expected), "{bounds:?}");
        };
        for (place, min) in ENDS.into_iter().enumerate() {
            for max in &ENDS[place..] {
                check(Vec3::splat(min), Vec3::splat(*max));
            }
        }
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..10_000 {
            let scale = 10f64.powi(rng.random_range(-45..38));
            let [a, b] = [(); 2].map(|()| {
                let corner = [(); 3].map(|()| rng.random_range(-2.0..2.0));
                Vec3::from(corner) * scale
            });
            check(a.min(b), a.max(b));
        }
    }

    #[test]
    fn boxes_about_a_centre_hold_what_they_are_for() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut made = 0;
        for _ in 0..20_000 {
            let [near, far] = [(); 2].map(|()| 10f64.powi(rng.random_range(-48..40)));
            let mut vector = |scale: f64| {
                let lanes = [(); 3].map(|()| rng.random_range(-1.0..1.0) * scale);
                Vec3::from(lanes)
            };
            let (center, a, b) = (vector(far), vector(near), vector(near));
            let margin = (rng.random_range(0.0..0.1) * near) as f32;
            let corners = [a.min(b), a.max(b)].map(|v| v.as_vec3().to_array());
            let found = in_lanes!(simd => Box32::about(simd, center, corners, margin));
            let size = center.abs() + a.abs().max(b.abs()) + Vec3::splat(f64::from(margin));
            assert_eq!(
                found.is_some(),
                size.max_element() < 1.7e38,
                "{center} {a} {b}"
            );
            let Some(found) = found else {
                continue;
            };
            made += 1;
            for axis in 0..3 {
                let [low, high] = corners.map(|corner| f64::from(corner[axis]));
                // Sums in `f64` are off by far less than the slack.
                let least = center[axis] + low - f64::from(margin);
                let most = center[axis] + high + f64::from(margin);
                let (min, max) = (f64::from(found.min[axis]), f64::from(found.max[axis]));
                assert!(min <= least && most <= max, "{center} {a} {b}");
                let room = 1e-6 * size[axis] + 1e-37;
                assert!(least - min <= room && max - most <= room, "{center} {a}");
            }
        }
        assert!(made > 15_000, "{made}");
    }

    #[test]
    fn boxes_in_lanes_compare_as_one_by_one() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut corner = || [(); 3].map(|()| rng.random_range(-2..=2i8).into());
        let (mut met, mut held) = (0, 0);
        for _ in 0..20_000 {
            let [a, b] = [(); 2].map(|()| {
                let (one, other): ([f32; 3], [f32; 3]) = (corner(), corner());
                let min = std::array::from_fn(|axis| one[axis].min(other[axis]));
                let max = std::array::from_fn(|axis| one[axis].max(other[axis]));
                Box32 { min, max }
            });
            let (overlaps, contains) = in_lanes!(simd => {
                (a.overlaps_in(simd, &b), a.contains_in(simd, &b))
            });
            assert_eq!(overlaps, a.overlaps(&b), "{a:?} {b:?}");
            assert_eq!(contains, a.contains(&b), "{a:?} {b:?}");
            met += usize::from(overlaps);
            held += usize::from(contains);
        }
        assert!(met > 2000 && held > 200, "{met} {held}");
    }
}
