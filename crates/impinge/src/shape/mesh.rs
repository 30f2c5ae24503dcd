//! Triangle soups: vertices and triangles, no promise about how they hang together.
//!
//! A triangle of zero area is a segment or a point, and counts as such. Nothing is welded, dropped or reordered: ids in
//! answers are ids of the input. `repair` mends meshes; [`Solid`](super::Solid) is a mesh that encloses a volume.

use crate::error::Error;
use crate::math::{Aabb, Vec3, require_finite};

/// The union of triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct TriMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    bounds: Aabb,
}

impl TriMesh {
    /// A mesh of at least one triangle. Vertices must be finite and indices in range; vertices that no triangle uses are
    /// allowed.
    ///
    /// ```
    /// # use impinge::{TriMesh, Vec3};
    /// let mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.corners(0), [Vec3::ZERO, Vec3::X, Vec3::Y]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<TriMesh, Error> {
        for (i, v) in vertices.iter().enumerate() {
            require_finite(*v, || format!("vertex {i}"))?;
        }
        for (what, count) in [("vertices", vertices.len()), ("triangles", triangles.len())] {
            // Edges are named 3 t + k, so triangles must leave room for that.
            if count > (u32::MAX / 3) as usize {
                return Err(Error::TooMany { what, count });
            }
        }
        for (t, triangle) in triangles.iter().enumerate() {
            if let Some(index) = triangle.iter().find(|i| **i as usize >= vertices.len()) {
                return Err(Error::IndexOutOfRange {
                    what: format!("triangle {t}"),
                    index: u64::from(*index),
                    count: vertices.len(),
                });
            }
        }
        let used = triangles.iter().flatten().map(|i| vertices[*i as usize]);
        let bounds = Aabb::of_points(used).ok_or(Error::Empty { what: "mesh" })?;
        Ok(TriMesh {
            vertices,
            triangles,
            bounds,
        })
    }

    /// The vertices.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles, as indices of vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of one triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|i| self.vertices[i as usize])
    }

    /// The smallest box around all triangles.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}
