//! How much work queries about meshes were.

use std::cell::Cell;
use std::ops::Sub;

/// What was looked at, for comparing one way with another: unlike times, the numbers are the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MeshWork {
    /// How often a box was compared with the boxes of a node.
    pub nodes: u64,
    /// Pairs of triangles, or triangles with a convex shape, that were decided or measured in doubles.
    pub triangle_pairs: u64,
}

impl Sub for MeshWork {
    type Output = MeshWork;

    fn sub(self, before: MeshWork) -> MeshWork {
        MeshWork {
            nodes: self.nodes - before.nodes,
            triangle_pairs: self.triangle_pairs - before.triangle_pairs,
        }
    }
}

thread_local! {
    static WORK: Cell<MeshWork> = const { Cell::new(MeshWork { nodes: 0, triangle_pairs: 0 }) };
}

/// The work of all queries about meshes that this thread has done; the difference of two calls is that in between.
///
/// ```
/// # use impinge::{Polytope, Pose, Shape, Vec3, narrow::mesh_work, query};
/// let cube = Shape::from(Polytope::cuboid(Vec3::ONE)?.to_mesh());
/// let before = mesh_work();
/// query::distance(cube.at(Pose::IDENTITY), cube.at(Pose::from_translation(Vec3::X * 3.0)?));
/// assert!((mesh_work() - before).triangle_pairs > 0);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn mesh_work() -> MeshWork {
    WORK.get()
}

/// Adds the work of a query.
#[inline]
pub(super) fn add(nodes: u64, triangle_pairs: u64) {
    let before = WORK.get();
    WORK.set(MeshWork {
        nodes: before.nodes + nodes,
        triangle_pairs: before.triangle_pairs + triangle_pairs,
    });
}
