//! How deep two convex hulls overlap, exactly.
//!
//! The search in integers ([`expand`](super::expand)) ends with a direction `d` and a gap `g`, integers in units of the
//! grid, such that the depth is `-g / |d|`: the root of a rational number, rounded once.
//!
//! This is the slow twin: it always computes in integers. Faster methods are measured against it, and fall back on it.

use super::Pair;
use super::carrier::Carrier;
use super::distance::hull_distance;
use super::expand::{Deepest, Facet, deepest};
use super::grid::Grid;
use super::local::Local;
use super::relate::hulls_intersect;
use crate::contact::Witness;
use crate::exact::big::{self, BigVec3};
use crate::exact::counts::count_big;
use crate::exact::measure;
use crate::exact::rounding::{Rounded, round_quotient, round_root};
use crate::math::{Interval, Vec3};
use dashu_int::IBig;

/// How deep two convex hulls overlap, known exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct HullPenetration {
    /// The nearest `f64` to the true depth: the length of the shortest move of the second hull after which the two at
    /// most touch. 0 exactly when they touch now. (A depth too small for `f64` becomes the smallest positive number,
    /// one too large the largest.)
    pub depth: f64,
    /// The true depth is inside; the ends are a few units in the last place of the coordinates apart. A move of the
    /// second hull by exactly `upper * direction` leaves no overlap, although `direction` is rounded.
    pub bounds: Interval,
    /// The way the second hull must move, of unit length up to rounding.
    pub direction: Vec3,
    /// A point of each hull, each coordinate the nearest float to the exact one: the second, moved by the depth along
    /// the direction, falls on the first.
    pub witness: Witness,
    /// For each hull the indices, ascending, of affinely independent points that have its exact witness strictly
    /// between them: one for a vertex, two for a segment, three for a triangle. Four, inside a tetrahedron, occur only
    /// where both hulls lie in one plane. Otherwise the smallest vertex, edge or face of the hull that holds them all is
    /// the one that leaves last.
    pub vertices: [Vec<u32>; 2],
}

/// How deep the convex hulls of two sets of finite points overlap, exactly; `None` when they are apart.
///
/// The points may be anything that is finite: a single one, collinear, coplanar, equal. No points have an empty hull,
/// which is apart from everything.
///
/// ```
/// # use impinge::{Vec3, exact::hull_penetration};
/// let corner = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let deep = hull_penetration(&corner, &[Vec3::new(0.5, 0.25, 0.125)]).expect("inside");
/// // The square root of 3, divided by 24: 0.072168783648703220563...
/// assert_eq!(deep.depth, 0.07216878364870322);
/// assert!(deep.direction.min_element() > 0.57);
/// assert_eq!(deep.vertices, [vec![1, 2, 3], vec![0]]);
/// ```
pub fn hull_penetration(a: &[Vec3], b: &[Vec3]) -> Option<HullPenetration> {
    if !hulls_intersect(a, b) {
        return None;
    }
    count_big();
    let local = Local::new(a, b);
    let grid = Grid::new(a, b, &local);
    Some(match deepest(&grid) {
        Deepest::Facet(facet) => HullPenetration::of_facet(&grid, &facet),
        Deepest::Flat(normal) => HullPenetration::of_flat(&grid, &normal, a, b),
    })
}

impl HullPenetration {
    fn of_facet(grid: &Grid, facet: &Facet) -> HullPenetration {
        let square = facet.inward.dot(&facet.inward);
        let rounded = round_root(&(&facet.gap * &facet.gap), &square, grid.exponent());
        let carrier = |side: usize, position: &dyn Fn(u32) -> BigVec3| {
            let weighted = facet.weighted.iter();
            Carrier::new(
                weighted.map(|(pair, w): &(Pair, IBig)| (pair[side], w)),
                position,
            )
        };
        let on_a = carrier(0, &|i| grid.point_a(i));
        let on_b = carrier(1, &|j| grid.point_b(j));
        let witness = Witness {
            a: on_a.point(grid.exponent()),
            b: on_b.point(grid.exponent()),
        };
        let vertices = [on_a.indices(), on_b.indices()];
        HullPenetration::new(grid, &facet.inward, rounded, witness, vertices)
    }

    /// For hulls that touch in a plane that holds both, or in parallel ones.
    fn of_flat(grid: &Grid, normal: &BigVec3, a: &[Vec3], b: &[Vec3]) -> HullPenetration {
        let zero = round_root(&IBig::ZERO, &IBig::ONE, 0);
        let touching = hull_distance(a, b);
        HullPenetration::new(grid, normal, zero, touching.witness, touching.vertices)
    }

    fn new(
        grid: &Grid,
        inward: &BigVec3,
        depth: Rounded,
        witness: Witness,
        vertices: [Vec<u32>; 2],
    ) -> HullPenetration {
        let direction = measure::direction(inward);
        let is_positive = depth.up > 0.0;
        HullPenetration {
            depth: depth
                .nearest
                .max(if is_positive { f64::from_bits(1) } else { 0.0 }),
            bounds: Interval {
                lower: depth.down,
                upper: depth.up.max(parting_distance(grid, direction)),
            },
            direction,
            witness,
            vertices,
        }
    }
}

