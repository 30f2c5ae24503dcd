//! Points spread evenly over a surface.
//!
//! The surface is laid out as a line, triangle after triangle by area, and a point is taken after every equal step. Within
//! its triangle the point is one of a sequence of low discrepancy (Roberts, The Unreasonable Effectiveness of
//! Quasirandom Sequences, 2018), so that neither lines nor clusters form.

use crate::bvh::TreeFrame;
use crate::math::Vec3;
use crate::shape::TriMesh;

/// Some points on the triangles of a mesh, in the frame of its tree, and a length that is about their distance. A mesh without
/// area gives its vertices.
pub(super) fn spread(mesh: &TriMesh, frame: &TreeFrame, count: usize) -> (Vec<Vec3>, f64) {
    let triangles = || (0..mesh.triangles().len()).map(|t| mesh.corners(t).map(|p| frame.enter(p)));
    let area = |[p, q, r]: &[Vec3; 3]| 0.5 * (*q - *p).cross(*r - *p).length();
    let total: f64 = triangles().map(|corners| area(&corners)).sum();
    if total <= 0.0 {
        let vertices = mesh.vertices().iter().map(|p| frame.enter(*p));
        return (vertices.collect(), 4.0 / count as f64);
    }
    let step = total / count as f64;
    let (mut points, mut passed) = (Vec::with_capacity(count + 1), 0.0);
    for corners in triangles() {
        passed += area(&corners);
        while (points.len() as f64 + 0.5) * step <= passed {
            points.push(inside(&corners, points.len()));
        }
    }
    // A surface of needles has little area; still no needle is to fall into more pieces than there are points.
    (points, step.sqrt().max(4.0 / count as f64))
}

/// The point of the sequence with the given number, in a triangle.
fn inside([p, q, r]: &[Vec3; 3], number: usize) -> Vec3 {
    // Powers of the inverse of the plastic number, the root of x^3 = x + 1.
    const STEPS: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053_3];
    let [mut x, mut y] = STEPS.map(|step| (0.5 + step * number as f64).fract());
    if x + y > 1.0 {
        (x, y) = (1.0 - x, 1.0 - y);
    }
    *p + (*q - *p) * x + (*r - *p) * y
}
