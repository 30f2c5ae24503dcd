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

/// Appends the triangles of one face, in the orientation of the face. A face that visits a vertex more than once may have
/// triangles with a repeated corner, which hold nothing and are left out.
pub(super) fn cut(surface: &Surface, face: &[u32], triangles: &mut Vec<[u32; 3]>) -> Cut {
    let points: Vec<Vec3> = face.iter().map(|v| surface.point(*v)).collect();
    let mut found = Vec::with_capacity(face.len());
    let cut = polygon::triangulate(&points, &mut found);
    let found = found.into_iter().map(|t| t.map(|i| face[i as usize]));
    triangles.extend(found.filter(|[a, b, c]| a != b && b != c && c != a));
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_with_a_hole_is_cut_without_its_bridge() {
        // A square with a square hole, joined by a bridge from corner to corner.
        let square =
            |r: f64| [[-r, -r], [r, -r], [r, r], [-r, r]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let surface = Surface {
            points: [square(2.0), square(1.0)].concat(),
            faces: vec![vec![0, 1, 2, 3, 0, 4, 7, 6, 5, 4]],
        };
        let triangles = Triangles::new(&surface);
        assert!(triangles.crossing.is_empty());
        assert_eq!(triangles.of_face(0), 0..8);
        let area: f64 = (0..8)
            .map(|t| triangles.points(&surface, t))
            .map(|[a, b, c]| (b - a).cross(c - a).z / 2.0)
            .sum();
        assert!((area - 12.0).abs() < 1e-12);
    }

    #[test]
    fn collapsed_triangles_are_left_out() {
        // Two triangles that share a corner, walked in one go.
        let points = [[0, 0], [2, 1], [1, 2], [-2, -1], [-1, -2]];
        let surface = Surface {
            points: points
                .map(|[x, y]| Vec3::new(f64::from(x), f64::from(y), 0.0))
                .to_vec(),
            faces: vec![vec![0, 1, 2, 0, 3, 4]],
        };
        let triangles = Triangles::new(&surface);
        let distinct = |[a, b, c]: [u32; 3]| a != b && b != c && c != a;
        assert!(triangles.corners.iter().all(|t| distinct(*t)));
        assert_eq!(triangles.corners.len(), 2);
    }
}
