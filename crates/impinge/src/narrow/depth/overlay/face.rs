//! A face of one polytope and the vertex of the other that is deepest behind it.
//!
//! The polytope of the face is nowhere beyond its plane: by the error of the normal times its size, and the rounding of
//! placed vertices.

use super::super::super::centers::Centers;
use super::super::super::features::spanned;
use super::super::super::side::Side;
use super::facet::{Draft, LEAST_WEIGHT, Verdict};
use super::survey::{Top, survey, top};
use crate::contact::{Feature, Witness};
use crate::math::Vec3;
use fearless_simd::Simd;

/// How far a face normal, turned by a pose, may be from the true one: 1e-14, and the rounding of a dozen products.
const NORMAL_ERROR: f64 = 1.5e-14;

/// Looks at a face of one side; `near` is a vertex of the other close to the one that is deepest behind it.
#[inline(always)]
pub(super) fn examine<S: Simd>(
    pair: &Centers<'_, S>,
    side: usize,
    face: u32,
    near: u32,
) -> Verdict {
    let (body, other) = sides(pair, side);
    let outward = turned_normal(body, face);
    let deepest = top(pair.simd, other, -outward, near);
    let vertex = deepest.vertex;
    let corners = body.polytope.face(face as usize);
    let foot = Foot::new(body, corners, outward, deepest.point);
    let [p, q, r] = foot.corners;
    let own = foot.feature(body, face, outward);
    let on_other = Feature::Vertex(vertex);
    let draft = if side == 0 {
        Draft {
            direction: outward,
            direction_error: NORMAL_ERROR,
            witness: Witness {
                a: foot.point,
                b: deepest.point,
            },
            corners: [[p, vertex], [q, vertex], [r, vertex]],
            features: [own, on_other],
        }
    } else {
        Draft {
            direction: -outward,
            direction_error: NORMAL_ERROR,
            witness: Witness {
                a: deepest.point,
                b: foot.point,
            },
            corners: [[vertex, p], [vertex, q], [vertex, r]],
            features: [on_other, own],
        }
    };
    if !foot.is_inside {
        let outside = Outside {
            body,
            corners,
            outward,
            foot: foot.point,
        };
        if let Some(verdict) = outside.verdict(pair, &draft, &deepest) {
            return verdict;
        }
    }
    let beyond = 2.0 * NORMAL_ERROR * body.polytope.radius() + 2.0 * body.error;
    draft.conclude(pair, beyond)
}

/// The polytope of a side, and the other.
#[inline(always)]
pub(super) fn sides<'c, 'a, S: Simd>(
    pair: &'c Centers<'a, S>,
    side: usize,
) -> (&'c Side<'a>, &'c Side<'a>) {
    if side == 0 {
        (&pair.a, &pair.b)
    } else {
        (&pair.b, &pair.a)
    }
}

/// The point of a face below a point.
struct Foot {
    /// Three of its corners.
    corners: [u32; 3],
    weights: [f64; 3],
    point: Vec3,
    /// Whether it is in the triangle of these corners.
    is_inside: bool,
}

impl Foot {
    #[inline(always)]
    fn new(body: &Side<'_>, corners: &[u32], outward: Vec3, above: Vec3) -> Foot {
        let mut best = (f64::NEG_INFINITY, [0; 3], [0.0; 3], Vec3::ZERO);
        let first = body.place(corners[0]) - above;
        let mut p = body.place(corners[1]) - above;
        for k in 2..corners.len() {
            let q = body.place(corners[k]) - above;
            let weights = weights(first, p, q, outward);
            let least = weights[0].min(weights[1]).min(weights[2]);
            if least > best.0 {
                let held = held(weights);
                let foot = first * held[0] + p * held[1] + q * held[2];
                best = (least, [corners[0], corners[k - 1], corners[k]], held, foot);
            }
            p = q;
        }
        Foot {
            corners: best.1,
            weights: best.2,
            point: above + best.3,
            is_inside: best.0 >= 0.0,
        }
    }

    #[inline(always)]
    fn feature(&self, body: &Side<'_>, face: u32, outward: Vec3) -> Feature {
        let [p, q, r] = self.weights;
        if p.min(q).min(r) > LEAST_WEIGHT {
            Feature::Face(face)
        } else {
            self.feature_on_border(body, outward)
        }
    }

    #[cold]
    fn feature_on_border(&self, body: &Side<'_>, outward: Vec3) -> Feature {
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

/// The shares of the triangles that the origin, moved along `outward`, makes with the edges of a triangle.
#[inline(always)]
fn weights(p: Vec3, q: Vec3, r: Vec3, outward: Vec3) -> [f64; 3] {
    let parts = [
        q.cross(r).dot(outward),
        r.cross(p).dot(outward),
        p.cross(q).dot(outward),
    ];
    shares(parts)
}

/// Weights that are not negative, with sum 1.
#[inline(always)]
fn held(weights: [f64; 3]) -> [f64; 3] {
    shares([
        weights[0].max(0.0),
        weights[1].max(0.0),
        weights[2].max(0.0),
    ])
}

/// Three numbers, each divided by their sum. (Methods of arrays are calls, where compilers do not see through them.)
#[inline(always)]
fn shares([p, q, r]: [f64; 3]) -> [f64; 3] {
    let sum = p + q + r;
    [p / sum, q / sum, r / sum]
}

/// A face, seen from a vertex that is not above it.
struct Outside<'p> {
    body: &'p Side<'p>,
    corners: &'p [u32],
    outward: Vec3,
    /// The point of the face that stands for the foot.
    foot: Vec3,
}

impl Outside<'_> {
    /// Whether the foot is outside for certain, and what follows; `None` when it may be inside.
    #[cold]
    fn verdict<S: Simd>(
        &self,
        pair: &Centers<'_, S>,
        draft: &Draft,
        deepest: &Top,
    ) -> Option<Verdict> {
        if self.distance(deepest.point) <= draft.foot_slack(pair) {
            return None;
        }
        let own = survey(pair.simd, self.body, self.outward, self.foot, self.corners);
        let is_alone = own.rival.max(deepest.rival) < -draft.slack(pair);
        Some(draft.pass_over(pair, is_alone))
    }

    /// How far a point is on the outer side of an edge, at most.
    fn distance(&self, above: Vec3) -> f64 {
        let last = self.corners.len() - 1;
        let mut from = self.body.place(self.corners[last]) - above;
        let mut farthest = f64::NEG_INFINITY;
        for corner in self.corners {
            let to = self.body.place(*corner) - above;
            farthest = farthest.max(to.cross(from).dot(self.outward) / (to - from).length());
            from = to;
        }
        farthest
    }
}

/// The normal of a face, turned: by the cofactors of the matrix, which keep it perpendicular though the matrix deviate.
#[inline(always)]
pub(super) fn turned_normal(body: &Side<'_>, face: u32) -> Vec3 {
    /// The matrix itself turns by as much as its deviation otherwise.
    const NONE: f64 = 4.0 * f64::EPSILON;
    let pose = body.pose;
    let normal = body.polytope.face_normal(face as usize);
    let m = pose.matrix();
    let turned = if pose.deviation() <= NONE {
        pose.rotate(normal)
    } else {
        m.y_axis.cross(m.z_axis) * normal.x
            + m.z_axis.cross(m.x_axis) * normal.y
            + m.x_axis.cross(m.y_axis) * normal.z
    };
    turned.normalize()
}
