//! Convex hull against convex hull: do they share a point, and how far are they apart.
//!
//! A hull is given by its points alone, any finite ones in any number. Both questions are about the differences
//! `b_j - a_i`: the hulls intersect exactly when the origin is in the hull of these, and their distance is the
//! distance of that hull from the origin.
//!
//! ```text
//!   points ─► local ─► propose ──► certificate ──► relation            floating point, with error bounds
//!                         │ (seed)      ▲ (undecided)
//!                         ▼             ▼
//!   points ─► grid ───► closest ──► relation, distance                 big integers
//! ```

mod carrier;
mod certificate;
mod closest;
mod distance;
mod foot;
mod grid;
mod local;
mod propose;
mod relate;

pub use certificate::{CommonPoint, HullRelation, Separator};
pub use distance::{HullDistance, hull_distance};
pub use relate::{hulls_intersect, relate_hulls};

/// An index into the points of `a` and one into those of `b`.
type Pair = [u32; 2];
