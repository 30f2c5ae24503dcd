//! Pairs of meshes and where they are: generated ones, and models from files.

use impinge::{Error, Pose, Quat, Shape, TriMesh, Vec3, io, query};
use impinge_scenes::knots::{approach, torus_knot};
use impinge_scenes::surfaces::{Parallel, nested_spheres, sheets};
use std::path::Path;
use std::sync::Arc;

/// Two meshes at some poses.
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) meshes: [Arc<TriMesh>; 2],
    pub(super) poses: Vec<[Pose; 2]>,
    /// Of close parallel surfaces: which, and how close.
    pub(super) gap: Option<(&'static str, f64)>,
}

/// Gaps between parallel surfaces, in units of their size.
pub(super) const GAPS: [f64; 5] = [0.1, 0.05, 0.02, 0.01, 0.005];

/// All generated scenes, with meshes of about as many triangles as asked for.
pub(super) fn generated(triangles: u32, poses: u32) -> Result<Vec<Scene>, Error> {
    let mut scenes = Vec::new();
    for gap in GAPS {
        let spheres = nested_spheres(triangles, gap, poses)?;
        scenes.push(parallel("spheres", gap, spheres));
        scenes.push(parallel("sheets", gap, sheets(triangles, gap, poses)?));
    }
    let knots = [torus_knot(2, 3, triangles)?, torus_knot(3, 4, triangles)?].map(Arc::new);
    // Times on the way of the knots: far away, so near that they interlock, through each other.
    for (name, from, to) in [
        ("knots far", 0, 20),
        ("knots close", 40, 55),
        ("knots interlocked", 60, 70),
        ("knots deep", 75, 80),
    ] {
        let path = approach(100)?;
        let places = (0..poses).map(|k| (from + (to - from) * k / poses.max(1)) as usize);
        scenes.push(Scene {
            name: name.to_owned(),
            meshes: knots.clone(),
            poses: places.map(|k| [Pose::IDENTITY, path[k]]).collect(),
            gap: None,
        });
    }
    Ok(scenes)
}

fn parallel(kind: &'static str, gap: f64, surfaces: Parallel) -> Scene {
    Scene {
        name: format!("{kind} {gap}"),
        meshes: surfaces.meshes.map(Arc::new),
        poses: surfaces.poses,
        gap: Some((kind, gap)),
    }
}

/// Two models, brought to the same size: overlapping a little, close, and apart.
pub(super) fn of_models(files: [&Path; 2], poses: u32) -> Result<Vec<Scene>, Error> {
    let meshes = [load(files[0])?, load(files[1])?].map(Arc::new);
    let shapes = meshes.clone().map(Shape::Mesh);
    let stem = |file: &Path| {
        file.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let ways = [("overlapping", -0.05), ("close", 0.01), ("apart", 0.5)];
    let mut scenes = Vec::new();
    for (name, beyond) in ways {
        let placed = (0..poses).map(|k| approached(&shapes, k, beyond));
        scenes.push(Scene {
            name: format!("{} and {} {name}", stem(files[0]), stem(files[1])),
            meshes: meshes.clone(),
            poses: placed.collect::<Result<_, _>>()?,
            gap: None,
        });
    }
    Ok(scenes)
}

/// A model about the origin, of radius 1.
fn load(file: &Path) -> Result<TriMesh, Error> {
    let mesh = io::read(file)?.triangulate()?;
    let (center, radius) = (mesh.bounds().center(), 0.5 * mesh.bounds().size().length());
    let vertices = mesh.vertices().iter().map(|v| (*v - center) / radius);
    TriMesh::new(vertices.collect(), mesh.triangles().to_vec())
}

/// The second shape, turned in some way, comes along some direction to where the first contact is, and stops before or
/// beyond.
fn approached(shapes: &[Shape; 2], number: u32, beyond: f64) -> Result<[Pose; 2], Error> {
    let angle = 2.399_963_229_728_653 * f64::from(number);
    let along = Vec3::new(angle.cos(), angle.sin(), 0.5 * (1.3 * angle).sin()).normalize();
    let turn = Quat::from_scaled_axis(Vec3::new(angle.sin(), 0.4, angle.cos()) * 1.7);
    let at = |distance: f64| Pose::from_quat(turn, along * distance);
    let first = shapes[0].at(Pose::IDENTITY);
    let (mut near, mut far) = (0.0, 2.5);
    for _ in 0..30 {
        let middle = 0.5 * (near + far);
        if query::intersects(first, shapes[1].at(at(middle)?)) {
            near = middle;
        } else {
            far = middle;
        }
    }
    Ok([Pose::IDENTITY, at(far + beyond)?])
}
