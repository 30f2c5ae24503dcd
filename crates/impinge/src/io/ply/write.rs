//! PLY out: `double` coordinates, polygons as lists of `int` (or `uint` where that does not reach), all objects as one.

use crate::io::Model;
use crate::io::print::{Shortest, for_each_face, push, push_line};

pub(in crate::io) fn write_text(model: &Model) -> Vec<u8> {
    let mut text = header(model, "ascii", Types::of(model));
    for v in model.points() {
        let [x, y, z] = v.to_array().map(Shortest);
        push(&mut text, format_args!("{x} {y} {z}\n"));
    }
    for_each_face(model, |corners| {
        push_line(&mut text, &corners.len().to_string(), corners);
    });
    text.into_bytes()
}

pub(in crate::io) fn write_binary(model: &Model) -> Vec<u8> {
    let types = Types::of(model);
    let mut bytes = header(model, "binary_little_endian", types).into_bytes();
    for v in model.points() {
        for x in v.to_array() {
            bytes.extend(x.to_le_bytes());
        }
    }
    for_each_face(model, |corners| {
        match types.length {
            "uchar" => bytes.push(corners.len() as u8),
            _ => bytes.extend((corners.len() as u32).to_le_bytes()),
        }
        for i in corners {
            bytes.extend((*i as u32).to_le_bytes());
        }
    });
    bytes
}

/// The types of a face's list: the common ones, unless they are too small.
#[derive(Debug, Clone, Copy)]
struct Types {
    length: &'static str,
    index: &'static str,
}

impl Types {
    fn of(model: &Model) -> Types {
        let longest = model
            .meshes()
            .iter()
            .flat_map(|m| m.faces())
            .map(<[u32]>::len)
            .max();
        Types {
            length: if longest.unwrap_or(0) <= 255 {
                "uchar"
            } else {
                "uint"
            },
            index: if model.points().count() <= 1 << 31 {
                "int"
            } else {
                "uint"
            },
        }
    }
}

fn header(model: &Model, encoding: &str, types: Types) -> String {
    let faces: usize = model.meshes().iter().map(|m| m.face_count()).sum();
    let vertices = model.points().count();
    let Types { length, index } = types;
    format!(
        "ply\nformat {encoding} 1.0\n\
         element vertex {vertices}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {faces}\nproperty list {length} {index} vertex_indices\nend_header\n"
    )
}
