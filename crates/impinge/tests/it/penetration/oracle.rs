//! The depth by trying every direction that a facet of the differences can have, in whole numbers.
//!
//! A facet of the Minkowski difference of two polytopes is a face of one of them, or the product of an edge of each. So its
//! normal is that of three points of one set, or perpendicular to two points of each. All of these are tried, both ways,
//! whether they belong to faces and edges or not: any direction gives an upper bound, and the facets are among them.
//! Nothing is searched, nothing is assumed about hulls.

use super::{Body, check, dot};
use crate::rational::{common_unit, in_unit};
use impinge::{Interval, Vec3};
use num_bigint::BigInt;

type Whole = [BigInt; 3];

/// The depth: `root of (numerator / denominator)` in units of `2^unit`.
#[derive(Debug)]
pub(super) struct Depth {
    numerator: BigInt,
    denominator: BigInt,
    unit: i32,
}

/// The depth of the hulls of two point sets, both with a volume; `None` when they are apart.
pub(super) fn depth(a: &[Vec3], b: &[Vec3]) -> Option<Depth> {
    let unit = common_unit(&[a, b].concat());
    let whole = |points: &[Vec3]| -> Vec<Whole> {
        let in_units = |p: &Vec3| p.to_array().map(|x| in_unit(x, unit));
        points.iter().map(in_units).collect()
    };
    let (a, b) = (whole(a), whole(b));
    let mut least: Option<Depth> = None;
    for normal in directions(&a, &b) {
        let (low_a, high_a) = range(&a, &normal);
        let (low_b, high_b) = range(&b, &normal);
        let width = (high_a - low_b).min(high_b - low_a);
        if width < BigInt::ZERO {
            return None;
        }
        let found = Depth {
            numerator: &width * &width,
            denominator: dot(&normal, &normal),
            unit,
        };
        if least.as_ref().is_none_or(|l| found.is_below(l)) {
            least = Some(found);
        }
    }
    least
}

impl Depth {
    fn is_below(&self, other: &Depth) -> bool {
        &self.numerator * &other.denominator < &other.numerator * &self.denominator
    }

    /// Whether the depth is in an interval.
    pub(super) fn is_in(&self, bounds: Interval) -> bool {
        let unit = common_unit(&[Vec3::new(bounds.lower, bounds.upper, 0.0)]);
        let square_times = |end: f64| {
            let end = in_unit(end, unit);
            &end * &end * &self.denominator
        };
        let (mut low, mut high) = (square_times(bounds.lower), square_times(bounds.upper));
        let mut own = self.numerator.clone();
        let shift = 2 * (unit - self.unit);
        if shift >= 0 {
            (low, high) = (low << shift, high << shift);
        } else {
            own <<= -shift;
        }
        low <= own && own <= high
    }
}

fn range(points: &[Whole], normal: &Whole) -> (BigInt, BigInt) {
    let along: Vec<BigInt> = points.iter().map(|p| dot(p, normal)).collect();
    let low = along.iter().min().unwrap().clone();
    (low, along.into_iter().max().unwrap())
}

fn directions(a: &[Whole], b: &[Whole]) -> Vec<Whole> {
    let (edges_a, edges_b) = (edges(a), edges(b));
    let mut found: Vec<Whole> = Vec::new();
    for e in &edges_a {
        found.extend(edges_b.iter().map(|f| cross(e, f)));
    }
    for points in [a, b] {
        let from_first = |p: usize| -> Vec<Whole> {
            let origin = &points[p];
            points[p + 1..].iter().map(|q| minus(q, origin)).collect()
        };
        for p in 0..points.len() {
            let edges = from_first(p);
            for (k, e) in edges.iter().enumerate() {
                found.extend(edges[k + 1..].iter().map(|f| cross(e, f)));
            }
        }
    }
    found.retain(|n| n.iter().any(|x| *x != BigInt::ZERO));
    found
}

fn edges(points: &[Whole]) -> Vec<Whole> {
    let pairs = points
        .iter()
        .enumerate()
        .flat_map(|(k, p)| points[k + 1..].iter().map(move |q| minus(q, p)));
    pairs.collect()
}

fn minus(p: &Whole, q: &Whole) -> Whole {
    std::array::from_fn(|k| &p[k] - &q[k])
}

fn cross(p: &Whole, q: &Whole) -> Whole {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &p[i] * &q[j] - &p[j] * &q[i])
}

/// Checks the pair, and the exact path itself against the oracle; whether they overlap.
pub(super) fn check_all(a: Body, b: Body) -> bool {
    let truth = depth(&a.placed(), &b.placed());
    let exact = check(a, b);
    match (&truth, &exact) {
        (Some(truth), Some(exact)) => {
            assert!(truth.is_in(exact.bounds), "{truth:?} is not {exact:?}");
            let is_touching = truth.numerator == BigInt::ZERO;
            assert_eq!(is_touching, exact.depth == 0.0);
        }
        _ => assert_eq!(truth.is_some(), exact.is_some(), "{a:?} {b:?}"),
    }
    exact.is_some()
}
