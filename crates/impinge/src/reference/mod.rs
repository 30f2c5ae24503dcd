//! The slow, obviously right answers, against which all others are checked.
//!
//! A shape at a pose becomes a set (`set`): a union of convex pieces (`convex`, `pieces`), grown by a radius
//! (`reach`), filled if it is a solid (`contained`), or a half-space (`half_space`). Two sets are compared piece by
//! piece (`bounded`, `pair`):
//!
//! | pieces | `intersects`, `within` | `distance` |
//! |---|---|---|
//! | points: boxes, polytopes, triangles; spheres and capsules as points with a radius | exact | the two doubles around the true distance |
//! | curved: cylinders, cones, ellipsoids (`gjk`, `wide`) | down to rounding | an interval, usually of a few units in the last place |
//!
//! "Down to rounding" means: two shapes closer than 1e-12 of the size of their coordinates may count as touching
//! (in practice 1e-15 of it); shapes farther apart never do, and shapes that overlap always do.
//!
//! Nothing is remembered from query to query and nothing is clever. A pair of meshes costs a look at every pair of
//! blocks of 32 triangles, and exact tests on the pairs of triangles whose boxes are near.

mod bounded;
mod contained;
mod convex;
mod gjk;
mod half_space;
mod names;
mod pair;
mod pieces;
mod reach;
mod set;
mod wide;

use crate::contact::{Penetration, Separation};
use crate::shape::{Placed, Shape};
use reach::Reach;
use set::Set;

/// Whether two placed shapes share a point; touching counts. See the [module](self) for how exact that is.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, reference};
/// let cube = Shape::cuboid(Vec3::splat(0.5))?;
/// let ball = Shape::sphere(0.25)?;
/// let beside = Pose::from_translation(Vec3::X * 0.75)?;
/// assert!(reference::intersects(cube.at(Pose::IDENTITY), ball.at(beside)));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn intersects(a: Placed<'_>, b: Placed<'_>) -> bool {
    within(a, b, 0.0)
}

/// Whether the distance of two placed shapes is at most `gap`; never for a negative gap, and never for NaN.
pub fn within(a: Placed<'_>, b: Placed<'_>, gap: f64) -> bool {
    if gap.is_nan() || gap.is_infinite() || gap < 0.0 {
        return gap > 0.0;
    }
    let gap = Reach::default().plus(gap);
    let (a, b) = if is_in_order(&a, &b) { (a, b) } else { (b, a) };
    match (Set::of(a), Set::of(b)) {
        (Set::Bounded(a), Set::Bounded(b)) => bounded::within(&a, &b, &gap),
        (Set::Bounded(a), Set::HalfSpace(h)) | (Set::HalfSpace(h), Set::Bounded(a)) => {
            half_space::within(&a, &h, &gap)
        }
        (Set::HalfSpace(a), Set::HalfSpace(b)) => half_space::both_within(&a, &b, &gap),
    }
}

/// How far two placed shapes are apart, with certified bounds; 0 exactly when [`intersects`].
///
/// ```
/// # use impinge::{Feature, Pose, Shape, Vec3, reference};
/// let cube = Shape::cuboid(Vec3::splat(0.5))?;
/// let ball = Shape::sphere(0.25)?;
/// let beside = Pose::from_translation(Vec3::X * 2.0)?;
/// let near = reference::distance(cube.at(Pose::IDENTITY), ball.at(beside));
/// assert_eq!(near.distance, 1.25);
/// assert_eq!(near.witness.a, Vec3::X * 0.5);
/// assert_eq!(near.features, [Feature::Face(1), Feature::Surface]);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn distance(a: Placed<'_>, b: Placed<'_>) -> Separation {
    if !is_in_order(&a, &b) {
        return distance(b, a).swapped();
    }
    match (Set::of(a), Set::of(b)) {
        (Set::Bounded(a), Set::Bounded(b)) => bounded::distance(&a, &b),
        (Set::Bounded(a), Set::HalfSpace(h)) => half_space::distance(&a, &h),
        (Set::HalfSpace(h), Set::Bounded(a)) => half_space::distance(&a, &h).swapped(),
        (Set::HalfSpace(a), Set::HalfSpace(b)) => half_space::both_distance(&a, &b),
    }
}

/// Whether two shapes are in the order in which their kind of pair is computed.
///
/// Curved shapes are decided within a tolerance, and by an iteration that is not the same from both sides. One order for both
/// makes the answer independent of who is asked about whom.
fn is_in_order(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    let rank = |shape: &Shape| match shape {
        Shape::Sphere(_) => 0,
        Shape::Cuboid(_) => 1,
        Shape::Capsule(_) => 2,
        Shape::Cylinder(_) => 3,
        Shape::Cone(_) => 4,
        Shape::Ellipsoid(_) => 5,
        Shape::Polytope(_) => 6,
        Shape::Mesh(_) => 7,
        Shape::Solid(_) => 8,
        Shape::Rounded(_) => 9,
        Shape::Custom(_) => 10,
        Shape::HalfSpace(_) => 11,
        Shape::HeightField(_) => 12,
    };
    rank(a.shape) <= rank(b.shape)
}

/// How deep two half-spaces overlap that are exactly opposite; `None` for all other shapes.
pub(crate) fn half_space_depth(a: Placed<'_>, b: Placed<'_>) -> Option<Penetration> {
    match (Set::of(a), Set::of(b)) {
        (Set::HalfSpace(a), Set::HalfSpace(b)) => half_space::both_depth(&a, &b),
        (Set::Bounded(_), _) | (_, Set::Bounded(_)) => None,
    }
}
