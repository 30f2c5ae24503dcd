//! The error bounds of the packed form, against wider and exact arithmetic.

use super::packed::DOT_ERROR;
use super::{Blocks, Chart, Cones, Layout, Packed, Polytope, Spots};
use crate::lanes::in_lanes;
use crate::math::Vec3;
use fearless_simd::{Simd, prelude::*};
use impinge_scenes::points::{in_ball, on_sphere};
use num_rational::BigRational;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Polytopes of few and of many vertices, round, thin and needle-like, tiny and huge, about their origin and far from it.
fn polytopes() -> Vec<Polytope> {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let mut found = Vec::new();
    for round in 0..120 {
        let count = [4, 7, 8, 9, 20, 40, 100, 700][round % 8];
        let points = if round % 3 == 0 {
            in_ball(count + 4, rng.random())
        } else {
            on_sphere(count, rng.random())
        };
        let size = 2f64.powi([-240, -30, 0, 0, 1, 100, 215][round % 7]);
        let thin = 10f64.powi(-[0, 0, 1, 4, 7][round % 5]);
        let away = on_sphere(1, rng.random())[0] * [0.0, 1.0, 1e4, 1e9][round % 4];
        let stretch = [Vec3::new(1.0, 1.0, thin), Vec3::new(1.0, thin, thin)][round % 2];
        let points: Vec<Vec3> = points
            .iter()
            .map(|p| (*p * stretch + away) * size)
            .collect();
        // Far away the thin ones may be flat once rounded.
        found.extend(Polytope::from_points(&points));
    }
    assert!(found.len() > 100, "{}", found.len());
    found
}

fn directions(rng: &mut ChaCha8Rng, polytope: &Polytope) -> Vec<Vec3> {
    let face = polytope.face_normal(rng.random_range(0..polytope.face_count()));
    let length = 10f64.powi(rng.random_range(-20..20));
    let mut directions = on_sphere(6, rng.random());
    directions.extend([
        face,
        -face,
        Vec3::X,
        face * length,
        Vec3::new(1.0, 1e-9, 0.0),
    ]);
    directions
}

fn packed(polytope: &Polytope) -> &Packed {
    polytope.packed().expect("the sizes are ordinary")
}

#[test]
fn scans_are_within_their_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    for polytope in polytopes() {
        for direction in directions(&mut rng, &polytope) {
            in_lanes!(simd => check_scans(simd, &polytope, direction));
        }
    }
}

fn check_scans<S: Simd>(simd: S, polytope: &Polytope, direction: Vec3) {
    let packed = packed(polytope);
    let vertices = polytope.vertices();
    let narrow = direction.as_vec3().to_array();
    // Errors of f64 are a millionth of the bound.
    let along = |v: Vec3| direction.dot((v - polytope.centroid()) / packed.scale);
    let truth = vertices.iter().map(|v| along(*v)).fold(f64::MIN, f64::max);
    let bound = DOT_ERROR * direction.length();
    let found = f64::from(packed.vertices.max_along(simd, narrow));
    assert!((found - truth).abs() <= bound, "{found} {truth}");
    let (top, farthest) = packed.vertices.top_along(simd, narrow);
    assert!((f64::from(top) - truth).abs() <= bound, "{top} {truth}");
    assert!(truth - along(vertices[farthest as usize]) <= 2.0 * bound);
    if let Some((nearly, point)) = packed.vertices.nearly_farthest(simd, narrow) {
        let told_apart = truth.abs() / f64::from(1 << 17);
        assert!(truth - along(vertices[nearly as usize]) <= told_apart + 2.0 * bound);
        let same = packed.vertices.point(nearly);
        assert_eq!(point.map(f32::to_bits), same.map(f32::to_bits));
    }
    // Everything within the margin is visited, and nothing beyond it and the errors.
    let margin = 0.01 * direction.length();
    let mut is_visited = vec![false; vertices.len()];
    packed
        .vertices
        .for_each_near_max(simd, narrow, margin as f32, |vertex| {
            is_visited[vertex as usize] = true;
        });
    for (v, is_visited) in vertices.iter().zip(is_visited) {
        let behind = truth - along(*v);
        assert!(is_visited || behind >= margin - 2.0 * bound, "{behind}");
        assert!(!is_visited || behind <= margin + 2.0 * bound, "{behind}");
    }
    if packed.polars.is_empty() {
        return;
    }
    let steepest = f64::from(packed.polars.max_along(simd, narrow));
    let polar = |face: usize| {
        let corner = vertices[polytope.face(face)[0] as usize];
        let normal = polytope.face_normal(face);
        normal.dot(direction) * packed.scale / normal.dot(corner - polytope.centroid())
    };
    let truth = (0..polytope.face_count())
        .map(polar)
        .fold(f64::MIN, f64::max);
    let bound = bound * packed.polar_radius + packed.polar_error() * direction.length();
    assert!((steepest - truth).abs() <= bound, "{steepest} {truth}");
}

