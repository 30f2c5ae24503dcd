//! Two bounded convex bodies on their way.
//!
//! GJK on the skeletons proposes a direction; the heights of the bodies along it, computed afresh from their support
//! points, are the certificate. Where GJK leaves open whether the bodies touch, which it does for some curved bodies that
//! nearly do, the certified distance of the placed shapes ([`measure_bodies`]) decides.

use super::approach::{Approach, Look};
use super::frame::{Frame, Mover, TOUCHING_ERRORS};
use super::measure::{Body, measure_bodies};
use super::side::{Side, Still};
use super::skeleton::{Extreme, Skeleton};
use crate::contact::{Feature, Separation, Witness};
use crate::error::Error;
use crate::math::{Interval, Vec3};
use crate::narrow::features::spanned;
use crate::narrow::gjk::{Descent, Difference, Goal, descend};
use crate::narrow::primitive::part_of_triangle;
use crate::narrow::simplex::{Corner, Nearest, Simplex};
use crate::shape::Cuboid;

/// Two moving bodies, and the simplex of the last look.
#[derive(Debug)]
pub(super) struct ConvexPair<'a> {
    bodies: [Body<'a>; 2],
    a: Side<'a>,
    b: Side<'a>,
    frame: Frame,
    /// The radii in the frame.
    radii: [f64; 2],
    /// The points of the last simplex, in the frames of the bodies.
    last: [[Extreme; 2]; 3],
    last_len: usize,
    /// The direction that last kept the bodies apart; zero before there was one.
    separating: Vec3,
}

/// The first share of a time by which a pair is looked at earlier: far above rounding, far below what matters.
const FIRST_STEP_BACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// Where the bodies are closest at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closest {
    pub(super) witness: Witness,
    pub(super) features: [Feature; 2],
    pub(super) normal: Option<Vec3>,
}

impl Closest {
    /// The same with the bodies in the other order.
    pub(super) fn swapped(self) -> Closest {
        let [on_a, on_b] = self.features;
        Closest {
            witness: Witness {
                a: self.witness.b,
                b: self.witness.a,
            },
            features: [on_b, on_a],
            normal: self.normal.map(|n| -n),
        }
    }
}

type Name = [Extreme; 2];

impl<'a> ConvexPair<'a> {
    /// The pair; radii are the `extra` of the movers.
    pub(super) fn new(
        bodies: [Body<'a>; 2],
        a: Mover<'a>,
        b: Mover<'a>,
    ) -> Result<ConvexPair<'a>, Error> {
        let radii = [a.extra, b.extra];
        let (frame, a, b) = Frame::around(&a, &b)?;
        let nothing = Extreme {
            point: Vec3::ZERO,
            vertex: 0,
        };
        Ok(ConvexPair {
            bodies,
            a,
            b,
            frame,
            radii: radii.map(|radius| radius * frame.factor),
            last: [[nothing; 2]; 3],
            last_len: 0,
            separating: Vec3::ZERO,
        })
    }

    /// The direction that the last steps of GJK proved best at a time, of unit length or zero.
    pub(super) fn direction_at(&mut self, t: f64) -> Vec3 {
        direction(&self.descend(t))
    }

    /// As [`ConvexPair::closest`], for bodies that come to touch and were not looked at before: where GJK finds no direction between
    /// them any more, it is the one that kept them apart a little earlier.
    pub(super) fn closest_after_approach(&mut self, t: f64) -> Closest {
        let closest = self.closest(t);
        if closest.normal.is_some() {
            return closest;
        }
        let mut earlier = t * FIRST_STEP_BACK;
        while self.separating == Vec3::ZERO && earlier < t {
            self.look(t - earlier);
            earlier *= 16.0;
        }
        self.closest(t)
    }

