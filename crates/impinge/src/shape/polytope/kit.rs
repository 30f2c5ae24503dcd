//! A small polytope in seven lines of memory: all that most pairs of a crowd are decided by.
//!
//! The packed form of a polytope of 20 vertices and 36 faces is fourteen lines in three places, and pairs of a dense crowd wait for
//! them. Here the same points, vertices and polar points about the centre, are whole numbers of 16 bits, side by side with what their
//! comparison needs: a third of the memory, in one place. They are turned into `f32` as they are read.
//!
//! **Rounding.** A point is off by what rounding to 16 bits did to it, which is measured and kept: 3e-5 of the radius or less. To that are
//! added, for each unit of a direction or position, [`SCANNED`] times the longest point: a direction is seen by the body through a
//! matrix rounded to `f32`, at most `4 u` of each coordinate and hence `7 u` of its length (with `u` half an EPSILON of `f32`); a
//! product has three roundings, and one more with the step; the offset of two centres and its length are each off by a few. A position
//! is seen through the transposed matrix where the inverse one is meant, which is off by at most three times the deviation; who looks
//! at a kit makes sure that this is a usual one ([`Pose::ROTATION_TOLERANCE`]).

use super::{Packed, Polytope};
use crate::ahead;
use crate::math::{Pose, Vec3};
use fearless_simd::{Simd, f32x8, i16x16, prelude::*};

/// Blocks of eight vertices, and of eight polar points.
const VERTEX_BLOCKS: usize = 3;
const POLAR_BLOCKS: usize = 5;

/// Two blocks share one of their third coordinates.
const VERTEX_ENDS: usize = VERTEX_BLOCKS.div_ceil(2);
const POLAR_ENDS: usize = POLAR_BLOCKS.div_ceil(2);

/// The largest coordinate.
const LARGEST: f64 = 32767.0;
/// Radii up to this, and inner radii down to its inverse, leave room for products of them in `f32`.
const WIDEST: f64 = (1u64 << 24) as f64;
/// More than what products in `f32` are off by, for each unit of both lengths.
const SCANNED: f64 = 16.0 * f32::EPSILON as f64;
/// What the transposed matrix of a usual pose is off by, where the inverse one is meant.
const TRANSPOSED: f64 = 4.0 * Pose::ROTATION_TOLERANCE;
/// For each unit of the reach of a body, more than what placing its vertices and its centre is off by, but for the part of the placed centre.
const PLACING: f64 = 128.0 * f64::EPSILON;

/// A polytope of at most 24 vertices and 40 faces about its centre.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Kit {
    /// No vertex is farther from the centre. 0 when there is no kit.
    pub(crate) radius: f32,
    /// No polar point is longer: one divided by the radius of a ball inside, about the centre.
    pub(crate) polar_radius: f32,
    /// Where vertices are placed, seen from the placed centre, is off by this, besides what the centre is off by.
    pub(crate) placing: f32,
    /// A product of vertices is off by this for each unit of the direction.
    pub(crate) vertex_blur: f32,
    /// A product of polar points is off by this for each unit of the position.
    pub(crate) polar_blur: f32,
    vertex_step: f32,
    polar_step: f32,
    face_count: u32,
    vertices: Points<VERTEX_BLOCKS, VERTEX_ENDS>,
    polars: Points<POLAR_BLOCKS, POLAR_ENDS>,
}

const _: () = assert!(size_of::<Kit>() == 7 * 64);

/// Points as multiples of a step, the last blocks filled up with copies of the last point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
struct Points<const BLOCKS: usize, const ENDS: usize> {
    /// Of each block the first coordinates, then the second ones.
    xy: [[i16; 16]; BLOCKS],
    /// The third ones, of two blocks.
    z: [[i16; 16]; ENDS],
}

impl Kit {
    pub(super) const NONE: Kit = Kit {
        radius: 0.0,
        polar_radius: 0.0,
        placing: 0.0,
        vertex_blur: f32::INFINITY,
        polar_blur: f32::INFINITY,
        vertex_step: 0.0,
        polar_step: 0.0,
        face_count: 0,
        vertices: Points::ZERO,
        polars: Points::ZERO,
    };

