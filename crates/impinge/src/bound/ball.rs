//! Balls about placed bodies, in single precision: what a pair of them proves before anything else of the bodies is read.
//!
//! A body is inside its outer ball and holds its inner one, both about its placed centre. So two bodies are apart when their
//! centres are farther from each other than both outer radii together, and share a point when they are nearer than both inner
//! ones. A ball fits into half a line of memory; a pose, a shape and its vertices take a dozen.
//!
//! **Rounding.** Radii are changed, the outer one up and the inner one down, by more than all that rounds on the way to them: the
//! placing of vertices and centre, which [`error`](super::tracked) bounds for a coordinate and twice that for a vector, and the centre
//! on its way to `f32`, which is off by at most `u` (half an EPSILON of `f32`) times each coordinate. A difference of
//! centres, its square and the sum of radii are each off by a few `u` of their own size; [`SURE`] is 32 of them, and [`LEAST`] is above what
//! squares lose among the subnormal numbers. A centre beyond the range of `f32` has an infinite outer radius and no inner ball,
//! which prove nothing, and neither does a square of radii that overflows; where only that of the distance does, it is the larger one.

use crate::math::{Box32, Vec3};

/// The balls of a placed body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    center: [f32; 3],
    /// The body is inside of this radius.
    outer: f32,
    /// All within this radius is in the body; negative when nothing is known to be.
    inner: f32,
}

/// What the balls of two bodies prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BallVerdict {
    /// The bodies are apart.
    pub(crate) are_apart: bool,
    /// The bodies share a point.
    pub(crate) meet: bool,
}

/// More than all relative errors of two sides of a comparison.
const SURE: f32 = 1.0 + 16.0 * f32::EPSILON;
/// More than the absolute errors of squares that underflow.
const LEAST: f32 = 16.0 * f32::MIN_POSITIVE;

impl Ball {
    /// Balls that prove nothing.
    pub(crate) const UNKNOWN: Ball = Ball {
        center: [0.0; 3],
        outer: f32::INFINITY,
        inner: -1.0,
    };

    /// The balls about a placed centre. The radii hold for it as it is in `f64`.
    #[inline(always)]
    pub(crate) fn new(center: Vec3, outer: f64, inner: f64) -> Ball {
        let [x, y, z] = [center.x as f32, center.y as f32, center.z as f32];
        let blur = (x.abs() + y.abs() + z.abs()) * (2.0 * f32::EPSILON) + f32::MIN_POSITIVE;
        Ball {
            center: [x, y, z],
            outer: outer as f32 * SURE + blur,
            // Less than it might be where it is positive, and still negative where it is negative.
            inner: (inner as f32 - blur) - (inner as f32).abs() * (16.0 * f32::EPSILON),
        }
    }

    /// A cube around the outer ball; `None` when it is not clearly within the range of `f32`.
    #[inline(always)]
    pub(crate) fn cube(&self) -> Option<Box32> {
        let [x, y, z] = self.center;
        let size = x.abs().max(y.abs()).max(z.abs()) + self.outer;
        // Two roundings, of numbers of at most this size.
        let half = self.outer + size * (2.0 * f32::EPSILON);
        // -0 + 0 is 0.
        let cube = Box32 {
            min: [x - half + 0.0, y - half + 0.0, z - half + 0.0],
            max: [x + half + 0.0, y + half + 0.0, z + half + 0.0],
        };
        (size < 0.25 * f32::MAX).then_some(cube)
    }

