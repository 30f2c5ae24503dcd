//! Boxes made and compared in lanes, for loops that have chosen their instructions.
//!
//! A box is six numbers side by side: two loads of four, which share two numbers, have them all. Nothing here branches on what
//! boxes are like, which nobody can foresee.

use super::Box32;
use super::boxes::{round_down, round_up};
use crate::math::Aabb;
use fearless_simd::{Simd, f32x4, f32x8, f64x4, prelude::*};

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

    /// The lowest corner and one number more, and one number and the highest corner.
    #[inline(always)]
    fn halves<S: Simd>(&self, simd: S) -> (f32x4<S>, f32x4<S>) {
        let Box32 { min, max } = self;
        let low = f32x4::load_array_ref(simd, &[min[0], min[1], min[2], max[0]]);
        let high = f32x4::load_array_ref(simd, &[min[2], max[0], max[1], max[2]]);
        (low, high)
    }

    /// [`Box32::overlaps`].
    #[inline(always)]
    pub(super) fn overlaps_in<S: Simd>(&self, simd: S, other: &Box32) -> bool {
        let (min, max) = self.halves(simd);
        let (other_min, other_max) = other.halves(simd);
        let (max, other_max) = (max.slide::<1>(max), other_max.slide::<1>(other_max));
        let met = min.simd_le(other_max) & other_min.simd_le(max);
        met.to_bitmask() & 0b111 == 0b111
    }

    /// [`Box32::contains`].
    #[inline(always)]
    pub(super) fn contains_in<S: Simd>(&self, simd: S, other: &Box32) -> bool {
        let (low, high) = self.halves(simd);
        let (other_low, other_high) = other.halves(simd);
        let above = low.simd_le(other_low).to_bitmask() & 0b0111;
        let below = other_high.simd_le(high).to_bitmask() & 0b1110;
        above | below << 4 == 0b1110_0111
    }
}

#[cfg(test)]
mod tests {
    use super::super::boxes::tests::NUMBERS;
    use super::*;
    use crate::math::Vec3;
    use fearless_simd::{Level, dispatch};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn boxes_in_lanes_are_rounded_as_one_by_one() {
        let check = |min: Vec3, max: Vec3| {
            let bounds = Aabb::new(min, max).unwrap();
            let expected = Box32::around(&bounds).unwrap();
            let found = dispatch!(Level::new(), simd => Box32::around_sound(simd, &bounds));
            let bits = |b: &Box32| [b.min, b.max].map(|corner| corner.map(f32::to_bits));
            assert_eq!(bits(&found), bits(&expected), "{bounds:?}");
        };
        for (place, min) in NUMBERS.into_iter().enumerate() {
            for max in &NUMBERS[place..] {
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
            let (overlaps, contains) = dispatch!(Level::new(), simd => {
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
