//! Moving polytopes, and in each frame the pairs that a narrow phase would be asked about.
//!
//! A pair is a candidate of a frame while the boxes of its placed vertices overlap; touching counts. Pairs that are a
//! candidate in any frame are numbered, so that what is remembered about them can lie in one vector.
//!
//! **Invariant.** The candidates of a frame are sorted by their bodies, and numbers ascend in the same order. The caches of a
//! frame can therefore be lent from the vector in one pass, without copies: [`Crowd::pairs`].
//!
//! **Cost.** All poses of all frames are kept. Bodies do not react to each other: the motion does not depend on any answer.

use crate::multi_body::{MultiBody, MultiBodyOptions};
use crate::trace::{Placement, Trace};
use impinge::narrow::{PairCache, PolytopePair};
use impinge::{Aabb, Error, Polytope, Pose};
use std::sync::Arc;

/// Polytopes in motion.
#[derive(Debug, Clone)]
pub struct Crowd {
    /// The shape of each body.
    polytopes: Vec<Arc<Polytope>>,
    frames: Vec<Frame>,
    pair_count: usize,
}

/// Where everything is at one time, and who may touch.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Where each body is.
    pub poses: Vec<Pose>,
    /// The pairs whose boxes overlap.
    pub candidates: Vec<Candidate>,
}

/// Two bodies whose boxes overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The first body, the one with the smaller index.
    pub a: u32,
    /// The second body.
    pub b: u32,
    /// The number of the pair, below [`Crowd::pair_count`].
    pub pair: u32,
}

impl Crowd {
    /// The multi-body scene from its start, for some frames. Bodies rebound from the walls alone.
    ///
    /// ```
    /// # use impinge_scenes::{crowd::Crowd, multi_body::MultiBodyOptions};
    /// use impinge::narrow::{PairCache, intersects_each};
    ///
    /// let options = MultiBodyOptions { bodies: 50, density_percent: 10.0, ..MultiBodyOptions::default() };
    /// let crowd = Crowd::simulate(&options, 5)?;
    /// let mut caches = vec![PairCache::default(); crowd.pair_count()];
    /// for frame in crowd.frames() {
    ///     let pairs = crowd.pairs(&frame.candidates, &frame.poses, &mut caches);
    ///     intersects_each(&mut pairs.collect::<Vec<_>>(), |_, _| {});
    /// }
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn simulate(options: &MultiBodyOptions, frames: usize) -> Result<Crowd, Error> {
        let mut scene = MultiBody::new(options)?;
        let bodies = 0..scene.len();
        let polytopes = bodies.clone().map(|body| scene.polytope(body).clone());
        let polytopes = polytopes.collect();
        let poses = (0..frames)
            .map(|_| {
                let poses = bodies.clone().map(|body| scene.pose(body)).collect();
                scene.step();
                poses
            })
            .collect();
        Ok(Crowd::new(polytopes, poses))
    }

    /// What was recorded. Shapes are the hulls of their vertices; an error when one is flat or a pose is not rigid.
    pub fn from_trace(trace: &Trace) -> Result<Crowd, Error> {
        let shapes = trace
            .shapes
            .iter()
            .map(|shape| Polytope::from_points(&shape.vertices).map(Arc::new))
            .collect::<Result<Vec<_>, Error>>()?;
        let polytopes = trace.shape_of.iter();
        let polytopes = polytopes.map(|shape| shapes[*shape as usize].clone());
        let poses = trace
            .frames
            .iter()
            .map(|placements| placements.iter().map(Placement::pose).collect())
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(Crowd::new(polytopes.collect(), poses))
    }

    fn new(polytopes: Vec<Arc<Polytope>>, poses: Vec<Vec<Pose>>) -> Crowd {
        let overlaps: Vec<Vec<[u32; 2]>> = poses
            .iter()
            .map(|poses| overlapping(&boxes(&polytopes, poses)))
            .collect();
        let mut numbered: Vec<[u32; 2]> = overlaps.concat();
        numbered.sort_unstable();
        numbered.dedup();
        let candidate = |[a, b]: [u32; 2]| Candidate {
            a,
            b,
            pair: numbered.partition_point(|other| *other < [a, b]) as u32,
        };
        let frames = poses
            .into_iter()
            .zip(overlaps)
            .map(|(poses, pairs)| Frame {
                poses,
                candidates: pairs.into_iter().map(candidate).collect(),
            })
            .collect();
        Crowd {
            polytopes,
            frames,
            pair_count: numbered.len(),
        }
    }

    /// All frames in order.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The shape of a body.
    pub fn polytope(&self, body: u32) -> &Polytope {
        &self.polytopes[body as usize]
    }

    /// How many different pairs are a candidate in some frame.
    pub fn pair_count(&self) -> usize {
        self.pair_count
    }

    /// How many candidates all frames have together.
    pub fn candidate_count(&self) -> usize {
        let counts = self.frames.iter().map(|frame| frame.candidates.len());
        counts.sum()
    }

