//! The exact distance between two convex hulls.
//!
//! Floating-point GJK goes as near as it can, and the descent in integers ([`closest`](super::closest)) finishes from
//! there. It ends with a direction `d` and a height `h`, integers in units of the grid, such that the distance is
//! `h / |d|`: the root of a rational number. That number is kept; all roundings start from it.
//!
//! This is the slow twin: it always computes in integers. Faster methods are measured against it.

use super::carrier::Carrier;
use super::closest::{Closest, closest};
use super::grid::Grid;
use super::local::Local;
use super::propose::propose_closest;
use crate::contact::Witness;
use crate::exact::big;
use crate::exact::counts::{count_big, count_filter};
use crate::exact::rounding::{Rounded, round_root};
use crate::exact::signs::Sign;
use crate::math::{Interval, Vec3};
use dashu_int::IBig;

/// The distance between two convex hulls, known exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct HullDistance {
    /// The nearest `f64`; 0 exactly when the hulls intersect. (A distance too small for `f64` becomes the smallest
    /// positive number, one too large the largest.)
    pub distance: f64,
    /// The neighbouring floats below and above, equal when the distance is a float itself. The lower end is positive
    /// exactly when the hulls are apart, unless their distance is below the smallest positive float.
    pub bounds: Interval,
    /// A closest point of each hull, each coordinate the nearest float to the exact one; a common point, twice, when
    /// the hulls intersect.
    pub witness: Witness,
    /// For each hull the indices, ascending, of affinely independent points that have its exact closest point strictly
    /// between them: one for a vertex, two for a segment, three for a triangle, four inside a tetrahedron. The hulls
    /// being apart, the smallest vertex, edge or face of the hull that holds them all holds the closest point.
    pub vertices: [Vec<u32>; 2],
    square: Square,
}

/// The square of the distance: `numerator / denominator * 4^exponent`. Infinity is one divided by zero.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Square {
    numerator: IBig,
    denominator: IBig,
    exponent: i32,
}

/// The distance between the convex hulls of two sets of finite points, exactly.
///
/// The points may be anything that is finite: a single one, collinear, coplanar, equal; a closed triangle is the hull
/// of its corners. The distance to the empty hull of no points is infinite, and its witness is not a number.
///
/// ```
/// # use impinge::{Vec3, exact::{Sign, hull_distance}};
/// let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let near = hull_distance(&triangle, &[Vec3::new(0.25, 0.25, 3.0)]);
/// assert_eq!(near.distance, 3.0);
/// assert_eq!(near.witness.a, Vec3::new(0.25, 0.25, 0.0));
/// assert_eq!(near.vertices, [vec![0, 1, 2], vec![0]]);
/// // Two balls of radius 1 and 2 around them just touch.
/// assert_eq!(near.compare_to(1.0, 2.0), Sign::Zero);
/// ```
pub fn hull_distance(a: &[Vec3], b: &[Vec3]) -> HullDistance {
    if a.is_empty() || b.is_empty() {
        return HullDistance::infinite();
    }
    count_big();
    let local = Local::new(a, b);
    let grid = Grid::new(a, b, &local);
    let nearest = closest(&grid, &propose_closest(&local));
    HullDistance::new(&grid, &nearest)
}

impl HullDistance {
    fn new(grid: &Grid, nearest: &Closest) -> HullDistance {
        let square = Square::of(grid, nearest);
        let rounded = square.root();
        let distance = if nearest.is_origin() {
            0.0
        } else {
            rounded.nearest.max(f64::from_bits(1))
        };
        let pairs = || nearest.weighted_pairs();
        let on_a = Carrier::new(pairs().map(|([i, _], w)| (i, w)), |i| grid.point_a(i));
        let on_b = Carrier::new(pairs().map(|([_, j], w)| (j, w)), |j| grid.point_b(j));
        HullDistance {
            distance,
            bounds: Interval {
                lower: rounded.down,
                upper: rounded.up,
            },
            witness: Witness {
                a: on_a.point(grid.exponent()),
                b: on_b.point(grid.exponent()),
            },
            vertices: [on_a.indices(), on_b.indices()],
            square,
        }
    }

    fn infinite() -> HullDistance {
        HullDistance {
            distance: f64::INFINITY,
            bounds: Interval::exact(f64::INFINITY),
            witness: Witness {
                a: Vec3::NAN,
                b: Vec3::NAN,
            },
            vertices: [vec![], vec![]],
            square: Square {
                numerator: IBig::ONE,
                denominator: IBig::ZERO,
                exponent: 0,
            },
        }
    }

    /// Whether the hulls share a point. Exact.
    pub fn is_intersecting(&self) -> bool {
        self.square.numerator.is_zero()
    }

    /// The sign of `distance - (r1 + r2)`, with the sum not rounded: whether the hulls, grown by two finite radii, are
    /// apart (positive), just touch (zero) or overlap (negative). Exact.
    pub fn compare_to(&self, r1: f64, r2: f64) -> Sign {
        self.compare_to_sum(&[r1, r2])
    }

    /// The sign of the distance minus the sum of finite numbers, the sum not rounded. Exact.
    pub fn compare_to_sum(&self, terms: &[f64]) -> Sign {
        let sum: f64 = terms.iter().sum();
        let magnitude: f64 = terms.iter().map(|t| t.abs()).sum();
        // Each of the n - 1 additions is off by half an EPSILON of the magnitude at most; double that is safe.
        let error = magnitude * f64::EPSILON * terms.len() as f64;
        if self.bounds.lower > (sum + error).next_up() {
            count_filter();
            Sign::Positive
        } else if self.bounds.upper < (sum - error).next_down() {
            count_filter();
            Sign::Negative
        } else {
            count_big();
            self.square.compare_root_to(terms)
        }
    }
}

impl Square {
    fn of(grid: &Grid, nearest: &Closest) -> Square {
        if nearest.is_origin() {
            return Square {
                numerator: IBig::ZERO,
                denominator: IBig::ONE,
                exponent: 0,
            };
        }
        let height = nearest.height();
        Square {
            numerator: &height * &height,
            denominator: nearest.direction().dot(nearest.direction()),
            exponent: grid.exponent(),
        }
    }

    fn root(&self) -> Rounded {
        round_root(&self.numerator, &self.denominator, self.exponent)
    }

    /// The sign of the root minus the sum of the terms.
    fn compare_root_to(&self, terms: &[f64]) -> Sign {
        let units = terms.iter().copied().map(big::lowest_exponent);
        let unit = units.min().unwrap_or(self.exponent);
        let sum: IBig = terms.iter().map(|t| big::to_integer(*t, unit)).sum();
        if big::sign(&sum) == Sign::Negative {
            return Sign::Positive;
        }
        let theirs = &sum * &sum * &self.denominator;
        // Both squares in the smaller of the two units, squared.
        let shift = 2 * (self.exponent - unit);
        if shift >= 0 {
            big::sign(&((&self.numerator << shift as usize) - theirs))
        } else {
            big::sign(&(&self.numerator - (theirs << -shift as usize)))
        }
    }
}
