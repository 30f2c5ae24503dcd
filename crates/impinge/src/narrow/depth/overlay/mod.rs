//! The depth of two overlapping polytopes from their faces and edges: all of them, and nearly none.
//!
//! Let `h(n)` be how far `b` must move along the unit vector `n` to be apart from `a`. The depth is the least `h`. While the
//! two overlap `h` is nowhere negative, and along great circles it is concave between the places where the extreme vertices
//! change. So it is least where three of them meet: at the normal of a face of `a`, at that of a face of `b` turned
//! around, or where the arc of an edge of `a` crosses the arc of one of `b` in their common Gauss map.
//!
//! 1. [`probes`]: the depth along any direction bounds the least from above: along the normal of last frame's facet,
//!    and along the offset of the centres.
//! 2. [`cull`]: which faces may be below that? Usually a few. They are probed, and what is found lowers the bound.
//! 3. [`cull`]: which arcs may be below it? [`crossings`]: which of them cross there?
//! 4. [`facet`]: the best of them all is computed in `f64`, and so are those that are as good as far as `f32` can tell.
//!
//! Steps 1 to 3 are in `f32`, eight at a time, and leave out only what is above the bound for certain. None of them assumes
//! that the two overlap: the origin is inside a convex polytope exactly when it is on the inner side of all its facets, so
//! a least depth above zero proves that they do, and a probe below zero is the end of it.
//!
//! **Invariant.** The depth of the placed polytopes is in the interval. **Cost.** For round polytopes in shallow contact
//! nearly independent of their size. Where too much is left (concentric or thin polytopes of many faces), and where facets
//! are within rounding of each other (parallel faces), there is no answer.

mod crossings;
mod cull;
mod edges;
mod face;
mod facet;
mod few;
mod frame;
mod many;
mod probes;
mod survey;

use super::super::centers::Centers;
use super::super::side::Side;
use crate::contact::Penetration;
use crate::math::Interval;
use crossings::Crossings;
use cull::Left;
use facet::{Facet, Verdict};
use fearless_simd::Simd;
use frame::Frame;
use probes::{Known, Plane, probe, view_of_a, view_of_b};

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
    entries: [(f32, Kind); MOST_CANDIDATES],
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
    fn push(&mut self, lower: f32, kind: Kind) -> Option<()> {
        *self.entries.get_mut(self.len)? = (lower, kind);
        self.len += 1;
        Some(())
    }

    /// Takes out the candidate with the least bound.
    #[inline(always)]
    fn pop(&mut self) -> Option<(f32, Kind)> {
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

impl Overlay {
    /// The depth of two polytopes, and three corners of the nearest facet; `None` when it is not certain, above all when
    /// they do not overlap. `facet` may be that of the last frame.
    #[inline(always)]
    pub(super) fn measure<S: Simd>(
        &mut self,
        pair: &Centers<'_, S>,
        facet: Option<[[u32; 2]; 3]>,
    ) -> Option<(Penetration, [[u32; 2]; 3])> {
        let simd = pair.simd;
        let maps = [pair.a.polytope.gauss(), pair.b.polytope.gauss()];
        let frame = &Frame::new(pair)?;
        let probes = &probe(pair, frame, facet);
        let mut known = Known::new(frame, probes)?;
        let views = [view_of_a(frame, probes), view_of_b(frame, probes)];
        let level = known.depth + 2.0 * frame.tolerance;
        for side in 0..2 {
            if !self.left[side].collect(simd, maps[side], &views[side], level) {
                return None;
            }
        }
        self.candidates.len = 0;
        self.probe_faces(pair, frame, &mut known)?;
        let level = known.depth + 2.0 * frame.tolerance;
        for side in 0..2 {
            self.left[side].collect_arcs(simd, maps[side], &views[side], level);
        }
        let arcs = [
            &self.left[0].arcs[..self.left[0].arc_count],
            &self.left[1].arcs[..self.left[1].arc_count],
        ];
        let crossings = &mut self.crossings;
        if !crossings.collect(simd, frame, maps, arcs, level) {
            return None;
        }
        for crossing in &crossings.found[..crossings.len] {
            let lower = crossing.lower - frame.tolerance;
            let [on_a, on_b] = crossing.places;
            let edges = [maps[0].edge(on_a), maps[1].edge(on_b)];
            self.candidates.push(lower, Kind::Edges(edges))?;
        }
        let floor = f64::from(known.depth + frame.tolerance) * frame.unit;
        self.decide(pair, frame.unit, floor)
    }

    /// Step 2: probes the faces that are left. Candidates are those that were not above the level then.
    #[inline(always)]
    fn probe_faces<S: Simd>(
        &mut self,
        pair: &Centers<'_, S>,
        frame: &Frame,
        known: &mut Known,
    ) -> Option<()> {
        for side in 0..2 {
            for face in self.left[side].faces() {
                let level = known.depth + 2.0 * frame.tolerance;
                if face.height * frame.shares[side] > level {
                    continue;
                }
                let plane = Plane::new(frame, side, face);
                if plane.height(known.deep[side]) > level {
                    continue;
                }
                let (depth, vertex, point) = plane.probe(pair, frame, side);
                known.deep[side] = point;
                if depth <= level {
                    let kind = Kind::Face {
                        side,
                        face: face.face,
                        vertex,
                    };
                    self.candidates.push(depth - frame.tolerance, kind)?;
                    known.depth = known.depth.min(depth);
                }
            }
        }
        Some(())
    }

    /// Step 4. Nothing that was left out is nearer than `floor`.
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
            let bound = f64::from(bound) * unit;
            if let Some(best) = &best
                && bound > best.bounds.upper
            {
                return answer(pair, *best, lower.min(bound));
            }
            let verdict = match kind {
                Kind::Face { side, face, vertex } => face::examine(pair, side, face, vertex),
                Kind::Edges(edges) => edges::examine(pair, edges),
            };
            match verdict {
                Verdict::Not => {}
                Verdict::Unclear => return None,
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