    /// Candidates of a frame, all or some in their order, with the caches of their pairs.
    ///
    /// # Panics
    ///
    /// When candidates are out of order, or there is no cache for one.
    pub fn pairs<'a>(
        &'a self,
        candidates: &'a [Candidate],
        poses: &'a [Pose],
        caches: &'a mut [PairCache],
    ) -> impl Iterator<Item = PolytopePair<'a>> {
        let mut passed = 0;
        let mut caches = caches.iter_mut();
        candidates.iter().map(move |candidate| {
            let pair = candidate.pair as usize;
            let cache = caches.nth(pair - passed);
            passed = pair + 1;
            PolytopePair {
                a: &self.polytopes[candidate.a as usize],
                pose_a: &poses[candidate.a as usize],
                b: &self.polytopes[candidate.b as usize],
                pose_b: &poses[candidate.b as usize],
                cache: cache.expect("there is a cache for each pair"),
            }
        })
    }
}

fn boxes(polytopes: &[Arc<Polytope>], poses: &[Pose]) -> Vec<Aabb> {
    let placed_box = |(polytope, pose): (&Arc<Polytope>, &Pose)| {
        let vertices = polytope.vertices().iter();
        Aabb::of_points(vertices.map(|v| pose.place(*v))).expect("a polytope has vertices")
    };
    polytopes.iter().zip(poses).map(placed_box).collect()
}

/// The overlapping pairs, sorted, by a sweep along x.
fn overlapping(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let start = |body: u32| boxes[body as usize].min().x;
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by(|i, j| start(*i).total_cmp(&start(*j)));
    let mut pairs = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let first = &boxes[i as usize];
        let ahead = order[place + 1..].iter();
        let reached = ahead.take_while(|j| start(**j) <= first.max().x);
        pairs.extend(
            reached
                .filter(|j| first.overlaps(&boxes[**j as usize]))
                .map(|&j| [i.min(j), i.max(j)]),
        );
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd() -> Crowd {
        let options = MultiBodyOptions {
            bodies: 60,
            density_percent: 20.0,
            ..MultiBodyOptions::default()
        };
        Crowd::simulate(&options, 12).unwrap()
    }

    #[test]
    fn candidates_are_all_pairs_whose_boxes_overlap() {
        let crowd = crowd();
        for frame in crowd.frames() {
            let boxes = boxes(&crowd.polytopes, &frame.poses);
            let all = (0..60u32).flat_map(|a| (a + 1..60).map(move |b| [a, b]));
            let expected: Vec<[u32; 2]> = all
                .filter(|[a, b]| boxes[*a as usize].overlaps(&boxes[*b as usize]))
                .collect();
            let found: Vec<[u32; 2]> = frame.candidates.iter().map(|c| [c.a, c.b]).collect();
            assert_eq!(found, expected);
            assert!(!found.is_empty());
        }
    }

    #[test]
    fn a_pair_has_one_number_and_one_cache() {
        let crowd = crowd();
        let mut bodies_of = vec![None; crowd.pair_count()];
        let mut caches = vec![PairCache::default(); crowd.pair_count()];
        let addresses: Vec<*const PairCache> = caches.iter().map(std::ptr::from_ref).collect();
        for frame in crowd.frames() {
            let pairs = crowd.pairs(&frame.candidates, &frame.poses, &mut caches);
            for (candidate, pair) in frame.candidates.iter().zip(pairs) {
                let number = candidate.pair as usize;
                let bodies = [candidate.a, candidate.b];
                assert_eq!(*bodies_of[number].get_or_insert(bodies), bodies);
                assert!(std::ptr::eq(addresses[number], pair.cache));
            }
        }
        assert!(bodies_of.iter().all(Option::is_some));
    }

    #[test]
    fn a_recording_is_the_same_crowd() {
        let options = MultiBodyOptions {
            bodies: 20,
            density_percent: 20.0,
            ..MultiBodyOptions::default()
        };
        let mut scene = MultiBody::new(&options).unwrap();
        let mut trace = Trace {
            shapes: scene.trace_shapes(),
            shape_of: (0..20).collect(),
            frames: Vec::new(),
        };
        for _ in 0..4 {
            trace
                .frames
                .push((0..20).map(|body| scene.placement(body)).collect());
            scene.step();
        }
        let simulated = Crowd::simulate(&options, 4).unwrap();
        let recorded = Crowd::from_trace(&trace).unwrap();
        assert_eq!(recorded.pair_count(), simulated.pair_count());
        for (ours, theirs) in recorded.frames().iter().zip(simulated.frames()) {
            assert_eq!(ours.poses, theirs.poses);
            assert_eq!(ours.candidates, theirs.candidates);
        }
        trace.shapes[3].vertices.truncate(3);
        trace.shapes[3].triangles.clear();
        assert!(Crowd::from_trace(&trace).is_err());
    }
}
