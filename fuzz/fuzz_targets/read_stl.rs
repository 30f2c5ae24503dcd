//! STL, text and binary: whatever is accepted is sound, and its triangles survive writing.
#![no_main]

use impinge::io::{Format, read_bytes, write_bytes};
use impinge_fuzz::models::{read, triangles};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let Some(model) = read(data, Format::StlText) else {
        return;
    };
    let name = Path::new("fuzz.stl");
    let format = Format::for_writing(name, &model).expect("STL can be written");
    let bytes = write_bytes(&model, format, name).expect("nothing is rounded");
    let again = read_bytes(&bytes, format, name).expect("it can be read again");
    assert_eq!(triangles(&model), triangles(&again));
});
