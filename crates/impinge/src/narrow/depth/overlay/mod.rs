//! The depth of two overlapping polytopes from their faces and edges: all of them, and nearly none.
//!
//! Let `h(n)` be how far `b` must move along the unit vector `n` to be apart from `a`. The depth is the least `h`. While the
//! two overlap `h` is nowhere negative, and along great circles it is concave between the places where the extreme vertices
//! change. So it is least where three of them meet: at the normal of a face of `a`, at that of a face of `b` turned
//! around, or where the arc of an edge of `a` crosses the arc of one of `b` in their common Gauss map.
//!
//! 1. [`probes`]: the depth along any direction bounds the least from above: along the normal of last frame's facet,
//!    and along the offset of the centres.
//! 2. [`cull`]: which faces may be below that? Usually a few. They are probed, of many eight at a time ([`faces`]), and what is found lowers the bound.
//! 3. [`cull`]: which arcs may be below it? [`crossings`]: which of them cross there?
//! 4. [`proofs`]: the best of them all is computed in `f64`, four pairs at a time. What is not plain is looked at one by one
//!    ([`facet`]), and so are those that are as good as far as `f32` can tell.
//!
//! Steps 1 to 3 are in `f32`, eight at a time, and leave out only what is above the bound for certain. None of them assumes
//! that the two overlap: the origin is inside a convex polytope exactly when it is on the inner side of all its facets, so
//! a least depth above zero proves that they do, and a probe below zero is the end of it.
//!
//! Some pairs go through the steps together. Each step knows what the next one reads and asks for it, and by the time all pairs
//! have taken the step it is there.
//!
//! **Invariant.** The depth of the placed polytopes is in the interval. **Cost.** For round polytopes in shallow contact
//! nearly independent of their size. Where too much is left (concentric or thin polytopes of many faces), and where facets
//! are within rounding of each other (parallel faces), there is no answer.

mod crossings;
mod cull;
mod edges;
mod face;
mod faces;
mod facet;
mod few;
mod frame;
mod many;
mod probes;
mod proofs;
mod survey;
#[cfg(test)]
mod tests;

use super::super::centers::Centers;
use super::super::side::Side;
use crate::contact::Penetration;
use crate::math::Interval;
use crate::shape::{EdgeArc, Few, Layout};
use crossings::Crossings;
use cull::{Left, LeftArcs, View};
use facet::{Facet, Verdict};
use fearless_simd::Simd;
use frame::{Frame, cells_along_offset};
use many::Reached;
use probes::{Known, Plane, probe, view_of_a, view_of_b};
use proofs::Proofs;

/// The promised width of the interval, as a share of the size of the pair. (2^-40 is a little less than 1e-12.)
const WIDTH: f64 = 1.0 / (1u64 << 40) as f64;
/// The most candidates for the nearest facet.
const MOST_CANDIDATES: usize = 64;
/// How many candidates are computed in `f64` at most.
const MOST_LOOKS: usize = 12;

/// How many pairs go from step to step together.
pub(super) const BATCH: usize = 16;

/// A depth, and three corners of the nearest facet; `None` when it is not certain.
pub(super) type Found = Option<(Penetration, [[u32; 2]; 3])>;

/// Room for some queries at a time.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    /// Of both polytopes of a pair, for pairs with even and with odd numbers.
    left: [[Left; 2]; 2],
    crossings: Crossings,
    proofs: Proofs,
    queries: [Query; BATCH],
}

/// What one step leaves to the next.
#[derive(Debug, Default)]
struct Query {
    is_open: bool,
    frame: Frame,
    known: Known,
    views: [View; 2],
    reached: [Reached; 2],
    arcs: [LeftArcs; 2],
    /// Faces, and edges as well once they are all looked at.
    candidates: Candidates,
    /// The least candidate of all, and a bound for all others.
    best: Option<(Kind, f32)>,
}

/// A pair whose depth is wanted.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Asked<'c, 'a, S> {
    pub(in super::super) centers: &'c Centers<'a, S>,
    /// Perhaps the facet of the last frame.
    facet: Option<[[u32; 2]; 3]>,
    /// Where step 1 looks first, if there are tables of directions.
    cells: [u32; 2],
}

