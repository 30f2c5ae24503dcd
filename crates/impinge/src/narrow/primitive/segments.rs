//! Points and segments: the cores of spheres and capsules.
//!
//! The closest points of two segments as in Lumelsky (On Fast Computation of Distance Between Line Segments, 1985): the
//! parameters of the closest points of the two lines, each clamped to its segment in turn. A point is a segment of no
//! length. The result is a proposal; nearly parallel segments spoil its parameters, not the answer.

use super::gap::Proposal;
use crate::contact::Feature;
use crate::math::Vec3;

/// The closest points of two segments, each given by its ends; a point has two equal ones.
pub(super) fn closest_of_segments([p, p_end]: [Vec3; 2], [q, q_end]: [Vec3; 2]) -> Proposal {
    let [s, t] = parameters(p_end - p, q_end - q, q - p);
    Proposal {
        a: at(p, p_end, s),
        b: at(q, q_end, t),
        features: [Feature::Surface; 2],
    }
}

/// A point of a segment, seen from the nearer end: the ends come out as they are.
pub(super) fn at(p: Vec3, q: Vec3, t: f64) -> Vec3 {
    if t <= 0.5 {
        p + (q - p) * t
    } else {
        q + (p - q) * (1.0 - t)
    }
}

/// Where on the segments along `d` and `e`, the second starting `between` from the first, the closest points are.
fn parameters(d: Vec3, e: Vec3, between: Vec3) -> [f64; 2] {
    let (dd, de, ee) = (d.dot(d), d.dot(e), e.dot(e));
    let (along_d, along_e) = (d.dot(between), e.dot(between));
    if dd == 0.0 {
        return [0.0, ratio(-along_e, ee)];
    }
    if ee == 0.0 {
        return [ratio(along_d, dd), 0.0];
    }
    // The square of the sine of the angle between the two, times both squared lengths.
    let spread = d.cross(e).length_squared();
    let s = if spread > 0.0 {
        ((along_d * ee - along_e * de) / spread).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = (s * de - along_e) / ee;
    if t < 0.0 {
        [ratio(along_d, dd), 0.0]
    } else if t > 1.0 {
        [ratio(along_d + de, dd), 1.0]
    } else {
        [s, t]
    }
}

/// A quotient between 0 and 1; 0 for a segment of no length.
fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 {
        (numerator / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    }
}
