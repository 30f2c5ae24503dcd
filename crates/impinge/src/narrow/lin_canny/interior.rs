//! The pseudo-Voronoi partition of the inside: one cone for each face, from the centroid through its edges.
//!
//! Source: Cohen, Lin, Manocha and Ponamgi, I-COLLIDE (1995), section 3.3, after Ponamgi, Manocha and Lin. Any partition of
//! the inside serves to find out that a point is inside; this one has planes that are easy to walk across.
//!
//! For a face with outward normal `n` at distance `o` from the centroid let the *height* of a point `x`, relative to the
//! centroid, be `n . x / o`. The heights of two faces that share an edge are equal on the plane through that edge and the
//! centroid, and across it the other face has the greater one. So a point is in the cone of a face exactly when that face
//! has the greatest height for it, walking across violated planes is climbing in height, and the point is inside the
//! polytope exactly when that greatest height is at most 1. (Divided by `o` the normals are the vertices of the polar
//! polytope, and faces are neighbours when these are: a face without a higher neighbour is the highest of all.)
//!
//! **Termination.** The height as computed is a function of the face alone and increases strictly: no face comes twice.

use crate::math::Vec3;
use crate::narrow::side::Side;

/// The cone that a point is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cone {
    /// The face at its end.
    pub(super) face: u32,
    /// The share of the way from the centroid to the face, along the ray through the point, at which the point is.
    pub(super) height: f64,
    /// How many faces the walk passed.
    pub(super) steps: u32,
}

impl Cone {
    /// Walks from cone to cone towards a point, in the world frame, as far as rounding can tell where it is.
    pub(super) fn around(point: Vec3, side: &Side<'_>, start: u32) -> Cone {
        let x = side.local(point - side.center);
        let mut cone = Cone {
            face: start,
            height: height(side, start, x),
            steps: 0,
        };
        loop {
            let here = cone.face;
            for face in side.polytope.face_neighbours(here as usize) {
                let height = height(side, face, x);
                if height > cone.height {
                    (cone.face, cone.height) = (face, height);
                }
            }
            if cone.face == here {
                return cone;
            }
            cone.steps += 1;
        }
    }

    /// Whether the point is not in front of the face: inside, as far as rounding can tell.
    pub(super) fn is_inside(&self) -> bool {
        self.height <= 1.0
    }
}

fn height(side: &Side<'_>, face: u32, x: Vec3) -> f64 {
    let (normal, offset) = side.polytope.plane(face as usize);
    normal.dot(x) / (offset - normal.dot(side.polytope.centroid()))
}
