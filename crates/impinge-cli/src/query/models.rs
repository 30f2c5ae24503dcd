//! Model files, each read once, and the shapes made of them, each prepared once.

use impinge::io::{self, Model};
use impinge::{Shape, TriMesh, Vec3};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What a file is taken as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub(crate) enum FileKind {
    /// Its triangles, and nothing between them
    Mesh,
    /// Its triangles and what they enclose; the mesh must be closed
    Solid,
    /// The convex hull of its vertices
    Hull,
}

impl FileKind {
    /// The word for it, as in the query format.
    pub(crate) fn name(self) -> &'static str {
        match self {
            FileKind::Mesh => "mesh",
            FileKind::Solid => "solid",
            FileKind::Hull => "hull",
        }
    }
}

/// Files already read, and shapes already made of them. Failures are kept, too.
#[derive(Debug, Default)]
pub(crate) struct Models {
    models: HashMap<PathBuf, Result<Rc<Model>, String>>,
    shapes: HashMap<(PathBuf, FileKind, [u64; 3]), Result<Shape, String>>,
}

impl Models {
    /// The file as a shape, its vertices multiplied by `scale`.
    pub(crate) fn shape(
        &mut self,
        path: &Path,
        kind: FileKind,
        scale: Vec3,
    ) -> Result<Shape, String> {
        let key = (path.to_path_buf(), kind, scale.to_array().map(f64::to_bits));
        if let Some(known) = self.shapes.get(&key) {
            return known.clone();
        }
        let shape = self.model(path).and_then(|model| {
            prepare(&model, kind, scale).map_err(|error| format!("{}: {error}", path.display()))
        });
        self.shapes.insert(key, shape.clone());
        shape
    }

    /// The content of the file.
    fn model(&mut self, path: &Path) -> Result<Rc<Model>, String> {
        let entry = self.models.entry(path.to_path_buf());
        let read = || io::read(path).map(Rc::new).map_err(|e| e.to_string());
        entry.or_insert_with(read).clone()
    }
}

fn prepare(model: &Model, kind: FileKind, scale: Vec3) -> Result<Shape, impinge::Error> {
    match kind {
        FileKind::Mesh => Ok(Shape::from(scaled(&model.triangulate()?, scale)?)),
        FileKind::Solid => Shape::solid(scaled(&model.triangulate()?, scale)?),
        FileKind::Hull => {
            let points: Vec<Vec3> = model.points().map(|p| p * scale).collect();
            Shape::hull(&points)
        }
    }
}

/// The mesh with its vertices multiplied by `scale`.
pub(super) fn scaled(mesh: &TriMesh, scale: Vec3) -> Result<TriMesh, impinge::Error> {
    let vertices = mesh.vertices().iter().map(|v| *v * scale).collect();
    TriMesh::new(vertices, mesh.triangles().to_vec())
}
