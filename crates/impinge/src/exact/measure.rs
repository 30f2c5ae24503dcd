//! Measures that stay right where floating point loses everything: normals of slivers, volumes of near-flat bodies.
//!
//! Like the signs, each is computed in floating point with an error estimate first. Where cancellation eats more than a
//! few digits, or exponents are extreme, integers give the exact value, which is then rounded.

use super::big::{self, BigVec3};
use super::counts::{count_big, count_filter};
use super::rounding::round_quotient;
use crate::math::{Aabb, Vec3};
use dashu_int::IBig;
use dashu_int::ops::BitTest;

/// The unit normal of a triangle with an area, on the side from which its corners are counter-clockwise; within 1e-14
/// of the true one. Zero when the triangle is degenerate.
pub(crate) fn unit_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    // Scaled to a largest component of 1, so that products neither overflow nor lose their size.
    let [u, v] = [b - a, c - a].map(|edge| edge / edge.abs().max_element());
    let normal = u.cross(v);
    let absolute = absolute_cross(u, v);
    // A component of the normal is off by at most six roundings of its absolute value: 3 * EPSILON * 8 < 1e-14.
    if absolute.length() < 8.0 * normal.length() && normal.length() > 1e-100 {
        count_filter();
        return normal.normalize();
    }
    count_big();
    let ([a, b, c], _) = big::to_integers([a, b, c]);
    direction(&b.sub(&a).cross(&c.sub(&a)))
}

/// The cross product with absolute values in place of differences: its rounding errors are small multiples of this.
pub(crate) fn absolute_cross(u: Vec3, v: Vec3) -> Vec3 {
    let (u, v) = (u.abs(), v.abs());
    Vec3::new(
        u.y * v.z + u.z * v.y,
        u.z * v.x + u.x * v.z,
        u.x * v.y + u.y * v.x,
    )
}

/// An integer vector at unit length, each component within 2^-51 of the true one; zero stays zero.
pub(super) fn direction(v: &BigVec3) -> Vec3 {
    let bits = [&v.x, &v.y, &v.z].map(BitTest::bit_len).into_iter().max();
    let exponent = -(bits.unwrap_or(0) as i32);
    let component = |x: &IBig| round_quotient(x, &IBig::ONE, exponent);
    Vec3::new(component(&v.x), component(&v.y), component(&v.z)).normalize_or_zero()
}

/// The volume inside a closed surface of triangles, counter-clockwise seen from outside, and its centre of mass. The
/// volume must be positive. Both are good to about 1e-12 of the volume and of the extent of the surface.
pub(crate) fn volume_and_centroid(
    vertices: &[Vec3],
    triangles: impl Iterator<Item = [u32; 3]> + Clone,
) -> (f64, Vec3) {
    if let Some(measured) = measure_rounded(vertices, triangles.clone()) {
        count_filter();
        return measured;
    }
    count_big();
    measure_big(vertices, triangles)
}

/// Sizes within which a product of four differences is far from overflow and underflow.
const ORDINARY: std::ops::Range<f64> = 1e-70..1e70;
/// How much larger than the volume the sum of absolute values may be: the relative error stays below this times
/// nine roundings, about 1e-12.
const CANCELLATION: f64 = 1e3;

/// Sums up the tetrahedra from the first vertex; `None` when too little of the result is certain.
fn measure_rounded(
    vertices: &[Vec3],
    triangles: impl Iterator<Item = [u32; 3]>,
) -> Option<(f64, Vec3)> {
    let origin = *vertices.first()?;
    let size = Aabb::of_points(vertices.iter().copied())?.size();
    let (mut volume, mut absolute, mut moment) = (0.0, 0.0, Vec3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize]);
        let (u, v, w) = (b - a, c - a, a - origin);
        let tetrahedron = w.dot(u.cross(v));
        volume += tetrahedron;
        absolute += w.abs().dot(absolute_cross(u, v));
        moment += tetrahedron * (w + (b - origin) + (c - origin));
    }
    let certain = absolute < CANCELLATION * volume.abs();
    (certain && size.to_array().iter().all(|x| ORDINARY.contains(x)))
        .then(|| (volume / 6.0, origin + moment / (4.0 * volume)))
}

