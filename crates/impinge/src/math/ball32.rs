//! The ball in a cube, in single precision: what crowds of round bodies are compared by.
//!
//! Where boxes are cubes about balls, half of the pairs that overlap are pairs whose balls do not. A ball is four numbers, which never lie
//! on two lines of memory, and comparing two of them takes half of the instructions that comparing two boxes takes.

use super::Box32;
use fearless_simd::{Simd, f32x4, prelude::*};

/// A ball that holds the one that a box is the cube of.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(16))]
pub(crate) struct Ball32 {
    center: [f32; 3],
    radius: f32,
}

impl Ball32 {
    /// What squares are compared with; see [`Ball32::may_meet`].
    const SURE: f32 = 1.0 + 16.0 * f32::EPSILON;
    const LEAST: f32 = 16.0 * f32::MIN_POSITIVE;

    /// A ball that may meet all others.
    pub(crate) const EVERYTHING: Ball32 = Ball32 {
        center: [0.0; 3],
        radius: f32::INFINITY,
    };

    /// The ball in a box that is a cube about one.
    ///
    /// The corners of the cube are off by at most `3 EPSILON` of its largest coordinate `m` from those of one about the centre, whose edges
    /// are not shorter than the ball is wide. So in each coordinate its middle, with half an
    /// EPSILON of `m` for rounding a sum, is within `4 EPSILON m` of the centre, as a point hence within `7 EPSILON m`; and half of an edge
    /// is less than the radius by no more than `4 EPSILON m`. No coordinate is larger than the sum of those of the middle and half of
    /// an edge, but for a few EPSILON of it; 16 EPSILON of the sum pay for all. What halving takes from the smallest numbers is below the
    /// least normal one.
    #[inline(always)]
    pub(crate) fn inside(cube: &Box32) -> Ball32 {
        let Box32 { min, max } = cube;
        let [x, y, z] = [
            0.5 * min[0] + 0.5 * max[0],
            0.5 * min[1] + 0.5 * max[1],
            0.5 * min[2] + 0.5 * max[2],
        ];
        let half = 0.5 * max[0] - 0.5 * min[0];
        let size = x.abs() + y.abs() + z.abs() + half;
        Ball32 {
            center: [x, y, z],
            radius: half + (size * (16.0 * f32::EPSILON) + f32::MIN_POSITIVE),
        }
    }

    /// Whether it is one.
    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool {
        self.radius < f32::INFINITY
    }

    /// Whether two may overlap; `false` only when the balls that they hold surely do not.
    ///
    /// A difference of centres, its square and the sum of radii are each off by a few roundings of their own size; `SURE` is 32 of them, and
    /// `LEAST` is above what squares lose among the subnormal numbers. What is not a number proves nothing, nor does a square of radii that
    /// overflows; where only that of the distance does, it is the larger one.
    #[inline(always)]
    pub(crate) fn may_meet(&self, other: &Ball32) -> bool {
        let [x, y, z] = [
            self.center[0] - other.center[0],
            self.center[1] - other.center[1],
            self.center[2] - other.center[2],
        ];
        let radii = self.radius + other.radius;
        let are_apart = x * x + y * y + z * z > radii * radii * Self::SURE + Self::LEAST;
        !are_apart
    }

    /// Which of four pairs may overlap, as [`Ball32::may_meet`] says, and of which that is not known, as a sum of radii is infinite: a bit
    /// for each.
    #[inline(always)]
    pub(crate) fn may_meet_each<S: Simd>(simd: S, pairs: [[&Ball32; 2]; 4]) -> (u64, u64) {
        let [p, q, r, s] = pairs;
        let (p, q) = (Ball32::differences(simd, p), Ball32::differences(simd, q));
        let (r, s) = (Ball32::differences(simd, r), Ball32::differences(simd, s));
        // Four rows become four columns.
        let (low, other_low) = (p.zip_low(r), q.zip_low(s));
        let (high, other_high) = (p.zip_high(r), q.zip_high(s));
        let (x, y) = (low.zip_low(other_low), low.zip_high(other_low));
        let (z, radii) = (high.zip_low(other_high), high.zip_high(other_high));
        let most = radii * radii * f32x4::splat(simd, Self::SURE) + f32x4::splat(simd, Self::LEAST);
        let are_apart = (x * x + y * y + z * z).simd_gt(most).to_bitmask();
        let are_infinite = radii.simd_eq(f32x4::splat(simd, f32::INFINITY));
        (!are_apart & 0b1111, are_infinite.to_bitmask())
    }

