//! Cameron's estimate of the depth: bounds from the simplex that GJK ends with.
//!
//! Source: Cameron, Enhancing GJK: computing minimum and penetration distances between convex polyhedra (1997). When GJK
//! finds that two polytopes overlap, it holds a tetrahedron of differences around the origin. The face of it nearest to
//! the origin tells a direction in which the polytopes part; how far one has to move along it is one more support point
//! away. The estimate is good for shallow overlaps, and better still from frame to frame, where the tetrahedron
//! contains last frame's facet.
//!
//! What it bounds: the true depth is in the interval. A move of `b` by its upper end along the direction parts the two, but
//! there may be a much shorter one in another direction.

use super::super::cache::PairCache;
use super::super::pair::PolytopePair;
use super::differences::Differences;
use super::expand::{Goal, Outcome, expand};
use super::start::{Start, start};
use super::{SURFACE, measure_exactly};
use crate::lanes::in_lanes;
use crate::math::{Interval, Pose, Vec3};
use crate::shape::Polytope;
use fearless_simd::Simd;

/// Bounds for the depth of two polytopes, and a direction for the upper one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthEstimate {
    /// The true depth is inside.
    pub bounds: Interval,
    /// A move of the second polytope by exactly `bounds.upper * direction` leaves no overlap; of unit length up to rounding.
    pub direction: Vec3,
}

/// Bounds for the depth of two placed polytopes after Cameron; `None` when they are apart.
///
/// The interval may be wide: use [`penetration_polytopes`](crate::narrow::penetration_polytopes) for the depth itself.
/// Polytopes within rounding of touching get the true depth.
///
/// ```
/// # use impinge::{Polytope, Pose, Vec3, narrow::{PairCache, depth::cameron}};
/// let cube = Polytope::cuboid(Vec3::ONE)?;
/// let inside = Pose::from_translation(Vec3::new(0.5, 1.75, 0.25))?;
/// let cache = PairCache::default();
/// let found = cameron::estimate_depth(&cube, &Pose::IDENTITY, &cube, &inside, &cache).expect("overlap");
/// assert!(found.bounds.contains(0.25));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn estimate_depth(
    a: &Polytope,
    pose_a: &Pose,
    b: &Polytope,
    pose_b: &Pose,
    cache: &PairCache,
) -> Option<DepthEstimate> {
    let pair = PolytopePair {
        a,
        pose_a,
        b,
        pose_b,
        cache: &mut cache.clone(),
    };
    let fast = in_lanes!(simd => estimate(simd, &pair));
    fast.unwrap_or_else(|| {
        measure_exactly(&pair).map(|deep| DepthEstimate {
            bounds: deep.bounds,
            direction: deep.direction,
        })
    })
}

fn estimate<S: Simd>(simd: S, question: &PolytopePair<'_>) -> Option<Option<DepthEstimate>> {
    let pair = &Differences::new(simd, question)?;
    let corners = match start(pair, question.cache.facet()) {
        Start::Tetrahedron(corners) => corners,
        Start::Apart => return Some(None),
        Start::Unclear => return None,
    };
    SURFACE.with_borrow_mut(|surface| {
        surface.restart(&corners, pair.tolerance());
        match expand(pair, surface, Goal::Inside) {
            Outcome::Boundary(facet) => Some(Some(DepthEstimate {
                bounds: Interval {
                    lower: (facet.bounds.lower * pair.unit).max(0.0),
                    upper: facet.bounds.upper * pair.unit,
                },
                direction: facet.direction,
            })),
            Outcome::Apart => Some(None),
            Outcome::Unclear => None,
        }
    })
}
