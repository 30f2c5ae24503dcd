//! Which faces and edges of a polytope may have to do with the depth, by bounds from below.
//!
//! Let `h(n)` be how far `b` must move along `n` to be apart from `a`. Where `n` is the normal of a face of `a`, or on the
//! arc of an edge, `h(n)` is at least `n . (v - q)` for the vertices `v` there and any point `q` of `b`; with a ball of
//! radius `r` about `q` inside `b`, at least `n . (v - q) + r`. With `x_i = n_i . (v - q)` at the two ends of an arc, all of
//! the arc is above a level `T`, which is positive, when
//!
//! - `x_i + (r - T) >= 0` at both ends, for `r <= T`: a point between is `n = s n_1 + t n_2` with `s, t >= 0`, and `1` is at
//!   most `s + t`;
//! - `x_i + (r - T) c >= 0` at both ends, for `r > T` and `c` the cosine of half of the arc: `1` is at least `(s + t) c`.
//!
//! Both ends must be above by *the same* point: `h` is convex, and between two high ends it may be low. There are three
//! tests, one with the ball about the other's centre and two with points. A face is left out when one of them says so, an
//! arc when one of them says so for both ends.
//!
//! Nothing here assumes that the polytopes overlap. What it takes to scan a polytope depends on its size:
//! [`few`](super::few), [`many`](super::many).

use super::faces::LeftFaces;
use super::few::Heights;
use super::many::{Reached, Scan};
use crate::shape::{GaussMap, Layout};
use fearless_simd::Simd;
use glam::Vec3A;

/// The most arcs that are worth comparing with each other.
pub(super) const MOST_ARCS: usize = 192;
/// The most faces that are looked at.
pub(super) const MOST_FACES: usize = 256;

/// What one polytope is held against, in its own frame and unit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct View {
    /// The centre of the other, and the radius of a ball about it that is inside.
    pub(super) center: [f32; 3],
    pub(super) radius: f32,
    /// How far away the centre is.
    pub(super) distance: f32,
    /// Points of the other.
    pub(super) points: [[f32; 3]; 2],
    /// The unit of all this is the inverse of it.
    pub(super) scale: f32,
}

impl View {
    /// A view of a polytope in whose frame the other's centre is at `center`, a ball of that radius about it inside the
    /// other, and two more of the other's points. All in units of the pair; that of the polytope is `share`.
    #[inline(always)]
    pub(super) fn new(center: Vec3A, radius: f32, points: [Vec3A; 2], share: f32) -> View {
        let scale = share.recip();
        View {
            center: (center * scale).to_array(),
            radius: radius * scale,
            distance: center.length() * scale,
            points: [
                (points[0] * scale).to_array(),
                (points[1] * scale).to_array(),
            ],
            scale,
        }
    }
}

/// What is left.
#[derive(Debug, Default)]
pub(super) struct Left {
    heights: Heights,
    scan: Scan,
    /// Of few faces those that are left, one bit each; of many there is a list.
    pub(super) few: u64,
    pub(super) faces: LeftFaces,
}

/// The arcs that are left, by their places in the Gauss map.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftArcs {
    /// Filled up to eights by repeating the first.
    places: [u32; MOST_ARCS + EIGHT],
    len: usize,
}

/// Arcs are compared by eights.
pub(super) const EIGHT: usize = 8;

impl Default for LeftArcs {
    fn default() -> LeftArcs {
        LeftArcs {
            places: [0; MOST_ARCS + EIGHT],
            len: 0,
        }
    }
}

impl LeftArcs {
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u32] {
        &self.places[..self.len.min(MOST_ARCS)]
    }

    /// Eight of them from a place on. There must be one at the place.
    #[inline(always)]
    pub(super) fn eight(&self, first: usize) -> &[u32; EIGHT] {
        let eight = self.places[first..].first_chunk();
        eight.expect("places are filled up")
    }

    /// Asks for all of them. Usually there are at most eight, and a loop as long as there are some has an end that is hard to foresee.
    #[inline(always)]
    pub(super) fn fetch(&self, map: &GaussMap) {
        for place in &self.places[..EIGHT] {
            map.fetch_arc(*place);
        }
        for place in self.as_slice().iter().skip(EIGHT) {
            map.fetch_arc(*place);
        }
    }

    /// Sets them to the bits that are set.
    #[inline(always)]
    fn set_bits(&mut self, mut bits: u64) {
        self.len = bits.count_ones() as usize;
        // Usually there are at most eight. A loop as long as there are bits has an end that is hard to foresee.
        for place in &mut self.places[..EIGHT] {
            *place = bits.trailing_zeros() % u64::BITS;
            bits &= bits.wrapping_sub(1);
        }
        let mut count = EIGHT;
        while bits != 0 {
            self.places[count] = bits.trailing_zeros();
            bits &= bits - 1;
            count += 1;
        }
        self.fill_up();
    }

    #[inline(always)]
    fn fill_up(&mut self) {
        let first = self.places[0];
        let len = self.len.min(MOST_ARCS);
        self.places[len..len + EIGHT].copy_from_slice(&[first; EIGHT]);
    }
}

impl Left {
    /// Finds the faces that are not above a level, in units of the pair, for which blocks were [`Reached`]; false when there are too many.
    #[inline(always)]
    pub(super) fn collect<S: Simd>(
        &mut self,
        simd: S,
        map: &GaussMap,
        view: &View,
        level: f32,
        reached: &Reached,
    ) -> bool {
        let level = level * view.scale;
        match &map.layout {
            Layout::Few(few) => {
                self.faces.clear();
                self.few = self.heights.measure(simd, few, view, level);
                true
            }
            Layout::Many(many) => {
                self.few = 0;
                let (scan, faces) = (&mut self.scan, &mut self.faces);
                scan.collect(simd, many, view, level, reached, faces)
                    .is_some()
            }
        }
    }

    /// Finds the arcs that are not above a level, which is not above that of [`Left::collect`]; false when there are too many.
    #[inline(always)]
    pub(super) fn collect_arcs<S: Simd>(
        &mut self,
        simd: S,
        map: &GaussMap,
        view: &View,
        level: f32,
        arcs: &mut LeftArcs,
    ) -> bool {
        let level = level * view.scale;
        match &map.layout {
            Layout::Few(few) => {
                arcs.set_bits(self.heights.arcs(simd, few, view, level));
                true
            }
            Layout::Many(many) => {
                let scan = &mut self.scan;
                let count = scan.arcs(simd, many, view, level, &mut arcs.places);
                arcs.len = count.unwrap_or(0);
                arcs.fill_up();
                count.is_some()
            }
        }
    }
}
