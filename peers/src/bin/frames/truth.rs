//! Which pairs truly intersect: all pairs whose boxes overlap, each decided by exact arithmetic on its placed vertices.

use impinge::Vec3;
use impinge::exact::{hull_distance, hull_penetration, hulls_intersect};
use impinge_peers::work::Work;
use std::cmp::Ordering;

/// The exact answers.
pub struct Truth {
    /// For each frame the pairs that intersect, sorted.
    pub intersecting: Vec<Vec<[u32; 2]>>,
}

/// A pair on which an engine is wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrong {
    /// Where.
    pub frame: usize,
    /// Which bodies.
    pub pair: [u32; 2],
    /// What the engine says.
    pub is_hit: bool,
    /// The true distance, or minus the true depth.
    pub distance: f64,
}

impl Truth {
    /// Finds out, in some microseconds a candidate.
    pub fn of(work: &Work) -> Truth {
        let frames = work.crowd.frames().iter().enumerate();
        let intersecting = frames.map(|(number, frame)| {
            let pairs = frame.candidates.iter().map(|c| [c.a, c.b]);
            let is_true = |pair: &[u32; 2]| {
                let [p, q] = placed(work, number, *pair);
                hulls_intersect(&p, &q)
            };
            pairs.filter(is_true).collect()
        });
        Truth {
            intersecting: intersecting.collect(),
        }
    }

    /// The pairs on which these answers, sorted in each frame, are wrong.
    pub fn compare(&self, work: &Work, hits: &[Vec<[u32; 2]>]) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        for (frame, (truth, said)) in self.intersecting.iter().zip(hits).enumerate() {
            for (pair, is_hit) in differences(truth, said) {
                wrong.push(Wrong {
                    frame,
                    pair,
                    is_hit,
                    distance: signed_distance(work, frame, pair),
                });
            }
        }
        wrong
    }
}

/// What is in one of two sorted lists alone; `true` for the second.
fn differences(truth: &[[u32; 2]], said: &[[u32; 2]]) -> Vec<([u32; 2], bool)> {
    let (mut truth, mut said) = (truth.iter().peekable(), said.iter().peekable());
    let mut found = Vec::new();
    loop {
        let order = match (truth.peek(), said.peek()) {
            (None, None) => return found,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(p), Some(q)) => p.cmp(q),
        };
        match order {
            Ordering::Less => found.extend(truth.next().map(|pair| (*pair, false))),
            Ordering::Greater => found.extend(said.next().map(|pair| (*pair, true))),
            Ordering::Equal => {
                truth.next();
                said.next();
            }
        }
    }
}

/// The placed vertices of two bodies.
fn placed(work: &Work, frame: usize, pair: [u32; 2]) -> [Vec<Vec3>; 2] {
    let poses = &work.crowd.frames()[frame].poses;
    pair.map(|body| {
        let vertices = work.crowd.polytope(body).vertices().iter();
        vertices.map(|v| poses[body as usize].place(*v)).collect()
    })
}

/// The exact distance, or minus the exact depth.
fn signed_distance(work: &Work, frame: usize, pair: [u32; 2]) -> f64 {
    let [p, q] = placed(work, frame, pair);
    match hull_penetration(&p, &q) {
        Some(deep) => -deep.depth,
        None => hull_distance(&p, &q).distance,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missed_and_what_is_invented_is_found() {
        let truth = [[0, 1], [2, 3], [4, 5]];
        let said = [[0, 1], [2, 9], [4, 5], [7, 8]];
        assert_eq!(
            differences(&truth, &said),
            [([2, 3], false), ([2, 9], true), ([7, 8], true)]
        );
        assert_eq!(differences(&truth, &truth), []);
    }
}
