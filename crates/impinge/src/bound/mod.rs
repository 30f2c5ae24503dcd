//! Boxes of moving bodies: from a shape and a pose to an [`Aabb`](crate::Aabb) that holds all of it.
//!
//! | file | what |
//! |---|---|
//! | `ball` | the balls of a placed body and how it is turned, in single precision, and what two balls prove |
//! | `extent` | how large a shape is in its own frame, computed once |
//! | `own` | a box in the frame of a shape, and whether two of them are apart |
//! | `tracked` | [`TrackedBox`]: the box of a body at one pose after the other, fixed or tight |
//! | `swept` | the box of a whole motion, and boxes grown with the velocity |
//!
//! Every box holds the *placed* shape in real arithmetic: what [`Pose::place`](crate::Pose::place) rounds, and what is
//! rounded here, is added. Broad phases may trust it: bodies whose boxes are apart are apart.

mod ball;
mod extent;
mod own;
mod swept;
mod tracked;

pub(crate) use ball::{OwnBall, Stance};
pub(crate) use extent::Extent;
pub(crate) use own::OwnBox;
pub use swept::{grown_with_velocity, swept_box};
pub(crate) use tracked::CubeUse;
pub use tracked::{BoxKind, TrackedBox};
