//! Lin-Canny: the closest features of two polytopes, tracked from frame to frame.
//!
//! Sources: Lin and Canny, A Fast Algorithm for Incremental Distance Calculation (1991); Cohen, Lin, Manocha and Ponamgi,
//! I-COLLIDE (1995), sections 3.2, 3.3 and 5.2; on degenerate cases Mirtich, V-Clip (1998).
//!
//! 1. Begin with a feature of each polytope: last frame's, a random one, or one from a table ([`Start`]).
//! 2. Find the closest points of the two features and the smallest parts that hold them (`nearest`, `polygon`).
//! 3. If each point is in the Voronoi region of the other's part, they are the closest points of the polytopes. If one is
//!    past a plane of its region, step to the feature beyond (`region`, `walk`) and go to 2.
//! 4. A vertex behind a face is in no external region. The cones from the centroid through the faces partition the inside
//!    (`interior`): the vertex is inside, and the walk ends with penetration, or it is in front of another face.
//! 5. Prove the answer (`certify`): an interval for the distance from the points and a gap, or a common point.
//! 6. What is not proven falls back on [`distance_polytopes`], and the answer says so.
//!
//! **Invariant.** The answer is exact in the sense of this crate, whatever the walk did: steps 1 to 4 propose, 5 and 6
//! decide. **Termination.** Each step strictly decreases the computed distance, a function of the feature pair alone; see
//! `walk` for why that also holds behind faces, and for the limit on steps.
//!
//! **Cost.** When the closest features change little, a few neighbourhoods of vertices, whatever the size of the polytopes;
//! otherwise in proportion to the features passed. Nothing is precomputed. A feature with very many neighbours (the apex of a
//! fine cone, the base of a fine prism) costs as much as it has neighbours.
//!
//! **Departures from the sources.** Closest points are computed of closed features, so that steps down in dimension are part
//! of step 2 and the decrease is strict. Steps compare distances instead of trusting the planes: near-parallel features then
//! cannot cycle. The walk through the inside climbs in a height that proves its own end.

mod certify;
mod interior;
mod nearest;
mod part;
mod polygon;
mod region;
mod start;
mod table;
mod walk;

pub use start::{FeatureCache, Start};
pub use table::DirectionTable;

use super::side::Side;
use super::{PairCache, distance_polytopes};
use crate::contact::{Feature, Separation};
use crate::exact::count_filter;
use crate::math::Pose;
use crate::shape::Polytope;
use walk::Walk;

/// A separation, and what it took to find it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackedSeparation {
    /// The answer. For polytopes that intersect the features are an edge and the face it passes through, or a vertex and
    /// [`Feature::Inside`].
    pub separation: Separation,
    /// How many features and cones the walk tried, besides the first.
    pub steps: u32,
    /// Whether the walk's end could not be proven, or the sizes are extreme, and the default method answered.
    pub fell_back: bool,
}

/// A walk's proven answer, and the vertices that carry the closest points, for each polytope repeated to three.
pub(super) struct Tracked {
    pub(super) separation: Separation,
    pub(super) carriers: [[u32; 3]; 2],
}

/// The walk from given features; `None` when its end cannot be proven. For the default method.
pub(super) fn track(sides: [Side<'_>; 2], from: [Feature; 2]) -> Option<Tracked> {
    let start = FeatureCache::new(from);
    let mut walk = Walk::new(sides, Start::Previous.parts(&sides, &start));
    let end = walk.run();
    let separation = walk.certify(end)?;
    Some(Tracked {
        separation,
        carriers: walk.at.carriers.map(|carrier| carrier.repeated()),
    })
}

/// The distance of two placed polytopes by their closest features; 0 exactly when they intersect. Start and cache change the
/// time, never whether they intersect nor the promise of the interval.
///
/// The cache is read for [`Start::Previous`] and written always.
///
/// ```
/// # use impinge::{Feature, Polytope, Pose, Vec3};
/// use impinge::narrow::lin_canny::{FeatureCache, Start, closest};
///
/// let cube = Polytope::cuboid(Vec3::ONE)?;
/// let mut cache = FeatureCache::default();
/// for frame in 0..10 {
///     let away = Pose::from_translation(Vec3::new(5.0, 3.0, 0.1 * f64::from(frame)))?;
///     let found = closest(&cube, &Pose::IDENTITY, &cube, &away, Start::Previous, &mut cache);
///     assert!(found.separation.bounds.contains(10f64.sqrt()));
///     assert!(!found.fell_back && (frame == 0 || found.steps <= 3));
/// }
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn closest(
    a: &Polytope,
    pose_a: &Pose,
    b: &Polytope,
    pose_b: &Pose,
    start: Start<'_>,
    cache: &mut FeatureCache,
) -> TrackedSeparation {
    let mut steps = 0;
    if let (Some(side_a), Some(side_b)) = (Side::new(a, pose_a), Side::new(b, pose_b)) {
        let sides = [side_a, side_b];
        let mut walk = Walk::new(sides, start.parts(&sides, cache));
        let end = walk.run();
        steps = walk.steps;
        *cache = FeatureCache::new(walk.at.parts.map(|part| part.feature()));
        if let Some(separation) = walk.certify(end) {
            count_filter();
            return TrackedSeparation {
                separation,
                steps,
                fell_back: false,
            };
        }
    }
    let separation = distance_polytopes(a, pose_a, b, pose_b, &mut PairCache::default());
    if !separation.features.contains(&Feature::Inside) {
        *cache = FeatureCache::new(separation.features);
    }
    TrackedSeparation {
        separation,
        steps,
        fell_back: true,
    }
}
