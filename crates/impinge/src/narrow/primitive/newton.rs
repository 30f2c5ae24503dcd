//! The last digits of closest points, by Newton's method on the points and the direction between them.
//!
//! A descent closes in on the nearest point of a curved difference with ever smaller triangles, and slowly. From about half
//! of the digits on there is a quicker way. Let `p` and `q` be points of smooth pieces of both surfaces ([`Patch`]), with
//! two parameters each, and `n` the direction from one to the other, with two more. They are closest points exactly when
//!
//! - `q - p` has no part across `n`: two equations;
//! - `n` is across the derivatives of `p`, and across those of `q`: two equations each.
//!
//! Newton's method on these six is as well conditioned for surfaces that touch as for those far apart, because `n` is not
//! computed from `q - p`; and it does not ask which of the surfaces lies in front, so that it serves depths as well. The
//! number of right digits doubles in each step. Flat pieces that face each other have many closest points: elimination
//! with complete pivoting leaves the parameters that do not matter as they are.
//!
//! What comes out is two points and a direction; they prove bounds like all others, so nothing here needs to be right for
//! the answer to be. **Cost.** At most [`STEPS`] steps of some three hundred flops; two or three as a rule.

use super::Name;
use super::gap::{Gap, Pair};
use super::patch::Patch;
use crate::contact::Feature;
use crate::math::Vec3;
use crate::narrow::simplex::Corner;
use fearless_simd::Simd;

/// The most steps.
const STEPS: u32 = 12;
/// Steps below this, in parts of the size, need not be followed by another: its length would be the square.
const LAST: f64 = 1e-7;
/// The longest step, in radians or parts of the size.
const LONGEST: f64 = 1.0;
/// Pivots below this share of the largest one are rounding errors.
const NO_PIVOT: f64 = 1e-13;

/// Points of both cores that are extreme along a direction, one against the other, and on the same line along it.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow) struct Match {
    /// From the first core to the second, of unit length up to rounding.
    pub(in crate::narrow) direction: Vec3,
    /// As seen from the origin of the pair.
    pub(in crate::narrow) points: [Vec3; 2],
    pub(in crate::narrow) features: [Feature; 2],
    /// The least product of the direction with a difference of the cores, within [`Pair::error`].
    pub(in crate::narrow) height: f64,
}

/// A mean of differences, to begin with.
pub(in crate::narrow) type Mean<'a> = &'a [(Corner<[Name; 2]>, f64)];

/// The match near a mean of differences and a direction that are about right.
pub(in crate::narrow) fn match_points<S: Simd>(
    pair: &Pair<'_, S>,
    direction: Vec3,
    mean: Mean<'_>,
) -> Option<Match> {
    let side_a = mean.iter().map(|(corner, w)| (corner.a, corner.id[0], *w));
    let side_b = mean.iter().map(|(corner, w)| (corner.b, corner.id[1], *w));
    let mut search = Search {
        n: direction,
        a: Patch::new(&pair.a, direction, side_a)?,
        b: Patch::new(&pair.b, -direction, side_b)?,
    };
    for _ in 0..STEPS {
        if search.step()? <= LAST && !search.widen(pair) {
            return Some(search.conclude(pair));
        }
    }
    None
}

struct Search {
    n: Vec3,
    a: Patch,
    b: Patch,
}

impl Search {
    /// One step; gives its length.
    fn step(&mut self) -> Option<f64> {
        let n = self.n;
        let (e, f) = n.any_orthonormal_pair();
        let (p, q) = (self.a.derivatives(), self.b.derivatives());
        let w = self.b.point() - self.a.point();
        let height = n.dot(w);
        // Rows are equations, with the right-hand side last. Columns are the parameters of `p`, those of `q`, and the turns
        // of `n` towards `e` and `f`.
        let across = |axis: Vec3, turns: [f64; 2]| {
            let ([p, p2], [q, q2]) = (p.first, q.first);
            let on = |v: Vec3| axis.dot(v);
            [-on(p), -on(p2), on(q), on(q2), turns[0], turns[1], -on(w)]
        };
        let of_p = |first: Vec3, by: [Vec3; 2]| {
            let [s, t] = by.map(|second| n.dot(second));
            [s, t, 0.0, 0.0, e.dot(first), f.dot(first), -n.dot(first)]
        };
        let of_q = |first: Vec3, by: [Vec3; 2]| {
            let [s, t] = by.map(|second| n.dot(second));
            [0.0, 0.0, s, t, e.dot(first), f.dot(first), -n.dot(first)]
        };
        let [[p11, p12, p22], [q11, q12, q22]] = [p.second, q.second];
        let rows = [
            of_p(p.first[0], [p11, p12]),
            of_p(p.first[1], [p12, p22]),
            of_q(q.first[0], [q11, q12]),
            of_q(q.first[1], [q12, q22]),
            across(e, [-height, 0.0]),
            across(f, [0.0, -height]),
        ];
        let is_there = |first: Vec3| first != Vec3::ZERO;
        let [[p1, p2], [q1, q2]] = [p.first.map(is_there), q.first.map(is_there)];
        let by = solve(&rows, [p1, p2, q1, q2, true, true]);
        // Written so that NaN is refused, too.
        if !by.iter().all(|x| x.abs() <= LONGEST) {
            return None;
        }
        self.a.advance([by[0], by[1]]);
        self.b.advance([by[2], by[3]]);
        self.n = (n + e * by[4] + f * by[5]).normalize();
        Some(by.into_iter().fold(0.0, |most, x| most.max(x.abs())))
    }

