//! The tilted kissing sweep (fcl#495): cubes of edge `d` face to face at a tilt, apart by `e max(1, d)` for tiny `e`.
//!
//! The table holds the signed distance of the two cubes as exact affine images of the unit cube. The placed vertices are
//! those images rounded, so their own sign, which the oracle gives and the library must match, can differ from the
//! table's where the gap is below the last place of the coordinates.

use super::{answer, full};
use crate::oracle::hulls_meet;
use impinge::{Vec3, query};

const GAPS: [f64; 7] = [-1e-15, -2.5e-16, -1e-16, 0.0, 1e-16, 2.5e-16, 1e-15];

#[rustfmt::skip]
const TABLE: [(f64, [f64; 7]); 5] = [
    (0.01, [-9.985e-16, -2.502e-16, -1.007e-16, -3.712e-19, 9.998e-17, 2.496e-16, 9.994e-16]),
    (0.25, [-9.799e-16, -2.195e-16, -1.045e-16, 6.542e-18, 1.175e-16, 2.624e-16, 9.93e-16]),
    (0.5, [-1.055e-15, -2.685e-16, -9.792e-17, 1.308e-17, 1.241e-16, 2.351e-16, 9.77e-16]),
    (10.0, [-1.057e-14, -1.561e-15, -1.561e-15, 2.148e-16, 3.449e-16, 3.449e-16, 1.103e-14]),
    (1000.0, [-1.072e-12, -1.586e-13, -5.322e-14, 6.878e-14, 1.741e-13, 2.961e-13, 9.948e-13]),
];

pub(super) const TILT: [[f64; 3]; 3] = [
    [0.9409606321741776, 0.292968400372895, 0.16959541586174812],
    [
        -0.2356983684129988,
        0.9266152359584843,
        -0.29296840037289507,
    ],
    [-0.2429801799032639, 0.23569836841299885, 0.9409606321741776],
];

#[test]
fn tilted_kissing_sweep() {
    let mut as_in_table = 0;
    for (d, row) in TABLE {
        for (e, signed) in GAPS.into_iter().zip(row) {
            as_in_table += usize::from(check(d, e, signed));
        }
    }
    println!(
        "tilted kissing sweep: {as_in_table} of 35 signs of the placed vertices as in the table"
    );
}

/// Compares with the oracle and with the table; tells whether the sign is that of the table too.
fn check(d: f64, e: f64, signed: f64) -> bool {
    let step = d + e * d.max(1.0);
    let start = [0.0, 0.0, 5.0 * d];
    let end: [f64; 3] = std::array::from_fn(|i| start[i] + TILT[i][1] * step);
    let a = full([d; 3]).turned(TILT).moved(start);
    let b = full([d; 3]).turned(TILT).moved(end);
    let meets = query::intersects(a.placed(), b.placed());
    let corners: [Vec<Vec3>; 2] = [&a, &b].map(|body| body.placed_corners().expect("a box"));
    assert_eq!(meets, hulls_meet(&corners[0], &corners[1]), "d {d}, e {e}");
    let distance = answer(&a, &b).distance;
    assert!(
        (distance - signed.max(0.0)).abs() <= 1e-14 * d.max(1.0),
        "d {d}, e {e}: {distance}, not {signed}"
    );
    let as_in_table = meets == (signed <= 0.0);
    // Coordinates go up to six edges, and a few of them round at a corner.
    let rounding = 4.0 * f64::EPSILON * 6.0 * d;
    assert!(as_in_table || signed.abs() <= rounding, "d {d}, e {e}");
    as_in_table
}
