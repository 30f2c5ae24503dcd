//! Convex shapes of all kinds: the quick answers are those of the reference, and the depth is one that parts them.
#![no_main]

use impinge::narrow::PairCache;
use impinge::{Interval, Placed, Pose, Shape, Vec3, query, reference};
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let (Some(a), Some(b)) = (shapes::convex(&mut bytes), shapes::convex(&mut bytes)) else {
        return;
    };
    let (Some(pose_a), Some(pose_b)) = (shapes::pose(&mut bytes), shapes::pose(&mut bytes)) else {
        return;
    };
    let (a, b) = (a.at(pose_a), b.at(pose_b));
    let is_touching = reference::intersects(a, b);
    let mut cache = PairCache::default();
    for _ in 0..2 {
        assert_eq!(query::intersects_with(a, b, &mut cache), is_touching);
        let (near, truth) = (
            query::distance_with(a, b, &mut cache),
            reference::distance(a, b),
        );
        assert_eq!(near.distance == 0.0, is_touching);
        assert!(near.bounds.contains(near.distance), "{near:?}");
        assert!(overlap(near.bounds, truth.bounds), "{near:?} {truth:?}");
    }
    check_depth(a, b, is_touching);
});

/// The depth is known exactly when there is one, in both orders, and the way out leads out.
fn check_depth(a: Placed<'_>, b: Placed<'_>, is_touching: bool) {
    let (Ok(deep), Ok(swapped)) = (query::penetration(a, b), query::penetration(b, a)) else {
        return;
    };
    assert_eq!(deep.is_some(), is_touching);
    let (Some(deep), Some(swapped)) = (deep, swapped) else {
        return;
    };
    assert!(deep.bounds.contains(deep.depth), "{deep:?}");
    assert!(overlap(deep.bounds, swapped.bounds), "{deep:?} {swapped:?}");
    // Twice the way is out for certain, whatever the move itself rounds, unless it drowns in the coordinates.
    let to = b.pose.translation() + deep.direction * (2.0 * deep.bounds.upper);
    let Ok(parted) = Pose::from_matrix(*b.pose.matrix(), to) else {
        return;
    };
    let moved = to - b.pose.translation();
    // A half-space has no end; what is rounded is where its plane is.
    let size = |placed: Placed<'_>, witness: Vec3| match placed.shape {
        Shape::HalfSpace(_) => witness.abs().max_element(),
        _ => shapes::magnitude(placed),
    };
    let (size_a, size_b) = (size(a, deep.witness.a), size(b, deep.witness.b));
    // Whether curved shapes touch is decided to 1e-12 of the coordinates of both.
    let blur = if is_flat(a) && is_flat(b) {
        16.0 * f64::EPSILON * size_b
    } else {
        4e-12 * size_a.max(size_b)
    };
    let is_seen = deep.bounds.upper > blur;
    if is_seen && moved.dot(deep.direction) > 1.5 * deep.bounds.upper {
        assert!(!reference::intersects(a, b.shape.at(parted)), "{deep:?}");
    }
}

/// Whether a shape has faces only.
fn is_flat(placed: Placed<'_>) -> bool {
    matches!(
        placed.shape,
        Shape::Polytope(_) | Shape::Cuboid(_) | Shape::HalfSpace(_)
    )
}

fn overlap(p: Interval, q: Interval) -> bool {
    p.lower <= q.upper && q.lower <= p.upper
}
