//! Shapes at poses, asked through `query`: decisions and distances.
//!
//! The truth is about the placed vertices, `pose.place(v)` for each vertex. Every shape here is a union of convex pieces:
//! one for a box, a polytope or the inside of a convex mesh, one a triangle for a soup.

use super::claim::{Claim, size};
use super::hulls::cloud;
use super::{Random, Verdict, anywhere, on_lattice, pairs, run, scale};
use crate::oracle::{hull_distance, hulls_meet};
use impinge::shape::Cuboid;
use impinge::{Mat3, Polytope, Pose, Quat, Shape, TriMesh, Vec3, query};
use rand::RngExt;

#[test]
fn mass_placed_shapes() {
    run(
        "placed shapes",
        pairs(2_000, 60_000),
        &[
            ("turned polytopes", &|r| check(&turned_polytopes(r))),
            ("turned boxes", &|r| check(&turned_boxes(r))),
            ("kissing boxes", &|r| check(&kissing_boxes(r))),
            ("quarter turns on a grid", &|r| check(&grid_boxes(r))),
            ("vertex near vertex", &|r| check(&grazing_polytopes(r))),
            ("far, any scale", &|r| check(&distant_polytopes(r))),
            ("soup, soup", &|r| check(&[soup(r), soup(r)])),
            ("soup, grid box", &|r| check(&[soup(r), grid_box(r)])),
            ("soup, solid", &|r| check(&[soup(r), solid(r)])),
            ("solid, solid", &|r| check(&[solid(r), solid(r)])),
        ],
    );
}

/// A shape at a pose, with the placed vertices of its convex pieces.
struct Body {
    shape: Shape,
    pose: Pose,
    pieces: Vec<Vec<Vec3>>,
}

impl Body {
    /// A shape of one piece.
    fn convex(shape: Shape, vertices: &[Vec3], pose: Pose) -> Body {
        Body {
            shape,
            pose,
            pieces: vec![vertices.iter().map(|v| pose.place(*v)).collect()],
        }
    }

    fn polytope(points: &[Vec3], pose: Pose) -> Body {
        let polytope = Polytope::from_points(points).expect("clouds have volume");
        let vertices = polytope.vertices().to_vec();
        Body::convex(polytope.into(), &vertices, pose)
    }

    fn cuboid(half: Vec3, pose: Pose) -> Body {
        let cuboid = Cuboid::new(half).expect("a box has volume");
        Body::convex(Shape::Cuboid(cuboid.clone()), &cuboid.corners(), pose)
    }
}

fn check(bodies: &[Body; 2]) -> Verdict {
    let [a, b] = bodies;
    let (left, right) = (a.shape.at(a.pose), b.shape.at(b.pose));
    let pairs = || (a.pieces.iter()).flat_map(|p| b.pieces.iter().map(move |q| (p, q)));
    let meets = pairs().any(|(p, q)| hulls_meet(p, q));
    let answers = [
        query::intersects(left, right),
        query::intersects(right, left),
    ];
    let complaint = if answers == [meets; 2] {
        let answer = query::distance(left, right);
        let claim = Claim {
            distance: answer.distance,
            bounds: answer.bounds,
            witness: answer.witness,
        };
        let truth = pairs().map(|(p, q)| hull_distance(p, q)).min();
        let size = size(a.pieces.iter().chain(&b.pieces).flatten());
        claim.complaint(&truth.expect("there are pieces"), size)
    } else {
        Some(format!("{answers:?}, not {meets}"))
    };
    Verdict {
        meets,
        wrong: complaint.map(|what| format!("{what}: {:?} {:?}", a.pieces, b.pieces)),
    }
}

fn turn(random: &mut Random) -> Quat {
    loop {
        let [x, y, z, w] = [(); 4].map(|()| random.random_range(-1.0..1.0));
        let q = Quat::from_xyzw(x, y, z, w);
        if (0.1..1.0).contains(&q.length()) {
            return q.normalize();
        }
    }
}

fn pose(random: &mut Random, translation: Vec3) -> Pose {
    Pose::from_quat(turn(random), translation).expect("a rotation")
}

fn turned_polytopes(random: &mut Random) -> [Body; 2] {
    [0.0, 1.0].map(|reach| {
        let points = cloud(random);
        let translation = anywhere(random) * 2.0 * reach;
        Body::polytope(&points, pose(random, translation))
    })
}

fn half_size(random: &mut Random) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| random.random_range(0.05..1.0)))
}

