//! The shapes of a recording as hulls of Box3D.

use box3d_sys::{b3CreateHull, b3DestroyHull, b3HullData, b3ShapeProxy, b3Vec3};
use impinge::Vec3;
use impinge_scenes::trace::TraceShape;

/// The most vertices, faces or edges that a hull may have.
const LIMIT: usize = 128;

/// All shapes, by number.
pub struct Hulls {
    points: Vec<Vec<b3Vec3>>,
    hulls: Vec<*mut b3HullData>,
}

impl Hulls {
    /// Builds the hulls; `None` when a shape is beyond the library's limits.
    pub fn new(shapes: &[TraceShape]) -> Option<Hulls> {
        let fits = |count: usize| count <= LIMIT;
        let fit = |s: &TraceShape| fits(s.vertices.len()) && fits(s.triangles.len() * 3 / 2);
        if !shapes.iter().all(fit) {
            return None;
        }
        let points = shapes
            .iter()
            .map(|s| s.vertices.iter().map(|v| vector(*v)).collect());
        let points: Vec<Vec<b3Vec3>> = points.collect();
        let hulls = points
            .iter()
            // SAFETY: the pointer and the count describe the vector, which outlives the call.
            .map(|p| unsafe { b3CreateHull(p.as_ptr(), p.len() as i32, 255) })
            .collect();
        Some(Hulls { points, hulls })
    }

    /// A hull; it lives as long as this does.
    pub fn hull(&self, shape: usize) -> *mut b3HullData {
        self.hulls[shape]
    }

    /// Its points, as GJK takes them; they live as long as this does.
    pub fn proxy(&self, shape: usize) -> b3ShapeProxy {
        let points = &self.points[shape];
        b3ShapeProxy {
            points: points.as_ptr(),
            count: points.len() as i32,
            radius: 0.0,
        }
    }
}

impl Drop for Hulls {
    fn drop(&mut self) {
        for hull in &self.hulls {
            // SAFETY: made by `b3CreateHull` and not destroyed before.
            unsafe { b3DestroyHull(*hull) };
        }
    }
}

/// A vector in the precision of the library.
pub fn vector(v: Vec3) -> b3Vec3 {
    b3Vec3 {
        x: v.x as f32,
        y: v.y as f32,
        z: v.z as f32,
    }
}
