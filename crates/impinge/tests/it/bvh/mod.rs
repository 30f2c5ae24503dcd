//! Trees of every bounding volume, against all pairs of triangles.

mod agreement;

use impinge::bvh::{Tree, TreeSearch};
use impinge::{Pose, Separation, Shape, TriMesh, reference};
use std::sync::Arc;

/// Two meshes somewhere, and how they stand, by looking at all pairs of triangles.
pub(crate) struct Case {
    pub(crate) meshes: [Arc<TriMesh>; 2],
    pub(crate) poses: [Pose; 2],
    pub(crate) meet: bool,
    pub(crate) expected: Separation,
}

impl Case {
    pub(crate) fn new(meshes: &[Arc<TriMesh>; 2], poses: [Pose; 2]) -> Case {
        let [a, b] = meshes.clone().map(Shape::Mesh);
        let [p, q] = poses;
        Case {
            meshes: meshes.clone(),
            poses,
            meet: reference::intersects(a.at(p), b.at(q)),
            expected: reference::distance(a.at(p), b.at(q)),
        }
    }

    /// Asks two trees over the meshes both questions, both ways round.
    pub(crate) fn check<T: Tree>(&self, trees: [&T; 2], what: &str) {
        let [a, b] = [0, 1].map(|k| trees[k].at(self.poses[k]));
        let mut search = TreeSearch::default();
        for (a, b) in [(a, b), (b, a)] {
            assert_eq!(search.meeting(a, b).is_some(), self.meet, "{what}");
            let found = search.distance(a, b, None);
            self.compare(&found, what);
            let again = search.distance(a, b, Some([1, 1]));
            self.compare(&again, what);
        }
    }

    fn compare(&self, found: &Separation, what: &str) {
        let expected = &self.expected;
        assert_eq!(
            found.distance == 0.0,
            self.meet,
            "{what}: {found:?}, {expected:?}"
        );
        let (own, other) = (found.bounds, expected.bounds);
        assert!(own.contains(found.distance), "{what}: {found:?}");
        assert!(
            own.lower <= other.upper && other.lower <= own.upper,
            "{what}: {found:?}, {expected:?}"
        );
    }
}
