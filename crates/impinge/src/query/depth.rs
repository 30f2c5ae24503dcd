//! How deep two shapes overlap.

use crate::contact::Penetration;
use crate::error::Error;
use crate::narrow::PairCache;
use crate::narrow::curved_depth::{self, Depth};
use crate::reference;
use crate::shape::Placed;

/// How deep two convex shapes overlap: the shortest translation of the second that parts them; `None` when they are
/// apart. Touching shapes have a depth of 0.
///
/// Whether there is an answer is as exact as [`intersects`](super::intersects). The depth is the true minimum, inside a
/// certified interval: for boxes and polytopes of a few units in the last place, for all others of at most 1e-12 of the size
/// of their coordinates. The exception are curved shapes with a whole curve or surface of nearly equally short ways out, as a
/// ball in the middle of a spheroid: there the interval is wider, and says so. Custom shapes add the error of their support
/// points.
///
/// Fails for meshes and solids, which have no such depth, and for two half-spaces that are not exactly opposite: no
/// translation parts them.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, query};
/// let floor = Shape::half_space(Vec3::Z, 0.0)?;
/// let ball = Shape::sphere(0.5)?;
/// let sunk = Pose::from_translation(Vec3::Z * 0.25)?;
/// let deep = query::penetration(floor.at(Pose::IDENTITY), ball.at(sunk))?.expect("they overlap");
/// assert!(deep.bounds.contains(0.25) && deep.bounds.width() < 1e-14);
/// assert_eq!(deep.direction, Vec3::Z);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn penetration(a: Placed<'_>, b: Placed<'_>) -> Result<Option<Penetration>, Error> {
    penetration_with(a, b, &mut PairCache::default())
}

/// [`penetration`] for a pair that is asked again and again.
///
/// ```
/// # use impinge::{Pose, Shape, Vec3, query, narrow::PairCache};
/// let cube = Shape::cuboid(Vec3::ONE)?;
/// let mut cache = PairCache::default();
/// for x in [1.25, 1.5, 1.75, 2.0] {
///     let pose = Pose::from_translation(Vec3::X * x)?;
///     let deep = query::penetration_with(cube.at(Pose::IDENTITY), cube.at(pose), &mut cache)?;
///     assert!(deep.is_some_and(|deep| deep.bounds.contains(2.0 - x)));
/// }
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn penetration_with(
    a: Placed<'_>,
    b: Placed<'_>,
    cache: &mut PairCache,
) -> Result<Option<Penetration>, Error> {
    if !(a.shape.is_convex() && b.shape.is_convex()) {
        return Err(Error::WrongShape {
            message: "only convex shapes have a penetration depth; meshes and solids have none",
        });
    }
    match curved_depth::depth(&a, &b, cache) {
        Some(Depth::Apart) => Ok(None),
        Some(Depth::Deep(found)) => Ok(Some(found)),
        Some(Depth::Open(found)) => Ok(reference::intersects(a, b).then_some(found)),
        None if !reference::intersects(a, b) => Ok(None),
        None => match reference::half_space_depth(a, b) {
            Some(found) => Ok(Some(found)),
            None => curved_depth::extreme_depth(&a, &b).map(Some),
        },
    }
}
