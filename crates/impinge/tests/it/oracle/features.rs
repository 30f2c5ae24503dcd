//! The distance of two small point sets' hulls by going through all pairs of features.
//!
//! When the hulls are disjoint, the closest pair of points lies inside a vertex and a triangle, or inside two edges, or
//! inside lower features, all spanned by points of the sets. Going through *all* vertices, edges and triangles that the
//! points span finds it; spans that are no true faces do no harm, because they are inside the hulls. The cost grows with
//! the fourth power of the number of points: up to eight each.

use super::distance::SquaredDistance;
use super::grid::{Grid, Point, cross, det, dot, minus};
use super::hulls_meet;
use impinge::Vec3;
use num_bigint::BigInt;

/// The squared distance of the hulls of two small point sets.
pub(crate) fn feature_distance(a: &[Vec3], b: &[Vec3]) -> SquaredDistance {
    let points: Vec<Vec3> = a.iter().chain(b).copied().collect();
    let grid = Grid::new(&points);
    if hulls_meet(a, b) {
        return SquaredDistance::on_grid(BigInt::ZERO, BigInt::from(1), grid.exponent);
    }
    let (a, b) = grid.points.split_at(a.len());
    let mut best = Fraction {
        numerator: BigInt::from(1),
        denominator: BigInt::ZERO,
    };
    for (points, others) in [(a, b), (b, a)] {
        for p in points {
            vertex_and_spans(p, others, &mut best);
        }
    }
    for (i, j) in pairs(a.len()) {
        for (k, l) in pairs(b.len()) {
            best.improve(edge_edge([&a[i], &a[j]], [&b[k], &b[l]]));
        }
    }
    SquaredDistance::on_grid(best.numerator, best.denominator, grid.exponent)
}

/// A squared distance; a denominator of zero is infinity.
struct Fraction {
    numerator: BigInt,
    denominator: BigInt,
}

impl Fraction {
    fn improve(&mut self, other: Option<Fraction>) {
        if let Some(other) = other
            && &other.numerator * &self.denominator < &self.numerator * &other.denominator
        {
            *self = other;
        }
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
}

fn vertex_and_spans(p: &Point<BigInt>, others: &[Point<BigInt>], best: &mut Fraction) {
    for q in others {
        let d = minus(p, q);
        best.improve(Some(Fraction {
            numerator: dot(&d, &d),
            denominator: BigInt::from(1),
        }));
    }
    for (i, j) in pairs(others.len()) {
        best.improve(vertex_edge(p, &others[i], &others[j]));
        for k in j + 1..others.len() {
            best.improve(vertex_triangle(p, [&others[i], &others[j], &others[k]]));
        }
    }
}

/// The distance to the line, when the foot is on the edge.
fn vertex_edge(p: &Point<BigInt>, q: &Point<BigInt>, r: &Point<BigInt>) -> Option<Fraction> {
    let (edge, from) = (minus(r, q), minus(p, q));
    let (along, length) = (dot(&edge, &from), dot(&edge, &edge));
    let across = cross(&edge, &from);
    (length > BigInt::ZERO && along >= BigInt::ZERO && along <= length).then(|| Fraction {
        numerator: dot(&across, &across),
        denominator: length,
    })
}

/// The distance to the plane, when the foot is on the triangle.
fn vertex_triangle(p: &Point<BigInt>, corners: [&Point<BigInt>; 3]) -> Option<Fraction> {
    let [a, b, c] = corners.map(|q| minus(q, p));
    let normal = cross(&minus(&b, &a), &minus(&c, &a));
    let square = dot(&normal, &normal);
    let inside = [(&a, &b), (&b, &c), (&c, &a)]
        .into_iter()
        .all(|(s, t)| det(&normal, s, t) >= BigInt::ZERO);
    let height = dot(&normal, &a);
    (square > BigInt::ZERO && inside).then(|| Fraction {
        numerator: &height * &height,
        denominator: square,
    })
}

/// The distance of the two lines, when both feet are on the edges; parallel edges are left to their vertices.
fn edge_edge(p: [&Point<BigInt>; 2], q: [&Point<BigInt>; 2]) -> Option<Fraction> {
    let (u, v, w) = (minus(p[1], p[0]), minus(q[1], q[0]), minus(q[0], p[0]));
    let normal = cross(&u, &v);
    let square = dot(&normal, &normal);
    // p0 + s u and q0 + t v differ by a multiple of the normal: s = det(w, v, n) / n.n, t = det(w, u, n) / n.n.
    let on_edge = |x: BigInt| x >= BigInt::ZERO && x <= square;
    let inside = on_edge(det(&w, &v, &normal)) && on_edge(det(&w, &u, &normal));
    let height = dot(&normal, &w);
    (square > BigInt::ZERO && inside).then(|| Fraction {
        numerator: &height * &height,
        denominator: square,
    })
}
