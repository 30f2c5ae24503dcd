//! The oracle: every pair by itself, from root to root of the six polynomials that say whether its boxes overlap.
//!
//! Roots are numbers `(p + e sqrt(q)) / r`, compared exactly. There are no lists, no queues and no certificates here.

use super::scenes::{Body, Box6};
use super::surd::{Quadratic, Surd, decode, in_units};
use std::cmp::Ordering;

/// A pair began or ended, at an instant or right after it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) bodies: [usize; 2],
    pub(crate) began: bool,
    pub(crate) time: Surd,
    pub(crate) is_after: bool,
}

/// The units of lengths and of times, as powers of two, in which all numbers of two boxes are whole.
fn units(a: &Box6, b: &Box6) -> [i32; 2] {
    let exponent = |x: f64| decode(x).1;
    let numbers = [a, b].into_iter().flat_map(|motion| motion.corners);
    let numbers = numbers.flatten().flat_map(|v| v.to_array());
    [
        numbers.map(exponent).fold(0, i32::min),
        exponent(a.origin).min(exponent(b.origin)).min(0),
    ]
}

/// The polynomial of one coordinate of a corner, in such units: a multiple that is the same for all.
fn coordinate(motion: &Box6, corner: usize, axis: usize, [unit, time]: [i32; 2]) -> Quadratic {
    let [value, velocity, half] = motion.corners[corner].map(|v| in_units(v[axis], unit));
    let o = in_units(motion.origin, time);
    let shift = time.unsigned_abs() as usize;
    Quadratic([
        (value << (2 * shift)) - ((&velocity * &o) << shift) + &half * &o * &o,
        (velocity << (2 * shift)) - ((&half * &o * 2) << shift),
        half << (2 * shift),
    ])
}

/// The six polynomials that are not negative while two boxes overlap.
fn conditions(a: &Box6, b: &Box6) -> Vec<Quadratic> {
    let units = units(a, b);
    let mut all = Vec::new();
    for axis in 0..3 {
        for (x, y) in [(a, b), (b, a)] {
            let upper = coordinate(x, 1, axis, units);
            let lower = coordinate(y, 0, axis, units);
            let gap = std::array::from_fn(|k| &upper.0[k] - &lower.0[k]);
            all.push(Quadratic(gap));
        }
    }
    all
}

fn overlap(conditions: &[Quadratic], time: &Surd) -> bool {
    conditions.iter().all(|p| p.sign_at(time) >= 0)
}

fn overlap_after(conditions: &[Quadratic], time: &Surd) -> bool {
    conditions.iter().all(|p| p.sign_after(time) >= 0)
}

/// Whether two boxes overlap at a float.
pub(crate) fn overlap_at(a: &Box6, b: &Box6, time: f64) -> bool {
    overlap(&conditions(a, b), &Surd::from_float(time))
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
    let mut note = |is_now: bool, time: &Surd, is_after: bool| {
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
        let [start, stop] = [span[0], span[1]].map(Surd::from_float);
        let (Some(x), Some(y)) = (a.during(span[0]), b.during(span[0])) else {
            note(false, &start, false);
            continue;
        };
        let conditions = conditions(x, y);
        for time in times_between(&conditions, &start, &stop) {
            note(overlap(&conditions, &time), &time, false);
            // At the end of the span there is nothing after it.
            if time.compare(&stop) == Ordering::Less {
                note(overlap_after(&conditions, &time), &time, true);
            }
        }
    }
    if let (Some(x), Some(y)) = (a.during(end), b.during(end)) {
        note(overlap_at(x, y, end), &Surd::from_float(end), false);
    }
    found
}

/// The start of a span, and the different roots of the polynomials inside it and at its end, in order.
fn times_between(conditions: &[Quadratic], start: &Surd, stop: &Surd) -> Vec<Surd> {
    let is_inside = |time: &Surd| {
        time.compare(start) == Ordering::Greater && time.compare(stop) != Ordering::Greater
    };
    let roots = conditions.iter().flat_map(Quadratic::roots);
    let mut times = vec![start.clone()];
    times.extend(roots.filter(is_inside));
    times.sort_by(Surd::compare);
    times.dedup_by(|later, earlier| earlier.compare(later) == Ordering::Equal);
    times
}
