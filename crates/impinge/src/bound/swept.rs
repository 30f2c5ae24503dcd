//! Boxes for more than one moment.
//!
//! - [`swept_box`] holds a body during a whole [`Motion`] (Mirtich's swept boxes, as Larsen tells of them).
//! - [`grown_with_velocity`] adds room that depends on the velocity, so that pairs are looked at before they meet (Cohen, Lin,
//!   Manocha and Ponamgi, I-COLLIDE, 1995, section 6.3).

use super::extent::length;
use super::tracked::error;
use super::{BoxKind, Extent, TrackedBox};
use crate::error::Error;
use crate::math::{Aabb, Vec3};
use crate::motion::Motion;
use crate::shape::Shape;

/// A box that holds a shape at all times of a motion. Fails for a motion that leaves the range of `f64`.
///
/// Without a turn it is the hull of the boxes at the two ends, and at the top of a bent way, the tightest there is. A point at
/// distance `r` from the pivot that turns by an angle `a` is never farther than `r a^2 / 8` from the straight line between
/// its ends (the error of linear interpolation), so small turns grow that hull by little; for large ones the way of a ball about
/// the pivot is the better box, and the two are intersected.
///
/// ```
/// # use impinge::{Motion, Pose, Shape, Vec3, bound::swept_box};
/// let ball = Shape::sphere(0.5)?;
/// let flight = Motion::new(Pose::IDENTITY, Vec3::X * 4.0, Vec3::ZERO, Vec3::ZERO)?;
/// let swept = swept_box(&ball, &flight)?;
/// assert!((swept.min().x + 0.5).abs() < 1e-12 && (swept.max().x - 4.5).abs() < 1e-12);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn swept_box(shape: &Shape, motion: &Motion) -> Result<Aabb, Error> {
    let (start, end) = (motion.pose_at(0.0)?, motion.pose_at(1.0)?);
    let mut tracked = TrackedBox::new(shape, BoxKind::Dynamic);
    let ends = [start, end].map(|pose| tracked.at(shape, &pose));
    let ends = reaching_out(ends, motion.bend())?;
    let Some(extent) = Extent::of(shape) else {
        return Ok(ends);
    };
    let from_pivot = extent.radius + length(extent.center - motion.pivot());
    let radius = from_pivot * (1.0 + 2.0 * start.deviation() + 8.0 * f64::EPSILON);
    let angle = motion.turn().length();
    // The poses at the ends are rounded: their matrices by less than 20 + 4 times the angle, and a little more.
    let blur = (2.0 + 0.25 * angle) * (error(extent.reach + radius, &start) + error(0.0, &end));
    let bent = radius * angle * angle / 8.0 + blur;
    let along_chord = ends.grown(bent);
    let [first, last] = [0.0, 1.0].map(|time| motion.pivot_at(time));
    let pivots = [Aabb::new(first, first)?, Aabb::new(last, last)?];
    let of_ball = reaching_out(pivots, motion.bend())?.grown(radius + blur);
    let min = along_chord.min().max(of_ball.min());
    let max = along_chord.max().min(of_ball.max());
    Aabb::new(min, max)
}

/// A box around one that becomes another, evenly but for a bend: at time `t`, its sides are at `t` between those of the two, less
/// `b t (1 - t)`. How far they reach beyond both is told for each side by itself, as the sides of a body that turns do not go the
/// same way.
fn reaching_out([first, last]: [Aabb; 2], bend: Vec3) -> Result<Aabb, Error> {
    let (mut below, mut above) = (Vec3::ZERO, Vec3::ZERO);
    let (lower, upper) = (last.min() - first.min(), last.max() - first.max());
    for axis in 0..3 {
        let pull = bend[axis];
        [below[axis], _] = overshoot(lower[axis] - pull, pull);
        [_, above[axis]] = overshoot(upper[axis] - pull, pull);
    }
    let ends = first.merge(&last);
    Aabb::new(ends.min() - below, ends.max() + above)
}

/// How far `v t + a t^2` goes below and above its values at 0 and 1 between them, or a little more.
fn overshoot(v: f64, a: f64) -> [f64; 2] {
    let top = -0.5 * v / a;
    if !(top > 0.0 && top < 1.0) {
        return [0.0; 2];
    }
    let room = 8.0 * f64::EPSILON * (v.abs() + a.abs());
    let (value, end) = (0.5 * v * top, v + a);
    [
        (end.min(0.0) - value + room).max(0.0),
        (value - end.max(0.0) + room).max(0.0),
    ]
}

/// A box with room for a move by `velocity` in either direction, on each axis, times `time`: what moves no faster stays
/// inside that long.
pub fn grown_with_velocity(bounds: &Aabb, velocity: Vec3, time: f64) -> Result<Aabb, Error> {
    let room = velocity.abs() * time.abs() * (1.0 + 2.0 * f64::EPSILON);
    let outward = |v: Vec3, f: fn(f64) -> f64| Vec3::new(f(v.x), f(v.y), f(v.z));
    Aabb::new(
        outward(bounds.min() - room, f64::next_down),
        outward(bounds.max() + room, f64::next_up),
    )
}