impl<'c, 'a, S: Simd> Asked<'c, 'a, S> {
    #[inline(always)]
    pub(in super::super) fn new(
        centers: &'c Centers<'a, S>,
        facet: Option<[[u32; 2]; 3]>,
    ) -> Asked<'c, 'a, S> {
        Asked {
            centers,
            facet,
            cells: cells_along_offset(centers),
        }
    }

    /// Asks for what step 1 looks at first.
    #[inline(always)]
    pub(super) fn fetch(&self) {
        for (k, side) in [&self.centers.a, &self.centers.b].into_iter().enumerate() {
            side.polytope.gauss().fetch();
            if side.has_table() {
                let extremes = &side.polytope.gauss().extremes;
                extremes.fetch_further(self.cells[k] as usize);
                if let Some([p, q, r]) = self.facet {
                    side.packed.vertices.fetch_point(p[k]);
                    side.packed.vertices.fetch_point(q[k]);
                    side.packed.vertices.fetch_point(r[k]);
                }
            } else if side.is_few() {
                side.packed.vertices.fetch();
            }
        }
    }

    /// Asks for what leads to what [`Asked::fetch`] asks for.
    #[inline(always)]
    pub(super) fn fetch_soon(&self) {
        for (k, side) in [&self.centers.a, &self.centers.b].into_iter().enumerate() {
            if side.has_table() {
                let extremes = &side.polytope.gauss().extremes;
                extremes.fetch(self.cells[k] as usize);
            }
        }
    }
}

/// A candidate for the nearest facet.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// A face of `a` (side 0) or `b` (side 1), and a vertex of the other near the one deepest behind it, if there are many.
    Face { side: u8, face: u32, vertex: u32 },
    /// An edge of `a` and one of `b`, by the places of their arcs.
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
    /// Adds a candidate, or does nothing, without a branch on which it is; `None` when there is no room.
    #[inline(always)]
    fn push_if(&mut self, lower: f32, kind: Kind, is_wanted: bool) -> Option<()> {
        *self.entries.get_mut(self.len)? = (lower, kind);
        self.len += usize::from(is_wanted);
        Some(())
    }

    /// Puts the candidate with the least bound last.
    #[inline(always)]
    fn put_least_last(&mut self) {
        let entries = &mut self.entries[..self.len.min(MOST_CANDIDATES)];
        if let Some(last) = entries.len().checked_sub(1) {
            let mut least = last;
            for k in 0..last {
                least = if entries[k].0 < entries[least].0 {
                    k
                } else {
                    least
                };
            }
            entries.swap(least, last);
        }
    }

    /// The least bound of all but the last.
    #[inline(always)]
    fn least_of_others(&self) -> f32 {
        let mut least = f32::INFINITY;
        for k in 1..self.len.min(MOST_CANDIDATES) {
            least = least.min(self.entries[k - 1].0);
        }
        least
    }

    /// The last candidate.
    #[inline(always)]
    fn last(&self) -> Option<&(f32, Kind)> {
        self.entries[..self.len.min(MOST_CANDIDATES)].last()
    }
}

impl Overlay {
    /// The depths of up to [`BATCH`] pairs, and three corners of each nearest facet, in the same order; `None` when it is not
    /// certain, above all when they do not overlap. `coming` is called before each pair, with its number.
    ///
    /// Steps are taken one by one, each for all pairs: what the next step needs has time to arrive.
    #[inline(always)]
    pub(super) fn measure_each<S: Simd>(
        &mut self,
        asked: &[Asked<'_, '_, S>],
        coming: impl Fn(usize),
        found: &mut [Found; BATCH],
    ) {
        let asked = &asked[..asked.len().min(BATCH)];
        // Faces are listed one pair behind, and probed two: what is looked at then comes meanwhile.
        for k in 0..asked.len() + 2 {
            if let Some(Asked { centers, facet, .. }) = asked.get(k) {
                coming(k);
                self.queries[k].is_open = self.queries[k].probe(centers, *facet).is_some();
            }
            if let Some(last) = k.checked_sub(1)
                && let Some(Asked { centers, .. }) = asked.get(last)
                && self.queries[last].is_open
            {
                self.queries[last].is_open = self.list_faces(last, centers).is_some();
            }
            if let Some(last) = k.checked_sub(2)
                && self.queries[last].is_open
            {
                self.queries[last].is_open = self.cull(last, asked[last].centers).is_some();
            }
        }
        for (k, Asked { centers, .. }) in asked.iter().enumerate() {
            if self.queries[k].is_open {
                self.cross(k, centers);
            }
        }
        // What is nearest is known by now.
        for (k, Asked { centers, .. }) in asked.iter().enumerate() {
            if self.queries[k].is_open
                && let Some((kind, _)) = self.queries[k].best
            {
                kind.fetch(centers);
            }
        }
        self.prove(asked);
        for (k, Asked { centers, .. }) in asked.iter().enumerate() {
            found[k] = if self.queries[k].is_open {
                let proven = self.queries[k].conclude(k, &self.proofs, centers);
                proven.or_else(|| self.decide(k, centers))
            } else {
                None
            };
        }
    }

