//! From triangles that meet to a few contact points, a normal and a depth.
//!
//! **Normal.** Where two surfaces cross, their common curve runs along `n x m`, `n` and `m` being their normals. The vector
//! area of the pieces, `1/2 sum p x q`, taken about their middle, is that of the part of one surface which the curve cuts off,
//! and points the way out of the first surface. It is the normal when it is a fair share of what a circle of the same
//! length would have; otherwise the normals of the triangles, weighted by what they have in common, are added up. This is
//! compared with the two normals of triangles, one of each side, that are closest to it: of the three, that with the
//! least depth is taken, so that boxes on each other part along a face. A half-space is left straight up, along no other direction.
//!
//! **Depth.** A pair of triangles has come apart when one has left the plane of the other, or when both have left a plane at
//! right angles to the way: the least of these is enough for the pair, the largest over all pairs for all. So
//! this is not the shortest way, but it is one.
//!
//! **Points.** Of all corners of common parts, those that are extreme in eight directions at right angles to the normal.
//! Ties go to the first in the order of pairs, so the result is the same always.

use super::contacts;
use super::convex::measure;
use super::side::Side;
use crate::bound::Extent;
use crate::contact::{Feature, Manifold, ManifoldPoint, TriangleContact};
use crate::exact::unit_normal;
use crate::math::{Pose, Vec3, unit};
use crate::shape::{HalfSpace, Placed, Shape, SupportMap};

/// What meets: a triangle, or a convex shape.
enum Part<'p> {
    Triangle {
        corners: [Vec3; 3],
        /// Of unit length, or zero.
        normal: Vec3,
    },
    Convex(&'p Placed<'p>),
}

/// Two parts that meet, and points that they have in common.
struct Piece<'p> {
    points: Vec<Vec3>,
    features: [Feature; 2],
    parts: [Part<'p>; 2],
}

impl Part<'_> {
    fn triangle(corners: [Vec3; 3]) -> Self {
        Part::Triangle {
            corners,
            normal: unit_normal(corners),
        }
    }

    /// The unit normal, or zero.
    fn normal(&self) -> Vec3 {
        match self {
            Part::Triangle { normal, .. } => *normal,
            Part::Convex(_) => Vec3::ZERO,
        }
    }

    /// The smallest product of a direction with a point of it; `None` when there is none.
    fn lowest(&self, direction: Vec3) -> Option<f64> {
        match self {
            Part::Triangle { corners, .. } => {
                let [p, q, r] = corners.map(|p| direction.dot(p));
                Some(p.min(q).min(r))
            }
            Part::Convex(placed) => lowest_of(placed.shape, &placed.pose, direction),
        }
    }
}

/// The manifold of two meshes; `None` when their surfaces do not meet.
pub(super) fn of_meshes(a: &Side<'_>, b: &Side<'_>) -> Option<Manifold> {
    let piece = |contact: TriangleContact| {
        let [p, q] = contact.triangles;
        Piece {
            points: contact.section.points().to_vec(),
            features: [Feature::Face(p), Feature::Face(q)],
            parts: [a.placed(p), b.placed(q)].map(Part::triangle),
        }
    };
    let pieces: Vec<Piece<'_>> = contacts::of_meshes(a, b).into_iter().map(piece).collect();
    let normal = normal_of_curves(&pieces).or_else(|| mean_normal(&pieces));
    let normal = normal.unwrap_or_else(|| between(a, b.pose.place(b.bounds().center())));
    summed_up(&pieces, normal)
}

/// The manifold of a mesh, which is the first, and a convex shape; `None` when the surface does not meet the shape.
pub(super) fn with_convex(mesh: Side<'_>, other: &Placed<'_>) -> Option<Manifold> {
    let center = Extent::of(other.shape).map(|extent| other.pose.place(extent.center));
    let piece = |triangle: u32| {
        let corners = mesh.placed(triangle);
        let near = measure(&corners, other);
        let normal = unit_normal(corners);
        let is_behind = center.is_some_and(|center| normal.dot(center - corners[0]) < 0.0);
        let is_turned = is_behind && !mesh.is_solid;
        let normal = if is_turned { -normal } else { normal };
        Piece {
            points: vec![near.witness.a],
            features: [Feature::Face(triangle), near.features[1]],
            parts: [Part::Triangle { corners, normal }, Part::Convex(other)],
        }
    };
    let triangles = contacts::with_convex(mesh, other);
    let pieces: Vec<Piece<'_>> = triangles.into_iter().map(piece).collect();
    let normal = match half_space_of(other.shape) {
        Some(half_space) => upward(half_space, &other.pose).map(|up| -up),
        None => mean_normal(&pieces),
    };
    let center = center.unwrap_or_else(|| other.pose.translation());
    summed_up(&pieces, normal.unwrap_or_else(|| between(&mesh, center)))
}

