//! The way of many polytope pairs through one question: quick answers first, searches of eight at a time, proofs. Distances of
//! polytopes with few vertices, or with a table of directions, are measured eight at a time instead, from poses to proofs ([`closest`](super::closest)).
//!
//! Each question says how it answers a [`Group`] quickly, what it makes of the proposal of a search, and what it does with a
//! pair of extreme size; the way is the same for all.
//!
//! Answers of many numbers are handed on where they are made, and not returned: each copy on the way would wait for the
//! numbers, written one by one, to arrive in memory.

use super::cache::Last;
use super::centers::Centers;
use super::closest::{Bits, Cells, Closest, Finder, Size, size_of};
use super::decide::{Decisions, decide};
use super::group::{GROUP, Group, List};
use super::pair::PolytopePair;
use super::proofs::Proofs;
use super::search::{Item, Outcome, Proposal, search};
use super::wide::LANES;
use crate::contact::Separation;
use crate::exact::count_filter;
use crate::lanes::in_lanes;
use crate::math::Vec3;
use arrayvec::ArrayVec;
use fearless_simd::Simd;

/// How many pairs ahead of the one that is placed memory is asked for.
const AHEAD: usize = 6;

/// A question about a pair of placed polytopes.
pub(super) trait Question {
    /// What answers are.
    type Answer;
    /// The answer of a pair that is only asked whether it overlaps, and hence is [decided](super::decide) and not searched for closest features.
    const DECIDED: Option<fn(bool) -> Self::Answer> = None;

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

    /// The answer about a pair that is apart, where pairs of a like size are [measured together](super::closest) instead of
    /// searched and proven.
    const APART: Option<fn(Separation) -> Self::Answer> = None;

    /// The answer about a pair with a common point, where pairs that are measured together need nothing else.
    const MEETING: Option<fn(Vec3) -> Self::Answer> = None;

    /// Answers up to [`LANES`] pairs, by index, that were measured together and seem to overlap, where that [is not all](Question::MEETING) that is asked.
    fn by_depth<S: Simd>(
        simd: S,
        pairs: &mut [PolytopePair<'_>],
        indices: &[u32],
        answer: &mut dyn FnMut(usize, Self::Answer),
    ) where
        Self: Sized,
    {
        for index in indices {
            answer_slowly_at::<Self, _>(simd, pairs, *index, answer);
        }
    }

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
pub(super) type Waiting<'a, S> = (usize, Centers<'a, S>);

#[inline(always)]
fn answer_all<'a, Q: Question, S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'a>],
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    let mut proofs = Proofs::NONE;
    let (mut small, mut medium) = (Together::NONE, Together::NONE);
    let mut deep = Deep::new();
    // Only made where there are such pairs.
    let (mut small_room, mut medium_room) = (None, None);
    // What one group leaves may be too little for a search of eight: it waits for the next.
    let mut waiting = ArrayVec::<Waiting<'a, S>, { GROUP + LANES }>::new();
    for first in (0..pairs.len()).step_by(GROUP) {
        let end = pairs.len().min(first + GROUP);
        let mut group = Group::new(simd, &mut pairs[first..end], first);
        let open = Q::quickly(&mut group, answer);
        for (list, together) in group.together.iter().zip([&mut small, &mut medium]) {
            for number in list.iter() {
                together.push(group.index_of(number));
            }
        }
        for k in open.iter() {
            let size = if Q::APART.is_some() {
                size_of(group.both(k).0)
            } else {
                Size::Other
            };
            match size {
                Size::Small => small.push(group.index(k)),
                Size::Medium => medium.push(group.index(k)),
                Size::Other => {
                    group.placed(k).fetch_vertices();
                    waiting.push((group.index(k), *group.placed(k)));
                }
            }
        }
        if Q::APART.is_some() {
            if small.len > 0 {
                let room = small_room.get_or_insert_with(Closest::<Bits>::of_none);
                answer_together::<Q, Bits, _>(
                    simd, pairs, end, &mut small, room, &mut deep, answer,
                );
            }
            if medium.len > 0 {
                let room = medium_room.get_or_insert_with(Closest::<Cells>::of_none);
                answer_together::<Q, Cells, _>(
                    simd,
                    pairs,
                    end,
                    &mut medium,
                    room,
                    &mut deep,
                    answer,
                );
            }
            while deep.len() >= LANES || (end == pairs.len() && !deep.is_empty()) {
                let kept = deep.len().saturating_sub(LANES);
                Q::by_depth(simd, pairs, &deep[kept..], answer);
                deep.truncate(kept);
            }
        }
        while waiting.len() >= LANES || (end == pairs.len() && !waiting.is_empty()) {
            let kept = waiting.len().saturating_sub(LANES);
            answer_by_search::<Q, _>(simd, pairs, &waiting[kept..], &mut proofs, answer);
            waiting.truncate(kept);
        }
    }
}

/// Pairs that wait to be measured together, by their index among all.
struct Together {
    indices: [u32; GROUP + LANES],
    len: usize,
}

