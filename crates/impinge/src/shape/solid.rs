//! A closed mesh with its inside.
//!
//! Closed means: with vertices of equal coordinates taken as one, every edge is walked equally often in both directions.
//! Then every point off the surface has a winding number, and the inside is where it is not zero. Cavities are surfaces
//! oriented the other way; overlapping parts add up; a mesh that is inside out as a whole encloses the same set.

use super::TriMesh;
use crate::error::{Error, OpenReason};
use crate::exact::{self, Location};
use crate::math::Vec3;
use std::collections::HashMap;

/// A closed mesh with its inside.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    mesh: TriMesh,
}

impl Solid {
    /// Succeeds when the mesh is closed and consistently oriented; the error names an edge that is not.
    pub fn new(mesh: TriMesh) -> Result<Solid, Error> {
        match open_edge(&mesh) {
            None => Ok(Solid { mesh }),
            Some((edge, reason)) => Err(Error::NotClosed { edge, reason }),
        }
    }

    /// The surface.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    /// Where a point of the body frame is. Exact; the time is proportional to the number of triangles.
    ///
    /// ```
    /// # use impinge::{Solid, TriMesh, Vec3, exact::Location};
    /// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    /// let tetrahedron = Solid::new(TriMesh::new(corners, triangles)?)?;
    /// assert_eq!(tetrahedron.locate(Vec3::splat(0.25)), Location::Inside);
    /// assert_eq!(tetrahedron.locate(Vec3::X), Location::Boundary);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn locate(&self, p: Vec3) -> Location {
        if !self.mesh.bounds().contains(p) {
            return Location::Outside;
        }
        let triangles = 0..self.mesh.triangles().len();
        exact::locate(p, triangles.map(|t| self.mesh.corners(t)))
    }
}

/// The first edge, in triangle order, at which the mesh is open.
fn open_edge(mesh: &TriMesh) -> Option<([u32; 2], OpenReason)> {
    let representative = merge_equal(mesh.vertices());
    let directed_edges = || {
        mesh.triangles()
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
    };
    let key = |[from, to]: [u32; 2]| {
        let (from, to) = (representative[from as usize], representative[to as usize]);
        (from.min(to), from.max(to))
    };
    // Uses in total, and uses from the lower to the higher vertex minus uses back.
    let mut uses: HashMap<(u32, u32), (u32, i64)> = HashMap::new();
    for edge in directed_edges() {
        let (low, high) = key(edge);
        if low != high {
            let entry = uses.entry((low, high)).or_default();
            entry.0 += 1;
            entry.1 += if representative[edge[0] as usize] == low {
                1
            } else {
                -1
            };
        }
    }
    directed_edges().find_map(|edge| match uses.get(&key(edge)) {
        Some((count, _)) if count % 2 == 1 => Some((edge, OpenReason::Hole)),
        Some((_, balance)) if *balance != 0 => Some((edge, OpenReason::Orientation)),
        Some(_) | None => None,
    })
}

/// For each vertex the first one with the same coordinates.
pub(crate) fn merge_equal(vertices: &[Vec3]) -> Vec<u32> {
    let mut first: HashMap<[u64; 3], u32> = HashMap::with_capacity(vertices.len());
    (0..)
        .zip(vertices)
        // Adding zero turns -0 into 0, so that equal coordinates have equal bits.
        .map(|(i, v)| {
            *first
                .entry((*v + Vec3::ZERO).to_array().map(f64::to_bits))
                .or_insert(i)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    fn corners() -> Vec<Vec3> {
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]
    }

    #[test]
    fn a_closed_mesh_is_accepted_also_unwelded() {
        assert!(Solid::new(TriMesh::new(corners(), TETRAHEDRON.to_vec()).unwrap()).is_ok());
        let unwelded: Vec<Vec3> = TETRAHEDRON
            .iter()
            .flatten()
            .map(|i| corners()[*i as usize])
            .collect();
        let triangles = (0..4).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        assert!(Solid::new(TriMesh::new(unwelded, triangles).unwrap()).is_ok());
    }

    #[test]
    fn holes_and_flipped_triangles_are_named() {
        let open = TriMesh::new(corners(), TETRAHEDRON[..3].to_vec()).unwrap();
        assert!(matches!(
            Solid::new(open),
            Err(Error::NotClosed {
                reason: OpenReason::Hole,
                ..
            })
        ));
        let mut flipped = TETRAHEDRON.to_vec();
        flipped[3].reverse();
        let flipped = TriMesh::new(corners(), flipped).unwrap();
        assert!(matches!(
            Solid::new(flipped),
            Err(Error::NotClosed {
                reason: OpenReason::Orientation,
                ..
            })
        ));
    }
}
