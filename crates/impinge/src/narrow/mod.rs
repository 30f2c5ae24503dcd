//! Pair to contact: two shapes, two poses, one answer.
//!
//! | file | what |
//! |---|---|
//! | `overlap` | the default for "do two polytopes intersect" |
//! | `separation` | the default for "how far are two polytopes apart" |
//! | [`depth`] | the default for "how deep do two polytopes overlap" |
//! | `signed` | both: distance or depth |
//! | `many`, `group` | the way of many pairs through one of these questions |
//! | [`gjk`] | GJK by name, for any pair of [`SupportMap`](crate::SupportMap)s |
//! | [`lin_canny`] | closest features of polytopes, tracked from frame to frame |
//! | `pair`, `centers`, `side` | a placed pair as fast queries see it; quick verdicts with error bounds |
//! | `glance`, `portal` | such verdicts, and a search, for pairs of a crowd, in single precision and from little memory |
//! | `charts` | the same verdicts by one look at a table of each polytope |
//! | `search`, `wide` | GJK in `f32` for eight pairs at once: it proposes |
//! | `decide` | the same where only an overlap is asked for: it proves most of its verdicts |
//! | `proofs`, `intervals`, `four`, `part`, `certificate` | the proofs that make a proposal an answer, some of them for four pairs at once |
//! | `closest` | both for polytopes with few vertices or with a table of directions, eight pairs at once from poses to proofs |
//! | `simplex`, `features` | what GJK in `f64` is made of, and how its results are named |
//! | `impact` | when two moving shapes first touch; [`ObbTree`] by name |
//! | `primitive` | all other convex pairs: within a gap, how far apart |
//! | `mesh` | meshes and solids, with each other and with convex shapes |
//! | `curved_depth` | how deep convex shapes overlap |
//! | `triple` | vectors as plain arrays |
//! | `cache` | [`PairCache`]: what a pair remembers |

mod cache;
mod centers;
mod certificate;
mod charts;
mod closest;
pub(crate) mod curved_depth;
mod decide;
pub mod depth;
mod features;
mod four;
pub mod gjk;
mod glance;
pub(crate) mod gradual;
mod group;
mod impact;
mod intervals;
pub mod lin_canny;
mod many;
pub(crate) mod mesh;
mod overlap;
mod pair;
mod part;
mod paths;
mod portal;
pub(crate) mod primitive;
mod proofs;
mod search;
mod separation;
mod side;
mod signed;
pub(crate) mod simplex;
#[cfg(test)]
mod tests;
mod triple;
mod wide;

pub use cache::PairCache;
pub use depth::penetration_polytopes;
pub(crate) use features::spanned;
pub(crate) use glance::{Caches, GLANCE, Glimpse, GlimpsePair, glance};
pub use gradual::Progress;
pub(crate) use impact::{Coming, coming};
pub use impact::{ObbTree, time_of_impact};
pub use mesh::{MeshWork, mesh_work};
pub(crate) use overlap::intersects_by_search;
pub use overlap::{intersects_each, intersects_polytopes};
pub use pair::PolytopePair;
pub use paths::{PathImpact, edge_edge_impact, vertex_face_impact};
pub use separation::{distance_each, distance_polytopes};
pub use signed::{signed_distance_each, signed_distance_polytopes};
