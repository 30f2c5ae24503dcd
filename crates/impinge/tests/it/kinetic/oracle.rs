//! The oracle: every pair by itself, from root to root of the six polynomials that say whether its boxes overlap.
//!
//! Roots are algebraic numbers of the oracle of `paths`: Sturm's theorem and Tarski's queries. There are no lists, no queues
//! and no certificates here. Scenes live between the times 0 and 1.

use super::scenes::{Body, Box6};
use crate::paths::oracle::{Poly, Q, Time, integer, rational, roots};
use num_bigint::BigInt;

/// A pair began or ended, at an instant or right after it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) bodies: [usize; 2],
    pub(crate) began: bool,
    pub(crate) time: Time,
    pub(crate) is_after: bool,
}

/// Times closer than this count as equal.
fn close() -> Q {
    Q::new(BigInt::from(1), BigInt::from(1) << 70)
}

/// The polynomial of one coordinate of a corner, with a common denominator: coefficients as rational numbers.
fn coordinate(motion: &Box6, corner: usize, axis: usize) -> [Q; 3] {
    let [value, velocity, half] = motion.corners[corner].map(|v| rational(v[axis]));
    let o = rational(motion.origin);
    [
        &value - &velocity * &o + &half * &o * &o,
        velocity - integer(2) * &half * &o,
        half,
    ]
}

/// The six polynomials that are not negative while two boxes overlap.
pub(crate) fn conditions(a: &Box6, b: &Box6) -> Vec<Poly> {
    let mut all = Vec::new();
    for axis in 0..3 {
        for (x, y) in [(a, b), (b, a)] {
            let (upper, lower) = (coordinate(x, 1, axis), coordinate(y, 0, axis));
            let gap: Vec<Q> = upper.iter().zip(&lower).map(|(u, l)| u - l).collect();
            // Denominators are powers of two: the largest is a multiple of all.
            let unit = Q::from_integer(gap.iter().map(|q| q.denom()).max().unwrap().clone());
            let whole = gap.iter().map(|q| (q * &unit).to_integer());
            all.push(Poly::new(whole.collect()).without_content());
        }
    }
    all
}

fn overlap(conditions: &[Poly], time: &Time) -> bool {
    conditions.iter().all(|p| time.sign_of(p) >= 0)
}

/// Whether two boxes overlap at a float.
pub(crate) fn overlap_at(a: &Box6, b: &Box6, time: f64) -> bool {
    overlap(&conditions(a, b), &Time::At(rational(time)))
}

/// Earlier, or later; `None` for times that are equal.
pub(crate) fn is_earlier(a: &Time, b: &Time) -> Option<bool> {
    let ((a_low, a_high), (b_low, b_high)) = (a.bounds(), b.bounds());
    if a_high < b_low {
        Some(true)
    } else if b_high < a_low {
        Some(false)
    } else {
        None
    }
}

/// All changes of a scene up to `end`, those of a pair in order.
pub(crate) fn changes(bodies: &[Body], end: f64) -> Vec<Change> {
    let mut all = Vec::new();
    for b in 0..bodies.len() {
        for a in 0..b {
            all.extend(changes_of_pair([a, b], bodies, end));
        }
    }
    all
}

fn changes_of_pair(names: [usize; 2], bodies: &[Body], end: f64) -> Vec<Change> {
    let [a, b] = names.map(|name| &bodies[name]);
    let mut found: Vec<Change> = Vec::new();
    let mut state = false;
    let mut note = |is_now: bool, time: &Time, is_after: bool| {
        if is_now != state {
            state = is_now;
            found.push(Change {
                bodies: names,
                began: is_now,
                time: time.clone(),
                is_after,
            });
        }
    };
    // The times at which one of the two changes its course, comes or goes.
    let mut turns: Vec<f64> = [a, b]
        .iter()
        .flat_map(|body| body.course.iter().map(|c| c.0))
        .collect();
    turns.push(end);
    turns.sort_by(f64::total_cmp);
    turns.dedup();
    for span in turns.windows(2) {
        let start = Time::At(rational(span[0]));
        let (Some(x), Some(y)) = (a.during(span[0]), b.during(span[0])) else {
            note(false, &start, false);
            continue;
        };
        let conditions = conditions(x, y);
        let mut times = vec![start];
        times.extend(roots_between(&conditions, span));
        for (i, time) in times.iter().enumerate() {
            note(overlap(&conditions, time), time, false);
            let next = times
                .get(i + 1)
                .map_or(rational(span[1]), |next| next.bounds().0);
            let time_after = time.bounds().1;
            // At the end of the span there is nothing after it.
            if time_after < next {
                let between = Time::At((time_after + next) / integer(2));
                note(overlap(&conditions, &between), time, true);
            }
        }
    }
    if let (Some(x), Some(y)) = (a.during(end), b.during(end)) {
        note(overlap_at(x, y, end), &Time::At(rational(end)), false);
    }
    found
}

/// The different roots of the polynomials inside a span and at its end, in order, and apart.
fn roots_between(conditions: &[Poly], span: &[f64]) -> Vec<Time> {
    let bounds = [rational(span[0]), rational(span[1])];
    let mut times: Vec<Time> = conditions
        .iter()
        .flat_map(roots)
        .map(|time| time.narrowed(&close()))
        .map(|time| at_float(time, &bounds))
        .filter(|time| time.bounds().0 > bounds[0] && time.bounds().1 <= bounds[1])
        .collect();
    times.sort_by(|a, b| a.bounds().0.cmp(&b.bounds().0));
    times.dedup_by(|later, earlier| is_earlier(earlier, later).is_none());
    times
}

/// A root that is an end of the span is that rational number.
fn at_float(time: Time, bounds: &[Q; 2]) -> Time {
    for bound in bounds {
        let (low, high) = time.bounds();
        let from = Poly::new(vec![-bound.numer(), bound.denom().clone()]);
        if low <= *bound && *bound <= high && time.sign_of(&from) == 0 {
            return Time::At(bound.clone());
        }
    }
    time
}
