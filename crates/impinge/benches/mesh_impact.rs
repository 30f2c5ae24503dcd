//! How long the first contact of two moving meshes takes, through the default tree and through the tree of boxes by name.
//!
//! `cargo bench -p impinge --bench mesh_impact`. Two knots of about as many triangles as the argument says come from some way
//! off, meet or pass, straight or turning. Each case is a batch of pairs, and the time is that of one pair. Before it is measured
//! every answer is checked: knots that meet are apart at the time and touch a little later, and both trees agree.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use impinge::narrow::ObbTree;
use impinge::{ImpactKind, Motion, Pose, Quat, Shape, Vec3, query};
use impinge_scenes::knots::torus_knot;
use impinge_scenes::points::in_cube;

const TRIANGLES: [u32; 3] = [64, 1000, 6000];
const PAIRS: u64 = 16;
const TOLERANCE: f64 = 1e-6;

fn main() {
    divan::main();
}

#[divan::bench(args = TRIANGLES)]
fn straight(bencher: Bencher, triangles: u32) {
    measure(bencher, triangles, 0.0, Trees::Default);
}

#[divan::bench(args = TRIANGLES)]
fn straight_by_obb_tree(bencher: Bencher, triangles: u32) {
    measure(bencher, triangles, 0.0, Trees::Obb);
}

#[divan::bench(args = TRIANGLES)]
fn turning(bencher: Bencher, triangles: u32) {
    measure(bencher, triangles, 2.0, Trees::Default);
}

#[derive(Clone, Copy, PartialEq)]
enum Trees {
    Default,
    Obb,
}

/// Two motions that bring knots of radius 3.5 together from 12 units away, and often past each other.
fn motions(seed: u64, turn: f64) -> [Motion; 2] {
    let random = in_cube(6, seed);
    let from = random[0].normalize();
    let pose = |v: Vec3, at: Vec3| {
        Pose::from_quat(Quat::from_scaled_axis(v * 3.0), at).expect("a unit quaternion")
    };
    let motion = |start: Pose, way: Vec3, turned: Vec3| {
        Motion::new(start, way, turned * turn, Vec3::ZERO).expect("finite numbers")
    };
    let aside = from.any_orthonormal_vector() * (6.0 * random[5].x);
    [
        motion(pose(random[1], Vec3::ZERO), Vec3::ZERO, random[2]),
        motion(
            pose(random[3], from * 12.0 + aside),
            from * -18.0,
            random[4],
        ),
    ]
}

fn measure(bencher: Bencher, triangles: u32, turn: f64, trees: Trees) {
    let shapes = [(2, 3), (3, 2)].map(|(p, q)| {
        Shape::from(torus_knot(p, q, triangles).expect("enough triangles for a knot"))
    });
    let by_name = [&shapes[0], &shapes[1]].map(|shape| ObbTree::new(shape).expect("a mesh"));
    let time = |[a, b]: &[Motion; 2], trees: Trees| {
        let answer = match trees {
            Trees::Default => query::time_of_impact(&shapes[0], a, &shapes[1], b, TOLERANCE),
            Trees::Obb => by_name[0].time_of_impact(a, &by_name[1], b, TOLERANCE),
        };
        let impact = answer.expect("motions of ordinary size")?;
        assert_eq!(impact.kind, ImpactKind::Contact);
        Some(impact.time)
    };
    let touches = |motions: &[Motion; 2], t: f64| {
        let [a, b] = motions.map(|motion| motion.pose_at(t).expect("finite numbers"));
        query::intersects(shapes[0].at(a), shapes[1].at(b))
    };
    let pairs: Vec<[Motion; 2]> = (0..PAIRS).map(|seed| motions(seed, turn)).collect();
    for pair in &pairs {
        let found = time(pair, Trees::Default);
        match found {
            Some(t) => assert!(!touches(pair, t) && touches(pair, t + 1.1 * TOLERANCE)),
            None => assert!((0..=100).all(|i| !touches(pair, f64::from(i) / 100.0))),
        }
        if turn == 0.0 {
            let other = time(pair, Trees::Obb);
            assert_eq!(found.is_some(), other.is_some());
            let late = found.zip(other).map_or(0.0, |(p, q)| (p - q).abs());
            assert!(late <= TOLERANCE);
        }
    }
    bencher
        .counter(ItemsCount::new(pairs.len()))
        .bench_local(|| {
            for pair in &pairs {
                black_box(time(pair, trees));
            }
        });
}
