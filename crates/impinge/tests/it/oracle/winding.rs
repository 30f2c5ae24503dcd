//! Where a point is with respect to a closed mesh.
//!
//! A ray from the point in a random direction; when it meets an edge or a vertex, another direction. The winding number is
//! the sum of the signed crossings. All tests are signs of integer determinants.

use super::grid::{Grid, Point, cross, det, dot, is_null, minus};
use super::separating::meet;
use impinge::Vec3;
use num_bigint::{BigInt, Sign};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// On a triangle.
    Surface,
    /// Off all triangles, with this winding number.
    Off(i32),
}

/// Where `point` is with respect to a closed mesh.
pub(crate) fn locate(point: Vec3, triangles: &[[Vec3; 3]]) -> Location {
    let points: Vec<Vec3> = [point]
        .into_iter()
        .chain(triangles.iter().flatten().copied())
        .collect();
    // The grid moves the first point to the origin.
    let grid = Grid::new(&points).points;
    let triangles: Vec<&[Point<BigInt>]> = grid[1..].chunks(3).collect();
    let origin = [&grid[0], &grid[0], &grid[0]].map(Point::clone);
    if triangles.iter().any(|t| meet(t, &origin)) {
        return Location::Surface;
    }
    let mut random = ChaCha8Rng::seed_from_u64(1);
    loop {
        let direction =
            std::array::from_fn(|_| BigInt::from(random.random_range(-1_000_000..=1_000_000)));
        let crossings: Option<Vec<i32>> =
            triangles.iter().map(|t| crossing(&direction, t)).collect();
        if let Some(crossings) = crossings {
            return Location::Off(crossings.into_iter().sum());
        }
    }
}

/// How the ray from the origin crosses a triangle that does not hold the origin: 1 outward, -1 inward, 0 not at all;
/// nothing when it meets the border.
fn crossing(ray: &Point<BigInt>, triangle: &[Point<BigInt>]) -> Option<i32> {
    let [a, b, c] = [&triangle[0], &triangle[1], &triangle[2]];
    let normal = cross(&minus(b, a), &minus(c, a));
    if is_null(&normal) {
        return Some(0);
    }
    let facing = dot(ray, &normal);
    let height = dot(a, &normal);
    match (facing.sign(), height.sign()) {
        (Sign::NoSign, _) => None,
        // The plane holds the origin, so the ray meets it there and nowhere else.
        (_, Sign::NoSign) => Some(0),
        (facing, height) if facing != height => Some(0),
        (facing, _) => {
            let sides = [(a, b), (b, c), (c, a)].map(|(p, q)| det(ray, p, q).sign());
            let against = match facing {
                Sign::Plus => Sign::Minus,
                Sign::Minus | Sign::NoSign => Sign::Plus,
            };
            if sides.contains(&against) {
                Some(0)
            } else if sides.contains(&Sign::NoSign) {
                None
            } else {
                Some(if facing == Sign::Plus { 1 } else { -1 })
            }
        }
    }
}
