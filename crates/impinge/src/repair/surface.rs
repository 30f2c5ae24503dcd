//! Polygons over points, taken apart so that they can be looked at and rewritten.
//!
//! Two uses. Inspection keeps ids: point and face `i` are vertex and face `i` of the mesh, corners refer to the first of
//! equal vertices, and a face that has fewer than three distinct corners is an empty list. Mending rewrites the faces
//! freely and drops the empty ones when it makes a mesh again.

use crate::error::Error;
use crate::math::{Aabb, Vec3};
use crate::shape::PolyMesh;

/// Polygons over shared points.
#[derive(Debug, Clone)]
pub(super) struct Surface {
    pub(super) points: Vec<Vec3>,
    /// The corners of each face. Empty: no face.
    pub(super) faces: Vec<Vec<u32>>,
}

impl Surface {
    /// The faces of a mesh, with each corner replaced by its representative, and tidied (see [`tidy`]).
    pub(super) fn new(mesh: &PolyMesh, representative: &[u32]) -> Surface {
        let faces = mesh.faces().map(|corners| {
            let corners = corners.iter().map(|v| representative[*v as usize]);
            tidy(corners.collect())
        });
        Surface {
            points: mesh.vertices().to_vec(),
            faces: faces.collect(),
        }
    }

    /// A mesh of the faces and the points they use, both in the same order as here.
    pub(super) fn to_mesh(&self, name: &str) -> Result<PolyMesh, Error> {
        let used = self.used();
        let mut renamed = vec![0; self.points.len()];
        let mut vertices = Vec::new();
        for (i, point) in self.points.iter().enumerate() {
            if used[i] {
                renamed[i] = vertices.len() as u32;
                vertices.push(*point);
            }
        }
        let mut mesh = PolyMesh::new(name, vertices)?;
        for face in self.live_faces() {
            let corners: Vec<u32> = face.iter().map(|v| renamed[*v as usize]).collect();
            mesh.push_face(&corners)?;
        }
        Ok(mesh)
    }

    /// The faces that are not empty.
    pub(super) fn live_faces(&self) -> impl Iterator<Item = &[u32]> {
        self.faces
            .iter()
            .map(Vec::as_slice)
            .filter(|f| !f.is_empty())
    }

    /// Which points are corners of a face.
    pub(super) fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.points.len()];
        for v in self.faces.iter().flatten() {
            used[*v as usize] = true;
        }
        used
    }

    /// The box around all points in use.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        Aabb::of_points(self.faces.iter().flatten().map(|v| self.point(*v)))
    }

    pub(super) fn point(&self, vertex: u32) -> Vec3 {
        self.points[vertex as usize]
    }
}

/// The directed edges of a face.
pub(super) fn directed_edges(face: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    (0..face.len()).map(|i| [face[i], face[(i + 1) % face.len()]])
}

/// The same face without corners that are visited again at once (`a a`), without whiskers (`a b a`), and walked only
/// once; empty when fewer than three corners remain. Nothing of it has area, so the surface stays the same.
///
/// Corners that return after an area was walked around are kept: a bridge to a hole looks like that.
pub(super) fn tidy(corners: Vec<u32>) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(corners.len());
    for c in corners {
        match kept[..] {
            [.., last] if last == c => {}
            [.., before, _] if before == c => {
                kept.pop();
            }
            _ => kept.push(c),
        }
    }
    // The same around the seam.
    let mut kept = &kept[..];
    loop {
        kept = match kept {
            [first, inner @ .., last] if first == last && !inner.is_empty() => &kept[1..],
            [first, .., before, _] if first == before => &kept[..kept.len() - 1],
            [_, second, .., last] if second == last => &kept[1..],
            _ => break,
        };
    }
    if kept.len() < 3 {
        return Vec::new();
    }
    kept[..period(kept)].to_vec()
}

/// The length of the shortest walk of at least three corners whose repetition the face is.
fn period(corners: &[u32]) -> usize {
    let n = corners.len();
    (3..=n / 2)
        .filter(|p| n.is_multiple_of(*p))
        .find(|p| (*p..n).all(|i| corners[i] == corners[i - p]))
        .unwrap_or(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proper_face_stays_as_it_is() {
        assert_eq!(tidy(vec![4, 7, 2]), [4, 7, 2]);
        assert_eq!(tidy(vec![4, 7, 2, 9, 1]), [4, 7, 2, 9, 1]);
    }

    #[test]
    fn repeats_and_whiskers_go() {
        assert_eq!(tidy(vec![1, 1, 2, 3, 3, 3]), [1, 2, 3]);
        assert_eq!(tidy(vec![1, 2, 3, 1]), [2, 3, 1]);
        assert_eq!(tidy(vec![1, 2, 9, 2, 3]), [1, 2, 3]);
        // Whiskers of two edges, inside and across the seam.
        assert_eq!(tidy(vec![1, 2, 8, 9, 8, 2, 3]), [1, 2, 3]);
        assert_eq!(tidy(vec![9, 8, 1, 2, 3, 1, 8]), [2, 3, 1]);
        assert_eq!(tidy(vec![8, 1, 2, 3, 1]), [2, 3, 1]);
        assert_eq!(tidy(vec![1, 2, 3, 1, 8]), [2, 3, 1]);
    }

    #[test]
    fn collapsed_faces_are_empty() {
        assert!(tidy(vec![1, 1, 1]).is_empty());
        assert!(tidy(vec![1, 2, 2]).is_empty());
        assert!(tidy(vec![1, 2, 1, 2]).is_empty());
        assert!(tidy(vec![1, 2, 3, 2]).is_empty());
    }

    #[test]
    fn walking_around_twice_is_walking_around_once() {
        assert_eq!(tidy(vec![1, 2, 3, 1, 2, 3, 1, 2, 3]), [1, 2, 3]);
        assert_eq!(tidy(vec![1, 2, 3, 4, 1, 2, 3, 4]), [1, 2, 3, 4]);
        // A bridge from an outer square (0 to 3) to a hole (4 to 6) is kept.
        let bridged = vec![0, 1, 2, 3, 0, 4, 5, 6, 4];
        assert_eq!(tidy(bridged.clone()), bridged);
    }
}
