//! When may a box on its way touch the eight boxes of a node, and a triangle of a leaf those of another?
//!
//! Along a direction `d`, two convex sets that move straight against each other are within reach of each other while
//! `|p + w s| <= R`: an interval of the time `s`. They can only touch in the intersection of these intervals over all directions;
//! with the axes of two boxes and the products of these, or with the normals of two triangles and the products of their edges, it
//! is exactly when they do (Eberly, Dynamic Collision Detection Using Oriented Bounding Boxes, 2002).
//!
//! Here `s` is the share of half a span, from -1 to 1, and `R` includes the slack of [`MovingBox`], so that what is true of
//! the boxes in `f32` holds for what is in them. The slack covers the roundings of `p`, `w` and `R`; dividing rounds a
//! share three times, for which [`ROUNDING`] is taken off. A `w` below [`TINY`] is replaced by that: what it moves in a span is
//! far below the slack, and whatever is within reach is so by so much that the window is that of the whole span.

use super::span::MovingBox;
use crate::narrow::mesh::columns::{Wide, cross, dot, load, splat, sub};
use crate::narrow::mesh::leaves::{Blocks, PAIRS, normal};
use crate::shape::{Block, LANES, Node};
use fearless_simd::{Simd, f32x4, f32x8, prelude::*};

/// By how much a share of half a span may be off.
const ROUNDING: f32 = 8.0 * f32::EPSILON;
/// Less than this is no motion.
const TINY: f32 = f32::MIN_POSITIVE;

/// Shares of half a span in which sets may touch, lane by lane.
struct Window<S: Simd> {
    simd: S,
    from: f32x8<S>,
    to: f32x8<S>,
}

impl<S: Simd> Window<S> {
    #[inline(always)]
    fn whole(simd: S) -> Window<S> {
        Window {
            simd,
            from: f32x8::splat(simd, -1.0),
            to: f32x8::splat(simd, 1.0),
        }
    }

    /// Keeps the shares `s` with `low <= speed s <= high`.
    #[inline(always)]
    fn clip(&mut self, low: f32x8<S>, high: f32x8<S>, speed: f32x8<S>) {
        let is_back = speed.simd_lt(f32x8::splat(self.simd, 0.0));
        let per_speed =
            f32x8::splat(self.simd, 1.0) / speed.abs().max(f32x8::splat(self.simd, TINY));
        let from = is_back.select(-high, low);
        let to = is_back.select(-low, high);
        self.from = self.from.max(from * per_speed);
        self.to = self.to.min(to * per_speed);
    }

    /// Where the windows begin, and the lanes that have one, a bit each.
    #[inline(always)]
    fn entries(&self, entries: &mut [f32]) -> u32 {
        let rounding = f32x8::splat(self.simd, ROUNDING);
        let from = self.from - rounding;
        from.store_slice(entries);
        from.simd_le(self.to + rounding).to_bitmask() as u32
    }
}

/// From when on the boxes of a node may touch a moving box, as shares of half the span, and for which lanes they may.
#[inline(always)]
pub(super) fn boxes<S: Simd>(simd: S, moving: &MovingBox, node: &Node) -> ([f32; LANES], u32) {
    let own = [
        splat(simd, moving.obb.axes[0]),
        splat(simd, moving.obb.axes[1]),
        splat(simd, moving.obb.axes[2]),
    ];
    let half_q = splat(simd, moving.obb.half);
    let slack = f32x8::splat(simd, moving.slack);
    let (first, second) = (load(simd, &node.axes[0]), load(simd, &node.axes[1]));
    let axes = [first, second, cross(first, second)];
    let half_e = load(simd, &node.half);
    // From the boxes of the node to the moving one, which is how that one moves on.
    let between = sub(splat(simd, moving.obb.center), load(simd, &node.center));
    let velocity = splat(simd, moving.velocity);
    let zero = f32x8::splat(simd, 0.0);
    let (mut turn, mut turn_abs) = ([[zero; 3]; 3], [[zero; 3]; 3]);
    let (mut offset, mut speed) = ([zero; 3], [zero; 3]);
    for i in 0..3 {
        offset[i] = dot(own[i], between);
        speed[i] = dot(own[i], velocity);
        for j in 0..3 {
            turn[i][j] = dot(own[i], axes[j]);
            turn_abs[i][j] = turn[i][j].abs();
        }
    }
    let mut window = Window::whole(simd);
    for i in 0..3 {
        let reach = half_q[i] + dot(half_e, turn_abs[i]) + slack;
        window.clip(-reach - offset[i], reach - offset[i], speed[i]);
        let column = [turn_abs[0][i], turn_abs[1][i], turn_abs[2][i]];
        let reach = half_e[i] + dot(half_q, column) + slack;
        let place = dot(axes[i], between);
        window.clip(-reach - place, reach - place, dot(axes[i], velocity));
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let place = offset[i2] * turn[i1][j] - offset[i1] * turn[i2][j];
            let along = speed[i2] * turn[i1][j] - speed[i1] * turn[i2][j];
            let reach_q = half_q[i1] * turn_abs[i2][j] + half_q[i2] * turn_abs[i1][j];
            let reach_e = half_e[j1] * turn_abs[i][j2] + half_e[j2] * turn_abs[i][j1];
            let reach = reach_q + reach_e + slack;
            window.clip(-reach - place, reach - place, along);
        }
    }
    let mut entries = [0.0; LANES];
    let lanes = window.entries(&mut entries);
    (entries, lanes & node.lane_bits())
}

