//! glTF: the input as it is, and as the JSON and the binary chunk of a GLB file. Nothing panics or takes much memory.
#![no_main]

use impinge::io::Format;
use impinge_fuzz::models::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    read(data, Format::Gltf);
    // The first byte that no JSON has divides the two.
    let end = data.iter().position(|b| *b == 0).unwrap_or(data.len());
    let (json, binary) = data.split_at(end);
    read(&glb(json, binary.get(1..).unwrap_or_default()), Format::Glb);
});

fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let length = 28 + json.len() + binary.len();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((length as u32).to_le_bytes());
    for (kind, content) in [(b"JSON", json), (b"BIN\0", binary)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(content);
    }
    bytes
}
