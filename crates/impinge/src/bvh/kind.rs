//! The trees by name.

use super::binary::Bvh;
use super::bound::Bound;
use super::search::TreeSearch;
use super::spheres::{Hubbard, Quinlan};
use super::tree::Tree;
use super::volume::{BoundingSphere, HullBound, Kdop, Lss, Obb, Pss, Rss, Shell, SweptAny};
use crate::contact::Separation;
use crate::error::Error;
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::TriMesh;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A tree of bounding volumes to choose. All give the same answers; they differ in time and memory.
///
/// ```
/// # use impinge::bvh::TreeKind;
/// assert_eq!("rss".parse(), Ok(TreeKind::Rss));
/// assert!("fastest".parse::<TreeKind>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TreeKind {
    /// Boxes along the axes of the mesh.
    Aabb,
    /// [`Obb`] along the principal axes of the surface.
    Obb,
    /// [`Obb`] along the principal axes of the corners.
    ObbVertices,
    /// [`Obb`] along the principal axes of the hull of sampled corners.
    ObbHull,
    /// [`Kdop`] with 6 faces.
    Kdop6,
    /// [`Kdop`] with 14 faces.
    Kdop14,
    /// [`Kdop`] with 18 faces.
    Kdop18,
    /// [`Kdop`] with 26 faces.
    Kdop26,
    /// [`BoundingSphere`].
    Sphere,
    /// [`HullBound`].
    Hull,
    /// [`Shell`].
    Shell,
    /// [`Pss`]: point-swept spheres.
    Pss,
    /// [`Lss`]: line-swept spheres.
    Lss,
    /// [`Rss`]: rectangle-swept spheres.
    Rss,
    /// [`SweptAny`]: in each node the best of the three.
    Swept,
    /// [`Quinlan`]: balls that tile each triangle.
    Quinlan,
    /// [`Hubbard`]: spheres about Voronoi vertices.
    Hubbard,
}

impl TreeKind {
    /// All of them.
    pub const ALL: [TreeKind; 17] = [
        TreeKind::Aabb,
        TreeKind::Obb,
        TreeKind::ObbVertices,
        TreeKind::ObbHull,
        TreeKind::Kdop6,
        TreeKind::Kdop14,
        TreeKind::Kdop18,
        TreeKind::Kdop26,
        TreeKind::Sphere,
        TreeKind::Hull,
        TreeKind::Shell,
        TreeKind::Pss,
        TreeKind::Lss,
        TreeKind::Rss,
        TreeKind::Swept,
        TreeKind::Quinlan,
        TreeKind::Hubbard,
    ];

    /// Its name: `aabb`, `obb`, `obb-vertices`, `obb-hull`, `6-dop`, `14-dop`, `18-dop`, `26-dop`, `sphere`, `hull`, `shell`,
    /// `pss`, `lss`, `rss`, `swept`, `quinlan`, `hubbard`.
    pub fn name(self) -> &'static str {
        self.method_name().trim_end_matches("-tree")
    }

    /// Its name among the methods of queries: that with `-tree` behind it.
    pub(crate) fn method_name(self) -> &'static str {
        match self {
            TreeKind::Aabb => "aabb-tree",
            TreeKind::Obb => "obb-tree",
            TreeKind::ObbVertices => "obb-vertices-tree",
            TreeKind::ObbHull => "obb-hull-tree",
            TreeKind::Kdop6 => "6-dop-tree",
            TreeKind::Kdop14 => "14-dop-tree",
            TreeKind::Kdop18 => "18-dop-tree",
            TreeKind::Kdop26 => "26-dop-tree",
            TreeKind::Sphere => "sphere-tree",
            TreeKind::Hull => "hull-tree",
            TreeKind::Shell => "shell-tree",
            TreeKind::Pss => "pss-tree",
            TreeKind::Lss => "lss-tree",
            TreeKind::Rss => "rss-tree",
            TreeKind::Swept => "swept-tree",
            TreeKind::Quinlan => "quinlan-tree",
            TreeKind::Hubbard => "hubbard-tree",
        }
    }
}

impl fmt::Display for TreeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TreeKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<TreeKind, Error> {
        let known = TreeKind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| Error::UnknownName {
            what: "tree",
            name: name.to_owned(),
            known: TreeKind::ALL.map(TreeKind::name).to_vec(),
        })
    }
}

/// Two trees of one kind, built once, for any number of questions about two meshes.
///
/// ```
/// # use impinge::bvh::{TreeKind, TreePair, TreeSearch};
/// # use impinge::{Pose, TriMesh, Vec3};
/// # use std::sync::Arc;
/// let triangle = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// let triangle = Arc::new(triangle);
/// let above = Pose::from_translation(Vec3::new(0.25, 0.25, 0.5))?;
/// let mut search = TreeSearch::default();
/// for kind in TreeKind::ALL {
///     let trees = TreePair::new(kind, &triangle, &triangle);
///     let (near, _) = trees.closest([Pose::IDENTITY, above], None, &mut search);
///     assert!(near.bounds.contains(0.5), "{kind}");
/// }
/// # Ok::<(), impinge::Error>(())
/// ```
#[derive(Debug)]
pub struct TreePair {
    kind: TreeKind,
    trees: Box<dyn Searched>,
}

