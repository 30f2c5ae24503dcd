//! The depths of four facets side by side, in `f64`.
//!
//! What [`facet`](super::facet) says about one facet is here a chain of operations for four pairs at once, one a lane, and the same
//! for faces and pairs of edges: both have three corners, pairs of vertices, and their normal is the cross product of
//! two differences of corners. A lane is taken only where all is plain: a triangle with the deepest vertex of the other certain, and the foot
//! well inside the facet. Everything else, and what does not become narrow enough, is left to a closer look.
//!
//! **Why it is enough.** That the facet is one need not be shown. The depth along its normal, with all vertices that may be
//! extreme, bounds the least depth from above. If it is one, its depth is bounded from below as in `facet`. If not, all others
//! are bounded from below without it. If it is one that looks the other way, both bounds are so far apart that they prove
//! nothing: the differences hold a ball on the far side of the plane.

use super::super::super::centers::Centers;
use super::super::super::four::{FOUR, Four, Numbers, Points, point_of, set_point};
use super::super::super::side::Side;
use super::facet::{Facet, LEAST_WEIGHT};
use super::survey::{beyond, only_top};
use super::{BATCH, Kind, arcs_at, face};
use crate::contact::{Feature, Witness};
use crate::math::{Interval, LEAST_SQUARE};
use fearless_simd::{Simd, f64x4, prelude::*};

/// Flatter triangles, and edges that are closer to parallel, have no certain normal.
const LEAST_SINE: f64 = 1e-8;
/// The normal of a face from its corners is within this of the one that the deepest vertex was looked for with: less than what
/// [`only_top`] leaves room for.
const MOST_ERROR: f64 = 1e-9;

/// Facets of up to [`BATCH`] pairs.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    halves: [Half; BATCH / FOUR],
}

/// Four facets.
#[derive(Debug, Default)]
struct Half {
    /// The corners, by name.
    names: [[[u32; 2]; 3]; FOUR],
    /// The placed vertices of `a` and `b` that the corners are made of.
    corners: [[Points; 2]; 3],
    /// The errors of placed vertices of both.
    errors: Numbers,
    /// The sign of the cross product that leads outward: 1 for a face of `a`, -1 for one of `b`; 0 for a pair of edges, where it is not
    /// known.
    sign: Numbers,
    /// One bit for each lane with a facet, and then for each whose foot is well inside.
    sound: u32,
    /// The way `b` must move, of unit length, and how far it may be from the true one.
    direction: Points,
    direction_error: Numbers,
    /// The points of both that make the foot.
    witness: [Points; 2],
    /// How far the corners are beyond them, because the direction is rounded.
    beyond: Numbers,
    depth: Numbers,
    /// How far the foot is from the line along the direction, and how long it is.
    miss: Numbers,
    length: Numbers,
}

impl Proofs {
    /// Makes all lanes empty.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        for half in &mut self.halves {
            half.sound = 0;
        }
    }

    /// Puts the candidate of a pair into its lane, if it is plain.
    #[inline(always)]
    pub(super) fn gather<S: Simd>(&mut self, number: usize, pair: &Centers<'_, S>, kind: Kind) {
        let half = &mut self.halves[number / FOUR];
        let lane = number % FOUR;
        let names = match kind {
            Kind::Edges(places) => {
                let [on_a, on_b] = arcs_at(pair, places);
                let ([p, q], [r, s]) = (on_a.vertices(), on_b.vertices());
                [[p, r], [q, r], [p, s]]
            }
            Kind::Face { side, face, vertex } => {
                let (body, other) = face::sides(pair, usize::from(side));
                let [p, q, r] = *body.polytope.face(face as usize) else {
                    return;
                };
                let inward = -face::turned_normal(body, face);
                let Some(v) = only_top(pair.simd, other, inward, vertex) else {
                    return;
                };
                if side == 0 {
                    [[p, v], [q, v], [r, v]]
                } else {
                    [[v, p], [v, q], [v, r]]
                }
            }
        };
        half.names[lane] = names;
        // Repeated corners are placed again: that is cheaper than a branch that is hard to foresee.
        for (k, [on_a, on_b]) in names.iter().enumerate() {
            set_point(&mut half.corners[k][0], lane, pair.a.place(*on_a));
            set_point(&mut half.corners[k][1], lane, pair.b.place(*on_b));
        }
        half.errors[lane] = pair.a.error + pair.b.error;
        // Corners of a face are counter-clockwise seen from outside, and `b` moves against the normals of its faces.
        half.sign[lane] = match kind {
            Kind::Edges(_) => 0.0,
            Kind::Face { side: 0, .. } => 1.0,
            Kind::Face { .. } => -1.0,
        };
        half.sound |= 1 << lane;
    }

    /// Measures all that were gathered.
    #[inline(always)]
    pub(super) fn measure<S: Simd>(&mut self, simd: S) {
        for half in &mut self.halves {
            if half.sound != 0 {
                half.measure(simd);
            }
        }
    }

    /// The facet of a pair, if it is clear.
    #[inline(always)]
    pub(super) fn facet<S: Simd>(
        &self,
        number: usize,
        pair: &Centers<'_, S>,
        kind: Kind,
    ) -> Option<Facet> {
        let (half, lane) = (&self.halves[number / FOUR], number % FOUR);
        // No closure: out of line it would be compiled for the plainest processor.
        if half.sound >> lane & 1 == 1 {
            Some(half.facet(lane, pair, kind))
        } else {
            None
        }
    }
}

