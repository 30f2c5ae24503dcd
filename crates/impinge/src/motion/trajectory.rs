//! A pose as a function of time that goes on.

use super::Motion;
use crate::error::Error;
use crate::math::{Mat3, Pose, Quat, Vec3, require_finite};

/// A rigid motion from a time on: the pivot has a velocity and an acceleration, the body an angular velocity.
///
/// It is told for a reference time `at`, and may be known to hold only until some end. One piece of a longer motion is one
/// trajectory. Where the body is at a time is `pose_at`; what is between two times is a [`Motion`].
///
/// ```
/// use impinge::{Pose, Trajectory, Vec3};
///
/// // Thrown upwards at 2 seconds, spinning about its own centre, caught a second later.
/// let thrown = Trajectory::moving(2.0, Pose::IDENTITY, Vec3::Z * 5.0)?
///     .accelerated(Vec3::Z * -10.0)?
///     .spinning(Vec3::X * 3.0, Vec3::ZERO)?
///     .until(3.0)?;
/// assert_eq!(thrown.pose_at(2.5)?.translation(), Vec3::Z * 1.25);
/// assert_eq!(thrown.velocity_at(2.5), Vec3::ZERO);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trajectory {
    at: f64,
    pose: Pose,
    velocity: Vec3,
    acceleration: Vec3,
    spin: Vec3,
    pivot: Vec3,
    until: f64,
}

impl Trajectory {
    /// A body that stays where it is, for ever.
    pub fn still(pose: Pose) -> Trajectory {
        Trajectory {
            at: 0.0,
            pose,
            velocity: Vec3::ZERO,
            acceleration: Vec3::ZERO,
            spin: Vec3::ZERO,
            pivot: Vec3::ZERO,
            until: f64::INFINITY,
        }
    }

    /// A body that is at a pose at time `at`, and moves steadily.
    pub fn moving(at: f64, pose: Pose, velocity: Vec3) -> Result<Trajectory, Error> {
        require_finite(Vec3::splat(at), || {
            "reference time of a trajectory".to_owned()
        })?;
        require_finite(velocity, || "velocity of a trajectory".to_owned())?;
        Ok(Trajectory {
            at,
            velocity,
            ..Trajectory::still(pose)
        })
    }

    /// The same with a steady acceleration; its velocity is that at the reference time.
    pub fn accelerated(self, acceleration: Vec3) -> Result<Trajectory, Error> {
        require_finite(acceleration, || "acceleration of a trajectory".to_owned())?;
        Ok(Trajectory {
            acceleration,
            ..self
        })
    }

    /// The same with a steady turn about a point of the body: the rotation vector in the world, radians in a unit of time.
    ///
    /// Velocity and acceleration are those of the pivot.
    pub fn spinning(self, spin: Vec3, pivot: Vec3) -> Result<Trajectory, Error> {
        require_finite(spin, || "angular velocity of a trajectory".to_owned())?;
        require_finite(pivot, || "pivot of a trajectory".to_owned())?;
        Ok(Trajectory {
            spin,
            pivot,
            ..self
        })
    }

    /// The same, known to hold only until some time.
    pub fn until(self, end: f64) -> Result<Trajectory, Error> {
        if end.is_nan() {
            return Err(Error::NonFinite {
                what: "end of a trajectory".to_owned(),
            });
        }
        Ok(Trajectory { until: end, ..self })
    }

    /// The time that pose and velocity are told for.
    pub fn at(&self) -> f64 {
        self.at
    }

    /// Until when it holds; infinite when it does for ever.
    pub fn end(&self) -> f64 {
        self.until
    }

    /// The acceleration of the pivot.
    pub fn acceleration(&self) -> Vec3 {
        self.acceleration
    }

    /// The angular velocity: a rotation vector a unit of time, in the world.
    pub fn spin(&self) -> Vec3 {
        self.spin
    }

    /// The point of the body that the turn does not move, in body coordinates.
    pub fn pivot(&self) -> Vec3 {
        self.pivot
    }

    /// Whether the body turns.
    pub fn is_turning(&self) -> bool {
        self.spin != Vec3::ZERO
    }

    /// Whether it moves at all.
    pub fn is_still(&self) -> bool {
        self.velocity == Vec3::ZERO && self.acceleration == Vec3::ZERO && !self.is_turning()
    }

    /// The velocity of the pivot at a time.
    pub fn velocity_at(&self, t: f64) -> Vec3 {
        self.velocity + self.acceleration * (t - self.at)
    }

