//! New boxes for many bodies at once: which of them left their wide boxes.
//!
//! Every body that moves pays for this in every frame, so it goes in blocks, and without branches on data. Where bodies come
//! in the order of their indices, which is usual, several threads may take a range of indices each.

use super::super::Box32;
use super::bits::Bits;
use super::motion::wide_box;
use crate::body::BodyId;
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// How many boxes are replaced before the bodies that left their wide boxes are looked at.
const BLOCK: usize = 256;

/// How many boxes a thread takes at a time, about.
#[cfg(feature = "parallel")]
const SHARE: usize = 1 << 13;

/// A range of indices: its boxes, to be replaced.
#[derive(Debug)]
pub(super) struct Range<'w> {
    /// The first index, a multiple of 64.
    pub(super) first: usize,
    pub(super) boxes: &'w mut [Box32],
    pub(super) wide: &'w mut [Box32],
    /// Notes who left its wide box.
    pub(super) left: &'w mut [u64],
}

/// Who left.
#[derive(Debug, Default)]
pub(super) struct Leavers {
    pub(super) count: usize,
    /// Those that went farther than their size.
    pub(super) strays: Vec<u32>,
}

impl<'w> Range<'w> {
    /// Gives bodies of the range other boxes, and those that left their wide boxes other wide boxes.
    #[inline(always)]
    pub(super) fn replace_all<S: Simd>(
        mut self,
        simd: S,
        moved: &[(BodyId, Box32)],
        leavers: &mut Leavers,
    ) {
        #[cfg(feature = "parallel")]
        if are_to_share(moved) {
            self.replace_shared(moved, leavers);
            return;
        }
        self.replace(simd, moved, leavers);
    }

    /// The same by one thread.
    #[inline(always)]
    fn replace<S: Simd>(&mut self, simd: S, moved: &[(BodyId, Box32)], leavers: &mut Leavers) {
        let first = self.first;
        let mut leaving = [0; BLOCK + 1];
        let mut before = [Box32::default(); BLOCK];
        for block in moved.chunks(BLOCK) {
            let mut count = 0;
            for (number, (body, new)) in block.iter().enumerate() {
                // Always written, and left to be written over if the body stays.
                leaving[count] = number;
                let wide = &self.wide[body.index() as usize - first];
                count += usize::from(!wide.contains_in(simd, new));
            }
            let place_of = |number: &usize| block[*number].0.index() as usize - first;
            for (number, old) in leaving[..count].iter().zip(&mut before) {
                *old = self.boxes[place_of(number)];
            }
            for (body, new) in block {
                self.boxes[body.index() as usize - first] = *new;
            }
            for (number, old) in leaving[..count].iter().zip(&before) {
                let place = place_of(number);
                let index = (first + place) as u32;
                let (wide, jumped) = wide_box(index, old, &self.boxes[place]);
                self.wide[place] = wide;
                Bits::add_to(self.left, place);
                if jumped {
                    leavers.strays.push(index);
                }
            }
            leavers.count += count;
        }
    }

    /// The same by several threads, for bodies in the order of their indices.
    #[cfg(feature = "parallel")]
    fn replace_shared(self, moved: &[(BodyId, Box32)], leavers: &mut Leavers) {
        let found: Vec<Leavers> = self
            .split(moved)
            .into_par_iter()
            .map(|(mut range, moved)| {
                let mut leavers = Leavers::default();
                in_lanes!(simd => range.replace(simd, moved, &mut leavers));
                leavers
            })
            .collect();
        for part in found {
            leavers.count += part.count;
            leavers.strays.extend(part.strays);
        }
    }

    /// Parts of the range, with the bodies that belong to each.
    #[cfg(feature = "parallel")]
    fn split<'m>(self, moved: &'m [(BodyId, Box32)]) -> Vec<(Range<'w>, &'m [(BodyId, Box32)])> {
        let mut parts = Vec::with_capacity(moved.len() / SHARE + 1);
        let (mut range, mut rest) = (self, moved);
        while rest.len() > SHARE {
            // Words of bits are not shared.
            let border = rest[SHARE].0.index() as usize & !63;
            let here = rest.partition_point(|(body, _)| (body.index() as usize) < border);
            let size = border - range.first;
            let (boxes, boxes_behind) = range.boxes.split_at_mut(size);
            let (wide, wide_behind) = range.wide.split_at_mut(size);
            let (left, left_behind) = range.left.split_at_mut(size / 64);
            let part = Range {
                boxes,
                wide,
                left,
                ..range
            };
            parts.push((part, &rest[..here]));
            range = Range {
                first: border,
                boxes: boxes_behind,
                wide: wide_behind,
                left: left_behind,
            };
            rest = &rest[here..];
        }
        parts.push((range, rest));
        parts
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
