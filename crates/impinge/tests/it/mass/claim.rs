//! What the library says about a distance, held against the true one.

use crate::oracle::SquaredDistance;
use impinge::{Interval, Vec3, Witness};
use std::cmp::Ordering;

/// A distance as the library gives it.
#[derive(Debug)]
pub(super) struct Claim {
    pub(super) distance: f64,
    pub(super) bounds: Interval,
    pub(super) witness: Witness,
}

impl Claim {
    /// What is wrong with it; `size` is that of the coordinates.
    pub(super) fn complaint(&self, truth: &SquaredDistance, size: f64) -> Option<String> {
        let Interval { lower, upper } = self.bounds;
        // Not squared before it is divided: coordinates may be close to the largest number.
        let gap = ((self.witness.a - self.witness.b) / size).length() * size;
        let complaint = if truth.cmp_to(lower) == Ordering::Less {
            "the distance is below the lower bound"
        } else if truth.cmp_to(upper) == Ordering::Greater {
            "the distance is above the upper bound"
        } else if truth.is_zero() != (self.distance == 0.0) {
            "zero without contact, or contact without zero"
        } else if !self.bounds.contains(self.distance) {
            "the value is outside its own bounds"
        } else if self.bounds.width() > 1e-12 * size {
            "the bounds are too wide"
        } else if (gap - self.distance).abs() > 1e-12 * size {
            "the witness points are at another distance"
        } else {
            return None;
        };
        Some(format!(
            "{complaint}: {self:?}, truly {}",
            truth.approximate()
        ))
    }
}

/// The largest coordinate.
pub(super) fn size<'a>(points: impl Iterator<Item = &'a Vec3>) -> f64 {
    points.map(|p| p.abs().max_element()).fold(0.0, f64::max)
}
