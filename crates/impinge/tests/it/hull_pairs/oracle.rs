//! The judge: arithmetic of its own, and linear systems instead of formulas.

use impinge::Vec3;
use impinge::exact::{HullDistance, HullRelation, Sign};
use num_bigint::BigInt;
use num_rational::Ratio;
use std::cmp::Ordering;

pub(super) type Rational = Ratio<BigInt>;
type Point = [BigInt; 3];

/// Two point sets in a unit in which all coordinates are integers.
pub(super) struct Oracle {
    a: Vec<Point>,
    b: Vec<Point>,
    unit: Rational,
}

/// A point with rational coordinates: integers divided by a positive one.
struct Quotient {
    numerator: Point,
    denominator: BigInt,
}

fn rational(x: f64) -> Rational {
    Ratio::from_float(x).expect("finite")
}

fn zero() -> BigInt {
    BigInt::ZERO
}

fn one() -> BigInt {
    BigInt::from(1)
}

fn dot(p: &Point, q: &Point) -> BigInt {
    (0..3).map(|k| &p[k] * &q[k]).sum()
}

fn minus(p: &Point, q: &Point) -> Point {
    std::array::from_fn(|k| &p[k] - &q[k])
}

fn weighted_sum(weights: &[BigInt], points: &[&Point]) -> Point {
    std::array::from_fn(|k| weights.iter().zip(points).map(|(w, p)| w * &p[k]).sum())
}

/// Solves a square system, given with its right side as last column, by Gauss and Jordan without fractions (Bareiss
/// 1968): the divisions come out even. The unknowns have a common positive denominator; none when it is singular.
fn solve(mut rows: Vec<Vec<BigInt>>) -> Option<(Vec<BigInt>, BigInt)> {
    let n = rows.len();
    let mut last = one();
    for i in 0..n {
        let pivot = (i..n).find(|r| rows[*r][i] != zero())?;
        rows.swap(i, pivot);
        let row = rows[i].clone();
        for (r, other) in rows.iter_mut().enumerate() {
            if r != i {
                let factor = other[i].clone();
                for (x, y) in other.iter_mut().zip(&row) {
                    *x = (&*x * &row[i] - &factor * y) / &last;
                }
            }
        }
        last = row[i].clone();
    }
    let sign = if last < zero() { -one() } else { one() };
    let unknowns = rows.iter().map(|row| &row[n] * &sign).collect();
    Some((unknowns, last * sign))
}

/// The weights of the point nearest to the origin in the affine hull, over their sum: its scalar products with all
/// points are equal. None for dependent points.
fn nearest_weights(points: &[&Point]) -> Option<(Vec<BigInt>, BigInt)> {
    let n = points.len();
    // Unknown: the weights, and the common scalar product with its sign changed.
    let mut rows: Vec<Vec<BigInt>> = points
        .iter()
        .map(|p| {
            let products = points.iter().map(|q| dot(p, q));
            products.chain([one(), zero()]).collect()
        })
        .collect();
    rows.push([vec![one(); n], vec![zero(), one()]].concat());
    let (mut weights, sum) = solve(rows)?;
    weights.truncate(n);
    Some((weights, sum))
}

/// The point of the affine hull nearest to the origin, when all weights are positive.
fn foot(points: &[&Point]) -> Option<Quotient> {
    let (weights, denominator) = nearest_weights(points)?;
    let inside = weights.iter().all(|w| *w > zero());
    inside.then(|| Quotient {
        numerator: weighted_sum(&weights, points),
        denominator,
    })
}

/// All non-empty subsets of up to three of `count` things.
fn subsets_of_three(count: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..count).flat_map(move |i| {
        (i..count).flat_map(move |j| {
            (j..count).filter_map(move |k| {
                let mut subset = vec![i, j, k];
                subset.dedup();
                // The smaller ones come once: as (i, i, i) and (i, i, k).
                (j == i || k > j).then_some(subset)
            })
        })
    })
}

