//! One point more.
//!
//! 1. Walk from the last place to a cell that holds the point, or to a ghost that sees it.
//! 2. Gather the cells that must make room: they hang together, so going from neighbour to neighbour finds all.
//! 3. Each facet between such a cell and one that stays becomes a new cell with the point.
//! 4. New cells are neighbours across the edges of these facets: each edge belongs to two of them.

use super::cells::{Cell, Cells, Edge, FACETS, NONE};
use crate::exact::{Sign, orientation};
use crate::math::Vec3;

impl Cells {
    /// Adds a point at which there is none yet.
    pub(super) fn insert(&mut self, points: &[Vec3], number: u32) {
        let point = points[number as usize];
        let start = self.find_conflict(points, point);
        self.gather(points, number, start);
        self.fill(number);
        self.join();
        self.free.append(&mut self.room);
    }

    /// A cell that must make room for the point.
    fn find_conflict(&self, points: &[Vec3], point: Vec3) -> u32 {
        let mut at = self.last;
        if let Some(place) = self.ghost_place(at) {
            at = self.cells[at as usize].neighbors[place];
        }
        // Cells of Delaunay's kind do not hide each other in circles, but ties may have been cut so that they do.
        for _ in 0..self.cells.len() {
            match self.facet_towards(points, at, point) {
                // The border of a tetrahedron is strictly inside its sphere, but for the corners.
                None => return at,
                Some(next) if self.ghost_place(next).is_some() => return next,
                Some(next) => at = next,
            }
        }
        let mut all = (0..self.cells.len() as u32).filter(|cell| !self.free.contains(cell));
        all.find(|cell| self.is_in_conflict(points, *cell, point))
            .expect("every new point is in conflict with the cell that it is in")
    }

    /// The neighbour behind a facet of a tetrahedron that the point is strictly beyond.
    fn facet_towards(&self, points: &[Vec3], cell: u32, point: Vec3) -> Option<u32> {
        let Cell { corners, neighbors } = &self.cells[cell as usize];
        let beyond = (0..4).find(|k| {
            let [p, q, r] = FACETS[*k].map(|place| points[corners[place] as usize]);
            orientation(p, q, r, point) == Sign::Negative
        });
        beyond.map(|k| neighbors[k])
    }

    /// Lists the cells that must make room, beginning with one of them.
    fn gather(&mut self, points: &[Vec3], number: u32, start: u32) {
        let stay = 2 * u64::from(number);
        let leave = stay + 1;
        self.room.clear();
        self.room.push(start);
        self.asked[start as usize] = leave;
        let mut next = 0;
        while let Some(cell) = self.room.get(next).copied() {
            next += 1;
            for neighbor in self.cells[cell as usize].neighbors {
                if self.asked[neighbor as usize] | 1 == leave {
                    continue;
                }
                let is_leaving = self.is_in_conflict(points, neighbor, points[number as usize]);
                self.asked[neighbor as usize] = if is_leaving { leave } else { stay };
                if is_leaving {
                    self.room.push(neighbor);
                }
            }
        }
    }

    /// Makes the new cells, and links them with those that stay.
    fn fill(&mut self, number: u32) {
        let leave = 2 * u64::from(number) + 1;
        self.edges.clear();
        for k in 0..self.room.len() {
            let leaving = self.room[k];
            let Cell { corners, neighbors } = self.cells[leaving as usize];
            for (facet, outside) in FACETS.iter().zip(neighbors) {
                if self.asked[outside as usize] == leave {
                    continue;
                }
                let [p, q, r] = facet.map(|place| corners[place]);
                let new = self.add(Cell {
                    corners: [p, q, r, number],
                    neighbors: [NONE, NONE, NONE, outside],
                });
                self.asked[new as usize] = leave - 1;
                let back = &mut self.cells[outside as usize].neighbors;
                let place = back.iter().position(|other| *other == leaving);
                back[place.expect("neighbours know each other")] = new;
                for (place, [s, t]) in [(0, [q, r]), (1, [r, p]), (2, [p, q])] {
                    self.edges.push(Edge {
                        ends: [s.min(t), s.max(t)],
                        cell: new,
                        place,
                    });
                }
                self.last = new;
            }
        }
    }

    /// Links the new cells with each other.
    fn join(&mut self) {
        self.edges.sort_unstable();
        for two in self.edges.chunks_exact(2) {
            let [p, q] = [two[0], two[1]];
            debug_assert_eq!(p.ends, q.ends, "each edge belongs to two facets");
            self.cells[p.cell as usize].neighbors[usize::from(p.place)] = q.cell;
            self.cells[q.cell as usize].neighbors[usize::from(q.place)] = p.cell;
        }
    }
}
