//! At most 64 bodies: every box against every other, and a bit for each pair.
//!
//! Wide boxes, a list and a tree are there to save comparisons. For so few bodies all comparisons take less time than it takes to
//! know which ones to leave out. Boxes lie eight to a block, coordinate by coordinate, so that one is compared with eight at a
//! time; a row of bits has all pairs of a body, so that one word tells what changed since the last frame.
//!
//! **Invariant.** After `collect`, two bits, one in the row of each body, are set exactly for pairs whose boxes overlap. **Cost.**
//! For each body that moved, an eighth of a comparison with each other body.

use super::super::changes::{indices_of, key_of};
use super::super::{Box32, Boxes, PairChanges};
use crate::lanes::in_lanes;
use fearless_simd::{Simd, f32x8, prelude::*};

/// How many boxes are compared at a time.
pub(super) const LANES: usize = 8;

/// The boxes of up to 64 bodies, and which pairs of them overlap.
#[derive(Debug, Clone, Default)]
pub(super) struct Few {
    blocks: Vec<Block>,
    /// By index: a bit for each body whose box overlapped at the last `collect`.
    rows: Vec<u64>,
    /// The bodies that came, moved or went since then.
    moved: u64,
    /// Boxes compared.
    tests: u64,
}

/// Eight boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    min: [[f32; LANES]; 3],
    max: [[f32; LANES]; 3],
}

/// A box that overlaps nothing.
const NOWHERE: Box32 = Box32 {
    min: [f32::INFINITY; 3],
    max: [f32::NEG_INFINITY; 3],
};

impl Block {
    /// Boxes that overlap nothing.
    pub(super) const NOWHERE: Block = Block {
        min: [[f32::INFINITY; LANES]; 3],
        max: [[f32::NEG_INFINITY; LANES]; 3],
    };

    /// Replaces the box of a lane.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, bounds: &Box32) {
        for axis in 0..3 {
            self.min[axis][lane] = bounds.min[axis];
            self.max[axis][lane] = bounds.max[axis];
        }
    }

    /// The box of one lane, in all lanes: its lower and its upper ends.
    #[inline(always)]
    pub(super) fn splat<S: Simd>(&self, simd: S, lane: usize) -> [[f32x8<S>; 3]; 2] {
        let Block { min, max } = self;
        [
            [
                f32x8::splat(simd, min[0][lane]),
                f32x8::splat(simd, min[1][lane]),
                f32x8::splat(simd, min[2][lane]),
            ],
            [
                f32x8::splat(simd, max[0][lane]),
                f32x8::splat(simd, max[1][lane]),
                f32x8::splat(simd, max[2][lane]),
            ],
        ]
    }

    /// Which boxes overlap one, a bit each.
    #[inline(always)]
    pub(super) fn overlapping<S: Simd>(&self, simd: S, [min, max]: &[[f32x8<S>; 3]; 2]) -> u64 {
        let mut overlaps = f32x8::load_array_ref(simd, &self.min[0]).simd_le(max[0]);
        overlaps &= f32x8::load_array_ref(simd, &self.max[0]).simd_ge(min[0]);
        for axis in 1..3 {
            overlaps &= f32x8::load_array_ref(simd, &self.min[axis]).simd_le(max[axis]);
            overlaps &= f32x8::load_array_ref(simd, &self.max[axis]).simd_ge(min[axis]);
        }
        overlaps.to_bitmask()
    }
}

impl Few {
    /// Indices are below this.
    pub(super) const MOST: usize = 64;

    /// Gives the body at an index a box, or takes it away.
    #[inline]
    pub(super) fn set(&mut self, place: usize, bounds: Option<&Box32>) {
        if place >= self.rows.len() {
            self.rows.resize(place + 1, 0);
            self.blocks
                .resize(self.rows.len().div_ceil(LANES), Block::NOWHERE);
        }
        let (block, lane) = (&mut self.blocks[place / LANES], place % LANES);
        match bounds {
            Some(bounds) => block.set(lane, bounds),
            None => block.set(lane, &NOWHERE),
        }
        self.moved |= 1 << place;
    }

