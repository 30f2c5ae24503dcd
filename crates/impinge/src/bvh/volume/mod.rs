//! The volumes, each with its source.
//!
//! | file | what |
//! |---|---|
//! | `aabb` | boxes along the axes of the mesh |
//! | `boxes` | fifteen axes: two boxes that are turned against each other |
//! | `covariance` | principal axes |

mod aabb;
mod boxes;
mod covariance;

pub(super) use covariance::principal_axes;
