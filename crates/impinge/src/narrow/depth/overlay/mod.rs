//! The depth of two overlapping polytopes from their faces and edges: all of them, and nearly none.
//!
//! Let `h(n)` be how far `b` must move along the unit vector `n` to be apart from `a`. The depth is the least `h`. While the
//! two overlap `h` is nowhere negative, and along great circles it is concave between the places where the extreme vertices
//! change. So it is least where three of them meet: at the normal of a face of `a`, at that of a face of `b` turned
//! around, or where the arc of an edge of `a` crosses the arc of one of `b` in their common Gauss map.
//!
//! 1. [`frame`]: probes. The depth along any direction bounds the least from above: along the normal of last frame's facet,
//!    and along the offset of the centres.
//! 2. [`cull`]: which faces and arcs may be below that? Usually a few of each.
//! 3. The faces left are probed, the most promising first; what is found lowers the bound.
//! 4. [`crossings`]: which of the arcs left cross below it?
//! 5. [`facet`]: the best of them all is computed in `f64`, and so are those that are as good as far as `f32` can tell.
//!
//! Steps 1 to 4 are in `f32`, eight at a time, and leave out only what is above the bound for certain.
//!
//! **Invariant.** The depth of the placed polytopes is in the interval. **Cost.** For round polytopes in shallow contact
//! nearly independent of their size. Where too much is left (concentric or thin polytopes of many faces), and where facets
//! are within rounding of each other (parallel faces), there is no answer.

mod crossings;
mod cull;
mod facet;
mod frame;

use super::super::centers::Centers;
use super::super::side::Side;
use crate::contact::Penetration;
use crate::math::{Interval, Vec3};
use crate::shape::GaussMap;
use crossings::Crossings;
use cull::{Left, LeftFace, View};
use facet::{Facet, Verdict, examine};
use fearless_simd::Simd;
use frame::{Frame, Probe, widened};

/// The promised width of the interval, as a share of the size of the pair. (2^-40 is a little less than 1e-12.)
const WIDTH: f64 = 1.0 / (1u64 << 40) as f64;
/// The most candidates for the nearest facet.
const MOST_CANDIDATES: usize = 64;
/// How many candidates are computed in `f64` at most.
const MOST_LOOKS: usize = 12;

/// Room for one query at a time.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    left: [Left; 2],
    crossings: Crossings,
    candidates: Candidates,
}

/// A candidate for the nearest facet.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// A face of `a` (side 0) or `b` (side 1), and a vertex of the other near the one deepest behind it.
    Face { side: usize, face: u32, vertex: u32 },
    /// An edge of `a` and one of `b`.
    Edges([u32; 2]),
}

/// Candidates, and bounds from below for their depths.
#[derive(Debug)]
struct Candidates {
    entries: [(f64, Kind); MOST_CANDIDATES],
    len: usize,
}

impl Default for Candidates {
    fn default() -> Candidates {
        Candidates {
            entries: [(0.0, Kind::Edges([0; 2])); MOST_CANDIDATES],
            len: 0,
        }
    }
}

impl Candidates {
    #[inline(always)]
    fn push(&mut self, lower: f64, kind: Kind) -> Option<()> {
        *self.entries.get_mut(self.len)? = (lower, kind);
        self.len += 1;
        Some(())
    }

    /// Takes out the candidate with the least bound.
    #[inline(always)]
    fn pop(&mut self) -> Option<(f64, Kind)> {
        let entries = &mut self.entries[..self.len];
        let mut least = 0;
        for k in 1..entries.len() {
            if entries[k].0 < entries[least].0 {
                least = k;
            }
        }
        let found = *entries.get(least)?;
        self.len -= 1;
        self.entries[least] = self.entries[self.len];
        Some(found)
    }
}

/// What is known so far.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// The least depth of a probe, in units.
    depth: f64,
    /// Where supports were found: where climbs begin.
    near: [u32; 2],
}

