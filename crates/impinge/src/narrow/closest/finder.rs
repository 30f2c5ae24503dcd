//! How vertices are named, and found along directions: by bits where there are few, in a table of directions where there are hundreds or thousands.

use super::super::pair::PolytopePair;
use super::super::search::{Names, Part};
use super::super::wide::{Columns, Wide};
use super::{Along, Bodies, Body, Ended};
use crate::shape::{Polytope, TABLED_FROM, TABLED_TO};
use fearless_simd::{Simd, u32x8};

/// The most vertices of a small polytope: one bit each.
const MOST_VERTICES: usize = 32;

/// How large both polytopes of a pair are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) enum Size {
    /// Both are small: [`Bits`](super::Bits).
    Small,
    /// Both have tables: [`Cells`](super::Cells).
    Medium,
    /// Anything else, which is not measured together.
    #[default]
    Other,
}

/// How large both polytopes of a pair are.
#[inline(always)]
pub(in super::super) fn size_of(pair: &PolytopePair<'_>) -> Size {
    // What is not packed has no vertices to scan.
    let count = |polytope: &Polytope| {
        polytope
            .packed()
            .map_or(usize::MAX, |packed| packed.vertices.len())
    };
    let (a, b) = (count(pair.a), count(pair.b));
    let (least, most) = (a.min(b), a.max(b));
    if most <= MOST_VERTICES {
        Size::Small
    } else if (least > TABLED_FROM) & (most <= TABLED_TO) {
        Size::Medium
    } else {
        Size::Other
    }
}

/// Where support points of eight pairs come from, and which vertices were nearly the farthest in the last scan of each. A name of 0 is
/// the centre.
pub(in super::super) trait Finder {
    /// Nothing is found yet.
    const NONE: Self;
    /// The size of the pairs that it is for.
    const SIZE: Size;
    /// The largest margin that scans take, as a share of the length of a direction and in units of the polytope.
    const MOST: f64;

    /// The name of a vertex.
    fn name(vertex: u32) -> u32;

    /// The vertices of names, or [`CENTER`](super::super::pair::CENTER).
    fn vertices<S: Simd>(simd: S, names: u32x8<S>) -> u32x8<S>;

    /// The packed form of a vertex.
    fn point(body: &Body<'_>, vertex: u32) -> [f32; 3];

    /// Asks for what leads to what a pair needs, well before, and for that itself, once the other has arrived.
    fn fetch_headers(pair: &PolytopePair<'_>);
    fn fetch(pair: &PolytopePair<'_>);

    /// Gets ready for eight pairs.
    fn begin(&mut self, bodies: &Bodies<'_>);

    /// Finds the support points of some lanes, their names and packed forms, given the nearest parts so far and the directions as both bodies
    /// see them.
    fn scan<S: Simd>(
        &mut self,
        simd: S,
        bodies: &Bodies<'_>,
        scan: (&Part<S>, [Wide<S>; 2], Along),
        todo: u32,
        found: (&mut Names, &mut [Columns; 2]),
    );

    /// One bit for each lane where a vertex may have been nearly the farthest that is no corner of the part.
    fn has_others<S: Simd>(&mut self, simd: S, part: &Part<S>) -> u32;

    /// Calls `visit` with the side and the number of each such vertex, after [`Finder::has_others`].
    fn for_each_other<S: Simd>(
        &self,
        simd: S,
        lane: usize,
        bodies: &[Body<'_>; 2],
        corners: &Ended,
        visit: impl FnMut(usize, u32),
    );

    /// Asks for what a proof with some corners reads, and, once that has arrived, for what naming a feature at a vertex reads.
    fn fetch_proof(body: &Body<'_>, corners: [u32; 3]);
    fn fetch_around(body: &Body<'_>, vertex: u32);
}
