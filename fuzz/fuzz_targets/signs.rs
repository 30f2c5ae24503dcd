//! Signs against big integers, and against themselves with the points in other orders.
#![no_main]

use impinge::exact::{
    Axis, compare_along, in_sphere, normal_component, orientation, side_of_plane,
};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let [a, b, c, d, e] = bytes.points();

    let side = orientation(a, b, c, d);
    assert_eq!(side, impinge_fuzz::orientation(a, b, c, d));
    assert_eq!(side, orientation(b, c, a, d));
    assert_eq!(side, -orientation(b, a, c, d));
    assert_eq!(side, -orientation(a, b, d, c));
    assert_eq!(side, orientation(d, c, b, a));

    for axis in Axis::ALL {
        let turn = normal_component(axis, a, b, c);
        assert_eq!(turn, impinge_fuzz::normal_component(axis, a, b, c));
        assert_eq!(turn, normal_component(axis, b, c, a));
        assert_eq!(turn, -normal_component(axis, b, a, c));
    }

    let within = in_sphere(a, b, c, d, e);
    assert_eq!(within, impinge_fuzz::in_sphere(a, b, c, d, e));
    assert_eq!(within, -in_sphere(b, a, c, d, e));
    assert_eq!(within, -in_sphere(a, b, c, e, d));

    let along = compare_along(a, b, c);
    assert_eq!(along, impinge_fuzz::compare_along(a, b, c));
    assert_eq!(along, -compare_along(a, c, b));
    assert_eq!(along, -compare_along(-a, b, c));

    let offset = bytes.number();
    let above = side_of_plane(a, offset, b);
    assert_eq!(above, impinge_fuzz::side_of_plane(a, offset, b));
    assert_eq!(above, side_of_plane(b, offset, a));
    assert_eq!(above, -side_of_plane(-a, -offset, b));
});
