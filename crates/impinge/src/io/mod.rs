//! Files in and out.
//!
//! | format | read | written | objects | coordinates |
//! |---|---|---|---|---|
//! | OBJ | yes | yes | by `o`, else by `g` | text |
//! | STL | text and binary | text and binary | one a solid | text, or `f32` |
//! | PLY | text, binary of both byte orders | text, binary | one | text, or as declared; written as `f64` |
//! | OFF | text | yes | one | text |
//! | glTF, GLB | with the feature `gltf` | no | one a node | `f32`, placed by the nodes in `f64` |
//! | [polytope library](polytopes) | yes | yes | one a polytope | text |
//!
//! What is read, and how each format's freedoms are settled, is written down in `docs/formats.md`. The readers of OBJ,
//! STL, PLY and OFF are our own: coordinates come out as the `f64` nearest to the text, polygons stay polygons, every
//! error names its line or byte, and memory is bounded by a small multiple of the file's size. Counts that a file
//! declares are compared with what is there and never trusted for an allocation.
//!
//! Dirty files are read where their meaning is clear; what was passed over is told in [`Model::notes`].
//!
//! ```
//! # use impinge::io::{self, Format};
//! let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let model = io::read_bytes(text, Format::Obj, "square.obj".as_ref())?;
//! assert_eq!(model.meshes()[0].face(0), [0, 1, 2, 3]);
//! assert_eq!(model.triangulate()?.triangles().len(), 2);
//! # Ok::<(), impinge::Error>(())
//! ```

mod cursor;
mod draft;
mod format;
#[cfg(feature = "gltf")]
mod gltf;
mod model;
mod obj;
mod off;
mod ply;
pub mod polytopes;
mod print;
mod scanner;
mod stl;

pub use format::Format;
pub use model::{Model, Note};

use crate::error::{Error, Place};
use std::path::Path;

/// Reads a model file. What the file starts with decides the format where it can, else the extension does.
pub fn read(path: &Path) -> Result<Model, Error> {
    let bytes = std::fs::read(path).map_err(|e| whole_file(path, e.to_string()))?;
    let format = Format::detect(path, &bytes).ok_or_else(|| {
        whole_file(
            path,
            "the format is not known by the extension, nor by the content",
        )
    })?;
    read_bytes(&bytes, format, path)
}

/// Reads a model from memory. The name appears in errors; glTF looks beside it for the files it refers to. Of formats
/// with a text and a binary kind, the content says which one it is.
pub fn read_bytes(bytes: &[u8], format: Format, name: &Path) -> Result<Model, Error> {
    match format {
        Format::Obj => obj::read(bytes, name),
        Format::StlText | Format::StlBinary => stl::read(bytes, name),
        Format::PlyText | Format::PlyBinary => ply::read(bytes, name),
        Format::Off => off::read(bytes, name),
        Format::Polytopes => polytopes::read_model(bytes, name),
        #[cfg(feature = "gltf")]
        Format::Gltf | Format::Glb => gltf::read(bytes, name),
        #[cfg(not(feature = "gltf"))]
        Format::Gltf | Format::Glb => Err(whole_file(
            name,
            "glTF cannot be read: the program was built without the feature gltf",
        )),
    }
}

/// Writes a model file in the format that [`Format::for_writing`] finds for the extension.
pub fn write(path: &Path, model: &Model) -> Result<(), Error> {
    let format = Format::for_writing(path, model)
        .ok_or_else(|| whole_file(path, "no format can be written under this extension"))?;
    let bytes = write_bytes(model, format, path)?;
    std::fs::write(path, bytes).map_err(|e| whole_file(path, e.to_string()))
}

/// A model as the content of a file. The name appears in errors.
///
/// Text has the fewest digits that give back the same `f64`, so that writing and reading changes no bit. Binary STL has
/// single-precision coordinates: they are rounded, and an error if they are too large for that.
pub fn write_bytes(model: &Model, format: Format, name: &Path) -> Result<Vec<u8>, Error> {
    match format {
        Format::Obj => Ok(obj::write(model).into_bytes()),
        Format::StlText => Ok(stl::write_text(model).into_bytes()),
        Format::StlBinary => stl::write_binary(model, name),
        Format::PlyText => Ok(ply::write_text(model)),
        Format::PlyBinary => Ok(ply::write_binary(model)),
        Format::Off => Ok(off::write(model).into_bytes()),
        Format::Polytopes => polytopes::write_model(model, name).map(String::into_bytes),
        Format::Gltf | Format::Glb => Err(whole_file(name, "glTF is read, not written")),
    }
}

fn whole_file(path: &Path, message: impl Into<String>) -> Error {
    Error::in_file(path, Place::Whole, message)
}

#[cfg(test)]
mod tests;
