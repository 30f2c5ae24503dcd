//! Many polytope pairs in one call, of all sizes side by side, frame after frame, with caches that may be those of other pairs: the
//! answers are those of exact arithmetic for each pair by itself.
#![no_main]

use impinge::exact::{HullDistance, hull_distance, hull_penetration};
use impinge::narrow::{
    PairCache, PolytopePair, distance_each, intersects_each, signed_distance_each,
};
use impinge::{Interval, Polytope, Pose, Separation, SignedDistance, Vec3};
use impinge_fuzz::{Bytes, shapes};
use impinge_scenes::points::{in_ball, on_grid, on_sphere};
use libfuzzer_sys::fuzz_target;

/// Past this many, an input is only longer.
const MOST_PAIRS: usize = 20;
const FRAMES: usize = 3;
/// Exact depths of larger ones take too long.
const MOST_DEEP: usize = 24;
/// How many points polytopes are made of: few, some hundred, and on both sides of each limit between.
const COUNTS: [usize; 12] = [4, 6, 8, 12, 20, 20, 31, 33, 40, 64, 66, 130];

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let shapes: Vec<Polytope> = (0..4).filter_map(|_| polytope(&mut bytes)).collect();
    if shapes.is_empty() {
        return;
    }
    let count = 1 + usize::from(bytes.byte()) % MOST_PAIRS;
    let mut pairs: Vec<Case<'_>> = (0..count)
        .filter_map(|_| Case::new(&shapes, &mut bytes))
        .collect();
    let mut caches = [
        vec![PairCache::default(); count],
        vec![PairCache::default(); count],
        vec![PairCache::default(); count],
    ];
    for _ in 0..FRAMES {
        check(&pairs, &mut caches);
        for pair in &mut pairs {
            pair.change(&mut bytes);
        }
        // Caches of other pairs, and of other questions.
        if bytes.byte() % 4 == 0 {
            caches.rotate_left(1);
            let by = usize::from(bytes.byte()) % count;
            caches[0].rotate_left(by);
        }
    }
});

/// Two polytopes and where they are.
struct Case<'a> {
    shapes: [&'a Polytope; 2],
    poses: [Pose; 2],
}

impl<'a> Case<'a> {
    fn new(shapes: &'a [Polytope], bytes: &mut Bytes<'_>) -> Option<Case<'a>> {
        let mut any = || &shapes[usize::from(bytes.byte()) % shapes.len()];
        let chosen = [any(), any()];
        let poses = [shapes::pose(bytes)?, shapes::pose(bytes)?];
        let mut case = Case {
            shapes: chosen,
            poses,
        };
        if bytes.byte() % 4 != 0 {
            case.approach(bytes);
        }
        Some(case)
    }

    fn placed(&self) -> [Vec<Vec3>; 2] {
        let [a, b] = self.shapes;
        let [at_a, at_b] = &self.poses;
        let place = |polytope: &Polytope, pose: &Pose| {
            let vertices = polytope.vertices().iter();
            vertices.map(|v| pose.place(*v)).collect::<Vec<Vec3>>()
        };
        [place(a, at_a), place(b, at_b)]
    }

    /// Moves `b` near to `a`: beside it, into it, or so that they touch but for rounding.
    fn approach(&mut self, bytes: &mut Bytes<'_>) {
        let [a, b] = self.shapes;
        let from = self.poses[0].place(a.centroid());
        let way = self.poses[1].place(b.centroid()) - from;
        let way = way.try_normalize().unwrap_or(Vec3::X);
        let share = f64::from(bytes.byte()) / 160.0;
        let center = from + way * ((a.radius() + b.radius()) * share);
        let turned = self.poses[1].rotate(b.centroid());
        self.put_b(center - turned);
        if bytes.byte() % 2 == 0 {
            let [p, q] = self.placed();
            if (p.iter().chain(&q)).all(|v| v.is_finite() && v.abs().max_element() < 1e100) {
                let near = hull_distance(&p, &q);
                let between = near.witness.a - near.witness.b;
                self.put_b(self.poses[1].translation() + between);
            }
        }
    }

    /// Moves or turns one of them, or nothing.
    fn change(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 5 {
            0 => {}
            1 => {
                let share = [1e-15, 1e-9, 1e-3, 0.05][usize::from(bytes.byte() % 4)];
                let [b] = bytes.points::<1>();
                let way = b.try_normalize().unwrap_or(Vec3::Y);
                let step = way * (self.shapes[1].radius() * share);
                self.put_b(self.poses[1].translation() + step);
            }
            2 => {
                if let Some(pose) = shapes::pose(bytes) {
                    self.poses[0] = pose;
                }
            }
            _ => self.approach(bytes),
        }
    }

    fn put_b(&mut self, translation: Vec3) {
        if let Ok(pose) = Pose::from_matrix(*self.poses[1].matrix(), translation) {
            self.poses[1] = pose;
        }
    }
}

