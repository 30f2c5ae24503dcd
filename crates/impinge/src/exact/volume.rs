//! The sign of the volume that triangles enclose.
//!
//! A sum over many triangles has no useful expansion form, so this is the last level only: big integers. Callers that
//! can decide by floating point with an error bound do so first.

use super::big::{self, BigVec3};
use super::counts::count_big;
use super::signs::Sign;
use crate::math::Vec3;
use dashu_int::IBig;

/// The sign of the volume inside closed, oriented triangles: positive when they are counter-clockwise seen from outside.
pub(crate) fn volume_sign(triangles: impl Iterator<Item = [Vec3; 3]> + Clone) -> Sign {
    count_big();
    let coordinates = triangles.clone().flatten().flat_map(|p| p.to_array());
    let unit = coordinates.map(big::lowest_exponent).min().unwrap_or(0);
    let sum: IBig = triangles
        .map(|triangle| {
            let [a, b, c] = triangle.map(|p| BigVec3::in_units(p, unit));
            a.cross(&b).dot(&c)
        })
        .sum();
    big::sign(&sum)
}
