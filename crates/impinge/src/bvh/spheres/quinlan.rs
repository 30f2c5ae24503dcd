//! Many small spheres tile each triangle.
//!
//! After Quinlan (Efficient Distance Computation between Non-Convex Objects, 1994): triangles are cut into pieces of much the
//! same size, each in a small ball. A binary tree is built from the top over these balls, not over the triangles: balls are divided at
//! the mean of their middles across the longest side of their box. The ball of a node is the smaller of two: the one about the mean of the
//! middles, and the smallest around the balls of its two children. A large triangle is then as well described as
//! many small ones, and is in many leaves; pairs of triangles that were decided are remembered by the search
//! ([`Tree::IS_TILED`]).
//!
//! **Invariant.** The ball of a node holds the balls of its leaves up to rounding; the pieces of the leaves cover all triangles. **Cost.**
//! With `m` tiles `2 m - 1` nodes of 36 bytes, `m log m` time.

use super::tiles::{self, Tile};
use crate::bvh::binary::{LEAF, content_of};
use crate::bvh::volume::BoundingSphere;
use crate::bvh::{Content, Tree, TreeFrame};
use crate::error::Error;
use crate::math::{Aabb, Vec3};
use crate::shape::TriMesh;
use std::borrow::Borrow;
use std::sync::Arc;

/// Quinlan's sphere tree: a binary tree over balls that tile the triangles.
///
/// ```
/// # use impinge::bvh::{Quinlan, Tree, TreeSearch};
/// # use impinge::{Pose, TriMesh, Vec3};
/// # use std::sync::Arc;
/// let sheet = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// let tree = Quinlan::new(Arc::new(sheet), 0.125)?;
/// assert!(tree.tiles() > 10);
/// let above = Pose::from_translation(Vec3::new(0.25, 0.25, 0.5))?;
/// let mut search = TreeSearch::default();
/// let near = search.distance(tree.at(Pose::IDENTITY), tree.at(above), None);
/// assert!(near.bounds.contains(0.5));
/// assert_eq!(search.work().triangle_pairs, 1);
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Quinlan {
    mesh: Arc<TriMesh>,
    frame: TreeFrame,
    balls: Vec<BoundingSphere>,
    /// Of each node: [`LEAF`] and the place of its triangle in `triangles`, or `k` for the children `2 k + 1` and `2 k + 2`.
    links: Vec<u32>,
    /// The triangle of each leaf.
    triangles: Vec<u32>,
}

/// By how much balls are made larger: more than their rounding.
const SLACK: f64 = 8.0 * f64::EPSILON;

/// A tile and its ball.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    ball: BoundingSphere,
    triangle: u32,
}

impl Quinlan {
    /// The tree of a mesh whose triangles are cut until no tile has a larger radius, given as a length of the mesh.
    /// [`Quinlan::usual`] chooses one. Fails for radii for which there are too many tiles.
    pub fn new(mesh: Arc<TriMesh>, radius: f64) -> Result<Quinlan, Error> {
        if radius.is_nan() || radius <= 0.0 {
            return Err(Error::OutOfRange {
                what: "radius of tiles".to_owned(),
                value: radius,
                expected: "above 0",
            });
        }
        let frame = TreeFrame::of(&mesh);
        let tiles = tiles::cut(&mesh, &frame, radius / frame.unit())?;
        let leaves = tiles.iter().map(|tile: &Tile| Leaf {
            ball: tile.ball(),
            triangle: tile.triangle,
        });
        Ok(Quinlan::over(mesh, frame, leaves.collect()))
    }

    /// The tree with tiles of a usual size: a triangle of mean area is cut into some four if it is as wide as long, into more
    /// if it is not, and none into more than some thousands. The size is doubled while there are too many.
    pub fn usual(mesh: Arc<TriMesh>) -> Quinlan {
        let mut radius = usual_radius(&mesh);
        loop {
            match Quinlan::new(Arc::clone(&mesh), radius) {
                Ok(tree) => return tree,
                Err(_) => radius *= 2.0,
            }
        }
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.triangles.len()
    }

