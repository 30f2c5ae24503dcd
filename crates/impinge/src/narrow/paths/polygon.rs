//! The moving polygon in floating point, and what can be proven about it over an interval of time.
//!
//! **Errors.** `u` is half the distance from 1 to the next float, and `m` holds, for each coordinate, the largest size it
//! has at any corner at time 0 or 1, hence at any time. A corner at 0 or 1 is one subtraction: off by at most `u m`, and no
//! underflow. [`Polygon::new`] asks that every `m` is zero or of ordinary size, so that underflows of products are dwarfed
//! by the bounds below. To first order, with the rest covered by the slack in the constants:
//!
//! - a corner at another time, `(1 - t) x_0 + t x_1`: three more roundings, off by at most `4 u m`;
//! - its product with a direction `d`: each of three terms off by two inputs' errors, one product and two sums: at most
//!   `(4 + 1 + 2) u` of `|d| . m`; [`DOT_BOUND`] is 8;
//! - a component of a cross product of two corners, or the mean of two of these: two terms, each of at most `m_i m_j`, off by
//!   `4 + 4` from the corners, 1 from the product, 2 from the sums: 22; [`CROSS_BOUND`] is 32;
//! - a Bernstein coefficient of `D` over `[0, 1]`, a third of the sum of three determinants, each of six terms of at most
//!   `m_x m_y m_z`: 3 from the corners, 2 products, 5 sums, 2 for the third: 72; over another interval three more rounds of
//!   means, each off by 3 of a number of at most 6: 54; together 126, and [`CUBIC_BOUND`] is 256.

use crate::math::{Interval, Vec3};

/// Half the distance from 1 to the next float: the relative error of one rounding.
const U: f64 = f64::EPSILON / 2.0;
const DOT_BOUND: f64 = 8.0 * U;
const CROSS_BOUND: f64 = 32.0 * U;
const CUBIC_BOUND: f64 = 256.0 * U;
/// Sizes between these make products of three of them, times `U`, far from underflow and overflow.
const ORDINARY: std::ops::Range<f64> = 1e-90..1e90;
/// A bound above this dwarfs the underflow of the products under it.
const DOT_FLOOR: f64 = 1e-280;

/// The corners of a moving triangle or parallelogram, and bounds.
pub(super) struct Polygon<const N: usize> {
    start: [Vec3; N],
    end: [Vec3; N],
    /// The largest size of each coordinate.
    size: Vec3,
    /// No bound holds for numbers of extraordinary size.
    is_ordinary: bool,
    /// The Bernstein coefficients of `D` over `[0, 1]`.
    cubic: [f64; 4],
    /// What a coefficient of `D`, over any interval, is off by at most.
    pub(super) cubic_error: f64,
}

/// Where the origin is, as far as floating point can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Not in the polygon at any time of the interval.
    Outside,
    /// In the polygon whenever it is in its plane.
    Inside,
    Unknown,
}

impl<const N: usize> Polygon<N> {
    /// The polygon of these differences of points; `None` when the origin is beyond it along an axis all the time.
    #[inline]
    pub(super) fn new(
        corners: [[usize; 2]; N],
        start: &[Vec3; 4],
        end: &[Vec3; 4],
    ) -> Option<Polygon<N>> {
        let lead = |points: &[Vec3; 4]| corners.map(|[a, b]| points[b] - points[a]);
        let (start, end) = (lead(start), lead(end));
        let all = || start.iter().chain(&end);
        // A difference of floats has the right sign, and so has every point between two of them.
        let least = all().fold(Vec3::INFINITY, |m, x| m.min(*x));
        let most = all().fold(Vec3::NEG_INFINITY, |m, x| m.max(*x));
        if least.max_element() > 0.0 || most.min_element() < 0.0 {
            return None;
        }
        let size = most.max(-least);
        let is_ordinary = size
            .to_array()
            .iter()
            .all(|m| *m == 0.0 || ORDINARY.contains(m));
        Some(Polygon {
            start,
            end,
            size,
            is_ordinary,
            cubic: cubic(&start, &end),
            cubic_error: CUBIC_BOUND * size.x * size.y * size.z,
        })
    }

    pub(super) fn is_ordinary(&self) -> bool {
        self.is_ordinary
    }

    /// Whether `D` cannot be told from zero.
    pub(super) fn is_flat(&self) -> bool {
        self.cubic.iter().all(|c| c.abs() <= self.cubic_error)
    }

    /// The Bernstein coefficients of `D` over an interval.
    #[inline]
    pub(super) fn cubic_over(&self, time: Interval) -> [f64; 4] {
        let (l, h) = (time.lower, time.upper);
        let [a, b, c, d] = self.cubic;
        // The polar form: coefficient j takes h in j of its three arguments and l in the others.
        let (l0, l1, l2) = (mix(a, b, l), mix(b, c, l), mix(c, d, l));
        let (h0, h1, h2) = (mix(a, b, h), mix(b, c, h), mix(c, d, h));
        let (ll0, ll1) = (mix(l0, l1, l), mix(l1, l2, l));
        let (hh0, hh1) = (mix(h0, h1, h), mix(h1, h2, h));
        [
            mix(ll0, ll1, l),
            mix(ll0, ll1, h),
            mix(hh0, hh1, l),
            mix(hh0, hh1, h),
        ]
    }

