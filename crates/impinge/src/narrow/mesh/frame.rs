//! How two trees lie to each other.
//!
//! A tree's frame has its origin `c` and its unit `w` ([`MeshTree`](crate::shape::MeshTree)); its point `x` is the point
//! `o + w M x` of the world, with `o = M c + t`. So the point `y` of the other frame is `R y s + d` in this one, with
//! `R = M^T M'`, `s = w' / w` and `d = M^T (o' - o) / w`. Node tests compute with these numbers in `f32`.
//!
//! **Error bound.** All lengths are in units of this frame, and `u = 2^-24`. What a node test says about its boxes must hold
//! for the placed triangles. In between are:
//!
//! 1. *Storing*: a corner is within `2.2 u` of its copy in the tree, and `2.2 u s` on the other side.
//! 2. *The other box here*: `R`, `s` and `d` are rounded once and the sum `R y s + d` four times. With `|y| <= 3.5`
//!    its centre is off by at most `12 u s + 4 u |d|`. Its axes are off by `12 u`, which the slack of boxes covers.
//! 3. *The test itself*: a difference of centres and a product with an axis, `6 u (|d| + 2 + 2 s)`; what is proportional to the
//!    boxes is covered by their slack.
//! 4. *Placing*: placed vertices and `o' - o` are rounded in doubles, a few times `2^-53` of the largest number involved.
//! 5. *Poses that are not quite rotations*: with deviations `e` and `e'`, `M^T M` is within `3 e` of the identity, so
//!    points are off by `3 (e + e') (|d| + 2 + 2 s)`, and lengths by that share.
//!
//! [`Frames::error_a`] is more than the sum, by a third or more. A gap larger than it is a gap of the placed triangles.
//!
//! **Sizes.** The normal of a triangle is a product of two edges, and is multiplied with corners. Where `b` is larger than `a` by a factor of some
//! 10^11 that would overflow in the frame of `a`, and there are no frames.

use crate::math::{Pose, Vec3};
use crate::shape::Obb;

/// A frame in which boxes are given: that of a tree, or that of a convex shape.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Frame<'a> {
    pub(in crate::narrow) pose: &'a Pose,
    /// Its origin in the frame of the body.
    pub(in crate::narrow) center: Vec3,
    /// Its unit of length: a power of two.
    pub(in crate::narrow) unit: f64,
}

impl Frame<'_> {
    fn origin(&self) -> Vec3 {
        self.pose.place(self.center)
    }
}

/// From one frame into another: `x` to `scale * rotation * x + shift`.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Transform {
    /// By columns.
    pub(in crate::narrow) rotation: [[f32; 3]; 3],
    pub(in crate::narrow) shift: [f32; 3],
    pub(in crate::narrow) scale: f32,
}

impl Transform {
    #[inline(always)]
    fn turn(&self, v: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = &self.rotation;
        let mut turned = [0.0; 3];
        for k in 0..3 {
            turned[k] = x[k] * v[0] + y[k] * v[1] + z[k] * v[2];
        }
        turned
    }

    /// A box in the other frame.
    #[inline(always)]
    pub(in crate::narrow) fn obb(&self, obb: &Obb) -> Obb {
        let [x, y, z] = self.turn(obb.center);
        let [dx, dy, dz] = self.shift;
        let scale = self.scale;
        Obb {
            center: [x * scale + dx, y * scale + dy, z * scale + dz],
            axes: [
                self.turn(obb.axes[0]),
                self.turn(obb.axes[1]),
                self.turn(obb.axes[2]),
            ],
            half: [
                obb.half[0] * scale,
                obb.half[1] * scale,
                obb.half[2] * scale,
            ],
        }
    }
}

/// Two frames.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Frames {
    /// From the frame of `b` into that of `a`.
    pub(in crate::narrow) into_a: Transform,
    /// From the frame of `a` into that of `b`.
    pub(in crate::narrow) into_b: Transform,
    /// See the module; in units of `a`.
    pub(in crate::narrow) error_a: f32,
    /// The same in units of `b`.
    pub(in crate::narrow) error_b: f32,
    /// The unit of `b` in units of `a`.
    pub(in crate::narrow) ratio: f32,
    /// The length in the world that one unit of `a` stands for at least.
    length: f64,
    /// The same at most.
    length_above: f64,
}

