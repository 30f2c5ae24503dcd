//! Robots from URDF files: links, joints, and the collision shapes of the links.
//!
//! | file | what |
//! |---|---|
//! | `element` | an XML element with its place: attributes, numbers, errors that name file, line and element |
//! | `robot` | links and joints, from the root outward |
//! | `geometry` | shapes: primitives as they are, meshes as [`MeshUse`] says |
//! | `packages` | where `package://` names lie |
//! | `srdf` | pairs of links that may meet, from an SRDF file |
//!
//! Read is what collision needs: `link` with `collision`, `joint` with `origin`, `axis`, `limit` and `mimic`. Everything else
//! (`visual`, `inertial`, `transmission`, `gazebo`...) is passed over. Joints of type `continuous` become revolute ones
//! without limits. Elements of `xacro` are an error: they have to be expanded before.
//!
//! The files are read through `roxmltree`, and not through `urdf-rs`, which gives neither lines for errors nor SRDF, fills in
//! defaults where attributes are missing, and needs three XML libraries.

mod element;
mod geometry;
mod packages;
mod robot;
mod srdf;

use super::{LinkageBuilder, SelfCollision};
use crate::error::{Error, Place};
use crate::io;
use crate::math::Vec3;
use crate::shape::{Shape, TriMesh};
use element::Source;
use geometry::Geometries;
use packages::resolve;
use std::path::{Path, PathBuf};

/// What is not in a URDF file.
#[derive(Debug, Clone, Default)]
pub struct UrdfOptions {
    /// Where packages lie: the beginning of a path after `package://`, usually a name alone, and the folder that stands for it.
    /// Packages that are not named here are looked for around the file.
    pub packages: Vec<(String, PathBuf)>,
    /// An SRDF file, whose `disable_collisions` tell which links may meet.
    pub srdf: Option<PathBuf>,
    /// Which parts are looked at for collision with each other, apart from those.
    pub self_collision: SelfCollision,
    /// What meshes are taken as.
    pub meshes: MeshUse,
}

/// What the mesh of a link is taken as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MeshUse {
    /// The convex hull of its vertices, which is quickest.
    #[default]
    Hull,
    /// Its triangles, nothing between them: links meet where their surfaces do.
    Triangles,
}

/// Reads a robot. What comes out can be added to before it is built.
///
/// Errors name the file, the line and the element, and for meshes the mesh file too.
pub fn read(path: &Path, options: &UrdfOptions) -> Result<LinkageBuilder, Error> {
    let text = read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let source = Source::new(&text, path)?;
    let mut geometries = Geometries::new(|name: &str, scale| {
        let file = resolve(name, folder, &options.packages)?;
        let model = io::read(&file).map_err(|error| error.to_string())?;
        match options.meshes {
            MeshUse::Hull => hull(name, model.points(), scale),
            MeshUse::Triangles => triangles(name, &model, scale),
        }
    });
    let mut builder = robot::build(&source.root("robot")?, &mut geometries)?;
    builder.set_self_collision(options.self_collision);
    if let Some(path) = &options.srdf {
        srdf::allow(&mut builder, &read_text(path)?, path)?;
    }
    Ok(builder)
}

/// Reads a robot from text. The path appears in errors; `load` gives the vertices of a mesh, by the name that the text has for
/// it, or says what is wrong. Meshes are taken as their hulls.
///
/// ```
/// # use impinge::articulated::urdf;
/// let text = r#"
///     <robot name="door">
///       <link name="frame">
///         <collision><geometry><box size="0.1 0.1 2"/></geometry></collision>
///       </link>
///       <link name="leaf">
///         <collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.05 2"/></geometry></collision>
///       </link>
///       <joint name="hinge" type="revolute">
///         <parent link="frame"/> <child link="leaf"/> <axis xyz="0 0 1"/> <limit lower="0" upper="2"/>
///       </joint>
///     </robot>"#;
/// let door = urdf::parse(text, "door.urdf".as_ref(), |_| Err("no meshes here".to_owned()))?.build()?;
/// let hinge = door.driven_joints().next().expect("there is one");
/// assert_eq!((hinge.name(), hinge.limits()), ("hinge", Some([0.0, 2.0])));
/// # Ok::<(), impinge::Error>(())
/// ```
pub fn parse(
    text: &str,
    path: &Path,
    mut load: impl FnMut(&str) -> Result<Vec<Vec3>, String>,
) -> Result<LinkageBuilder, Error> {
    let source = Source::new(text, path)?;
    let mut geometries =
        Geometries::new(|name: &str, scale| hull(name, load(name)?.into_iter(), scale));
    robot::build(&source.root("robot")?, &mut geometries)
}

/// The hull of points, scaled.
fn hull(name: &str, points: impl Iterator<Item = Vec3>, scale: Vec3) -> Result<Shape, String> {
    let points: Vec<Vec3> = points.map(|p| p * scale).collect();
    Shape::hull(&points).map_err(|error| format!("{name}: {error}"))
}

/// The triangles of a model, scaled.
fn triangles(name: &str, model: &io::Model, scale: Vec3) -> Result<Shape, String> {
    let scaled = model.triangulate().and_then(|mesh| {
        let vertices = mesh.vertices().iter().map(|v| *v * scale).collect();
        TriMesh::new(vertices, mesh.triangles().to_vec())
    });
    let shape = scaled.map(Shape::from);
    shape.map_err(|error| format!("{name}: {error}"))
}

/// Lets links meet that the text of an SRDF file tells by `disable_collisions`. The path appears in errors.
///
/// Links that the linkage does not have are passed over: SRDF files are often written for a robot with more tools.
pub fn allow_by_srdf(builder: &mut LinkageBuilder, text: &str, path: &Path) -> Result<(), Error> {
    srdf::allow(builder, text, path)
}

fn read_text(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|e| Error::in_file(path, Place::Whole, e.to_string()))
}
