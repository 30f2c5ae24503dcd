//! Balls about placed bodies, in single precision: what a pair of them proves before anything else of the bodies is read.
//!
//! A body is inside its outer ball and holds its inner one, both about its placed centre. So two bodies are apart when their
//! centres are farther from each other than both outer radii together, and share a point when they are nearer than both inner
//! ones. The balls of a body and how it is turned fit into a line of memory ([`Stance`]); its pose, its shape and its vertices take
//! a dozen.
//!
//! In every frame balls are placed for all bodies that move, so what they are placed from is small, too ([`OwnBall`]): half of a line.
//!
//! **Rounding.** Radii are changed, the outer one up and the inner one down, by more than all that rounds on the way to them. In the
//! frame of the body: a rotation stretches by at most 1.5 times its deviation, which has a bound; and the centre is rounded to `f32`,
//! which moves it by at most `u` (half an EPSILON of `f32`) times each coordinate. Placing vertices and centre is off by
//! [`error`](super::tracked) for a coordinate and twice that for a vector: 16 EPSILON of `f64` of the reach and of the translation,
//! which is no longer than the placed centre and twice the reach. The part of the reach is known beforehand ([`PLACING`]). That
//! of the placed centre goes with rounding it to `f32`, which takes another `u` of each coordinate where the blur has four of them.
//! A difference of centres, its square and the sum of radii are each off by a few `u` of their own size; [`SURE`] is 32 of them, and
//! [`LEAST`] is above what squares lose among the subnormal numbers. A centre beyond the range of `f32` has an infinite outer radius and
//! no inner ball, which prove nothing, and neither does a square of radii that overflows; where only that of the distance does, it
//! is the larger one.

use crate::math::{Box32, Pose, Vec3};
use fearless_simd::{Simd, f32x4, f64x4, prelude::*};

/// The balls of a body in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct OwnBall {
    /// Numbers of single precision, in the form in which poses are multiplied with them.
    center: [f64; 3],
    /// The radii, with all that is known beforehand of what placing them adds.
    outer: f32,
    inner: f32,
}

/// A placed body in single precision: its balls, and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub(crate) struct Stance {
    /// The rows of its matrix, rounded, and behind each the coordinate of the centre.
    rows: [[f32; 4]; 3],
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

/// For each unit of the reach of a body, more than what placing its vertices and its centre is off by, but for the part of the placed centre.
const PLACING: f64 = 128.0 * f64::EPSILON;
/// How much a rotation stretches or shrinks at most.
const STRETCH: f64 = 2.0 * Pose::ROTATION_TOLERANCE;
/// More than all relative errors of two sides of a comparison.
const SURE: f32 = 1.0 + 16.0 * f32::EPSILON;
/// More than the absolute errors of squares that underflow.
const LEAST: f32 = 16.0 * f32::MIN_POSITIVE;

impl OwnBall {
    /// The balls about the centre of a body with a reach: no point of it, nor its centre, is farther from its origin.
    pub(crate) fn new(center: Vec3, [outer, inner]: [f64; 2], reach: f64) -> OwnBall {
        let near = [center.x as f32, center.y as f32, center.z as f32];
        if !near.iter().all(|x| x.is_finite()) {
            return OwnBall {
                center: [0.0; 3],
                outer: f32::INFINITY,
                inner: -1.0,
            };
        }
        let moved = center.abs().element_sum() * f64::from(f32::EPSILON);
        let blur = moved + f64::from(f32::MIN_POSITIVE) + PLACING * reach;
        let outer = outer * (1.0 + STRETCH) + blur;
        let inner = inner * (1.0 - STRETCH) - blur;
        OwnBall {
            center: near.map(f64::from),
            outer: outer as f32 * SURE,
            // Less than it might be where it is positive, and still negative where it is negative.
            inner: inner as f32 - (inner as f32).abs() * (16.0 * f32::EPSILON),
        }
    }

    /// The body at a pose.
    #[cfg(test)]
    #[inline(always)]
    pub(crate) fn at<S: Simd>(&self, simd: S, pose: &Pose) -> Stance {
        self.at_with_cube(simd, pose).0
    }

