//! Questions about meshes: which triangles meet, how deep, to a tolerance, after a deformation; against all pairs of triangles.
#![no_main]

use impinge::contact::Tolerance;
use impinge::exact::{triangles_cross_beyond_shared, triangles_intersect};
use impinge::narrow::PairCache;
use impinge::{Placed, Shape, TriMesh, Vec3, query};
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let (a, b) = (mesh(&mut bytes), mesh(&mut bytes));
    let (Some(pose_a), Some(pose_b)) = (shapes::pose(&mut bytes), shapes::pose(&mut bytes)) else {
        return;
    };
    check_alone(&a, &bytes.points::<9>());
    let (mesh_a, mesh_b) = (Shape::from(a.clone()), Shape::from(b.clone()));
    let (placed_a, placed_b) = (mesh_a.at(pose_a), mesh_b.at(pose_b));
    check_pairs(placed_a, &a, placed_b, &b);
    if let Some(other) = shapes::shape(&mut bytes).filter(Shape::is_convex) {
        let other = other.at(pose_b);
        let meeting = query::meeting_triangles(placed_a, other).expect("a mesh and a convex shape");
        assert_eq!(!meeting.is_empty(), query::intersects(placed_a, other));
        let manifold = query::manifold(placed_a, other).expect("a mesh and a convex shape");
        assert_eq!(manifold.is_some(), !meeting.is_empty());
    }
});

/// Up to five triangles over nine vertices.
fn mesh(bytes: &mut Bytes<'_>) -> TriMesh {
    let vertices = bytes.points::<9>().to_vec();
    let count = 1 + bytes.byte() % 5;
    let corner = |byte: u8| u32::from(byte % 9);
    let triangles = (0..count).map(|_| [(); 3].map(|()| corner(bytes.byte())));
    TriMesh::new(vertices, triangles.collect()).expect("finite vertices, indices in range")
}

/// Self-intersections, before and after the vertices moved.
fn check_alone(mesh: &TriMesh, moved: &[Vec3; 9]) {
    let moved = mesh.with_vertices(moved).expect("as many vertices, finite");
    for mesh in [mesh, &moved] {
        let count = mesh.triangles().len();
        let mut expected = Vec::new();
        for p in 0..count {
            for q in p + 1..count {
                if triangles_cross_beyond_shared(&mesh.corners(p), &mesh.corners(q)) {
                    expected.push([p as u32, q as u32]);
                }
            }
        }
        assert_eq!(query::self_intersections(mesh), expected);
    }
}

fn check_pairs(a: Placed<'_>, mesh_a: &TriMesh, b: Placed<'_>, mesh_b: &TriMesh) {
    let placed = |placed: &Placed<'_>, mesh: &TriMesh| -> Vec<[Vec3; 3]> {
        let corners = (0..mesh.triangles().len()).map(|t| mesh.corners(t));
        corners.map(|c| c.map(|v| placed.pose.place(v))).collect()
    };
    let mut expected = Vec::new();
    for (p, s) in placed(&a, mesh_a).iter().enumerate() {
        for (q, t) in placed(&b, mesh_b).iter().enumerate() {
            if triangles_intersect(s, t) {
                expected.push([p as u32, q as u32]);
            }
        }
    }
    let contacts = query::mesh_contacts(a, b).expect("two meshes");
    let found: Vec<[u32; 2]> = contacts.iter().map(|c| c.triangles).collect();
    assert_eq!(found, expected);
    assert_eq!(query::intersects(a, b), !expected.is_empty());
    let manifold = query::manifold(a, b).expect("two meshes");
    assert_eq!(manifold.is_some(), !expected.is_empty());
    let tolerance = Tolerance {
        absolute: 0.0,
        relative: 0.1,
    };
    let near = query::distance_to_tolerance(a, b, tolerance, &mut PairCache::default());
    let (near, exact) = (near.expect("a sound tolerance"), query::distance(a, b));
    assert_eq!(near.distance == 0.0, exact.distance == 0.0);
    let overlap =
        near.bounds.lower <= exact.bounds.upper && exact.bounds.lower <= near.bounds.upper;
    assert!(overlap, "{near:?} {exact:?}");
}
