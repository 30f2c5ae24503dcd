//! The vertices of a polytope that are extreme along a direction, for certain.

use super::super::super::side::{Side, inverse_of_power, narrowed};
use crate::math::Vec3;
use crate::shape::{Listed, NearTop};
use fearless_simd::Simd;

/// The vertex that is farthest along a direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Top {
    pub(super) vertex: u32,
    /// Where it is placed.
    pub(super) point: Vec3,
    /// How far the next one is from being as far, negative.
    pub(super) rival: f64,
}

/// The placed vertex that is farthest along a direction; `near` is one that is likely to be close to it.
#[inline(always)]
pub(super) fn top<S: Simd>(simd: S, side: &Side<'_>, direction: Vec3, near: u32) -> Top {
    let mut best = (near, Vec3::ZERO, f64::NEG_INFINITY);
    let mut second = f64::NEG_INFINITY;
    let mut high = High::new(simd, side, side.local(direction), near);
    while let Some(vertex) = high.next() {
        let point = side.place(vertex);
        let height = direction.dot(point - side.center);
        if height > best.2 {
            second = best.2;
            best = (vertex, point, height);
        } else {
            second = second.max(height);
        }
    }
    Top {
        vertex: best.0,
        point: best.1,
        rival: second - best.2,
    }
}

/// The vertex that is farthest along a direction of unit length once placed, if no other may be; `near` is one that is likely
/// to be close to it.
#[inline(always)]
pub(super) fn only_top<S: Simd>(
    simd: S,
    side: &Side<'_>,
    direction: Vec3,
    near: u32,
) -> Option<u32> {
    let mut high = High::new(simd, side, side.local(direction), near);
    let first = high.next();
    if high.next().is_none() { first } else { None }
}

/// How far placed vertices besides two are beyond a point along a direction of unit length, at least 0.
#[inline(always)]
pub(super) fn beyond<S: Simd>(
    simd: S,
    side: &Side<'_>,
    direction: Vec3,
    base: Vec3,
    [p, q]: [u32; 2],
) -> f64 {
    let mut high = High::new(simd, side, side.local(direction), p);
    // Usually there are no others, so that there is no loop to foresee the end of.
    if let High::Bits(bits) = &mut high {
        *bits &= !(1 << (p % 64) | 1 << (q % 64));
    }
    let mut highest = 0.0;
    while let Some(vertex) = high.next() {
        if vertex != p && vertex != q {
            highest = direction.dot(side.place(vertex) - base).max(highest);
        }
    }
    highest
}

/// What of a polytope is near a plane across a direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Survey {
    /// How far its farthest vertex is beyond the plane, at least 0.
    pub(super) highest: f64,
    /// How far the farthest one that is not expected there is, negative on this side.
    pub(super) rival: f64,
}

/// Looks for vertices beyond the plane through a point, or on it and not expected.
#[cold]
pub(super) fn survey<S: Simd>(
    simd: S,
    side: &Side<'_>,
    direction: Vec3,
    base: Vec3,
    expected: &[u32],
) -> Survey {
    let mut survey = Survey {
        highest: 0.0,
        rival: f64::NEG_INFINITY,
    };
    let local = side.local(direction);
    let mut high = simd.vectorize(
        #[inline(always)]
        || High::new(simd, side, local, expected[0]),
    );
    while let Some(vertex) = high.next() {
        let height = direction.dot(side.place(vertex) - base);
        survey.highest = survey.highest.max(height);
        if !expected.contains(&vertex) {
            survey.rival = survey.rival.max(height);
        }
    }
    survey
}

/// All vertices that may be the farthest along a direction once placed, and perhaps others. The same as
/// [`Side::for_each_extreme`], without a call for each.
enum High {
    /// The bits of a scan.
    Bits(u64),
    /// What a table of directions led to.
    Listed(Listed),
    /// What a climb found, and how much of it is left.
    Few(NearTop, usize),
    /// All vertices below this one.
    All(u32),
}

impl High {
    /// The vertices along `local`, a direction of unit length as the body sees it; `near` is one that is likely to be there.
    #[inline(always)]
    fn new<S: Simd>(simd: S, side: &Side<'_>, local: Vec3, near: u32) -> High {
        // The matrix stretches by at most 1.5 times its deviation. A little more is for directions that are not quite this one.
        let length = 1.01 + 2.0 * side.pose.deviation();
        // As in `Side`: twice the error of a scan.
        let margin = (length * 2.0 * side.slack() * inverse_of_power(side.packed.scale)) as f32;
        if side.packed.vertices.is_few() {
            let vertices = &side.packed.vertices;
            return High::Bits(vertices.near_max(simd, narrowed(local), margin));
        }
        let extremes = &side.polytope.gauss().extremes;
        if !extremes.is_empty()
            && let Some(listed) = extremes.near_max(simd, narrowed(local), margin)
        {
            return High::Listed(listed);
        }
        // As in `Side`: a product with a vertex is off by 1.5 EPSILON.
        let blur = 4.0 * f64::EPSILON * side.packed.reach;
        let margin = length * (2.0 * side.error + blur);
        match side.polytope.near_top(local, near, margin) {
            Some(high) => High::Few(high, high.as_slice().len()),
            None => High::All(side.polytope.vertices().len() as u32),
        }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        match self {
            High::Bits(0) | High::Few(_, 0) | High::All(0) => None,
            High::Listed(listed) => listed.pop(),
            High::Bits(bits) => {
                let vertex = bits.trailing_zeros();
                *bits &= *bits - 1;
                Some(vertex)
            }
            High::Few(high, left) => {
                *left -= 1;
                Some(high.as_slice()[*left])
            }
            High::All(left) => {
                *left -= 1;
                Some(*left)
            }
        }
    }
}
