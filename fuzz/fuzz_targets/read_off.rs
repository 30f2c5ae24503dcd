//! OFF: whatever is accepted is sound and survives writing.
#![no_main]

use impinge::io::Format;
use impinge_fuzz::models::{assert_round_trip, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(model) = read(data, Format::Off) {
        assert_round_trip(&model, Format::Off);
    }
});
