//! A mesh in the making: vertices and faces as a reader meets them, in either order.

use super::model::Notes;
use crate::error::{Error, Place};
use crate::math::Vec3;
use crate::shape::PolyMesh;
use std::path::Path;

/// Vertices and faces, of which the highest index is checked at the end.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) vertices: Vec<Vec3>,
    /// The corners of all faces, from 0, one face after the other.
    corners: Vec<u32>,
    /// Where each face ends in `corners`.
    ends: Vec<usize>,
    /// The highest index of all corners, and where it first was.
    highest: Option<(u32, Place)>,
}

impl Draft {
    /// Adds a corner to the face in progress.
    pub(super) fn push_corner(&mut self, index: u32, place: Place) {
        if self.highest.is_none_or(|(highest, _)| index > highest) {
            self.highest = Some((index, place));
        }
        self.corners.push(index);
    }

    /// Ends the face in progress. Points and lines are no faces.
    pub(super) fn end_face(&mut self, place: Place, notes: &mut Notes) {
        let start = self.ends.last().copied().unwrap_or(0);
        if self.corners.len() - start < 3 {
            self.corners.truncate(start);
            notes.add("face of fewer than three corners passed over", place);
        } else {
            self.ends.push(self.corners.len());
        }
    }

    /// Cuts a strip of triangles, every other one turned. Triangles with a repeated corner only join parts of the strip.
    pub(super) fn push_strip(&mut self, strip: &[u32], place: Place) {
        for (k, link) in strip.windows(3).enumerate() {
            let [a, b, c] = [link[0], link[1], link[2]];
            if a != b && b != c && c != a {
                self.push_triangle(if k % 2 == 0 { [a, b, c] } else { [b, a, c] }, place);
            }
        }
    }

    pub(super) fn push_triangle(&mut self, triangle: [u32; 3], place: Place) {
        for index in triangle {
            self.push_corner(index, place);
        }
        self.ends.push(self.corners.len());
    }

    /// Turns all faces over.
    #[cfg(feature = "gltf")]
    pub(super) fn reverse_faces(&mut self) {
        let mut start = 0;
        for end in &self.ends {
            self.corners[start..*end].reverse();
            start = *end;
        }
    }

    pub(super) fn face_count(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn face(&self, face: usize) -> &[u32] {
        let start = face.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.corners[start..self.ends[face]]
    }

    /// Succeeds when all indices are in range; `first` is the format's number for the first vertex.
    pub(super) fn check(&self, name: &Path, first: u32) -> Result<(), Error> {
        let count = self.vertices.len();
        match self.highest {
            Some((index, place)) if index as usize >= count => Err(out_of_range(
                name,
                place,
                u64::from(index) + u64::from(first),
                count,
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// The mesh, all vertices and faces in order. Indices must have been checked.
    pub(super) fn into_mesh(self, object: String) -> Result<PolyMesh, Error> {
        let faces = 0..self.face_count();
        let mut mesh = PolyMesh::new(object, self.vertices)?;
        let mut start = 0;
        for face in faces {
            mesh.push_face(&self.corners[start..self.ends[face]])?;
            start = self.ends[face];
        }
        Ok(mesh)
    }
}

/// The error for a face that names a vertex which is not there.
pub(super) fn out_of_range(name: &Path, place: Place, index: u64, count: usize) -> Error {
    let message = format!("a face refers to vertex {index}, but there are only {count} vertices");
    Error::in_file(name, place, message)
}
