//! A face of one polytope with a vertex of the other, or an edge of each: is the depth theirs? Decided in `f64`.
//!
//! Placed vertices are rounded. Let the *image* of a polytope be what its matrix would make of it without rounding, about
//! the placed centre; placed vertices are within [`Side::error`] of it. Along any unit vector the depths of the placed
//! polytopes and of their images differ by at most both errors, and the images have the faces and edges that the
//! polytopes have. So much for the idea that faces and edges exist; now for one of them:
//!
//! A facet of the differences `a - b` of the images has a unit normal `n'`, and along it `b` must move by `n' . p`, for any
//! point `p` of the facet. Here `n` is computed, within `D` of `n'`, and `p` from placed vertices. Then
//! `n' . p >= n . p - D |p_t| - D^2 |p|`, with `p_t` the part of `p` across `n`: where the foot of the origin is in the facet,
//! it is chosen as `p`, and the error of `n` hardly matters.
//!
//! 1. No placed vertex may be beyond the facet by more than errors; if one is, this is no facet ([`Verdict::Not`]).
//! 2. The nearest facet has the foot of the origin in it. If the foot is outside by more than errors, this facet is not the
//!    nearest. For this the facet must be all there is: no other vertex within errors of its plane.
//! 3. Otherwise the depth of this facet is bounded as above.

use super::super::super::centers::Centers;
use super::super::super::features::spanned;
use super::super::super::side::{Side, narrowed};
use super::Kind;
use crate::contact::{Feature, Witness};
use crate::math::{Interval, Pose, Vec3};
use crate::shape::NearTop;
use fearless_simd::Simd;

/// What a closer look found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verdict {
    /// No facet, or not the nearest one.
    Not,
    /// A facet, and what follows if it is the nearest one.
    Facet(Facet),
    /// Rounding leaves it open.
    Unclear,
}

/// A facet near the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// Its depth, certified.
    pub(super) bounds: Interval,
    pub(super) depth: f64,
    /// How far the foot that was found is from the true one.
    pub(super) miss: f64,
    pub(super) direction: Vec3,
    pub(super) witness: Witness,
    /// Three corners, as pairs of vertices.
    pub(super) corners: [[u32; 2]; 3],
    pub(super) features: [Feature; 2],
}

/// How far a face normal, turned by a pose, may be from the true one: 1e-14, and the rounding of a dozen products.
const NORMAL_ERROR: f64 = 1.5e-14;
/// A weight below this is rounding.
const LEAST_WEIGHT: f64 = 1e-12;

/// A facet before it is compared with the other vertices.
struct Draft<'v> {
    direction: Vec3,
    direction_error: f64,
    witness: Witness,
    /// How far the foot is inside the facet, negative outside.
    inside: f64,
    /// The vertices of `a` and `b` that it is made of.
    own: [&'v [u32]; 2],
    corners: [[u32; 2]; 3],
    features: [Feature; 2],
}

/// Looks at a candidate.
#[inline(always)]
pub(super) fn examine<S: Simd>(pair: &Centers<'_, S>, kind: Kind) -> Verdict {
    match kind {
        Kind::Face { side, face, vertex } => examine_face(pair, side, face, vertex),
        Kind::Edges(edges) => examine_edges(pair, edges),
    }
}

/// A face of one side and the vertex of the other that is deepest behind it; `near` is one close to that.
#[inline(always)]
fn examine_face<S: Simd>(pair: &Centers<'_, S>, side: usize, face: u32, near: u32) -> Verdict {
    let sides = [&pair.a, &pair.b];
    let (body, other) = (sides[side], sides[1 - side]);
    let outward = turned_normal(body.pose, body.polytope.face_normal(face as usize));
    let vertex = deepest(pair.simd, other, -outward, near);
    let point = other.place(vertex);
    let corners = body.polytope.face(face as usize);
    let foot = FaceFoot::new(body, corners, outward, point);
    let pairs = foot
        .corners
        .map(|c| if side == 0 { [c, vertex] } else { [vertex, c] });
    let own_vertex = [vertex];
    let (direction, witness, own) = if side == 0 {
        let witness = Witness {
            a: foot.point,
            b: point,
        };
        (outward, witness, [corners, &own_vertex[..]])
    } else {
        let witness = Witness {
            a: point,
            b: foot.point,
        };
        (-outward, witness, [&own_vertex[..], corners])
    };
    let mut features = [Feature::Vertex(vertex); 2];
    features[side] = foot.feature(body, face, outward);
    conclude(
        pair,
        &Draft {
            direction,
            direction_error: NORMAL_ERROR,
            witness,
            inside: foot.inside,
            own,
            corners: pairs,
            features,
        },
    )
}

