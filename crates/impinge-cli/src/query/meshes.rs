//! Questions about the triangles of meshes: `"contacts"`, `"manifold"`, `"solid-depth"` and `"self-intersections"`.

use super::answer::{Answer, Deep, feature};
use super::fields::{Fields, number, text};
use super::line::unknown_method;
use super::models::Models;
use super::shape;
use impinge::query::{self, Method};
use impinge::{Manifold, Placed, Shape, TriangleContact};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// What is asked of two shapes.
#[derive(Clone, Copy)]
pub(super) enum MeshQuestion {
    Contacts,
    Manifold,
    SolidDepth { tolerance: f64 },
}

/// The tolerance of a depth when a line gives none.
const TOLERANCE: f64 = 1e-6;

/// The question of this name, if it is one.
pub(super) fn named(name: &str, fields: &mut Fields<'_>) -> Result<Option<MeshQuestion>, String> {
    Ok(match name {
        "contacts" => Some(MeshQuestion::Contacts),
        "manifold" => Some(MeshQuestion::Manifold),
        "solid-depth" => {
            let tolerance = fields.take("tolerance");
            let tolerance = tolerance.map(|value| number("tolerance", value));
            let tolerance = tolerance.transpose()?.unwrap_or(TOLERANCE);
            Some(MeshQuestion::SolidDepth { tolerance })
        }
        _ => None,
    })
}

impl MeshQuestion {
    pub(super) fn ask(self, [a, b]: [Placed<'_>; 2]) -> Result<Answer, String> {
        let said = |error: impinge::Error| error.to_string();
        match self {
            MeshQuestion::Contacts if b.shape.is_convex() => {
                let triangles = query::meeting_triangles(a, b).map_err(said)?;
                Ok(Answer::Triangles { triangles })
            }
            MeshQuestion::Contacts => {
                let contacts = query::mesh_contacts(a, b).map_err(said)?;
                let contacts = contacts.into_iter().map(TrianglePair::from).collect();
                Ok(Answer::Contacts { contacts })
            }
            MeshQuestion::Manifold => {
                let manifold = query::manifold(a, b).map_err(said)?;
                let manifold = manifold.map(Meeting::from);
                Ok(Answer::Manifold { manifold })
            }
            MeshQuestion::SolidDepth { tolerance } => {
                let found = query::solid_depth(a, b, tolerance).map_err(said)?;
                Ok(Answer::Deep(found.map_or_else(Deep::none, Deep::from)))
            }
        }
    }
}

/// Answers `"self-intersections"`, which is about one mesh; the query and the id have been taken.
pub(super) fn self_intersections(
    mut fields: Fields<'_>,
    folder: &Path,
    models: &mut Models,
) -> Result<(Answer, &'static str), String> {
    let name = Method::Default.name();
    if let Some(method) = fields.take("method") {
        let method = text("method", method)?;
        if method != name {
            return Err(unknown_method(method, &[name]));
        }
    }
    let a = fields.require("a")?;
    fields.finish()?;
    let given = shape::read("a", a, folder, models)?;
    let mesh = if let Shape::Mesh(mesh) = given.shape() {
        mesh
    } else if let Shape::Solid(solid) = given.shape() {
        solid.mesh()
    } else {
        return Err("self-intersections needs a mesh or a solid".to_owned());
    };
    let pairs = query::self_intersections(mesh);
    Ok((Answer::Pairs { pairs }, name))
}

/// Two triangles and the corners of what they have in common.
#[derive(Debug, Serialize)]
pub(super) struct TrianglePair {
    triangles: [u32; 2],
    points: Vec<[f64; 3]>,
}

impl From<TriangleContact> for TrianglePair {
    fn from(contact: TriangleContact) -> TrianglePair {
        let points = contact.section.points().iter();
        TrianglePair {
            triangles: contact.triangles,
            points: points.map(|p| p.to_array()).collect(),
        }
    }
}

/// Where shapes meet.
#[derive(Debug, Serialize)]
pub(super) struct Meeting {
    direction: [f64; 3],
    depth: f64,
    points: Vec<[f64; 3]>,
    features: Vec<[Value; 2]>,
}

impl From<Manifold> for Meeting {
    fn from(manifold: Manifold) -> Meeting {
        let points = manifold.points.iter();
        Meeting {
            direction: manifold.normal.to_array(),
            depth: manifold.depth,
            points: points.clone().map(|p| p.point.to_array()).collect(),
            features: points.map(|p| p.features.map(feature)).collect(),
        }
    }
}
