//! Spheres about Voronoi vertices, which approximate the inside of a shape, merged to a tree of eight children a node.
//!
//! After Hubbard (Approximating Polyhedra with Spheres for Time-Critical Collision Detection, 1996):
//!
//! 1. Points are spread evenly over the surface (`samples`).
//! 2. Their Voronoi diagram is made; its vertices are the middles of the spheres around the tetrahedra of
//!    [`Delaunay`](crate::delaunay::Delaunay). Those inside the shape lie near its skeleton, and the spheres about them
//!    fill it (`skeleton`).
//! 3. The surface is cut into small pieces, and each is given to the sphere that must grow least to hold it. A sphere is then made
//!    just large enough for its pieces. Those without any are dropped (`skeleton`).
//! 4. Two neighbouring spheres at a time are merged, those first whose merger is smallest (`merge`). The last eight are the
//!    children of the root, and what was merged into each of them has the same structure below.
//!
//! **Invariant.** Each node holds all pieces of the surface that are given to the leaves below it: *every level covers the surface*,
//! and not only the lowest. Hubbard grows spheres until they seem to cover the surface; here they do up to a few roundings, for which
//! searches allow, so answers are exact at the leaves. A node need not hold the spheres of its children, only their pieces.
//!
//! A mesh that is not closed has no inside; then all Voronoi vertices in its box are taken. **Cost.** Some hundred microseconds a
//! sample point; a tree is built once.

mod merge;
mod samples;
mod skeleton;

use super::tiles::{self, Tile};
use crate::bvh::volume::BoundingSphere;
use crate::bvh::{Bound, Content, Tree, TreeFrame};
use crate::error::Error;
use crate::math::Vec3;
use crate::shape::TriMesh;
use merge::Dendrogram;
use std::borrow::Borrow;
use std::ops::Range;
use std::sync::Arc;

/// How many children a node has, at most.
pub(super) const CHILDREN: usize = 8;

/// Hubbard's sphere tree.
///
/// ```
/// # use impinge::bvh::{Hubbard, Tree, TreeSearch};
/// # use impinge::{Pose, TriMesh, Vec3};
/// # use std::sync::Arc;
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let sides = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
/// let tree = Hubbard::new(Arc::new(TriMesh::new(corners, sides)?), 200)?;
/// assert!(tree.levels() > 2);
/// let above = Pose::from_translation(Vec3::Z * 1.5)?;
/// let near = TreeSearch::default().distance(tree.at(Pose::IDENTITY), tree.at(above), None);
/// assert!(near.bounds.contains(0.5));
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hubbard {
    mesh: Arc<TriMesh>,
    frame: TreeFrame,
    nodes: Vec<Node>,
    /// The triangles of all leaves.
    triangles: Vec<u32>,
    levels: usize,
}

/// A sphere and what is in it.
#[derive(Debug, Clone)]
struct Node {
    ball: BoundingSphere,
    /// Of the nodes, or of the triangles if it is a leaf.
    content: Range<u32>,
    is_leaf: bool,
    level: u32,
}

/// A sphere of the lowest level and the pieces of the surface that it holds.
#[derive(Debug, Clone)]
struct Leaf {
    center: Vec3,
    tiles: Vec<Tile>,
}

impl Hubbard {
    /// The tree of a mesh from so many points on its surface, at least 4. More points make smaller spheres.
    pub fn new(mesh: Arc<TriMesh>, samples: usize) -> Result<Hubbard, Error> {
        if samples < 4 {
            return Err(Error::OutOfRange {
                what: "number of samples".to_owned(),
                value: samples as f64,
                expected: "at least 4",
            });
        }
        let frame = TreeFrame::of(&mesh);
        let (points, spacing) = samples::spread(&mesh, &frame, samples);
        let tiles = tiles::cut(&mesh, &frame, spacing)?;
        let leaves = skeleton::leaves(&mesh, &frame, &points, tiles);
        let middles: Vec<BoundingSphere> = leaves.iter().map(Leaf::ball).collect();
        let tree = Dendrogram::new(&middles);
        Ok(Hubbard::folded(mesh, frame, &leaves, &tree))
    }

