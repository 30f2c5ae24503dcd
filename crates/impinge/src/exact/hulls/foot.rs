//! The point of a simplex nearest to the origin, in integers.
//!
//! The *foot* of the origin on the affine hull of `p, q, ...` is a weighted mean of these points. Here its weights are
//! integers, and so is a vector in its direction; both are polynomials of the points, so their size does not grow from
//! step to step. With `e = q - p` and `n = (q - p) x (r - p) = p x q + q x r + r x p`:
//!
//! | points | weights | direction |
//! |---|---|---|
//! | `p` | 1 | `p` |
//! | `p q` | `q.e`, `-p.e`, summing to `e.e` | `e x (p x q)` = the weighted sum |
//! | `p q r` | `n.(q x r)`, `n.(r x p)`, `n.(p x q)`, summing to `n.n` | `n` times the sign of `n.p` |
//! | `p q r s` | `[qrs]`, `-[prs]`, `[pqs]`, `-[pqr]`, summing to six volumes | zero |
//!
//! where `[pqr]` is the determinant `p.(q x r)`. Each line is the solution of "the weighted sum is perpendicular to all
//! edges" by Cramer's rule, with the common denominator left out.

use crate::exact::big::{self, BigVec3};
use crate::exact::signs::Sign;
use dashu_int::IBig;

/// The foot of the origin on a simplex, strictly inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Foot {
    /// One for each point, all positive. The foot is the weighted sum divided by the sum of weights.
    pub(super) weights: Vec<IBig>,
    /// From the origin towards the foot, of some length; zero exactly when the foot is the origin.
    pub(super) direction: BigVec3,
}

/// The foot of the origin on the affine hull of one to four points, when it is a mean of them with positive weights.
/// There is none for affinely dependent points: their weights come out as zero.
pub(super) fn foot(points: &[&BigVec3]) -> Option<Foot> {
    match *points {
        [p] => Some(Foot {
            weights: vec![IBig::ONE],
            direction: p.clone(),
        }),
        [p, q] => on_segment(p, q),
        [p, q, r] => on_triangle(p, q, r),
        [p, q, r, s] => in_tetrahedron(p, q, r, s),
        _ => None,
    }
}

fn on_segment(p: &BigVec3, q: &BigVec3) -> Option<Foot> {
    let edge = q.sub(p);
    let weights = positive(vec![q.dot(&edge), -p.dot(&edge)])?;
    let direction = p.scale(&weights[0]).add(&q.scale(&weights[1]));
    Some(Foot { weights, direction })
}

fn on_triangle(p: &BigVec3, q: &BigVec3, r: &BigVec3) -> Option<Foot> {
    let (qr, rp, pq) = (q.cross(r), r.cross(p), p.cross(q));
    let normal = pq.add(&qr).add(&rp);
    let weights = positive(vec![normal.dot(&qr), normal.dot(&rp), normal.dot(&pq)])?;
    let direction = match big::sign(&normal.dot(p)) {
        Sign::Positive => normal,
        Sign::Zero => BigVec3::zero(),
        Sign::Negative => normal.neg(),
    };
    Some(Foot { weights, direction })
}

fn in_tetrahedron(p: &BigVec3, q: &BigVec3, r: &BigVec3, s: &BigVec3) -> Option<Foot> {
    let (pq, rs) = (p.cross(q), r.cross(s));
    let mut weights = vec![q.dot(&rs), -p.dot(&rs), pq.dot(s), -pq.dot(r)];
    if big::sign(&weights[0]) == Sign::Negative {
        // The tetrahedron is oriented the other way.
        weights = weights.into_iter().map(|w| -w).collect();
    }
    Some(Foot {
        weights: positive(weights)?,
        direction: BigVec3::zero(),
    })
}

fn positive(weights: Vec<IBig>) -> Option<Vec<IBig>> {
    let all = weights.iter().all(|w| big::sign(w) == Sign::Positive);
    all.then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: i32, y: i32, z: i32) -> BigVec3 {
        BigVec3 {
            x: x.into(),
            y: y.into(),
            z: z.into(),
        }
    }

    /// The weighted sum is perpendicular to all edges and points along the direction: what makes it the foot.
    fn is_foot(points: &[&BigVec3], foot: &Foot) -> bool {
        let sum = points
            .iter()
            .zip(&foot.weights)
            .fold(BigVec3::zero(), |sum, (p, w)| sum.add(&p.scale(w)));
        let perpendicular = points.iter().all(|p| sum.dot(&p.sub(points[0])).is_zero());
        let along = sum.cross(&foot.direction).is_zero()
            && sum.is_zero() == foot.direction.is_zero()
            && (sum.is_zero() || big::sign(&sum.dot(&foot.direction)) == Sign::Positive);
        perpendicular && along
    }

    #[test]
    fn feet_are_perpendicular_on_all_small_simplices() {
        let mut found = [0; 5];
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as i32 % 4 - 1
        };
        for _ in 0..20_000 {
            let points: Vec<BigVec3> = (0..4).map(|_| v(next(), next(), next())).collect();
            for count in 1..=4 {
                let points: Vec<&BigVec3> = points[..count].iter().collect();
                if let Some(foot) = foot(&points) {
                    assert!(is_foot(&points, &foot), "{points:?}");
                    found[count] += 1;
                }
            }
        }
        assert!(found[1..].iter().all(|n| *n > 100), "{found:?}");
    }

    #[test]
    fn dependent_points_have_no_foot() {
        let (p, q, r) = (v(1, 1, 0), v(1, -1, 0), v(1, 0, 0));
        assert!(foot(&[&p, &p]).is_none());
        assert!(foot(&[&p, &q, &r]).is_none());
        assert!(foot(&[&p, &q, &r, &v(1, 5, 2)]).is_none());
        assert!(foot(&[&p, &q]).is_some());
    }
}