    /// What this ball and that of another body prove.
    #[inline(always)]
    pub(crate) fn against(&self, other: &Ball) -> BallVerdict {
        let [x, y, z] = [
            self.center[0] - other.center[0],
            self.center[1] - other.center[1],
            self.center[2] - other.center[2],
        ];
        let squared = x * x + y * y + z * z;
        let outer = self.outer + other.outer;
        let inner = self.inner + other.inner;
        BallVerdict {
            are_apart: squared > outer * outer * SURE + LEAST,
            meet: (self.inner > 0.0)
                & (other.inner > 0.0)
                & (squared * SURE + LEAST < inner * inner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The sign of the distance of two centres less a sum of radii, by whole numbers: all are multiples of the same power of two.
    fn beyond(a: [i64; 3], b: [i64; 3], radii: i64) -> std::cmp::Ordering {
        let squared = (0..3).map(|k| i128::from(a[k] - b[k]).pow(2)).sum::<i128>();
        squared.cmp(&i128::from(radii).pow(2))
    }

    #[test]
    fn verdicts_are_true_and_nearly_always_there() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for unit in [-120, -60, -20, 0, 10, 30, 60].map(|power| 2f64.powi(power)) {
            let (mut known, mut apart, mut meeting) = (0, 0, 0);
            for _ in 0..20_000 {
                let range = 1 << rng.random_range(8..40);
                let mut any = || [(); 3].map(|()| rng.random_range(-range..=range));
                let [a, b] = [any(), any()];
                let length = (0..3).map(|k| ((a[k] - b[k]) as f64).powi(2)).sum::<f64>();
                // Radii about as large as half of the distance, from far off to the same within rounding.
                let spread = 0.3_f64.powi(rng.random_range(0..40));
                let half = 0.5 * length.sqrt();
                let mut radius =
                    || (half * (1.0 + spread * rng.random_range(-1.0..1.0))) as i64 + 1;
                let [r, s] = [radius(), radius()];
                let ball = |center: [i64; 3], radius: i64| {
                    let at = Vec3::from(center.map(|x| x as f64 * unit));
                    Ball::new(at, radius as f64 * unit, radius as f64 * unit)
                };
                let verdict = ball(a, r).against(&ball(b, s));
                match beyond(a, b, r + s) {
                    std::cmp::Ordering::Less => assert!(!verdict.are_apart),
                    std::cmp::Ordering::Equal => assert!(!verdict.are_apart && !verdict.meet),
                    std::cmp::Ordering::Greater => assert!(!verdict.meet),
                }
                apart += u32::from(verdict.are_apart);
                meeting += u32::from(verdict.meet);
                known += u32::from(verdict.are_apart | verdict.meet);
            }
            // Squares of the smallest underflow, those of the largest overflow, and they prove nothing.
            if (1e-12..1e4).contains(&unit) {
                assert!(known > 8_000 && apart > 2_000 && meeting > 2_000, "{unit}");
            }
        }
    }

    #[test]
    fn centres_beyond_the_range_of_single_precision_prove_nothing() {
        let near = Ball::new(Vec3::ZERO, 1.0, 1.0);
        let far = Ball::new(Vec3::new(1e300, 0.0, 0.0), 1.0, 1.0);
        for (a, b) in [(near, far), (far, near), (far, far)] {
            let verdict = a.against(&b);
            assert!(!verdict.are_apart && !verdict.meet);
        }
        assert_eq!(far.cube(), None);
        // The blur of the first is small, that of the second has a square beyond the range.
        for (x, is_known) in [(1e15, true), (1e30, false)] {
            let away = Ball::new(Vec3::new(x, 0.0, 0.0), 1.0, 1.0);
            assert_eq!(near.against(&away).are_apart, is_known);
        }
        // Only the square of the distance is beyond the range.
        let [left, right] = [-1e19, 1e19].map(|x| Ball::new(Vec3::new(x, 0.0, 0.0), 1e3, 1e3));
        assert!(left.against(&right).are_apart && !left.against(&right).meet);
        let everything = Ball::new(Vec3::ZERO, f64::INFINITY, -1.0);
        assert!(!near.against(&everything).are_apart && everything.cube().is_none());
        assert!(!near.against(&Ball::UNKNOWN).are_apart);
    }

    #[test]
    fn cubes_hold_the_balls() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        for _ in 0..10_000 {
            let size = 10f64.powi(rng.random_range(-30..30));
            let mut any = || rng.random_range(-1.0..1.0) * size;
            let center = Vec3::new(any(), any(), any());
            let radius = any().abs() * 1e-3;
            let Box32 { min, max } = Ball::new(center, radius, -1.0).cube().unwrap();
            for axis in 0..3 {
                assert!(f64::from(min[axis]) <= center[axis] - radius);
                assert!(f64::from(max[axis]) >= center[axis] + radius);
            }
        }
    }
}
