//! STL, as text and in binary.
//!
//! A file of either kind may begin with `solid`, so the length decides: a binary file is 84 bytes and 50 for each facet
//! it declares. STL has corners but no vertices; corners of equal coordinates become one vertex, in the order in which
//! they first appear. Normals and attributes are not read: the corners say all of it.
//!
//! In text, each `solid` is an object, named by the rest of its line; words may be spread over lines in any way, in
//! upper or lower case; facets may have more than three corners. A binary file is one object without a name; bytes after
//! the last facet are passed over.

use super::cursor::{ByteOrder, Cursor};
use super::draft::Draft;
use super::model::{Model, Notes};
use super::print::{Shortest, one_line, push, push_line};
use super::scanner::{Scanner, Syntax, quote};
use super::whole_file;
use crate::error::{Error, Place};
use crate::math::Vec3;
use crate::shape::PolyMesh;
use std::collections::HashMap;
use std::path::Path;

/// Before the facets: a free text and their number.
const HEADER: usize = 84;
/// A normal, three corners, two bytes of attributes.
const FACET: usize = 50;

pub(super) fn read(bytes: &[u8], name: &Path) -> Result<Model, Error> {
    if is_text(bytes) {
        read_text(bytes, name)
    } else {
        read_binary(bytes, name)
    }
}

/// Text, or binary.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    !is_binary(bytes) && starts_as_text(bytes)
}

/// Whether the length is that of a binary file.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    declared_facets(bytes).is_some_and(|count| HEADER + FACET * count == bytes.len())
}

fn declared_facets(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER - 4..)?.first_chunk()?;
    Some(u32::from_le_bytes(*count) as usize)
}

/// Whether it starts with `solid` or `facet` and goes on as text: binary data has control characters soon.
pub(super) fn starts_as_text(bytes: &[u8]) -> bool {
    let mut scanner = Scanner::new(bytes, Path::new(""), Syntax::Plain);
    let is_keyword = scanner
        .word_anywhere()
        .is_some_and(|word| is_word(word, "solid") || is_word(word, "facet"));
    let is_text = |b: &u8| *b >= b' ' || b.is_ascii_whitespace();
    is_keyword && bytes.iter().take(1024).all(is_text)
}

fn is_word(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}

/// A solid in the making.
#[derive(Default)]
struct Solid {
    name: String,
    draft: Draft,
    vertices: HashMap<[u64; 3], u32>,
}

impl Solid {
    fn push_corner(&mut self, point: Vec3, place: Place) {
        // Adding zero turns -0 into 0, so that equal coordinates have equal bits.
        let key = (point + Vec3::ZERO).to_array().map(f64::to_bits);
        let next = self.draft.vertices.len() as u32;
        let index = *self.vertices.entry(key).or_insert(next);
        if index == next {
            self.draft.vertices.push(point);
        }
        self.draft.push_corner(index, place);
    }

    fn into_mesh(self) -> Result<Option<PolyMesh>, Error> {
        if self.draft.vertices.is_empty() {
            return Ok(None);
        }
        self.draft.into_mesh(self.name).map(Some)
    }
}

fn read_text(bytes: &[u8], name: &Path) -> Result<Model, Error> {
    let mut scanner = Scanner::new(bytes, name, Syntax::Plain);
    let mut notes = Notes::default();
    let mut meshes = Vec::new();
    let mut solid = Solid::default();
    while let Some(word) = scanner.word_anywhere() {
        if is_word(word, "solid") {
            meshes.extend(std::mem::take(&mut solid).into_mesh()?);
            solid.name = String::from_utf8_lossy(scanner.rest_of_line()).into_owned();
        } else if is_word(word, "facet") {
            read_facet(&mut scanner, &mut solid, &mut notes)?;
        } else if is_word(word, "endsolid") || is_word(word, "color") {
            scanner.end_line();
        } else {
            return Err(scanner.error(format!("expected a facet, found {}", quote(word))));
        }
    }
    meshes.extend(solid.into_mesh()?);
    Ok(Model::with_notes(meshes, notes))
}

fn read_facet(
    scanner: &mut Scanner<'_>,
    solid: &mut Solid,
    notes: &mut Notes,
) -> Result<(), Error> {
    expect_word(scanner, "normal")?;
    for _ in 0..3 {
        // Degenerate facets often have a normal of NaN.
        scanner.word_anywhere();
    }
    expect_word(scanner, "outer")?;
    expect_word(scanner, "loop")?;
    loop {
        match scanner.word_anywhere() {
            Some(word) if is_word(word, "vertex") => {
                let point = scanner.point_anywhere("a coordinate of a vertex")?;
                solid.push_corner(point, scanner.place());
            }
            Some(word) if is_word(word, "endloop") => break,
            Some(word) => {
                return Err(scanner.error(format!("expected a vertex, found {}", quote(word))));
            }
            None => return Err(scanner.error("the file ends within a facet")),
        }
    }
    solid.draft.end_face(scanner.place(), notes);
    expect_word(scanner, "endfacet")
}