impl Overlay {
    /// The depth of two polytopes that overlap for certain, and three corners of the nearest facet; `None` when it is not
    /// certain. `facet` may be that of the last frame.
    #[inline(always)]
    pub(super) fn measure<S: Simd>(
        &mut self,
        pair: &Centers<'_, S>,
        facet: Option<[[u32; 2]; 3]>,
    ) -> Option<(Penetration, [[u32; 2]; 3])> {
        let maps = [pair.a.polytope.gauss(), pair.b.polytope.gauss()];
        let frame = Frame::new(pair);
        let probes = probe(pair, &frame, facet);
        let best = usize::from(probes[1].depth < probes[0].depth);
        let mut known = Known {
            depth: probes[best].depth,
            near: probes[best].vertices,
        };
        self.cull(pair.simd, &frame, maps, &probes, known.depth)?;
        self.candidates.len = 0;
        self.probe_faces(pair, &frame, maps, &mut known)?;
        let drop = probes[best].depth - known.depth;
        if drop > 0.0 {
            for ((left, map), share) in self.left.iter_mut().zip(maps).zip(frame.shares) {
                left.lower_level(map, (drop / share) as f32);
            }
        }
        let level = known.depth + 2.0 * frame.tolerance;
        let arcs = [0, 1].map(|k: usize| &self.left[k].arcs[..self.left[k].arc_count]);
        if !self
            .crossings
            .collect(pair.simd, &frame, maps, arcs, level as f32)
        {
            return None;
        }
        for crossing in &self.crossings.found[..self.crossings.len] {
            let lower = f64::from(crossing.lower) - frame.tolerance;
            self.candidates.push(lower, Kind::Edges(crossing.edges))?;
        }
        let floor = (known.depth + frame.tolerance) * frame.unit;
        self.decide(pair, frame.unit, floor)
    }

    /// Step 2.
    #[inline(always)]
    fn cull<S: Simd>(
        &mut self,
        simd: S,
        frame: &Frame,
        maps: [&GaussMap; 2],
        probes: &[Probe; 2],
        depth: f64,
    ) -> Option<()> {
        let level = depth + 2.0 * frame.tolerance;
        let [inner_a, inner_b] = frame.inner;
        let scale = frame.shares[0].recip();
        let of_a = View::new(
            frame.offset * scale,
            inner_a * scale,
            inner_b * scale,
            [probes[0].points[1] * scale, probes[1].points[1] * scale],
            level * scale,
        );
        if !self.left[0].collect(simd, maps[0], &of_a) {
            return None;
        }
        let scale = frame.shares[1].recip();
        let of_b = View::new(
            frame.turned_back(-frame.offset) * scale,
            inner_b * scale,
            inner_a * scale,
            [
                frame.turned_back(probes[0].points[0] - frame.offset) * scale,
                frame.turned_back(probes[1].points[0] - frame.offset) * scale,
            ],
            level * scale,
        );
        self.left[1].collect(simd, maps[1], &of_b).then_some(())
    }

    /// Step 3. Candidates are the faces that were not above the level when they were probed.
    #[inline(always)]
    fn probe_faces<S: Simd>(
        &mut self,
        pair: &Centers<'_, S>,
        frame: &Frame,
        maps: [&GaussMap; 2],
        known: &mut Known,
    ) -> Option<()> {
        let first_level = known.depth + 2.0 * frame.tolerance;
        for side in self.most_promising_first(frame) {
            for k in 0..self.left[side].face_count {
                let face = self.left[side].faces[k];
                let level = known.depth + 2.0 * frame.tolerance;
                let bound = first_level + f64::from(face.below) * frame.shares[side];
                if bound > level {
                    continue;
                }
                let depth = face_depth(pair, frame, side, &face, known.near);
                if depth <= level {
                    let body = [pair.a.polytope, pair.b.polytope][side];
                    let face = maps[side].face(body, face.arc, usize::from(face.end));
                    let vertex = known.near[1 - side];
                    let kind = Kind::Face { side, face, vertex };
                    self.candidates.push(depth - frame.tolerance, kind)?;
                    known.depth = known.depth.min(depth);
                }
            }
        }
        Some(())
    }

    /// Brings the face with the least bound to the front of its side; the sides, the one with that face first.
    #[inline(always)]
    fn most_promising_first(&mut self, frame: &Frame) -> [usize; 2] {
        let mut least = [0.0; 2];
        for (side, left) in self.left.iter_mut().enumerate() {
            let mut first = 0;
            for k in 1..left.face_count {
                if left.faces[k].below < left.faces[first].below {
                    first = k;
                }
            }
            left.faces.swap(0, first);
            if left.face_count > 0 {
                least[side] = f64::from(left.faces[0].below) * frame.shares[side];
            }
        }
        if least[0] <= least[1] { [0, 1] } else { [1, 0] }
    }

