//! An independent oracle: exact answers by other methods than the library's, in plain integer arithmetic.
//!
//! Nothing here uses the library beyond its `Vec3`. Coordinates become integers on a common power-of-two grid
//! ([`grid`]), and each question is answered by the simplest complete method:
//!
//! | question | method |
//! |---|---|
//! | do two triangles meet ([`triangles_meet`]) | every candidate separating axis, by dimension of the difference |
//! | do two hulls meet ([`hulls_meet`]) | a linear program by the simplex method; its answer carries a proof that is checked |
//! | how far are two hulls apart ([`hull_distance`]) | descent over simplices of the difference, each projection exact |
//! | how far, for small point sets ([`feature_distance`]) | all pairs of vertices, edges and triangles |
//! | is a point inside a closed mesh ([`locate`]) | a ray in a random direction that hits nothing degenerate |
//!
//! `self_test` sets these against each other; the library is compared with them everywhere else.

mod distance;
mod features;
mod grid;
mod program;
mod self_test;
mod separating;
#[cfg(feature = "io")]
mod soup;
mod winding;

pub(crate) use distance::{SquaredDistance, hull_distance};
pub(crate) use features::feature_distance;
pub(crate) use program::hulls_meet;
pub(crate) use separating::triangles_meet;
#[cfg(feature = "io")]
pub(crate) use soup::soups_meet;
pub(crate) use winding::{Location, locate};
