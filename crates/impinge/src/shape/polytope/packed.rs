//! Rounded copies of a polytope's vertices and face planes, laid out for fast scans.
//!
//! Support points and containment are both a maximum of dot products: of the vertices with a direction, and of the
//! *polar points* with a position. The polar point of a face is its unit normal divided by its distance from the centre,
//! so that a position `x` relative to the centre is inside exactly when no polar point `w` has `w . x > 1`. Both sets are
//! kept as `f32` relative to the centre, in units of a power of two, as [`Blocks`].
//!
//! Everything here is rounded, and every rounding is bounded: who compares with the bounds below may trust the
//! comparison. The bounds are about the polytope in its own frame; placing it adds its own.
//!
//! What is too large or too small for these bounds has no packed form; the exact path answers for it.

use super::chart::Chart;
use super::{Blocks, Polytope};
use crate::math::Vec3;
use fearless_simd::{Simd, f64x4, prelude::*};

/// The relative error of one rounding to `f32`.
const U32: f64 = 1.0 / (1u64 << 24) as f64;
/// A dot product of a block with a direction `d` is off by at most this times the length of `d` (and, for polar points,
/// times their largest length): `d` is rounded (1), the points are rounded (1), and of the product and two sums each term
/// passes through at most three (3). That is 5 roundings of size [`U32`]; 8 leave room for what `f64` adds before.
pub(crate) const DOT_ERROR: f64 = 8.0 * U32;
/// How far a face normal of a polytope may be from the true one.
const NORMAL_ERROR: f64 = 1e-14;
/// Thinner polytopes have no polar points: errors of this size times [`DOT_ERROR`] leave nothing to decide.
const LONGEST_POLAR: f64 = 1e5;
/// Sizes and positions up to this power of two, and sizes down to its inverse, leave room for squares and cubes.
const LARGEST: f64 = f64::from_bits((1023 + 250) << 52);
const SMALLEST: f64 = f64::from_bits((1023 - 250) << 52);

/// A polytope about its centre, rounded, in blocks. Two lines of memory and a chart: the first line has all that balls need, and tells whether there
/// is such a form at all (an `Option` would read the second for that); the second leads to the points.
#[derive(Debug, Clone, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Packed {
    /// The centre and the radius of the polytope, again: queries find all they need in one place.
    pub(crate) center: Vec3,
    pub(crate) radius: f64,
    /// A power of two, at least the radius: the unit of `vertices`, and of the inverse of `polars`.
    pub(crate) scale: f64,
    /// The largest distance of a vertex, or of the centre, from the origin of the body, rounded up.
    pub(crate) reach: f64,
    /// A ball of this radius about the centre is inside, rounded down; minus infinity when none is known to be.
    pub(crate) inner_radius: f64,
    /// The largest length of a polar point, rounded up.
    pub(crate) polar_radius: f64,
    /// The vertices.
    pub(crate) vertices: Blocks,
    /// The polar points of the faces; empty for polytopes that are too thin.
    pub(crate) polars: Blocks,
    /// Bounds for the products of both.
    pub(crate) chart: Chart,
}

impl Packed {
    /// Of a polytope that has no packed form.
    pub(super) fn none() -> Packed {
        Packed {
            center: Vec3::ZERO,
            radius: 0.0,
            scale: 0.0,
            reach: 0.0,
            inner_radius: f64::NEG_INFINITY,
            polar_radius: f64::INFINITY,
            vertices: Blocks::default(),
            polars: Blocks::default(),
            chart: Chart::NONE,
        }
    }

    /// Whether there is one.
    #[inline(always)]
    pub(super) fn is_there(&self) -> bool {
        self.scale > 0.0
    }

    /// The packed form of a polytope whose centre and radius are known; `None` when it is of extreme size.
    pub(super) fn new(polytope: &Polytope) -> Option<Packed> {
        let (center, radius) = (polytope.centroid, polytope.radius);
        let lengths = polytope.vertices.iter().map(|v| v.length());
        let reach = lengths.fold(center.length(), f64::max) * (1.0 + 8.0 * f64::EPSILON);
        if !(radius >= SMALLEST && reach <= LARGEST) {
            return None;
        }
        let scale = power_of_two_above(radius);
        let relative = polytope.vertices.iter().map(|v| (*v - center) / scale);
        let mut packed = Packed {
            center,
            radius,
            scale,
            reach,
            vertices: Blocks::new(relative, 1.0),
            ..Packed::none()
        };
        packed.add_polars(polytope);
        packed.chart = Chart::new(
            &packed.vertices,
            radius / scale,
            &packed.polars,
            packed.polar_radius,
        );
        Some(packed)
    }

    /// The centre and the radius; scale, reach and two more.
    #[inline(always)]
    pub(crate) fn in_fours<S: Simd>(&self, simd: S) -> [f64x4<S>; 2] {
        let [x, y, z] = self.center.to_array();
        let sizes = [self.scale, self.reach, self.inner_radius, self.polar_radius];
        [
            f64x4::load_array_ref(simd, &[x, y, z, self.radius]),
            f64x4::load_array_ref(simd, &sizes),
        ]
    }

    /// How far a polar point may be from the true one, besides its rounding to `f32`.
    #[inline(always)]
    pub(crate) fn polar_error(&self) -> f64 {
        // A quotient n / o with errors dn and do is off by (dn + do / o) / o; here 1 / o <= polar_radius / scale.
        1.5 * NORMAL_ERROR * self.polar_radius * (1.0 + 2.0 * self.polar_radius)
    }

    fn add_polars(&mut self, polytope: &Polytope) {
        // The normal's error and the few roundings of the product are each below one NORMAL_ERROR.
        let distance_error = 2.0 * NORMAL_ERROR * self.scale;
        let distance = |face: usize| {
            let corner = polytope.vertices[polytope.face(face)[0] as usize];
            polytope.normals[face].dot(corner - polytope.centroid)
        };
        let distances: Vec<f64> = (0..polytope.face_count()).map(distance).collect();
        let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let inner_radius = nearest - distance_error;
        if inner_radius <= 0.0 {
            return;
        }
        self.inner_radius = inner_radius;
        let polar_radius = self.scale / inner_radius * (1.0 + 4.0 * f64::EPSILON);
        if polar_radius > LONGEST_POLAR {
            return;
        }
        self.polar_radius = polar_radius;
        let polar = |face: usize| polytope.normals[face] * (self.scale / distances[face]);
        self.polars = Blocks::new((0..polytope.face_count()).map(polar), polar_radius);
    }
}

/// The smallest power of two above a value of ordinary size.
fn power_of_two_above(value: f64) -> f64 {
    let mantissa_cut = f64::from_bits(value.to_bits() & !((1 << 52) - 1));
    2.0 * mantissa_cut
}
