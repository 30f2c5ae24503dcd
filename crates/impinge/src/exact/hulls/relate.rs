//! Do two convex hulls share a point? Answered exactly, with a certificate.
//!
//! 1. Floating-point GJK ([`propose`](super::propose)) proposes a direction that separates the hulls or four
//!    differences around the origin.
//! 2. The checker's filter ([`certificate`](super::certificate)) confirms it by a derived error bound. This decides
//!    nearly all pairs that are not within rounding of touching.
//! 3. Otherwise the exact descent ([`closest`](super::closest)) goes on in integers from where floating point stopped.

use super::Pair;
use super::certificate::{CommonPoint, HullRelation, Separator};
use super::closest::closest;
use super::grid::Grid;
use super::local::Local;
use super::propose::{Proposal, propose_relation};
use crate::exact::counts::{count_big, count_filter};
use crate::math::Vec3;

/// Whether the convex hulls of two sets of finite points share a point. Exact; touching counts.
///
/// The points may be anything that is finite: a single one, collinear, coplanar, equal. No points have an empty hull,
/// which intersects nothing.
///
/// ```
/// # use impinge::{Vec3, exact::hulls_intersect};
/// let edge = [Vec3::ZERO, Vec3::new(0.3, 0.3, 0.3)];
/// // 0.1 + 0.2 is a little more than 0.3.
/// assert!(hulls_intersect(&edge, &[Vec3::splat(0.3)]));
/// assert!(!hulls_intersect(&edge, &[Vec3::splat(0.1 + 0.2)]));
/// ```
pub fn hulls_intersect(a: &[Vec3], b: &[Vec3]) -> bool {
    relate_hulls(a, b).is_intersecting()
}

/// Whether the convex hulls of two sets of finite points share a point, with a proof of the answer.
///
/// ```
/// # use impinge::{Vec3, exact::{HullRelation, relate_hulls}};
/// let (a, b) = ([Vec3::ZERO, Vec3::X], [Vec3::Y, Vec3::X + Vec3::Y]);
/// let relation = relate_hulls(&a, &b);
/// assert!(relation.verify(&a, &b));
/// let HullRelation::Apart(separator) = relation else { panic!("parallel segments") };
/// assert!(separator.direction().y > 0.0);
/// ```
pub fn relate_hulls(a: &[Vec3], b: &[Vec3]) -> HullRelation {
    if a.is_empty() || b.is_empty() {
        // Any direction separates nothing from anything.
        return HullRelation::Apart(Separator::new(Vec3::X));
    }
    let local = Local::new(a, b);
    let seed = match propose_relation(&local) {
        Proposal::Apart(direction) => {
            let separator = Separator::new(direction);
            if separator.check_by_filter(&local) == Some(true) {
                count_filter();
                return HullRelation::Apart(separator);
            }
            vec![[0, 0]]
        }
        Proposal::Common(pairs) => {
            let common = CommonPoint::new(&pairs);
            if common.check_by_filter(&local) == Some(true) {
                count_filter();
                return HullRelation::Intersecting(common);
            }
            pairs
        }
        Proposal::Unclear(pairs) => pairs,
    };
    count_big();
    relate_exactly(&Grid::new(a, b, &local), &seed)
}

#[cold]
fn relate_exactly(grid: &Grid, seed: &[Pair]) -> HullRelation {
    let nearest = closest(grid, seed);
    if nearest.is_origin() {
        let pairs: Vec<Pair> = nearest.weighted_pairs().map(|(pair, _)| pair).collect();
        HullRelation::Intersecting(CommonPoint::new(&pairs))
    } else {
        HullRelation::Apart(Separator::from_integers(nearest.direction().clone()))
    }
}
