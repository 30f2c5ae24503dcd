//! Two bodies during a span of time, each as seen from the other.
//!
//! Let `m` be the middle of the span and `h` half its length. Seen from body `a`, in the frame of its tree, a point `q` of body
//! `b` is taken to move straight: it is at `q(m)` then and goes on with the velocity that the centre of its box has
//! then. The true point is off that path by no more than the sum of three things, in which `w` and `w'` are the angular
//! velocities of `a` and `b` in the world, `W = |w' - w|`, `D` the largest distance of the pivots during the span, `v` the
//! largest speed of one pivot against the other and `p` its acceleration, `r` the radius of the box and `s` the largest distance of a point of the box from the
//! pivot of `b`:
//!
//! 1. *Turning of the box about its centre*: `W r h`, as velocities of two points of a body at `x` from each other
//!    differ by at most `W |x|`.
//! 2. *Bending of the path*: `K h h / 2` with `K` a bound of the second derivative. Seen from `a`, the pivot of `b` is at
//!    `R^T (b - a)` with `R` the turn of `a`; the second derivative of that is at most `|w|^2 D + 2 |w| v + p`. About its pivot, `b` turns with the velocity `R^T (w' - w)`, whose length is `W` and whose
//!    derivative is at most `|w| W`: that adds `W (|w| + W) s`.
//! 3. *Rounding*: that of [`Frames`] for the poses at `m`; of these poses themselves (see `frame` of the parent); of the
//!    velocity, whose size is `V` over half the span: 32 times `2^-24 V` covers its rounding to `f32`, the product with a
//!    turned axis and the centre it is computed for. Comparing places and reaches adds a few roundings of these.
//!
//! On straight ways without turns only the third remains, and with it the span need not be short: only where `V` is so large beside the boxes
//! that `f32` does not resolve them on the way.

use crate::error::Error;
use crate::math::{Interval, Pose, Vec3};
use crate::motion::Motion;
use crate::narrow::mesh::frame::{Frame, Frames, SINGLE, Transform};
use crate::shape::Obb;

/// A moving body with a frame for its boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traveller<'a> {
    pub(super) motion: &'a Motion,
    /// The origin of the frame, in the frame of the body.
    pub(super) center: Vec3,
    /// The unit of the frame: a power of two.
    pub(super) unit: f64,
    /// How far a point may be from where it ideally is, in the world.
    pub(super) error: f64,
}

/// The bodies during some time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) time: Interval,
    middle: f64,
    half: f64,
    /// The second body seen from the first, and the first from the second.
    pub(super) from_a: View,
    pub(super) from_b: View,
    /// The unit of the second in units of the first.
    pub(super) ratio: f32,
    /// The number of the first of the two spans that this one was divided into.
    pub(super) halves: Option<u32>,
}

/// A body seen from the other, in units of that one. Velocities are per half a span.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) into: Transform,
    /// The velocity that a point of the body at the origin would have.
    velocity: [f32; 3],
    spin: [f32; 3],
    pivot: [f32; 3],
    /// Errors that do not depend on the length of the span, and those of velocities, which do.
    still_error: f32,
    moving_error: f32,
    /// `W h`, and `K h h / 2` as a linear function of `s`.
    turn: f32,
    bend: [f32; 2],
}

/// A box of a body on its way past the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingBox {
    pub(super) obb: Obb,
    pub(super) velocity: [f32; 3],
    /// What is in the box is within this of the path.
    pub(super) slack: f32,
    /// The part of that which is less for shorter spans.
    pub(super) shrinking: f32,
}

/// A share that covers the few roundings of a bound in `f32`.
const UP: f32 = 1.000_01;
/// Larger numbers are not computed with.
const LARGEST: f32 = (1_u64 << 60) as f32;

impl Span {
    /// `None` when the bodies are of extreme size, or so far from each other that `f32` does not reach.
    pub(super) fn new(
        a: &Traveller<'_>,
        b: &Traveller<'_>,
        time: Interval,
    ) -> Result<Option<Span>, Error> {
        let middle = 0.5 * (time.lower + time.upper);
        let half = (0.5 * (time.upper - time.lower)).next_up();
        let (pose_a, pose_b) = (a.motion.pose_at(middle)?, b.motion.pose_at(middle)?);
        let Some(frames) = Frames::new(&a.frame(&pose_a), &b.frame(&pose_b)) else {
            return Ok(None);
        };
        let error = a.error + b.error;
        let sight = Sight {
            middle,
            half,
            deviation: pose_a.deviation() + pose_b.deviation(),
        };
        let view_a = sight.view(a, &pose_a, b, frames.into_a);
        let view_b = sight.view(b, &pose_b, a, frames.into_b);
        if !view_a.is_ordinary() || !view_b.is_ordinary() {
            return Ok(None);
        }
        Ok(Some(Span {
            time,
            middle,
            half,
            from_a: view_a.with_errors(frames.error_a, (error / a.unit) as f32),
            from_b: view_b.with_errors(frames.error_b, (error / b.unit) as f32),
            ratio: frames.ratio,
            halves: None,
        }))
    }

