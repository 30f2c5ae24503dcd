//! Convex hulls of any points: a valid polytope with all points in it, or flat in exact arithmetic.
#![no_main]

use impinge::exact::Sign;
use impinge::{Error, Polytope, Vec3};
use impinge_fuzz::{Bytes, orientation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let count = 1 + usize::from(bytes.byte() % 16);
    let points: [Vec3; 16] = bytes.points();
    let points = &points[..count];
    match Polytope::from_points(points) {
        Ok(polytope) => {
            polytope.validate();
            assert_encloses(&polytope, points);
        }
        Err(Error::Flat { .. }) => assert!(is_flat(points)),
        Err(other) => panic!("{other}"),
    }
});

fn assert_encloses(polytope: &Polytope, points: &[Vec3]) {
    let vertices = polytope.vertices();
    for face in 0..polytope.face_count() {
        let corners = polytope.face(face);
        let [a, b, c] = [0, 1, 2].map(|k| vertices[corners[k] as usize]);
        for p in points {
            assert_ne!(orientation(a, b, c, *p), Sign::Positive);
        }
    }
}

/// Whether no four points span a volume.
fn is_flat(points: &[Vec3]) -> bool {
    let n = points.len();
    let quadruples = (0..n).flat_map(move |i| {
        (i + 1..n)
            .flat_map(move |j| (j + 1..n).flat_map(move |k| (k + 1..n).map(move |l| [i, j, k, l])))
    });
    quadruples
        .map(|places| places.map(|i| points[i]))
        .all(|[a, b, c, d]| orientation(a, b, c, d) == Sign::Zero)
}
