//! Triangle soups: vertices and triangles, no promise about how they hang together.
//!
//! A triangle of zero area is a segment or a point, and counts as such. Nothing is welded, dropped or reordered: ids in
//! answers are ids of the input. `repair` mends meshes; [`Solid`](super::Solid) is a mesh that encloses a volume.
//!
//! The tree that queries go through is built with the mesh and not on first use: then no query takes longer than its like,
//! and threads that ask about one mesh never wait for each other.

use super::merge_equal;
use super::mesh_tree::MeshTree;
use crate::error::Error;
use crate::math::{Aabb, Vec3, require_finite};
use std::sync::{Arc, OnceLock};

/// The union of triangles.
#[derive(Debug, Clone)]
pub struct TriMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    bounds: Aabb,
    tree: Arc<MeshTree>,
    /// A triangle of each connected part. Only questions about solids need it.
    parts: OnceLock<Vec<u32>>,
}

impl PartialEq for TriMesh {
    /// Equal vertices and triangles, in order.
    fn eq(&self, other: &TriMesh) -> bool {
        self.vertices == other.vertices && self.triangles == other.triangles
    }
}

impl TriMesh {
    /// A mesh of at least one triangle. Vertices must be finite and indices in range; vertices that no triangle uses are
    /// allowed.
    ///
    /// ```
    /// # use impinge::{TriMesh, Vec3};
    /// let mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.corners(0), [Vec3::ZERO, Vec3::X, Vec3::Y]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<TriMesh, Error> {
        require_all_finite(&vertices)?;
        for (what, count) in [("vertices", vertices.len()), ("triangles", triangles.len())] {
            // Edges are named 3 t + k, so triangles must leave room for that.
            if count > (u32::MAX / 3) as usize {
                return Err(Error::TooMany { what, count });
            }
        }
        for (t, triangle) in triangles.iter().enumerate() {
            if let Some(index) = triangle.iter().find(|i| **i as usize >= vertices.len()) {
                return Err(Error::IndexOutOfRange {
                    what: format!("triangle {t}"),
                    index: u64::from(*index),
                    count: vertices.len(),
                });
            }
        }
        let bounds = bounds_of(&vertices, &triangles).ok_or(Error::Empty { what: "mesh" })?;
        let tree = Arc::new(MeshTree::new(&vertices, &triangles, &bounds));
        Ok(TriMesh {
            vertices,
            triangles,
            bounds,
            tree,
            parts: OnceLock::new(),
        })
    }

    /// The vertices.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles, as indices of vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of one triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|i| self.vertices[i as usize])
    }

    /// The smallest box around all triangles.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The memory that the tree over the triangles takes, in bytes.
    pub fn tree_bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// Moves the vertices, which must be as many as before and finite; otherwise nothing changes.
    ///
    /// The tree is fitted to them and not built anew, which takes about a tenth of the time. Answers are as exact as ever. When triangles
    /// that were close have moved apart, queries get slower; [`TriMesh::decay`] tells. Nothing is allocated, unless a clone
    /// of the mesh shares the tree.
    ///
    /// ```
    /// # use impinge::{TriMesh, Vec3};
    /// let mut mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
    /// mesh.set_vertices(&[Vec3::ZERO, Vec3::X, Vec3::Z])?;
    /// assert_eq!(mesh.corners(0)[2], Vec3::Z);
    /// assert!(mesh.set_vertices(&[Vec3::ZERO, Vec3::NAN, Vec3::Z]).is_err());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn set_vertices(&mut self, vertices: &[Vec3]) -> Result<(), Error> {
        if vertices.len() != self.vertices.len() {
            return Err(Error::WrongCount {
                what: "vertices".to_owned(),
                count: vertices.len(),
                expected: self.vertices.len(),
            });
        }
        require_all_finite(vertices)?;
        self.vertices.copy_from_slice(vertices);
        if let Some(bounds) = bounds_of(&self.vertices, &self.triangles) {
            self.bounds = bounds;
        }
        let tree = Arc::make_mut(&mut self.tree);
        tree.refit(&self.vertices, &self.triangles, &self.bounds);
        // Vertices that were equal may not be any more.
        self.parts = OnceLock::new();
        Ok(())
    }

    /// The mesh with moved vertices; see [`TriMesh::set_vertices`].
    pub fn with_vertices(&self, vertices: &[Vec3]) -> Result<TriMesh, Error> {
        let mut moved = self.clone();
        moved.set_vertices(vertices)?;
        Ok(moved)
    }

    /// How much more work queries are expected to be than right after the tree was built; 1 for a new mesh. Above 2,
    /// [`TriMesh::rebuild`] usually pays.
    pub fn decay(&self) -> f64 {
        self.tree.decay()
    }

    /// Builds the tree anew.
    pub fn rebuild(&mut self) {
        let tree = MeshTree::new(&self.vertices, &self.triangles, &self.bounds);
        self.tree = Arc::new(tree);
    }

    /// A triangle of each connected part; triangles hang together by equal corners.
    pub(crate) fn parts(&self) -> &[u32] {
        self.parts
            .get_or_init(|| first_of_parts(&merge_equal(&self.vertices), &self.triangles))
    }

    #[inline(always)]
    pub(crate) fn tree(&self) -> &MeshTree {
        &self.tree
    }
}

fn require_all_finite(vertices: &[Vec3]) -> Result<(), Error> {
    let check = |(i, v): (usize, &Vec3)| require_finite(*v, || format!("vertex {i}"));
    vertices.iter().enumerate().try_for_each(check)
}

/// The box around all corners; `None` when there are none.
fn bounds_of(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Option<Aabb> {
    Aabb::of_points(triangles.iter().flatten().map(|i| vertices[*i as usize]))
}

/// The first triangle of each connected part, given for each vertex the first of its place.
fn first_of_parts(places: &[u32], triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..places.len() as u32).collect();
    for triangle in triangles {
        let [first, others @ ..] = triangle.map(|vertex| places[vertex as usize]);
        for other in others {
            let (p, q) = (leader(&mut parents, first), leader(&mut parents, other));
            parents[p.max(q) as usize] = p.min(q);
        }
    }
    let mut is_known = vec![false; places.len()];
    let mut firsts = Vec::new();
    for (number, [corner, ..]) in (0..).zip(triangles) {
        let part = leader(&mut parents, places[*corner as usize]) as usize;
        if !std::mem::replace(&mut is_known[part], true) {
            firsts.push(number);
        }
    }
    firsts
}

/// The vertex that stands for the part of a vertex. Halves the way there for the next time.
fn leader(parents: &mut [u32], mut vertex: u32) -> u32 {
    while parents[vertex as usize] != vertex {
        parents[vertex as usize] = parents[parents[vertex as usize] as usize];
        vertex = parents[vertex as usize];
    }
    vertex
}