/// The same for the triangles of two leaves, four to a triangle of the first block.
#[inline(always)]
pub(super) fn triangles<S: Simd>(blocks: &Blocks<S>, moving: &MovingBox) -> ([f32; PAIRS], u32) {
    let simd = blocks.simd;
    let velocity = splat(simd, moving.velocity);
    let slack = f32x8::splat(simd, moving.slack);
    let (mut entries, mut bits) = ([0.0; PAIRS], 0);
    for row in 0..2 {
        let (p, q) = (blocks.row(row), blocks.b);
        let mut window = Window::whole(simd);
        clip_along(&mut window, p, q, normal(p), velocity, slack);
        clip_along(&mut window, p, q, normal(q), velocity, slack);
        for i in 0..3 {
            let e = sub(p[(i + 1) % 3], p[i]);
            for j in 0..3 {
                let f = sub(q[(j + 1) % 3], q[j]);
                clip_along(&mut window, p, q, cross(e, f), velocity, slack);
            }
        }
        let lanes = window.entries(&mut entries[8 * row..8 * row + 8]);
        bits |= lanes << (8 * row);
    }
    (entries, bits)
}

/// The same for the triangles of a leaf and a moving box: along the axes of the box and the normals of the triangles.
#[inline(always)]
pub(super) fn triangles_and_box<S: Simd>(
    simd: S,
    block: &Block,
    moving: &MovingBox,
) -> ([f32; LANES], u32) {
    let center = splat(simd, moving.obb.center);
    let axes = [
        splat(simd, moving.obb.axes[0]),
        splat(simd, moving.obb.axes[1]),
        splat(simd, moving.obb.axes[2]),
    ];
    let half = splat(simd, moving.obb.half);
    let velocity = splat(simd, moving.velocity);
    let slack = f32x8::splat(simd, moving.slack);
    // The corners as seen from the centre of the box, twice.
    let mut corners = [center; 3];
    for (corner, columns) in corners.iter_mut().zip(&block.corners) {
        for k in 0..3 {
            let lanes = f32x4::load_array_ref(simd, &columns[k]);
            corner[k] = lanes.combine(lanes) - center[k];
        }
    }
    let mut window = Window::whole(simd);
    for k in 0..3 {
        let (low, high) = heights(corners, axes[k]);
        let reach = half[k] + slack;
        window.clip(low - reach, high + reach, dot(axes[k], velocity));
    }
    let normal = normal(corners);
    let (low, high) = heights(corners, normal);
    let along = [
        dot(normal, axes[0]).abs(),
        dot(normal, axes[1]).abs(),
        dot(normal, axes[2]).abs(),
    ];
    let reach = dot(half, along) + slack_along(simd, normal, slack);
    window.clip(low - reach, high + reach, dot(normal, velocity));
    let mut entries = [0.0; LANES];
    let bits = window.entries(&mut entries);
    (entries, bits)
}

/// How far corners reach along a direction.
#[inline(always)]
fn heights<S: Simd>(corners: [Wide<S>; 3], direction: Wide<S>) -> (f32x8<S>, f32x8<S>) {
    let [x, y, z] = [
        dot(corners[0], direction),
        dot(corners[1], direction),
        dot(corners[2], direction),
    ];
    (x.min(y).min(z), x.max(y).max(z))
}

/// The slack along a direction of any length, and more than what underflow can do to products of lengths.
#[inline(always)]
fn slack_along<S: Simd>(simd: S, direction: Wide<S>, slack: f32x8<S>) -> f32x8<S> {
    let size = direction[0].abs() + direction[1].abs() + direction[2].abs();
    size * slack + f32x8::splat(simd, 1e-36)
}

/// Keeps the shares at which two triangles, of which the second moves, overlap along a direction of any length.
#[inline(always)]
fn clip_along<S: Simd>(
    window: &mut Window<S>,
    p: [Wide<S>; 3],
    q: [Wide<S>; 3],
    direction: Wide<S>,
    velocity: Wide<S>,
    slack: f32x8<S>,
) {
    let ((low_p, high_p), (low_q, high_q)) = (heights(p, direction), heights(q, direction));
    let reach = slack_along(window.simd, direction, slack);
    window.clip(
        low_p - high_q - reach,
        high_p - low_q + reach,
        dot(direction, velocity),
    );
}
