//! How far two cores are apart, for certain.
//!
//! Whatever proposes an answer, a closed form or a descent, it is believed only as far as two numbers prove it:
//!
//! - *from below*, a unit direction `n` from `a` towards `b`: the least `n . (q - p)` over both cores, which support
//!   points give;
//! - *from above*, a point of each core: their distance.
//!
//! Closed forms are for points, segments and boxes. Everything else is a descent by GJK, whose last digits on curved cores
//! come from [`match_points`], or else from [`polish`].
//!
//! Both are known within [`Pair::error`]: the errors of both bodies ([`Body`]), and for the difference of the two
//! points, its weights, products and length at most 16 roundings of numbers up to the sum of the extents. A common
//! point is proven by a tetrahedron of differences that holds a ball of that radius about the origin: moving its corners by
//! less than the radius cannot bring the origin outside, because the support function of the moved corners is at least
//! that of the tetrahedron minus the move.

use super::boxes::closest_to_box;
use super::grown::Core;
use super::newton::match_points;
use super::polish::polish;
use super::segments::closest_of_segments;
use super::{Body, Name};
use crate::contact::{Feature, Witness};
use crate::math::{Interval, Vec3};
use crate::narrow::cache::{Last, PairCache};
use crate::narrow::features::spanned;
use crate::narrow::gjk::{Descent, Difference, Goal, descend};
use crate::narrow::simplex::{Corner, Nearest, Simplex};
use fearless_simd::Simd;

/// What is known about the distance of two cores.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Gap {
    /// The distance of the witness points, rounded: the best guess.
    pub(in crate::narrow) distance: f64,
    /// Contains the distance.
    pub(in crate::narrow) bounds: Interval,
    /// Whether the cores share a point, for certain.
    pub(in crate::narrow) is_overlap: bool,
    /// The direction of the lower bound, from `a` to `b`, of unit length up to rounding; zero when none is known.
    pub(in crate::narrow) direction: Vec3,
    /// The points of the upper bound, in the world frame.
    pub(in crate::narrow) witness: Witness,
    /// What the points are on, if the cores are apart and have no radius.
    pub(in crate::narrow) features: [Feature; 2],
}

/// Two cores seen from the middle of the first.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Pair<'a, S> {
    pub(super) simd: S,
    pub(in crate::narrow) cores: [Core<'a>; 2],
    pub(in crate::narrow) a: Body<'a>,
    pub(in crate::narrow) b: Body<'a>,
    pub(in crate::narrow) origin: Vec3,
}

/// Closest points that a closed form proposes, as seen from the origin of the pair, with the parts they are on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proposal {
    pub(super) a: Vec3,
    pub(super) b: Vec3,
    pub(super) features: [Feature; 2],
}

/// Added to every error bound: more than what underflow can do to numbers within the range of [`Body`].
pub(super) const TINY: f64 = f64::from_bits((1023 - 480) << 52);
/// Pairs below this size are not searched: products of four lengths must not underflow.
pub(in crate::narrow) const SMALLEST: f64 = f64::from_bits((1023 - 230) << 52);
/// The width that is aimed for, as a share of the size: well below the promised 1e-12, so that the errors fit in.
const GOAL: f64 = 1e-13;
/// The width at which a descent on curved cores hands over to [`match_points`], as a share of the size: the direction is off
/// by about its root, near enough for Newton's method.
const HAND_OVER: f64 = 1e-5;