    /// The body at a pose, and [`Stance::cube`] of it, of which half is computed anyway.
    #[inline(always)]
    pub(crate) fn at_with_cube<S: Simd>(&self, simd: S, pose: &Pose) -> (Stance, (Box32, bool)) {
        // The fourth numbers are not used.
        let [a, b, c, t] = pose.columns(simd);
        let [p, q, r] = [
            f64x4::splat(simd, self.center[0]),
            f64x4::splat(simd, self.center[1]),
            f64x4::splat(simd, self.center[2]),
        ];
        // As `Pose::place` does it.
        let center = ((a * p + b * q) + c * r) + t;
        let (ab, ct) = (simd.narrow_f64x4(a, b), simd.narrow_f64x4(c, center));
        let ((a, b), (c, center)) = (simd.split_f32x8(ab), simd.split_f32x8(ct));
        let [x, y, z, _]: [f32; 4] = center.abs().into();
        let away = x + y + z;
        let blur = away * (2.0 * f32::EPSILON) + f32::MIN_POSITIVE;
        let (first, second) = (a.zip_low(c), b.zip_low(center));
        let (third, fourth) = (a.zip_high(c), b.zip_high(center));
        let outer = self.outer + blur;
        let stance = Stance {
            rows: [
                first.zip_low(second).into(),
                first.zip_high(second).into(),
                third.zip_low(fourth).into(),
            ],
            outer,
            inner: self.inner - blur,
        };
        (stance, cube_about(simd, center, away, outer))
    }
}

/// [`Stance::cube`], side by side, for a ball whose centre is so far away, as the sum of its coordinates.
#[inline(always)]
fn cube_about<S: Simd>(simd: S, center: f32x4<S>, away: f32, radius: f32) -> (Box32, bool) {
    let size = away + radius;
    let half = f32x4::splat(simd, radius + size * (2.0 * f32::EPSILON));
    let zero = f32x4::splat(simd, 0.0);
    let [min, max]: [[f32; 4]; 2] = [(center - half + zero).into(), (center + half + zero).into()];
    let cube = Box32 {
        min: [min[0], min[1], min[2]],
        max: [max[0], max[1], max[2]],
    };
    (cube, size < 0.25 * f32::MAX)
}

impl Stance {
    /// Balls that prove nothing.
    pub(crate) const UNKNOWN: Stance = Stance {
        rows: [[0.0; 4]; 3],
        outer: f32::INFINITY,
        inner: -1.0,
    };

    /// The centre: that of the body within `2 EPSILON` of each coordinate, besides what is known beforehand.
    #[inline(always)]
    pub(crate) fn center(&self) -> [f32; 3] {
        let [[.., x], [.., y], [.., z]] = self.rows;
        [x, y, z]
    }

