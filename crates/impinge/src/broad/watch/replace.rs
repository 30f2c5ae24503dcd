//! New boxes for many bodies at once, and new wide boxes for those that leave theirs.
//!
//! Loops do one thing each, without branches on data: what those that leave need is scattered over memory, and many requests for it
//! are under way at once. Where bodies come in the order of their indices, which is usual, several threads may take a
//! range of indices each.

use super::super::Box32;
use super::motion::{Origin, Outlook, wide_box};
use crate::body::BodyId;
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// How many boxes a thread takes at a time, about.
#[cfg(feature = "parallel")]
const SHARE: usize = 1 << 13;

/// A range of indices: what is kept of its bodies, to be replaced.
#[derive(Debug)]
pub(super) struct Range<'w> {
    /// The first index.
    pub(super) first: usize,
    pub(super) boxes: &'w mut [Box32],
    pub(super) wide: &'w mut [Box32],
    pub(super) origins: &'w mut [Origin],
    /// Whether a body left its wide box.
    pub(super) left: &'w mut [bool],
}

/// Bodies of a range that move, and the places in the list of those that leave their wide boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moves<'m> {
    pub(super) moved: &'m [(BodyId, Box32)],
    /// In order, each counted from `first`.
    pub(super) leaving: &'m [u32],
    pub(super) first: usize,
    pub(super) outlook: Outlook,
}

/// Who left.
#[derive(Debug)]
pub(super) struct Leavers<'l> {
    /// Room for the boxes they had.
    pub(super) before: &'l mut Vec<Box32>,
    /// Everyone who did not before.
    pub(super) list: &'l mut Vec<u32>,
    /// Those that went farther than their size.
    pub(super) strays: &'l mut Vec<u32>,
}

impl<'w> Range<'w> {
    /// Gives bodies of the range other boxes, and those that leave their wide boxes other wide boxes.
    #[inline(always)]
    pub(super) fn replace_all<S: Simd>(
        mut self,
        simd: S,
        moves: Moves<'_>,
        leavers: &mut Leavers<'_>,
    ) {
        #[cfg(feature = "parallel")]
        if are_to_share(moves.moved) {
            self.replace_shared(moves, leavers);
            return;
        }
        self.replace(simd, moves, leavers);
    }

    /// The same by one thread.
    #[inline(always)]
    fn replace<S: Simd>(&mut self, simd: S, moves: Moves<'_>, leavers: &mut Leavers<'_>) {
        let Moves {
            moved,
            leaving,
            outlook,
            ..
        } = moves;
        let first = self.first;
        let place_of =
            |number: &u32| moved[*number as usize - moves.first].0.index() as usize - first;
        leavers.before.clear();
        let before = leaving.iter().map(|number| self.boxes[place_of(number)]);
        leavers.before.extend(before);
        for (body, new) in moved {
            self.boxes[body.index() as usize - first] = *new;
        }
        // A body may be there twice: what counts is its box in the end.
        for (number, old) in leaving.iter().zip(&*leavers.before) {
            let place = place_of(number);
            let index = (first + place) as u32;
            let boxes = [old, &self.boxes[place]];
            let (wide, jumped) = wide_box(simd, index, boxes, &self.origins[place], outlook);
            self.wide[place] = wide;
            self.origins[place] = Origin::new(boxes[1], outlook);
            if !std::mem::replace(&mut self.left[place], true) {
                leavers.list.push(index);
            }
            if jumped {
                leavers.strays.push(index);
            }
        }
    }

    /// The same by several threads, for bodies in the order of their indices.
    #[cfg(feature = "parallel")]
    fn replace_shared(self, moves: Moves<'_>, leavers: &mut Leavers<'_>) {
        let found: Vec<[Vec<u32>; 2]> = self
            .split(moves)
            .into_par_iter()
            .map(|(mut range, moves)| {
                let (mut list, mut strays) = (Vec::new(), Vec::new());
                let mut leavers = Leavers {
                    before: &mut Vec::new(),
                    list: &mut list,
                    strays: &mut strays,
                };
                in_lanes!(simd => range.replace(simd, moves, &mut leavers));
                [list, strays]
            })
            .collect();
        for [list, strays] in found {
            leavers.list.extend(list);
            leavers.strays.extend(strays);
        }
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
        let (boxes, boxes_behind) = self.boxes.split_at_mut(size);
        let (wide, wide_behind) = self.wide.split_at_mut(size);
        let (origins, origins_behind) = self.origins.split_at_mut(size);
        let (left, left_behind) = self.left.split_at_mut(size);
        let here = Range {
            first: self.first,
            boxes,
            wide,
            origins,
            left,
        };
        let behind = Range {
            first: border,
            boxes: boxes_behind,
            wide: wide_behind,
            origins: origins_behind,
            left: left_behind,
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
        let (leaving, leaving_behind) = self.leaving.split_at(leaving);
        let here = Moves {
            moved,
            leaving,
            ..self
        };
        let behind = Moves {
            moved: moved_behind,
            leaving: leaving_behind,
            first: border,
            ..self
        };
        (here, behind)
    }
}

/// Whether bodies come in the order of their indices, each once, and are so many that sharing pays.
#[cfg(feature = "parallel")]
fn are_to_share(moved: &[(BodyId, Box32)]) -> bool {
    let are_in_order = |part: &[(BodyId, Box32)]| {
        part.windows(2)
            .fold(true, |all, two| all & (two[0].0.index() < two[1].0.index()))
    };
    moved.len() > 2 * SHARE
        && crate::sharing::is_shared()
        // Parts share their ends.
        && (0..moved.len().div_ceil(SHARE))
            .into_par_iter()
            .all(|part| are_in_order(&moved[part * SHARE..moved.len().min(part * SHARE + SHARE + 1)]))
}
