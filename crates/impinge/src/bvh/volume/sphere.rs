//! Bounding spheres.
//!
//! The smallest ball around points is found step by step: the middle moves towards the farthest point by a share that
//! shrinks from step to step (Bădoiu and Clarkson, Smaller Core-Sets for Balls, 2003). After `k` steps the radius is
//! within a share of `1/sqrt(k)` of the smallest, in practice much closer. **Invariant.** The radius is the largest
//! distance of a corner, rounded up by `8 EPSILON`. **Cost.** [`STEPS`] passes over the corners to fit; a test is a
//! distance of two points.

use crate::bvh::bound::{Bound, is_apart};
use crate::bvh::frame::Relative;
use crate::math::{Aabb, Vec3};

/// How often the middle is moved.
const STEPS: u32 = 24;

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingSphere {
    /// The middle.
    pub center: Vec3,
    /// The radius.
    pub radius: f64,
}

impl BoundingSphere {
    /// The ball about a point that holds all corners.
    pub fn about(center: Vec3, triangles: &[[Vec3; 3]]) -> BoundingSphere {
        let (_, square) = farthest(center, triangles);
        BoundingSphere {
            center,
            radius: square.sqrt() + 8.0 * f64::EPSILON,
        }
    }

    /// The distance of two balls less the error; the second is in the second frame.
    #[inline]
    pub(in crate::bvh) fn gap(&self, other: &BoundingSphere, relative: &Relative) -> f64 {
        let distance = (relative.place(other.center) - self.center).length();
        distance - (self.radius + other.radius * relative.scale) - relative.error
    }
}

/// The corner that is farthest from a point, and the square of its distance.
fn farthest(from: Vec3, triangles: &[[Vec3; 3]]) -> (Vec3, f64) {
    let start = (from, 0.0);
    triangles.iter().flatten().fold(start, |best, p| {
        let square = (*p - from).length_squared();
        if square > best.1 { (*p, square) } else { best }
    })
}

impl Bound for BoundingSphere {
    type Relation = Relative;

    fn fit(triangles: &[[Vec3; 3]]) -> BoundingSphere {
        let upright = <Aabb as Bound>::fit(triangles);
        let mut center = upright.center();
        let mut best = (center, f64::INFINITY);
        for step in 0..STEPS {
            let (point, square) = farthest(center, triangles);
            if square < best.1 {
                best = (center, square);
            }
            center += (point - center) / f64::from(step + 2);
        }
        BoundingSphere::about(best.0, triangles)
    }

    fn relate(relative: &Relative) -> Relative {
        *relative
    }

    #[inline]
    fn overlaps(&self, other: &BoundingSphere, relative: &Relative) -> bool {
        !is_apart(self.gap(other, relative))
    }

    #[inline]
    fn distance_below(&self, other: &BoundingSphere, relative: &Relative, _enough: f64) -> f64 {
        self.gap(other, relative)
    }

    fn size(&self) -> f64 {
        self.radius
    }
}
