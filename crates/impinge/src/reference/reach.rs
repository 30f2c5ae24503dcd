//! Sums of radii and gaps, kept as sums.
//!
//! Whether a rounded shape touches another is a comparison of the distance of their pieces with a sum of radii. The sum
//! of two doubles is rarely a double, so the terms stay apart until they are compared, exactly where the distance is
//! exact, and as a narrow interval where it is one.

use crate::math::Interval;
use crate::math::double_double::Wide;

/// A sum of positive numbers; without terms it is 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reach {
    terms: Vec<f64>,
}

impl Reach {
    /// The sum with one more term, which must not be negative.
    pub(super) fn plus(mut self, term: f64) -> Reach {
        if term > 0.0 {
            self.terms.push(term);
        }
        self
    }

    /// The sum of both.
    pub(super) fn plus_all(mut self, other: &Reach) -> Reach {
        self.terms.extend_from_slice(&other.terms);
        self
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    pub(super) fn terms(&self) -> &[f64] {
        &self.terms
    }

    /// The sum to the nearest double or its neighbour; the largest double when it is beyond.
    pub(super) fn value(&self) -> f64 {
        self.terms.iter().sum::<f64>().min(f64::MAX)
    }

    /// Doubles around the sum; exact when it is a double.
    pub(super) fn bounds(&self) -> Interval {
        // Halves, because the exact sum of two large numbers may overflow. Only subnormal numbers lose a bit by it.
        let sum = self
            .terms
            .iter()
            .fold(Wide::ZERO, |sum, term| sum + Wide::from(*term * 0.5));
        let (mut lower, mut upper) = (sum.below() * 2.0, sum.above() * 2.0);
        // Two ordinary terms add up without error, more of them almost.
        if self.terms.len() > 2 || self.terms.iter().any(|t| *t < 1e-300) {
            (lower, upper) = (lower.next_down().max(0.0), upper.next_up());
        }
        Interval {
            lower: lower.min(f64::MAX),
            upper,
        }
    }
}
