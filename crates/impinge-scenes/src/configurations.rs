//! Random joint positions of articulated bodies.

use impinge::Linkage;
use impinge::articulated::{Joint, JointKind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::PI;

/// Positions for all joints of a linkage, again and again: evenly distributed between the limits of each joint. Joints without
/// limits turn all the way around, and slide by at most 1 to each side.
///
/// ```
/// # use impinge_scenes::{configurations::Configurations, hand};
/// let hand = hand::hand()?;
/// let mut configurations = Configurations::new(7);
/// let positions = configurations.draw(&hand);
/// assert_eq!(positions.len(), hand.freedoms());
/// assert_ne!(configurations.draw(&hand), positions);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Configurations {
    rng: ChaCha8Rng,
}

impl Configurations {
    /// The same sequence for the same seed.
    pub fn new(seed: u64) -> Configurations {
        Configurations {
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The next positions.
    pub fn draw(&mut self, linkage: &Linkage) -> Vec<f64> {
        let mut positions = Vec::with_capacity(linkage.freedoms());
        for joint in linkage.driven_joints() {
            self.draw_joint(joint, &mut positions);
        }
        positions
    }

    fn draw_joint(&mut self, joint: &Joint, positions: &mut Vec<f64>) {
        if let Some([lower, upper]) = joint.limits() {
            positions.push(self.between(lower, upper));
            return;
        }
        match joint.kind() {
            JointKind::Revolute { .. } => positions.push(self.between(-PI, PI)),
            JointKind::Planar { .. } => {
                positions.extend([self.between(-1.0, 1.0), self.between(-1.0, 1.0)]);
                positions.push(self.between(-PI, PI));
            }
            JointKind::Floating => {
                positions.extend((0..3).map(|_| self.between(-1.0, 1.0)));
                positions.extend(self.turn());
            }
            JointKind::Prismatic { .. } => positions.push(self.between(-1.0, 1.0)),
            JointKind::Fixed => {}
        }
    }

    fn between(&mut self, lower: f64, upper: f64) -> f64 {
        let share: f64 = self.rng.random_range(0.0..=1.0);
        (lower + (upper - lower) * share).clamp(lower, upper)
    }

    /// A unit quaternion: a point of the ball in four dimensions, not near its centre, put on the sphere.
    fn turn(&mut self) -> [f64; 4] {
        loop {
            let point: [f64; 4] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..=1.0).contains(&length) {
                return point.map(|x| x / length);
            }
        }
    }
}
