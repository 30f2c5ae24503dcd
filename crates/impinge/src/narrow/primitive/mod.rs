//! Convex shapes of all kinds: within a gap, and how far apart.
//!
//! | file | what |
//! |---|---|
//! | `grown` | a shape as a core and a radius |
//! | `body` | a core's support points and their error bound |
//! | `gap` | the certified distance of two cores: closed forms first, then GJK |
//! | `segments` | closed form: spheres and capsules with each other |
//! | `boxes` | closed form: spheres and capsules with boxes |
//! | `newton`, `patch` | the last digits for curved cores |
//! | `polish` | the same where only support points are known |
//! | `plane` | closed form: half-spaces with everything bounded |
//!
//! Two polytopes, boxes among them, are for [`intersects_polytopes`] and [`distance_polytopes`]. Everything else is a *proposal and a proof*
//! (`gap`): a closed form or a descent proposes closest points, and support points prove an interval for the
//! distance of the cores; the radii are then taken off. An answer that the interval does not decide, or not to the
//! promised width, is `None`, and the caller asks [`mod@crate::reference`].
//!
//! **Invariant.** No answer given here differs from the truth: booleans are proven, distances are inside their interval.
//! **Cost.** Without a cache 0.1 to 0.7 microseconds for closed forms and boxes, 1 to 2 to say whether curved shapes
//! intersect, and 3 to 5 for the distance of a cylinder, cone or ellipsoid from another one or from a polytope. Of 14684
//! random pairs with one of these that are apart, 3 were left to the reference, at some hundred microseconds; with `polish`
//! alone it was a third of them.
//! It does not measure depth: that is `curved_depth`.

mod body;
mod boxes;
mod gap;
mod grown;
mod newton;
mod patch;
mod plane;
mod polish;
mod segments;

pub(super) use body::{Body, Name};
pub(super) use gap::{Gap, Pair, SMALLEST, height_below, part_of_triangle};
pub(super) use grown::{Convex, Core, Grown, Kind, Radius};
pub(super) use newton::{Match, match_points};
pub(super) use plane::Height;

use super::cache::PairCache;
use super::gjk::Goal;
use super::overlap::intersects_polytopes;
use super::separation::distance_polytopes;
use crate::contact::{Feature, Separation, Witness};
use crate::exact::count_filter;
use crate::lanes::in_lanes;
use crate::math::{Interval, Pose, Vec3};
use crate::shape::{Placed, Polytope};
use fearless_simd::Simd;

/// The width of intervals, as a share of the size of the coordinates involved, that is good enough: 2^-42, a quarter of the
/// promised 1e-12, because sizes are sums of bounds here.
pub(super) const WIDTH: f64 = 1.0 / (1u64 << 42) as f64;

/// Whether two convex shapes are within a gap, finite and not negative, of each other; `None` when it cannot be told
/// quickly, or when one of them is not convex.
pub(crate) fn within(
    a: &Placed<'_>,
    b: &Placed<'_>,
    gap: f64,
    cache: &mut PairCache,
) -> Option<bool> {
    convex_within(Convex::of(a)?, Convex::of(b)?, gap, cache)
}

/// Whether a triangle, given by its placed corners, is within a gap of a convex shape; `None` when it cannot be told
/// quickly, or when the shape is not convex.
pub(in crate::narrow) fn triangle_within(
    corners: &[Vec3; 3],
    other: &Placed<'_>,
    gap: f64,
    cache: &mut PairCache,
) -> Option<bool> {
    convex_within(triangle(corners), Convex::of(other)?, gap, cache)
}

/// How far a triangle is from a convex shape, likewise. Corners and edges of the triangle have the numbers 0 to 2.
pub(in crate::narrow) fn triangle_distance(
    corners: &[Vec3; 3],
    other: &Placed<'_>,
    cache: &mut PairCache,
) -> Option<Separation> {
    convex_distance(triangle(corners), Convex::of(other)?, cache)
}

fn triangle<'a>(corners: &[Vec3; 3]) -> Convex<'a> {
    Convex::Bounded(Grown {
        core: Core::Triangle(*corners),
        radius: Radius::default(),
    })
}

