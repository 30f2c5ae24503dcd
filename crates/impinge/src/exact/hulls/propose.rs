//! A floating-point GJK that proposes: a separating direction, a simplex around the origin, or a place to start.
//!
//! The algorithm of Gilbert, Johnson and Keerthi (A Fast Procedure for Computing the Distance Between Complex Objects
//! in Three-Dimensional Space, 1988) on the differences `b_j - a_i`: keep a simplex of at most four of them, go to its
//! point nearest to the origin, and add the difference that lies farthest against it. Instead of Johnson's recursion
//! the nearest point of a simplex is found by looking at all faces that hold its newest corner, at most eight, and
//! taking the best: plain, and with no order of tests that rounding could upset.
//!
//! Nothing here decides. Proposals are checked by [`certificate`](super::certificate) or continued in integers by
//! [`closest`](super::closest); rounding may cost time there, never the answer. A step that gains no more than the
//! rounding error of measuring it ends the search, and so does [`MAX_STEPS`].

use super::Pair;
use super::local::{Extremes, Local};
use crate::math::Vec3;

/// What the search believes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Proposal {
    /// This direction, with largest component 1, separates the hulls.
    Apart(Vec3),
    /// The differences of these four pairs enclose the origin.
    Common(Vec<Pair>),
    /// Too close to tell; the closest points found so far are near these pairs.
    Unclear(Vec<Pair>),
}

/// A generous end: searches over hundreds of vertices take about ten steps.
const MAX_STEPS: usize = 100;

/// Looks for a proof that the hulls are apart or intersect, and stops at the first one.
pub(super) fn propose_relation(local: &Local) -> Proposal {
    let mut search = Search::new(local);
    for _ in 0..MAX_STEPS {
        let Some(direction) = search.direction() else {
            break;
        };
        let extremes = local.extremes(direction);
        if extremes.gap() > local.margin() {
            return Proposal::Apart(direction);
        }
        match search.advance(direction, &extremes) {
            Progress::Closer => {}
            Progress::Stalled => break,
            Progress::Enclosed => return Proposal::Common(search.pairs()),
        }
    }
    Proposal::Unclear(search.pairs())
}

/// Goes as near to the origin as floating point can, and names the pairs of the simplex there.
pub(super) fn propose_closest(local: &Local) -> Vec<Pair> {
    let mut search = Search::new(local);
    for _ in 0..MAX_STEPS {
        let Some(direction) = search.direction() else {
            break;
        };
        let extremes = local.extremes(direction);
        if search.advance(direction, &extremes) != Progress::Closer {
            break;
        }
    }
    search.pairs()
}

/// A corner of the simplex: a difference, and whose it is.
#[derive(Debug, Clone, Copy)]
struct Corner {
    pair: Pair,
    point: Vec3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// The simplex has a nearer point than before.
    Closer,
    /// No step that rounding can vouch for is left.
    Stalled,
    /// The origin is inside the simplex.
    Enclosed,
}

/// One to four corners, and their point nearest to the origin.
#[derive(Debug)]
struct Search<'l> {
    local: &'l Local<'l>,
    corners: Vec<Corner>,
    nearest: Vec3,
}

impl<'l> Search<'l> {
    fn new(local: &'l Local<'l>) -> Search<'l> {
        let point = local.difference([0, 0]);
        let mut corners = Vec::with_capacity(4);
        corners.push(Corner {
            pair: [0, 0],
            point,
        });
        Search {
            local,
            corners,
            nearest: point,
        }
    }

    fn pairs(&self) -> Vec<Pair> {
        self.corners.iter().map(|c| c.pair).collect()
    }

    /// From the origin to the nearest point, with largest component 1; none when that is the origin itself.
    fn direction(&self) -> Option<Vec3> {
        let largest = self.nearest.abs().max_element();
        (largest > 0.0).then(|| self.nearest / largest)
    }

    fn advance(&mut self, direction: Vec3, extremes: &Extremes) -> Progress {
        let gain = direction.dot(self.nearest) - extremes.gap();
        let is_known = self.corners.iter().any(|c| c.pair == extremes.pair);
        if is_known || gain <= self.local.margin() {
            return Progress::Stalled;
        }
        self.corners.push(Corner {
            pair: extremes.pair,
            point: self.local.difference(extremes.pair),
        });
        let Some((face, nearest)) = nearest_face(&self.corners) else {
            return Progress::Enclosed;
        };
        let progress = if nearest.length_squared() < self.nearest.length_squared() {
            Progress::Closer
        } else {
            Progress::Stalled
        };
        let mut index = 0;
        self.corners.retain(|_| {
            index += 1;
            face >> (index - 1) & 1 == 1
        });
        self.nearest = nearest;
        progress
    }
}

