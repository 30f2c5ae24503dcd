//! Cutting a polygon into triangles, exactly.
//!
//! The polygon may be non-convex, have collinear or repeated corners, touch itself (as polygons do whose holes were
//! joined to the outline by a bridge), and be a little out of plane: it is seen along the axis nearest to its normal
//! (Newell's, by Sutherland, Sproull and Schumacker 1974). All decisions are exact signs in that view.
//!
//! **Invariant.** The result is always `n - 2` triangles over the given corners, and their directed edges add up to the
//! polygon's. For such a set, the signed number of triangles over a point is the winding number of the polygon about
//! it, so *if no triangle is turned over, the triangles cover the polygon exactly and do not overlap*. That makes the
//! signs of the triangles a certificate, and each method below is free to guess as long as it ends with it:
//!
//! 1. a fan from the first corner, if all its triangles are positive: convex polygons, in linear time;
//! 2. `ears`: clipping of ears, O(n^2), for polygons of up to 64 corners;
//! 3. `sweep`: a sweep over monotone pieces, O(n log n), for larger ones; then ears, for those that touch themselves,
//!    which the sweep may leave.
//!
//! A polygon that crosses itself or has no area earns no certificate; it is cut as a fan and reported as [`Cut::Fan`].
//! So is one on which the budget of work runs out, which bounds the time for whatever a file may hold at a few
//! seconds. Simple polygons stay far below it: a million corners take from one to a few seconds. Those that touch
//! themselves do so up to about nine thousand corners; beyond, the sweep has managed most that were tried.
//!
//! It does not look for well-shaped triangles, and knows nothing of holes that are polygons of their own.

mod budget;
mod ears;
mod status;
mod sweep;

pub(super) use budget::Budget;

use super::hull::exact_scale;
use crate::exact::{Axis, Sign, normal_component};
use crate::math::Vec3;

/// How a polygon was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// No triangle is turned over: together they cover each point as often as the polygon winds about it. If the
    /// polygon does not cross itself, they cover it and do not overlap.
    Exact,
    /// The polygon crosses itself or has no area (or touches itself and is too large to be tried to the end): the
    /// triangles are a fan from its first corner.
    Fan,
}

/// Polygons of at most this many corners go to the ears first: below it, the sweep's bookkeeping costs more than it
/// saves.
const SMALL: usize = 64;

/// Appends the triangles of the polygon with these corners: always two fewer than corners, as indices of corners, turned
/// the way the polygon is. Points must be finite; fewer than three give nothing.
///
/// ```
/// # use impinge::{Vec3, shape::polygon::{Cut, triangulate}};
/// // An arrowhead: the fan from its first corner would leave the polygon.
/// let corners = [(0.0, 0.0), (2.0, 1.0), (0.0, 2.0), (1.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
/// let mut triangles = Vec::new();
/// assert_eq!(triangulate(&corners, &mut triangles), Cut::Exact);
/// assert_eq!(triangles, [[3, 0, 1], [3, 1, 2]]);
/// ```
pub fn triangulate(points: &[Vec3], triangles: &mut Vec<[u32; 3]>) -> Cut {
    triangulate_within(&mut Budget::for_corners(points.len()), points, triangles)
}

/// The same, for several polygons that share a budget.
pub(super) fn triangulate_within(
    budget: &mut Budget,
    points: &[Vec3],
    triangles: &mut Vec<[u32; 3]>,
) -> Cut {
    if points.len() <= 3 {
        triangles.extend(fan(points.len()));
        return Cut::Exact;
    }
    let scaled = scaled_to_one(points);
    for view in views(scaled.as_deref().unwrap_or(points)) {
        if let Some(found) = cut(&view, budget) {
            triangles.extend(found.into_iter().map(|t| view.to_polygon(t)));
            return Cut::Exact;
        }
    }
    triangles.extend(fan(points.len()));
    Cut::Fan
}

fn cut(view: &View<'_>, budget: &mut Budget) -> Option<Vec<[u32; 3]>> {
    if fan(view.len()).all(|t| view.turn(t) == Sign::Positive) {
        return Some(fan(view.len()).collect());
    }
    budget.skip_signs();
    if view.len() > SMALL
        && let Some(found) = sweep::triangulate(view, budget)
    {
        return Some(found);
    }
    ears::triangulate(view, budget)
}

