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
///
/// The cut depends neither on the corner that the face starts with nor on its orientation: faces that are the same
/// become the same triangles.
pub(super) fn cut(surface: &Surface, face: &[u32], triangles: &mut Vec<[u32; 3]>) -> Cut {
    if let [a, b, c] = *face {
        triangles.push([a, b, c]);
        return Cut::Exact;
    }
    let n = face.len();
    let least = (0..n).min_by_key(|i| face[*i]).unwrap_or(0);
    let reversed = face[(least + 1) % n] > face[(least + n - 1) % n];
    let corners: Vec<u32> = (0..n)
        .map(|k| face[(if reversed { least + n - k } else { least + k }) % n])
        .collect();
    let points: Vec<Vec3> = corners.iter().map(|v| surface.point(*v)).collect();
    let first = triangles.len();
    let cut = polygon::triangulate(&points, triangles);
    for triangle in &mut triangles[first..] {
        *triangle = triangle.map(|i| corners[i as usize]);
        if reversed {
            triangle.reverse();
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_depends_on_the_polygon_only() {
        let points = [[0.0, 0.0], [4.0, 1.0], [5.0, 5.0], [1.0, 4.0], [3.0, 3.0]];
        let surface = Surface {
            points: points.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec(),
            faces: Vec::new(),
        };
        let normal_form = |face: &[u32]| {
            let mut triangles = Vec::new();
            assert_eq!(cut(&surface, face, &mut triangles), Cut::Exact);
            for triangle in &mut triangles {
                triangle.sort_unstable();
            }
            triangles.sort_unstable();
            triangles
        };
        let expected = normal_form(&[0, 1, 2, 3, 4]);
        assert_eq!(expected, normal_form(&[2, 3, 4, 0, 1]));
        assert_eq!(expected, normal_form(&[1, 0, 4, 3, 2]));
    }
}