impl Half {
    /// The normals and feet.
    #[inline(always)]
    fn measure<S: Simd>(&mut self, simd: S) {
        let number = |x: f64| f64x4::splat(simd, x);
        let corner = |k: usize, side: usize| Four::load(simd, &self.corners[k][side]);
        let (a, b) = (corner(0, 0), corner(0, 1));
        let along_a = [corner(1, 0).sub(a), corner(2, 0).sub(a)];
        let along_b = [corner(1, 1).sub(b), corner(2, 1).sub(b)];
        let p = a.sub(b);
        let (u, v) = (along_a[0].sub(along_b[0]), along_a[1].sub(along_b[1]));
        let cross = u.cross(v);
        let square = cross.dot(cross);
        let inverse = number(1.0) / square.sqrt();
        let known_sign = f64x4::load_array_ref(simd, &self.sign);
        let is_edges = known_sign.simd_eq(number(0.0));
        // The way out of edges is where the corners are, if it is one: otherwise there are vertices far beyond.
        let sign = is_edges.select(number(1.0).copysign(cross.dot(p)), known_sign);
        let direction = cross.scale(inverse * sign);
        // As in `edges`: each difference is off by the errors of two vertices of both.
        let lengths = [u.dot(u).sqrt(), v.dot(v).sqrt()];
        let steepness = lengths[0] * lengths[1] * inverse;
        let error = f64x4::load_array_ref(simd, &self.errors) * number(2.0);
        let shares = (number(1.0) / lengths[0] + number(1.0) / lengths[1]) * error;
        let direction_error = (shares + number(8.0 * f64::EPSILON)) * steepness;
        // The foot of the origin is `p + s u + t v`.
        let inverse_square = inverse * inverse;
        let s = v.cross(p).dot(cross) * inverse_square;
        let t = p.cross(u).dot(cross) * inverse_square;
        let (least, most) = (number(LEAST_WEIGHT), number(1.0 - LEAST_WEIGHT));
        // Of a parallelogram, or of a triangle.
        let farthest = is_edges.select(s.max(t), s + t);
        let is_sound = square.simd_ge(number(LEAST_SQUARE))
            & s.min(t).simd_gt(least)
            & farthest.simd_lt(most)
            & steepness.simd_lt(number(1.0 / LEAST_SINE))
            & direction_error.simd_lt(number(MOST_ERROR));
        self.sound &= is_sound.to_bitmask() as u32;
        let on_a = a.add(along_a[0].scale(s)).add(along_a[1].scale(t));
        let on_b = b.add(along_b[0].scale(s)).add(along_b[1].scale(t));
        let foot = on_a.sub(on_b);
        let depth = direction.dot(foot);
        let off = foot.sub(direction.scale(depth));
        // Of `a` along the direction, of `b` against it.
        let rim = |along: [Four<S>; 2], outward: Four<S>| {
            let (first, second) = (along[0].dot(outward), along[1].dot(outward));
            first.max(second).max(number(0.0)) - (first * s + second * t)
        };
        let beyond = rim(along_a, direction) + rim(along_b, direction.scale(number(-1.0)));
        beyond.store_array(&mut self.beyond);
        direction.store(&mut self.direction);
        on_a.store(&mut self.witness[0]);
        on_b.store(&mut self.witness[1]);
        direction_error.store_array(&mut self.direction_error);
        depth.store_array(&mut self.depth);
        off.dot(off).sqrt().store_array(&mut self.miss);
        foot.dot(foot).sqrt().store_array(&mut self.length);
    }

    /// What follows for one of them; as `Draft::conclude`.
    #[inline(always)]
    fn facet<S: Simd>(&self, lane: usize, pair: &Centers<'_, S>, kind: Kind) -> Facet {
        let (a, b) = (&pair.a, &pair.b);
        let direction = point_of(&self.direction, lane);
        let witness = Witness {
            a: point_of(&self.witness[0], lane),
            b: point_of(&self.witness[1], lane),
        };
        let [p, q, r] = self.names[lane];
        let direction_error = self.direction_error[lane];
        // Nothing of a polytope is beyond its own face, up to errors, and of the other the farthest vertex is certain.
        let beyond_face =
            |body: &Side<'_>| 2.001 * direction_error * body.polytope.radius() + 2.0 * body.error;
        let (beyond, features) = match kind {
            Kind::Edges(places) => {
                let [on_a, on_b] = arcs_at(pair, places);
                (
                    beyond(pair.simd, a, direction, witness.a, [p[0], q[0]])
                        + beyond(pair.simd, b, -direction, witness.b, [p[1], r[1]]),
                    [Feature::Edge(on_a.edge()), Feature::Edge(on_b.edge())],
                )
            }
            Kind::Face { side: 0, face, .. } => {
                (beyond_face(a), [Feature::Face(face), Feature::Vertex(p[1])])
            }
            Kind::Face { face, .. } => {
                (beyond_face(b), [Feature::Vertex(p[0]), Feature::Face(face)])
            }
        };
        let (depth, miss, length) = (self.depth[lane], self.miss[lane], self.length[lane]);
        let error = a.error + b.error;
        let size = a.polytope.radius() + b.polytope.radius();
        let off = direction_error * (miss + direction_error * length);
        // One error more than there: the foot is rounded as placed vertices are.
        let lower = depth - off - 3.0 * error - 8.0 * f64::EPSILON * (length + size);
        let beyond = beyond + self.beyond[lane];
        let upper = depth + beyond + 2.0 * error + 16.0 * f64::EPSILON * (length + size);
        Facet {
            bounds: Interval {
                lower,
                upper: upper * (1.0 + 4.0 * f64::EPSILON),
            },
            depth,
            miss,
            direction,
            witness,
            corners: [p, q, r],
            features,
        }
    }
}
