//! The questions about any two shapes: answers agree with each other and do not depend on the order.
#![no_main]

use impinge::query;
use impinge_fuzz::{Bytes, shapes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let (Some(a), Some(b)) = (shapes::shape(&mut bytes), shapes::shape(&mut bytes)) else {
        return;
    };
    let (Some(pose_a), Some(pose_b)) = (shapes::pose(&mut bytes), shapes::pose(&mut bytes)) else {
        return;
    };
    let (a, b) = (a.at(pose_a), b.at(pose_b));

    let near = query::distance(a, b);
    let is_touching = query::intersects(a, b);
    assert_eq!(near.distance == 0.0, is_touching);
    assert_eq!(query::intersects(b, a), is_touching);
    assert!(near.bounds.contains(near.distance), "{near:?}");
    assert!(near.bounds.lower >= 0.0);
    assert_eq!(query::within(a, b, 0.0), is_touching);
    let swapped = query::distance(b, a);
    let overlap =
        near.bounds.lower <= swapped.bounds.upper && swapped.bounds.lower <= near.bounds.upper;
    assert!(overlap, "{near:?} {swapped:?}");
});
