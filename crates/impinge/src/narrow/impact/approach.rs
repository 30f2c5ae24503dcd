//! How long two moving bodies stay apart, from one direction.
//!
//! The gap of two bodies along a fixed direction `n` is a minimum over pairs of points of `n . (q(t) - p(t))`. Each of these
//! has a second derivative of at most `K` in an interval from 0 to `h` (see [`side`](super::side)), so it is at most
//! `K s (h - s) / 2` below the straight line between its ends, and so is the minimum of all:
//!
//! `gap(s) >= gap(0) + (gap(h) - gap(0)) s / h - K s (h - s) / 2`
//!
//! Up to the first root of the right side the bodies are apart. `K` is the sum of what turns do, which is never negative
//! ([`Approach::bend`]), and of the acceleration of the pivots against each other ([`Approach::pull`]), which has a sign. Without
//! turns the right side is the gap itself: the interval is the whole motion, and for straight ways the step is that of
//! Newton's method on the distance, a convex function of time: it converges from the left,
//! quadratically when the bodies meet at an angle, by a half a step when they only graze each other. With turns the
//! interval is as long as the gap carries, and convergence is of order 3/2 or better; conservative advancement with a
//! speed bound (Mirtich 1996), which is linear, remains for the case that no direction is known.

use crate::math::Interval;

/// Two bodies on their way.
pub(super) trait Approach {
    /// What a gap is measured along.
    type Direction: Copy;

    /// The bodies at a time.
    fn look(&mut self, t: f64) -> Look<Self::Direction>;

    /// The gap along the direction at a time; at most the true one, and negative when they overlap along it.
    fn gap(&self, direction: Self::Direction, t: f64) -> f64;

    /// A bound of the second derivatives that make up [`Approach::gap`], but for the [`Approach::pull`], from one time to
    /// another; never negative. It may be infinite for long intervals.
    fn bend(&self, direction: Self::Direction, from: f64, to: f64) -> f64;

    /// The second derivative that the acceleration of the pivots adds to all gaps, or a bound of it.
    fn pull(&self, direction: Self::Direction) -> f64;

    /// At most [`Approach::gap`], and of the second degree in `t`, with the [`Approach::pull`] as its second derivative.
    fn swept_gap(&self, direction: Self::Direction, t: f64) -> f64;

    /// The distance of the bodies does not change faster.
    fn top_speed(&self) -> f64;

    /// Bodies that are not farther apart than this cannot be told from touching ones.
    fn touching(&self) -> f64;
}

/// What is known about two bodies at a time. Either the upper bound is within [`Approach::touching`], or the lower
/// bound is positive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<D> {
    /// Contains the distance, not below zero.
    pub(super) distance: Interval,
    /// The direction along which the lower bound is the gap, if it is one.
    pub(super) direction: Option<D>,
}

/// A time up to `end` until which the bodies are certainly apart, that time included, given what they are like at `t`.
pub(super) fn free_until<P: Approach>(
    pair: &P,
    t: f64,
    end: f64,
    look: &Look<P::Direction>,
) -> f64 {
    let gap = look.distance.lower;
    let by_speed = gap / pair.top_speed();
    let step = match look.direction {
        None => by_speed,
        Some(direction) => {
            let swept = swept_step(pair, direction, t, end);
            if t + swept >= end {
                return end;
            }
            let bent = bent_step(pair, direction, t, end - t, gap);
            swept.max(by_speed).max(bent)
        }
    };
    // The steps are a few roundings off, which is far less than the margin that gaps have for rounding.
    (t + step).min(end)
}

/// The step that the bound without turns allows.
fn swept_step<P: Approach>(pair: &P, direction: P::Direction, t: f64, end: f64) -> f64 {
    let (now, then) = (pair.swept_gap(direction, t), pair.swept_gap(direction, end));
    if now > 0.0 {
        first_root(now, then, end - t, pair.pull(direction))
    } else {
        0.0
    }
}

/// How often the interval is shortened to what it allowed.
const SHORTER_INTERVALS: u32 = 8;

/// The step that the bound with turns allows, up to `longest`.
fn bent_step<P: Approach>(
    pair: &P,
    direction: P::Direction,
    t: f64,
    longest: f64,
    gap: f64,
) -> f64 {
    let pull = pair.pull(direction);
    let mut h = longest;
    let mut best = 0.0_f64;
    for _ in 0..SHORTER_INTERVALS {
        let bend = pair.bend(direction, t, t + h);
        // In an interval of this length the turns take at most half a gap off.
        let carried = (4.0 * gap / bend).sqrt();
        if h > 2.0 * carried {
            h = carried.max(0.125 * h);
            continue;
        }
        let step = first_root(gap, pair.gap(direction, t + h), h, bend + pull);
        best = best.max(step);
        if bend == 0.0 || step > 0.25 * h {
            break;
        }
        h = 2.0 * step;
    }
    best
}

/// The first root in `[0, h]` of the quadratic function with the values `now > 0` at 0 and `end` at `h` and the second
/// derivative `bend`; `h` if there is none.
///
/// What is computed is the root of a function whose coefficients are a few roundings off; that function differs from the
/// given one by as many roundings of its terms, whatever the root.
fn first_root(now: f64, end: f64, h: f64, bend: f64) -> f64 {
    let slope = (end - now) / h - 0.5 * bend * h;
    let discriminant = slope * slope - 2.0 * bend * now;
    // Written so that an interval without length, where the slope is not a number, ends here, too.
    if slope < 0.0 && discriminant >= 0.0 {
        (2.0 * now / (discriminant.sqrt() - slope)).min(h)
    } else if slope >= 0.0 && bend < 0.0 {
        ((slope + discriminant.sqrt()) / -bend).min(h)
    } else {
        h.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_lines_and_parabolas() {
        let near = |x: f64, y: f64| (x - y).abs() < 1e-15;
        assert!(near(first_root(1.0, -1.0, 1.0, 0.0), 0.5));
        assert!(near(first_root(1.0, 2.0, 1.0, 0.0), 1.0));
        // (s - 1) (s - 3) at 0 and 4.
        assert!(near(first_root(3.0, 3.0, 4.0, 2.0), 1.0));
        // (s - 1)^2 + 1: none.
        assert!(near(first_root(2.0, 2.0, 2.0, 2.0), 2.0));
        assert!(near(first_root(1.0, 1.0, 0.0, 2.0), 0.0));
        // 3 - 2 s - s^2, falling, and 3 + 2 s - s^2, rising first.
        assert!(near(first_root(3.0, -5.0, 2.0, -2.0), 1.0));
        assert!(near(first_root(3.0, -5.0, 4.0, -2.0), 3.0));
        assert!(near(first_root(3.0, 3.0, 2.0, -2.0), 2.0));
    }
}
