//! How far ahead a wide box reaches.

use super::super::Box32;

/// So many steps like the last one, and up to [`SPREAD`] more. Otherwise bodies that begin to move together would go on to
/// leave their wide boxes in the same frames.
const AHEAD: f32 = 12.0;
const SPREAD: u32 = 8;

/// How far it reaches in any case, in sizes of the body.
const MARGIN: f32 = 0.08;

/// The wide box of a body whose box was elsewhere before, and whether it went farther than its size.
///
/// The centre is expected to go on as it did; faces also move as a body turns, but not for long. Where a body is so fast that
/// it would soon be out again, the room is not worth the pairs to watch.
#[inline(always)]
pub(super) fn wide_box(index: u32, old: &Box32, new: &Box32) -> (Box32, bool) {
    let steps = AHEAD + (index % SPREAD) as f32;
    let (mut size, mut farthest) = (0.0_f32, 0.0_f32);
    for axis in 0..3 {
        size = size.max(new.max[axis] - new.min[axis]);
        farthest = farthest.max((new.min[axis] - old.min[axis]).abs());
        farthest = farthest.max((new.max[axis] - old.max[axis]).abs());
    }
    let mut wide = *new;
    // Sizes beyond the range of numbers count as fast.
    if farthest <= size * 0.25 && size < f32::MAX {
        let least = MARGIN * size;
        for axis in 0..3 {
            let moved = (new.min[axis] - old.min[axis]) + (new.max[axis] - old.max[axis]);
            let ahead = (0.5 * steps * moved).clamp(-size, size);
            // Rounding must not leave the box outside.
            wide.min[axis] = (new.min[axis] + (ahead.min(0.0) - least)).min(new.min[axis]);
            wide.max[axis] = (new.max[axis] + (ahead.max(0.0) + least)).max(new.max[axis]);
        }
    }
    (wide, farthest > size)
}
