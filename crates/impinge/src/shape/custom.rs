//! A user's own convex shape, known by its support points.
//!
//! The shape is the set that its [`SupportMap`] describes, convex by contract, and at a pose the image of that set. What
//! is asked of every other shape can be asked of it. The answers are as exact as its support points: each is taken to be
//! within [`SupportMap::support_error`] of the shape and of being the farthest, and every interval is widened by that.

use super::SupportMap;
use crate::error::Error;
use crate::math::{Vec3, require_finite};
use std::sync::Arc;

/// A user's own convex shape: a support map, with its bounds checked once.
#[derive(Debug, Clone)]
pub struct Custom {
    map: Arc<dyn SupportMap>,
    radius: f64,
    error: f64,
    /// A support point, which stands in where the map gives a point that is not finite.
    some_point: Vec3,
}

impl Custom {
    /// The shape of a support map. Fails when its support points along the axes or its bounds are not finite.
    pub fn new(map: Arc<dyn SupportMap>) -> Result<Custom, Error> {
        for direction in axes() {
            require_finite(map.support(direction), || {
                format!("support point along {direction}")
            })?;
        }
        let (radius, error) = (map.bounding_radius(), map.support_error());
        super::primitive::require_at_least_zero("bounding radius of the support map", radius)?;
        super::primitive::require_at_least_zero("support error of the support map", error)?;
        Ok(Custom {
            some_point: map.support(Vec3::X),
            radius,
            error,
            map,
        })
    }

    /// The support map.
    pub fn map(&self) -> &dyn SupportMap {
        &*self.map
    }

    /// The shape is within this of the origin of its frame.
    pub fn bounding_radius(&self) -> f64 {
        self.radius
    }

    /// Support points are off by at most this.
    pub fn support_error(&self) -> f64 {
        self.error
    }

    /// A finite support point.
    pub(crate) fn support(&self, direction: Vec3) -> Vec3 {
        let p = self.map.support(direction);
        if p.is_finite() { p } else { self.some_point }
    }
}

/// The six directions of the coordinate axes.
pub(super) fn axes() -> [Vec3; 6] {
    [
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y,
        Vec3::NEG_Y,
        Vec3::Z,
        Vec3::NEG_Z,
    ]
}
