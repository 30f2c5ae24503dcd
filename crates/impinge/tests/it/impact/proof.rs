//! Many pairs, random and adversarial: none missed, none late, none early by more than the tolerance.
//!
//! Straight motions are compared with exact times, of polytopes along all directions that can separate them, of soups by all pairs of
//! triangles; turning ones with the exact test at many times. A hundred thousand of them with `IMPINGE_FULL=1`.

use super::straight::{Int3, compare, grid_polytope};
use super::surfaces::{agree, first_of_all, solid, soup};
use super::{Scene, ask, at, still, straight};
use impinge::{ImpactKind, Interval, Motion, Polytope, Pose, Quat, Shape, Vec3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How two polytopes are made to meet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plan {
    /// Anywhere, mostly towards each other.
    Random,
    /// Thin plates that pass each other at a thousand times their thickness and more.
    Plates,
    /// Along a face that is exactly as high as the other's.
    Grazing,
    /// Touching at the start, going anywhere.
    Touching,
    /// Apart, and farther apart.
    Leaving,
    /// Side by side at a small distance.
    Sliding,
}

const PLANS: [Plan; 6] = [
    Plan::Random,
    Plan::Plates,
    Plan::Grazing,
    Plan::Touching,
    Plan::Leaving,
    Plan::Sliding,
];

/// A box with whole corners.
fn cuboid(size: Int3) -> Option<Polytope> {
    let corners: Vec<Vec3> = (0..8)
        .map(|i| {
            let pick = |axis: usize| if i >> axis & 1 == 1 { size[axis] } else { 0 };
            Vec3::new(pick(0) as f64, pick(1) as f64, pick(2) as f64)
        })
        .collect();
    Polytope::from_points(&corners).ok()
}

fn vector(rng: &mut ChaCha8Rng, far: i64) -> Int3 {
    std::array::from_fn(|_| rng.random_range(-far..=far))
}

/// Two polytopes, where the second is at the start, and how it moves.
fn draw(plan: Plan, rng: &mut ChaCha8Rng, seed: u64) -> Option<([Polytope; 2], Int3, Int3)> {
    let side = rng.random_range(3..=9);
    let mut some = |seed: u64| grid_polytope(rng, side, seed);
    let (a, b) = (some(2 * seed)?, some(2 * seed + 1)?);
    let top = |p: &Polytope| p.vertices().iter().map(|v| v.z as i64).max().unwrap_or(0);
    let bottom = |p: &Polytope| p.vertices().iter().map(|v| v.z as i64).min().unwrap_or(0);
    Some(match plan {
        Plan::Random => {
            let (offset, scatter) = (vector(rng, 14), vector(rng, 4));
            let speed = rng.random_range(0..=3);
            let way = std::array::from_fn(|i| scatter[i] - speed * offset[i]);
            ([a, b], offset, way)
        }
        Plan::Plates => {
            let mut plate = || {
                let [x, y, _] = vector(rng, 20).map(|x| 21 + x);
                cuboid([x, y, 1])
            };
            let plates = [plate()?, plate()?];
            let height = rng.random_range(2..=3000);
            let [x, y, z] = vector(rng, 25);
            (
                plates,
                [x, y, height],
                [y, z, -rng.random_range(1000..=6000)],
            )
        }
        Plan::Grazing | Plan::Sliding => {
            // The lowest of the second is level with, or one above, the highest of the first.
            let above = i64::from(plan == Plan::Sliding);
            let height = top(&a) - bottom(&b) + above;
            let [x, y, _] = vector(rng, 14);
            let offset = [x, y, height];
            let [u, v, _] = vector(rng, 3);
            let speed = rng.random_range(0..=2);
            ([a, b], offset, [u - speed * x, v - speed * y, 0])
        }
        Plan::Touching => {
            let height = top(&a) - bottom(&b);
            let [x, y, _] = vector(rng, 3);
            ([a, b], [x, y, height], vector(rng, 5))
        }
        Plan::Leaving => {
            let offset = vector(rng, 14);
            let speed = rng.random_range(0..=5);
            ([a, b], offset, offset.map(|x| speed * x))
        }
    })
}

/// What was seen: none, start, through, grazing; and how early answers were at most.
#[derive(Debug, Default)]
struct Seen {
    kinds: [u64; 4],
    early: f64,
}

fn straight_pairs(plan: Plan, count: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(100 + plan as u64);
    let mut seen = Seen::default();
    let (mut seed, mut done) = (0, 0);
    while done < count {
        seed += 1;
        let Some((polytopes, offset, way)) = draw(plan, &mut rng, seed) else {
            continue;
        };
        let [a, b] = &polytopes;
        let shapes = match seed % 4 {
            0 => [a.clone(), b.clone()].map(Shape::from),
            1 => [solid(a), solid(b)],
            2 => [solid(a), Shape::from(b.clone())],
            _ => [Shape::from(a.clone()), solid(b)],
        };
        let (kind, early) = compare([a, b], shapes, offset, way);
        seen.kinds[kind] += 1;
        seen.early = seen.early.max(early);
        done += 1;
    }
    seen
}

fn soups(count: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(200);
    let mut seen = Seen::default();
    for _ in 0..count {
        let (n, m) = (rng.random_range(1..=8), rng.random_range(1..=8));
        let side = rng.random_range(1..=6);
        let (a, b) = (soup(&mut rng, n, side), soup(&mut rng, m, side));
        let [x, y, z] = vector(&mut rng, 16).map(|x| x as f64);
        let scatter = Vec3::from(vector(&mut rng, 4).map(|x| x as f64));
        let way = scatter - Vec3::new(x, y, z) * f64::from(rng.random_range(0..=2));
        let mut expected = first_of_all(&a, &b, Vec3::new(x, y, z), way);
        let moving = straight(at(x, y, z), way.to_array());
        let rest = still(Pose::IDENTITY);
        let scene = Scene::new((Shape::from(a), rest), (Shape::from(b), moving), 64.0);
        if scene.intersects_at(0.0) {
            expected = Some(Interval::exact(0.0));
        }
        let answer = ask(&scene, 1e-10, 1);
        seen.kinds[agree(&scene, answer, expected)] += 1;
        if let (Some(impact), Some(time)) = (answer, expected) {
            seen.early = seen.early.max(time.upper - impact.time);
        }
    }
    seen
}

/// Turning polytopes, as such and as closed meshes, by the exact test at many times. How early answers are is seen from the
/// contact, which is there within the tolerance.
fn turning_pairs(count: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(300);
    let mut seen = Seen::default();
    let (mut seed, mut done) = (0, 0);
    while done < count {
        seed += 1;
        let side = rng.random_range(3..=6);
        let hulls = [2 * seed, 2 * seed + 1].map(|s| grid_polytope(&mut rng, side, s));
        let [Some(a), Some(b)] = hulls else { continue };
        done += 1;
        let mut any = |far: f64| Vec3::from(std::array::from_fn(|_| rng.random_range(-far..=far)));
        let (here, there) = (any(8.0), any(8.0));
        let mut motion = |from: Vec3, to: Vec3| {
            let start = Pose::from_quat(Quat::from_scaled_axis(any(3.0)), from).unwrap();
            Motion::new(start, to, any(3.0), any(2.0)).unwrap()
        };
        let moves = [motion(here, there - here), motion(there, here - there)];
        let shapes = match seed % 3 {
            0 => [a, b].map(Shape::from),
            1 => [solid(&a), solid(&b)],
            _ => [solid(&a), Shape::from(b)],
        };
        let [a, b] = shapes;
        let scene = Scene::new((a, moves[0]), (b, moves[1]), 80.0);
        let kind = match ask(&scene, 1e-7, 8) {
            None => 0,
            Some(impact) if impact.kind == ImpactKind::Start => 1,
            Some(_) => 2,
        };
        seen.kinds[kind] += 1;
    }
    seen
}

#[test]
fn none_is_missed_and_none_is_late() {
    let all: u64 = if crate::is_full() { 100_000 } else { 1200 };
    let mut total = 0;
    for plan in PLANS {
        let seen = straight_pairs(plan, all / 10);
        println!("{plan:?}: {seen:?}");
        assert!(seen.early <= 1.01e-10);
        total += seen.kinds.iter().sum::<u64>();
    }
    for (name, seen) in [
        ("soups", soups(all / 5)),
        ("turning", turning_pairs(all / 5)),
    ] {
        println!("{name}: {seen:?}");
        assert!(seen.early <= 1.01e-10);
        total += seen.kinds.iter().sum::<u64>();
    }
    println!("{total} pairs: none missed, none late");
    assert!(total >= all);
}