    /// Step 4 for the least candidates of all pairs, four at a time.
    #[inline(always)]
    fn prove<S: Simd>(&mut self, asked: &[Asked<'_, '_, S>]) {
        self.proofs.clear();
        // What leads to vertices has arrived by now, and they will have when they are looked at.
        for (k, Asked { centers, .. }) in asked.iter().enumerate() {
            let query = &self.queries[k];
            if query.is_open
                && let Some((kind, _)) = query.best
            {
                kind.fetch_more(centers);
            }
        }
        for (k, Asked { centers, .. }) in asked.iter().enumerate() {
            let query = &self.queries[k];
            if query.is_open
                && let Some((kind, _)) = query.best
            {
                self.proofs.gather(k, centers, kind);
            }
        }
        if let Some(first) = asked.first() {
            self.proofs.measure(first.centers.simd);
        }
    }

    /// Step 2: the faces that are left; `None` when it is too much.
    #[inline(always)]
    fn list_faces<S: Simd>(&mut self, number: usize, pair: &Centers<'_, S>) -> Option<()> {
        let query = &self.queries[number];
        let (frame, left) = (&query.frame, &mut self.left[number % 2]);
        let level = query.known.depth + 2.0 * frame.tolerance;
        for side in 0..2 {
            let (body, other) = face::sides(pair, side);
            let (map, view) = (body.polytope.gauss(), &query.views[side]);
            let (left, reached) = (&mut left[side], &query.reached[side]);
            if !left.collect(pair.simd, map, view, level, reached) {
                return None;
            }
            left.faces.look_ahead(pair.simd, frame, side, other);
        }
        Some(())
    }

    /// Step 2: probes the faces that are left, and what arcs are left for step 3; `None` when it is too much.
    #[inline(always)]
    fn cull<S: Simd>(&mut self, number: usize, pair: &Centers<'_, S>) -> Option<()> {
        let simd = pair.simd;
        let query = &mut self.queries[number];
        let left = &mut self.left[number % 2];
        let maps = [pair.a.polytope.gauss(), pair.b.polytope.gauss()];
        let frame = &query.frame;
        let (views, known) = (&query.views, &mut query.known);
        query.candidates.len = 0;
        probe_faces(left, pair, frame, known, &mut query.candidates)?;
        if known.depth + frame.tolerance <= 0.0 {
            // Apart behind one of the faces.
            return None;
        }
        let level = known.depth + 2.0 * frame.tolerance;
        for side in 0..2 {
            let arcs = &mut query.arcs[side];
            if !left[side].collect_arcs(simd, maps[side], &views[side], level, arcs) {
                return None;
            }
            arcs.fetch(maps[side]);
        }
        Some(())
    }

