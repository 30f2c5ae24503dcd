//! A surface as triangles: what measures, orientation and intersections are computed from.

use super::surface::Surface;
use crate::math::Vec3;
use crate::shape::polygon::{self, Cut};

/// The triangles of a surface, face by face.
#[derive(Debug)]
pub(super) struct Triangles {
    /// Corners of each triangle.
    pub(super) corners: Vec<[u32; 3]>,
    /// The face that each triangle is part of; ascending.
    pub(super) face: Vec<u32>,
    /// Faces whose outline crosses itself, so that no set of triangles is their inside.
    pub(super) crossing: Vec<u32>,
}

impl Triangles {
    /// Cuts all faces.
    pub(super) fn new(surface: &Surface) -> Triangles {
        let mut triangles = Triangles {
            corners: Vec::with_capacity(surface.faces.len()),
            face: Vec::with_capacity(surface.faces.len()),
            crossing: Vec::new(),
        };
        for (face, corners) in (0..).zip(&surface.faces) {
            if corners.is_empty() {
                continue;
            }
            let cut = cut(surface, corners, &mut triangles.corners);
            triangles.face.resize(triangles.corners.len(), face);
            if cut == Cut::Fan {
                triangles.crossing.push(face);
            }
        }
        triangles
    }

    /// The corner points of a triangle.
    pub(super) fn points(&self, surface: &Surface, triangle: usize) -> [Vec3; 3] {
        self.corners[triangle].map(|v| surface.point(v))
    }

    /// The range of triangles that a face was cut into.
    pub(super) fn of_face(&self, face: u32) -> std::ops::Range<usize> {
        let start = self.face.partition_point(|f| *f < face);
        let end = self.face.partition_point(|f| *f <= face);
        start..end
    }
}

/// Appends the triangles of one face, in the orientation of the face.
pub(super) fn cut(surface: &Surface, face: &[u32], triangles: &mut Vec<[u32; 3]>) -> Cut {
    let points: Vec<Vec3> = face.iter().map(|v| surface.point(*v)).collect();
    let first = triangles.len();
    let cut = polygon::triangulate(&points, triangles);
    for triangle in &mut triangles[first..] {
        *triangle = triangle.map(|i| face[i as usize]);
    }
    cut
}