/// The sign of the root of `square`, minus `r1 + r2`.
pub(super) fn compare_root(square: &Rational, r1: f64, r2: f64) -> Sign {
    let sum = rational(r1) + rational(r2);
    let order = if sum < rational(0.0) {
        Ordering::Greater
    } else {
        square.cmp(&(&sum * &sum))
    };
    match order {
        Ordering::Less => Sign::Negative,
        Ordering::Equal => Sign::Zero,
        Ordering::Greater => Sign::Positive,
    }
}

/// Asserts that the bounds are the floats next to the root of `square`, and the distance the nearest one.
pub(super) fn assert_bounds(found: &HullDistance, square: &Rational) {
    let (lower, upper) = (found.bounds.lower, found.bounds.upper);
    match compare_root(square, lower, 0.0) {
        Sign::Negative => panic!("below the lower bound: {found:?}"),
        Sign::Zero => assert_eq!((found.distance, upper), (lower, lower)),
        Sign::Positive if lower == f64::MAX => assert_eq!(upper, f64::INFINITY),
        Sign::Positive => {
            assert_eq!(upper, lower.next_up());
            assert_eq!(compare_root(square, upper, 0.0), Sign::Negative);
            let middle = (rational(lower) + rational(upper)) / rational(2.0);
            let is_below = match square.cmp(&(&middle * &middle)) {
                Ordering::Less => true,
                Ordering::Equal => lower.to_bits() % 2 == 0,
                Ordering::Greater => false,
            };
            // Zero is kept for hulls that intersect.
            let nearest = if is_below && lower > 0.0 {
                lower
            } else {
                upper
            };
            assert_eq!(found.distance, nearest);
        }
    }
}

impl Oracle {
    pub(super) fn new(a: &[Vec3], b: &[Vec3]) -> Oracle {
        let coordinates = || a.iter().chain(b).flat_map(|p| p.to_array()).map(rational);
        let denominator = coordinates().map(|x| x.denom().clone()).max();
        // Large numbers are even: a common factor shortens them.
        let even = coordinates()
            .filter_map(|x| x.numer().trailing_zeros())
            .min();
        let unit = Ratio::new(one() << even.unwrap_or(0), denominator.expect("points"));
        let convert = |points: &[Vec3]| -> Vec<Point> {
            let point = |p: &Vec3| p.to_array().map(|x| (rational(x) / &unit).to_integer());
            points.iter().map(point).collect()
        };
        Oracle {
            a: convert(a),
            b: convert(b),
            unit,
        }
    }

    fn difference(&self, i: u32, j: u32) -> Point {
        minus(&self.b[j as usize], &self.a[i as usize])
    }

    /// The smallest `d . (b_j - a_i)`.
    fn gap_along(&self, d: &Point) -> BigInt {
        let highest_a = self.a.iter().map(|p| dot(d, p)).max().expect("points");
        let lowest_b = self.b.iter().map(|p| dot(d, p)).min().expect("points");
        lowest_b - highest_a
    }

    /// Whether the certificate of the relation holds.
    pub(super) fn proves(&self, relation: &HullRelation) -> bool {
        match relation {
            HullRelation::Apart(separator) => {
                let digits = separator.exact_direction();
                let direction = digits.map(|d| d.parse::<BigInt>().expect("decimal digits"));
                self.gap_along(&direction) > zero()
            }
            HullRelation::Intersecting(common) => {
                let pairs = common.pairs().iter();
                let points: Vec<Point> = pairs.map(|[i, j]| self.difference(*i, *j)).collect();
                let points: Vec<&Point> = points.iter().collect();
                foot(&points).is_some_and(|v| v.numerator.iter().all(|x| *x == zero()))
            }
        }
    }

    /// The square of the distance, from the vertices that are said to carry the closest points. The closest point `v`
    /// of all differences is the one with `v . w >= v . v` for every difference `w`: that is asserted here.
    pub(super) fn square_from(&self, vertices: &[Vec<u32>; 2]) -> Rational {
        let v = self
            .inner_difference(vertices)
            .or_else(|| self.nearest_difference(vertices))
            .expect("no point of the hull of these vertices is the closest");
        self.square_of(&v)
    }

