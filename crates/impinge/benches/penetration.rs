//! How deep the overlapping pairs of a crowded cube overlap: nanoseconds a pair, beside Cameron's estimate.
//!
//! The pairs are the overlapping candidates of the multi-body scene of I-COLLIDE (1995) at a density of a tenth. `depth`
//! keeps a cache for each pair and asks one by one, `cold` remembers nothing; the estimate never does. The `signed`
//! questions of the bench `convex_pairs` are the same work mixed with pairs that are apart, and check the answers.
//!
//! `cargo bench --bench penetration -- [REPEATS]`. The fastest of the repeats is counted. Every estimate is compared with the
//! depth.

use impinge::narrow::depth::cameron::estimate_depth;
use impinge::narrow::{PairCache, PolytopePair, intersects_each, penetration_polytopes};
use impinge_scenes::crowd::{Candidate, Crowd};
use impinge_scenes::multi_body::MultiBodyOptions;
use std::hint::black_box;
use std::time::Instant;

const FRAMES: usize = 30;

fn main() {
    let repeats = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(10);
    println!("ns an overlapping pair:   pairs   depth    cold  estimate");
    for faces in [36, 500] {
        let options = MultiBodyOptions {
            faces,
            density_percent: 10.0,
            ..MultiBodyOptions::default()
        };
        let crowd = Crowd::simulate(&options, FRAMES).expect("the options are in range");
        let overlapping = overlapping(&crowd);
        check_estimates(&crowd, &overlapping);
        let columns = [
            fastest(&crowd, &overlapping, repeats, ask_depth),
            fastest(&crowd, &overlapping, repeats, |pair| {
                *pair.cache = PairCache::default();
                ask_depth(pair);
            }),
            fastest(&crowd, &overlapping, repeats, |pair| {
                black_box(estimate_depth(
                    pair.a,
                    pair.pose_a,
                    pair.b,
                    pair.pose_b,
                    &PairCache::default(),
                ));
            }),
        ];
        let pairs: usize = overlapping.iter().map(Vec::len).sum();
        let [depth, cold, estimate] = columns.map(|seconds| seconds * 1e9 / pairs as f64);
        println!("{faces:14} faces {pairs:10} {depth:7.1} {cold:7.1} {estimate:9.1}");
    }
}

/// The candidates of each frame that overlap.
fn overlapping(crowd: &Crowd) -> Vec<Vec<Candidate>> {
    let mut caches = vec![PairCache::default(); crowd.pair_count()];
    let frames = crowd.frames().iter();
    frames
        .map(|frame| {
            let pairs = crowd.pairs(&frame.candidates, &frame.poses, &mut caches);
            let mut found = Vec::new();
            intersects_each(&mut pairs.collect::<Vec<_>>(), |k, intersects| {
                found.extend(intersects.then_some(k));
            });
            found.sort_unstable();
            found.iter().map(|k| frame.candidates[*k]).collect()
        })
        .collect()
}

/// Seconds for all pairs of all frames, caches kept.
fn fastest(
    crowd: &Crowd,
    overlapping: &[Vec<Candidate>],
    repeats: usize,
    ask: impl Fn(&mut PolytopePair<'_>),
) -> f64 {
    let seconds = (0..repeats).map(|_| {
        let mut caches = vec![PairCache::default(); crowd.pair_count()];
        let start = Instant::now();
        for (frame, candidates) in crowd.frames().iter().zip(overlapping) {
            for mut pair in crowd.pairs(candidates, &frame.poses, &mut caches) {
                ask(&mut pair);
            }
        }
        start.elapsed().as_secs_f64()
    });
    seconds.fold(f64::INFINITY, f64::min)
}

fn ask_depth(p: &mut PolytopePair<'_>) {
    black_box(penetration_polytopes(p.a, p.pose_a, p.b, p.pose_b, p.cache));
}

/// The certified intervals of estimate and depth have a point in common.
fn check_estimates(crowd: &Crowd, overlapping: &[Vec<Candidate>]) {
    let mut caches = vec![PairCache::default(); crowd.pair_count()];
    for (frame, candidates) in crowd.frames().iter().zip(overlapping) {
        for p in crowd.pairs(candidates, &frame.poses, &mut caches) {
            let estimate = estimate_depth(p.a, p.pose_a, p.b, p.pose_b, p.cache);
            let depth = penetration_polytopes(p.a, p.pose_a, p.b, p.pose_b, p.cache);
            let estimate = estimate.expect("the pair overlaps").bounds;
            let depth = depth.expect("the pair overlaps").bounds;
            assert!(estimate.lower <= depth.upper && depth.lower <= estimate.upper);
        }
    }
}