/// The least `t`, rounded up, for which a move of the second hull by `t * direction` leaves no overlap. The direction is
/// taken as it is, rounded and not quite of unit length.
fn parting_distance(grid: &Grid, direction: Vec3) -> f64 {
    let unit = big::common_exponent([direction]);
    let direction = BigVec3::in_units(direction, unit);
    let gap = grid.support(&direction).gap;
    if gap >= IBig::ZERO {
        return 0.0;
    }
    // The gap closes when t * direction . direction = -gap, in units of the grid times those of the direction.
    let square = direction.dot(&direction);
    round_quotient(&-gap, &square, grid.exponent() - unit).next_up()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "exact answers are compared exactly")]
mod tests {
    use super::*;

    fn cube(center: Vec3, half: f64) -> Vec<Vec3> {
        (0..8_u8)
            .map(|i| {
                let sign = |bit: u8| if i >> bit & 1 == 1 { half } else { -half };
                center + Vec3::new(sign(0), sign(1), sign(2))
            })
            .collect()
    }

    #[test]
    fn cubes_leave_by_the_nearest_face() {
        let (a, b) = (
            cube(Vec3::ZERO, 1.0),
            cube(Vec3::new(0.25, -0.5, 1.75), 0.5),
        );
        assert!(hull_penetration(&a, &b).is_none());
        let b = cube(Vec3::new(0.25, -0.5, 1.25), 0.5);
        let deep = hull_penetration(&a, &b).unwrap();
        assert_eq!(deep.depth, 0.25);
        assert_eq!(deep.bounds, Interval::exact(0.25).widened());
        assert_eq!(deep.direction, Vec3::Z);
        assert_eq!(deep.witness.a - deep.witness.b, Vec3::Z * 0.25);
    }

    #[test]
    fn touching_is_no_depth() {
        let a = cube(Vec3::ZERO, 1.0);
        for at in [Vec3::Z, Vec3::Y + Vec3::Z, Vec3::ONE] {
            let deep = hull_penetration(&a, &cube(at * 2.0, 1.0)).unwrap();
            assert_eq!(deep.depth, 0.0);
            assert_eq!(deep.bounds.lower, 0.0);
            assert!(deep.bounds.upper < 1e-15);
            assert_eq!(deep.witness.a, deep.witness.b);
        }
    }

    #[test]
    fn the_smallest_overlap_is_not_touching() {
        let a = cube(Vec3::ZERO, 1.0);
        let b: Vec<Vec3> = cube(Vec3::Z * 2.0, 1.0)
            .into_iter()
            .map(|p| Vec3::new(p.x, p.y, p.z.next_down()))
            .collect();
        let deep = hull_penetration(&a, &b).unwrap();
        assert_eq!(deep.depth, f64::EPSILON / 2.0);
    }

    #[test]
    fn flat_hulls() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
        let same_plane = [Vec3::new(0.5, 0.5, 0.0), Vec3::new(3.0, 0.5, 0.0)];
        let touching = hull_penetration(&square, &same_plane).unwrap();
        assert_eq!(touching.depth, 0.0);
        assert_eq!(touching.direction.abs(), Vec3::Z);
        let pin = [Vec3::new(0.5, 0.5, -0.25), Vec3::new(0.5, 0.5, 2.0)];
        let deep = hull_penetration(&square, &pin).unwrap();
        assert_eq!((deep.depth, deep.direction), (0.25, Vec3::Z));
        assert_eq!(deep.witness.b, pin[0]);
        let point = hull_penetration(&pin[..1], &pin[..1]).unwrap();
        assert_eq!((point.depth, point.bounds.upper), (0.0, 0.0));
    }

    #[test]
    fn nothing_is_apart_from_everything() {
        assert!(hull_penetration(&[], &[Vec3::ZERO]).is_none());
    }

    #[test]
    fn a_point_leaves_through_the_nearest_face_from_anywhere() {
        let a = cube(Vec3::ZERO, 1.0);
        for k in 0..343_u16 {
            let coordinate = |k: u16| f64::from(k) * 0.3 - 0.9;
            let p = Vec3::new(coordinate(k % 7), coordinate(k / 7 % 7), coordinate(k / 49));
            let deep = hull_penetration(&a, &[p]).unwrap();
            let expected = 1.0 - p.abs().max_element();
            assert!((deep.depth - expected).abs() <= f64::EPSILON);
            assert!(deep.bounds.contains(deep.depth));
            let moved = p + deep.direction * deep.depth;
            assert!((moved.abs().max_element() - 1.0).abs() <= f64::EPSILON);
        }
    }

    impl Interval {
        /// The parting distance is rounded up once more than needed.
        fn widened(self) -> Interval {
            Interval {
                upper: self.upper.next_up(),
                ..self
            }
        }
    }
}
