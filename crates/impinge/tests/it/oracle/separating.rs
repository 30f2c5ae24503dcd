//! Triangles against triangles by separating axes.
//!
//! Two closed convex sets `a`, `b` are disjoint exactly when the origin is outside their difference `D = {p - q}`, a
//! convex polytope whose edges are parallel to edges of `a` or `b`. By the dimension of `D`, the origin is outside when
//!
//! * 3: it is beyond a facet, whose normal is a cross product of two of those edges;
//! * 2: it is off the plane of `D`, or in it and beyond an edge `e`: the axis is `normal x e`;
//! * 1: it is off the line of `D`, or on it and beyond an end;
//! * 0: `D` is a point other than the origin.
//!
//! Degenerate triangles have fewer or shorter edges and need no further care.

use super::grid::{Grid, Integer, Point, cross, dot, is_null, minus, small_grid};
use impinge::Vec3;

/// With coordinates below `2^30`, edges are below `2^31`, normals `2^63`, axes in a plane `2^95`, and the sums of three
/// products of those with coordinates `2^127`.
const SMALL: u32 = 30;

/// Whether two closed triangles share a point. Triangles of zero area are segments or points.
pub(crate) fn triangles_meet(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let points = [a[0], a[1], a[2], b[0], b[1], b[2]];
    match small_grid(&points, SMALL) {
        Some(grid) => meet(&grid[..3], &grid[3..]),
        None => {
            let grid = Grid::new(&points).points;
            meet(&grid[..3], &grid[3..])
        }
    }
}

/// The same on the grid; both slices hold three points.
pub(crate) fn meet<T: Integer>(a: &[Point<T>], b: &[Point<T>]) -> bool {
    let (edges_a, edges_b) = (edges(a), edges(b));
    let edges = || edges_a.iter().chain(&edges_b);
    let mut normal = None;
    for axis in facet_normals(&edges_a, &edges_b) {
        if separates(&axis, a, b) {
            return false;
        }
        normal = Some(axis);
    }
    let Some(normal) = normal else {
        return meet_on_a_line(edges().next(), a, b);
    };
    let flat = edges().all(|e| dot(&normal, e).is_zero());
    !(flat && edges().any(|e| separates(&cross(&normal, e), a, b)))
}

/// All edges of both are parallel to `edge`, or there are none.
fn meet_on_a_line<T: Integer>(edge: Option<&Point<T>>, a: &[Point<T>], b: &[Point<T>]) -> bool {
    match edge {
        None => a[0] == b[0],
        Some(edge) => {
            let across = cross(edge, &cross(&minus(&b[0], &a[0]), edge));
            !separates(edge, a, b) && !separates(&across, a, b)
        }
    }
}

/// The edges that are not null.
fn edges<T: Integer>(corners: &[Point<T>]) -> Vec<Point<T>> {
    (0..3)
        .map(|i| minus(&corners[(i + 1) % 3], &corners[i]))
        .filter(|e| !is_null(e))
        .collect()
}

/// The cross products of two edges that are not null; within a triangle they are all parallel, so one is enough.
fn facet_normals<'a, T: Integer>(
    edges_a: &'a [Point<T>],
    edges_b: &'a [Point<T>],
) -> impl Iterator<Item = Point<T>> {
    let own = [edges_a, edges_b]
        .into_iter()
        .filter(|edges| edges.len() > 1)
        .map(|edges| cross(&edges[0], &edges[1]));
    let mixed = edges_a
        .iter()
        .flat_map(move |e| edges_b.iter().map(move |f| cross(e, f)));
    own.chain(mixed).filter(|n| !is_null(n))
}

fn separates<T: Integer>(axis: &Point<T>, a: &[Point<T>], b: &[Point<T>]) -> bool {
    let range = |points: &[Point<T>]| {
        let values: Vec<T> = points.iter().map(|p| dot(axis, p)).collect();
        let low = values.iter().min().cloned();
        let high = values.into_iter().max();
        (low, high)
    };
    let ((low_a, high_a), (low_b, high_b)) = (range(a), range(b));
    high_a < low_b || high_b < low_a
}
