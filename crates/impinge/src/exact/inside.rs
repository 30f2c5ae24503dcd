//! Where a point is with respect to a closed, oriented mesh.
//!
//! The inside is where the winding number is not zero. It is counted along a ray: every triangle that the ray from the
//! point in direction +x passes through adds 1 where it faces along the ray and -1 where it faces against it.
//!
//! **Ties.** A ray may pass through a vertex or an edge, or run within a triangle. So the ray does not start at the
//! point `p` but at `p' = p + (0, e, e^2)`, for an `e > 0` smaller than any number that would matter. This is allowed:
//! a point off the surface has a neighbourhood without surface, in which the winding number is constant. And it leaves
//! no tie: seen along x, `p'` moves on a parabola as `e` shrinks; a parabola meets each of the finitely many lines
//! through projected edges at most twice, so below some `e` it is on none of them. Hence, for each triangle:
//!
//! - Seen edge-on, or of zero area, its projection has no inside: the ray does not meet it.
//! - Otherwise `p'` is strictly inside or strictly outside its projection. Where `p` is off the line of an edge, `p'` is
//!   on the same side; where it is on it, the side is that of `(e, e^2)`, read off the direction of the edge. If `p'` is
//!   inside, `p` is in the closed projection, so `p` is either off the triangle's plane, and the side of the plane tells
//!   whether the triangle is ahead or behind, or it is on the closed triangle: on the boundary.
//!
//! All triangles see the same `p'`, so the count is the signed number of crossings of one ray in general position, which
//! for a closed mesh is the winding number. The value of `e` is never needed.
//!
//! Cost: a few comparisons for a triangle that the ray does not come near, else at most five exact signs. For a mesh that
//! is not closed the count depends on the direction of the ray and means nothing.

use super::signs::{Axis, Sign, normal_component, orientation};
use super::triangles::point_in_triangle;
use crate::math::Vec3;

/// Where a point is with respect to a closed mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// Off the surface, and the winding number is not zero.
    Inside,
    /// On a triangle.
    Boundary,
    /// Off the surface, and the winding number is zero.
    Outside,
}

