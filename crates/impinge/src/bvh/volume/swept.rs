//! Swept spheres: all points within a radius of a point, a segment or a rectangle (Larsen, Gottschalk, Lin and Manocha,
//! Fast Proximity Queries with Swept Sphere Volumes, 1999), and a tree in which each node has the kind that suits it.
//!
//! The distance of two is that of their cores less both radii. Cores are fitted along the principal axes of the
//! triangles: the radius is half the extent along the remaining axes, and the core no longer than balls at its ends
//! need it to be. As swept spheres are convex, one that holds the corners holds the triangles.
//!
//! **Invariant.** Whatever the core, the radius is the largest distance of a corner from it, rounded up by `64
//! EPSILON`: the nearest point of the core is found with some ten roundings of numbers up to 7. **Cost.** A test is
//! some fifty operations for points, three hundred for rectangles.

use super::covariance::principal_axes;
use super::span::{Span, gap_below};
use crate::bvh::bound::{Bound, is_apart};
use crate::bvh::frame::Relative;
use crate::math::Vec3;
use std::f64::consts::PI;

/// All points within a radius of a point (`N = 0`), a segment (1) or a rectangle (2).
#[derive(Debug, Clone, Copy)]
pub struct Swept<const N: usize> {
    core: Span<N>,
    radius: f64,
}

/// A point-swept sphere: a ball.
pub type Pss = Swept<0>;
/// A line-swept sphere: a capsule.
pub type Lss = Swept<1>;
/// A rectangle-swept sphere.
pub type Rss = Swept<2>;

impl<const N: usize> Swept<N> {
    /// Around triangles, with the core along the first axes of an orthonormal frame.
    fn along(axes: &[Vec3; 3], triangles: &[[Vec3; 3]]) -> Swept<N> {
        const { assert!(N <= 2, "points, segments and rectangles are swept") };
        let points = || triangles.iter().flatten();
        let (low, high) = extents(axes, triangles);
        let middle = (low + high) * 0.5;
        let origin = axes[0] * middle.x + axes[1] * middle.y + axes[2] * middle.z;
        let local = |p: &Vec3| axes.map(|axis| axis.dot(*p - origin));
        // How far points are from the space of the core.
        let off = |x: &[f64; 3]| x[N..].iter().map(|x| x * x).sum::<f64>();
        let square = points().map(|p| off(&local(p))).fold(0.0, f64::max);
        let mut ends = [[0.0_f64; 2]; N];
        for p in points() {
            let x = local(p);
            // A ball at the end of the core reaches so far beyond it.
            let beyond = (square - off(&x)).max(0.0).sqrt();
            for k in 0..N {
                ends[k][0] = ends[k][0].min(x[k] + beyond);
                ends[k][1] = ends[k][1].max(x[k] - beyond);
            }
        }
        if N == 2 {
            for p in points() {
                reach_corner(&mut ends, &local(p), square - off(&local(p)));
            }
        }
        let center = (0..N).fold(origin, |center, k| {
            center + axes[k] * (0.5 * (ends[k][0] + ends[k][1]))
        });
        let mut core = Span {
            center,
            axes: [Vec3::ZERO; N],
            half: [0.0; N],
        };
        for k in 0..N {
            core.axes[k] = axes[k];
            core.half[k] = 0.5 * (ends[k][1] - ends[k][0]);
        }
        let farthest = points().map(|p| (core.nearest(*p) - *p).length());
        Swept {
            radius: farthest.fold(0.0, f64::max) + 64.0 * f64::EPSILON,
            core,
        }
    }

    fn volume(&self) -> f64 {
        let (r, half) = (self.radius, &self.core.half);
        let ball = 4.0 / 3.0 * PI * r * r * r;
        let length: f64 = half.iter().map(|half| 2.0 * half).sum();
        let area = if N == 2 { 4.0 * half[0] * half[1] } else { 0.0 };
        ball + PI * r * r * length + 2.0 * r * area
    }

    fn extent(&self) -> f64 {
        let square: f64 = self.core.half.iter().map(|half| half * half).sum();
        square.sqrt() + self.radius
    }
}

/// Moves a corner of a rectangle, given by its ends on both axes, outwards along the diagonal until a point beyond it
/// is within reach. The square is that of the reach in the plane of the rectangle.
fn reach_corner<const N: usize>(ends: &mut [[f64; 2]; N], x: &[f64; 3], square: f64) {
    let side = [0, 1].map(|k| usize::from(x[k] > 0.5 * (ends[k][0] + ends[k][1])));
    let beyond = [0, 1].map(|k| (x[k] - ends[k][side[k]]).abs());
    let is_outside = (0..2).all(|k| x[k] < ends[k][0] || x[k] > ends[k][1]);
    if !is_outside || beyond[0] * beyond[0] + beyond[1] * beyond[1] <= square {
        return;
    }
    let [p, q] = beyond;
    let root = (2.0 * square - (p - q) * (p - q)).max(0.0).sqrt();
    let step = 0.5 * (p + q - root);
    for k in 0..2 {
        ends[k][side[k]] += if side[k] == 1 { step } else { -step };
    }
}

