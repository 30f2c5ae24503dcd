//! Normals, areas, volume, centre and radius of a polytope.

use super::{GaussMap, Kit, Packed, Polytope, climb, exact, fan};
use crate::math::Vec3;

impl Polytope {
    /// Fills in all that is computed from vertices and faces.
    pub(super) fn measure(&mut self) {
        for face in 0..self.face_starts.len() - 1 {
            let normal = exact::unit_normal(self.wide_triangle(face));
            self.normals.push(normal);
            let along = self
                .face(face)
                .iter()
                .map(|v| normal.dot(self.vertices[*v as usize]));
            let offset = along.fold(f64::NEG_INFINITY, f64::max);
            self.offsets.push(offset);
        }
        let areas = (0..self.face_count()).map(|face| self.face_area(face));
        self.surface_area = areas.sum::<f64>().min(f64::MAX);
        (self.volume, self.centroid) = exact::volume_and_centroid(&self.vertices, self.triangles());
        self.radius = radius_about(self.centroid, &self.vertices);
        self.starts = climb::starts(self);
        if let Some(packed) = Packed::new(self) {
            self.kit = Kit::new(self, &packed);
            self.gauss = GaussMap::new(self, packed.scale);
            self.packed = packed;
        }
    }

    /// Three corners of a face, in order around it, that span its plane well: one, the one farthest from it, and the one
    /// farthest from the line of both.
    fn wide_triangle(&self, face: usize) -> [Vec3; 3] {
        let corners = self.face(face);
        let at = |place: usize| self.vertices[corners[place] as usize];
        if corners.len() == 3 {
            return [at(0), at(1), at(2)];
        }
        let from_first = |place: usize| at(place) - at(0);
        let far = last_max(1..corners.len(), |place| length(from_first(place)));
        let side = last_max((1..corners.len()).filter(|place| *place != far), |place| {
            length(from_first(far).cross(from_first(place)))
        });
        [at(0), at(far.min(side)), at(far.max(side))]
    }

    fn face_area(&self, face: usize) -> f64 {
        let crosses = fan(self.face(face)).map(|triangle| {
            let [a, b, c] = triangle.map(|v| self.vertices[v as usize]);
            (b - a).cross(c - a)
        });
        0.5 * length(crosses.sum())
    }
}

/// The place with the greatest value; one of the places when no value is greater than another.
fn last_max(places: impl Iterator<Item = usize>, value: impl Fn(usize) -> f64) -> usize {
    places
        .max_by(|a, b| value(*a).total_cmp(&value(*b)))
        .expect("a face has at least three corners")
}

/// The largest distance of a vertex from the centre, rounded up.
fn radius_about(centre: Vec3, vertices: &[Vec3]) -> f64 {
    let largest = vertices
        .iter()
        .map(|v| length(*v - centre))
        .fold(0.0, f64::max);
    // At most six roundings (difference, quotient, square, two sums halved by the root, root, product), each of at most
    // half an EPSILON; one step up pays for an underflow of the product.
    (largest * (1.0 + 4.0 * f64::EPSILON)).next_up()
}

/// The length of a vector, also where its squares would overflow or underflow.
fn length(v: Vec3) -> f64 {
    let largest = v.abs().max_element();
    if largest > 0.0 && largest.is_finite() {
        (v / largest).length() * largest
    } else {
        largest
    }
}
