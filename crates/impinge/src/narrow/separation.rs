//! How far are two placed polytopes apart? The default: certified, and quick by coherence.
//!
//! 1. Unless they were apart last time: a common point of balls inside ([`centers`](super::centers)) or on the segment of centres, as far as
//!    [charts](super::charts) know one; they also tell of many others that there is none, as the offset of the centres separates them. Of polytopes that are not
//!    measured together in step 2, scans say more about the segment, and about points beside it.
//! 2. For polytopes with very many vertices a walk from last frame's features, or from the extremes along the offset of the
//!    centres ([`lin_canny`](super::lin_canny)); it has its own proof. For others a search from last frame's simplex,
//!    in `f32` and eight pairs at a time ([`search`](super::search)).
//! 3. Its result is checked in `f64`, four pairs at a time ([`proofs`](super::proofs)). The weights and placed vertices of the
//!    nearest part bound the distance from above, the gap along its direction from below; a tetrahedron around the origin
//!    is confirmed by its signs. Polytopes with few vertices, or with a table of directions, take steps 2 and 3 in one go ([`closest`](super::closest)), which proves
//!    that they overlap as well; those that were apart last time at once.
//! 4. What is not confirmed to the promised width is searched again by GJK in `f64`, and checked in the same way, one by one
//!    ([`gap_along`]).
//! 5. What is still open goes to [`hull_distance`], which is exact.
//!
//! **Invariant.** The true distance of the placed polytopes is inside the interval, whatever the searches did.

use super::cache::{Last, PairCache};
use super::centers::Centers;
use super::certificate::{gap_along, is_around_origin};
use super::charts::Charted;
use super::closest::{Size, size_of};
use super::features::spanned;
use super::gjk::{Goal, descend};
use super::group::{GROUP, Group, List};
use super::lin_canny::track;
use super::many::{Question, answer_each, answer_one, place_others};
use super::pair::{PolytopePair, Start};
use super::part::Part;
use super::search::{Item, Outcome, Proposal};
use super::simplex::Nearest;
use crate::contact::{Feature, Separation};
use crate::exact::{count_filter, hull_distance};
use crate::math::{Interval, Pose, Vec3};
use crate::shape::Polytope;
use fearless_simd::Simd;

/// The promised width of the interval, as a share of the largest coordinate. (2^-40 is a little less than 1e-12.)
pub(super) const WIDTH: f64 = 1.0 / (1u64 << 40) as f64;

/// The distance of two placed polytopes with its certified interval, witness points and features; 0 exactly when they
/// intersect. The cache changes the time, never the answer.
///
/// ```
/// # use impinge::{Feature, Polytope, Pose, Vec3, narrow::{PairCache, distance_polytopes}};
/// let cube = Polytope::cuboid(Vec3::ONE)?;
/// let away = Pose::from_translation(Vec3::new(5.0, 3.0, 0.5))?;
/// let near = distance_polytopes(&cube, &Pose::IDENTITY, &cube, &away, &mut PairCache::default());
/// assert!(near.bounds.contains(10f64.sqrt()) && near.bounds.width() < 1e-11);
/// assert!(matches!(near.features, [Feature::Edge(_), Feature::Edge(_)]));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn distance_polytopes(
    a: &Polytope,
    pose_a: &Pose,
    b: &Polytope,
    pose_b: &Pose,
    cache: &mut PairCache,
) -> Separation {
    answer_one::<Distance>(PolytopePair {
        a,
        pose_a,
        b,
        pose_b,
        cache,
    })
}

