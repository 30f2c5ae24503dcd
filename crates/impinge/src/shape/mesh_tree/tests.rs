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

#[test]
fn a_refitted_tree_holds_the_moved_triangles() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for count in [1, 5, 33, 1000] {
        let (vertices, triangles) = soup(count, count as u64, 1.0);
        let mut tree = tree_of(&vertices, &triangles);
        for size in [1.0, 1e-9, 1e30, 1.7e308, 1e-310] {
            let mut shift = || Vec3::from([(); 3].map(|()| rng.random_range(-0.4..0.4)));
            let moved: Vec<Vec3> = vertices
                .iter()
                .map(|v| (*v * 0.4 + shift()) * size)
                .collect();
            let bounds = Aabb::of_points(moved.iter().copied()).unwrap();
            tree.refit(&moved, &triangles, &bounds);
            tree.validate(count);
            for (number, block) in tree.blocks.iter().enumerate() {
                let corners = triangles[block.triangles[0] as usize].map(|i| moved[i as usize]);
                let own = block.corner(0, 0).map(f64::from);
                let back = Vec3::from(own) * tree.unit + tree.center;
                let off = (back / size - corners[0] / size).length();
                assert!(off < 1e-6, "{number}: {off}");
            }
        }
    }
}

#[test]
fn decay_tells_moved_triangles_from_torn_ones() {
    let (vertices, triangles) = soup(5000, 9, 1.0);
    let mut tree = tree_of(&vertices, &triangles);
    assert!((tree.decay() - 1.0).abs() < 1e-6);
    let mut refit = |moved: &[Vec3]| {
        let bounds = Aabb::of_points(moved.iter().copied()).unwrap();
        tree.refit(moved, &triangles, &bounds);
        tree.decay()
    };
    let scaled: Vec<Vec3> = vertices.iter().map(|v| *v * 3.0 + Vec3::X).collect();
    assert!((refit(&scaled) - 1.0).abs() < 1e-3);
    // Every triangle where another one was.
    let torn: Vec<Vec3> = (0..5000)
        .flat_map(|t| {
            let to = (t * 1237) % 5000;
            let away = vertices[3 * to] - vertices[3 * t];
            [0, 1, 2].map(|k| vertices[3 * t + k] + away)
        })
        .collect();
    assert!(refit(&torn) > 3.0);
    assert!((refit(&vertices) - 1.0).abs() < 1e-3);
}
