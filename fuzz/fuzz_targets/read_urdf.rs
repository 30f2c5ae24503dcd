//! URDF and SRDF: any text gives a robot or an error, and a robot moves without a panic.
#![no_main]

use impinge::articulated::urdf::{allow_by_srdf, parse};
use impinge::{Articulation, Vec3};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|text: &str| {
    let tetrahedron = |_: &str| Ok(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]);
    let Ok(mut builder) = parse(text, Path::new("fuzz.urdf"), tetrahedron) else {
        return;
    };
    // An error is fine; a panic is not.
    let _ = allow_by_srdf(&mut builder, text, Path::new("fuzz.srdf"));
    let Ok(mut robot) = builder.build().and_then(Articulation::new) else {
        return;
    };
    for step in [0.5, -2.0, 1e300] {
        let next: Vec<f64> = robot.joints().iter().map(|x| x + step).collect();
        if robot.set_joints(&next).is_ok() {
            let any = !robot.self_contacts().is_empty();
            assert_eq!(robot.self_intersects(), any);
        }
    }
});
