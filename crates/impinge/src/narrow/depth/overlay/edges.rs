//! An edge of each polytope, and the direction across both.
//!
//! With `e` the direction of an edge and `n_1, n_2` the normals of the faces on its left and right, `n_1 x e` leads along the
//! left face away from the edge, and `e x n_2` along the right one. A direction `x` across the edge is on its arc when
//! both have no positive product with it; then no point of the polytope is beyond the edge along `x`. These products are
//! `n_1 . (e x x)` and `-n_2 . (e x x)`: one cross product tells both. Where they are within errors of zero, the
//! vertices are surveyed.
//!
//! If `x` is not quite across the edge, points `y` of the polytope are beyond by at most `|x . e|` times their distance along
//! the edge, which is at most the diameter.

use super::super::super::centers::Centers;
use super::super::super::side::Side;
use super::facet::{Draft, LEAST_WEIGHT, Verdict};
use super::survey::survey;
use crate::contact::{Feature, Witness};
use crate::math::{LEAST_SQUARE, Vec3};
use crate::shape::Edge;
use fearless_simd::Simd;

/// Edges that are nearly parallel have no certain normal.
const LEAST_SINE: f64 = 1e-8;
/// More than the errors of normals and the rounding of products, for edges of unit length up to the deviation of poses.
const ARC_ERROR: f64 = 4e-14;
/// A bound for what is beyond an edge is good enough up to so many errors of placed vertices.
const MOST_ERRORS: f64 = 64.0;

/// Looks at an edge of each.
#[inline(always)]
pub(super) fn examine<S: Simd>(pair: &Centers<'_, S>, edges: [u32; 2]) -> Verdict {
    let (a, b) = (&pair.a, &pair.b);
    let edge_a = &a.polytope.edges()[edges[0] as usize];
    let edge_b = &b.polytope.edges()[edges[1] as usize];
    let ([i0, i1], [j0, j1]) = (edge_a.vertices, edge_b.vertices);
    let (a0, b0) = (a.place(i0), b.place(j0));
    let (u, v) = (a.place(i1) - a0, b.place(j1) - b0);
    let cross = u.cross(v);
    let (length, length_u, length_v) = (cross.length(), u.length(), v.length());
    let [inverse, inverse_u, inverse_v] = [length.recip(), length_u.recip(), length_v.recip()];
    let sine = length * inverse_u * inverse_v;
    // Also where an edge has no length, or so little that squares lose digits.
    if sine.is_nan() || sine <= LEAST_SINE || length * length < LEAST_SQUARE {
        return Verdict::Unclear;
    }
    let normal = cross * inverse;
    // Each edge is off by the errors of two vertices; the product and its normalisation by a few roundings.
    let edge_errors = 2.0 * (a.error * inverse_u + b.error * inverse_v);
    let direction_error = (edge_errors + 8.0 * f64::EPSILON) * (length_u * length_v * inverse);
    let margins = [
        (direction_error + ARC_ERROR) * length_u,
        (direction_error + ARC_ERROR) * length_v,
    ];
    let on_a = Place::new(a, edge_a, normal, margins[0], inverse_u);
    let direction = if on_a.is_opposite { -normal } else { normal };
    let on_b = Place::new(b, edge_b, -direction, margins[1], inverse_v);
    if on_a.is_off || on_b.is_off || (on_b.is_on && on_b.is_opposite) {
        return Verdict::Not;
    }
    // The points of both lines that are nearest to each other.
    let between = b0 - a0;
    let inverse_square = inverse * inverse;
    let along_u = between.cross(v).dot(cross) * inverse_square;
    let along_v = between.cross(u).dot(cross) * inverse_square;
    let (s, t) = (along_u.clamp(0.0, 1.0), along_v.clamp(0.0, 1.0));
    let draft = Draft {
        direction,
        direction_error,
        witness: Witness {
            a: a0 + u * s,
            b: b0 + v * t,
        },
        corners: [[i0, j0], [i1, j0], [i0, j1]],
        features: [
            feature(edges[0], edge_a.vertices, s),
            feature(edges[1], edge_b.vertices, t),
        ],
    };
    let room = |share: f64, length: f64| share.min(1.0 - share) * length * sine;
    let inside = room(along_u, length_u).min(room(along_v, length_v));
    let beyond = on_a.beyond + on_b.beyond;
    if !(on_a.is_on && on_b.is_on && beyond <= MOST_ERRORS * (a.error + b.error)) {
        return examine_by_survey(pair, [edge_a, edge_b], &draft, inside);
    }
    if inside < 0.0 && -inside > draft.foot_slack(pair) {
        // The facet is the parallelogram of the two edges, and no more.
        return draft.pass_over(pair, true);
    }
    draft.conclude(pair, beyond + 2.0 * (a.error + b.error))
}

