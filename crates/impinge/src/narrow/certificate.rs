//! The proofs of fast answers: a direction with a gap, or a tetrahedron around the origin.
//!
//! Searches may be bold; what they propose is believed only when one of these checks confirms it on the placed vertices,
//! with error bounds. A check that fails proves nothing, and the exact path decides.

use super::centers::Centers;
use super::simplex::{Corner, Simplex};
use crate::math::Vec3;
use fearless_simd::Simd;

/// A lower bound for the gap along a direction from `a` towards `b`, of unit length within a few roundings: the least
/// `direction . (q - p)` over all placed vertices `p` of `a` and `q` of `b`, not less accurate than a few roundings of
/// the sizes and the distance of the polytopes.
///
/// `known` are some placed vertex pairs near the gap, at least one. Products are taken relative to one of them, so that
/// bodies far from the origin lose nothing.
#[inline(always)]
pub(super) fn gap_along<S: Simd>(
    pair: &Centers<'_, S>,
    direction: Vec3,
    known: &[Corner<[u32; 2]>],
) -> f64 {
    let (a, b, base) = (&pair.a, &pair.b, known[0].a);
    let (mut far_a, mut near_b) = (0.0_f64, f64::INFINITY);
    for corner in known {
        far_a = far_a.max(direction.dot(corner.a - base));
        near_b = near_b.min(direction.dot(corner.b - base));
    }
    a.for_each_other_extreme(
        pair.simd,
        direction,
        known.iter().map(|c| c.id[0]),
        |vertex| {
            far_a = far_a.max(direction.dot(vertex - base));
        },
    );
    b.for_each_other_extreme(
        pair.simd,
        -direction,
        known.iter().map(|c| c.id[1]),
        |vertex| {
            near_b = near_b.min(direction.dot(vertex - base));
        },
    );
    (near_b - far_a) - pair.gap_error()
}

/// A bound from above for the product of a direction with the difference of two points, given the rounded difference.
#[inline(always)]
pub(super) fn product_above(direction: Vec3, difference: Vec3) -> f64 {
    let terms = direction * difference;
    // Each term passes a difference, a product and at most two sums: 4 roundings of half an EPSILON.
    (terms.x + terms.y + terms.z) + 2.5 * f64::EPSILON * terms.abs().element_sum()
}

/// The weights of the origin in the tetrahedron of four points, each the rounded difference of two others; `None` unless
/// it is inside for certain: inside the tetrahedron of the differences as they are without rounding.
///
/// The origin is inside when the four volumes that it makes with the faces have one sign. Each is a determinant of
/// three differences, which is what Shewchuk's orientation filter (1997) bounds.
pub(super) fn weights_of_origin(y: &[Vec3; 4]) -> Option<[f64; 4]> {
    const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    let volumes = FACES.map(|face| certain_volume(face.map(|i| y[i])));
    let is_inside = volumes.iter().all(|v| *v > 0.0) || volumes.iter().all(|v| *v < 0.0);
    let total: f64 = volumes.iter().sum();
    is_inside.then(|| volumes.map(|volume| volume / total))
}

/// Whether a simplex is a tetrahedron that encloses the origin, for certain.
pub(super) fn is_around_origin<Id: Copy>(simplex: &Simplex<Id>) -> bool {
    match simplex.corners() {
        [p, q, r, s] => weights_of_origin(&[p.y(), q.y(), r.y(), s.y()]).is_some(),
        _ => false,
    }
}

/// The determinant of three rounded differences; 0 when rounding might have changed its sign.
fn certain_volume([p, q, r]: [Vec3; 3]) -> f64 {
    // Half an EPSILON is one rounding; Shewchuk's constant is (7 + 56 u) u.
    const BOUND: f64 = 3.6 * f64::EPSILON;
    let minor = |s: Vec3, t: Vec3| (s.x * t.y - t.x * s.y, (s.x * t.y).abs() + (t.x * s.y).abs());
    let ((qr, qr_abs), (rp, rp_abs), (pq, pq_abs)) = (minor(q, r), minor(r, p), minor(p, q));
    let determinant = p.z * qr + q.z * rp + r.z * pq;
    let permanent = p.z.abs() * qr_abs + q.z.abs() * rp_abs + r.z.abs() * pq_abs;
    // Polytopes of ordinary size differ by less than 2^252, so nothing overflows; see below for the other end.
    if permanent >= SMALLEST_PERMANENT && determinant.abs() > BOUND * permanent {
        determinant
    } else {
        0.0
    }
}

/// Below this, underflow of a product might matter: a product of two differences loses at most 2^-1075, times a third of
/// at most 2^252, nine times; the bound of the smallest permanent admitted is above 2^-751.
const SMALLEST_PERMANENT: f64 = f64::from_bits((1023 - 700) << 52);
