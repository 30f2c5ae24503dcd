//! Volume, area and lengths; and the exact sign of a volume.
//!
//! Sums are taken in a frame in which the mesh has size 1, so that nothing overflows or underflows on the way; results
//! are rounded, and may be infinite or zero when the true value is out of range. The sign of the volume decides which
//! way a surface is turned, so where the rounded sum cannot tell it, big integers do.

use super::edges::Edges;
use super::faces::Frame;
use super::surface::Surface;
use crate::exact::{self, Sign};
use crate::math::Vec3;

/// The volume enclosed by closed, oriented triangles.
pub(super) fn volume(triangles: impl Iterator<Item = [Vec3; 3]>, frame: &Frame) -> f64 {
    let six_volumes = local_volume(triangles, frame).value;
    frame.length(frame.length(frame.length(six_volumes / 6.0)))
}

/// The sign of the volume enclosed by closed, oriented triangles.
pub(super) fn volume_sign(
    triangles: impl Iterator<Item = [Vec3; 3]> + Clone,
    frame: &Frame,
) -> Sign {
    let sum = local_volume(triangles.clone(), frame);
    if sum.value.abs() > sum.error {
        Sign::of(sum.value)
    } else {
        exact::volume_sign(triangles)
    }
}

/// A rounded sum, and a bound on its error.
struct Sum {
    value: f64,
    error: f64,
}

/// Six times the volume, in the units of the frame.
fn local_volume(triangles: impl Iterator<Item = [Vec3; 3]>, frame: &Frame) -> Sum {
    let (mut sum, mut magnitude, mut count) = (0.0, 0.0, 0.0);
    for [a, b, c] in triangles.map(|t| t.map(|p| frame.local(p))) {
        let term = a.cross(b).dot(c);
        sum += term;
        magnitude += term.abs();
        count += 1.0;
    }
    // Local coordinates are below 1 and off by at most 2 EPSILON (two roundings, and the same shift for all corners); a
    // determinant of such numbers is off by less than 6 * 3 * 2 EPSILON from that and 18 EPSILON from its own
    // roundings. Adding up costs less than `count * EPSILON` of the magnitude. The triangles are closed, so that the
    // shift by the rounded centre changes nothing.
    Sum {
        value: sum,
        error: count * (64.0 + magnitude) * f64::EPSILON,
    }
}

/// The total area of triangles.
pub(super) fn area(triangles: impl Iterator<Item = [Vec3; 3]>, frame: &Frame) -> f64 {
    let local: f64 = triangles
        .map(|t| t.map(|p| frame.local(p)))
        .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
        .sum();
    frame.length(frame.length(local))
}

/// The shortest and the longest edge.
pub(super) fn edge_lengths(surface: &Surface, edges: &Edges, frame: &Frame) -> Option<[f64; 2]> {
    edges
        .iter()
        .map(|edge| {
            let [a, b] = edge.ends.map(|v| frame.local(surface.point(v)));
            (b - a).length()
        })
        .map(|length| [length, length])
        .reduce(|[low, high], [l, h]| [low.min(l), high.max(h)])
        .map(|lengths| lengths.map(|l| frame.length(l)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Aabb;

    fn tetrahedron(scale: f64, at: Vec3) -> [[Vec3; 3]; 4] {
        let [o, x, y, z] = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|p| p * scale + at);
        [[o, y, x], [o, x, z], [x, y, z], [o, z, y]]
    }

    fn frame(triangles: &[[Vec3; 3]]) -> Frame {
        Frame::of_box(Aabb::of_points(triangles.iter().flatten().copied()))
    }

    #[test]
    fn volume_and_area_of_a_tetrahedron() {
        let triangles = tetrahedron(2.0, Vec3::splat(100.0));
        let frame = frame(&triangles);
        assert!((volume(triangles.into_iter(), &frame) - 8.0 / 6.0).abs() < 1e-12);
        let expected = 6.0 + 2.0 * 3f64.sqrt();
        assert!((area(triangles.into_iter(), &frame) - expected).abs() < 1e-12);
    }

    #[test]
    fn the_sign_is_right_when_the_sum_cannot_tell() {
        let outward = tetrahedron(1.0, Vec3::ZERO);
        for lift in [f64::from_bits(1), 1e-300, 1e-17] {
            // All but flat: the apex is a hair above the base.
            let thin = outward.map(|t| t.map(|p| Vec3::new(p.x, p.y, p.z * lift)));
            let inward = thin.map(|[a, b, c]| [a, c, b]);
            let frame = frame(&thin);
            assert_eq!(volume_sign(thin.into_iter(), &frame), Sign::Positive);
            assert_eq!(volume_sign(inward.into_iter(), &frame), Sign::Negative);
        }
        let flat = outward.map(|t| t.map(|p| p * (Vec3::X + Vec3::Y)));
        assert_eq!(volume_sign(flat.into_iter(), &frame(&flat)), Sign::Zero);
    }

    #[test]
    fn any_scale_has_a_sign() {
        for scale in [1e-310, 1e-200, 1e200, 1e307] {
            let triangles = tetrahedron(scale, Vec3::ZERO);
            let sign = volume_sign(triangles.into_iter(), &frame(&triangles));
            assert_eq!(sign, Sign::Positive, "{scale}");
        }
    }
}
