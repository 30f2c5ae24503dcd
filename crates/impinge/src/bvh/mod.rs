//! Trees of bounding volumes over triangles: one traversal for overlap, one for distance, any volume.
//!
//! | file | what |
//! |---|---|
//! | `bound` | [`Bound`]: what a volume must know |
//! | `frame` | [`TreeFrame`] and [`Relative`]: the coordinates of trees, and how two of them lie to each other |
//! | `tree` | [`Tree`]: what a traversal must know about a tree |
//! | `binary` | [`Bvh`]: the binary tree over a mesh that is divided from the top |
//! | `search` | [`TreeSearch`]: the traversals |
//! | `spheres` | [`Quinlan`] and [`Hubbard`]: trees of spheres |
//! | `gradual` | [`GradualSearch`]: as far as a budget goes |
//! | `volume` | the volumes, one file each |
//! | `kind` | [`TreeKind`], [`TreePair`]: all of them by name |
//!
//! Larsen (Collision Detection for Real-Time Simulation, 2000) gives the two traversals and compares the volumes; here
//! they are side by side over the same tree. The quickest way to ask about meshes is [`query`](crate::query), which has
//! a tree of its own: wide nodes, single precision, eight boxes at a time. This module is for comparing, for studying,
//! and for trees that are something else besides, like spheres that approximate a shape.
//!
//! # How a tree of another make joins
//!
//! A volume implements [`Bound`]; if its trees are binary and divided from the top, [`Bvh`] does the rest. A tree with
//! a structure of its own, with more children, or with volumes that are not made for one triangle each, implements
//! [`Tree`]: it names the children of a node and the triangles of a leaf. The one condition is that *every point of a
//! triangle is in some leaf that names the triangle, and in all nodes above that leaf*. A triangle may be in many
//! leaves ([`Tree::IS_TILED`]); pairs already decided are then remembered in a hash table.
//!
//! # Exactness
//!
//! Volumes say "apart" only when the placed triangles are. Triangles are decided on their placed vertices, exactly or
//! with certified intervals, by the functions that the default uses. So every volume gives the same answers; they
//! differ in time and memory.
//!
//! ```
//! use impinge::bvh::{Bvh, Tree, TreeSearch};
//! use impinge::{Aabb, Pose, TriMesh, Vec3};
//! use std::sync::Arc;
//!
//! let triangle = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
//! let tree = Bvh::<Aabb>::new(Arc::new(triangle));
//! let above = Pose::from_translation(Vec3::new(0.25, 0.25, 0.5))?;
//!
//! let mut search = TreeSearch::default();
//! assert_eq!(search.meeting(tree.at(Pose::IDENTITY), tree.at(above)), None);
//! assert!(search.distance(tree.at(Pose::IDENTITY), tree.at(above), None).bounds.contains(0.5));
//! assert_eq!(search.work().triangle_pairs, 1);
//! # Ok::<(), impinge::Error>(())
//! ```

mod binary;
mod bound;
mod frame;
mod gradual;
mod kind;
mod search;
mod spheres;
mod tree;
mod volume;

pub use binary::Bvh;
pub use bound::Bound;
pub use frame::{Relative, TreeFrame};
pub use gradual::GradualSearch;
pub use kind::{TreeKind, TreePair};
pub use search::{TreeSearch, Work};
pub use spheres::{Hubbard, Quinlan};
pub use tree::{Content, Tree, TreeAt};
pub use volume::{
    AabbRelation, BoundingSphere, HullBound, Kdop, KdopRelation, Lss, Obb, Pss, Rss, Shell, Swept,
    SweptAny,
};
