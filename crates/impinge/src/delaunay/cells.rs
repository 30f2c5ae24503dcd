//! Tetrahedra and ghosts with their neighbours, while points come.
//!
//! A *ghost* has the corner [`GHOST`], which is nowhere, and a facet of the hull. It is oriented like any other cell: as if
//! that corner were outside the facet. Slots of cells that made room are used again.

use crate::exact::{Sign, in_sphere, orientation};
use crate::math::Vec3;

/// No cell.
pub(super) const NONE: u32 = u32::MAX;
/// The corner of ghosts that is nowhere.
pub(super) const GHOST: u32 = u32::MAX;

/// The places of the corners of the facet opposite each corner, such that this corner is on its positive side.
pub(super) const FACETS: [[usize; 3]; 4] = [[1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]];

/// A tetrahedron or a ghost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) corners: [u32; 4],
    /// Opposite each corner.
    pub(super) neighbors: [u32; 4],
}

/// The cells so far.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) cells: Vec<Cell>,
    /// Slots that are not in use.
    pub(super) free: Vec<u32>,
    /// For each slot the last point that asked about it, twice its number, plus one if the cell must make room for it.
    pub(super) asked: Vec<u64>,
    /// A cell that was made last.
    pub(super) last: u32,
    /// Lists that are kept from point to point.
    pub(super) room: Vec<u32>,
    pub(super) edges: Vec<Edge>,
}

/// An edge of the border of a room, and the new cell that has it opposite one of its corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    pub(super) cell: u32,
    pub(super) place: u8,
}

impl Cells {
    /// A tetrahedron of four points that span a volume, and its four ghosts.
    pub(super) fn new(points: &[Vec3], [p, q, r, s]: [u32; 4]) -> Cells {
        let at = |i: u32| points[i as usize];
        let corners = match orientation(at(p), at(q), at(r), at(s)) {
            Sign::Positive => [p, q, r, s],
            Sign::Negative | Sign::Zero => [q, p, r, s],
        };
        let mut cells = vec![Cell {
            corners,
            neighbors: [1, 2, 3, 4],
        }];
        for facet in FACETS {
            let [p, q, r] = facet;
            // The ghost opposite a corner is the one behind the facet opposite that corner.
            let behind = |place: usize| place as u32 + 1;
            cells.push(Cell {
                corners: [corners[p], corners[r], corners[q], GHOST],
                neighbors: [behind(p), behind(r), behind(q), 0],
            });
        }
        Cells {
            asked: vec![u64::MAX; cells.len()],
            cells,
            free: Vec::new(),
            last: 0,
            room: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// The place of the corner that is nowhere.
    pub(super) fn ghost_place(&self, cell: u32) -> Option<usize> {
        let corners = &self.cells[cell as usize].corners;
        corners.iter().position(|corner| *corner == GHOST)
    }

    /// Whether a cell must make room for a point. See the [module](super) for ties.
    pub(super) fn is_in_conflict(&self, points: &[Vec3], cell: u32, point: Vec3) -> bool {
        let Some(place) = self.ghost_place(cell) else {
            return self.is_in_sphere(points, cell, point);
        };
        let Cell { corners, neighbors } = &self.cells[cell as usize];
        let [p, q, r] = FACETS[place].map(|place| points[corners[place] as usize]);
        match orientation(p, q, r, point) {
            Sign::Positive => true,
            Sign::Negative => false,
            // The sphere of the cell in front meets the plane in the circle of the facet.
            Sign::Zero => self.is_in_sphere(points, neighbors[place], point),
        }
    }

    fn is_in_sphere(&self, points: &[Vec3], cell: u32, point: Vec3) -> bool {
        let corners = self.cells[cell as usize].corners;
        let [p, q, r, s] = corners.map(|corner| points[corner as usize]);
        in_sphere(p, q, r, s, point) == Sign::Positive
    }

    /// A slot for a cell.
    pub(super) fn add(&mut self, cell: Cell) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.cells[slot as usize] = cell;
            return slot;
        }
        self.cells.push(cell);
        self.asked.push(u64::MAX);
        self.cells.len() as u32 - 1
    }

    /// The tetrahedra in use and their neighbours, without ghosts.
    pub(super) fn finish(mut self) -> (Vec<[u32; 4]>, Vec<[u32; 4]>) {
        for slot in &self.free {
            self.cells[*slot as usize].corners[0] = GHOST;
        }
        let mut numbers = vec![NONE; self.cells.len()];
        let mut count = 0;
        for (cell, number) in self.cells.iter().zip(&mut numbers) {
            if !cell.corners.contains(&GHOST) {
                *number = count;
                count += 1;
            }
        }
        let kept = self.cells.iter().zip(&numbers);
        let kept = kept.filter(|(_, number)| **number != NONE);
        kept.map(|(cell, _)| {
            let neighbors = cell.neighbors.map(|slot| numbers[slot as usize]);
            (cell.corners, neighbors)
        })
        .unzip()
    }
}
