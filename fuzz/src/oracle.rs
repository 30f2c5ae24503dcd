//! The signs of `exact` by big integers, written down as directly as can be.

use crate::rational::{Point, common_unit, corners_of_intersection, in_common_unit, in_unit};
use impinge::Vec3;
use impinge::exact::{Axis, Sign};
use num_bigint::BigInt;

/// The side of the plane of `a`, `b`, `c` that `d` is on.
pub fn orientation(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Sign {
    let p = in_common_unit(&[a, b, c, d]);
    sign(&determinant(&from_first(&p)))
}

/// The sign of one component of the normal of `a`, `b`, `c`.
pub fn normal_component(axis: Axis, a: Vec3, b: Vec3, c: Vec3) -> Sign {
    let p = in_common_unit(&[a, b, c]);
    let mut rows = from_first(&p);
    rows.push(unit(axis).to_vec());
    sign(&determinant(&rows))
}

/// Whether `e` is in the sphere of `a`, `b`, `c`, `d`, if these are positively oriented.
pub fn in_sphere(a: Vec3, b: Vec3, c: Vec3, d: Vec3, e: Vec3) -> Sign {
    let p = in_common_unit(&[e, a, b, c, d]);
    let mut rows = from_first(&p);
    for row in &mut rows {
        let lift = row.iter().map(|x| x * x).sum();
        row.push(lift);
    }
    -sign(&determinant(&rows))
}

/// The sign of `normal . p - offset`.
pub fn side_of_plane(normal: Vec3, offset: f64, p: Vec3) -> Sign {
    let unit = common_unit(&[normal]) + common_unit(&[p]);
    let smaller = unit.min(common_unit(&[Vec3::splat(offset)]));
    let product = dot(&in_common_unit(&[normal])[0], &in_common_unit(&[p])[0]);
    sign(&((product << (unit - smaller)) - in_unit(offset, smaller)))
}

/// The sign of `direction . (p - q)`.
pub fn compare_along(direction: Vec3, p: Vec3, q: Vec3) -> Sign {
    let direction = &in_common_unit(&[direction])[0];
    let ends = in_common_unit(&[p, q]);
    sign(&(dot(direction, &ends[0]) - dot(direction, &ends[1])))
}

/// Whether two triangles are the same or have a point in common outside the hull of their common corners.
pub fn is_beyond_shared(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let points = in_common_unit(&[*a, *b].concat());
    let (a, b) = points.split_at(3);
    let mut shared: Vec<Point> = a.iter().filter(|p| b.contains(p)).cloned().collect();
    shared.sort();
    shared.dedup();
    let is_beyond = |p: Point| corners_of_intersection(&[p], &shared).next().is_none();
    shared.len() == 3 || corners_of_intersection(a, b).any(is_beyond)
}

/// The vectors from the first point to the others.
fn from_first(points: &[Point]) -> Vec<Vec<BigInt>> {
    let vector = |p: &Point| (0..3).map(|k| &p[k] - &points[0][k]).collect();
    points[1..].iter().map(vector).collect()
}

fn unit(axis: Axis) -> [BigInt; 3] {
    Axis::ALL.map(|other| BigInt::from(i32::from(other == axis)))
}

/// By minors along the first column.
fn determinant(rows: &[Vec<BigInt>]) -> BigInt {
    let minor = |skipped: usize| {
        let others = rows.iter().enumerate().filter(|(r, _)| *r != skipped);
        determinant(&others.map(|(_, row)| row[1..].to_vec()).collect::<Vec<_>>())
    };
    match rows {
        [] => BigInt::from(1),
        _ => (0..rows.len())
            .map(|r| &rows[r][0] * minor(r) * if r % 2 == 0 { 1 } else { -1 })
            .sum(),
    }
}

fn sign(x: &BigInt) -> Sign {
    match x.cmp(&BigInt::ZERO) {
        std::cmp::Ordering::Less => Sign::Negative,
        std::cmp::Ordering::Equal => Sign::Zero,
        std::cmp::Ordering::Greater => Sign::Positive,
    }
}

fn dot(p: &Point, q: &Point) -> BigInt {
    (0..3).map(|k| &p[k] * &q[k]).sum()
}
