//! One insertion: find what sees the point, remove it, close the hole, find new places for the points that waited there.

use super::{Builder, NONE};

/// An edge between a facet that sees the new point and one that does not.
#[derive(Debug, Clone, Copy)]
pub(super) struct HorizonEdge {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The edge in the facet that stays, where it runs from `to` to `from`: `3 * facet + edge`.
    outer: u32,
}

impl Builder<'_> {
    /// Inserts the farthest of the points that wait at a facet.
    pub(super) fn insert(&mut self, facet: u32) {
        let point = self.facets[facet as usize].farthest;
        self.find_seen(facet, point);
        self.remove_seen(point);
        self.add_fan(point);
        self.house_orphans();
    }

    /// Collects the facets that see `point`, starting with one that does, and the edges around them.
    fn find_seen(&mut self, start: u32, point: u32) {
        self.round += 1;
        let (hidden, seen) = (2 * self.round, 2 * self.round + 1);
        self.seen.clear();
        self.horizon.clear();
        self.seen.push(start);
        self.facets[start as usize].mark = seen;
        let mut done = 0;
        while let Some(&facet) = self.seen.get(done) {
            done += 1;
            for k in 0..3 {
                let outer = self.facets[facet as usize].twins[k];
                let neighbour = outer / 3;
                if self.facets[neighbour as usize].mark < hidden {
                    let sees = self.height(neighbour, point).is_some();
                    self.facets[neighbour as usize].mark = if sees { seen } else { hidden };
                    if sees {
                        self.seen.push(neighbour);
                    }
                }
                if self.facets[neighbour as usize].mark == hidden {
                    let vertices = self.facets[facet as usize].vertices;
                    self.horizon.push(HorizonEdge {
                        from: vertices[k],
                        to: vertices[(k + 1) % 3],
                        outer,
                    });
                }
            }
        }
    }

    /// Removes the seen facets and collects the points that waited there, without `point` itself.
    fn remove_seen(&mut self, point: u32) {
        self.orphans.clear();
        for &facet in &self.seen {
            let mut waiting = self.facets[facet as usize].first;
            while waiting != NONE {
                if waiting != point {
                    self.orphans.push(waiting);
                }
                waiting = self.next[waiting as usize];
            }
            self.facets[facet as usize].remove();
        }
        self.free.append(&mut self.seen);
    }

    /// Joins each horizon edge to `point` by a new facet.
    fn add_fan(&mut self, point: u32) {
        self.fan.clear();
        for i in 0..self.horizon.len() {
            let HorizonEdge { from, to, outer } = self.horizon[i];
            let facet = self.add_facet([from, to, point], [outer, NONE, NONE]);
            self.facets[(outer / 3) as usize].twins[(outer % 3) as usize] = 3 * facet;
            self.facet_from[from as usize] = facet;
            self.fan.push(facet);
        }
        // The horizon is a loop: where one of its edges ends, exactly one other starts.
        for &facet in &self.fan {
            let next = self.facet_from[self.facets[facet as usize].vertices[1] as usize];
            self.facets[facet as usize].twins[1] = 3 * next + 2;
            self.facets[next as usize].twins[2] = 3 * facet + 1;
        }
    }

    /// Hands each orphan to a facet of the fan that sees it. Those that none sees are inside the hull and are dropped.
    pub(super) fn house_orphans(&mut self) {
        // Neighbours in the list often see the same facet, so begin where the last one was housed.
        let mut begin = 0;
        for &point in &self.orphans {
            if let Some((place, height)) = self.search_fan(begin, point) {
                begin = place;
                let facet = &mut self.facets[self.fan[place] as usize];
                self.next[point as usize] = facet.push(point, height);
            }
        }
        let has_waiting = |f: &&u32| self.facets[**f as usize].has_waiting();
        self.pending.extend(self.fan.iter().filter(has_waiting));
    }

    /// The first place in the fan, from `begin` on and round, that sees the point, and how high it sees it.
    ///
    /// Bisecting the cone of a large fan instead was tried on cones, domes, ridges and stacked rings of 100 000 points:
    /// points are seldom left to house once a fan is large, and nothing got faster.
    fn search_fan(&self, begin: usize, point: u32) -> Option<(usize, f64)> {
        let mut places = (begin..self.fan.len()).chain(0..begin);
        places.find_map(|place| Some((place, self.height(self.fan[place], point)?)))
    }
}
