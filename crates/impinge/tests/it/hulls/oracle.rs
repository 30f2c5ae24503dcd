//! What a hull must be, by brute force in integers, and its measures in rational numbers.

use crate::rational::in_common_unit;
use impinge::{Polytope, Vec3};
use num_bigint::BigInt;
use num_rational::Ratio;
use std::collections::BTreeSet;

type Point = [BigInt; 3];

fn minus(p: &Point, q: &Point) -> Point {
    std::array::from_fn(|i| &p[i] - &q[i])
}

fn cross(p: &Point, q: &Point) -> Point {
    let component = |i: usize, j: usize| &p[i] * &q[j] - &p[j] * &q[i];
    [component(1, 2), component(2, 0), component(0, 1)]
}

fn dot(p: &Point, q: &Point) -> BigInt {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

/// What the hull of a few points must be: for each face the set of its extreme points.
#[derive(Debug, PartialEq)]
pub(super) struct Oracle {
    faces: BTreeSet<BTreeSet<usize>>,
    extreme: BTreeSet<usize>,
}

/// Tries the plane of every three points. Equal points are named by the first of them. `None` when the points are flat.
pub(super) fn brute_force(points: &[Vec3]) -> Option<Oracle> {
    let all: Vec<Point> = in_common_unit(points)
        .into_iter()
        .map(|[x, y, z, _]| [x, y, z])
        .collect();
    let is_first = |i: &usize| !all[..*i].contains(&all[*i]);
    let distinct: BTreeSet<usize> = (0..all.len()).filter(is_first).collect();
    let mut planes: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    for &i in &distinct {
        for &j in distinct.range(i + 1..) {
            for &k in distinct.range(j + 1..) {
                planes.extend(supporting_plane(&all, &distinct, [i, j, k]));
            }
        }
    }
    if planes.iter().any(|plane| *plane == distinct) || planes.is_empty() {
        return None;
    }
    // A point is extreme when the faces through it share no other point.
    let is_extreme = |p: &usize| {
        let through = planes.iter().filter(|plane| plane.contains(p));
        let shared = through.fold(distinct.clone(), |shared, plane| &shared & plane);
        shared.len() == 1
    };
    let extreme: BTreeSet<usize> = distinct.iter().copied().filter(is_extreme).collect();
    let faces = planes.iter().map(|plane| plane & &extreme).collect();
    Some(Oracle { faces, extreme })
}

/// The points in the plane of three if it has none on one of its sides.
fn supporting_plane(
    all: &[Point],
    distinct: &BTreeSet<usize>,
    [i, j, k]: [usize; 3],
) -> Option<BTreeSet<usize>> {
    let zero = BigInt::from(0);
    let normal = cross(&minus(&all[j], &all[i]), &minus(&all[k], &all[i]));
    if normal.iter().all(|x| *x == zero) {
        return None;
    }
    let (mut above, mut below, mut plane) = (false, false, BTreeSet::new());
    for &p in distinct {
        match dot(&normal, &minus(&all[p], &all[i])).cmp(&zero) {
            std::cmp::Ordering::Greater => above = true,
            std::cmp::Ordering::Less => below = true,
            std::cmp::Ordering::Equal => drop(plane.insert(p)),
        }
        if above && below {
            return None;
        }
    }
    Some(plane)
}

/// The polytope in the terms of the oracle.
pub(super) fn described(points: &[Vec3], polytope: &Polytope) -> Oracle {
    let name = |v: &u32| {
        let p = polytope.vertices()[*v as usize];
        points
            .iter()
            .position(|q| *q == p)
            .expect("vertices are points")
    };
    let vertices = 0..polytope.vertices().len() as u32;
    Oracle {
        faces: (0..polytope.face_count())
            .map(|f| polytope.face(f).iter().map(name).collect())
            .collect(),
        extreme: vertices.map(|v| name(&v)).collect(),
    }
}

/// Volume and centroid by signed tetrahedra from the origin.
pub(super) fn measures(polytope: &Polytope) -> (f64, Vec3) {
    type Rational = Ratio<BigInt>;
    let rational = |x: f64| Ratio::from_float(x).expect("finite");
    let zero = || rational(0.0);
    let (mut volume, mut moment) = (zero(), [zero(), zero(), zero()]);
    for triangle in polytope.triangles() {
        let [a, b, c]: [[Rational; 3]; 3] =
            triangle.map(|v| polytope.vertices()[v as usize].to_array().map(rational));
        let minor = |i: usize, j: usize| &b[i] * &c[j] - &b[j] * &c[i];
        let six = &a[0] * minor(1, 2) + &a[1] * minor(2, 0) + &a[2] * minor(0, 1);
        for i in 0..3 {
            moment[i] += &six * (&a[i] + &b[i] + &c[i]);
        }
        volume += six;
    }
    let float = |x: Rational| to_float(&x);
    let centroid = moment.map(|m| float(m / (&volume * BigInt::from(4))));
    (float(volume / BigInt::from(6)), Vec3::from_array(centroid))
}

/// A ratio as a float: 80 bits of the quotient, then a power of two.
fn to_float(x: &Ratio<BigInt>) -> f64 {
    let shift = 80 + x.denom().bits() as i32 - x.numer().bits() as i32;
    let scaled = if shift >= 0 {
        (x.numer() << shift) / x.denom()
    } else {
        x.numer() / (x.denom() << -shift)
    };
    let digits: i128 = scaled.to_string().parse().expect("80 bits fit");
    digits as f64 * 2.0_f64.powi(-shift)
}
