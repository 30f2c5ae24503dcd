//! The way of many polytope pairs through one question: quick answers first, searches of eight at a time, proofs.
//!
//! Each question says how it answers a [`Group`] quickly, what it makes of the proposal of a search, and what it does with a
//! pair of extreme size; the way is the same for all.
//!
//! Answers of many numbers are handed on where they are made, and not returned: each copy on the way would wait for the
//! numbers, written one by one, to arrive in memory.

use super::centers::Centers;
use super::group::{GROUP, Group, List};
use super::pair::PolytopePair;
use super::proofs::Proofs;
use super::search::{Aim, Item, Proposal, search};
use super::wide::LANES;
use crate::contact::Separation;
use crate::lanes::in_lanes;
use arrayvec::ArrayVec;
use fearless_simd::Simd;

/// How many pairs ahead of the one that is placed memory is asked for.
const AHEAD: usize = 6;

/// A question about a pair of placed polytopes.
pub(super) trait Question {
    /// What answers are.
    type Answer;
    /// What the search is for.
    const AIM: Aim;

    /// Answers the pairs of a group that need no search, by index. The others are placed, and in the list that it returns.
    fn quickly<S: Simd>(
        group: &mut Group<'_, '_, S>,
        answer: &mut dyn FnMut(usize, Self::Answer),
    ) -> List;

    /// Answers a pair, given where a search began, what it proposes, and what that proves about the distance if the search was
    /// for the closest features.
    fn by_proposal<S: Simd>(
        pair: &mut PolytopePair<'_>,
        item: &Item<'_, '_, S>,
        proposal: &Proposal,
        proven: Option<Separation>,
        answer: impl FnOnce(Self::Answer),
    );

    /// The answer of a pair of extreme size.
    fn exactly(pair: &mut PolytopePair<'_>) -> Self::Answer;
}

/// Answers a question for each pair, by index, in an order of no meaning. Not generic in what becomes of the answers, so that
/// it is compiled here and once.
pub(super) fn answer_each<Q: Question>(
    pairs: &mut [PolytopePair<'_>],
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    in_lanes!(simd => answer_all::<Q, _>(simd, pairs, answer));
}

/// The answer for one pair.
pub(super) fn answer_one<Q: Question>(pair: PolytopePair<'_>) -> Q::Answer {
    let mut found = None;
    answer_each::<Q>(&mut [pair], &mut |_, answer| found = Some(answer));
    found.expect("there is an answer for each pair")
}

/// A pair that waits for a search, by its index among all.
type Waiting<'a, S> = (usize, Centers<'a, S>);

#[inline(always)]
fn answer_all<'a, Q: Question, S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'a>],
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    let mut proofs = Proofs::NONE;
    // What one group leaves may be too little for a search of eight: it waits for the next.
    let mut waiting = ArrayVec::<Waiting<'a, S>, { GROUP + LANES }>::new();
    for first in (0..pairs.len()).step_by(GROUP) {
        let end = pairs.len().min(first + GROUP);
        let mut group = Group::new(simd, &mut pairs[first..end], first);
        for k in Q::quickly(&mut group, answer).iter() {
            group.placed(k).fetch_vertices();
            waiting.push((group.index(k), *group.placed(k)));
        }
        while waiting.len() >= LANES || (end == pairs.len() && !waiting.is_empty()) {
            let kept = waiting.len().saturating_sub(LANES);
            answer_by_search::<Q, _>(simd, pairs, &waiting[kept..], &mut proofs, answer);
            waiting.truncate(kept);
        }
    }
}

/// Searches some pairs. Out of line, so that the code of quick answers stays together in memory.
fn answer_by_search<'a, Q: Question, S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'a>],
    some: &[Waiting<'a, S>],
    proofs: &mut Proofs,
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut items = ArrayVec::<Item<'_, 'a, S>, LANES>::new();
            for (index, centers) in some {
                let start = centers.start(pairs[*index].cache);
                items.push(Item { centers, start });
            }
            let proposals = search(simd, &items, Q::AIM);
            if Q::AIM == Aim::Closest {
                proofs.prove(simd, &items, &proposals);
            }
            for (lane, ((index, _), item)) in some.iter().zip(&items).enumerate() {
                Q::by_proposal(
                    &mut pairs[*index],
                    item,
                    &proposals[lane],
                    proofs.separation(lane),
                    #[inline(always)]
                    |found| answer(*index, found),
                );
            }
        },
    );
}

/// Places the pairs of a group, and answers those of extreme size.
#[inline(always)]
pub(super) fn place_ordinary<Q: Question, S: Simd>(
    group: &mut Group<'_, '_, S>,
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    for pair in group.pairs.iter().take(AHEAD) {
        pair.fetch();
    }
    for number in 0..group.pairs.len() {
        if let Some(later) = group.pairs.get(number + AHEAD) {
            later.fetch();
        }
        if !group.place(number) {
            answer(group.index_of(number), Q::exactly(&mut group.pairs[number]));
        }
    }
}