/// [`distance_polytopes`] for many pairs, in less time than one by one: `answer` is called once for each pair, by index,
/// in an order of no meaning.
pub fn distance_each(pairs: &mut [PolytopePair<'_>], mut answer: impl FnMut(usize, Separation)) {
    answer_each::<Distance>(pairs, &mut answer);
}

/// How far two polytopes are apart.
struct Distance;

impl Question for Distance {
    type Answer = Separation;
    const APART: Option<fn(Separation) -> Separation> = Some(|separation| separation);
    const MEETING: Option<fn(Vec3) -> Separation> = Some(overlapping);

    #[inline(always)]
    fn quickly<S: Simd>(
        group: &mut Group<'_, '_, S>,
        answer: &mut dyn FnMut(usize, Separation),
    ) -> List {
        place_others::<Distance, _>(group, answer);
        let mut open = List::EMPTY;
        for k in answer_by_points(group, answer).iter() {
            let index = group.index(k);
            let (pair, centers) = group.both(k);
            if let Some(separation) = track_large(centers, pair.cache) {
                count_filter();
                answer(index, separation);
            } else {
                open.push_if(k, true);
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
        answer: impl FnOnce(Separation),
    ) {
        settle(
            pair,
            item,
            proposal,
            proven,
            #[inline(always)]
            |_, separation| answer(separation),
        );
    }

    fn exactly(pair: &mut PolytopePair<'_>) -> Separation {
        measure_exactly(pair)
    }
}

/// Step 1 for all pairs that are placed. Returns what it leaves open.
#[inline(always)]
fn answer_by_points<S: Simd>(
    group: &mut Group<'_, '_, S>,
    answer: &mut dyn FnMut(usize, Separation),
) -> List {
    let [fresh, apart] = group.all_placed().split(
        #[inline(always)]
        |k| group.cache(k).last == Last::Apart,
    );
    let [not_by_balls, by_balls] = fresh.split(
        #[inline(always)]
        |k| group.placed(k).by_balls().overlap,
    );
    let charted = Charted::new(group, &not_by_balls);
    for k in charted.open.with(&charted.apart).with(&apart).iter() {
        group.placed(k).fetch_headers();
    }
    let mut points = [Vec3::ZERO; GROUP];
    let mut faces = [None; GROUP];
    // Those that are measured together are searched at once.
    let [others, together] = charted.open.split(
        #[inline(always)]
        |k| size_of(group.both(k).0) != Size::Other,
    );
    let [not_on_segment, on_segment] = others.split_ahead(
        #[inline(always)]
        |k| group.placed(k).fetch_polars(),
        #[inline(always)]
        |k| {
            let exits = group.placed(k).exits();
            faces[k] = exits.faces;
            points[k] = group.placed(k).point_between(&exits);
            exits.meet()
        },
    );
    let [open, beside] = not_on_segment.split(
        #[inline(always)]
        |k| {
            let Some(faces) = faces[k] else {
                return false;
            };
            let pair = group.placed(k);
            let beside = pair.point_beside(pair.polar_points(faces));
            points[k] = beside.point;
            beside.is_common
        },
    );
    for k in by_balls.iter() {
        points[k] = group.placed(k).ball_point();
    }
    for k in charted.overlapping.iter() {
        points[k] = group.placed(k).point_by_charts(charted.tops[k]);
    }
    let by_charts = &charted.overlapping;
    for k in by_balls
        .with(by_charts)
        .with(&on_segment)
        .with(&beside)
        .iter()
    {
        group.cache(k).last = Last::Overlapping;
        count_filter();
        answer(group.index(k), overlapping(points[k]));
    }
    apart.with(&charted.apart).with(&open).with(&together)
}

/// Step 1 for one pair.
#[inline(always)]
pub(super) fn common_point<S: Simd>(pair: &Centers<'_, S>, cache: &mut PairCache) -> Option<Vec3> {
    if cache.last == Last::Apart {
        return None;
    }
    // No closures around SIMD: out of line they are compiled for the plainest processor.
    let point = if pair.by_balls().overlap {
        pair.ball_point()
    } else {
        meeting_point(pair)?
    };
    cache.last = Last::Overlapping;
    Some(point)
}

/// A point on or beside the segment of centres that is in both.
#[inline(always)]
fn meeting_point<S: Simd>(pair: &Centers<'_, S>) -> Option<Vec3> {
    let exits = pair.exits();
    if exits.meet() {
        return Some(pair.point_between(&exits));
    }
    let beside = pair.point_beside(pair.polar_points(exits.faces?));
    beside.is_common.then_some(beside.point)
}

/// Step 2, for polytopes with many vertices that have no tables.
#[inline(always)]
pub(super) fn track_large<S: Simd>(
    pair: &Centers<'_, S>,
    cache: &mut PairCache,
) -> Option<Separation> {
    let (a, b) = (&pair.a, &pair.b);
    if !(a.is_large() | b.is_large()) | (a.has_table() & b.has_table()) {
        return None;
    }
    let from = match pair.start(cache) {
        // A search from afar takes many steps, and a walk is short from a good start.
        Start::Offset => pair.extremes_along_offset().map(Feature::Vertex),
        Start::Corners(corners) => pair.features_of(corners),
    };
    track_from(pair, from, cache)
}

#[cold]
fn track_from<S: Simd>(
    pair: &Centers<'_, S>,
    from: [Feature; 2],
    cache: &mut PairCache,
) -> Option<Separation> {
    let tracked = track([pair.a, pair.b], from)?;
    let [on_a, on_b] = tracked.carriers;
    let is_apart = tracked.separation.distance > 0.0;
    *cache = PairCache {
        corners: [0, 1, 2].map(|k| [on_a[k], on_b[k]]),
        has_corners: true,
        last: if is_apart {
            Last::Apart
        } else {
            Last::Overlapping
        },
        ..*cache
    };
    if is_apart {
        Some(tracked.separation)
    } else {
        Some(overlapping(tracked.separation.witness.a))
    }
}

#[inline(always)]
fn overlapping(point: Vec3) -> Separation {
    Separation::meeting_at(point, [Feature::Inside; 2])
}

/// Steps 3 to 5 for one pair, of which some proposals are proven already.
#[inline(always)]
pub(super) fn settle<'a, S: Simd>(
    pair: &mut PolytopePair<'a>,
    item: &Item<'_, '_, S>,
    proposal: &Proposal,
    proven: Option<Separation>,
    answer: impl FnOnce(&mut PolytopePair<'a>, Separation),
) {
    pair.cache.keep_proposal(proposal);
    if let Some(separation) = proven {
        count_filter();
        return answer(pair, separation);
    }
    if proposal.outcome == Outcome::Overlapping
        && let Some(point) = item.centers.enclosed_point(proposal.corners)
    {
        count_filter();
        return answer(pair, overlapping(point));
    }
    let slowly = settle_slowly(pair, item.centers, item.start);
    answer(pair, slowly);
}

/// Steps 4 and 5.
#[cold]
fn settle_slowly<S: Simd>(
    pair: &mut PolytopePair<'_>,
    centers: &Centers<'_, S>,
    start: Start,
) -> Separation {
    match descend_to_distance(centers, start, pair.cache) {
        Some(separation) => {
            count_filter();
            separation
        }
        None => measure_exactly(pair),
    }
}

/// Step 4.
#[cold]
fn descend_to_distance<S: Simd>(
    pair: &Centers<'_, S>,
    start: Start,
    cache: &mut PairCache,
) -> Option<Separation> {
    let goal = Goal::Distance(WIDTH / 8.0 * pair.scale());
    let descent = descend(pair, pair.simplex(start), goal);
    match descent.nearest {
        Nearest::Inside => {
            cache.keep(&descent.simplex, Last::Overlapping);
            is_around_origin(&descent.simplex).then(|| {
                let point = descent.simplex.witness().a;
                overlapping(point)
            })
        }
        Nearest::Part { direction, .. } => {
            cache.keep(&descent.simplex, Last::Apart);
            let part = Part::of_simplex(&descent.simplex, direction)?;
            let bounds = certify(pair, &part)?;
            Some(separation_of(pair, &part, bounds))
        }
    }
}

/// The interval that a part and its direction prove, if it is narrow enough.
#[inline(always)]
fn certify<S: Simd>(pair: &Centers<'_, S>, part: &Part) -> Option<Interval> {
    // The normalised direction is a few roundings from unit length.
    let gap = gap_along(pair, part.direction(), part.corners());
    let lower = gap * (1.0 - 4.0 * f64::EPSILON);
    let upper = part.length_above(pair);
    (lower > 0.0 && upper - lower <= WIDTH * pair.scale()).then_some(Interval { lower, upper })
}

/// What a part says, given the interval that it proves.
#[inline(always)]
fn separation_of<S: Simd>(pair: &Centers<'_, S>, part: &Part, bounds: Interval) -> Separation {
    Separation {
        distance: 0.5 * (bounds.lower + bounds.upper),
        bounds,
        witness: part.witness(),
        features: part.features(pair),
    }
}

/// Step 5.
#[cold]
pub(super) fn measure_exactly(pair: &PolytopePair<'_>) -> Separation {
    let [placed_a, placed_b] = pair.place_all();
    let found = hull_distance(&placed_a, &placed_b);
    if found.is_intersecting() {
        return overlapping(found.witness.a);
    }
    let outward = found.witness.b - found.witness.a;
    let [on_a, on_b] = &found.vertices;
    Separation {
        distance: found.distance,
        bounds: found.bounds,
        witness: found.witness,
        features: [
            spanned(pair.a, on_a, || pair.pose_a.unrotate(outward)),
            spanned(pair.b, on_b, || pair.pose_b.unrotate(-outward)),
        ],
    }
}
