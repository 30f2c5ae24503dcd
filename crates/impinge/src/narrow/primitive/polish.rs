//! The last digits of a gap between cores known by support points, by Newton's method on the direction.
//!
//! This is for users' own shapes, of which nothing but support points is known, and for pairs that `newton` gave up.
//!
//! Let `o(n)` be the difference of the support points along `n`. At the right direction `o(n)` is parallel to `n`, so its
//! part across `n` is to vanish, two equations for two unknowns. Their derivatives are central differences. Errors in `n`
//! enter both bounds squared, so two steps are mostly enough.
//!
//! Where `o` jumps as `n` tilts, the difference has a flat edge or face there (a box against a ball, the wall of a
//! cylinder). The right direction is then across the jump, or across two of them, and only what is left is searched.
//!
//! What comes out is a direction and a few differences; they prove bounds like all others, so nothing here needs to be
//! right for the answer to be. **Cost.** At most [`STEPS`] steps of about ten support points.

use super::Name;
use super::gap::{Gap, Pair};
use crate::math::Vec3;
use crate::narrow::gjk::Difference;
use crate::narrow::simplex::{Corner, Simplex};
use fearless_simd::Simd;

/// The most steps; the error is squared in each.
const STEPS: u32 = 4;
/// How far directions are tilted for differences: the cube root of EPSILON would balance truncation and rounding.
const TILT: f64 = 1e-4;
/// A jump is at least this share of the size.
const JUMP: f64 = 1e-2;
/// The longest step, in radians.
const LONGEST: f64 = 0.1;

/// A narrower gap, if there is one to be found near the direction of this one.
pub(super) fn polish<S: Simd>(pair: &Pair<'_, S>, mut gap: Gap, goal: f64) -> Gap {
    let mut direction = gap.direction;
    for _ in 0..STEPS {
        let Some(next) = step(pair, direction, &mut gap) else {
            break;
        };
        direction = next;
        gap.admit(pair, direction, &[pair.support(direction)]);
        if gap.bounds.upper - gap.bounds.lower <= goal {
            break;
        }
    }
    gap
}

/// The next direction; `None` when the equations have no solution.
fn step<S: Simd>(pair: &Pair<'_, S>, n: Vec3, gap: &mut Gap) -> Option<Vec3> {
    let (e, f) = n.try_normalize()?.any_orthonormal_pair();
    let tilted = |by: Vec3| pair.support((n + by * TILT).normalize());
    let around = [tilted(e), tilted(-e), tilted(f), tilted(-f)];
    gap.admit(pair, n, &around);
    match jumps(pair, &around) {
        (None, _) => {
            let [e_up, e_down, f_up, f_down] = around.map(|corner| corner.y());
            let at = pair.support(n).y();
            newton(n, at, [e, f], [e_up - e_down, f_up - f_down])
        }
        (Some(edge), None) => across(pair, n, edge),
        (Some(edge), Some(other)) => {
            let n = facing(edge.along.cross(other.along).normalize(), n)?;
            let [edge, other] = [edge, other].map(|jump| jump.seen_along(pair, n));
            facing(edge.along.cross(other.along).normalize(), n)
        }
    }
}

/// A jump of the support point of one core.
#[derive(Debug, Clone, Copy)]
struct Jump {
    side: usize,
    along: Vec3,
}

impl Jump {
    /// The jump once more, from directions tilted along it alone, so that nothing else moves the support points.
    fn seen_along<S: Simd>(self, pair: &Pair<'_, S>, n: Vec3) -> Jump {
        let tilt = self.along.normalize() * TILT;
        let at = |by: Vec3| {
            let corner = pair.support((n + by).normalize());
            [corner.a, corner.b][self.side]
        };
        let along = at(tilt) - at(-tilt);
        if along.length() > JUMP * pair.extent() {
            Jump { along, ..self }
        } else {
            self
        }
    }
}

