//! Which vertices are the same.
//!
//! With a tolerance of 0 two vertices are the same when their coordinates are equal. With a larger one, vertices are
//! taken in order and each joins the first earlier one that was kept and is within the tolerance, or is kept itself. So
//! no vertex moves by more than the tolerance (chains of near vertices do not collapse into one), and what is kept is
//! farther apart than it.
//!
//! Equal vertices are found by a hash of their bits; near ones through a hashed grid of cells at least twice as wide as
//! the tolerance, so that 27 cells hold all candidates. Linear in the number of vertices, unless the tolerance is
//! finer than the coordinates can tell apart: then a cell near the origin may hold many.

use crate::math::{Aabb, Vec3};
use crate::shape::merge_equal;
use std::collections::HashMap;

/// For each vertex the one that stands for it: itself, or an earlier one that stands for itself.
pub(super) fn representatives(vertices: &[Vec3], tolerance: f64) -> Vec<u32> {
    let equal = merge_equal(vertices);
    if tolerance > 0.0 {
        merge_near(vertices, equal, tolerance)
    } else {
        equal
    }
}

fn merge_near(vertices: &[Vec3], mut representative: Vec<u32>, tolerance: f64) -> Vec<u32> {
    let grid = Grid::new(vertices, tolerance);
    let mut kept: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for i in 0..vertices.len() {
        let earlier = representative[i] as usize;
        if earlier < i {
            // It stood for itself when it was its turn, or has been merged since.
            representative[i] = representative[earlier];
            continue;
        }
        let cell = grid.cell(vertices[i]);
        let is_near =
            |j: &u32| ((vertices[i] - vertices[*j as usize]) / tolerance).length_squared() <= 1.0;
        let found = around(cell)
            .filter_map(|near| kept.get(&near))
            .flatten()
            .copied()
            .filter(is_near)
            .min();
        match found {
            Some(j) => representative[i] = j,
            None => kept.entry(cell).or_default().push(i as u32),
        }
    }
    representative
}

/// Cubic cells, each coordinate of which is an integer below 2^50.
struct Grid {
    width: f64,
}

impl Grid {
    fn new(vertices: &[Vec3], tolerance: f64) -> Grid {
        let magnitude = Aabb::of_points(vertices.iter().copied()).map_or(0.0, |b| b.magnitude());
        // Quotients up to 2^50 are rounded by less than a quarter. Points within half a width of each other are then in
        // the same or in neighbouring cells.
        let finest = magnitude / (1u64 << 50) as f64;
        Grid {
            width: (2.0 * tolerance).max(finest),
        }
    }

    fn cell(&self, p: Vec3) -> [i64; 3] {
        p.to_array().map(|x| (x / self.width).floor() as i64)
    }
}

/// A cell and its 26 neighbours.
fn around([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (0..27).map(move |i| [x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rule of the header, by comparing all with all.
    fn brute(vertices: &[Vec3], tolerance: f64) -> Vec<u32> {
        let mut representative: Vec<u32> = Vec::new();
        for (i, v) in vertices.iter().enumerate() {
            let near = (0..i).find(|j| {
                let other = vertices[*j];
                representative[*j] as usize == *j
                    && (other == *v
                        || tolerance > 0.0 && ((*v - other) / tolerance).length_squared() <= 1.0)
            });
            representative.push(near.unwrap_or(i) as u32);
        }
        representative
    }

    #[test]
    fn equal_means_equal_numbers() {
        let tiny = f64::from_bits(1);
        let vertices = [0.0, -0.0, tiny, -tiny, tiny].map(|x| Vec3::new(x, 1.0, 0.0));
        assert_eq!(representatives(&vertices, 0.0), [0, 0, 2, 3, 2]);
    }

    #[test]
    fn chains_do_not_collapse() {
        let vertices: Vec<Vec3> = (0..7).map(|i| Vec3::X * f64::from(i)).collect();
        assert_eq!(representatives(&vertices, 1.0), [0, 0, 2, 2, 4, 4, 6]);
    }

    #[test]
    fn any_tolerance_is_taken() {
        let far = Vec3::splat(f64::MAX);
        let vertices = [far, -far, Vec3::ZERO, Vec3::splat(1e-320), far];
        assert_eq!(representatives(&vertices, 1e-310), [0, 1, 2, 2, 0]);
        assert_eq!(representatives(&vertices, f64::MAX), [0, 1, 2, 2, 0]);
        assert_eq!(representatives(&vertices[2..4], f64::from_bits(1)), [0, 1]);
    }

    proptest! {
        #[test]
        fn the_grid_finds_what_comparing_all_finds(
            coordinates in prop::collection::vec((-8i32..8, -8i32..8, -8i32..8), 1..60),
            scale in prop::sample::select(vec![1.0, 0.1, 1e-200, 1e200]),
            tolerance in prop::sample::select(vec![0.0, 0.4, 1.0, 1.5, 7.3]),
        ) {
            let vertices: Vec<Vec3> = coordinates
                .into_iter()
                .map(|(x, y, z)| Vec3::new(x.into(), y.into(), z.into()) * scale)
                .collect();
            prop_assert_eq!(
                representatives(&vertices, tolerance * scale),
                brute(&vertices, tolerance * scale)
            );
        }
    }
}
