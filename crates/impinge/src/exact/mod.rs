//! Signs and tests that are never wrong.
//!
//! Each question is answered on three levels. A **filter** computes in floating point with a derived error bound; where
//! the bound cannot decide, an **expansion** (a sum of non-overlapping floats, from the `robust` crate) gives the exact
//! sign for numbers of ordinary size; where exponents are so extreme that expansions would overflow or underflow, or the
//! question has no expansion form, **big integers** decide. All levels give the sign in real arithmetic; [`counts()`] says
//! how often each of them had the last word.

mod adjacent;
pub(crate) mod algebraic;
pub(crate) mod big;
mod counts;
mod hulls;
mod inside;
mod measure;
mod passing;
mod plane;
mod rounding;
mod section;
mod segments;
mod signs;
mod triangles;
mod volume;

pub use adjacent::triangles_cross_beyond_shared;
pub use counts::{Counts, counts};
pub(crate) use counts::{count_big, count_expansion, count_filter, count_filters};
pub use hulls::{
    CommonPoint, HullDistance, HullPenetration, HullRelation, Separator, hull_distance,
    hull_penetration, hulls_intersect, relate_hulls,
};
pub use inside::{Location, locate, winding_number};
pub(crate) use measure::{absolute_cross, unit_normal, volume_and_centroid};
pub(crate) use passing::first_passage;
pub(crate) use plane::{PlacedPlane, SignedDistance};
pub(crate) use rounding::Rounded;
pub(crate) use section::section_of;
pub use section::{SECTION_ERROR, Section, triangle_section};
pub use segments::{are_collinear, point_on_segment, segments_intersect};
pub use signs::{
    Axis, Sign, compare_along, in_sphere, normal_component, orientation, side_of_plane,
};
pub use triangles::{point_in_triangle, segment_meets_triangle, triangles_intersect};
pub(crate) use volume::volume_sign;
