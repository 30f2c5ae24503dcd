//! Four points to start from, or the verdict that the points are flat.
//!
//! Each point is taken as far as possible from what the earlier ones span, in floating point. When the one so chosen
//! turns out to be in that span, exactly, all points are asked exactly.

use crate::error::{Error, FlatExtent};
use crate::exact::{Sign, are_collinear, orientation};
use crate::math::Vec3;

/// Four points of which the fourth is strictly below the plane of the first three.
pub(super) fn find(points: &[Vec3]) -> Result<[u32; 4], Error> {
    let at = |i: u32| points[i as usize];
    let flat = |extent| Error::Flat {
        extent,
        points: points.len(),
    };

    let a = farthest(points, |p| -p.x);
    let from_a = |p: Vec3| p - at(a);
    let b = farthest(points, |p| from_a(p).abs().max_element());
    if at(a) == at(b) {
        return Err(flat(FlatExtent::Point));
    }

    let from_line = |p: Vec3| from_a(at(b)).cross(from_a(p)).length_squared();
    let off_line = |p: Vec3| !are_collinear(at(a), at(b), p);
    let c = farthest_that(points, from_line, off_line).ok_or_else(|| flat(FlatExtent::Line))?;

    let normal = from_a(at(b)).cross(from_a(at(c)));
    let from_plane = |p: Vec3| normal.dot(from_a(p)).abs();
    let side = |p: Vec3| orientation(at(a), at(b), at(c), p);
    let d = farthest_that(points, from_plane, |p| side(p) != Sign::Zero)
        .ok_or_else(|| flat(FlatExtent::Plane))?;

    Ok(match side(at(d)) {
        Sign::Positive => [a, c, b, d],
        Sign::Zero | Sign::Negative => [a, b, c, d],
    })
}

/// The first point with the greatest value. NaN counts as the least.
fn farthest(points: &[Vec3], value: impl Fn(Vec3) -> f64) -> u32 {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, p) in (0..).zip(points) {
        let value = value(*p);
        if value > best.1 {
            best = (i, value);
        }
    }
    best.0
}

/// The point with the greatest value if it has the property, otherwise the first that has it.
fn farthest_that(
    points: &[Vec3],
    value: impl Fn(Vec3) -> f64,
    property: impl Fn(Vec3) -> bool,
) -> Option<u32> {
    let best = farthest(points, value);
    if property(points[best as usize]) {
        return Some(best);
    }
    (0..)
        .zip(points)
        .find_map(|(i, p)| property(*p).then_some(i))
}
