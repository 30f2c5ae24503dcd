//! Proofs that two hulls are apart or have a common point, and the checker of these proofs.
//!
//! Whatever search ran, its answer comes as one of two certificates, and a few lines here tell whether it holds:
//!
//! - **apart**: a direction `d` with `d.p < d.q` for all points `p` of `a` and `q` of `b`. Then the same holds for all
//!   points of their hulls, so these share none. Along `d` only one difference has to be positive, the lowest of `b`
//!   minus the highest of `a`.
//! - **intersecting**: up to four pairs of points whose differences `b_j - a_i` have the origin as a mean with
//!   non-negative weights. The same weights on the `a_i` and on the `b_j` give the same point, which is in both hulls.
//!
//! Conversely, hulls that are apart have such a direction and hulls that are not have such pairs (Caratheodory), so the
//! checker never has to answer "unknown": a filter with a derived error bound decides if it can, big integers else.
//!
//! The filter for four pairs is Shewchuk's for the orientation of four points (1997): there, too, the rows of a
//! determinant are differences of input points, each rounded once.

use super::Pair;
use super::foot::foot;
use super::grid::{Grid, round_direction};
use super::local::Local;
use crate::exact::big::{self, BigVec3};
use crate::exact::counts::{count_big, count_filter};
use crate::exact::signs::Sign;
use crate::math::Vec3;

/// How two hulls lie to each other, with the proof.
#[derive(Debug, Clone, PartialEq)]
pub enum HullRelation {
    /// They share no point.
    Apart(Separator),
    /// They share at least one point.
    Intersecting(CommonPoint),
}

/// A direction along which all of `a` comes before all of `b`.
#[derive(Debug, Clone, PartialEq)]
pub struct Separator {
    direction: Direction,
}

#[derive(Debug, Clone, PartialEq)]
enum Direction {
    Float(Vec3),
    Integer(BigVec3),
}

/// Pairs of points whose differences have the origin in their hull.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonPoint {
    pairs: Vec<Pair>,
}

impl HullRelation {
    /// Whether the relation says that the hulls share a point.
    pub fn is_intersecting(&self) -> bool {
        match self {
            HullRelation::Apart(_) => false,
            HullRelation::Intersecting(_) => true,
        }
    }

    /// Whether the certificate proves the relation for the hulls of these finite points. Exact.
    pub fn verify(&self, a: &[Vec3], b: &[Vec3]) -> bool {
        match self {
            HullRelation::Apart(separator) => separator.verify(a, b),
            HullRelation::Intersecting(common) => common.verify(a, b),
        }
    }
}

impl Separator {
    /// A claim: along this finite direction all of `a` comes before all of `b`.
    pub fn new(direction: Vec3) -> Separator {
        Separator {
            direction: Direction::Float(direction),
        }
    }

    pub(super) fn from_integers(direction: BigVec3) -> Separator {
        Separator {
            direction: Direction::Integer(direction),
        }
    }

    /// The direction from `a` to `b`, rounded: when the hulls all but touch, the rounded one need not separate them.
    pub fn direction(&self) -> Vec3 {
        match &self.direction {
            Direction::Float(direction) => *direction,
            Direction::Integer(direction) => round_direction(direction),
        }
    }

    /// The direction without rounding, scaled to three integers, in decimal digits.
    pub fn exact_direction(&self) -> [String; 3] {
        let BigVec3 { x, y, z } = self.integers();
        [x, y, z].map(|component| component.to_string())
    }

    fn integers(&self) -> BigVec3 {
        match &self.direction {
            Direction::Float(direction) => {
                let ([direction], _) = big::to_integers([*direction]);
                direction
            }
            Direction::Integer(direction) => direction.clone(),
        }
    }

