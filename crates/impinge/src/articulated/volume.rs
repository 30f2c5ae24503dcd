//! What is known about a part before its vertices are looked at: a box around it, and a few of its vertices.
//!
//! - **Outside: a box** in the frame of the part. Two turned boxes are compared along the fifteen directions that can separate
//!   them: the edges of both, and their products (Gottschalk, Lin and Manocha, OBBTree, 1996).
//! - **Inside: the hull of few vertices**, those that are farthest in 50 directions. It is a subset of the part, so where two
//!   such hulls meet, the parts meet; what is decided about them is exact, because their placed vertices are placed vertices of
//!   the parts. Where they do not meet, what was found is where to begin with the parts.
//!
//! **Rounding of boxes along the axes.** With `u` half an EPSILON, a coordinate of a placed point is off by at most `4 u` times
//! the sum of its products, at most twice the reach, and by `u` times the translation; what is computed here adds no more than
//! as much again.
//!
//! **Rounding of the comparison of turned boxes.** Let `a_i`, `b_j` be the columns of the two matrices as they are, `R = A^T B`, `D` the offset of
//! the placed centres. Each direction used is a sum of columns `a_i` or `b_j` with coefficients as computed, so that its product
//! with `D` is off by a few roundings only. What the boxes reach along it is computed as if the matrices were orthonormal; with
//! `E` the sum of their deviations, the products of columns are off by at most `8 E`, and by less than 8 EPSILON through rounding.
//! Placed vertices are off by the error of [`Pose::place`], less than 8 EPSILON times reach and translation. The
//! slack of [`Volume::are_apart`] is above all of that together, and above what underflow may take.

use crate::bound::Extent;
use crate::math::{Aabb, Mat3, Pose, Vec3};
use crate::shape::{Polytope, Shape};
use glam::swizzles::Vec3Swizzles;

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
    pub(super) fn are_apart(&self, pose: &Pose, other: &Volume, other_pose: &Pose) -> bool {
        let (Some(a), Some(b)) = (&self.extent, &other.extent) else {
            return false;
        };
        let offset = other_pose.place(b.middle) - pose.place(a.middle);
        let turn = pose.matrix().transpose() * *other_pose.matrix();
        let [seen_by_a, seen_by_b] = [pose.unrotate(offset), other_pose.unrotate(offset)];
        let slack = slack([a, b], [pose, other_pose], offset);
        let reach = Mat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let beyond_a = seen_by_a.abs() - (a.half + reach * b.half);
        let beyond_b = seen_by_b.abs() - (b.half + reach.transpose() * a.half);
        // The largest over faces and edges; written so that NaN does not separate.
        beyond_a.max(beyond_b).max_element() > slack
            || beyond_edges([a.half, b.half], &turn, &reach, seen_by_a) > slack
    }
}

/// How far the boxes are apart along the products of their edges, at most.
#[inline]
fn beyond_edges([half_a, half_b]: [Vec3; 2], turn: &Mat3, reach: &Mat3, offset: Vec3) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for j in 0..3 {
        let [along, size] = [turn.col(j), reach.col(j)];
        let [next, last] = [reach.col((j + 1) % 3), reach.col((j + 2) % 3)];
        let [half_next, half_last] = [half_b[(j + 1) % 3], half_b[(j + 2) % 3]];
        // Edge i of the one times edge j of the other, for all i at once.
        let away = offset.cross(along).abs();
        let own = half_a.zxy() * size.yzx() + half_a.yzx() * size.zxy();
        let others = last * half_next + next * half_last;
        most = most.max((away - own - others).max_element());
    }
    most
}

/// More than all that rounding, underflow and matrices that are not quite rotations can do.
#[inline]
fn slack([a, b]: [&Extent; 2], poses: [&Pose; 2], offset: Vec3) -> f64 {
    let deviation = poses[0].deviation() + poses[1].deviation() + 2.0 * f64::EPSILON;
    let size = a.half.element_sum() + b.half.element_sum() + offset.abs().element_sum();
    let away = |pose: &Pose| pose.translation().abs().max_element();
    let placing = a.reach + b.reach + away(poses[0]) + away(poses[1]);
    16.0 * deviation * size + 32.0 * f64::EPSILON * placing + f64::MIN_POSITIVE
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
