//! New boxes for many bodies: rounded, compared with the wide boxes, and kept.
//!
//! This is the part that every body that moves pays for in every frame, so it does without branches on data. A box is eight
//! lanes: the lowest corner in the first three, the highest, negated, in the last three; then "inside" is one comparison.

use super::super::Box32;
use super::super::boxes::{round_down, round_up};
use crate::body::BodyId;
use crate::math::Aabb;
use fearless_simd::{Simd, f32x8, f64x4, prelude::*};

/// The lanes that count.
const CORNERS: u64 = 0b1110_0111;

/// How far ahead a wide box reaches, in steps like the last one: so many and up to [`SPREAD`] more. Otherwise bodies that
/// begin to move together would go on to leave their wide boxes in the same frames.
const AHEAD: f32 = 12.0;
const SPREAD: u32 = 8;

/// How far it reaches in any case, in sizes of the body.
const MARGIN: f32 = 0.08;

/// How many boxes are replaced before the bodies that left their wide boxes are looked at.
pub(super) const BLOCK: usize = 256;

/// A box with room to move in.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct WideBox(pub(super) [f32; 8]);

impl WideBox {
    /// One without room.
    pub(super) fn around(Box32 { min, max }: &Box32) -> WideBox {
        WideBox([min[0], min[1], min[2], 0.0, 0.0, -max[0], -max[1], -max[2]])
    }

    pub(super) fn bounds(&self) -> Box32 {
        box_of(&self.0)
    }

    /// One for a box that was elsewhere before, and whether it went farther than its size.
    ///
    /// A face that moved outward is expected to go on. Where a body is so fast that it would soon be out again, the room is
    /// not worth the pairs to watch.
    #[inline(always)]
    pub(super) fn ahead(index: u32, old: &Box32, new: &Box32) -> (WideBox, bool) {
        let steps = AHEAD + (index % SPREAD) as f32;
        let (WideBox(from), WideBox(to)) = (WideBox::around(old), WideBox::around(new));
        let edges = [0, 1, 2].map(|axis| new.max[axis] - new.min[axis]);
        let size = edges[0].max(edges[1]).max(edges[2]);
        let mut farthest = 0.0_f32;
        for lane in 0..8 {
            farthest = farthest.max((to[lane] - from[lane]).abs());
        }
        // Sizes beyond the range of numbers count as fast.
        let is_slow = farthest <= size * 0.25 && size < f32::MAX;
        let mut wide = to;
        if is_slow {
            for lane in 0..8 {
                let step = (steps * (to[lane] - from[lane])).clamp(-size, 0.0);
                // Rounding must not leave the box outside.
                wide[lane] = (to[lane] + (step - MARGIN * size)).min(to[lane]);
            }
        }
        (WideBox(wide), farthest > size)
    }

    /// Whether a box in lanes is inside.
    #[inline(always)]
    pub(super) fn holds<S: Simd>(&self, simd: S, lanes: f32x8<S>) -> bool {
        let inside = f32x8::load_array_ref(simd, &self.0).simd_le(lanes);
        inside.to_bitmask() & CORNERS == CORNERS
    }

    /// Whether a box is inside.
    pub(super) fn contains(&self, bounds: &Box32) -> bool {
        self.bounds().contains(bounds)
    }
}

#[inline(always)]
fn box_of(lanes: &[f32; 8]) -> Box32 {
    Box32 {
        min: [lanes[0], lanes[1], lanes[2]],
        max: [-lanes[5], -lanes[6], -lanes[7]],
    }
}

/// A box in lanes, rounded as [`Box32::around`] does, and as a [`Box32`].
#[inline(always)]
pub(super) fn rounded<S: Simd>(simd: S, bounds: &Aabb) -> (f32x8<S>, Box32) {
    let (a, b) = (bounds.min(), bounds.max());
    let (least, most) = (f64::from(f32::MIN), f64::from(f32::MAX));
    let (least, most) = (f64x4::splat(simd, least), f64x4::splat(simd, most));
    // Numbers that lie side by side in memory; one in each half does not count.
    let low = f64x4::load_array_ref(simd, &[a.x, a.y, a.z, b.x]);
    let high = -f64x4::load_array_ref(simd, &[a.z, b.x, b.y, b.z]);
    let (low, high) = (low.max(least).min(most), high.max(least).min(most));
    let near = low.narrow(high);
    let (near_low, near_high) = near.widen();
    let is_above = near_low.simd_gt(low).narrow(near_high.simd_gt(high));
    // 0.7 units in the last place of 1: between a half and three quarters of one for a power of two, whose lower neighbour is
    // half as far, and between 0.7 and 1.4 for other numbers. So the difference rounds to the lower neighbour.
    let size = near.abs();
    let below = near - size * f32x8::splat(simd, 0.7 * f32::EPSILON);
    let is_tiny = size.simd_lt(f32x8::splat(simd, 1e-30));
    let lanes = is_above.select(below, near) + f32x8::splat(simd, 0.0);
    if (is_above & is_tiny).to_bitmask() & CORNERS != 0 {
        // Where numbers may be subnormal, one by one.
        let bounds = Box32 {
            min: [round_down(a.x), round_down(a.y), round_down(a.z)],
            max: [round_up(b.x), round_up(b.y), round_up(b.z)],
        };
        let WideBox(lanes) = WideBox::around(&bounds);
        return (f32x8::load_array_ref(simd, &lanes), bounds);
    }
    // 0 - 0 is 0, where the negative would be -0.
    let low: [f32; 8] = lanes.into();
    let high: [f32; 8] = (f32x8::splat(simd, 0.0) - lanes).into();
    let [min, max] = [[low[0], low[1], low[2]], [high[5], high[6], high[7]]];
    (lanes, Box32 { min, max })
}

/// Whether all bodies are the ones of these generations, and all boxes finite and not inverted.
#[inline(always)]
pub(super) fn are_sound<S: Simd>(simd: S, moved: &[(BodyId, Aabb)], generations: &[u32]) -> bool {
    let most = f64x4::splat(simd, f64::MAX);
    let mut are_known = true;
    let mut are_boxes = most.simd_eq(most);
    for (body, bounds) in moved {
        let generation = generations.get(body.index() as usize).copied();
        are_known &= generation == Some(body.generation().get());
        let (a, b) = (bounds.min(), bounds.max());
        let low = f64x4::load_array_ref(simd, &[a.x, a.y, a.z, a.z]);
        let high = f64x4::load_array_ref(simd, &[b.x, b.y, b.z, b.z]);
        are_boxes &= (-most).simd_le(low) & low.simd_le(high) & high.simd_le(most);
    }
    are_known && are_boxes.to_bitmask() == 0b1111
}
