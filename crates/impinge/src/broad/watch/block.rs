//! A look at a few pairs that lie side by side in a segment: which of them need a closer one.
//!
//! What becomes of a pair is as good as random, and a processor that guesses wrong has to wait. So all pairs of a block are compared
//! without a branch on what is found, and only then those are visited that changed or are to go. Where most bodies are round, their
//! balls are compared four pairs at a time.

use super::super::Boxes;
use super::few::members;
use super::segment::{Far, Look, places};
use crate::math::Ball32;
use fearless_simd::{Simd, prelude::*, u64x4};

/// The most pairs of a block.
pub(super) const BLOCK: usize = 64;

/// How many pairs of balls are compared at a time.
const FOUR: usize = 4;

/// What was seen of the pairs of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// A bit for each pair: whether it is to be visited, as a body of it left its wide box, or it may not be as it was.
    open: u64,
    /// How many were compared.
    pub(super) tests: u32,
}

impl Seen {
    /// The places of pairs to be visited.
    #[inline(always)]
    pub(super) fn open(self) -> impl Iterator<Item = usize> {
        members(self.open)
    }
}

/// The places of those pairs of a block that may meet, and perhaps of others; none of them did at the last look.
#[inline(always)]
pub(super) fn may_meet<S: Simd>(
    simd: S,
    boxes: &Boxes,
    words: &[u64],
) -> impl Iterator<Item = usize> + use<S> {
    debug_assert!(words.len() <= BLOCK && words.iter().all(|word| word & 1 == 0));
    let (fours, rest) = words.as_chunks::<FOUR>();
    let others = (1 << rest.len()) - 1;
    let open = match boxes.balls_of_most() {
        Some(balls) => others << (fours.len() * FOUR % BLOCK) | look_at_balls(simd, balls, fours),
        None => u64::MAX >> (BLOCK - words.len().clamp(1, BLOCK)),
    };
    members(open)
}

/// Looks at the pairs of a block, given by seat who left its wide box. While it does, what some of the `later` ones are compared by is
/// asked for, if it is `far`: for each the one at the same place.
#[inline(always)]
pub(super) fn look_at<S: Simd>(
    simd: S,
    look: Look<'_>,
    left: &[bool],
    words: &[u64],
    (far, later): (Far<'_>, &[u64]),
) -> Seen {
    debug_assert!(words.len() <= BLOCK);
    let boxes = look.boxes;
    let (open, tests) = match (look.moved, boxes.balls_of_most()) {
        (None, Some(balls)) => {
            far.fetch_all(later, 0..words.len());
            let (fours, rest) = words.as_chunks::<FOUR>();
            let open = look_at_each(
                left,
                rest,
                #[inline(always)]
                |_, pair| boxes.may_meet(simd, pair),
            );
            let open = open << (fours.len() * FOUR % BLOCK);
            (open | look_at_balls(simd, balls, fours), words.len())
        }
        (None, None) if boxes.has_round() => {
            let open = look_at_each(
                left,
                words,
                #[inline(always)]
                |_, pair| boxes.may_meet(simd, pair),
            );
            (open, words.len())
        }
        (None, None) => {
            // Of one length, so that a seat is checked once.
            let (bounds, left) = (boxes.slice(), &left[..boxes.slice().len()]);
            let open = if let Far::Boxes(_) = far {
                look_at_each(
                    left,
                    words,
                    #[inline(always)]
                    |place, [a, b]| {
                        far.fetch(later, place);
                        bounds[a].overlaps_in(simd, &bounds[b])
                    },
                )
            } else {
                look_at_each(
                    left,
                    words,
                    #[inline(always)]
                    |_, [a, b]| bounds[a].overlaps_in(simd, &bounds[b]),
                )
            };
            (open, words.len())
        }
        (Some(moved), _) => {
            let mut tests = 0;
            let open = look_at_each(
                left,
                words,
                #[inline(always)]
                |place, [a, b]| {
                    let is_due = moved.has(a) | moved.has(b);
                    tests += usize::from(is_due);
                    if is_due {
                        boxes.may_meet(simd, [a, b])
                    } else {
                        words[place] & 1 == 1
                    }
                },
            );
            (open, tests)
        }
    };
    Seen {
        open,
        tests: tests as u32,
    }
}

/// Which pairs are to be visited, by a test of their places and seats whether they may meet.
#[inline(always)]
fn look_at_each(
    left: &[bool],
    words: &[u64],
    mut may_meet: impl FnMut(usize, [usize; 2]) -> bool,
) -> u64 {
    let mut open = 0;
    for (place, word) in words.iter().enumerate() {
        let [a, b] = places(*word);
        let is_new = may_meet(place, [a, b]) != (word & 1 == 1);
        open |= u64::from(is_new | left[a] | left[b]) << place;
    }
    open
}

/// The same by the balls of bodies. Those of bodies that left are hidden, and so are to be visited, as are those that are not round.
#[inline(always)]
fn look_at_balls<S: Simd>(simd: S, balls: &[Ball32], fours: &[[u64; FOUR]]) -> u64 {
    let mut open = 0;
    // From behind, so that what was seen before moves up by the same number of bits each time.
    for four in fours.iter().rev() {
        let pairs = four.map(places).map(|[a, b]| [&balls[a], &balls[b]]);
        let (meet, unknown) = Ball32::may_meet_each(simd, pairs);
        let overlap = u64x4::load_array_ref(simd, four) & u64x4::splat(simd, 1);
        let met = overlap.simd_eq(u64x4::splat(simd, 1)).to_bitmask();
        open = open << FOUR | meet ^ met | unknown;
    }
    open
}
