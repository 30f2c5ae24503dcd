//! Polytope pairs of a crowded box, frame by frame: nanoseconds a candidate pair, and whether the answers are right.
//!
//! The scene is the multi-body benchmark of Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995): polytopes of unit size fly
//! straight and tumble, each moving a tenth of its radius and turning ten degrees a frame. A pair is a candidate while
//! the boxes of its placed vertices overlap. `coherent` keeps a cache for each pair, `cold` starts each query afresh.
//!
//! `cargo bench --bench convex_pairs -- [REPEATS]`. Each frame is timed by itself and the fastest of the repeats is
//! counted, so that a busy machine disturbs little. Every answer is compared with the exact path once.

use impinge::exact::{counts, hull_distance, hulls_intersect};
use impinge::narrow::{
    PairCache, PolytopePair, distance_each, distance_polytopes, intersects_each,
    intersects_polytopes,
};
use impinge::{Aabb, Polytope, Pose, Quat, Vec3};
use impinge_scenes::points::on_sphere;
use impinge_scenes::polytopes::random_polytope;
use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

const FRAMES: usize = 60;
const SHAPES: usize = 1000;

fn main() {
    let repeats = std::env::args()
        .find_map(|arg| arg.parse().ok())
        .unwrap_or(10);
    for (faces, density) in [(36, 0.01), (36, 0.1), (500, 0.01)] {
        let scene = Scene::new(faces, density);
        scene.report(&format!("{faces} faces, {}%", density * 100.0), repeats);
    }
}

/// All poses of all frames, and the candidate pairs of each.
struct Scene {
    shapes: Vec<Polytope>,
    frames: Vec<Frame>,
    /// How many different pairs there are over all frames.
    pairs: usize,
}

struct Frame {
    poses: Vec<Pose>,
    /// The two bodies of a candidate pair, and its number among all pairs.
    candidates: Vec<(usize, usize, usize)>,
}

impl Scene {
    fn new(faces: usize, density: f64) -> Scene {
        let shapes: Vec<Polytope> = (0..SHAPES as u64)
            .map(|seed| random_polytope(faces, seed).expect("points on a sphere span a volume"))
            .collect();
        let volume: f64 = shapes.iter().map(Polytope::volume).sum();
        let side = (volume / density).cbrt();
        let flights = Flight::all(&shapes, side);
        let mut numbers = HashMap::new();
        let frames = (0..FRAMES)
            .map(|frame| {
                let poses: Vec<Pose> = flights.iter().map(|f| f.at(frame as f64, side)).collect();
                let candidates = overlapping_boxes(&shapes, &poses)
                    .into_iter()
                    .map(|(i, j)| {
                        let next = numbers.len();
                        (i, j, *numbers.entry((i, j)).or_insert(next))
                    })
                    .collect();
                Frame { poses, candidates }
            })
            .collect();
        Scene {
            shapes,
            frames,
            pairs: numbers.len(),
        }
    }

    fn report(&self, name: &str, repeats: usize) {
        let candidates: usize = self.frames.iter().map(|f| f.candidates.len()).sum();
        let touching = self.check();
        let before = counts();
        let overlap = [true, false].map(|coherent| {
            self.time(repeats, coherent, |pairs| {
                for p in pairs {
                    black_box(intersects_polytopes(p.a, p.pose_a, p.b, p.pose_b, p.cache));
                }
            })
        });
        let overlap_each = self.time(repeats, true, |pairs| {
            intersects_each(pairs, |_, answer| {
                black_box(answer);
            });
        });
        let distance = [true, false].map(|coherent| {
            self.time(repeats, coherent, |pairs| {
                for p in pairs {
                    black_box(distance_polytopes(p.a, p.pose_a, p.b, p.pose_b, p.cache));
                }
            })
        });
        let distance_all = self.time(repeats, true, |pairs| {
            distance_each(pairs, |_, answer| {
                black_box(answer);
            });
        });
        let used = counts() - before;
        println!(
            "{name}: {candidates} candidates, {:.0} % intersecting, {} exact fall-backs in {} queries",
            100.0 * touching as f64 / candidates as f64,
            used.big,
            used.total(),
        );
        for (question, [coherent, cold], each) in [
            ("intersects", overlap, overlap_each),
            ("distance", distance, distance_all),
        ] {
            println!(
                "  {question:10}  coherent {coherent:6.1} ns   coherent, many at once {each:6.1} ns   cold {cold:6.1} ns"
            );
        }
    }

