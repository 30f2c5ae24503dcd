//! A pose as a function of time.
//!
//! A [`Motion`] covers `t` in `[0, 1]`: a chosen point of the body, the pivot, moves in a straight line or on a parabola while
//! the body turns about it at constant angular velocity. Every such motion has a speed bound, which is what conservative
//! advancement and swept boxes live on.
//!
//! A [`Trajectory`] is the same in time that goes on: velocities and accelerations in place of distances, from a time on
//! and until some end. Any part of it is a `Motion`. Motions that are made of several pieces are trajectories one after
//! the other.

mod trajectory;

pub use trajectory::Trajectory;

use crate::error::Error;
use crate::math::{Mat3, Pose, Quat, Vec3, require_finite};

/// A rigid motion over `t` in `[0, 1]`: the pivot moves straight or on a parabola, the body turns steadily about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    start: Pose,
    translation: Vec3,
    bend: Vec3,
    turn: Vec3,
    pivot: Vec3,
}

impl Motion {
    /// From `start`, moving by `translation` and turning by the rotation vector `turn` (world frame, radians, more than
    /// half a turn allowed) about the body's point `pivot`.
    pub fn new(start: Pose, translation: Vec3, turn: Vec3, pivot: Vec3) -> Result<Motion, Error> {
        require_finite(translation, || "translation of the motion".to_owned())?;
        require_finite(turn, || "rotation vector of the motion".to_owned())?;
        require_finite(pivot, || "pivot of the motion".to_owned())?;
        Ok(Motion {
            start,
            translation,
            bend: Vec3::ZERO,
            turn,
            pivot,
        })
    }

