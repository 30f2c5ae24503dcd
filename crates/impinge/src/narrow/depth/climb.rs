//! Support points of large polytopes: uphill from vertex to vertex, and a proof that the top is the top.
//!
//! On a convex polytope a vertex that no neighbour exceeds is the farthest of all. With rounding, a neighbour may exceed it
//! by a little, and how much other vertices may then exceed it depends on how sharp the corner is:
//!
//! Let `n . (w - v) <= s |w - v|` for the neighbours `w` of `v`, and let `m` be a unit vector with
//! `m . (w - v) <= -c |w - v|` for all of them, `c > 0`. Then `n' = n + (s / c) m` has `n' . (w - v) <= 0` for all
//! neighbours, so `v` is the farthest vertex along `n'`, and for every point `x` of the polytope
//! `n . (x - v) = n' . (x - v) - (s / c) m . (x - v) <= (s / c) |x - v|`.
//!
//! Convexity is exact here: the vertices are those of the body's own frame, whose hull is exact.

use crate::math::Vec3;
use crate::shape::Polytope;

/// A vertex than which no neighbour is farther along the direction, as far as rounded products tell: uphill from the best
/// of three.
pub(super) fn climb(polytope: &Polytope, direction: Vec3, starts: [u32; 3]) -> u32 {
    let along = |vertex: u32| direction.dot(polytope.vertices()[vertex as usize]);
    let mut top = starts[0];
    let mut height = along(top);
    for start in &starts[1..] {
        let other = along(*start);
        if other > height {
            (top, height) = (*start, other);
        }
    }
    loop {
        let mut next = top;
        for neighbour in polytope.neighbours(top as usize) {
            let other = along(*neighbour);
            if other > height {
                (next, height) = (*neighbour, other);
            }
        }
        if next == top {
            return top;
        }
        top = next;
    }
}

/// No point of the polytope is farther along a direction of about unit length than the vertex, by more than this.
pub(super) fn overshoot(polytope: &Polytope, direction: Vec3, vertex: u32) -> f64 {
    // A difference, three products and two sums: at most 4 roundings of the length of the edge, and its own length is off
    // by three more.
    const SLOPE_ERROR: f64 = 4.0 * f64::EPSILON;
    let slopes = |along: Vec3| {
        let vertices = polytope.vertices();
        let from = vertices[vertex as usize];
        let neighbours = polytope.neighbours(vertex as usize).iter();
        let slope = neighbours.map(move |w| {
            let edge = vertices[*w as usize] - from;
            along.dot(edge) / edge.length()
        });
        slope.fold(f64::NEG_INFINITY, f64::max) + SLOPE_ERROR
    };
    let excess = slopes(direction);
    if excess <= 0.0 {
        return 0.0;
    }
    let normals = polytope.vertex_faces(vertex as usize).iter();
    let axis: Vec3 = normals.map(|f| polytope.face_normal(*f as usize)).sum();
    let sharpness = -slopes(axis.normalize_or_zero());
    if sharpness > 0.0 {
        // Rounded up generously; the diameter is at most twice the radius.
        2.001 * polytope.radius() * excess / sharpness
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_scenes::polytopes::random_polytope;

    #[test]
    fn the_top_is_the_top() {
        let polytope = Polytope::from_points(random_polytope(400, 3).unwrap().vertices()).unwrap();
        for k in 0..200_u32 {
            let direction = Vec3::new((f64::from(k) * 0.7).sin(), (f64::from(k) * 1.1).cos(), 0.3);
            let direction = direction.normalize();
            let top = climb(&polytope, direction, [k % 100, 7, 7]);
            let height = direction.dot(polytope.vertices()[top as usize]);
            let all = polytope.vertices().iter().map(|v| direction.dot(*v));
            let highest = all.fold(f64::NEG_INFINITY, f64::max);
            assert!(highest - height <= 1e-15);
            assert!(overshoot(&polytope, direction, top) <= 1e-14);
        }
    }
}
