//! Features on straight paths: contacts at the start, halfway and at the end are never missed, and time may run backwards.
#![no_main]

use impinge::exact::{point_in_triangle, segments_intersect};
use impinge::query::{PathImpact, edge_edge_impact, vertex_face_impact};
use impinge::{Error, Vec3};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

const TOLERANCE: f64 = 1e-9;

type Points = [Vec3; 4];

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let (start, end): (Points, Points) = (bytes.points(), bytes.points());
    check(&start, &end, vertex_face_impact, |[p, a, b, c]| {
        point_in_triangle(p, &[a, b, c])
    });
    check(&start, &end, edge_edge_impact, |[a, b, c, d]| {
        segments_intersect(&[a, b], &[c, d])
    });
});

fn check(
    start: &Points,
    end: &Points,
    ask: fn(&Points, &Points, f64) -> Result<Option<PathImpact>, Error>,
    touch: fn(Points) -> bool,
) {
    let found = ask(start, end, TOLERANCE).expect("finite points");
    let back = ask(end, start, TOLERANCE).expect("finite points");
    assert_eq!(found.is_some(), back.is_some());
    if let (Some(there), Some(back)) = (found, back) {
        assert!((0.0..=1.0).contains(&there.time) && there.bounds.width() <= TOLERANCE);
        // The first contact is not after the last.
        assert!(there.bounds.lower + back.bounds.lower <= 1.0 + f64::EPSILON);
    }
    assert_eq!(found.is_some_and(|f| f.bounds.upper == 0.0), touch(*start));
    assert!(!touch(*end) || found.is_some());
    // Halfway, where the points there are floats.
    let middle: Points = std::array::from_fn(|k| (start[k] + end[k]) * 0.5);
    let is_exact = |k: usize| {
        let (s, e, sum) = (start[k], end[k], start[k] + end[k]);
        sum.is_finite() && sum - s == e && sum - e == s && middle[k] * 2.0 == sum
    };
    if (0..4).all(is_exact) && touch(middle) {
        assert!(found.is_some_and(|f| f.time <= 0.5));
    }
}
