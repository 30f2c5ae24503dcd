//! One triangle of the surface, its plane, and the points that wait at it.

use super::NONE;
use crate::exact::{Axis, Sign, absolute_cross, count_filter, normal_component, orientation};
use crate::math::Vec3;

/// A triangle of the surface.
#[derive(Debug, Clone)]
pub(super) struct Facet {
    pub(super) plane: Plane,
    /// The corners, counter-clockwise seen from outside. Edge `k` runs from corner `k` to corner `k + 1`.
    pub(super) vertices: [u32; 3],
    /// For each edge the same edge in the neighbouring facet, where it runs backwards, as `3 * facet + edge`.
    pub(super) twins: [u32; 3],
    /// The first point that waits here. The others follow by `Builder::next`.
    pub(super) first: u32,
    /// The point that waits here and is farthest up, as far as rounding shows.
    pub(super) farthest: u32,
    /// Its height.
    reach: f64,
    /// The last round in which this facet was looked at, doubled, plus 1 if it saw the point of that round.
    pub(super) mark: u32,
}

impl Facet {
    pub(super) fn new(vertices: [u32; 3], twins: [u32; 3], plane: Plane) -> Facet {
        Facet {
            plane,
            vertices,
            twins,
            first: NONE,
            farthest: NONE,
            reach: -1.0,
            mark: 0,
        }
    }

    /// Whether any point waits here.
    pub(super) fn has_waiting(&self) -> bool {
        self.first != NONE
    }

    /// Puts a point of the given height in front of the list and returns what was first before.
    pub(super) fn push(&mut self, point: u32, height: f64) -> u32 {
        if height > self.reach {
            self.reach = height;
            self.farthest = point;
        }
        std::mem::replace(&mut self.first, point)
    }

    /// Marks the place as free.
    pub(super) fn remove(&mut self) {
        self.vertices = [NONE; 3];
        self.first = NONE;
    }

    /// Whether the place is free.
    pub(super) fn is_removed(&self) -> bool {
        self.vertices[0] == NONE
    }
}

/// The plane of a triangle in floating point, with a bound on the error of what it says about the points at hand.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    /// A corner of the triangle.
    origin: Vec3,
    /// The normal, outward, of no particular length.
    normal: Vec3,
    /// A computed height above this is truly positive, below minus this truly negative. Zero when the sign of every
    /// height is exact; infinite when nothing is known.
    bound: f64,
}

/// A term of the height is a product of three differences. On the way to the sum it is rounded at most eight times (one
/// for each difference, two products, one difference of products, two sums), so the error is below
/// `((1 + u)^8 - 1) / (1 - u)^8 < 9 u` of the sum of the computed absolute values, `u` half of `EPSILON`.
const HEIGHT_BOUND: f64 = 4.5 * f64::EPSILON;
/// The bound above holds while nothing overflows or underflows. With differences below the ceiling all terms are finite,
/// and an underflow in a product of two costs at most 2^-1075 * 1e100 < 1e-223 in the sum; above the floor the bound
/// is at least 1e-196.
const CEILING: f64 = 1e100;
const FLOOR: f64 = 1e-180;

impl Plane {
    /// The plane of a triangle that is not degenerate. No point asked about is farther from another than `extent`
    /// along any axis.
    pub(super) fn through([a, b, c]: [Vec3; 3], extent: Vec3) -> Plane {
        let (u, v) = (b - a, c - a);
        if let Some(normal) = axis_normal([a, b, c], u, v) {
            return Plane {
                origin: a,
                normal,
                bound: 0.0,
            };
        }
        // Rounding is monotonic: computed differences of coordinates do not exceed the computed extent.
        let largest = absolute_cross(u, v).dot(extent);
        let usable = largest > FLOOR && extent.max_element() < CEILING;
        Plane {
            origin: a,
            normal: u.cross(v),
            bound: if usable {
                HEIGHT_BOUND * largest
            } else {
                f64::INFINITY
            },
        }
    }

    /// The height of a point, at least 0, when it is strictly above the plane. `corners` are those of the triangle.
    #[inline]
    pub(super) fn height(&self, p: Vec3, corners: impl FnOnce() -> [Vec3; 3]) -> Option<f64> {
        let height = self.normal.dot(p - self.origin);
        if height.abs() > self.bound || (height == 0.0 && self.bound == 0.0) {
            count_filter();
            return (height > 0.0).then_some(height);
        }
        // `max` also turns a NaN, from infinite differences, into 0.
        is_above(corners(), p).then(|| height.max(0.0))
    }
}

/// Whether a point is strictly above the plane of a triangle, exactly.
#[cold]
fn is_above([a, b, c]: [Vec3; 3], p: Vec3) -> bool {
    // Repeated points end here again and again.
    ![a, b, c].contains(&p) && orientation(a, b, c, p) == Sign::Positive
}

/// The unit normal of a triangle whose plane is perpendicular to an axis: the height is then a single difference and its
/// sign is exact. Faces of boxes and ends of prisms are such, and hold many coplanar points.
fn axis_normal([a, b, c]: [Vec3; 3], u: Vec3, v: Vec3) -> Option<Vec3> {
    let axis = Axis::ALL
        .into_iter()
        .zip([Vec3::X, Vec3::Y, Vec3::Z])
        .find(|(_, unit)| u.dot(*unit) == 0.0 && v.dot(*unit) == 0.0);
    axis.map(|(axis, unit)| match normal_component(axis, a, b, c) {
        Sign::Positive => unit,
        Sign::Zero | Sign::Negative => -unit,
    })
}
