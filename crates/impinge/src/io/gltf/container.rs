//! Where the bytes are: the chunks of a GLB file, and buffers inside the JSON or in files beside it.

use crate::error::{Error, Place};
use std::path::{Component, Path, PathBuf};

const MAGIC: &[u8] = b"glTF";
/// Magic, version and length.
const HEADER: usize = 12;
/// Length and type.
const CHUNK_HEADER: usize = 8;

/// The parts of a file.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub(super) json: &'a [u8],
    /// The byte at which the JSON starts: 0 if it is the whole file.
    pub(super) json_start: usize,
    pub(super) binary: Option<&'a [u8]>,
}

impl<'a> Container<'a> {
    pub(super) fn split(bytes: &'a [u8], name: &Path) -> Result<Container<'a>, Error> {
        if !bytes.starts_with(MAGIC) {
            return Ok(Container {
                json: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
                json_start: 0,
                binary: None,
            });
        }
        let error =
            |byte: usize, message: &str| Error::in_file(name, Place::Byte(byte as u64), message);
        if number_at(bytes, 4) != Some(2) {
            return Err(error(4, "only version 2 can be read"));
        }
        match number_at(bytes, 8) {
            Some(length) if length <= bytes.len() => {}
            Some(_) | None => return Err(error(8, "the file is shorter than it declares")),
        }
        let mut chunks = Chunks { bytes, at: HEADER };
        let json_start = HEADER + CHUNK_HEADER;
        let (kind, json) = chunks
            .next()
            .ok_or_else(|| error(HEADER, "the first chunk is not complete"))?;
        if kind != b"JSON" {
            return Err(error(HEADER, "the first chunk is not JSON"));
        }
        Ok(Container {
            json,
            json_start,
            binary: chunks.find(|(kind, _)| kind == b"BIN\0").map(|c| c.1),
        })
    }
}

fn number_at(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*number) as usize)
}

/// The complete chunks from a byte on.
struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at + CHUNK_HEADER;
        let kind = self.bytes.get(self.at + 4..start)?;
        let length = number_at(self.bytes, self.at)?;
        let content = self.bytes.get(start..start.checked_add(length)?)?;
        self.at = start + length;
        Some((kind, content))
    }
}

/// The content of a buffer that is not the binary chunk.
pub(super) fn load(uri: &str, name: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data
            .split_once(";base64,")
            .ok_or("data that is not in base 64")?;
        return decode_base64(text.as_bytes()).ok_or_else(|| "malformed base 64".to_owned());
    }
    let path = beside(name, uri)?;
    let fail = |e: std::io::Error| format!("{}: {e}", path.display());
    // A device or a pipe might never end.
    if !std::fs::metadata(&path).map_err(fail)?.is_file() {
        return Err(format!("{} is not a file", path.display()));
    }
    std::fs::read(&path).map_err(fail)
}

/// The path that a URI means, in the folder of the file or below.
fn beside(name: &Path, uri: &str) -> Result<PathBuf, String> {
    let refuse = || format!("the buffer '{uri}' is not a file beside this one");
    let decoded = decode_percent(uri).ok_or_else(refuse)?;
    let is_inside = Path::new(&decoded)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_inside || decoded.contains(':') {
        return Err(refuse());
    }
    Ok(name.parent().unwrap_or(Path::new("")).join(decoded))
}

/// A URI with its `%20` and the like replaced.
fn decode_percent(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first == b'%' {
            let (digits, after) = after.split_at_checked(2)?;
            let digits = std::str::from_utf8(digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

/// RFC 4648, with or without padding.
fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let text = text.strip_suffix(b"=").unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0u32;
        for digit in group {
            bits = bits << 6 | u32::from(base64_value(*digit)?);
        }
        // A group of 4, 3 or 2 digits holds 3, 2 or 1 bytes; one digit holds none.
        let missing = 4 - group.len();
        if missing == 3 {
            return None;
        }
        let [_, triple @ ..] = (bits << (6 * missing)).to_be_bytes();
        bytes.extend(&triple[..3 - missing]);
    }
    Some(bytes)
}

fn base64_value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_in_the_rfc() {
        let pairs = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (text, bytes) in pairs {
            assert_eq!(decode_base64(text.as_bytes()), Some(bytes.into()));
        }
        for bad in ["Z", "Zm9vY", "Zm=v", "Zm 9"] {
            assert_eq!(decode_base64(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn buffers_lie_beside_the_file() {
        let name = Path::new("models/a.gltf");
        assert_eq!(beside(name, "my%20a.bin"), Ok("models/my a.bin".into()));
        assert_eq!(
            beside(name, "./parts/a.bin"),
            Ok("models/./parts/a.bin".into())
        );
        for bad in [
            "../a.bin",
            "/etc/passwd",
            "a/../../b",
            "%2e%2e/a",
            "http://x/a",
            "%zz",
            "%f",
        ] {
            assert!(beside(name, bad).is_err(), "{bad}");
        }
    }
}
