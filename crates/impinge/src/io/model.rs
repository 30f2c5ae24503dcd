//! What a file holds: objects, and notes on what was passed over.

use crate::error::{Error, Place};
use crate::math::Vec3;
use crate::shape::{PolyMesh, TriMesh};
use std::fmt;

/// The content of a model file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    meshes: Vec<PolyMesh>,
    notes: Vec<Note>,
}

/// Something in a file that was passed over or taken leniently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it was.
    pub message: &'static str,
    /// Where it was first.
    pub place: Place,
    /// How often it was there.
    pub count: u64,
}

impl Model {
    /// A model of these objects.
    pub fn new(meshes: Vec<PolyMesh>) -> Model {
        Model {
            meshes,
            notes: Vec::new(),
        }
    }

    pub(super) fn with_notes(meshes: Vec<PolyMesh>, notes: Notes) -> Model {
        Model {
            meshes,
            notes: notes.0,
        }
    }

    /// The objects, in the order of the file. Files give no object without vertices.
    pub fn meshes(&self) -> &[PolyMesh] {
        &self.meshes
    }

    /// What was passed over.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// All vertices of all objects, also those that no face uses.
    pub fn points(&self) -> impl Iterator<Item = Vec3> {
        self.meshes
            .iter()
            .flat_map(|m| m.vertices().iter().copied())
    }

    /// All objects as one triangle mesh: vertices object after object, polygons cut as by
    /// [`PolyMesh::triangulate`]. An error if there is no face.
    pub fn triangulate(&self) -> Result<TriMesh, Error> {
        let vertices: Vec<Vec3> = self.points().collect();
        if vertices.len() > u32::MAX as usize {
            return Err(Error::TooMany {
                what: "vertices",
                count: vertices.len(),
            });
        }
        let mut triangles = Vec::new();
        let mut base = 0;
        for mesh in &self.meshes {
            let cut = mesh.triangulate().triangles;
            triangles.extend(cut.into_iter().map(|t| t.map(|i| i + base)));
            base += mesh.vertices().len() as u32;
        }
        TriMesh::new(vertices, triangles)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Whole => {}
            Place::Line(line) => write!(f, "line {line}: ")?,
            Place::Byte(byte) => write!(f, "byte {byte}: ")?,
        }
        f.write_str(self.message)?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}

/// Notes in the making: one for each message.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Note>);

impl Notes {
    pub(super) fn add(&mut self, message: &'static str, place: Place) {
        match self.0.iter_mut().find(|note| note.message == message) {
            Some(note) => note.count += 1,
            None => self.0.push(Note {
                message,
                place,
                count: 1,
            }),
        }
    }
}