/// Where a point is with respect to the triangles of a closed, oriented mesh. It is on the boundary exactly when it is
/// on one of the closed triangles.
///
/// ```
/// # use impinge::{Vec3, exact::{Location, locate}};
/// let [o, x, y, z] = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let tetrahedron = [[o, y, x], [o, x, z], [x, y, z], [o, z, y]];
/// assert_eq!(locate(Vec3::splat(0.25), tetrahedron), Location::Inside);
/// assert_eq!(locate(Vec3::new(0.5, 0.5, 0.0), tetrahedron), Location::Boundary);
/// assert_eq!(locate(Vec3::ONE, tetrahedron), Location::Outside);
/// ```
pub fn locate(p: Vec3, triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Location {
    match winding_number(p, triangles) {
        None => Location::Boundary,
        Some(0) => Location::Outside,
        Some(_) => Location::Inside,
    }
}

/// How often a closed, oriented mesh winds around a point: 1 inside a mesh whose triangles are counter-clockwise seen
/// from outside. `None` on the surface, where it is not defined.
pub fn winding_number(p: Vec3, triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Option<i64> {
    triangles
        .into_iter()
        .try_fold(0, |sum, triangle| match meet_ray(p, &triangle) {
            Meeting::None => Some(sum),
            Meeting::Along => Some(sum + 1),
            Meeting::Against => Some(sum - 1),
            Meeting::AtStart => None,
        })
}

/// How the ray meets a triangle.
enum Meeting {
    /// Not at all.
    None,
    /// It passes through, and the triangle faces along it.
    Along,
    /// It passes through, and the triangle faces against it.
    Against,
    /// The ray starts on the triangle.
    AtStart,
}

#[inline]
fn meet_ray(p: Vec3, triangle: &[Vec3; 3]) -> Meeting {
    if is_out_of_reach(p, triangle) {
        return Meeting::None;
    }
    let [a, b, c] = *triangle;
    let facing = normal_component(Axis::X, a, b, c);
    match facing {
        Sign::Zero if point_in_triangle(p, triangle) => Meeting::AtStart,
        Sign::Zero => Meeting::None,
        Sign::Positive | Sign::Negative => meet_open_triangle(p, triangle, facing),
    }
}

/// Whether all corners are on one side of the ray, or behind its start. Exact, and never true of a triangle that holds
/// the start.
#[inline]
fn is_out_of_reach(p: Vec3, triangle: &[Vec3; 3]) -> bool {
    let [a, b, c] = triangle;
    let spans = |low: f64, x: f64, high: f64| low <= x && x <= high;
    !(spans(a.y.min(b.y).min(c.y), p.y, a.y.max(b.y).max(c.y))
        && spans(a.z.min(b.z).min(c.z), p.z, a.z.max(b.z).max(c.z))
        && p.x <= a.x.max(b.x).max(c.x))
}

/// The ray and a triangle of which it sees more than an edge.
fn meet_open_triangle(p: Vec3, triangle: &[Vec3; 3], facing: Sign) -> Meeting {
    let [a, b, c] = *triangle;
    let edges = [[a, b], [b, c], [c, a]];
    let sides = edges.map(|[u, v]| normal_component(Axis::X, u, v, p));
    if sides.contains(&-facing) {
        return Meeting::None;
    }
    let passes_within = || {
        edges
            .iter()
            .zip(sides)
            .all(|(edge, side)| break_tie(side, edge) == facing)
    };
    match orientation(a, b, c, p) {
        Sign::Zero => Meeting::AtStart,
        // Along the ray, the side of the plane changes from `-facing` to `facing`.
        side if side == facing || !passes_within() => Meeting::None,
        Sign::Negative => Meeting::Along,
        Sign::Positive => Meeting::Against,
    }
}

/// The side of an edge that the shifted start of the ray is on, given the side that the point itself is on.
///
/// On the line of the edge, the side is that of the shift: the sign of `dy * e^2 - dz * e` for the edge's direction
/// `(dy, dz)`, which is not zero for an edge of a triangle that is not seen edge-on. Rounded differences have the sign
/// of the true ones.
fn break_tie(side: Sign, [u, v]: &[Vec3; 2]) -> Sign {
    match (side, Sign::of(u.z - v.z)) {
        (Sign::Zero, Sign::Zero) => Sign::of(v.y - u.y),
        (Sign::Zero, falling) => falling,
        (Sign::Positive | Sign::Negative, _) => side,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The surface of a box, outward.
    fn cuboid(low: Vec3, high: Vec3) -> Vec<[Vec3; 3]> {
        let corner = |i: usize| {
            Vec3::from_array(std::array::from_fn(|k| {
                if i >> k & 1 == 0 { low[k] } else { high[k] }
            }))
        };
        [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ]
        .into_iter()
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .map(|triangle| triangle.map(corner))
        .collect()
    }

    fn reversed(triangles: &[[Vec3; 3]]) -> Vec<[Vec3; 3]> {
        triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect()
    }

    #[test]
    fn a_cube_has_an_inside_a_boundary_and_an_outside() {
        let cube = cuboid(Vec3::ZERO, Vec3::splat(2.0));
        for (x, y, z) in (0..125).map(|n| (n % 5, n / 5 % 5, n / 25)) {
            // The grid -1, 0, 1, 2, 3: rays run through faces, along edges and diagonals, and past corners.
            let p = Vec3::new(x.into(), y.into(), z.into()) - 1.0;
            let expected = if p.min_element() < 0.0 || p.max_element() > 2.0 {
                Location::Outside
            } else if p == Vec3::ONE {
                Location::Inside
            } else {
                Location::Boundary
            };
            assert_eq!(locate(p, cube.iter().copied()), expected, "{p}");
            assert_eq!(locate(p, reversed(&cube)), expected, "{p}, inside out");
        }
    }

    #[test]
    fn cavities_are_outside_and_overlaps_add_up() {
        let outer = cuboid(Vec3::ZERO, Vec3::splat(6.0));
        let inner = cuboid(Vec3::splat(2.0), Vec3::splat(4.0));
        let hollow = [outer.clone(), reversed(&inner)].concat();
        let twice = [outer, inner].concat();
        let middle = Vec3::splat(3.0);
        assert_eq!(locate(middle, hollow.iter().copied()), Location::Outside);
        assert_eq!(locate(Vec3::ONE, hollow.iter().copied()), Location::Inside);
        assert_eq!(locate(Vec3::splat(2.0), hollow), Location::Boundary);
        assert_eq!(winding_number(middle, twice.iter().copied()), Some(2));
        assert_eq!(winding_number(Vec3::ONE, twice.iter().copied()), Some(1));
        assert_eq!(winding_number(Vec3::splat(4.0), twice), None);
    }

    #[test]
    fn triangles_without_area_bound_nothing_but_hold_their_points() {
        let mut cube = cuboid(Vec3::ZERO, Vec3::splat(2.0));
        let hair = [Vec3::ONE, Vec3::splat(9.0), Vec3::splat(5.0)];
        cube.extend([hair, [hair[0], hair[2], hair[1]]]);
        assert_eq!(
            locate(Vec3::splat(7.0), cube.iter().copied()),
            Location::Boundary
        );
        assert_eq!(
            locate(Vec3::splat(0.5), cube.iter().copied()),
            Location::Inside
        );
        assert_eq!(locate(Vec3::new(0.0, 7.0, 7.0), cube), Location::Outside);
    }
}
