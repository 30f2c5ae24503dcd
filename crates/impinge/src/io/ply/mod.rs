//! PLY, the Polygon File Format of Stanford (Turk 1994): text, and binary in either byte order.
//!
//! A header declares elements, each a list of properties; the data follows in that order. We read the coordinates
//! `x`, `y`, `z` of the element `vertex`, the list `vertex_indices` (or `vertex_index`) of `face`, and the same list of
//! `tristrips`; everything else is stepped over by its declared type. Coordinates of any type become `f64` without
//! loss; in text they are the `f64` nearest to the digits, whatever type was declared. Lines have no meaning in the data
//! of a text file.
//!
//! Counts in the header only bound loops that consume at least a byte each turn; an element without properties takes no
//! space and no time.

mod body;
mod header;
mod write;

pub(super) use write::{write_binary, write_text};

use super::draft::Draft;
use super::model::{Model, Notes};
use crate::error::Error;
use crate::math::Vec3;
use body::Body;
use header::{Element, Header, Property};
use std::path::Path;

/// Whether a file starts with the first line of PLY.
pub(super) fn starts(bytes: &[u8]) -> bool {
    matches!(bytes, [b'p', b'l', b'y', b'\n' | b'\r' | b' ' | b'\t', ..])
}

pub(super) fn read(bytes: &[u8], name: &Path) -> Result<Model, Error> {
    let header = Header::read(bytes, name)?;
    let mut body = Body::new(&header, bytes, name);
    let (mut draft, mut notes) = (Draft::default(), Notes::default());
    for element in header.elements.iter().filter(|e| e.count > 0) {
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut body, &mut draft)?,
            "face" => read_faces(element, &mut body, &mut draft, &mut notes)?,
            "tristrips" => read_strips(element, &mut body, &mut draft)?,
            _ => skip_element(element, &mut body)?,
        }
    }
    draft.check(name, 0)?;
    if !body.is_at_end() {
        notes.add("data after the last element passed over", body.place());
    }
    let mesh = draft.into_mesh(String::new())?;
    let meshes = if mesh.vertices().is_empty() {
        Vec::new()
    } else {
        vec![mesh]
    };
    Ok(Model::with_notes(meshes, notes))
}

fn read_vertices(element: &Element, body: &mut Body<'_>, draft: &mut Draft) -> Result<(), Error> {
    let mut columns = [0; 3];
    for (column, axis) in columns.iter_mut().zip(["x", "y", "z"]) {
        *column = element
            .scalar(axis)
            .ok_or_else(|| lacks(element, &format!("property {axis}"), body))?;
    }
    for _ in 0..element.count {
        let mut point = Vec3::ZERO;
        for (k, property) in element.properties.iter().enumerate() {
            match (columns.iter().position(|c| *c == k), property) {
                (Some(axis), Property::Scalar { kind, .. }) => {
                    point[axis] = body.coordinate(*kind)?;
                }
                _ => skip_property(property, body)?,
            }
        }
        draft.vertices.push(point);
    }
    Ok(())
}

fn read_faces(
    element: &Element,
    body: &mut Body<'_>,
    draft: &mut Draft,
    notes: &mut Notes,
) -> Result<(), Error> {
    let column = corner_list(element, body)?;
    for _ in 0..element.count {
        for (k, property) in element.properties.iter().enumerate() {
            match property {
                Property::List { length, kind, .. } if k == column => {
                    for _ in 0..body.length(*length)? {
                        let (index, place) = body.index(*kind)?;
                        draft.push_corner(index, place);
                    }
                }
                Property::Scalar { .. } | Property::List { .. } => skip_property(property, body)?,
            }
        }
        draft.end_face(body.place(), notes);
    }
    Ok(())
}

/// Strips of triangles, each ended by -1.
fn read_strips(element: &Element, body: &mut Body<'_>, draft: &mut Draft) -> Result<(), Error> {
    let column = corner_list(element, body)?;
    for _ in 0..element.count {
        for (k, property) in element.properties.iter().enumerate() {
            match property {
                Property::List { length, kind, .. } if k == column => {
                    let mut strip = Vec::new();
                    for _ in 0..body.length(*length)? {
                        match body.index_or_end(*kind)? {
                            Some(index) => strip.push(index),
                            None => draft.push_strip(&std::mem::take(&mut strip), body.place()),
                        }
                    }
                    draft.push_strip(&strip, body.place());
                }
                Property::Scalar { .. } | Property::List { .. } => skip_property(property, body)?,
            }
        }
    }
    Ok(())
}

fn corner_list(element: &Element, body: &Body<'_>) -> Result<usize, Error> {
    element
        .list("vertex_indices")
        .or_else(|| element.list("vertex_index"))
        .ok_or_else(|| lacks(element, "list vertex_indices", body))
}

fn lacks(element: &Element, what: &str, body: &Body<'_>) -> Error {
    let message = format!("element {} has no {what}", element.name);
    body.error_at(element.place, message)
}

fn skip_element(element: &Element, body: &mut Body<'_>) -> Result<(), Error> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            skip_property(property, body)?;
        }
    }
    Ok(())
}

fn skip_property(property: &Property, body: &mut Body<'_>) -> Result<(), Error> {
    match property {
        Property::Scalar { kind, .. } => body.skip(*kind, 1),
        Property::List { length, kind, .. } => {
            let count = body.length(*length)?;
            body.skip(*kind, count)
        }
    }
}
