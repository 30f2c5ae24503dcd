//! Convex hull against convex hull: do they share a point, how far are they apart, how deep is one in the other.
//!
//! A hull is given by its points alone, any finite ones in any number. All questions are about the differences
//! `b_j - a_i`: the hulls intersect exactly when the origin is in the hull of these, their distance is the distance of
//! that hull from the origin, and their depth is the distance of the origin from its boundary.
//!
//! ```text
//!   points ─► local ─► propose ──► certificate ──► relation            floating point, with error bounds
//!                         │ (seed)      ▲ (undecided)
//!                         ▼             ▼
//!   points ─► grid ───► closest ──► relation, distance                 big integers
//!                └────► expand ───► penetration
//! ```

mod carrier;
mod certificate;
mod closest;
mod distance;
mod expand;
mod foot;
mod grid;
mod local;
mod penetration;
mod propose;
mod relate;
mod span;
mod surface;

pub use certificate::{CommonPoint, HullRelation, Separator};
pub use distance::{HullDistance, hull_distance};
pub use penetration::{HullPenetration, hull_penetration};
pub use relate::{hulls_intersect, relate_hulls};

/// An index into the points of `a` and one into those of `b`.
type Pair = [u32; 2];
