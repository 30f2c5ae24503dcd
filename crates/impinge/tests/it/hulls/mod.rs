//! Hulls against brute force in integers, known solids, hard inputs, and other people's point clouds.

mod hard;
mod oracle;
mod solids;

use impinge::exact::{Sign, orientation};
use impinge::{Error, Polytope, Quat, Vec3};
use impinge_scenes::points::{in_ball, on_grid};
use proptest::prelude::*;

/// Asserts what must hold of any hull: the invariant, and that no point is outside.
fn check(points: &[Vec3], polytope: &Polytope) {
    polytope.validate();
    let of_source = polytope
        .source_indices()
        .iter()
        .map(|i| points[*i as usize]);
    assert!(of_source.eq(polytope.vertices().iter().copied()));
    for face in 0..polytope.face_count() {
        let [a, b, c] = [0, 1, 2].map(|k| polytope.vertices()[polytope.face(face)[k] as usize]);
        for p in points {
            assert_ne!(
                orientation(a, b, c, *p),
                Sign::Positive,
                "{p} outside face {face}"
            );
        }
    }
}

/// The hull, checked.
fn hull(points: &[Vec3]) -> Polytope {
    let polytope = Polytope::from_points(points).expect("points with a hull");
    check(points, &polytope);
    polytope
}

/// Few points on a small grid, scaled and shifted so that some lose their exact ties to rounding.
fn few_points() -> impl Strategy<Value = Vec<Vec3>> {
    let grid = (1i32..=4).prop_flat_map(|side| {
        let x = 0..=side;
        prop::collection::vec((x.clone(), x.clone(), x), 1..=12)
    });
    let scale = prop::sample::select(vec![1.0, 0.1, 1e-200, 1e200, 1e-310]);
    let flatten = prop::sample::select(vec![1.0, 1e-17, 1e-100]);
    let shift = prop::sample::select(vec![0.0, 0.1, 1e15]);
    (grid, scale, flatten, shift).prop_map(|(points, scale, flatten, shift)| {
        let place = |(x, y, z): (i32, i32, i32)| {
            (Vec3::new(x.into(), y.into(), f64::from(z) * flatten) + shift) * scale
        };
        points.into_iter().map(place).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn small_hulls_are_those_of_brute_force(points in few_points()) {
        match (oracle::brute_force(&points), Polytope::from_points(&points)) {
            (Some(expected), Ok(polytope)) => {
                check(&points, &polytope);
                prop_assert_eq!(oracle::described(&points, &polytope), expected);
            }
            (None, Err(Error::Flat { points: count, .. })) => prop_assert_eq!(count, points.len()),
            (expected, result) => prop_assert!(false, "{expected:?} but {result:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn larger_hulls_hold_their_points(seed: u64, side in 3u32..30, count in 20usize..400, turn: bool) {
        let mut points = on_grid(count, side, seed);
        if turn {
            // The turned grid is rounded: nearly coplanar, nearly collinear, and full of ties broken at random.
            let turn = Quat::from_xyzw(0.5, 0.1, -0.7, 0.5).normalize();
            points.iter_mut().for_each(|p| *p = turn * *p);
        }
        if let Ok(polytope) = Polytope::from_points(&points) {
            check(&points, &polytope);
        }
    }

    #[test]
    fn volumes_are_those_of_rational_tetrahedra(seed: u64, thickness in prop::sample::select(vec![1.0, 1e-3, 1e-17])) {
        let turn = Quat::from_xyzw(0.5, 0.1, -0.7, 0.5).normalize();
        let flatten = |p: Vec3| turn * (p * Vec3::new(1.0, 1.0, thickness)) + Vec3::splat(1e3);
        let points: Vec<Vec3> = in_ball(60, seed).into_iter().map(flatten).collect();
        let polytope = hull(&points);
        let (volume, centroid) = oracle::measures(&polytope);
        prop_assert!((polytope.volume() - volume).abs() <= 1e-11 * volume);
        prop_assert!((polytope.centroid() - centroid).length() < 1e-11);
        let farthest = polytope.vertices().iter().map(|v| v.distance(polytope.centroid()));
        let farthest = farthest.fold(0.0, f64::max);
        prop_assert!(polytope.radius() >= farthest && polytope.radius() < farthest * (1.0 + 1e-14));
    }
}

/// The point clouds that Jolt's tests ship, from the folder in `IMPINGE_DATA`.
#[test]
fn the_point_clouds_of_jolt() {
    let Some(folder) = std::env::var_os("IMPINGE_DATA") else {
        println!("skipped: IMPINGE_DATA names no folder");
        return;
    };
    let path = std::path::Path::new(&folder).join("peers/jolt/convex_hulls.bin");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: no file {}", path.display());
        return;
    };
    let mut words = bytes.chunks_exact(4).map(|word| word.try_into().unwrap());
    let (mut solid, mut flat) = (0, 0);
    while let Some(count) = words.next().map(u32::from_le_bytes) {
        let mut float = || f64::from(f32::from_le_bytes(words.next().unwrap()));
        let points: Vec<Vec3> = (0..count)
            .map(|_| Vec3::from_array(std::array::from_fn(|_| float())))
            .collect();
        match Polytope::from_points(&points) {
            Ok(polytope) => {
                check(&points, &polytope);
                solid += 1;
            }
            Err(error) => {
                assert!(matches!(error, Error::Flat { .. }), "{error}");
                flat += 1;
            }
        }
    }
    println!("{solid} hulls checked, {flat} point clouds are flat");
    assert_eq!(solid + flat, 3378);
}
