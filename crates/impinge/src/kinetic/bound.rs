//! What a kinetic sweep keeps of a body: an interval on each of some axes, whose ends are polynomials of time.

use super::track::{KineticBox, Track};

/// A moving region that is an interval along each of some directions; two of them overlap when their intervals do along
/// all. [`KineticBox`] is one along the three axes, [`KineticDop`](super::KineticDop) one along more.
pub trait KineticBound: Clone + std::fmt::Debug {
    /// How many directions there are.
    const AXES: usize;

    /// The lower and the upper end along a direction. They may pass each other.
    fn tracks(&self, axis: usize) -> [Track; 2];

    /// Until when the motion holds; infinite when it does for ever.
    fn valid_until(&self) -> f64;
}

impl KineticBound for KineticBox {
    const AXES: usize = 3;

    fn tracks(&self, axis: usize) -> [Track; 2] {
        KineticBox::tracks(self, axis)
    }

    fn valid_until(&self) -> f64 {
        self.end()
    }
}
