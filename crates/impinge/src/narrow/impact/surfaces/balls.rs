//! When may two bodies touch at all?
//!
//! However a body turns, it stays in a ball about its pivot. Where the pivots move straight, the balls are within reach of each
//! other while `|p + v t| <= r`, a quadratic inequality; a parabola is never far from its chord.

use crate::math::{Interval, Vec3};
use crate::narrow::impact::frame::{Frame, Mover};

/// The part of `[0, 1]` in which the balls about the pivots of two bodies touch, or a little more; `None` if there is none.
pub(super) fn meeting(a: &Mover<'_>, b: &Mover<'_>, frame: &Frame) -> Option<Interval> {
    let reach = a.reach(frame.factor) + b.reach(frame.factor) + frame.error;
    // A parabola is off its chord by a quarter of its bend at most.
    let chord = frame.offset_at(1.0) - frame.offset_at(0.0);
    let off = 0.125 * frame.acceleration().length();
    meeting_of_points(frame.offset_at(0.0), chord, (reach + off) * UP)
}

/// Room for the rounding of a reach.
const UP: f64 = 1.0 + 64.0 * f64::EPSILON;

/// The part of `[0, 1]` in which `p + v t` is no longer than `r`, or a little more. Numbers are at most of the order of 1.
///
/// The sums below are off by a few roundings of `size`, which is taken off or added on the safe side.
fn meeting_of_points(p: Vec3, v: Vec3, r: f64) -> Option<Interval> {
    let (square, along) = (v.length_squared(), p.dot(v));
    let size = p.length_squared() + r * r;
    let outside = p.length_squared() - r * r - 16.0 * f64::EPSILON * size;
    let whole = Interval {
        lower: 0.0,
        upper: 1.0,
    };
    let error = 16.0 * f64::EPSILON * (square * size + f64::MIN_POSITIVE);
    let discriminant = along * along - square * outside + error;
    if outside > 0.0 && (along >= 0.0 || discriminant < 0.0) {
        return None;
    }
    let root = discriminant.max(0.0).sqrt() * UP;
    let lower = (outside / (root - along)) / UP;
    let upper = ((root - along) / square) * UP;
    let during = Interval {
        lower: if outside > 0.0 && lower >= 0.0 {
            lower
        } else {
            0.0
        },
        upper: if upper < 1.0 { upper } else { 1.0 },
    };
    // What is too small to divide by says nothing.
    if square < f64::MIN_POSITIVE {
        return Some(whole);
    }
    (during.lower <= during.upper).then_some(during)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_meet_on_their_way() {
        let met = |p: Vec3, v: Vec3| meeting_of_points(p, v, 0.25);
        let through = met(Vec3::X, Vec3::X * -2.0).unwrap();
        assert!(through.lower <= 0.375 && through.lower > 0.374);
        assert!(through.upper >= 0.625 && through.upper < 0.626);
        assert_eq!(met(Vec3::X, Vec3::X), None);
        assert_eq!(met(Vec3::X, Vec3::Y), None);
        assert_eq!(met(Vec3::X, Vec3::ZERO), None);
        let inside = met(Vec3::X * 0.125, Vec3::X).unwrap();
        assert!(inside.lower == 0.0 && inside.upper >= 0.125);
        // Just grazing.
        let grazing = met(Vec3::new(1.0, 0.25, 0.0), Vec3::X * -2.0).unwrap();
        assert!(grazing.lower <= 0.5 && grazing.upper >= 0.5);
    }
}