/// The least and the greatest product of each axis with a corner.
pub(super) fn extents(axes: &[Vec3; 3], triangles: &[[Vec3; 3]]) -> (Vec3, Vec3) {
    let infinite = Vec3::splat(f64::INFINITY);
    triangles
        .iter()
        .flatten()
        .fold((infinite, -infinite), |(low, high), p| {
            let x = Vec3::from(axes.map(|axis| axis.dot(*p)));
            (low.min(x), high.max(x))
        })
}

/// A bound from below of the distance of two placed swept spheres.
#[inline]
fn below<const N: usize, const M: usize>(
    a: &Swept<N>,
    b: &Swept<M>,
    relative: &Relative,
    enough: f64,
) -> f64 {
    let radii = a.radius + b.radius * relative.scale + relative.error;
    let placed = b.core.placed(relative);
    gap_below(&a.core, &placed, enough + radii, 0.0) - radii
}

#[inline]
fn are_near<const N: usize, const M: usize>(
    a: &Swept<N>,
    b: &Swept<M>,
    relative: &Relative,
) -> bool {
    let radii = a.radius + b.radius * relative.scale;
    let reach = radii + relative.error;
    let gap = gap_below(&a.core, &b.core.placed(relative), reach, radii);
    !is_apart(gap - reach)
}

impl<const N: usize> Bound for Swept<N> {
    type Relation = Relative;

    fn fit(triangles: &[[Vec3; 3]]) -> Swept<N> {
        Swept::along(&principal_axes(triangles), triangles)
    }

    fn relate(relative: &Relative) -> Relative {
        *relative
    }

    #[inline]
    fn overlaps(&self, other: &Swept<N>, relative: &Relative) -> bool {
        are_near(self, other, relative)
    }

    #[inline]
    fn distance_below(&self, other: &Swept<N>, relative: &Relative, enough: f64) -> f64 {
        below(self, other, relative, enough)
    }

    fn size(&self) -> f64 {
        self.extent()
    }
}

/// A ball, capsule or rectangle-swept sphere, whichever is the best bargain.
#[derive(Debug, Clone, Copy)]
pub enum SweptAny {
    /// Around a point.
    Point(Pss),
    /// Around a segment.
    Line(Lss),
    /// Around a rectangle.
    Rectangle(Rss),
}

/// What a test with a segment or a rectangle costs beside one with a point, in round numbers from measurements.
const COSTS: [f64; 3] = [1.0, 2.0, 3.0];

impl Bound for SweptAny {
    type Relation = Relative;

    /// The one with the least product of volume and cost of a test.
    fn fit(triangles: &[[Vec3; 3]]) -> SweptAny {
        let axes = principal_axes(triangles);
        let point = Pss::along(&axes, triangles);
        let line = Lss::along(&axes, triangles);
        let rectangle = Rss::along(&axes, triangles);
        let [p, l, r] = [
            COSTS[0] * point.volume(),
            COSTS[1] * line.volume(),
            COSTS[2] * rectangle.volume(),
        ];
        if p <= l && p <= r {
            SweptAny::Point(point)
        } else if l <= r {
            SweptAny::Line(line)
        } else {
            SweptAny::Rectangle(rectangle)
        }
    }

    fn relate(relative: &Relative) -> Relative {
        *relative
    }

    #[inline]
    fn overlaps(&self, other: &SweptAny, relative: &Relative) -> bool {
        use SweptAny::{Line, Point, Rectangle};
        match (self, other) {
            (Point(a), Point(b)) => are_near(a, b, relative),
            (Point(a), Line(b)) => are_near(a, b, relative),
            (Point(a), Rectangle(b)) => are_near(a, b, relative),
            (Line(a), Point(b)) => are_near(a, b, relative),
            (Line(a), Line(b)) => are_near(a, b, relative),
            (Line(a), Rectangle(b)) => are_near(a, b, relative),
            (Rectangle(a), Point(b)) => are_near(a, b, relative),
            (Rectangle(a), Line(b)) => are_near(a, b, relative),
            (Rectangle(a), Rectangle(b)) => are_near(a, b, relative),
        }
    }

    #[inline]
    fn distance_below(&self, other: &SweptAny, relative: &Relative, enough: f64) -> f64 {
        use SweptAny::{Line, Point, Rectangle};
        match (self, other) {
            (Point(a), Point(b)) => below(a, b, relative, enough),
            (Point(a), Line(b)) => below(a, b, relative, enough),
            (Point(a), Rectangle(b)) => below(a, b, relative, enough),
            (Line(a), Point(b)) => below(a, b, relative, enough),
            (Line(a), Line(b)) => below(a, b, relative, enough),
            (Line(a), Rectangle(b)) => below(a, b, relative, enough),
            (Rectangle(a), Point(b)) => below(a, b, relative, enough),
            (Rectangle(a), Line(b)) => below(a, b, relative, enough),
            (Rectangle(a), Rectangle(b)) => below(a, b, relative, enough),
        }
    }

    fn size(&self) -> f64 {
        match self {
            SweptAny::Point(point) => point.extent(),
            SweptAny::Line(line) => line.extent(),
            SweptAny::Rectangle(rectangle) => rectangle.extent(),
        }
    }
}
