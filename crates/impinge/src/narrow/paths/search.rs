//! The first passage of a moving polygon through the origin, as far as floating point can prove it.
//!
//! Intervals of time are taken in order from a stack. Each is excluded, or holds one simple root of `D`, which is put into
//! a short bracket and decided there, or is halved. The first thing that can be neither proven nor halved further ends the
//! search: it is open.

use super::polygon::{Polygon, Side};
use crate::math::Interval;
use arrayvec::ArrayVec;

/// What is known after the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Found {
    /// The origin is never in the polygon.
    Nothing,
    /// It is, for the first time in this interval, which is no longer than the tolerance.
    Within(Interval),
    /// Exact arithmetic must decide.
    Open,
}

/// How often the interval is halved. Simple roots part early; beyond this, exact arithmetic is sooner done.
const DEPTH: usize = 14;
/// Newton's method needs four or five steps from the chord where it works, and bisection some more first where not.
const NEWTON_STEPS: usize = 16;
/// How often it is halved when `D` cannot be told from zero, so that only directions can exclude anything.
const FLAT_DEPTH: usize = 4;

/// Searches `[0, 1]`.
pub(super) fn first_passage<const N: usize>(polygon: &Polygon<N>, tolerance: f64) -> Found {
    if !polygon.is_ordinary() {
        return Found::Open;
    }
    // Every halving adds one to the stack, and takes one from the depth that is left.
    let mut stack: ArrayVec<(Interval, usize), { DEPTH + 1 }> = ArrayVec::new();
    let whole = Interval {
        lower: 0.0,
        upper: 1.0,
    };
    let depth = if polygon.is_flat() { FLAT_DEPTH } else { DEPTH };
    stack.push((whole, depth));
    while let Some((time, depth)) = stack.pop() {
        match examine(polygon, time, tolerance) {
            Step::Excluded => {}
            Step::Hit(bounds) => return Found::Within(bounds),
            Step::Halve if depth > 0 => {
                let middle = 0.5 * (time.lower + time.upper);
                stack.push((
                    Interval {
                        lower: middle,
                        ..time
                    },
                    depth - 1,
                ));
                stack.push((
                    Interval {
                        upper: middle,
                        ..time
                    },
                    depth - 1,
                ));
            }
            Step::Halve | Step::Open => return Found::Open,
        }
    }
    Found::Nothing
}

enum Step {
    Excluded,
    Hit(Interval),
    Halve,
    Open,
}

fn examine<const N: usize>(polygon: &Polygon<N>, time: Interval, tolerance: f64) -> Step {
    let error = polygon.cubic_error;
    let d = polygon.cubic_over(time);
    if d.iter().all(|c| *c > error) || d.iter().all(|c| *c < -error) {
        return Step::Excluded;
    }
    let rise = [d[1] - d[0], d[2] - d[1], d[3] - d[2]];
    let is_monotone =
        rise.iter().all(|r| *r > 2.5 * error) || rise.iter().all(|r| *r < -2.5 * error);
    let are_ends_known = d[0].abs() > error && d[3].abs() > error;
    if is_monotone && are_ends_known {
        if (d[0] > 0.0) == (d[3] > 0.0) {
            return Step::Excluded;
        }
        return match bracket(polygon, time, &d) {
            Some(root) => examine_root(polygon, root, tolerance),
            None => Step::Open,
        };
    }
    if polygon.is_apart(time) || polygon.side(time) == Side::Outside {
        return Step::Excluded;
    }
    Step::Halve
}

/// `D` has exactly one root in the bracket and changes sign there.
fn examine_root<const N: usize>(polygon: &Polygon<N>, root: Interval, tolerance: f64) -> Step {
    match polygon.side(root) {
        Side::Outside => Step::Excluded,
        Side::Inside if root.width() <= tolerance => Step::Hit(root),
        Side::Inside | Side::Unknown => Step::Open,
    }
}

/// A short interval at whose ends `D` certainly has opposite signs, around its one root in an interval where it is
/// monotone; `d` are its coefficients there.
fn bracket<const N: usize>(polygon: &Polygon<N>, time: Interval, d: &[f64; 4]) -> Option<Interval> {
    let length = time.upper - time.lower;
    let (place, slope) = newton(d);
    let root = time.lower + place * length;
    // The sign is certain where |D| exceeds its error; a few times that far from the root it does.
    let mut reach = 4.0 * polygon.cubic_error * length / slope + 4.0 * f64::EPSILON * root;
    for _ in 0..3 {
        let bounds = Interval {
            lower: (root - reach).max(time.lower),
            upper: (root + reach).min(time.upper),
        };
        let is_certain = |t: f64, like: f64| {
            let value = polygon.cubic_at(t);
            value.abs() > polygon.cubic_error && (value > 0.0) == (like > 0.0)
        };
        // The signs at the ends of the whole interval are known.
        let lower_is_certain = bounds.lower <= time.lower || is_certain(bounds.lower, d[0]);
        let upper_is_certain = bounds.upper >= time.upper || is_certain(bounds.upper, d[3]);
        if lower_is_certain && upper_is_certain {
            return Some(bounds);
        }
        reach *= 8.0;
    }
    None
}

/// About where in `[0, 1]` a monotone cubic in Bernstein form is zero, and how steep it is there.
fn newton(d: &[f64; 4]) -> (f64, f64) {
    let [a, b, c] = [
        3.0 * (d[1] - d[0]),
        3.0 * (d[0] - 2.0 * d[1] + d[2]),
        d[3] - d[0] + 3.0 * (d[1] - d[2]),
    ];
    let (mut low, mut high) = (0.0, 1.0);
    let mut place = d[0] / (d[0] - d[3]);
    let mut slope = a;
    for _ in 0..NEWTON_STEPS {
        let value = d[0] + place * (a + place * (b + place * c));
        slope = a + place * (2.0 * b + 3.0 * place * c);
        if (value > 0.0) == (d[0] > 0.0) {
            low = place;
        } else {
            high = place;
        }
        let step = place - value / slope;
        // Where the curve is bent too much for Newton's step, halve.
        let next = if low <= step && step <= high {
            step
        } else {
            0.5 * (low + high)
        };
        if (next - place).abs() <= f64::EPSILON {
            break;
        }
        place = next;
    }
    (place, slope.abs())
}
