//! Delaunay tetrahedra of any points: spheres empty by big integers, a closed hull, or flat in exact arithmetic.
#![no_main]

use impinge::delaunay::Delaunay;
use impinge::exact::Sign;
use impinge::{Error, Vec3};
use impinge_fuzz::{Bytes, in_sphere, orientation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let count = 1 + usize::from(bytes.byte() % 16);
    let points: [Vec3; 16] = bytes.points();
    let points = &points[..count];
    match Delaunay::new(points) {
        Ok(cells) => {
            cells.validate();
            check(&cells, points);
        }
        Err(Error::Flat { .. }) => (),
        Err(other) => panic!("{other}"),
    }
});

fn check(cells: &Delaunay, points: &[Vec3]) {
    for t in 0..cells.tetrahedra().len() as u32 {
        let [a, b, c, d] = cells.corners(t);
        assert_eq!(orientation(a, b, c, d), Sign::Positive);
        for p in points {
            assert_ne!(in_sphere(a, b, c, d, *p), Sign::Positive);
        }
    }
    for facet in cells.hull() {
        let [a, b, c] = facet.map(|i| points[i as usize]);
        for p in points {
            assert_ne!(orientation(a, b, c, *p), Sign::Positive);
        }
    }
    for p in points {
        assert!(cells.locate(*p).is_some(), "{p} is in the hull");
    }
}
