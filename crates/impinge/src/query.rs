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
//! assert!((near.distance - 0.09).abs() < 1e-15);
//! assert!(near.bounds.width() < 1e-15);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! Answers are those of [`mod@reference`], which also says how exact they are for which shapes; whether two polytopes
//! intersect is decided by [`crate::narrow`], with the same booleans in less time. Pairs of polytopes that are asked about
//! again and again, or many at once, are quickest by the functions there: they keep a cache for each pair.

pub use crate::narrow::time_of_impact;

use crate::contact::Separation;
use crate::narrow::{PairCache, intersects_polytopes};
use crate::reference;
use crate::shape::{Placed, Shape};

/// Whether two placed shapes share a point; touching counts.
///
/// Exact for spheres, boxes, capsules, polytopes, meshes, solids and half-spaces, also rounded ones. Where a cylinder, cone
/// or ellipsoid takes part, shapes closer than 1e-12 of the size of their coordinates may count as touching.
pub fn intersects(a: Placed<'_>, b: Placed<'_>) -> bool {
    if let (Shape::Polytope(p), Shape::Polytope(q)) = (a.shape, b.shape) {
        return intersects_polytopes(p, &a.pose, q, &b.pose, &mut PairCache::default());
    }
    reference::intersects(a, b)
}

/// Whether the distance of two placed shapes is at most `gap`; as exact as [`intersects`]. Never for a negative gap.
pub fn within(a: Placed<'_>, b: Placed<'_>, gap: f64) -> bool {
    reference::within(a, b, gap)
}

/// How far two placed shapes are apart, where they are closest, and how well that is known.
///
/// The distance is 0 exactly when the shapes intersect. The bounds are at most 1e-12 of the size of the coordinates
/// apart, and usually a unit in the last place.
pub fn distance(a: Placed<'_>, b: Placed<'_>) -> Separation {
    reference::distance(a, b)
}
