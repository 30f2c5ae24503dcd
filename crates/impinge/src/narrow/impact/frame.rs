//! The common frame of two moving bodies: units near the size of the problem, and the error of working in it.
//!
//! Lengths are multiplied by a power of two that brings the largest of them near one, so that no square over- or
//! underflows whatever the exponents of the coordinates are. Positions are seen from the pivot of the first body.

use super::side::{Side, stretch};
use super::skeleton::Skeleton;
use crate::error::Error;
use crate::math::Vec3;
use crate::motion::Motion;

/// What both kinds of pairs know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// World lengths times this are lengths here: a power of two.
    pub(super) factor: f64,
    /// From the pivot of the first body to that of the second, at the start.
    offset: Vec3,
    /// How fast that changes at the start.
    velocity: Vec3,
    /// Half of the acceleration.
    bend: Vec3,
    /// Gaps that are computed here are this much below the true ones at least, and at most three times as much.
    pub(super) error: f64,
}

/// Coordinates beyond this are refused: sums of a few of them would not be finite.
const LARGEST: f64 = 1e305;
/// Turns beyond this are refused: their angle modulo a full turn has no digits that mean anything.
const LARGEST_TURN: f64 = 1e12;

/// The error of a placed point, as a share of the sizes that make it up, in units of `EPSILON`. A pose without a turn has
/// two roundings a coordinate, two more when its way is bent, and placing a vertex five, a support point and its product with a direction less than
/// five more. A turn has an error of less than 20 in its matrix, which the product with the matrix of the start, placing
/// and the pivot bring to less than 40; its angle is known to 4 units for each radian.
const ERROR_STRAIGHT: f64 = 16.0;
const ERROR_BENT: f64 = 32.0;
const ERROR_TURNED: f64 = 64.0;
const ERROR_OF_ANGLE: f64 = 8.0;

/// How many errors apart bodies can be and still count as touching: one is taken off a gap when it is computed, one may
/// have been lost by rounding, and the search for the closest points is content within one.
pub(super) const TOUCHING_ERRORS: f64 = 4.0;

/// A body as it comes in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) skeleton: Skeleton<'a>,
    pub(super) motion: &'a Motion,
    /// What is to be added to the size of the skeleton: its radius, or the offset of a plane.
    pub(super) extra: f64,
}

impl Frame {
    /// The frame of two bodies, and the bodies in it. Fails when their coordinates or turns are too large.
    pub(super) fn around<'a>(
        a: &Mover<'a>,
        b: &Mover<'a>,
    ) -> Result<(Frame, Side<'a>, Side<'a>), Error> {
        let factor = inverse_power_of_two(a.size()?.max(b.size()?));
        let frame = Frame {
            factor,
            offset: (b.motion.pivot_at(0.0) * factor) - (a.motion.pivot_at(0.0) * factor),
            velocity: (b.motion.translation() * factor) - (a.motion.translation() * factor),
            bend: (b.motion.bend() * factor) - (a.motion.bend() * factor),
            error: a.error(factor) + b.error(factor),
        };
        let [side_a, side_b] = [a, b].map(|m| Side::new(m.skeleton, m.motion, factor));
        Ok((frame, side_a, side_b))
    }

    /// From the pivot of the first body to that of the second.
    pub(super) fn offset_at(&self, t: f64) -> Vec3 {
        self.offset + (self.velocity + self.bend * t) * t
    }

    /// How fast the pivots move against each other at most: the velocity is linear, its length greatest at an end.
    pub(super) fn top_speed(&self) -> f64 {
        let at_end = self.velocity + self.bend * 2.0;
        self.velocity.length().max(at_end.length())
    }

    /// The acceleration of the pivots against each other.
    pub(super) fn acceleration(&self) -> Vec3 {
        self.bend * 2.0
    }

    /// How far the pivots are from each other at most: a parabola stays in the triangle of its control points.
    pub(super) fn farthest_offset(&self) -> f64 {
        let control = self.offset + self.velocity * 0.5;
        let ends = self.offset.length().max(self.offset_at(1.0).length());
        ends.max(control.length())
    }
}

impl Mover<'_> {
    /// A bound of the coordinates of the body on its way, unless they are too large.
    fn size(&self) -> Result<f64, Error> {
        let motion = self.motion;
        require_at_most("turn", motion.turn().abs().max_element(), LARGEST_TURN)?;
        let largest = |v: Vec3| v.abs().max_element();
        let body = self.skeleton.largest(stretch(motion), |p| 2.0 * largest(p));
        let way = largest(motion.translation()) + 2.0 * largest(motion.bend());
        let path = largest(motion.start().translation()) + way;
        let size = 2.0 * (body + path + 2.0 * largest(motion.pivot()) + self.extra);
        require_at_most("size of the coordinates on the way", size, LARGEST)?;
        Ok(size)
    }

    /// How far the body reaches from its pivot, in the frame.
    pub(super) fn reach(&self, factor: f64) -> f64 {
        let motion = self.motion;
        let stretch = stretch(motion);
        let from_pivot = |p: Vec3| ((p - motion.pivot()) * factor).length();
        (self.skeleton.largest(factor, from_pivot) + self.extra * factor) * stretch
    }

    /// How far a point may be from where it ideally is, in the frame.
    pub(super) fn error(&self, factor: f64) -> f64 {
        let motion = self.motion;
        let length = |v: Vec3| (v * factor).length();
        let own = self.skeleton.largest(stretch(motion) * factor, length);
        let reach = own + length(motion.pivot());
        let way = length(motion.translation()) + 2.0 * length(motion.bend());
        let path = length(motion.start().translation()) + way;
        let size = reach + length(motion.pivot()) + path + self.extra * factor;
        let units = if motion.is_turning() {
            ERROR_TURNED * size + ERROR_OF_ANGLE * motion.turn().length() * reach
        } else if motion.bend() != Vec3::ZERO {
            ERROR_BENT * size
        } else {
            ERROR_STRAIGHT * size
        };
        // Whatever underflowed is far below the last term.
        units * f64::EPSILON + f64::MIN_POSITIVE
    }
}

fn require_at_most(what: &str, value: f64, limit: f64) -> Result<(), Error> {
    if value <= limit {
        return Ok(());
    }
    Err(Error::OutOfRange {
        what: format!("{what} of a motion"),
        value,
        expected: if limit == LARGEST {
            "at most 1e305"
        } else {
            "at most 1e12"
        },
    })
}

/// The power of two that brings a size to between 1 and 2, as far as powers up to 2^1000 reach; 1 for 0.
fn inverse_power_of_two(size: f64) -> f64 {
    if size <= 0.0 {
        return 1.0;
    }
    let exponent = (size.to_bits() >> 52) as i64 - 1023;
    f64::from_bits(((1023 - exponent.clamp(-1000, 1000)) as u64) << 52)
}
