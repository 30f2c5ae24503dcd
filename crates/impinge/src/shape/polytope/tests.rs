//! The error bounds of the packed form, against wider and exact arithmetic.

use super::packed::DOT_ERROR;
use super::{Blocks, Packed, Polytope};
use crate::lanes::in_lanes;
use crate::math::Vec3;
use fearless_simd::Simd;
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
