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
/// `known` are placed vertex pairs near the gap, repeated to three: a fixed number stays in registers. Products are taken
/// relative to the first, so that bodies far from the origin lose nothing.
#[inline(always)]
pub(super) fn gap_along<S: Simd>(
    pair: &Centers<'_, S>,
    direction: Vec3,
    known: &[Corner<[u32; 2]>; 3],
) -> f64 {
    let [p, q, r] = known;
    let base = p.a;
    let far_a = direction.dot(q.a - base).max(direction.dot(r.a - base));
    let near_b = direction.dot(q.b - base).min(direction.dot(r.b - base));
    let mut far_a = far_a.max(0.0);
    let mut near_b = near_b.min(direction.dot(p.b - base));
    pair.a.for_each_other_extreme(
        pair.simd,
        direction,
        [p.id[0], q.id[0], r.id[0]],
        #[inline(always)]
        |vertex| far_a = far_a.max(direction.dot(vertex - base)),
    );
    pair.b.for_each_other_extreme(
        pair.simd,
        -direction,
        [p.id[1], q.id[1], r.id[1]],
        #[inline(always)]
        |vertex| near_b = near_b.min(direction.dot(vertex - base)),
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
    // Written out: loops over arrays would go through memory.
    let [p, q, r, s] = *y;
    let of_p = certain_volume([q, r, s]);
    let of_q = certain_volume([p, s, r]);
    let of_r = certain_volume([p, q, s]);
    let of_s = certain_volume([p, r, q]);
    let least = of_p.min(of_q).min(of_r.min(of_s));
    let most = of_p.max(of_q).max(of_r.max(of_s));
    let total = (of_p + of_q) + (of_r + of_s);
    let is_inside = least > 0.0 || most < 0.0;
    is_inside.then(|| [of_p / total, of_q / total, of_r / total, of_s / total])
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