#[test]
fn charts_bound_what_scans_find() {
    let mut rng = ChaCha8Rng::seed_from_u64(38);
    let mut looks = 0;
    for polytope in polytopes() {
        for _ in 0..4 {
            let directions = directions(&mut rng, &polytope);
            for eight in directions.chunks(8) {
                looks += in_lanes!(simd => check_chart(simd, &polytope, eight));
            }
        }
    }
    assert!(looks > 3000, "{looks}");
}

/// Looks along up to eight directions. Returns for how many of them there are bounds.
fn check_chart<S: Simd>(simd: S, polytope: &Polytope, directions: &[Vec3]) -> u32 {
    let packed = packed(polytope);
    let mut seen = [[0.0; 8]; 3];
    for (lane, direction) in directions.iter().enumerate() {
        for (axis, column) in seen.iter_mut().enumerate() {
            column[lane] = direction[axis] as f32;
        }
    }
    let spots = Spots::of(simd, &seen);
    let mut corners = [[0; 8]; 2];
    let [reached, topped] = &mut corners;
    for (lane, (reached, topped)) in reached.iter_mut().zip(topped).enumerate() {
        [*reached, *topped] = packed.chart.corners(spots.cell(lane));
    }
    let (mut reach, mut tops) = ([0.0; 8], [0.0; 8]);
    spots.bounds(simd, &corners[0]).store_slice(&mut reach);
    spots.bounds(simd, &corners[1]).store_slice(&mut tops);
    let mut looks = 0;
    for lane in 0..8 {
        let direction = Vec3::from_array(seen.map(|column| f64::from(column[lane])));
        let size = direction.abs().element_sum();
        // Also the lanes that nothing was asked for.
        if !(1e-29..1e29).contains(&size) {
            assert!(!reach[lane].is_finite() && !tops[lane].is_finite());
            continue;
        }
        looks += 1;
        let along = |v: &Vec3| direction.dot(*v - polytope.centroid()) / polytope.radius();
        let truth = polytope.vertices().iter().map(along);
        let truth = truth.fold(f64::MIN, f64::max);
        let bound = f64::from(reach[lane]) * Chart::STEP;
        // What is spared is not used up, and corners are near each other.
        assert!(bound >= truth + 1e-4 * size, "{bound} {truth}");
        assert!(bound <= truth + 0.12 * size, "{bound} {truth}");
        if packed.polars.is_empty() {
            continue;
        }
        let narrow = seen.map(|column| column[lane]);
        let truth = f64::from(packed.polars.max_along(simd, narrow)) / packed.polar_radius;
        let bound = f64::from(tops[lane]) * Chart::STEP;
        assert!(bound >= truth + 1e-4 * size, "{bound} {truth}");
        assert!(bound <= truth + 0.12 * size, "{bound} {truth}");
    }
    looks
}