    /// The tree from a usual number of points: about one a triangle, within reason. The number is halved while the surface would be
    /// cut into too many pieces.
    pub fn usual(mesh: Arc<TriMesh>) -> Hubbard {
        let mut samples = mesh.triangles().len().clamp(200, 20_000);
        loop {
            match Hubbard::new(Arc::clone(&mesh), samples.max(4)) {
                Ok(tree) => return tree,
                Err(_) => samples /= 2,
            }
        }
    }

    /// How many levels there are, the root being the first.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// The middles and radii of the spheres of a level, in the frame of the mesh. Leaves that end above it belong to it: each level
    /// covers the surface.
    pub fn spheres(&self, level: usize) -> impl Iterator<Item = (Vec3, f64)> {
        let of_level = self.nodes.iter().filter(move |node| {
            let own = node.level as usize;
            own == level || own < level && node.is_leaf
        });
        of_level.map(|node| {
            let unit = self.frame.unit();
            (self.frame.leave(node.ball.center), node.ball.radius * unit)
        })
    }

    fn folded(mesh: Arc<TriMesh>, frame: TreeFrame, leaves: &[Leaf], tree: &Dendrogram) -> Hubbard {
        // The pieces of what was merged are neighbours in the order of the leaves.
        let order = tree.order();
        let mut starts = vec![0];
        let mut pieces = Vec::new();
        for leaf in &order {
            pieces.extend(leaves[*leaf as usize].tiles.iter().map(|tile| tile.corners));
            starts.push(pieces.len());
        }
        let mut hubbard = Hubbard {
            mesh,
            frame,
            nodes: Vec::new(),
            triangles: Vec::new(),
            levels: 0,
        };
        let mut groups = vec![tree.root()];
        let mut next = 0;
        let mut level_of = vec![0_u32];
        while next < groups.len() {
            let (group, level) = (groups[next], level_of[next]);
            next += 1;
            let range = tree.leaves(group);
            let node = if range.len() == 1 {
                hubbard.leaf(&leaves[order[range.start] as usize], level)
            } else {
                let first = groups.len() as u32;
                groups.extend(tree.children(group));
                level_of.resize(groups.len(), level + 1);
                Node {
                    ball: BoundingSphere::fit(&pieces[starts[range.start]..starts[range.end]]),
                    content: first..groups.len() as u32,
                    is_leaf: false,
                    level,
                }
            };
            hubbard.levels = hubbard.levels.max(level as usize + 1);
            hubbard.nodes.push(node);
        }
        hubbard
    }

    fn leaf(&mut self, leaf: &Leaf, level: u32) -> Node {
        let start = self.triangles.len();
        let mut triangles: Vec<u32> = leaf.tiles.iter().map(|tile| tile.triangle).collect();
        triangles.sort_unstable();
        triangles.dedup();
        self.triangles.append(&mut triangles);
        Node {
            ball: leaf.ball(),
            content: start as u32..self.triangles.len() as u32,
            is_leaf: true,
            level,
        }
    }
}

impl Leaf {
    /// The sphere that just holds the pieces.
    fn ball(&self) -> BoundingSphere {
        let pieces: Vec<[Vec3; 3]> = self.tiles.iter().map(|tile| tile.corners).collect();
        BoundingSphere::about(self.center, &pieces)
    }
}

impl Tree for Hubbard {
    type Bound = BoundingSphere;

    const IS_TILED: bool = true;

    fn frame(&self) -> TreeFrame {
        self.frame
    }

    #[inline]
    fn bound(&self, node: u32) -> impl Borrow<BoundingSphere> {
        &self.nodes[node as usize].ball
    }

    #[inline]
    fn content(&self, node: u32) -> Content<'_> {
        let node = &self.nodes[node as usize];
        if node.is_leaf {
            let Range { start, end } = node.content;
            Content::Triangles(&self.triangles[start as usize..end as usize])
        } else {
            Content::Children(node.content.clone())
        }
    }

    fn triangles(&self) -> usize {
        self.mesh.triangles().len()
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.mesh.corners(triangle as usize)
    }

    fn vertices(&self, triangle: u32) -> [u32; 3] {
        self.mesh.triangles()[triangle as usize]
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.triangles)
    }
}
