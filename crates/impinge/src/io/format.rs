//! Which format a file is in.

use super::{Model, off, ply, polytopes, stl};
use std::path::Path;

/// A file format, of two kinds where it has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL as text.
    StlText,
    /// STL in binary, single precision.
    StlBinary,
    /// PLY as text.
    PlyText,
    /// PLY in binary; written in little-endian order.
    PlyBinary,
    /// The Object File Format of Geomview, as text.
    Off,
    /// glTF 2.0: JSON, with its data inside or in files beside it. Only read.
    Gltf,
    /// glTF 2.0 as one binary file. Only read.
    Glb,
    /// A library of convex polytopes: see [`polytopes`]. Other models are written to it as the hulls of their objects.
    Polytopes,
}

impl Format {
    /// The format of a file. Unmistakable content comes first (binary STL by its length, the first word of PLY, OFF and
    /// the others), then the extension, in upper or lower case, then what the content looks like.
    pub fn detect(path: &Path, bytes: &[u8]) -> Option<Format> {
        let by_extension = Format::of_extension(path);
        if by_extension == Some(Format::StlBinary) {
            return Some(if stl::is_text(bytes) {
                Format::StlText
            } else {
                Format::StlBinary
            });
        }
        Format::of_first_word(bytes)
            .or(by_extension)
            .or_else(|| stl::is_binary(bytes).then_some(Format::StlBinary))
            .or_else(|| looks_like_obj(bytes).then_some(Format::Obj))
    }

    /// The format to write a model in, by the extension.
    ///
    /// PLY is written in binary. STL is written in binary if single precision holds all coordinates of the model, and as
    /// text if it does not: either way nothing is lost.
    pub fn for_writing(path: &Path, model: &Model) -> Option<Format> {
        let format = Format::of_extension(path)?;
        if matches!(format, Format::Gltf | Format::Glb) {
            return None;
        }
        if format == Format::StlBinary && !stl::is_exact_in_binary(model) {
            return Some(Format::StlText);
        }
        Some(format)
    }

    fn of_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "obj" => Some(Format::Obj),
            "stl" => Some(Format::StlBinary),
            "ply" => Some(Format::PlyBinary),
            "off" => Some(Format::Off),
            "gltf" => Some(Format::Gltf),
            "glb" => Some(Format::Glb),
            "polytopes" => Some(Format::Polytopes),
            _ => None,
        }
    }

    fn of_first_word(bytes: &[u8]) -> Option<Format> {
        if ply::starts(bytes) {
            Some(Format::PlyBinary)
        } else if off::starts(bytes) {
            Some(Format::Off)
        } else if stl::starts_as_text(bytes) {
            Some(Format::StlText)
        } else if polytopes::starts(bytes) {
            Some(Format::Polytopes)
        } else if bytes.starts_with(b"glTF") {
            Some(Format::Glb)
        } else if bytes.trim_ascii_start().starts_with(b"{") {
            Some(Format::Gltf)
        } else {
            None
        }
    }
}

/// Whether the first line that is not a comment starts with a keyword of OBJ.
fn looks_like_obj(bytes: &[u8]) -> bool {
    const KEYWORDS: [&[u8]; 9] = [
        b"v", b"vt", b"vn", b"f", b"o", b"g", b"s", b"usemtl", b"mtllib",
    ];
    let first_word = bytes
        .split(|b| *b == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))
        .and_then(|line| line.split(u8::is_ascii_whitespace).next());
    first_word.is_some_and(|word| KEYWORDS.contains(&word))
}
