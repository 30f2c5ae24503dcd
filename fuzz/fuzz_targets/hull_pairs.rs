//! Hull against hull: the rational oracle, the certificate, the distance and the swapped order must agree.
#![no_main]

use impinge::Vec3;
use impinge::exact::{Sign, hull_distance, relate_hulls};
use impinge_fuzz::{Bytes, hulls_intersect};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let split = 1 + usize::from(bytes.byte() % 7);
    let points: [Vec3; 8] = bytes.points();
    let (a, b) = points.split_at(split);

    let expected = hulls_intersect(a, b);
    let relation = relate_hulls(a, b);
    assert_eq!(relation.is_intersecting(), expected);
    assert!(relation.verify(a, b));
    assert_eq!(relate_hulls(b, a).is_intersecting(), expected);

    let distance = hull_distance(a, b);
    assert_eq!(distance.is_intersecting(), expected);
    assert!(distance.bounds.contains(distance.distance));
    assert_eq!(distance.bounds, hull_distance(b, a).bounds);
    assert_ne!(
        distance.compare_to(distance.bounds.lower, 0.0),
        Sign::Negative
    );
    assert_ne!(
        distance.compare_to(distance.bounds.upper, 0.0),
        Sign::Positive
    );
});
