//! Traces: what is accepted is written back byte for byte, and nothing panics.
#![no_main]

use impinge_scenes::trace::Trace;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let Ok(trace) = Trace::from_bytes(data, Path::new("fuzz")) else {
        return;
    };
    let mut bytes = Vec::new();
    trace
        .write(&mut bytes)
        .expect("what was read can be written");
    assert_eq!(bytes, data);
    for placement in trace.frames.iter().flatten() {
        // An error is fine; a panic is not.
        let _ = placement.pose();
    }
});