    /// The difference of two centres, and the sum of the radii.
    #[inline(always)]
    fn differences<S: Simd>(simd: S, [one, other]: [&Ball32; 2]) -> f32x4<S> {
        // Products with these are exact, so that what is rounded is one difference or one sum, fused or not.
        let signs = f32x4::load_array_ref(simd, &[-1.0, -1.0, -1.0, 1.0]);
        other.lanes(simd).mul_add(signs, one.lanes(simd))
    }

    /// The centre and the radius.
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S) -> f32x4<S> {
        let [x, y, z] = self.center;
        f32x4::load_array_ref(simd, &[x, y, z, self.radius])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Aabb, Vec3};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Balls that touch, or are apart by much less than single precision tells, may meet; those that are apart by a little more do not.
    #[test]
    fn balls_in_cubes_are_compared_safely() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let (mut met, mut parted) = (0, 0);
        for _ in 0..20_000 {
            let size = 10f64.powi(rng.random_range(-12..12));
            let away = size * 10f64.powi(rng.random_range(-3..5));
            let mut any = |most: f64| {
                Vec3::new(
                    rng.random_range(-1.0..1.0),
                    rng.random_range(-1.0..1.0),
                    rng.random_range(-1.0..1.0),
                ) * most
            };
            let (center, towards) = (any(away), any(1.0).normalize());
            let [r, s] = [any(size).length(), any(size).length()];
            let gap = 0.1f64.powi((any(9.0).x.abs()) as i32) * any(1.0).x;
            let other = center + towards * ((r + s) * (1.0 + gap));
            let cube = |center: Vec3, radius: f64| {
                let half = Vec3::splat(radius);
                Box32::around(&Aabb::new(center - half, center + half).unwrap()).unwrap()
            };
            let [a, b] = [cube(center, r), cube(other, s)];
            let may_meet = Ball32::inside(&a).may_meet(&Ball32::inside(&b));
            // What `f64` rounds is far below what is told apart here.
            let distance = (other - center).length();
            if distance <= (r + s) * (1.0 + 1e-12) {
                assert!(may_meet, "{a:?} {b:?}");
            }
            let blur = 1e-4 * (r + s) + 2e-5 * (center.length() + other.length());
            if distance > r + s + blur {
                assert!(!may_meet, "{a:?} {b:?}");
            }
            met += usize::from(may_meet);
            parted += usize::from(!may_meet);
        }
        assert!(met > 2000 && parted > 2000, "{met} {parted}");
    }

    /// Four pairs at a time are told what one by one are told, and what they are not told is said.
    #[test]
    fn four_pairs_are_compared_as_one_is() {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let (mut met, mut unknown) = (0, 0);
        for _ in 0..20_000 {
            let size = 10f32.powi(rng.random_range(-40..38));
            let mut any = || {
                let mut coordinate = || (rng.random_range(-4i8..=4) as f32 * 0.25) * size;
                let center = [coordinate(), coordinate(), coordinate()];
                let radius = match rng.random_range(0..20) {
                    0 => f32::INFINITY,
                    1 => f32::MAX,
                    2 => 0.0,
                    _ => rng.random_range(0.0..1.0) * size,
                };
                Ball32 { center, radius }
            };
            let balls = [(); 4].map(|()| [any(), any()]);
            let pairs = balls.each_ref().map(|[a, b]| [a, b]);
            let (meet, open) = crate::lanes::in_lanes!(simd => Ball32::may_meet_each(simd, pairs));
            for (place, [a, b]) in pairs.into_iter().enumerate() {
                let is_unknown = (a.radius + b.radius).is_infinite();
                assert_eq!(open >> place & 1 == 1, is_unknown, "{a:?} {b:?}");
                assert_eq!(meet >> place & 1 == 1, a.may_meet(b), "{a:?} {b:?}");
                met += usize::from(a.may_meet(b) & !is_unknown);
                unknown += usize::from(is_unknown);
            }
            assert_eq!((meet | open) >> 4, 0);
        }
        assert!(
            met > 10_000 && met < 60_000 && unknown > 1000,
            "{met} {unknown}"
        );
    }

    #[test]
    fn everything_may_meet_everything() {
        let far = Box32::new([1e30; 3], [1.1e30; 3]).unwrap();
        for ball in [Ball32::inside(&far), Ball32::EVERYTHING, Ball32::default()] {
            assert!(ball.may_meet(&Ball32::EVERYTHING) && Ball32::EVERYTHING.may_meet(&ball));
        }
        assert!(Ball32::inside(&far).is_finite() && !Ball32::EVERYTHING.is_finite());
    }
}
