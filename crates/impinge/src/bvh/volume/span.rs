//! Points, segments, rectangles and boxes: how far two of them are apart, at least.
//!
//! All are a middle and up to three orthogonal axes with half a length each. Along any direction `d` the gap between
//! two of them is a short sum, and the gap divided by `|d|` is below their distance, *however `d` was found*. So
//! directions may be guessed, and the best one counts:
//!
//! 1. That between points found by projecting onto one and the other in turn (Cheney and Goldstein 1959), which is
//!    right, or soon becomes right, where corners or edges are closest.
//! 2. The normals of rectangles, and the cross products of two edges: right where a corner is closest to a face, or two
//!    edges cross.
//!
//! The source of swept spheres (Larsen, Gottschalk, Lin and Manocha, Fast Proximity Queries with Swept Sphere Volumes,
//! 1999) looks for the closest edges of rectangles by their Voronoi regions. What it finds it believes; here a bound
//! from below is wanted, and rounding in the search must not spoil it.
//!
//! **Error.** A gap is a sum of at most seven products of three factors, each at most the reach: less than `64 u` times
//! the reach.

use crate::bvh::frame::Relative;
use crate::math::Vec3;

/// A point, segment, rectangle or box, by `N`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<const N: usize> {
    pub(super) center: Vec3,
    /// Of unit length and orthogonal, up to a few roundings.
    pub(super) axes: [Vec3; N],
    pub(super) half: [f64; N],
}

/// How often each side is projected onto.
const STEPS: usize = 4;
/// A direction shorter than this says nothing.
const SHORTEST: f64 = 1e-100;

impl<const N: usize> Span<N> {
    /// A span of the second frame, in the first.
    #[inline]
    pub(super) fn placed(&self, relative: &Relative) -> Span<N> {
        Span {
            center: relative.place(self.center),
            axes: self.axes.map(|axis| relative.rotation * axis),
            half: self.half.map(|half| half * relative.scale),
        }
    }

    /// Its point nearest to another point.
    #[inline]
    pub(super) fn nearest(&self, point: Vec3) -> Vec3 {
        let from = point - self.center;
        let mut nearest = self.center;
        for k in 0..N {
            nearest += self.axes[k] * self.axes[k].dot(from).clamp(-self.half[k], self.half[k]);
        }
        nearest
    }

    /// How far it reaches from its middle along a direction, times the direction's length.
    #[inline]
    fn reach(&self, direction: Vec3) -> f64 {
        (0..N)
            .map(|k| self.half[k] * self.axes[k].dot(direction).abs())
            .sum()
    }
}

/// Two spans in one frame, and the best bound so far.
struct Gap<'s, const N: usize, const M: usize> {
    a: &'s Span<N>,
    b: &'s Span<M>,
    between: Vec3,
    best: f64,
}

impl<const N: usize, const M: usize> Gap<'_, N, M> {
    #[inline]
    fn try_along(&mut self, direction: Vec3) {
        let length = direction.length();
        if length > SHORTEST {
            let height = direction.dot(self.between).abs();
            let gap = height - self.a.reach(direction) - self.b.reach(direction);
            self.best = self.best.max(gap / length);
        }
    }
}

/// A number that is not above the distance of two spans, up to rounding; negative or 0 when they overlap.
///
/// The search ends when that number is above `enough`, or when points were found that are no farther apart than
/// `close`.
#[inline]
pub(super) fn gap_below<const N: usize, const M: usize>(
    a: &Span<N>,
    b: &Span<M>,
    enough: f64,
    close: f64,
) -> f64 {
    let between = b.center - a.center;
    let mut gap = Gap {
        a,
        b,
        between,
        best: f64::NEG_INFINITY,
    };
    if N + M == 0 {
        return between.length();
    }
    let mut on_b = b.nearest(a.center);
    for step in 0..STEPS {
        let on_a = a.nearest(on_b);
        on_b = b.nearest(on_a);
        let difference = on_b - on_a;
        gap.try_along(difference);
        // Points that are hardly farther apart than the bound: no direction is much better.
        let length = difference.length();
        if gap.best > enough || length <= close || length <= gap.best * 1.01 {
            return gap.best;
        }
        if step == 0 {
            try_normals(&mut gap);
            if gap.best > enough {
                return gap.best;
            }
        }
    }
    gap.best
}

/// Directions across a face of one of them, or across an edge of each.
#[inline]
fn try_normals<const N: usize, const M: usize>(gap: &mut Gap<'_, N, M>) {
    let (a, b) = (gap.a, gap.b);
    if N == 2 {
        gap.try_along(a.axes[0].cross(a.axes[1]));
    }
    if M == 2 {
        gap.try_along(b.axes[0].cross(b.axes[1]));
    }
    for axis in &a.axes {
        for other in &b.axes {
            gap.try_along(axis.cross(*other));
        }
    }
}