    /// The time that a share of half the span, from -1 to 1, stands for; rounded down.
    pub(super) fn time_at(&self, share: f32) -> f64 {
        let time = self.middle + self.half * f64::from(share);
        (time - 4.0 * f64::EPSILON).clamp(self.time.lower, self.time.upper)
    }

    /// The two parts of the time.
    pub(super) fn divided(&self) -> [Interval; 2] {
        let Interval { lower, upper } = self.time;
        let middle = self.middle;
        [(lower, middle), (middle, upper)].map(|(lower, upper)| Interval { lower, upper })
    }

    /// Whether there are floats enough to divide it.
    pub(super) fn is_divisible(&self) -> bool {
        self.half > SHORTEST
    }
}

/// Half a span shorter than this is not divided.
const SHORTEST: f64 = 64.0 * f64::EPSILON;

impl Traveller<'_> {
    fn frame<'p>(&self, pose: &'p Pose) -> Frame<'p> {
        Frame {
            pose,
            center: self.center,
            unit: self.unit,
        }
    }
}

/// When, and how exactly, bodies are seen.
struct Sight {
    middle: f64,
    half: f64,
    deviation: f64,
}

impl Sight {
    /// The other body as seen from one, without the errors of their places.
    fn view(
        &self,
        one: &Traveller<'_>,
        pose: &Pose,
        other: &Traveller<'_>,
        into: Transform,
    ) -> View {
        let (turn, others) = (one.motion.turn(), other.motion.turn());
        // The velocities of the pivots, and how fast these come to differ.
        let speed = |motion: &Motion| motion.translation() + motion.bend() * (2.0 * self.middle);
        let (translation, other_translation) = (speed(one.motion), speed(other.motion));
        let pull = 2.0 * (other.motion.bend() - one.motion.bend()).length();
        let (pivot, other_pivot) = (
            one.motion.pivot_at(self.middle),
            other.motion.pivot_at(self.middle),
        );
        let origin = pose.place(one.center);
        let (arm, other_arm) = (origin - pivot, origin - other_pivot);
        let drift = other_translation - translation;
        let velocity = drift + others.cross(other_arm) - turn.cross(arm);
        // What rounding of that is in proportion to.
        let size = other_translation.length()
            + translation.length()
            + others.length() * other_arm.length()
            + turn.length() * arm.length();
        let seen = |v: Vec3| pose.unrotate(v) / one.unit;
        let spin = others - turn;
        let (fast, faster) = (turn.length(), spin.length());
        let fastest = drift.length() + pull * self.half;
        let far = (other_pivot - pivot).length() + fastest * self.half;
        let bend = 0.5 * self.half * self.half;
        let distance = Vec3::from(into.shift.map(f64::from)).length();
        let moved = self.half
            * (seen(velocity).length() + faster * (distance + 3.5 * f64::from(into.scale)));
        let still_error = 8.0 * SINGLE * (distance + 4.0 + 4.0 * f64::from(into.scale));
        let moving_error = (32.0 * SINGLE + 4.0 * self.deviation) * moved
            + 16.0 * f64::EPSILON * self.half * size / one.unit;
        View {
            into,
            velocity: (seen(velocity) * self.half).as_vec3().to_array(),
            spin: (pose.unrotate(spin) * self.half).as_vec3().to_array(),
            pivot: seen(other_pivot - origin).as_vec3().to_array(),
            still_error: still_error as f32,
            moving_error: moving_error as f32 * UP,
            turn: (faster * self.half) as f32 * UP,
            bend: [
                (bend * (fast * (fast * far + 2.0 * fastest) + pull) / one.unit) as f32 * UP,
                (bend * faster * (fast + faster)) as f32 * UP,
            ],
        }
    }
}

impl View {
    /// Whether products of its numbers are far from overflow.
    fn is_ordinary(&self) -> bool {
        let numbers = [self.velocity, self.spin, self.pivot];
        let errors = [self.moving_error, self.turn, self.bend[0], self.bend[1]];
        let is_ordinary = |x: f32| x.abs() < LARGEST;
        numbers.into_iter().flatten().all(is_ordinary) && errors.into_iter().all(is_ordinary)
    }

    fn with_errors(self, of_frames: f32, of_poses: f32) -> View {
        View {
            still_error: (self.still_error + of_frames + of_poses) * UP,
            ..self
        }
    }

    /// A box of the body, grown by a radius, on its way.
    #[inline(always)]
    pub(super) fn moving(&self, obb: &Obb, radius: f32) -> MovingBox {
        let obb = self.into.obb(obb);
        let [x, y, z] = obb.center;
        let [p, q, r] = self.spin;
        let [u, v, w] = self.velocity;
        let shrinking = if self.turn > 0.0 || self.bend[0] > 0.0 {
            let from_pivot = length([x - self.pivot[0], y - self.pivot[1], z - self.pivot[2]]);
            let own = length(obb.half) * UP;
            let reach = (from_pivot + own) * UP + self.still_error;
            (self.turn * own + self.bend[0] + self.bend[1] * reach + self.moving_error) * UP
        } else {
            self.moving_error
        };
        MovingBox {
            velocity: [
                u + (q * z - r * y),
                v + (r * x - p * z),
                w + (p * y - q * x),
            ],
            slack: (self.still_error + shrinking + radius) * UP,
            shrinking,
            obb,
        }
    }
}

fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}
