//! GJK: the distance of two convex sets from support points alone.
//!
//! Source: Gilbert, Johnson and Keerthi, A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space (1988); to begin where the last frame ended is Cameron's (1997).
//!
//! The difference `b - a` of two convex sets is convex, and its point nearest to the origin is their distance. GJK holds a
//! simplex of such differences:
//!
//! 1. Find the part of the simplex nearest to the origin and drop the rest (`simplex`).
//! 2. Ask both sets for their support points along the direction `d` of that part: the difference `w` with the least
//!    `d . w`. All of `b - a` is on or beyond the plane through `w`, so `d . w / |d|` bounds the distance from below.
//! 3. If `w` is no nearer than the part, the part is the answer. Otherwise add `w` and repeat.
//!
//! **Invariant.** At every step the distance is between the best lower bound so far and the distance of the simplex.
//! **Termination.** The distance of the simplex decreases strictly from step to step, and there are at most
//! [`MAX_STEPS`]. When rounding or that limit ends the descent early the interval is wider, not wrong.
//! **Cost.** A few steps, each two support points and some two hundred flops; one or two from last frame's directions.
//!
//! Departures from the source: signed volumes for step 1 (see `simplex`), a direction that stays
//! accurate near contact, a lower bound at each step, and an end when progress ends rather than at an epsilon.

use super::certificate::is_around_origin;
use super::simplex::{Corner, Nearest, Simplex};
use crate::contact::Witness;
use crate::math::{Interval, Pose, Vec3};
use crate::shape::SupportMap;

/// The most steps of one descent. Polytopes of thousands of vertices take about a dozen.
pub const MAX_STEPS: u32 = 128;

/// The differences of two convex sets, by support points.
pub(super) trait Difference {
    /// What names a pair of points.
    type Id: Copy + PartialEq;

    /// The points of both sets whose difference has the least product with the direction.
    fn support(&self, direction: Vec3) -> Corner<Self::Id>;
}

/// How a descent ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Descent<Id> {
    /// The part of the difference that is nearest to the origin as far as found, or a tetrahedron around the origin.
    pub(super) simplex: Simplex<Id>,
    /// What is known about it.
    pub(super) nearest: Nearest,
    /// The direction with the best lower bound, and that bound times its length: 0 without one.
    pub(super) lower: (Vec3, f64),
    /// How many support points were asked for.
    pub(super) steps: u32,
}

/// When a descent may stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Goal {
    /// As soon as it is clear that the sets are apart.
    Apart,
    /// When the lower bound is within this of the distance.
    Distance(f64),
}

/// Descends from a simplex of differences until the goal is reached or no progress is made.
pub(super) fn descend<D: Difference>(
    sets: &D,
    simplex: Simplex<D::Id>,
    goal: Goal,
) -> Descent<D::Id> {
    descend_observed(sets, simplex, goal, |_, _, _| {})
}

/// [`descend`], calling `observe` after each step with the new support point, the best lower bound and the distance of
/// the simplex that it was asked for.
fn descend_observed<D: Difference>(
    sets: &D,
    mut simplex: Simplex<D::Id>,
    goal: Goal,
    mut observe: impl FnMut(&Corner<D::Id>, f64, f64),
) -> Descent<D::Id> {
    let mut nearest = simplex.reduce();
    let mut lower = (Vec3::ZERO, 0.0);
    let mut steps = 0;
    while let Nearest::Part { direction, point } = nearest {
        let length = direction.length();
        if length == 0.0 || steps == MAX_STEPS {
            break;
        }
        let unit = direction / length;
        let next = sets.support(unit);
        steps += 1;
        let bound = unit.dot(next.y());
        if bound > lower.1 {
            lower = (unit, bound);
        }
        observe(&next, lower.1, point.length());
        let is_done = match goal {
            Goal::Apart => bound > 0.0,
            Goal::Distance(tolerance) => point.length() - bound <= tolerance,
        };
        if is_done || simplex.corners().iter().any(|corner| corner.id == next.id) {
            break;
        }
        let mut larger = simplex;
        larger.push(next);
        match larger.reduce() {
            Nearest::Part { point: after, .. }
                if after.length_squared() >= point.length_squared() =>
            {
                break;
            }
            reduced @ (Nearest::Part { .. } | Nearest::Inside) => {
                (simplex, nearest) = (larger, reduced);
            }
        }
    }
    Descent {
        simplex,
        nearest,
        lower,
        steps,
    }
}

/// Where the simplex of the last [`distance`] query of a pair was found. Empty by default.
///
/// It holds directions, each in the frame of its shape, and the next query begins with the support points along them: a
/// wrong cache, even one of other shapes, costs steps and never the answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GjkCache {
    directions: [[Vec3; 2]; 3],
    count: usize,
}