fn expect_word(scanner: &mut Scanner<'_>, keyword: &str) -> Result<(), Error> {
    match scanner.word_anywhere() {
        Some(word) if is_word(word, keyword) => Ok(()),
        Some(word) => Err(scanner.error(format!("expected '{keyword}', found {}", quote(word)))),
        None => Err(scanner.error("the file ends within a facet")),
    }
}

fn read_binary(bytes: &[u8], name: &Path) -> Result<Model, Error> {
    let Some(declared) = declared_facets(bytes) else {
        let message = "neither text nor long enough for binary STL";
        return Err(Error::in_file(
            name,
            Place::Byte(bytes.len() as u64),
            message,
        ));
    };
    let mut cursor = Cursor::new(bytes, HEADER, name);
    let there = cursor.remaining() / FACET;
    if there < declared {
        let end = Place::Byte(bytes.len() as u64);
        let message = format!("the file declares {declared} facets and ends after {there}");
        return Err(Error::in_file(name, end, message));
    }
    let mut solid = Solid::default();
    let mut notes = Notes::default();
    for _ in 0..declared {
        read_binary_facet(&mut cursor, &mut solid)?;
        solid.draft.end_face(cursor.place(), &mut notes);
    }
    if cursor.remaining() > 0 {
        notes.add("bytes after the last facet passed over", cursor.place());
    }
    let meshes = Vec::from_iter(solid.into_mesh()?);
    Ok(Model::with_notes(meshes, notes))
}

fn read_binary_facet(cursor: &mut Cursor<'_>, solid: &mut Solid) -> Result<(), Error> {
    cursor.skip(3, 4)?;
    for _ in 0..3 {
        let place = cursor.place();
        let at = cursor.clone();
        let mut coordinate = || cursor.f32(ByteOrder::Little).map(f64::from);
        let point = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
        if !point.is_finite() {
            return Err(at.error("a coordinate of a vertex is not finite"));
        }
        solid.push_corner(point, place);
    }
    cursor.skip(1, 2)
}

/// All triangles of an object, with their normals, which are zero where a triangle has no area.
fn triangles(mesh: &PolyMesh) -> impl Iterator<Item = (Vec3, [Vec3; 3])> {
    let cut = mesh.triangulate().triangles;
    cut.into_iter().map(|t| {
        let corners = t.map(|i| mesh.vertices()[i as usize]);
        let [a, b, c] = corners;
        ((b - a).cross(c - a).normalize_or_zero(), corners)
    })
}

pub(super) fn write_text(model: &Model) -> String {
    let mut text = String::new();
    for mesh in model.meshes() {
        let solid = one_line(mesh.name());
        push(&mut text, format_args!("solid {solid}\n"));
        for (normal, corners) in triangles(mesh) {
            push_line(&mut text, "facet normal", &normal.to_array().map(Shortest));
            text.push_str("outer loop\n");
            for corner in corners {
                push_line(&mut text, "vertex", &corner.to_array().map(Shortest));
            }
            text.push_str("endloop\nendfacet\n");
        }
        push(&mut text, format_args!("endsolid {solid}\n"));
    }
    text
}

/// Whether single precision holds all coordinates.
pub(super) fn is_exact_in_binary(model: &Model) -> bool {
    #[expect(
        clippy::float_cmp,
        reason = "the question is whether it is the same number"
    )]
    let is_exact = |x: f64| f64::from(x as f32) == x;
    model
        .points()
        .all(|p| p.to_array().into_iter().all(is_exact))
}

pub(super) fn write_binary(model: &Model, name: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; HEADER];
    let mut count = 0u32;
    for (normal, corners) in model.meshes().iter().flat_map(triangles) {
        for point in [normal].into_iter().chain(corners) {
            let rounded = point.to_array().map(|x| x as f32);
            if !rounded.iter().all(|x| x.is_finite()) {
                let message = format!("{point} is too large for binary STL");
                return Err(whole_file(name, message));
            }
            bytes.extend(rounded.into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0, 0]);
        count = count
            .checked_add(1)
            .ok_or_else(|| whole_file(name, "too many triangles for binary STL"))?;
    }
    bytes[HEADER - 4..HEADER].copy_from_slice(&count.to_le_bytes());
    Ok(bytes)
}
