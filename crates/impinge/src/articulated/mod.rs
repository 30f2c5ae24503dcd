//! Bodies of many parts, with joints that move: hands, robots, anything that is not convex as a whole.
//!
//! | file | what |
//! |---|---|
//! | `joint` | [`Joint`]: what a link may do against the one it hangs on |
//! | `linkage`, `builder` | [`Linkage`]: links, joints and parts; what all bodies of a kind share |
//! | `rules` | [`SelfCollision`]: which parts of one body are looked at |
//! | `placement` | from joint positions to poses |
//! | `hierarchy` | the tree over the parts |
//! | `volume` | a box around each part, and a hull of few vertices inside |
//! | `articulation` | [`Articulation`]: one body by itself, and [`Encounter`]: two of them |
//! | `encounter` | pairs of parts to contacts |
//! | `urdf` | robots from files, with the crate feature of that name |
//!
//! A rigid body of many parts, a compound, is a linkage of one link.
//!
//! **Two ways to use it.** By itself, an [`Articulation`] takes joint positions and tells which of its own parts touch, some
//! hundred thousand times a second: what a motion planner asks. In a [`World`](crate::World) among other bodies
//! ([`World::insert_articulated`](crate::World::insert_articulated)) each part is a body like any other. There the broad phase
//! takes the place of the tree, and contacts and events name the parts.
//!
//! **The tree** is that of Cohen, Lin, Manocha and Ponamgi (I-COLLIDE, 1995, section 3.4), who put a hull or another volume on
//! each inner node. A hull of moving parts would have to be made anew whenever a joint moves; volumes that hold for all
//! positions of the joints are, a few links away from the root, as large as the arm is long. So nodes hold boxes along the
//! axes of the world, and are refitted when something moves: one box a part, and a union for each inner node. The boxes of
//! parts are those of [`BoxKind::Oriented`](crate::bound::BoxKind): tighter ones take longer than what they spare.
//!
//! **Exactness.** Joint positions become poses by rounded arithmetic. From the poses on, everything is as exact as
//! [`query::intersects`](crate::query::intersects).

mod articulation;
mod builder;
mod encounter;
mod hierarchy;
mod joint;
mod linkage;
mod placement;
mod rules;
mod sieve;
#[cfg(feature = "urdf")]
pub mod urdf;
mod volume;

pub use articulation::{Articulation, Encounter};
pub use builder::LinkageBuilder;
pub use encounter::PartPair;
pub use joint::{Joint, JointKind, Mimic};
pub use linkage::{Link, LinkId, Linkage, Part, PartId};
pub(crate) use placement::Placement;
pub use rules::SelfCollision;
