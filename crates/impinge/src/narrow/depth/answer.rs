//! From the last face of an expansion to the answer: witness points and features.
//!
//! The foot of the origin on the plane of the face is the boundary point of the differences nearest to the origin, and its
//! weights on the corners give a point of each polytope. Several triangles may share the plane; then the foot may be in a
//! neighbour, to which a few steps lead.

use super::super::features::spanned;
use super::differences::Differences;
use super::expand::Facet;
use super::surface::Surface;
use crate::contact::{Feature, Penetration, Witness};
use crate::math::{Interval, Vec3};
use fearless_simd::Simd;

/// The answer that a face proves; `None` when it is so thin that its direction and its foot do not agree.
pub(super) fn answer<S: Simd>(
    pair: &Differences<'_, S>,
    surface: &Surface,
    facet: &Facet,
) -> Option<Penetration> {
    let foot = facet.direction * surface.face(facet.face).gap;
    let (face, weights) = find_foot(pair, surface, facet, foot);
    let corners = surface.pairs(face);
    let bounds = Interval {
        lower: (facet.bounds.lower * pair.unit).max(0.0),
        upper: facet.bounds.upper * pair.unit,
    };
    let direction = facet.direction;
    let mean = |place: &dyn Fn(usize) -> Vec3| (0..3).map(|k| place(k) * weights[k]).sum();
    let found = Penetration {
        depth: (-surface.face(facet.face).gap * pair.unit).clamp(bounds.lower, bounds.upper),
        bounds,
        direction,
        witness: Witness {
            a: mean(&|k| pair.a.place(corners[k][0])),
            b: mean(&|k| pair.b.place(corners[k][1])),
        },
        features: [
            feature(pair, 0, &corners, weights, direction),
            feature(pair, 1, &corners, weights, -direction),
        ],
    };
    let miss = found.witness.b + direction * found.depth - found.witness.a;
    let is_consistent = miss.length() <= MOST_MISS * pair.error() * pair.unit;
    is_consistent.then_some(found)
}

/// How many errors of a difference the witness points may be off.
const MOST_MISS: f64 = 16.0;

/// The triangle in the plane of the facet that holds the foot, and the weights of its corners: none negative, with sum 1.
fn find_foot<S: Simd>(
    pair: &Differences<'_, S>,
    surface: &Surface,
    facet: &Facet,
    foot: Vec3,
) -> (usize, [f64; 3]) {
    const MOST_STEPS: usize = 64;
    let is_in_plane = |face: usize| {
        let mut corners = surface.corners(face).into_iter();
        corners.all(|c| {
            (facet.direction.dot(c.point) + facet.bounds.lower).abs() <= 4.0 * pair.error()
        })
    };
    let mut face = facet.face;
    let mut weights = weights_of(surface, face, foot);
    for _ in 0..MOST_STEPS {
        let least = (0..3).fold(0, |l, k| if weights[k] < weights[l] { k } else { l });
        if weights[least] >= 0.0 {
            break;
        }
        // The edge opposite to that corner begins at the next one.
        let neighbour = surface.neighbour(face, (least + 1) % 3);
        if !is_in_plane(neighbour) {
            break;
        }
        face = neighbour;
        weights = weights_of(surface, face, foot);
    }
    let held = weights.map(|w| w.max(0.0));
    let sum: f64 = held.iter().sum();
    (face, held.map(|w| w / sum))
}

/// The shares of the three triangles that a point in the plane of a face makes with its edges.
fn weights_of(surface: &Surface, face: usize, point: Vec3) -> [f64; 3] {
    let [p, q, r] = surface.corners(face).map(|corner| corner.point - point);
    let parts = [q.cross(r), r.cross(p), p.cross(q)];
    let normal = parts[0] + parts[1] + parts[2];
    let square = normal.length_squared();
    if square > 0.0 {
        parts.map(|part| part.dot(normal) / square)
    } else {
        [1.0, 0.0, 0.0]
    }
}

/// What the vertices of one polytope that carry a weight span.
fn feature<S: Simd>(
    pair: &Differences<'_, S>,
    side: usize,
    corners: &[[u32; 2]; 3],
    weights: [f64; 3],
    outward: Vec3,
) -> Feature {
    /// Less is rounding.
    const LEAST_WEIGHT: f64 = 1e-12;
    let mut vertices = [0; 3];
    let mut count = 0;
    for (corner, weight) in corners.iter().zip(weights) {
        if weight > LEAST_WEIGHT && !vertices[..count].contains(&corner[side]) {
            vertices[count] = corner[side];
            count += 1;
        }
    }
    let body = [&pair.a, &pair.b][side];
    spanned(body.polytope, &vertices[..count], || body.local(outward))
}
