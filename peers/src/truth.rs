//! The exact answers, and how far an engine's are from them.

use crate::engines::Question;
use impinge::Vec3;
use impinge::exact::{hull_distance, hull_penetration};
use impinge_peers::work::Work;

/// Every this many overlapping pairs, the depth is found exactly.
const DEPTH_EVERY: usize = 16;

/// An error that shows: a thousandth of the radius of a body.
pub const MUCH: f64 = 1e-3;

/// The exact answers to all questions, in the order of the candidates of all frames.
pub struct Truth {
    /// Whether they intersect.
    pub intersects: Vec<bool>,
    /// The distance; 0 when they intersect.
    pub distance: Vec<f64>,
    /// Minus the depth, where it was found out; else NaN for overlapping pairs.
    pub signed: Vec<f64>,
}

impl Truth {
    /// Finds out. Takes some ten microseconds a pair, and some hundred for the depths.
    pub fn of(work: &Work) -> Truth {
        let mut truth = Truth {
            intersects: Vec::new(),
            distance: Vec::new(),
            signed: Vec::new(),
        };
        let mut overlapping = 0;
        for frame in work.crowd.frames() {
            for candidate in &frame.candidates {
                let [p, q] = [candidate.a, candidate.b].map(|body| {
                    let pose = &frame.poses[body as usize];
                    let vertices = work.crowd.polytope(body).vertices().iter();
                    vertices.map(|v| pose.place(*v)).collect::<Vec<Vec3>>()
                });
                let exact = hull_distance(&p, &q);
                let does_intersect = exact.is_intersecting();
                truth.intersects.push(does_intersect);
                truth.distance.push(exact.distance);
                overlapping += usize::from(does_intersect);
                truth.signed.push(match does_intersect {
                    false => exact.distance,
                    true if overlapping % DEPTH_EVERY == 0 => {
                        hull_penetration(&p, &q).map_or(f64::NAN, |deep| -deep.depth)
                    }
                    true => f64::NAN,
                });
            }
        }
        truth
    }
}

/// How an engine's answers compare with the exact ones.
#[derive(Default, Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// No answer at all.
    pub none: usize,
    /// Said to intersect, but apart.
    pub invented: usize,
    /// Said to be apart, but intersecting.
    pub missed: usize,
    /// Distances and depths that are off by more than [`MUCH`].
    pub off: usize,
    /// The largest error of a distance or depth.
    pub largest: f64,
}

impl Errors {
    /// Compares all answers of a run.
    pub fn of(question: Question, answers: &[f64], truth: &Truth) -> Errors {
        let mut errors = Errors::default();
        for (k, answer) in answers.iter().enumerate() {
            let expected = match question {
                Question::Intersects => f64::from(u8::from(truth.intersects[k])),
                Question::Distance => truth.distance[k],
                Question::SignedDistance => truth.signed[k],
            };
            if answer.is_nan() {
                errors.none += 1;
                continue;
            }
            let says_yes = match question {
                Question::Intersects => *answer > 0.0,
                Question::Distance | Question::SignedDistance => *answer <= 0.0,
            };
            match (says_yes, truth.intersects[k]) {
                (true, false) => errors.invented += 1,
                (false, true) => errors.missed += 1,
                _ => {}
            }
            if question != Question::Intersects && !expected.is_nan() {
                let off = (answer - expected).abs();
                errors.largest = errors.largest.max(off);
                errors.off += usize::from(off > MUCH);
            }
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_error_is_counted() {
        let truth = Truth {
            intersects: vec![true, true, false, false, true],
            distance: vec![0.0, 0.0, 1.0, 1.0, 0.0],
            signed: vec![-1.0, f64::NAN, 1.0, 1.0, -0.5],
        };
        let booleans = Errors::of(Question::Intersects, &[1.0, 0.0, 1.0, 0.0, 1.0], &truth);
        assert_eq!((booleans.missed, booleans.invented), (1, 1));
        // The second has no exact depth to compare with, the third no answer.
        let answers = [-1.25, -7.0, f64::NAN, -1e-4, -0.5];
        let signed = Errors::of(Question::SignedDistance, &answers, &truth);
        assert_eq!((signed.missed, signed.invented, signed.none), (0, 1, 1));
        assert_eq!(signed.off, 2);
        assert!((signed.largest - 1.0001).abs() < 1e-12);
    }
}
