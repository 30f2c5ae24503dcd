//! Ways from poses to answers, frame by frame: the world, or boxes, a broad phase and a narrow phase chosen by name.

mod named;
mod whole;

use impinge::bound::BoxKind;
use impinge::broad::{BroadPhaseKind, Work};
use impinge::exact::Counts;
use impinge::query::Method;
use impinge::{Error, Pair, Pose, Shape};
use named::Named;
use std::time::Duration;
use whole::Whole;

/// What can be asked of each pair of overlapping boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Question {
    /// Whether they intersect
    Intersects,
    /// How far they are apart
    Distance,
    /// How far they are apart, or how deep they overlap
    Penetration,
}

/// How the way is gone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choices {
    pub(crate) query: Question,
    pub(crate) boxes: BoxKind,
    pub(crate) broad: BroadPhaseKind,
    pub(crate) narrow: Method,
    pub(crate) threads: usize,
}

/// What a frame gave, and how long it took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Frame {
    pub(crate) candidates: usize,
    pub(crate) intersecting: usize,
    pub(crate) distance_sum: f64,
    /// From poses to boxes, and into the broad phase.
    pub(crate) boxes: Duration,
    /// From boxes to pairs.
    pub(crate) pairs: Duration,
    /// From pairs to answers.
    pub(crate) contacts: Duration,
    pub(crate) decisions: Counts,
    /// The work of the broad phase since the first frame.
    pub(crate) broad: Work,
    /// Features that were tried on the way to the closest ones, where they are tracked.
    pub(crate) feature_steps: u64,
}

/// A way from poses to answers, for bodies that are numbered.
pub(crate) trait Engine {
    /// Takes new poses, one for each body, and answers for all pairs of overlapping boxes.
    fn frame(&mut self, poses: &[Pose]) -> Result<Frame, Error>;

    /// Replaces `pairs` by those that intersected in the last frame, sorted. A body's index is its number.
    fn intersecting(&self, pairs: &mut Vec<Pair>);
}

/// The world for the default narrow phase; for others, a way of its own.
pub(crate) fn engine(choices: &Choices, shapes: Vec<Shape>) -> Result<Box<dyn Engine>, Error> {
    Ok(if choices.narrow == Method::Default {
        Box::new(Whole::new(choices, shapes)?)
    } else {
        Box::new(Named::new(choices, shapes)?)
    })
}