    fn is_closest(&self, v: &Quotient) -> bool {
        // v . w >= v . v, times the square of the denominator.
        self.gap_along(&v.numerator) * &v.denominator >= dot(&v.numerator, &v.numerator)
    }

    /// `y - x` for the means `x` and `y` of both sides' vertices that are perpendicular to all their edges, with
    /// positive weights, if that is closest. None when there are several, as between parallel faces.
    fn inner_difference(&self, [on_a, on_b]: &[Vec<u32>; 2]) -> Option<Quotient> {
        let from_a = on_a.iter().map(|i| self.a[*i as usize].clone().map(|x| -x));
        let from_b = on_b.iter().map(|j| self.b[*j as usize].clone());
        let signed: Vec<Point> = from_a.chain(from_b).collect();
        let is_on_a = |k: usize| BigInt::from(u8::from(k < on_a.len()));
        let is_on_b = |k: usize| BigInt::from(u8::from(k >= on_a.len()));
        // Unknown: all weights, and for each side the scalar product of its vertices with the difference.
        let mut rows: Vec<Vec<BigInt>> = (0..signed.len())
            .map(|k| {
                let products = signed.iter().map(|q| dot(&signed[k], q));
                products.chain([is_on_a(k), is_on_b(k), zero()]).collect()
            })
            .collect();
        for side in [&is_on_a as &dyn Fn(usize) -> BigInt, &is_on_b] {
            let marks = (0..signed.len()).map(side);
            rows.push(marks.chain([zero(), zero(), one()]).collect());
        }
        let (mut weights, denominator) = solve(rows)?;
        weights.truncate(signed.len());
        let points: Vec<&Point> = signed.iter().collect();
        let v = Quotient {
            numerator: weighted_sum(&weights, &points),
            denominator,
        };
        (weights.iter().all(|w| *w > zero()) && self.is_closest(&v)).then_some(v)
    }

    /// The closest one among the feet on up to three differences of these vertices.
    fn nearest_difference(&self, [on_a, on_b]: &[Vec<u32>; 2]) -> Option<Quotient> {
        let pairs = on_a.iter().flat_map(|i| on_b.iter().map(move |j| (*i, *j)));
        let points: Vec<Point> = pairs.map(|(i, j)| self.difference(i, j)).collect();
        subsets_of_three(points.len())
            .filter_map(|subset| foot(&subset.iter().map(|i| &points[*i]).collect::<Vec<_>>()))
            .find(|v| self.is_closest(v))
    }

    /// The smallest square of a foot on any point, segment or triangle of differences.
    pub(super) fn least_of_all_subsets(&self) -> Rational {
        let (na, nb) = (self.a.len() as u32, self.b.len() as u32);
        let pairs = (0..na).flat_map(|i| (0..nb).map(move |j| (i, j)));
        let points: Vec<Point> = pairs.map(|(i, j)| self.difference(i, j)).collect();
        subsets_of_three(points.len())
            .filter_map(|subset| foot(&subset.iter().map(|i| &points[*i]).collect::<Vec<_>>()))
            .map(|v| self.square_of(&v))
            .min()
            .expect("every point is its own foot")
    }

    /// The square of the length, in world units.
    fn square_of(&self, v: &Quotient) -> Rational {
        let square = Ratio::new(
            dot(&v.numerator, &v.numerator),
            &v.denominator * &v.denominator,
        );
        square * &self.unit * &self.unit
    }

    /// Whether the vertices of each side are affinely independent and in ascending order.
    pub(super) fn are_independent(&self, vertices: &[Vec<u32>; 2]) -> bool {
        [&self.a, &self.b]
            .iter()
            .zip(vertices)
            .all(|(points, vertices)| {
                let chosen: Vec<&Point> = vertices.iter().map(|i| &points[*i as usize]).collect();
                nearest_weights(&chosen).is_some() && vertices.is_sorted_by(|i, j| i < j)
            })
    }
}
