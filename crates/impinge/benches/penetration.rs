//! How long the signed distance of a pair of polytopes takes: the distance of those apart, the depth of those that overlap.
//!
//! The scene is the multi-body benchmark of Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995): polytopes of unit size fly
//! straight and tumble, each moving a tenth of its radius and turning ten degrees a frame. A pair is a candidate while
//! the boxes of its placed vertices overlap; about half of the candidates overlap. `coherent` keeps a cache for each pair,
//! `cold` starts each query afresh. A sample of the depths is checked against the exact path.
//!
//! `cargo bench --bench penetration -- [REPEATS [FACES ..]]`. Each frame is timed by itself and the fastest of the repeats
//! is counted, so that a busy machine disturbs little.

use impinge::exact::{counts, hull_penetration};
use impinge::narrow::depth::cameron::estimate_depth;
use impinge::narrow::{PairCache, PolytopePair, signed_distance_each};
use impinge::{Aabb, Polytope, Pose, Quat, SignedDistance, Vec3};
use impinge_scenes::points::{in_cube, on_sphere};
use impinge_scenes::polytopes::random_polytope;
use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

const SHAPES: usize = 1000;
const FRAMES: usize = 30;
/// One candidate of so many is checked exactly.
const CHECKED: usize = 16;

fn main() {
    let numbers: Vec<usize> = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let (repeats, faces) = match numbers.split_first() {
        Some((repeats, faces)) => (*repeats, faces),
        None => (20, &[][..]),
    };
    let faces = if faces.is_empty() { &[36, 500] } else { faces };
    println!("nanoseconds a candidate pair: all, those that overlap, those apart");
    for faces in faces {
        Crowd::new(*faces).report(repeats);
    }
}

/// A candidate pair: the two bodies, its number among all pairs, and whether the two overlap.
struct Candidate {
    bodies: [usize; 2],
    number: usize,
    overlaps: bool,
}

struct Frame {
    poses: Vec<Pose>,
    candidates: Vec<Candidate>,
}

/// All poses of all frames, and the candidate pairs of each.
struct Crowd {
    faces: usize,
    shapes: Vec<Polytope>,
    frames: Vec<Frame>,
    /// How many different pairs there are over all frames.
    pairs: usize,
}

impl Crowd {
    fn new(faces: usize) -> Crowd {
        let shape = |seed| random_polytope(faces, seed).expect("points on a sphere span a volume");
        let shapes: Vec<Polytope> = (0..SHAPES as u64).map(shape).collect();
        let volume: f64 = shapes.iter().map(Polytope::volume).sum();
        let side = (volume / 0.1).cbrt();
        let mut numbers = HashMap::new();
        let frames = (0..FRAMES).map(|frame| {
            let poses = poses(side, frame as f64);
            let candidates = overlapping_boxes(&shapes, &poses)
                .into_iter()
                .map(|bodies| {
                    let next = numbers.len();
                    Candidate {
                        bodies,
                        number: *numbers.entry(bodies).or_insert(next),
                        overlaps: false,
                    }
                })
                .collect();
            Frame { poses, candidates }
        });
        let frames = frames.collect();
        let mut crowd = Crowd {
            faces,
            shapes,
            frames,
            pairs: numbers.len(),
        };
        crowd.check();
        crowd
    }

    fn report(&self, repeats: usize) {
        let all = self.frames.iter().flat_map(|frame| &frame.candidates);
        let overlapping = all.clone().filter(|c| c.overlaps).count();
        let before = counts();
        let times = [true, false].map(|coherent| {
            [None, Some(true), Some(false)].map(|which| self.time(repeats, coherent, which))
        });
        let used = counts() - before;
        println!(
            "{} faces: {} candidates, {overlapping} overlap, {} exact fall-backs in {} decisions",
            self.faces,
            all.count(),
            used.big,
            used.total(),
        );
        for (name, [all, deep, apart]) in ["coherent", "cold"].into_iter().zip(times) {
            println!("  {name:9} {all:7.0} {deep:7.0} {apart:7.0}");
        }
        println!("  Cameron's estimate, cold {:.0}", self.time_estimate());
    }

