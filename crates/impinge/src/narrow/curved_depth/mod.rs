//! How deep two convex shapes overlap: the shortest move that parts them.
//!
//! | file | what |
//! |---|---|
//! | `closed` | a point in a box; cylinders, capsules and balls along one axis |
//! | `polytopes` | boxes and polytopes |
//! | `expand`, `surface` | everything else: an expanding polytope |
//! | `core_depth` | what they give |
//! | `names` | the features that the points are on |
//! | `extreme` | shapes of extreme size |
//!
//! A shape is a core and a radius. Where the cores are apart, the depth is the sum of the radii minus the distance of the
//! cores; where they overlap, it is the depth of the cores plus the radii: growing a convex set by a radius moves its
//! boundary by that, inside and outside. Points and segments have no depth of their own. A half-space is left along its
//! normal, and two half-spaces that are exactly opposite across the gap between their planes; all other half-spaces
//! cannot be parted.
//!
//! **Invariant.** The true depth is in the interval, and the second shape moved by `upper * direction` overlaps no more: the
//! upper bound is always measured along that direction.
//! **Width.** At most 1e-12 of the size of the coordinates, but for curved shapes with a whole curve or surface of nearly
//! equally short ways out and no closed form (a ball in the middle of a spheroid): there the interval is as narrow as some
//! hundred support points make it. Of ten thousand random pairs that overlap none is wider than 1e-12; on a coarse grid,
//! where symmetry is common, one in forty, the widest 1e-4.
//! **Cost.** Some 20 to 100 microseconds for an expanding polytope, about forty steps of it. Witness points that match
//! come from Newton's method as for distances; one in two hundred random pairs needs the reference for them.

mod closed;
mod core_depth;
mod expand;
mod extreme;
mod names;
mod polytopes;
mod surface;

use super::cache::PairCache;
use super::primitive::{
    Convex, Gap, Grown, Height, Pair, Radius, SMALLEST, WIDTH, core_gap, decide, moved,
    plain_polytopes,
};
use crate::contact::{Feature, Penetration, Witness};
use crate::exact::count_filter;
use crate::lanes::in_lanes;
use crate::math::{Interval, Pose};
use crate::reference;
use crate::shape::{Placed, Shape};
use closed::closed_depth;
use core_depth::CoreDepth;
use expand::expand;
pub(crate) use extreme::extreme_depth;
use fearless_simd::Simd;
use names::with_holding_features;
use polytopes::polytope_depth;

/// What is known about the depth of two shapes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Depth {
    /// They are apart, for certain.
    Apart,
    /// They meet, for certain.
    Deep(Penetration),
    /// If they meet, this is how deep.
    Open(Penetration),
}

/// How deep two convex shapes overlap; `None` for pairs of extreme size, two half-spaces, and shapes that are not convex.
pub(crate) fn depth(a: &Placed<'_>, b: &Placed<'_>, cache: &mut PairCache) -> Option<Depth> {
    let found = match (Convex::of(a)?, Convex::of(b)?) {
        (Convex::Bounded(p), Convex::Bounded(q)) => {
            if plain_polytopes(&p, &q).is_some() {
                let found = polytope_depth([&p.core, &q.core], cache);
                return Some(found.map_or(Depth::Apart, Depth::Deep));
            }
            let slowly = || slow_gap(a, b);
            let found = in_lanes!(simd => bounded_depth(simd, &p, &q, slowly, cache));
            found.map(|found| match found {
                Depth::Apart => Depth::Apart,
                Depth::Deep(deep) => Depth::Deep(with_right_ends(a, b, deep)),
                Depth::Open(deep) => Depth::Open(with_right_ends(a, b, deep)),
            })
        }
        (Convex::Bounded(body), plane) => {
            above_plane(&Height::new(&body, &plane)?, Order::BodyFirst)
        }
        (plane, Convex::Bounded(body)) => {
            above_plane(&Height::new(&body, &plane)?, Order::PlaneFirst)
        }
        (Convex::HalfSpace { .. }, Convex::HalfSpace { .. }) => None,
    };
    found.inspect(|found| match found {
        Depth::Apart | Depth::Deep(_) => count_filter(),
        Depth::Open(_) => {}
    })
}

