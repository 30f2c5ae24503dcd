//! Do two placed polytopes intersect? The default: exact, and quick by coherence.
//!
//! 1. The balls about the centres ([`centers`](super::centers)).
//! 2. The offset of the centres as a direction, and their segment as a place to meet, as far as [`charts`](super::charts) tell.
//! 3. A search from last frame's simplex, or along the direction that separated them, in `f32` and eight pairs at a time
//!    ([`decide`](super::decide)). It proves most of its verdicts; others must be confirmed by a [`certificate`](super::certificate).
//! 4. GJK in `f64`, from there and under the same condition.
//! 5. What is still open is within rounding of touching: [`hulls_intersect`] on the placed vertices.
//!
//! **Invariant.** Every answer of steps 1 to 4 is proven with error bounds; step 5 is exact. **Cost.** In crowds of
//! compact polytopes steps 1 and 2 answer four pairs of five, with one line of memory of each polytope and without a scan.

use super::cache::{Last, PairCache};
use super::centers::Centers;
use super::certificate::{gap_along, is_around_origin, weights_of_origin};
use super::charts::Charted;
use super::gjk::{Goal, descend};
use super::group::{Group, List};
use super::many::{Question, answer_each, answer_one, place_ordinary};
use super::pair::{CENTER, PolytopePair, Start};
use super::search::{Item, Outcome, Proposal};
use super::simplex::Nearest;
use crate::contact::Separation;
use crate::exact::{count_filter, hulls_intersect};
use crate::math::{Pose, Vec3};
use crate::shape::Polytope;
use fearless_simd::Simd;

/// Whether two placed polytopes share a point. Exact; touching counts. The cache changes the time, never the answer.
///
/// ```
/// # use impinge::{Polytope, Pose, Vec3, narrow::{PairCache, intersects_polytopes}};
/// let cube = Polytope::cuboid(Vec3::ONE)?;
/// let mut cache = PairCache::default();
/// let touching = Pose::from_translation(Vec3::new(2.0, 0.0, 0.0))?;
/// assert!(intersects_polytopes(&cube, &Pose::IDENTITY, &cube, &touching, &mut cache));
/// let apart = Pose::from_translation(Vec3::new(2.0_f64.next_up(), 0.0, 0.0))?;
/// assert!(!intersects_polytopes(&cube, &Pose::IDENTITY, &cube, &apart, &mut cache));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn intersects_polytopes(
    a: &Polytope,
    pose_a: &Pose,
    b: &Polytope,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> bool {
    answer_one::<Overlap>(PolytopePair {
        a,
        pose_a,
        b,
        pose_b,
        cache,
    })
}

