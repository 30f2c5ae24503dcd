//! Hulls against hulls as a linear program.
//!
//! The hulls of `a` and `b` meet exactly when there are weights `x, y >= 0` with
//!
//! ```text
//! sum x_i (a_i - a_0) - sum y_j (b_j - b_0) = b_0 - a_0,   sum x_i = 1,   sum y_j = 1.
//! ```
//!
//! The first phase of the simplex method decides that: start from `x_0 = y_0 = 1` and three artificial variables that
//! take up the right-hand side, and bring the sum of the artificial variables as low as it goes. Pivots are those of
//! Edmonds: all entries are integers over one common denominator, and each division is exact. The entering column is
//! the one with the largest coefficient at first, and by Bland's rule (1977) after [`PATIENCE`] pivots, which ends always.
//!
//! The end is a proof either way: weights of a common point, or (the dual solution) a normal that separates. Both are
//! checked against the points, so a slip in the pivoting would stop the test, not falsify it.

use super::grid::{Grid, Integer, Point, dot, minus, small_grid};
use impinge::Vec3;
use num_bigint::BigInt;
use num_rational::Ratio;

/// With coordinates below `2^B`, a minor of the program is below `60 * 2^(3 B + 3)` (two of its rows hold zeros and ones,
/// three hold differences), a sum of three such below `2^(3 B + 11)`, and the difference of two products of those below
/// `2^(6 B + 23)`, which must be at most `2^127`.
const SMALL: u32 = 17;

/// Pivots before the rule that cannot cycle takes over.
const PATIENCE: usize = 60;

/// Whether the closed convex hulls of two point sets, neither empty, share a point.
pub(crate) fn hulls_meet(a: &[Vec3], b: &[Vec3]) -> bool {
    let points: Vec<Vec3> = a.iter().chain(b).copied().collect();
    match small_grid(&points, SMALL) {
        Some(grid) => meet(&grid[..a.len()], &grid[a.len()..]),
        None => {
            let grid = Grid::new(&points).points;
            meet(&grid[..a.len()], &grid[a.len()..])
        }
    }
}

fn meet<T: Integer + std::fmt::Debug + Into<BigInt>>(a: &[Point<T>], b: &[Point<T>]) -> bool {
    let mut program = Program::new(a, b);
    program.solve();
    if program.artificial_sum().is_zero() {
        program.check_common_point(a, b);
        true
    } else {
        program.check_separation(a, b);
        false
    }
}

/// The tableau: entries divided by `denominator` are the true ones.
struct Program<T> {
    /// Three coordinates, the two sums of weights, and last the cost.
    rows: [Vec<T>; 6],
    /// The basic column of each row but the cost.
    basis: [usize; 5],
    denominator: T,
    /// The coordinates whose row was negated to make the right-hand side positive.
    negated: [bool; 3],
    /// Where the artificial columns start: after the weights of `a` and of `b`. The right-hand side comes last.
    artificial: usize,
    /// Where the weights of `b` start.
    second: usize,
}

const COST: usize = 5;

impl<T: Integer> Program<T> {
    fn new(a: &[Point<T>], b: &[Point<T>]) -> Program<T> {
        let (zero, one) = (T::zero(), T::from(1));
        let (second, artificial) = (a.len(), a.len() + b.len());
        let goal = minus(&b[0], &a[0]);
        let negated = std::array::from_fn(|k| goal[k] < zero);
        let unit = |hit: bool| if hit { one.clone() } else { zero.clone() };

        let coordinate_row = |k: usize| -> Vec<T> {
            let from_a = a.iter().map(|p| p[k].minus(&a[0][k]));
            let from_b = b.iter().map(|p| b[0][k].minus(&p[k]));
            let units = (0..3).map(|j| unit(j == k));
            let signed = from_a.chain(from_b).chain([goal[k].clone()]);
            let mut row: Vec<T> = signed
                .map(|x| if negated[k] { zero.minus(&x) } else { x })
                .collect();
            row.splice(artificial..artificial, units);
            row
        };
        let weight_row = |from: usize, to: usize| -> Vec<T> {
            let weights = (0..artificial + 3).map(|j| unit(from <= j && j < to));
            weights.chain([one.clone()]).collect()
        };

        let [x, y, z] = std::array::from_fn(coordinate_row);
        // Reduced costs of the sum of the artificial variables; the artificial columns themselves are basic.
        let cost = (0..artificial + 4)
            .map(|j| {
                if (artificial..artificial + 3).contains(&j) {
                    zero.clone()
                } else {
                    x[j].plus(&y[j]).plus(&z[j])
                }
            })
            .collect();
        Program {
            rows: [
                x,
                y,
                z,
                weight_row(0, second),
                weight_row(second, artificial),
                cost,
            ],
            basis: [artificial, artificial + 1, artificial + 2, 0, second],
            denominator: one,
            negated,
            artificial,
            second,
        }
    }