#[inline(always)]
fn bounded_depth<S: Simd>(
    simd: S,
    a: &Grown<'_>,
    b: &Grown<'_>,
    slowly: impl Fn() -> Option<Gap>,
    cache: &mut PairCache,
) -> Option<Depth> {
    let reach = a.radius.plus_all(b.radius);
    let (mut gap, scale) = core_gap(simd, [a.core, b.core], cache)?;
    if decide(gap.bounds, reach) == Some(false) {
        return Some(Depth::Apart);
    }
    if gap.is_overlap
        && let Some(found) = polytope_depth([&a.core, &b.core], cache)
    {
        return Some(Depth::Deep(grow_polytopes(found, a, b)));
    }
    let pair = Pair::new(simd, [a.core, b.core])?;
    if pair.scale() + reach.value() < SMALLEST {
        return None;
    }
    if gap.bounds.lower > 0.0 && gap.bounds.width() > WIDTH * scale {
        gap = slowly().unwrap_or(gap);
    }
    let core = core_depth(&pair, &gap);
    let found = grow(&pair, &core, a, b);
    if gap.is_overlap || decide(gap.bounds, reach) == Some(true) {
        Some(Depth::Deep(found))
    } else {
        Some(Depth::Open(found))
    }
}

/// Witness points that fall on each other after the move, and the features that they are on.
fn with_right_ends(a: &Placed<'_>, b: &Placed<'_>, deep: Penetration) -> Penetration {
    with_holding_features(a, b, with_matching_points(a, b, deep))
}

/// Witness points that fall on each other after the move. Of a flat facet the expanding polytope may hold a part only, which
/// proves the depth but does not hold the point nearest to the origin. Where Newton's method did not find that point
/// either, the shapes, parted, tell where they touch.
fn with_matching_points(a: &Placed<'_>, b: &Placed<'_>, deep: Penetration) -> Penetration {
    /// The largest mismatch that stays, in parts of the depth: far above rounding, and too small to see.
    const MISMATCH: f64 = 1e-9;
    /// The same for the smallest depths, in parts of the coordinates.
    const ROUNDINGS: f64 = 64.0 * f64::EPSILON;
    let Witness { a: p, b: q } = deep.witness;
    let mismatch = (q + deep.direction * deep.depth).distance(p);
    let away = deep.direction * deep.bounds.upper;
    if mismatch <= MISMATCH * deep.depth + ROUNDINGS * (p.length() + q.length()) {
        return deep;
    }
    let Ok(parted) = Pose::from_matrix(*b.pose.matrix(), b.pose.translation() + away) else {
        return deep;
    };
    let touching = reference::distance(*a, b.shape.at(parted)).witness;
    Penetration {
        witness: Witness {
            a: touching.a,
            b: touching.b - away,
        },
        ..deep
    }
}

/// The gap of the cores of two shapes that are apart, by the reference.
#[cold]
fn slow_gap(a: &Placed<'_>, b: &Placed<'_>) -> Option<Gap> {
    let (core_a, core_b) = (without_radius(a.shape)?, without_radius(b.shape)?);
    let near = reference::distance(core_a.at(a.pose), core_b.at(b.pose));
    let direction = (near.witness.b - near.witness.a).try_normalize()?;
    (near.bounds.lower > 0.0).then_some(Gap {
        distance: near.distance,
        bounds: near.bounds,
        is_overlap: false,
        direction,
        witness: near.witness,
        features: near.features,
    })
}

/// The shape that is grown by a radius.
fn without_radius(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Sphere(_) => Shape::sphere(0.0).ok(),
        Shape::Capsule(c) => Shape::capsule(c.half_height(), 0.0).ok(),
        Shape::Rounded(r) => without_radius(r.core()),
        Shape::Cuboid(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::Polytope(_)
        | Shape::Custom(_) => Some(shape.clone()),
        Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) => None,
    }
}