    /// The same with the pivot on a parabola: `bend * t * t` is added to where it is at time `t`, so that `bend` is half of its
    /// acceleration.
    ///
    /// ```
    /// # use impinge::{Motion, Pose, Vec3};
    /// let up = Motion::new(Pose::IDENTITY, Vec3::Z * 4.0, Vec3::ZERO, Vec3::ZERO)?;
    /// let thrown = up.bent(Vec3::Z * -4.0)?;
    /// assert_eq!(thrown.pivot_at(0.5), Vec3::Z);
    /// assert_eq!(thrown.pivot_at(1.0), Vec3::ZERO);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn bent(self, bend: Vec3) -> Result<Motion, Error> {
        require_finite(bend, || "bend of the motion".to_owned())?;
        Ok(Motion { bend, ..self })
    }

    /// No motion.
    pub fn still(pose: Pose) -> Motion {
        Motion {
            start: pose,
            translation: Vec3::ZERO,
            bend: Vec3::ZERO,
            turn: Vec3::ZERO,
            pivot: Vec3::ZERO,
        }
    }

    /// From `start` to `end` by the shorter turn, the body's origin moving straight.
    pub fn between(start: Pose, end: Pose) -> Result<Motion, Error> {
        let mut turn = end.rotation() * start.rotation().conjugate();
        if turn.w < 0.0 {
            turn = -turn;
        }
        Motion::new(
            start,
            end.translation() - start.translation(),
            turn.to_scaled_axis(),
            Vec3::ZERO,
        )
    }

    /// The pose at the start.
    pub fn start(&self) -> &Pose {
        &self.start
    }

    /// How far the pivot moves, apart from its bend: its velocity at the start.
    pub fn translation(&self) -> Vec3 {
        self.translation
    }

    /// What is added to the place of the pivot at the end, growing with the square of time: half of its acceleration.
    pub fn bend(&self) -> Vec3 {
        self.bend
    }

    /// The rotation vector of the whole turn.
    pub fn turn(&self) -> Vec3 {
        self.turn
    }

    /// The point of the body that the turn does not move, in body coordinates.
    pub fn pivot(&self) -> Vec3 {
        self.pivot
    }

    /// The pose at time `t`, rounded. At `t = 0` and without a turn it keeps the matrix of the start exactly.
    pub fn pose_at(&self, t: f64) -> Result<Pose, Error> {
        require_finite(Vec3::splat(t), || "time".to_owned())?;
        if !self.is_turning() || t == 0.0 {
            return Pose::from_matrix(*self.start.matrix(), self.start.translation() + self.way(t));
        }
        let turned = self.turned_by(t) * *self.start.matrix();
        Pose::from_matrix(turned, self.pivot_at(t) - turned * self.pivot)
    }

    /// Whether the body turns at all.
    pub fn is_turning(&self) -> bool {
        self.turn != Vec3::ZERO
    }

    /// Where the pivot is at time `t`, in the world, rounded.
    pub fn pivot_at(&self, t: f64) -> Vec3 {
        self.start.place(self.pivot) + self.way(t)
    }

    /// How far the pivot has come at time `t`.
    fn way(&self, t: f64) -> Vec3 {
        if self.bend == Vec3::ZERO {
            return self.translation * t;
        }
        (self.translation + self.bend * t) * t
    }

    /// The rotation from the start to time `t`, rounded: each column is off by less than 20 + 4 |turn| `EPSILON`.
    pub(crate) fn turned_by(&self, t: f64) -> Mat3 {
        Mat3::from_quat(Quat::from_scaled_axis(self.turn * t))
    }

    /// No point of the body within `reach` of the pivot moves farther than this bound times the time passed.
    ///
    /// The pivot contributes its speed, which is greatest at one of the ends, the turn at most its angle times the reach.
    pub fn speed_bound(&self, reach: f64) -> f64 {
        // A start matrix off by its deviation stretches lengths by at most that share.
        let stretched = reach * (1.0 + self.start.deviation());
        let at_end = self.translation + self.bend * 2.0;
        let pivot = self.translation.length().max(at_end.length());
        (pivot + self.turn.length() * stretched) * (1.0 + 16.0 * f64::EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn ends_are_met_and_pivot_moves_straight() {
        let start = Pose::from_axis_angle(Vec3::X, 0.3, Vec3::new(1.0, 2.0, 3.0)).unwrap();
        let end = Pose::from_axis_angle(Vec3::new(1.0, 1.0, 0.0), 2.0, Vec3::new(-1.0, 0.0, 5.0))
            .unwrap();
        let motion = Motion::between(start, end).unwrap();
        let p = Vec3::new(0.4, -0.6, 0.9);
        assert!(
            motion
                .pose_at(0.0)
                .unwrap()
                .place(p)
                .distance(start.place(p))
                < 1e-14
        );
        assert!(motion.pose_at(1.0).unwrap().place(p).distance(end.place(p)) < 1e-14);

        let pivot = Vec3::new(0.0, 2.0, 0.0);
        let spin = Motion::new(start, Vec3::X, Vec3::Z * 3.0 * PI, pivot).unwrap();
        let halfway = spin.pose_at(0.5).unwrap().place(pivot);
        assert!(halfway.distance(start.place(pivot) + Vec3::X * 0.5) < 1e-14);
    }

    #[test]
    fn nothing_outruns_the_speed_bound() {
        let motion = Motion::new(
            Pose::IDENTITY,
            Vec3::new(1.0, -2.0, 0.5),
            Vec3::new(3.0, 1.0, 2.0),
            Vec3::Y,
        )
        .and_then(|motion| motion.bent(Vec3::new(-2.0, 1.0, 0.5)))
        .unwrap();
        let bound = motion.speed_bound(2.0);
        let p = Vec3::Y + Vec3::new(2.0, 0.0, 0.0);
        let steps = 100;
        for i in 0..steps {
            let (t0, t1) = (f64::from(i) / 100.0, f64::from(i + 1) / 100.0);
            let moved = motion
                .pose_at(t0)
                .unwrap()
                .place(p)
                .distance(motion.pose_at(t1).unwrap().place(p));
            assert!(moved <= bound * (t1 - t0) + 1e-13);
        }
    }
}
