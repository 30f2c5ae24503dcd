//! How far are two placed polytopes apart, or how deep do they overlap? One pass for both questions.
//!
//! 1. If they overlapped last time, or if [charts](super::charts) say that they do: the depth at once, of several pairs together, which is
//!    a proof by itself. Of deep pairs, and of polytopes that are not measured together in step 2, scans look for a common point on the segment of centres, or
//!    beside it.
//! 2. A search for the closest features, as for the distance ([`separation`](super::separation)). It ends with the distance,
//!    or with a proof that there is none.
//! 3. For those that intersect, the depth ([`depth`]): of several pairs together, where the search was for several. Most of them have just met, and
//!    the way out of those is nearly across the corners that the search came from.
//!
//! Each step has its certificate and its exact fall-back. **Cost.** That of the distance, or of the depth and in some cases
//! of a search before.

use super::cache::PairCache;
use super::centers::Centers;
use super::charts::Charted;
use super::closest::{Size, size_of};
use super::depth::{self, Asked};
use super::group::{GROUP, Group, List};
use super::many::{Question, answer_each, answer_one, answer_slowly_at, place_others};
use super::pair::PolytopePair;
use super::search::{Item, Proposal};
use super::separation::{common_point, measure_exactly, settle, track_large};
use super::wide::LANES;
use crate::contact::{Separation, SignedDistance};
use crate::exact::count_filter;
use crate::lanes::in_lanes;
use crate::math::Pose;
use crate::shape::Polytope;
use arrayvec::ArrayVec;
use fearless_simd::Simd;

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
    answer_one::<Signed>(PolytopePair {
        a,
        pose_a,
        b,
        pose_b,
        cache,
    })
}