    /// Step 3: the least candidate of all.
    #[inline(always)]
    fn cross<S: Simd>(&mut self, number: usize, pair: &Centers<'_, S>) {
        let query = &mut self.queries[number];
        let maps = [pair.a.polytope.gauss(), pair.b.polytope.gauss()];
        let arcs = [&query.arcs[0], &query.arcs[1]];
        let tolerance = query.frame.tolerance;
        let level = query.known.depth + 2.0 * tolerance;
        let crossing = Crossings::least(pair.simd, &query.frame, maps, arcs, level);
        let lower = crossing.lower - tolerance;
        query.candidates.put_least_last();
        let edges = Kind::Edges(crossing.arcs);
        let (face_lower, face) = *query.candidates.last().unwrap_or(&(f32::INFINITY, edges));
        let beside_face = query.candidates.least_of_others().min(lower);
        let beside_edges = face_lower.min(crossing.others - tolerance);
        // By index and not by a branch: which of them is nearer is hard to foresee, and known late.
        let choice = usize::from(lower < face_lower);
        let best = [(face, beside_face), (edges, beside_edges)][choice];
        query.best = (lower.min(face_lower) < f32::INFINITY).then_some(best);
    }

    /// Step 4 for a pair whose least candidate is not enough: all of them, one by one.
    #[cold]
    #[inline(never)]
    fn decide<S: Simd>(&mut self, number: usize, pair: &Centers<'_, S>) -> Found {
        let query = &mut self.queries[number];
        let maps = [pair.a.polytope.gauss(), pair.b.polytope.gauss()];
        let arcs = [&query.arcs[0], &query.arcs[1]];
        let level = query.known.depth + 2.0 * query.frame.tolerance;
        let (frame, crossings) = (&query.frame, &mut self.crossings);
        let is_complete = pair.simd.vectorize(
            #[inline(always)]
            || crossings.collect(pair.simd, frame, maps, arcs, level),
        );
        if !is_complete {
            return None;
        }
        for crossing in &crossings.found[..crossings.len] {
            let lower = crossing.lower - query.frame.tolerance;
            let kind = Kind::Edges(crossing.arcs);
            query.candidates.push_if(lower, kind, true)?;
        }
        query.candidates.put_least_last();
        query.decide(pair)
    }
}

impl Kind {
    /// Asks for what leads to the vertices of a candidate.
    #[inline(always)]
    fn fetch<S: Simd>(&self, pair: &Centers<'_, S>) {
        match *self {
            Kind::Face { side, face, vertex } => {
                let (body, other) = face::sides(pair, usize::from(side));
                body.polytope.fetch_face(face);
                other.polytope.fetch_vertices([vertex; 1]);
            }
            Kind::Edges(places) => {
                let [on_a, on_b] = arcs_at(pair, places);
                pair.a.polytope.fetch_vertices(on_a.vertices());
                pair.b.polytope.fetch_vertices(on_b.vertices());
            }
        }
    }

    /// Asks for the vertices, unless that is done.
    #[inline(always)]
    fn fetch_more<S: Simd>(&self, pair: &Centers<'_, S>) {
        match *self {
            Kind::Face { side, face, .. } => {
                let (body, _) = face::sides(pair, usize::from(side));
                if let [p, q, r, ..] = *body.polytope.face(face as usize) {
                    body.polytope.fetch_vertices([p, q, r]);
                }
            }
            Kind::Edges(_) => {}
        }
    }
}

/// The arcs of both polytopes at some places.
#[inline(always)]
fn arcs_at<'a, S: Simd>(pair: &Centers<'a, S>, [on_a, on_b]: [u32; 2]) -> [&'a EdgeArc; 2] {
    [
        &pair.a.polytope.gauss().arcs[on_a as usize],
        &pair.b.polytope.gauss().arcs[on_b as usize],
    ]
}

/// Step 2: probes the faces that are left. Candidates are those that were not above the level then.
#[inline(always)]
fn probe_faces<S: Simd>(
    left: &[Left; 2],
    pair: &Centers<'_, S>,
    frame: &Frame,
    known: &mut Known,
    candidates: &mut Candidates,
) -> Option<()> {
    for (side, left) in left.iter().enumerate() {
        let (body, _) = face::sides(pair, side);
        match &body.polytope.gauss().layout {
            Layout::Few(few) => {
                probe_few(left.few, few, side, pair, frame, known, candidates)?;
            }
            Layout::Many(many) => {
                let names = &many.names;
                (left.faces).probe(pair, frame, side, names, known, candidates)?;
            }
        }
    }
    Some(())
}

