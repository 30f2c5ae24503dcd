//! A few corners that stand for many: those farthest along directions all around.

use crate::math::Vec3;
use crate::shape::Polytope;

/// How many directions are tried for the axes of boxes.
const DIRECTIONS: usize = 64;

/// The `k`-th of `count` directions that are spread evenly over the sphere, on a spiral (Saff and Kuijlaars 1997).
fn direction(k: usize, count: usize) -> Vec3 {
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
    let (sine, cosine) = (golden * k as f64).sin_cos();
    let radius = (1.0 - z * z).sqrt();
    Vec3::new(radius * cosine, radius * sine, z)
}

/// Corners that are farthest along one of `count` directions; all of them, each once, if there are no more than that.
pub(super) fn extreme_corners(triangles: &[[Vec3; 3]], count: usize) -> Vec<Vec3> {
    let corners = || triangles.iter().flatten().copied();
    if 3 * triangles.len() <= count {
        return distinct(corners());
    }
    distinct((0..count).map(|k| {
        let along = direction(k, count);
        let best = (triangles[0][0], f64::NEG_INFINITY);
        let (corner, _) = corners().fold(best, |best, p| {
            let height = along.dot(p);
            if height > best.1 { (p, height) } else { best }
        });
        corner
    }))
}

fn distinct(points: impl Iterator<Item = Vec3>) -> Vec<Vec3> {
    let mut points: Vec<Vec3> = points.collect();
    let order = |p: &Vec3, q: &Vec3| {
        let by = |k: usize| p[k].total_cmp(&q[k]);
        by(0).then(by(1)).then(by(2))
    };
    points.sort_by(order);
    points.dedup();
    points
}

/// The surface of the hull of sampled corners, as triangles; `None` when they are in one plane.
pub(super) fn hull_of_sample(triangles: &[[Vec3; 3]]) -> Option<Vec<[Vec3; 3]>> {
    let hull = Polytope::from_points(&extreme_corners(triangles, DIRECTIONS)).ok()?;
    let corner = |v: u32| hull.vertices()[v as usize];
    Some(hull.triangles().map(|ids| ids.map(corner)).collect())
}
