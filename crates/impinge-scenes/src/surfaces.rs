//! Surfaces that come close to each other without meeting: the scenes for trees of bounding volumes.

use impinge::{Error, Mat3, Pose, Quat, TriMesh, Vec3};
use std::f64::consts::TAU;

/// Two meshes, and poses of both.
#[derive(Debug, Clone)]
pub struct Parallel {
    /// The meshes.
    pub meshes: [TriMesh; 2],
    /// Where they are, time after time.
    pub poses: Vec<[Pose; 2]>,
}

/// A sphere of radius 1 and one inside it that is smaller by the gap, each of about as many triangles as asked for. The
/// inner one turns.
///
/// ```
/// let spheres = impinge_scenes::surfaces::nested_spheres(500, 0.1, 3)?;
/// let [outer, inner] = spheres.meshes.map(impinge::Shape::from);
/// let [p, q] = spheres.poses[2];
/// let near = impinge::query::distance(outer.at(p), inner.at(q));
/// assert!(0.0 < near.distance && near.distance < 0.1);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn nested_spheres(triangles: u32, gap: f64, poses: u32) -> Result<Parallel, Error> {
    let pose = |k: u32| -> Result<[Pose; 2], Error> { Ok([turned(2 * k)?, turned(2 * k + 1)?]) };
    Ok(Parallel {
        meshes: [sphere(triangles, 1.0)?, sphere(triangles, 1.0 - gap)?],
        poses: (0..poses).map(pose).collect::<Result<_, _>>()?,
    })
}

/// A sheet with waves, two units wide, and its copy a gap above it. The copy's own frame is turned, so that boxes along
/// the axes of both frames are turned against each other.
pub fn sheets(triangles: u32, gap: f64, poses: u32) -> Result<Parallel, Error> {
    let sheet = sheet(triangles)?;
    let own = Mat3::from_quat(Quat::from_scaled_axis(Vec3::new(0.7, -0.4, 0.9)));
    let vertices = sheet.vertices().iter();
    let copy = vertices.map(|v| own.transpose() * (*v + Vec3::Z * gap));
    let copy = TriMesh::new(copy.collect(), sheet.triangles().to_vec())?;
    let pose = |k: u32| -> Result<[Pose; 2], Error> {
        let outer = turned(k)?;
        let inner = Pose::from_matrix(own, Vec3::ZERO)?;
        Ok([outer, outer.compose(&inner)])
    };
    Ok(Parallel {
        meshes: [sheet, copy],
        poses: (0..poses).map(pose).collect::<Result<_, _>>()?,
    })
}

/// A turn about the origin, another for each number.
fn turned(number: u32) -> Result<Pose, Error> {
    let golden = 2.399_963_229_728_653 * f64::from(number);
    let axis = Vec3::new(golden.cos(), golden.sin(), 0.6 * (1.7 * golden).sin());
    Pose::from_axis_angle(axis, 1.0 + golden, Vec3::ZERO)
}

/// An octahedron whose faces are divided and blown up.
fn sphere(triangles: u32, radius: f64) -> Result<TriMesh, Error> {
    let steps = (f64::from(triangles) / 8.0).sqrt().round().max(1.0) as u32;
    let mut vertices = Vec::new();
    let mut faces = Vec::new();
    for octant in 0..8_u32 {
        let sign = |bit: u32| if octant >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let is_mirrored = sign(0) * sign(1) * sign(2) < 0.0;
        let first = vertices.len() as u32;
        for i in 0..=steps {
            for j in 0..=steps - i {
                let [x, y] = [i, j].map(|n| f64::from(n) / f64::from(steps));
                let on_face = Vec3::new(x * sign(0), y * sign(1), (1.0 - x - y) * sign(2));
                vertices.push(on_face.normalize() * radius);
            }
        }
        // Row i begins behind the rows before it, each one shorter than the last.
        let index = |i: u32, j: u32| first + i * (steps + 1) - i * i.saturating_sub(1) / 2 + j;
        for i in 0..steps {
            for j in 0..steps - i {
                let mut add = |[p, q, r]: [u32; 3]| {
                    faces.push(if is_mirrored { [p, r, q] } else { [p, q, r] });
                };
                add([index(i, j), index(i + 1, j), index(i, j + 1)]);
                if j + 1 < steps - i {
                    add([index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)]);
                }
            }
        }
    }
    TriMesh::new(vertices, faces)
}

fn sheet(triangles: u32) -> Result<TriMesh, Error> {
    let cells = (f64::from(triangles) / 2.0).sqrt().round().max(1.0) as u32;
    let at = |k: u32| {
        let [x, y] =
            [k % (cells + 1), k / (cells + 1)].map(|n| 2.0 * f64::from(n) / f64::from(cells) - 1.0);
        let waves = (0.8 * TAU * x).sin() * (0.6 * TAU * y).cos();
        Vec3::new(x, y, 0.12 * waves)
    };
    let vertices = (0..(cells + 1) * (cells + 1)).map(at).collect();
    let places = (0..cells).flat_map(|i| (0..cells).map(move |j| (cells + 1) * i + j));
    let faces = places.flat_map(|c| {
        let across = c + cells + 2;
        [[c, c + 1, across], [c, across, c + cells + 1]]
    });
    TriMesh::new(vertices, faces.collect())
}
