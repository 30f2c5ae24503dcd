//! GJK: the distance of two convex sets from support points alone.
//!
//! Source: Gilbert, Johnson and Keerthi, A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space (1988); the cached simplex is Cameron's (1997).
//!
//! The difference `b - a` of two convex sets is convex, and its point nearest to the origin is their distance. GJK holds a
//! simplex of such differences:
//!
//! 1. Find the part of the simplex nearest to the origin and drop the rest ([`Simplex::reduce`]).
//! 2. Ask both sets for their support points along the direction `d` of that part: the difference `w` with the least
//!    `d . w`. All of `b - a` is on or beyond the plane through `w`, so `d . w / |d|` bounds the distance from below.
//! 3. If `w` is no nearer than the part, the part is the answer. Otherwise add `w` and repeat.
//!
//! **Invariant.** At every step the distance is between the best lower bound so far and the distance of the simplex.
//! **Termination.** The distance of the simplex decreases strictly from step to step, and there are at most
//! [`MAX_STEPS`]. When rounding or that limit ends the descent early the interval is wider, not wrong.
//! **Cost.** A few steps, each two support points and some two hundred flops; one or two from last frame's simplex.
//!
//! Departures from the source: signed volumes for step 1 (see [`simplex`](super::simplex)), a direction that stays
//! accurate near contact, a lower bound at each step, and an end when progress ends rather than at an epsilon.

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
    mut simplex: Simplex<D::Id>,
    goal: Goal,
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

/// The simplex of the last [`distance`] query of a pair. Empty by default.
///
/// Its points are points of the shapes, in their own frames; a wrong cache costs steps, never the answer, as long as it
/// is of the same two shapes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GjkCache {
    points: [[Vec3; 2]; 3],
    count: usize,
}

/// What GJK found out about two shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GjkDistance {
    /// The distance is in this interval, as far as the support points are right; its lower end is positive when the
    /// shapes are proven apart, and both ends are 0 when a common point was found.
    pub bounds: Interval,
    /// The closest points found.
    pub witness: Witness,
    /// How many support points of each shape were computed.
    pub steps: u32,
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
    let pair = Placed {
        a,
        pose_a,
        b,
        pose_b,
    };
    let simplex = pair.start(cache);
    let scale = size(&simplex);
    let descent = descend(&pair, simplex, Goal::Distance(RELATIVE_GOAL * scale));
    *cache = remember(&descent.simplex);
    report(&descent)
}

/// A little below the promised width, so that error bounds fit in as well.
const RELATIVE_GOAL: f64 = 1e-13;

/// Two shapes known by their support points, placed. Points are named by themselves, in the frames of the shapes.
struct Placed<'a, A: ?Sized, B: ?Sized> {
    a: &'a A,
    pose_a: &'a Pose,
    b: &'a B,
    pose_b: &'a Pose,
}

impl<A: SupportMap + ?Sized, B: SupportMap + ?Sized> Difference for Placed<'_, A, B> {
    type Id = [Vec3; 2];

    fn support(&self, direction: Vec3) -> Corner<[Vec3; 2]> {
        self.corner([
            self.a.support(self.pose_a.unrotate(direction)),
            self.b.support(self.pose_b.unrotate(-direction)),
        ])
    }
}

impl<A: SupportMap + ?Sized, B: SupportMap + ?Sized> Placed<'_, A, B> {
    fn corner(&self, [a, b]: [Vec3; 2]) -> Corner<[Vec3; 2]> {
        Corner {
            a: self.pose_a.place(a),
            b: self.pose_b.place(b),
            id: [a, b],
        }
    }

    /// The cached simplex, or the support points along the line of the origins of both frames.
    fn start(&self, cache: &GjkCache) -> Simplex<[Vec3; 2]> {
        let [first, others @ ..] = &cache.points[..cache.count] else {
            let line = self.pose_b.translation() - self.pose_a.translation();
            return Simplex::new(self.support(if line == Vec3::ZERO { Vec3::X } else { line }));
        };
        let mut simplex = Simplex::new(self.corner(*first));
        for points in others {
            simplex.push(self.corner(*points));
        }
        simplex
    }
}

/// The size of the coordinates that make up a simplex.
fn size<Id>(simplex: &Simplex<Id>) -> f64
where
    Id: Copy,
{
    let largest = |size: f64, p: Vec3| size.max(p.abs().max_element());
    simplex.corners().iter().fold(0.0, |size, corner| {
        largest(largest(size, corner.a), corner.b)
    })
}

fn remember(simplex: &Simplex<[Vec3; 2]>) -> GjkCache {
    let mut cache = GjkCache::default();
    // Of a tetrahedron around the origin any face is as good a start as another.
    cache.count = simplex.corners().len().min(cache.points.len());
    for (points, corner) in cache.points.iter_mut().zip(simplex.corners()) {
        *points = corner.id;
    }
    cache
}

fn report(descent: &Descent<[Vec3; 2]>) -> GjkDistance {
    let witness = descent.simplex.witness();
    let bounds = match descent.nearest {
        Nearest::Inside => Interval::exact(0.0),
        Nearest::Part { point, .. } => {
            // Placing, subtracting and weighing: some twenty roundings of numbers of this size.
            let error = 16.0 * f64::EPSILON * size(&descent.simplex);
            Interval {
                lower: (descent.lower.1 - error).max(0.0),
                upper: point.length() + error,
            }
        }
    };
    GjkDistance {
        bounds,
        witness,
        steps: descent.steps,
    }
}
