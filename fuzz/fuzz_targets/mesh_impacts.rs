//! Moving meshes and shapes of all kinds: starts in contact are told, nothing touches before the time of impact, and the
//! tree of boxes by name finds the same.
#![no_main]

use impinge::narrow::ObbTree;
use impinge::{ImpactKind, Motion, Placed, Pose, Shape, TriMesh, Vec3, query, reference};
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;

const TOLERANCE: f64 = 1e-6;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let Some(a) = mesh(&mut bytes) else { return };
    let b = if bytes.byte() % 2 == 0 {
        mesh(&mut bytes)
    } else {
        shapes::shape(&mut bytes)
    };
    let Some(b) = b else { return };
    let (Some(motion_a), Some(motion_b)) = (motion(&mut bytes), motion(&mut bytes)) else {
        return;
    };
    let Ok(found) = query::time_of_impact(&a, &motion_a, &b, &motion_b, TOLERANCE) else {
        return;
    };
    let is_start = found.is_some_and(|impact| impact.kind == ImpactKind::Start);
    let (start_a, start_b) = (*motion_a.start(), *motion_b.start());
    let starts = reference::intersects(a.at(start_a), b.at(start_b));
    assert_eq!(is_start, starts);
    let until = found.map_or(1.0, |impact| {
        assert!(impact.bounds.contains(impact.time) && (0.0..=1.0).contains(&impact.time));
        impact.time
    });
    for part in [0.0, 0.25, 0.5, 0.75, 0.9375, 1.0 - f64::EPSILON] {
        let t = until * part;
        let (pose_a, pose_b) = (motion_a.pose_at(t), motion_b.pose_at(t));
        if let (Ok(pose_a), Ok(pose_b)) = (pose_a, pose_b)
            && t < until
        {
            let is_touching = are_plainly_touching(a.at(pose_a), b.at(pose_b));
            assert!(!is_touching, "{found:?} at {t}");
        }
    }
    compare_by_name(
        [&a, &b],
        [&motion_a, &motion_b],
        found.map(|impact| (impact.time, impact.kind)),
    );
});

/// Whether two shapes intersect, and still do when one is moved by a little more than what rounding may do to places on a way.
fn are_plainly_touching(a: Placed<'_>, b: Placed<'_>) -> bool {
    // Shapes without an end are where the others are.
    let size =
        shapes::magnitude(a).min(shapes::magnitude(b)) + b.pose.translation().abs().max_element();
    let aside = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * (64.0 * f64::EPSILON * size));
    let asides = aside.into_iter().flat_map(|aside| [aside, -aside]);
    [Vec3::ZERO].into_iter().chain(asides).all(|aside| {
        let to = b.pose.translation() + aside;
        Pose::from_matrix(*b.pose.matrix(), to)
            .is_ok_and(|pose| reference::intersects(a, b.shape.at(pose)))
    })
}

fn compare_by_name(shapes: [&Shape; 2], motions: [&Motion; 2], found: Option<(f64, ImpactKind)>) {
    let [Ok(a), Ok(b)] = shapes.map(ObbTree::new) else {
        return;
    };
    let Ok(other) = a.time_of_impact(motions[0], &b, motions[1], TOLERANCE) else {
        return;
    };
    // Only where they pass each other within rounding may the way matter.
    if let (Some((time, ImpactKind::Contact)), Some(other)) = (found, other) {
        assert!((time - other.time).abs() <= TOLERANCE, "{time}, {other:?}");
    }
}

/// A few triangles.
fn mesh(bytes: &mut Bytes<'_>) -> Option<Shape> {
    let count = u32::from(bytes.byte() % 6) + 1;
    let mut vertices = Vec::new();
    for _ in 0..count {
        let corners: [_; 3] = bytes.points();
        vertices.extend(corners);
    }
    let triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    let mesh = TriMesh::new(vertices, triangles.collect()).ok()?;
    Some(Shape::from(mesh))
}

fn motion(bytes: &mut Bytes<'_>) -> Option<Motion> {
    let start = shapes::pose(bytes)?;
    let [way, turn, pivot] = bytes.points();
    let turn = if bytes.byte() % 2 == 0 {
        turn
    } else {
        turn * 0.0
    };
    Motion::new(start, way, turn, pivot).ok()
}
