//! One polytope of a pair, placed: its extremes along directions, with error bounds.
//!
//! Directions turn instead of vertices: `d . (M v + t) = (M^T d) . v + d . t` for any matrix `M`, so a scan in the frame
//! of the body finds the extreme *placed* vertices up to rounding. What rounding can do is bounded here:
//!
//! - [`Pose::place`] rounds. With `u` half an EPSILON, each coordinate of a placed vertex is off by at most
//!   `4 u` times the sum of its three products, which is at most [`Packed::reach`], and `u` times the translation; for
//!   vertex and centre together, as vectors, that is below [`Side::error`].
//! - The scan is in `f32`, with the bound of [`DOT_ERROR`].
//!
//! Where a decision needs more, only the vertices that are extreme within these bounds are placed, exactly as the contract
//! says, and compared as they are.

use super::pair::CENTER;
use crate::math::{Pose, Vec3};
use crate::shape::{DOT_ERROR, NearTop, Packed, Polytope, TABLED_FROM, TABLED_TO};
use fearless_simd::Simd;

/// A placed polytope of ordinary size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) polytope: &'a Polytope,
    pub(super) pose: &'a Pose,
    pub(super) packed: &'a Packed,
    /// The placed centre.
    pub(super) center: Vec3,
    /// For each vertex `v` and the centre `c`: the placed `v` minus the placed `c` is within this of `M (v - c)`.
    pub(super) error: f64,
}

