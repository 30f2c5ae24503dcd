//! Impinge, by its default for many polytope pairs at once.

use super::{Engine, Method, Question};
use crate::work::{Candidate, Frame, Work};
use impinge::Pose;
use impinge::contact::SignedDistance;
use impinge::narrow::{
    PairCache, PolytopePair, distance_each, intersects_each, signed_distance_each,
};

/// The engine on some work.
pub struct Impinge<'w> {
    work: &'w Work,
    poses: Vec<Pose>,
    caches: Vec<PairCache>,
    /// The caches of the pairs at hand.
    own: Vec<PairCache>,
}

impl<'w> Impinge<'w> {
    /// Knows the shapes, remembers nothing.
    pub fn new(work: &'w Work) -> Impinge<'w> {
        Impinge {
            work,
            poses: Vec::new(),
            caches: vec![PairCache::default(); work.pair_count],
            own: Vec::new(),
        }
    }
}

impl Engine for Impinge<'_> {
    fn name(&self) -> &'static str {
        "impinge"
    }

    fn methods(&self) -> Vec<Method> {
        let questions = [
            Question::Intersects,
            Question::Distance,
            Question::SignedDistance,
        ];
        questions
            .into_iter()
            .flat_map(|question| {
                [true, false].map(|is_coherent| Method {
                    question,
                    is_coherent,
                })
            })
            .collect()
    }

    fn forget(&mut self) {
        self.caches.fill(PairCache::default());
    }

    fn place(&mut self, frame: &Frame) {
        self.poses.clone_from(&frame.poses);
    }

    fn answer(&mut self, method: Method, pairs: &[Candidate], answers: &mut Vec<f64>) {
        let Impinge {
            work,
            poses,
            caches,
            own,
        } = self;
        own.clear();
        own.extend(pairs.iter().map(|candidate| {
            if method.is_coherent {
                caches[candidate.pair as usize]
            } else {
                PairCache::default()
            }
        }));
        let mut placed: Vec<PolytopePair<'_>> = pairs
            .iter()
            .zip(own.iter_mut())
            .map(|(candidate, cache)| PolytopePair {
                a: work.polytope(candidate.a),
                pose_a: &poses[candidate.a as usize],
                b: work.polytope(candidate.b),
                pose_b: &poses[candidate.b as usize],
                cache,
            })
            .collect();
        answers.resize(pairs.len(), f64::NAN);
        match method.question {
            Question::Intersects => {
                intersects_each(&mut placed, |k, answer| answers[k] = f64::from(answer));
            }
            Question::Distance => {
                distance_each(&mut placed, |k, answer| answers[k] = answer.distance);
            }
            Question::SignedDistance => {
                signed_distance_each(&mut placed, |k, answer| {
                    answers[k] = match answer {
                        SignedDistance::Apart(separation) => separation.distance,
                        SignedDistance::Overlapping(penetration) => -penetration.depth,
                    };
                });
            }
        }
        if method.is_coherent {
            for (candidate, cache) in pairs.iter().zip(own) {
                caches[candidate.pair as usize] = *cache;
            }
        }
    }
}
