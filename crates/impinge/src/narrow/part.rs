//! The part of two placed polytopes that a search proposes as the closest one: its corners in `f64`, and what they prove.

use super::centers::Centers;
use super::features::spanned;
use super::simplex::{Corner, Simplex};
use crate::contact::{Feature, Witness};
use crate::math::{Vec3, unit};
use fearless_simd::Simd;

/// One to three pairs of placed vertices, repeated to three, with the weights of the point of their differences that is
/// nearest to the origin, and the direction from the origin across them.
#[derive(Debug)]
pub(super) struct Part {
    corners: [Corner<[u32; 2]>; 3],
    weights: [f64; 3],
    direction: Vec3,
}

impl Part {
    /// A reduced simplex and its direction.
    pub(super) fn of_simplex(simplex: &Simplex<[u32; 2]>, direction: Vec3) -> Option<Part> {
        let weights = simplex.weights();
        Some(Part {
            corners: simplex.first_three(),
            weights: [0, 1, 2].map(|k| weights.get(k).copied().unwrap_or(0.0)),
            direction: unit(direction)?,
        })
    }

    /// From the origin to the part, of unit length within a few roundings.
    #[inline(always)]
    pub(super) fn direction(&self) -> Vec3 {
        self.direction
    }

    #[inline(always)]
    pub(super) fn corners(&self) -> &[Corner<[u32; 2]>; 3] {
        &self.corners
    }

    /// An upper bound for the distance of the polytopes: the length of the weighted mean of differences.
    #[inline(always)]
    pub(super) fn length_above<S: Simd>(&self, pair: &Centers<'_, S>) -> f64 {
        let ([p, q, r], [u, v, w]) = (&self.corners, self.weights);
        let mean = p.y() * u + q.y() * v + r.y() * w;
        // Differences, weights, products and sums, and a sum of weights that is 1 within three roundings: together below
        // ten roundings of each coordinate of the differences, none of which is longer than the extent.
        (mean.length() + 6.0 * f64::EPSILON * pair.extent()) * (1.0 + 4.0 * f64::EPSILON)
    }

    /// The nearest point as a point of each polytope.
    #[inline(always)]
    pub(super) fn witness(&self) -> Witness {
        let ([p, q, r], [u, v, w]) = (&self.corners, self.weights);
        Witness {
            a: p.a * u + q.a * v + r.a * w,
            b: p.b * u + q.b * v + r.b * w,
        }
    }

    /// The features that the corners span.
    #[inline(always)]
    pub(super) fn features<S: Simd>(&self, pair: &Centers<'_, S>) -> [Feature; 2] {
        let [p, q, r] = &self.corners;
        let on_a = [p.id[0], q.id[0], r.id[0]];
        let on_b = [p.id[1], q.id[1], r.id[1]];
        [
            spanned(pair.a.polytope, &on_a, || pair.a.local(self.direction)),
            spanned(pair.b.polytope, &on_b, || pair.b.local(-self.direction)),
        ]
    }
}
