//! Vectors, poses, boxes, rays and intervals: plain names over glam's double-precision types.

mod aabb;
mod ball32;
mod box32;
pub(crate) mod double_double;
mod interval;
mod pose;
mod principal;
mod ray;
mod unit;

pub use aabb::Aabb;
pub(crate) use ball32::Ball32;
pub use box32::Box32;
#[cfg(test)]
pub(crate) use box32::ENDS;
pub use interval::Interval;
pub use pose::Pose;
pub(crate) use pose::Unmeasured;
pub(crate) use principal::{SurfaceMoments, eigenvectors, outer};
pub use ray::Ray;
pub(crate) use unit::{LEAST_SQUARE, MOST_SQUARE, unit};

pub use glam::{DMat3 as Mat3, DQuat as Quat, DVec3 as Vec3};

/// Succeeds when all three coordinates are finite; `what` names the vector in the error.
pub(crate) fn require_finite(
    v: Vec3,
    what: impl FnOnce() -> String,
) -> Result<(), crate::error::Error> {
    if v.is_finite() {
        Ok(())
    } else {
        Err(crate::error::Error::NonFinite { what: what() })
    }
}
