//! One insertion: find what sees the point, remove it, close the hole.

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
        self.order_horizon();
        self.remove_seen(point);
        self.add_fan(point);
        self.house_orphans(point);
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

    /// Puts the horizon edges in order: each starts where the one before it ends.
    fn order_horizon(&mut self) {
        for (i, edge) in (0..).zip(&self.horizon) {
            self.starts[edge.from as usize] = i;
        }
        for i in 1..self.horizon.len() {
            let next = self.starts[self.horizon[i - 1].to as usize] as usize;
            self.horizon.swap(i, next);
            self.starts[self.horizon[next].from as usize] = next as u32;
            self.starts[self.horizon[i].from as usize] = i as u32;
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
            self.fan.push(facet);
        }
        let mut before = self.fan[self.fan.len() - 1];
        for &facet in &self.fan {
            self.facets[before as usize].twins[1] = 3 * facet + 2;
            self.facets[facet as usize].twins[2] = 3 * before + 1;
            before = facet;
        }
    }
}