    /// That of a polytope which is small enough, neither thin nor of extreme size.
    pub(super) fn new(polytope: &Polytope, packed: &Packed) -> Kit {
        let (vertices, faces) = (polytope.vertices.len(), polytope.face_count());
        let is_small = vertices <= 8 * VERTEX_BLOCKS && faces <= 8 * POLAR_BLOCKS;
        let is_usual = packed.reach < WIDEST && packed.inner_radius > 1.0 / WIDEST;
        if !is_small || !is_usual || packed.polars.is_empty() {
            return Kit::NONE;
        }
        let points: Vec<Vec3> = polytope
            .vertices
            .iter()
            .map(|v| *v - packed.center)
            .collect();
        let [vertex_step, polar_step] =
            [packed.radius, 1.0 / packed.inner_radius].map(|most| rounded_up(most / LARGEST));
        let (vertices, vertex_error) = Points::new(&points, vertex_step);
        let polars: Vec<Vec3> = (0..faces)
            .map(|face| {
                let corner = polytope.vertices[polytope.face(face)[0] as usize];
                let normal = polytope.normals[face];
                normal / normal.dot(corner - polytope.centroid)
            })
            .collect();
        let (polars, polar_error) = Points::new(&polars, polar_step);
        // That of the packed form is in its units.
        let polar_error = polar_error + packed.polar_error() / packed.scale;
        let polar_radius = 1.0 / packed.inner_radius;
        let moved = packed.center.abs().element_sum() * f64::from(f32::EPSILON);
        let placing = moved + f64::from(f32::MIN_POSITIVE) + PLACING * packed.reach;
        Kit {
            radius: rounded_up(packed.radius),
            polar_radius: rounded_up(polar_radius),
            placing: rounded_up(placing),
            vertex_blur: rounded_up(vertex_error + SCANNED * packed.radius),
            polar_blur: rounded_up(polar_error + (SCANNED + TRANSPOSED) * polar_radius),
            vertex_step,
            polar_step,
            face_count: faces as u32,
            vertices,
            polars,
        }
    }

    /// Asks for the vertices, and for all that comes before them.
    #[inline(always)]
    pub(crate) fn fetch_vertices(&self) {
        ahead::fetch_start(self);
        ahead::fetch_start(&self.vertices.xy[1]);
        ahead::fetch_start(&self.vertices.z[0]);
    }

    /// Asks for the polar points.
    #[inline(always)]
    pub(crate) fn fetch_polars(&self) {
        for k in [0, 2, 4] {
            ahead::fetch_start(&self.polars.xy[k]);
        }
        ahead::fetch_start(&self.polars.z[1]);
    }

    /// How far the vertices reach along a direction as the body sees it.
    #[inline(always)]
    pub(crate) fn reach_along<S: Simd>(&self, simd: S, direction: [f32; 3]) -> f32 {
        let products = self.vertices.products(simd, direction);
        largest(&products) * self.vertex_step
    }

    /// The largest product of a polar point with a position as the body sees it.
    #[inline(always)]
    pub(crate) fn steepness<S: Simd>(&self, simd: S, position: [f32; 3]) -> f32 {
        largest(&self.polars.products(simd, position)) * self.polar_step
    }

    /// The same, and a face whose polar point has that product.
    #[inline(always)]
    pub(crate) fn steepest<S: Simd>(&self, simd: S, position: [f32; 3]) -> (f32, u32) {
        let products = self.polars.products(simd, position);
        let top = largest(&products);
        let floor = f32x8::splat(simd, top);
        let mut found = 0;
        for (k, product) in products.iter().enumerate() {
            found |= product.simd_ge(floor).to_bitmask() << (8 * k);
        }
        let face = found.trailing_zeros().min(self.face_count - 1);
        (top * self.polar_step, face)
    }

    /// About the polar point of a face.
    #[inline(always)]
    pub(crate) fn polar(&self, face: u32) -> [f32; 3] {
        let (block, lane) = (face as usize / 8 % POLAR_BLOCKS, face as usize % 8);
        let [x, y] = [0, 8].map(|row| self.polars.xy[block][row + lane]);
        let z = self.polars.z[block / 2][block % 2 * 8 + lane];
        [x, y, z].map(|coordinate| f32::from(coordinate) * self.polar_step)
    }
}

impl<const BLOCKS: usize, const ENDS: usize> Points<BLOCKS, ENDS> {
    const ZERO: Self = Points {
        xy: [[0; 16]; BLOCKS],
        z: [[0; 16]; ENDS],
    };

