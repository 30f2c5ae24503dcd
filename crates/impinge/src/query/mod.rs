//! Questions about one pair of placed shapes.
//!
//! ```
//! use impinge::{Pose, Shape, Vec3, query};
//!
//! let table = Shape::cuboid(Vec3::new(1.0, 1.0, 0.05))?;
//! let cup = Shape::cylinder(0.06, 0.04)?;
//! let above = Pose::from_translation(Vec3::new(0.25, 0.5, 0.2))?;
//!
//! assert!(!query::intersects(table.at(Pose::IDENTITY), cup.at(above)));
//! let near = query::distance(table.at(Pose::IDENTITY), cup.at(above));
//! assert!((near.distance - 0.09).abs() < 1e-12);
//! assert!(near.bounds.contains(0.09) && near.bounds.width() < 1e-12);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! Convex shapes are answered quickly, with a proof: two polytopes (boxes among them) by [`crate::narrow`], all others in
//! closed form or by GJK with an error bound. Meshes, solids and height fields are searched through a tree that is built with them. What
//! is not proven that way is asked of [`mod@reference`], which says how exact its answers are for which shapes. The booleans are the same either way.
//!
//! [`Method`] names other ways to the same answers, for [`intersects_by`], [`within_by`] and [`distance_by`].
//!
//! [`Gradual`] answers within a budget what large meshes cannot be asked at once.
//!
//! Each question has a `_with` twin that takes the [`PairCache`] of the pair: with the knowledge of the last query the next
//! one is quicker. The cache never changes an answer.

mod depth;
mod gradual;
mod meshes;
mod method;
mod moving_pair;

pub use crate::narrow::{
    PathImpact, Progress, edge_edge_impact, time_of_impact, vertex_face_impact,
};
pub use depth::{penetration, penetration_with};
pub use gradual::Gradual;
pub use meshes::{
    distance_to_tolerance, manifold, meeting_triangles, mesh_contacts, self_intersections,
    solid_depth,
};
pub use method::{Method, distance_by, intersects_by, within_by};
pub use moving_pair::MovingPair;

use crate::contact::Separation;
use crate::narrow::{PairCache, mesh, primitive};
use crate::reference;
use crate::shape::Placed;

/// Whether two placed shapes share a point; touching counts.
///
/// Exact for spheres, boxes, capsules, polytopes, meshes, solids, height fields and half-spaces, also rounded ones. Where a cylinder, cone
/// or ellipsoid takes part, shapes closer than 1e-12 of the size of their coordinates may count as touching; where a
/// custom shape does, shapes closer than the error of its support points.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, query};
/// let (cube, ball) = (Shape::cuboid(Vec3::ONE)?, Shape::sphere(0.5)?);
/// let touching = Pose::from_translation(Vec3::X * 1.5)?;
/// assert!(query::intersects(cube.at(Pose::IDENTITY), ball.at(touching)));
/// let apart = Pose::from_translation(Vec3::X * 1.5_f64.next_up())?;
/// assert!(!query::intersects(cube.at(Pose::IDENTITY), ball.at(apart)));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn intersects(a: Placed<'_>, b: Placed<'_>) -> bool {
    intersects_with(a, b, &mut PairCache::default())
}

/// [`intersects`] for a pair that is asked again and again.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, query, narrow::PairCache};
/// let (ball, cone) = (Shape::sphere(1.0)?, Shape::cone(1.0, 0.5)?);
/// let mut cache = PairCache::default();
/// let touching = (0..20).filter(|frame| {
///     let pose = Pose::from_translation(Vec3::X * 0.125 * f64::from(*frame)).expect("finite");
///     query::intersects_with(ball.at(Pose::IDENTITY), cone.at(pose), &mut cache)
/// });
/// assert_eq!(touching.count(), 11);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn intersects_with(a: Placed<'_>, b: Placed<'_>, cache: &mut PairCache) -> bool {
    within_with(a, b, 0.0, cache)
}

/// Whether the distance of two placed shapes is at most `gap`; as exact as [`intersects`]. Never for a negative gap.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, query};
/// let (cube, can) = (Shape::cuboid(Vec3::ONE)?, Shape::cylinder(1.0, 0.5)?);
/// let beside = Pose::from_translation(Vec3::X * 2.0)?;
/// assert!(query::within(cube.at(Pose::IDENTITY), can.at(beside), 0.75));
/// assert!(!query::within(cube.at(Pose::IDENTITY), can.at(beside), 0.25));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn within(a: Placed<'_>, b: Placed<'_>, gap: f64) -> bool {
    within_with(a, b, gap, &mut PairCache::default())
}

/// [`within`] for a pair that is asked again and again.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, query, narrow::PairCache};
/// let (cube, egg) = (Shape::cuboid(Vec3::ONE)?, Shape::ellipsoid(Vec3::new(0.5, 0.5, 1.0))?);
/// let mut cache = PairCache::default();
/// for (x, expected) in [(2.5, false), (2.25, false), (2.0, false), (1.75, true)] {
///     let pose = Pose::from_translation(Vec3::X * x)?;
///     let near = query::within_with(cube.at(Pose::IDENTITY), egg.at(pose), 0.375, &mut cache);
///     assert_eq!(near, expected);
/// }
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn within_with(a: Placed<'_>, b: Placed<'_>, gap: f64, cache: &mut PairCache) -> bool {
    let quick = if gap.is_finite() && gap >= 0.0 {
        primitive::within(&a, &b, gap, cache).or_else(|| mesh::within(&a, &b, gap, cache))
    } else {
        None
    };
    quick.unwrap_or_else(|| reference::within(a, b, gap))
}

/// How far two placed shapes are apart, where they are closest, and how well that is known.
///
/// The distance is 0 exactly when the shapes intersect. The bounds are at most 1e-12 of the size of the coordinates
/// apart (for custom shapes, that and the error of their support points).
///
/// ```
/// # use impinge::{Feature, Pose, Shape, Vec3, query};
/// let (cube, cone) = (Shape::cuboid(Vec3::ONE)?, Shape::cone(1.0, 0.5)?);
/// let above = Pose::from_translation(Vec3::Z * 4.0)?;
/// let near = query::distance(cube.at(Pose::IDENTITY), cone.at(above));
/// assert!(near.bounds.contains(2.0) && near.bounds.width() < 1e-11);
/// assert_eq!(near.features, [Feature::Face(5), Feature::Surface]);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn distance(a: Placed<'_>, b: Placed<'_>) -> Separation {
    distance_with(a, b, &mut PairCache::default())
}

/// [`distance`] for a pair that is asked again and again.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, query, narrow::PairCache};
/// let (bar, can) = (Shape::capsule(1.0, 0.25)?, Shape::cylinder(1.0, 0.5)?);
/// let mut cache = PairCache::default();
/// for frame in 0..8 {
///     let x = 1.0 + 0.25 * f64::from(frame);
///     let pose = Pose::from_translation(Vec3::X * x)?;
///     let near = query::distance_with(bar.at(Pose::IDENTITY), can.at(pose), &mut cache);
///     assert!(near.bounds.contains(x - 0.75));
/// }
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn distance_with(a: Placed<'_>, b: Placed<'_>, cache: &mut PairCache) -> Separation {
    primitive::distance(&a, &b, cache)
        .or_else(|| mesh::distance(&a, &b, None, cache))
        .unwrap_or_else(|| reference::distance(a, b))
}
