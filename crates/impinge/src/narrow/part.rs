//! The part of two placed polytopes that a search proposes as the closest one: its corners in `f64`, and what they prove.

use super::centers::Centers;
use super::features::spanned;
use super::pair::CENTER;
use super::simplex::{Corner, Simplex};
use crate::contact::{Feature, Witness};
use crate::math::Vec3;
use fearless_simd::Simd;

/// One to three pairs of placed vertices, with the weights of the point of their differences that is nearest to the
/// origin, and the direction from the origin across them.
#[derive(Debug)]
pub(super) struct Part {
    corners: [Corner<[u32; 2]>; 3],
    weights: [f64; 3],
    len: usize,
    direction: Vec3,
}

impl Part {
    /// The corners of those names, repeated to three; `None` when the nearest point is not inside of their hull, when a
    /// centre is among them, or when the direction is lost in rounding.
    #[inline(always)]
    pub(super) fn new<S: Simd>(pair: &Centers<'_, S>, names: [[u32; 2]; 3]) -> Option<Part> {
        if names.iter().any(|name| name[0] == CENTER) {
            return None;
        }
        let first = pair.vertices(names[0]);
        let (corners, len, (weights, direction)) = if names[1] == names[0] {
            ([first; 3], 1, ([1.0, 0.0, 0.0], first.y()))
        } else {
            let second = pair.vertices(names[1]);
            if names[2] == names[1] {
                (
                    [first, second, second],
                    2,
                    over_edge(first.y(), second.y())?,
                )
            } else {
                let third = pair.vertices(names[2]);
                let over = over_triangle(first.y(), second.y(), third.y())?;
                ([first, second, third], 3, over)
            }
        };
        Some(Part {
            corners,
            weights,
            len,
            direction: direction.try_normalize()?,
        })
    }

    /// A reduced simplex and its direction.
    pub(super) fn of_simplex(simplex: &Simplex<[u32; 2]>, direction: Vec3) -> Option<Part> {
        let (corners, weights) = (simplex.corners(), simplex.weights());
        let last = corners.len() - 1;
        Some(Part {
            corners: [0, 1, 2].map(|k| corners[last.min(k)]),
            weights: [0, 1, 2].map(|k| weights.get(k).copied().unwrap_or(0.0)),
            len: corners.len().min(3),
            direction: direction.try_normalize()?,
        })
    }

    /// From the origin to the part, of unit length within a few roundings.
    #[inline(always)]
    pub(super) fn direction(&self) -> Vec3 {
        self.direction
    }

    #[inline(always)]
    pub(super) fn corners(&self) -> &[Corner<[u32; 2]>] {
        &self.corners[..self.len]
    }

    /// An upper bound for the distance of the polytopes: the length of the weighted mean of differences.
    #[inline(always)]
    pub(super) fn length_above<S: Simd>(&self, pair: &Centers<'_, S>) -> f64 {
        let mut mean = Vec3::ZERO;
        for (corner, weight) in self.corners.iter().zip(self.weights) {
            mean += corner.y() * weight;
        }
        // Differences, weights, products and sums, and a sum of weights that is 1 within three roundings: together below
        // ten roundings of each coordinate of the differences, none of which is longer than the extent.
        (mean.length() + 6.0 * f64::EPSILON * pair.extent()) * (1.0 + 4.0 * f64::EPSILON)
    }

    /// The nearest point as a point of each polytope.
    #[inline(always)]
    pub(super) fn witness(&self) -> Witness {
        let (mut a, mut b) = (Vec3::ZERO, Vec3::ZERO);
        for (corner, weight) in self.corners.iter().zip(self.weights) {
            a += corner.a * weight;
            b += corner.b * weight;
        }
        Witness { a, b }
    }

    /// The features that the corners span.
    #[inline(always)]
    pub(super) fn features<S: Simd>(&self, pair: &Centers<'_, S>) -> [Feature; 2] {
        let of = |side: usize| -> [u32; 3] {
            // Repeated corners name nothing new.
            [0, 1, 2].map(|k| self.corners[k.min(self.len - 1)].id[side])
        };
        [
            spanned(pair.a.polytope, &of(0), || pair.a.local(self.direction)),
            spanned(pair.b.polytope, &of(1), || pair.b.local(-self.direction)),
        ]
    }
}

/// The weights of the nearest point, and the direction, of a segment; `None` when the nearest point is an end.
#[inline(always)]
fn over_edge(p: Vec3, q: Vec3) -> Option<([f64; 3], Vec3)> {
    let edge = q - p;
    let (from_p, from_q) = (-p.dot(edge), q.dot(edge));
    if !(from_p > 0.0 && from_q > 0.0) {
        return None;
    }
    let total = from_p + from_q;
    // The nearer end is the better base: less of it cancels.
    let base = if from_p < from_q { p } else { q };
    let direction = edge.cross(base.cross(edge));
    Some(([from_q / total, from_p / total, 0.0], direction))
}

/// The weights of the nearest point, and the direction, of a triangle; `None` when the nearest point is on its border.
#[inline(always)]
fn over_triangle(p: Vec3, q: Vec3, r: Vec3) -> Option<([f64; 3], Vec3)> {
    let normal = (q - p).cross(r - p);
    // Twice the areas of the triangles that the foot makes with the opposite edges, times the length of the normal.
    let areas = [
        normal.dot(q.cross(r)),
        normal.dot(r.cross(p)),
        normal.dot(p.cross(q)),
    ];
    if !(areas[0] > 0.0 && areas[1] > 0.0 && areas[2] > 0.0) {
        return None;
    }
    let total = areas[0] + areas[1] + areas[2];
    let outward = if normal.dot(p) < 0.0 { -normal } else { normal };
    Some((areas.map(|area| area / total), outward))
}
