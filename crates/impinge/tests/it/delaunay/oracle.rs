//! The same determinants in integers and in fractions, written out the long way.

use impinge::delaunay::Delaunay;
use impinge::error::FlatExtent;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::{HashMap, HashSet};

/// A point with coordinates of at most 20 bits.
pub(super) type Point = [i128; 3];

fn less(p: &Point, q: &Point) -> Point {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn volume([p, q, r]: [Point; 3]) -> i128 {
    p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0])
        + p[2] * (q[0] * r[1] - q[1] * r[0])
}

/// Six times the volume of a tetrahedron, positive as `exact::orientation` is.
fn orientation(a: &Point, b: &Point, c: &Point, d: &Point) -> i128 {
    volume([less(b, a), less(c, a), less(d, a)])
}

/// Positive when `e` is inside the sphere of a positive tetrahedron.
fn in_sphere([a, b, c, d]: [&Point; 4], e: &Point) -> i128 {
    let [a, b, c, d] = [a, b, c, d].map(|p| less(p, e));
    let lift = |p: &Point| p.iter().map(|x| x * x).sum::<i128>();
    // Along the last column of the rows (x, y, z, x^2 + y^2 + z^2); the sign is that of a positive tetrahedron.
    let determinant = -lift(&a) * volume([b, c, d]) + lift(&b) * volume([a, c, d])
        - lift(&c) * volume([a, b, d])
        + lift(&d) * volume([a, b, c]);
    -determinant
}

/// Everything that makes tetrahedra those of Delaunay.
pub(super) fn check(points: &[Point], cells: &Delaunay) {
    let corners = |t: &[u32; 4]| t.map(|i| &points[i as usize]);
    let mut total = 0;
    for t in cells.tetrahedra() {
        let [a, b, c, d] = corners(t);
        let own = orientation(a, b, c, d);
        assert!(own > 0, "{t:?} has a volume");
        total += own;
        for p in points {
            assert!(in_sphere([a, b, c, d], p) <= 0, "{t:?} is empty of {p:?}");
        }
    }
    check_hull(points, cells, total);
    check_counts(points, cells);
    for (i, p) in (0..).zip(points) {
        let first = points.iter().position(|q| q == p).unwrap();
        assert_eq!(cells.first_at(i) as usize, first);
    }
}

/// The hull is closed, holds all points, and the tetrahedra fill it.
fn check_hull(points: &[Point], cells: &Delaunay, total: i128) {
    let mut edges = HashSet::new();
    let mut enclosed = 0;
    let origin = [0; 3];
    for [p, q, r] in cells.hull() {
        let [a, b, c] = [p, q, r].map(|i| &points[i as usize]);
        for d in points {
            assert!(orientation(a, b, c, d) <= 0, "{d:?} is inside");
        }
        enclosed += orientation(&origin, a, b, c);
        for edge in [[p, q], [q, r], [r, p]] {
            assert!(edges.insert(edge), "{edge:?} is walked once");
        }
    }
    assert!(edges.iter().all(|[p, q]| edges.contains(&[*q, *p])));
    assert_eq!(enclosed, total, "the tetrahedra fill the hull");
}

/// Every distinct point is a corner; facets are shared by two; and Euler's relation for a ball holds.
fn check_counts(points: &[Point], cells: &Delaunay) {
    let mut vertices = HashSet::new();
    let mut edges = HashSet::new();
    let mut facets: HashMap<[u32; 3], usize> = HashMap::new();
    for t in cells.tetrahedra() {
        let mut t = *t;
        t.sort_unstable();
        vertices.extend(t);
        for i in 0..4 {
            edges.extend((0..i).map(|j| [t[j], t[i]]));
            let facet: Vec<u32> = (0..4).filter(|j| *j != i).map(|j| t[j]).collect();
            *facets.entry([facet[0], facet[1], facet[2]]).or_default() += 1;
        }
    }
    let distinct: HashSet<&Point> = points.iter().collect();
    assert_eq!(vertices.len(), distinct.len());
    let outer = facets.values().filter(|uses| **uses == 1).count();
    assert_eq!(outer, cells.hull().count());
    assert!(facets.values().all(|uses| *uses <= 2));
    let euler = vertices.len() as i64 - edges.len() as i64 + facets.len() as i64
        - cells.tetrahedra().len() as i64;
    assert_eq!(euler, 1);
}

/// What the points have in common.
pub(super) fn flatness(points: &[Point]) -> FlatExtent {
    let Some(q) = points.iter().find(|p| **p != points[0]) else {
        return FlatExtent::Point;
    };
    let p = &points[0];
    let cross = |r: &Point| {
        let (u, v) = (less(q, p), less(r, p));
        [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ]
    };
    let Some(r) = points.iter().find(|r| cross(r) != [0; 3]) else {
        return FlatExtent::Line;
    };
    assert!(points.iter().all(|s| orientation(p, q, r, s) == 0));
    FlatExtent::Plane
}

/// Whether a point is in a tetrahedron, border included.
pub(super) fn is_in(p: &Point, points: &[Point], tetrahedron: [u32; 4]) -> bool {
    let [a, b, c, d] = tetrahedron.map(|i| &points[i as usize]);
    [(p, b, c, d), (a, p, c, d), (a, b, p, d), (a, b, c, p)]
        .into_iter()
        .all(|(a, b, c, d)| orientation(a, b, c, d) >= 0)
}

/// All spheres are empty of all points, by centres and squared radii as fractions.
pub(super) fn assert_empty_in_rationals(cells: &Delaunay) {
    let exact = |x: f64| BigRational::from_float(x).unwrap();
    let points: Vec<[BigRational; 3]> = cells
        .points()
        .iter()
        .map(|p| p.to_array().map(exact))
        .collect();
    for t in cells.tetrahedra() {
        let corners = t.map(|i| &points[i as usize]);
        let center = center(corners);
        let square = |p: &[BigRational; 3]| -> BigRational {
            let parts = p.iter().zip(&center).map(|(x, c)| (x - c) * (x - c));
            parts.sum()
        };
        let radius = square(corners[0]);
        assert!(corners.iter().all(|p| square(p) == radius));
        assert!(points.iter().all(|p| square(p) >= radius));
    }
}

/// The point as far from all corners, by Cramer's rule.
fn center([p, q, r, s]: [&[BigRational; 3]; 4]) -> [BigRational; 3] {
    let zero = || BigRational::from_integer(BigInt::from(0));
    let rows: Vec<[BigRational; 4]> = [q, r, s]
        .into_iter()
        .map(|corner| {
            let mut row = [zero(), zero(), zero(), zero()];
            for k in 0..3 {
                row[k] = &corner[k] - &p[k];
                row[3] += &corner[k] * &corner[k] - &p[k] * &p[k];
            }
            row[3] /= BigRational::from_integer(BigInt::from(2));
            row
        })
        .collect();
    let determinant = |columns: [usize; 3]| -> BigRational {
        let at = |row: usize, column: usize| &rows[row][columns[column]];
        let minor = |i: usize, j: usize| at(1, i) * at(2, j) - at(1, j) * at(2, i);
        at(0, 0) * minor(1, 2) - at(0, 1) * minor(0, 2) + at(0, 2) * minor(0, 1)
    };
    let whole = determinant([0, 1, 2]);
    [[3, 1, 2], [0, 3, 2], [0, 1, 3]].map(|columns| determinant(columns) / &whole)
}