impl Together {
    const NONE: Together = Together {
        indices: [0; GROUP + LANES],
        len: 0,
    };

    #[inline(always)]
    fn push(&mut self, index: usize) {
        self.indices[self.len] = index as u32;
        self.len += 1;
    }
}

/// Pairs that wait for their depth, by their index among all: a group's, and what two searches and the depths of one before left.
type Deep = ArrayVec<u32, { GROUP + 3 * LANES }>;

/// Measures pairs of one size eight by eight, and what is left of them when these were the last. Out of line, so that the code of
/// quick answers stays together in memory.
#[inline(never)]
fn answer_together<Q: Question, F: Finder, S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'_>],
    end: usize,
    together: &mut Together,
    closest: &mut Closest<F>,
    deep: &mut Deep,
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let all = &together.indices[..together.len];
            let mut done = 0;
            for index in &all[..all.len().min(2 * LANES)] {
                F::fetch_headers(&pairs[*index as usize]);
            }
            for index in &all[..all.len().min(LANES)] {
                F::fetch(&pairs[*index as usize]);
            }
            while done + LANES <= all.len() || (end == pairs.len() && done < all.len()) {
                let next = all.len().min(done + LANES);
                let chosen = &all[done..next];
                let are_of_size = has_size::<F>(pairs, chosen);
                if are_of_size {
                    measure(simd, closest, pairs, chosen);
                }
                // Not before: the nearest cache has no room for both these and the next.
                let after = all.len().min(next + LANES);
                for index in &all[after..all.len().min(after + LANES)] {
                    F::fetch_headers(&pairs[*index as usize]);
                }
                for index in &all[next..after] {
                    F::fetch(&pairs[*index as usize]);
                }
                if are_of_size {
                    hand_on::<Q, F, _>(simd, pairs, chosen, closest, deep, answer);
                } else {
                    answer_singly::<Q, F, _>(simd, pairs, chosen, closest, deep, answer);
                }
                done = next;
            }
            let left = together.len - done;
            together.indices.copy_within(done..together.len, 0);
            together.len = left;
        },
    );
}

/// Whether pairs have the size that they are thought to have.
#[inline(always)]
fn has_size<F: Finder>(pairs: &[PolytopePair<'_>], chosen: &[u32]) -> bool {
    let mut are_of_size = true;
    for index in chosen {
        are_of_size &= size_of(&pairs[*index as usize]) == F::SIZE;
    }
    are_of_size
}

/// Answers pairs of which some have caches of other polytopes.
#[cold]
fn answer_singly<Q: Question, F: Finder, S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'_>],
    chosen: &[u32],
    closest: &mut Closest<F>,
    deep: &mut Deep,
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    for index in chosen {
        let one = std::slice::from_ref(index);
        if has_size::<F>(pairs, one) {
            measure(simd, closest, pairs, one);
            hand_on::<Q, F, _>(simd, pairs, one, closest, deep, answer);
        } else {
            let pair = &mut pairs[*index as usize];
            pair.cache.size = Size::Other;
            answer_slowly_at::<Q, _>(simd, pairs, *index, answer);
        }
    }
}

/// Hands on what is proven about up to eight pairs that were measured, and answers the others.
#[inline(always)]
fn hand_on<Q: Question, F: Finder, S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'_>],
    chosen: &[u32],
    closest: &mut Closest<F>,
    deep: &mut Deep,
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    for (lane, index) in chosen.iter().enumerate() {
        let index = *index as usize;
        let pair = &mut pairs[index];
        if let Some(separation) = closest.separation(lane) {
            pair.cache.keep_corners(closest.corners(lane), F::SIZE);
            count_filter();
            // Named and not handed on, so that it is no call.
            let apart = Q::APART.expect("only such questions measure pairs together");
            answer(index, apart(separation));
        } else if let (Some(meeting), Some(point)) = (Q::MEETING, closest.meeting(lane)) {
            pair.cache.keep_proposal(&closest.proposal(lane));
            count_filter();
            answer(index, meeting(point));
        } else if Q::MEETING.is_none() && closest.proposal(lane).outcome == Outcome::Overlapping {
            pair.a.fetch_gauss();
            pair.b.fetch_gauss();
            pair.cache.keep_proposal(&closest.proposal(lane));
            deep.push(index as u32);
        } else {
            let proposal = closest.proposal(lane);
            answer_slowly::<Q, _>(simd, pair, &proposal, &mut |found| answer(index, found));
        }
    }
}

