//! Two knots that come near each other, cross, and part: the scene for questions about meshes.

use impinge::{Error, Pose, TriMesh, Vec3};
use std::f64::consts::TAU;

/// How many times as many corners a tube has along as around.
const SLENDER: f64 = 25.0;
/// The radius of tubes; the knots wind around a circle of radius 2 at distance 1.
const TUBE: f64 = 0.35;

/// The tube around a torus knot that winds `p` times around the axis and `q` times around the circle, of about as many
/// triangles as asked for. It is closed, and outside is where its triangles are counter-clockwise.
///
/// ```
/// let knot = impinge_scenes::knots::torus_knot(2, 3, 1000)?;
/// assert!(impinge::Solid::new(knot).is_ok());
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn torus_knot(p: u32, q: u32, triangles: u32) -> Result<TriMesh, Error> {
    let around = (f64::from(triangles) / 2.0 / SLENDER)
        .sqrt()
        .round()
        .max(3.0) as u32;
    let along = (triangles / 2 / around).max(3);
    let (p, q) = (f64::from(p), f64::from(q));
    let center = |t: f64| {
        let out = 2.0 + (q * t).cos();
        Vec3::new(out * (p * t).cos(), out * (p * t).sin(), -(q * t).sin())
    };
    let mut vertices = Vec::with_capacity((along * around) as usize);
    for i in 0..along {
        let t = f64::from(i) / f64::from(along) * TAU;
        let tangent = (center(t + 1e-4) - center(t - 1e-4)).normalize();
        let core = 2.0 * Vec3::new((p * t).cos(), (p * t).sin(), 0.0);
        let outward = (center(t) - core)
            .reject_from_normalized(tangent)
            .normalize();
        let aside = tangent.cross(outward);
        for j in 0..around {
            let (sine, cosine) = (f64::from(j) / f64::from(around) * TAU).sin_cos();
            vertices.push(center(t) + (outward * cosine + aside * sine) * TUBE);
        }
    }
    let index = |i: u32, j: u32| (i % along) * around + j % around;
    let cells = (0..along).flat_map(|i| (0..around).map(move |j| (i, j)));
    let faces = cells.flat_map(|(i, j)| {
        let [a, b, c, d] =
            [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| index(i, j));
        [[a, c, b], [a, d, c]]
    });
    TriMesh::new(vertices, faces.collect())
}

/// Where the second knot is in each frame: far away, then near, then through the first and away again, turning all the
/// time. The first stays at the origin.
pub fn approach(frames: u32) -> Result<Vec<Pose>, Error> {
    let pose = |frame: u32| {
        let s = f64::from(frame) / f64::from(frames.max(2) - 1);
        let away = distance_at(s);
        let (azimuth, elevation) = (0.3 + 1.5 * s, 0.4 * (TAU * s).sin());
        let direction = Vec3::new(
            azimuth.cos() * elevation.cos(),
            azimuth.sin() * elevation.cos(),
            elevation.sin(),
        );
        Pose::from_axis_angle(Vec3::new(0.3, 0.8, -0.5), 1.0 + TAU * s, direction * away)
    };
    (0..frames).map(pose).collect()
}

/// The distance of the centres, by time from 0 to 1: smooth steps between given places.
fn distance_at(s: f64) -> f64 {
    const STOPS: [[f64; 2]; 7] = [
        [0.0, 12.0],
        [0.2, 7.0],
        [0.45, 6.2],
        [0.6, 5.0],
        [0.75, 1.2],
        [0.8, 1.2],
        [1.0, 12.0],
    ];
    let next = STOPS
        .iter()
        .position(|stop| s <= stop[0])
        .unwrap_or(6)
        .max(1);
    let ([from, start], [to, end]) = (STOPS[next - 1], STOPS[next]);
    let t = ((s - from) / (to - from)).clamp(0.0, 1.0);
    start + (end - start) * t * t * (3.0 - 2.0 * t)
}