    /// Whether the claim holds for these finite points. Exact. Nothing and anything are always apart.
    pub fn verify(&self, a: &[Vec3], b: &[Vec3]) -> bool {
        if a.is_empty() || b.is_empty() {
            return true;
        }
        let local = Local::new(a, b);
        if let Some(holds) = self.check_by_filter(&local) {
            count_filter();
            return holds;
        }
        count_big();
        Grid::new(a, b, &local).is_separated_along(&self.integers())
    }

    /// The claim in floating point, where the error bound allows a decision.
    pub(super) fn check_by_filter(&self, local: &Local) -> Option<bool> {
        // Components of at most 1, off by at most one rounding of that: what the margin is derived for.
        let direction = match &self.direction {
            Direction::Float(direction) => *direction / direction.abs().max_element(),
            Direction::Integer(direction) => round_direction(direction),
        };
        let gap = local.extremes(direction).gap();
        // False for the zero direction, whose gap is not a number.
        (gap.abs() > local.margin()).then_some(gap > 0.0)
    }
}

impl CommonPoint {
    /// A claim: the origin is in the hull of the differences `b_j - a_i` of these pairs `[i, j]`. More than four are
    /// never needed; those after the fourth are left out.
    pub fn new(pairs: &[[u32; 2]]) -> CommonPoint {
        CommonPoint {
            pairs: pairs[..pairs.len().min(4)].to_vec(),
        }
    }

    /// The pairs `[i, j]`: an index into `a` and one into `b`.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Whether the claim holds for these finite points. Exact. False when an index points past the end.
    pub fn verify(&self, a: &[Vec3], b: &[Vec3]) -> bool {
        let is_inside = |&[i, j]: &Pair| (i as usize) < a.len() && (j as usize) < b.len();
        if self.pairs.is_empty() || !self.pairs.iter().all(is_inside) {
            return false;
        }
        // Only the points named matter.
        let named_a: Vec<Vec3> = self.pairs.iter().map(|[i, _]| a[*i as usize]).collect();
        let named_b: Vec<Vec3> = self.pairs.iter().map(|[_, j]| b[*j as usize]).collect();
        let count = named_a.len() as u32;
        let named = CommonPoint {
            pairs: (0..count).map(|k| [k, k]).collect(),
        };
        let local = Local::new(&named_a, &named_b);
        if let Some(holds) = named.check_by_filter(&local) {
            count_filter();
            return holds;
        }
        count_big();
        let grid = Grid::new(&named_a, &named_b, &local);
        let differences: Vec<BigVec3> = named.pairs.iter().map(|&p| grid.corner(p).point).collect();
        origin_in_hull(&differences)
    }

    /// The claim in floating point, where the error bound allows a decision: for four pairs whose differences enclose
    /// the origin, or do not, by a margin.
    pub(super) fn check_by_filter(&self, local: &Local) -> Option<bool> {
        let [p, q, r, s] = *<&[Pair; 4]>::try_from(self.pairs.as_slice()).ok()?;
        let [p, q, r, s] = [p, q, r, s].map(|pair| local.difference(pair));
        // The weights of the origin, as in the table of `foot`.
        let weights = [
            determinant_sign(q, r, s)?,
            -determinant_sign(p, r, s)?,
            determinant_sign(p, q, s)?,
            -determinant_sign(p, q, r)?,
        ];
        Some(weights.iter().all(|w| *w == weights[0]))
    }
}

/// Whether some of these one to four points have the origin as a mean with positive weights. The sum is checked as
/// stated, not as [`foot`] promises it.
fn origin_in_hull(points: &[BigVec3]) -> bool {
    (1..1_u32 << points.len()).any(|mask| {
        let chosen: Vec<&BigVec3> = (0..points.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| &points[i])
            .collect();
        foot(&chosen).is_some_and(|foot| {
            let weighted = chosen.iter().zip(&foot.weights);
            let sum = weighted.fold(BigVec3::zero(), |sum, (p, w)| sum.add(&p.scale(w)));
            sum.is_zero() && foot.weights.iter().all(|w| big::sign(w) == Sign::Positive)
        })
    })
}