    /// The rows of the matrix, rounded, and behind each something else.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &[[f32; 4]; 3] {
        &self.rows
    }

    /// A cube around the outer ball, and whether it is clearly within the range of `f32`; otherwise it means nothing.
    #[inline(always)]
    pub(crate) fn cube(&self) -> (Box32, bool) {
        let [x, y, z] = self.center();
        let size = x.abs() + y.abs() + z.abs() + self.outer;
        // Two roundings, of numbers of at most this size.
        let half = self.outer + size * (2.0 * f32::EPSILON);
        // -0 + 0 is 0.
        let cube = Box32 {
            min: [x - half + 0.0, y - half + 0.0, z - half + 0.0],
            max: [x + half + 0.0, y + half + 0.0, z + half + 0.0],
        };
        (cube, size < 0.25 * f32::MAX)
    }

    /// What this ball and that of another body prove.
    #[inline(always)]
    pub(crate) fn against(&self, other: &Stance) -> BallVerdict {
        let ([a, b, c], [p, q, r]) = (self.center(), other.center());
        let [x, y, z] = [a - p, b - q, c - r];
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
    use crate::lanes::in_lanes;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The balls of a body whose centre is somewhere.
    fn ball_at(center: Vec3, [outer, inner]: [f64; 2]) -> Stance {
        let pose = Pose::from_translation(center).unwrap();
        let own = OwnBall::new(Vec3::ZERO, [outer, inner], 0.0);
        in_lanes!(simd => own.at(simd, &pose))
    }

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
                    ball_at(at, [radius as f64 * unit; 2])
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
        let near = ball_at(Vec3::ZERO, [1.0; 2]);
        let far = ball_at(Vec3::new(1e300, 0.0, 0.0), [1.0; 2]);
        for (a, b) in [(near, far), (far, near), (far, far)] {
            let verdict = a.against(&b);
            assert!(!verdict.are_apart && !verdict.meet);
        }
        assert!(!far.cube().1);
        // The blur of the first is small, that of the second has a square beyond the range.
        for (x, is_known) in [(1e15, true), (1e30, false)] {
            let away = ball_at(Vec3::new(x, 0.0, 0.0), [1.0; 2]);
            assert_eq!(near.against(&away).are_apart, is_known);
        }
        // Only the square of the distance is beyond the range.
        let [left, right] = [-1e19, 1e19].map(|x| ball_at(Vec3::new(x, 0.0, 0.0), [1e3; 2]));
        assert!(left.against(&right).are_apart && !left.against(&right).meet);
        let everything = ball_at(Vec3::ZERO, [f64::INFINITY, -1.0]);
        assert!(!near.against(&everything).are_apart && !everything.cube().1);
        assert!(!near.against(&Stance::UNKNOWN).are_apart);
    }

    /// Wherever the centre of a body is in its frame, and however it is turned: its vertices are in the outer ball, and the inner one is in it.
    #[test]
    fn balls_of_turned_bodies_hold() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        for _ in 0..20_000 {
            let [near, far, away] = [(); 3].map(|()| 10f64.powi(rng.random_range(-30..30)));
            let mut any = |size: f64| {
                let lanes = [(); 3].map(|()| rng.random_range(-1.0..1.0));
                Vec3::from(lanes) * size
            };
            let (center, arm, translation) = (any(far), any(near), any(away));
            let axis = any(1.0);
            let stretched = crate::math::Mat3::from_axis_angle(axis.normalize(), axis.x * 3.0);
            // As far from a rotation as a pose may be.
            let matrix = stretched * (1.0 + axis.y * 0.99 * 0.5 * Pose::ROTATION_TOLERANCE);
            let pose = Pose::from_matrix(matrix, translation).unwrap();
            let radius = arm.length() * (1.0 + 4.0 * f64::EPSILON);
            let reach = center.length().max((center + arm).length()) * (1.0 + 4.0 * f64::EPSILON);
            let own = OwnBall::new(center, [radius, radius], reach);
            let (stance, (cube, is_in_range)) = in_lanes!(simd => own.at_with_cube(simd, &pose));
            // Both ways to a cube give the same bits.
            let bits = |cube: Box32| [cube.min, cube.max].map(|corner| corner.map(f32::to_bits));
            assert_eq!(bits(stance.cube().0), bits(cube));
            assert_eq!(stance.cube().1, is_in_range);
            let (ball, Stance { outer, inner, .. }) = (stance.center(), stance);
            // A placed vertex, and what is left of the radius when nothing is rounded but by `f64`.
            let vertex = pose.place(center + arm);
            let ball = Vec3::new(ball[0].into(), ball[1].into(), ball[2].into());
            let size = reach + translation.length();
            let rounding = 1e-14 * size;
            assert!(
                (vertex - ball).length() <= f64::from(outer) + rounding,
                "{pose:?}"
            );
            let least = radius * (1.0 - 0.5 * Pose::ROTATION_TOLERANCE);
            let moved = (pose.place(center) - ball).length();
            assert!(f64::from(inner) + moved <= least + rounding, "{pose:?}");
            // And they are not much larger, or smaller.
            assert!(f64::from(outer) <= radius * 1.00001 + 3e-6 * size + 1e-37);
            assert!(f64::from(inner) >= radius * 0.99999 - 3e-6 * size - 1e-37);
        }
    }

    #[test]
    fn cubes_hold_the_balls() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        for _ in 0..10_000 {
            let size = 10f64.powi(rng.random_range(-30..30));
            let mut any = || rng.random_range(-1.0..1.0) * size;
            let center = Vec3::new(any(), any(), any());
            let radius = any().abs() * 1e-3;
            let (Box32 { min, max }, is_in_range) = ball_at(center, [radius, -1.0]).cube();
            assert!(is_in_range);
            for axis in 0..3 {
                assert!(f64::from(min[axis]) <= center[axis] - radius);
                assert!(f64::from(max[axis]) >= center[axis] + radius);
            }
        }
    }
}