/// [`Closest::measure`], compiled once for all questions.
#[inline(never)]
fn measure<F: Finder, S: Simd>(
    simd: S,
    closest: &mut Closest<F>,
    pairs: &[PolytopePair<'_>],
    chosen: &[u32],
) {
    simd.vectorize(
        #[inline(always)]
        || closest.measure(simd, pairs, chosen),
    );
}

/// Answers a pair for which measuring it with others proved nothing.
#[inline(never)]
fn answer_slowly<Q: Question, S: Simd>(
    simd: S,
    pair: &mut PolytopePair<'_>,
    proposal: &Proposal,
    answer: &mut dyn FnMut(Q::Answer),
) {
    match pair.centers(simd) {
        Some(centers) => {
            let item = Item {
                centers: &centers,
                start: centers.start(pair.cache),
            };
            Q::by_proposal(pair, &item, proposal, None, answer);
        }
        None => answer(Q::exactly(pair)),
    }
}

/// The same by index, where nothing else is known about the pair.
#[inline(always)]
pub(super) fn answer_slowly_at<Q: Question, S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'_>],
    index: u32,
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    let index = index as usize;
    answer_slowly::<Q, _>(simd, &mut pairs[index], &Proposal::OPEN, &mut |found| {
        answer(index, found);
    });
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
            if let Some(decided) = Q::DECIDED {
                let decisions = decide_some(simd, pairs, some);
                for (lane, (index, centers)) in some.iter().enumerate() {
                    let pair = &mut pairs[*index];
                    if let Some(overlap) = decisions.verdict(lane) {
                        decisions.keep(lane, pair.cache);
                        count_filter();
                        answer(*index, decided(overlap));
                    } else {
                        let proposal = decisions.proposal(lane);
                        answer_by_proposal::<Q, _>(simd, pair, centers, &proposal, &mut |found| {
                            answer(*index, found);
                        });
                    }
                }
                return;
            }
            let mut items = ArrayVec::<Item<'_, 'a, S>, LANES>::new();
            for (index, centers) in some {
                let start = centers.start(pairs[*index].cache);
                items.push(Item { centers, start });
            }
            let proposals = search_closest(simd, &items, proofs);
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

/// [`decide`], compiled once for all questions.
#[inline(never)]
fn decide_some<S: Simd>(simd: S, pairs: &[PolytopePair<'_>], some: &[Waiting<'_, S>]) -> Decisions {
    simd.vectorize(
        #[inline(always)]
        || decide(simd, pairs, some),
    )
}

/// Answers a pair that a search proved nothing about.
#[inline(never)]
fn answer_by_proposal<'a, Q: Question, S: Simd>(
    simd: S,
    pair: &mut PolytopePair<'a>,
    centers: &Centers<'a, S>,
    proposal: &Proposal,
    answer: &mut dyn FnMut(Q::Answer),
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let start = centers.start(pair.cache);
            Q::by_proposal(pair, &Item { centers, start }, proposal, None, answer);
        },
    );
}

/// Searches some pairs for their closest features, and proves what it can; compiled once for all questions.
#[inline(never)]
fn search_closest<S: Simd>(
    simd: S,
    items: &[Item<'_, '_, S>],
    proofs: &mut Proofs,
) -> [Proposal; LANES] {
    simd.vectorize(
        #[inline(always)]
        || {
            let proposals = search(simd, items);
            proofs.prove(simd, items, &proposals);
            proposals
        },
    )
}

/// Places the pairs of a group, which are visited by their numbers as such, and answers those of extreme size.
#[inline(always)]
pub(super) fn place_ordinary<'a, Q: Question, S: Simd>(
    group: &mut Group<'_, 'a, S>,
    answer: &mut dyn FnMut(usize, Q::Answer),
    mut visit: impl FnMut(usize, &Centers<'a, S>),
) {
    for pair in group.pairs.iter().take(AHEAD) {
        pair.fetch();
    }
    for number in 0..group.pairs.len() {
        if let Some(later) = group.pairs.get(number + AHEAD) {
            later.fetch();
        }
        match group.pairs[number].centers(group.simd) {
            Some(centers) => {
                visit(group.placed_count(), &centers);
                group.add(number, centers);
            }
            None => answer(group.index_of(number), Q::exactly(&mut group.pairs[number])),
        }
    }
}

/// Places the pairs of a group, besides those that were apart and are measured together; and answers those of extreme size.
#[inline(always)]
pub(super) fn place_others<Q: Question, S: Simd>(
    group: &mut Group<'_, '_, S>,
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    let [mut others, mut small, mut medium] = [List::EMPTY; 3];
    for pair in group.pairs.iter().take(AHEAD) {
        pair.fetch_cache();
    }
    for number in 0..group.pairs.len() {
        if let Some(later) = group.pairs.get(number + AHEAD) {
            later.fetch_cache();
        }
        let cache = &group.pairs[number].cache;
        let was_apart = cache.last == Last::Apart;
        let (is_small, is_medium) = (cache.size == Size::Small, cache.size == Size::Medium);
        small.push_if(number, was_apart & is_small);
        medium.push_if(number, was_apart & is_medium);
        others.push_if(number, !(was_apart & (is_small | is_medium)));
    }
    group.together = [small, medium];
    let others = others.as_slice();
    for number in others.iter().take(AHEAD) {
        group.pairs[usize::from(*number)].fetch();
    }
    for place in 0..others.len() {
        if let Some(later) = others.get(place + AHEAD) {
            group.pairs[usize::from(*later)].fetch();
        }
        let number = usize::from(others[place]);
        if !group.place(number) {
            answer(group.index_of(number), Q::exactly(&mut group.pairs[number]));
        }
    }
}