fn core_depth<S: Simd>(pair: &Pair<'_, S>, gap: &Gap) -> CoreDepth {
    if gap.bounds.lower > 0.0 {
        return CoreDepth::at_gap(pair, gap, gap.direction);
    }
    let mut found = closed_depth(pair).unwrap_or_else(|| expand(pair, gap));
    // Cores that may as well be apart are so by no more than the gap.
    if !gap.is_overlap && found.bounds.lower <= 0.0 {
        found.bounds.lower = -gap.bounds.upper;
    }
    found
}

/// The depth of two grown cores from that of the cores.
fn grow<S: Simd>(
    pair: &Pair<'_, S>,
    core: &CoreDepth,
    a: &Grown<'_>,
    b: &Grown<'_>,
) -> Penetration {
    let bounds = plus(core.bounds, a.radius.plus_all(b.radius));
    let [p, q] = core.points;
    let Witness { a: p, b: q } = pair.in_world(p, q);
    let direction = core.direction;
    Penetration {
        depth: f64::midpoint(bounds.lower, bounds.upper),
        bounds,
        direction,
        witness: Witness {
            a: moved(p, direction, a.radius),
            b: moved(q, -direction, b.radius),
        },
        features: [
            surface_of(a, core.features[0]),
            surface_of(b, core.features[1]),
        ],
    }
}

/// The depth of two grown polytopes from that of the polytopes.
fn grow_polytopes(core: Penetration, a: &Grown<'_>, b: &Grown<'_>) -> Penetration {
    let reach = a.radius.plus_all(b.radius);
    let bounds = plus(core.bounds, reach);
    let [on_a, on_b] = core.features;
    Penetration {
        depth: (core.depth + reach.value())
            .max(bounds.lower)
            .min(bounds.upper),
        bounds,
        witness: Witness {
            a: moved(core.witness.a, core.direction, a.radius),
            b: moved(core.witness.b, -core.direction, b.radius),
        },
        features: [surface_of(a, on_a), surface_of(b, on_b)],
        ..core
    }
}

/// What a point is on once its core is grown.
fn surface_of(grown: &Grown<'_>, on_core: Feature) -> Feature {
    if grown.radius.is_zero() {
        on_core
    } else {
        Feature::Surface
    }
}

/// A depth plus radii, rounded outward. The direction is of unit length up to four roundings, and so is the move.
fn plus(depth: Interval, reach: Radius) -> Interval {
    let reach = reach.bounds();
    Interval {
        lower: (depth.lower + reach.lower).next_down().max(0.0),
        upper: ((depth.upper + reach.upper) + 4.0 * f64::EPSILON * reach.upper)
            .next_up()
            .max(0.0),
    }
}

/// Which of the two shapes is the half-space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    BodyFirst,
    PlaneFirst,
}

fn above_plane(height: &Height, order: Order) -> Option<Depth> {
    let reach = height.reach();
    if height.scale + reach.value() < SMALLEST {
        return None;
    }
    let verdict = decide(height.bounds, reach);
    if verdict == Some(false) {
        return Some(Depth::Apart);
    }
    let below = Interval {
        lower: -height.bounds.upper,
        upper: -height.bounds.lower,
    };
    let bounds = plus(below, reach);
    let [on_body, on_plane] = height.last_points();
    let feature = height.own_feature();
    let depth = (reach.value() - height.height)
        .max(bounds.lower)
        .min(bounds.upper);
    let found = match order {
        Order::BodyFirst => Penetration {
            depth,
            bounds,
            direction: -height.up,
            witness: Witness {
                a: on_body,
                b: on_plane,
            },
            features: [feature, Feature::Surface],
        },
        Order::PlaneFirst => Penetration {
            depth,
            bounds,
            direction: height.up,
            witness: Witness {
                a: on_plane,
                b: on_body,
            },
            features: [Feature::Surface, feature],
        },
    };
    match verdict {
        Some(_) => Some(Depth::Deep(found)),
        None => Some(Depth::Open(found)),
    }
}
