//! glTF 2.0 and its binary container GLB: geometry in, nothing out.
//!
//! The JSON is parsed by the `gltf-json` crate. Its sibling `gltf` also reads buffers, but trusts the file while doing
//! so (a hostile count or index makes it panic), so containers, buffers and accessors are read here, with every range
//! checked.
//!
//! Each node of the scene that has a mesh is an object: its triangles (lists, strips and fans), placed by the node and
//! all nodes above it, computed in `f64`, and turned over where that placement mirrors. Its name is the node's, else the
//! mesh's. Materials, skins, morph targets, cameras and animations are passed over; compressed geometry is refused.
//!
//! Nodes may share a mesh and primitives may share data, so a small file can stand for a large model; [`Data`] bounds what
//! comes out.

mod accessor;
mod container;

use super::draft::Draft;
use super::model::{Model, Notes};
use super::whole_file;
use crate::error::{Error, Place};
use crate::math::Vec3;
use crate::shape::PolyMesh;
use accessor::Data;
use container::Container;
use glam::{DAffine3, DMat3, DQuat};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Node, Root};
use std::collections::HashMap;
use std::path::Path;

pub(super) fn read(bytes: &[u8], name: &Path) -> Result<Model, Error> {
    let container = Container::split(bytes, name)?;
    let root = parse(&container, name)?;
    refuse_unknown_extensions(&root, name)?;
    let mut reader = Reader {
        name,
        data: Data::new(&root, &container, name),
        notes: Notes::default(),
        root: &root,
    };
    let meshes = reader.read_objects()?;
    Ok(Model::with_notes(meshes, reader.notes))
}

fn parse(container: &Container<'_>, name: &Path) -> Result<Root, Error> {
    Root::from_slice(container.json).map_err(|e| {
        let place = match container.json_start {
            0 => Place::Line(e.line() as u64),
            start => Place::Byte(start as u64),
        };
        Error::in_file(name, place, format!("not glTF: {e}"))
    })
}

/// Extensions that a reader must know and that do not touch what we read; or, for quantization, that we know.
const KNOWN_EXTENSIONS: [&str; 6] = [
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "KHR_animation_",
];

fn refuse_unknown_extensions(root: &Root, name: &Path) -> Result<(), Error> {
    let is_unknown = |e: &&String| !KNOWN_EXTENSIONS.iter().any(|known| e.starts_with(known));
    match root.extensions_required.iter().find(is_unknown) {
        Some(unknown) => Err(whole_file(
            name,
            format!("the extension {unknown} is required, and cannot be read"),
        )),
        None => Ok(()),
    }
}

struct Reader<'a> {
    name: &'a Path,
    root: &'a Root,
    data: Data<'a>,
    notes: Notes,
}

impl Reader<'_> {
    /// All nodes of the scene that have a mesh, parents first.
    fn read_objects(&mut self) -> Result<Vec<PolyMesh>, Error> {
        let mut meshes = Vec::new();
        if self.root.nodes.is_empty() {
            for mesh in 0..self.root.meshes.len() {
                meshes.extend(self.read_object(mesh, None, DAffine3::IDENTITY)?);
            }
            return Ok(meshes);
        }
        let mut is_placed = vec![false; self.root.nodes.len()];
        let mut stack: Vec<(usize, DAffine3)> = self
            .scene_nodes()?
            .into_iter()
            .rev()
            .map(|node| (node, DAffine3::IDENTITY))
            .collect();
        while let Some((index, parent)) = stack.pop() {
            let node = self.root.nodes.get(index);
            let node = node.ok_or_else(|| self.missing("node", index))?;
            // Nodes form a forest; in a loop or a web, walking would not end, or not soon.
            if std::mem::replace(&mut is_placed[index], true) {
                return Err(whole_file(
                    self.name,
                    format!("node {index} is placed twice"),
                ));
            }
            let placement = parent * local_transform(node);
            if let Some(mesh) = node.mesh {
                meshes.extend(self.read_object(mesh.value(), node.name.as_deref(), placement)?);
            }
            let children = node.children.iter().flatten().rev();
            stack.extend(children.map(|child| (child.value(), placement)));
        }
        Ok(meshes)
    }

    /// The nodes at the top of the scene that is to be shown: the one the file names, else the first, else everything.
    fn scene_nodes(&self) -> Result<Vec<usize>, Error> {
        let scene = self.root.scene.map_or(0, |scene| scene.value());
        if let Some(scene) = self.root.scenes.get(scene) {
            return Ok(scene.nodes.iter().map(|n| n.value()).collect());
        }
        if self.root.scene.is_some() {
            return Err(self.missing("scene", scene));
        }
        let mut is_child = vec![false; self.root.nodes.len()];
        for child in self.root.nodes.iter().flat_map(|n| &n.children).flatten() {
            if let Some(entry) = is_child.get_mut(child.value()) {
                *entry = true;
            }
        }
        Ok((0..is_child.len()).filter(|n| !is_child[*n]).collect())
    }

    fn missing(&self, what: &str, index: usize) -> Error {
        whole_file(self.name, format!("there is no {what} {index}"))
    }

    fn read_object(
        &mut self,
        mesh_index: usize,
        node_name: Option<&str>,
        placement: DAffine3,
    ) -> Result<Option<PolyMesh>, Error> {
        let mesh = self.root.meshes.get(mesh_index);
        let mesh = mesh.ok_or_else(|| self.missing("mesh", mesh_index))?;
        let mut object = Object::default();
        for (k, primitive) in mesh.primitives.iter().enumerate() {
            let within = |message| {
                let message = format!("mesh {mesh_index}, primitive {k}: {message}");
                whole_file(self.name, message)
            };
            object
                .add(primitive, &mut self.data, &mut self.notes)
                .map_err(within)?;
        }
        if object.draft.vertices.is_empty() {
            return Ok(None);
        }
        let name = node_name.or(mesh.name.as_deref()).unwrap_or_default();
        self.place(object.draft, name, placement).map(Some)
    }

    fn place(
        &self,
        mut draft: Draft,
        object: &str,
        placement: DAffine3,
    ) -> Result<PolyMesh, Error> {
        for v in &mut draft.vertices {
            *v = placement.transform_point3(*v);
        }
        if !draft.vertices.iter().all(|v| v.is_finite()) {
            let message = format!("a vertex of the object '{object}' is not finite");
            return Err(whole_file(self.name, message));
        }
        if placement.matrix3.determinant() < 0.0 {
            draft.reverse_faces();
        }
        draft.into_mesh(object.to_owned())
    }
}

