//! Sequences of poses that differ little from frame to frame.

use super::Tally;
use crate::cases::{Case, direction, polytope, rng, turn};
use impinge::exact::hull_distance;
use impinge::narrow::lin_canny::{FeatureCache, Start};
use impinge::{Polytope, Pose, Quat, Vec3};
use impinge_scenes::points::on_sphere;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A turning flight of one body past, or through, another.
struct Flight {
    axes: [Vec3; 2],
    turns: [Quat; 2],
    start: Vec3,
    velocity: Vec3,
    /// Radians a frame.
    spin: f64,
}

impl Flight {
    /// Comes from afar and passes at the given distance, in so many frames.
    fn passing(rng: &mut ChaCha8Rng, miss: f64, spin: f64, frames: u32) -> Flight {
        let along = direction(rng);
        let side = along.cross(direction(rng)).normalize();
        Flight {
            axes: [direction(rng), direction(rng)],
            turns: [turn(rng), turn(rng)],
            start: side * miss - along * 2.5,
            velocity: along * (5.0 / f64::from(frames)),
            spin,
        }
    }

    fn move_to(&self, frame: u32, case: &mut Case) {
        let t = f64::from(frame);
        let pose = |k: usize, at: Vec3| {
            let turn = Quat::from_axis_angle(self.axes[k], self.spin * t) * self.turns[k];
            Pose::from_quat(turn.normalize(), at).unwrap()
        };
        case.pose_a = pose(0, Vec3::ZERO);
        case.pose_b = pose(1, self.start + self.velocity * t);
    }
}

fn fly(case: &mut Case, flight: &Flight, frames: u32, tally: &mut Tally) {
    let mut cache = FeatureCache::default();
    for frame in 0..frames {
        flight.move_to(frame, case);
        case.check_start(Start::Previous, &mut cache, tally);
    }
}

fn two(a: Polytope, b: Polytope) -> Case {
    Case {
        a,
        pose_a: Pose::IDENTITY,
        b,
        pose_b: Pose::IDENTITY,
    }
}

#[test]
fn flights_past_and_through() {
    let (mut rng, mut slow, mut fast) = (rng(111), Tally::default(), Tally::default());
    for round in 0..40 {
        let mut case = two(polytope(&mut rng), polytope(&mut rng));
        let miss = 0.06 * f64::from(round);
        let flight = Flight::passing(&mut rng, miss, 0.01, 100);
        fly(&mut case, &flight, 100, &mut slow);
        let flight = Flight::passing(&mut rng, miss, 0.8, 10);
        fly(&mut case, &flight, 10, &mut fast);
    }
    slow.print("slow flights");
    fast.print("fast flights");
    assert!((400..3000).contains(&slow.intersecting));
    assert!(slow.fell_back * 1000 <= slow.queries, "{slow:?}");
    assert!(fast.fell_back * 100 <= fast.queries, "{fast:?}");
}

#[test]
fn flights_that_miss_never_fall_back() {
    let (mut rng, mut tally) = (rng(112), Tally::default());
    for _ in 0..20 {
        let mut case = two(polytope(&mut rng), polytope(&mut rng));
        let flight = Flight::passing(&mut rng, 2.1, 0.02, 60);
        fly(&mut case, &flight, 60, &mut tally);
    }
    tally.print("flights that miss");
    assert_eq!((tally.intersecting, tally.fell_back), (0, 0));
}

/// With motion below the size of features the number of steps does not depend on the number of vertices.
#[test]
fn steps_do_not_grow_with_size() {
    let mut rng = rng(113);
    let counts = [20, 200, 2000];
    let means = counts.map(|count| {
        let shape =
            |rng: &mut ChaCha8Rng| Polytope::from_points(&on_sphere(count, rng.random())).unwrap();
        let mut case = two(shape(&mut rng), shape(&mut rng));
        // A hundredth of the spacing of the vertices a frame.
        let spin = 0.035 / (count as f64).sqrt();
        let flight = Flight {
            velocity: Vec3::ZERO,
            start: direction(&mut rng) * 2.2,
            ..Flight::passing(&mut rng, 0.0, spin, 1)
        };
        let mut cache = FeatureCache::default();
        let (mut steps, mut tally) = (0, Tally::default());
        for frame in 0..400 {
            flight.move_to(frame, &mut case);
            let found = case.closest(Start::Previous, &mut cache);
            tally.add(&found);
            assert!(!found.fell_back);
            if frame > 0 {
                steps += found.steps;
            }
            if frame % 100 == 0 {
                let [p, q] = case.placed();
                let exact = hull_distance(&p, &q);
                assert!(found.separation.bounds.lower <= exact.bounds.upper);
                assert!(exact.bounds.lower <= found.separation.bounds.upper);
            }
        }
        tally.print(&format!("{count} vertices"));
        f64::from(steps) / 399.0
    });
    println!("lin-canny, mean steps at {counts:?} vertices: {means:?}");
    assert!(means.iter().all(|mean| *mean < 1.0), "{means:?}");
}

#[test]
fn cold_walks_grow_with_the_root_of_the_size() {
    let mut rng = rng(114);
    for count in [100, 2500] {
        let shape =
            |rng: &mut ChaCha8Rng| Polytope::from_points(&on_sphere(count, rng.random())).unwrap();
        let case = Case {
            pose_b: Pose::from_quat(turn(&mut rng), direction(&mut rng) * 2.1).unwrap(),
            ..two(shape(&mut rng), shape(&mut rng))
        };
        let mut tally = Tally::default();
        for seed in 0..200 {
            let found = case.closest(Start::Random(seed), &mut FeatureCache::default());
            assert!(!found.fell_back);
            tally.add(&found);
        }
        tally.print(&format!("cold, {count} vertices"));
        assert!(
            f64::from(tally.most_steps) <= 12.0 * (count as f64).sqrt(),
            "{tally:?}"
        );
    }
}