fn convex_within(a: Convex<'_>, b: Convex<'_>, gap: f64, cache: &mut PairCache) -> Option<bool> {
    let more = Radius::default().plus(gap);
    let verdict = match (a, b) {
        (Convex::Bounded(a), Convex::Bounded(b)) => {
            let is_plain = more.is_zero();
            if let Some([(p, pose_p), (q, pose_q)]) = plain_polytopes(&a, &b).filter(|_| is_plain) {
                return Some(intersects_polytopes(p, pose_p, q, pose_q, cache));
            }
            in_lanes!(simd => bounded_within(simd, &a, &b, more, cache))
        }
        (Convex::Bounded(body), plane) | (plane, Convex::Bounded(body)) => {
            let height = Height::new(&body, &plane)?;
            decide(height.bounds, height.reach().plus_all(more))
        }
        (Convex::HalfSpace { .. }, Convex::HalfSpace { .. }) => None,
    };
    verdict.inspect(|_| count_filter())
}

/// How far two convex shapes are apart; `None` when it cannot be told quickly, or when one of them is not convex.
pub(crate) fn distance(
    a: &Placed<'_>,
    b: &Placed<'_>,
    cache: &mut PairCache,
) -> Option<Separation> {
    convex_distance(Convex::of(a)?, Convex::of(b)?, cache)
}

fn convex_distance(a: Convex<'_>, b: Convex<'_>, cache: &mut PairCache) -> Option<Separation> {
    let measured = match (a, b) {
        (Convex::Bounded(a), Convex::Bounded(b)) => {
            if let Some([(p, pose_p), (q, pose_q)]) = plain_polytopes(&a, &b) {
                let near = distance_polytopes(p, pose_p, q, pose_q, cache);
                let [on_a, on_b] = near.features;
                return Some(Separation {
                    features: [a.core.name(on_a), b.core.name(on_b)],
                    ..near
                });
            }
            in_lanes!(simd => bounded_distance(simd, &a, &b, cache))
        }
        (Convex::Bounded(body), plane) => Height::new(&body, &plane)?.separation(),
        (plane, Convex::Bounded(body)) => {
            let separation = Height::new(&body, &plane)?.separation();
            separation.map(Separation::swapped)
        }
        (Convex::HalfSpace { .. }, Convex::HalfSpace { .. }) => None,
    };
    measured.inspect(|_| count_filter())
}

/// Two polytopes, boxes among them, without radii.
pub(super) fn plain_polytopes<'a>(
    a: &Grown<'a>,
    b: &Grown<'a>,
) -> Option<[(&'a Polytope, &'a Pose); 2]> {
    let is_plain = a.radius.is_zero() && b.radius.is_zero();
    is_plain.then_some([a.core.polytope()?, b.core.polytope()?])
}

#[inline(always)]
fn bounded_within<S: Simd>(
    simd: S,
    a: &Grown<'_>,
    b: &Grown<'_>,
    more: Radius,
    cache: &mut PairCache,
) -> Option<bool> {
    let reach = a.radius.plus_all(b.radius).plus_all(more);
    if let (Some((p, pose_p)), Some((q, pose_q))) = (a.core.polytope(), b.core.polytope()) {
        let near = distance_polytopes(p, pose_p, q, pose_q, cache);
        return decide(near.bounds, reach);
    }
    let pair = Pair::new(simd, [a.core, b.core])?;
    if is_parted_by_last(&pair, reach, cache) {
        return Some(false);
    }
    let goal = if reach.is_zero() {
        Goal::Apart
    } else {
        Goal::Distance(0.0)
    };
    let gap = pair.measure(goal, cache);
    if gap.is_overlap {
        return Some(true);
    }
    decide(gap.bounds, reach)
}

/// Whether the direction that separated two cores last still does, by more than the reach.
fn is_parted_by_last<S: Simd>(pair: &Pair<'_, S>, reach: Radius, cache: &PairCache) -> bool {
    let direction = glam::Vec3::from(cache.direction).as_dvec3();
    direction
        .try_normalize()
        .is_some_and(|direction| pair.height(direction) - pair.error() > reach.bounds().upper)
}

/// Whether a distance is at most the reach, if its interval says so.
pub(super) fn decide(distance: Interval, reach: Radius) -> Option<bool> {
    let reach = reach.bounds();
    if distance.lower > reach.upper {
        Some(false)
    } else if distance.upper <= reach.lower {
        Some(true)
    } else {
        None
    }
}

