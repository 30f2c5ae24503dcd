//! Points, segments and triangles against the rational oracle, each other, and other orders of their corners.
#![no_main]

use impinge::Vec3;
use impinge::exact::{
    are_collinear, point_in_triangle, point_on_segment, segment_meets_triangle, segments_intersect,
    triangles_cross_beyond_shared, triangles_intersect,
};
use impinge_fuzz::{Bytes, cycled, hulls_intersect, is_beyond_shared, orders, swapped};
use libfuzzer_sys::fuzz_target;
use std::ops::Neg;

type Triangle = [Vec3; 3];

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let [a0, a1, a2, b0, b1, b2] = bytes.points();
    let (a, b) = ([a0, a1, a2], [b0, b1, b2]);

    check_segments(&a, &b);
    let touch = triangles_intersect(&a, &b);
    assert_eq!(touch, hulls_intersect(&a, &b));
    assert_eq!(touch, an_edge_meets(&a, &b) || an_edge_meets(&b, &a));
    let beyond = triangles_cross_beyond_shared(&a, &b);
    assert_eq!(beyond, is_beyond_shared(&a, &b));
    // One of the 36 orders of the corners; the property tests try all.
    let order = usize::from(bytes.byte());
    let (p, q) = (orders(a)[order % 6], orders(b)[order / 6 % 6]);
    for (p, q) in [(p, q), (q, p)] {
        assert_eq!(touch, triangles_intersect(&p, &q));
        assert_eq!(beyond, triangles_cross_beyond_shared(&p, &q));
    }
    // Reflected, and with the axes renamed, they are where they were with respect to each other.
    for map in [Vec3::neg, cycled, swapped] {
        assert_eq!(touch, triangles_intersect(&a.map(map), &b.map(map)));
    }
});

/// Two triangles meet exactly when an edge of one of them meets the other.
fn an_edge_meets(a: &Triangle, b: &Triangle) -> bool {
    edges(a).iter().any(|edge| segment_meets_triangle(edge, b))
}

fn edges([a, b, c]: &Triangle) -> [[Vec3; 2]; 3] {
    [[*a, *b], [*b, *c], [*c, *a]]
}

fn check_segments(a: &Triangle, b: &Triangle) {
    let [s, t] = [[a[0], a[1]], [b[0], b[1]]];
    let cross = segments_intersect(&s, &t);
    assert_eq!(cross, hulls_intersect(&s, &t));
    assert_eq!(cross, segments_intersect(&[t[1], t[0]], &s));

    let pierce = segment_meets_triangle(&s, b);
    assert_eq!(pierce, hulls_intersect(&s, b));
    assert_eq!(pierce, segment_meets_triangle(&[s[1], s[0]], b));

    let on = point_in_triangle(a[0], b);
    assert_eq!(on, hulls_intersect(&a[..1], b));
    assert_eq!(on, segment_meets_triangle(&[a[0]; 2], b));
    assert_eq!(on, triangles_intersect(&[a[0]; 3], b));

    assert_eq!(point_on_segment(a[0], &t), hulls_intersect(&a[..1], &t));
    let on_another = |i: usize| point_on_segment(a[i], &[a[(i + 1) % 3], a[(i + 2) % 3]]);
    assert_eq!(are_collinear(a[0], a[1], a[2]), (0..3).any(on_another));
    assert!(a.iter().all(|p| point_in_triangle(*p, a)));
}