    fn right_side(&self) -> usize {
        self.artificial + 3
    }

    /// The sum of the artificial variables, times the denominator.
    fn artificial_sum(&self) -> &T {
        &self.rows[COST][self.right_side()]
    }

    fn solve(&mut self) {
        let mut pivots = 0;
        while !self.artificial_sum().is_zero() {
            let Some(column) = self.entering(pivots) else {
                return;
            };
            let row = self.leaving(column);
            self.pivot(row, column);
            pivots += 1;
        }
    }

    /// A weight whose growth lowers the cost.
    fn entering(&self, pivots: usize) -> Option<usize> {
        let cost = &self.rows[COST][..self.artificial];
        let zero = T::zero();
        if pivots < PATIENCE {
            let best = (0..cost.len()).max_by(|i, j| cost[*i].cmp(&cost[*j]))?;
            (cost[best] > zero).then_some(best)
        } else {
            cost.iter().position(|c| *c > zero)
        }
    }

    /// The row whose variable reaches zero first; of several, the one whose variable comes first.
    fn leaving(&self, column: usize) -> usize {
        let right = self.right_side();
        let zero = T::zero();
        let ratio_order = |i: usize, j: usize| {
            let left = self.rows[i][right].times(&self.rows[j][column]);
            left.cmp(&self.rows[j][right].times(&self.rows[i][column]))
        };
        (0..COST)
            .filter(|i| self.rows[*i][column] > zero)
            .min_by(|i, j| ratio_order(*i, *j).then(self.basis[*i].cmp(&self.basis[*j])))
            .expect("weights sum up to 1, so none grows without bound")
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot_row = self.rows[row].clone();
        let pivot = &pivot_row[column];
        for (i, entries) in self.rows.iter_mut().enumerate() {
            if i == row {
                continue;
            }
            let factor = entries[column].clone();
            for (entry, above) in entries.iter_mut().zip(&pivot_row) {
                let scaled = entry.times(pivot).minus(&factor.times(above));
                *entry = scaled.over(&self.denominator);
            }
        }
        self.denominator = pivot.clone();
        self.basis[row] = column;
    }

    /// Panics unless the basic weights give the same point of both hulls.
    fn check_common_point(&self, a: &[Point<T>], b: &[Point<T>])
    where
        T: Into<BigInt>,
    {
        let rational = |x: &T| Ratio::from_integer(x.clone().into());
        let zero = rational(&T::zero());
        let scale = rational(&self.denominator);
        let mut sums = [zero.clone(), zero.clone()];
        let mut points = [
            [zero.clone(), zero.clone(), zero.clone()],
            [zero.clone(), zero.clone(), zero.clone()],
        ];
        for (row, column) in self.basis.iter().enumerate() {
            let weight = rational(&self.rows[row][self.right_side()]) / &scale;
            assert!(weight >= zero, "a weight is negative");
            let (side, point) = match *column {
                i if i < self.second => (0, &a[i]),
                i if i < self.artificial => (1, &b[i - self.second]),
                _ => {
                    assert_eq!(weight, zero, "an artificial variable is left over");
                    continue;
                }
            };
            for k in 0..3 {
                points[side][k] += &weight * rational(&point[k]);
            }
            sums[side] += weight;
        }
        assert_eq!(points[0], points[1], "the common point is not common");
        assert!(sums.iter().all(|s| *s == rational(&T::from(1))));
    }

    /// Panics unless the dual solution is the normal of a plane between the two.
    fn check_separation(&self, a: &[Point<T>], b: &[Point<T>]) {
        let normal: Point<T> = std::array::from_fn(|k| {
            let dual = self.rows[COST][self.artificial + k].plus(&self.denominator);
            if self.negated[k] {
                T::zero().minus(&dual)
            } else {
                dual
            }
        });
        let highest = a.iter().map(|p| dot(&normal, p)).max();
        let lowest = b.iter().map(|p| dot(&normal, p)).min();
        assert!(highest < lowest, "the normal does not separate");
    }
}
