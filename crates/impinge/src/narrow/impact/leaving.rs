//! Bodies that start within rounding of each other, apart, and do not come closer.
//!
//! A box that rests one unit in the last place above another and slides or lifts must not be reported as an impact,
//! though no error bound can tell that gap from none. For shapes that are hulls of points, and motions without a turn, a
//! direction proves it in exact arithmetic: it separates the placed vertices at the start, and neither the translations
//! nor their bends bring them closer along it. What moves is then the placed shape of the start.

use super::frame::Mover;
use crate::exact::{Sign, compare_along};
use crate::math::Vec3;
use crate::motion::Motion;

/// Whether the direction, from `a` towards `b`, separates the bodies for the whole motion, exactly.
pub(super) fn stay_apart(a: &Mover<'_>, b: &Mover<'_>, direction: Vec3) -> bool {
    let is_plain = |m: &Mover<'_>| m.extra == 0.0 && !m.motion.is_turning();
    if direction == Vec3::ZERO || !is_plain(a) || !is_plain(b) {
        return false;
    }
    let (Some(top), Some(bottom)) = (extreme(a, direction), extreme(b, -direction)) else {
        return false;
    };
    let keeps = |of: fn(&Motion) -> Vec3| {
        compare_along(direction, of(b.motion), of(a.motion)) != Sign::Negative
    };
    let is_parting = keeps(Motion::translation) && keeps(Motion::bend);
    is_parting && compare_along(direction, bottom, top) == Sign::Positive
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