/// [`signed_distance_polytopes`] for many pairs, in less time than one by one: `answer` is called once for each pair, by
/// index, in an order of no meaning.
pub fn signed_distance_each(
    pairs: &mut [PolytopePair<'_>],
    mut answer: impl FnMut(usize, SignedDistance),
) {
    answer_each::<Signed>(pairs, &mut answer);
}

/// How far two polytopes are apart, or how deep they overlap.
struct Signed;

impl Question for Signed {
    type Answer = SignedDistance;
    const APART: Option<fn(Separation) -> SignedDistance> = Some(SignedDistance::Apart);

    #[inline(always)]
    fn quickly<S: Simd>(
        group: &mut Group<'_, '_, S>,
        answer: &mut dyn FnMut(usize, SignedDistance),
    ) -> List {
        place_others::<Signed, _>(group, answer);
        let [first_time, again] = group.all_placed().split(
            #[inline(always)]
            |k| group.cache(k).facet().is_some(),
        );
        let charted = Charted::new(group, &first_time);
        let left = measure_depths(group, &again.with(&charted.overlapping), answer);
        // Those that are measured together are searched at once, unless they are deep.
        let [looked_at, mut open] = charted.open.with(&left).split(
            #[inline(always)]
            |k| {
                let (pair, centers) = group.both(k);
                (size_of(pair) != Size::Other) & !centers.by_balls().overlap
            },
        );
        for k in looked_at.with(&charted.apart).iter() {
            group.placed(k).fetch_headers();
        }
        for (list, may_meet) in [(looked_at, true), (charted.apart, false)] {
            for k in list.iter() {
                let (pair, centers) = group.both(k);
                match measure_quickly(pair, centers, may_meet) {
                    Some(found) => answer(group.index(k), found),
                    None => open.push_if(k, true),
                }
            }
        }
        open
    }

    #[inline(always)]
    fn by_proposal<S: Simd>(
        pair: &mut PolytopePair<'_>,
        item: &Item<'_, '_, S>,
        proposal: &Proposal,
        proven: Option<Separation>,
        answer: impl FnOnce(SignedDistance),
    ) {
        let centers = item.centers;
        // The search has not changed the cache yet.
        let facet = pair.cache.facet();
        let untried = untried(centers, facet);
        settle(
            pair,
            item,
            proposal,
            proven,
            #[inline(always)]
            |pair, separation| {
                if separation.distance > 0.0 {
                    answer(SignedDistance::Apart(separation));
                } else {
                    let deep = depth::measure(centers.simd, pair, untried, facet);
                    answer(SignedDistance::Overlapping(deep));
                }
            },
        );
    }

    /// Step 3, which is a proof by itself. Out of line, so that the code of the search stays together in memory.
    #[inline(never)]
    fn by_depth<S: Simd>(
        simd: S,
        pairs: &mut [PolytopePair<'_>],
        indices: &[u32],
        answer: &mut dyn FnMut(usize, SignedDistance),
    ) {
        let mut left = ArrayVec::<u32, LANES>::new();
        simd.vectorize(
            #[inline(always)]
            || {
                let mut placed = ArrayVec::<(u32, Centers<'_, S>), LANES>::new();
                for index in indices {
                    match pairs[*index as usize].centers(simd) {
                        Some(centers) => {
                            centers.fetch_surfaces();
                            placed.push((*index, centers));
                        }
                        None => left.push(*index),
                    }
                }
                let mut asked = ArrayVec::<Asked<'_, '_, S>, LANES>::new();
                for (index, centers) in &placed {
                    // Across the corners that the search ended with is the way out of a pair that has just met.
                    let facet = pairs[*index as usize].cache.facet();
                    asked.push(Asked::new(centers, facet));
                }
                depth::measure_again(simd, &asked, |place, found| {
                    let index = placed[place].0;
                    match found {
                        Some((deep, facet)) => {
                            pairs[index as usize].cache.keep_facet(facet);
                            answer(index as usize, SignedDistance::Overlapping(*deep));
                        }
                        None => left.push(index),
                    }
                });
            },
        );
        for index in left {
            answer_slowly_at::<Signed, _>(simd, pairs, index, answer);
        }
    }

    fn exactly(pair: &mut PolytopePair<'_>) -> SignedDistance {
        let separation = measure_exactly(pair);
        in_lanes!(simd => continue_with_depth(simd, pair, None, separation, None))
    }
}

/// Step 1 for pairs that overlapped last time, or that overlap for certain; those that it does not answer.
#[inline(always)]
fn measure_depths<S: Simd>(
    group: &mut Group<'_, '_, S>,
    list: &List,
    answer: &mut dyn FnMut(usize, SignedDistance),
) -> List {
    let first = group.index_of(0);
    let (pairs, placed, numbers) = group.parts();
    for k in list.iter() {
        placed[k].fetch_headers();
        placed[k].a.polytope.fetch_gauss();
        placed[k].b.polytope.fetch_gauss();
    }
    let mut asked = ArrayVec::<Asked<'_, '_, S>, GROUP>::new();
    for k in list.iter() {
        let facet = pairs[usize::from(numbers[k])].cache.facet();
        asked.push(Asked::new(&placed[k], facet));
    }
    let mut left = List::EMPTY;
    let Some(next) = asked.first() else {
        return left;
    };
    next.centers.fetch_surfaces();
    depth::measure_again(next.centers.simd, &asked, |place, found| {
        let k = usize::from(list.as_slice()[place]);
        let number = usize::from(numbers[k]);
        match found {
            Some((deep, facet)) => {
                pairs[number].cache.keep_facet(facet);
                answer(first + number, SignedDistance::Overlapping(*deep));
            }
            None => left.push_if(k, true),
        }
    });
    left
}

/// Step 1 for the others, unless they are known to be apart, and step 2 for polytopes with many vertices.
#[inline(always)]
fn measure_quickly<S: Simd>(
    pair: &mut PolytopePair<'_>,
    centers: &Centers<'_, S>,
    may_meet: bool,
) -> Option<SignedDistance> {
    let facet = pair.cache.facet();
    let untried = untried(centers, facet);
    if may_meet && common_point(centers, pair.cache).is_some() {
        let deep = depth::measure(centers.simd, pair, untried, facet);
        return Some(SignedDistance::Overlapping(deep));
    }
    let separation = track_large(centers, pair.cache)?;
    count_filter();
    Some(continue_with_depth(
        centers.simd,
        pair,
        untried,
        separation,
        facet,
    ))
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