    /// Takes vertices into flat pieces that are farther along the direction than these.
    fn widen<S: Simd>(&mut self, pair: &Pair<'_, S>) -> bool {
        let (p, name_p) = pair.a.support(pair.simd, self.n);
        let (q, name_q) = pair.b.support(pair.simd, -self.n);
        let is_beyond = |beyond: Vec3| self.n.dot(beyond) > pair.error();
        let [of_a, of_b] = [is_beyond(p - self.a.point()), is_beyond(self.b.point() - q)];
        (of_a && self.a.include(p, name_p)) | (of_b && self.b.include(q, name_q))
    }

    fn conclude<S: Simd>(&self, pair: &Pair<'_, S>) -> Match {
        let names = [&self.a, &self.b];
        Match {
            direction: self.n,
            points: [self.a.point(), self.b.point()],
            features: pair.features(self.n, |side| names[side].names()),
            height: pair.height(self.n),
        }
    }
}

/// Solves those equations that are there for those unknowns, by elimination with complete pivoting. Unknowns that are not
/// there, or that the equations do not determine, are 0.
fn solve(all: &[[f64; 7]; 6], is_there: [bool; 6]) -> [f64; 6] {
    let (mut columns, mut size) = ([0; 6], 0);
    for k in (0..6).filter(|k| is_there[*k]) {
        columns[size] = k;
        size += 1;
    }
    let mut rows = [[0.0; 7]; 6];
    for (i, row) in rows[..size].iter_mut().enumerate() {
        for (x, column) in row.iter_mut().zip(&columns[..size]) {
            *x = all[columns[i]][*column];
        }
        row[size] = all[columns[i]][6];
    }
    let rank = eliminate(&mut rows, &mut columns, size);
    let mut solution = [0.0; 6];
    for i in (0..rank).rev() {
        let known: f64 = (i + 1..rank)
            .map(|j| rows[i][j] * solution[columns[j]])
            .sum();
        solution[columns[i]] = (rows[i][size] - known) / rows[i][i];
    }
    solution
}

/// Brings the first rows and columns, with the right-hand side behind them, to triangular form; gives the rank.
fn eliminate(rows: &mut [[f64; 7]; 6], columns: &mut [usize; 6], size: usize) -> usize {
    let mut largest = 0.0;
    for rank in 0..size {
        let (mut pivot, mut at) = (0.0, (rank, rank));
        for (i, row) in rows[..size].iter().enumerate().skip(rank) {
            for (j, x) in row[..size].iter().enumerate().skip(rank) {
                if x.abs() > pivot {
                    (pivot, at) = (x.abs(), (i, j));
                }
            }
        }
        largest = f64::max(largest, pivot);
        if pivot <= NO_PIVOT * largest {
            return rank;
        }
        rows.swap(rank, at.0);
        columns.swap(rank, at.1);
        for row in &mut rows[..size] {
            row.swap(rank, at.1);
        }
        let top = rows[rank];
        for row in &mut rows[rank + 1..size] {
            let factor = row[rank] / top[rank];
            for (x, y) in row[rank..=size].iter_mut().zip(&top[rank..=size]) {
                *x -= factor * y;
            }
        }
    }
    size
}

impl Gap {
    /// Takes over what a match proves.
    pub(super) fn take<S: Simd>(&mut self, pair: &Pair<'_, S>, found: &Match) {
        let [a, b] = found.points;
        let distance = a.distance(b);
        let upper = distance + pair.error();
        if upper < self.bounds.upper {
            self.distance = distance;
            self.bounds.upper = upper;
            self.witness = pair.in_world(a, b);
            self.features = found.features;
        }
        let lower = found.height - pair.error();
        if lower > self.bounds.lower {
            self.bounds.lower = lower;
            self.direction = found.direction;
        }
        self.bounds.lower = self.bounds.lower.min(self.bounds.upper);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_and_what_is_free_stays() {
        let mut rows = [[0.0; 7]; 6];
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, x) in row[..6].iter_mut().enumerate() {
                *x = 1.0 / (1.0 + (i + j) as f64) + if i == j { 1.0 } else { 0.0 };
            }
            row[6] = (0..6).map(|j| row[j] * (j as f64 - 2.0)).sum();
        }
        for (j, x) in solve(&rows, [true; 6]).into_iter().enumerate() {
            assert!((x - (j as f64 - 2.0)).abs() < 1e-13, "{x}");
        }
        // Twice the same equation leaves one unknown free, and absent ones do not count.
        let mut rows = [[1.0; 7]; 6];
        rows[0][6] = f64::NAN;
        let found = solve(&rows, [false, true, false, false, true, false]);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert_eq!(found.iter().filter(|x| **x != 0.0).count(), 1);
    }
}
