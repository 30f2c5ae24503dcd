//! When does a moving polygon first pass through the origin?
//!
//! A corner `X_i` of the polygon is at `from[i]` at time 0, at `to[i]` at time 1, and on the straight way in between. At
//! every time the corners are a triangle, or a parallelogram, in the order of its border, possibly without area. (What
//! moving mesh features have to do with this is told in `narrow::paths`, which also filters.)
//!
//! Let `D = det(X_0, X_1, X_2)`, a cubic in time, and `E_i = X_i x X_(i+1)`, whose components are quadratic. The plane of
//! the polygon passes the origin when `D = 0`. Seen along a coordinate axis `k`, the origin is to the left of side `i`
//! when `E_i[k] > 0`, and to the right when it is below. Hence, at a time with `D = 0`:
//!
//! - if some `E_i[k]` differs from zero, the polygon holds the origin exactly when no two `E_i[k]` have opposite signs: the
//!   plane is then seen one to one along `k`, and a convex polygon that has the origin on one side of all its sides, and
//!   not in all their lines, has an inside there;
//! - if all of them are zero, neighbouring corners are on one line with the origin, so all corners are, or one of them is
//!   the origin. Either way the origin is in the polygon exactly when it is in the box of the corners.
//!
//! If `D` is not the zero polynomial, these times are its roots. If it is, the polygon is in a plane with the origin at
//! all times. The times of contact are a closed set, so there is a first one, and if that is not 0 the origin is then on a
//! side (inside the polygon, it would have been inside a little earlier): `E_i = 0`, which is a root of any component that
//! is not the zero polynomial; or, where all three are, the two corners are on one line with the origin always, and the
//! side reaches the origin when a corner does.

use super::Sign;
use super::algebraic::{Poly, Root, roots_in_unit_interval};
use super::big::{common_exponent, to_integer};
use super::counts::count_big;
use crate::math::{Interval, Vec3};
use std::cmp::Ordering;

/// A vector whose components are polynomials of time.
type Moving = [Poly; 3];

/// The first time in `[0, 1]` at which a moving triangle or parallelogram holds the origin, between bounds at most
/// 2^-`bits` apart up to rounding; `None` when there is none.
///
/// Each corner is given as a difference of two points, so that nothing is rounded: corner `i` runs from `from[i][1] -
/// from[i][0]` to the same of `to`.
pub(crate) fn first_passage(from: &[[Vec3; 2]], to: &[[Vec3; 2]], bits: usize) -> Option<Interval> {
    count_big();
    let corners = corners(from, to);
    let plane = determinant(&corners[0], &corners[1], &corners[2]);
    let first = if plane.is_zero() {
        let mut start = Root::zero();
        if holds_origin(&corners, &mut start) {
            Some(start)
        } else {
            first_on_border(&corners)
        }
    } else {
        let mut roots = roots_in_unit_interval(&plane).into_iter();
        roots.find_map(|mut root| holds_origin(&corners, &mut root).then_some(root))
    };
    first.map(|mut root| root.bounds(bits))
}

fn corners(from: &[[Vec3; 2]], to: &[[Vec3; 2]]) -> Vec<Moving> {
    let exponent = common_exponent(from.iter().chain(to).flatten().copied());
    let difference =
        |[a, b]: &[Vec3; 2], k: usize| to_integer(b[k], exponent) - to_integer(a[k], exponent);
    from.iter()
        .zip(to)
        .map(|(start, end)| {
            [0, 1, 2].map(|k| {
                let start = difference(start, k);
                let way = difference(end, k) - &start;
                Poly::new(vec![start, way])
            })
        })
        .collect()
}

fn cross(a: &Moving, b: &Moving, k: usize) -> Poly {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    a[i].times(&b[j]).minus(&a[j].times(&b[i]))
}

fn determinant(a: &Moving, b: &Moving, c: &Moving) -> Poly {
    let terms = [0, 1, 2].map(|k| cross(a, b, k).times(&c[k]));
    terms[0].plus(&terms[1]).plus(&terms[2])
}

/// The sides, each as the two corners it joins.
fn sides(corners: &[Moving]) -> impl Iterator<Item = [&Moving; 2]> + Clone {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| [a, b])
}

/// Whether the polygon, whose plane holds the origin at this time, holds it then.
fn holds_origin(corners: &[Moving], time: &mut Root) -> bool {
    for k in 0..3 {
        let turns: Vec<Sign> = sides(corners)
            .map(|[a, b]| time.sign_of(&cross(a, b, k)))
            .collect();
        if turns.iter().any(|turn| *turn != Sign::Zero) {
            return !are_opposed(&turns);
        }
    }
    box_holds_origin(corners.iter(), time)
}

fn are_opposed(signs: &[Sign]) -> bool {
    signs.contains(&Sign::Negative) && signs.contains(&Sign::Positive)
}

/// Whether the box of some corners holds the origin.
fn box_holds_origin<'a>(
    corners: impl Iterator<Item = &'a Moving> + Clone,
    time: &mut Root,
) -> bool {
    (0..3).all(|k| {
        let signs: Vec<Sign> = corners.clone().map(|x| time.sign_of(&x[k])).collect();
        are_opposed(&signs) || signs.contains(&Sign::Zero)
    })
}

/// The first time at which the origin is on a side of a polygon in whose plane it always is.
fn first_on_border(corners: &[Moving]) -> Option<Root> {
    let mut first: Option<Root> = None;
    for side in sides(corners) {
        for mut time in moments(side) {
            let is_earlier = match &mut first {
                Some(first) => time.compare(first) == Ordering::Less,
                None => true,
            };
            if is_earlier && side_holds_origin(side, &mut time) {
                first = Some(time);
            }
        }
    }
    first
}

/// Times among which is the first one at which the side reaches the origin, unless that is 0.
fn moments([a, b]: [&Moving; 2]) -> Vec<Root> {
    let is_moving = |component: &Poly| !component.is_zero();
    let turn = (0..3).map(|k| cross(a, b, k)).find(is_moving);
    match turn {
        Some(turn) => roots_in_unit_interval(&turn),
        None => {
            let arrivals = [a, b]
                .into_iter()
                .flat_map(|x| x.iter().find(|c| is_moving(c)));
            arrivals.flat_map(roots_in_unit_interval).collect()
        }
    }
}

fn side_holds_origin(side: [&Moving; 2], time: &mut Root) -> bool {
    let [a, b] = side;
    (0..3).all(|k| time.sign_of(&cross(a, b, k)) == Sign::Zero)
        && box_holds_origin(side.into_iter(), time)
}
