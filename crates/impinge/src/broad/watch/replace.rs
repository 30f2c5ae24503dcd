//! New wide boxes for many bodies at once.
//!
//! Where bodies come in the order of their indices, which is usual, several threads may take a range of indices each.

use super::super::{Box32, Boxes};
use super::motion::{Origin, Outlook, wide_box};
use crate::ahead;
use crate::body::BodyId;
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// For how many bodies that leave memory is asked for at a time.
const BLOCK: usize = 32;

/// How many boxes a thread takes at a time, about.
#[cfg(feature = "parallel")]
const SHARE: usize = 1 << 13;

/// A range of indices: what is kept of its bodies, to be replaced.
#[derive(Debug)]
pub(super) struct Range<'w> {
    /// The first index.
    pub(super) first: usize,
    pub(super) wide: &'w mut [Box32],
    pub(super) origins: &'w mut [Origin],
}

/// Bodies of a range that move, and the places in the list of those that leave their wide boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moves<'m> {
    pub(super) moved: &'m [(BodyId, Box32)],
    /// In order, each counted from `first`.
    pub(super) leaving: &'m [u32],
    /// The boxes that those that leave had.
    pub(super) before: &'m [Box32],
    pub(super) first: usize,
    /// The boxes of now. A body may have moved twice: what counts is its box in the end.
    pub(super) boxes: &'m Boxes,
    pub(super) outlook: Outlook,
}

impl<'w> Range<'w> {
    /// Gives bodies of the range that leave their wide boxes other ones. Adds the seats of those that went farther than their size to
    /// `strays`.
    #[inline(always)]
    pub(super) fn replace_all<S: Simd>(mut self, simd: S, moves: Moves<'_>, strays: &mut Vec<u32>) {
        #[cfg(feature = "parallel")]
        if are_to_share(moves) {
            self.replace_shared(moves, strays);
            return;
        }
        self.replace(simd, moves, strays);
    }

    /// The same by one thread.
    #[inline(always)]
    fn replace<S: Simd>(&mut self, simd: S, moves: Moves<'_>, strays: &mut Vec<u32>) {
        let (boxes, outlook) = (moves.boxes, moves.outlook);
        let index_of = |number: &u32| moves.moved[*number as usize - moves.first].0.index();
        let blocks = moves.leaving.chunks(BLOCK).zip(moves.before.chunks(BLOCK));
        for (block, before) in blocks {
            // Few leave, so what they need is scattered.
            for index in block.iter().map(index_of) {
                ahead::fetch(self.origins, index as usize - self.first);
                ahead::fetch(self.wide, index as usize - self.first);
                ahead::fetch(boxes.slice(), boxes.seats().of(index) as usize);
            }
            for (index, old) in block.iter().map(index_of).zip(before) {
                let place = index as usize - self.first;
                let (origin, new) = (&mut self.origins[place], boxes.at(index));
                let (wide, jumped) = wide_box(simd, index, [old, new], origin, outlook);
                self.wide[place] = wide;
                *origin = Origin::new(new, outlook);
                if jumped {
                    strays.push(boxes.seats().of(index));
                }
            }
        }
    }

    /// The same by several threads, for bodies in the order of their indices.
    #[cfg(feature = "parallel")]
    fn replace_shared(self, moves: Moves<'_>, strays: &mut Vec<u32>) {
        let found: Vec<Vec<u32>> = self
            .split(moves)
            .into_par_iter()
            .map(|(mut range, moves)| {
                let mut strays = Vec::new();
                in_lanes!(simd => range.replace(simd, moves, &mut strays));
                strays
            })
            .collect();
        strays.extend(found.into_iter().flatten());
    }

    /// Parts of the range, with the bodies that belong to each.
    #[cfg(feature = "parallel")]
    fn split(self, moves: Moves<'_>) -> Vec<(Range<'w>, Moves<'_>)> {
        let mut parts = Vec::with_capacity(moves.moved.len() / SHARE + 1);
        let (mut range, mut rest) = (self, moves);
        while rest.moved.len() > SHARE {
            let border = rest.moved[SHARE].0.index() as usize;
            let (here, behind) = range.split_at(border);
            let (moves, moves_behind) = rest.split_at(SHARE);
            parts.push((here, moves));
            (range, rest) = (behind, moves_behind);
        }
        parts.push((range, rest));
        parts
    }

    /// The bodies below an index, and the others.
    #[cfg(feature = "parallel")]
    fn split_at(self, border: usize) -> (Range<'w>, Range<'w>) {
        let size = border - self.first;
        let (wide, wide_behind) = self.wide.split_at_mut(size);
        let (origins, origins_behind) = self.origins.split_at_mut(size);
        let here = Range {
            first: self.first,
            wide,
            origins,
        };
        let behind = Range {
            first: border,
            wide: wide_behind,
            origins: origins_behind,
        };
        (here, behind)
    }
}

#[cfg(feature = "parallel")]
impl Moves<'_> {
    /// The first so many moves, and the others.
    fn split_at(self, count: usize) -> (Self, Self) {
        let (moved, moved_behind) = self.moved.split_at(count);
        let border = self.first + count;
        let leaving = self
            .leaving
            .partition_point(|number| (*number as usize) < border);
        let (before, before_behind) = self.before.split_at(leaving);
        let (leaving, leaving_behind) = self.leaving.split_at(leaving);
        let here = Moves {
            moved,
            leaving,
            before,
            ..self
        };
        let behind = Moves {
            moved: moved_behind,
            leaving: leaving_behind,
            before: before_behind,
            first: border,
            ..self
        };
        (here, behind)
    }
}

/// Whether bodies come in the order of their indices, each once, and so many of them leave that sharing pays.
#[cfg(feature = "parallel")]
fn are_to_share(Moves { moved, leaving, .. }: Moves<'_>) -> bool {
    let are_in_order = |part: &[(BodyId, Box32)]| {
        part.windows(2)
            .fold(true, |all, two| all & (two[0].0.index() < two[1].0.index()))
    };
    leaving.len() > SHARE
        && crate::sharing::is_shared()
        // Parts share their ends.
        && (0..moved.len().div_ceil(SHARE))
            .into_par_iter()
            .all(|part| are_in_order(&moved[part * SHARE..moved.len().min(part * SHARE + SHARE + 1)]))
}