/// The face nearest to the origin among those with the last corner, as a set of bits, and its nearest point; none when
/// four corners enclose the origin.
fn nearest_face(corners: &[Corner]) -> Option<(u32, Vec3)> {
    let p = |i: usize| corners[i].point;
    let last = corners.len() - 1;
    if last == 3 && encloses_origin([p(0), p(1), p(2), p(3)]) {
        return None;
    }
    let own = 1 << last;
    let mut best = (own, p(last));
    let mut offer = |face: u32, foot: Option<Vec3>| {
        if let Some(foot) = foot
            && foot.length_squared() < best.1.length_squared()
        {
            best = (face | own, foot);
        }
    };
    for i in 0..last {
        offer(1 << i, foot_on_segment(p(i), p(last)));
        for j in i + 1..last {
            offer(1 << i | 1 << j, foot_on_triangle(p(i), p(j), p(last)));
        }
    }
    Some(best)
}

/// The point of the line `p q` nearest to the origin, when it lies between the two.
fn foot_on_segment(p: Vec3, q: Vec3) -> Option<Vec3> {
    let edge = q - p;
    let (weight_p, weight_q) = (q.dot(edge), -p.dot(edge));
    (weight_p > 0.0 && weight_q > 0.0)
        .then(|| (p * weight_p + q * weight_q) / (weight_p + weight_q))
}

/// The point of the plane `p q r` nearest to the origin, when it lies inside the triangle.
fn foot_on_triangle(p: Vec3, q: Vec3, r: Vec3) -> Option<Vec3> {
    let normal = (q - p).cross(r - p);
    let inside = normal.dot(q.cross(r)) > 0.0
        && normal.dot(r.cross(p)) > 0.0
        && normal.dot(p.cross(q)) > 0.0;
    inside.then(|| normal * (normal.dot(p) / normal.length_squared()))
}

fn encloses_origin([p, q, r, s]: [Vec3; 4]) -> bool {
    let (pq, rs) = (p.cross(q), r.cross(s));
    let volumes = [q.dot(rs), -p.dot(rs), pq.dot(s), -pq.dot(r)];
    volumes.iter().all(|v| *v > 0.0) || volumes.iter().all(|v| *v < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(center: Vec3) -> Vec<Vec3> {
        (0..8)
            .map(|i| center + Vec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into()))
            .collect()
    }

    #[test]
    fn the_nearest_face_of_two_cubes_is_found() {
        let (a, b) = (cube(Vec3::ZERO), cube(Vec3::new(3.0, 0.25, 0.5)));
        let local = Local::new(&a, &b);
        let pairs = propose_closest(&local);
        assert!(
            pairs
                .iter()
                .all(|[i, j]| a[*i as usize].x > 0.5 && b[*j as usize].x < 3.5)
        );
        assert!(matches!(propose_relation(&local), Proposal::Apart(d) if d.x > 0.0));
    }

    #[test]
    fn overlap_is_enclosed_and_touching_is_left_open() {
        let a = cube(Vec3::ZERO);
        let deep = cube(Vec3::new(0.31, 0.17, 0.23));
        assert!(matches!(
            propose_relation(&Local::new(&a, &deep)),
            Proposal::Common(_)
        ));
        let touching = cube(Vec3::new(1.0, 0.17, 0.23));
        assert!(matches!(
            propose_relation(&Local::new(&a, &touching)),
            Proposal::Unclear(_)
        ));
    }
}
