//! A point or a segment against a box.
//!
//! In the frame of the box, with `x(t)` the point of the segment at `t`, the squared distance is the sum of the squares
//! of what each coordinate exceeds the half size by. It is convex in `t` and its derivative is piecewise linear, with corners
//! where a coordinate passes a face: at most six. The derivative is evaluated there, and its zero interpolated between the
//! two neighbours of opposite sign. For a point there is nothing to search: its coordinates are clamped.
//!
//! The frame is taken for a rotation. For a matrix that is none, to within the tolerance of poses, the proposal is off in
//! the second order of the deviation; it is checked like all others.

use super::gap::Proposal;
use super::segments::at;
use crate::contact::Feature;
use crate::math::{Pose, Vec3};
use crate::shape::Cuboid;

/// The closest points of a segment, which may be a point, and a box, both seen from `origin`; `None` when they meet.
pub(super) fn closest_to_box(
    [p, q]: [Vec3; 2],
    cuboid: &Cuboid,
    pose: &Pose,
    origin: Vec3,
) -> Option<Proposal> {
    let half = cuboid.half_size();
    let center = pose.translation() - origin;
    let (start, end) = (pose.unrotate(p - center), pose.unrotate(q - center));
    let t = if p == q {
        0.0
    } else {
        nearest_parameter(start, end - start, half)
    };
    let local = at(start, end, t);
    let clamped = local.clamp(-half, half);
    if clamped == local {
        return None;
    }
    Some(Proposal {
        a: at(p, q, t),
        b: center + pose.rotate(clamped),
        features: [Feature::Surface, part_at(clamped, half)],
    })
}

/// Half the derivative of the squared distance at a point that moves along `d`.
fn slope(x: Vec3, d: Vec3, half: Vec3) -> f64 {
    (x - x.clamp(-half, half)).dot(d)
}

/// The parameter, from 0 to 1, at which `start + t d` is nearest to the box.
fn nearest_parameter(start: Vec3, d: Vec3, half: Vec3) -> f64 {
    let slope_at = |t: f64| slope(start + d * t, d, half);
    let (mut low, mut high) = ((0.0, slope_at(0.0)), (1.0, slope_at(1.0)));
    if low.1 >= 0.0 {
        return 0.0;
    }
    if high.1 <= 0.0 {
        return 1.0;
    }
    let crossings = [(half - start) / d, (-half - start) / d];
    for t in crossings.iter().flat_map(|c| c.to_array()) {
        // Crossings outside the interval, and those of a coordinate that does not move, are skipped.
        if t > low.0 && t < high.0 {
            let value = slope_at(t);
            if value < 0.0 {
                low = (t, value);
            } else {
                high = (t, value);
            }
        }
    }
    let share = -low.1 / (high.1 - low.1);
    low.0 + (high.0 - low.0) * share
}

/// The part of the box that holds a point of its surface.
fn part_at(p: Vec3, half: Vec3) -> Feature {
    // Two opposite corners of the part: a coordinate between the faces is free, and differs.
    let (mut first, mut second) = (0_u32, 0_u32);
    for (bit, (x, h)) in p.to_array().into_iter().zip(half.to_array()).enumerate() {
        if x >= h {
            first |= 1 << bit;
        }
        if x > -h {
            second |= 1 << bit;
        }
    }
    Cuboid::part_of(&[first, second]).unwrap_or(Feature::Inside)
}
