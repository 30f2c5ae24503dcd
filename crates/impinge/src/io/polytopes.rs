//! The polytope library: a text file of named convex polytopes, extension `.polytopes`.
//!
//! Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995, section 6) load "a library of polytopes" from a "fairly simple"
//! file; this is ours:
//!
//! ```text
//! polytopes 1
//! # a comment
//! polytope wedge
//! v 0 0 0
//! v 1 0 0
//! v 0 1 0
//! v 0 0 1
//! f 1 3 2
//! end
//! ```
//!
//! A polytope is the convex hull of its vertices, which must span a volume. Faces are optional: they are for programs
//! that do not compute hulls, are checked to refer to vertices, and otherwise do not matter here. The grammar is in
//! `docs/formats.md`. The format is our own, so its reader is strict: a line that it does not know is an error.

use super::draft::Draft;
use super::model::{Model, Notes};
use super::print::{Shortest, one_line, push, push_line};
use super::scanner::{Scanner, Syntax, quote};
use super::whole_file;
use crate::error::{Error, Place};
use crate::math::Vec3;
use crate::shape::{PolyMesh, Polytope};
use std::path::Path;

/// Reads a library: each polytope with its name, in the order of the file.
pub fn read(path: &Path) -> Result<Vec<(String, Polytope)>, Error> {
    let bytes = std::fs::read(path).map_err(|e| whole_file(path, e.to_string()))?;
    read_bytes(&bytes, path)
}

/// Reads a library from memory. The name appears in errors.
///
/// ```
/// # use impinge::io::polytopes;
/// let text = b"polytopes 1\npolytope wedge\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nend\n";
/// let library = polytopes::read_bytes(text, "text".as_ref())?;
/// assert_eq!(library[0].0, "wedge");
/// assert_eq!(library[0].1.vertices().len(), 4);
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn read_bytes(bytes: &[u8], name: &Path) -> Result<Vec<(String, Polytope)>, Error> {
    parse(bytes, name)?
        .into_iter()
        .map(|entry| {
            let polytope = Polytope::from_points(entry.mesh.vertices()).map_err(|e| {
                let message = format!("polytope '{}': {e}", entry.mesh.name());
                Error::in_file(name, entry.place, message)
            })?;
            Ok((entry.mesh.name().to_owned(), polytope))
        })
        .collect()
}

/// Writes a library.
pub fn write(path: &Path, library: &[(String, Polytope)]) -> Result<(), Error> {
    std::fs::write(path, write_text(library)).map_err(|e| whole_file(path, e.to_string()))
}

/// A library as text: vertices, and faces counter-clockwise seen from outside.
pub fn write_text(library: &[(String, Polytope)]) -> String {
    let mut text = String::from(FIRST_LINE);
    for (name, polytope) in library {
        let name = one_line(name);
        push(&mut text, format_args!("polytope {name}\n"));
        for v in polytope.vertices() {
            push_line(&mut text, "v", &v.to_array().map(Shortest));
        }
        for face in 0..polytope.face_count() {
            let corners: Vec<u32> = polytope.face(face).iter().map(|i| i + 1).collect();
            push_line(&mut text, "f", &corners);
        }
        text.push_str("end\n");
    }
    text
}

const FIRST_LINE: &str = "polytopes 1\n";

/// Whether a file starts with the first line of a library.
pub(super) fn starts(bytes: &[u8]) -> bool {
    let mut scanner = Scanner::new(bytes, Path::new(""), Syntax::Comments);
    scanner.word_anywhere() == Some(b"polytopes")
}

/// The vertices and faces as they are in the file.
pub(super) fn read_model(bytes: &[u8], name: &Path) -> Result<Model, Error> {
    let entries = parse(bytes, name)?;
    Ok(Model::new(entries.into_iter().map(|e| e.mesh).collect()))
}

/// Each object as its convex hull.
pub(super) fn write_model(model: &Model, name: &Path) -> Result<String, Error> {
    let hull = |mesh: &PolyMesh| {
        let polytope = Polytope::from_points(mesh.vertices())
            .map_err(|e| whole_file(name, format!("object '{}': {e}", mesh.name())))?;
        Ok((mesh.name().to_owned(), polytope))
    };
    let library: Result<Vec<_>, Error> = model.meshes().iter().map(hull).collect();
    library.map(|library| write_text(&library))
}

/// A polytope as the file has it, and the line on which it starts.
struct Entry {
    place: Place,
    mesh: PolyMesh,
}

fn parse(bytes: &[u8], name: &Path) -> Result<Vec<Entry>, Error> {
    let mut scanner = Scanner::new(bytes, name, Syntax::Comments);
    if scanner.word_anywhere() != Some(b"polytopes") || scanner.word() != Some(b"1") {
        return Err(scanner.error("the first line is not 'polytopes 1'"));
    }
    let mut entries = Vec::new();
    loop {
        end_line(&mut scanner)?;
        match scanner.word_anywhere() {
            Some(b"polytope") => entries.push(parse_polytope(&mut scanner, name)?),
            Some(word) => {
                let message = format!("expected 'polytope', found {}", quote(word));
                return Err(scanner.error(message));
            }
            None => return Ok(entries),
        }
    }
}

fn parse_polytope(scanner: &mut Scanner<'_>, name: &Path) -> Result<Entry, Error> {
    let place = scanner.place();
    let polytope = String::from_utf8_lossy(scanner.rest_of_line()).into_owned();
    let mut draft = Draft::default();
    loop {
        match scanner.word_anywhere() {
            Some(b"v") => {
                let mut coordinate = || scanner.number("a coordinate of a vertex");
                let point = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
                draft.vertices.push(point);
                end_line(scanner)?;
            }
            Some(b"f") => parse_face(scanner, &mut draft)?,
            Some(b"end") => break,
            Some(word) => {
                let message = format!("expected 'v', 'f' or 'end', found {}", quote(word));
                return Err(scanner.error(message));
            }
            None => return Err(scanner.error(format!("polytope '{polytope}' does not end"))),
        }
    }
    draft.check(name, 1)?;
    if draft.vertices.is_empty() {
        let message = format!("polytope '{polytope}' has no vertices");
        return Err(Error::in_file(name, place, message));
    }
    let mesh = draft.into_mesh(polytope)?;
    Ok(Entry { place, mesh })
}

/// Corners are counted from 1, within the polytope.
fn parse_face(scanner: &mut Scanner<'_>, draft: &mut Draft) -> Result<(), Error> {
    let before = draft.face_count();
    while let Some(word) = scanner.word() {
        let number = scanner.integer(word, "a corner of a face")?;
        let index = u32::try_from(number).ok().and_then(|n| n.checked_sub(1));
        let index = index.ok_or_else(|| {
            scanner.error(format!("a face refers to vertex {number}; the first is 1"))
        })?;
        draft.push_corner(index, scanner.place());
    }
    draft.end_face(scanner.place(), &mut Notes::default());
    if draft.face_count() == before {
        return Err(scanner.error("a face of fewer than three corners"));
    }
    Ok(())
}

/// Nothing but a comment may follow on a line.
fn end_line(scanner: &mut Scanner<'_>) -> Result<(), Error> {
    match scanner.word() {
        None => Ok(()),
        Some(word) => Err(scanner.error(format!("unexpected {}", quote(word)))),
    }
}