fn turned_boxes(random: &mut Random) -> [Body; 2] {
    [0.0, 1.0].map(|reach| {
        let translation = anywhere(random) * 2.0 * reach;
        Body::cuboid(half_size(random), pose(random, translation))
    })
}

/// Boxes with a common orientation, moved along an axis of theirs until they touch, up to rounding.
fn kissing_boxes(random: &mut Random) -> [Body; 2] {
    let (size_a, size_b) = (half_size(random), half_size(random));
    let start = pose(random, Vec3::ZERO);
    let axis = random.random_range(0..3);
    let mut step = anywhere(random) * 0.5;
    step[axis] = size_a[axis] + size_b[axis];
    let base = anywhere(random) * scale(random, 0..=3);
    let at = |t| Pose::from_matrix(*start.matrix(), t).expect("a rotation");
    [
        Body::cuboid(size_a, at(base)),
        Body::cuboid(size_b, at(base + start.rotate(step))),
    ]
}

/// Boxes of integer size at integer places, turned by quarters: contacts are exact.
fn grid_boxes(random: &mut Random) -> [Body; 2] {
    [(); 2].map(|()| grid_box(random))
}

fn grid_box(random: &mut Random) -> Body {
    let half = on_lattice(random, 2).abs() + Vec3::ONE;
    Body::cuboid(half, grid_pose(random))
}

fn grid_pose(random: &mut Random) -> Pose {
    let quarter = Mat3::from_cols(Vec3::Y, Vec3::NEG_X, Vec3::Z);
    let third = Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X);
    let matrix = match random.random_range(0..3) {
        0 => quarter,
        1 => third,
        _ => third * quarter,
    };
    Pose::from_matrix(matrix, on_lattice(random, 3)).expect("a rotation")
}

/// A few triangles with corners on the grid, some of them without area.
fn soup(random: &mut Random) -> Body {
    let vertices: Vec<Vec3> = (0..6).map(|_| on_lattice(random, 4)).collect();
    let triangles: Vec<[u32; 3]> = (0..random.random_range(1..=4))
        .map(|_| [(); 3].map(|()| random.random_range(0..6)))
        .collect();
    let pose = grid_pose(random);
    let mesh = TriMesh::new(vertices, triangles).expect("indices are in range");
    let pieces = (0..mesh.triangles().len())
        .map(|t| mesh.corners(t).map(|v| pose.place(v)).to_vec())
        .collect();
    Body {
        shape: mesh.into(),
        pose,
        pieces,
    }
}

/// A convex mesh on the grid with its inside, large enough to hold a soup.
fn solid(random: &mut Random) -> Body {
    let polytope = loop {
        let points: Vec<Vec3> = (0..random.random_range(4..=12))
            .map(|_| on_lattice(random, 8))
            .collect();
        // Points in one plane have no inside.
        if let Ok(polytope) = Polytope::from_points(&points) {
            break polytope;
        }
    };
    let shape = Shape::solid(polytope.to_mesh()).expect("hulls are closed");
    Body::convex(shape, polytope.vertices(), grid_pose(random))
}

/// Polytopes moved so that a vertex of one is a vertex of the other, up to rounding.
fn grazing_polytopes(random: &mut Random) -> [Body; 2] {
    let [points_a, points_b] = [(); 2].map(|()| cloud(random));
    let (a, turned) = (pose(random, Vec3::ZERO), pose(random, Vec3::ZERO));
    let direction = anywhere(random);
    let furthest = |points: &[Vec3], pose: &Pose, direction: Vec3| {
        let along = |p: &Vec3| p.dot(direction);
        let placed = points.iter().map(|v| pose.place(*v));
        placed
            .max_by(|p, q| along(p).total_cmp(&along(q)))
            .expect("points")
    };
    let to = furthest(&points_a, &a, direction);
    let from = furthest(&points_b, &turned, -direction);
    let b = Pose::from_matrix(*turned.matrix(), to - from).expect("a rotation");
    [Body::polytope(&points_a, a), Body::polytope(&points_b, b)]
}

/// Any size, up to a thousand times as far away.
fn distant_polytopes(random: &mut Random) -> [Body; 2] {
    let factor = scale(random, -9..=9);
    let offset = anywhere(random) * factor * scale(random, 0..=3);
    [0.0, 1.0].map(|reach| {
        let points: Vec<Vec3> = cloud(random).iter().map(|p| *p * factor).collect();
        let translation = offset + anywhere(random) * 2.0 * reach * factor;
        Body::polytope(&points, pose(random, translation))
    })
}
