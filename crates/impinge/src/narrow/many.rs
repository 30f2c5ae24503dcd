//! The way of many polytope pairs through one question: quick answers first, searches in groups of eight, proofs.
//!
//! Each question says how it answers quickly, what it makes of the proposal of a search, and what it does with a pair of
//! extreme size; the way is the same for all.

use super::centers::Centers;
use super::pair::{PolytopePair, few_centers};
use super::search::{Aim, Proposal, search};
use super::waiting::{Item, Waiting};
use super::wide::LANES;
use fearless_simd::{Level, Simd, dispatch};

/// A question about a pair of placed polytopes.
pub(super) trait Question {
    /// What answers are.
    type Answer;
    /// What the search is for.
    const AIM: Aim;

    /// The answer of a pair of ordinary size, if there is one that needs no search.
    fn quickly<S: Simd>(
        pair: &mut PolytopePair<'_>,
        centers: &Centers<'_, S>,
    ) -> Option<Self::Answer>;

    /// The answer, given what a search proposes.
    fn by_proposal<S: Simd>(
        pair: &mut PolytopePair<'_>,
        item: &Item<'_, S>,
        proposal: &Proposal,
    ) -> Self::Answer;

    /// The answer of a pair of extreme size.
    fn exactly(pair: &mut PolytopePair<'_>) -> Self::Answer;
}

/// Answers a question for each pair, by index, in an order of no meaning. Not generic in what becomes of the answers, so that
/// it is compiled here and once.
pub(super) fn answer_each<Q: Question>(
    pairs: &mut [PolytopePair<'_>],
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    dispatch!(Level::new(), simd => answer_all::<Q, _>(simd, pairs, answer));
}

/// The answer for one pair.
pub(super) fn answer_one<Q: Question>(pair: PolytopePair<'_>) -> Q::Answer {
    let mut found = None;
    answer_each::<Q>(&mut [pair], &mut |_, answer| found = Some(answer));
    found.expect("there is an answer for each pair")
}

#[inline(always)]
fn answer_all<Q: Question, S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'_>],
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    let mut waiting = Waiting::new();
    for first in (0..pairs.len()).step_by(LANES) {
        let few = few_centers(simd, &pairs[first..]);
        for (index, centers) in (first..pairs.len()).zip(few) {
            let pair = &mut pairs[index];
            let Some(centers) = centers else {
                answer(index, Q::exactly(pair));
                continue;
            };
            if let Some(quick) = Q::quickly(pair, &centers) {
                answer(index, quick);
                continue;
            }
            waiting.push(index, centers, centers.start(pair.cache));
            if waiting.is_full() {
                answer_waiting::<Q, _>(simd, &mut waiting, pairs, answer);
            }
        }
    }
    answer_waiting::<Q, _>(simd, &mut waiting, pairs, answer);
}

/// Searches the pairs that wait. Out of line, so that the code of quick answers stays together in memory.
fn answer_waiting<'a, Q: Question, S: Simd>(
    simd: S,
    waiting: &mut Waiting<'a, S>,
    pairs: &mut [PolytopePair<'a>],
    answer: &mut dyn FnMut(usize, Q::Answer),
) {
    if waiting.is_empty() {
        return;
    }
    simd.vectorize(
        #[inline(always)]
        || {
            let proposals = search(simd, waiting, Q::AIM);
            for (item, proposal) in waiting.iter().zip(&proposals) {
                let found = Q::by_proposal(&mut pairs[item.index], item, proposal);
                answer(item.index, found);
            }
        },
    );
    waiting.clear();
}
