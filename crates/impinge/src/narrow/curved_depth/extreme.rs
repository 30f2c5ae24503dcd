//! Depths of shapes whose sizes leave no room for products: the same shapes, scaled by a power of two.
//!
//! Scaling by a power of two commutes with rounding, as long as nothing underflows. What underflows is below 1e-250 of the
//! size of the pair, far below the error bounds of the scaled pair. A polytope that loses its volume that way, or numbers
//! that no scaling brings into range, get an answer that is honest and coarse: between 0 and a few times their size.

use super::{Depth, depth};
use crate::contact::{Feature, Penetration, Witness};
use crate::error::Error;
use crate::math::{Interval, Pose, Vec3};
use crate::narrow::cache::PairCache;
use crate::shape::{HalfSpace, Placed, Polytope, Shape, SupportMap};
use std::sync::Arc;

/// How deep two convex shapes of extreme size overlap that are known to meet. Fails for two half-spaces: no translation
/// parts them, unless they are opposite, which is asked before.
pub(crate) fn extreme_depth(a: &Placed<'_>, b: &Placed<'_>) -> Result<Penetration, Error> {
    if is_half_space(a.shape) && is_half_space(b.shape) {
        return Err(Error::WrongShape {
            message: "no translation parts two half-spaces that are not exactly opposite",
        });
    }
    let size = size_of(a).max(size_of(b));
    let found = scaled_depth(a, b, down_factor(size));
    Ok(found.unwrap_or_else(|| coarse(a, b)))
}

fn is_half_space(shape: &Shape) -> bool {
    normal_of(shape).is_some()
}

/// The normal of a half-space, at a size near one.
fn normal_of(shape: &Shape) -> Option<Vec3> {
    match shape {
        Shape::HalfSpace(h) => Some(normal_and_offset(h).0),
        Shape::Rounded(r) => normal_of(r.core()),
        Shape::Sphere(_)
        | Shape::Cuboid(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::Polytope(_)
        | Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::HeightField(_)
        | Shape::Custom(_) => None,
    }
}

/// The normal of a half-space, at a size near one, and the offset that belongs to it; infinite beyond the range of numbers.
fn normal_and_offset(half_space: &HalfSpace) -> (Vec3, f64) {
    let (mut normal, mut offset) = (half_space.normal(), half_space.offset());
    // One factor does not bring a subnormal number there.
    for _ in 0..2 {
        let factor = down_factor(normal.abs().max_element());
        (normal, offset) = (normal * factor, offset * factor);
    }
    (normal, offset)
}

/// The power of two that brings a size to about one, as far as one factor can.
pub(super) fn down_factor(size: f64) -> f64 {
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    f64::powi(2.0, (-exponent).clamp(-1000, 1000))
}

/// The depth of the scaled pair, scaled back.
fn scaled_depth(a: &Placed<'_>, b: &Placed<'_>, factor: f64) -> Option<Penetration> {
    let (shape_a, pose_a) = scaled(a, factor)?;
    let (shape_b, pose_b) = scaled(b, factor)?;
    let (a, b) = (shape_a.at(pose_a), shape_b.at(pose_b));
    let found = match depth(&a, &b, &mut PairCache::default())? {
        Depth::Deep(found) | Depth::Open(found) => found,
        // They meet before scaling, so they touch up to what underflowed.
        Depth::Apart => return None,
    };
    let back = 1.0 / factor;
    Some(Penetration {
        depth: found.depth * back,
        bounds: Interval {
            lower: (found.bounds.lower * back).next_down().max(0.0),
            upper: (found.bounds.upper * back).next_up(),
        },
        witness: Witness {
            a: found.witness.a * back,
            b: found.witness.b * back,
        },
        ..found
    })
}

/// A shape and its pose, scaled by a power of two; sizes that vanish become the smallest positive ones.
fn scaled(placed: &Placed<'_>, factor: f64) -> Option<(Shape, Pose)> {
    let pose = Pose::from_matrix(*placed.pose.matrix(), placed.pose.translation() * factor);
    Some((scaled_shape(placed.shape, factor)?, pose.ok()?))
}

fn scaled_shape(shape: &Shape, factor: f64) -> Option<Shape> {
    let size = |x: f64| (x * factor).max(f64::MIN_POSITIVE);
    let sizes = |v: Vec3| v.map(size);
    let scaled = match shape {
        Shape::Sphere(s) => Shape::sphere(s.radius() * factor),
        Shape::Cuboid(c) => Shape::cuboid(sizes(c.half_size())),
        Shape::Capsule(c) => Shape::capsule(c.half_height() * factor, c.radius() * factor),
        Shape::Cylinder(c) => Shape::cylinder(size(c.half_height()), size(c.radius())),
        Shape::Cone(c) => Shape::cone(size(c.half_height()), size(c.radius())),
        Shape::Ellipsoid(e) => Shape::ellipsoid(sizes(e.radii())),
        Shape::HalfSpace(h) => {
            let (normal, offset) = normal_and_offset(h);
            Shape::half_space(normal, offset * factor)
        }
        Shape::Polytope(p) => {
            let vertices: Vec<Vec3> = p.vertices().iter().map(|v| *v * factor).collect();
            Polytope::from_points(&vertices).map(Shape::from)
        }
        Shape::Rounded(r) => scaled_shape(r.core(), factor)?.rounded(r.radius() * factor),
        Shape::Custom(c) => Shape::custom(Scaled {
            map: Arc::clone(c),
            factor,
        }),
        Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) => return None,
    };
    scaled.ok()
}