fn fan(corners: usize) -> impl Iterator<Item = [u32; 3]> {
    (2..corners as u32).map(|k| [0, k - 1, k])
}

/// A polygon seen along an axis, its corners numbered so that it should turn counter-clockwise.
#[derive(Debug, Clone, Copy)]
struct View<'a> {
    points: &'a [Vec3],
    axis: Axis,
    /// Whether the corners are numbered from the end.
    reversed: bool,
}

impl View<'_> {
    fn len(&self) -> usize {
        self.points.len()
    }

    /// Corner of the polygon for a corner of the view, and back.
    fn corner(&self, i: u32) -> u32 {
        if self.reversed {
            self.points.len() as u32 - 1 - i
        } else {
            i
        }
    }

    fn point(&self, i: u32) -> Vec3 {
        self.points[self.corner(i) as usize]
    }

    /// The point in the plane of the view.
    fn flat(&self, i: u32) -> [f64; 2] {
        self.axis.project(self.point(i))
    }

    /// Positive when the triangle turns counter-clockwise.
    fn turn(&self, triangle: [u32; 3]) -> Sign {
        let [a, b, c] = triangle.map(|i| self.point(i));
        normal_component(self.axis, a, b, c)
    }

    fn next(&self, i: u32) -> u32 {
        if i as usize + 1 == self.len() {
            0
        } else {
            i + 1
        }
    }

    fn previous(&self, i: u32) -> u32 {
        if i == 0 { self.len() as u32 - 1 } else { i - 1 }
    }

    /// A triangle of the view as a triangle of the polygon, turned as the polygon is.
    fn to_polygon(self, triangle: [u32; 3]) -> [u32; 3] {
        let [a, b, c] = triangle.map(|i| self.corner(i));
        if self.reversed { [c, b, a] } else { [a, b, c] }
    }
}

/// The ways to see a polygon: along the largest component of its normal, in the orientation that this component's sign
/// says. All other ways follow if the polygon is so thin that rounding may hide its normal; and if it is small, for it may
/// be so far out of plane that it crosses itself in one view and not in another.
fn views(points: &[Vec3]) -> impl Iterator<Item = View<'_>> {
    /// Far above the rounding errors of the sum (an epsilon for each corner), far below the area of sensible polygons.
    const CERTAIN: f64 = 1e-8;
    let (normal, size) = newell_normal(points);
    let mut axes: [(Axis, f64); 3] = std::array::from_fn(|i| (Axis::ALL[i], normal.to_array()[i]));
    axes.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let is_certain = axes[0].1.abs() > CERTAIN * size;
    let view = |axis, reversed| View {
        points,
        axis,
        reversed,
    };
    axes.into_iter()
        .flat_map(move |(axis, n)| [view(axis, n < 0.0), view(axis, n >= 0.0)])
        .take(if is_certain && points.len() > SMALL {
            1
        } else {
            6
        })
}

/// The area-weighted normal, and the sum of absolute values that it is a sum of; rounded and up to a positive factor. It
/// orders the views and decides nothing.
fn newell_normal(points: &[Vec3]) -> (Vec3, f64) {
    let largest = points
        .iter()
        .map(|p| p.abs().max_element())
        .fold(f64::MIN_POSITIVE, f64::max);
    // Halved and then divided, no coordinate, difference or product overflows.
    let scaled = |p: Vec3| p * 0.5 / largest;
    let origin = scaled(points[0]);
    let (mut normal, mut size) = (Vec3::ZERO, 0.0);
    for (k, p) in points.iter().enumerate() {
        let q = points[(k + 1) % points.len()];
        let (p, q) = (scaled(*p) - origin, scaled(q) - origin);
        normal += p.cross(q);
        size += p.length() * q.length();
    }
    (normal, size)
}

/// The points times a power of two, where their size is extreme and that changes no bit: signs are cheap then.
fn scaled_to_one(points: &[Vec3]) -> Option<Vec<Vec3>> {
    let scale = exact_scale(points);
    #[expect(
        clippy::float_cmp,
        reason = "exactly 1 says that nothing is to be done"
    )]
    let is_needed = scale != 1.0;
    is_needed.then(|| points.iter().map(|p| *p * scale).collect())
}

#[cfg(test)]
mod tests;
