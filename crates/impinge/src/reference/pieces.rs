//! The pieces of a shape, in blocks of neighbours, and the visits of all pairs of pieces that matter.
//!
//! Pieces are sorted along a space-filling curve (Morton 1966: the bits of the three coordinates interleaved) and cut into
//! blocks; each block has a box. A question about two shapes looks at all pairs of blocks, then, for pairs of blocks
//! whose boxes are near enough, at all pairs of pieces. No tree: with blocks of 32 the pairs of blocks are a thousandth
//! of the pairs of triangles, and there is nothing to get wrong.

use super::convex::Convex;
use crate::math::{Aabb, Vec3};

/// A convex part of a shape.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) convex: Convex,
    /// The triangle it is, in a mesh; 0 for a convex shape.
    pub(super) id: u32,
    pub(super) bounds: Aabb,
}

/// The pieces of a shape, at least one.
#[derive(Debug)]
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    blocks: Vec<Block>,
}

/// Pieces next to each other, and the box around them.
#[derive(Debug)]
struct Block {
    start: usize,
    end: usize,
    bounds: Aabb,
}

/// Blocks hold this many pieces, or more in a mesh so large that there would be over `MAX_BLOCKS` of them.
const BLOCK_SIZE: usize = 32;
/// Keeps the list of block pairs below four million.
const MAX_BLOCKS: usize = 2048;

impl Pieces {
    pub(super) fn one(convex: Convex) -> Pieces {
        let bounds = convex.bounds();
        Pieces::new(vec![Piece {
            convex,
            id: 0,
            bounds,
        }])
    }

    /// Triangles with their numbers.
    pub(super) fn triangles(triangles: impl Iterator<Item = (u32, [Vec3; 3])>) -> Pieces {
        let piece = |(id, corners)| {
            let convex = Convex::Triangle(corners);
            let bounds = convex.bounds();
            Piece { convex, id, bounds }
        };
        Pieces::new(triangles.map(piece).collect())
    }

    fn new(mut pieces: Vec<Piece>) -> Pieces {
        let everything = merge(&pieces);
        pieces.sort_by_cached_key(|piece| morton_code(&everything, piece.bounds.center()));
        let size = BLOCK_SIZE.max(pieces.len().div_ceil(MAX_BLOCKS));
        let starts = (0..pieces.len()).step_by(size);
        let blocks = starts
            .map(|start| {
                let end = pieces.len().min(start + size);
                let bounds = merge(&pieces[start..end]);
                Block { start, end, bounds }
            })
            .collect();
        Pieces { pieces, blocks }
    }

    /// All pieces, in the order of the curve.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter()
    }
}

fn merge(pieces: &[Piece]) -> Aabb {
    let boxes = pieces.iter().map(|piece| piece.bounds);
    boxes
        .reduce(|all, next| all.merge(&next))
        .expect("a block has at least one piece")
}

/// The place of a point on the curve through the box: 20 bits a coordinate, interleaved.
fn morton_code(around: &Aabb, p: Vec3) -> u64 {
    const STEPS: f64 = (1 << 20) as f64;
    // Halves, because the size of the box may be beyond all doubles.
    let size = around.max() * 0.5 - around.min() * 0.5;
    let offset = p * 0.5 - around.min() * 0.5;
    // Rounds to 0 where the box is flat.
    let cell = [0, 1, 2].map(|axis| (offset[axis] / size[axis] * (STEPS - 1.0)) as u64);
    (0..20).fold(0, |code, bit| {
        let bits = cell.map(|c| c >> bit & 1);
        code | (bits[0] | bits[1] << 1 | bits[2] << 2) << (3 * bit)
    })
}

/// The first pair of pieces, in block order, whose boxes are at most `reach` apart and for which `test` holds.
pub(super) fn find_pair<'p>(
    a: &'p Pieces,
    b: &'p Pieces,
    reach: f64,
    test: impl Fn(&Piece, &Piece) -> bool,
) -> Option<(&'p Piece, &'p Piece)> {
    let is_near = |a: &Aabb, b: &Aabb| a.distance_below(b) <= reach;
    for block_a in &a.blocks {
        for block_b in &b.blocks {
            if !is_near(&block_a.bounds, &block_b.bounds) {
                continue;
            }
            for piece_a in &a.pieces[block_a.start..block_a.end] {
                if !is_near(&piece_a.bounds, &block_b.bounds) {
                    continue;
                }
                let found = b.pieces[block_b.start..block_b.end].iter().find(|piece_b| {
                    is_near(&piece_a.bounds, &piece_b.bounds) && test(piece_a, piece_b)
                });
                if let Some(piece_b) = found {
                    return Some((piece_a, piece_b));
                }
            }
        }
    }
    None
}

/// Visits pairs of pieces, nearest blocks first. `visit` gets the pair and returns the distance beyond which pairs no
/// longer matter; it may only fall.
pub(super) fn visit_near_pairs<'p>(
    a: &'p Pieces,
    b: &'p Pieces,
    mut visit: impl FnMut(&'p Piece, &'p Piece) -> f64,
) {
    let mut limit = f64::INFINITY;
    for (gap, block_a, block_b) in block_pairs(a, b) {
        if gap > limit {
            return;
        }
        for piece_a in &a.pieces[block_a.start..block_a.end] {
            if piece_a.bounds.distance_below(&block_b.bounds) > limit {
                continue;
            }
            for piece_b in &b.pieces[block_b.start..block_b.end] {
                if piece_a.bounds.distance_below(&piece_b.bounds) <= limit {
                    limit = visit(piece_a, piece_b);
                }
            }
        }
    }
}

/// All pairs of blocks with a bound below their distance, nearest first.
fn block_pairs<'p>(a: &'p Pieces, b: &'p Pieces) -> Vec<(f64, &'p Block, &'p Block)> {
    let mut pairs = Vec::with_capacity(a.blocks.len() * b.blocks.len());
    for block_a in &a.blocks {
        for block_b in &b.blocks {
            let gap = block_a.bounds.distance_below(&block_b.bounds);
            pairs.push((gap, block_a, block_b));
        }
    }
    // Stable, so that equal gaps keep the order of the blocks.
    pairs.sort_by(|left, right| left.0.total_cmp(&right.0));
    pairs
}
