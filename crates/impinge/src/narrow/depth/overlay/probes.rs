//! Probes: how far `b` must move along some direction to be apart from `a`, which bounds the least way from above, and the
//! vertices that are extreme along it, which bound other directions from below.
//!
//! The direction across last frame's facet is a good one where facets are large beside the motion, and the offset of the
//! centres where they are small.

use super::super::super::centers::Centers;
use super::cull::View;
use super::frame::{Frame, Probe, reach};
use fearless_simd::Simd;
use glam::Vec3A;

/// What is known so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// The least depth of a probe, in units.
    pub(super) depth: f32,
}

impl Known {
    /// What probes tell; `None` when the polytopes seem to be apart along one of them.
    #[inline(always)]
    pub(super) fn new(probes: &[Probe; 2]) -> Option<Known> {
        let depth = probes[0].depth.min(probes[1].depth);
        (depth > 0.0).then_some(Known { depth })
    }
}

/// Along the normal of the last facet, if there is one, and along the offset of the centres.
#[inline(always)]
pub(super) fn probe<S: Simd>(
    pair: &Centers<'_, S>,
    frame: &Frame,
    facet: Option<[[u32; 2]; 3]>,
) -> [Probe; 2] {
    let offset = frame.offset.try_normalize().unwrap_or(Vec3A::X);
    let along_offset = frame.probe(pair, offset);
    let remembered = facet.and_then(|facet| remember(pair, frame, facet));
    let Some((normal, known)) = remembered else {
        return [along_offset; 2];
    };
    // No depth is below that of the balls. Where the offset leads close to it there is little to gain.
    let inner = frame.inner[0] + frame.inner[1];
    let gain = along_offset.depth - (inner - frame.offset.length());
    let first = if known.depth < along_offset.depth && gain > LEAST_GAIN * inner {
        frame.probe(pair, normal)
    } else {
        Probe {
            depth: f32::INFINITY,
            ..known
        }
    };
    [first, along_offset]
}

/// A probe that can lower the depth by less than this, as a share of the radii, is not worth the time.
const LEAST_GAIN: f32 = 0.1;

/// The direction in which `b` leaves `a` through a facet of the differences, and one of its corners as a probe along it: of
/// vertices that need not be extreme any more, so that the depth is not above the true one.
#[inline(always)]
fn remember<S: Simd>(
    pair: &Centers<'_, S>,
    frame: &Frame,
    facet: [[u32; 2]; 3],
) -> Option<(Vec3A, Probe)> {
    let count_a = pair.a.polytope.vertices().len() as u32;
    let count_b = pair.b.polytope.vertices().len() as u32;
    let [p, q, r] = facet;
    if p[0].max(q[0]).max(r[0]) >= count_a || p[1].max(q[1]).max(r[1]) >= count_b {
        return None;
    }
    let on_a = |vertex: u32| Vec3A::from(pair.a.packed.vertices.point(vertex));
    let on_b = |vertex: u32| Vec3A::from(pair.b.packed.vertices.point(vertex));
    let (base_a, base_b) = (on_a(p[0]), on_b(p[1]));
    let edge = |[i, j]: [u32; 2]| {
        let (along_a, along_b) = (on_a(i) - base_a, on_b(j) - base_b);
        along_a * frame.shares[0] - frame.turned(along_b * frame.shares[1])
    };
    let normal = edge(q).cross(edge(r)).try_normalize()?;
    let points = [
        base_a * frame.shares[0],
        frame.offset + frame.turned(base_b * frame.shares[1]),
    ];
    let corner = points[0] - points[1];
    // Nobody foresees which way around the corners are, so no branch. By the offset, and not by the corner, which is on
    // the other side once the two are apart.
    let normal = normal * 1.0_f32.copysign(normal.dot(frame.offset));
    let probe = Probe {
        points,
        depth: normal.dot(corner),
    };
    Some((normal, probe))
}

/// What `a` is held against: the ball inside `b`, and the points of `b` that probes found.
#[inline(always)]
pub(super) fn view_of_a(frame: &Frame, probes: &[Probe; 2]) -> View {
    let points = [probes[0].points[1], probes[1].points[1]];
    View::new(frame.offset, frame.inner[1], points, frame.shares[0])
}

/// The same for `b`.
#[inline(always)]
pub(super) fn view_of_b(frame: &Frame, probes: &[Probe; 2]) -> View {
    let seen = |point: Vec3A| frame.turned_back(point - frame.offset);
    let points = [seen(probes[0].points[0]), seen(probes[1].points[0])];
    View::new(frame.offset_back, frame.inner[0], points, frame.shares[1])
}

/// The plane of a face, in units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    /// As the polytope itself sees it, and in the frame of `a`.
    normal: Vec3A,
    turned: Vec3A,
    /// How far it is from the centre.
    offset: f32,
}

impl Plane {
    #[inline(always)]
    pub(super) fn new(frame: &Frame, side: usize, normal: [f32; 3], offset: f32) -> Plane {
        let normal = Vec3A::from(normal);
        Plane {
            normal,
            turned: if side == 0 {
                normal
            } else {
                frame.turned(normal)
            },
            offset: offset * frame.shares[side],
        }
    }

    /// How far the other polytope is behind the plane.
    #[inline(always)]
    pub(super) fn depth<S: Simd>(&self, pair: &Centers<'_, S>, frame: &Frame, side: usize) -> f32 {
        if side == 0 {
            let reach = reach(pair.simd, &pair.b, -frame.turned_back(self.normal));
            self.offset - self.normal.dot(frame.offset) + reach * frame.shares[1]
        } else {
            let reach = reach(pair.simd, &pair.a, -self.turned);
            self.offset + self.turned.dot(frame.offset) + reach * frame.shares[0]
        }
    }
}
