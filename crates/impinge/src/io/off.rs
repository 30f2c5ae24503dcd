//! OFF, the Object File Format of Geomview (and of CGAL and Princeton's benchmark), as text.
//!
//! ```text
//! OFF
//! vertices faces edges
//! x y z [...]           one vertex a line
//! n i1 .. in [...]      one face a line
//! ```
//!
//! `#` begins a comment. The first word may be missing, or glued to the first count. Its prefixes `ST`, `C` and `N`
//! announce texture coordinates, colours and normals, which follow the coordinates and are passed over, as are the
//! colours of faces. Vertices in other than three dimensions (`4OFF`, `nOFF`) and the binary kind are refused.

use super::draft::Draft;
use super::model::{Model, Notes};
use super::print::{Shortest, for_each_face, push, push_line};
use super::scanner::{Scanner, Syntax};
use crate::error::Error;
use std::path::Path;

pub(super) fn read(bytes: &[u8], name: &Path) -> Result<Model, Error> {
    let mut scanner = Scanner::new(bytes, name, Syntax::Comments);
    let (vertex_count, face_count) = read_header(&mut scanner)?;
    let (mut draft, mut notes) = (Draft::default(), Notes::default());
    for _ in 0..vertex_count {
        let point = scanner.point_anywhere("a coordinate of a vertex")?;
        draft.vertices.push(point);
        scanner.end_line();
    }
    for _ in 0..face_count {
        read_face(&mut scanner, &mut draft, &mut notes)?;
        scanner.end_line();
    }
    draft.check(name, 0)?;
    if !scanner.is_at_end() {
        notes.add("text after the last face passed over", scanner.place());
    }
    let mesh = draft.into_mesh(String::new())?;
    let meshes = if mesh.vertices().is_empty() {
        Vec::new()
    } else {
        vec![mesh]
    };
    Ok(Model::with_notes(meshes, notes))
}

/// The numbers of vertices and faces.
fn read_header(scanner: &mut Scanner<'_>) -> Result<(u64, u64), Error> {
    let word = scanner
        .word_anywhere()
        .ok_or_else(|| scanner.error("the file is empty"))?;
    let after = match split_keyword(word) {
        Some((prefix, after)) => {
            if prefix.ends_with(b"4") || prefix.ends_with(b"n") {
                return Err(scanner.error("only vertices in three dimensions can be read"));
            }
            after
        }
        None => word,
    };
    let vertices = if after.is_empty() {
        let word = scanner
            .word_anywhere()
            .ok_or_else(|| scanner.error("the number of vertices is missing"))?;
        if word == b"BINARY" {
            return Err(scanner.error("binary OFF cannot be read"));
        }
        scanner.integer(word, "the number of vertices")?
    } else {
        scanner.integer(after, "the number of vertices")?
    };
    let faces = scanner.integer_anywhere("the number of faces")?;
    // The number of edges, if it is there, says nothing we need.
    scanner.end_line();
    Ok((vertices, faces))
}

/// A first word like `COFF` or `OFF8`, as what stands before and after `OFF`.
fn split_keyword(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = word.windows(3).position(|w| w == b"OFF")?;
    let (prefix, after) = (&word[..at], &word[at + 3..]);
    let mut flags = prefix.strip_prefix(b"ST").unwrap_or(prefix);
    for flag in [&b"C"[..], b"N", b"4", b"n"] {
        flags = flags.strip_prefix(flag).unwrap_or(flags);
    }
    let is_keyword = flags.is_empty() && after.iter().all(u8::is_ascii_digit);
    is_keyword.then_some((prefix, after))
}

/// Whether a file starts like OFF, also after comments.
pub(super) fn starts(bytes: &[u8]) -> bool {
    let mut scanner = Scanner::new(bytes, Path::new(""), Syntax::Comments);
    scanner
        .word_anywhere()
        .is_some_and(|word| split_keyword(word).is_some())
}

fn read_face(scanner: &mut Scanner<'_>, draft: &mut Draft, notes: &mut Notes) -> Result<(), Error> {
    let corners = scanner.integer_anywhere("the number of corners of a face")?;
    for _ in 0..corners {
        let index = scanner.integer_anywhere("a corner of a face")?;
        let index = u32::try_from(index)
            .map_err(|_| scanner.error(format!("a face refers to vertex {index}")))?;
        draft.push_corner(index, scanner.place());
    }
    draft.end_face(scanner.place(), notes);
    Ok(())
}

/// The file: all objects as one.
pub(super) fn write(model: &Model) -> String {
    let mut text = String::new();
    let vertices = model.points().count();
    let faces: usize = model.meshes().iter().map(|m| m.face_count()).sum();
    push(&mut text, format_args!("OFF\n{vertices} {faces} 0\n"));
    for v in model.points() {
        let [x, y, z] = v.to_array().map(Shortest);
        push(&mut text, format_args!("{x} {y} {z}\n"));
    }
    for_each_face(model, |corners| {
        push_line(&mut text, &corners.len().to_string(), corners);
    });
    text
}