/// Where a direction is on the Gauss map, seen from an edge.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// On the arc of the edge, it or its opposite, for certain.
    is_on: bool,
    /// Neither of them is, for certain.
    is_off: bool,
    /// Rather the opposite than the direction.
    is_opposite: bool,
    /// Points of the polytope are at most this far beyond the edge, if the direction is on the arc.
    beyond: f64,
}

impl Place {
    /// Products within `margin` of zero have no sign; `inverse` is one over the length of the edge, placed or not.
    #[inline(always)]
    fn new(side: &Side<'_>, edge: &Edge, direction: Vec3, margin: f64, inverse: f64) -> Place {
        let polytope = side.polytope;
        let local = side.local(direction);
        let from = polytope.vertices()[edge.vertices[0] as usize];
        let along = polytope.vertices()[edge.vertices[1] as usize] - from;
        let across = along.cross(local);
        let left = polytope.face_normal(edge.faces[0] as usize).dot(across);
        let right = polytope.face_normal(edge.faces[1] as usize).dot(across);
        let is_clear = left.abs() > margin && right.abs() > margin;
        let is_on = is_clear && (left < 0.0) == (right > 0.0);
        let turn = along.dot(local).abs() * inverse + 8.0 * f64::EPSILON;
        Place {
            is_on,
            is_off: is_clear && !is_on,
            is_opposite: if is_on {
                left > 0.0
            } else {
                let faces = edge.faces.map(|f| polytope.face_normal(f as usize));
                (faces[0] + faces[1]).dot(local) < 0.0
            },
            // The lengths differ by the deviation of the pose.
            beyond: 2.001 * polytope.radius() * turn,
        }
    }
}

/// Steps 1 to 3 where the normal is within errors of an end of an arc.
#[cold]
fn examine_by_survey<S: Simd>(
    pair: &Centers<'_, S>,
    [edge_a, edge_b]: [&Edge; 2],
    draft: &Draft,
    inside: f64,
) -> Verdict {
    let slack = draft.slack(pair);
    let (direction, witness) = (draft.direction, &draft.witness);
    let above_a = survey(pair.simd, &pair.a, direction, witness.a, &edge_a.vertices);
    let above_b = survey(pair.simd, &pair.b, -direction, witness.b, &edge_b.vertices);
    if above_a.highest.max(above_b.highest) > slack {
        return Verdict::Not;
    }
    if inside < -draft.foot_slack(pair) {
        let is_alone = above_a.rival.max(above_b.rival) < -slack;
        return draft.pass_over(pair, is_alone);
    }
    draft.conclude(pair, above_a.highest + above_b.highest)
}

#[inline(always)]
fn feature(edge: u32, [first, second]: [u32; 2], share: f64) -> Feature {
    if share <= LEAST_WEIGHT {
        Feature::Vertex(first)
    } else if share >= 1.0 - LEAST_WEIGHT {
        Feature::Vertex(second)
    } else {
        Feature::Edge(edge)
    }
}
