//! Floating-point coordinates as integers.
//!
//! A finite `f64` is an integer times a power of two, so finitely many of them are integers on a common grid. The first
//! point is moved to the origin: exact on integers, and it keeps sets far from the origin small. Questions that are
//! small enough run on `i128`, all others on big integers, by the same generic code.

use impinge::Vec3;
use num_bigint::BigInt;
use std::ops::{Add, Div, Mul, Sub};

/// What the oracle computes with: `i128` where the caller has shown that nothing overflows, or `BigInt`.
pub(crate) trait Integer: Clone + Ord + From<i64> {
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// The quotient, rounded towards zero.
    fn over(&self, other: &Self) -> Self;

    fn zero() -> Self {
        Self::from(0)
    }

    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl<T> Integer for T
where
    T: Clone + Ord + From<i64>,
    for<'a> &'a T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    fn plus(&self, other: &T) -> T {
        self + other
    }
    fn minus(&self, other: &T) -> T {
        self - other
    }
    fn times(&self, other: &T) -> T {
        self * other
    }
    fn over(&self, other: &T) -> T {
        self / other
    }
}

/// A point or a vector on the grid.
pub(crate) type Point<T> = [T; 3];

pub(crate) fn minus<T: Integer>(p: &Point<T>, q: &Point<T>) -> Point<T> {
    std::array::from_fn(|i| p[i].minus(&q[i]))
}

pub(crate) fn dot<T: Integer>(p: &Point<T>, q: &Point<T>) -> T {
    p[0].times(&q[0])
        .plus(&p[1].times(&q[1]))
        .plus(&p[2].times(&q[2]))
}

pub(crate) fn cross<T: Integer>(p: &Point<T>, q: &Point<T>) -> Point<T> {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        p[j].times(&q[k]).minus(&p[k].times(&q[j]))
    })
}

/// The determinant of three vectors.
pub(crate) fn det<T: Integer>(p: &Point<T>, q: &Point<T>, r: &Point<T>) -> T {
    dot(p, &cross(q, r))
}

pub(crate) fn is_null<T: Integer>(p: &Point<T>) -> bool {
    p.iter().all(T::is_zero)
}

/// The points minus the first of them, in units of `2^exponent`.
pub(crate) struct Grid {
    pub(crate) points: Vec<Point<BigInt>>,
    pub(crate) exponent: i32,
}

impl Grid {
    pub(crate) fn new(points: &[Vec3]) -> Grid {
        let span = Span::of(points);
        let points = match span.differences(points) {
            Some(differences) => differences
                .into_iter()
                .map(|p| p.map(BigInt::from))
                .collect(),
            None => {
                let on_grid = |x| {
                    let (mantissa, shift) = span.steps(x);
                    BigInt::from(mantissa) << shift
                };
                let origin = points[0].to_array().map(on_grid);
                points
                    .iter()
                    .map(|p| minus(&p.to_array().map(on_grid), &origin))
                    .collect()
            }
        };
        Grid {
            points,
            exponent: span.low,
        }
    }
}

/// The points minus the first of them, when each coordinate is below `2^bits` in absolute value.
pub(crate) fn small_grid(points: &[Vec3], bits: u32) -> Option<Vec<Point<i128>>> {
    let differences = Span::of(points).differences(points)?;
    let limit = 1_u128 << bits;
    let fits = |p: &Point<i128>| p.iter().all(|x| x.unsigned_abs() < limit);
    differences.iter().all(fits).then_some(differences)
}

/// All coordinates are multiples of `2^low` and below `2^high` in absolute value.
struct Span {
    low: i32,
    high: i32,
}

impl Span {
    fn of(points: &[Vec3]) -> Span {
        let coordinates = points.iter().flat_map(|p| p.to_array()).map(split);
        let mut used = coordinates
            .filter(|(mantissa, _)| *mantissa != 0)
            .peekable();
        if used.peek().is_none() {
            return Span { low: 0, high: 0 };
        }
        let start = Span {
            low: i32::MAX,
            high: i32::MIN,
        };
        used.fold(start, |span, (mantissa, exponent)| {
            let width = 64 - mantissa.unsigned_abs().leading_zeros();
            Span {
                low: span.low.min(exponent),
                high: span.high.max(exponent + width as i32),
            }
        })
    }

    /// `x` is this mantissa, shifted left, in units of `2^low`.
    fn steps(&self, x: f64) -> (i64, u32) {
        match split(x) {
            (0, _) => (0, 0),
            (mantissa, exponent) => (mantissa, exponent.abs_diff(self.low)),
        }
    }

    /// The points minus the first, when the grid is no finer than 125 bits (one more for the difference, one for the sign).
    fn differences(&self, points: &[Vec3]) -> Option<Vec<Point<i128>>> {
        if self.high - self.low > 125 {
            return None;
        }
        let on_grid = |x| {
            let (mantissa, shift) = self.steps(x);
            i128::from(mantissa) << shift
        };
        let origin = points[0].to_array().map(on_grid);
        let shifted = points
            .iter()
            .map(|p| minus(&p.to_array().map(on_grid), &origin));
        Some(shifted.collect())
    }
}

/// `x = mantissa * 2^exponent` with an odd mantissa; zero is `(0, 0)`.
fn split(x: f64) -> (i64, i32) {
    assert!(x.is_finite(), "the oracle takes finite numbers, not {x}");
    if x == 0.0 {
        return (0, 0);
    }
    let bits = x.to_bits();
    let stored_exponent = ((bits >> 52) & 0x7ff) as i32;
    let stored_mantissa = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = match stored_exponent {
        0 => (stored_mantissa, -1074),
        e => (stored_mantissa | 1 << 52, e - 1075),
    };
    let zeros = mantissa.trailing_zeros();
    let magnitude = mantissa >> zeros;
    let signed = if x < 0.0 { -magnitude } else { magnitude };
    (signed, exponent + zeros as i32)
}