/// The sign of the determinant of three local differences, where the error bound vouches for it: not zero then.
fn determinant_sign(p: Vec3, q: Vec3, r: Vec3) -> Option<Sign> {
    /// Shewchuk's bound for rows that are differences rounded once, as a multiple of the permanent.
    const BOUND: f64 = (7.0 + 28.0 * f64::EPSILON) * (f64::EPSILON / 2.0);
    /// Local differences are at most 2^26: what underflows below 2^-1022 stays below 2^-900 in the determinant, nothing
    /// beside the bound of a permanent above this.
    const FLOOR: f64 = 1e-180;
    let (qr, rq) = (q.x * r.y, r.x * q.y);
    let (rp, pr) = (r.x * p.y, p.x * r.y);
    let (pq, qp) = (p.x * q.y, q.x * p.y);
    let determinant = p.z * (qr - rq) + q.z * (rp - pr) + r.z * (pq - qp);
    let permanent = (qr.abs() + rq.abs()) * p.z.abs()
        + (rp.abs() + pr.abs()) * q.z.abs()
        + (pq.abs() + qp.abs()) * r.z.abs();
    (determinant.abs() > BOUND * permanent && permanent > FLOOR).then(|| Sign::of(determinant))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: [Vec3; 8] = [
        Vec3::new(0.0, 0.0, 0.0),
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(1.0, 1.0, 0.0),
        Vec3::new(0.0, 0.0, 1.0),
        Vec3::new(1.0, 0.0, 1.0),
        Vec3::new(0.0, 1.0, 1.0),
        Vec3::new(1.0, 1.0, 1.0),
    ];

    #[test]
    fn separators_are_strict() {
        let touching = CUBE.map(|p| p + Vec3::X);
        let apart = CUBE.map(|p| Vec3::new((p.x + 1.0).next_up(), p.y, p.z));
        let x = Separator::new(Vec3::X);
        assert!(!x.verify(&CUBE, &touching));
        assert!(x.verify(&CUBE, &apart));
        assert!(!Separator::new(-Vec3::X).verify(&CUBE, &apart));
        assert!(!Separator::new(Vec3::ZERO).verify(&CUBE, &apart));
        assert!(Separator::new(Vec3::X * 1e-310).verify(&CUBE, &apart));
    }

    #[test]
    fn common_points_may_be_on_the_boundary() {
        let touching = CUBE.map(|p| p + Vec3::new(1.0, 0.5, 0.25));
        // The edge x = 1, y = 1 of the first and the vertex (1, 0.5, 0.25) of the second: in the face, not on the edge.
        assert!(!CommonPoint::new(&[[3, 0], [7, 0]]).verify(&CUBE, &touching));
        assert!(CommonPoint::new(&[[1, 0], [3, 0], [7, 0]]).verify(&CUBE, &touching));
        // Affinely dependent differences prove as much.
        assert!(CommonPoint::new(&[[1, 0], [3, 0], [5, 0], [7, 0]]).verify(&CUBE, &touching));
        assert!(CommonPoint::new(&[[3, 3]]).verify(&CUBE, &CUBE));
        assert!(!CommonPoint::new(&[[3, 9]]).verify(&CUBE, &CUBE));
        assert!(!CommonPoint::new(&[]).verify(&CUBE, &CUBE));
    }

    #[test]
    fn enclosed_by_a_margin_needs_no_integers() {
        let before = crate::exact::counts();
        let inside = [Vec3::new(0.2, 0.3, 0.4)];
        let proof = CommonPoint::new(&[[0, 0], [3, 0], [5, 0], [6, 0]]);
        assert!(proof.verify(&CUBE, &inside));
        assert!(!proof.verify(&CUBE, &[Vec3::new(0.9, 0.9, 0.9)]));
        assert_eq!((crate::exact::counts() - before).filter, 2);
    }
}
