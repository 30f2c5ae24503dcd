//! Rays: where they start, and which way they go.

use super::{Vec3, require_finite};
use crate::error::Error;

/// All points `origin + t * direction` with `t` at least 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
}

impl Ray {
    /// A ray from a point along a direction of any length but zero, which is the unit of `t`.
    ///
    /// ```
    /// # use impinge::{Ray, Vec3};
    /// let up = Ray::new(Vec3::ZERO, Vec3::Z * 2.0)?;
    /// assert_eq!(up.at(1.5), Vec3::Z * 3.0);
    /// assert!(Ray::new(Vec3::ZERO, Vec3::ZERO).is_err());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn new(origin: Vec3, direction: Vec3) -> Result<Ray, Error> {
        require_finite(origin, || "origin of the ray".to_owned())?;
        require_finite(direction, || "direction of the ray".to_owned())?;
        if direction == Vec3::ZERO {
            return Err(Error::OutOfRange {
                what: "length of the ray's direction".to_owned(),
                value: 0.0,
                expected: "more than 0",
            });
        }
        Ok(Ray { origin, direction })
    }

    /// Where the ray starts.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Which way it goes.
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// The point at `t`, rounded.
    pub fn at(&self, t: f64) -> Vec3 {
        self.origin + self.direction * t
    }
}
