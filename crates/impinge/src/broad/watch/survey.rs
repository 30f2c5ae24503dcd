//! Before boxes are replaced: whether all bodies are here, and who leaves its wide box.
//!
//! Every body that moves pays for this in every frame, so it is one pass, and without branches on data. Nothing is changed,
//! so that a name that is not good can still be refused; several threads may take a part of the list each.

use super::super::Box32;
use crate::body::BodyId;
#[cfg(feature = "parallel")]
use crate::lanes::in_lanes;
use fearless_simd::Simd;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// How many bodies are looked at before those that leave are noted.
const BLOCK: usize = 256;

/// How many bodies a thread takes at a time.
#[cfg(feature = "parallel")]
const SHARE: usize = 1 << 13;

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
        if moved.len() > 2 * SHARE && crate::sharing::is_shared() {
            return self.leaving_shared(moved, leaving);
        }
        self.leaving_of_part(simd, 0, moved, leaving)
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
