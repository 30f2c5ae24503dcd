//! A pair of point sets on a common integer grid, with an exact search for the farthest points.
//!
//! Every coordinate is an integer in units of `2^exponent`. Points are converted when they are asked for: an exact
//! search measures all points in floating point and only those within the error bound of the best in integers.

use super::Pair;
use super::local::Local;
use crate::exact::big::{self, BigVec3};
use crate::exact::rounding::power_of_two;
use crate::exact::signs::Sign;
use crate::math::Vec3;
use dashu_int::IBig;
use dashu_int::ops::BitTest;

/// Two non-empty point sets in units of `2^exponent`.
#[derive(Debug)]
pub(super) struct Grid<'p> {
    a: &'p [Vec3],
    b: &'p [Vec3],
    local: &'p Local<'p>,
    exponent: i32,
}

/// A difference `b_j - a_i`, and whose it is.
#[derive(Debug, Clone)]
pub(super) struct Corner {
    pub(super) pair: Pair,
    pub(super) point: BigVec3,
}

/// The pair whose difference `b_j - a_i` lies lowest along a direction.
#[derive(Debug)]
pub(super) struct Support {
    pub(super) pair: Pair,
    /// `direction . (b_j - a_i)`.
    pub(super) gap: IBig,
}

impl<'p> Grid<'p> {
    /// The grid of two non-empty sets of finite points and their local coordinates.
    pub(super) fn new(a: &'p [Vec3], b: &'p [Vec3], local: &'p Local<'p>) -> Grid<'p> {
        let exponent = big::common_exponent(a.iter().chain(b).copied());
        Grid {
            a,
            b,
            local,
            exponent,
        }
    }

    /// The unit is `2^exponent`.
    pub(super) fn exponent(&self) -> i32 {
        self.exponent
    }

    pub(super) fn point_a(&self, i: u32) -> BigVec3 {
        BigVec3::in_units(self.a[i as usize], self.exponent)
    }

    pub(super) fn point_b(&self, j: u32) -> BigVec3 {
        BigVec3::in_units(self.b[j as usize], self.exponent)
    }

    /// The difference of a pair.
    pub(super) fn corner(&self, pair: Pair) -> Corner {
        let [i, j] = pair;
        Corner {
            pair,
            point: self.point_b(j).sub(&self.point_a(i)),
        }
    }

    /// The pair whose difference lies lowest along the direction, exactly; the one with the lowest indices of several.
    pub(super) fn support(&self, direction: &BigVec3) -> Support {
        let rounded = round_direction(direction);
        let extremes = self.local.extremes(rounded);
        // A point beyond this limit is truly behind the best one.
        let margin = self.local.margin();
        let [i, j] = extremes.pair;
        let mut highest_a = (i, direction.dot(&self.point_a(i)));
        for other in self.local.a_above(rounded, extremes.highest_a - margin) {
            let along = direction.dot(&self.point_a(other));
            if along > highest_a.1 {
                highest_a = (other, along);
            }
        }
        let mut lowest_b = (j, direction.dot(&self.point_b(j)));
        for other in self.local.b_below(rounded, extremes.lowest_b + margin) {
            let along = direction.dot(&self.point_b(other));
            if along < lowest_b.1 {
                lowest_b = (other, along);
            }
        }
        Support {
            pair: [highest_a.0, lowest_b.0],
            gap: lowest_b.1 - highest_a.1,
        }
    }

    /// Whether `direction . a_i < direction . b_j` for all pairs.
    pub(super) fn is_separated_along(&self, direction: &BigVec3) -> bool {
        big::sign(&self.support(direction).gap) == Sign::Positive
    }
}

/// The direction in floating point, scaled to a largest component between 1/2 and 1; each component is off by at most
/// 1.01 roundings of 1, as [`local`](super::local) asks. Zero stays zero.
pub(super) fn round_direction(direction: &BigVec3) -> Vec3 {
    const KEPT: usize = 62;
    let components = [&direction.x, &direction.y, &direction.z];
    let bits = components
        .map(|c| c.bit_len())
        .into_iter()
        .max()
        .unwrap_or(0);
    let cut = bits.saturating_sub(KEPT);
    let unit = power_of_two(-((bits - cut) as i32));
    // What is cut off is below 2^-61.
    Vec3::from_array(components.map(|c| {
        let kept = i64::try_from(c >> cut).expect("62 bits and a sign");
        kept as f64 * unit
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points that floating point cannot tell apart along the diagonal.
    fn near_ties() -> Vec<Vec3> {
        let step = f64::EPSILON;
        (0..64_u8)
            .map(|i| {
                let [x, y, z] = [i & 3, i >> 2 & 3, i >> 4].map(|k| f64::from(k) * step);
                Vec3::new(1.0 + x, 2.0 - 2.0 * y, 4.0 + 4.0 * z)
            })
            .collect()
    }

    #[test]
    fn support_is_exact_among_near_ties() {
        let points = near_ties();
        let far: Vec<Vec3> = points.iter().map(|p| *p - Vec3::splat(8.0)).collect();
        let local = Local::new(&points, &far);
        let grid = Grid::new(&points, &far, &local);
        for k in 0..125_i64 {
            let component = |k: i64| IBig::from(k - 2) * (IBig::ONE << 100) + IBig::from(k);
            let direction = BigVec3 {
                x: component(k % 5),
                y: component(k / 5 % 5),
                z: component(k / 25),
            };
            let along = |p: BigVec3| direction.dot(&p);
            let highest = (0..64).map(|i| along(grid.point_a(i))).max();
            let lowest = (0..64).map(|j| along(grid.point_b(j))).min();
            let expected = lowest.zip(highest).map(|(low, high)| low - high);
            let found = grid.support(&direction);
            assert_eq!(Some(&found.gap), expected.as_ref());
            assert_eq!(along(grid.corner(found.pair).point), found.gap);
        }
    }

    #[test]
    fn rounded_directions_keep_their_proportions() {
        let direction = BigVec3 {
            x: IBig::from(3) << 500,
            y: IBig::from(-1) << 500,
            z: IBig::ONE,
        };
        let rounded = round_direction(&direction);
        assert!(rounded.x >= 0.5 && rounded.x <= 1.0);
        assert!((rounded.y / rounded.x + 1.0 / 3.0).abs() < 1e-15);
        assert!(rounded.z.abs() <= 0.0);
        assert_eq!(round_direction(&BigVec3::zero()), Vec3::ZERO);
    }
}
