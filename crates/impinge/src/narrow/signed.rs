//! How far are two placed polytopes apart, or how deep do they overlap? One pass for both questions.
//!
//! 1. If they overlapped last time: the depth at once, which is a proof by itself (`measure_again`). Otherwise,
//!    unless they were apart: a common point on the segment of centres.
//! 2. A search for the closest features, as for the distance ([`separation`](super::separation)). It ends with the distance,
//!    or with a proof that there is none.
//! 3. For those that intersect, the depth ([`depth`](super::depth)).
//!
//! Each step has its certificate and its exact fall-back. **Cost.** That of the distance, or of the depth and in some cases
//! of a search before.

use super::cache::PairCache;
use super::centers::Centers;
use super::depth;
use super::pair::PolytopePair;
use super::search::{Aim, search};
use super::separation::{common_point, measure_exactly, settle, track_large};
use super::waiting::Waiting;
use super::wide::LANES;
use crate::contact::{Separation, SignedDistance};
use crate::exact::count_filter;
use crate::math::Pose;
use crate::shape::Polytope;
use fearless_simd::{Level, Simd, dispatch};

/// How far two placed polytopes are apart, or how deep they overlap. They are apart exactly when they do not intersect; the
/// cache changes the time, never the answer beyond its interval.
///
/// ```
/// # use impinge::{Polytope, Pose, SignedDistance, Vec3, narrow::{PairCache, signed_distance_polytopes}};
/// let cube = Polytope::cuboid(Vec3::ONE)?;
/// let mut cache = PairCache::default();
/// for (x, expected) in [(2.5, 0.5), (1.75, -0.25)] {
///     let beside = Pose::from_translation(Vec3::new(x, 0.25, 0.5))?;
///     let found = signed_distance_polytopes(&cube, &Pose::IDENTITY, &cube, &beside, &mut cache);
///     assert!((found.value() - expected).abs() < 1e-12);
/// }
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn signed_distance_polytopes(
    a: &Polytope,
    pose_a: &Pose,
    b: &Polytope,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> SignedDistance {
    let mut answer = None;
    let pair = PolytopePair {
        a,
        pose_a,
        b,
        pose_b,
        cache,
    };
    signed_distance_each(&mut [pair], |_, signed| answer = Some(signed));
    answer.expect("there is an answer for each pair")
}

/// [`signed_distance_polytopes`] for many pairs, in less time than one by one: `answer` is called once for each pair, by
/// index, in an order of no meaning.
pub fn signed_distance_each(
    pairs: &mut [PolytopePair<'_>],
    mut answer: impl FnMut(usize, SignedDistance),
) {
    measure_each(pairs, &mut answer);
}

/// Not generic, so that it is compiled once and here.
fn measure_each(pairs: &mut [PolytopePair<'_>], answer: &mut dyn FnMut(usize, SignedDistance)) {
    dispatch!(Level::new(), simd => measure_all(simd, pairs, answer));
}

#[inline(always)]
fn measure_all<S: Simd>(
    simd: S,
    pairs: &mut [PolytopePair<'_>],
    answer: &mut dyn FnMut(usize, SignedDistance),
) {
    let mut waiting = Waiting::new();
    let mut facets = [None; LANES];
    for index in 0..pairs.len() {
        let pair = &mut pairs[index];
        let Some(centers) = pair.centers(simd) else {
            let separation = measure_exactly(pair);
            answer(
                index,
                continue_with_depth(simd, pair, None, separation, None),
            );
            continue;
        };
        let facet = pair.cache.facet();
        if let Some(facet) = facet
            && let Some(deep) = depth::measure_again(simd, pair, &centers, facet)
        {
            answer(index, SignedDistance::Overlapping(deep));
            continue;
        }
        if common_point(&centers, pair.cache).is_some() {
            let deep = depth::measure(simd, pair, untried(&centers, facet), facet);
            answer(index, SignedDistance::Overlapping(deep));
            continue;
        }
        if let Some(separation) = track_large(&centers, pair.cache) {
            count_filter();
            answer(
                index,
                continue_with_depth(simd, pair, untried(&centers, facet), separation, facet),
            );
            continue;
        }
        facets[waiting.len()] = facet;
        waiting.push(index, centers, centers.start(pair.cache));
        if waiting.is_full() {
            measure_waiting(simd, &mut waiting, &facets, pairs, answer);
        }
    }
    measure_waiting(simd, &mut waiting, &facets, pairs, answer);
}

/// Steps 2 and 3 for the pairs that wait, with what was last known about their facets.
#[inline(always)]
fn measure_waiting<'a, S: Simd>(
    simd: S,
    waiting: &mut Waiting<'a, S>,
    facets: &[Option<[[u32; 2]; 3]>; LANES],
    pairs: &mut [PolytopePair<'a>],
    answer: &mut dyn FnMut(usize, SignedDistance),
) {
    if waiting.is_empty() {
        return;
    }
    let proposals = search(simd, waiting, Aim::Closest);
    for (item, (proposal, facet)) in waiting.iter().zip(proposals.iter().zip(facets)) {
        let pair = &mut pairs[item.index];
        let separation = settle(item, proposal, pair);
        let untried = untried(&item.centers, *facet);
        answer(
            item.index,
            continue_with_depth(simd, pair, untried, separation, *facet),
        );
    }
    waiting.clear();
}

/// The centres of a pair whose depth was not asked for in step 1.
#[inline(always)]
fn untried<'c, 'a, S: Simd>(
    centers: &'c Centers<'a, S>,
    facet: Option<[[u32; 2]; 3]>,
) -> Option<&'c Centers<'a, S>> {
    facet.is_none().then_some(centers)
}

/// Step 3.
#[inline(always)]
fn continue_with_depth<S: Simd>(
    simd: S,
    pair: &mut PolytopePair<'_>,
    centers: Option<&Centers<'_, S>>,
    separation: Separation,
    facet: Option<[[u32; 2]; 3]>,
) -> SignedDistance {
    if separation.distance > 0.0 {
        SignedDistance::Apart(separation)
    } else {
        SignedDistance::Overlapping(depth::measure(simd, pair, centers, facet))
    }
}
