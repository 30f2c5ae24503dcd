//! Finding, for a point that lost its facet, a facet of the fan that sees it.
//!
//! The planes of the fan all pass through its apex `p`, so they bound a convex cone `C`, pointed, with the horizon points
//! `a_0 .. a_(h-1)` on its edges: a point is seen by the fan exactly when it is outside `C`. A small fan is searched one
//! facet after the other. In a large one, whether a point `q` is inside `C` is the question whether a point is inside a
//! convex polygon, and is answered by bisection as there:
//!
//! If the two facets at `a_0` do not see `q`, then `q` is in their wedge. The half-planes that start at the line through
//! `p` and `a_0` and contain `a_1`, `a_2`, ... cut the wedge into slices, in this order. Within the slice between `a_k`
//! and `a_(k+1)`, `C` is bounded by facet `k` alone. `k` is the last place, among 1 to h - 2, at which `q` is not before
//! the half-plane. Slices without an inside (collinear horizon points, seen from `p`) are passed over by taking the last;
//! only the last slice of all needs care: it has an inside because we begin at an `a_0` that is not in the plane of `p`,
//! `a_(h-2)` and `a_(h-1)`.

use super::Builder;
use crate::exact::{Sign, orientation};

/// Fans of at least this many facets are searched by bisection. Below, looking at all costs less.
pub(super) const LARGE: usize = 32;

impl Builder<'_> {
    /// Hands each orphan to a facet of the fan around `apex` that sees it. Those that none sees are inside the hull and
    /// are dropped.
    pub(super) fn house_orphans(&mut self, apex: u32) {
        let orphans = std::mem::take(&mut self.orphans);
        if self.fan.len() >= LARGE && !orphans.is_empty() {
            self.begin_at_corner(apex);
        }
        // Neighbours in the list often see the same facet, so begin where the last one was housed.
        let mut hint = 0;
        for &point in &orphans {
            let found = if self.fan.len() < LARGE {
                self.search(hint, point)
            } else {
                self.bisect(apex, point)
            };
            if let Some((place, height)) = found {
                hint = place;
                let facet = &mut self.facets[self.fan[place] as usize];
                self.next[point as usize] = facet.push(point, height);
            }
        }
        self.orphans = orphans;
        let full = |f: &&u32| self.facets[**f as usize].has_waiting();
        self.pending.extend(self.fan.iter().filter(full));
    }

    /// The first place in the fan, from `hint` on and round, that sees the point, and how high it sees it.
    pub(super) fn search(&self, hint: usize, point: u32) -> Option<(usize, f64)> {
        let places = (hint..self.fan.len()).chain(0..hint);
        places
            .filter_map(|place| Some((place, self.height(self.fan[place], point)?)))
            .next()
    }

    /// The same for a large fan that begins at a corner; another place may be found if several see the point.
    pub(super) fn bisect(&self, apex: u32, point: u32) -> Option<(usize, f64)> {
        let at = |i: u32| self.points[i as usize];
        let look = |place: usize| Some((place, self.height(self.fan[place], point)?));
        let last = self.fan.len() - 1;
        look(0).or_else(|| look(last)).or_else(|| {
            let (p, a, q) = (at(apex), at(self.horizon[0].from), at(point));
            let not_before = self.horizon[1..last]
                .partition_point(|edge| orientation(p, a, at(edge.from), q) != Sign::Positive);
            look(not_before)
        })
    }

    /// Turns fan and horizon so that the last two facets are not coplanar. The cone has at least three edges, so there
    /// is such a place.
    pub(super) fn begin_at_corner(&mut self, apex: u32) {
        let at = |i: u32| self.points[i as usize];
        let count = self.horizon.len();
        let from = |i: usize| at(self.horizon[i % count].from);
        let corner = (0..count)
            .find(|i| orientation(at(apex), from(*i), from(i + 1), from(i + 2)) != Sign::Zero)
            .expect("a cone with an inside has planes that differ");
        let start = (corner + 2) % count;
        self.horizon.rotate_left(start);
        self.fan.rotate_left(start);
    }
}
