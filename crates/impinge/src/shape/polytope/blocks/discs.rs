//! Discs around blocks of points, eight at a time, and what they bound.

use super::block::{Block, Direction};
use crate::math::Vec3;
use crate::shape::polytope::packed::DOT_ERROR;
use fearless_simd::{Simd, f32x8, prelude::*};

/// Eight discs; those that only fill up the last block have a half height of minus infinity.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Discs {
    centers: Block,
    normals: Block,
    radii: [f32; 8],
    half_heights: [f32; 8],
}

impl Discs {
    /// One to eight discs.
    pub(super) fn new(discs: &[Disc]) -> Discs {
        let centers: Vec<[f32; 3]> = discs.iter().map(|disc| disc.center).collect();
        let normals: Vec<[f32; 3]> = discs.iter().map(|disc| disc.normal).collect();
        let half_height = |disc: &Disc| disc.half_height;
        Discs {
            centers: Block::new(&centers),
            normals: Block::new(&normals),
            radii: std::array::from_fn(|k| discs.get(k).map_or(0.0, |disc| disc.radius)),
            half_heights: std::array::from_fn(|k| {
                discs.get(k).map_or(f32::NEG_INFINITY, half_height)
            }),
        }
    }

    /// No point inside the discs has a larger product with the direction, as [`Block::dot`] computes it.
    #[inline(always)]
    pub(super) fn bounds<S: Simd>(&self, simd: S, d: Direction<S>) -> f32x8<S> {
        let along = self.normals.dot(simd, d);
        // The square of the part of the direction across the normal. What is added is ten times what rounding, of the
        // normal too, can take away.
        let across = (d.squared - along * along).max(f32x8::splat(simd, 0.0))
            + f32x8::splat(simd, 1e-5) * d.squared;
        let radii = f32x8::load_array_ref(simd, &self.radii);
        let half_heights = f32x8::load_array_ref(simd, &self.half_heights);
        self.centers.dot(simd, d) + radii * across.sqrt() + half_heights * d.length
    }
}

/// A cylinder about a normal of unit length, or a ball, which has neither normal nor half height.
pub(super) struct Disc {
    center: [f32; 3],
    normal: [f32; 3],
    radius: f32,
    half_height: f32,
}

impl Disc {
    /// A disc around points that are not longer than `longest`, with room for the errors of products.
    pub(super) fn around(points: &[[f32; 3]], longest: f64) -> Disc {
        let wide = |p: &[f32; 3]| glam::Vec3::from(*p).as_dvec3();
        let least = points.iter().fold(Vec3::INFINITY, |m, p| m.min(wide(p)));
        let most = points.iter().fold(-Vec3::INFINITY, |m, p| m.max(wide(p)));
        let center = (0.5 * (least + most)).as_vec3();
        let offsets: Vec<Vec3> = points.iter().map(|p| wide(p) - center.as_dvec3()).collect();
        let normal = normal_across(&offsets).as_vec3();
        let unit = normal.as_dvec3().normalize_or_zero();
        let height = |offset: &Vec3| unit.dot(*offset).abs();
        let radius = |offset: &Vec3| offset.reject_from_normalized(unit).length();
        let largest = |of: &dyn Fn(&Vec3) -> f64| offsets.iter().map(of).fold(0.0, f64::max);
        // The products with a point and with the centre are each off by DOT_ERROR, and so are those of the radius and the
        // height, which are at most twice the longest point.
        Disc {
            center: center.to_array(),
            normal: normal.to_array(),
            radius: largest(&radius) as f32,
            half_height: (largest(&height) + 6.0 * DOT_ERROR * longest) as f32,
        }
    }
}

/// The normal of a plane that points are near, if they are near one: that of three of them that are far apart.
fn normal_across(points: &[Vec3]) -> Vec3 {
    let farthest = |from: &dyn Fn(&Vec3) -> f64| {
        let by_distance = |p: &&Vec3, q: &&Vec3| from(p).total_cmp(&from(q));
        points.iter().max_by(by_distance).copied()
    };
    let first = points.first().copied().unwrap_or(Vec3::ZERO);
    let second = farthest(&|p| p.distance_squared(first)).unwrap_or(first);
    let edge = second - first;
    let third = farthest(&|p| edge.cross(*p - first).length_squared()).unwrap_or(first);
    edge.cross(third - first).normalize_or_zero()
}
