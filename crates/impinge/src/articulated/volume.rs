//! What is known about a part before its vertices are looked at: a box around it, and a few of its vertices.
//!
//! - **Outside: a box** in the frame of the part. Two turned boxes are compared along the fifteen directions that can separate
//!   them ([`OwnBox`](crate::bound::OwnBox)).
//! - **Inside: the hull of few vertices**, those that are farthest in 50 directions. It is a subset of the part, so where two
//!   such hulls meet, the parts meet; what is decided about them is exact, because their placed vertices are placed vertices of
//!   the parts. Where they do not meet, what was found is where to begin with the parts.
//!
//! **Rounding of boxes along the axes.** With `u` half an EPSILON, a coordinate of a placed point is off by at most `4 u` times
//! the sum of its products, at most twice the reach, and by `u` times the translation; what is computed here adds no more than
//! as much again.

use crate::bound::Extent;
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Polytope, Shape};

/// A box around a part, and a hull of some of its vertices.
#[derive(Debug)]
pub(super) struct Volume {
    /// None for a half-space.
    extent: Option<Extent>,
    /// None for what is no polytope, or has few vertices itself.
    inner: Option<Inner>,
}

/// A hull of few vertices of a polytope.
#[derive(Debug)]
struct Inner {
    hull: Polytope,
    /// For each of its vertices that of the polytope.
    names: Vec<u32>,
}

/// Polytopes of so few vertices are looked at as they are.
const FEW: usize = 64;

impl Volume {
    pub(super) fn new(shape: &Shape) -> Volume {
        let polytope = shape.as_polytope();
        let large = polytope.filter(|polytope| polytope.vertices().len() > FEW);
        Volume {
            extent: Extent::of(shape),
            inner: large.and_then(Inner::new),
        }
    }

    /// The hull of few vertices, or the polytope itself if it has no more.
    #[inline]
    pub(super) fn inner<'a>(&'a self, whole: &'a Polytope) -> &'a Polytope {
        self.inner.as_ref().map_or(whole, |inner| &inner.hull)
    }

    /// For each vertex of [`Volume::inner`] that of the polytope; `None` when they are the same.
    #[inline]
    pub(super) fn inner_names(&self) -> Option<&[u32]> {
        self.inner.as_ref().map(|inner| inner.names.as_slice())
    }

    /// How large the part is; `None` for a half-space.
    #[inline]
    pub(super) fn extent(&self) -> Option<&Extent> {
        self.extent.as_ref()
    }

    /// A box along the axes of the world that holds the placed part; the largest one where numbers do not reach.
    #[inline]
    pub(super) fn at(&self, pose: &Pose) -> Aabb {
        let Some(extent) = &self.extent else {
            return everything();
        };
        let matrix = pose.matrix();
        let half = matrix.x_axis.abs() * extent.half.x
            + matrix.y_axis.abs() * extent.half.y
            + matrix.z_axis.abs() * extent.half.z;
        let away = pose.translation().abs().max_element();
        let half = half + Vec3::splat(16.0 * f64::EPSILON * (extent.reach + away));
        let middle = pose.place(extent.middle);
        if (middle.abs() + half).element_sum() < f64::INFINITY {
            Aabb::between(middle - half, middle + half)
        } else {
            everything()
        }
    }

    /// Whether the boxes of two placed parts are certainly apart.
    #[inline]
    pub(super) fn are_apart(&self, pose: &Pose, other: &Volume, other_pose: &Pose) -> bool {
        let (Some(a), Some(b)) = (&self.extent, &other.extent) else {
            return false;
        };
        a.own_box().is_apart(pose, &b.own_box(), other_pose)
    }
}

/// The largest box.
#[cold]
fn everything() -> Aabb {
    Aabb::between(Vec3::splat(-f64::MAX), Vec3::splat(f64::MAX))
}

impl Inner {
    /// The hull of the vertices that are farthest in the directions to the corners, edges and faces of the part's box, as if
    /// that were a cube, and some between them; `None` when they are flat.
    fn new(polytope: &Polytope) -> Option<Inner> {
        let vertices = polytope.vertices();
        let bounds = Aabb::of_points(vertices.iter().copied())?;
        let farthest = |direction: Vec3| {
            let height = |k: u32| direction.dot(vertices[k as usize] - bounds.center());
            (0..vertices.len() as u32).max_by(|p, q| height(*p).total_cmp(&height(*q)))
        };
        let directions = directions().map(|direction| direction / bounds.size());
        let few: Vec<u32> = directions.filter_map(farthest).collect();
        let points: Vec<Vec3> = few.iter().map(|k| vertices[*k as usize]).collect();
        let hull = Polytope::from_points(&points).ok()?;
        let names = hull.source_indices().iter();
        Some(Inner {
            names: names.map(|k| few[*k as usize]).collect(),
            hull,
        })
    }
}

/// Fifty directions: all with coordinates -1, 0 and 1 but zero, and those with two of 1 and one of a half, of any signs.
fn directions() -> impl Iterator<Item = Vec3> {
    // In halves.
    let steps = || -2..=2_i32;
    let all = steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| [x, y, z])));
    let wanted = all.filter(|direction| {
        let count = |size: i32| direction.iter().filter(|x| x.abs() == size).count();
        matches!((count(1), count(2)), (0, 1..) | (1, 2))
    });
    wanted.map(|direction| Vec3::from_array(direction.map(f64::from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_fifty_different_directions() {
        let all: Vec<Vec3> = directions().collect();
        assert_eq!(all.len(), 50);
        assert!(all.iter().all(|d| all.contains(&-*d)));
    }

    #[test]
    fn an_inner_hull_has_vertices_of_the_polytope() {
        let points = impinge_scenes::points::on_sphere(300, 5);
        let whole = Polytope::from_points(
            &points
                .iter()
                .map(|p| Vec3::new(p.x, p.y * 3.0, p.z))
                .collect::<Vec<_>>(),
        );
        let whole = whole.unwrap();
        let inner = Inner::new(&whole).unwrap();
        assert!(inner.hull.vertices().len() <= 50);
        assert!(inner.hull.volume() > 0.6 * whole.volume());
        for (vertex, name) in inner.hull.vertices().iter().zip(&inner.names) {
            assert_eq!(*vertex, whole.vertices()[*name as usize]);
        }
    }
}