#[inline(always)]
fn bounded_distance<S: Simd>(
    simd: S,
    a: &Grown<'_>,
    b: &Grown<'_>,
    cache: &mut PairCache,
) -> Option<Separation> {
    let (gap, scale) = core_gap(simd, [a.core, b.core], cache)?;
    let reach = a.radius.plus_all(b.radius);
    let separation = if gap.is_overlap || decide(gap.bounds, reach) == Some(true) {
        Some(meeting(&gap, a, b))
    } else {
        apart(&gap, a, b)
    };
    separation.filter(|found| found.bounds.width() <= WIDTH * (scale + reach.value()))
}

/// The certified distance of two cores, and the size that its width is measured by.
#[inline(always)]
pub(super) fn core_gap<S: Simd>(
    simd: S,
    cores: [Core<'_>; 2],
    cache: &mut PairCache,
) -> Option<(Gap, f64)> {
    let [a, b] = &cores;
    if let (Some((p, pose_p)), Some((q, pose_q))) = (a.polytope(), b.polytope()) {
        let near = distance_polytopes(p, pose_p, q, pose_q, cache);
        let [on_a, on_b] = near.features;
        let Witness { a: from, b: to } = near.witness;
        let gap = Gap {
            distance: near.distance,
            bounds: near.bounds,
            is_overlap: near.distance <= 0.0,
            direction: (to - from).normalize_or_zero(),
            witness: near.witness,
            features: [a.name(on_a), b.name(on_b)],
        };
        // Its width is as promised, or the exact path measured it.
        return Some((gap, f64::INFINITY));
    }
    let pair = Pair::new(simd, cores)?;
    let gap = pair.measure(Goal::Distance(0.0), cache);
    Some((gap, pair.scale()))
}

/// The answer for two grown cores that meet.
fn meeting(gap: &Gap, a: &Grown<'_>, b: &Grown<'_>) -> Separation {
    let reach = a.radius.plus_all(b.radius);
    let Witness { a: p, b: q } = gap.witness;
    // Between the closest points of the cores, shared out by the radii: then it is in both grown cores.
    let share = if reach.is_zero() {
        0.5
    } else {
        a.radius.value() / reach.value()
    };
    let common = p.lerp(q, share);
    let is_apart = gap.bounds.lower > 0.0;
    let feature = |side: &Grown<'_>, own: Feature| {
        let is_thin = matches!(
            side.core,
            Core::Point(_) | Core::Segment(_) | Core::Triangle(_)
        );
        if !side.radius.is_zero() {
            Feature::Inside
        } else if is_thin || is_apart {
            own
        } else {
            Feature::Inside
        }
    };
    let [on_a, on_b] = gap.features;
    Separation::meeting_at(common, [feature(a, on_a), feature(b, on_b)])
}

/// The answer for two grown cores, if they are certainly apart.
fn apart(gap: &Gap, a: &Grown<'_>, b: &Grown<'_>) -> Option<Separation> {
    let reach = a.radius.plus_all(b.radius);
    let bounds = less(gap.bounds, reach.bounds());
    if gap.bounds.lower <= reach.bounds().upper {
        return None;
    }
    let Witness { a: p, b: q } = gap.witness;
    let feature = |side: &Grown<'_>, own: Feature| {
        if side.radius.is_zero() {
            own
        } else {
            Feature::Surface
        }
    };
    let [on_a, on_b] = gap.features;
    Some(Separation {
        distance: within_bounds(gap.distance - reach.value(), bounds),
        bounds,
        witness: Witness {
            a: moved(p, gap.direction, a.radius),
            b: moved(q, -gap.direction, b.radius),
        },
        features: [feature(a, on_a), feature(b, on_b)],
    })
}

/// A positive number inside bounds, as near to the guess as they allow.
fn within_bounds(guess: f64, bounds: Interval) -> f64 {
    let distance = guess.max(bounds.lower).min(bounds.upper);
    if distance > 0.0 {
        distance
    } else {
        bounds.upper
    }
}

/// A point moved along a direction by a radius.
pub(super) fn moved(p: Vec3, along: Vec3, radius: Radius) -> Vec3 {
    if radius.is_zero() {
        p
    } else {
        p + along * radius.value()
    }
}

/// The difference of two intervals, rounded outward, where it is not negative.
pub(super) fn less(x: Interval, y: Interval) -> Interval {
    Interval {
        lower: (x.lower - y.upper).next_down().max(0.0),
        upper: (x.upper - y.lower).next_up().max(0.0),
    }
}
