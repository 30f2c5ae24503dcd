//! The vertices that are the farthest, or nearly so, along some direction of a cell.
//!
//! On the side of the cube that a cell is a part of, directions are `d = (1, u, v)`, up to the order of coordinates, so that
//! products with `d` are linear in `u` and `v`. A vertex is higher than its neighbour, or lower by less than a slack, in a half plane.
//! The square is cut by those of all its neighbours, and if something is left the vertex belongs to the cell.
//!
//! **Why nothing is missed.** Let a vertex be within a true margin of the farthest along some `d` of the cell. Then it is below none of its
//! neighbours by more than that, so no cut takes `d` away; the neighbours alone are fewer cuts than all vertices would be. The slack, times the
//! length of the longest `d`, is larger than any margin that is asked for by so much that a disc about `d` of 1e-5 is left, or a quarter of
//! one at the rim of the square, which is wider by as much. Rounding in `f64` moves cuts by some 1e-15.
//!
//! **Why a walk finds them.** From a vertex within the margin along `d` there is a way to the farthest one across neighbours, each
//! higher along `d`, all of them within the margin. The farthest vertices along all directions of the cell are connected, too: where one
//! follows another, both are on the same face. So a walk from the farthest vertex along any direction of the cell
//! that goes on from vertices of the cell only, sees all of them.

use super::super::Polytope;
use super::KEPT;
use super::grid::Square;
use crate::math::Vec3;
use arrayvec::{ArrayVec, CapacityError};

/// No direction to a point of a side of the cube is longer.
const LONGEST: f64 = 1.8;

/// The most corners of what is left of a square. A cut adds one, or two if rounding has bent the outline. Of more neighbours than that
/// allows the others cut nothing; and where rounding should have bent it so much that there are more corners, the vertex is taken to be one of the cell.
const CORNERS: usize = 64;
const CUTS: usize = (CORNERS - 4) / 2;

/// Finds vertices; its room is used again.
pub(super) struct Tops<'a> {
    polytope: &'a Polytope,
    /// The vertices about the centre, in units of the packed form.
    pub(super) points: Vec<Vec3>,
    /// How far the vertices are from the origin at most.
    reach: f64,
    /// A vertex of the last cell, which is near the next one.
    near: u32,
    /// For each vertex the number of the last cell that it was seen from.
    seen: Vec<u32>,
    number: u32,
    left: Polygon,
    next: Polygon,
}

/// A convex part of a side of the cube.
type Polygon = ArrayVec<[f64; 2], CORNERS>;

impl<'a> Tops<'a> {
    /// For a polytope whose centre is known, in units of `scale`.
    pub(super) fn new(polytope: &'a Polytope, scale: f64) -> Tops<'a> {
        let vertices = polytope.vertices.iter();
        let lengths = polytope.vertices.iter().map(|v| v.length());
        Tops {
            polytope,
            points: vertices.map(|v| (*v - polytope.centroid) / scale).collect(),
            reach: lengths.fold(0.0, f64::max),
            near: 0,
            seen: vec![0; polytope.vertices.len()],
            number: 0,
            left: Polygon::new(),
            next: Polygon::new(),
        }
    }

    /// The vertices of a cell, each once.
    pub(super) fn of(&mut self, square: &Square) -> Vec<u32> {
        self.number += 1;
        let mut waiting = vec![self.farthest(square.middle())];
        self.near = waiting[0];
        self.seen[waiting[0] as usize] = self.number;
        let mut found = Vec::new();
        while let Some(vertex) = waiting.pop() {
            if !self.is_of(vertex, square) {
                continue;
            }
            found.push(vertex);
            for neighbour in self.polytope.neighbours(vertex as usize) {
                let seen = &mut self.seen[*neighbour as usize];
                if *seen != self.number {
                    *seen = self.number;
                    waiting.push(*neighbour);
                }
            }
        }
        found
    }

    /// A vertex that is the farthest along a direction to a point of the cube, or less by rounding. Not by a mere climb, which rounding may
    /// stop on nearly flat ground far below the top.
    fn farthest(&self, direction: Vec3) -> u32 {
        // A product is off by 1.5 EPSILON of the lengths of both.
        let margin = 4.0 * f64::EPSILON * LONGEST * self.reach;
        if let Some(high) = self.polytope.near_top(direction, self.near, margin) {
            return high.as_slice()[0];
        }
        let along = self.points.iter().map(|point| direction.dot(*point));
        let best = along
            .enumerate()
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.expect("there are vertices").0 as u32
    }

    /// Whether a vertex is one of a cell.
    fn is_of(&mut self, vertex: u32, square: &Square) -> bool {
        let ([u, v], [s, t]) = (square.low, square.high);
        let ring = self.polytope.neighbours(vertex as usize);
        let mut cuts = ArrayVec::<[f64; 3], CUTS>::new();
        for neighbour in ring.iter().take(CUTS) {
            let lower = self.points[vertex as usize] - self.points[*neighbour as usize];
            let [constant, of_u, of_v] = square.linear(lower);
            let constant = constant + LONGEST * KEPT;
            let most = constant + (of_u * u).max(of_u * s) + (of_v * v).max(of_v * t);
            let least = constant + (of_u * u).min(of_u * s) + (of_v * v).min(of_v * t);
            if most < 0.0 {
                return false;
            }
            // The others cut nothing.
            if least < 0.0 {
                cuts.push([constant, of_u, of_v]);
            }
        }
        self.left.clear();
        self.left.extend([[u, v], [s, v], [s, t], [u, t]]);
        for line in cuts {
            if cut(&self.left, &mut self.next, line).is_err() {
                return true;
            }
            if self.next.is_empty() {
                return false;
            }
            std::mem::swap(&mut self.left, &mut self.next);
        }
        true
    }
}

/// The part of a polygon where a linear function is not negative; fails when it has too many corners.
fn cut(
    polygon: &Polygon,
    part: &mut Polygon,
    [constant, of_u, of_v]: [f64; 3],
) -> Result<(), CapacityError<[f64; 2]>> {
    let height = |[u, v]: [f64; 2]| constant + of_u * u + of_v * v;
    part.clear();
    let Some(mut from) = polygon.last().map(|corner| (*corner, height(*corner))) else {
        return Ok(());
    };
    for corner in polygon {
        let to = (*corner, height(*corner));
        if (from.1 < 0.0) != (to.1 < 0.0) {
            let share = from.1 / (from.1 - to.1);
            let at = |axis: usize| from.0[axis] + share * (to.0[axis] - from.0[axis]);
            part.try_push([at(0), at(1)])?;
        }
        if to.1 >= 0.0 {
            part.try_push(to.0)?;
        }
        from = to;
    }
    Ok(())
}
