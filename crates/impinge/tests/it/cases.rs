//! Placed pairs of polytopes, random and changed, that several tests begin with.

use impinge::{Polytope, Pose, Quat, Vec3};
use impinge_scenes::points::{in_ball, on_sphere};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two placed polytopes.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) a: Polytope,
    pub(crate) pose_a: Pose,
    pub(crate) b: Polytope,
    pub(crate) pose_b: Pose,
}

impl Case {
    pub(crate) fn placed(&self) -> [Vec<Vec3>; 2] {
        [(&self.a, &self.pose_a), (&self.b, &self.pose_b)]
            .map(|(polytope, pose)| polytope.vertices().iter().map(|v| pose.place(*v)).collect())
    }

    /// Makes both polytopes larger, and puts them so far apart, in units of the new size, at random turns.
    pub(crate) fn resize(&mut self, size: f64, distance: f64, rng: &mut ChaCha8Rng) {
        self.a = scaled(&self.a, Vec3::splat(size));
        self.b = scaled(&self.b, Vec3::splat(size));
        let away = direction(rng) * size * distance;
        self.pose_a = Pose::from_quat(turn(rng), Vec3::ZERO).unwrap();
        self.pose_b = Pose::from_quat(turn(rng), away).unwrap();
    }
}

pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub(crate) fn direction(rng: &mut ChaCha8Rng) -> Vec3 {
    on_sphere(1, rng.random())[0]
}

pub(crate) fn turn(rng: &mut ChaCha8Rng) -> Quat {
    Quat::from_axis_angle(direction(rng), rng.random_range(0.0..6.3))
}

pub(crate) fn polytope(rng: &mut ChaCha8Rng) -> Polytope {
    let count = [4, 5, 8, 12, 20, 33, 60, 90][rng.random_range(0..8)];
    let seed = rng.random();
    let points = if rng.random() {
        on_sphere(count, seed)
    } else {
        in_ball(2 * count, seed)
    };
    Polytope::from_points(&points).unwrap()
}

/// Two random polytopes at about the given distance of their centres.
pub(crate) fn random_case(rng: &mut ChaCha8Rng, distance: f64) -> Case {
    let base = direction(rng);
    let away = base + direction(rng) * distance;
    Case {
        a: polytope(rng),
        pose_a: Pose::from_quat(turn(rng), base).unwrap(),
        b: polytope(rng),
        pose_b: Pose::from_quat(turn(rng), away).unwrap(),
    }
}

pub(crate) fn scaled(polytope: &Polytope, factors: Vec3) -> Polytope {
    let points: Vec<Vec3> = polytope.vertices().iter().map(|v| *v * factors).collect();
    Polytope::from_points(&points).unwrap()
}
