//! What the end of a walk proves.
//!
//! - **Apart.** The points found are points of the polytopes, so their distance is an upper bound. The gap between the
//!   polytopes along the direction across the features is a lower one. Extreme vertices along it are found by climbing from
//!   the features, with the argument of [`Polytope::near_top`](crate::shape::Polytope) that a few neighbourhoods are
//!   enough; only polygons of more corners than that set holds are scanned.
//! - **Crossing.** The features themselves, at most three vertices each, share a point: decided exactly.
//! - **Inside.** The vertex is in the ball about the other's centre, or in the tetrahedron of that centre and a triangle of
//!   the face of its cone: decided exactly. The centre is a point of the placed polytope when a ball about it is.
//!
//! A proof that fails proves nothing.

use super::nearest::Nearest;
use super::polygon::fan_triangle;
use super::walk::{End, Walk};
use crate::contact::{Feature, Separation, Witness};
use crate::exact::{hulls_intersect, segment_meets_triangle};
use crate::math::{Interval, Vec3, unit};
use crate::narrow::certificate::product_above;
use crate::narrow::side::Side;

/// The widest interval that is accepted, as a share of the radii and the distance of the centres. That sum is at most
/// `6 sqrt(3)` times the largest coordinate, so this (2^-44) is below 1e-12 of the latter.
const WIDTH: f64 = 1.0 / (1u64 << 44) as f64;
/// Smaller gaps than 2^-400 are left to the exact path, so that underflow, at most 2^-1072 here, is no concern.
const SMALLEST_GAP: f64 = f64::from_bits((1023 - 400) << 52);

impl Walk<'_> {
    /// The answer, if it can be proven.
    pub(super) fn certify(&self, end: End) -> Option<Separation> {
        match end {
            // Features that touch may look apart by a rounding.
            End::Settled => self.certify_apart().or_else(|| self.certify_crossing()),
            End::Crossing => self.certify_crossing(),
            End::Inside { side, cone } => self.certify_inside(side, cone.face, cone.height),
        }
    }

    fn certify_apart(&self) -> Option<Separation> {
        let Nearest {
            apart,
            direction,
            size,
            points,
            ..
        } = self.at;
        let direction = unit(direction)?;
        // The direction is within a few roundings of unit length.
        let lower = self.gap_along(direction) * (1.0 - 4.0 * f64::EPSILON);
        let upper = (apart.length() + 4.0 * f64::EPSILON * size) * (1.0 + 4.0 * f64::EPSILON);
        let [a, b] = &self.sides;
        let scale = a.polytope.radius() + b.polytope.radius() + a.center.distance(b.center);
        if !(lower >= SMALLEST_GAP && upper - lower <= WIDTH * scale) {
            return None;
        }
        let [a, b] = points;
        Some(Separation {
            distance: 0.5 * (lower + upper),
            bounds: Interval { lower, upper },
            witness: Witness { a, b },
            features: self.at.parts.map(|part| part.feature()),
        })
    }

    /// A lower bound for `direction . (q - p)` over all placed vertices `p` of `a` and `q` of `b`.
    fn gap_along(&self, direction: Vec3) -> f64 {
        let [a, b] = [0, 1].map(|side| self.at.carriers[side].vertices()[0]);
        let base = self.sides[0].place(a);
        let far_a = reach_above(&self.sides[0], direction, a, base);
        let far_b = reach_above(&self.sides[1], -direction, b, base);
        // One rounding of each bound and of this sum.
        -(far_a + far_b) - 2.0 * f64::EPSILON * (far_a.abs() + far_b.abs())
    }

    fn certify_crossing(&self) -> Option<Separation> {
        let [placed_a, placed_b] =
            [0, 1].map(|side| self.at.carriers[side].placed(&self.sides[side]));
        let [len_a, len_b] = self.at.carriers.map(|carrier| carrier.vertices().len());
        let is_proven = match (&placed_a[..len_a], &placed_b[..len_b]) {
            (&[p, q], &[r, s, t]) | (&[r, s, t], &[p, q]) => {
                segment_meets_triangle(&[p, q], &[r, s, t])
            }
            (on_a, on_b) => hulls_intersect(on_a, on_b),
        };
        is_proven.then(|| {
            let features = self.at.parts.map(|part| part.feature());
            Separation::meeting_at(self.at.points[0], features)
        })
    }

    fn certify_inside(&self, side: usize, face: u32, height: f64) -> Option<Separation> {
        let here = &self.sides[side];
        let other = &self.sides[1 - side];
        let vertex = other.place(self.at.carriers[1 - side].vertices()[0]);
        let is_in_ball =
            || vertex.distance(here.center) * (1.0 + 4.0 * f64::EPSILON) < here.inner_radius();
        let is_in_tetrahedron = || {
            let ahead = here.center + (vertex - here.center) / height;
            let [p, q, r] = fan_triangle(here, face, ahead).map(|corner| corner.at);
            here.inner_radius() > 0.0 && hulls_intersect(&[here.center, p, q, r], &[vertex])
        };
        if !(is_in_ball() || is_in_tetrahedron()) {
            return None;
        }
        let mut features = self.at.parts.map(|part| part.feature());
        features[side] = Feature::Inside;
        Some(Separation::meeting_at(vertex, features))
    }
}

/// An upper bound for `direction . (v - base)` over all placed vertices `v`, the direction being of about unit length.
/// `start` is a vertex that is far along it.
fn reach_above(side: &Side<'_>, direction: Vec3, start: u32, base: Vec3) -> f64 {
    let local = side.local(direction);
    // Two placed vertices compare like two vertices up to twice the error of placing them. The rounding of `local` (three
    // halves of an EPSILON a coordinate) adds less than 6 EPSILON of the reach, and `near_top` itself needs 3.
    let margin = local.length() * (2.0 * side.error + 16.0 * f64::EPSILON * side.packed.reach);
    let along = |vertex: u32| product_above(direction, side.place(vertex) - base);
    match side.polytope.near_top(local, start, margin) {
        Some(near) => near
            .as_slice()
            .iter()
            .copied()
            .map(along)
            .fold(f64::NEG_INFINITY, f64::max),
        None => (0..side.polytope.vertices().len() as u32)
            .map(along)
            .fold(f64::NEG_INFINITY, f64::max),
    }
}
