//! The features of polytopes that witness points are on.
//!
//! Names come from the support points that a search ends with. Of a face that is left as a whole it may have seen one corner only, and where
//! the cores just touch every direction has another one: then the depth and the points are right, and the name is of some other part of the
//! same face, or of another face. So names are held against the points, and those that do not hold theirs are looked up.

use crate::contact::{Feature, Penetration};
use crate::math::Vec3;
use crate::shape::{Placed, Polytope, Shape};

/// A depth whose features hold its witness points, where they are of polytopes or boxes.
pub(super) fn with_holding_features(
    a: &Placed<'_>,
    b: &Placed<'_>,
    deep: Penetration,
) -> Penetration {
    let [on_a, on_b] = deep.features;
    Penetration {
        features: [
            holding(a, deep.witness.a, on_a),
            holding(b, deep.witness.b, on_b),
        ],
        ..deep
    }
}

/// The named feature if it holds a point, else the smallest that does, else the named one.
fn holding(placed: &Placed<'_>, point: Vec3, named: Feature) -> Feature {
    /// How far points may be from what they are on, as a share of the polytope, and in roundings of coordinates.
    const OFF: f64 = 1e-9;
    const ROUNDINGS: f64 = 64.0 * f64::EPSILON;
    let Some(polytope) = placed.shape.as_polytope() else {
        return named;
    };
    let name = |part: Feature| {
        if let Shape::Cuboid(cuboid) = placed.shape {
            cuboid.name_of(part)
        } else {
            part
        }
    };
    let pose = &placed.pose;
    let size = polytope.centroid().length() + polytope.radius();
    let slack = (OFF + 4.0 * pose.deviation()) * size + ROUNDINGS * pose.translation().length();
    let local = pose.unplace(point);
    let holds = |part: Feature| distance_to(polytope, part, local) <= slack;
    let parts = || {
        let vertices = (0..polytope.vertices().len() as u32).map(Feature::Vertex);
        let edges = (0..polytope.edges().len() as u32).map(Feature::Edge);
        let faces = (0..polytope.face_count() as u32).map(Feature::Face);
        vertices.chain(edges).chain(faces)
    };
    let is_right = match (placed.shape, named) {
        (_, Feature::Inside) => true,
        (Shape::Cuboid(_), _) => parts().any(|part| name(part) == named && holds(part)),
        _ => holds(named),
    };
    if is_right {
        return named;
    }
    parts().find(|part| holds(*part)).map_or(named, name)
}

/// How far a point on the surface of a polytope is from one of its parts; of a face, from its plane.
fn distance_to(polytope: &Polytope, part: Feature, point: Vec3) -> f64 {
    let vertices = polytope.vertices();
    let vertex = |index: u32| vertices[index as usize];
    match part {
        Feature::Vertex(index) => point.distance(vertex(index)),
        Feature::Edge(index) => {
            let [from, to] = polytope.edges()[index as usize].vertices.map(vertex);
            let (along, offset) = (to - from, point - from);
            let share = (along.dot(offset) / along.dot(along)).clamp(0.0, 1.0);
            offset.distance(along * share)
        }
        Feature::Face(index) => {
            let corner = vertex(polytope.face(index as usize)[0]);
            let normal = polytope.face_normal(index as usize);
            normal.dot(point - corner).abs()
        }
        Feature::Inside | Feature::Surface => f64::INFINITY,
    }
}
