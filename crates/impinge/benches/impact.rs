//! How long the time of impact takes: polytopes, boxes and balls, straight and turning, that meet and that pass.
//!
//! `cargo bench -p impinge --bench impact`. Each case is a batch of pairs, and the time is that of one pair. Before it is
//! measured every answer is checked: shapes that meet are apart a little before and no farther than the tolerance allows.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use impinge::{ImpactKind, Motion, Pose, Quat, Shape, Vec3, query, reference};
use impinge_scenes::points::in_cube;
use impinge_scenes::polytopes::random_polytope;

const PAIRS: usize = 64;
const TOLERANCE: f64 = 1e-6;

fn main() {
    divan::main();
}

#[divan::bench(args = [36, 500])]
fn polytopes_straight_hit(bencher: Bencher, faces: usize) {
    measure(bencher, polytopes(faces), Turn::None, Way::Hit);
}

#[divan::bench(args = [36, 500])]
fn polytopes_straight_miss(bencher: Bencher, faces: usize) {
    measure(bencher, polytopes(faces), Turn::None, Way::Miss);
}

#[divan::bench(args = [36, 500])]
fn polytopes_turning_hit(bencher: Bencher, faces: usize) {
    measure(bencher, polytopes(faces), Turn::Both, Way::Hit);
}

#[divan::bench(args = [36, 500])]
fn polytopes_turning_miss(bencher: Bencher, faces: usize) {
    measure(bencher, polytopes(faces), Turn::Both, Way::Miss);
}

#[divan::bench]
fn boxes_straight_hit(bencher: Bencher) {
    measure(bencher, boxes, Turn::None, Way::Hit);
}

#[divan::bench]
fn boxes_turning_hit(bencher: Bencher) {
    measure(bencher, boxes, Turn::Both, Way::Hit);
}

#[divan::bench]
fn boxes_turning_miss(bencher: Bencher) {
    measure(bencher, boxes, Turn::Both, Way::Miss);
}

#[divan::bench]
fn balls_straight_hit(bencher: Bencher) {
    measure(bencher, balls, Turn::None, Way::Hit);
}

#[divan::bench]
fn cylinders_turning_hit(bencher: Bencher) {
    measure(bencher, cylinders, Turn::Both, Way::Hit);
}

fn polytopes(faces: usize) -> impl Fn(u64) -> Shape {
    move |seed| Shape::from(random_polytope(faces, seed).expect("points on a sphere span a volume"))
}

fn boxes(seed: u64) -> Shape {
    Shape::cuboid(Vec3::new(0.5, 0.7, 0.3 + 0.01 * (seed % 64) as f64)).expect("positive sizes")
}

fn balls(_: u64) -> Shape {
    Shape::sphere(1.0).expect("a positive radius")
}

fn cylinders(_: u64) -> Shape {
    Shape::cylinder(0.7, 0.5).expect("positive sizes")
}

#[derive(Clone, Copy)]
enum Turn {
    None,
    Both,
}

#[derive(Clone, Copy)]
enum Way {
    Hit,
    Miss,
}

struct Pair {
    a: Shape,
    motion_a: Motion,
    b: Shape,
    motion_b: Motion,
}

impl Pair {
    /// A shape that comes from six units away to the other side of one at the origin, through it or past it.
    fn new(shape: &impl Fn(u64) -> Shape, seed: u64, turn: Turn, way: Way) -> Pair {
        let random = in_cube(6, seed);
        let from = random[0].normalize();
        let aside = match way {
            Way::Hit => Vec3::ZERO,
            Way::Miss => from.any_orthonormal_vector() * 2.25,
        };
        let turned = |v: Vec3| match turn {
            Turn::None => Vec3::ZERO,
            Turn::Both => v * 2.0,
        };
        let pose = |v: Vec3, at: Vec3| {
            Pose::from_quat(Quat::from_scaled_axis(v * 3.0), at).expect("a unit quaternion")
        };
        let motion = |start: Pose, translation: Vec3, turn: Vec3| {
            Motion::new(start, translation, turn, Vec3::ZERO).expect("finite numbers")
        };
        Pair {
            a: shape(2 * seed),
            motion_a: motion(pose(random[1], Vec3::ZERO), Vec3::ZERO, turned(random[2])),
            b: shape(2 * seed + 1),
            motion_b: motion(
                pose(random[3], from * 6.0 + aside),
                from * -12.0,
                turned(random[4]),
            ),
        }
    }

    fn time(&self) -> Option<f64> {
        let answer =
            query::time_of_impact(&self.a, &self.motion_a, &self.b, &self.motion_b, TOLERANCE);
        let impact = answer.expect("convex shapes")?;
        assert_eq!(impact.kind, ImpactKind::Contact);
        Some(impact.time)
    }

    /// Whether the shapes touch at a time.
    fn touches(&self, t: f64) -> bool {
        let [a, b] =
            [&self.motion_a, &self.motion_b].map(|m| m.pose_at(t).expect("finite numbers"));
        reference::intersects(self.a.at(a), self.b.at(b))
    }

    fn check(&self, way: Way) {
        match (self.time(), way) {
            (Some(time), Way::Hit) => {
                assert!(!self.touches(time));
                assert!(self.touches(time + 1.1 * TOLERANCE));
            }
            (None, Way::Miss) => assert!((0..100).all(|i| !self.touches(f64::from(i) / 100.0))),
            (answer, _) => panic!("unexpected: {answer:?}"),
        }
    }
}

fn measure(bencher: Bencher, shape: impl Fn(u64) -> Shape, turn: Turn, way: Way) {
    let pairs: Vec<Pair> = (0..PAIRS as u64)
        .map(|seed| Pair::new(&shape, seed, turn, way))
        .collect();
    for pair in &pairs {
        pair.check(way);
    }
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        for pair in &pairs {
            black_box(pair.time());
        }
    });
}
