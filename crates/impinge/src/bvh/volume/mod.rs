//! The volumes, each with its source.
//!
//! | file | what |
//! |---|---|
//! | `aabb` | boxes along the axes of the mesh |
//! | `obb` | boxes along principal axes |
//! | `kdop` | polytopes with faces of fixed directions |
//! | `sphere` | balls |
//! | `hull` | convex hulls |
//! | `shell` | parts of spherical shells |
//! | `swept` | swept spheres: around points, segments, rectangles, or whichever is best |
//! | `boxes` | fifteen axes: two boxes that are turned against each other |
//! | `span` | points, segments and rectangles: how far two are apart, at least |
//! | `covariance`, `sample` | principal axes; a few corners that stand for many |

mod aabb;
mod boxes;
mod covariance;
mod hull;
mod kdop;
mod obb;
mod sample;
mod shell;
mod span;
mod sphere;
mod swept;

pub use aabb::AabbRelation;
pub(super) use covariance::principal_axes;
pub use hull::HullBound;
pub use kdop::{Kdop, KdopRelation};
pub use obb::Obb;
pub use shell::Shell;
pub use sphere::BoundingSphere;
pub use swept::{Lss, Pss, Rss, Swept, SweptAny};