/// Shares and distances beyond this are not computed with: squares must neither overflow nor vanish in `f32`.
const LARGEST: f64 = f64::from_bits((1023 + 50) << 52);
/// Nor are products of a normal and a corner beyond this: one that overflows may make others that are no numbers, and a comparison with
/// such a one leaves out triangles that meet.
const LARGEST_PRODUCT: f64 = f64::from_bits((1023 + 120) << 52);
/// The sizes in the world between which products of four lengths are ordinary doubles.
const WORLD_SIZES: std::ops::Range<f64> =
    f64::from_bits((1023 - 240) << 52)..f64::from_bits((1023 + 240) << 52);

impl Frames {
    /// `None` when sizes are so extreme, or so different, that `f32` does not reach.
    pub(in crate::narrow) fn new(a: &Frame<'_>, b: &Frame<'_>) -> Option<Frames> {
        let (origin_a, origin_b) = (a.origin(), b.origin());
        let offset = origin_b - origin_a;
        let rotation = a.pose.matrix().transpose() * *b.pose.matrix();
        let (into_a, into_b) = (
            a.pose.unrotate(offset) / a.unit,
            b.pose.unrotate(-offset) / b.unit,
        );
        let ratio = b.unit / a.unit;
        let world = [a, b].map(|frame| {
            let reach = frame.center.abs() + frame.pose.translation().abs();
            reach.element_sum() + frame.unit
        });
        let world = world[0] + world[1];
        let is_ordinary = WORLD_SIZES.contains(&world)
            && (1.0 / LARGEST..LARGEST).contains(&ratio)
            && into_a.abs().max_element() < LARGEST
            && into_b.abs().max_element() < LARGEST;
        let deviation = a.pose.deviation() + b.pose.deviation();
        let distance = into_a.length();
        // Where the corners of `b` are in the frame of `a` at most, and how long its edges are, by rounding, too.
        let reach = distance + 4.0 + 4.0 * ratio;
        let edge = 4.0 * ratio + 4.0 * SINGLE * reach;
        let is_ordinary = is_ordinary && 16.0 * reach * edge * edge < LARGEST_PRODUCT;
        let error = SINGLE * (12.0 * distance + 32.0 * (1.0 + ratio))
            + 4.0 * deviation * (distance + 2.0 + 2.0 * ratio)
            + 32.0 * f64::EPSILON * world / a.unit;
        // A mesh may be so small, and so far away, that where it is says nothing in its own units.
        if !is_ordinary || error.max(error / ratio) >= LARGEST {
            return None;
        }
        let error_a = error as f32 * 1.000_001;
        Some(Frames {
            into_a: Transform {
                rotation: rotation.to_cols_array_2d().map(|c| c.map(|x| x as f32)),
                shift: into_a.as_vec3().to_array(),
                scale: ratio as f32,
            },
            into_b: Transform {
                rotation: rotation
                    .transpose()
                    .to_cols_array_2d()
                    .map(|c| c.map(|x| x as f32)),
                shift: into_b.as_vec3().to_array(),
                scale: (1.0 / ratio) as f32,
            },
            error_a,
            error_b: error_a * (1.0 / ratio) as f32,
            ratio: ratio as f32,
            length: a.unit * (1.0 - 4.0 * deviation - 8.0 * f64::EPSILON),
            length_above: a.unit * (1.0 + 4.0 * deviation + 8.0 * f64::EPSILON),
        })
    }

    /// A number of units of `a` that stand for the distance in the world, or more.
    #[inline(always)]
    pub(in crate::narrow) fn units_above(&self, distance: f64) -> f32 {
        ((distance / self.length) as f32).next_up()
    }

    /// A distance in the world that units of `a` stand for, or less.
    pub(super) fn world_below(&self, units: f64) -> f64 {
        (units * self.length).next_down()
    }

    /// A distance in the world that units of `a` stand for, or more.
    pub(super) fn world_above(&self, units: f64) -> f64 {
        (units * self.length_above).next_up()
    }
}

/// Half the distance from 1 to the next `f32`.
pub(in crate::narrow) const SINGLE: f64 = 1.0 / (1_u64 << 24) as f64;