impl<'a> Side<'a> {
    /// The polytope at the pose; `None` when it is too large, too small or too far away for the error bounds.
    #[inline(always)]
    pub(super) fn new(polytope: &'a Polytope, pose: &'a Pose) -> Option<Side<'a>> {
        let packed = polytope.packed()?;
        let away = pose.translation().abs().max_element();
        if away > FARTHEST {
            return None;
        }
        Some(Side {
            polytope,
            pose,
            packed,
            center: pose.place(packed.center),
            error: 8.0 * f64::EPSILON * (packed.reach + away),
        })
    }

    /// All placed vertices are within this of the placed centre.
    #[inline(always)]
    pub(super) fn outer_radius(&self) -> f64 {
        // The matrix stretches by at most 1.5 times its deviation.
        let stretch = 1.0 + 2.0 * self.pose.deviation() + 4.0 * f64::EPSILON;
        self.packed.radius * stretch + self.error
    }

    /// The placed polytope holds a ball of this radius about the placed centre. A negative radius means that it holds a
    /// point within that distance of the centre.
    #[inline(always)]
    pub(super) fn inner_radius(&self) -> f64 {
        let shrink = 1.0 - 2.0 * self.pose.deviation() - 4.0 * f64::EPSILON;
        self.packed.inner_radius * shrink - self.error
    }

    /// [`Side::inner_radius`] for a ball that is taken to be as far from the faces as its radius says, and not only inside: as
    /// [`Centers::exits`](super::centers::Centers::exits) does, it leaves a hundredth of the rounding of placed vertices for what that does to the faces.
    #[inline(always)]
    pub(super) fn safe_radius(&self) -> f64 {
        self.inner_radius() - 0.01 * self.error
    }

    /// A world direction as the body sees it.
    #[inline(always)]
    pub(super) fn local(&self, direction: Vec3) -> Vec3 {
        self.pose.unrotate(direction)
    }

    /// How far the placed vertices reach from the placed centre along a direction given as [`Side::local`]: off by at
    /// most [`Side::slack`] times the length of the direction.
    #[inline(always)]
    pub(super) fn reach_along<S: Simd>(&self, simd: S, local: Vec3) -> f64 {
        let reach = self.packed.vertices.max_along(simd, narrowed(local));
        f64::from(reach) * self.packed.scale
    }

    /// Whether there is a table of the vertices by directions.
    #[inline(always)]
    pub(super) fn has_table(&self) -> bool {
        let count = self.packed.vertices.len();
        (count > TABLED_FROM) & (count <= TABLED_TO)
    }

    /// Whether there are so few vertices that a scan is as good as anything.
    #[inline(always)]
    pub(super) fn is_few(&self) -> bool {
        self.packed.vertices.is_few()
    }

    /// Whether there are so many vertices that walking from a near one is faster than a scan of them.
    #[inline(always)]
    pub(super) fn is_large(&self) -> bool {
        self.packed.vertices.len() > CLIMBED
    }

    /// Whether to climb from a vertex.
    #[inline(always)]
    fn is_climbed(&self, hint: u32) -> bool {
        self.is_large() && (hint as usize) < self.packed.vertices.len()
    }

    /// The vertex that is farthest along a local direction, as far as `f32`, or a climb from `hint`, can tell; and its packed
    /// form. `hint` may be anything.
    #[inline(always)]
    pub(super) fn farthest<S: Simd>(&self, simd: S, local: [f32; 3], hint: u32) -> (u32, [f32; 3]) {
        let vertices = &self.packed.vertices;
        if let Some(found) = vertices.farthest_of_three_blocks(simd, local) {
            return found;
        }
        let vertex = if self.is_climbed(hint) {
            let direction = glam::Vec3::from(local).as_dvec3();
            self.polytope.climb(direction, hint)
        } else {
            vertices.farthest(simd, local)
        };
        (vertex, vertices.point(vertex))
    }

    /// A vertex whose product with a local direction is the largest, or less than that by at most `2^-18` of it, for certain, and its packed form. Never by
    /// climbing: where a slope is so gentle that rounding hides it, a climb ends far below the top.
    #[inline(always)]
    pub(super) fn nearly_farthest<S: Simd>(&self, simd: S, local: [f32; 3]) -> (u32, [f32; 3]) {
        let vertices = &self.packed.vertices;
        match vertices.nearly_farthest(simd, local) {
            Some(found) => found,
            None => {
                let vertex = vertices.farthest(simd, local);
                (vertex, vertices.point(vertex))
            }
        }
    }

    /// The vertices that may be the farthest along `local` once placed, by climbing from a vertex.
    #[cold]
    fn climb_to_extremes(&self, local: Vec3, hint: u32) -> Option<NearTop> {
        // A product with a vertex is off by three roundings, 1.5 EPSILON; the set needs more than twice that.
        let blur = 4.0 * f64::EPSILON * self.packed.reach;
        let margin = local.length() * (2.0 * self.error + blur);
        self.polytope.near_top(local, hint, margin)
    }

    /// The error of [`Side::reach_along`] for a direction of length 1.
    #[inline(always)]
    pub(super) fn slack(&self) -> f64 {
        DOT_ERROR * self.packed.scale + self.error
    }

    /// The placed vertex.
    #[inline(always)]
    pub(super) fn place(&self, vertex: u32) -> Vec3 {
        self.pose.place(self.polytope.vertices()[vertex as usize])
    }

    /// The vertex that is farthest along a direction given as [`Side::local`]: the farthest of the rounded ones, compared
    /// once more in `f64` where they are close.
    #[inline(always)]
    pub(super) fn support<S: Simd>(&self, simd: S, local: Vec3) -> u32 {
        let vertices = self.polytope.vertices();
        let mut best = (0, f64::NEG_INFINITY);
        self.for_each_extreme(simd, local, CENTER, |vertex| {
            let along = local.dot(vertices[vertex as usize]);
            if along > best.1 {
                best = (vertex, along);
            }
        });
        best.0
    }

    /// Calls `visit` with every placed vertex that may be the farthest along a direction of unit length, besides those
    /// that are known (near the others, perhaps repeated), and perhaps with more.
    #[inline(always)]
    pub(super) fn for_each_other_extreme<S: Simd>(
        &self,
        simd: S,
        direction: Vec3,
        [p, q, r]: [u32; 3],
        mut visit: impl FnMut(Vec3),
    ) {
        let local = self.local(direction);
        if self.is_few() {
            let margin = self.margin(1.0 + 2.0 * self.pose.deviation());
            let mut found = self.packed.vertices.near_max(simd, narrowed(local), margin);
            found &= !(1 << (p % 64) | 1 << (q % 64) | 1 << (r % 64));
            while found != 0 {
                visit(self.place(found.trailing_zeros()));
                found &= found - 1;
            }
        } else {
            self.for_each_extreme(
                simd,
                local,
                p,
                #[inline(always)]
                |vertex| visit(self.place(vertex)),
            );
        }
    }

    /// How far below the largest product of a scan along a local direction of that length the placed vertices that may be
    /// the farthest are.
    #[inline(always)]
    fn margin(&self, length: f64) -> f32 {
        // The rounding of the margin itself is far below what DOT_ERROR leaves room for.
        let error = self.error * inverse_of_power(self.packed.scale);
        (length * 2.0 * (DOT_ERROR + error)) as f32
    }

    /// Calls `visit` with every vertex that may be the farthest along `local` once placed, and perhaps with others.
    /// `hint` may be a vertex near them, or anything.
    #[inline(always)]
    pub(super) fn for_each_extreme<S: Simd>(
        &self,
        simd: S,
        local: Vec3,
        hint: u32,
        visit: impl FnMut(u32),
    ) {
        if self.is_climbed(hint)
            && let Some(near) = self.climb_to_extremes(local, hint)
        {
            near.as_slice().iter().copied().for_each(visit);
            return;
        }
        let vertices = &self.packed.vertices;
        vertices.for_each_near_max(simd, narrowed(local), self.margin(local.length()), visit);
    }
}

/// A direction as packed points take it.
#[inline(always)]
pub(super) fn narrowed(v: Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// One divided by a power of two of ordinary size.
#[inline(always)]
pub(super) fn inverse_of_power(power: f64) -> f64 {
    // The exponents of both add up to twice the bias, and there is nothing but an exponent.
    f64::from_bits(((2 * 1023) << 52) - power.to_bits())
}

/// Polytopes of more vertices are climbed.
const CLIMBED: usize = 512;

/// Translations up to this leave room for squares and cubes; the packed form says the same of the polytope.
pub(super) const FARTHEST: f64 = f64::from_bits((1023 + 250) << 52);
