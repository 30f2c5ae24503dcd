//! Impinge, by its default for many polytope pairs at once.

use super::{Library, Memory, Method, Question, all_methods};
use impinge::Pose;
use impinge::narrow::{
    PairCache, PolytopePair, distance_each, intersects_each, signed_distance_each,
};
use impinge_peers::work::Work;
use impinge_scenes::crowd::{Candidate, Crowd};

/// The engine on some work.
pub struct Impinge<'w> {
    crowd: &'w Crowd,
    /// Of the frame at hand.
    poses: Vec<Pose>,
    /// What is remembered about each pair.
    caches: Vec<PairCache>,
}

impl<'w> Impinge<'w> {
    /// Knows the shapes, remembers nothing.
    pub fn new(work: &'w Work) -> Impinge<'w> {
        let crowd = &work.crowd;
        Impinge {
            crowd,
            poses: Vec::new(),
            caches: vec![PairCache::default(); crowd.pair_count()],
        }
    }
}

impl Library for Impinge<'_> {
    fn name(&self) -> &'static str {
        "impinge"
    }

    fn methods(&self) -> Vec<Method> {
        all_methods()
    }

    fn forget(&mut self) {
        self.caches.fill(PairCache::default());
    }

    fn place(&mut self, frame: usize) {
        self.poses.clone_from(&self.crowd.frames()[frame].poses);
    }

    fn answer(&mut self, method: Method, pairs: &[Candidate], answers: &mut [f64]) {
        let lent = self.crowd.pairs(pairs, &self.poses, &mut self.caches);
        let mut placed: Vec<PolytopePair<'_>> = lent.collect();
        if method.memory == Memory::Cold {
            for pair in &mut placed {
                *pair.cache = PairCache::default();
            }
        }
        match method.question {
            Question::Intersects => {
                intersects_each(&mut placed, |k, answer| answers[k] = f64::from(answer));
            }
            Question::Distance => {
                distance_each(&mut placed, |k, answer| answers[k] = answer.distance);
            }
            Question::SignedDistance => {
                signed_distance_each(&mut placed, |k, answer| answers[k] = answer.value());
            }
        }
    }
}
