//! Moving convex shapes: starts in contact are told, and nothing overlaps before the time of impact.
#![no_main]

use impinge::{ImpactKind, Motion, Placed, Pose, Shape, query, reference};
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;

const TOLERANCE: f64 = 1e-6;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let (Some(a), Some(b)) = (shapes::convex(&mut bytes), shapes::convex(&mut bytes)) else {
        return;
    };
    let (Some(motion_a), Some(motion_b)) = (motion(&mut bytes), motion(&mut bytes)) else {
        return;
    };
    let Ok(found) = query::time_of_impact(&a, &motion_a, &b, &motion_b, TOLERANCE) else {
        return;
    };
    let is_start = found.is_some_and(|impact| impact.kind == ImpactKind::Start);
    let (start_a, start_b) = (*motion_a.start(), *motion_b.start());
    assert_eq!(
        is_start,
        reference::intersects(a.at(start_a), b.at(start_b))
    );
    let until = found.map_or(1.0, |impact| {
        assert!(impact.bounds.contains(impact.time) && (0.0..=1.0).contains(&impact.time));
        impact.time
    });
    for part in [0.25, 0.5, 0.75] {
        let (pose_a, pose_b) = (
            motion_a.pose_at(until * part),
            motion_b.pose_at(until * part),
        );
        if let (Ok(pose_a), Ok(pose_b)) = (pose_a, pose_b) {
            let is_deep = overlap_clearly(a.at(pose_a), b.at(pose_b));
            assert!(is_start || !is_deep, "{found:?} at {part}");
        }
    }
});

fn motion(bytes: &mut Bytes<'_>) -> Option<Motion> {
    let start = shapes::pose(bytes)?;
    let [way, turn, pivot] = bytes.points();
    Motion::new(start, way, turn, pivot).ok()
}

/// Whether two shapes overlap by more than the rounding of poses on the way.
fn overlap_clearly(a: Placed<'_>, b: Placed<'_>) -> bool {
    let Ok(Some(deep)) = query::penetration(a, b) else {
        return false;
    };
    let size = |pose: &Pose| pose.translation().abs().max_element();
    let points = [deep.witness.a, deep.witness.b].map(|p| p.abs().max_element());
    let scale = points
        .into_iter()
        .fold(size(&a.pose).max(size(&b.pose)), f64::max);
    deep.bounds.lower > 1e-9 * (scale + reach(a.shape) + reach(b.shape))
}

/// The size of a shape, where it is turned about a point that may be as far away.
fn reach(shape: &Shape) -> f64 {
    match shape {
        Shape::Rounded(rounded) => reach(rounded.core()) + rounded.radius(),
        Shape::Polytope(polytope) => polytope.radius(),
        Shape::Sphere(sphere) => sphere.radius(),
        Shape::Cuboid(cuboid) => cuboid.half_size().element_sum(),
        Shape::Capsule(capsule) => capsule.half_height() + capsule.radius(),
        Shape::Cylinder(cylinder) => cylinder.half_height() + cylinder.radius(),
        Shape::Cone(cone) => cone.half_height() + cone.radius(),
        Shape::Ellipsoid(ellipsoid) => ellipsoid.radii().element_sum(),
        _ => 0.0,
    }
}
