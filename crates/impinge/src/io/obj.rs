//! Wavefront OBJ.
//!
//! Vertices and faces are read; texture coordinates, normals, materials, lines, points, curves and whatever else begins
//! a line are passed over. An object is what follows an `o` line; in a file without any, all faces of one group name
//! (`g`, the whole rest of the line) are an object. An object gets the vertices that its faces use, in the order of the
//! file, and those that no face at all uses if they stand in its part of the file, so that no vertex is lost.

use super::draft::Draft;
use super::model::{Model, Notes};
use super::print::{Shortest, one_line, push, push_line};
use super::scanner::{Scanner, Syntax, parse_number, quote};
use crate::error::Error;
use crate::math::Vec3;
use crate::shape::PolyMesh;
use std::collections::HashMap;
use std::path::Path;

pub(super) fn read(bytes: &[u8], name: &Path) -> Result<Model, Error> {
    let mut reader = Reader::new(bytes, name);
    while let Some(keyword) = reader.scanner.word_anywhere() {
        match keyword {
            b"v" => reader.read_vertex()?,
            b"f" | b"fo" => reader.read_face()?,
            b"o" => reader.start_object(),
            b"g" => reader.start_group(),
            _ => {}
        }
        reader.skip_line();
    }
    reader.draft.check(name, 1)?;
    let parts = reader.parts();
    Ok(Model::with_notes(
        parts.meshes(&reader.draft)?,
        reader.notes,
    ))
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    draft: Draft,
    notes: Notes,
    objects: Names,
    groups: Names,
    /// Where the file came to another object or group.
    runs: Vec<Run>,
}

/// A stretch of the file in one object and group, up to the next.
#[derive(Debug, Clone, Copy)]
struct Run {
    first_vertex: usize,
    first_face: usize,
    object: usize,
    group: usize,
}

/// Names in order of appearance. The first is that of what precedes all of them.
#[derive(Debug)]
struct Names {
    list: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Names {
    fn new() -> Names {
        Names {
            list: vec![String::new()],
            numbers: HashMap::from([(String::new(), 0)]),
        }
    }

    /// A new entry, whatever it is called.
    fn push(&mut self, name: &[u8]) -> usize {
        self.list.push(String::from_utf8_lossy(name).into_owned());
        self.list.len() - 1
    }

    /// The entry of a name, new if there is none.
    fn number(&mut self, name: &[u8]) -> usize {
        let name = String::from_utf8_lossy(name);
        if let Some(number) = self.numbers.get(&*name) {
            return *number;
        }
        self.numbers.insert(name.to_string(), self.list.len());
        self.push(name.as_bytes())
    }
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8], name: &'a Path) -> Reader<'a> {
        Reader {
            scanner: Scanner::new(bytes, name, Syntax::CommentsAndContinuation),
            draft: Draft::default(),
            notes: Notes::default(),
            objects: Names::new(),
            groups: Names::new(),
            runs: vec![Run {
                first_vertex: 0,
                first_face: 0,
                object: 0,
                group: 0,
            }],
        }
    }

    /// Passes over the rest of a line and its continuations.
    fn skip_line(&mut self) {
        while self.scanner.word().is_some() {}
    }

    /// What follows the three coordinates (a weight or a colour) is not read.
    fn read_vertex(&mut self) -> Result<(), Error> {
        let x = self.read_coordinate()?;
        let y = self.read_coordinate()?;
        let z = self.read_coordinate()?;
        self.draft.vertices.push(Vec3::new(x, y, z));
        Ok(())
    }

    fn read_coordinate(&mut self) -> Result<f64, Error> {
        let mut ahead = self.scanner.clone();
        let malformed = ahead.word().filter(|word| parse_number(word).is_none());
        if let Some(value) = malformed.and_then(before_malformed_exponent) {
            self.scanner = ahead;
            self.notes
                .add("malformed exponent passed over", self.scanner.place());
            return Ok(value);
        }
        self.scanner.number("a coordinate of a vertex")
    }

    fn read_face(&mut self) -> Result<(), Error> {
        while let Some(word) = self.scanner.word() {
            let place = self.scanner.place();
            let index = self.read_corner(word)?;
            self.draft.push_corner(index, place);
        }
        self.draft.end_face(self.scanner.place(), &mut self.notes);
        Ok(())
    }

    /// The vertex of `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from 0. Negative numbers count back from the last vertex
    /// so far.
    fn read_corner(&self, word: &[u8]) -> Result<u32, Error> {
        let vertex = word.split(|b| *b == b'/').next().unwrap_or(word);
        let number = std::str::from_utf8(vertex)
            .ok()
            .and_then(|text| text.parse::<i64>().ok())
            .ok_or_else(|| {
                let message = format!("a corner of a face is not a number: {}", quote(word));
                self.scanner.error(message)
            })?;
        let count = self.draft.vertices.len() as i64;
        let index = if number > 0 {
            number - 1
        } else {
            count + number
        };
        u32::try_from(index)
            .ok()
            .filter(|_| number != 0)
            .ok_or_else(|| {
                let message = format!(
                    "a face refers to vertex {number}, but there are only {count} vertices so far"
                );
                self.scanner.error(message)
            })
    }

