//! The point of `hull(b) - hull(a)` nearest to the origin, exactly: GJK in integers.
//!
//! The same descent as in [`propose`](super::propose), without rounding. `W` is the finite set of differences
//! `b_j - a_i`, as integer vectors; its hull is the set of all differences of points. A *face* is an affinely
//! independent subset `F` of `W` (one to four corners) whose point `v` nearest to the origin is a mean of all its
//! corners with positive weights. A step with `v` not zero looks for a corner `w` of `W` with `v.w < v.v`; without
//! one, `v` is the answer.
//!
//! # Why it is right
//!
//! At the end `v.w >= v.v` for all `w` of `W`, hence for all `x` of its hull `v.x >= v.v`, so `|x| >= |v|`: nothing is
//! nearer. If `v` is not zero, it separates: `v.(b_j - a_i) >= v.v > 0`. If it is zero, the weights prove a common
//! point.
//!
//! # Why it ends
//!
//! 1. `v` is perpendicular to `aff(F)`, so `v.x = v.v` there. A `w` with `v.w < v.v` is not in it: `F + w` is affinely
//!    independent again. No degenerate simplex ever arises, and never more than four corners, because with four
//!    `aff(F)` is all of space and `v` is zero.
//! 2. The derivative of `|v + t(w - v)|^2` at `t = 0` is `2 (v.w - v.v) < 0`, so the simplex `F + w` has points nearer
//!    than `v`. Its nearest point `v'` is in the relative interior of exactly one of its faces. That face contains
//!    `w`, since `v` was the best of `F`, and it is recognised by positive weights and `v'.u >= v'.v'` for the other
//!    corners `u`.
//! 3. So `|v|` falls strictly. It is a function of the face, faces are subsets of the finite set `W`, hence none comes
//!    twice, and the descent ends.
//!
//! # Cost
//!
//! All quantities are polynomials of degree at most 5 in the coordinates (weights times coordinates), computed from
//! the input at each step, so they do not grow. The corners that floating point proposed are tried before all of `W`
//! is searched; with them the search over all points usually runs once, to find nothing.

use super::Pair;
use super::foot::{Foot, foot};
use super::grid::{Corner, Grid};
use crate::exact::big::BigVec3;
use dashu_int::IBig;

/// A face with the point nearest to the origin.
#[derive(Debug, Clone)]
pub(super) struct Closest {
    corners: Vec<Corner>,
    foot: Foot,
}

/// The face of the difference set nearest to the origin. The seed, one or more pairs that are probably near, decides
/// how long this takes, not the distance found.
pub(super) fn closest(grid: &Grid, seed: &[Pair]) -> Closest {
    let seed: Vec<Corner> = seed.iter().map(|&pair| grid.corner(pair)).collect();
    let mut face = Closest::start(&seed);
    while !face.is_origin() {
        let known = seed.iter().find(|c| face.is_improved_by(&c.point)).cloned();
        let next = known.or_else(|| {
            let support = grid.support(&face.foot.direction);
            (support.gap < face.height()).then(|| grid.corner(support.pair))
        });
        match next {
            Some(corner) => face = face.joined(corner),
            None => break,
        }
    }
    face
}

impl Closest {
    /// The whole seed if it is a face, which is what a good proposal is; else its first corner.
    fn start(seed: &[Corner]) -> Closest {
        let whole = Closest::of_corners(seed);
        whole
            .or_else(|| Closest::of_corners(&seed[..1]))
            .expect("one corner is a face")
    }

    fn of_corners(corners: &[Corner]) -> Option<Closest> {
        let points: Vec<&BigVec3> = corners.iter().map(|c| &c.point).collect();
        foot(&points).map(|foot| Closest {
            corners: corners.to_vec(),
            foot,
        })
    }

    /// Whether the nearest point is the origin: the hulls intersect.
    pub(super) fn is_origin(&self) -> bool {
        self.foot.direction.is_zero()
    }

    /// The pairs whose differences have the nearest point as their mean, and their positive weights.
    pub(super) fn weighted_pairs(&self) -> impl Iterator<Item = (Pair, &IBig)> {
        self.corners.iter().map(|c| c.pair).zip(&self.foot.weights)
    }

    /// An integer vector from the origin towards the nearest point.
    pub(super) fn direction(&self) -> &BigVec3 {
        &self.foot.direction
    }

    /// `direction . v`, the same for all corners. The distance is this divided by the length of the direction.
    pub(super) fn height(&self) -> IBig {
        self.foot.direction.dot(&self.corners[0].point)
    }

    fn is_improved_by(&self, point: &BigVec3) -> bool {
        self.foot.direction.dot(point) < self.height()
    }

    /// The nearest face of this one and a corner that improves on it.
    fn joined(self, corner: Corner) -> Closest {
        let old = self.corners;
        (0..1_u32 << old.len())
            .find_map(|mask| face_with(&old, mask, &corner))
            .expect("the nearest point of a simplex is inside exactly one of its faces")
    }
}

/// The corners of `old` in the mask and the new one, if that is the face of the simplex of all that is nearest to the
/// origin.
fn face_with(old: &[Corner], mask: u32, new: &Corner) -> Option<Closest> {
    let is_in = |i: usize| mask >> i & 1 == 1;
    let corners: Vec<&Corner> = (0..old.len())
        .filter(|i| is_in(*i))
        .map(|i| &old[i])
        .chain([new])
        .collect();
    let points: Vec<&BigVec3> = corners.iter().map(|c| &c.point).collect();
    let foot = foot(&points)?;
    let height = foot.direction.dot(&new.point);
    let is_nearest = foot.direction.is_zero()
        || (0..old.len())
            .filter(|i| !is_in(*i))
            .all(|i| foot.direction.dot(&old[i].point) >= height);
    is_nearest.then(|| Closest {
        corners: corners.into_iter().cloned().collect(),
        foot,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::hulls::local::Local;
    use crate::math::Vec3;

    #[test]
    fn every_seed_leads_to_the_same_distance() {
        // Two cubes, one turned onto its corner by a map of integers, and apart by an edge and a corner.
        let cube = |map: fn(f64, f64, f64) -> Vec3| -> Vec<Vec3> {
            (0..8_u8)
                .map(|i| map((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into()))
                .collect()
        };
        let a = cube(Vec3::new);
        let b = cube(|x, y, z| Vec3::new(x + y + 1.5, y - x + 2.0, z - y - x + 0.5));
        let local = Local::new(&a, &b);
        let grid = Grid::new(&a, &b, &local);
        let square = |face: &Closest| {
            let direction = face.direction();
            (face.height() * face.height(), direction.dot(direction))
        };
        let (numerator, denominator) = square(&closest(&grid, &[[0, 0]]));
        for k in 0..4096_u32 {
            let seed = [[k & 7, k >> 3 & 7], [k >> 6 & 7, k >> 9]];
            let (n, d) = square(&closest(&grid, &seed));
            assert_eq!(n * &denominator, &numerator * d);
        }
        assert!(numerator > IBig::ZERO);
    }

    #[test]
    fn seeds_may_be_degenerate() {
        let a = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X];
        let b = [Vec3::X + Vec3::Y];
        let local = Local::new(&a, &b);
        let grid = Grid::new(&a, &b, &local);
        let face = closest(&grid, &[[1, 0], [3, 0], [0, 0], [2, 0]]);
        assert!(!face.is_origin());
        assert_eq!(face.height(), IBig::ONE);
    }
}