/// The largest jump, and one that is not along it, among support points around a direction.
fn jumps<S: Simd>(
    pair: &Pair<'_, S>,
    [e_up, e_down, f_up, f_down]: &[Corner<[Name; 2]>; 4],
) -> (Option<Jump>, Option<Jump>) {
    let jump = |side: usize, along: Vec3| Jump { side, along };
    let all = [
        jump(0, e_up.a - e_down.a),
        jump(0, f_up.a - f_down.a),
        jump(1, e_up.b - e_down.b),
        jump(1, f_up.b - f_down.b),
    ];
    let is_jump = |jump: &&Jump| jump.along.length() > JUMP * pair.extent();
    let longest = |p: &&Jump, q: &&Jump| p.along.length().total_cmp(&q.along.length());
    let Some(first) = all.iter().filter(is_jump).max_by(longest) else {
        return (None, None);
    };
    let spread = |other: &Jump| first.along.cross(other.along).length();
    let is_other =
        |other: &&Jump| spread(other) > JUMP * first.along.length() * other.along.length();
    let widest = |p: &&Jump, q: &&Jump| spread(p).total_cmp(&spread(q));
    let second = all.iter().filter(is_jump).filter(is_other).max_by(widest);
    (Some(*first), second.copied())
}

/// One step in two unknowns. The part of `o(n)` across `n` has the derivatives of `o` minus the height times those of `n`.
fn newton(n: Vec3, at: Vec3, [e, f]: [Vec3; 2], [along_e, along_f]: [Vec3; 2]) -> Option<Vec3> {
    let height = n.dot(at);
    let slope = |along: Vec3, axis: Vec3| along.dot(axis) / (2.0 * TILT);
    let (a, b) = (slope(along_e, e) - height, slope(along_f, e));
    let (c, d) = (slope(along_e, f), slope(along_f, f) - height);
    let determinant = a * d - b * c;
    let (r, s) = (at.dot(e), at.dot(f));
    let by = e * ((b * s - d * r) / determinant) + f * ((c * r - a * s) / determinant);
    turned(n, by)
}

/// One step in one unknown: the direction across a jump.
fn across<S: Simd>(pair: &Pair<'_, S>, n: Vec3, jump: Jump) -> Option<Vec3> {
    let off = |n: Vec3, along: Vec3| {
        let flat = along.normalize();
        (n - flat * n.dot(flat)).try_normalize()
    };
    let rough = off(n, jump.along)?;
    let jump = jump.seen_along(pair, rough);
    let n = off(rough, jump.along)?;
    let axis = n.cross(jump.along.normalize());
    let at = |by: f64| pair.support((n + axis * by).normalize()).y();
    let slope = (at(TILT) - at(-TILT)).dot(axis) / (2.0 * TILT);
    let here = at(0.0);
    turned(n, axis * (here.dot(axis) / (n.dot(here) - slope)))
}

fn turned(n: Vec3, by: Vec3) -> Option<Vec3> {
    (by.length() < LONGEST).then(|| (n + by).normalize())
}

/// The one of two opposite directions that is nearer to `n`.
fn facing(normal: Vec3, n: Vec3) -> Option<Vec3> {
    let normal = if normal.dot(n) < 0.0 { -normal } else { normal };
    (normal.dot(n) > 0.5).then_some(normal)
}

impl Gap {
    /// Takes over what a direction and some differences prove.
    fn admit<S: Simd>(&mut self, pair: &Pair<'_, S>, n: Vec3, corners: &[Corner<[Name; 2]>]) {
        let mut simplex = Simplex::new(pair.support(n));
        simplex.reduce();
        for corner in corners {
            if simplex.corners().len() < 4 {
                simplex.push(*corner);
                simplex.reduce();
            }
        }
        let local = simplex.witness();
        let distance = (local.b - local.a).length();
        let upper = distance + pair.error();
        if upper < self.bounds.upper {
            self.distance = distance;
            self.bounds.upper = upper;
            self.witness = pair.in_world(local.a, local.b);
            self.features = pair.features(n, |side| {
                let corners = simplex.corners().iter();
                corners.map(move |corner| corner.id[side])
            });
        }
        let lower = pair.height(n) - pair.error();
        if lower > self.bounds.lower {
            self.bounds.lower = lower;
            self.direction = n;
        }
        self.bounds.lower = self.bounds.lower.min(self.bounds.upper);
    }
}
