//! Certified answers about two shapes that stand still: the one place that chooses who gives them.

use crate::contact::Separation;
use crate::math::{Pose, Vec3};
use crate::narrow::curved_depth::{Depth, depth};
use crate::narrow::mesh;
use crate::narrow::{PairCache, distance_polytopes, intersects_polytopes};
use crate::reference;
use crate::shape::{Placed, Shape};

/// What a body is: a shape, or a triangle of one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Body<'a> {
    Shape(&'a Shape),
    Triangle([Vec3; 3]),
}

/// The certified distance of two bodies. Corners and edges of triangles have the numbers 0 to 2.
pub(super) fn measure_bodies(a: (&Body<'_>, Pose), b: (&Body<'_>, Pose)) -> Separation {
    let place = |corners: &[Vec3; 3], pose: Pose| corners.map(|corner| pose.place(corner));
    match ((a.0, a.1), (b.0, b.1)) {
        ((Body::Shape(p), pose_p), (Body::Shape(q), pose_q)) => measure(p.at(pose_p), q.at(pose_q)),
        ((Body::Triangle(p), pose_p), (Body::Triangle(q), pose_q)) => {
            mesh::measure_triangles(&place(p, pose_p), &place(q, pose_q))
        }
        ((Body::Triangle(p), pose_p), (Body::Shape(q), pose_q)) => {
            mesh::measure_triangle_and_convex(&place(p, pose_p), &q.at(pose_q))
        }
        ((Body::Shape(p), pose_p), (Body::Triangle(q), pose_q)) => {
            mesh::measure_triangle_and_convex(&place(q, pose_q), &p.at(pose_p)).swapped()
        }
    }
}

/// The certified distance of two placed shapes.
pub(super) fn measure(a: Placed<'_>, b: Placed<'_>) -> Separation {
    let cache = &mut PairCache::default();
    match (a.shape, b.shape) {
        (Shape::Polytope(p), Shape::Polytope(q)) => {
            distance_polytopes(p, &a.pose, q, &b.pose, cache)
        }
        _ => mesh::distance(&a, &b, None, cache).unwrap_or_else(|| reference::distance(a, b)),
    }
}

/// The way in which the second of two shapes that intersect must move to leave the first soonest, if it is known.
pub(super) fn way_out(a: Placed<'_>, b: Placed<'_>) -> Option<Vec3> {
    match depth(&a, &b, &mut PairCache::default())? {
        Depth::Deep(found) | Depth::Open(found) => Some(found.direction),
        Depth::Apart => None,
    }
}

/// Whether two placed shapes share a point.
pub(super) fn intersects(a: Placed<'_>, b: Placed<'_>) -> bool {
    let cache = &mut PairCache::default();
    match (a.shape, b.shape) {
        (Shape::Polytope(p), Shape::Polytope(q)) => {
            intersects_polytopes(p, &a.pose, q, &b.pose, cache)
        }
        _ => mesh::within(&a, &b, 0.0, cache).unwrap_or_else(|| reference::intersects(a, b)),
    }
}
