//! The distance of two hulls, exactly.
//!
//! The distance is the norm of the point `v` of the difference `D = {p - q}` that is nearest to the origin. Keep a simplex
//! of points of `D` with `v` the nearest point of that simplex, found by projecting the origin onto the span of every
//! subset (15 at most, each exact). The point `w` of `D` that reaches furthest against `v` either proves that `v` is the
//! nearest of all (`v . w >= v . v`), or joins the simplex. The norm falls strictly and there are finitely many
//! simplices, so this ends: Gilbert, Johnson and Keerthi (1988) with Wolfe's (1976) argument, in exact arithmetic.

use super::grid::{Grid, Point, cross, det, dot, minus};
use impinge::Vec3;
use num_bigint::BigInt;
use num_rational::Ratio;
use std::cmp::Ordering;

/// The square of a distance, exactly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SquaredDistance(Ratio<BigInt>);

impl SquaredDistance {
    /// `numerator / denominator` in units of `2^exponent`, squared.
    pub(super) fn on_grid(
        numerator: BigInt,
        denominator: BigInt,
        exponent: i32,
    ) -> SquaredDistance {
        let shift = 2 * exponent.unsigned_abs();
        SquaredDistance(if exponent < 0 {
            Ratio::new(numerator, denominator << shift)
        } else {
            Ratio::new(numerator << shift, denominator)
        })
    }

    pub(crate) fn is_zero(&self) -> bool {
        *self.0.numer() == BigInt::ZERO
    }

    /// How the true distance compares with `d`, which is not negative.
    pub(crate) fn cmp_to(&self, d: f64) -> Ordering {
        assert!(d >= 0.0, "{d} is no distance");
        if d == f64::INFINITY {
            return Ordering::Less;
        }
        let d = Ratio::<BigInt>::from_float(d).expect("d is finite");
        self.0.cmp(&(&d * &d))
    }

    /// The distance, to within a few units in the last place.
    pub(crate) fn approximate(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        // An integer root of 60 bits or more, then one division by a power of two.
        let bits = |x: &BigInt| x.bits() as i64;
        let shift = (120 + bits(self.0.denom()) - bits(self.0.numer())).max(0);
        let shift = shift + shift % 2;
        let root = ((self.0.numer() << shift) / self.0.denom()).sqrt();
        let excess = (bits(&root) - 60).max(0);
        let head = i64::try_from(&root >> excess).expect("60 bits") as f64;
        let power = (excess - shift / 2) as i32;
        head * 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2)
    }
}

/// The squared distance of the convex hulls of two point sets, neither empty; zero when they meet.
pub(crate) fn hull_distance(a: &[Vec3], b: &[Vec3]) -> SquaredDistance {
    let points: Vec<Vec3> = a.iter().chain(b).copied().collect();
    let grid = Grid::new(&points);
    let (a, b) = grid.points.split_at(a.len());
    let mut simplex = vec![minus(&a[0], &b[0])];
    loop {
        let nearest = Nearest::of(&simplex);
        let square = dot(&nearest.point, &nearest.point);
        if square == BigInt::ZERO {
            return SquaredDistance::on_grid(square, BigInt::from(1), grid.exponent);
        }
        let beyond = furthest_against(&nearest.point, a, b);
        if dot(&nearest.point, &beyond) * &nearest.scale >= square {
            let denominator = &nearest.scale * &nearest.scale;
            return SquaredDistance::on_grid(square, denominator, grid.exponent);
        }
        simplex = nearest.support;
        simplex.push(beyond);
    }
}

/// The point of the difference with the least product with `direction`.
fn furthest_against(
    direction: &Point<BigInt>,
    a: &[Point<BigInt>],
    b: &[Point<BigInt>],
) -> Point<BigInt> {
    let along = |p: &&Point<BigInt>| dot(direction, p);
    let lowest = a.iter().min_by_key(along).expect("a is not empty");
    let highest = b.iter().max_by_key(along).expect("b is not empty");
    minus(lowest, highest)
}

/// The point of a simplex that is nearest to the origin: `point / scale`.
struct Nearest {
    point: Point<BigInt>,
    scale: BigInt,
    /// The corners with positive weights.
    support: Vec<Point<BigInt>>,
}

impl Nearest {
    /// The best of the projections onto all subsets that fall inside the subset.
    fn of(simplex: &[Point<BigInt>]) -> Nearest {
        (1_usize..1 << simplex.len())
            .filter_map(|subset| {
                let corners = (0..simplex.len()).filter(|i| subset >> i & 1 == 1);
                Nearest::inside(corners.map(|i| simplex[i].clone()).collect())
            })
            .min_by(|p, q| p.compare(q))
            .expect("single corners are among the subsets")
    }

    /// The projection of the origin onto the span of the corners, when all its weights are positive.
    fn inside(corners: Vec<Point<BigInt>>) -> Option<Nearest> {
        let weights = weights(&corners);
        if weights.iter().any(|w| *w <= BigInt::ZERO) {
            return None;
        }
        let point =
            std::array::from_fn(|k| weights.iter().zip(&corners).map(|(w, p)| w * &p[k]).sum());
        Some(Nearest {
            point,
            scale: weights.iter().sum(),
            support: corners,
        })
    }

    fn compare(&self, other: &Nearest) -> Ordering {
        let left = dot(&self.point, &self.point) * &other.scale * &other.scale;
        left.cmp(&(dot(&other.point, &other.point) * &self.scale * &self.scale))
    }
}

/// The barycentric weights of the projection of the origin, up to a common positive factor; all zero when the corners
/// are affinely dependent.
fn weights(corners: &[Point<BigInt>]) -> Vec<BigInt> {
    match corners {
        [_] => vec![BigInt::from(1)],
        [p, q] => {
            let edge = minus(q, p);
            vec![dot(q, &edge), -dot(p, &edge)]
        }
        [p, q, r] => {
            let normal = cross(&minus(q, p), &minus(r, p));
            [(q, r), (r, p), (p, q)]
                .map(|(s, t)| det(&normal, s, t))
                .to_vec()
        }
        [p, q, r, s] => {
            let volumes = [det(q, r, s), -det(p, r, s), det(p, q, s), -det(p, q, r)];
            let total: BigInt = volumes.iter().sum();
            let positive = total > BigInt::ZERO;
            volumes.map(|v| if positive { v } else { -v }).to_vec()
        }
        _ => unreachable!("a simplex in space has at most four corners"),
    }
}