/// Of few faces, given as bits: all of them, which is faster than to find out which need not be.
#[inline(always)]
fn probe_few<S: Simd>(
    mut faces: u64,
    few: &Few,
    side: usize,
    pair: &Centers<'_, S>,
    frame: &Frame,
    known: &mut Known,
    candidates: &mut Candidates,
) -> Option<()> {
    while faces != 0 {
        let face = faces.trailing_zeros();
        faces &= faces - 1;
        let (normal, offset) = few.plane(face);
        let depth = Plane::new(frame, side, normal, offset).depth(pair, frame, side);
        let kind = Kind::Face {
            side: side as u8,
            face,
            vertex: 0,
        };
        let level = known.depth + 2.0 * frame.tolerance;
        candidates.push_if(depth - frame.tolerance, kind, depth <= level)?;
        known.depth = known.depth.min(depth);
    }
    Some(())
}

impl Query {
    /// Step 1; `None` when they seem to be apart, or when it is too much.
    #[inline(always)]
    fn probe<S: Simd>(
        &mut self,
        pair: &Centers<'_, S>,
        facet: Option<[[u32; 2]; 3]>,
    ) -> Option<()> {
        self.frame = Frame::new(pair)?;
        let frame = &self.frame;
        let probes = &probe(pair, frame, facet);
        self.known = Known::new(probes)?;
        self.views = [view_of_a(frame, probes), view_of_b(frame, probes)];
        let level = self.known.depth + 2.0 * frame.tolerance;
        let maps = [pair.a.polytope.gauss(), pair.b.polytope.gauss()];
        for (side, map) in maps.iter().enumerate() {
            let view = &self.views[side];
            if !self.reached[side].collect(pair.simd, map, view, level) {
                return None;
            }
        }
        Some(())
    }

    /// Step 4 by the proof of the least candidate, if that is all it takes.
    #[inline(always)]
    fn conclude<S: Simd>(
        &self,
        number: usize,
        proofs: &Proofs,
        pair: &Centers<'_, S>,
    ) -> Option<(Penetration, [[u32; 2]; 3])> {
        let (kind, others) = self.best?;
        let facet = proofs.facet(number, pair, kind)?;
        let unit = self.frame.unit;
        // The other way from a facet there is room for two balls, which a narrow interval must have none for.
        let inner = f64::from(self.frame.inner[0] + self.frame.inner[1]) * unit;
        if inner <= WIDTH * size_of(pair) {
            return None;
        }
        let others = f64::from(others) * unit;
        let floor = f64::from(self.known.depth + self.frame.tolerance) * unit;
        if others <= facet.bounds.upper {
            return None;
        }
        let lower = floor.min(others).min(facet.bounds.lower);
        answer(pair, facet, lower)
    }

    /// Step 4, with the least candidate last. Nothing that was left out is nearer than the floor.
    #[inline(always)]
    fn decide<S: Simd>(&mut self, pair: &Centers<'_, S>) -> Option<(Penetration, [[u32; 2]; 3])> {
        let unit = self.frame.unit;
        let floor = f64::from(self.known.depth + self.frame.tolerance) * unit;
        let mut best: Option<Facet> = None;
        let mut lower = floor;
        for _ in 0..MOST_LOOKS {
            let Some(&(bound, kind)) = self.candidates.last() else {
                return answer(pair, best?, lower);
            };
            self.candidates.len -= 1;
            let bound = f64::from(bound) * unit;
            if let Some(best) = &best
                && bound > best.bounds.upper
            {
                return answer(pair, *best, lower.min(bound));
            }
            let verdict = match kind {
                Kind::Face { side, face, vertex } => {
                    face::examine(pair, usize::from(side), face, vertex)
                }
                Kind::Edges(places) => {
                    let [on_a, on_b] = arcs_at(pair, places);
                    edges::examine(pair, [on_a.edge(), on_b.edge()])
                }
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
            self.candidates.put_least_last();
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
        // Not `max_element`, which branches on which is the largest.
        let [x, y, z] = side.center.abs().to_array();
        x.max(y).max(z).max(0.5 * side.polytope.radius())
    };
    size(&pair.a).max(size(&pair.b))
}

/// How many errors of a vertex the witness points may be off.
const MOST_MISS: f64 = 32.0;