/// A user's own shape, scaled.
#[derive(Debug)]
struct Scaled {
    map: Arc<crate::shape::Custom>,
    factor: f64,
}

impl SupportMap for Scaled {
    fn support(&self, direction: Vec3) -> Vec3 {
        self.map.support(direction) * self.factor
    }

    fn bounding_radius(&self) -> f64 {
        self.map.bounding_radius() * self.factor
    }

    fn support_error(&self) -> f64 {
        self.map.support_error() * self.factor
    }
}

/// The largest length that a shape and its place are made of.
fn size_of(placed: &Placed<'_>) -> f64 {
    extent(placed.shape).max(placed.pose.translation().abs().max_element())
}

fn extent(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(s) => s.radius(),
        Shape::Cuboid(c) => c.half_size().max_element(),
        Shape::Capsule(c) => c.half_height().max(c.radius()),
        Shape::Cylinder(c) => c.half_height().max(c.radius()),
        Shape::Cone(c) => c.half_height().max(c.radius()),
        Shape::Ellipsoid(e) => e.radii().max_element(),
        Shape::Polytope(p) => {
            let vertices = p.vertices().iter();
            vertices.fold(0.0, |size, v| size.max(v.abs().max_element()))
        }
        Shape::Rounded(r) => (extent(r.core()) + r.radius()).min(f64::MAX),
        Shape::Custom(c) => c.bounding_radius(),
        Shape::HalfSpace(h) => normal_and_offset(h).1.abs().min(f64::MAX),
        Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) => 0.0,
    }
}

/// An answer without measuring. No part of a bounded shape is farther from another one than four times its extent, and
/// shapes that meet part after a move by the sum of both; a half-space is left along its normal after a move by the
/// distance of its plane and of the other's farthest point from the origin.
fn coarse(a: &Placed<'_>, b: &Placed<'_>) -> Penetration {
    let out_of_a = normal_of(a.shape).map(|normal| a.pose.rotate(normal));
    let out_of_b = normal_of(b.shape).map(|normal| b.pose.rotate(-normal));
    let out = out_of_a.or(out_of_b);
    let size = match out {
        Some(_) => size_of(a) + size_of(b),
        None => extent(a.shape) + extent(b.shape),
    };
    let upper = (size * 8.0).min(f64::MAX);
    Penetration {
        depth: upper * 0.5,
        bounds: Interval { lower: 0.0, upper },
        direction: out.unwrap_or(Vec3::X).normalize(),
        witness: Witness {
            a: a.pose.translation(),
            b: b.pose.translation(),
        },
        features: [Feature::Inside; 2],
    }
}

#[cfg(test)]
mod tests {
    use crate::math::{Pose, Vec3};
    use crate::query;
    use crate::shape::Shape;

    /// A half-space is the same whatever its normal and offset are both multiplied by, subnormal numbers included. (A fuzzer found depths of
    /// nearly nothing there.)
    #[test]
    fn the_length_of_a_normal_does_not_matter() {
        for length in [5e-324, 3e-320, 1e-300, 1e-200, 1.0, 1e200, 1e307] {
            let half_space = Shape::half_space(Vec3::splat(length), length).unwrap();
            for half in [1e-200, 2e-160, 1e-3, 1.0, 1e100] {
                let cuboid = Shape::cuboid(Vec3::splat(half)).unwrap();
                let (plane, body) = (half_space.at(Pose::IDENTITY), cuboid.at(Pose::IDENTITY));
                // The plane is at a third of (1, 1, 1), and the farthest corner at minus the half edge of it.
                let truth = (1.0 + 3.0 * half) / 3f64.sqrt();
                for (a, b) in [(plane, body), (body, plane)] {
                    let found = query::penetration(a, b).unwrap().unwrap();
                    let room = 1e-15 * truth;
                    assert!(
                        found.bounds.lower <= truth + room && found.bounds.upper >= truth - room,
                        "{length:e}, {half:e}: {found:?}"
                    );
                    assert!(found.bounds.contains(found.depth), "{found:?}");
                    let is_tight = found.bounds.width() <= 1e-12 * truth;
                    assert!(is_tight || half < 1e-100, "{length:e}, {half:e}: {found:?}");
                }
            }
        }
    }
}
