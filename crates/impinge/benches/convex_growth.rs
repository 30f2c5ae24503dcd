//! The cost of a polytope pair against the number of vertices, from 20 to 20 000: nanoseconds a query.
//!
//! Two polytopes with vertices on the unit sphere tumble side by side, close together. Three motions: a tenth of the size
//! of a face a frame, one degree a frame, and one degree a frame with nothing remembered.
//!
//! `cargo bench --bench convex_growth -- [REPEATS]`. The fastest of the repeats is counted.

use impinge::narrow::{PairCache, distance_polytopes, intersects_polytopes};
use impinge::{Polytope, Pose, Quat, Vec3};
use impinge_scenes::points::on_sphere;
use std::hint::black_box;
use std::time::Instant;

const FRAMES: usize = 500;

fn main() {
    let repeats = std::env::args()
        .find_map(|arg| arg.parse().ok())
        .unwrap_or(5);
    println!(
        "vertices   below a feature      one degree            cold     (intersects, distance; ns)"
    );
    for count in [20, 63, 200, 632, 2000, 6324, 20_000] {
        let bodies = [1, 2].map(|seed| {
            Polytope::from_points(&on_sphere(count, seed))
                .expect("points on a sphere span a volume")
        });
        // Faces of n vertices on the unit sphere are about 2.7 / sqrt(n) wide.
        let small = 0.1 * 2.7 / (count as f64).sqrt();
        let degree = 1f64.to_radians();
        let columns = [(small, true), (degree, true), (degree, false)]
            .map(|(angle, coherent)| time(&bodies, angle, coherent, repeats));
        print!("{count:8}");
        for [intersects, distance] in columns {
            print!("   {intersects:7.1} {distance:8.1}");
        }
        println!();
    }
}

/// Nanoseconds for each question.
fn time(bodies: &[Polytope; 2], angle: f64, coherent: bool, repeats: usize) -> [f64; 2] {
    let poses: Vec<[Pose; 2]> = (0..FRAMES)
        .map(|frame| placed(angle * frame as f64))
        .collect();
    let [a, b] = bodies;
    let mut fastest = [f64::INFINITY; 2];
    for _ in 0..repeats {
        for (question, fastest) in fastest.iter_mut().enumerate() {
            let mut cache = PairCache::default();
            let start = Instant::now();
            for [pose_a, pose_b] in &poses {
                if !coherent {
                    cache = PairCache::default();
                }
                if question == 0 {
                    black_box(intersects_polytopes(a, pose_a, b, pose_b, &mut cache));
                } else {
                    black_box(distance_polytopes(a, pose_a, b, pose_b, &mut cache));
                }
            }
            let elapsed = start.elapsed().as_secs_f64() * 1e9 / FRAMES as f64;
            *fastest = fastest.min(elapsed);
        }
    }
    fastest
}

/// Both bodies after turning by an angle about axes of their own. The line of centres turns as well, so that no vertex is
/// closest for long.
fn placed(angle: f64) -> [Pose; 2] {
    let turned = |axis: Vec3, position: Vec3| {
        let turn = Quat::from_axis_angle(axis.normalize(), angle);
        Pose::from_quat(turn, position).expect("the poses are finite")
    };
    let away = Quat::from_axis_angle(Vec3::Y, 0.3 * angle) * Vec3::new(2.0, 0.0, 0.0);
    [
        turned(Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO),
        turned(Vec3::new(3.0, -1.0, 0.5), away),
    ]
}
