//! Solids that hold another shape inside without touching it.
//!
//! When no piece of one shape meets the surface of a solid, each connected part of the shape is either all inside the
//! solid or all outside: one point a part decides. A part is a set of pieces that hang together by equal corners.
//! The cost is one pass over the solid's triangles for each part whose point is in the solid's box.

use super::convex::Convex;
use super::pieces::{Piece, Pieces};
use super::set::Bounded;
use crate::exact::{Location, locate};
use crate::math::{Aabb, Vec3};
use std::collections::HashMap;

/// A point of one shape inside the other, which is a solid.
#[derive(Debug)]
pub(super) enum Contained<'p> {
    /// A piece of the first shape is inside the second.
    First(&'p Piece),
    /// A piece of the second shape is inside the first.
    Second(&'p Piece),
}

/// Finds a part of one shape inside the other, for two shapes whose pieces do not meet.
pub(super) fn find_contained<'p>(a: &'p Bounded, b: &'p Bounded) -> Option<Contained<'p>> {
    if b.is_solid
        && let Some(piece) = part_inside(&a.pieces, &b.pieces)
    {
        return Some(Contained::First(piece));
    }
    if a.is_solid
        && let Some(piece) = part_inside(&b.pieces, &a.pieces)
    {
        return Some(Contained::Second(piece));
    }
    None
}

fn part_inside<'p>(pieces: &'p Pieces, solid: &Pieces) -> Option<&'p Piece> {
    let bounds = solid.iter().map(|piece| piece.bounds);
    let bounds: Option<Aabb> = bounds.reduce(|all, next| all.merge(&next));
    one_piece_a_part(pieces).into_iter().find(|piece| {
        let point = piece.convex.some_point();
        bounds.is_some_and(|b| b.contains(point))
            && locate(point, triangles(solid)) != Location::Outside
    })
}

fn triangles(solid: &Pieces) -> impl Iterator<Item = [Vec3; 3]> {
    solid.iter().filter_map(|piece| match &piece.convex {
        Convex::Triangle(corners) => Some(*corners),
        Convex::Hull(_) | Convex::Curved(_) | Convex::Custom(_) => None,
    })
}

/// The first piece of each connected part.
fn one_piece_a_part(pieces: &Pieces) -> Vec<&Piece> {
    let pieces: Vec<&Piece> = pieces.iter().collect();
    let mut groups = Groups::new(pieces.len());
    let mut first_at: HashMap<[u64; 3], usize> = HashMap::new();
    for (i, piece) in pieces.iter().enumerate() {
        for corner in piece.convex.points().unwrap_or_default() {
            // Adding zero turns -0 into 0, so that equal coordinates have equal bits.
            let key = (*corner + Vec3::ZERO).to_array().map(f64::to_bits);
            let other = *first_at.entry(key).or_insert(i);
            groups.join(i, other);
        }
    }
    (0..pieces.len())
        .filter(|i| groups.leader(*i) == *i)
        .map(|i| pieces[i])
        .collect()
}

/// Disjoint groups of indices, each led by its smallest member.
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Groups {
        Groups {
            parents: (0..count).collect(),
        }
    }

    fn leader(&mut self, mut i: usize) -> usize {
        while self.parents[i] != i {
            self.parents[i] = self.parents[self.parents[i]];
            i = self.parents[i];
        }
        i
    }

    fn join(&mut self, i: usize, j: usize) {
        let (i, j) = (self.leader(i), self.leader(j));
        self.parents[i.max(j)] = i.min(j);
    }
}