    /// The closest points, the parts they are on and the direction between them.
    pub(super) fn closest(&mut self, t: f64) -> Closest {
        let descent = self.descend(t);
        let mut n = direction(&descent);
        if n == Vec3::ZERO {
            n = self.separating;
        }
        let width = self.upper(&descent) - self.gap(n, t);
        if width > TOUCHING_ERRORS * self.frame.error
            && let Some(found) = self.measure(t)
        {
            return Closest {
                witness: found.witness,
                features: found.features,
                normal: (n != Vec3::ZERO).then_some(n),
            };
        }
        let origin = self.a.motion.pivot_at(t);
        let Witness { a, b } = descent.simplex.witness();
        // Radii go along the line between the closest points, which need not be as accurate as the direction is.
        let along = (b - a).normalize_or_zero();
        let in_world = |p: Vec3| origin + p / self.frame.factor;
        let feature = |side: &Side<'_>, index: usize, outward: Vec3| {
            if self.radii[index] > 0.0 {
                return Feature::Surface;
            }
            let corners = descent.simplex.corners();
            let mut vertices: Vec<u32> = corners.iter().map(|c| c.id[index].vertex).collect();
            vertices.sort_unstable();
            vertices.dedup();
            part(&side.skeleton, &vertices, side.at(t).local(outward))
        };
        Closest {
            witness: Witness {
                a: in_world(a + along * self.radii[0]),
                b: in_world(b - along * self.radii[1]),
            },
            features: [feature(&self.a, 0, n), feature(&self.b, 1, -n)],
            normal: (n != Vec3::ZERO).then_some(n),
        }
    }

    /// GJK from the simplex of the last look.
    fn descend(&mut self, t: f64) -> Descent<Name> {
        let at = Placed {
            a: self.a.at(t),
            b: self.b.at(t),
            offset: self.frame.offset_at(t),
        };
        let mut simplex = match self.last[..self.last_len] {
            [] => Simplex::new(at.support(at.guess())),
            [first, ..] => Simplex::new(at.corner(first)),
        };
        for name in self.last[..self.last_len].iter().skip(1) {
            simplex.push(at.corner(*name));
        }
        let descent = descend(&at, simplex, Goal::Distance(0.5 * self.frame.error));
        let corners = descent.simplex.corners();
        self.last_len = corners.len().min(self.last.len());
        for (last, corner) in self.last.iter_mut().zip(corners) {
            *last = corner.id;
        }
        descent
    }

    /// The distance of the closest points found, which are points of the bodies whatever the search made of them; not
    /// positive when the bodies overlap.
    fn upper(&self, descent: &Descent<Name>) -> f64 {
        let Witness { a, b } = descent.simplex.witness();
        let between = match descent.nearest {
            Nearest::Inside if a.distance(b) <= self.frame.error => 0.0,
            Nearest::Inside | Nearest::Part { .. } => a.distance(b),
        };
        between - self.radii[0] - self.radii[1]
    }

    /// What the certified distance of the shapes as they are placed says, when the gap along `n` says too little.
    #[cold]
    fn look_closely(&self, t: f64, n: Vec3, gap: f64) -> Look<Vec3> {
        let distance = match self.measure(t) {
            Some(found) => found.bounds,
            None => Interval::exact(0.0),
        };
        let lower = distance.lower * self.frame.factor - self.frame.error;
        if lower <= 0.0 {
            // Below the margin of the lower bound there is nothing to tell apart.
            return Look {
                distance: Interval::exact(0.0),
                direction: None,
            };
        }
        // A direction is worth more than a bound that is a little better.
        let is_useful = gap > 0.25 * lower;
        Look {
            distance: Interval {
                lower: if is_useful { gap } else { lower },
                upper: distance.upper * self.frame.factor,
            },
            direction: is_useful.then_some(n),
        }
    }

    /// The certified distance of the placed shapes. There is always one, as sizes were checked.
    fn measure(&self, t: f64) -> Option<Separation> {
        let pose_a = self.a.motion.pose_at(t).ok()?;
        let pose_b = self.b.motion.pose_at(t).ok()?;
        let [a, b] = &self.bodies;
        Some(measure_bodies((a, pose_a), (b, pose_b)))
    }
}

