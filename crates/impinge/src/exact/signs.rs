//! Exact signs of small determinants: orientation, normals, in-sphere, side of a plane.
//!
//! The filters are Shewchuk's (Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997):
//! the sign stands when the determinant exceeds a small multiple of its *permanent* (the same sum with absolute values).
//! His bounds hold while nothing overflows or underflows, so each filter also asks that its numbers are of ordinary
//! size; the expansions of the `robust` crate are called under the same condition, stated in [`in_expansion_range`].

use super::big::{self, to_integers};
use super::counts::{count_big, count_expansion, count_filter};
use crate::math::Vec3;
use robust::{Coord, Coord3D};
use std::ops::{Mul, Neg};

/// The sign of a real number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Below zero.
    Negative = -1,
    /// Zero, exactly.
    Zero = 0,
    /// Above zero.
    Positive = 1,
}

impl Sign {
    /// The sign of a number that is not NaN.
    #[inline]
    pub fn of(value: f64) -> Sign {
        if value > 0.0 {
            Sign::Positive
        } else if value < 0.0 {
            Sign::Negative
        } else {
            Sign::Zero
        }
    }
}

impl Neg for Sign {
    type Output = Sign;
    #[inline]
    fn neg(self) -> Sign {
        match self {
            Sign::Negative => Sign::Positive,
            Sign::Zero => Sign::Zero,
            Sign::Positive => Sign::Negative,
        }
    }
}

impl Mul for Sign {
    type Output = Sign;
    #[inline]
    fn mul(self, other: Sign) -> Sign {
        match self {
            Sign::Negative => -other,
            Sign::Zero => Sign::Zero,
            Sign::Positive => other,
        }
    }
}

/// One of the three coordinate axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// All three, in order.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// The two other coordinates of a point, ordered so that they turn positively about this axis.
    #[inline]
    pub fn project(self, p: Vec3) -> [f64; 2] {
        match self {
            Axis::X => [p.y, p.z],
            Axis::Y => [p.z, p.x],
            Axis::Z => [p.x, p.y],
        }
    }
}

/// Half the distance from 1 to the next float: the relative error of one rounding.
const U: f64 = f64::EPSILON / 2.0;
/// Shewchuk's first error bounds, as multiples of the permanent.
const ORIENT_2D_BOUND: f64 = (3.0 + 16.0 * U) * U;
const ORIENT_3D_BOUND: f64 = (7.0 + 56.0 * U) * U;
const IN_SPHERE_BOUND: f64 = (16.0 + 224.0 * U) * U;