/// The point of a face below a point.
struct FaceFoot {
    /// Three of its corners.
    corners: [u32; 3],
    weights: [f64; 3],
    point: Vec3,
    /// The least distance from an edge, negative outside.
    inside: f64,
}

impl FaceFoot {
    #[inline(always)]
    fn new(body: &Side<'_>, corners: &[u32], outward: Vec3, above: Vec3) -> FaceFoot {
        let mut inside = f64::INFINITY;
        let mut best = (f64::NEG_INFINITY, [0; 3], [0.0; 3], Vec3::ZERO);
        let first = body.place(corners[0]) - above;
        let last = corners.len() - 1;
        let mut p = body.place(corners[1]) - above;
        inside = inside.min(distance_inside(first, p, outward));
        for k in 2..=last {
            let q = body.place(corners[k]) - above;
            inside = inside.min(distance_inside(p, q, outward));
            let weights = weights(first, p, q, outward);
            let least = weights[0].min(weights[1]).min(weights[2]);
            if least > best.0 {
                let held = held(weights);
                let foot = first * held[0] + p * held[1] + q * held[2];
                best = (least, [corners[0], corners[k - 1], corners[k]], held, foot);
            }
            p = q;
        }
        inside = inside.min(distance_inside(p, first, outward));
        FaceFoot {
            corners: best.1,
            weights: best.2,
            point: above + best.3,
            inside,
        }
    }

    #[inline(always)]
    fn feature(&self, body: &Side<'_>, face: u32, outward: Vec3) -> Feature {
        if self.weights.iter().all(|w| *w > LEAST_WEIGHT) {
            return Feature::Face(face);
        }
        let mut vertices = [0; 3];
        let mut count = 0;
        for (corner, weight) in self.corners.iter().zip(self.weights) {
            if weight > LEAST_WEIGHT {
                vertices[count] = *corner;
                count += 1;
            }
        }
        spanned(body.polytope, &vertices[..count], || body.local(outward))
    }
}

/// How far the origin is on the inner side of an edge of a counter-clockwise polygon, seen against `outward`.
#[inline(always)]
fn distance_inside(from: Vec3, to: Vec3, outward: Vec3) -> f64 {
    from.cross(to).dot(outward) / (to - from).length()
}

/// The shares of the triangles that the origin, moved along `outward`, makes with the edges of a triangle.
#[inline(always)]
fn weights(p: Vec3, q: Vec3, r: Vec3, outward: Vec3) -> [f64; 3] {
    let parts = [q.cross(r), r.cross(p), p.cross(q)].map(|c| c.dot(outward));
    let sum = parts[0] + parts[1] + parts[2];
    parts.map(|part| part / sum)
}

/// Weights that are not negative, with sum 1.
#[inline(always)]
fn held(weights: [f64; 3]) -> [f64; 3] {
    let held = weights.map(|w| w.max(0.0));
    let sum = held[0] + held[1] + held[2];
    held.map(|w| w / sum)
}

