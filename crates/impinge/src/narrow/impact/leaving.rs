//! Bodies that start within rounding of each other, apart, and do not come closer.
//!
//! A box that rests one unit in the last place above another and slides or lifts must not be reported as an impact,
//! though no error bound can tell that gap from none. For shapes that are hulls of points, and motions without a turn, a
//! direction proves it in exact arithmetic: it separates the placed vertices at the start, and neither the translations
//! nor their bends bring them closer along it. What moves is then the placed shape of the start.

use super::frame::Mover;
use super::skeleton::Skeleton;
use crate::exact::{Sign, compare_along};
use crate::math::Vec3;
use crate::motion::Motion;

/// Whether the direction, from `a` towards `b`, separates the bodies for the whole motion, exactly.
pub(super) fn stay_apart(a: &Mover<'_>, b: &Mover<'_>, direction: Vec3) -> bool {
    let is_plain = |m: &Mover<'_>| m.extra == 0.0 && !m.motion.is_turning();
    if direction == Vec3::ZERO || !is_plain(a) || !is_plain(b) {
        return false;
    }
    let keeps = |of: fn(&Motion) -> Vec3| {
        compare_along(direction, of(b.motion), of(a.motion)) != Sign::Negative
    };
    if !keeps(Motion::translation) || !keeps(Motion::bend) {
        return false;
    }
    let (Some(top), Some(bottom)) = (extreme(a, direction), extreme(b, -direction)) else {
        return false;
    };
    compare_along(direction, bottom, top) == Sign::Positive
}

/// Two triangles where they start, for the same question asked of their own directions.
///
/// Within rounding of each other, closest points say little about a direction, but flat things keep their normals. So a plate
/// slides over another at any distance but none, also triangle by triangle.
#[derive(Debug)]
pub(super) struct Leaving<'m, 'a> {
    movers: [&'m Mover<'a>; 2],
    corners: [[Vec3; 3]; 2],
}

impl<'m, 'a> Leaving<'m, 'a> {
    /// `None` unless both are triangles on straight ways.
    pub(super) fn new(movers: [&'m Mover<'a>; 2]) -> Option<Leaving<'m, 'a>> {
        let placed = movers.map(|mover| {
            let Skeleton::Triangle(corners) = &mover.skeleton else {
                return None;
            };
            let start = mover.motion.start();
            (!mover.motion.is_turning()).then(|| corners.map(|corner| start.place(corner)))
        });
        let [Some(a), Some(b)] = placed else {
            return None;
        };
        Some(Leaving {
            movers,
            corners: [a, b],
        })
    }

    /// Whether the normal of one of them shows that they stay apart.
    pub(super) fn by_normals(&self) -> bool {
        let normals = self.corners.map(|[p, q, r]| (q - p).cross(r - p));
        normals.into_iter().any(|n| self.along(n))
    }

    /// Whether the product of two edges does.
    pub(super) fn by_edges(&self) -> bool {
        let [a, b] = self.corners.map(|[p, q, r]| [q - p, r - q, p - r]);
        let mut products = a.iter().flat_map(|e| b.iter().map(|f| e.cross(*f)));
        products.any(|n| self.along(n))
    }

    /// Whether a direction or its opposite separates them for good: first with room for rounding, then exactly.
    fn along(&self, n: Vec3) -> bool {
        let [p, q] = self.corners.map(|corners| corners.map(|c| n.dot(c)));
        let least = |h: [f64; 3]| h[0].min(h[1]).min(h[2]);
        let most = |h: [f64; 3]| h[0].max(h[1]).max(h[2]);
        let size = |corners: [Vec3; 3]| most(corners.map(|c| n.abs().dot(c.abs())));
        let error = 8.0 * f64::EPSILON * size(self.corners[0]).max(size(self.corners[1]));
        let [a, b] = self.movers;
        (least(q) - most(p) >= -error && stay_apart(a, b, n))
            || (least(p) - most(q) >= -error && stay_apart(a, b, -n))
    }
}

/// The placed vertex that is farthest along a direction.
fn extreme(mover: &Mover<'_>, direction: Vec3) -> Option<Vec3> {
    let vertices = mover.skeleton.vertices()?;
    let placed = vertices.iter().map(|v| mover.motion.start().place(*v));
    placed.reduce(|best, p| {
        if compare_along(direction, p, best) == Sign::Positive {
            p
        } else {
            best
        }
    })
}
