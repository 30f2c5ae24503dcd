//! Closest-feature tracking by the number of vertices: coherent, at a fixed turn a frame, and cold.
//!
//! Each iteration is one query; bodies go through their frames forward and back, so that every frame is near the last one.
//! Before anything is timed, all frames are compared with the default method.

use divan::Bencher;
use impinge::narrow::lin_canny::{DirectionTable, FeatureCache, Start, closest};
use impinge::narrow::{PairCache, distance_polytopes};
use impinge::{Polytope, Pose, Vec3};
use impinge_scenes::points::on_sphere;

const VERTICES: [usize; 4] = [20, 200, 2000, 20_000];
const FRAMES: usize = 256;
/// Queries in a sample: all frames forward and back.
const PASS: u32 = 2 * FRAMES as u32;

fn main() {
    divan::main();
}

/// Two polytopes that turn beside each other.
struct Scene {
    a: Polytope,
    b: Polytope,
    frames: Vec<[Pose; 2]>,
}

impl Scene {
    /// Polytopes in unit balls, their centres so far apart, turning by so many radians a frame.
    fn new(vertices: usize, distance: f64, spin: f64) -> Scene {
        let shape = |seed| {
            Polytope::from_points(&on_sphere(vertices, seed))
                .expect("points on a sphere have a hull")
        };
        let pose = |axis: Vec3, angle: f64, at: Vec3| {
            Pose::from_axis_angle(axis, angle, at).expect("poses are finite")
        };
        let frames = (0..FRAMES)
            .map(|frame| {
                let angle = spin * frame as f64;
                [
                    pose(Vec3::new(1.0, 2.0, 3.0), angle, Vec3::ZERO),
                    pose(Vec3::new(-2.0, 1.0, 0.5), angle, Vec3::X * distance),
                ]
            })
            .collect();
        let scene = Scene {
            a: shape(1),
            b: shape(2),
            frames,
        };
        scene.check();
        scene
    }

    /// Frames forward and back.
    fn frame(&self, index: usize) -> &[Pose; 2] {
        let place = index % (2 * FRAMES);
        &self.frames[place.min(2 * FRAMES - 1 - place)]
    }

    /// Every frame as the default method sees it, without falling back on that.
    fn check(&self) {
        let (mut features, mut cache) = (FeatureCache::default(), PairCache::default());
        for [pose_a, pose_b] in &self.frames {
            let found = closest(
                &self.a,
                pose_a,
                &self.b,
                pose_b,
                Start::Previous,
                &mut features,
            );
            let expected = distance_polytopes(&self.a, pose_a, &self.b, pose_b, &mut cache);
            let (ours, theirs) = (found.separation.bounds, expected.bounds);
            assert!(ours.lower <= theirs.upper && theirs.lower <= ours.upper && !found.fell_back);
        }
    }

    /// Times one query a frame, the cache kept.
    fn track(&self, bencher: Bencher<'_, '_>) {
        let (mut index, mut cache) = (0, FeatureCache::default());
        bencher.bench_local(|| {
            let [pose_a, pose_b] = self.frame(index);
            index += 1;
            closest(
                &self.a,
                pose_a,
                &self.b,
                pose_b,
                Start::Previous,
                &mut cache,
            )
        });
    }
}

/// Turning by a hundredth of the spacing of the vertices a frame.
fn below_feature_size(vertices: usize) -> f64 {
    0.035 / (vertices as f64).sqrt()
}

#[divan::bench(args = VERTICES, sample_size = PASS)]
fn coherent_below_feature_size(bencher: Bencher<'_, '_>, vertices: usize) {
    Scene::new(vertices, 2.1, below_feature_size(vertices)).track(bencher);
}

#[divan::bench(args = VERTICES, sample_size = PASS)]
fn coherent_at_one_degree(bencher: Bencher<'_, '_>, vertices: usize) {
    Scene::new(vertices, 2.1, 1f64.to_radians()).track(bencher);
}

#[divan::bench(args = VERTICES, sample_size = PASS)]
fn penetrating_at_one_degree(bencher: Bencher<'_, '_>, vertices: usize) {
    Scene::new(vertices, 1.5, 1f64.to_radians()).track(bencher);
}

#[divan::bench(args = VERTICES, sample_size = PASS)]
fn cold_from_table(bencher: Bencher<'_, '_>, vertices: usize) {
    let scene = Scene::new(vertices, 2.1, 1.0);
    let tables = [&scene.a, &scene.b]
        .map(|polytope| DirectionTable::new(polytope, 16).expect("16 is in range"));
    let mut index = 0;
    bencher.bench_local(|| {
        let [pose_a, pose_b] = scene.frame(index);
        index += 1;
        let start = Start::Table([&tables[0], &tables[1]]);
        closest(
            &scene.a,
            pose_a,
            &scene.b,
            pose_b,
            start,
            &mut FeatureCache::default(),
        )
    });
}

#[divan::bench(args = VERTICES, sample_size = PASS)]
fn cold_from_climb(bencher: Bencher<'_, '_>, vertices: usize) {
    let scene = Scene::new(vertices, 2.1, 1.0);
    let mut index = 0;
    bencher.bench_local(|| {
        let [pose_a, pose_b] = scene.frame(index);
        index += 1;
        let mut cache = FeatureCache::default();
        closest(
            &scene.a,
            pose_a,
            &scene.b,
            pose_b,
            Start::Previous,
            &mut cache,
        )
    });
}

#[divan::bench(args = VERTICES, sample_size = PASS)]
fn cold_from_random(bencher: Bencher<'_, '_>, vertices: usize) {
    let scene = Scene::new(vertices, 2.1, 1.0);
    let mut index = 0;
    bencher.bench_local(|| {
        let [pose_a, pose_b] = scene.frame(index);
        index += 1;
        let start = Start::Random(index as u64);
        closest(
            &scene.a,
            pose_a,
            &scene.b,
            pose_b,
            start,
            &mut FeatureCache::default(),
        )
    });
}
