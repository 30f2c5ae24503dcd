//! Questions that only meshes and solids can be asked.

use crate::contact::{Manifold, Separation, SolidDepth, Tolerance, TriangleContact};
use crate::error::Error;
use crate::narrow::{PairCache, mesh};
use crate::shape::{Placed, Shape, TriMesh};

/// How far two placed shapes are apart, to a tolerance: quicker than [`distance`](super::distance) where a mesh or a solid
/// takes part, and the same otherwise.
///
/// The distance is 0 exactly when the shapes intersect, as ever. The bounds are certified, and no farther apart than the tolerance
/// allows, or than those of [`distance`](super::distance) if these are farther apart: `absolute`, or `relative` times the upper
/// bound, whichever is more. The witness points are points of the shapes, as far apart as the upper bound says. Fails
/// for a tolerance that is negative or not finite.
///
/// ```
/// # use impinge::{Polytope, Pose, Shape, Vec3, narrow::PairCache, contact::Tolerance, query};
/// let cube = Shape::from(Polytope::cuboid(Vec3::ONE)?.to_mesh());
/// let away = Pose::from_translation(Vec3::new(5.0, 0.5, 0.25))?;
/// let tolerance = Tolerance { absolute: 0.0, relative: 0.01 };
/// let mut cache = PairCache::default();
/// let near = query::distance_to_tolerance(cube.at(Pose::IDENTITY), cube.at(away), tolerance, &mut cache)?;
/// assert!(near.bounds.contains(3.0) && near.bounds.width() <= 0.0304);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn distance_to_tolerance(
    a: Placed<'_>,
    b: Placed<'_>,
    tolerance: Tolerance,
    cache: &mut PairCache,
) -> Result<Separation, Error> {
    tolerance.check()?;
    Ok(mesh::distance(&a, &b, Some(tolerance), cache)
        .unwrap_or_else(|| super::distance_with(a, b, cache)))
}

/// All pairs of triangles of two placed meshes that meet, sorted, each with what the two have in common.
///
/// Which pairs meet is exact, touching included, and so is whether they have a point, a segment or a polygon in common
/// (triangles in one plane); coordinates are rounded. Solids count as their surfaces: one inside the other has no
/// contacts. Fails for other shapes.
///
/// ```
/// # use impinge::{Pose, Shape, TriMesh, Vec3, exact::Section, query};
/// let floor = TriMesh::new(vec![Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0], vec![[0, 1, 2]])?;
/// let fin = TriMesh::new(vec![-Vec3::Z, Vec3::Z, Vec3::X], vec![[0, 1, 2]])?;
/// let (floor, fin) = (Shape::from(floor), Shape::from(fin));
/// let pose = Pose::from_translation(Vec3::new(1.0, 1.0, 0.0))?;
/// let contacts = query::mesh_contacts(floor.at(Pose::IDENTITY), fin.at(pose))?;
/// let expected = Section::Segment([Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0)]);
/// assert_eq!((contacts[0].triangles, &contacts[0].section), ([0, 0], &expected));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn mesh_contacts(a: Placed<'_>, b: Placed<'_>) -> Result<Vec<TriangleContact>, Error> {
    mesh::contacts(&a, &b).ok_or(Error::WrongShape {
        message: "contacts of triangles need two meshes or solids",
    })
}

/// The triangles of a placed mesh, or of the surface of a solid, that meet a placed convex shape, sorted.
///
/// As exact as [`intersects`](super::intersects). Fails when the first shape is no mesh, or the second is one.
///
/// ```
/// # use impinge::{Polytope, Pose, Shape, Vec3, query};
/// let cube = Shape::from(Polytope::cuboid(Vec3::ONE)?.to_mesh());
/// let ball = Shape::sphere(0.5)?;
/// let at = Pose::from_translation(Vec3::X * 1.5)?;
/// let touched = query::meeting_triangles(cube.at(Pose::IDENTITY), ball.at(at))?;
/// // The middle of a face, which is two triangles.
/// assert_eq!(touched.len(), 2);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn meeting_triangles(mesh: Placed<'_>, other: Placed<'_>) -> Result<Vec<u32>, Error> {
    mesh::meeting_triangles(&mesh, &other).ok_or(Error::WrongShape {
        message: "meeting triangles need a mesh or solid, and a convex shape",
    })
}

