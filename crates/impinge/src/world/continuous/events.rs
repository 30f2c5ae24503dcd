//! What a continuous world tells.

use crate::body::{BodyId, Pair};
use crate::contact::{Feature, Witness};
use crate::math::Vec3;

/// Something that happened, in the order of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContinuousEvent {
    /// Two bodies come to touch.
    Impact(PairImpact),
    /// Two bodies touch again and again, so many times at one instant that time would not go on. They are left alone for a while,
    /// whatever they do: longer each time, up to a step.
    Rested(PairImpact),
    /// The motion of a body is known no longer. It is continued as it is until another one is given.
    Expired {
        /// When.
        time: f64,
        /// The body.
        body: BodyId,
    },
}

impl ContinuousEvent {
    /// When it happened.
    pub fn time(&self) -> f64 {
        match self {
            ContinuousEvent::Impact(impact) | ContinuousEvent::Rested(impact) => impact.time,
            ContinuousEvent::Expired { time, .. } => *time,
        }
    }
}

/// Two bodies come to touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairImpact {
    /// When.
    pub time: f64,
    /// The two.
    pub pair: Pair,
    /// How it was found, and how well the time is known.
    pub kind: HitKind,
    /// The closest points then, that of `pair.a()` first.
    pub witness: Witness,
    /// What they lie on.
    pub features: [Feature; 2],
    /// The unit vector from `pair.a()` to `pair.b()`; none where it is not known, as for bodies that begin deep in each
    /// other.
    pub normal: Option<Vec3>,
}

impl PairImpact {
    /// The place: in the middle between the closest points.
    pub fn point(&self) -> Vec3 {
        self.witness.a.midpoint(self.witness.b)
    }
}

/// How an impact was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HitKind {
    /// Predicted: the bodies are apart until then, and the time is early by no more than the tolerance.
    Predicted,
    /// The bodies are in contact as they get the motions that bring them closer.
    Touching,
    /// Found by looking at steps: between two of them, or at one.
    Polled,
}
