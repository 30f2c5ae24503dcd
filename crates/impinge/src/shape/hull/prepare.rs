//! A working copy of the points: of ordinary size, and neighbours in space near each other in memory.
//!
//! Neither changes a sign. Multiplying all points by a power of two keeps every coordinate exact as long as nothing
//! underflows, and then filters and expansions work at any scale. Sorting along Morton's curve (cells of a grid, by the
//! interleaved bits of their coordinates) lets a million points pass through the caches: it makes the hull of points in a
//! ball twice as fast, sorting included.

use crate::math::{Aabb, Vec3};

/// Below this many points everything is in the cache anyway.
const WORTH_SORTING: usize = 2000;
/// Cells along each axis of the grid: 10 bits, so that a cell number takes 30.
const CELLS: f64 = 1024.0;

/// The points to work on, and for each of them its index in the input.
pub(super) fn prepare(points: &[Vec3]) -> (Vec<Vec3>, Vec<u32>) {
    let scale = exact_scale(points);
    let sources = if points.len() < WORTH_SORTING {
        (0..points.len() as u32).collect()
    } else {
        morton_order(points)
    };
    let prepared = sources.iter().map(|i| points[*i as usize] * scale);
    (prepared.collect(), sources)
}

/// A power of two that makes the largest coordinate about 1 and is exact for all of them; 1 when the coordinates are of
/// ordinary size already, or there is no such power.
pub(in crate::shape) fn exact_scale(points: &[Vec3]) -> f64 {
    let magnitude = |m: f64, p: &Vec3| m.max(p.abs().max_element());
    let largest = points.iter().fold(0.0, magnitude);
    // Zero and subnormal numbers have exponent -1023; as far as a scale can go is far enough for them.
    let exponent = ((largest.to_bits() >> 52) as i32 - 1023).clamp(-1022, 1022);
    if exponent.abs() <= 60 {
        return 1.0;
    }
    let scale = f64::from_bits(((1023 - exponent) as u64) << 52);
    let is_exact = |x: f64| x == 0.0 || (x * scale).is_normal();
    let mut coordinates = points.iter().flat_map(|p| p.to_array());
    if coordinates.all(is_exact) {
        scale
    } else {
        1.0
    }
}

/// The indices of the points, cell by cell along the curve.
pub(crate) fn morton_order(points: &[Vec3]) -> Vec<u32> {
    let bounds = Aabb::of_points(points.iter().copied());
    let (low, size) = bounds.map_or((Vec3::ZERO, Vec3::ONE), |b| (b.min(), b.size()));
    let mut keys: Vec<u64> = (0..)
        .zip(points)
        .map(|(i, p)| {
            // From 0 to just below CELLS; the cast takes the NaN of an axis without extent, or of infinite extent, to 0.
            let [x, y, z] = ((*p - low) / size * (CELLS - 0.5))
                .to_array()
                .map(|x| x as u64);
            (spread(x) << 2 | spread(y) << 1 | spread(z)) << 32 | i
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| key as u32).collect()
}

/// Moves bit `k` of a number of 10 bits to place `3 k`.
fn spread(x: u64) -> u64 {
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "powers of two are compared exactly")]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread() {
        for x in 0..1024 {
            let expected: u64 = (0..10).map(|k| (x >> k & 1) << (3 * k)).sum();
            assert_eq!(spread(x), expected);
        }
    }

    #[test]
    fn scaling_is_exact_or_not_done() {
        let tiny = f64::from_bits(3);
        let scale = exact_scale(&[Vec3::new(tiny, 0.0, 0.0)]);
        assert!(tiny * scale > 1e-30 && tiny * scale / scale == tiny);
        assert_eq!(exact_scale(&[Vec3::new(tiny, 0.0, 1.0)]), 1.0);
        assert_eq!(exact_scale(&[Vec3::new(tiny, 0.0, 1e300)]), 1.0);
        assert_eq!(
            exact_scale(&[Vec3::ZERO]),
            f64::from_bits((1023 + 1022) << 52)
        );
        let huge = exact_scale(&[Vec3::new(f64::MAX, 1.0, -0.0)]);
        assert_eq!(f64::MAX * huge, 4.0_f64.next_down());
    }

    #[test]
    fn all_points_are_there_once() {
        for size in [Vec3::ONE, Vec3::new(1.0, 0.0, f64::MAX)] {
            let points: Vec<Vec3> = (0..5000)
                .map(|i| size * (f64::from(i * 7919 % 5000) / 2500.0 - 1.0))
                .collect();
            let (prepared, mut sources) = prepare(&points);
            assert_eq!(prepared.len(), 5000);
            sources.sort_unstable();
            assert!(sources.into_iter().eq(0..5000));
        }
    }
}