/// An edge of each.
#[inline(always)]
fn examine_edges<S: Simd>(pair: &Centers<'_, S>, edges: [u32; 2]) -> Verdict {
    let (a, b) = (&pair.a, &pair.b);
    let edge_a = &a.polytope.edges()[edges[0] as usize];
    let edge_b = &b.polytope.edges()[edges[1] as usize];
    let [a0, a1] = edge_a.vertices.map(|v| a.place(v));
    let [b0, b1] = edge_b.vertices.map(|v| b.place(v));
    let (u, v) = (a1 - a0, b1 - b0);
    let cross = u.cross(v);
    let square = cross.length_squared();
    let lengths = u.length() * v.length();
    let sine = square.sqrt() / lengths;
    // Also where an edge has no length.
    if sine.is_nan() || sine <= LEAST_SINE {
        return Verdict::Unclear;
    }
    let normal = cross / square.sqrt();
    let [left, right] = edge_a.faces.map(|f| a.polytope.face_normal(f as usize));
    let middle = a.pose.rotate(left + right);
    let direction = if normal.dot(middle) < 0.0 {
        -normal
    } else {
        normal
    };
    // Each edge is off by the errors of two vertices; the product and its normalisation by a few roundings.
    let edge_errors = 2.0 * (a.error / u.length() + b.error / v.length());
    let direction_error = (edge_errors + 8.0 * f64::EPSILON) / sine;
    // The points of both lines that are nearest to each other.
    let between = b0 - a0;
    let along_u = between.cross(v).dot(cross) / square;
    let along_v = between.cross(u).dot(cross) / square;
    let (s, t) = (along_u.clamp(0.0, 1.0), along_v.clamp(0.0, 1.0));
    let room = |share: f64, length: f64| share.min(1.0 - share) * length * sine;
    let ends = [edge_a.vertices, edge_b.vertices];
    let [[i0, i1], [j0, j1]] = ends;
    conclude(
        pair,
        &Draft {
            direction,
            direction_error,
            witness: Witness {
                a: a0 + u * s,
                b: b0 + v * t,
            },
            inside: room(along_u, u.length()).min(room(along_v, v.length())),
            own: [&ends[0], &ends[1]],
            corners: [[i0, j0], [i1, j0], [i0, j1]],
            features: [
                edge_feature(edges[0], edge_a.vertices, s),
                edge_feature(edges[1], edge_b.vertices, t),
            ],
        },
    )
}

/// Edges that are nearly parallel have no certain normal.
const LEAST_SINE: f64 = 1e-8;

#[inline(always)]
fn edge_feature(edge: u32, [first, second]: [u32; 2], share: f64) -> Feature {
    if share <= LEAST_WEIGHT {
        Feature::Vertex(first)
    } else if share >= 1.0 - LEAST_WEIGHT {
        Feature::Vertex(second)
    } else {
        Feature::Edge(edge)
    }
}

/// Steps 1 to 3.
#[inline(always)]
fn conclude<S: Simd>(pair: &Centers<'_, S>, draft: &Draft<'_>) -> Verdict {
    let (a, b) = (&pair.a, &pair.b);
    let direction = draft.direction;
    let foot = draft.witness.a - draft.witness.b;
    let depth = direction.dot(foot);
    let miss = (foot - direction * depth).length();
    let error = a.error + b.error;
    let size = a.polytope.radius() + b.polytope.radius();
    // Heights along the direction, and along the true one, differ by this.
    let turn_error = 2.0 * draft.direction_error * size;
    let slack = turn_error + 4.0 * error;
    let above_a = survey(pair.simd, a, direction, draft.witness.a, draft.own[0]);
    let above_b = survey(pair.simd, b, -direction, draft.witness.b, draft.own[1]);
    if above_a.highest.max(above_b.highest) > slack {
        return Verdict::Not;
    }
    if draft.inside < -(2.0 * draft.direction_error * foot.length() + 8.0 * error) {
        let is_alone = above_a.rival.max(above_b.rival) < -slack;
        return if is_alone {
            Verdict::Not
        } else {
            Verdict::Unclear
        };
    }
    let off = draft.direction_error * (miss + draft.direction_error * foot.length());
    let lower = depth - off - 2.0 * error - 8.0 * f64::EPSILON * foot.length();
    let upper = depth
        + above_a.highest
        + above_b.highest
        + error
        + 8.0 * f64::EPSILON * (foot.length() + size);
    Verdict::Facet(Facet {
        bounds: Interval {
            lower,
            upper: upper * (1.0 + 4.0 * f64::EPSILON),
        },
        depth,
        miss,
        direction,
        witness: draft.witness,
        corners: draft.corners,
        features: draft.features,
    })
}

