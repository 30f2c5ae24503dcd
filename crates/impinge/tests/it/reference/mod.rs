//! The reference answers against independent ones.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod certificates;
mod closed_forms;
mod exactness;
mod fixed;
mod solids;

use impinge::{Placed, Polytope, Pose, Quat, Shape, Solid, TriMesh, Vec3};
use rand::{Rng, RngExt};

/// A random pose: turned any way, moved by up to `reach` on each axis.
fn random_pose(rng: &mut impl Rng, reach: f64) -> Pose {
    let turn = Quat::from_xyzw(
        rng.random_range(-1.0..1.0),
        rng.random_range(-1.0..1.0),
        rng.random_range(-1.0..1.0),
        rng.random_range(0.1..1.0),
    );
    Pose::from_quat(turn.normalize(), random_point(rng, reach)).unwrap()
}

fn random_point(rng: &mut impl Rng, reach: f64) -> Vec3 {
    let mut coordinate = || rng.random_range(-1.0..=1.0) * reach;
    Vec3::new(coordinate(), coordinate(), coordinate())
}

/// A size between 0.1 and 1, or between `1 / aspect` and 1 now and then.
fn random_size(rng: &mut impl Rng, aspect: f64) -> f64 {
    let smallest = if rng.random_bool(0.3) {
        1.0 / aspect
    } else {
        0.1
    };
    f64::powf(smallest, rng.random_range(0.0..1.0))
}

/// How many kinds [`random_shape`] knows, all of them but half-spaces.
const KINDS: usize = 12;

/// A shape of the given kind, of a size near one, with proportions of up to 1000.
fn random_shape(rng: &mut impl Rng, kind: usize) -> Shape {
    let mut size = || random_size(rng, 1e3);
    let (x, y, z) = (size(), size(), size());
    match kind {
        0 => Shape::sphere(x).unwrap(),
        1 => Shape::cuboid(Vec3::new(x, y, z)).unwrap(),
        2 => Shape::capsule(x, y).unwrap(),
        3 => Shape::cylinder(x, y).unwrap(),
        4 => Shape::cone(x, y).unwrap(),
        5 => Shape::ellipsoid(Vec3::new(x, y, z)).unwrap(),
        6 => {
            let points: Vec<Vec3> = (0..12).map(|_| random_point(rng, x)).collect();
            Shape::hull(&points).unwrap()
        }
        7 => Shape::from(random_soup(rng, 6)),
        8 => Shape::from(random_blob(rng)),
        9 => Shape::cuboid(Vec3::new(x, y, z))
            .unwrap()
            .rounded(0.1)
            .unwrap(),
        10 => Shape::cone(x, y).unwrap().rounded(0.2).unwrap(),
        _ => Shape::capsule(x, y)
            .unwrap()
            .rounded(0.1)
            .unwrap()
            .rounded(0.3)
            .unwrap(),
    }
}

fn random_soup(rng: &mut impl Rng, triangles: u32) -> TriMesh {
    let vertices = (0..3 * triangles).map(|_| random_point(rng, 0.7)).collect();
    let triangles = (0..triangles).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    TriMesh::new(vertices, triangles.collect()).unwrap()
}

/// The surface of a random hull, with its inside.
fn random_blob(rng: &mut impl Rng) -> Solid {
    let points: Vec<Vec3> = (0..10).map(|_| random_point(rng, 0.8)).collect();
    Solid::new(Polytope::from_points(&points).unwrap().to_mesh()).unwrap()
}

/// The largest coordinate of anything in a placed shape, roughly: what "scale" means in the contract.
fn scale(placed: &Placed<'_>) -> f64 {
    placed.pose.translation().abs().max_element() + size(placed.shape)
}

fn size(shape: &Shape) -> f64 {
    let largest = |points: &[Vec3]| points.iter().fold(0.0, |l: f64, p| l.max(p.length()));
    match shape {
        Shape::Sphere(s) => s.radius(),
        Shape::Cuboid(c) => c.half_size().length(),
        Shape::Capsule(c) => c.half_height() + c.radius(),
        Shape::Cylinder(c) => c.half_height() + c.radius(),
        Shape::Cone(c) => c.half_height() + c.radius(),
        Shape::Ellipsoid(e) => e.radii().max_element(),
        Shape::Polytope(p) => largest(p.vertices()),
        Shape::Mesh(m) => largest(m.vertices()),
        Shape::Solid(s) => largest(s.mesh().vertices()),
        Shape::Rounded(r) => size(r.core()) + r.radius(),
        Shape::HalfSpace(_) | _ => 0.0,
    }
}
