//! Extreme vertices by climbing: from a vertex to its neighbours, always farther along a direction.
//!
//! On a convex polytope a vertex without a better neighbour is the best of all. Rounding blurs "better", so what is found
//! is a set: all vertices that are within a margin of the best one and can be reached from it through such vertices.
//!
//! **Why the set is enough.** Let `h` be the true products with the direction, each computed with an error of at most
//! `e`, let `m` be the vertex of the set with the largest computed product and let the margin be more than `2 e`. If a
//! vertex outside the set were truly better than all inside, then the truly best vertex `s` of the set would have a truly
//! better neighbour `n`, outside. Being outside, its computed product is below that of `m` by more than the margin, so
//! `h(n) < h(m) - 2 e + 2 e <= h(s)`: a contradiction. More generally, the vertices above any true height are connected, so
//! the set has every vertex that is truly within the margin minus `2 e` of the best.
//!
//! **Cost.** From a start near the top a few neighbourhoods; from a table of 64 well spread vertices on `n` about
//! `sqrt(n / 64)` steps.

use super::Polytope;
use crate::math::Vec3;

/// The most vertices that are tried one by one.
const TRIED: usize = 64;
/// The most vertices of a near-extreme set; a polygon of more corners is found by branch and bound.
const SET: usize = 32;
/// How many vertices are kept as starts.
const STARTS: usize = 64;

/// Vertices of a large polytope in all directions (Fibonacci's spiral), where climbs begin; none for a small one.
pub(super) fn starts(polytope: &Polytope) -> Vec<u32> {
    if polytope.vertices.len() <= TRIED {
        return Vec::new();
    }
    let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let mut starts: Vec<u32> = (0..STARTS)
        .map(|k| {
            let z = 1.0 - (2 * k + 1) as f64 / STARTS as f64;
            let (sin, cos) = (turn * k as f64).sin_cos();
            let ring = (1.0 - z * z).sqrt();
            polytope.climb(Vec3::new(ring * cos, ring * sin, z), 0)
        })
        .collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

impl Polytope {
    /// The vertex that is farthest along a direction of ordinary length, as far as `f64` can tell: by trying all of a
    /// few, by climbing among many.
    pub(crate) fn farthest(&self, direction: Vec3) -> u32 {
        let best = |tried: &mut dyn Iterator<Item = u32>| {
            let along = tried.map(|v| (v, direction.dot(self.vertices[v as usize])));
            let best = along.reduce(|best, next| if next.1 > best.1 { next } else { best });
            best.expect("there are vertices").0
        };
        if self.starts.is_empty() {
            best(&mut (0..self.vertices.len() as u32))
        } else {
            self.climb(direction, best(&mut self.starts.iter().copied()))
        }
    }

    /// A vertex without a neighbour that is farther along the direction, as far as `f64` can tell.
    pub(crate) fn climb(&self, direction: Vec3, start: u32) -> u32 {
        let mut best = start;
        let mut height = direction.dot(self.vertices[start as usize]);
        loop {
            let here = best;
            for neighbour in self.neighbours(here as usize) {
                let along = direction.dot(self.vertices[*neighbour as usize]);
                if along > height {
                    (best, height) = (*neighbour, along);
                }
            }
            if best == here {
                return best;
            }
        }
    }

    /// The vertices whose products with the direction are within `margin` of the largest, found by climbing from
    /// `start`. The margin must be more than twice the error of a product. `None` when there are more than fit.
    pub(crate) fn near_top(&self, direction: Vec3, start: u32, margin: f64) -> Option<NearTop> {
        let height = |vertex: u32| direction.dot(self.vertices[vertex as usize]);
        let mut top = self.climb(direction, start);
        'climb: loop {
            let floor = height(top) - margin;
            let mut found = NearTop::with(top);
            let mut next = 0;
            while let Some(vertex) = found.as_slice().get(next).copied() {
                next += 1;
                for neighbour in self.neighbours(vertex as usize) {
                    let along = height(*neighbour);
                    if along > height(top) {
                        // A plateau that rounding made of a slope: go on from above it.
                        top = self.climb(direction, *neighbour);
                        continue 'climb;
                    }
                    if along >= floor && !found.push(*neighbour) {
                        return None;
                    }
                }
            }
            return Some(found);
        }
    }
}

/// A few vertices, the highest first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearTop {
    vertices: [u32; SET],
    len: usize,
}

impl NearTop {
    fn with(vertex: u32) -> NearTop {
        NearTop {
            vertices: [vertex; SET],
            len: 1,
        }
    }

    /// Adds a vertex unless it is there; false when there is no room.
    fn push(&mut self, vertex: u32) -> bool {
        if self.as_slice().contains(&vertex) {
            return true;
        }
        if self.len == SET {
            return false;
        }
        self.vertices[self.len] = vertex;
        self.len += 1;
        true
    }

    /// The vertices.
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.vertices[..self.len]
    }
}