    /// Step 5. Nothing that was left out is nearer than `floor`.
    #[inline(always)]
    fn decide<S: Simd>(
        &mut self,
        pair: &Centers<'_, S>,
        unit: f64,
        floor: f64,
    ) -> Option<(Penetration, [[u32; 2]; 3])> {
        let mut best: Option<Facet> = None;
        let mut lower = floor;
        for _ in 0..MOST_LOOKS {
            let Some((bound, kind)) = self.candidates.pop() else {
                return answer(pair, best?, lower);
            };
            if let Some(best) = &best
                && bound * unit > best.bounds.upper
            {
                return answer(pair, *best, lower.min(bound * unit));
            }
            match examine(pair, kind) {
                Verdict::Not => {}
                Verdict::Unclear => {
                    return None;
                }
                Verdict::Facet(facet) => {
                    lower = lower.min(facet.bounds.lower);
                    if best.is_none_or(|best| facet.bounds.upper < best.bounds.upper) {
                        best = Some(facet);
                    }
                }
            }
        }
        None
    }
}

/// Step 1: along the normal of the last facet, if there is one, and along the offset of the centres.
#[inline(always)]
fn probe<S: Simd>(
    pair: &Centers<'_, S>,
    frame: &Frame,
    facet: Option<[[u32; 2]; 3]>,
) -> [Probe; 2] {
    let offset = frame.offset.try_normalize().unwrap_or(Vec3::X);
    let near = facet.map_or([u32::MAX; 2], |facet| facet[0]);
    let second = frame.probe(pair, offset, near);
    let remembered = facet.and_then(|facet| normal_of(pair, frame, facet));
    match remembered {
        Some(normal) => [frame.probe(pair, normal, near), second],
        None => [second; 2],
    }
}

/// How far `b` must move along the normal of a face.
#[inline(always)]
fn face_depth<S: Simd>(
    pair: &Centers<'_, S>,
    frame: &Frame,
    side: usize,
    face: &LeftFace,
    near: [u32; 2],
) -> f64 {
    let (body, other) = if side == 0 {
        (&pair.a, &pair.b)
    } else {
        (&pair.b, &pair.a)
    };
    let arcs = &body.polytope.gauss().blocks[face.arc as usize / 8];
    let (end, lane) = (usize::from(face.end), face.arc as usize % 8);
    let columns = &arcs.ends[end];
    let normal = widened([columns[0][lane], columns[1][lane], columns[2][lane]]);
    let offset = f64::from(arcs.offsets[end][lane]) * frame.shares[side];
    // The other's centre along the normal, and the normal as the other sees it.
    let (along, seen) = if side == 0 {
        (normal.dot(frame.offset), frame.turned_back(normal))
    } else {
        let turned = frame.turned(normal);
        (-turned.dot(frame.offset), turned)
    };
    let reach = frame::reach(pair.simd, other, -seen, near[1 - side]);
    offset - along + reach * frame.shares[1 - side]
}

/// The direction in which `b` leaves `a` through a facet of the differences.
#[inline(always)]
fn normal_of<S: Simd>(pair: &Centers<'_, S>, frame: &Frame, facet: [[u32; 2]; 3]) -> Option<Vec3> {
    let counts = [&pair.a, &pair.b].map(|side| side.polytope.vertices().len() as u32);
    if !facet.iter().all(|[i, j]| *i < counts[0] && *j < counts[1]) {
        return None;
    }
    let [p, q, r] = facet.map(|[i, j]| frame.vertex_a(pair, i) - frame.vertex_b(pair, j));
    let normal = (q - p).cross(r - p).try_normalize()?;
    Some(if normal.dot(p) < 0.0 { -normal } else { normal })
}

/// The answer that the nearest facet and a bound for all others make, if it is narrow enough.
#[inline(always)]
fn answer<S: Simd>(
    pair: &Centers<'_, S>,
    facet: Facet,
    lower: f64,
) -> Option<(Penetration, [[u32; 2]; 3])> {
    let upper = facet.bounds.upper;
    let error = pair.a.error + pair.b.error;
    let is_certain =
        lower > 0.0 && upper - lower <= WIDTH * size_of(pair) && facet.miss <= MOST_MISS * error;
    is_certain.then(|| {
        let penetration = Penetration {
            depth: facet.depth.clamp(lower, upper),
            bounds: Interval { lower, upper },
            direction: facet.direction,
            witness: facet.witness,
            features: facet.features,
        };
        (penetration, facet.corners)
    })
}

/// The size of the coordinates, or a little less.
#[inline(always)]
fn size_of<S: Simd>(pair: &Centers<'_, S>) -> f64 {
    let size = |side: &Side<'_>| {
        let center = side.center.abs().max_element();
        center.max(0.5 * side.polytope.radius())
    };
    size(&pair.a).max(size(&pair.b))
}

/// How many errors of a vertex the witness points may be off.
const MOST_MISS: f64 = 32.0;