    /// The velocity at a time of the point of the body that is at a place then.
    pub fn velocity_of(&self, place: Vec3, t: f64) -> Vec3 {
        let velocity = self.velocity_at(t);
        if !self.is_turning() {
            return velocity;
        }
        velocity + self.spin.cross(place - self.pivot_at(t))
    }

    /// Where the pivot is at a time, rounded.
    pub fn pivot_at(&self, t: f64) -> Vec3 {
        self.pose.place(self.pivot) + self.way(t - self.at)
    }

    /// The pose at a time, rounded. At the reference time, and without a turn, it keeps the matrix exactly.
    ///
    /// # Errors
    ///
    /// For a time that is not finite, and for a place beyond the range of `f64`.
    pub fn pose_at(&self, t: f64) -> Result<Pose, Error> {
        require_finite(Vec3::splat(t), || "time".to_owned())?;
        let s = t - self.at;
        if !self.is_turning() || s == 0.0 {
            return Pose::from_matrix(*self.pose.matrix(), self.pose.translation() + self.way(s));
        }
        let turned = Mat3::from_quat(Quat::from_scaled_axis(self.spin * s)) * *self.pose.matrix();
        Pose::from_matrix(turned, self.pivot_at(t) - turned * self.pivot)
    }

    /// What is between two times, as a motion over `[0, 1]`. Numbers are rounded; it begins at [`pose_at`](Self::pose_at).
    ///
    /// # Errors
    ///
    /// For times that are not finite, and for a motion that leaves the range of `f64`.
    pub fn between(&self, from: f64, to: f64) -> Result<Motion, Error> {
        let span = to - from;
        let start = self.pose_at(from)?;
        let translation = self.velocity_at(from) * span;
        let motion = Motion::new(start, translation, self.spin * span, self.pivot)?;
        if self.acceleration == Vec3::ZERO {
            return Ok(motion);
        }
        motion.bent(self.acceleration * (0.5 * span) * span)
    }

    /// No point of the body within `reach` of the pivot is faster than this between two times.
    pub fn speed_bound(&self, reach: f64, from: f64, to: f64) -> f64 {
        let ends = [from, to].map(|t| self.velocity_at(t).length());
        let stretched = reach * (1.0 + 1.5 * self.pose.deviation());
        (ends[0].max(ends[1]) + self.spin.length() * stretched) * (1.0 + 16.0 * f64::EPSILON)
    }

    /// How far the pivot has come after a time.
    fn way(&self, s: f64) -> Vec3 {
        if self.acceleration == Vec3::ZERO {
            return self.velocity * s;
        }
        (self.velocity + self.acceleration * (0.5 * s)) * s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_same_motion() {
        let start = Pose::from_axis_angle(Vec3::X, 0.3, Vec3::new(1.0, 2.0, 3.0)).unwrap();
        let whole = Trajectory::moving(1.0, start, Vec3::new(1.0, -2.0, 0.5))
            .and_then(|t| t.accelerated(Vec3::new(0.5, 1.0, -3.0)))
            .and_then(|t| t.spinning(Vec3::new(0.2, -1.5, 0.7), Vec3::new(0.1, 0.0, -0.4)))
            .unwrap();
        let part = whole.between(1.75, 4.0).unwrap();
        let p = Vec3::new(0.4, -0.6, 0.9);
        for i in 0..=10 {
            let s = f64::from(i) / 10.0;
            let of_part = part.pose_at(s).unwrap().place(p);
            let of_whole = whole.pose_at(1.75 + 2.25 * s).unwrap().place(p);
            assert!(of_part.distance(of_whole) < 1e-13);
            let step = 1e-6;
            let later = whole.pose_at(1.75 + 2.25 * s + step).unwrap().place(p);
            let velocity = whole.velocity_of(of_whole, 1.75 + 2.25 * s);
            assert!(((later - of_whole) / step).distance(velocity) < 1e-4);
            let reach = (p - whole.pivot()).length();
            assert!(velocity.length() <= whole.speed_bound(reach, 1.75, 4.0));
        }
    }

    #[test]
    fn bad_numbers_are_refused() {
        assert!(Trajectory::moving(f64::NAN, Pose::IDENTITY, Vec3::ZERO).is_err());
        assert!(Trajectory::moving(0.0, Pose::IDENTITY, Vec3::X / 0.0).is_err());
        let still = Trajectory::still(Pose::IDENTITY);
        assert!(still.accelerated(Vec3::NAN).is_err());
        assert!(still.spinning(Vec3::NAN, Vec3::ZERO).is_err());
        assert!(still.until(f64::NAN).is_err());
        assert!(still.pose_at(f64::INFINITY).is_err());
    }
}
