//! What the parts of a shape are called: from the points that carry a witness to a [`Feature`].

use crate::contact::Feature;
use crate::shape::{Cuboid, HeightField, Polytope, TriMesh};

/// Where the names of a shape's parts come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Names<'a> {
    /// There is one surface and no parts.
    Undivided,
    /// Corners, edges and faces as [`Cuboid`] numbers them.
    Cuboid,
    /// Vertices, edges and faces of the polytope.
    Polytope(&'a Polytope),
    /// Vertices, edges and triangles of the mesh.
    Mesh(&'a TriMesh),
    /// Vertices, edges and triangles of the height field.
    Field(&'a HeightField),
}

impl Names<'_> {
    /// The smallest part that holds the given points of a piece (at least one, ascending), and so every point between
    /// them. `None` when only the inside of the shape holds them all.
    pub(super) fn part(&self, piece: u32, points: &[u32]) -> Option<Feature> {
        match self {
            Names::Undivided => Some(Feature::Surface),
            Names::Cuboid => Cuboid::part_of(points),
            Names::Polytope(polytope) => polytope_part(polytope, points),
            Names::Mesh(mesh) => {
                let corners = mesh.triangles()[piece as usize];
                Some(triangle_part(piece, corners, points))
            }
            Names::Field(field) => Some(triangle_part(piece, field.vertices_of(piece), points)),
        }
    }

    /// A part for points that are known to lie on the surface: [`Names::part`] if there is one. Rounding at a pose can tilt
    /// nearly coplanar faces so that the true surface runs between points without a common face; then the face that holds
    /// most of them stands for the place.
    pub(super) fn surface_part(&self, piece: u32, points: &[u32]) -> Feature {
        self.part(piece, points).unwrap_or_else(|| match self {
            Names::Polytope(polytope) => face_with_most(polytope, points),
            Names::Undivided | Names::Cuboid | Names::Mesh(_) | Names::Field(_) => Feature::Surface,
        })
    }
}

fn polytope_part(polytope: &Polytope, vertices: &[u32]) -> Option<Feature> {
    let first = vertices[0];
    if vertices.len() == 1 {
        return Some(Feature::Vertex(first));
    }
    if let [_, second] = vertices {
        let mut edges = polytope.vertex_edges(first as usize).iter();
        let joins = |e: &&u32| polytope.edges()[**e as usize].other_vertex(first) == *second;
        if let Some(edge) = edges.find(joins) {
            return Some(Feature::Edge(*edge));
        }
    }
    let faces = polytope.vertex_faces(first as usize);
    let mut holding = faces.iter().filter(|f| {
        let corners = polytope.face(**f as usize);
        vertices.iter().all(|v| corners.contains(v))
    });
    holding.next().map(|face| Feature::Face(*face))
}

fn face_with_most(polytope: &Polytope, vertices: &[u32]) -> Feature {
    let held = |face: u32| {
        let corners = polytope.face(face as usize);
        vertices.iter().filter(|v| corners.contains(v)).count()
    };
    let faces = polytope.vertex_faces(vertices[0] as usize);
    let best = faces.iter().copied().max_by_key(|f| held(*f));
    best.map_or(Feature::Vertex(vertices[0]), Feature::Face)
}

/// The part of a triangle, whose vertices are given, that holds some of its corners.
fn triangle_part(triangle: u32, vertices: [u32; 3], corners: &[u32]) -> Feature {
    match corners {
        [k] => Feature::Vertex(vertices[*k as usize]),
        [0, 1] => Feature::Edge(3 * triangle),
        [1, 2] => Feature::Edge(3 * triangle + 1),
        [0, 2] => Feature::Edge(3 * triangle + 2),
        _ => Feature::Face(triangle),
    }
}
