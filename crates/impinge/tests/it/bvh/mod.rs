//! Trees of every bounding volume, against all pairs of triangles.

mod agreement;
mod models;
mod volumes;

use impinge::bvh::{TreeKind, TreePair, TreeSearch};
use impinge::exact::{hull_distance, triangles_intersect};
use impinge::{Aabb, Interval, Pose, Separation, TriMesh, Vec3};
use std::sync::Arc;

/// The placed triangles of a mesh, each with its box.
struct Placed {
    triangles: Vec<([Vec3; 3], Aabb)>,
}

impl Placed {
    fn new(mesh: &TriMesh, pose: &Pose) -> Placed {
        let triangles = (0..mesh.triangles().len()).map(|t| {
            let corners = mesh.corners(t).map(|v| pose.place(v));
            (corners, Aabb::of_points(corners).unwrap())
        });
        Placed {
            triangles: triangles.collect(),
        }
    }
}

/// How two meshes stand, by looking at all pairs of triangles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Truth {
    pub(crate) meet: bool,
    /// The distance.
    pub(crate) bounds: Interval,
}

impl Truth {
    /// Exact predicates on all pairs of triangles whose boxes do not exclude it.
    pub(crate) fn new(meshes: &[Arc<TriMesh>; 2], poses: &[Pose; 2]) -> Truth {
        let a = Placed::new(&meshes[0], &poses[0]);
        let b = Placed::new(&meshes[1], &poses[1]);
        let meet = a.triangles.iter().any(|(p, around)| {
            let near = b.triangles.iter().filter(|(_, own)| own.overlaps(around));
            near.clone().any(|(q, _)| triangles_intersect(p, q))
        });
        let bounds = if meet {
            Interval::exact(0.0)
        } else {
            distance(&a, &b)
        };
        Truth { meet, bounds }
    }

    pub(crate) fn check(&self, found: &Separation, what: &str) {
        assert_eq!(found.distance == 0.0, self.meet, "{what}: {found:?}");
        let (own, other) = (found.bounds, self.bounds);
        assert!(own.contains(found.distance), "{what}: {found:?}");
        assert!(
            own.lower <= other.upper && other.lower <= own.upper,
            "{what}: {found:?}, {other:?}"
        );
    }
}

/// The distance of meshes that do not meet: the pairs whose boxes are near enough, the nearest first, exactly.
fn distance(a: &Placed, b: &Placed) -> Interval {
    let pairs = || {
        let all = a.triangles.iter();
        all.flat_map(|p| b.triangles.iter().map(move |q| (p, q)))
    };
    // The sum of differences is not below the distance, whatever the size of the numbers.
    let sums = pairs().map(|((p, _), (q, _))| (p[0] - q[0]).abs().element_sum());
    let above = sums.fold(f64::INFINITY, f64::min) * 1.000_001;
    let near = pairs().map(|(p, q)| (p.1.distance_below(&q.1), &p.0, &q.0));
    let mut near: Vec<_> = near.filter(|(below, ..)| *below <= above).collect();
    near.sort_by(|p, q| p.0.total_cmp(&q.0));
    let mut bounds = Interval::exact(f64::INFINITY);
    for (below, p, q) in near {
        if below > bounds.upper {
            break;
        }
        let found = hull_distance(p, q).bounds;
        bounds.lower = bounds.lower.min(found.lower);
        bounds.upper = bounds.upper.min(found.upper);
    }
    bounds
}

/// Trees of every kind over two meshes.
pub(crate) fn trees_of(meshes: &[Arc<TriMesh>; 2]) -> Vec<TreePair> {
    let [a, b] = meshes;
    let kinds = TreeKind::ALL.into_iter();
    kinds.map(|kind| TreePair::new(kind, a, b)).collect()
}

/// Asks trees of every kind both questions; the second also from the pair that was closest last time.
pub(crate) fn check_all(
    trees: &[TreePair],
    poses: [Pose; 2],
    truth: &Truth,
    last: &mut Option<[u32; 2]>,
    what: &str,
) {
    let mut search = TreeSearch::default();
    for tree in trees {
        let what = format!("{} {what}", tree.kind());
        let meeting = tree.meeting(poses, &mut search);
        assert_eq!(meeting.is_some(), truth.meet, "{what}");
        let (found, pair) = tree.closest(poses, *last, &mut search);
        truth.check(&found, &what);
        *last = Some(pair);
    }
}