    /// Replaces `changes` by what began and ended since the last call. Where bodies came or went, an index may have changed hands.
    pub(super) fn collect(&mut self, boxes: &Boxes, is_renewed: bool, changes: &mut PairChanges) {
        changes.clear();
        if self.moved == 0 {
            return;
        }
        in_lanes!(simd => self.compare_moved(simd, boxes, is_renewed, changes));
        self.moved = 0;
        // They are in order already when all have moved.
        changes.began.sort_unstable();
        changes.ended.sort_unstable();
    }

    #[inline(always)]
    fn compare_moved<S: Simd>(
        &mut self,
        simd: S,
        boxes: &Boxes,
        is_renewed: bool,
        changes: &mut PairChanges,
    ) {
        for place in members(self.moved) {
            // A pair of which both moved is the first one's.
            let up_to_here = u64::MAX >> (63 - place);
            let others = !(self.moved & up_to_here);
            let before = self.rows[place] & others;
            let now = self.row(simd, place, others) & others;
            self.rows[place] ^= before ^ now;
            let key = |other: usize| key_of(place as u32, other as u32);
            for other in members(before ^ now) {
                self.rows[other] ^= 1 << place;
                if now >> other & 1 == 1 {
                    changes.begin(boxes, key(other));
                } else {
                    changes.end(boxes, key(other));
                }
            }
            if is_renewed {
                members(before & now).for_each(|other| changes.stay(boxes, key(other)));
            }
        }
    }

    /// Which bodies have boxes that overlap that of one, itself included; at least those asked for are right.
    #[inline(always)]
    fn row<S: Simd>(&mut self, simd: S, place: usize, asked: u64) -> u64 {
        let own = self.blocks[place / LANES].splat(simd, place % LANES);
        let first = asked.trailing_zeros() as usize / LANES;
        let mut row = 0;
        for (number, block) in self.blocks.iter().enumerate().skip(first) {
            row |= block.overlapping(simd, &own) << (number * LANES);
            self.tests += LANES as u64;
        }
        row
    }

    /// The keys of the pairs that overlapped at the last `collect`, sorted.
    pub(super) fn overlapping(&self) -> impl Iterator<Item = u64> {
        self.rows.iter().enumerate().flat_map(|(place, row)| {
            let later = row & !(u64::MAX >> (63 - place));
            members(later).map(move |other| key_of(place as u32, other as u32))
        })
    }

    /// Forgets all bodies.
    pub(super) fn retire(&mut self) {
        *self = Few {
            tests: self.tests,
            ..Few::default()
        };
    }

    /// Boxes compared so far.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }

    /// The memory held.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>() + self.rows.capacity() * 8
    }

    /// Panics unless boxes and bits are those of the bodies, as far as they did not move since the last `collect`.
    pub(super) fn validate(&self, boxes: &Boxes) {
        let is_here = |place: usize| boxes.body_at(place as u32).is_some();
        for place in 0..self.rows.len() {
            let (block, lane) = (&self.blocks[place / LANES], place % LANES);
            let bounds = Box32 {
                min: block.min.map(|numbers| numbers[lane]),
                max: block.max.map(|numbers| numbers[lane]),
            };
            assert!(
                !is_here(place) || bounds == *boxes.at(place as u32),
                "boxes"
            );
            for other in
                (0..place).filter(|other| (self.moved >> other | self.moved >> place) & 1 == 0)
            {
                let are_here = is_here(place) && is_here(other);
                let overlap = are_here && boxes.at(other as u32).overlaps(&bounds);
                assert_eq!(self.rows[place] >> other & 1 == 1, overlap, "bits");
                assert_eq!(self.rows[other] >> place & 1 == 1, overlap, "bits");
            }
        }
        assert!(
            self.overlapping()
                .is_sorted_by(|p, q| indices_of(*p) < indices_of(*q))
        );
    }
}

/// The numbers of the bits of a word that are set.
#[inline(always)]
pub(super) fn members(word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(
        #[inline(always)]
        move || {
            let next = (rest != 0).then(|| rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            next
        },
    )
}
