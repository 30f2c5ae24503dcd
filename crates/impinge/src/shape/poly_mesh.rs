//! A polygon mesh as a file gives it: named, unchecked beyond what makes it addressable.
//!
//! Readers produce it, `repair` inspects and mends it, and it becomes a [`TriMesh`](super::TriMesh) or a
//! [`Polytope`](super::Polytope) when it is to be queried.

use super::polygon::{self, Budget, Cut};
use crate::error::Error;
use crate::math::{Vec3, require_finite};

/// Polygons over shared vertices, under a name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PolyMesh {
    name: String,
    vertices: Vec<Vec3>,
    /// Where each face starts in `corners`; one more entry than faces once there are any.
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl PolyMesh {
    /// A mesh without faces. Vertices must be finite.
    pub fn new(name: impl Into<String>, vertices: Vec<Vec3>) -> Result<PolyMesh, Error> {
        for (i, v) in vertices.iter().enumerate() {
            require_finite(*v, || format!("vertex {i}"))?;
        }
        if vertices.len() > u32::MAX as usize {
            return Err(Error::TooMany {
                what: "vertices",
                count: vertices.len(),
            });
        }
        Ok(PolyMesh {
            name: name.into(),
            vertices,
            starts: vec![0],
            corners: Vec::new(),
        })
    }

    /// Appends a face of at least three corners, all in range.
    pub fn push_face(&mut self, corners: &[u32]) -> Result<(), Error> {
        let face = self.face_count();
        if corners.len() < 3 {
            return Err(Error::OutOfRange {
                what: format!("number of corners of face {face}"),
                value: corners.len() as f64,
                expected: "at least 3",
            });
        }
        if let Some(index) = corners.iter().find(|i| **i as usize >= self.vertices.len()) {
            return Err(Error::IndexOutOfRange {
                what: format!("face {face}"),
                index: u64::from(*index),
                count: self.vertices.len(),
            });
        }
        let end = self.corners.len() + corners.len();
        let end = u32::try_from(end).map_err(|_| Error::TooMany {
            what: "face corners",
            count: end,
        })?;
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.corners.extend_from_slice(corners);
        self.starts.push(end);
        Ok(())
    }

    /// The name; empty when the file gave none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The vertices.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The corners of one face, as indices of vertices.
    pub fn face(&self, face: usize) -> &[u32] {
        &self.corners[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// All faces, in order.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.starts
            .windows(2)
            .map(|ends| &self.corners[ends[0] as usize..ends[1] as usize])
    }

    /// Cuts all faces into triangles over the same vertices: a face of `n` corners into `n - 2`, as
    /// [`polygon::triangulate`] does, with a bound on the work for the mesh as a whole.
    ///
    /// ```
    /// # use impinge::{Vec3, shape::PolyMesh};
    /// let mut square = PolyMesh::new("square", vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y])?;
    /// square.push_face(&[0, 1, 2, 3])?;
    /// let cut = square.triangulate();
    /// assert_eq!(cut.triangles, [[0, 1, 2], [0, 2, 3]]);
    /// assert_eq!(cut.faces, [0, 0]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn triangulate(&self) -> Triangulation {
        let mut result = Triangulation::default();
        let mut budget = Budget::for_corners(self.corners.len());
        let (mut points, mut cut) = (Vec::new(), Vec::new());
        for (face, corners) in (0..).zip(self.faces()) {
            points.clear();
            points.extend(corners.iter().map(|i| self.vertices[*i as usize]));
            cut.clear();
            if polygon::triangulate_within(&mut budget, &points, &mut cut) == Cut::Fan {
                result.fans.push(face);
            }
            let of_mesh = |t: &[u32; 3]| t.map(|k| corners[k as usize]);
            result.triangles.extend(cut.iter().map(of_mesh));
            result.faces.resize(result.triangles.len(), face);
        }
        result
    }
}

/// The triangles of a polygon mesh.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Triangulation {
    /// The triangles, as indices of vertices, in the order of the faces.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the face it was cut from.
    pub faces: Vec<u32>,
    /// The faces that cross themselves or have no area, and were cut as fans for want of anything better.
    pub fans: Vec<u32>,
}