impl TreePair {
    /// Builds the trees of two meshes; one tree if they are the same.
    pub fn new(kind: TreeKind, a: &Arc<TriMesh>, b: &Arc<TriMesh>) -> TreePair {
        let trees = match kind {
            TreeKind::Aabb => both(a, b, Aabb::fit),
            TreeKind::Obb => both(a, b, Obb::fit),
            TreeKind::ObbVertices => both(a, b, Obb::of_vertices),
            TreeKind::ObbHull => both(a, b, Obb::of_hull),
            TreeKind::Kdop6 => both(a, b, Kdop::<6>::fit),
            TreeKind::Kdop14 => both(a, b, Kdop::<14>::fit),
            TreeKind::Kdop18 => both(a, b, Kdop::<18>::fit),
            TreeKind::Kdop26 => both(a, b, Kdop::<26>::fit),
            TreeKind::Sphere => both(a, b, BoundingSphere::fit),
            TreeKind::Hull => both(a, b, HullBound::fit),
            TreeKind::Shell => both(a, b, Shell::fit),
            TreeKind::Pss => both(a, b, Pss::fit),
            TreeKind::Lss => both(a, b, Lss::fit),
            TreeKind::Rss => both(a, b, Rss::fit),
            TreeKind::Swept => both(a, b, SweptAny::fit),
            TreeKind::Quinlan => both_built(a, b, |mesh| Quinlan::usual(Arc::clone(mesh))),
            TreeKind::Hubbard => both_built(a, b, |mesh| Hubbard::usual(Arc::clone(mesh))),
        };
        TreePair { kind, trees }
    }

    /// What kind they are.
    pub fn kind(&self) -> TreeKind {
        self.kind
    }

    /// Two triangles that share a point, if there are any.
    pub fn meeting(&self, poses: [Pose; 2], search: &mut TreeSearch) -> Option<[u32; 2]> {
        self.trees.meeting(poses, search)
    }

    /// How far the triangles are apart, and which are closest; see [`TreeSearch::closest`].
    pub fn closest(
        &self,
        poses: [Pose; 2],
        first: Option<[u32; 2]>,
        search: &mut TreeSearch,
    ) -> (Separation, [u32; 2]) {
        self.trees.closest(poses, first, search)
    }

    /// The memory that the trees take, in bytes, without the triangles.
    pub fn bytes(&self) -> usize {
        self.trees.bytes()
    }
}

/// Two trees of one type.
trait Searched: fmt::Debug + Send + Sync {
    fn meeting(&self, poses: [Pose; 2], search: &mut TreeSearch) -> Option<[u32; 2]>;

    fn closest(
        &self,
        poses: [Pose; 2],
        first: Option<[u32; 2]>,
        search: &mut TreeSearch,
    ) -> (Separation, [u32; 2]);

    fn bytes(&self) -> usize;
}

/// The second is absent when it is the first.
#[derive(Debug)]
struct Both<T> {
    a: T,
    b: Option<T>,
}

impl<T: Tree + Send + Sync> Searched for Both<T> {
    fn meeting(&self, [p, q]: [Pose; 2], search: &mut TreeSearch) -> Option<[u32; 2]> {
        let b = self.b.as_ref().unwrap_or(&self.a);
        search.meeting(self.a.at(p), b.at(q))
    }

    fn closest(
        &self,
        [p, q]: [Pose; 2],
        first: Option<[u32; 2]>,
        search: &mut TreeSearch,
    ) -> (Separation, [u32; 2]) {
        let b = self.b.as_ref().unwrap_or(&self.a);
        search.closest(self.a.at(p), b.at(q), first)
    }

    fn bytes(&self) -> usize {
        self.a.bytes() + self.b.as_ref().map_or(0, Tree::bytes)
    }
}

fn both<B: Bound + 'static>(
    a: &Arc<TriMesh>,
    b: &Arc<TriMesh>,
    fit: impl Fn(&[[Vec3; 3]]) -> B,
) -> Box<dyn Searched> {
    both_built(a, b, |mesh| Bvh::fitted(Arc::clone(mesh), &fit))
}

fn both_built<T: Tree + Send + Sync + 'static>(
    a: &Arc<TriMesh>,
    b: &Arc<TriMesh>,
    build: impl Fn(&Arc<TriMesh>) -> T,
) -> Box<dyn Searched> {
    Box::new(Both {
        a: build(a),
        b: (!Arc::ptr_eq(a, b)).then(|| build(b)),
    })
}
