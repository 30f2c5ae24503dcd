//! A pair of point sets in floating point, near the origin and of ordinary size, with error bounds.
//!
//! Distances and directions between two hulls do not change when both are moved together, and only scale when both are
//! scaled. So the points are moved by one of them and scaled by a power of two until the largest coordinate is about 1.
//! What far-away or extreme coordinates would have cost in precision or range is gone, at the price of one rounding:
//! a *local* coordinate is `(x - x0) * 2^k (1 + d)` with `|d| <= U`.
//!
//! # Error of a dot product
//!
//! Let `E` be the largest local coordinate in absolute value, and `d` a direction with components of at most 1, each
//! off by at most 1.01 `U`. The computed `d . p` differs from the true one by at most
//! 3 x 1.01 `U E` (the direction), 3 x 1.01 `U E` (the points), 3 `U E` (the products) and 5 `U E` (the two sums, of at
//! most 2 `E` and 3 `E`): less than 15 `U E`. Underflow adds at most a dozen times 2^-1074, which is nothing beside
//! `U E` because `E` is zero or at least 2^-74. The computed difference of two such products, each at most 3.01 `E`, is
//! off by twice that and one more rounding of at most 7 `U E`: less than 40 `U E`, which is [`Local::margin`].

use super::Pair;
use crate::exact::rounding::power_of_two;
use crate::math::Vec3;

/// The relative error of one rounding.
const U: f64 = f64::EPSILON / 2.0;

/// Two non-empty point sets in local coordinates.
#[derive(Debug)]
pub(super) struct Local<'p> {
    world_a: &'p [Vec3],
    world_b: &'p [Vec3],
    a: Vec<Vec3>,
    b: Vec<Vec3>,
    change: Change,
    extent: f64,
}

/// How world differences become local ones: two exact factors, because one alone could over- or underflow.
#[derive(Debug, Clone, Copy)]
struct Change {
    /// Applied before subtracting.
    shrink: f64,
    /// Applied after subtracting.
    scale: f64,
}

/// The end of the pair's gap along a direction: the farthest point of `a`, the nearest of `b`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extremes {
    pub(super) pair: Pair,
    /// The largest `d . a_i`.
    pub(super) highest_a: f64,
    /// The smallest `d . b_j`.
    pub(super) lowest_b: f64,
}

impl Extremes {
    /// `d . (b_j - a_i)`, the smallest of all pairs; off by less than [`Local::margin`].
    pub(super) fn gap(&self) -> f64 {
        self.lowest_b - self.highest_a
    }
}

impl<'p> Local<'p> {
    /// The local coordinates of two non-empty sets of finite points.
    pub(super) fn new(world_a: &'p [Vec3], world_b: &'p [Vec3]) -> Local<'p> {
        let origin = world_a[0];
        let shrink = if largest(world_a).max(largest(world_b)) > power_of_two(1020) {
            0.25
        } else {
            1.0
        };
        let moved = |points: &[Vec3]| -> Vec<Vec3> {
            points
                .iter()
                .map(|p| *p * shrink - origin * shrink)
                .collect()
        };
        let (mut a, mut b) = (moved(world_a), moved(world_b));
        let size = largest(&a).max(largest(&b));
        let scale = normalising_factor(size);
        for p in a.iter_mut().chain(&mut b) {
            *p *= scale;
        }
        Local {
            world_a,
            world_b,
            a,
            b,
            change: Change { shrink, scale },
            extent: size * scale,
        }
    }

    /// More than the error of a computed difference of two local dot products with one direction, of components of at
    /// most 1. If the difference exceeds this, its sign is right; see the module's derivation.
    pub(super) fn margin(&self) -> f64 {
        40.0 * U * self.extent
    }

    /// `b_j - a_i` in local units, each component correct to one rounding (and 2^-1074).
    pub(super) fn difference(&self, [i, j]: Pair) -> Vec3 {
        let Change { shrink, scale } = self.change;
        let (p, q) = (self.world_a[i as usize], self.world_b[j as usize]);
        (q * shrink - p * shrink) * scale
    }

    /// The farthest point of `a` and the nearest of `b` along a direction, by computed dot products.
    pub(super) fn extremes(&self, direction: Vec3) -> Extremes {
        let (i, highest_a) = lowest(&self.a, -direction);
        let (j, lowest_b) = lowest(&self.b, direction);
        Extremes {
            pair: [i, j],
            highest_a: -highest_a,
            lowest_b,
        }
    }

    /// The points of `a` whose computed `d . a_i` is at least `limit`.
    pub(super) fn a_above(&self, direction: Vec3, limit: f64) -> impl Iterator<Item = u32> {
        // Negated in the same way as in `extremes`, so that both see the same numbers.
        (0..)
            .zip(&self.a)
            .filter(move |(_, p)| -(-direction).dot(**p) >= limit)
            .map(|(i, _)| i)
    }

    /// The points of `b` whose computed `d . b_j` is at most `limit`.
    pub(super) fn b_below(&self, direction: Vec3, limit: f64) -> impl Iterator<Item = u32> {
        (0..)
            .zip(&self.b)
            .filter(move |(_, p)| direction.dot(**p) <= limit)
            .map(|(j, _)| j)
    }
}

/// The first point with the lowest dot product, and that product.
fn lowest(points: &[Vec3], direction: Vec3) -> (u32, f64) {
    let mut best = (0, direction.dot(points[0]));
    for (i, p) in (1..).zip(&points[1..]) {
        let along = direction.dot(*p);
        if along < best.1 {
            best = (i, along);
        }
    }
    best
}

/// The largest absolute coordinate.
fn largest(points: &[Vec3]) -> f64 {
    points
        .iter()
        .fold(Vec3::ZERO, |m, p| m.max(p.abs()))
        .max_element()
}

/// The power of two that brings a size to at least 1 and below 2, held between 2^-1000 and 2^1000; the smallest size,
/// 2^-1074, becomes 2^-74.
fn normalising_factor(size: f64) -> f64 {
    let exponent = ((size.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    power_of_two((-exponent).clamp(-1000, 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extreme_points_become_ordinary() {
        for size in [f64::from_bits(1), 1e-300, 1e-9, 1.0, 1e9, 1e300, f64::MAX] {
            let (a, b) = ([Vec3::splat(size)], [Vec3::splat(-size)]);
            let local = Local::new(&a, &b);
            assert!(local.extent >= power_of_two(-74) && local.extent <= power_of_two(24));
            let difference = local.difference([0, 0]);
            assert!(difference.is_finite() && difference.max_element() < 0.0);
        }
    }

    #[test]
    fn a_common_shift_costs_nothing() {
        let (a, b) = ([Vec3::splat(1e15)], [Vec3::splat(1e15 + 1.0)]);
        let local = Local::new(&a, &b);
        let extremes = local.extremes(Vec3::X);
        assert!(extremes.gap() > 0.9 && local.margin() < 1e-14);
    }
}
