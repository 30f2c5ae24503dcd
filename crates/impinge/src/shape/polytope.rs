//! Convex polytopes (placeholder until the hull lands).

use crate::error::Error;
use crate::math::Vec3;

/// A convex polytope.
#[derive(Debug, Clone, PartialEq)]
pub struct Polytope {
    vertices: Vec<Vec3>,
}

impl Polytope {
    /// The convex hull of points.
    pub fn from_points(points: &[Vec3]) -> Result<Polytope, Error> {
        if points.len() < 4 {
            return Err(Error::Empty { what: "point set" });
        }
        Ok(Polytope {
            vertices: points.to_vec(),
        })
    }

    /// The vertices.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }
}
