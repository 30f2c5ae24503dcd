//! One kind of tree on one scene: time, work and memory. All kinds must give the same answers.

use super::scenes::Scene;
use impinge::bvh::{TreeKind, TreePair, TreeSearch, Work};
use impinge::narrow::PairCache;
use impinge::query;
use impinge::{Pose, Separation, Shape, TriMesh, Vec3};
use std::time::Instant;

/// What is compared: a kind of tree of the catalogue, or the default of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rival {
    Default,
    Tree(TreeKind),
}

impl Rival {
    pub(super) fn all() -> impl Iterator<Item = Rival> {
        let trees = TreeKind::ALL.into_iter().map(Rival::Tree);
        trees.chain([Rival::Default])
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Rival::Default => "default",
            Rival::Tree(kind) => kind.name(),
        }
    }
}

/// One question: microseconds, and pairs looked at (NaN where they are not counted).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) micros: f64,
    pub(super) node_pairs: f64,
    pub(super) triangle_pairs: f64,
}

/// What a rival came to on a scene.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) rival: Rival,
    /// Milliseconds for both trees.
    pub(super) build: f64,
    /// Of both trees, a triangle.
    pub(super) bytes: f64,
    pub(super) overlap: Cost,
    pub(super) distance: Cost,
    /// Microseconds of a distance that begins with the closest triangles of a query a thousandth of a unit away.
    pub(super) coherent: f64,
}

/// The answers of a rival.
struct Answers {
    meet: Vec<bool>,
    near: Vec<Separation>,
}

/// What a query remembers of the one before.
#[derive(Default)]
struct Last {
    cache: PairCache,
    pair: Option<[u32; 2]>,
}

/// A rival ready to be asked.
enum Ready {
    Default { shapes: [Shape; 2] },
    Tree { trees: TreePair, search: TreeSearch },
}

impl Ready {
    fn meet(&mut self, poses: [Pose; 2]) -> bool {
        match self {
            Ready::Default { shapes } => {
                query::intersects(shapes[0].at(poses[0]), shapes[1].at(poses[1]))
            }
            Ready::Tree { trees, search } => trees.meeting(poses, search).is_some(),
        }
    }

    fn near(&mut self, poses: [Pose; 2]) -> Separation {
        match self {
            Ready::Default { shapes } => {
                query::distance(shapes[0].at(poses[0]), shapes[1].at(poses[1]))
            }
            Ready::Tree { trees, search } => trees.closest(poses, None, search).0,
        }
    }

    /// A distance from where the last one ended.
    fn follow(&mut self, [p, q]: [Pose; 2], last: &mut Last) -> Separation {
        match self {
            Ready::Default { shapes } => {
                query::distance_with(shapes[0].at(p), shapes[1].at(q), &mut last.cache)
            }
            Ready::Tree { trees, search } => {
                let (near, pair) = trees.closest([p, q], last.pair, search);
                last.pair = Some(pair);
                near
            }
        }
    }

    /// What was done since the last call.
    fn work(&mut self) -> Option<Work> {
        match self {
            Ready::Default { .. } => None,
            Ready::Tree { search, .. } => {
                let work = search.work();
                search.reset_work();
                Some(work)
            }
        }
    }
}

/// Measures a rival; the answers must be those of the default.
pub(super) fn measure(rival: Rival, scene: &Scene, rounds: u32) -> Result<Entry, String> {
    let (mut ready, build, bytes) = build(rival, scene)?;
    let poses = &scene.poses;
    let nothing = |_: &mut Ready, _| ();
    let (overlap, meet) = ask(&mut ready, poses, rounds, nothing, |ready, at, ()| {
        ready.meet(at)
    });
    let (distance, near) = ask(&mut ready, poses, rounds, nothing, |ready, at, ()| {
        ready.near(at)
    });
    check(scene, &Answers { meet, near })?;
    let step = Pose::from_translation(Vec3::new(0.0006, -0.0005, 0.0006));
    let step = step.map_err(|error| error.to_string())?;
    let before = |ready: &mut Ready, [p, q]: [Pose; 2]| {
        let mut last = Last::default();
        ready.follow([p, step.compose(&q)], &mut last);
        last
    };
    let (coherent, _) = ask(&mut ready, poses, rounds, before, |ready, at, mut last| {
        ready.follow(at, &mut last)
    });
    Ok(Entry {
        rival,
        build,
        bytes,
        overlap,
        distance,
        coherent: coherent.micros,
    })
}

fn build(rival: Rival, scene: &Scene) -> Result<(Ready, f64, f64), String> {
    let [a, b] = &scene.meshes;
    let count = (a.triangles().len() + b.triangles().len()) as f64;
    let start = Instant::now();
    let (ready, bytes) = match rival {
        Rival::Default => {
            // A mesh is built with its tree.
            let again = |mesh: &TriMesh| {
                TriMesh::new(mesh.vertices().to_vec(), mesh.triangles().to_vec())
                    .map(Shape::from)
                    .map_err(|error| error.to_string())
            };
            let shapes = [again(a)?, again(b)?];
            (Ready::Default { shapes }, a.tree_bytes() + b.tree_bytes())
        }
        Rival::Tree(kind) => {
            let trees = TreePair::new(kind, a, b);
            let bytes = trees.bytes();
            let search = TreeSearch::default();
            (Ready::Tree { trees, search }, bytes)
        }
    };
    let millis = start.elapsed().as_secs_f64() * 1e3;
    Ok((ready, millis, bytes as f64 / count))
}

/// Asks at all poses, some rounds, each time after something that does not count. Each pose counts by its quickest round: what other programs do at the same time
/// costs whole time slices.
fn ask<L, T>(
    ready: &mut Ready,
    poses: &[[Pose; 2]],
    rounds: u32,
    before: impl Fn(&mut Ready, [Pose; 2]) -> L,
    question: impl Fn(&mut Ready, [Pose; 2], L) -> T,
) -> (Cost, Vec<T>) {
    let mut best = vec![f64::INFINITY; poses.len()];
    let mut answers = Vec::new();
    let mut work = None;
    for _ in 0..rounds {
        ready.work();
        answers.clear();
        for (pose, best) in poses.iter().zip(&mut best) {
            let last = before(ready, *pose);
            let start = Instant::now();
            answers.push(question(ready, *pose, last));
            *best = best.min(start.elapsed().as_secs_f64());
        }
        work = ready.work();
    }
    let count = poses.len() as f64;
    let counted = |of: fn(Work) -> u64| work.map_or(f64::NAN, |work| of(work) as f64 / count);
    let cost = Cost {
        micros: best.iter().sum::<f64>() * 1e6 / count,
        node_pairs: counted(|work| work.node_pairs),
        triangle_pairs: counted(|work| work.triangle_pairs),
    };
    (cost, answers)
}

fn check(scene: &Scene, answers: &Answers) -> Result<(), String> {
    let shapes = scene.meshes.clone().map(Shape::Mesh);
    for (k, poses) in scene.poses.iter().enumerate() {
        let (a, b) = (shapes[0].at(poses[0]), shapes[1].at(poses[1]));
        let expected = query::distance(a, b).bounds;
        let found = answers.near[k].bounds;
        let is_same = answers.meet[k] == query::intersects(a, b)
            && found.lower <= expected.upper
            && expected.lower <= found.upper;
        if !is_same {
            return Err(format!("{}, pose {k}: answers differ", scene.name));
        }
    }
    Ok(())
}
