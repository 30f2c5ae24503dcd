//! The polytope library: what is accepted survives writing, as text and as hulls.
#![no_main]

use impinge::io::{Format, polytopes};
use impinge_fuzz::models::read;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    read(data, Format::Polytopes);
    let Ok(library) = polytopes::read_bytes(data, Path::new("fuzz")) else {
        return;
    };
    let text = polytopes::write_text(&library);
    let again = polytopes::read_bytes(text.as_bytes(), Path::new("again")).expect("it was written");
    assert_eq!(again.len(), library.len());
    for ((_, a), (_, b)) in library.iter().zip(&again) {
        assert_eq!(a.vertices().len(), b.vertices().len());
    }
});
