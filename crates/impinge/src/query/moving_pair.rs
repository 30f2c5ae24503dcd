//! Two shapes on their way, with the answer kept until a motion changes.
//!
//! A time of impact is a prediction: it holds as long as the motions do. Whoever asks again and again, as an event-driven
//! simulation does, keeps one of these for each pair (Coming and Staadt 2006, 4.2).

use crate::contact::Impact;
use crate::error::Error;
use crate::motion::Motion;
use crate::narrow::time_of_impact;
use crate::shape::Shape;

/// Two shapes, their motions, and their first contact once it was asked for.
///
/// ```
/// use impinge::{Motion, Pose, Shape, Vec3, query::MovingPair};
///
/// let ball = Shape::sphere(1.0)?;
/// let still = Motion::still(Pose::IDENTITY);
/// let coming = Motion::new(Pose::from_translation(Vec3::X * 4.0)?, Vec3::X * -4.0, Vec3::ZERO, Vec3::ZERO)?;
/// let mut pair = MovingPair::new([ball.clone(), ball], [still, coming], 1e-9);
/// let impact = pair.impact()?.expect("they meet");
/// assert!((impact.time - 0.5).abs() <= 1e-9);
/// assert_eq!(pair.impact()?, Some(impact));
///
/// pair.set_motion(1, Motion::still(*coming.start()));
/// assert_eq!(pair.impact()?, None);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct MovingPair {
    shapes: [Shape; 2],
    motions: [Motion; 2],
    tolerance: f64,
    known: Option<Option<Impact>>,
}

impl MovingPair {
    /// Two shapes on their way, to be asked about to within `tolerance`, a time.
    pub fn new(shapes: [Shape; 2], motions: [Motion; 2], tolerance: f64) -> MovingPair {
        MovingPair {
            shapes,
            motions,
            tolerance,
            known: None,
        }
    }

    /// The motions.
    pub fn motions(&self) -> &[Motion; 2] {
        &self.motions
    }

    /// Gives one of the two, 0 or 1, another motion. Any other number is taken as 1.
    pub fn set_motion(&mut self, which: usize, motion: Motion) {
        let kept = &mut self.motions[which.min(1)];
        if *kept != motion {
            *kept = motion;
            self.known = None;
        }
    }

    /// The first contact, computed when it is not known: see [`query::time_of_impact`](crate::query::time_of_impact).
    ///
    /// # Errors
    ///
    /// As that function.
    pub fn impact(&mut self) -> Result<Option<Impact>, Error> {
        if let Some(known) = self.known {
            return Ok(known);
        }
        let ([a, b], [motion_a, motion_b]) = (&self.shapes, &self.motions);
        let found = time_of_impact(a, motion_a, b, motion_b, self.tolerance)?;
        self.known = Some(found);
        Ok(found)
    }
}
