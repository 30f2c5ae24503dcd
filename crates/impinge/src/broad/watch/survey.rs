//! Before boxes are replaced: whether all bodies are here, and who leaves its wide box.
//!
//! Every body that moves pays for this in every frame, so it is one pass, and without branches on data. Nothing is changed,
//! so that a name that is not good can still be refused; several threads may take a part of the list each.

use super::super::Box32;
use super::super::boxes::Bounded;
use super::calendar::Vow;
use crate::body::BodyId;
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// How many bodies are looked at before those that leave are noted.
pub(super) const BLOCK: usize = 256;

/// How many bodies a thread takes at a time.
const SHARE: usize = 1 << 13;

/// Whether so many bodies are worth to be shared among threads.
pub(super) fn is_large(bodies: usize) -> bool {
    bodies > 2 * SHARE
}

/// Whether several threads take a part of so many bodies each.
#[cfg(feature = "parallel")]
pub(super) fn is_to_share(bodies: usize) -> bool {
    is_large(bodies) && crate::sharing::is_shared()
}

/// The bodies as they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Survey<'w> {
    /// By index.
    pub(super) generations: &'w [u32],
    /// By index, and as many.
    pub(super) wide: &'w [Box32],
}

impl Survey<'_> {
    /// Adds the places in the list of those that leave their wide boxes, in order. Tells whether all are here; otherwise what it adds
    /// is of no use.
    #[inline(always)]
    pub(super) fn leaving<S: Simd>(
        self,
        simd: S,
        moved: &[(BodyId, Box32)],
        leaving: &mut Vec<u32>,
    ) -> bool {
        #[cfg(feature = "parallel")]
        if is_to_share(moved.len()) {
            return self.leaving_shared(moved, leaving);
        }
        self.leaving_of_part(simd, 0, moved, leaving)
    }

    /// The first index of bodies that are all here and come one index after the other, each once, which is usual where all move;
    /// `None` for other bodies.
    pub(super) fn first_of_row(self, moved: &[(BodyId, Box32)]) -> Option<usize> {
        let [(first, _), .., (last, _)] = moved else {
            return None;
        };
        let first = first.index();
        let generations = self.generations.get(first as usize..)?.get(..moved.len())?;
        if (last.index() as usize) != first as usize + moved.len() - 1 {
            return None;
        }
        let are_here = |moved: &[(BodyId, Box32)], first: u32, generations: &[u32]| {
            let known = generations.iter().zip(first..);
            let bodies = moved.iter().zip(known);
            bodies.fold(true, |all, ((body, _), (generation, index))| {
                all & (body.index() == index) & (body.generation().get() == *generation)
            })
        };
        #[cfg(feature = "parallel")]
        if is_to_share(moved.len()) {
            let size = moved.len().div_ceil(rayon::current_num_threads());
            let parts = moved.par_chunks(size).zip(generations.par_chunks(size));
            let are_all_here = parts.enumerate().all(|(number, (moved, generations))| {
                are_here(moved, first + (number * size) as u32, generations)
            });
            return are_all_here.then_some(first as usize);
        }
        are_here(moved, first, generations).then_some(first as usize)
    }

    #[cfg(feature = "parallel")]
    fn leaving_shared(self, moved: &[(BodyId, Box32)], leaving: &mut Vec<u32>) -> bool {
        let parts = moved.par_chunks(SHARE).enumerate().map(|(number, part)| {
            let (first, mut leaving) = (number * SHARE, Vec::new());
            let are_here = in_lanes!(simd => self.leaving_of_part(simd, first, part, &mut leaving));
            are_here.then_some(leaving)
        });
        let Some(parts) = parts.collect::<Option<Vec<Vec<u32>>>>() else {
            return false;
        };
        leaving.extend(parts.into_iter().flatten());
        true
    }

    /// The same for a part of the list that begins at `first`.
    #[inline(always)]
    fn leaving_of_part<S: Simd>(
        self,
        simd: S,
        first: usize,
        moved: &[(BodyId, Box32)],
        leaving: &mut Vec<u32>,
    ) -> bool {
        let Survey { generations, wide } = self;
        let wide = &wide[..generations.len()];
        let mut are_here = true;
        let mut numbers = [0; BLOCK];
        for (number, block) in moved.chunks(BLOCK).enumerate() {
            let mut count = 0;
            for (number, (body, new)) in (first + number * BLOCK..).zip(block) {
                let place = body.index() as usize;
                let Some(generation) = generations.get(place) else {
                    return false;
                };
                are_here &= *generation == body.generation().get();
                // Always written, and left to be written over if the body stays.
                numbers[count % BLOCK] = number as u32;
                count += usize::from(!wide[place].contains_in(simd, new));
            }
            leaving.extend_from_slice(&numbers[..count]);
        }
        are_here
    }
}

/// Adds the numbers, from `first` on, of those boxes of at most a block that break their vows on a day, or whose wide boxes end then, in order.
#[inline(always)]
pub(super) fn note_unkept<S: Simd>(
    simd: S,
    first: usize,
    moved: &[impl Bounded],
    vows: &[Vow],
    day: u32,
    unkept: &mut Vec<u32>,
) {
    let (mut numbers, mut count) = ([0; BLOCK], 0);
    let vows = &vows[..moved.len()];
    for number in 0..moved.len() {
        // Always written, and left to be written over if the body stays.
        numbers[count % BLOCK] = (first + number) as u32;
        let vow = &vows[number];
        let is_kept = vow.is_kept(simd, moved[number].bounds(), day);
        count += usize::from(!is_kept | vow.ends_by(day));
    }
    unkept.extend_from_slice(&numbers[..count]);
}

/// Adds the numbers, from `first` on, of those boxes of at most a block that leave their wide boxes, in order.
#[inline(always)]
pub(super) fn note_leaving<S: Simd>(
    simd: S,
    first: usize,
    moved: &[impl Bounded],
    wide: &[Box32],
    leaving: &mut Vec<u32>,
) {
    let (mut numbers, mut count) = ([0; BLOCK], 0);
    let wide = &wide[..moved.len()];
    for number in 0..moved.len() {
        // Always written, and left to be written over if the body stays.
        numbers[count % BLOCK] = (first + number) as u32;
        count += usize::from(!wide[number].contains_in(simd, moved[number].bounds()));
    }
    leaving.extend_from_slice(&numbers[..count]);
}