/// [`intersects_polytopes`] for many pairs, in less time than one by one: `answer` is called once for each pair, by
/// index, in an order of no meaning.
pub fn intersects_each(pairs: &mut [PolytopePair<'_>], mut answer: impl FnMut(usize, bool)) {
    answer_each::<Overlap>(pairs, &mut answer);
}

/// [`intersects_each`] for pairs that its quick steps were tried on: from the third step on.
pub(crate) fn intersects_by_search(
    pairs: &mut [PolytopePair<'_>],
    mut answer: impl FnMut(usize, bool),
) {
    answer_each::<Searched>(pairs, &mut answer);
}

/// Whether two polytopes share a point.
struct Overlap;

/// The same, where the quick steps are known to leave it open.
struct Searched;

impl Question for Searched {
    type Answer = bool;
    const DECIDED: Option<fn(bool) -> bool> = Some(|overlap| overlap);

    #[inline(always)]
    fn quickly<S: Simd>(group: &mut Group<'_, '_, S>, answer: &mut dyn FnMut(usize, bool)) -> List {
        place_ordinary::<Searched, _>(group, answer, |_, _| ());
        group.all_placed()
    }

    #[inline(always)]
    fn by_proposal<S: Simd>(
        pair: &mut PolytopePair<'_>,
        item: &Item<'_, '_, S>,
        proposal: &Proposal,
        proven: Option<Separation>,
        answer: impl FnOnce(bool),
    ) {
        Overlap::by_proposal(pair, item, proposal, proven, answer);
    }

    #[cold]
    fn exactly(pair: &mut PolytopePair<'_>) -> bool {
        Overlap::exactly(pair)
    }
}

impl Question for Overlap {
    type Answer = bool;
    const DECIDED: Option<fn(bool) -> bool> = Some(|overlap| overlap);

    #[inline(always)]
    fn quickly<S: Simd>(group: &mut Group<'_, '_, S>, answer: &mut dyn FnMut(usize, bool)) -> List {
        let open = answer_by_balls(group, answer);
        answer_by_charts(group, &open, answer)
    }

    #[inline(always)]
    fn by_proposal<S: Simd>(
        pair: &mut PolytopePair<'_>,
        item: &Item<'_, '_, S>,
        proposal: &Proposal,
        _proven: Option<Separation>,
        answer: impl FnOnce(bool),
    ) {
        let decided = match conclude(item.centers, proposal, pair.cache) {
            None => descend_to_verdict(item.centers, item.start, pair.cache),
            decided => decided,
        };
        match decided {
            Some(intersects) => {
                count_filter();
                answer(intersects);
            }
            None => answer(Overlap::exactly(pair)),
        }
    }

    /// Step 5.
    #[cold]
    fn exactly(pair: &mut PolytopePair<'_>) -> bool {
        let [a, b] = pair.place_all();
        hulls_intersect(&a, &b)
    }
}

/// Step 1. Places all pairs. Returns what it leaves open.
#[inline(always)]
fn answer_by_balls<S: Simd>(
    group: &mut Group<'_, '_, S>,
    answer: &mut dyn FnMut(usize, bool),
) -> List {
    let [mut apart, mut overlapping, mut open] = [List::EMPTY; 3];
    place_ordinary::<Overlap, _>(
        group,
        answer,
        #[inline(always)]
        |k, pair| {
            let balls = pair.by_balls();
            apart.push_if(k, balls.are_apart);
            overlapping.push_if(k, balls.overlap);
            open.push_if(k, !(balls.are_apart | balls.overlap));
        },
    );
    answer_all(group, &apart, &overlapping, answer);
    open
}

/// Step 2. Returns what it leaves open.
#[inline(always)]
fn answer_by_charts<S: Simd>(
    group: &mut Group<'_, '_, S>,
    open: &List,
    answer: &mut dyn FnMut(usize, bool),
) -> List {
    let charted = Charted::new(group, open);
    for k in charted.open.iter() {
        group.placed(k).fetch_headers();
    }
    answer_all(group, &charted.apart, &charted.overlapping, answer);
    charted.open
}

/// Answers some pairs. What is remembered about them stays, as nothing was needed of it.
#[inline(always)]
fn answer_all<S: Simd>(
    group: &Group<'_, '_, S>,
    apart: &List,
    overlapping: &List,
    answer: &mut dyn FnMut(usize, bool),
) {
    for k in apart.iter() {
        count_filter();
        answer(group.index(k), false);
    }
    for k in overlapping.iter() {
        count_filter();
        answer(group.index(k), true);
    }
}

/// Step 3: checks a proposal.
#[inline(always)]
fn conclude<S: Simd>(
    pair: &Centers<'_, S>,
    proposal: &Proposal,
    cache: &mut PairCache,
) -> Option<bool> {
    cache.keep_proposal(proposal);
    match proposal.outcome {
        Outcome::Apart => {
            let direction = glam::Vec3::from(proposal.direction)
                .as_dvec3()
                .try_normalize()?;
            cache.direction = direction.as_vec3().to_array();
            // The last support point: two vertices, and not the centres as a corner of the part may be.
            let corner = pair.vertices(proposal.corners[3]);
            (pair.separates(direction) || gap_along(pair, direction, &[corner; 3]) > 0.0)
                .then_some(false)
        }
        Outcome::Overlapping => pair.enclosed_point(proposal.corners).map(|_| true),
        Outcome::Open => None,
    }
}

/// Step 4.
#[cold]
fn descend_to_verdict<S: Simd>(
    pair: &Centers<'_, S>,
    start: Start,
    cache: &mut PairCache,
) -> Option<bool> {
    let descent = descend(pair, pair.simplex(start), Goal::Apart);
    match descent.nearest {
        Nearest::Inside => {
            cache.keep(&descent.simplex, Last::Overlapping);
            is_around_origin(&descent.simplex).then_some(true)
        }
        Nearest::Part { .. } => {
            cache.keep(&descent.simplex, Last::Apart);
            let (direction, _) = descent.lower;
            cache.direction = direction.as_vec3().to_array();
            let corners = descent.simplex.first_three();
            (direction != Vec3::ZERO && gap_along(pair, direction, &corners) > 0.0).then_some(false)
        }
    }
}

impl<S: Simd> Centers<'_, S> {
    /// A common point, when four pairs of vertices, or of centres, make a tetrahedron of differences around the origin,
    /// for certain.
    #[inline(always)]
    pub(super) fn enclosed_point(&self, corners: [[u32; 2]; 4]) -> Option<Vec3> {
        let [p, q, r, s] = corners;
        let has_center = p[0] == CENTER || q[0] == CENTER || r[0] == CENTER || s[0] == CENTER;
        // A centre is a point of its polytope when it is inside with more room than rounding needs.
        if has_center && !(self.a.inner_radius() > 0.0 && self.b.inner_radius() > 0.0) {
            return None;
        }
        let [p, q, r, s] = [
            self.corner(p),
            self.corner(q),
            self.corner(r),
            self.corner(s),
        ];
        let weights = weights_of_origin(&[p.y(), q.y(), r.y(), s.y()])?;
        Some(p.a * weights[0] + q.a * weights[1] + r.a * weights[2] + s.a * weights[3])
    }
}