impl GjkCache {
    /// The directions, those of the first shape first.
    pub(crate) fn directions(&self) -> &[[Vec3; 2]] {
        &self.directions[..self.count]
    }
}

/// What GJK found out about two shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GjkDistance {
    /// The distance is in this interval; its lower end is positive when the shapes are proven apart, and both ends are 0
    /// when a tetrahedron of differences certainly holds the origin.
    ///
    /// It allows for 16 roundings of the largest number met, a coordinate of a support point or of a translation. A
    /// support map that is less accurate than that makes the interval less certain by the same amount.
    pub bounds: Interval,
    /// The closest points found.
    pub witness: Witness,
    /// How many support points of each shape were computed, after those to start with.
    pub steps: u32,
}

/// What GJK knows after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GjkStep {
    /// How many support points of each shape were computed so far, after those to start with.
    pub steps: u32,
    /// The distance is in this interval, under the condition of [`GjkDistance::bounds`].
    pub bounds: Interval,
}

/// The distance between two convex shapes by their support points, to within `1e-12` of their size where support points
/// allow it.
///
/// Curved shapes converge slowly when they nearly touch; the interval says how far it went. Shapes whose distance is
/// within rounding of zero give an interval that starts at 0.
///
/// ```
/// # use impinge::{Pose, Vec3, narrow::gjk, shape::{Cuboid, Sphere}};
/// let (ball, cup) = (Sphere::new(1.0)?, Cuboid::new(Vec3::ONE)?);
/// let pose = Pose::from_translation(Vec3::new(5.0, 0.0, 0.0))?;
/// let found = gjk::distance(&ball, &Pose::IDENTITY, &cup, &pose, &mut gjk::GjkCache::default());
/// assert!(found.bounds.contains(3.0) && found.bounds.width() < 1e-11);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn distance(
    a: &(impl SupportMap + ?Sized),
    pose_a: &Pose,
    b: &(impl SupportMap + ?Sized),
    pose_b: &Pose,
    cache: &mut GjkCache,
) -> GjkDistance {
    distance_by_steps(a, pose_a, b, pose_b, cache, |_| {})
}

/// [`distance`], telling what is known after every step. The lower ends never fall.
///
/// ```
/// # use impinge::{Pose, Vec3, narrow::gjk, shape::{Cuboid, Ellipsoid}};
/// let (egg, cup) = (Ellipsoid::new(Vec3::new(1.0, 2.0, 3.0))?, Cuboid::new(Vec3::ONE)?);
/// let pose = Pose::from_translation(Vec3::new(5.0, 4.0, 3.0))?;
/// let mut lower = Vec::new();
/// let mut cache = gjk::GjkCache::default();
/// let found = gjk::distance_by_steps(&egg, &Pose::IDENTITY, &cup, &pose, &mut cache, |step| {
///     lower.push(step.bounds.lower);
/// });
/// assert_eq!(lower.len(), found.steps as usize);
/// assert!(lower.is_sorted() && found.bounds.lower >= lower[lower.len() - 1]);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn distance_by_steps(
    a: &(impl SupportMap + ?Sized),
    pose_a: &Pose,
    b: &(impl SupportMap + ?Sized),
    pose_b: &Pose,
    cache: &mut GjkCache,
    mut observe: impl FnMut(GjkStep),
) -> GjkDistance {
    let mut pair = Placed {
        a,
        pose_a,
        b,
        pose_b,
        unit: 1.0,
    };
    let start = pair.start(cache);
    pair.unit = power_of_two_near(pair.size_of_all(&start));
    let simplex = pair.in_unit(&start);
    let mut size = pair.size_of_all(&simplex);
    let (mut steps, mut lower) = (0, 0.0_f64);
    let descent = descend_observed(
        &pair,
        simplex,
        Goal::Distance(RELATIVE_GOAL * size),
        |corner, bound, distance| {
            size = size.max(pair.size(corner));
            steps += 1;
            // An earlier bound was as certain as numbers known then allow.
            lower = lower.max(bound - ROUNDINGS * size);
            let upper = distance + ROUNDINGS * size;
            let bounds = pair.measured(lower, upper);
            observe(GjkStep { steps, bounds });
        },
    );
    *cache = remember(&descent.simplex);
    let error = ROUNDINGS * size;
    let bounds = match descent.nearest {
        Nearest::Inside if is_around_origin(&descent.simplex) => Interval::exact(0.0),
        Nearest::Inside => pair.measured(0.0, error),
        Nearest::Part { point, .. } => pair.measured(lower, point.length() + error),
    };
    let Witness { a, b } = descent.simplex.witness();
    GjkDistance {
        bounds,
        witness: Witness {
            a: a * pair.unit,
            b: b * pair.unit,
        },
        steps: descent.steps,
    }
}