    /// Points of which no coordinate is larger than the largest number of steps, and how far they are moved.
    fn new(points: &[Vec3], step: f32) -> (Self, f64) {
        let (mut packed, step) = (Self::ZERO, f64::from(step));
        let mut error = 0.0_f64;
        for place in 0..8 * BLOCKS {
            let point = points[place.min(points.len() - 1)];
            let near = (point / step).round();
            error = error.max((near * step - point).length());
            let (block, lane) = (place / 8, place % 8);
            packed.xy[block][lane] = near.x as i16;
            packed.xy[block][8 + lane] = near.y as i16;
            packed.z[block / 2][block % 2 * 8 + lane] = near.z as i16;
        }
        // The length itself is rounded; steps times whole numbers are not.
        (packed, error * (1.0 + 16.0 * f64::EPSILON))
    }

    /// The products of all points with a direction, in steps.
    #[inline(always)]
    fn products<S: Simd>(&self, simd: S, [x, y, z]: [f32; 3]) -> [f32x8<S>; BLOCKS] {
        let [x, y, z] = [
            f32x8::splat(simd, x),
            f32x8::splat(simd, y),
            f32x8::splat(simd, z),
        ];
        let mut products = [x; BLOCKS];
        for (k, product) in products.iter_mut().enumerate() {
            let (xs, ys) = simd.widen_i16x16(i16x16::load_array_ref(simd, &self.xy[k]));
            let (even, odd) = simd.widen_i16x16(i16x16::load_array_ref(simd, &self.z[k / 2]));
            let zs = if k % 2 == 0 { even } else { odd };
            let [xs, ys, zs] = [
                simd.cvt_f32_i32x8(xs),
                simd.cvt_f32_i32x8(ys),
                simd.cvt_f32_i32x8(zs),
            ];
            // Not fused, so that every processor finds the same.
            *product = xs * x + ys * y + zs * z;
        }
        products
    }
}

/// The largest of some products.
#[inline(always)]
fn largest<const BLOCKS: usize, S: Simd>(products: &[f32x8<S>; BLOCKS]) -> f32 {
    let mut most = products[0];
    for product in &products[1..] {
        most = most.max(*product);
    }
    most.reduce_max()
}

/// Not less, and not much more.
fn rounded_up(value: f64) -> f32 {
    (value as f32) * (1.0 + 2.0 * f32::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::in_lanes;
    use impinge_scenes::points::on_sphere;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn products_are_within_their_blur() {
        let mut rng = ChaCha8Rng::seed_from_u64(71);
        for round in 0..400 {
            let (size, away) = (
                2f64.powi([-20, -3, 0, 12][round % 4]),
                [0.0, 1.0, 30.0][round % 3],
            );
            let center = on_sphere(1, rng.random())[0] * away;
            let points: Vec<Vec3> = on_sphere([4, 8, 20, 21][round % 4], rng.random())
                .iter()
                .map(|p| (*p + center) * size)
                .collect();
            let polytope = Polytope::from_points(&points).unwrap();
            // A tetrahedron may be too thin.
            let Some(kit) = polytope.kit() else {
                continue;
            };
            for direction in on_sphere(20, rng.random()) {
                let near = direction.as_vec3().to_array();
                let (reach, steepness, (top, face)) = in_lanes!(simd => (
                    kit.reach_along(simd, near),
                    kit.steepness(simd, near),
                    kit.steepest(simd, near)
                ));
                let along = polytope.vertices.iter();
                let along = along.map(|v| direction.dot(*v - polytope.centroid));
                let expected = along.fold(f64::NEG_INFINITY, f64::max);
                let off = (f64::from(reach) - expected).abs();
                assert!(off <= f64::from(kit.vertex_blur), "{off} {kit:?}");
                let polar = |face: usize| {
                    let corner = polytope.vertices[polytope.face(face)[0] as usize];
                    let normal = polytope.normals[face];
                    normal / normal.dot(corner - polytope.centroid)
                };
                let faces = (0..polytope.face_count()).map(|face| direction.dot(polar(face)));
                let expected = faces.fold(f64::NEG_INFINITY, f64::max);
                let off = (f64::from(steepness) - expected).abs();
                assert!(off <= f64::from(kit.polar_blur), "{off} {kit:?}");
                assert_eq!(top.to_bits(), steepness.to_bits());
                let [x, y, z] = kit.polar(face).map(f64::from);
                let off = (Vec3::new(x, y, z) - polar(face as usize)).length();
                assert!(off <= f64::from(kit.polar_blur), "{off} {kit:?}");
            }
        }
    }
}
