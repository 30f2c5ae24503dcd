//! Trees of every bounding volume over small soups: the answers of all pairs of triangles.
#![no_main]

use impinge::bvh::{TreeKind, TreePair, TreeSearch};
use impinge::exact::{hull_distance, triangles_intersect};
use impinge::{Pose, TriMesh, Vec3};
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let meshes = [(); 2].map(|()| mesh(&mut bytes));
    let (Some(p), Some(q)) = (shapes::pose(&mut bytes), shapes::pose(&mut bytes)) else {
        return;
    };
    let poses = [p, q];
    let [a, b] = [0, 1].map(|k| placed(&meshes[k], &poses[k]));
    // Placing may leave the range of numbers.
    if !a.iter().chain(&b).flatten().all(|v| v.is_finite()) {
        return;
    }
    let pairs = || a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
    let meet = pairs().any(|(p, q)| triangles_intersect(p, q));
    let bounds: Vec<_> = pairs().map(|(p, q)| hull_distance(p, q).bounds).collect();
    let lower = bounds.iter().fold(f64::INFINITY, |l, own| l.min(own.lower));
    let upper = bounds.iter().fold(f64::INFINITY, |l, own| l.min(own.upper));
    let mut search = TreeSearch::default();
    for kind in TreeKind::ALL {
        let trees = TreePair::new(kind, &meshes[0], &meshes[1]);
        assert_eq!(trees.meeting(poses, &mut search).is_some(), meet, "{kind}");
        let (near, _) = trees.closest(poses, None, &mut search);
        assert_eq!(near.distance == 0.0, meet, "{kind}");
        assert!(
            near.bounds.lower <= upper && lower <= near.bounds.upper,
            "{kind}"
        );
    }
});

/// One to six triangles.
fn mesh(bytes: &mut Bytes<'_>) -> Arc<TriMesh> {
    let count = u32::from(bytes.byte() % 6) + 1;
    let vertices = (0..count).flat_map(|_| bytes.points::<3>()).collect();
    let faces = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    Arc::new(TriMesh::new(vertices, faces.collect()).expect("finite and in range"))
}

fn placed(mesh: &TriMesh, pose: &Pose) -> Vec<[Vec3; 3]> {
    let triangles = 0..mesh.triangles().len();
    triangles
        .map(|t| mesh.corners(t).map(|v| pose.place(v)))
        .collect()
}