/// The direction that a descent proved best, or else the one it ended with; zero if neither is known.
fn direction(descent: &Descent<Name>) -> Vec3 {
    let (best, bound) = descent.lower;
    match descent.nearest {
        _ if bound > 0.0 => best,
        Nearest::Part { direction, .. } => direction.normalize_or_zero(),
        Nearest::Inside => Vec3::ZERO,
    }
}

impl Approach for ConvexPair<'_> {
    type Direction = Vec3;

    fn look(&mut self, t: f64) -> Look<Vec3> {
        let descent = self.descend(t);
        let upper = self.upper(&descent);
        let n = direction(&descent);
        let lower = self.gap(n, t);
        if lower > 0.0 {
            self.separating = n;
        }
        if upper > self.touching() && lower <= self.touching() {
            return self.look_closely(t, n, lower);
        }
        Look {
            distance: Interval {
                lower: lower.max(0.0),
                upper: upper.max(0.0),
            },
            direction: Some(n),
        }
    }

    fn gap(&self, n: Vec3, t: f64) -> f64 {
        let between = n.dot(self.frame.offset_at(t));
        let heights = self.a.at(t).height(n) + self.b.at(t).height(-n);
        between - heights - (self.radii[0] + self.radii[1]) - self.frame.error
    }

    fn bend(&self, n: Vec3, from: f64, to: f64) -> f64 {
        // Points of the first body matter as they rise, those of the second as they sink.
        self.a.bend(n, from, to) + self.b.bend(-n, from, to)
    }

    fn pull(&self, n: Vec3) -> f64 {
        n.dot(self.frame.acceleration())
    }

    fn swept_gap(&self, n: Vec3, t: f64) -> f64 {
        let between = n.dot(self.frame.offset_at(t));
        let heights = self.a.swept_height(n) + self.b.swept_height(-n);
        between - heights - (self.radii[0] + self.radii[1]) - self.frame.error
    }

    fn top_speed(&self) -> f64 {
        self.frame.top_speed() + self.a.top_speed() + self.b.top_speed()
    }

    fn touching(&self) -> f64 {
        TOUCHING_ERRORS * self.frame.error
    }
}

/// Two bodies at a time, seen from the pivot of the first.
struct Placed<'s> {
    a: Still<'s>,
    b: Still<'s>,
    offset: Vec3,
}

impl Difference for Placed<'_> {
    type Id = Name;

    fn support(&self, direction: Vec3) -> Corner<Name> {
        self.corner([self.a.extreme(direction), self.b.extreme(-direction)])
    }
}

impl Placed<'_> {
    fn corner(&self, [a, b]: Name) -> Corner<Name> {
        Corner {
            a: self.a.offset(a.point),
            b: self.offset + self.b.offset(b.point),
            id: [a, b],
        }
    }

    /// Where a search without a past begins: from pivot to pivot.
    fn guess(&self) -> Vec3 {
        if self.offset == Vec3::ZERO {
            Vec3::X
        } else {
            self.offset
        }
    }
}

/// The part of a skeleton that holds these vertices: one to three, ascending.
fn part(skeleton: &Skeleton<'_>, vertices: &[u32], outward: Vec3) -> Feature {
    match skeleton {
        Skeleton::Polytope(polytope) => spanned(polytope, vertices, || outward),
        Skeleton::Cuboid(_) => Cuboid::part_of(vertices).unwrap_or(Feature::Inside),
        Skeleton::Triangle(_) => part_of_triangle(vertices),
        Skeleton::Point
        | Skeleton::Segment(_)
        | Skeleton::Cylinder(_)
        | Skeleton::Cone(_)
        | Skeleton::Ellipsoid(_)
        | Skeleton::Custom(_)
        | Skeleton::HullOf(_) => Feature::Surface,
    }
}