/// What of a polytope is near a plane across a direction.
#[derive(Debug, Clone, Copy)]
struct Survey {
    /// How far its farthest vertex is beyond the plane, at least 0.
    highest: f64,
    /// How far the farthest one that is not expected there is, negative on this side.
    rival: f64,
}

/// Looks for vertices beyond the plane through a point, or on it and not expected.
#[inline(always)]
fn survey<S: Simd>(
    simd: S,
    side: &Side<'_>,
    direction: Vec3,
    base: Vec3,
    expected: &[u32],
) -> Survey {
    let mut survey = Survey {
        highest: 0.0,
        rival: f64::NEG_INFINITY,
    };
    let mut high = High::new(simd, side, side.local(direction), expected[0]);
    while let Some(vertex) = high.next() {
        let height = direction.dot(side.place(vertex) - base);
        survey.highest = survey.highest.max(height);
        if !expected.contains(&vertex) {
            survey.rival = survey.rival.max(height);
        }
    }
    survey
}

/// The vertex that is farthest along a direction.
#[inline(always)]
fn deepest<S: Simd>(simd: S, side: &Side<'_>, direction: Vec3, near: u32) -> u32 {
    let local = side.local(direction);
    let mut best = (near, f64::NEG_INFINITY);
    let mut high = High::new(simd, side, local, near);
    while let Some(vertex) = high.next() {
        let height = local.dot(side.polytope.vertices()[vertex as usize]);
        if height > best.1 {
            best = (vertex, height);
        }
    }
    best.0
}

/// All vertices that may be the farthest along a direction once placed, and perhaps others. The same as
/// [`Side::for_each_extreme`], without a call for each.
enum High {
    /// The bits of a scan.
    Bits(u64),
    /// What a climb found, and how much of it is left.
    Few(NearTop, usize),
    /// All vertices below this one.
    All(u32),
}

impl High {
    /// The vertices along `local`; `near` is one that is likely to be there.
    #[inline(always)]
    fn new<S: Simd>(simd: S, side: &Side<'_>, local: Vec3, near: u32) -> High {
        let length = local.length();
        if side.packed.vertices.is_few() {
            // As in `Side`: twice the error of a scan.
            let margin = (length * 2.0 * side.slack() / side.packed.scale) as f32;
            let vertices = &side.packed.vertices;
            return High::Bits(vertices.near_max(simd, narrowed(local), margin));
        }
        // As in `Side`: a product with a vertex is off by 1.5 EPSILON.
        let blur = 4.0 * f64::EPSILON * side.packed.reach;
        let margin = length * (2.0 * side.error + blur);
        match side.polytope.near_top(local, near, margin) {
            Some(high) => High::Few(high, high.as_slice().len()),
            None => High::All(side.polytope.vertices().len() as u32),
        }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        match self {
            High::Bits(0) | High::Few(_, 0) | High::All(0) => None,
            High::Bits(bits) => {
                let vertex = bits.trailing_zeros();
                *bits &= *bits - 1;
                Some(vertex)
            }
            High::Few(high, left) => {
                *left -= 1;
                Some(high.as_slice()[*left])
            }
            High::All(left) => {
                *left -= 1;
                Some(*left)
            }
        }
    }
}

/// A normal of a body, turned: by the cofactors of the matrix, which keep it perpendicular though the matrix deviate.
#[inline(always)]
fn turned_normal(pose: &Pose, normal: Vec3) -> Vec3 {
    let m = pose.matrix();
    let turned = m.y_axis.cross(m.z_axis) * normal.x
        + m.z_axis.cross(m.x_axis) * normal.y
        + m.x_axis.cross(m.y_axis) * normal.z;
    turned.normalize()
}