/// A little below the promised width, so that error bounds fit in as well.
const RELATIVE_GOAL: f64 = 1e-13;

/// Placing, subtracting and weighing points: some twenty roundings, each of half an EPSILON, of numbers of their size.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// Two shapes known by their support points, placed.
struct Placed<'a, A: ?Sized, B: ?Sized> {
    a: &'a A,
    pose_a: &'a Pose,
    b: &'a B,
    pose_b: &'a Pose,
    /// A power of two: placed points are in this unit, so that squares and cubes of large and of small ones are numbers.
    unit: f64,
}

/// A pair of support points, in the frames of the shapes, and the directions they were asked for. The points name it.
#[derive(Debug, Clone, Copy)]
struct Asked {
    points: [Vec3; 2],
    directions: [Vec3; 2],
}

impl PartialEq for Asked {
    fn eq(&self, other: &Asked) -> bool {
        self.points == other.points
    }
}

impl<A: SupportMap + ?Sized, B: SupportMap + ?Sized> Difference for Placed<'_, A, B> {
    type Id = Asked;

    fn support(&self, direction: Vec3) -> Corner<Asked> {
        self.ask([
            self.pose_a.unrotate(direction),
            self.pose_b.unrotate(-direction),
        ])
    }
}

impl<A: SupportMap + ?Sized, B: SupportMap + ?Sized> Placed<'_, A, B> {
    /// The support points along directions of the shapes' own.
    fn ask(&self, directions: [Vec3; 2]) -> Corner<Asked> {
        let [d, e] = directions;
        self.corner(Asked {
            points: [self.a.support(d), self.b.support(e)],
            directions,
        })
    }

    fn corner(&self, id: Asked) -> Corner<Asked> {
        let [a, b] = id.points;
        Corner {
            a: self.pose_a.place(a) / self.unit,
            b: self.pose_b.place(b) / self.unit,
            id,
        }
    }

    /// The largest number that a pair of placed points is made of.
    fn size(&self, corner: &Corner<Asked>) -> f64 {
        let [a, b] = corner.id.points;
        let largest = [a, b, self.pose_a.translation(), self.pose_b.translation()]
            .iter()
            .fold(0.0, |size: f64, v| size.max(v.abs().max_element()));
        largest / self.unit
    }

    fn size_of_all(&self, simplex: &Simplex<Asked>) -> f64 {
        let sizes = simplex.corners().iter().map(|corner| self.size(corner));
        sizes.fold(0.0, f64::max)
    }

    /// Bounds in units as they are without. What is not finite bounds nothing.
    fn measured(&self, lower: f64, upper: f64) -> Interval {
        let lower = if lower.is_finite() { lower } else { 0.0 };
        let upper = if upper.is_finite() {
            upper.max(lower)
        } else {
            f64::INFINITY
        };
        Interval {
            lower: lower * self.unit,
            upper: upper * self.unit,
        }
    }

    /// The support points along the cached directions, or along the line of the origins of both frames.
    fn start(&self, cache: &GjkCache) -> Simplex<Asked> {
        let line = self.pose_b.translation() - self.pose_a.translation();
        let [first, others @ ..] = cache.directions() else {
            return Simplex::new(self.support(if line == Vec3::ZERO { Vec3::X } else { line }));
        };
        let mut simplex = Simplex::new(self.ask(*first));
        for directions in others {
            let corner = self.ask(*directions);
            if simplex.corners().iter().all(|other| other.id != corner.id) {
                simplex.push(corner);
            }
        }
        simplex
    }

    /// A simplex of the same support points, in the unit.
    fn in_unit(&self, simplex: &Simplex<Asked>) -> Simplex<Asked> {
        let corners = simplex.corners();
        let mut same = Simplex::new(self.corner(corners[0].id));
        for corner in &corners[1..] {
            same.push(self.corner(corner.id));
        }
        same
    }
}

fn remember(simplex: &Simplex<Asked>) -> GjkCache {
    let mut cache = GjkCache::default();
    // Of a tetrahedron around the origin any face is as good a start as another.
    cache.count = simplex.corners().len().min(cache.directions.len());
    for (directions, corner) in cache.directions.iter_mut().zip(simplex.corners()) {
        *directions = corner.id.directions;
    }
    cache
}

/// A power of two of about a size, 1 for zero, and nowhere near the ends of the range of exponents.
fn power_of_two_near(size: f64) -> f64 {
    let exponent = (size.to_bits() >> 52).clamp(23, 2023);
    if size > 0.0 {
        f64::from_bits(exponent << 52)
    } else {
        1.0
    }
}