#[test]
fn what_is_no_vector_has_no_bounds() {
    let cube = Polytope::cuboid(Vec3::ONE).unwrap();
    let tiny = f32::MIN_POSITIVE / 4.0;
    let odd = [f32::NAN, f32::INFINITY, -f32::INFINITY, 0.0, tiny, 3e38];
    for x in odd {
        for y in odd {
            for z in odd.into_iter().chain([1.0]) {
                let largest = x.abs().max(y.abs()).max(z.abs());
                let is_number = !(x.is_nan() || y.is_nan() || z.is_nan());
                if is_number && (0.5..2.0).contains(&largest) {
                    continue;
                }
                let bounds = in_lanes!(simd => {
                    let spots = Spots::of(simd, &[[x; 8], [y; 8], [z; 8]]);
                    let [reach, top] = packed(&cube).chart.corners(spots.cell(3));
                    let (mut reaches, mut tops) = ([0.0; 8], [0.0; 8]);
                    spots.bounds(simd, &[reach; 8]).store_slice(&mut reaches);
                    spots.bounds(simd, &[top; 8]).store_slice(&mut tops);
                    [reaches[3], tops[3]]
                });
                assert!(bounds.iter().all(|bound| !bound.is_finite()), "{x} {y} {z}");
            }
        }
    }
}

#[test]
fn the_inner_ball_is_inside() {
    let mut with_ball = 0;
    for polytope in polytopes().iter().filter(|p| p.vertices().len() < 50) {
        let radius = exact(packed(polytope).inner_radius.max(0.0));
        with_ball += u32::from(radius > exact(0.0));
        for face in 0..polytope.face_count() {
            let corners = polytope.face(face);
            let [p, q, r] = [0, 1, 2].map(|k| polytope.vertices()[corners[k] as usize]);
            let normal = cross(&minus(q, p), &minus(r, p));
            let height = dot(&normal, &minus(p, polytope.centroid()));
            // height / |normal| >= radius, without the root.
            assert!(height >= exact(0.0) || radius == exact(0.0));
            assert!(&height * &height >= &radius * &radius * dot(&normal, &normal));
        }
    }
    assert!(with_ball > 40, "{with_ball}");
}

#[test]
fn climbing_ends_at_the_top() {
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    for polytope in polytopes() {
        let vertices = polytope.vertices();
        let reach = packed(&polytope).reach;
        for direction in on_sphere(8, rng.random()) {
            let heights = vertices.iter().map(|v| direction.dot(*v));
            let top = heights.fold(f64::MIN, f64::max);
            for found in [
                polytope.climb(direction, rng.random_range(0..vertices.len() as u32)),
                polytope.farthest(direction),
            ] {
                let behind = top - direction.dot(vertices[found as usize]);
                assert!(behind <= 3.0 * f64::EPSILON * reach, "{behind} {reach}");
            }
        }
    }
}

#[test]
fn climbing_finds_all_that_is_near_the_top() {
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    for polytope in polytopes() {
        let vertices = polytope.vertices();
        let reach = packed(&polytope).reach;
        for direction in on_sphere(8, rng.random()) {
            let start = rng.random_range(0..vertices.len() as u32);
            let margin = reach * [4.0 * f64::EPSILON, 1e-6, 0.05][rng.random_range(0..3)];
            let Some(near) = polytope.near_top(direction, start, margin) else {
                continue;
            };
            let top = vertices
                .iter()
                .map(|v| direction.dot(*v))
                .fold(f64::MIN, f64::max);
            for (index, v) in vertices.iter().enumerate() {
                let behind = top - direction.dot(*v);
                let is_found = near.as_slice().contains(&(index as u32));
                assert!(is_found || behind >= margin - 3.0 * f64::EPSILON * reach);
                assert!(!is_found || behind <= margin + 3.0 * f64::EPSILON * reach);
            }
        }
    }
}

#[test]
fn branch_and_bound_finds_what_a_scan_finds() {
    let mut rng = ChaCha8Rng::seed_from_u64(34);
    for count in [65, 512, 513, 4096, 4097, 9000] {
        let points = if count == 4096 {
            impinge_scenes::points::lattice(16)
        } else {
            on_sphere(count, rng.random())
        };
        let blocks = Blocks::new(points.iter().copied(), 30.0);
        for direction in on_sphere(40, rng.random()) {
            in_lanes!(simd => check_blocks(simd, &blocks, &points, direction));
        }
    }
}