/// A polytope of any size and shape; none where it would be flat.
fn polytope(bytes: &mut Bytes<'_>) -> Option<Polytope> {
    let count = COUNTS[usize::from(bytes.byte()) % COUNTS.len()];
    let (kind, seed) = (bytes.byte(), u64::from(bytes.byte()));
    let points = match kind % 4 {
        0 | 1 => on_sphere(count, seed),
        2 => on_grid(count.max(8), 3, seed),
        _ => in_ball(count, seed),
    };
    // Needles and plates, too.
    let mut squeeze = || [1.0, 1.0, 1.0, 0.3, 1e-3, 1e-6][usize::from(bytes.byte()) % 6];
    let [x, y, z] = [squeeze(), squeeze(), squeeze()];
    let scale = [1.0, 1.0, 0.37, 1e-9, 1e9, 1e-30][usize::from(bytes.byte()) % 6];
    let [shift] = bytes.points();
    let shift = if bytes.byte() % 2 == 0 && shift.length() < 1e6 {
        shift * scale
    } else {
        Vec3::ZERO
    };
    let points: Vec<Vec3> = (points.iter())
        .map(|p| Vec3::new(p.x * x, p.y * y, p.z * z) * scale + shift)
        .collect();
    Polytope::from_points(&points).ok()
}

/// Asks all three questions about all pairs at once.
fn check(pairs: &[Case<'_>], caches: &mut [Vec<PairCache>; 3]) {
    let mut overlaps = vec![None; pairs.len()];
    let mut distances = vec![None; pairs.len()];
    let mut signed = vec![None; pairs.len()];
    let [first, second, third] = caches;
    intersects_each(&mut lent(pairs, first), |k, found| {
        assert_eq!(overlaps[k].replace(found), None);
    });
    distance_each(&mut lent(pairs, second), |k, found| {
        assert_eq!(distances[k].replace(found), None);
    });
    signed_distance_each(&mut lent(pairs, third), |k, found| {
        assert_eq!(signed[k].replace(found), None);
    });
    for (k, pair) in pairs.iter().enumerate() {
        let [a, b] = pair.placed();
        if !a.iter().chain(&b).all(|v| v.is_finite()) {
            continue;
        }
        let truth = hull_distance(&a, &b);
        assert_eq!(overlaps[k], Some(truth.is_intersecting()));
        let found = distances[k].expect("each pair has an answer");
        check_distance(&found, &truth);
        match signed[k].expect("each pair has an answer") {
            SignedDistance::Apart(found) => {
                assert!(!truth.is_intersecting());
                check_distance(&found, &truth);
            }
            SignedDistance::Overlapping(deep) => {
                assert!(truth.is_intersecting());
                assert!(deep.bounds.contains(deep.depth), "{deep:?}");
                let is_small = a.len().max(b.len()) <= MOST_DEEP;
                if let Some(exact) = is_small.then(|| hull_penetration(&a, &b)).flatten() {
                    assert!(meet(deep.bounds, exact.bounds), "{deep:?} {exact:?}");
                }
            }
        }
    }
}

fn lent<'p>(pairs: &'p [Case<'_>], caches: &'p mut [PairCache]) -> Vec<PolytopePair<'p>> {
    let both = pairs.iter().zip(caches);
    both.map(|(pair, cache)| PolytopePair {
        a: pair.shapes[0],
        pose_a: &pair.poses[0],
        b: pair.shapes[1],
        pose_b: &pair.poses[1],
        cache,
    })
    .collect()
}

fn check_distance(found: &Separation, truth: &HullDistance) {
    assert_eq!(found.distance == 0.0, truth.is_intersecting());
    assert!(found.bounds.contains(found.distance), "{found:?}");
    assert!(meet(found.bounds, truth.bounds), "{found:?} {truth:?}");
}

fn meet(p: Interval, q: Interval) -> bool {
    p.lower <= q.upper && q.lower <= p.upper
}