/// Where the surfaces of two placed shapes meet, of which at least one is a mesh or a solid: a few points, a normal and a depth
/// for a response.
///
/// `None` exactly when no triangle meets the other shape, which is as exact as [`intersects`](super::intersects); a shape inside a
/// solid has no such point either. [`Manifold`] says what is promised of normal and depth. Fails for two convex shapes,
/// which have a [`penetration`](super::penetration).
///
/// ```
/// # use impinge::{Polytope, Pose, Shape, Vec3, query};
/// let cube = Shape::solid(Polytope::cuboid(Vec3::ONE)?.to_mesh())?;
/// let above = Pose::from_translation(Vec3::new(0.25, 0.5, 1.75))?;
/// let manifold = query::manifold(cube.at(Pose::IDENTITY), cube.at(above))?.expect("they overlap");
/// assert!((manifold.normal - Vec3::Z).length() < 1e-12);
/// assert!((manifold.depth - 0.25).abs() < 1e-12);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn manifold(a: Placed<'_>, b: Placed<'_>) -> Result<Option<Manifold>, Error> {
    if a.shape.is_convex() && b.shape.is_convex() {
        return Err(Error::WrongShape {
            message: "a manifold needs a mesh or a solid",
        });
    }
    Ok(mesh::manifold(&a, &b))
}

/// How deep two placed solids are inside each other, within a tolerance; `None` exactly when they do not intersect.
///
/// The depth is that of the deepest point: the greatest distance from the surface of one solid of a point of the other's surface
/// that is inside it. [`SolidDepth`] says how it compares with the translation that parts them. The bounds are certified and
/// no farther apart than the tolerance, a length, but for roundings; or farther, when the tolerance is so small that a
/// quarter of a million parts of the surfaces do not suffice.
///
/// Fails for other shapes than solids, for a tolerance that is negative or not finite, and for solids so large, so small or so
/// different that their squares are beyond the range of `f64` or nearly so.
///
/// ```
/// # use impinge::{Polytope, Pose, Shape, Vec3, query};
/// let cube = Shape::solid(Polytope::cuboid(Vec3::ONE)?.to_mesh())?;
/// let beside = Pose::from_translation(Vec3::new(1.75, 0.5, 0.0))?;
/// let deep = query::solid_depth(cube.at(Pose::IDENTITY), cube.at(beside), 1e-6)?.expect("they overlap");
/// assert!(deep.bounds.contains(0.25) && deep.bounds.width() < 2e-6);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn solid_depth(
    a: Placed<'_>,
    b: Placed<'_>,
    tolerance: f64,
) -> Result<Option<SolidDepth>, Error> {
    let limits = Tolerance {
        absolute: tolerance,
        relative: 0.0,
    };
    limits.check()?;
    let are_solids = [a, b].iter().all(|s| matches!(s.shape, Shape::Solid(_)));
    if !are_solids {
        return Err(Error::WrongShape {
            message: "only solids have a depth of this kind",
        });
    }
    if !super::intersects(a, b) {
        return Ok(None);
    }
    let found = mesh::solid_depth(&a, &b, tolerance);
    found.map(Some).ok_or(Error::WrongShape {
        message: "the solids are too large, too small or too different for a depth",
    })
}

/// The pairs of triangles of a mesh that meet in more than what they share, sorted: where the mesh intersects itself.
///
/// Two triangles are a pair when they have a point in common that is not on the hull of their common corners, or when they
/// have all three corners in common; corners are common when their coordinates are equal
/// ([`triangles_cross_beyond_shared`](crate::exact::triangles_cross_beyond_shared)). So neighbours in a mesh are no pair unless
/// they are folded onto each other or reach through each other. Exact, about the vertices as they are given.
///
/// ```
/// # use impinge::{TriMesh, Vec3, query};
/// let [o, x, y] = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let flap = |tip: Vec3| TriMesh::new(vec![o, x, y, tip], vec![[0, 1, 2], [1, 0, 3]]);
/// assert!(query::self_intersections(&flap(-y)?).is_empty());
/// assert_eq!(query::self_intersections(&flap(Vec3::new(0.5, 0.25, 0.0))?), [[0, 1]]);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn self_intersections(mesh: &TriMesh) -> Vec<[u32; 2]> {
    mesh::self_intersections(mesh)
}
