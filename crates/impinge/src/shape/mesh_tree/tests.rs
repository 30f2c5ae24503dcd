use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn soup(count: usize, seed: u64, size: f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut point = |size: f64| Vec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0) * size));
    let vertices = (0..count)
        .flat_map(|_| {
            let at = point(size);
            [at, at + point(size * 0.1), at + point(size * 0.1)]
        })
        .collect();
    let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    (vertices, triangles.collect())
}

fn tree_of(vertices: &[Vec3], triangles: &[[u32; 3]]) -> MeshTree {
    let bounds = Aabb::of_points(vertices.iter().copied()).unwrap();
    let tree = MeshTree::new(vertices, triangles, &bounds);
    tree.validate(triangles.len());
    tree
}

#[test]
fn boxes_hold_their_triangles_whatever_the_number_and_the_size() {
    for count in [1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 100, 1000, 20_000] {
        for size in [1.0, 1e-310, 1e-30, 1e200, 1.7e308] {
            if count <= 1000 || size <= 1.0 {
                let (vertices, triangles) = soup(count, count as u64, size * 0.9);
                tree_of(&vertices, &triangles);
            }
        }
    }
}

#[test]
fn equal_and_flat_triangles_are_divided_by_number() {
    let vertices = [Vec3::ZERO, Vec3::X, Vec3::Y];
    tree_of(&vertices, &vec![[0, 1, 2]; 3000]);
    tree_of(&vertices, &vec![[0, 0, 0]; 77]);
    let line: Vec<Vec3> = (0..500).map(|i| Vec3::X * f64::from(i)).collect();
    let needles: Vec<[u32; 3]> = (0..499).map(|i| [i, i + 1, i]).collect();
    tree_of(&line, &needles);
}

#[test]
fn sizes_that_fall_off_by_halves_make_no_deep_tree() {
    let vertices: Vec<Vec3> = (0..2000)
        .map(|i| Vec3::new(0.99_f64.powi(i), f64::from(i % 3) * 1e-9, 0.0))
        .collect();
    let triangles: Vec<[u32; 3]> = (0..1998).map(|i| [i, i + 1, i + 2]).collect();
    tree_of(&vertices, &triangles);
}

#[test]
fn a_tree_takes_less_than_64_bytes_a_triangle() {
    let (vertices, triangles) = soup(50_000, 5, 1.0);
    let tree = tree_of(&vertices, &triangles);
    assert!(tree.bytes() <= 64 * triangles.len(), "{}", tree.bytes());
}