/// The side of the plane through `a`, `b`, `c` that `d` is on: [`Sign::Positive`] where `(b - a) x (c - a)` points,
/// [`Sign::Zero`] exactly when the four points are coplanar.
///
/// ```
/// # use impinge::{Vec3, exact::{Sign, orientation}};
/// assert_eq!(orientation(Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z), Sign::Positive);
/// ```
#[inline]
pub fn orientation(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Sign {
    let (p, q, r) = (a - d, b - d, c - d);
    let qr = q.x * r.y - r.x * q.y;
    let rp = r.x * p.y - p.x * r.y;
    let pq = p.x * q.y - q.x * p.y;
    // det(p, q, r) is minus the orientation: the rows run towards d.
    let determinant = p.z * qr + q.z * rp + r.z * pq;
    let permanent = ((q.x * r.y).abs() + (r.x * q.y).abs()) * p.z.abs()
        + ((r.x * p.y).abs() + (p.x * r.y).abs()) * q.z.abs()
        + ((p.x * q.y).abs() + (q.x * p.y).abs()) * r.z.abs();
    let extent = p.abs() + q.abs() + r.abs();
    if determinant.abs() > ORIENT_3D_BOUND * permanent
        && permanent > FILTER_FLOOR
        && extent.x + extent.y + extent.z < FILTER_CEILING
    {
        count_filter();
        return -Sign::of(determinant);
    }
    orientation_exact(a, b, c, d)
}

/// A permanent above this, with differences below [`FILTER_CEILING`], dwarfs every underflow: one product of two
/// differences loses at most 2^-1075, times a third difference at most 1e-224, a dozen times; the error bound of the
/// smallest permanent admitted is above 1e-196.
const FILTER_FLOOR: f64 = 1e-180;
/// Differences below this keep products of three (and, in the in-sphere test, five at 1e50 each) finite.
const FILTER_CEILING: f64 = 1e100;

#[cold]
#[expect(clippy::float_cmp, reason = "equal coordinates are what is asked for")]
fn orientation_exact(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Sign {
    // Four points that agree in a coordinate: faces of boxes and the like are too common for expansions.
    if (0..3).any(|k| a[k] == d[k] && b[k] == d[k] && c[k] == d[k]) {
        count_filter();
        return Sign::Zero;
    }
    if in_expansion_range(&[a, b, c, d]) {
        count_expansion();
        return -Sign::of(robust::orient3d(coord3(a), coord3(b), coord3(c), coord3(d)));
    }
    count_big();
    let ([a, b, c, d], _) = to_integers([a, b, c, d]);
    big::sign(&b.sub(&a).cross(&c.sub(&a)).dot(&d.sub(&a)))
}

/// The sign of one component of `(b - a) x (c - a)`: the orientation of the triangle seen along `axis`.
#[inline]
pub fn normal_component(axis: Axis, a: Vec3, b: Vec3, c: Vec3) -> Sign {
    let ([ax, ay], [bx, by], [cx, cy]) = (axis.project(a), axis.project(b), axis.project(c));
    let left = (ax - cx) * (by - cy);
    let right = (ay - cy) * (bx - cx);
    let determinant = left - right;
    let permanent = left.abs() + right.abs();
    // An infinite permanent fails the comparison: infinity is not greater than infinity.
    if determinant.abs() > ORIENT_2D_BOUND * permanent && permanent > FILTER_FLOOR {
        count_filter();
        return Sign::of(determinant);
    }
    normal_component_exact(axis, a, b, c)
}

#[cold]
fn normal_component_exact(axis: Axis, a: Vec3, b: Vec3, c: Vec3) -> Sign {
    if in_expansion_range(&[a, b, c]) {
        count_expansion();
        let coord = |p: Vec3| {
            let [x, y] = axis.project(p);
            Coord { x, y }
        };
        return Sign::of(robust::orient2d(coord(a), coord(b), coord(c)));
    }
    count_big();
    let ([a, b, c], _) = to_integers([a, b, c]);
    let normal = b.sub(&a).cross(&c.sub(&a));
    big::sign(match axis {
        Axis::X => &normal.x,
        Axis::Y => &normal.y,
        Axis::Z => &normal.z,
    })
}

/// For `a`, `b`, `c`, `d` of positive [`orientation`]: [`Sign::Positive`] when `e` is inside their sphere,
/// [`Sign::Zero`] exactly when it is on it. A negative orientation negates the sign.
pub fn in_sphere(a: Vec3, b: Vec3, c: Vec3, d: Vec3, e: Vec3) -> Sign {
    let rows = [a - e, b - e, c - e, d - e];
    let extent = rows.iter().map(|r| r.abs().element_sum()).sum::<f64>();
    let (determinant, permanent) = lifted_determinant(&rows);
    if determinant.abs() > IN_SPHERE_BOUND * permanent && permanent > FILTER_FLOOR && extent < 1e50
    {
        count_filter();
        return -Sign::of(determinant);
    }
    if in_expansion_range(&[a, b, c, d, e]) {
        count_expansion();
        return -Sign::of(robust::insphere(
            coord3(a),
            coord3(b),
            coord3(c),
            coord3(d),
            coord3(e),
        ));
    }
    count_big();
    in_sphere_big([a, b, c, d, e])
}

/// The determinant of the rows `(x, y, z, x^2 + y^2 + z^2)` in Shewchuk's order of operations, and its permanent.
fn lifted_determinant([a, b, c, d]: &[Vec3; 4]) -> (f64, f64) {
    let minor = |p: &Vec3, q: &Vec3| p.x * q.y - q.x * p.y;
    let minor_abs = |p: &Vec3, q: &Vec3| (p.x * q.y).abs() + (q.x * p.y).abs();
    let (ab, bc, cd, da, ac, bd) = (
        minor(a, b),
        minor(b, c),
        minor(c, d),
        minor(d, a),
        minor(a, c),
        minor(b, d),
    );
    let abc = a.z * bc - b.z * ac + c.z * ab;
    let bcd = b.z * cd - c.z * bd + d.z * bc;
    let cda = c.z * da + d.z * ac + a.z * cd;
    let dab = d.z * ab + a.z * bd + b.z * da;
    let lift = |p: &Vec3| p.x * p.x + p.y * p.y + p.z * p.z;
    let determinant = (lift(d) * abc - lift(c) * dab) + (lift(b) * cda - lift(a) * bcd);

    let (ab, bc, cd, da, ac, bd) = (
        minor_abs(a, b),
        minor_abs(b, c),
        minor_abs(c, d),
        minor_abs(d, a),
        minor_abs(a, c),
        minor_abs(b, d),
    );
    let permanent = (cd * b.z.abs() + bd * c.z.abs() + bc * d.z.abs()) * lift(a)
        + (da * c.z.abs() + ac * d.z.abs() + cd * a.z.abs()) * lift(b)
        + (ab * d.z.abs() + bd * a.z.abs() + da * b.z.abs()) * lift(c)
        + (bc * a.z.abs() + ac * b.z.abs() + ab * c.z.abs()) * lift(d);
    (determinant, permanent)
}

#[cold]
fn in_sphere_big(points: [Vec3; 5]) -> Sign {
    let ([a, b, c, d, e], _) = to_integers(points);
    let [a, b, c, d] = [a.sub(&e), b.sub(&e), c.sub(&e), d.sub(&e)];
    let volume = |p: &big::BigVec3, q: &big::BigVec3, r: &big::BigVec3| p.cross(q).dot(r);
    let determinant = d.dot(&d) * volume(&a, &b, &c) - c.dot(&c) * volume(&a, &b, &d)
        + b.dot(&b) * volume(&a, &c, &d)
        - a.dot(&a) * volume(&b, &c, &d);
    -big::sign(&determinant)
}

/// The sign of `normal . p - offset`: on which side of a plane given by numbers the point is.
pub fn side_of_plane(normal: Vec3, offset: f64, p: Vec3) -> Sign {
    let products = normal * p;
    let value = (products.x + products.y) + products.z - offset;
    let permanent = products.abs().element_sum() + offset.abs();
    if value.abs() > SUM_BOUND * permanent && permanent > FILTER_FLOOR {
        count_filter();
        return Sign::of(value);
    }
    count_big();
    let unit = |v: Vec3| {
        v.to_array()
            .into_iter()
            .map(big::lowest_exponent)
            .min()
            .unwrap_or(0)
    };
    let (unit_n, unit_p) = (unit(normal), unit(p));
    // The offset has the degree of a product: take the smaller of both units for it, and scale the dot product to match.
    let unit_o = big::lowest_exponent(offset).min(unit_n + unit_p);
    let dot = big::BigVec3::in_units(normal, unit_n).dot(&big::BigVec3::in_units(p, unit_p));
    let shift = (unit_n + unit_p - unit_o) as usize;
    big::sign(&((dot << shift) - big::to_integer(offset, unit_o)))
}

/// Four terms (a product each, at most four roundings to the sum): 5 `U` would do, 8 is safe.
const SUM_BOUND: f64 = 8.0 * U;

/// The sign of `direction . (p - q)`: which of two points is farther along a direction.
pub fn compare_along(direction: Vec3, p: Vec3, q: Vec3) -> Sign {
    let products = direction * (p - q);
    let value = (products.x + products.y) + products.z;
    let permanent = products.abs().element_sum();
    if value.abs() > SUM_BOUND * permanent && permanent > FILTER_FLOOR {
        count_filter();
        return Sign::of(value);
    }
    count_big();
    let ([p, q], _) = to_integers([p, q]);
    let ([direction], _) = to_integers([direction]);
    big::sign(&direction.dot(&p.sub(&q)))
}

/// Whether the expansions of the `robust` crate are exact for these coordinates: each is zero or of a size between
/// 2^-140 and 2^190. The in-sphere determinant has degree five: its smallest bit is then above 2^-(140 + 52) * 5 = 2^-960
/// and its largest term below 2^(190 * 5 + 10) = 2^960. The others have lower degree.
fn in_expansion_range(points: &[Vec3]) -> bool {
    const SMALLEST: f64 = f64::from_bits((1023 - 140) << 52);
    const LARGEST: f64 = f64::from_bits((1023 + 190) << 52);
    points
        .iter()
        .flat_map(|p| p.to_array())
        .all(|x| x == 0.0 || (x.abs() >= SMALLEST && x.abs() <= LARGEST))
}

fn coord3(p: Vec3) -> Coord3D<f64> {
    Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    }
}
