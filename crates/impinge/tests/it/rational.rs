//! Rational points, and the oracle for everything convex: which points two hulls have in common.
//!
//! A common point is a convex combination of both point sets: a solution of five linear equations in non-negative
//! weights. The solutions form a polytope, and the corners of that polytope are the solutions whose non-zero weights
//! belong to linearly independent columns. All of them are found by trying every set of columns. This knows nothing of
//! planes, sides or general position, so degenerate input is input like any other.
//!
//! Points are homogeneous, so that all numbers are integers and elimination needs no fractions.

use impinge::Vec3;
use num_bigint::BigInt;
use num_rational::Ratio;

/// The point `(x, y, z) / w`, with `w` positive.
pub(crate) type Point = [BigInt; 4];

/// The points in a unit in which all of them are integers: none of the questions here depends on the unit.
pub(crate) fn in_common_unit(points: &[Vec3]) -> Vec<Point> {
    let rationals: Vec<[Ratio<BigInt>; 3]> = points
        .iter()
        .map(|p| p.to_array().map(|x| Ratio::from_float(x).expect("finite")))
        .collect();
    // Denominators are powers of two, so the largest is a multiple of all.
    let denominators = rationals.iter().flatten().map(|x| x.denom().clone());
    let unit = denominators.max().unwrap_or(BigInt::from(1));
    let integers = rationals
        .iter()
        .map(|p| p.clone().map(|x| x.numer() * (&unit / x.denom())));
    let integers: Vec<[BigInt; 3]> = integers.collect();
    let zeros = integers.iter().flatten().filter_map(BigInt::trailing_zeros);
    let excess = zeros.min().unwrap_or(0);
    integers
        .into_iter()
        .map(|p| p.map(|x| x >> excess))
        .map(|[x, y, z]| [x, y, z, BigInt::from(1)])
        .collect()
}

/// Whether two hulls have a point in common.
pub(crate) fn hulls_intersect(a: &[Vec3], b: &[Vec3]) -> bool {
    let points = in_common_unit(&[a, b].concat());
    let (a, b) = points.split_at(a.len());
    corners_of_intersection(a, b).next().is_some()
}

/// Points whose hull is the intersection of the hulls of two point sets, possibly with repetitions.
pub(crate) fn corners_of_intersection<'a>(
    a: &'a [Point],
    b: &'a [Point],
) -> impl Iterator<Item = Point> + 'a {
    let count = a.len() + b.len();
    let of_a = (1u32 << a.len()) - 1;
    let sets = (1u32..1 << count)
        .filter(move |set| set.count_ones() <= 5 && set & of_a != 0 && set & !of_a != 0);
    sets.filter_map(move |set| {
        let chosen: Vec<usize> = (0..count).filter(|i| set >> i & 1 == 1).collect();
        let column = |i: &usize| match a.get(*i) {
            Some(p) => column_of(p, 1, 3),
            None => column_of(&b[*i - a.len()], -1, 4),
        };
        let (weights, denominator) = solve(chosen.iter().map(column).collect())?;
        if weights.iter().any(|w| *w < BigInt::ZERO) {
            return None;
        }
        let of_a = chosen.iter().zip(&weights).filter(|(i, _)| **i < a.len());
        let sum = |k: usize| of_a.clone().map(|(i, w)| w * &a[*i][k]).sum::<BigInt>();
        Some([sum(0), sum(1), sum(2), denominator])
    })
}

/// What a weight contributes to the equations: the coordinates, which must cancel between the two sets, and its part in
/// one of the two sums that must be 1.
fn column_of(p: &Point, sign: i32, sum: usize) -> [BigInt; 5] {
    let mut column = [
        &p[0] * sign,
        &p[1] * sign,
        &p[2] * sign,
        BigInt::ZERO,
        BigInt::ZERO,
    ];
    column[sum] = p[3].clone();
    column
}

/// The weights with which the columns add up to `(0, 0, 0, 1, 1)` and the positive denominator of all of them, if the
/// columns are independent and there are such weights: Bareiss' elimination, whose divisions leave no remainder.
fn solve(columns: Vec<[BigInt; 5]>) -> Option<(Vec<BigInt>, BigInt)> {
    let width = columns.len();
    let mut rows: Vec<Vec<BigInt>> = (0..5)
        .map(|r| {
            let target = BigInt::from(if r < 3 { 0 } else { 1 });
            let row = columns.iter().map(|c| c[r].clone());
            row.chain([target]).collect()
        })
        .collect();
    let mut previous = BigInt::from(1);
    for i in 0..width {
        let pivot = (i..5).find(|r| rows[*r][i] != BigInt::ZERO)?;
        rows.swap(i, pivot);
        let pivot_row = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != i) {
            let factor = row[i].clone();
            for (entry, from) in row.iter_mut().zip(&pivot_row) {
                *entry = (&*entry * &pivot_row[i] - &factor * from) / &previous;
            }
        }
        previous = pivot_row[i].clone();
    }
    let is_consistent = rows[width..].iter().all(|row| row[width] == BigInt::ZERO);
    let sign = if previous < BigInt::ZERO { -1 } else { 1 };
    is_consistent.then(|| {
        let weights = rows[..width].iter().map(|row| &row[width] * sign).collect();
        (weights, previous * sign)
    })
}

#[test]
fn the_oracle_finds_what_two_hulls_have_in_common() {
    let v = Vec3::new;
    let triangle = |z: f64| [v(0.0, 0.0, z), v(2.0, 0.0, z), v(0.0, 2.0, z)];
    let stick = [v(1.0, 0.5, -1.0), v(1.0, 0.5, 5.0)];
    assert!(hulls_intersect(&triangle(5.0), &stick));
    assert!(!hulls_intersect(&triangle(5f64.next_up()), &stick));

    let points = in_common_unit(&[&triangle(0.0)[..], &stick, &[v(1.0, 0.5, 0.0)]].concat());
    let [x, y, z, w] = &points[5];
    let common: Vec<Point> = corners_of_intersection(&points[..3], &points[3..5]).collect();
    assert!(!common.is_empty());
    for [p, q, r, s] in common {
        assert_eq!([p * w, q * w, r * w], [x * &s, y * &s, z * &s]);
    }
}