fn check_blocks<S: Simd>(simd: S, blocks: &Blocks, points: &[Vec3], direction: Vec3) {
    let narrow = direction.as_vec3().to_array();
    // The same products, rounded in the same way.
    let product = |index: usize| {
        let [x, y, z] = blocks.point(index as u32);
        x * narrow[0] + y * narrow[1] + z * narrow[2]
    };
    let products: Vec<f32> = (0..points.len()).map(product).collect();
    let max = products.iter().copied().fold(f32::MIN, f32::max);
    assert_eq!(blocks.max_along(simd, narrow).to_bits(), max.to_bits());
    let farthest = blocks.farthest(simd, narrow);
    assert_eq!(products[farthest as usize].to_bits(), max.to_bits());
    let mut found = Vec::new();
    blocks.for_each_near_max(simd, narrow, 0.25, |index| found.push(index as usize));
    found.sort_unstable();
    found.dedup();
    let near = |index: &usize| products[*index] >= max - 0.25;
    let expected: Vec<usize> = (0..points.len()).filter(near).collect();
    assert_eq!(found, expected);
}

fn exact(value: f64) -> BigRational {
    BigRational::from_float(value).expect("the value is finite")
}

type Exact = [BigRational; 3];

fn minus(p: Vec3, q: Vec3) -> Exact {
    [0, 1, 2].map(|k| exact(p[k]) - exact(q[k]))
}

fn dot(p: &Exact, q: &Exact) -> BigRational {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

fn cross(p: &Exact, q: &Exact) -> Exact {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &p[i] * &q[j] - &p[j] * &q[i])
}

#[test]
fn cones_hold_their_blocks() {
    let mut narrowest = 1.0;
    for (seed, count) in [40, 60, 130, 252, 700].into_iter().enumerate() {
        for stretch in [
            Vec3::ONE,
            Vec3::new(1.0, 0.8, 0.3),
            Vec3::new(1.0, 1.0, 1e-3),
        ] {
            let points = on_sphere(count, 70 + seed as u64);
            let points: Vec<Vec3> = points.into_iter().map(|p| p * stretch).collect();
            let polytope = Polytope::from_points(&points).unwrap();
            let Layout::Many(many) = &polytope.gauss().layout else {
                panic!("it has many faces");
            };
            for (number, faces) in many.names.chunks(8).enumerate() {
                let sine = check_cone(&polytope, &many.cones[number / 8], number % 8, faces);
                narrowest = sine.map_or(narrowest, |sine| sine.min(narrowest));
            }
            for (number, faces) in many.names.chunks(64).enumerate() {
                check_cone(&polytope, &many.outer[number / 8], number % 8, faces);
            }
        }
    }
    assert!(narrowest < 0.2, "{narrowest}");
}

/// Checks what a cone says about some faces; the sine of the angle to its rim, unless it is everywhere.
fn check_cone(polytope: &Polytope, cones: &Cones, lane: usize, faces: &[u32]) -> Option<f64> {
    let step = 1.0 / f64::from(Cones::STEPS);
    let decoded = |number: i16| f64::from(number) * step;
    let [low, half_cos] = cones.low[lane].map(decoded);
    if low < -1.0 {
        // Nothing else is looked at.
        assert!(half_cos == 0.0);
        return None;
    }
    let normals = || {
        faces
            .iter()
            .map(|face| polytope.face_normal(*face as usize))
    };
    let middle = normals().sum::<Vec3>().normalize();
    let [x, y] = cones.xy[lane].map(decoded);
    let axis = Vec3::new(x, y, decoded(cones.z[lane][0]));
    // Half of a step in each coordinate.
    assert!((axis - middle).length() <= 0.87 * step);
    let [cos, sin] = cones.rim[lane].map(decoded);
    let farthest = normals().map(|n| n.dot(middle)).fold(1.0, f64::min);
    assert!(farthest - 3.0 * step <= cos && cos <= farthest);
    assert!(sin * sin >= 1.0 - farthest * farthest && sin <= 1.0);
    let scale = packed(polytope).scale;
    for face in faces {
        let corner = polytope.vertices()[polytope.face(*face as usize)[0] as usize];
        let normal = polytope.face_normal(*face as usize);
        assert!(low <= normal.dot(corner - polytope.centroid()) / scale);
        for other in polytope.face_neighbours(*face as usize) {
            let across = normal.dot(polytope.face_normal(other as usize));
            assert!(half_cos <= (0.5 + 0.5 * across).max(0.0).sqrt());
        }
    }
    Some(sin)
}