    /// Nanoseconds a candidate that does overlap, or does not, or all of them: for each frame the fastest of the repeats.
    fn time(&self, repeats: usize, coherent: bool, which: Option<bool>) -> f64 {
        let mut fastest = vec![f64::INFINITY; self.frames.len()];
        let mut queries = 0;
        for _ in 0..repeats {
            let mut caches = vec![PairCache::default(); self.pairs];
            queries = 0;
            for (frame, fastest) in self.frames.iter().zip(&mut fastest) {
                // The poses are fresh in a running program.
                let poses = frame.poses.clone();
                let chosen = |c: &&Candidate| which.is_none_or(|overlaps| c.overlaps == overlaps);
                let chosen: Vec<&Candidate> = frame.candidates.iter().filter(chosen).collect();
                let mut own: Vec<PairCache> = chosen.iter().map(|c| caches[c.number]).collect();
                let mut pairs = self.pairs(&poses, &chosen, &mut own);
                let start = Instant::now();
                signed_distance_each(&mut pairs, |_, signed| {
                    black_box(signed);
                });
                *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e9);
                queries += chosen.len();
                if coherent {
                    for (candidate, cache) in chosen.iter().zip(own) {
                        caches[candidate.number] = cache;
                    }
                }
            }
        }
        fastest.iter().sum::<f64>() / queries as f64
    }

    fn pairs<'a>(
        &'a self,
        poses: &'a [Pose],
        candidates: &[&Candidate],
        caches: &'a mut [PairCache],
    ) -> Vec<PolytopePair<'a>> {
        let with_caches = candidates.iter().zip(caches);
        with_caches
            .map(|(candidate, cache)| {
                let [i, j] = candidate.bodies;
                PolytopePair {
                    a: &self.shapes[i],
                    pose_a: &poses[i],
                    b: &self.shapes[j],
                    pose_b: &poses[j],
                    cache,
                }
            })
            .collect()
    }

    /// Nanoseconds of Cameron's estimate for a pair that overlaps.
    fn time_estimate(&self) -> f64 {
        let frame = &self.frames[0];
        let overlapping = || frame.candidates.iter().filter(|c| c.overlaps);
        let start = Instant::now();
        for candidate in overlapping() {
            let [i, j] = candidate.bodies;
            let cache = PairCache::default();
            black_box(estimate_depth(
                &self.shapes[i],
                &frame.poses[i],
                &self.shapes[j],
                &frame.poses[j],
                &cache,
            ));
        }
        start.elapsed().as_secs_f64() * 1e9 / overlapping().count() as f64
    }

    /// Finds out which candidates overlap, and compares some of the depths with the exact ones.
    fn check(&mut self) {
        let mut caches = vec![PairCache::default(); self.pairs];
        for number in 0..self.frames.len() {
            let frame = &self.frames[number];
            let candidates: Vec<&Candidate> = frame.candidates.iter().collect();
            let mut own: Vec<PairCache> = candidates.iter().map(|c| caches[c.number]).collect();
            let mut pairs = self.pairs(&frame.poses, &candidates, &mut own);
            let mut overlaps = vec![false; candidates.len()];
            signed_distance_each(&mut pairs, |k, signed| {
                overlaps[k] = matches!(signed, SignedDistance::Overlapping(_));
                if k % CHECKED == 0 {
                    self.check_one(frame, candidates[k], &signed);
                }
            });
            for (candidate, cache) in candidates.iter().zip(own) {
                caches[candidate.number] = cache;
            }
            let candidates = &mut self.frames[number].candidates;
            for (candidate, overlaps) in candidates.iter_mut().zip(overlaps) {
                candidate.overlaps = overlaps;
            }
        }
    }

    fn check_one(&self, frame: &Frame, candidate: &Candidate, signed: &SignedDistance) {
        let [a, b] = candidate.bodies.map(|body| {
            let placed = self.shapes[body].vertices().iter();
            let placed = placed.map(|v| frame.poses[body].place(*v));
            placed.collect::<Vec<Vec3>>()
        });
        match (signed, hull_penetration(&a, &b)) {
            (SignedDistance::Overlapping(deep), Some(exact)) => {
                let (bounds, exact) = (deep.bounds, exact.bounds);
                assert!(bounds.lower <= exact.upper && exact.lower <= bounds.upper);
            }
            (SignedDistance::Apart(_), None) => {}
            (signed, exact) => panic!("{signed:?} is not {exact:?}"),
        }
    }
}

/// Where the bodies are: each flies straight between walls and turns steadily.
fn poses(side: f64, frame: f64) -> Vec<Pose> {
    let starts = in_cube(SHAPES, 11);
    let (velocities, axes, turns) = (
        on_sphere(SHAPES, 12),
        on_sphere(SHAPES, 13),
        on_sphere(SHAPES, 14),
    );
    (0..SHAPES)
        .map(|i| {
            let start = (starts[i] + Vec3::ONE) * (0.5 * side);
            let position = (start + velocities[i] * (0.1 * frame)).map(|x| {
                let folded = x.rem_euclid(2.0 * side);
                folded.min(2.0 * side - folded)
            });
            let turn = Quat::from_axis_angle(axes[i], 10f64.to_radians() * frame)
                * Quat::from_scaled_axis(turns[i] * 3.0);
            Pose::from_quat(turn.normalize(), position).expect("the poses are finite")
        })
        .collect()
}

fn overlapping_boxes(shapes: &[Polytope], poses: &[Pose]) -> Vec<[usize; 2]> {
    let boxes: Vec<Aabb> = shapes
        .iter()
        .zip(poses)
        .filter_map(|(s, pose)| Aabb::of_points(s.vertices().iter().map(|v| pose.place(*v))))
        .collect();
    let all = (0..boxes.len()).flat_map(|i| (i + 1..boxes.len()).map(move |j| [i, j]));
    all.filter(|[i, j]| boxes[*i].overlaps(&boxes[*j]))
        .collect()
}
