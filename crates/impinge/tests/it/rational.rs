//! Rational points, and the oracle for everything convex: which points two hulls have in common.
//!
//! A common point is a convex combination of both point sets: a solution of five linear equations in non-negative
//! weights. The solutions form a polytope, and each corner of that polytope has its non-zero weights within a basis of
//! the columns. All corners are found by trying every basis. This knows nothing of planes, sides or general position, so
//! degenerate input is input like any other.
//!
//! Points are homogeneous, so that all numbers are integers and elimination needs no fractions.

use impinge::Vec3;
use num_bigint::BigInt;

/// The point `(x, y, z) / w`, with `w` positive.
pub(crate) type Point = [BigInt; 4];

/// The points in a unit in which all of them are integers: none of the questions here depends on the unit.
pub(crate) fn in_common_unit(points: &[Vec3]) -> Vec<Point> {
    let unit = common_unit(points);
    let homogeneous = |[x, y, z]: [BigInt; 3]| [x, y, z, BigInt::from(1)];
    points
        .iter()
        .map(|p| homogeneous(p.to_array().map(|x| in_unit(x, unit))))
        .collect()
}

/// The exponent of a power of two of which all coordinates are multiples.
pub(crate) fn common_unit(points: &[Vec3]) -> i32 {
    let numbers = points.iter().flat_map(|p| p.to_array());
    let units = numbers.filter(|x| *x != 0.0).map(|x| split(x).1);
    units.min().unwrap_or(0)
}

/// How many times `2^unit` a number is, if it is a multiple of that.
pub(crate) fn in_unit(x: f64, unit: i32) -> BigInt {
    let (integer, exponent) = split(x);
    if integer == 0 {
        BigInt::ZERO
    } else {
        BigInt::from(integer) << (exponent - unit)
    }
}

/// A finite number as an odd integer (or 0) and the exponent of a power of two.
fn split(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (magnitude, exponent) = match (bits >> 52) & 0x7ff {
        0 => (fraction, -1074),
        biased => (fraction | 1 << 52, biased as i32 - 1075),
    };
    let zeros = magnitude.trailing_zeros() % 64;
    let odd = magnitude >> zeros;
    (if x < 0.0 { -odd } else { odd }, exponent + zeros as i32)
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
    let of_a = a.iter().map(|p| column_of(p, 1, 3));
    let of_b = b.iter().map(|p| column_of(p, -1, 4));
    let columns: Vec<[BigInt; 5]> = of_a.chain(of_b).collect();
    let rank = reduce(&mut as_rows(&columns), columns.len()).0;
    let sets = (1u32..1 << columns.len()).filter(move |set| set.count_ones() as usize == rank);
    sets.filter_map(move |set| {
        let chosen: Vec<usize> = (0..columns.len()).filter(|i| set >> i & 1 == 1).collect();
        let basis: Vec<[BigInt; 5]> = chosen.iter().map(|i| columns[*i].clone()).collect();
        let (weights, denominator) = solve(&basis)?;
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
/// columns are independent and there are such weights.
fn solve(columns: &[[BigInt; 5]]) -> Option<(Vec<BigInt>, BigInt)> {
    let width = columns.len();
    let mut rows = as_rows(columns);
    for (r, row) in rows.iter_mut().enumerate() {
        row.push(BigInt::from(if r < 3 { 0 } else { 1 }));
    }
    let (rank, pivot) = reduce(&mut rows, width);
    let is_consistent = rows[rank..].iter().all(|row| row[width] == BigInt::ZERO);
    let sign = if pivot < BigInt::ZERO { -1 } else { 1 };
    (rank == width && is_consistent).then(|| {
        let weights = rows[..width].iter().map(|row| &row[width] * sign).collect();
        (weights, pivot * sign)
    })
}

fn as_rows(columns: &[[BigInt; 5]]) -> Vec<Vec<BigInt>> {
    (0..5)
        .map(|r| columns.iter().map(|c| c[r].clone()).collect())
        .collect()
}

/// Eliminates within the first columns, after Bareiss, whose divisions leave no remainder. Returns the rank and the last
/// pivot, which is then the pivot of all rows.
fn reduce(rows: &mut [Vec<BigInt>], columns: usize) -> (usize, BigInt) {
    let (mut rank, mut pivot) = (0, BigInt::from(1));
    for c in 0..columns {
        let Some(found) = (rank..rows.len()).find(|r| rows[*r][c] != BigInt::ZERO) else {
            continue;
        };
        rows.swap(rank, found);
        let pivot_row = rows[rank].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != rank) {
            let factor = row[c].clone();
            for (entry, from) in row.iter_mut().zip(&pivot_row) {
                *entry = (&*entry * &pivot_row[c] - &factor * from) / &pivot;
            }
        }
        pivot = pivot_row[c].clone();
        rank += 1;
    }
    (rank, pivot)
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