/// The same sums in integers.
#[cold]
fn measure_big(vertices: &[Vec3], triangles: impl Iterator<Item = [u32; 3]>) -> (f64, Vec3) {
    let exponent = big::common_exponent(vertices.iter().copied());
    let point = |v: u32| BigVec3::in_units(vertices[v as usize], exponent);
    let origin = point(0);
    let (mut volume, mut moment) = (IBig::ZERO, BigVec3::zero());
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| point(v).sub(&origin));
        let tetrahedron = b.cross(&c).dot(&a);
        moment = moment.add(&a.add(&b).add(&c).scale(&tetrahedron));
        volume += tetrahedron;
    }
    // The centre is origin + moment / (4 volume).
    let weight = &volume * 4;
    let centre = origin.scale(&weight).add(&moment);
    let coordinate = |x: &IBig| round_quotient(x, &weight, exponent);
    (
        round_quotient(&volume, &IBig::from(6), 3 * exponent),
        Vec3::new(
            coordinate(&centre.x),
            coordinate(&centre.y),
            coordinate(&centre.z),
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    #[test]
    fn integers_and_floats_agree() {
        let vertices = [
            Vec3::X,
            Vec3::new(4.0, 0.5, 0.0),
            Vec3::Y * 3.0,
            Vec3::ONE * 2.0,
        ];
        let (volume, centroid) = measure_rounded(&vertices, TETRAHEDRON.into_iter()).unwrap();
        let (exact_volume, exact_centroid) = measure_big(&vertices, TETRAHEDRON.into_iter());
        assert!((volume - exact_volume).abs() < 1e-14);
        assert!((centroid - exact_centroid).abs().max_element() < 1e-14);
        assert!((exact_centroid - vertices.iter().sum::<Vec3>() / 4.0).length() < 1e-14);
    }

    #[test]
    fn the_volume_of_a_tetrahedron_of_the_smallest_numbers() {
        let tiny = f64::from_bits(1);
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z * tiny];
        let (volume, centroid) = volume_and_centroid(&vertices, TETRAHEDRON.into_iter());
        assert!(volume <= tiny);
        assert!((centroid - Vec3::new(0.25, 0.25, 0.0)).length() < 1e-15);
    }

    /// The normal by integers alone.
    fn exact_normal(triangle: [Vec3; 3]) -> Vec3 {
        let ([a, b, c], _) = big::to_integers(triangle);
        direction(&b.sub(&a).cross(&c.sub(&a)))
    }

    #[test]
    fn normals_of_triangles_of_any_shape_are_good() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for i in 0..20_000 {
            let [a, b, noise] = [0; 3].map(|_| Vec3::new(random(), random(), random()));
            // From fat to so thin that only the last bits differ, near the origin and far from it.
            let c = a.lerp(b, 2.0 * random()) + noise * 2.0_f64.powi(-(i % 50));
            let triangle = [a, b, c].map(|p| p + Vec3::splat(f64::from(i % 3)));
            let error = unit_normal(triangle).distance(exact_normal(triangle));
            assert!(error < 1e-14, "{triangle:?} off by {error}");
        }
    }

    #[test]
    fn normals_of_slivers_are_right() {
        // Seen in units of the last bit, the third corner is one step off the line.
        let off = 1.0 + f64::EPSILON;
        let sliver = [
            Vec3::ZERO,
            Vec3::new(1.0, 1.0, 1.0),
            Vec3::new(off, 1.0, 1.0),
        ];
        let expected = Vec3::new(0.0, 1.0, -1.0).normalize();
        assert!((unit_normal(sliver) - expected).length() < 1e-14);
        let scaled = sliver.map(|p| p * 1e250);
        assert!((unit_normal(scaled) - expected).length() < 1e-14);
        let scaled = sliver.map(|p| p * 1e-250);
        assert!((unit_normal(scaled) - expected).length() < 1e-14);
        assert_eq!(
            unit_normal([Vec3::ZERO, Vec3::X, Vec3::X * 2.0]),
            Vec3::ZERO
        );
    }
}
