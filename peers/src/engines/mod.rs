//! The engines, behind one small interface.

#[cfg(feature = "box3d")]
pub mod box3d;
pub mod impinge;
pub mod parry32;
pub mod parry64;

use crate::work::{Candidate, Frame};

/// What is asked about each candidate pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether they intersect: 1 or 0.
    Intersects,
    /// How far they are apart, 0 when they intersect.
    Distance,
    /// How far they are apart, or how deep they overlap, negative.
    SignedDistance,
}

/// A way to answer a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// What is asked.
    pub question: Question,
    /// Whether the engine keeps from frame to frame what it finds out about each pair.
    pub is_coherent: bool,
}

/// A collision library.
pub trait Engine {
    /// Its name in tables.
    fn name(&self) -> &'static str;
    /// What it can do.
    fn methods(&self) -> Vec<Method>;
    /// Forgets all that is remembered about pairs.
    fn forget(&mut self);
    /// Takes the poses of a frame. Not timed.
    fn place(&mut self, frame: &Frame);
    /// Answers for each pair. Timed, with what it costs to look up and keep memories.
    fn answer(&mut self, method: Method, pairs: &[Candidate], answers: &mut Vec<f64>);
}
