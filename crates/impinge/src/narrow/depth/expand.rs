//! From a tetrahedron of differences to the boundary point nearest to the origin: the expanding polytope.
//!
//! Source: van den Bergen, Proximity queries and penetration depth computation on 3D game objects (2001). A polytope of
//! differences grows inside `W = b - a`. A step takes the face nearest to the origin and asks for the difference farthest
//! beyond it. If there is none, the face is on the boundary of `W`, and no boundary point is nearer.
//!
//! # The bounds
//!
//! *Upper*: moving `b` along `inward` of any face by minus the least product of all differences parts the polytopes.
//! *Lower*: once the surface winds around the origin, a ball up to its shallowest face is inside `W`. Both are computed
//! with the errors of [`Differences`]; nothing else is assumed of the surface, see [`surface`](super::surface).
//!
//! # Departures from the source
//!
//! Faces on whose wrong side the origin lies have a negative depth, so the same loop also brings the origin inside, or finds
//! the direction that separates. There is no threshold for degenerate faces and no heap: the surfaces are small, and
//! their depths are scanned.
//!
//! # Why it ends
//!
//! There are at most as many steps as [`Surface::insert`] admits corners. In practice 4 to 60; when rounding stops
//! progress before the bounds meet, the answer is [`Outcome::Unclear`].

use super::differences::Differences;
use super::surface::Surface;
use crate::math::{Interval, Vec3};
use fearless_simd::Simd;

/// How an expansion ended.
#[derive(Debug)]
pub(super) enum Outcome {
    /// At a face on the boundary of the differences.
    Boundary(Facet),
    /// With a direction that separates the polytopes.
    Apart,
    /// Without a proof; the origin is within rounding of the boundary, or rounding stopped progress.
    Unclear,
}

/// A face on the boundary of the differences, nearest to the origin.
#[derive(Debug)]
pub(super) struct Facet {
    pub(super) face: usize,
    /// Certified bounds for the depth, in units.
    pub(super) bounds: Interval,
    /// The way `b` must move, of unit length.
    pub(super) direction: Vec3,
}

/// When an expansion may stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// As soon as the origin is inside the surface: with bounds that may be far apart.
    Inside,
    /// When the shallowest face is on the boundary.
    Boundary,
}

/// Expands a surface until it proves what the goal asks for.
pub(super) fn expand<S: Simd>(
    pair: &Differences<'_, S>,
    surface: &mut Surface,
    goal: Goal,
) -> Outcome {
    let error = pair.error();
    let mut is_inside = false;
    loop {
        let face = surface.shallowest();
        let (direction, gap) = (surface.face(face).inward, surface.face(face).gap);
        // The surface keeps its winding number only at a distance from the origin.
        let is_clear = -gap > 2.0 * error;
        if is_clear && !is_inside {
            is_inside = surface.winds_around_origin();
        }
        if is_inside != is_clear {
            return Outcome::Unclear;
        }
        let is_enough = |least: f64| gap - least <= error || (is_inside && goal == Goal::Inside);
        let mut corner = pair.support(direction, surface.pairs(face));
        let mut least = direction.dot(corner.point);
        if least > error || is_enough(least) {
            let overshoot;
            (corner, overshoot) = pair.settle(direction, corner);
            least = direction.dot(corner.point);
            if least > error + overshoot {
                return Outcome::Apart;
            }
            if is_enough(least) {
                let bounds = Interval {
                    lower: -gap - error,
                    upper: -least + error + overshoot,
                };
                return Facet::of(is_inside, face, bounds, direction);
            }
        }
        if !surface.insert(face, corner) {
            return Outcome::Unclear;
        }
    }
}

impl Facet {
    /// A facet, if there is a lower bound for all others.
    fn of(is_inside: bool, face: usize, bounds: Interval, direction: Vec3) -> Outcome {
        if is_inside {
            Outcome::Boundary(Facet {
                face,
                bounds,
                direction,
            })
        } else {
            Outcome::Unclear
        }
    }
}
