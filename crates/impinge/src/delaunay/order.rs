//! The order in which points come: rounds of growing size, each along a space-filling curve.
//!
//! A point is in the last round with probability one half, else in the one before with probability one half, and so on;
//! the chance is a hash of its number, so that the order is the same every time. Early rounds spread the points, which
//! keeps the expected number of tetrahedra that ever were small; within a round, the next point is near the last.

use crate::math::Vec3;
use crate::shape::morton_order;

/// The last rounds have most of the points; there are no more than this.
const ROUNDS: u32 = 20;

/// Puts some of the points, given by number, in order.
pub(super) fn rounds(points: &[Vec3], chosen: &[u32]) -> Vec<u32> {
    let places: Vec<Vec3> = chosen.iter().map(|i| points[*i as usize]).collect();
    let mut order: Vec<u32> = morton_order(&places)
        .into_iter()
        .map(|k| chosen[k as usize])
        .collect();
    // Stable: within a round the order stays.
    order.sort_by_key(|i| std::cmp::Reverse(round(*i)));
    order
}

/// How many rounds before the last.
fn round(point: u32) -> u32 {
    // The finaliser of MurmurHash3 (Appleby).
    let mut hash = point ^ (point >> 16);
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    hash ^= hash >> 16;
    hash.trailing_zeros().min(ROUNDS)
}