impl<'a, S: Simd> Pair<'a, S> {
    /// The pair; `None` when it is of extreme size.
    pub(in crate::narrow) fn new(simd: S, cores: [Core<'a>; 2]) -> Option<Pair<'a, S>> {
        let origin = cores[0].middle();
        Some(Pair {
            simd,
            a: cores[0].seen_from(origin)?,
            b: cores[1].seen_from(origin)?,
            cores,
            origin,
        })
    }

    /// Lower and upper bounds are known within this.
    pub(in crate::narrow) fn error(&self) -> f64 {
        self.a.error + self.b.error + 8.0 * f64::EPSILON * self.extent() + TINY
    }

    /// The sum of the lengths of the longest vectors to each core.
    pub(super) fn extent(&self) -> f64 {
        self.a.extent + self.b.extent
    }

    /// The size of the coordinates involved: what the width of intervals is measured by.
    pub(in crate::narrow) fn scale(&self) -> f64 {
        self.extent() + self.origin.abs().max_element()
    }

    /// The least product of a unit direction with a difference of the cores, within [`Pair::error`].
    pub(in crate::narrow) fn height(&self, direction: Vec3) -> f64 {
        let (p, _) = self.a.support(self.simd, direction);
        let (q, _) = self.b.support(self.simd, -direction);
        direction.dot(q - p)
    }

    /// The gap by closed form where there is one, else by a descent towards `goal`.
    pub(in crate::narrow) fn measure(&self, goal: Goal, cache: &mut PairCache) -> Gap {
        let origin = self.origin;
        let proposal = match (self.a.ends(), self.b.ends(), &self.cores) {
            (Some(p), Some(q), _) => Some(closest_of_segments(p, q)),
            (Some(p), None, [_, Core::Box(cuboid, pose)]) => {
                closest_to_box(p, cuboid, pose, origin)
            }
            (None, Some(q), [Core::Box(cuboid, pose), _]) => {
                closest_to_box(q, cuboid, pose, origin).map(Proposal::swapped)
            }
            _ => None,
        };
        if let Some(gap) = proposal.map(|proposal| self.check(&proposal))
            && self.is_narrow(&gap)
        {
            return gap;
        }
        self.descend(goal, cache)
    }

    /// The width that is aimed for; the errors of both bounds come on top of it.
    fn goal(&self) -> f64 {
        GOAL * self.extent() + 2.0 * self.error()
    }

    fn is_narrow(&self, gap: &Gap) -> bool {
        gap.bounds.upper - gap.bounds.lower <= self.goal()
    }

    /// Two points of the frame in the world, rounded.
    pub(in crate::narrow) fn in_world(&self, a: Vec3, b: Vec3) -> Witness {
        Witness {
            a: a + self.origin,
            b: b + self.origin,
        }
    }

    /// What a proposal proves.
    fn check(&self, proposal: &Proposal) -> Gap {
        let offset = proposal.b - proposal.a;
        let length = offset.length();
        let direction = if length > TINY {
            offset / length
        } else {
            Vec3::ZERO
        };
        let lower = if direction == Vec3::ZERO {
            0.0
        } else {
            self.height(direction) - self.error()
        };
        Gap {
            distance: length,
            bounds: Interval {
                lower: lower.max(0.0).min(length + self.error()),
                upper: length + self.error(),
            },
            is_overlap: false,
            direction,
            witness: self.in_world(proposal.a, proposal.b),
            features: proposal.features,
        }
    }

    /// The gap by a descent from the direction that separated the cores last, or from the line of their middles.
    fn descend(&self, goal: Goal, cache: &mut PairCache) -> Gap {
        if self.extent() < SMALLEST {
            return self.as_points();
        }
        let descent = self.search(goal, glam::Vec3::from(cache.direction).as_dvec3());
        let mut gap = self.conclude(&descent);
        if matches!(goal, Goal::Distance(_)) && gap.bounds.lower > 0.0 && !self.is_narrow(&gap) {
            gap = self.sharpen(gap, &descent);
        }
        cache.direction = gap.direction.as_vec3().to_array();
        cache.has_corners = false;
        cache.last = if gap.is_overlap {
            Last::Overlapping
        } else {
            Last::Apart
        };
        gap
    }

    /// What any two points of the cores prove: enough for cores that are tiny beside their radii or their coordinates.
    fn as_points(&self) -> Gap {
        let any = Difference::support(self, Vec3::X);
        self.check(&Proposal {
            a: any.a,
            b: any.b,
            features: self.features(Vec3::X, |side| std::iter::once(any.id[side])),
        })
    }

    fn search(&self, goal: Goal, hint: Vec3) -> Descent<[Name; 2]> {
        let line = self.cores[1].middle() - self.origin;
        let start = [hint, line].into_iter().find_map(Vec3::try_normalize);
        let first = Difference::support(self, start.unwrap_or(Vec3::X));
        let goal = match goal {
            Goal::Apart => Goal::Apart,
            Goal::Distance(_) if self.a.is_curved() || self.b.is_curved() => {
                Goal::Distance(HAND_OVER * self.extent())
            }
            Goal::Distance(_) => Goal::Distance(GOAL * self.extent()),
        };
        descend(self, Simplex::new(first), goal)
    }

    /// The gap with its last digits.
    fn sharpen(&self, mut gap: Gap, descent: &Descent<[Name; 2]>) -> Gap {
        let (corners, weights) = (descent.simplex.corners(), descent.simplex.weights());
        let mut mean = [(corners[0], 0.0); 3];
        for (place, (corner, weight)) in mean.iter_mut().zip(corners.iter().zip(weights)) {
            *place = (*corner, *weight);
        }
        if let Some(found) = match_points(self, gap.direction, &mean) {
            gap.take(self, &found);
        }
        if self.is_narrow(&gap) {
            gap
        } else {
            polish(self, gap, self.goal())
        }
    }

    fn conclude(&self, descent: &Descent<[Name; 2]>) -> Gap {
        let local = descent.simplex.witness();
        let distance = (local.b - local.a).length();
        let upper = distance + self.error();
        let (direction, height) = descent.lower;
        let is_overlap = match descent.nearest {
            Nearest::Inside => self.is_around_origin(&descent.simplex),
            Nearest::Part { .. } => false,
        };
        Gap {
            distance,
            bounds: Interval {
                // A support map that breaks its contract may prove nonsense, but not an empty interval.
                lower: if is_overlap {
                    0.0
                } else {
                    (height - self.error()).max(0.0).min(upper)
                },
                upper: if is_overlap { 0.0 } else { upper },
            },
            is_overlap,
            direction,
            witness: self.in_world(local.a, local.b),
            features: self.features(direction, |side| {
                let corners = descent.simplex.corners().iter();
                corners.map(move |corner| corner.id[side])
            }),
        }
    }

    /// Whether a tetrahedron of differences holds the ball of radius [`Pair::error`] about the origin.
    fn is_around_origin(&self, simplex: &Simplex<[Name; 2]>) -> bool {
        let [p, q, r, s] = simplex.corners() else {
            return false;
        };
        let y = [p, q, r, s].map(|corner| corner.y());
        const FACES: [[usize; 4]; 4] = [[1, 2, 3, 0], [0, 3, 2, 1], [0, 1, 3, 2], [0, 2, 1, 3]];
        FACES.iter().all(|face| {
            let [p, q, r, opposite] = face.map(|i| y[i]);
            let is_outward = (q - p).cross(r - p).dot(opposite - p) < 0.0;
            let plane = if is_outward { [p, q, r] } else { [p, r, q] };
            height_below(plane) > self.error()
        })
    }

    /// What means of support points are on, given their names on each side.
    pub(in crate::narrow) fn features<N: Iterator<Item = Name>>(
        &self,
        direction: Vec3,
        names: impl Fn(usize) -> N,
    ) -> [Feature; 2] {
        [
            self.feature(0, names(0), direction),
            self.feature(1, names(1), -direction),
        ]
    }

    fn feature(&self, side: usize, names: impl Iterator<Item = Name>, outward: Vec3) -> Feature {
        let core = &self.cores[side];
        let is_triangle = matches!(core, Core::Triangle(_));
        if core.polytope().is_none() && !is_triangle {
            return Feature::Surface;
        }
        let (mut vertices, mut count) = ([0; 4], 0);
        for name in names {
            if let Name::Vertex(vertex) = name
                && !vertices[..count].contains(&vertex)
            {
                vertices[count] = vertex;
                count += 1;
            }
        }
        let vertices = &mut vertices[..count.min(3)];
        let Some((polytope, pose)) = core.polytope() else {
            vertices.sort_unstable();
            return part_of_triangle(vertices);
        };
        core.name(spanned(polytope, vertices, || pose.unrotate(outward)))
    }
}

/// The part between some corners of a triangle, ascending: edges are numbered by the corner that they start from.
pub(in crate::narrow) fn part_of_triangle(corners: &[u32]) -> Feature {
    match corners {
        [corner] => Feature::Vertex(*corner),
        [0, 1] => Feature::Edge(0),
        [1, 2] => Feature::Edge(1),
        [0, 2] => Feature::Edge(2),
        _ => Feature::Face(0),
    }
}

/// How far the plane of a triangle is from the origin, along its normal: never above the true number if that is positive.
///
/// The normal `N` is the product of two edges, each rounded once a coordinate, with three more roundings: off by a vector
/// `d` of at most `4 EPSILON |e| |f|`. Let `r = |d| / |N|`, and let a corner be `h n + t`, with `n` the unit normal. The
/// true height is `((N + d) . (h n + t)) / |N + d|`. Along `n` numerator and denominator grow alike, so that for `r <= 0.1`
/// it is below `h` by at most `r^2 h + 1.25 r |t|`. The corner nearest to the origin is taken, and the two edges at it.
pub(in crate::narrow) fn height_below([p, q, r]: [Vec3; 3]) -> f64 {
    let squares = [p, q, r].map(Vec3::length_squared);
    let [p, q, r] = if squares[0] <= squares[1] && squares[0] <= squares[2] {
        [p, q, r]
    } else if squares[1] <= squares[2] {
        [q, r, p]
    } else {
        [r, p, q]
    };
    let (e, f) = (q - p, r - p);
    let normal = e.cross(f);
    let length = normal.length();
    let doubt = 4.0 * f64::EPSILON * e.length() * f.length() / length;
    // Without any area the doubt is infinite or not a number.
    if doubt.is_nan() || doubt > 0.1 {
        return -p.length();
    }
    let unit = normal / length;
    let height = unit.dot(p);
    let aside = (p - unit * height).length();
    height - doubt * doubt * height.abs() - 1.25 * doubt * aside - 8.0 * f64::EPSILON * p.length()
}

impl<S: Simd> Difference for Pair<'_, S> {
    type Id = [Name; 2];

    #[inline]
    fn support(&self, direction: Vec3) -> Corner<[Name; 2]> {
        let (a, name_a) = self.a.support(self.simd, direction);
        let (b, name_b) = self.b.support(self.simd, -direction);
        Corner {
            a,
            b,
            id: [name_a, name_b],
        }
    }
}

impl Proposal {
    pub(super) fn swapped(self) -> Proposal {
        Proposal {
            a: self.b,
            b: self.a,
            features: [self.features[1], self.features[0]],
        }
    }
}