    fn start_object(&mut self) {
        let object = self.objects.push(self.scanner.rest_of_line());
        self.start_run(|run| run.object = object);
    }

    fn start_group(&mut self) {
        let group = self.groups.number(self.scanner.rest_of_line());
        self.start_run(|run| run.group = group);
    }

    fn start_run(&mut self, change: impl FnOnce(&mut Run)) {
        let mut run = *self.runs.last().expect("there is a first run");
        run.first_vertex = self.draft.vertices.len();
        run.first_face = self.draft.face_count();
        change(&mut run);
        self.runs.push(run);
    }

    /// The objects of the file: by `o`, or by `g` if there is no `o`.
    fn parts(&mut self) -> Parts {
        let by_object = self.objects.list.len() > 1;
        let names = if by_object {
            &mut self.objects
        } else {
            &mut self.groups
        };
        let mut parts = Parts {
            names: std::mem::take(&mut names.list),
            part_of_vertex: Vec::with_capacity(self.draft.vertices.len()),
            part_of_face: Vec::with_capacity(self.draft.face_count()),
        };
        for (k, run) in self.runs.iter().enumerate() {
            let (vertices, faces) = match self.runs.get(k + 1) {
                Some(next) => (next.first_vertex, next.first_face),
                None => (self.draft.vertices.len(), self.draft.face_count()),
            };
            let part = if by_object { run.object } else { run.group };
            parts.part_of_vertex.resize(vertices, part);
            parts.part_of_face.resize(faces, part);
        }
        parts
    }
}

/// The number before an exponent with its sign on the wrong side, as in `3.1+e2`.
fn before_malformed_exponent(word: &[u8]) -> Option<f64> {
    let sign = word.iter().rposition(|b| matches!(b, b'+' | b'-'))?;
    let is_exponent = matches!(word.get(sign + 1), Some(b'e' | b'E'))
        && word[sign + 2..].iter().all(u8::is_ascii_digit);
    parse_number(&word[..sign]).filter(|value| is_exponent && value.is_finite())
}

/// Which object each vertex and face stands in.
struct Parts {
    names: Vec<String>,
    part_of_vertex: Vec<usize>,
    part_of_face: Vec<usize>,
}

impl Parts {
    fn meshes(mut self, draft: &Draft) -> Result<Vec<PolyMesh>, Error> {
        let mut vertices = self.vertices(draft);
        let mut faces = vec![Vec::new(); self.names.len()];
        for (face, part) in self.part_of_face.iter().enumerate() {
            faces[*part].push(face);
        }
        let mut local = vec![0u32; draft.vertices.len()];
        let mut meshes = Vec::new();
        for (part, faces) in faces.iter().enumerate() {
            let vertices = std::mem::take(&mut vertices[part]);
            if vertices.is_empty() {
                continue;
            }
            for (new, old) in (0..).zip(&vertices) {
                local[*old as usize] = new;
            }
            let points = vertices
                .iter()
                .map(|i| draft.vertices[*i as usize])
                .collect();
            let mut mesh = PolyMesh::new(std::mem::take(&mut self.names[part]), points)?;
            let mut corners = Vec::new();
            for face in faces {
                corners.clear();
                corners.extend(draft.face(*face).iter().map(|i| local[*i as usize]));
                mesh.push_face(&corners)?;
            }
            meshes.push(mesh);
        }
        Ok(meshes)
    }

    /// The vertices of each part, in the order of the file.
    fn vertices(&self, draft: &Draft) -> Vec<Vec<u32>> {
        let mut vertices = vec![Vec::new(); self.names.len()];
        let mut is_used = vec![false; draft.vertices.len()];
        for (face, part) in self.part_of_face.iter().enumerate() {
            vertices[*part].extend_from_slice(draft.face(face));
            for i in draft.face(face) {
                is_used[*i as usize] = true;
            }
        }
        for (i, part) in (0..).zip(&self.part_of_vertex) {
            if !is_used[i as usize] {
                vertices[*part].push(i);
            }
        }
        for list in &mut vertices {
            list.sort_unstable();
            list.dedup();
        }
        vertices
    }
}

/// The file. A single object without a name needs no `o` line.
pub(super) fn write(model: &Model) -> String {
    let mut text = String::new();
    let is_plain = matches!(model.meshes(), [only] if only.name().is_empty());
    let (mut first, mut corners) = (1u64, Vec::new());
    for mesh in model.meshes() {
        if !is_plain {
            let name = one_line(mesh.name());
            push(
                &mut text,
                format_args!("{}\n", format!("o {name}").trim_end()),
            );
        }
        for v in mesh.vertices() {
            push_line(&mut text, "v", &v.to_array().map(Shortest));
        }
        for face in mesh.faces() {
            corners.clear();
            corners.extend(face.iter().map(|i| u64::from(*i) + first));
            push_line(&mut text, "f", &corners);
        }
        first += mesh.vertices().len() as u64;
    }
    text
}