    /// `D` at a time.
    #[inline]
    pub(super) fn cubic_at(&self, t: f64) -> f64 {
        let [a, b, c, d] = self.cubic;
        let (p, q, r) = (mix(a, b, t), mix(b, c, t), mix(c, d, t));
        mix(mix(p, q, t), mix(q, r, t), t)
    }

    fn corners_at(&self, t: f64) -> [Vec3; N] {
        std::array::from_fn(|i| self.start[i] * (1.0 - t) + self.end[i] * t)
    }

    /// Whether a plane through the origin has the polygon strictly on one side during the whole interval.
    ///
    /// The plane tried is the one across the way from the origin to the polygon in the middle of the interval.
    pub(super) fn is_apart(&self, time: Interval) -> bool {
        let from = self.corners_at(time.lower);
        let to = self.corners_at(time.upper);
        let middle: [Vec3; N] = std::array::from_fn(|i| (from[i] + to[i]) * 0.5);
        let direction = nearest_to_origin(&middle);
        let scale = direction.abs().dot(self.size);
        // What is above zero at both ends of a straight way is so all the way.
        let least = from
            .iter()
            .chain(&to)
            .fold(f64::INFINITY, |m, x| m.min(direction.dot(*x)));
        scale > DOT_FLOOR && least > DOT_BOUND * scale
    }

    /// On which side of its sides the polygon has the origin during an interval, by the signs of the `E_i`.
    pub(super) fn side(&self, time: Interval) -> Side {
        let from = self.corners_at(time.lower);
        let to = self.corners_at(time.upper);
        let turns: [[Vec3; 3]; N] = std::array::from_fn(|i| {
            let j = (i + 1) % N;
            [
                from[i].cross(from[j]),
                (from[i].cross(to[j]) + to[i].cross(from[j])) * 0.5,
                to[i].cross(to[j]),
            ]
        });
        let m = self.size;
        let error = Vec3::new(m.y * m.z, m.z * m.x, m.x * m.y) * CROSS_BOUND;
        let mut is_inside = false;
        for k in 0..3 {
            let is_left = turns.map(|e| e.iter().all(|x| x[k] > error[k]));
            let is_right = turns.map(|e| e.iter().all(|x| x[k] < -error[k]));
            if is_left.contains(&true) && is_right.contains(&true) {
                return Side::Outside;
            }
            is_inside |= !is_left.contains(&false) || !is_right.contains(&false);
        }
        if is_inside {
            Side::Inside
        } else {
            Side::Unknown
        }
    }
}

/// `(1 - t) a + t b`.
#[inline]
fn mix(a: f64, b: f64, t: f64) -> f64 {
    (1.0 - t) * a + t * b
}

/// The Bernstein coefficients of the determinant of the first three corners.
#[inline]
fn cubic<const N: usize>(start: &[Vec3; N], end: &[Vec3; N]) -> [f64; 4] {
    let ([a, b, c], [p, q, r]) = ([start[0], start[1], start[2]], [end[0], end[1], end[2]]);
    let (bc, qr) = (b.cross(c), q.cross(r));
    let mixed = b.cross(r) + q.cross(c);
    [
        a.dot(bc),
        (p.dot(bc) + a.dot(mixed)) * (1.0 / 3.0),
        (p.dot(mixed) + a.dot(qr)) * (1.0 / 3.0),
        p.dot(qr),
    ]
}

/// About the point of a polygon that is nearest to the origin; any vector is good enough where it is not found.
fn nearest_to_origin<const N: usize>(corners: &[Vec3; N]) -> Vec3 {
    let mut nearest = corners[0];
    for i in 0..N {
        let (from, side) = (corners[i], corners[(i + 1) % N] - corners[i]);
        let along = (-from.dot(side) / side.length_squared()).clamp(0.0, 1.0);
        // A side without length gives NaN, and its corner is tried with the other sides.
        let candidate = from + side * along;
        if candidate.length_squared() < nearest.length_squared() {
            nearest = candidate;
        }
    }
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[1]);
    let turns = |i: usize| corners[i].cross(corners[(i + 1) % N]).dot(normal);
    if (0..N).all(|i| turns(i) >= 0.0) {
        // Inside as seen along the normal; the plane itself is nearest. Scaled to the size of the corners.
        let scale = normal.length_squared();
        let foot = normal * (corners[0].dot(normal) / scale);
        return if scale > 0.0 { foot } else { nearest };
    }
    nearest
}