/// The half-space that a shape is, perhaps rounded.
fn half_space_of(shape: &Shape) -> Option<&HalfSpace> {
    match shape {
        Shape::HalfSpace(half_space) => Some(half_space),
        Shape::Rounded(rounded) => half_space_of(rounded.core()),
        Shape::Sphere(_)
        | Shape::Cuboid(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::Polytope(_)
        | Shape::Custom(_)
        | Shape::Mesh(_)
        | Shape::Solid(_)
        | Shape::HeightField(_) => None,
    }
}

/// The way from a mesh to a point, for want of a better one.
fn between(mesh: &Side<'_>, point: Vec3) -> Vec3 {
    let from = mesh.pose.place(mesh.bounds().center());
    unit(point - from).unwrap_or(Vec3::Z)
}

/// The outward unit normal of a placed half-space.
fn upward(half_space: &HalfSpace, pose: &Pose) -> Option<Vec3> {
    let normal = half_space.normal();
    unit(*pose.matrix() * unit(normal / normal.abs().max_element())?)
}

/// The way along the area that the curves enclose.
fn normal_of_curves(pieces: &[Piece<'_>]) -> Option<Vec3> {
    let curves = || pieces.iter().filter(|piece| piece.points.len() == 2);
    let (mut middle, mut count) = (Vec3::ZERO, 0.0);
    for piece in curves() {
        middle += piece.points[0];
        count += 1.0;
    }
    middle /= f64::max(count, 1.0);
    let ends = || curves().flat_map(|piece| &piece.points);
    let size = ends().fold(0.0, |size, p| (*p - middle).abs().max_element().max(size));
    let (mut area, mut length) = (Vec3::ZERO, 0.0);
    for piece in curves() {
        // In units of their size: areas of tiny and of huge curves are beyond numbers.
        let [from, to] = [piece.points[0], piece.points[1]].map(|p| (p - middle) / size);
        let [n, m] = [piece.parts[0].normal(), piece.parts[1].normal()];
        let along = n.cross(m).dot(to - from);
        area += from.cross(to) * (0.5 * if along < 0.0 { -1.0 } else { 1.0 });
        length += (to - from).length();
    }
    // A share of the area of a circle of that length.
    let is_fair = area.length() > FAIR * length * length;
    unit(area).filter(|_| is_fair)
}

/// A hundredth of `1 / (4 pi)`.
const FAIR: f64 = 8e-4;

/// The mean of the normals, weighted by what the triangles have in common.
fn mean_normal(pieces: &[Piece<'_>]) -> Option<Vec3> {
    let all = pieces.iter().flat_map(from_first);
    let size = all.fold(f64::MIN_POSITIVE, |size, v| v.abs().max_element().max(size));
    let weighted = pieces.iter().map(|piece| {
        // In units of the largest, whose squares are numbers.
        let lengths = from_first(piece).map(|v| (v / size).length());
        let weight = lengths.fold(0.0, f64::max);
        (piece.parts[0].normal() - piece.parts[1].normal(), weight)
    });
    let (mut sum, mut plain) = (Vec3::ZERO, Vec3::ZERO);
    for (normal, weight) in weighted {
        sum += normal * weight;
        plain += normal;
    }
    unit(sum).or_else(|| unit(plain))
}

/// The points of a piece, from the first of them.
fn from_first<'p>(piece: &'p Piece<'_>) -> impl Iterator<Item = Vec3> + 'p {
    piece.points.iter().map(|p| *p - piece.points[0])
}

/// The depth along a normal or one close to it, and the points.
fn summed_up(pieces: &[Piece<'_>], normal: Vec3) -> Option<Manifold> {
    // Infinite along directions that lead out of nothing.
    let depth_along = |normal: Vec3| {
        let ways = pieces.iter().map(|piece| way_out(piece, normal));
        ways.fold(0.0, f64::max)
    };
    let (mut best, mut depth) = (normal, depth_along(normal));
    for side in 0..2 {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let normals = pieces.iter().map(|piece| piece.parts[side].normal() * sign);
        // Of several that are equal, the first.
        let closest = normals.reduce(|p, q| if q.dot(normal) > p.dot(normal) { q } else { p })?;
        let own = depth_along(closest);
        if closest.dot(normal) > CLOSE && own < depth {
            (best, depth) = (closest, own);
        }
    }
    Some(Manifold {
        normal: best,
        depth,
        points: extreme_points(pieces, best)?,
    })
}

/// The cosine of 45 degrees, or nearly.
const CLOSE: f64 = 0.7;

/// How far along the normal the second part has to go until it has left the first, at most; infinite where that is not known.
fn way_out(piece: &Piece<'_>, normal: Vec3) -> f64 {
    let [first, second] = &piece.parts;
    let mut least = f64::INFINITY;
    for direction in [normal, first.normal(), -second.normal()] {
        let speed = direction.dot(normal);
        if speed > STEEP
            && let (Some(high), Some(low)) = (first.lowest(-direction), second.lowest(direction))
        {
            least = least.min((-high - low) / speed);
        }
    }
    // Of zero without a sign.
    if least > 0.0 { least } else { 0.0 }
}

/// A plane that is nearly along the way is none to leave by.
const STEEP: f64 = 0.05;

/// The points that are extreme in eight directions at right angles to a normal, each once.
fn extreme_points(pieces: &[Piece<'_>], normal: Vec3) -> Option<Vec<ManifoldPoint>> {
    let right = normal.any_orthonormal_vector();
    let front = normal.cross(right);
    let diagonal = [right + front, right - front];
    let directions = [right, front, diagonal[0], diagonal[1]];
    let directions = directions.into_iter().flat_map(|d| [d, -d]);
    let all = || {
        pieces.iter().flat_map(|piece| {
            piece.points.iter().map(|point| ManifoldPoint {
                point: *point,
                features: piece.features,
            })
        })
    };
    let origin = all().next()?.point;
    let mut points: Vec<ManifoldPoint> = Vec::new();
    for direction in directions {
        let height = |p: &ManifoldPoint| direction.dot(p.point - origin);
        // Of several that are equal, the first.
        let farthest = all().reduce(|p, q| if height(&q) > height(&p) { q } else { p })?;
        if points.iter().all(|known| known.point != farthest.point) {
            points.push(farthest);
        }
    }
    Some(points)
}

/// The smallest product of a direction with a point of a convex shape, rounded; `None` when there is none.
fn lowest_of(shape: &Shape, pose: &Pose, direction: Vec3) -> Option<f64> {
    let towards = -pose.unrotate(direction);
    let height = |p: Vec3| direction.dot(pose.place(p));
    Some(match shape {
        Shape::Sphere(s) => height(s.support(towards)),
        Shape::Cuboid(s) => height(s.support(towards)),
        Shape::Capsule(s) => height(s.support(towards)),
        Shape::Cylinder(s) => height(s.support(towards)),
        Shape::Cone(s) => height(s.support(towards)),
        Shape::Ellipsoid(s) => height(s.support(towards)),
        Shape::Polytope(s) => height(s.support(towards)),
        Shape::Custom(s) => height(s.support(towards)),
        Shape::Rounded(s) => {
            lowest_of(s.core(), pose, direction)? - s.radius() * direction.length()
        }
        // Bounded in one direction only.
        Shape::HalfSpace(half_space) => {
            let is_down = upward(half_space, pose)?.dot(direction) < DOWN * direction.length();
            let largest = half_space.normal().abs().max_element();
            let normal = half_space.normal() / largest;
            let level = half_space.offset() / largest / normal.length();
            return is_down.then(|| height(normal.normalize() * level));
        }
        Shape::Mesh(_) | Shape::Solid(_) | Shape::HeightField(_) => return None,
    })
}

/// Minus the cosine of an angle of a few roundings.
const DOWN: f64 = -1.0 + 1e-12;
