//! The first contact of two bodies on their way, from a time before which they are apart.
//!
//! 1. Look at the bodies at the time reached so far. When they are as close as rounding can tell from touching, that is
//!    the contact.
//! 2. Otherwise go on to the time until which the bodies are certainly apart ([`free_until`]). If that is the end of what
//!    is searched, there is no contact.
//! 3. When steps have become shorter than the tolerance, see whether the bodies touch one tolerance later: then the first
//!    contact is in between and known well enough.
//!
//! **Invariant.** The bodies are apart at all times before the one reached. **Termination.** After [`MAX_STEPS`] the time
//! reached is reported as all that is known. Bodies that meet take a handful of steps, bodies that turn fast at a small
//! distance `d` in the order of `angle * sqrt(reach / d)`.

use super::approach::{Approach, free_until};
use crate::math::Interval;

/// How the search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    /// The bodies are apart all the time that was searched.
    Apart,
    /// The bodies first touch in this interval.
    Contact(Interval),
    /// The bodies are apart before this time; no more is known.
    Open(f64),
}

/// The most steps of one search.
pub(super) const MAX_STEPS: u32 = 1 << 14;

/// Searches the first contact during a time before which the bodies are apart, to within the tolerance.
pub(super) fn search<P: Approach>(pair: &mut P, during: Interval, tolerance: f64) -> Outcome {
    let mut t = during.lower;
    let mut looked_until = t;
    for _ in 0..MAX_STEPS {
        let look = pair.look(t);
        if look.distance.upper <= pair.touching() {
            return Outcome::Contact(Interval {
                lower: t,
                upper: overlap_after(pair, t, tolerance).unwrap_or(t),
            });
        }
        let next = free_until(pair, t, during.upper, &look);
        if next >= during.upper {
            return Outcome::Apart;
        }
        if next <= t {
            return Outcome::Open(t);
        }
        // Less what rounding the sum may add.
        let end = (next + (tolerance - f64::EPSILON).max(0.0)).min(1.0);
        if next - t < tolerance && next >= looked_until {
            looked_until = end;
            if pair.look(end).distance.upper <= pair.touching() {
                return Outcome::Contact(Interval {
                    lower: next,
                    upper: end,
                });
            }
        }
        t = next;
    }
    Outcome::Open(t)
}

/// A time soon after `t`, where the bodies nearly touch, at which they overlap, or else at which they still cannot be told
/// from touching: the later it is, the surer is that the contact has come.
///
/// Bodies that approach at full speed, at a sixteenth of it and at a 256th have gone from nearly touching to overlapping
/// by the times that are tried.
fn overlap_after<P: Approach>(pair: &mut P, t: f64, tolerance: f64) -> Option<f64> {
    let shortest = 2.0 * pair.touching() / pair.top_speed();
    let mut latest = None;
    for slowness in [1.0, 16.0, 256.0] {
        let end = (t + slowness * shortest).min(1.0);
        if end - t > tolerance {
            break;
        }
        let upper = pair.look(end).distance.upper;
        if upper <= 0.0 {
            return Some(end);
        }
        if upper <= pair.touching() {
            latest = Some(end);
        }
    }
    latest
}