    fn over(mesh: Arc<TriMesh>, frame: TreeFrame, mut leaves: Vec<Leaf>) -> Quinlan {
        let mut balls = vec![leaves[0].ball];
        let mut links = vec![LEAF];
        let mut waiting = vec![(0, 0..leaves.len())];
        while let Some((node, range)) = waiting.pop() {
            let own = &mut leaves[range.clone()];
            if let [leaf] = own {
                balls[node] = leaf.ball;
                links[node] = LEAF | range.start as u32;
                continue;
            }
            balls[node] = about_mean(own);
            let middle = range.start + divide(own);
            let child = links.len();
            links[node] = (child / 2) as u32;
            for (node, range) in [(child, range.start..middle), (child + 1, middle..range.end)] {
                balls.push(leaves[range.start].ball);
                links.push(LEAF);
                waiting.push((node, range));
            }
        }
        // Children are behind their parents.
        for node in (0..links.len()).rev() {
            if links[node] & LEAF == 0 {
                let child = 2 * links[node] as usize + 1;
                let around = around_two(&balls[child], &balls[child + 1]);
                if around.radius < balls[node].radius {
                    balls[node] = around;
                }
            }
        }
        Quinlan {
            mesh,
            frame,
            balls,
            links,
            triangles: leaves.iter().map(|leaf| leaf.triangle).collect(),
        }
    }
}

/// A radius, as a length of the mesh, that is in proportion to its triangles.
fn usual_radius(mesh: &TriMesh) -> f64 {
    let frame = TreeFrame::of(mesh);
    let corners = (0..mesh.triangles().len()).map(|t| mesh.corners(t).map(|p| frame.enter(p)));
    let (mut area, mut largest) = (0.0, 0.0_f64);
    for corners in corners {
        let [p, q, r] = corners;
        area += 0.5 * (q - p).cross(r - p).length();
        let triangle = 0;
        largest = largest.max(Tile { triangle, corners }.ball().radius);
    }
    let mean = (area / mesh.triangles().len() as f64).sqrt();
    (0.44 * mean).max(largest / 64.0).max(f64::EPSILON) * frame.unit()
}

/// The ball about the mean of the middles that holds all balls.
fn about_mean(leaves: &[Leaf]) -> BoundingSphere {
    let sum: Vec3 = leaves.iter().map(|leaf| leaf.ball.center).sum();
    let center = sum / leaves.len() as f64;
    let reach = |leaf: &Leaf| leaf.ball.center.distance(center) + leaf.ball.radius;
    BoundingSphere {
        center,
        radius: leaves.iter().map(reach).fold(0.0, f64::max) + SLACK,
    }
}

/// The smallest ball around two.
pub(super) fn around_two(p: &BoundingSphere, q: &BoundingSphere) -> BoundingSphere {
    let between = q.center - p.center;
    let distance = between.length();
    if distance + q.radius <= p.radius {
        return *p;
    }
    if distance + p.radius <= q.radius {
        return *q;
    }
    let radius = 0.5 * (distance + p.radius + q.radius);
    BoundingSphere {
        center: p.center + between * ((radius - p.radius) / distance),
        radius: radius + SLACK,
    }
}

/// Puts the leaves of one half before those of the other; returns how many the first has, which is neither none nor all.
fn divide(leaves: &mut [Leaf]) -> usize {
    let count = leaves.len();
    let middles = leaves.iter().map(|leaf| leaf.ball.center);
    let mean = middles.clone().sum::<Vec3>() / count as f64;
    let extent = Aabb::of_points(middles).map_or(Vec3::ZERO, |bounds| bounds.size());
    let axis = extent.max_position();
    let mut before = 0;
    for k in 0..count {
        if leaves[k].ball.center[axis] < mean[axis] {
            leaves.swap(before, k);
            before += 1;
        }
    }
    if (1..count).contains(&before) {
        before
    } else {
        // All at one place along every axis, up to rounding: any half will do.
        count / 2
    }
}

impl Tree for Quinlan {
    type Bound = BoundingSphere;

    const IS_TILED: bool = true;

    fn frame(&self) -> TreeFrame {
        self.frame
    }

    #[inline]
    fn bound(&self, node: u32) -> impl Borrow<BoundingSphere> {
        &self.balls[node as usize]
    }

    #[inline]
    fn content(&self, node: u32) -> Content<'_> {
        content_of(self.links[node as usize], &self.triangles)
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
        size_of_val(&*self.balls) + size_of_val(&*self.links) + size_of_val(&*self.triangles)
    }
}