/// A node's own placement, in single precision as the file has it. Rotations are made unit again in `f64`.
fn local_transform(node: &Node) -> DAffine3 {
    if let Some(matrix) = node.matrix {
        let column = |k: usize| {
            let [x, y, z] = [matrix[4 * k], matrix[4 * k + 1], matrix[4 * k + 2]];
            vector([x, y, z])
        };
        return DAffine3 {
            matrix3: DMat3::from_cols(column(0), column(1), column(2)),
            translation: column(3),
        };
    }
    let rotation = node.rotation.map_or(DQuat::IDENTITY, |q| {
        DQuat::from_array(q.0.map(f64::from)).normalize()
    });
    DAffine3::from_scale_rotation_translation(
        node.scale.map_or(Vec3::ONE, vector),
        rotation,
        node.translation.map_or(Vec3::ZERO, vector),
    )
}

fn vector(v: [f32; 3]) -> Vec3 {
    Vec3::from_array(v.map(f64::from))
}

/// The primitives of a mesh, put together.
#[derive(Default)]
struct Object {
    draft: Draft,
    /// Where the vertices of an accessor start: primitives often share them.
    starts: HashMap<usize, (u32, usize)>,
}

impl Object {
    fn add(
        &mut self,
        primitive: &Primitive,
        data: &mut Data<'_>,
        notes: &mut Notes,
    ) -> Result<(), String> {
        // One, so that no file of empty primitives takes long.
        data.charge(1)?;
        let Some(positions) = primitive
            .attributes
            .get(&Checked::Valid(Semantic::Positions))
        else {
            notes.add("primitive without positions passed over", Place::Whole);
            return Ok(());
        };
        let (first, count) = self.add_vertices(positions.value(), data)?;
        let mut corners = match primitive.indices {
            Some(indices) => data.indices(indices.value())?,
            None => (0..count as u32).collect(),
        };
        if let Some(index) = corners.iter().find(|i| **i as usize >= count) {
            return Err(format!("index {index} of {count} vertices"));
        }
        for corner in &mut corners {
            *corner += first;
        }
        data.charge(corners.len())?;
        self.add_faces(primitive.mode, &corners, notes)
    }

    /// The first vertex of an accessor, and how many it has.
    fn add_vertices(
        &mut self,
        accessor: usize,
        data: &mut Data<'_>,
    ) -> Result<(u32, usize), String> {
        if let Some(known) = self.starts.get(&accessor) {
            return Ok(*known);
        }
        let vertices = data.positions(accessor)?;
        if self.draft.vertices.len() + vertices.len() > u32::MAX as usize {
            return Err("more vertices than 32-bit indices can name".to_owned());
        }
        let entry = (self.draft.vertices.len() as u32, vertices.len());
        self.draft.vertices.extend(vertices);
        self.starts.insert(accessor, entry);
        Ok(entry)
    }

    fn add_faces(
        &mut self,
        mode: Checked<Mode>,
        corners: &[u32],
        notes: &mut Notes,
    ) -> Result<(), String> {
        let place = Place::Whole;
        match mode {
            Checked::Valid(Mode::Triangles) => {
                let (triangles, rest) = corners.as_chunks::<3>();
                for triangle in triangles {
                    self.draft.push_triangle(*triangle, place);
                }
                if !rest.is_empty() {
                    notes.add("indices after the last triangle passed over", place);
                }
            }
            Checked::Valid(Mode::TriangleStrip) => self.draft.push_strip(corners, place),
            Checked::Valid(Mode::TriangleFan) => {
                for link in corners.get(1..).unwrap_or_default().windows(2) {
                    self.draft
                        .push_triangle([corners[0], link[0], link[1]], place);
                }
            }
            Checked::Valid(Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) => notes
                .add(
                    "primitive of points or lines: only its vertices are read",
                    place,
                ),
            Checked::Invalid => return Err("unknown mode".to_owned()),
        }
        Ok(())
    }
}