    /// Nanoseconds a candidate pair: for each frame the fastest of the repeats.
    fn time(
        &self,
        repeats: usize,
        coherent: bool,
        mut query: impl FnMut(&mut [PolytopePair<'_>]),
    ) -> f64 {
        let mut fastest = vec![f64::INFINITY; self.frames.len()];
        for _ in 0..repeats {
            let mut caches = vec![PairCache::default(); self.pairs];
            for (frame, fastest) in self.frames.iter().zip(&mut fastest) {
                // The poses are fresh in a running program.
                let poses = frame.poses.clone();
                let mut own: Vec<PairCache> = frame
                    .candidates
                    .iter()
                    .map(|(_, _, pair)| {
                        if coherent {
                            caches[*pair]
                        } else {
                            PairCache::default()
                        }
                    })
                    .collect();
                let mut pairs: Vec<PolytopePair<'_>> = frame
                    .candidates
                    .iter()
                    .zip(&mut own)
                    .map(|(&(i, j, _), cache)| PolytopePair {
                        a: &self.shapes[i],
                        pose_a: &poses[i],
                        b: &self.shapes[j],
                        pose_b: &poses[j],
                        cache,
                    })
                    .collect();
                let start = Instant::now();
                query(&mut pairs);
                *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e9);
                for ((_, _, pair), cache) in frame.candidates.iter().zip(own) {
                    caches[*pair] = cache;
                }
            }
        }
        let candidates: usize = self.frames.iter().map(|f| f.candidates.len()).sum();
        fastest.iter().sum::<f64>() / candidates as f64
    }

    /// Compares every coherent answer with the exact path; how many pairs intersect.
    fn check(&self) -> usize {
        let mut caches = vec![[PairCache::default(); 2]; self.pairs];
        let mut touching = 0;
        for frame in &self.frames {
            for (k, &(i, j, pair)) in frame.candidates.iter().enumerate() {
                let (a, b) = (&self.shapes[i], &self.shapes[j]);
                let (pa, pb) = (&frame.poses[i], &frame.poses[j]);
                let [p, q] = [(a, pa), (b, pb)].map(|(s, pose)| {
                    s.vertices()
                        .iter()
                        .map(|v| pose.place(*v))
                        .collect::<Vec<_>>()
                });
                let truth = hulls_intersect(&p, &q);
                touching += usize::from(truth);
                let [first, second] = &mut caches[pair];
                assert_eq!(intersects_polytopes(a, pa, b, pb, first), truth);
                let near = distance_polytopes(a, pa, b, pb, second);
                assert_eq!(near.distance == 0.0, truth);
                // Exact distances take their time.
                if k % 16 == 0 {
                    let exact = hull_distance(&p, &q);
                    assert!(
                        near.bounds.lower <= exact.bounds.upper
                            && exact.bounds.lower <= near.bounds.upper
                    );
                }
            }
        }
        touching
    }
}

/// A body that flies straight between walls and turns steadily.
struct Flight {
    start: Vec3,
    velocity: Vec3,
    turn: Quat,
    axis: Vec3,
}

impl Flight {
    fn all(shapes: &[Polytope], side: f64) -> Vec<Flight> {
        let unit = |seed: u64| on_sphere(shapes.len(), seed);
        let starts = impinge_scenes::points::in_cube(shapes.len(), 11);
        let (velocities, axes, turns) = (unit(12), unit(13), unit(14));
        (0..shapes.len())
            .map(|i| Flight {
                start: (starts[i] + Vec3::ONE) * (0.5 * side),
                velocity: velocities[i] * 0.1 * shapes[i].radius(),
                turn: Quat::from_scaled_axis(turns[i] * 3.0 * starts[i].x),
                axis: axes[i],
            })
            .collect()
    }

    fn at(&self, frame: f64, side: f64) -> Pose {
        let position = (self.start + self.velocity * frame).map(|x| {
            let folded = x.rem_euclid(2.0 * side);
            folded.min(2.0 * side - folded)
        });
        let turn = Quat::from_axis_angle(self.axis, 10f64.to_radians() * frame) * self.turn;
        Pose::from_quat(turn.normalize(), position).expect("the poses are finite")
    }
}

fn overlapping_boxes(shapes: &[Polytope], poses: &[Pose]) -> Vec<(usize, usize)> {
    let boxes: Vec<Aabb> = shapes
        .iter()
        .zip(poses)
        .filter_map(|(s, pose)| Aabb::of_points(s.vertices().iter().map(|v| pose.place(*v))))
        .collect();
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|i, j| boxes[*i].min().x.total_cmp(&boxes[*j].min().x));
    let mut pairs = Vec::new();
    for (k, &i) in order.iter().enumerate() {
        for &j in &order[k + 1..] {
            if boxes[j].min().x > boxes[i].max().x {
                break;
            }
            if boxes[i].overlaps(&boxes[j]) {
                pairs.push((i.min(j), i.max(j)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
